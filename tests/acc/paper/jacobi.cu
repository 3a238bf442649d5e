// Nine points: a block of 16 x 16 threads reads as many elements and computes the 14 x 14 within.
#include <cstdio>
#include <cuda_runtime.h>
#ifndef SIZE
#define SIZE 70
#endif
#define TILE 16
#define INNER (TILE - 2)
static float a[SIZE][SIZE], b[SIZE][SIZE];

__global__ void jacobi(const float *b, float *a) {
  __shared__ float tile[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.y * INNER + y, j = blockIdx.x * INNER + x;
  if (i < SIZE && j < SIZE) tile[y][x] = b[i * SIZE + j];
  __syncthreads();
  if (i >= SIZE - 1 || j >= SIZE - 1 || !x || !y || x == TILE - 1 || y == TILE - 1) return;
  float sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++) sum += tile[y + v][x + u];
  a[i * SIZE + j] = sum / 9;
}

int main() {
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) b[i][j] = float(i * 3 + j % 17);
  float *da, *db;
  cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b);
  cudaMemset(da, 0, sizeof a);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  const int blocks = (SIZE - 2 + INNER - 1) / INNER;
  jacobi<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(db, da);
  cudaMemcpy(a, da, sizeof a, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 1; i < SIZE - 1; i++)
    for (int j = 1; j < SIZE - 1; j++) {
      float sum = 0;
      for (int v = i - 1; v <= i + 1; v++)
        for (int u = j - 1; u <= j + 1; u++) sum += b[v][u];
      wrong += sum / 9 != a[i][j];
    }
  warpfabVerified(!wrong);
  return wrong != 0;
}
