// One super-step of PageRank as a user would write it, beside which --app pagerank is measured
// (user.sh): three bins by a list's length, after Merrill and others, PPoPP 2012, and eight words
// in flight.
#include "warpfab.cuh"

enum { BLOCK = 256, WARP_FROM = 32, BLOCK_FROM = 1024, AT_ONCE = 8 };

DEVICE float other_lane(float mine, int away) {
  return __builtin_bit_cast(float, __nvvm_shfl_bfly_i32(__builtin_bit_cast(int, mine), away, 31));
}
DEVICE uint32_t of_lane(uint32_t mine, int lane) {
  return (uint32_t)__nvvm_shfl_idx_i32((int)mine, lane, 31);
}
DEVICE float of_warp(float mine) {
  for (int away = 16; away; away /= 2) mine += other_lane(mine, away);
  return mine;
}
DEVICE float words_of(const uint32_t *__restrict__ col, const float *contribution, uint32_t e,
                      uint32_t end, uint32_t step) {
  float sum = 0;
#pragma clang loop unroll(disable)
  for (; e < end; e += AT_ONCE * step) {
    uint32_t from[AT_ONCE];
    uint32_t word[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) from[k] = load_if(e + k * step < end, col + e + k * step, 0);
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
      word[k] = load_far_if(e + k * step < end, (const uint32_t *)contribution + from[k], 0);
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) sum += __builtin_bit_cast(float, word[k]);
  }
  return sum;
}

KERNEL upagerank(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                 const float *__restrict__ inverse, const float *contribution, float *next,
                 float *rank) {
  __shared__ uint32_t long_ones[BLOCK], starts[BLOCK], ends[BLOCK], count;
  __shared__ float parts[BLOCK / 32], sums[BLOCK];
  const uint32_t tid = thread_x(), v = global_thread(), lane = lane_id();
  uint32_t start = v < n ? row[v] : 0, end = v < n ? row[v + 1] : 0, length = end - start;
  if (tid == 0) count = 0;
  barrier();
  if (length >= BLOCK_FROM) {
    const uint32_t i = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    long_ones[i] = tid;
    starts[i] = start;
    ends[i] = end;
  }
  barrier();
  const uint32_t all = count;
  for (uint32_t i = 0; i < all; i++) {
    const float part = of_warp(words_of(col, contribution, starts[i] + tid, ends[i], BLOCK));
    if (lane == 0) parts[tid / 32] = part;
    barrier();
    if (tid == long_ones[i]) {
      float sum = 0;
      for (int w = 0; w < BLOCK / 32; w++) sum += parts[w];
      sums[tid] = sum;
    }
    barrier();
  }
  float sum = length >= BLOCK_FROM ? sums[tid] : 0;
  for (uint32_t left = warp_ballot(length >= WARP_FROM && length < BLOCK_FROM); left;
       left &= left - 1) {
    const int owner = __builtin_ctz(left);
    const float mine =
        of_warp(words_of(col, contribution, of_lane(start, owner) + lane, of_lane(end, owner), 32));
    if ((int)lane == owner) sum = mine;
  }
  if (length < WARP_FROM) sum = words_of(col, contribution, start, end, 1);
  if (v >= n) return;
  const float r = 0.15f / (float)n + 0.85f * sum;
  next[v] = r * inverse[v];
  rank[v] = r;
}
