// What the two kernels here share: data-driven relaxation as a user would write it. Resident
// blocks, one launch; a block takes 128 vertices of the worklist, lays their lists side by side by
// a scan in shared memory, and each thread finds its edges' owners there by binary search. Values
// fall in place; a stamp keeps a vertex from being listed twice in a round.
#include "tests/apps/user/user.cuh"

enum { THREADS = 128, WARPS = THREADS / 32, FLIGHT = 4, ROUNDS = 3 };

struct Lists {
  const uint32_t *__restrict__ row, *__restrict__ col, *__restrict__ weight;
};
struct Work {
  uint32_t *value, *stamp, *list[2], *size, *arrived; // size: of rounds modulo ROUNDS
};

DEVICE void enlist(bool wanted, uint32_t v, uint32_t *list, uint32_t *size) {
  uint32_t all = warp_ballot(wanted), place = 0;
  if (!all) return;
  uint32_t first = (uint32_t)__builtin_ctz(all);
  if (lane_id() == first) place = add(size, (uint32_t)__builtin_popcount(all));
  place = shfl(place, first) + (uint32_t)__builtin_popcount(all & ((1u << lane_id()) - 1));
  if (wanted) list[place] = v;
}

// Exclusive sums over the block; *total: of all.
DEVICE uint32_t scan(uint32_t mine, uint32_t *total) {
  __shared__ volatile uint32_t of_warp[WARPS];
  uint32_t sum = mine;
  for (uint32_t d = 1; d < 32; d *= 2) {
    uint32_t before = shfl(sum, (lane_id() - d) & 31);
    if (lane_id() >= d) sum += before;
  }
  if (lane_id() == 31) of_warp[warp_in_block()] = sum;
  __syncthreads();
  uint32_t before = 0, all = 0;
  for (uint32_t w = 0; w < WARPS; w++) {
    if (w < warp_in_block()) before += of_warp[w];
    all += of_warp[w];
  }
  *total = all;
  return before + sum - mine;
}

// The block's vertices' edges; WEIGHTED or each of no length.
template <bool WEIGHTED>
DEVICE void relax(const Lists &g, const Work &w, bool here, uint32_t v, uint32_t round,
                  uint32_t *next, uint32_t *next_size) {
  __shared__ volatile uint32_t begins[THREADS], starts[THREADS], values[THREADS];
  uint32_t tid = thread_x(), start = 0, count = 0, total;
  if (here) {
    start = g.row[v];
    count = g.row[v + 1] - start;
    values[tid] = peek(w.value + v);
  }
  uint32_t begin = scan(count, &total);
  begins[tid] = begin;
  starts[tid] = start;
  __syncthreads();
  for (uint32_t base = 0; base < total; base += THREADS * FLIGHT) {
    uint32_t to[FLIGHT], offer[FLIGHT], old[FLIGHT];
#pragma unroll
    for (int f = 0; f < FLIGHT; f++) {
      uint32_t e = base + f * THREADS + tid, owner = 0;
      for (uint32_t step = THREADS / 2; step; step /= 2)
        if (begins[owner + step] <= e) owner += step;
      uint32_t at = starts[owner] + e - begins[owner];
      to[f] = load_if(e < total, g.col + at, 0);
      offer[f] = values[owner] + (WEIGHTED ? load_if(e < total, g.weight + at, 0) : 0);
      if (e >= total) offer[f] = ~0u;
    }
#pragma unroll
    for (int f = 0; f < FLIGHT; f++) old[f] = fresh_if(offer[f] != ~0u, w.value + to[f], 0);
#pragma unroll
    for (int f = 0; f < FLIGHT; f++)
      old[f] = atomic_min_if(offer[f] < old[f], w.value + to[f], offer[f], 0);
#pragma unroll
    for (int f = 0; f < FLIGHT; f++)
      old[f] = offer[f] < old[f] ? atomic_exch_if(true, w.stamp + to[f], round + 1, 0) : round + 1;
#pragma unroll
    for (int f = 0; f < FLIGHT; f++) enlist(old[f] != round + 1, to[f], next, next_size);
  }
  __syncthreads();
}
