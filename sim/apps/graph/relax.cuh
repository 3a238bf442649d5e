// One super-step of algorithms that lower a value per vertex until nothing changes (SSSP: distance;
// WCC: smallest vertex of the component), bit-vector scheduling, in two kernels:
//   gather  an active vertex takes the minimum over its in-neighbours' values (plus the edge's
//           weight); the warp leaves in its word of `active` which of its vertices improved
//   commit  an improved vertex publishes its value and activates its out-neighbours
// Two kernels, so that a step reads only the values of the step before (BSP), whatever the timing.
#ifndef WARPFAB_RELAX_CUH
#define WARPFAB_RELAX_CUH

#include "bitset.cuh"

#define GATHER_PARAMS                                                                              \
  uint32_t n, const uint32_t *__restrict__ in_row, const uint32_t *__restrict__ in_col,            \
      const uint32_t *__restrict__ in_weight, const uint32_t *__restrict__ value,                  \
      uint32_t *update, uint32_t *active
#define GATHER_ARGS n, in_row, in_col, in_weight, value, update, active

#define COMMIT_PARAMS                                                                              \
  uint32_t n, const uint32_t *__restrict__ out_row, const uint32_t *__restrict__ out_col,          \
      uint32_t *value, const uint32_t *__restrict__ update, uint32_t *active, uint32_t *next,      \
      uint32_t *changed
#define COMMIT_ARGS n, out_row, out_col, value, update, active, next, changed

// The thread's vertex in a gather step.
struct RelaxVertex {
  uint32_t v, old, start, count; // count 0 if the vertex is not active
  bool active;
};

// False if no vertex of the warp is active (uniform in the warp).
DEVICE bool relax_begin(RelaxVertex *x, uint32_t n, const uint32_t *__restrict__ in_row,
                        const uint32_t *__restrict__ value, const uint32_t *active) {
  x->v = global_thread();
  x->start = x->count = x->old = 0;
  if ((x->v & ~(uint32_t)(WARP_LANES - 1)) >= n) return false;
  uint32_t word = active[x->v / 32];
  if (!word) return false;
  x->active = word >> lane_id() & 1;
  if (x->active) {
    x->old = value[x->v];
    x->start = in_row[x->v];
    x->count = in_row[x->v + 1] - x->start;
  }
  return true;
}

DEVICE void relax_end(const RelaxVertex &x, uint32_t best, uint32_t *update, uint32_t *active) {
  bool improved = x.active && best < x.old;
  if (improved) update[x.v] = best;
  uint32_t mask = warp_ballot(improved);
  if (lane_id() == 0) active[x.v / 32] = mask;
}

DEVICE uint32_t minimum(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

template <bool WEIGHTED> DEVICE uint32_t candidate(uint32_t value, uint32_t weight) {
  if (!WEIGHTED) return value;
  return value == UNREACHED ? UNREACHED : value + weight;
}

template <bool WEIGHTED, int UNROLL> DEVICE void relax_gather_plain(GATHER_PARAMS) {
  RelaxVertex x;
  if (!relax_begin(&x, n, in_row, value, active)) return;
  uint32_t best = x.old, e = x.start, end = x.start + x.count;
#pragma clang loop unroll(disable)
  for (; e < end; e += UNROLL) {
    uint32_t at[UNROLL], w[UNROLL], got[UNROLL];
#pragma unroll
    for (int i = 0; i < UNROLL; i++) at[i] = load_if(e + i < end, in_col + e + i, 0);
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
      w[i] = WEIGHTED ? load_if(e + i < end, in_weight + e + i, 0) : 0;
#pragma unroll
    for (int i = 0; i < UNROLL; i++) got[i] = load_if(e + i < end, value + at[i], UNREACHED);
#pragma unroll
    for (int i = 0; i < UNROLL; i++) best = minimum(best, candidate<WEIGHTED>(got[i], w[i]));
  }
  relax_end(x, best, update, active);
}

// If this thread's vertex improved: publishes the value and says where its out-edges are.
DEVICE bool relax_publish(uint32_t v, uint32_t word, const uint32_t *__restrict__ out_row,
                          uint32_t *value, const uint32_t *__restrict__ update, uint32_t *changed,
                          uint32_t *start, uint32_t *count) {
  *start = *count = 0;
  if (!(word >> lane_id() & 1)) return false;
  value[v] = update[v];
  *start = out_row[v];
  *count = out_row[v + 1] - *start;
  if (!*changed) *changed = 1; // the test keeps most warps from writing one hot word
  return true;
}

template <bool TEST, int UNROLL> DEVICE void relax_commit_plain(COMMIT_PARAMS) {
  uint32_t v = global_thread();
  uint32_t word = take_word(active, v, n);
  if (!word) return;
  uint32_t start, count;
  if (!relax_publish(v, word, out_row, value, update, changed, &start, &count)) return;
  set_list<TEST, UNROLL>(next, out_col, start, count);
}

// All kernels of one algorithm.
#define RELAX_GATHER_PLAIN(NAME, WEIGHTED, UNROLL)                                                 \
  KERNEL NAME##_gather_u##UNROLL(GATHER_PARAMS) {                                                  \
    relax_gather_plain<WEIGHTED, UNROLL>(GATHER_ARGS);                                             \
  }
#define RELAX_COMMIT_PLAIN(NAME, UNROLL, HOW, TEST)                                                \
  KERNEL NAME##_commit_u##UNROLL##_##HOW(COMMIT_PARAMS) {                                          \
    relax_commit_plain<TEST, UNROLL>(COMMIT_ARGS);                                                 \
  }

#endif
