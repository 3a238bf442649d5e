#!/bin/bash
# GCC 12's OpenACC on the fabric: what it takes prints what a C compiler makes of the same program, and what it does
# not take is refused by it, with the reason that is expected here.
#   tests/acc/gcc.sh [NAME...]
. "$(dirname "$0")/../system/expect.sh"
here=tests/acc/programs
offload=$(gcc-12 -print-file-name=accel/nvptx-none/mkoffload 2>/dev/null)
case $offload in
/*) ;;
*) echo "SKIPPED: gcc-12-offload-nvptx is not installed" && exit 0 ;;
esac

# Programs that GCC refuses, and why.
refusal() {
  case $1 in
  exchange_fcw) echo "argument not permitted on .vector. clause" ;;
  scaled) echo "invalid increment expression" ;;
  gemm_cache | jacobi_cache) echo "array section is not contiguous in ._cache_. clause" ;;
  pathfinder_fcw | reduction_fcw | hotspot_fcw | dyadic_fcw | tile_fcw) echo "ignoring .#pragma acc fcw" ;;
  esac
}

# GCC 12.2 turns tile(m, n) into one loop whose indices leave the tile: its code is wrong, whoever runs it.
wrong() { [ "$1" = tile ]; }

# What our runtime for GCC's programs ends, with what it says: arrays that are the device's own from the start.
ended() { [ "$1" = declare ]; }

try() { # NAME: the program's own lines, without the table behind them, are the plain program's
  "$warpfab" acc "$here/$1.c" --compiler=gcc >"$scratch/all" 2>"$scratch/said" || return
  grep -q "^$1: [0-9]* cycles" "$scratch/all" || return
  gcc -w -O1 -ffp-contract=off "$here/$1.c" -o "$scratch/plain" -lm && "$scratch/plain" >"$scratch/expected" &&
    sed -e "/^$1: [0-9]* cycles/,\$d" "$scratch/all" | cmp - "$scratch/expected"
}

tried() {
  local why
  wrong "$1" && echo "skip  $1: GCC compiles it wrongly" && return
  ended "$1" && expect 1 "declare outside of functions; variables: 3: not taken" \
    "$warpfab" acc "$here/$1.c" --compiler=gcc && return
  why=$(refusal "$1")
  if [ -n "$why" ]; then
    expect 2 "$why" "$warpfab" acc "$here/$1.c" --compiler=gcc
  else
    try "$1"
    check "gcc: $1" $? || tail -n 3 "$scratch/said"
  fi
}

names=$*
for name in ${names:-$(basename -s .c "$here"/*.c)}; do tried "$name"; done
[ -n "$names" ] && { finish; exit; }
expect 2 "does not go with --compiler=gcc" "$warpfab" acc $here/stencil.c --compiler=gcc --cache=off
expect 2 "nothere.c" "$warpfab" acc nothere.c --compiler=gcc
finish
