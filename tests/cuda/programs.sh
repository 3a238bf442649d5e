#!/bin/bash
# CUDA programs in the manner of the public suites, unchanged: what each prints on the fabric is what it prints in an
# emulation on the host (emulation/), byte for byte.
#   tests/cuda/programs.sh [NAME...]
. "$(dirname "$0")/../system/expect.sh"
clang=${CLANG:-clang-14} here=tests/cuda
includes="-I$here/emulation -Isim/cuda/include -I$here/programs"
flags="-std=c++17 -O1 -ffp-contract=off -w $includes"
# shellcheck disable=SC2086
$clang -x c++ $flags -c $here/emulation/runtime.cc -o "$scratch/runtime.o" &&
  $clang -x c++-header $flags $here/emulation/cuda_runtime.h -o "$scratch/cuda.pch" || exit 2

try() { # NAME: both forms, compared
  # shellcheck disable=SC2086
  awk -f $here/emulation/emulate.awk "$here/programs/$1.cu" >"$scratch/$1.cc" &&
    $clang -x c++ $flags -include-pch "$scratch/cuda.pch" -c "$scratch/$1.cc" -o "$scratch/$1.o" &&
    $clang "$scratch/$1.o" "$scratch/runtime.o" -lstdc++ -lm -o "$scratch/$1" || return
  "$scratch/$1" >"$scratch/expected" || return
  "$warpfab" cuda "$here/programs/$1.cu" --clang -ffp-contract=off >"$scratch/all" 2>&1 || return
  # The program's lines, without the table behind them.
  sed "/^$1: [0-9]* cycles/,\$d" "$scratch/all" >"$scratch/got"
  [ -s "$scratch/expected" ] && cmp "$scratch/expected" "$scratch/got"
}
names=$*
[ -n "$names" ] || names=$(cd $here/programs && ls ./*.cu | sed 's|^\./||; s|\.cu$||')
for name in $names; do
  : >"$scratch/all"
  try "$name"
  check "$name: fabric and host say the same" $? ||
    { tail -n 4 "$scratch/all"; diff "$scratch/expected" "$scratch/got" | head -n 4; }
done
finish
