// A radix sort, two bits a pass: counts by votes, places by a sum over blocks.
#include <algorithm>

#include "common.h"

enum { BLOCK = 128, WARPS = BLOCK / 32, DIGITS = 4 };

// How many of the block's keys before mine have my digit, and the block's count of each digit.
__device__ unsigned rank_of(unsigned digit, bool there, unsigned counts[WARPS][DIGITS]) {
  unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32, before = 0;
  for (unsigned d = 0; d < DIGITS; d++) {
    unsigned votes = __ballot_sync(0xffffffff, there && digit == d);
    if (digit == d) before = __popc(votes & ((1u << lane) - 1));
    if (lane == 0) counts[warp][d] = __popc(votes);
  }
  __syncthreads();
  for (unsigned w = 0; w < warp; w++) before += counts[w][digit];
  return before;
}

__global__ void count(const unsigned *keys, int n, int shift, unsigned *table) {
  __shared__ unsigned counts[WARPS][DIGITS];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  rank_of(i < n ? keys[i] >> shift & 3 : 0, i < n, counts);
  if (threadIdx.x < DIGITS) {
    unsigned sum = 0;
    for (int w = 0; w < WARPS; w++) sum += counts[w][threadIdx.x];
    table[threadIdx.x * gridDim.x + blockIdx.x] = sum;
  }
}

__global__ void sum_up(unsigned *table, int n) { // one warp
  unsigned total = 0;
  for (int base = 0; base < n; base += 32) {
    int i = base + threadIdx.x;
    unsigned mine = i < n ? table[i] : 0, sum = mine;
    for (int by = 1; by < 32; by *= 2) {
      unsigned other = __shfl_up_sync(0xffffffff, sum, by);
      if ((int)threadIdx.x >= by) sum += other;
    }
    if (i < n) table[i] = total + sum - mine;
    total += __shfl_sync(0xffffffff, sum, 31);
  }
}

__global__ void place(const unsigned *keys, unsigned *to, int n, int shift, const unsigned *table) {
  __shared__ unsigned counts[WARPS][DIGITS];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  unsigned key = i < n ? keys[i] : 0, digit = key >> shift & 3;
  unsigned rank = rank_of(digit, i < n, counts);
  if (i < n) to[table[digit * gridDim.x + blockIdx.x] + rank] = key;
}

int main() {
  const int n = 3000, blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<unsigned> keys(n), expected;
  for (auto &k : keys) k = random_word() & 0xfff;
  expected = keys;
  std::sort(expected.begin(), expected.end());
  unsigned *a = to_device(keys), *b = to_device(keys), *table;
  CHECK(cudaMalloc(&table, DIGITS * blocks * sizeof *table));
  for (int shift = 0; shift < 12; shift += 2) {
    count<<<blocks, BLOCK>>>(a, n, shift, table);
    sum_up<<<1, 32>>>(table, DIGITS * blocks);
    place<<<blocks, BLOCK>>>(a, b, n, shift, table);
    std::swap(a, b);
  }
  to_host(keys, a);
  show("sorted", keys);
  puts(keys == expected ? "right" : "wrong");
  return keys != expected;
}
