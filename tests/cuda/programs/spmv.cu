// y = A x, rows of a sparse matrix: a thread for each, and a warp for each.
#include "common.h"

__global__ void by_thread(const int *start, const int *column, const float *value, const float *x,
                          float *y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  float sum = 0;
  for (int e = start[r]; e < start[r + 1]; e++) sum += value[e] * x[column[e]];
  y[r] = sum;
}

__global__ void by_warp(const int *__restrict__ start, const int *__restrict__ column,
                        const float *__restrict__ value, const float *__restrict__ x, float *y,
                        int n) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (r >= n) return;
  float sum = 0;
  for (int e = start[r] + lane; e < start[r + 1]; e += 32) sum = fmaf(value[e], x[column[e]], sum);
  for (int by = 16; by; by /= 2) sum += __shfl_xor_sync(0xffffffff, sum, by);
  if (!lane) y[r] = sum;
}

int main() {
  const int n = 1500;
  rows a = random_rows(n, 10);
  std::vector<float> value(a.column.size()), x(n), y(n);
  for (auto &v : value) v = random_float() - 0.5f;
  for (auto &v : x) v = random_float();
  int *start = to_device(a.start), *column = to_device(a.column);
  float *dv = to_device(value), *dx = to_device(x), *dy = to_device(y);
  by_thread<<<(n + 127) / 128, 128>>>(start, column, dv, dx, dy, n);
  to_host(y, dy);
  show("by thread", y);
  by_warp<<<(n + 3) / 4, 128>>>(start, column, dv, dx, dy, n);
  to_host(y, dy);
  show("by warp", y);
}
