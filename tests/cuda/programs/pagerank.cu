// Ranks of pages, pulled along incoming links; the largest change by atomicMax.
#include "common.h"

__global__ void pull(const int *__restrict__ start, const int *__restrict__ column,
                     const float *__restrict__ share, float *rank, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  float sum = 0;
  for (int e = start[v]; e < start[v + 1]; e++) sum += share[column[e]];
  rank[v] = 0.15f / (float)n + 0.85f * sum;
}

__global__ void shares(const float *rank, const int *degree, float *share, float *old, int n,
                       int *moved) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  float change = 0;
  if (v < n) {
    share[v] = rank[v] / (float)max(degree[v], 1);
    change = fabsf(rank[v] - old[v]);
    old[v] = rank[v];
  }
  for (int by = 16; by; by /= 2) change = fmaxf(change, __shfl_xor_sync(0xffffffff, change, by));
  if (threadIdx.x % 32 == 0) atomicMax(moved, __float_as_int(change)); // of positive ones the order
}

int main() {
  const int n = 2000;
  rows in = random_rows(n, 8);
  std::vector<int> degree(n), moved(1);
  for (int from : in.column) degree[from]++;
  std::vector<float> rank(n, 1.0f / n), zero(n);
  int *start = to_device(in.start), *column = to_device(in.column), *dd = to_device(degree),
      *dm = to_device(moved);
  float *dr = to_device(rank), *share = to_device(zero), *old = to_device(zero);
  int rounds = 0;
  for (float change = 1; change > 1e-6f && rounds < 12; rounds++) {
    CHECK(cudaMemset(dm, 0, sizeof(int)));
    shares<<<(n + 127) / 128, 128>>>(dr, dd, share, old, n, dm);
    pull<<<(n + 127) / 128, 128>>>(start, column, share, dr, n);
    to_host(moved, dm);
    memcpy(&change, moved.data(), sizeof change);
  }
  to_host(rank, dr);
  printf("%d rounds\n", rounds);
  show("rank", rank);
}
