// Sparse matrix times dense vector in JDS format as in Parboil: rows by falling length, so that the
// k-th elements of a warp's rows lie side by side. A warp goes on to its longest row's end.
#include "suite.cuh"

KERNEL spmv_jds(float *result, const float *__restrict__ data, const uint32_t *__restrict__ index,
                const uint32_t *__restrict__ perm, const float *__restrict__ x,
                const uint32_t *__restrict__ diagonal, const uint32_t *__restrict__ warp_length,
                uint32_t n) {
  uint32_t row = global_thread();
  if (row >= n) return;
  uint32_t bound = warp_length[row / WARP_LANES];
  float sum = 0.0f;
#pragma clang loop unroll(disable)
  for (uint32_t k = 0; k < bound; k++) {
    uint32_t at = diagonal[k] + row;
    sum += data[at] * x[index[at]];
  }
  result[perm[row]] = sum;
}

// Four elements in flight. FAR: x past the L1.
template <bool FAR>
DEVICE void multiply(float *result, const float *__restrict__ data,
                     const uint32_t *__restrict__ index, const uint32_t *__restrict__ perm,
                     const float *__restrict__ x, const uint32_t *__restrict__ diagonal,
                     const uint32_t *__restrict__ warp_length, uint32_t n) {
  enum { AT_ONCE = 4 };
  uint32_t row = global_thread();
  if (row >= n) return;
  uint32_t bound = warp_length[row / WARP_LANES];
  float sum = 0.0f;
#pragma clang loop unroll(disable)
  for (uint32_t k = 0; k < bound; k += AT_ONCE) {
    uint32_t at[AT_ONCE], from[AT_ONCE], value[AT_ONCE];
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++)
      at[u] = load_if(k + u < bound, diagonal + k + u, 0) + row;
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++) {
      from[u] = load_if(k + u < bound, index + at[u], 0);
      value[u] = load_if(k + u < bound, (const uint32_t *)data + at[u], 0);
    }
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++) {
      const uint32_t *word = (const uint32_t *)x + from[u];
      from[u] = FAR ? load_far_if(k + u < bound, word, 0) : load_if(k + u < bound, word, 0);
    }
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++)
      sum += __builtin_bit_cast(float, value[u]) * __builtin_bit_cast(float, from[u]);
  }
  result[perm[row]] = sum;
}

#define AHEAD(NAME, FAR)                                                                           \
  KERNEL NAME(float *result, const float *__restrict__ data, const uint32_t *__restrict__ index,   \
              const uint32_t *__restrict__ perm, const float *__restrict__ x,                      \
              const uint32_t *__restrict__ diagonal, const uint32_t *__restrict__ warp_length,     \
              uint32_t n) {                                                                        \
    multiply<FAR>(result, data, index, perm, x, diagonal, warp_length, n);                         \
  }
AHEAD(spmv_ahead, false)
AHEAD(spmv_far, true)
