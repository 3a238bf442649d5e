#!/bin/bash
# Every program of tests/ptx/programs, as clang compiles it at each level for each target, must load. Prints what
# is refused and why, a line a file, and how many.
set -u
cd "$(dirname "$0")/../.." || exit
clang=${CLANG:-clang-14} warpfab=${BUILD:-build}/warpfab
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
common="-x cuda --cuda-device-only -nocudainc -nocudalib -S -std=c++17 -ffp-contract=off -Wno-unknown-cuda-version"
# Target, and the least PTX version that has its instructions.
targets="sm_35:ptx60 sm_52:ptx60 sm_80:ptx71 sm_90:ptx78"
loaded=0 refused=0 skipped=0
for t in $targets; do
  arch=${t%:*} ptx=${t#*:}
  flags="$common --cuda-gpu-arch=$arch -Xclang -target-feature -Xclang +$ptx"
  # shellcheck disable=SC2086
  if ! $clang $flags -o /dev/null - </dev/null 2>/dev/null; then
    echo "SKIPPED $arch: $clang does not know it"
    skipped=$((skipped + 1))
    continue
  fi
  for level in -O0 -O3 "-O0 -g" "-O3 -g"; do
    for f in tests/ptx/programs/*.cu; do
      # shellcheck disable=SC2086
      $clang $flags $level "$f" -o "$work/a.ptx" || exit 1
      if "$warpfab" ptx analyse "$work/a.ptx" >"$work/out" 2>"$work/err"; then
        loaded=$((loaded + 1))
      else
        refused=$((refused + 1))
        echo "$(basename "$f") $arch $level: $(sed "s|$work/a.ptx||" "$work/err" | head -1)"
      fi
    done
  done
done
echo "$loaded loaded, $refused refused"
[ "$refused" = 0 ] && [ "$loaded" -gt 0 ]
