#!/bin/bash
# `warpfab cuda` as a user meets it: options, errors of the program and of its use, units, results.
. "$(dirname "$0")/../system/expect.sh"
programs=tests/cuda/programs
export TMPDIR=$scratch/temporary
mkdir "$TMPDIR"
bad() { # CODE REGEX ARGUMENT
  expect "$1" "$2" "$warpfab" cuda tests/cuda/bad.cu -- "$3"
}
bad 1 'bad.cu: the host part read or wrote 0x1000c, which is device memory, of cudaMalloc.s 400 bytes.*cudaMemcpy' read
bad 1 'IllegalAddress says an illegal memory access.*bad.cu:6 .its PTX:[0-9]*.: kernel _Z3onePi, CTA \(0, 0, 0\)' null
bad 1 'cudaErrorMisalignedAddress' odd
bad 1 'cudaErrorIllegalAddress' host
bad 1 'cudaErrorLaunchFailure.*bad.cu:9 .*trap' trap
bad 1 'a launch failed, and the program did not ask \(cudaGetLastError\): cudaErrorInvalidConfiguration: .*2048' unseen
bad 0 'cudaErrorInvalidConfiguration' seen
bad 0 'cudaErrorInvalidValue says invalid argument .*cudaFuncSetAttribute' shared
bad 0 'cudaErrorInvalidValue says invalid argument \(cudaMemcpy: the destination 0x[0-9a-f]* is host memory\)' direction
bad 0 'cudaErrorInvalidValue says .*the allocation at 0x10000 has 400' size
bad 0 'cudaErrorInvalidValue says .*or is given back' free
bad 0 'cudaErrorMemoryAllocation says out of memory' full
bad 1 'bad.cu: ended with exit code 5' exit
bad 1 'ended by a signal: Aborted' abort
bad 0 '^1 0 7$' managed
bad 0 '^1$' pinned
bad 0 '^warpfab gtx480, 15 SMs, 7.0$' device
bad 0 'of 256, [0-9]* of [0-9]*$' occupancy
bad 0 '^<-x>$' -x
expect 3 'bad.cu|cycle' "$warpfab" cuda tests/cuda/bad.cu --max-cycles 20000 -- forever
expect 0 '^warpfab k20c, 13 SMs, 3.5$' "$warpfab" cuda tests/cuda/bad.cu --config k20c --arch sm_35 -- device
expect 0 "^rounds: 1 7 43 259 1555$" "$warpfab" cuda tests/cuda/large.cu --config a100
expect 1 "65536 bytes of shared memory: an SM has 49152" "$warpfab" cuda tests/cuda/large.cu
expect 0 "^reduced right" "$warpfab" cuda tests/cuda/aggregate.cu
plain=$("$warpfab" cuda tests/cuda/plain.cu 2>&1)
says() { # REGEX: a line of what plain.cu prints
  expect 0 "$1" echo "$plain"
}
says '^0 wrong, 111, 1100$'
says '^corners: 1111$'
says '^limits:( cudaErrorInvalidConfiguration){3} cudaSuccess$'
says '^untimed: cudaErrorInvalidResourceHandle$'
expect 2 'undefined symbol: .*words_of' "$warpfab" cuda tests/cuda/parts/main.cu
expect 0 '^32 times 3 is 96$' "$warpfab" cuda tests/cuda/parts/main.cu --host tests/cuda/parts/read.cpp
${CXX:-g++} -fPIC -Isim/cuda/include -c tests/cuda/parts/read.cpp -o "$scratch/read.o"
expect 0 '^32 times 3 is 96$' "$warpfab" cuda tests/cuda/parts/main.cu --host "$scratch/read.o -lz"

# What a program may not, or does not compile.
say() { printf '%s\n' "$2" >"$scratch/$1.cu"; }
say unsupported 'int main() { cudaMallocArray(0, 0); }'
expect 2 'has no textures: read through const __restrict__ pointers' "$warpfab" cuda "$scratch/unsupported.cu"
say textures 'texture<float, 1, cudaReadModeElementType> t;
__global__ void k(float *o) { o[0] = tex1Dfetch(t, 0); } int main() {}'
expect 2 "'tex1Dfetch.*has no textures: read through const __restrict__ pointers" "$warpfab" cuda "$scratch/textures.cu"
say unnamed 'namespace { __constant__ int c; }
__global__ void k(int *p) { *p = c; } int main() { int v = 1, *p; cudaMemcpyToSymbol(c, &v, 4); cudaMalloc(&p, 4);
k<<<1, 1>>>(p); }'
expect 1 'a call failed, .*: no device code uses .*name it' "$warpfab" cuda "$scratch/unnamed.cu"
say unknown 'int main() { cudaFooBar(); }'
expect 2 "undeclared identifier 'cudaFooBar'" "$warpfab" cuda "$scratch/unknown.cu"
say nomain 'int f() { return 0; }'
expect 2 'there is no main' "$warpfab" cuda "$scratch/nomain.cu"
say library 'extern "C" int cublasCreate(); int main() { return cublasCreate(); }'
expect 2 'cublasCreate' "$warpfab" cuda "$scratch/library.cu"
say missing 'extern "C" __device__ float __nv_oddf(float);
__global__ void k(float *p) { p[0] = __nv_oddf(p[0]); } int main() { k<<<1, 1>>>(0); }'
expect 2 '__nv_oddf' "$warpfab" cuda "$scratch/missing.cu"
# A program's macros come before our headers.
say macros '#include <cooperative_groups.h>
__global__ void k(int *p) { p[threadIdx.x] = N + T + (int)sqrtf(K); }
int main() {
  int *p, a;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaMemcpy(&a, p, 4, cudaMemcpyDefault);
  printf("is %d", a);
}'
expect 0 '^is 70' "$warpfab" cuda "$scratch/macros.cu" --clang "-include stdio.h -DN=64 -DT=4 -DK=4 -DG=1 -DV=1"
expect 2 'none.cu: cannot be read' "$warpfab" cuda none.cu
expect 2 'no program' "$warpfab" cuda
expect 2 '--foo: unknown option; .warpfab cuda --help' "$warpfab" cuda $programs/scan.cu --foo
expect 2 'what is for it comes behind --' "$warpfab" cuda $programs/scan.cu more
expect 2 'compiling it needs no-clang.*apt-get install clang-14' env CLANG=no-clang "$warpfab" cuda $programs/scan.cu
expect 2 '--arch sm_99: expected sm_35' "$warpfab" cuda $programs/scan.cu --arch sm_99
expect 2 'go with .warpfab run' "$warpfab" cuda $programs/scan.cu --graph x
expect 2 'go with .warpfab cuda' "$warpfab" run --app bfs --arch sm_70
expect 2 'no such unit' "$warpfab" cuda $programs/scan.cu --unit nothing
expect 0 'usage: warpfab cuda' "$warpfab" cuda --help

# Results as of `run`: JSON, store, timeline, units, settings.
run() { "$warpfab" cuda $programs/vector_add.cu "$@" >"$scratch/log" 2>&1; }
cycles() { "$warpfab" cuda $programs/histogram.cu "$@" | sed -n 's/^histogram: \([0-9]*\) cycles.*/\1/p'; }
[ "$(cycles --set ptx.red=1)" -lt "$(cycles)" ]
check "ptx.red=1: no warp waits for an atomic's result that nobody reads" $?
run --json "$scratch/a.json" --timeline "$scratch/t.json" --store "$scratch/r.db" --set l1.bytes=32768 -- 3000
grep -q '"app":.*"vector_add"' "$scratch/a.json" && [ -s "$scratch/t.json" ]
check "--json, --timeline, --store" $?
expect 0 'vector_add' "$warpfab" results list "$scratch/r.db"
expect 0 'cycles' "$warpfab" compare "$scratch/a.json" "$scratch/a.json"
run -- 3000
first=$(grep "thread instructions per cycle" "$scratch/log")
run -- 3000
same "twice the same cycles" "$first" "$(grep "thread instructions per cycle" "$scratch/log")"
"$warpfab" cuda $programs/vector_add.cu --json - 2>"$scratch/err" >"$scratch/out"
grep -q '^c: ' "$scratch/err" && head -c 1 "$scratch/out" | grep -q '{'
check "--json -: the program's words go elsewhere" $?

# The page's example, as it stands there.
sed -n '/^```cuda$/,/^```$/p' docs/your-program.md | sed '1d;$d' >"$scratch/lookup.cu"
while read -r words; do
  expect 0 'cycles|lookup.html' bash -c "cd '$scratch' && ${words/build\/warpfab/$(realpath "$warpfab")}"
done < <(sed -n 's/^       \(build\/warpfab .*\)/\1/p' docs/your-program.md)
[ -z "$(ls "$TMPDIR")" ]
check "nothing is left in the temporary folder" $?
finish
