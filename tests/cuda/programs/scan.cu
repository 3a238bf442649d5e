// Exclusive prefix sums: of each block, of the blocks' sums, and both together.
#include "common.h"

enum { BLOCK = 256 };

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums, int n) {
  __shared__ unsigned now[2][BLOCK];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t, from = 0;
  unsigned mine = i < n ? in[i] : 0;
  now[0][t] = mine;
  __syncthreads();
  for (int by = 1; by < BLOCK; by *= 2, from ^= 1) {
    now[from ^ 1][t] = now[from][t] + (t >= by ? now[from][t - by] : 0);
    __syncthreads();
  }
  if (i < n) out[i] = now[from][t] - mine;
  if (t == BLOCK - 1) sums[blockIdx.x] = now[from][t];
}

__global__ void add_sums(unsigned *out, const unsigned *__restrict__ sums, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] += __ldg(&sums[blockIdx.x]);
}

int main() {
  const int n = 12345, blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<unsigned> in(n), out(n), expected(n);
  for (auto &v : in) v = random_word() % 10;
  for (int i = 1; i < n; i++) expected[i] = expected[i - 1] + in[i - 1];
  unsigned *di = to_device(in), *dout = to_device(out), *sums, *offsets, *total;
  CHECK(cudaMalloc(&sums, blocks * sizeof *sums));
  CHECK(cudaMalloc(&offsets, blocks * sizeof *offsets));
  CHECK(cudaMalloc(&total, sizeof *total));
  scan_blocks<<<blocks, BLOCK>>>(di, dout, sums, n);
  scan_blocks<<<1, BLOCK>>>(sums, offsets, total, blocks);
  add_sums<<<blocks, BLOCK>>>(dout, offsets, n);
  to_host(out, dout);
  show("scan", out);
  puts(out == expected ? "right" : "wrong");
  return out != expected;
}
