// Similarity score as in Mars: a thread per pair of documents takes the cosine of their feature
// vectors, rows of one array.
#include "suite.cuh"

KERNEL ss_norm(const float *__restrict__ features, float *norm, uint32_t n, uint32_t dim) {
  uint32_t document = global_thread();
  if (document >= n) return;
  float sum = 0.0f;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < dim; i++) {
    float x = features[document * dim + i];
    sum += x * x;
  }
  norm[document] = __nvvm_sqrt_rn_f(sum);
}

KERNEL ss_score(const float *__restrict__ features, const float *__restrict__ norm, float *score,
                uint32_t queries, uint32_t n, uint32_t dim) {
  uint32_t pair = global_thread(), first = pair / n, second = pair % n;
  if (first >= queries) return;
  float sum = 0.0f;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < dim; i++) sum += features[first * dim + i] * features[second * dim + i];
  score[pair] = sum / (norm[first] * norm[second]);
}
