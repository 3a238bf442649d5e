// What an SM has in flight at once, seen from outside (lat.c).
#include "warpfab.cuh"

// Past the L1, and without one of its MSHRs.
DEVICE uint32_t load_past(const uint32_t *at) {
  uint32_t word;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
  return word;
}
DEVICE uint32_t load_now(const uint32_t *at) {
  uint32_t word;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
  return word;
}

// Thread latency: so many threads of one block load LOADS lines each, all between two readings of
// the clock. lines: for each load and thread of 1,024, whose line.
template <int LOADS>
DEVICE void latency(const uint32_t *data, const uint32_t *lines, uint32_t *sums,
                    uint32_t *cycles) {
  const uint32_t *at[LOADS];
  uint32_t word[LOADS], sum = 0;
#pragma unroll
  for (int k = 0; k < LOADS; k++) at[k] = data + load_past(lines + 1024 * k + thread_x()) * 32;
#pragma unroll
  for (int k = 0; k < LOADS; k++)
    asm volatile("add.u64 %0, %0, 0;" : "+l"(at[k])); // computed before the clock is read
  barrier();
  const uint64_t begin = clock64();
#pragma unroll
  for (int k = 0; k < LOADS; k++) word[k] = load_now(at[k]);
#pragma unroll
  for (int k = 0; k < LOADS; k++) sum += word[k];
  asm volatile("xor.b32 %0, %0, 0;" : "+r"(sum)); // used before the barrier
  barrier();
  const uint32_t took = (uint32_t)(clock64() - begin);
  sums[thread_x()] = sum;
  if (thread_x() == 0) *cycles = took;
}
#define LATENCY(N)                                                                                 \
  KERNEL micro_lat##N(const uint32_t *data, const uint32_t *lines, uint32_t *sums,                 \
                      uint32_t *cycles) {                                                          \
    latency<N>(data, lines, sums, cycles);                                                         \
  }
LATENCY(1)
LATENCY(2)
LATENCY(3)
LATENCY(4)
