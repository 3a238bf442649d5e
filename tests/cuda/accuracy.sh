#!/bin/bash
# How far the device's mathematical functions are off; those of the emulation are the same source.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
clang=${CLANG:-clang-14} here=tests/cuda
$clang -x c++ -std=c++17 -O1 -ffp-contract=off -w -I$here/emulation -Isim/cuda/include $here/accuracy.cc \
  $here/emulation/runtime.cc -lstdc++ -lm -o "$work/accuracy" && "$work/accuracy"
