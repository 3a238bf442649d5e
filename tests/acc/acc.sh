#!/bin/bash
# OpenACC programs print what they print when a C compiler ignores the directives, and each region's arrays are the
# host's; every way to build the cache directive; what is not taken is an error with its place.
#   tests/acc/acc.sh [NAME...]
. "$(dirname "$0")/../system/expect.sh"
here=tests/acc/programs
[ -x "$build/warpfab-acc" ] || { echo "skip  no libclang-14-dev: warpfab-acc is not built"; exit 0; }

# The program's own lines, without the table behind them and the summary.
own() { sed -e "/^$1: [0-9]* cycles/,\$d" "$scratch/all"; }

try() { # NAME OPTIONS...: the same lines as the plain program's, and no region differs
  local name=$1
  shift
  "$warpfab" acc "$here/$name.c" "$@" >"$scratch/all" 2>"$scratch/said" || return
  grep -q '^acc: .* compared with the host.s results, 0 differ' "$scratch/said" || return
  case $name in
  *_fcw) return 0 ;; # compares with a plain program by itself: the host would run iterations one by one
  esac
  gcc -w -O1 -ffp-contract=off "$here/$name.c" -o "$scratch/plain" -lm || return
  "$scratch/plain" >"$scratch/expected" || return
  own "$name" | cmp - "$scratch/expected"
}
tried() {
  try "$@"
  check "$*" $? || { tail -n 3 "$scratch/said"; own "$1" | diff - "$scratch/expected" | head -n 4; }
}

names=$*
if [ -n "$names" ]; then
  for name in $names; do tried "$name"; done
  finish
  exit
fi
for name in "$here"/*.c; do tried "$(basename "$name" .c)"; done

for way in --cache=off --cache=rbc "--cache=rbc --write=back" --write=back --width=sync --scope=communicating \
  --share=thread --check; do
  # shellcheck disable=SC2086
  tried stencil_cache $way
  # shellcheck disable=SC2086
  tried jacobi_cache $way
done
tried gemm_cache --width=fixed
tried nbody_cache -DFCW
expect 1 "--width=fixed needs iterations that fill whole thread blocks" \
  "$warpfab" acc $here/jacobi_cache.c --width=fixed

# given TEXT: a program of that text
given() { printf '%b' "$1" >"$scratch/p.c"; }
head='#include <stdio.h>\nint n; static float a[64], *p, **q;\nstruct { float *v; } z;\n'
main=$head'int main(void) {\n  int i;\n  float s = 0;\n'

# What the comparison is for.
end='  return 0;\n}\n'
given "$main"'#pragma acc parallel loop independent\n  for (i = 1; i < 64; i++) a[i] = a[i - 1] + 1;\n'"$end"
expect 1 "element [0-9]+ of 'a' differs from the host's" "$warpfab" acc "$scratch/p.c"
expect 0 "p: [0-9]+ cycles" "$warpfab" acc "$scratch/p.c" --no-compare
given "$main"'#pragma acc parallel loop copyin(p[0:8])\n  for (i = 0; i < 8; i++) a[i] = p[i];\n'"$end"
expect 1 "p" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop\n  for (i = 0; i < 8; i++) a[i] = p[i];\n'"$end"
expect 1 "p.c:7: p: is not on the device; move it by a data clause" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop\n  for (i = 0; i < 60; i++) {\n#pragma acc cache(a[i:2])\n'\
'    for (int k = 0; k < 3; k++) s = a[i + k];\n  }\n'"$end"
expect 1 "an access to 'a' is not in the range that the directive promises" "$warpfab" acc "$scratch/p.c" --check

# refused PLACE TEXT STATEMENTS: exit code 2, and the message with its place
refused() {
  given "$main$3\n  return 0;\n}\n"
  expect 2 "p.c:$1: .*$2" "$warpfab" acc "$scratch/p.c"
}
loop='  for (i = 0; i < 8; i++)'
refused 7:27 "clause 'cpoy' is not supported" "#pragma acc parallel loop cpoy(a)\n$loop a[i] = 0;"
refused 7:13 "directive 'paralel' is not supported" "#pragma acc paralel loop\n$loop a[i] = 0;"
refused 8:10 "clause 'dtype' is not supported" "#pragma acc parallel loop \\\\\n         dtype(2)\n$loop a[i] = 0;"
refused 7:18 "clause 'collapse' does not belong to 'data'" "#pragma acc data collapse(2)\n  { }"
refused 7:32 "how much of 'p' is moved is not said" "#pragma acc parallel loop copy(p)\n$loop p[i] = 0;"
refused 7:38 "'\]' is missing" "#pragma acc parallel loop copy(p[0:8)\n$loop p[i] = 0;"
refused 7:32 "'b' is no variable" "#pragma acc parallel loop copy(b[0:8])\n$loop a[i] = 0;"
refused 7:41 "is an array|is start|\[start:length\]" "#pragma acc parallel loop copy(p[0:8],a[0:1:2])\n$loop a[i] = 0;"
refused 8:27 "'s' goes from one iteration to the next" "#pragma acc parallel loop\n$loop s += a[i];"
refused 7:38 "the operator is one of" "#pragma acc parallel loop reduction(-:s)\n$loop s += a[i];"
refused 8:3 "its step is none of" "#pragma acc parallel loop\n  for (i = 1; i < 8; i *= 2) a[i] = 0;"
refused 8:3 "its condition is none of" "#pragma acc parallel loop\n  for (i = 1; i != 8; i++) a[i] = 0;"
refused 8:3 "its step leads away" "#pragma acc parallel loop\n  for (i = 1; i < 8; i--) a[i] = 0;"
refused 8:39 "a parallel loop is left from within" "#pragma acc parallel loop\n$loop { if (a[i]) break; }"
refused 8:27 "'q' is of a type that is not moved" "#pragma acc parallel loop\n$loop q[i][0] = 1;"
refused 8:27 "'z' is of a type that is not moved" "#pragma acc parallel loop\n$loop z.v[0] = 1;"
refused 8:34 "'getchar' is called in a compute region" "#pragma acc parallel loop\n$loop a[i] = getchar();"
refused 7:1 "'loop' is followed by a for loop" "#pragma acc parallel loop\n  s = 1;"
refused 8:5 "a variable between the loops" "#pragma acc kernels\n  { int k = 3;\n $loop a[i] = k; }"
refused 8:3 "collapse: not so many loops" "#pragma acc parallel loop collapse(2)\n$loop a[i] = 1;"
refused 7:1 "'atomic' stands outside" "#pragma acc atomic\n  i += 3;"
refused 10:5 "atomic capture: the statement is none of" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc atomic capture\n    a[i] = 1;\n  }"
refused 7:27 "collapse.4.: 1 to 3 loops" "#pragma acc parallel loop tile(2,2,2,2)\n$loop a[i] = 0;"
refused 9:1 "'update' stands inside" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc update host(a)\n    a[i] = 1;\n  }"
refused 9:19 "a range of 'cache' is a\[start:length\]" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc cache(a[i:0:0])\n    a[i] = 1;\n  }"
refused 9:16 "the types are FETCH_ONLY" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc fcw FETCH(a[i:0:0])\n    { s = a[i]; }\n  }"
refused 10:7 "FETCH_ONLY only reads" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc fcw FETCH_ONLY(a[i:0:0])\n    { a[i] = 1; }\n  }"
refused 10:20 "set under a condition and used again" \
  "#pragma acc parallel loop\n$loop {\n"\
"#pragma acc fcw FETCH_CHANNEL(a[i:0:0])\n    { if (i > 3) { a[i] = 1; s = a[i]; } }\n  }"
refused 10:18 "'a' is in shared memory here, and in a subscript of 'a' as well" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc cache(a[i:1])\n    { s = a[(int)a[i]]; }\n  }"
refused 8:1 "'parallel' stands inside of a compute region" \
  "#pragma acc kernels\n#pragma acc parallel loop\n$loop a[i] = 1;"
refused 9:1 "'parallel' stands inside of a compute region" \
  "#pragma acc kernels\n  {\n#pragma acc parallel loop\n$loop a[i] = 1;\n  }"
refused 7:3 "expected expression" "  )"
expect 2 "no FILE.c" "$warpfab" acc
expect 2 "nothere.c" "$warpfab" acc nothere.c
expect 2 "unknown|not an option|is not" "$warpfab" acc $here/scan.c --nonsense

# What is emitted compiles by itself, and is the whole program.
"$warpfab" acc $here/histogram.c --emit "$scratch/kept" >/dev/null 2>&1 &&
  [ -s "$scratch/kept/histogram.cu" ] && ! grep -q 'pragma acc' "$scratch/kept/histogram.c"
check "--emit keeps both files, without directives" $?

# Directives with a letter gone or another in its place: a result or a message, and no crash.
broken=0
mkdir -p "$scratch/out"
for seed in $(seq 1 40); do
  awk -v seed="$seed" '
    BEGIN { srand(seed); letters = "([:,]) x0#" }
    /#pragma acc/ && rand() < 0.5 {
      at = 9 + int(rand() * length($0))
      $0 = substr($0, 1, at) substr(letters, 1 + int(rand() * 10), int(rand() * 2)) substr($0, at + 2)
    }
    { print }' $here/jacobi_cache.c >"$scratch/p.c"
  "$build/warpfab-acc" "$scratch/p.c" -o "$scratch/out" >"$scratch/log" 2>&1
  case $? in 0 | 2) ;; *) broken=$((broken + 1)) && cp "$scratch/p.c" "$build/acc-broken-$seed.c" ;; esac
done
same "40 files with broken directives" "$broken crashes" "0 crashes"
finish
