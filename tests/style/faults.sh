#!/bin/bash
# Each check of style on a copy with a fault of its kind: it must fail and say file and line; and pass without.
set -u
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# expect STATUS TEXT COMMAND...: the command's exit code, and a line that it says ("": nothing)
expect() {
  local status=$1 text=$2 said
  shift 2
  said=$(cd "$work" && "$@" 2>&1)
  if [ $? -eq "$status" ] && [ -n "$text" -o -z "$said" ] && grep -qF -- "$text" <<<"$said"; then
    echo "right: ${text:-nothing is wrong}"
  else
    echo "WRONG: exit code $status and \`$text\` expected of ${*##*/}; it said:"
    echo "$said"
    failed=1
  fi
}
layout() { expect "$1" "$2" "$root/verify/style/layout" "$3"; }
tidy() { expect "$1" "$2" "$root/verify/style/tidy" "$3" "" -std=c11 -Wall -Werror; }
pages() { expect "$1" "$2" "$root/verify/style/pages" "$root/$build" "$3"; }
long=$(printf 'x%.0s' {1..60})

cp .clang-format .clang-tidy "$work"
printf 'int f(int a) {\n  return a;\n}\n' >"$work/good.c"
layout 0 "" good.c
tidy 0 "" good.c
printf 'int f(int a) {\n  return  a;\n}\n' >"$work/bad.c"
layout 1 "bad.c:2: not as clang-format leaves it" bad.c
printf 'module m;\n  // %s %s\nendmodule\n' "$long" "$long" >"$work/long.v"
layout 1 "long.v:2: 126 columns, 100 at most" long.v
printf '// %s\n  assign a = b; \n' "$long" >"$work/blank.v"
layout 1 "blank.v:2: a blank at the end" blank.v
printf '%s %s\n\n| %s | %s |\n' "$long" "$long" "$long" "$long" >"$work/long.md"
layout 1 "long.md:1: 121 columns, 120 at most" long.md
printf '# %s\necho %s%s\n' "$long" "$long" "$long" >"$work/long.sh"
layout 1 "long.sh:2: 125 columns, 120 at most" long.sh
printf '//\tx\n' >"$work/tab.vh"
layout 1 "tab.vh:1: a tab" tab.vh

printf 'int f(int *a, int i) {\n  return a[i++] + i;\n}\n' >"$work/order.c"
tidy 1 "order.c:2:" order.c
printf 'int f(int a) {\n  return a > 3 && a > 3;\n}\n' >"$work/twice.c"
tidy 1 "twice.c:2:" twice.c

# Of pages: what is right in each kind of reference, then one fault of each kind.
ln -s "$root/Makefile" "$root"/{rtl,tb,sim,verify,synth,tests,scripts} "$work" 2>/dev/null
cat >"$work/good.md" <<'PAGE'
# A page
## Its second part
[a](good.c) [b](#its-second-part) [c](https://example.org/x)
`sim/base/wf_error.h`, `make check`
```
make run   # comment
make paper-UNIT PART=x
build/warpfab run --app bfs --unit UNIT_HERE --set UNIT_HERE.counter_bits=8 --json x.json
```
PAGE
sed -i "s/UNIT_HERE/$(scripts/units list | head -n 1)/g" "$work/good.md"
pages 0 "" good.md
fault() { printf '# A page\n%s\n' "$1" >"$work/bad.md"; pages 1 "bad.md:2: $2" bad.md; }
fault '[a](none.c)' "no such file: none.c"
fault '[a](#nothing)' "no such heading: #nothing"
fault 'in `sim/base/none.c`' "no such file: sim/base/none.c"
fault '`make nothing`' "no target nothing"
fault '`build/warpfab walk`' "warpfab has no command walk"
fault '`warpfab run --fast`' "warpfab run has no --fast"
fault '`warpfab run --app none`' "no application none"
fault '`warpfab run --app bfs --unit none`' "no unit none"
fault '`warpfab run --app bfs --set mff.none=1`' "no key mff.none"
fault '`warpfab run --app bfs --config none`' "no configuration none"
exit $failed
