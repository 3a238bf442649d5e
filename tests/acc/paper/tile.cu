// Listing 4.2: each element of a block's part of an array becomes a sum of its neighbours there,
// several times. WAY: 16 times the turns, and 1: rows are padded by an element, 2: threads along x
// run along the columns (XY), 4: doubles, 8: an array of one dimension.
#include <cstdio>
#include <cuda_runtime.h>
#ifndef WAY
#define WAY 16
#endif
#define ITER (WAY >> 4)
#define PAD (WAY & 1)
#if WAY & 4
#define TYPE double
#else
#define TYPE int
#endif
#define SIDE 16
#define SIZE 256
#if WAY & 8
#define AT(y, x) part[(y) * (SIDE + PAD) + (x)]
#else
#define AT(y, x) part[y][x]
#endif

__global__ void tile(TYPE *g, int size) {
#if WAY & 8
  __shared__ TYPE part[SIDE * (SIDE + PAD)];
#else
  __shared__ TYPE part[SIDE][SIDE + PAD];
#endif
#if WAY & 2
  const int row = threadIdx.x, col = threadIdx.y;
#else
  const int row = threadIdx.y, col = threadIdx.x;
#endif
  const int at = (threadIdx.x + blockIdx.x * SIDE) * size + threadIdx.y + blockIdx.y * SIDE;
  AT(row, col) = g[at];
  __syncthreads();
  const int s = row == SIDE - 1 ? row : row + 1, n = row == 0 ? 0 : row - 1;
  const int e = col == SIDE - 1 ? col : col + 1, w = col == 0 ? 0 : col - 1;
  for (int k = 0; k < ITER; k++) {
    const TYPE sum =
        (TYPE)((AT(row, col) + AT(s, col) + AT(n, col) + AT(row, w) + AT(row, e)) * 0.8f);
    __syncthreads();
    AT(row, col) = sum;
    __syncthreads();
  }
  g[at] = AT(row, col);
}

static TYPE given[SIZE][SIZE], want[SIZE][SIZE], old[SIZE][SIZE], got[SIZE][SIZE];

int main() {
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) given[y][x] = want[y][x] = (TYPE)((y * 5 + x * 3) % 64);
  for (int k = 0; k < ITER; k++) {
    for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++) old[y][x] = want[y][x];
    for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++) {
        const int n = y % SIDE ? y - 1 : y, s = y % SIDE < SIDE - 1 ? y + 1 : y;
        const int w = x % SIDE ? x - 1 : x, e = x % SIDE < SIDE - 1 ? x + 1 : x;
        want[y][x] = (TYPE)((old[y][x] + old[s][x] + old[n][x] + old[y][w] + old[y][e]) * 0.8f);
      }
  }
  TYPE *g;
  cudaMalloc(&g, sizeof given);
  cudaMemcpy(g, given, sizeof given, cudaMemcpyHostToDevice);
  tile<<<dim3(SIZE / SIDE, SIZE / SIDE), dim3(SIDE, SIDE)>>>(g, SIZE);
  cudaMemcpy(got, g, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      const double d = (double)got[y][x] - (double)want[y][x];
      wrong += !(d < 1e-3 && d > -1e-3);
    }
  warpfabVerified(!wrong);
  return wrong != 0;
}
