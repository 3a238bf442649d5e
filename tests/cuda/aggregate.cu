// Lanes that come together by a condition: one adds for all of them, and hands round what only it
// has (which the emulation cannot: it knows no lanes that are elsewhere). Scans and matches of
// tiles. Says what is right.
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ int add_for_all(int *counter) {
  cg::coalesced_group here = cg::coalesced_threads();
  int first; // only lane 0 of them sets it
  if (here.thread_rank() == 0) first = atomicAdd(counter, (int)here.size());
  return here.shfl(first, 0) + (int)here.thread_rank();
}

__global__ void filter(int *to, int *count, const int *from, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n && from[i] % 3 == 0) to[add_for_all(count)] = from[i];
}

__global__ void digits(const int *keys, unsigned *counts, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned digit = keys[i] & 15, same = warp.match_any(digit);
    if ((int)warp.thread_rank() == __ffs(same) - 1) atomicAdd(&counts[digit], __popc(same));
  }
}

__global__ void scans(const int *x, int *sums, int *most) {
  auto tile = cg::tiled_partition<16>(cg::tiled_partition<32>(cg::this_thread_block()));
  const int i = threadIdx.x;
  sums[i] = cg::exclusive_scan(tile, x[i]);
  if (x[i] & 1) most[i] = cg::inclusive_scan(cg::coalesced_threads(), x[i], cg::greater<int>());
}

// A lock for each eight lanes of a warp: who has it goes on, the others come back, together.
__global__ void locked(int *locks, volatile int *values) {
  const int which = threadIdx.x & 3;
  for (bool done = false; !done;) {
    if (atomicCAS(&locks[which], 0, 1) == 0) {
      values[which] = values[which] + 1;
      __threadfence();
      atomicExch(&locks[which], 0);
      done = true;
    }
    __syncwarp();
  }
}

__global__ void reduced(const int *x, int *out) {
  const unsigned half = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
  out[threadIdx.x] =
      __reduce_add_sync(half, x[threadIdx.x]) ^ __reduce_max_sync(half, x[threadIdx.x]);
}

static int wrong;
static void say(const char *what, bool right) {
  printf("%s %s\n", what, right ? "right" : "wrong");
  wrong += !right;
}

int main() {
  const int n = 5024;
  int *from, *to, *count, *sums, *most;
  unsigned *counts, expected[16] = {0};
  cudaMallocManaged(&from, n * sizeof *from);
  cudaMallocManaged(&to, n * sizeof *to);
  cudaMallocManaged(&count, sizeof *count);
  cudaMallocManaged(&counts, sizeof expected);
  cudaMallocManaged(&sums, 64 * sizeof *sums);
  cudaMallocManaged(&most, 64 * sizeof *most);
  for (int i = 0; i < n; i++) from[i] = (i * 7919) % 10007;
  filter<<<(n + 255) / 256, 256>>>(to, count, from, n);
  digits<<<4, 128>>>(from, counts, n - n % 512);
  scans<<<1, 64>>>(from, sums, most);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;

  std::vector<int> kept, got(to, to + *count);
  for (int i = 0; i < n; i++)
    if (from[i] % 3 == 0) kept.push_back(from[i]);
  std::sort(kept.begin(), kept.end());
  std::sort(got.begin(), got.end());
  say("filter", kept == got);
  for (int i = 0; i < n - n % 512; i++) expected[from[i] & 15]++;
  say("digits", std::equal(expected, expected + 16, counts));
  bool right = true;
  for (int i = 0, sum = 0, top = 0; i < 64; sum += from[i++]) {
    if (i % 16 == 0) sum = 0;
    if (i % 32 == 0) top = 0;
    right &= sums[i] == sum;
    if (from[i] & 1) right &= most[i] == (top = std::max(top, from[i]));
  }
  say("scans", right);

  int *locks, *values;
  cudaMallocManaged(&locks, 4 * sizeof *locks);
  cudaMallocManaged(&values, 4 * sizeof *values);
  locked<<<4, 64>>>(locks, values);
  reduced<<<1, 32>>>(from, sums);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  say("locks", std::count(values, values + 4, 64) == 4);
  right = true;
  for (int i = 0; i < 32; i += 16) {
    int sum = 0;
    for (int j = i; j < i + 16; j++) sum += from[j];
    right &=
        std::count(sums + i, sums + i + 16, sum ^ *std::max_element(from + i, from + i + 16)) == 16;
  }
  say("reduced", right);
  return wrong != 0;
}
