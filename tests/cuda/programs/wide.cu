// Atomics of 64 bits by all lanes, shuffles of CUDA's first years, float forms under double's
// names.
#include <cmath>

#include "common.h"

__global__ void wide(unsigned long long *sums, double *reals, int *least, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  unsigned long long before = atomicAdd(&sums[lane], (unsigned long long)i << 33);
  double real = atomicAdd(&reals[lane & 7], (double)i);
  atomicMin(least, (int)(before >> 33) - i);
  int v = __shfl_down(i, 1) + __shfl(lane, 3) * 100 + __shfl_xor(lane, 5) + __shfl_up(lane, 2);
  float x = 0.25f * (float)lane;
  out[i] = (float)v + round(x) + trunc(x) + rint(x) + fmax(x, 1.0f) + fma(x, 2.0f, 1.0f) +
           copysign(1.0f, x - 2) + (real < 0 ? 1.0f : 0.0f);
}

int main() {
  std::vector<unsigned long long> sums(32);
  std::vector<double> reals(8);
  std::vector<float> out(256);
  std::vector<int> least(1);
  unsigned long long *ds = to_device(sums);
  double *dr = to_device(reals);
  float *dout = to_device(out);
  int *dl = to_device(least);
  wide<<<4, 64>>>(ds, dr, dl, dout);
  CHECK(cudaDeviceSynchronize());
  to_host(sums, ds);
  to_host(reals, dr);
  to_host(out, dout);
  show("sums", sums);
  show("reals", reals);
  show("out", out);
}
