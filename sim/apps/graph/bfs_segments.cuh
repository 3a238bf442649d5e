// Breadth-first search over a frontier in segments: a piece's LANES lanes have U edges each.
#ifndef WARPFAB_BFS_SEGMENTS_CUH
#define WARPFAB_BFS_SEGMENTS_CUH

#include "segments.cuh"

struct SegmentSearch {
  const uint32_t *__restrict__ row, *__restrict__ col;
  uint32_t *visited, *level_of; // visited: a bit a vertex, or NULL
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
DEVICE void search_piece(const SegmentSearch &s, const Segments &segments, const Piece &piece,
                         Piece *to, uint32_t level) {
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
    *segments.changed = SEGMENT_CHANGED;
    segments.push(to, start[u], count[u] - start[u], LANES * U);
  }
}

// Levels below `steps`; *deepest: the last that has a vertex.
template <uint32_t LANES, int U, bool BITS>
DEVICE void search_segments(const SegmentSearch &s, const Segments &segments, uint32_t source,
                            uint32_t steps, uint32_t *deepest) {
  enum { PIECE = LANES * U, SIDE_BY_SIDE = WARP_LANES / LANES };
  const uint32_t turn = warp_in_block() * SIDE_BY_SIDE + lane_id() / LANES, from = segments.from();
  const Piece *read = segments.segment(0, from), *read_next = segments.segment(1, from);
  Piece *to = segments.segment(1, block_x()), *to_next = segments.segment(0, block_x());
  const uint32_t step = block_dim_x() / WARP_LANES * SIDE_BY_SIDE;
  uint32_t last = 0;
  segments.push_dealt(s.row[source], s.row[source + 1], PIECE);
  for (uint32_t level = 1, all = segments.meet(0); all & SEGMENTS_SOME && level < steps; level++) {
    const uint32_t end = segments.counts[from];
    for (uint32_t p = turn; warp_any(p < end); p += step)
      search_piece<LANES, U, BITS>(s, segments, fresh_piece_if(p < end, read + p), to, level);
    all = segments.meet(level);
    if (all & SEGMENTS_CHANGED) last = level;
    const Piece *was_read = read;
    Piece *was_to = to;
    read = read_next, read_next = was_read;
    to = to_next, to_next = was_to;
  }
  if (global_thread() == 0) *deepest = last;
}

#define BFS_SEGMENTS_PARAMS                                                                        \
  SEGMENTS_PARAMS, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,             \
      uint32_t *visited, uint32_t *level_of, uint32_t source, uint32_t steps, uint32_t *deepest

KERNEL bfs_segments(BFS_SEGMENTS_PARAMS) {
  SEGMENTS(segments)
  search_segments<8, 2, true>({row, col, visited, level_of}, segments, source, steps, deepest);
}

KERNEL bfs_segments_short(BFS_SEGMENTS_PARAMS) {
  SEGMENTS(segments)
  search_segments<4, 1, false>({row, col, visited, level_of}, segments, source, steps, deepest);
}

#endif
