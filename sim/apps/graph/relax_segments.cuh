// Shortest paths over entries in segments, nearest vertices first (Davidson, Baxter, Garland and
// Owens, IPDPS 2014). An entry is a list and the value that its vertex offers: stale once the
// vertex has fallen further, so no vertex needs a mark. What falls to a limit joins the near
// segment of the block that lowered it, else its far one; when nothing near is left anywhere the
// limit rises, and each block sorts its own far entries.
#ifndef WARPFAB_RELAX_SEGMENTS_CUH
#define WARPFAB_RELAX_SEGMENTS_CUH

#include "segments.cuh"

struct PathEntry {
  uint32_t start, count, v, value;
};
DEVICE PathEntry fresh_path_if(bool wanted, const PathEntry *at) {
  PathEntry o = {0, 0, 0, 0};
  asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %5, 0; "
               "@wanted ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4]; }"
               : "+r"(o.start), "+r"(o.count), "+r"(o.v), "+r"(o.value)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return o;
}
DEVICE void store_path(PathEntry *at, const PathEntry &o) {
  asm volatile("st.global.cg.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(o.start), "r"(o.count),
               "r"(o.v), "r"(o.value)
               : "memory");
}

enum { WHOLE = 1 << 30 }; // edges: lists are not cut
enum { NOT_REACHED = ~0u, LIMIT_NONE = NOT_REACHED - 1 };

// Of a block. Far entries lie behind the near ones, as sides 2 and 3. far_held: shared.
struct SegmentPaths {
  const uint32_t *__restrict__ row, *__restrict__ col, *__restrict__ weight;
  uint32_t *value;
  Segments<PathEntry, false> near;
  uint32_t *far_held;

  // In pieces of CUT edges.
  template <uint32_t CUT> DEVICE_METHOD void push_near(PathEntry *to, PathEntry o) const {
    if (!o.count) return;
    const uint32_t pieces = (o.count + CUT - 1) / CUT;
    const uint32_t at = __atomic_fetch_add(near.held, pieces, __ATOMIC_RELAXED);
    if (at + pieces > near.capacity) return;
    to += at;
#pragma clang loop unroll(disable)
    for (; CUT < WHOLE && o.count > CUT; o.start += CUT, o.count -= CUT)
      store_path(to++, PathEntry{o.start, CUT, o.v, o.value});
    store_path(to, o);
  }
  // What has no place among the far ones is near.
  template <uint32_t CUT>
  DEVICE_METHOD void push(PathEntry *to, PathEntry *far_to, const PathEntry &o,
                          uint32_t limit) const {
    uint32_t at = near.capacity;
    if (o.value > limit) at = __atomic_fetch_add(far_held, 1, __ATOMIC_RELAXED);
    if (at < near.capacity)
      store_path(far_to + at, o);
    else
      push_near<CUT>(to, o);
  }
  // The block's `held` far entries that are not stale. All threads call.
  template <uint32_t CUT>
  DEVICE_METHOD void sort(PathEntry *to, const PathEntry *from, PathEntry *far_to, uint32_t held,
                          uint32_t limit) const {
#pragma clang loop unroll(disable)
    for (uint32_t i = thread_x(); i < held; i += block_dim_x()) {
      const PathEntry o = fresh_path_if(true, from + i);
      if (fresh_if(true, value + o.v, 0) == o.value) push<CUT>(to, far_to, o, limit);
    }
  }
  // All that was reached, as what was found did not fit. All threads of the grid call.
  DEVICE_METHOD void push_all(PathEntry *to, uint32_t n) const {
#pragma clang loop unroll(disable)
    for (uint32_t v = global_thread(); v < n; v += grid_dim_x() * block_dim_x()) {
      const uint32_t now = fresh_if(true, value + v, 0), start = row[v];
      if (now != NOT_REACHED) push_near<WHOLE>(to, PathEntry{start, row[v + 1] - start, v, now});
    }
  }
  // A list's edges by LANES lanes, U of each in flight. LOOK: the values first, as an atomic takes
  // longer and most offers are not lower. What wraps is no offer.
  template <uint32_t LANES, int U, bool LOOK, uint32_t CUT>
  DEVICE_METHOD void offer_list(const PathEntry &o, PathEntry *to, PathEntry *far_to,
                                uint32_t limit) const {
#pragma clang loop unroll(disable)
    for (uint32_t e = lane_id() % LANES; warp_any(e < o.count); e += LANES * U) {
      uint32_t v[U], offer[U], old[U], start[U], count[U];
#pragma unroll
      for (int u = 0; u < U; u++) {
        v[u] = load_if(e + u * LANES < o.count, col + o.start + e + u * LANES, 0);
        offer[u] = load_if(e + u * LANES < o.count, weight + o.start + e + u * LANES, 0);
      }
      const bool live = fresh_if(e < o.count, value + o.v, NOT_REACHED) == o.value;
#pragma unroll
      for (int u = 0; LOOK && u < U; u++)
        old[u] = fresh_if(live && e + u * LANES < o.count, value + v[u], 0);
#pragma unroll
      for (int u = 0; u < U; u++) { // rows are asked for beside the atomic
        offer[u] += o.value;
        const bool sound = offer[u] >= o.value;
        const bool in = sound && (LOOK ? offer[u] < old[u] : live && e + u * LANES < o.count);
        old[u] = atomic_min_if(in, value + v[u], offer[u], 0);
        start[u] = load_if(in, row + v[u], 0);
        count[u] = load_if(in, row + v[u] + 1, 0) - start[u];
      }
#pragma unroll
      for (int u = 0; u < U; u++)
        if (offer[u] < old[u] && count[u])
          push<CUT>(to, far_to, PathEntry{start[u], count[u], v[u], offer[u]}, limit);
    }
  }
  template <uint32_t LANES, int U, bool LOOK, uint32_t CUT>
  DEVICE_METHOD void offer_all(uint32_t side, PathEntry *to, PathEntry *far_to,
                               uint32_t limit) const {
    enum { SIDE_BY_SIDE = WARP_LANES / LANES };
    const uint32_t from = near.from(), end = near.counts[from];
    const uint32_t step = block_dim_x() / WARP_LANES * SIDE_BY_SIDE;
    const PathEntry *read = near.segment(side, from);
#pragma clang loop unroll(disable)
    for (uint32_t i = warp_in_block() * SIDE_BY_SIDE + lane_id() / LANES; warp_any(i < end);
         i += step)
      offer_list<LANES, U, LOOK, CUT>(fresh_path_if(i < end, read + i), to, far_to, limit);
  }
};

enum NextRound { OFFER_NEAR, SORT_FAR, PUSH_ALL };

// *overflows: rounds that started again from all that was reached.
template <uint32_t LANES, int U, bool LOOK, uint32_t CUT>
DEVICE void relax_segments(const SegmentPaths &p, uint32_t source, uint32_t n, uint32_t delta,
                           uint32_t *overflows) {
  uint32_t limit = delta, rise = delta, far_side = 2, lost = 0;
  const auto far = [&] { return *p.far_held ? (uint32_t)SEGMENT_FLAG : 0u; };
  if (global_thread() == 0)
    p.template push_near<CUT>(p.near.segment(0, 0),
                              {p.row[source], p.row[source + 1] - p.row[source], source, 0});
  uint32_t all = p.near.meet(0, far);
  for (uint32_t round = 1; all; round++) {
    const NextRound what = all & SEGMENT_LOST    ? PUSH_ALL
                           : all & SEGMENTS_SOME ? OFFER_NEAR
                                                 : SORT_FAR;
    PathEntry *to = p.near.segment(round & 1, block_x()),
              *far_to = p.near.segment(far_side, block_x());
    if (what == SORT_FAR) {
      const PathEntry *from = far_to;
      const uint32_t held = *p.far_held < p.near.capacity ? *p.far_held : p.near.capacity;
      far_to = p.near.segment(far_side ^= 1, block_x());
      limit = rise < LIMIT_NONE - limit ? limit + rise : LIMIT_NONE;
      rise *= 2;
      barrier();
      if (thread_x() == 0) *p.far_held = 0;
      barrier();
      p.template sort<CUT>(to, from, far_to, held, limit);
    } else if (what == PUSH_ALL) {
      p.push_all(to, n);
      lost++;
    } else {
      rise = delta;
      p.template offer_all<LANES, U, LOOK, CUT>(~round & 1, to, far_to, limit);
    }
    all = p.near.meet(round, far);
  }
  if (global_thread() == 0) *overflows = lost;
}

#define RELAX_SEGMENTS_PARAMS                                                                      \
  SEGMENTS_PARAMS(PathEntry), const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,  \
      const uint32_t *__restrict__ weight, uint32_t *value, uint32_t source, uint32_t n,           \
      uint32_t delta, uint32_t *overflows

#define RELAX_SEGMENTS(NAME, LANES, U, LOOK, CUT)                                                  \
  KERNEL NAME(RELAX_SEGMENTS_PARAMS) {                                                             \
    __shared__ uint32_t far_held;                                                                  \
    if (thread_x() == 0) far_held = 0;                                                             \
    SEGMENTS(PathEntry, false, near)                                                               \
    relax_segments<LANES, U, LOOK, CUT>({row, col, weight, value, near, &far_held}, source, n,     \
                                        delta, overflows);                                         \
  }

#endif
