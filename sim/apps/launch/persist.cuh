// The form of persistent threads: as many blocks as the GPU holds stay for all of a launch. A warp
// takes 32 lists at a time; those of `from` items on go in chunks into a queue in global memory,
// from which blocks take a chunk each when there are no more lists to take. A thread of each block
// looks there until all lists were seen and the queue is empty; the others wait for it, since looks
// of all warps would leave the L2 slice no time for anything else.
#ifndef WARPFAB_PERSIST_CUH
#define WARPFAB_PERSIST_CUH

#include "share.cuh"

// Words of the state, in a line of a partition of its own each.
enum { APART = 64, PT_NEXT = 0, PT_SEEN = APART, PT_SIZE = 2 * APART, PT_TAKEN = 3 * APART };

// As wf_launch_persist. A chunk is there when its word of `there` is 1.
struct Persist {
  uint32_t *state;
  void *queue;
  uint32_t *there, lists, from, chunk, tickets;
};

DEVICE uint32_t fresh(const uint32_t *at) {
  return fresh_if(true, at, 0);
}

// One for the warp: what was there before. All lanes call.
DEVICE uint32_t take(uint32_t *at, uint32_t count) {
  uint32_t first = 0;
  if (lane_id() == 0) first = atomic_add(at, count);
  return shuffle(first, 0);
}

// All lanes call; what they wrote before is seen by who sees the chunks.
template <class List> DEVICE void queue_chunks(const Persist &p, const List &list, bool mine) {
  uint32_t total, start = scan_lanes(mine ? (list.n + p.chunk - 1) / p.chunk : 0, &total);
  uint32_t base = take(p.state + PT_SIZE, total);
  FarPart<List> *queue = (FarPart<List> *)p.queue + base;
#pragma clang loop unroll(disable)
  for (uint32_t row = 0; row < total; row += WARP_LANES) {
    uint32_t i = row + lane_id(), owner = owner_of(start, i);
    FarPart<List> part = {shuffle_words(list, owner), (i - shuffle(start, owner)) * p.chunk};
    bool more = part.list.n > part.begin + p.chunk;
    if (more) part.list.n = part.begin + p.chunk;
    if (i < total) queue[i] = part;
    asm volatile("membar.gl;" ::: "memory");
    if (i < total) p.there[base + i] = 1;
  }
}

template <class Work>
DEVICE void own_lists(const Work &work, typename Work::List list, const Persist &p) {
  bool mine = list.n >= p.from;
  if (warp_any(mine)) {
    queue_chunks(p, list, mine);
    if (mine) list.n = 0;
  }
  long_ones(work, &list, WARP_LIST);
  by_thread(work, list);
}

// Waits for the chunk of this ticket; false: there is none and will be none.
DEVICE bool wait_for_chunk(const Persist &p, uint32_t ticket) {
  const uint32_t all = (p.lists + WARP_LANES - 1) / WARP_LANES;
#pragma clang loop unroll(disable)
  while (!fresh(p.there + ticket))
    if (fresh(p.state + PT_SEEN) == all && fresh(p.state + PT_SIZE) <= ticket) return false;
  asm volatile("membar.gl;" ::: "memory");
  return true;
}

enum : uint32_t { NO_TICKET = 0xffffffff };
// The block's next chunk, or NO_TICKET. All threads call.
DEVICE uint32_t next_chunk(const Persist &p) {
  __shared__ volatile uint32_t got;
  barrier(); // all have read the last one
  if (thread_x() == 0) {
    uint32_t ticket = atomic_add(p.state + PT_TAKEN, 1);
    got = wait_for_chunk(p, ticket) ? ticket : NO_TICKET;
  }
  barrier();
  return got;
}

// Written by another block in this launch: past the L1, a word a lane.
template <class List> DEVICE FarPart<List> chunk_at(const Persist &p, uint32_t ticket) {
  typedef Words<FarPart<List>> Part;
  const uint32_t *word = ((const Part *)p.queue)[ticket].word;
  uint32_t mine = fresh_if(lane_id() < Part::COUNT, word + lane_id(), 0);
  Part part;
#pragma unroll
  for (int i = 0; i < Part::COUNT; i++) part.word[i] = shuffle(mine, i);
  return __builtin_bit_cast(FarPart<List>, part);
}

// The warp's part of the block's chunk.
template <class Work> DEVICE void by_block(const Work &work, FarPart<typename Work::List> part) {
  uint32_t share = (part.list.n - part.begin + FAR_BLOCK - 1) / FAR_BLOCK * WARP_LANES;
  part.begin += warp_in_block() * share;
  if (part.list.n > part.begin + share) part.list.n = part.begin + share;
  if (part.begin < part.list.n) by_warp(work, part.list, part.begin, false);
}

// list(i): the i-th thread's list, n = 0 if it has none.
template <class Work, class Lists>
DEVICE void persist(const Work &work, Lists list, const Persist &p) {
#pragma clang loop unroll(disable)
  for (uint32_t i; (i = take(p.state + PT_NEXT, WARP_LANES)) < p.lists;) {
    own_lists(work, list(i + lane_id()), p);
    if (lane_id() == 0) reduce_add(p.state + PT_SEEN, 1);
  }
#pragma clang loop unroll(disable)
  for (uint32_t ticket; (ticket = next_chunk(p)) != NO_TICKET;)
    by_block(work, chunk_at<typename Work::List>(p, ticket));
}

// Kernel NAME_pt, from NAME_work and NAME_list as IN_BEST_FORMS takes them.
#define IN_PERSISTENT_FORM(NAME, PARAMS, ...)                                                      \
  KERNEL NAME##_pt(WARPFAB_UNPACK PARAMS, Persist persistent) {                                    \
    persist(                                                                                       \
        NAME##_work(__VA_ARGS__), [&](uint32_t i) { return NAME##_list(i, __VA_ARGS__); },         \
        persistent);                                                                               \
  }

#endif
