#!/bin/bash
# The tool for real GPUs, over a driver whose GPU is the modelled one: host programs, PTX, comparison and times; what
# it says when the driver fails, and when there is none.
. "$(dirname "$0")/../system/expect.sh"
tool=$build/real-gpu
fabric="--driver $build/tests/real-gpu/libfabric_cuda.so"
graph="--graph rmat:scale=9,edges=3000"
value() { sed -n "s/^\t*\"$1\":\t*\([^,]*\),*$/\1/p" $scratch/r.json | head -n 1; }

# Cycles by clock64 around the kernels are those that the modelled GPU counts, but for the marks.
beside() { # ARGUMENTS...
  local fabrics clocks
  expect 0 '^verified: ' $tool $fabric "$@" --json $scratch/r.json
  clocks=$(value cycles)
  $warpfab run --config gtx480 "$@" --json $scratch/own.json >/dev/null
  fabrics=$(sed -n 's/^\t"cycles":\t\([0-9]*\),/\1/p' $scratch/own.json | head -n 1)
  awk -v a="$clocks" -v b="$fabrics" 'BEGIN { exit !(a > 0.98 * b - 50 && a < 1.02 * b + 50) }'
  check "$2: $clocks cycles by clock64, $fabrics counted" $?
}
beside --app compute
beside --app chase
beside --app stream
beside --app mm --set app.n=64
beside --app jac --set app.rows=64 --set app.cols=64
expect 0 '^spike  *32$' $tool $fabric --app lat
expect 0 '^verified: ' $tool $fabric --app misses --json $scratch/r.json
same "misses: what the modelled GPU has is told" \
  "$(value entries_low) $(value entries_high) $(value requests_per_line) $(value l1_lines)" "32 32 8 128"
for app in bfs sssp pagerank; do
  expect 0 '^verified: ' $tool $fabric --app $app $graph --set app.strategy=thread --json $scratch/r.json
  [ "$(value verified)" = true ] && [ "$(grep -c '"milliseconds"' $scratch/r.json)" -ge 2 ] &&
    ! grep -q '"cycles":.*null' $scratch/r.json
  check "$app: every launch has its time and cycles" $?
done
expect 0 '^launches  3 in' $tool $fabric --app chase --repeat 3 --json $scratch/r.json
same "the card is told" "$(value sms) $(value clock_mhz) $(value memory_bus_bits)" "15 700 384"
date -d "$(value date | tr -d '"')" >/dev/null
check "and the date: $(value date)" $?

# What fails is told, and leaves no file.
rm -f $scratch/r.json
bad() { # FAULT CODE TEXT
  expect $2 "$3" env WF_FAULT=$1 $tool $fabric --app pagerank $graph --json $scratch/r.json
  [ ! -e $scratch/r.json ]
  check "$1: no result is left" $?
}
bad no_device 2 '--device 0: there are 0'
bad ptx 2 'its compiler: ptxas says no'
bad memory 1 'out of memory'
bad kernel 1 'the driver says 719'
expect 1 '^WRONG: ' env WF_FAULT=value $tool $fabric --app pagerank $graph --json $scratch/r.json
same "a wrong value is in the result" "$(value verified)" false
expect 2 'no NVIDIA driver: .*--driver FILE' $tool --driver $scratch/none.so --app chase
expect 2 'has no cuInit' $tool --driver libz.so.1 --app chase
expect 2 'cannot be' $tool $fabric --app chase --json /proc/none/r.json
expect 2 'unknown application .nope' $tool $fabric --app nope
expect 2 'expected --app' $tool
expect 2 'repeat 0: expected' $tool --repeat 0
expect 2 'unknown option' $tool --unit mff
expect 2 'app.nope' $tool $fabric --app chase --set app.nope=1
expect 0 '^usage: real-gpu' $tool --help

# All of them, or a word of why not.
expect 0 'SKIPPED: no NVIDIA driver' env REAL_GPU_DRIVER=$scratch/none.so tools/real-gpu/all
finish
