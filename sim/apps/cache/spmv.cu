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
