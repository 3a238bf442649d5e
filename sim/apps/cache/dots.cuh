// Dot products of A's rows with B's columns by tiles in shared memory: a block of 32 x 4 threads
// has 16 rows and 32 columns, a thread 4 rows of one column. While it works on 32 elements of the
// inner dimension the next 32 are on their way. Sums are taken in order, as a thread alone does.
#ifndef WARPFAB_DOTS_CUH
#define WARPFAB_DOTS_CUH

#include "suite.cuh"

enum {
  TILE = WARP_LANES, // columns of a block, and elements of the inner dimension at a time
  ROWS_EACH = 4,
  TILE_WARPS = 4,
  TILE_ROWS = ROWS_EACH * TILE_WARPS,
  COLUMNS_EACH = TILE / TILE_WARPS
};

// Rows of `inner` elements each. B by columns: each lies as A's rows do; else its rows have n.
struct Factors {
  const float *__restrict__ a, *__restrict__ b;
  uint32_t rows, n, inner;
};

// A thread's part of the tiles from element k on; zeros outside.
struct Ahead {
  float a[ROWS_EACH], b[COLUMNS_EACH];
};
template <bool B_BY_COLUMNS> DEVICE void load_ahead(const Factors &f, uint32_t k, Ahead *to) {
  const uint32_t lane = thread_x(), warp = thread_y();
#pragma unroll
  for (int i = 0; i < ROWS_EACH; i++) {
    uint32_t row = block_y() * TILE_ROWS + warp * ROWS_EACH + i;
    to->a[i] = row < f.rows && k + lane < f.inner ? f.a[row * f.inner + k + lane] : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < COLUMNS_EACH; i++) {
    uint32_t across = warp + i * TILE_WARPS;
    uint32_t column = block_x() * TILE + (B_BY_COLUMNS ? across : lane);
    uint32_t at = k + (B_BY_COLUMNS ? lane : across);
    to->b[i] = column < f.n && at < f.inner
                   ? f.b[B_BY_COLUMNS ? column * f.inner + at : at * f.n + column]
                   : 0.0f;
  }
}

struct alignas(4 * ROWS_EACH) RowsWords {
  float row[ROWS_EACH];
};

// sum[i]: of row tile_row() + i and column tile_column(). All threads of the block call.
template <bool B_BY_COLUMNS> DEVICE void tile_dots(const Factors &f, float (&sum)[ROWS_EACH]) {
  __shared__ RowsWords a[TILE][TILE_WARPS + 1];
  __shared__ float b[TILE][TILE + 1]; // by columns
  const uint32_t lane = thread_x(), warp = thread_y();
  Ahead next;
  load_ahead<B_BY_COLUMNS>(f, 0, &next);
#pragma unroll
  for (int i = 0; i < ROWS_EACH; i++) sum[i] = 0.0f;
#pragma clang loop unroll(disable)
  for (uint32_t k = 0; k < f.inner; k += TILE) {
#pragma unroll
    for (int i = 0; i < ROWS_EACH; i++) a[lane][warp].row[i] = next.a[i];
#pragma unroll
    for (int i = 0; i < COLUMNS_EACH; i++) {
      uint32_t across = warp + i * TILE_WARPS;
      b[B_BY_COLUMNS ? across : lane][B_BY_COLUMNS ? lane : across] = next.b[i];
    }
    __syncthreads();
    if (k + TILE < f.inner) load_ahead<B_BY_COLUMNS>(f, k + TILE, &next);
#pragma unroll
    for (int j = 0; j < TILE; j++) {
      RowsWords rows = a[j][warp];
#pragma unroll
      for (int i = 0; i < ROWS_EACH; i++) sum[i] += rows.row[i] * b[lane][j];
    }
    __syncthreads();
  }
}
DEVICE uint32_t tile_row() {
  return block_y() * TILE_ROWS + thread_y() * ROWS_EACH;
}
DEVICE uint32_t tile_column() {
  return block_x() * TILE + thread_x();
}

#endif
