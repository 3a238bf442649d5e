// Micro-benchmarks that isolate one property of the memory system each.
#include "warpfab.cuh"

// One thread follows a chain of device addresses, 8 loads per turn so that the loop's own cost
// hardly shows. Reports where it ended and how many cycles the loads after the warm-up took.
DEVICE uint64_t follow(uint64_t at) {
  uint64_t next;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
  return next;
}

KERNEL micro_chase(uint64_t at, uint32_t warm, uint32_t turns, uint64_t *end, uint64_t *cycles) {
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < warm; i++) at = follow(at);
  *end = at; // a use before the clock is read: waits for the last load
  uint64_t begin = clock64();
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) at = follow(at);
  }
  *end = at;
  *cycles = clock64() - begin;
}

// The same chain; the cycles of each load by itself.
KERNEL micro_times(uint64_t at, uint32_t loads, uint64_t *end, uint32_t *cycles) {
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < loads; i++) at = follow(at); // brings them to the L2
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < loads; i++) {
    uint64_t begin = clock64();
    at = follow(at);
    *end = at; // waits for the load
    cycles[i] = (uint32_t)(clock64() - begin);
  }
}

// Every thread adds to one of `words` words, 128 bytes apart, so often.
KERNEL micro_atomics(uint32_t *counts, uint32_t words, uint32_t turns) {
  uint32_t *mine = counts + global_thread() / WARP_LANES % words * 32 + lane_id();
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < turns; i++) atomic_add_if(true, mine, 1, 0);
}

// All threads stream over n words (n a multiple of 16 times the thread count): 16 bytes a lane and
// load, so that a warp reads 512 bytes in a row, four loads in flight each.
typedef uint32_t uint4v __attribute__((ext_vector_type(4)));
DEVICE uint32_t sum_of(uint4v x) {
  return x.x + x.y + x.z + x.w;
}
// Past the L1, whose MSHRs (32 lines an SM) could not cover the latency of DRAM at full bandwidth.
DEVICE uint4v load_cg(const uint4v *at) {
  uint4v x;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
               : "l"(at));
  return x;
}
KERNEL micro_stream(const uint4v *__restrict__ data, uint32_t words, uint32_t *sums) {
  uint32_t threads = grid_dim_x() * block_dim_x(), i = global_thread(), sum = 0, n = words / 4;
#pragma clang loop unroll(disable)
  for (; i < n; i += 4 * threads) {
    uint4v a = load_cg(data + i), b = load_cg(data + i + threads);
    uint4v c = load_cg(data + i + 2 * threads), d = load_cg(data + i + 3 * threads);
    sum += sum_of(a) + sum_of(b) + sum_of(c) + sum_of(d);
  }
  sums[global_thread()] = sum;
}

DEVICE uint32_t scramble(uint32_t x) { // xorshift: period 2^32 - 1
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

// Each warp reads whole 128-byte blocks in an order of its own making, four at a time (shifted
// views of one random word: few instructions per load, so that memory is what limits). blocks: a
// power of two. Used over all SMs (random) and by one SM (noc).
KERNEL micro_random(const uint32_t *__restrict__ data, uint32_t blocks, uint32_t turns,
                    uint32_t *sums) {
  uint32_t state = (global_thread() / WARP_LANES + 1) * 2654435761u | 1, sum = 0;
  uint32_t mask = (blocks - 1) * 128;
  const char *mine = (const char *)(data + lane_id());
#pragma clang loop unroll(disable)
  for (uint32_t t = 0; t < turns; t++) {
    state = scramble(state);
    uint32_t word[4];
#pragma unroll
    for (int k = 0; k < 4; k++) word[k] = *(const uint32_t *)(mine + ((state >> 2 * k) & mask));
    sum += word[0] + word[1] + word[2] + word[3];
  }
  sums[global_thread()] = sum;
}

// Every lane reads a block of its own: 32 misses per load instruction, the most an SM can ask for.
KERNEL micro_mshr(const uint32_t *__restrict__ data, uint32_t blocks, uint32_t turns,
                  uint32_t *sums) {
  uint32_t state = (global_thread() + 1) * 2654435761u | 1, sum = 0;
#pragma clang loop unroll(disable)
  for (uint32_t t = 0; t < turns; t++) {
    state = scramble(state);
    sum += data[(state & (blocks - 1)) * WARP_LANES];
  }
  sums[global_thread()] = sum;
}

// Fused multiply-adds only, eight independent chains a thread: the most a core can burn.
KERNEL micro_compute(float factor, uint32_t turns, float *sums) {
  float x[8];
#pragma unroll
  for (int k = 0; k < 8; k++) x[k] = (float)(int)(lane_id() + (uint32_t)k);
#pragma clang loop unroll(disable)
  for (uint32_t t = 0; t < turns; t++) {
#pragma unroll
    for (int k = 0; k < 8; k++) x[k] = __builtin_fmaf(x[k], factor, 1.0f);
  }
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += x[k];
  sums[global_thread()] = sum;
}
