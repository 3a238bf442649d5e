// The best flat forms, and the best with launches. A thread finds a list of items (struct List, all
// words, of which n is the length) and the warp shares the lists out:
//   bins: short ones each by its thread, from WARP_LIST on by the warp, one after the other
//   scan: all of them laid in a row, an item a lane, whoever found it
// and from far.from items on a list is cut into chunks, a warp each: of a second kernel (NAME_far),
// or of one group that the warp launches for all it has (NAME_launched; forms bins_dtbl,
// scan_dtbl).
//   Work::AT_ONCE           items that a lane has in flight
//   Work::List, Work::Sum    what items of a list come to; all words, Sum{} for none
//   work.items(l, i, sum)    does item i[u] of list l[u] for each u where i[u] < l[u].n, and leaves
//                            in sum[u] what it comes to; all u in flight
//   Work::join(sum, other)   adds to it
//   work.end(l, sum, whole)  of a list's items together; whole: there are no others
#ifndef WARPFAB_SHARE_CUH
#define WARPFAB_SHARE_CUH

#include "launch.cuh"
#include "strategy.cuh"

enum {
  FAR_BLOCK = 128, // threads; WF_LAUNCH_FAR_BLOCK
  BINS = 0,
  SCAN,
  BINS_DTBL,
  SCAN_DTBL
};

// As wf_launch_far. The queue: a list and where its part begins; the part's end is the list's n.
struct Far {
  uint32_t *size;
  void *queue;
  uint32_t from, chunk; // items
};
template <class List> struct FarPart {
  List list;
  uint32_t begin;
  static_assert(sizeof(List) + 4 <= 32, "WF_LAUNCH_PART_BYTES");
};

// For words of a struct.
template <class T> struct Words {
  enum { COUNT = sizeof(T) / 4 };
  uint32_t word[COUNT];
};
// Of work whose items come to nothing.
struct NoSum {};
struct WithoutSum {
  typedef NoSum Sum;
  DEVICE_METHOD static void join(NoSum *, const NoSum &) {}
  template <class List> DEVICE_METHOD void end(const List &, const NoSum &, bool) const {}
};

template <class T> DEVICE T shuffle_words(const T &value, uint32_t lane) {
  Words<T> w = __builtin_bit_cast(Words<T>, value);
#pragma unroll
  for (int i = 0; i < Words<T>::COUNT; i++) w.word[i] = shuffle(w.word[i], lane);
  return __builtin_bit_cast(T, w);
}
template <>
__device__ __forceinline__ NoSum shuffle_words<NoSum>(const NoSum &value, uint32_t lane) {
  return value;
}
template <class Work> DEVICE void join_warp(typename Work::Sum *sum) {
  typedef typename Work::Sum Sum;
#pragma unroll
  for (uint32_t d = WARP_LANES / 2; d; d /= 2)
    Work::join(sum, shuffle_words<Sum>(*sum, lane_id() ^ d));
}

// The sum over the lanes before; *total: over all. All lanes call.
DEVICE uint32_t scan_lanes(uint32_t value, uint32_t *total) {
  uint32_t sum = value;
#pragma unroll
  for (uint32_t d = 1; d < WARP_LANES; d *= 2) {
    uint32_t before = shuffle(sum, lane_id() - d & (WARP_LANES - 1));
    sum += lane_id() >= d ? before : 0;
  }
  *total = shuffle(sum, WARP_LANES - 1);
  return sum - value;
}

// Places behind *size for the U elements of each active lane that are wanted: one atomic a warp.
template <int U> DEVICE void append(uint32_t *size, const bool (&wanted)[U], uint32_t (&at)[U]) {
  uint32_t all[U], total = 0;
#pragma unroll
  for (int u = 0; u < U; u++) {
    all[u] = warp_ballot(wanted[u]);
    at[u] = total + __builtin_popcount(all[u] & lanes_below());
    total += __builtin_popcount(all[u]);
  }
  if (!total) return;
  uint32_t first = (uint32_t)__builtin_ctz(warp_ballot(true)), base = 0;
  if (lane_id() == first) base = atomic_add(size, total);
  base = shuffle(base, first);
#pragma unroll
  for (int u = 0; u < U; u++) at[u] += base;
}

// Items i, i + step, .. of one list.
template <int U, class Work>
DEVICE void some_items(const Work &work, const typename Work::List &list, uint32_t i, uint32_t step,
                       typename Work::Sum *sum) {
  typename Work::List lists[U];
  typename Work::Sum got[U];
  uint32_t at[U];
#pragma unroll
  for (int u = 0; u < U; u++) {
    lists[u] = list;
    at[u] = i + u * step;
  }
  work.items(lists, at, got);
#pragma unroll
  for (int u = 0; u < U; u++) Work::join(sum, got[u]);
}

// By the warp, from item `begin` on; all lanes have the same list.
template <class Work>
DEVICE void by_warp(const Work &work, const typename Work::List &list, uint32_t begin, bool whole) {
  typename Work::Sum sum{};
  uint32_t i = begin;
  const uint32_t few = Work::AT_ONCE < 2 ? 0 : 2 * WARP_LANES;
#pragma clang loop unroll(disable)
  for (; i + few < list.n; i += Work::AT_ONCE * WARP_LANES)
    some_items<Work::AT_ONCE>(work, list, i + lane_id(), WARP_LANES, &sum);
  if (few && i + WARP_LANES < list.n)
    some_items<2>(work, list, i + lane_id(), WARP_LANES, &sum);
  else if (few && i < list.n)
    some_items<1>(work, list, i + lane_id(), WARP_LANES, &sum);
  join_warp<Work>(&sum);
  if (lane_id() == 0) work.end(list, sum, whole);
}

template <class Work> DEVICE void by_thread(const Work &work, const typename Work::List &list) {
  typename Work::Sum sum{};
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < list.n; i += Work::AT_ONCE)
    some_items<Work::AT_ONCE>(work, list, i, 1, &sum);
  if (list.n) work.end(list, sum, true);
}

// Lists of `from` and more, one after the other. All lanes call.
template <class Work>
DEVICE void long_ones(const Work &work, typename Work::List *list, uint32_t from) {
#pragma clang loop unroll(disable)
  for (uint32_t left; (left = warp_ballot(list->n >= from));) {
    uint32_t owner = (uint32_t)__builtin_ctz(left);
    by_warp(work, shuffle_words(*list, owner), 0, true);
    if (lane_id() == owner) list->n = 0;
  }
}

// The lane whose list has the item; start: of the lane's first. All lanes call.
DEVICE uint32_t owner_of(uint32_t start, uint32_t item) {
  uint32_t owner = 0;
#pragma unroll
  for (uint32_t d = WARP_LANES / 2; d; d /= 2) owner += shuffle(start, owner + d) <= item ? d : 0;
  return owner;
}

template <class Work> DEVICE void in_a_row(const Work &work, const typename Work::List &mine) {
  enum { U = (Work::AT_ONCE + 1) / 2 };
  uint32_t total, start = scan_lanes(mine.n, &total);
#pragma clang loop unroll(disable)
  for (uint32_t row = 0; row < total; row += U * WARP_LANES) {
    typename Work::List lists[U];
    typename Work::Sum got[U];
    uint32_t at[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
      uint32_t item = row + u * WARP_LANES + lane_id(), owner = owner_of(start, item);
      lists[u] = shuffle_words(mine, owner);
      at[u] = item - shuffle(start, owner);
    }
    work.items(lists, at, got);
#pragma unroll
    for (int u = 0; u < U; u++)
      if (at[u] < lists[u].n) work.end(lists[u], got[u], lists[u].n == 1);
  }
}

// ---- long lists in chunks ----

// What a warp launches: its lists, and before which chunks they begin.
template <class List> struct FarGroup {
  uint32_t lists, start[WARP_LANES];
  List list[WARP_LANES];
};
template <class Work> struct Launched {
  Work work;
  uint32_t chunk;
  const FarGroup<typename Work::List> *group;
};
template <class Work> struct LaunchBuffer {
  Launched<Work> parameters;
  FarGroup<typename Work::List> group;
};

// One launch for the lists that are far; true: done. All lanes call.
template <class Work, class Child>
DEVICE bool launch_far(const Work &work, const typename Work::List &list, bool far,
                       uint32_t chunk) {
  typedef LaunchBuffer<Work> Buffer;
  uint32_t all = warp_ballot(far), chunks, owner = (uint32_t)__builtin_ctz(all);
  uint32_t start = scan_lanes(far ? (list.n + chunk - 1) / chunk : 0, &chunks);
  uint64_t address = 0;
  if (lane_id() == owner) address = (uint64_t)cudaGetParameterBuffer(8, sizeof(Buffer));
  address = shuffle_words(address, owner);
  if (!address) return false;
  Buffer *buffer = (Buffer *)address;
  if (far) {
    uint32_t place = __builtin_popcount(all & lanes_below());
    buffer->group.start[place] = start;
    buffer->group.list[place] = list;
  }
  uint32_t launched = 0;
  if (lane_id() == owner) {
    buffer->parameters = {work, chunk, &buffer->group};
    buffer->group.lists = __builtin_popcount(all);
    launched =
        Child::launch(buffer, (chunks + FAR_BLOCK / WARP_LANES - 1) / (FAR_BLOCK / WARP_LANES));
  }
  return shuffle(launched, owner);
}

template <class Work> DEVICE void walk_launched(const Launched<Work> &l) {
  uint32_t chunk = global_thread() / WARP_LANES;
  uint32_t start = lane_id() < l.group->lists ? l.group->start[lane_id()] : 0xffffffff;
  uint32_t owner = 31 - (uint32_t)__builtin_clz(warp_ballot(start <= chunk));
  typename Work::List list = l.group->list[owner];
  uint32_t begin = (chunk - shuffle(start, owner)) * l.chunk;
  if (begin >= list.n) return; // the last block's rest
  bool whole = list.n <= l.chunk;
  if (list.n > begin + l.chunk) list.n = begin + l.chunk;
  by_warp(l.work, list, begin, whole);
}

// All lanes call.
template <class List> DEVICE void queue_far(const Far &far, const List &list, bool mine) {
  uint32_t parts = mine ? (list.n + far.chunk - 1) / far.chunk : 0, total, base = 0;
  uint32_t start = scan_lanes(parts, &total);
  if (lane_id() == 0) base = atomic_add(far.size, total);
  FarPart<List> *queue = (FarPart<List> *)far.queue + shuffle(base, 0);
#pragma clang loop unroll(disable)
  for (uint32_t row = 0; row < total; row += WARP_LANES) {
    uint32_t i = row + lane_id(), owner = owner_of(start, i);
    FarPart<List> part = {shuffle_words(list, owner), (i - shuffle(start, owner)) * far.chunk};
    if (part.list.n > part.begin + far.chunk) part.list.n = part.begin + far.chunk;
    if (i < total) queue[i] = part;
  }
}

// Of the second kernel: a warp a part.
template <class Work> DEVICE void walk_far(const Work &work, const Far &far) {
  uint32_t i = global_thread() / WARP_LANES;
  if (i >= *far.size) return;
  FarPart<typename Work::List> part = ((const FarPart<typename Work::List> *)far.queue)[i];
  by_warp(work, part.list, part.begin, false);
}

// The thread's own list (n = 0: none). All threads call.
template <int FORM, class Work, class Child>
DEVICE void share(const Work &work, typename Work::List list, const Far &far) {
  bool mine = list.n >= far.from;
  if (warp_any(mine)) {
    bool done = true;
    if (FORM >= BINS_DTBL)
      done = launch_far<Work, Child>(work, list, mine, far.chunk);
    else
      queue_far(far, list, mine);
    if (mine && done) list.n = 0;
    if (!done) long_ones(work, &list, far.from);
  }
  if (FORM == SCAN || FORM == SCAN_DTBL) {
    in_a_row(work, list);
    return;
  }
  long_ones(work, &list, WARP_LIST);
  by_thread(work, list);
}

// Kernels NAME_bins, _scan, _bins_dtbl, _scan_dtbl, _far and _launched of WORK, from
//   WORK NAME_work(PARAMS)           what all threads have
//   WORK::List NAME_list(i, PARAMS)  the i-th thread's list
#define IN_BEST_FORMS(NAME, WORK, PARAMS, ...)                                                     \
  KERNEL NAME##_launched(Launched<WORK> launched) {                                                \
    walk_launched(launched);                                                                       \
  }                                                                                                \
  struct NAME##_launcher {                                                                         \
    DEVICE_METHOD static bool launch(void *buffer, uint32_t blocks) {                              \
      return cudaLaunchAggGroup(NAME##_launched, buffer, blocks, FAR_BLOCK, 0) == cudaSuccess;     \
    }                                                                                              \
  };                                                                                               \
  BEST_FORM(NAME, bins, BINS, WORK, PARAMS, __VA_ARGS__)                                           \
  BEST_FORM(NAME, scan, SCAN, WORK, PARAMS, __VA_ARGS__)                                           \
  BEST_FORM(NAME, bins_dtbl, BINS_DTBL, WORK, PARAMS, __VA_ARGS__)                                 \
  BEST_FORM(NAME, scan_dtbl, SCAN_DTBL, WORK, PARAMS, __VA_ARGS__)                                 \
  KERNEL NAME##_far(WARPFAB_UNPACK PARAMS, Far far) {                                              \
    walk_far(NAME##_work(__VA_ARGS__), far);                                                       \
  }
#define WARPFAB_UNPACK(...) __VA_ARGS__
#define BEST_FORM(NAME, SUFFIX, FORM, WORK, PARAMS, ...)                                           \
  KERNEL NAME##_##SUFFIX(WARPFAB_UNPACK PARAMS, Far far) {                                         \
    share<FORM, WORK, NAME##_launcher>(NAME##_work(__VA_ARGS__),                                   \
                                       NAME##_list(global_thread(), __VA_ARGS__), far);            \
  }

#endif
