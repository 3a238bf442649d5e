// Cooperative groups: tiles, votes, lanes that are here together.
#include <cooperative_groups.h>

#include "common.h"

namespace cg = cooperative_groups;

template <unsigned N> __device__ int tile_sum(cg::thread_block_tile<N> tile, int v) {
  for (unsigned by = N / 2; by > 0; by /= 2) v += tile.shfl_down(v, by);
  return tile.shfl(v, 0);
}

__global__ void sums(const int *in, int *out, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  auto warp = cg::tiled_partition<32>(block);
  unsigned i = block.group_index().x * block.size() + block.thread_rank();
  int v = i < (unsigned)n ? in[i] : 0;
  int small = tile_sum(tile, v), large = tile_sum(warp, v);
  unsigned odd = tile.ballot(v & 1);
  block.sync();
  if (i < (unsigned)n)
    out[i] = small * 100 + large + (int)odd + warp.any(v > 95) * 7 + tile.all(v > 3) * 5;
}

int main() {
  const int n = 1024;
  std::vector<int> in(n), out(n);
  for (auto &v : in) v = (int)(random_word() % 100);
  int *di = to_device(in), *dout = to_device(out);
  sums<<<n / 128, 128>>>(di, dout, n);
  to_host(out, dout);
  show("sums", out);
}
