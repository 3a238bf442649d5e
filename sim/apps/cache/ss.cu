// Similarity score: the cosine of the feature vectors of each pair of documents, rows of one array.
// As in Mars a thread has a pair, or a document's norm, and reads global memory; in the form `tile`
// rows go through shared memory.
#include "dots.cuh"

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

// A warp has 32 documents.
KERNEL ss_norm_tile(const float *__restrict__ features, float *norm, uint32_t n, uint32_t dim) {
  __shared__ float words[TILE][TILE + 1];
  const uint32_t lane = lane_id(), first = block_x() * TILE;
  float sum = 0.0f;
#pragma clang loop unroll(disable)
  for (uint32_t k = 0; k < dim; k += TILE) {
    float row[TILE];
#pragma unroll
    for (int i = 0; i < TILE; i++)
      row[i] = first + i < n && k + lane < dim ? features[(first + i) * dim + k + lane] : 0.0f;
#pragma unroll
    for (int i = 0; i < TILE; i++) words[i][lane] = row[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++) sum += words[lane][i] * words[lane][i];
    __syncthreads();
  }
  if (first + lane < n) norm[first + lane] = __nvvm_sqrt_rn_f(sum);
}

KERNEL ss_score_tile(const float *__restrict__ features, const float *__restrict__ norm,
                     float *score, uint32_t queries, uint32_t n, uint32_t dim) {
  float sum[ROWS_EACH];
  tile_dots<true>({features, features, queries, n, dim}, sum);
  const uint32_t first = tile_row(), second = tile_column();
#pragma unroll
  for (int i = 0; i < ROWS_EACH; i++)
    if (first + i < queries && second < n)
      score[(first + i) * n + second] = sum[i] / (norm[first + i] * norm[second]);
}
