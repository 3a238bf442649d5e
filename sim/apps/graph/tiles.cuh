// Merge path: the items of a CSR in a row (a list's edges, then its end; then the next list) are
// cut into tiles of equal size, whatever the lists' lengths. A block takes a tile: its edges' words
// side by side into shared memory, from there the sums of its lists. Of a tile's first list the
// part before, and of its last the part behind, are other tiles' work: what the block has of them
// is left to a second kernel.
#ifndef WARPFAB_TILES_CUH
#define WARPFAB_TILES_CUH

#include "strategy.cuh"

enum { TILE_THREADS = 128, TILE_ITEMS = TILE_THREADS * IN_FLIGHT }; // WF_TILE_*

// What a tile leaves; T: Work::Value. An array each, an element a tile.
template <class T> struct TileEnds {
  uint32_t *list; // its first, and behind the last tile the number of lists
  T *head, *tail; // of its first list if that ends here; of the list that does not end here
};

// Lists that end before item `item`: the largest r of [0, n] with row[r] + r <= item, by a search
// of the whole warp in 32 parts.
DEVICE uint32_t lists_before(const uint32_t *__restrict__ row, uint32_t n, uint32_t item) {
  uint32_t low = 0, high = n + 1;
  while (high - low > 1) {
    uint32_t step = (high - low + WARP_LANES - 1) / WARP_LANES, at = low + lane_id() * step;
    uint32_t yes = warp_ballot(at < high && row[at < n ? at : n] + at <= item);
    low += (31 - (uint32_t)__builtin_clz(yes)) * step;
    high = low + step < high ? low + step : high;
  }
  return low;
}

// The words tile[from .. to) of each lane's list: long ones by the whole warp.
template <class Work>
DEVICE typename Work::Value join_words(const typename Work::Value *tile, uint32_t from,
                                       uint32_t to) {
  typename Work::Value sum = Work::none();
  for (uint32_t left; (left = warp_ballot(to - from >= WARP_LIST));) {
    uint32_t owner = 31 - (uint32_t)__builtin_clz(left);
    uint32_t first = shuffle(from, owner), end = shuffle(to, owner);
    typename Work::Value part = Work::none();
    for (uint32_t i = first + lane_id(); i < end; i += WARP_LANES) part = Work::join(part, tile[i]);
    part = shuffle(join_lanes<WARP_LANES, Work>(part), 0);
    if (lane_id() == owner) {
      sum = part;
      from = to;
    }
  }
#pragma clang loop unroll_count(4)
  for (; from < to; from++) sum = Work::join(sum, tile[from]);
  return sum;
}

// How a tile's words get into shared memory: words[i] becomes edge start + i's for i < edges, in
// two steps, so that the block has something to do while they are on their way. Loads:
template <class Work> struct Loads {
  const Work &work;
  struct Pending {
    uint32_t got[IN_FLIGHT];
  };
  DEVICE_METHOD Pending start(uint32_t *, uint32_t start, uint32_t edges) const {
    Pending p;
    work.template load<IN_FLIGHT>(start + thread_x(), TILE_THREADS, start + edges, p.got);
    return p;
  }
  DEVICE_METHOD void finish(const Pending &p, uint32_t *words, uint32_t edges) const {
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++) {
      uint32_t at = i * TILE_THREADS + thread_x();
      if (at < edges) words[at] = p.got[i];
    }
  }
};

// The block's tile. lists.begin(v) is called before list v's words are joined, lists.end(begun,
// sum) behind, for each list that ends here but for the first.
template <class Work, class Fetch, class Lists>
DEVICE void walk_tile(const Fetch &fetch, const uint32_t *__restrict__ row, uint32_t n,
                      const TileEnds<typename Work::Value> &ends, const Lists &lists) {
  typedef typename Work::Value Value;
  __shared__ uint32_t words[TILE_ITEMS + 1], bound[2]; // edges' values, then where lists end
  uint32_t items = row[n] + n, from = block_x() * TILE_ITEMS, to = from + TILE_ITEMS;
  if (to > items) to = items;
  if (warp_in_block() < 2) {
    uint32_t list = lists_before(row, n, warp_in_block() ? to : from);
    if (lane_id() == 0) bound[warp_in_block()] = list;
  }
  barrier();
  uint32_t first = bound[0], last = bound[1] - first; // lists from here on are counted from `first`
  uint32_t start = from - first, edges = to - bound[1] - start;
  uint32_t *end_of = words + edges;
  auto pending = fetch.start(words, start, edges);
  for (uint32_t k = thread_x(); k < last; k += TILE_THREADS) end_of[k] = row[first + k + 1] - start;
  if (thread_x() == 0) end_of[last] = edges;
  fetch.finish(pending, words, edges);
  barrier();
#pragma clang loop unroll(disable)
  for (uint32_t turn = 0; turn <= last; turn += TILE_THREADS) {
    uint32_t k = turn + thread_x();
    bool here = k <= last, whole = k > 0 && k < last;
    auto begun = lists.begin(first + k, whole);
    Value sum =
        join_words<Work>((const Value *)words, here && k ? end_of[k - 1] : 0, here ? end_of[k] : 0);
    if (whole)
      lists.end(begun, sum);
    else if (here)
      (k == last ? ends.tail : ends.head)[block_x()] = sum;
  }
  if (thread_x() == 0) {
    ends.list[block_x()] = first;
    if (block_x() == grid_dim_x() - 1) ends.list[grid_dim_x()] = first + last;
  }
}

// Of the second kernel, for the first list of a tile.
template <class Work> struct Tails {
  typedef typename Work::Value Value;
  const Value *tail;
  DEVICE_METHOD static Value none() { return Work::none(); }
  DEVICE_METHOD static Value join(Value a, Value b) { return Work::join(a, b); }
  template <int U>
  DEVICE_METHOD void load(uint32_t e, uint32_t step, uint32_t end, uint32_t *got) const {
#pragma unroll
    for (int i = 0; i < U; i++)
      got[i] = load_far_if(e + i * step < end, (const uint32_t *)tail + e + i * step,
                           __builtin_bit_cast(uint32_t, none()));
  }
};

// A thread a tile: whether a list that may have begun in tiles before ends in it; if so which, and
// what its edges come to. All threads of the block call.
template <class Work>
DEVICE bool join_tiles(const uint32_t *__restrict__ row, uint32_t tiles,
                       const TileEnds<typename Work::Value> &ends, uint32_t *list,
                       typename Work::Value *sum) {
  uint32_t t = global_thread(), began = t;
  bool mine = t < tiles && ends.list[t] < ends.list[t + 1];
  if (mine) {
    *list = ends.list[t];
    began = (row[*list] + *list) / TILE_ITEMS;
  }
  Tails<Work> tails = {ends.tail};
  *sum = walk_bins(tails, began, t - began);
  if (mine) *sum = Work::join(*sum, ends.head[t]);
  return mine;
}

#endif
