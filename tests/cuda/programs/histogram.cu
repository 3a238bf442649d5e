// 256 bins: first in shared memory, then in one addition per bin and block.
#include "common.h"

enum { BINS = 256 };

__global__ void histogram(const unsigned char *data, int n, unsigned *bins) {
  __shared__ unsigned mine[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    if (mine[i]) atomicAdd(&bins[i], mine[i]);
}

int main() {
  const int n = 20000;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> bins(BINS, 0), expected(BINS, 0);
  for (auto &d : data) d = (unsigned char)(random_word() % 100 + random_word() % 150);
  for (auto d : data) expected[d]++;
  unsigned char *dd = to_device(data);
  unsigned *db;
  CHECK(cudaMalloc(&db, BINS * sizeof *db));
  CHECK(cudaMemset(db, 0, BINS * sizeof *db));
  histogram<<<8, 128>>>(dd, n, db);
  to_host(bins, db);
  show("bins", bins);
  puts(bins == expected ? "right" : "wrong");
  return bins != expected;
}
