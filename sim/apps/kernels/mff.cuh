// The memory fast-forward unit's operations. All lanes of the warp call together; a lane that wants
// nothing passes size 0. Bases of C, V and the bit vector are registers that the host writes.
#ifndef WARPFAB_MFF_CUH
#define WARPFAB_MFF_CUH

#include "warpfab.cuh"

enum { MFF_MAX_SIZE = 32 };

// Word i of lane l will be at target[i * 32 + l]: lanes that read the same i meet no bank conflict.
// Does not wait. target: in shared memory, the same in all lanes; c_index: first element of C.
DEVICE void mff_gather(uint32_t *target, uint32_t c_index, uint32_t size) {
  asm volatile("mff.gather.b32 [%0], %1, %2;" ::"l"(target), "r"(c_index), "r"(size) : "memory");
}

// Waits until all gathers of this warp have delivered.
DEVICE void mff_wait() { asm volatile("mff.wait;" ::: "memory"); }

// Sets bit C[c_index + i] of the bit vector for i < size. Does not wait; the end of the kernel does.
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

// Dynamic shared memory: BUFFERS areas of CHUNK x 32 words for each warp of the block.
extern __shared__ uint32_t wf_shared[];

// Gathers this lane's list V[C[c_index .. + count)] in pieces of CHUNK words and gives each piece to
// consume(area, first, size), element i at area[i * 32 + lane], first = its place in C. With two
// buffers the next piece is on its way while one is consumed. before(first, size) runs between the
// request and the wait: the place for the thread's own loads.
template <int CHUNK, int BUFFERS, class Before, class Consume>
DEVICE void mff_gather_list(uint32_t c_index, uint32_t count, Before before, Consume consume) {
  uint32_t *area = wf_shared + warp_in_block() * (BUFFERS * CHUNK * WARP_LANES);
  const uint32_t other = CHUNK * WARP_LANES;
  if (BUFFERS == 1) {
    while (warp_any(count != 0)) {
      uint32_t size = count < CHUNK ? count : CHUNK;
      mff_gather(area, c_index, size);
      before(c_index, size);
      mff_wait();
      consume(area, c_index, size);
      c_index += size;
      count -= size;
    }
    return;
  }
  uint32_t size = count < CHUNK ? count : CHUNK, which = 0;
  if (!warp_any(count != 0)) return;
  mff_gather(area, c_index, size);
  for (;;) {
    uint32_t next_index = c_index + size, left = count - size;
    uint32_t next_size = left < CHUNK ? left : CHUNK;
    bool more = warp_any(left != 0);
    before(c_index, size);
    mff_wait();
    if (more) mff_gather(area + (which ^ other), next_index, next_size);
    consume(area + which, c_index, size);
    if (!more) return;
    which ^= other;
    c_index = next_index;
    count = left;
    size = next_size;
  }
}

// The shared-memory variants that the host chooses from, as NAME_c<chunk>_b<buffers>.
#define MFF_VARIANTS(X) X(8, 1) X(16, 1) X(32, 1) X(8, 2) X(16, 2)

#endif
