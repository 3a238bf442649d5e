// Breadth-first search by one block (block.cuh). Bits of visited vertices and both sides of the
// queue lie in shared memory; the bits that do not fit there lie in global memory, and a level that
// does not fit is read back from the vertices' levels.
#ifndef WARPFAB_BFS_BLOCK_CUH
#define WARPFAB_BFS_BLOCK_CUH

#include "block.cuh"

enum { SEARCH_LIST = 64 }; // from this length on a list is walked by a warp

// ALL: all bits are in shared memory, else those of vertices below `here`.
template <bool ALL> struct BlockSearch {
  const uint32_t *col;
  uint32_t *visited, *level_of;
  uint32_t n, level, bits, here, ids, places, tail;
  template <int U>
  DEVICE_METHOD void load(uint32_t e, uint32_t step, uint32_t end, uint32_t *v) const {
#pragma unroll
    for (int i = 0; i < U; i++) v[i] = fresh_if_below(e + i * step, end, col, e + i * step, NONE);
  }
  template <int U> DEVICE_METHOD void claim(const uint32_t *v) const {
    uint32_t old[U], to[U];
#pragma unroll
    for (int i = 0; i < U; i++)
      old[i] = shared_or_if_below(v[i], here, bits, v[i] / 32, 1u << (v[i] & 31), NONE);
#pragma unroll
    for (int i = 0; !ALL && i < U; i++)
      old[i] =
          atomic_or_if_below(v[i] - here, n - here, visited, v[i] / 32, 1u << (v[i] & 31), old[i]);
#pragma unroll
    for (int i = 0; i < U; i++) {
      old[i] &= 1u << (v[i] & 31);
      to[i] = shared_add_if_below(old[i], 1, tail, 0, 1, NONE);
    }
#pragma unroll
    for (int i = 0; i < U; i++) shared_store_if_below(to[i], places, ids, to[i], v[i]);
#pragma unroll
    for (int i = 0; i < U; i++) store_if_below(old[i], 1, level_of, v[i], level);
  }
  // All lanes call.
  DEVICE_METHOD void walk(uint32_t e, uint32_t step, uint32_t end) const {
    enum { U = SEARCH_EDGES };
    bool more;
    do {
      uint32_t v[U];
      load<U>(e, step, end, v);
      e += U * step;
      more = warp_any(e < end);
      claim<U>(v);
    } while (more);
  }
};

#define BLOCK_PARAMS                                                                               \
  uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,                  \
      uint32_t *visited, uint32_t *level_of, uint32_t source, uint32_t words, uint32_t places,     \
      uint32_t steps, uint32_t hubs, uint32_t lanes, uint32_t *deepest

// From `source`, whose bit is set in `visited`, until nothing is found or `steps` levels are there;
// *deepest: the last level that found something. hubs: a list has SEARCH_LIST edges. lanes: of a
// vertex, a power of two. A level's count is one of three words: those before and behind it are
// read and cleared meanwhile.
template <bool ALL> DEVICE void bfs_by_block(BLOCK_PARAMS) {
  if (block_x()) {
    warm(row, n);
    warm(col, row[n]);
    return;
  }
  __shared__ volatile uint32_t tails[3];
  for (uint32_t w = thread_x(); w < words; w += SEARCH_BLOCK) wf_shared[w] = 0;
  if (thread_x() < 3) tails[thread_x()] = thread_x() == 0;
  if (thread_x() == 0) wf_shared[words] = source;
  barrier();
  if (thread_x() == 0 && source / 32 < words) wf_shared[source / 32] = 1u << (source & 31);
  barrier();
  const uint32_t lane = thread_x() % lanes, mine = thread_x() / lanes, each = SEARCH_BLOCK / lanes;
  const uint32_t ahead = lane_id() / lanes; // of the warp's first entry
  const uint32_t bits = shared_address(wf_shared), here = words * 32 < n ? words * 32 : n;
  uint32_t from = bits + words * 4, to = from + places * 4;
  uint32_t now = shared_address(tails), next = now + 4, later = now + 8;
  uint32_t level = 1;
  for (uint32_t count = steps > 1; count;) {
    const BlockSearch<ALL> work = {col, visited, level_of, n, level, bits, here, to, places, next};
    const bool queued = count <= places;
    const uint32_t size = queued ? count : n;
    for (uint32_t i = mine; i - ahead < size; i += each) {
      uint32_t v = i, in = i;
      if (queued)
        v = shared_load(from + i * 4);
      else
        in = fresh_if_below(i, n, level_of, i, NONE) == level - 1 ? i : NONE;
      const uint32_t start = fresh_if_below(in, size, row, v, 0);
      uint32_t end = fresh_if_below(in, size, row + 1, v, 0);
      if (hubs) {
        uint32_t long_list = lane ? 0 : end - start;
        lists_of_warp(SEARCH_LIST, start, &long_list, [&](uint32_t first, uint32_t stop, bool) {
          work.walk(first, WARP_LANES, stop);
        });
        if (end - start >= SEARCH_LIST) end = start;
      }
      work.walk(start + lane, lanes, end);
    }
    if (thread_x() == 0) shared_store(later, 0);
    barrier();
    count = shared_load(next);
    if (count && ++level >= steps) break;
    const uint32_t free = now, swap = from;
    now = next, next = later, later = free;
    from = to, to = swap;
  }
  if (thread_x() == 0) *deepest = level - 1;
}

KERNEL bfs_block(BLOCK_PARAMS) {
  bfs_by_block<true>(n, row, col, visited, level_of, source, words, places, steps, hubs, lanes,
                     deepest);
}
KERNEL bfs_block_far(BLOCK_PARAMS) {
  bfs_by_block<false>(n, row, col, visited, level_of, source, words, places, steps, hubs, lanes,
                      deepest);
}

#endif
