#!/bin/bash
# PTX as clang writes it must load: every program of tests/ptx/programs at each level for each target, and those of
# tests/cuda/programs, which have headers and C++, each at one of them; with --all at all. Prints what is refused and
# why, then a table, the instructions refused by file. For a target that clang does not know, its output for sm_80
# stands in, with target and version replaced; that is said.
#   tests/ptx/accepts.sh [--all]
set -u
cd "$(dirname "$0")/../.." || exit
clang=${CLANG:-clang-14} warpfab=${BUILD:-build}/warpfab all=${1:-}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
common="-x cuda --cuda-device-only -nocudainc -nocudalib -S -std=c++17 -Wno-unknown-cuda-version"
plain="-ffp-contract=off"
headers="-isystem sim/cuda/include -include cuda_runtime.h -Xclang -target-sdk-version=11.0
  -Xclang -disable-noundef-analysis"
# Target, and the least PTX version that has its instructions.
targets="sm_35:ptx60 sm_52:ptx60 sm_80:ptx71 sm_90:ptx78"
levels=(-O0 -O3 "-O0 -g" "-O3 -g")
loaded=0 refused=0 ways=() stand_ins=
declare -A loaded_of refused_of

try() { # FILE FLAGS ARCH LEVEL
  local version made arch=$3
  [[ $stand_ins == *" $3 "* ]] && arch=sm_80
  version=$(sed "s/.*$arch:\([^ ]*\).*/\1/" <<<"$targets")
  made="$work/${1//\//-}$4-$arch.ptx"
  # shellcheck disable=SC2086
  [ -s "$made" ] || $clang $common $2 --cuda-gpu-arch="$arch" -Xclang -target-feature -Xclang "+$version" $4 "$1" \
    -o "$made" || exit 1
  cp "$made" "$work/a.ptx"
  [ "$arch" = sm_80 ] || rm "$made" # it may stand in
  [ "$arch" = "$3" ] || sed -i "s/^\.target $arch/.target $3/; s/^\.version .*/.version 8.3/" "$work/a.ptx"
  if "$warpfab" ptx analyse "$work/a.ptx" >"$work/out" 2>"$work/err"; then
    loaded=$((loaded + 1)) loaded_of[$1]=$((${loaded_of[$1]:-0} + 1))
  else
    refused=$((refused + 1)) refused_of[$1]+=" $(sed -n "s/^[^']*'\([a-z0-9_]*\).*/\1/p" "$work/err" | head -1)"
    echo "$1 $3 $4: $(sed "s|$work/a.ptx||" "$work/err" | head -1)"
  fi
}

for t in $targets; do
  # shellcheck disable=SC2086
  if ! $clang $common --cuda-gpu-arch="${t%:*}" -o /dev/null - </dev/null 2>/dev/null; then
    echo "${t%:*}: $clang does not know it: its output for sm_80, target and version replaced"
    stand_ins+=" ${t%:*} "
  fi
  for level in "${levels[@]}"; do
    ways+=("${t%:*} $level")
    for f in tests/ptx/programs/*.cu; do try "$f" "$plain" "${t%:*}" "$level"; done
  done
done
turn=0
for f in tests/cuda/programs/*.cu; do
  for i in "${!ways[@]}"; do
    [ "$all" = --all ] || [ "$i" = $((turn % ${#ways[@]})) ] || continue
    try "$f" "$headers" "${ways[i]%% *}" "${ways[i]#* }"
  done
  turn=$((turn + 1))
done
printf '%-40s %6s  %s\n' file loaded 'instructions refused'
for f in $(printf '%s\n' "${!loaded_of[@]}" "${!refused_of[@]}" | sort -u); do
  printf '%-40s %6d  %s\n' "$f" "${loaded_of[$f]:-0}" "${refused_of[$f]:-none}"
done
echo "$loaded loaded, $refused refused"
[ "$refused" = 0 ] && [ "$loaded" -gt 0 ]
