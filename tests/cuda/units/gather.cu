// Sums over lists, V[C[..]]: by the mff unit where it is, by loads elsewhere.
#include <warpfab_units.h>

#include "../programs/common.h"

enum { BLOCK = 64, ROW = 33 };

__global__ void sums(const int *start, const int *column, const unsigned *value, unsigned *out,
                     int n) {
  int v = blockIdx.x * BLOCK + threadIdx.x;
  unsigned first = v < n ? start[v] : 0, count = v < n ? start[v + 1] - first : 0, sum = 0;
#ifdef WARPFAB_UNIT_mff
  __shared__ unsigned area[BLOCK * ROW];
  unsigned *mine = area + threadIdx.x * ROW;
  while (__any_sync(0xffffffff, count != 0)) {
    unsigned size = min(count, 32u);
    mff_gather(mine, first, size);
    mff_wait();
    for (unsigned i = 0; i < size; i++) sum += mine[i];
    first += size;
    count -= size;
  }
#else
  for (unsigned i = 0; i < count; i++) sum += value[column[first + i]];
#endif
  if (v < n) out[v] = sum;
}

int main() {
  const int n = 800;
  rows g = random_rows(n, 6);
  std::vector<unsigned> value(n), out(n);
  for (auto &v : value) v = random_word();
  int *start = to_device(g.start), *column = to_device(g.column);
  unsigned *dv = to_device(value), *dout = to_device(out);
  if (warpfabHasUnit("mff")) {
    CHECK(warpfabUnitBase("mff", "c_base", column));
    CHECK(warpfabUnitBase("mff", "v_base", dv));
  }
  sums<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(start, column, dv, dout, n);
  to_host(out, dout);
  show("sums", out);
}
