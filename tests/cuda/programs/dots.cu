// Quantized rows: dot products of packed bytes, loads and stores with a cache's hint, sums over
// tiles by cooperative_groups::reduce, remainders and norms.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "common.h"

namespace cg = cooperative_groups;

__global__ void rows(const int *a, const char4 *b, int *out, unsigned short *halves, float4 *norms,
                     int words) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  int sum = 0, mixed = 0;
  for (int w = (int)tile.thread_rank(); w < words; w += 8) {
    const char4 y = __ldcs(b + w);
    sum = __dp4a(__ldcg(a + row * words + w), *(const int *)&y, sum);
    mixed =
        __dp2a_hi(a[row * words + w], w * 0x01030507, __dp2a_lo(w << 14, 77 << (w & 15), mixed));
  }
  sum = cg::reduce(tile, sum, cg::plus<int>());
  const int least = cg::reduce(tile, mixed, cg::less<int>());
  cg::thread_group pair = cg::tiled_partition(cg::this_thread_block(), 2);
  pair.sync();
  if (tile.thread_rank() == 0) __stcg(out + row, sum ^ least);
  __stwt(halves + blockIdx.x * blockDim.x + threadIdx.x,
         (unsigned short)(mixed + (int)pair.thread_rank()));
  if (tile.thread_rank() == 3) {
    const float x = (float)sum, y = (float)(row + 1) * 0.75f;
    int n;
    const float rest = remquof(x, y, &n);
    float4 v = make_float4(remainderf(x, y) - rest, rest, norm3df(x, y, 2), norm4df(x, y, 2, 3));
    v.x += (float)(n & 7);
    __stcs(norms + row, v);
  }
}

int main() {
  const int n = 64, words = 40;
  std::vector<int> a(n * words), b(words), out(n);
  std::vector<unsigned short> halves(n * 8);
  std::vector<float4> norms(n);
  for (auto &v : a) v = (int)random_word();
  for (auto &v : b) v = (int)random_word();
  int *da = to_device(a), *db = to_device(b), *dout = to_device(out);
  unsigned short *dhalves = to_device(halves);
  float4 *dnorms = to_device(norms);
  rows<<<n / 16, 128>>>(da, (const char4 *)db, dout, dhalves, dnorms, words);
  CHECK(cudaDeviceSynchronize());
  to_host(out, dout);
  to_host(halves, dhalves);
  to_host(norms, dnorms);
  show("out", out);
  for (int i = 0; i < n * 8; i += 37) printf("%d ", halves[i]);
  for (int i = 0; i < n; i += 5)
    printf("\n%.9g %.9g %.9g %.9g", norms[i].x, norms[i].y, norms[i].z, norms[i].w);
  printf("\n");
}
