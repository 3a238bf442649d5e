// Matrix product. As in Mars a thread per element of the result reads its row of A and column of B
// from global memory; in the form `tile` both go through shared memory.
#include "dots.cuh"

template <bool B_BY_COLUMNS>
DEVICE void product(const float *__restrict__ a, const float *__restrict__ b, float *c,
                    uint32_t rows, uint32_t n, uint32_t inner) {
  uint32_t id = global_thread(), row = id / n, column = id % n;
  if (row >= rows) return;
  float sum = 0.0f;
#pragma clang loop unroll(disable)
  for (uint32_t k = 0; k < inner; k++)
    sum += a[row * inner + k] * (B_BY_COLUMNS ? b[column * inner + k] : b[k * n + column]);
  c[id] = sum;
}

KERNEL mm_columns(const float *__restrict__ a, const float *__restrict__ b, float *c, uint32_t rows,
                  uint32_t n, uint32_t inner) {
  product<true>(a, b, c, rows, n, inner);
}
KERNEL mm_rows(const float *__restrict__ a, const float *__restrict__ b, float *c, uint32_t rows,
               uint32_t n, uint32_t inner) {
  product<false>(a, b, c, rows, n, inner);
}

template <bool B_BY_COLUMNS> DEVICE void product_by_tiles(const Factors &f, float *c) {
  float sum[ROWS_EACH];
  tile_dots<B_BY_COLUMNS>(f, sum);
  const uint32_t row = tile_row(), column = tile_column();
#pragma unroll
  for (int i = 0; i < ROWS_EACH; i++)
    if (row + i < f.rows && column < f.n) c[(row + i) * f.n + column] = sum[i];
}

KERNEL mm_tile_columns(const float *__restrict__ a, const float *__restrict__ b, float *c,
                       uint32_t rows, uint32_t n, uint32_t inner) {
  product_by_tiles<true>({a, b, rows, n, inner}, c);
}
KERNEL mm_tile_rows(const float *__restrict__ a, const float *__restrict__ b, float *c,
                    uint32_t rows, uint32_t n, uint32_t inner) {
  product_by_tiles<false>({a, b, rows, n, inner}, c);
}
