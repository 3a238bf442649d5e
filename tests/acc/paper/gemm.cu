// C = A B by tiles of 16 x 16 in shared memory, as written by hand.
#include <cstdio>
#include <cuda_runtime.h>
#ifndef SIZE
#define SIZE 64
#endif
#ifndef REAL
#define REAL double
#endif
#define TILE 16
static REAL a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

__global__ void gemm(const REAL *a, const REAL *b, REAL *c) {
  __shared__ REAL as[TILE][TILE], bs[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * TILE + y, j = blockIdx.x * TILE + x;
  REAL sum = 0;
  for (int l = 0; l < SIZE; l += TILE) {
    as[y][x] = a[i * SIZE + l + x];
    bs[y][x] = b[(l + y) * SIZE + j];
    __syncthreads();
    for (int m = 0; m < TILE; m++) sum += as[y][m] * bs[m][x];
    __syncthreads();
  }
  c[i * SIZE + j] = sum;
}

int main() {
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) a[i][j] = i + j % 5, b[i][j] = i * j % 7;
  REAL *da, *db, *dc;
  cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b), cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  gemm<<<dim3(SIZE / TILE, SIZE / TILE), dim3(TILE, TILE)>>>(da, db, dc);
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < SIZE; i += 7)
    for (int j = 0; j < SIZE; j += 5) {
      REAL sum = 0;
      for (int m = 0; m < SIZE; m++) sum += a[i][m] * b[m][j];
      wrong += sum != c[i][j];
    }
  warpfabVerified(!wrong);
  return wrong != 0;
}
