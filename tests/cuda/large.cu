// What a program asks of the machine: much shared memory, all blocks at once, occupancy.
#include <cooperative_groups.h>

#include "programs/common.h"

namespace cg = cooperative_groups;

__global__ void fill(int *out, int words) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) s[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = s[words - 1];
}

// Each round adds up what all blocks left in the round before.
__global__ void rounds(int *sums, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int r = 0; r < n; r++) {
    if (threadIdx.x == 0) {
      int sum = 1;
      for (unsigned b = 0; r && b < gridDim.x; b++) sum += sums[(r - 1) * gridDim.x + b];
      sums[r * gridDim.x + blockIdx.x] = sum;
    }
    grid.sync();
  }
}

int main() {
  const int bytes = 64 << 10, blocks = 6, n = 5;
  std::vector<int> out(blocks * n);
  int *d = to_device(out), *none = nullptr, rounds_n = n, fit = 0;
  CHECK(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, fill, 128, bytes));
  fill<<<2, 128, bytes>>>(d, bytes / 4);
  CHECK(cudaGetLastError());
  to_host(out, d);
  printf("%d words, %s fit\n", out[1] + 1, fit ? "blocks" : "no block");
  void *arguments[] = {&d, &rounds_n};
  CHECK(cudaLaunchCooperativeKernel(rounds, blocks, 64, arguments));
  to_host(out, d);
  printf("rounds:");
  for (int r = 0; r < n; r++) printf(" %d", out[r * blocks + blocks - 1]);
  arguments[0] = &none;
  printf("\n%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(rounds, 100000, 64, arguments)));
  cudaGetLastError();
}
