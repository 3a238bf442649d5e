// Sums over tiles that pass through shared memory: `plain` loads a tile into registers, stores it
// and adds it up; `ahead` has the next tile copied meanwhile (cp.async). A block of 128 threads has
// `tiles` tiles of 512 words.
#include "warpfab.cuh"

enum { THREADS = 128, TILE = 512 };
__shared__ __attribute__((aligned(16))) uint32_t tile[2][TILE];

DEVICE void copy16(const uint32_t *to, const uint32_t *from, uint32_t bytes) {
  uint64_t at;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((uint32_t)at), "l"(from),
               "r"(bytes)
               : "memory");
}

DEVICE uint32_t add_up(const uint32_t *of) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < TILE / THREADS; k++) sum += of[thread_x() + THREADS * k];
  return sum;
}

KERNEL plain(const uint32_t *in, uint32_t *out, uint32_t tiles) {
  const uint32_t *from = in + (uint64_t)block_x() * tiles * TILE;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < tiles; i++) {
    uint32_t word[TILE / THREADS];
    for (uint32_t k = 0; k < TILE / THREADS; k++)
      word[k] = from[i * TILE + thread_x() + THREADS * k];
    for (uint32_t k = 0; k < TILE / THREADS; k++) tile[0][thread_x() + THREADS * k] = word[k];
    barrier();
    sum += add_up(tile[0]);
    barrier();
  }
  out[global_thread()] = sum;
}

// The tile after the last is zeros: nothing is read.
KERNEL ahead(const uint32_t *in, uint32_t *out, uint32_t tiles) {
  const uint32_t *from = in + (uint64_t)block_x() * tiles * TILE + 4 * thread_x();
  uint32_t sum = 0;
  copy16(&tile[0][4 * thread_x()], from, 16);
  asm volatile("cp.async.commit_group;" ::: "memory");
  for (uint32_t i = 0; i <= tiles; i++) {
    copy16(&tile[(i + 1) & 1][4 * thread_x()], from + (i + 1) * TILE, i + 1 < tiles ? 16 : 0);
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;" ::: "memory");
    barrier();
    sum += add_up(tile[i & 1]);
    barrier();
  }
  out[global_thread()] = sum;
}
