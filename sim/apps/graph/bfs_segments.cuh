// Breadth-first search over a frontier in segments: a piece's LANES lanes have U edges each.
#ifndef WARPFAB_BFS_SEGMENTS_CUH
#define WARPFAB_BFS_SEGMENTS_CUH

#include "segments.cuh"

struct Piece {
  uint32_t start, count;
};
DEVICE Piece fresh_piece_if(bool wanted, const Piece *at) {
  uint32_t start = 0, count = 0;
  asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0; "
               "@wanted ld.global.cg.v2.u32 {%0, %1}, [%2]; }"
               : "+r"(start), "+r"(count)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return Piece{start, count};
}
DEVICE void store_piece(Piece *at, uint32_t start, uint32_t count) {
  asm volatile("st.global.cg.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(start), "r"(count) : "memory");
}

// A list joins the block's segment in pieces of `most` edges.
DEVICE void push_list(const Segments<Piece, true> &segments, Piece *segment, uint32_t start,
                      uint32_t count, uint32_t most) {
  if (!count) return;
  Piece *to =
      segment + __atomic_fetch_add(segments.held, (count + most - 1) / most, __ATOMIC_RELAXED);
#pragma clang loop unroll(disable)
  for (; count > most; count -= most, start += most) store_piece(to++, start, most);
  store_piece(to, start, count);
}
// A list from start to end, its pieces dealt over the blocks' segments. All threads call.
DEVICE void push_dealt(const Segments<Piece, true> &segments, uint32_t start, uint32_t end,
                       uint32_t most) {
  for (uint32_t at = start + (thread_x() * grid_dim_x() + block_x()) * most; at < end;
       at += block_dim_x() * grid_dim_x() * most)
    push_list(segments, segments.segment(0, block_x()), at, end - at < most ? end - at : most,
              most);
}

struct SegmentSearch {
  const uint32_t *__restrict__ row, *__restrict__ col;
  uint32_t *visited, *level_of; // visited: a bit a vertex, or NULL
  uint32_t *changed;            // shared: SEGMENT_FLAG if the block reached a vertex
};

// Whether v was not reached before. Looks first, since most were; or takes the level's own word,
// where most were not.
template <bool BITS>
DEVICE bool claim(const SegmentSearch &s, bool open, uint32_t v, uint32_t level) {
  if (!BITS) return atomic_cas_if(open, s.level_of + v, ~0u, level, 0) == ~0u;
  uint32_t bit = 1u << (v & 31);
  return !(atomic_or_if(open, s.visited + v / 32, bit, ~0u) & bit);
}

template <uint32_t LANES, int U, bool BITS>
DEVICE void search_piece(const SegmentSearch &s, const Segments<Piece, true> &segments,
                         const Piece &piece, Piece *to, uint32_t level) {
  const uint32_t sub = lane_id() % LANES;
  uint32_t v[U], start[U], count[U];
  bool open[U], mine[U];
#pragma unroll
  for (int u = 0; u < U; u++) {
    open[u] = sub + u * LANES < piece.count;
    v[u] = load_if(open[u], s.col + piece.start + sub + u * LANES, 0);
  }
#pragma unroll
  for (int u = 0; BITS && u < U; u++)
    open[u] = !(look_if(open[u], s.visited + v[u] / 32, ~0u) >> (v[u] & 31) & 1);
#pragma unroll
  for (int u = 0; u < U; u++) { // rows are asked for beside the atomic
    mine[u] = claim<BITS>(s, open[u], v[u], level);
    start[u] = load_if(open[u], s.row + v[u], 0);
    count[u] = load_if(open[u], s.row + v[u] + 1, 0);
  }
#pragma unroll
  for (int u = 0; u < U; u++) {
    if (!mine[u]) continue;
    if (BITS) s.level_of[v[u]] = level;
    *s.changed = SEGMENT_FLAG;
    push_list(segments, to, start[u], count[u] - start[u], LANES * U);
  }
}

// Levels below `steps`; *deepest: the last that has a vertex.
template <uint32_t LANES, int U, bool BITS>
DEVICE void search_segments(const SegmentSearch &s, const Segments<Piece, true> &segments,
                            uint32_t source, uint32_t steps, uint32_t *deepest) {
  enum { PIECE = LANES * U, SIDE_BY_SIDE = WARP_LANES / LANES };
  const uint32_t turn = warp_in_block() * SIDE_BY_SIDE + lane_id() / LANES, from = segments.from();
  const Piece *read = segments.segment(0, from), *read_next = segments.segment(1, from);
  Piece *to = segments.segment(1, block_x()), *to_next = segments.segment(0, block_x());
  const uint32_t step = block_dim_x() / WARP_LANES * SIDE_BY_SIDE;
  uint32_t last = 0;
  const auto flags = [&] {
    const uint32_t mine = *s.changed;
    *s.changed = 0;
    return mine;
  };
  push_dealt(segments, s.row[source], s.row[source + 1], PIECE);
  for (uint32_t level = 1, all = segments.meet(0, flags); all & SEGMENTS_SOME && level < steps;
       level++) {
    const uint32_t end = segments.counts[from];
    for (uint32_t p = turn; warp_any(p < end); p += step)
      search_piece<LANES, U, BITS>(s, segments, fresh_piece_if(p < end, read + p), to, level);
    all = segments.meet(level, flags);
    if (all & SEGMENT_FLAG) last = level;
    const Piece *was_read = read;
    Piece *was_to = to;
    read = read_next, read_next = was_read;
    to = to_next, to_next = was_to;
  }
  if (global_thread() == 0) *deepest = last;
}

#define BFS_SEGMENTS_PARAMS                                                                        \
  SEGMENTS_PARAMS(Piece), const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,      \
      uint32_t *visited, uint32_t *level_of, uint32_t source, uint32_t steps, uint32_t *deepest

KERNEL bfs_segments(BFS_SEGMENTS_PARAMS) {
  __shared__ uint32_t changed;
  if (thread_x() == 0) changed = 0;
  SEGMENTS(Piece, true, segments)
  search_segments<8, 2, true>({row, col, visited, level_of, &changed}, segments, source, steps,
                              deepest);
}

KERNEL bfs_segments_short(BFS_SEGMENTS_PARAMS) {
  __shared__ uint32_t changed;
  if (thread_x() == 0) changed = 0;
  SEGMENTS(Piece, true, segments)
  search_segments<4, 1, false>({row, col, visited, level_of, &changed}, segments, source, steps,
                               deepest);
}

#endif
