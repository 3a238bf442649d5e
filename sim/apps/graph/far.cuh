// Far vertices of shortest paths in equal shares (Davidson, Baxter, Garland and Owens, IPDPS 2014):
// what falls, but not to a limit, is kept until nothing nearer is left and the limit rises. An
// entry whose vertex has fallen further since is stale.
#ifndef WARPFAB_FAR_CUH
#define WARPFAB_FAR_CUH

#include "shares.cuh"

struct FarEntry {
  uint32_t v, value;
};
enum { FAR_NONE = 0xfffffffe }; // a limit up to which all values are
enum { FAR_SIZES = 3 }; // of the pile that is read, of the one that is filled, and one cleared

// Two piles of `capacity` in turn: each sorting swaps them. In shared memory, as Shares are.
enum { FAR_ENTRIES, FAR_COUNTS, FAR_CAPACITY, FAR_SORTS, FAR_KEPT };
struct FarPiles {
  volatile uint64_t *kept;
  // The pile after so many more sortings, and its size.
  DEVICE_METHOD FarEntry *pile(uint32_t more) const {
    return (FarEntry *)kept[FAR_ENTRIES] + (kept[FAR_SORTS] + more) % 2 * kept[FAR_CAPACITY];
  }
  DEVICE_METHOD uint32_t *size(uint32_t more) const {
    return (uint32_t *)kept[FAR_COUNTS] + ((uint32_t)kept[FAR_SORTS] + more) % FAR_SIZES;
  }
  // All threads of the block call, behind and before a barrier.
  DEVICE_METHOD void sorted() const {
    if (thread_x() == 0) kept[FAR_SORTS] = kept[FAR_SORTS] + 1;
    barrier();
  }
};
#define FAR_PARAMS FarEntry *far, uint32_t *far_sizes, uint32_t far_capacity, uint32_t far_delta
#define FAR_ARGS far, far_sizes, far_capacity, far_delta
#define FAR_PILES                                                                                  \
  __shared__ volatile uint64_t far_kept[FAR_KEPT];                                                 \
  if (thread_x() == 0) {                                                                           \
    far_kept[FAR_ENTRIES] = (uint64_t)far;                                                         \
    far_kept[FAR_COUNTS] = (uint64_t)far_sizes;                                                    \
    far_kept[FAR_CAPACITY] = far_capacity;                                                         \
    far_kept[FAR_SORTS] = 0;                                                                       \
  }                                                                                                \
  barrier();                                                                                       \
  const FarPiles piles = {far_kept};

DEVICE FarEntry fresh_far_if(bool wanted, const FarEntry *at) {
  uint32_t v = 0, value = 0;
  asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0; "
               "@wanted ld.global.cg.v2.u32 {%0, %1}, [%2]; }"
               : "+r"(v), "+r"(value)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return FarEntry{v, value};
}

// Each lane's N entries that are wanted join the pile after `more` sortings. All lanes call.
template <int N>
DEVICE void far_push(const FarPiles &far, uint32_t more, const bool (&wanted)[N],
                     const uint32_t (&v)[N], const uint32_t (&value)[N]) {
  uint32_t mask[N], all = 0, at = 0;
#pragma unroll
  for (int u = 0; u < N; u++) {
    mask[u] = warp_ballot(wanted[u]);
    all += (uint32_t)__builtin_popcount(mask[u]);
  }
  if (!all) return;
  if (lane_id() == 0) at = atomic_add(far.size(more), all);
  at = shuffle(at, 0);
  FarEntry *pile = far.pile(more);
#pragma unroll
  for (int u = 0; u < N; u++) {
    const uint32_t place = at + (uint32_t)__builtin_popcount(mask[u] & lanes_below());
    if (wanted[u]) pile[place] = FarEntry{v[u], value[u]};
    at += (uint32_t)__builtin_popcount(mask[u]);
  }
}

// What of `count` far vertices is not stale joins the frontier `to` up to the limit, else the other
// pile. All threads of the grid call, then meet.
DEVICE void far_sort(const FarPiles &far, uint32_t count, uint32_t limit, const uint32_t *value,
                     const uint32_t *row, const ShareSide &to, ShareSlot *slot) {
  if (global_thread() == 0) *far.size(2) = 0;
  for (uint32_t i = global_thread(); i - lane_id() < count; i += grid_dim_x() * SHARE_BLOCK) {
    const FarEntry entry = fresh_far_if(i < count, far.pile(0) + i);
    const uint32_t now = fresh_if(i < count, value + entry.v, 0);
    const bool here = i < count && now == entry.value, near = here && now <= limit;
    const uint32_t v[1] = {entry.v}, values[1] = {now}, start[1] = {load_if(near, row + v[0], 0)};
    const uint32_t lists[1] = {near ? load_if(near, row + v[0] + 1, 0) - start[0] : 0};
    const bool stays[1] = {here && !near};
    share_push(to, slot, start, lists, v);
    far_push(far, 1, stays, v, values);
  }
}

#endif
