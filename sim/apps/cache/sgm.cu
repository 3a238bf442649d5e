// Register-tiled matrix product as in Parboil: 128 threads make a tile of 128 x 16, sixteen
// elements a thread in registers; B's tile is in shared memory, A's columns come straight from
// global memory.
#include "suite.cuh"

enum { TILE_N = 16, TILE_K = 8, TILE_M = TILE_N * TILE_K };

// A: m x k by columns; B: k x n by rows (its transpose by columns); C: m x n by columns.
KERNEL sgm_nt(const float *__restrict__ a, uint32_t lda, const float *__restrict__ b, uint32_t ldb,
              float *c, uint32_t ldc, uint32_t k, float alpha, float beta) {
  __shared__ float tile[TILE_K][TILE_N];
  float sum[TILE_N];
#pragma unroll
  for (int i = 0; i < TILE_N; i++) sum[i] = 0.0f;
  uint32_t mid = thread_y() * TILE_N + thread_x();
  uint32_t m = block_x() * TILE_M + mid, n = block_y() * TILE_N + thread_x();
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < k; i += TILE_K) {
    tile[thread_y()][thread_x()] = b[n + (i + thread_y()) * ldb];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TILE_K; j++) {
      float x = a[m + (i + j) * lda];
#pragma unroll
      for (int l = 0; l < TILE_N; l++) sum[l] = __builtin_fmaf(x, tile[j][l], sum[l]);
    }
    __syncthreads();
  }
  uint32_t at = ldc * block_y() * TILE_N + m;
#pragma unroll
  for (int i = 0; i < TILE_N; i++) c[at + i * ldc] = c[at + i * ldc] * beta + alpha * sum[i];
}
