// Shortest paths by one block (block.cuh), nearest vertices first (Davidson, Baxter, Garland and
// Owens, IPDPS 2014): what falls below a limit is near, and walked in the next round; the rest is
// far, and kept until nothing near is left and the limit rises. Entries are pairs, vertex and
// value: one whose vertex has fallen further since is stale, and is passed over, so no vertex needs
// a mark. Values fall in place, and a round may see what it lowered itself.
#ifndef WARPFAB_RELAX_BLOCK_CUH
#define WARPFAB_RELAX_BLOCK_CUH

#include "block.cuh"

struct Pair {
  uint32_t v, value;
};
#define PAIR_IF_BELOW(BITS, MAD, INSTRUCTION)                                                      \
  "{ .reg .pred below; .reg .u" BITS " at; mad." MAD ".u32 at, %4, 8, %5; "                        \
  "setp.lt.u32 below, %2, %3; @below " INSTRUCTION "; }"
DEVICE void shared_load_if_below(uint32_t a, uint32_t b, uint32_t pairs, uint32_t i, Pair *got) {
  asm volatile(PAIR_IF_BELOW("32", "lo", "ld.shared.v2.u32 {%0, %1}, [at]")
               : "+r"(got->v), "+r"(got->value)
               : "r"(a), "r"(b), "r"(i), "r"(pairs)
               : "memory");
}
DEVICE void fresh_if_below(uint32_t a, uint32_t b, const Pair *pairs, uint32_t i, Pair *got) {
  asm volatile(PAIR_IF_BELOW("64", "wide", "ld.global.cg.v2.u32 {%0, %1}, [at]")
               : "+r"(got->v), "+r"(got->value)
               : "r"(a), "r"(b), "r"(i), "l"(pairs)
               : "memory");
}
DEVICE void shared_store_if_below(uint32_t a, uint32_t b, uint32_t pairs, uint32_t i, Pair p) {
  asm volatile(PAIR_IF_BELOW("32", "lo", "st.shared.v2.u32 [at], {%0, %1}")::"r"(p.v),
               "r"(p.value), "r"(a), "r"(b), "r"(i), "r"(pairs)
               : "memory");
}
DEVICE void store_if_below(uint32_t a, uint32_t b, Pair *pairs, uint32_t i, Pair p) {
  asm volatile(PAIR_IF_BELOW("64", "wide", "st.global.v2.u32 [at], {%0, %1}")::"r"(p.v),
               "r"(p.value), "r"(a), "r"(b), "r"(i), "l"(pairs)
               : "memory");
}

// pairs: in shared memory; what has no place there lies in global memory from `spill` on.
struct NearQueue {
  uint32_t pairs, tail, spill;
};

// ALL: all values are in shared memory, else those of vertices below `here`. edges: of the graph;
// a round lowers no more values, since one entry of a vertex is not stale. *pairs_at: where the
// pairs in global memory are, which are seldom wanted; registers are short.
template <bool ALL> struct BlockRelax {
  const uint32_t *col, *weight;
  uint32_t *value;
  const volatile uint64_t *pairs_at;
  uint32_t n, edges, values, here, places;
  DEVICE_METHOD Pair *all() const {
    return (Pair *)*pairs_at;
  }
  DEVICE_METHOD uint32_t value_of(uint32_t v) const {
    const uint32_t near = shared_load_if_below(v, here, values, v, NONE);
    return ALL ? near : fresh_if_below(v - here, n - here, value, v, near);
  }
  // If a < b.
  template <int U>
  DEVICE_METHOD void push_near(const NearQueue &to, const uint32_t *a, const uint32_t *b,
                               const uint32_t *v, const uint32_t *x) const {
    uint32_t at[U];
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = shared_add_if_below(a[i], b[i], to.tail, 0, 1, NONE);
#pragma unroll
    for (int i = 0; i < U; i++)
      shared_store_if_below(at[i], places, to.pairs, at[i], Pair{v[i], x[i]});
    bool spills = false;
#pragma unroll
    for (int i = 0; i < U; i++) spills |= at[i] - places < edges;
    if (!warp_any(spills)) return;
#pragma unroll
    for (int i = 0; i < U; i++)
      store_if_below(at[i] - places, edges, all(), to.spill + at[i] - places, Pair{v[i], x[i]});
  }
  template <int U>
  DEVICE_METHOD void push_far(uint32_t tail, const uint32_t *a, const uint32_t *b,
                              const uint32_t *v, const uint32_t *x) const {
    uint32_t at[U];
    bool any = false;
#pragma unroll
    for (int i = 0; i < U; i++) any |= a[i] < b[i];
    if (!warp_any(any)) return;
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = shared_add_if_below(a[i], b[i], tail, 0, 1, NONE);
#pragma unroll
    for (int i = 0; i < U; i++)
      store_if_below(at[i], NONE, all(), 2 * edges + at[i], Pair{v[i], x[i]});
  }
};

// Offers the lists of a round's entries.
template <bool ALL> struct BlockOffers : BlockRelax<ALL> {
  NearQueue near;
  uint32_t far_tail, limit;
  template <int U>
  DEVICE_METHOD void load(uint32_t e, uint32_t step, uint32_t end, uint32_t *v, uint32_t *x) const {
#pragma unroll
    for (int i = 0; i < U; i++)
      v[i] = fresh_if_below(e + i * step, end, this->col, e + i * step, NONE);
#pragma unroll
    for (int i = 0; i < U; i++)
      x[i] = fresh_if_below(e + i * step, end, this->weight, e + i * step, 0);
  }
  template <int U> DEVICE_METHOD void offer(const uint32_t *v, const uint32_t *x) const {
    uint32_t old[U], bound[U], above[U], over[U];
#pragma unroll
    for (int i = 0; i < U; i++)
      old[i] = shared_min_if_below(v[i], this->here, this->values, v[i], x[i], 0);
#pragma unroll
    for (int i = 0; !ALL && i < U; i++)
      old[i] = atomic_min_if_below(v[i] - this->here, this->n - this->here, this->value, v[i], x[i],
                                   old[i]);
#pragma unroll
    for (int i = 0; i < U; i++) {
      bound[i] = old[i] < limit ? old[i] : limit;
      above[i] = x[i] - limit; // wraps below it, and is then more than `over` can be
      over[i] = old[i] - bound[i];
    }
    this->template push_near<U>(near, x, bound, v, x);
    this->template push_far<U>(far_tail, above, over, v, x);
  }
  // All lanes call.
  DEVICE_METHOD void walk(uint32_t e, uint32_t step, uint32_t end, uint32_t mine) const {
    enum { U = SEARCH_EDGES };
    bool more;
    do {
      uint32_t v[U], x[U];
      load<U>(e, step, end, v, x);
      e += U * step;
      more = warp_any(e < end);
#pragma unroll
      for (int i = 0; i < U; i++) {
        x[i] += mine;
        if (x[i] < mine) x[i] = NONE; // what wraps is no offer
      }
      offer<U>(v, x);
    } while (more);
  }
};

// What of `count` far entries is not stale: near below the limit, else to the front, in place; at
// `tail`, 0, how many. All threads call; who wrote the entries has met them at a barrier.
template <bool ALL>
DEVICE void sort_far(const BlockRelax<ALL> &work, const NearQueue &near, uint32_t count,
                     uint32_t limit, uint32_t tail) {
  for (uint32_t i = thread_x(); i - thread_x() < count; i += SEARCH_BLOCK) {
    Pair p = {NONE, 0};
    fresh_if_below(i, count, work.all(), 2 * work.edges + i, &p);
    const uint32_t now = work.value_of(p.v);
    const uint32_t bound[1] = {now == p.value ? limit : 0}, v[1] = {p.v}, x[1] = {p.value};
    const uint32_t least[1] = {now == p.value ? limit : NONE}, most[1] = {p.value + 1};
    barrier();
    work.template push_near<1>(near, x, bound, v, x);
    work.template push_far<1>(tail, least, most, v, x);
  }
  barrier();
}

#define RELAX_BLOCK_PARAMS                                                                         \
  uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,                  \
      const uint32_t *__restrict__ weight, uint32_t *value, Pair *pairs, uint32_t source,          \
      uint32_t words, uint32_t places, uint32_t delta, uint32_t lanes
#define RELAX_BLOCK_ARGS                                                                           \
  n, row, col, weight, value, pairs, source, words, places, delta, lanes

// Walks the `count` entries of `from`.
template <bool ALL>
DEVICE void relax_round(const BlockOffers<ALL> &work, const NearQueue &from, uint32_t count,
                        const uint32_t *row, uint32_t lanes) {
  const uint32_t places = work.places, each = SEARCH_BLOCK / lanes;
  const uint32_t ahead = lane_id() / lanes; // of the warp's first entry
  for (uint32_t i = thread_x() / lanes; i - ahead < count; i += each) {
    Pair p = {NONE, 0};
    shared_load_if_below(i, count < places ? count : places, from.pairs, i, &p);
    if (count > places)
      fresh_if_below(i - places, count - places, work.all(), from.spill + i - places, &p);
    const uint32_t start = fresh_if_below(p.v, work.n, row, p.v, 0);
    uint32_t end = fresh_if_below(p.v, work.n, row, p.v + 1, 0);
    if (work.value_of(p.v) != p.value) end = start;
    if (warp_any(start < end)) work.walk(start + thread_x() % lanes, lanes, end, p.value);
  }
}

// Sizes of queues by their number, of which one is read, one filled and one cleared meanwhile; and
// of far ones, two in turn, whose addresses differ in a bit.
enum { BLOCK_QUEUES = 4, BLOCK_TAILS = BLOCK_QUEUES + 2, FAR_FLIP = 4 };

// From `source`, whose value is 0, until nothing falls; all other values are UNREACHED. words: of
// values in shared memory, an even number, behind them two near queues of `places` pairs; pairs:
// twice as many as there are edges for what does not fit there, and as many for what is far. delta:
// what the limit rises by. lanes: of a vertex, a power of two.
template <bool ALL> DEVICE void relax_by_block(RELAX_BLOCK_PARAMS) {
  const uint32_t edges = row[n];
  if (block_x()) {
    warm(row, n);
    warm(col, edges);
    warm(weight, edges);
    return;
  }
  __shared__ volatile __attribute__((aligned(8))) uint32_t tails[BLOCK_TAILS];
  __shared__ volatile uint64_t pairs_at;
  for (uint32_t v = thread_x(); v < words; v += SEARCH_BLOCK) wf_shared[v] = v == source ? 0 : NONE;
  if (thread_x() < 2) wf_shared[words + thread_x()] = thread_x() ? 0 : source;
  if (thread_x() < BLOCK_TAILS) tails[thread_x()] = thread_x() == 0;
  pairs_at = (uint64_t)pairs;
  barrier();
  const uint32_t values = shared_address(wf_shared), counts = shared_address(tails);
  const auto queue = [&](uint32_t number) {
    const uint32_t odd = number % 2, tail = number % BLOCK_QUEUES;
    return NearQueue{values + words * 4 + odd * places * 8, counts + tail * 4, odd * edges};
  };
  BlockOffers<ALL> work = {
      {col, weight, value, &pairs_at, n, edges, values, ALL ? n : words, places},
      {},
      counts + BLOCK_QUEUES * 4,
      delta};
  for (uint32_t count = 1, far = 0, round = 0; count; round++) {
    work.near = queue(round + 1);
    if (far > edges) work.limit = NONE; // no room for another round's
    relax_round<ALL>(work, queue(round), count, row, lanes);
    if (thread_x() == 0) shared_store(queue(round + 2).tail, 0);
    barrier();
    count = shared_load(work.near.tail);
    far = shared_load(work.far_tail);
    for (uint32_t step = delta; !count && far; step *= 2) {
      work.limit = step < NONE - work.limit ? work.limit + step : NONE;
      sort_far<ALL>(work, work.near, far, work.limit, work.far_tail ^ FAR_FLIP);
      if (thread_x() == 0) shared_store(work.far_tail, 0);
      work.far_tail ^= FAR_FLIP;
      count = shared_load(work.near.tail);
      far = shared_load(work.far_tail);
      barrier();
    }
  }
  for (uint32_t v = thread_x(); v < work.here; v += SEARCH_BLOCK) value[v] = wf_shared[v];
}

KERNEL sssp_block(RELAX_BLOCK_PARAMS) {
  relax_by_block<true>(RELAX_BLOCK_ARGS);
}
KERNEL sssp_block_far(RELAX_BLOCK_PARAMS) {
  relax_by_block<false>(RELAX_BLOCK_ARGS);
}

#endif
