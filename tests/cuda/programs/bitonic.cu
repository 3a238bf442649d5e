// A bitonic sort: in shared memory as long as a block's part is enough.
#include <algorithm>

#include "common.h"

__device__ void order(unsigned &a, unsigned &b, bool up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

__global__ void in_shared(unsigned *v, int size, bool whole) {
  extern __shared__ unsigned s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  s[t] = v[base + t];
  s[t + blockDim.x] = v[base + t + blockDim.x];
  for (int k = whole ? 2 : size; k <= size; k *= 2)
    for (int j = min(k / 2, (int)blockDim.x); j > 0; j /= 2) {
      __syncthreads();
      int i = 2 * t - (t & (j - 1));
      order(s[i], s[i + j], ((base + i) & k) == 0);
    }
  __syncthreads();
  v[base + t] = s[t];
  v[base + t + blockDim.x] = s[t + blockDim.x];
}

__global__ void in_global(unsigned *v, int k, int j) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = 2 * t - (t & (j - 1));
  order(v[i], v[i + j], (i & k) == 0);
}

int main() {
  const int n = 4096, block = 128, part = 2 * block;
  std::vector<unsigned> v(n), expected;
  for (auto &x : v) x = random_word();
  expected = v;
  std::sort(expected.begin(), expected.end());
  unsigned *d = to_device(v);
  in_shared<<<n / part, block, part * sizeof(unsigned)>>>(d, part, true);
  for (int k = 2 * part; k <= n; k *= 2) {
    for (int j = k / 2; j >= part; j /= 2) in_global<<<n / part, block>>>(d, k, j);
    in_shared<<<n / part, block, part * sizeof(unsigned)>>>(d, k, false);
  }
  to_host(v, d);
  show("sorted", v);
  puts(v == expected ? "right" : "wrong");
  return v != expected;
}
