// Figure 4.2: a copy of 8 bytes a thread over sizes of both arrays together, SIZES of them, STEP KB
// apart: with the data in the L2 as far as they go in, and after FLUSH KB of other data were read.
// Kernels of a size: copy, copy (what is in the L2), read, copy (nothing is).
#include <cstdio>
#include <vector>

#include "warpfab_units.h"

#ifndef STEP
#define STEP 128
#endif
#ifndef SIZES
#define SIZES 16
#endif
#ifndef FLUSH
#define FLUSH 4096
#endif
constexpr unsigned kib = 1024, threads = 256, most = STEP * SIZES * kib / 2 / sizeof(double);

__global__ void copy8(const double *from, double *to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void read16(const double2 *data, double *sums, unsigned n) {
  double sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += data[i].x + data[i].y;
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  std::vector<double> host(most), got(most);
  for (unsigned i = 0; i < most; i++) host[i] = i + 0.5;
  double *from, *to, *sums;
  double2 *other;
  cudaMalloc(&from, most * sizeof *from);
  cudaMalloc(&to, most * sizeof *to);
  cudaMalloc(&other, FLUSH * kib);
  cudaMalloc(&sums, 64 * threads * sizeof *sums);
  cudaMemcpy(from, host.data(), most * sizeof *from, cudaMemcpyHostToDevice);
  cudaMemset(other, 0, FLUSH * kib);
  unsigned wrong = 0;
  for (unsigned size = 1; size <= SIZES; size++) {
    const unsigned n = STEP * size * kib / 2 / sizeof(double);
    cudaMemset(to, 0, most * sizeof *to);
    copy8<<<n / threads, threads>>>(from, to);
    copy8<<<n / threads, threads>>>(from, to);
    read16<<<64, threads>>>(other, sums, FLUSH * kib / sizeof *other);
    copy8<<<n / threads, threads>>>(from, to);
    cudaMemcpy(got.data(), to, most * sizeof *to, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < most; i++) wrong += got[i] != (i < n ? host[i] : 0);
  }
  printf("%u of %u values are wrong\n", wrong, SIZES * most);
  warpfabVerified(!wrong);
  return wrong != 0;
}
