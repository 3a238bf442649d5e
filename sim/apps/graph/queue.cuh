// A frontier as a queue of vertices. A block collects what it finds in shared memory, and takes
// places for all of it in the next queue at once; what does not fit there goes to the queue
// directly.
#ifndef WARPFAB_QUEUE_CUH
#define WARPFAB_QUEUE_CUH

#include "strategy.cuh"

enum { QUEUE_IDS = 1024 };

DEVICE uint32_t atomic_add(uint32_t *at, uint32_t value) {
  return (uint32_t)__nvvm_atom_add_gen_i((int *)at, (int)value);
}

// What a block finds. size: of all blocks' finds; capacity: ids that shared memory may hold.
struct Queue {
  uint32_t *ids, *size, capacity, *held, *tail; // held, tail: shared

  // All threads of the block call.
  DEVICE_METHOD void begin() const {
    if (thread_x() == 0) *tail = 0;
    barrier();
  }

  // An atomic for all lanes that are here.
  DEVICE_METHOD void push(bool wanted, uint32_t id) const {
    uint32_t all = warp_ballot(wanted);
    if (!all) return;
    uint32_t leader = (uint32_t)__builtin_ctz(all), at = 0;
    if (lane_id() == leader) at = atomic_add(tail, (uint32_t)__builtin_popcount(all));
    at = shuffle(at, leader) + (uint32_t)__builtin_popcount(all & lanes_below());
    if (!wanted) return;
    if (at < capacity)
      held[at] = id;
    else // said to be global: the compiler must not make one store of both
      asm volatile("st.global.u32 [%0], %1;" ::"l"(ids + atomic_add(size, 1)), "r"(id) : "memory");
  }

  // All threads of the block call.
  DEVICE_METHOD void end() const {
    __shared__ uint32_t place;
    barrier();
    uint32_t count = *tail < capacity ? *tail : capacity;
    if (!count) return; // uniform
    if (thread_x() == 0) place = atomic_add(size, count);
    barrier();
    for (uint32_t i = thread_x(); i < count; i += BLOCK) ids[place + i] = held[i];
  }
};

// A thread's vertex in a frontier of which each has `lanes` threads side by side, a power of two:
// the first holds the list. Lists are walked by the warp from WARP_LIST / lanes edges on.
DEVICE bool first_of_lanes(uint32_t size, uint32_t lanes, uint32_t *i) {
  *i = global_thread() / lanes;
  return *i < size && thread_x() % lanes == 0;
}

#define FRONTIER_PARAMS uint32_t size, uint32_t lanes, const uint32_t *__restrict__ frontier
#define QUEUE_PARAMS uint32_t *next, uint32_t *next_size, uint32_t capacity
#define QUEUE                                                                                      \
  __shared__ uint32_t queue_held[QUEUE_IDS], queue_tail;                                           \
  const Queue queue = {next, next_size, capacity, queue_held, &queue_tail};

#endif
