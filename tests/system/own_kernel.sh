#!/bin/bash
# A user's own kernel: CUDA C compiled on the way, dynamic shared memory, memory from files and back to files.
. "$(dirname "$0")/expect.sh"
same_files() { # same_files NAME FILE FILE
  cmp "$2" "$3"
  check "$1" $?
}
absent() { # absent FILE...
  local file
  for file; do
    [ ! -e "$file" ] && passed=$((passed + 1)) || { echo "FAIL  $file is there"; failed=$((failed + 1)); }
  done
}

# Each block reverses its words by way of dynamic shared memory; a pair of words is static.
cat >$scratch/reverse.cu <<'P'
#include "sim/apps/warpfab.cuh"
extern __shared__ uint32_t words[];
KERNEL reverse(uint32_t *to, const uint32_t *__restrict__ from) {
  __shared__ uint32_t pair[2];
  if (thread_x() < 2) pair[thread_x()] = thread_x();
  words[thread_x()] = from[global_thread()];
  __syncthreads();
  to[global_thread()] = words[block_dim_x() - 1 - thread_x()] + pair[0] * pair[1];
}
P
words() { od -An -v -tu4 -w4 "$1"; }
head -c 2048 data/debian12.mtx.gz >$scratch/in
words $scratch/in | awk '{ block[NR % 128] = $1 } NR % 128 == 0 { for (i = 128; i; i--) print block[i % 128] }' \
  >$scratch/want
run="$warpfab run --ptx $scratch/reverse.cu --kernel reverse --grid 4 --block 128"
io="--param buf:2048 --param file:$scratch/in"
expect 0 'reverse: .* cycles' $run $io --shared 512 --dump 0:$scratch/out --dump 1:$scratch/in2
words $scratch/out | awk '{ print $1 }' >$scratch/got
same_files 'the kernel reverses' $scratch/want $scratch/got
same_files 'a file there and back' $scratch/in $scratch/in2
(cd / && "$OLDPWD/$warpfab" run --ptx $scratch/reverse.cu --kernel reverse --grid 4 --block 128 $io --shared 512 \
  --dump 0:$scratch/elsewhere) >/dev/null
same_files 'headers are found from any folder' $scratch/out $scratch/elsewhere
limit=$($warpfab list parameters | awk '$1 == "core.shared_bytes" { print $2 }')
expect 0 'cycles' $run $io --shared $((limit - 8))
expect 2 "a block needs $((limit + 1)) bytes of shared memory, an SM has $limit" $run $io --shared $((limit - 7))
expect 1 'shared' $run $io
expect 2 'shared 1k: expected a whole number' $run $io --shared 1k
expect 2 'shared 3000000000: expected at most' $run $io --shared 3000000000
expect 2 'go with --ptx' $warpfab run --app mm --shared 64
expect 0 'reverse: ' $warpfab ptx analyse $scratch/reverse.cu

# Behind a barrier each thread finds what another wrote to shared memory before it.
cat >$scratch/turns.cu <<'P'
#include "warpfab.cuh"
KERNEL turns(uint32_t *out, uint32_t n) {
  __shared__ uint32_t turn;
  if (thread_x() == 0) turn = 0;
  for (uint32_t i = 0; i < n; i++) {
    __syncthreads();
    const uint32_t before = turn;
    __syncthreads();
    if (before == thread_x()) turn = before + 1;
  }
  __syncthreads();
  out[thread_x()] = turn;
}
P
expect 0 'turns: .* cycles' $warpfab run --ptx $scratch/turns.cu --kernel turns --grid 1 --block 64 --param buf:256 \
  --param u32:40 --dump 0:$scratch/turns
words $scratch/turns | awk '{ print $1 }' | sort -u >$scratch/got
echo 40 >$scratch/want
same_files 'barriers order shared memory' $scratch/want $scratch/got

# A compiler that is missing, or refuses; nothing is left behind.
sed "s/= words/= wards/" $scratch/reverse.cu >$scratch/wrong.cu
expect 2 "wrong.cu:8:.*undeclared identifier 'wards'" $warpfab run --ptx $scratch/wrong.cu --kernel reverse --grid 1 \
  --block 32
expect 2 'wrong.cu: .*clang.* does not compile it' $warpfab run --ptx $scratch/wrong.cu --kernel reverse --grid 1 \
  --block 32
expect 2 'reverse.cu: compiling it needs noclang, which cannot be run: No such file' env CLANG=noclang $run $io
expect 2 'nosuch.cu: cannot be read' $warpfab run --ptx $scratch/nosuch.cu --kernel reverse --grid 1 --block 32

# Files and dumps that cannot be.
: >$scratch/empty
expect 2 'file:.*/empty: expected a file that is not empty' $run --param buf:2048 --param file:$scratch/empty
expect 2 'nosuch: cannot be read' $run --param buf:2048 --param file:$scratch/nosuch
expect 2 'parameter 2 is not there' $run $io --dump 2:$scratch/x
expect 2 'parameter 0 is a value' $run --param u64:0 --param file:$scratch/in --dump 0:$scratch/x
expect 2 'an input too' $run $io --dump 0:$scratch/in
expect 2 'an input too' $run $io --dump 0:$scratch/reverse.cu
expect 2 'the file of two outputs' $run $io --dump 0:$scratch/x --dump 1:$scratch/x
expect 2 'the file of two outputs' $run $io --dump 0:$scratch/x --json $scratch/x
expect 2 '/nosuchfolder/x: cannot be written' $run $io --shared 512 --dump 0:/nosuchfolder/x
expect 2 'expected a file: the table' $run $io --dump 0:-
for text in x 0 0: :x -1:x 1x:y 99:x; do expect 2 'expected N:PATH' $run $io --dump $text; done
expect 1 '' $run $io --dump 0:$scratch/x # faults: it has no shared memory
absent $scratch/x $scratch/*.tmp

# Base registers of units: any unit will do.
unit=$($warpfab list units | sed -n "1s/ .*//p")
expect 2 'not among the units of --unit' $run $io --base $unit.x=0
for text in x $unit.x $unit=1 .x=1 $unit.=1 $unit.x=a $unit.x=1+ $unit.x=1+-4; do
  expect 2 'expected UNIT.NAME=N' $run $io --unit $unit --base $text
done

# Tiles copied to shared memory while the last one is added up: the same sums, in less time.
for kernel in plain ahead; do
  expect 0 "$kernel: .* cycles" $warpfab run --config rtx3070 --ptx tests/system/copy.cu --kernel $kernel --grid 60 \
    --block 128 --param iota:1024000 --param buf:30720 --param u32:16 --dump 1:$scratch/$kernel \
    --json $scratch/$kernel.json
  words $scratch/$kernel >$scratch/$kernel.txt
done
awk 'NR == 1 && $1 == 258048 { right++ } END { exit right != 1 }' $scratch/ahead.txt
check 'the first sum' $?
same_files 'sums of tiles copied ahead' $scratch/plain $scratch/ahead
cycles() { sed -n 's/^\t"cycles":[[:space:]]*\([0-9]*\).*/\1/p' $scratch/$1.json; }
[ "$(cycles ahead)" -lt "$(cycles plain)" ]
check "$(cycles ahead) cycles with copies ahead, $(cycles plain) without" $?
finish
