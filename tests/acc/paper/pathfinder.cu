// Shortest ways down a grid, INNER rows a launch in shared memory (ghost zones), by hand.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#ifndef INNER
#define INNER 2
#endif
#define COLS 16384
#define ROWS 25
#define TILE 256

__global__ void rows(int steps, const int *data, const int *from, int *to, int start) {
  __shared__ int before[TILE], after[TILE];
  const int x = threadIdx.x, n = blockIdx.x * (TILE - 2 * INNER) + x - INNER;
  const bool valid = n >= 0 && n < COLS;
  if (valid) before[x] = from[n];
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < steps; i++) {
    computed = valid && i < x && x < TILE - 1 - i;
    if (computed) {
      int least = before[x];
      if (n > 0) least = min(least, before[x - 1]);
      if (n < COLS - 1) least = min(least, before[x + 1]);
      after[x] = data[(start + i + 1) * COLS + n] + least;
    }
    __syncthreads();
    if (i == steps - 1) break;
    if (computed) before[x] = after[x];
    __syncthreads();
  }
  if (computed) to[n] = after[x];
}

static int data[ROWS * COLS], want[COLS], line[COLS];

int main() {
  for (int i = 0; i < ROWS * COLS; i++) data[i] = i * 7919 % 10;
  for (int n = 0; n < COLS; n++) want[n] = data[n];
  for (int t = 1; t < ROWS; t++) {
    for (int n = 0; n < COLS; n++) line[n] = want[n];
    for (int n = 0; n < COLS; n++) {
      int least = line[n];
      if (n > 0 && line[n - 1] < least) least = line[n - 1];
      if (n < COLS - 1 && line[n + 1] < least) least = line[n + 1];
      want[n] = data[t * COLS + n] + least;
    }
  }
  int *d, *from, *to;
  cudaMalloc(&d, sizeof data), cudaMalloc(&from, sizeof line), cudaMalloc(&to, sizeof line);
  cudaMemcpy(d, data, sizeof data, cudaMemcpyHostToDevice);
  cudaMemcpy(from, data, sizeof line, cudaMemcpyHostToDevice);
  const int blocks = (COLS + TILE - 2 * INNER - 1) / (TILE - 2 * INNER);
  for (int t = 0; t < ROWS - 1; t += INNER) {
    rows<<<blocks, TILE>>>(t + INNER < ROWS ? INNER : ROWS - 1 - t, d, from, to, t);
    int *other = from;
    from = to;
    to = other;
  }
  cudaMemcpy(line, from, sizeof line, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int n = 0; n < COLS; n++) wrong += line[n] != want[n];
  warpfabVerified(!wrong);
  return wrong != 0;
}
