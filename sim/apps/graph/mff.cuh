// The memory fast-forward unit's operations. All lanes of the warp call together; a lane that wants
// nothing passes size 0. Bases of C, V and the bit vector are registers that the host writes.
#ifndef WARPFAB_MFF_CUH
#define WARPFAB_MFF_CUH

#include "warpfab.cuh"

enum { MFF_MAX_SIZE = 32 };

// Word i will be at target[i]; target: in shared memory, each lane its own. Does not wait.
DEVICE void mff_gather(uint32_t *target, uint32_t c_index, uint32_t size) {
  asm volatile("mff.gather.b32 [%0], %1, %2;" ::"l"(target), "r"(c_index), "r"(size) : "memory");
}

// Waits until all gathers of this warp have delivered.
DEVICE void mff_wait() {
  asm volatile("mff.wait;" ::: "memory");
}

// Sets bit C[c_index + i] of the bit vector for i < size. Does not wait; the end of the kernel
// does.
DEVICE void mff_scatter_set(uint32_t c_index, uint32_t size) {
  asm volatile("mff.scatter_set %0, %1;" ::"r"(c_index), "r"(size) : "memory");
}

// The whole list of this lane, in calls of at most 32. The warp stays together until its longest
// list is done.
DEVICE void mff_scatter_list(uint32_t c_index, uint32_t count) {
  while (warp_any(count != 0)) {
    uint32_t size = count < MFF_MAX_SIZE ? count : MFF_MAX_SIZE;
    mff_scatter_set(c_index, size);
    c_index += size;
    count -= size;
  }
}

// Dynamic shared memory: an area for each warp of the block, 32 rows of 16 words and one spare.
extern __shared__ uint32_t wf_shared[];
enum { MFF_AREA_WORDS = 32 * 17, MFF_GROUP = 8 };

// Gathers this lane's list V[C[c_index .. + count)] in rounds, and gives group(at, first, size) up
// to MFF_GROUP words at a time: at[j] for j < size, first = their place in C; size <= 0: nothing
// for this lane, size > MFF_GROUP: more to come. all: size >= MFF_GROUP or <= 0 in all lanes. While
// many lanes have something left, each gets few words a round; the fewer they are, the more: the
// area leaves 16 warps resident in an SM, and a long list alone has 256 words on their way. Rows
// have an odd number of words, so that lanes reading their j-th words meet no bank conflict.
template <class Group> DEVICE void mff_gather_list(uint32_t c_index, uint32_t count, Group group) {
  uint32_t *area = wf_shared + warp_in_block() * MFF_AREA_WORDS;
  for (;;) {
    uint32_t active = warp_ballot(count != 0);
    if (!active) return;
    uint32_t lanes = (uint32_t)__builtin_popcount(active);
    uint32_t row = lanes > 16 ? 16 : lanes > 8 ? 32 : lanes > 4 ? 64 : lanes > 2 ? 128 : 256;
    uint32_t rank = (uint32_t)__builtin_popcount(active & lanes_below());
    uint32_t *mine = area + (count ? rank : 0) * (row + 1);
    uint32_t words = count < row ? count : row;
#pragma clang loop unroll(disable)
    for (uint32_t done = 0; warp_any(done < words); done += MFF_MAX_SIZE) {
      uint32_t left = words > done ? words - done : 0;
      mff_gather(mine + done, c_index + done, left < MFF_MAX_SIZE ? left : MFF_MAX_SIZE);
    }
    mff_wait();
#pragma clang loop unroll(disable)
    for (uint32_t g = 0; warp_any(g < words); g += MFF_GROUP) {
      int size = (int)(words - g);
      group(mine + g, c_index + g, size, !warp_any(size > 0 && size < MFF_GROUP));
    }
    c_index += words;
    count -= words;
  }
}

#endif
