// Long lists are given to blocks that threads launch: grids, or groups with the dtbl unit.
#include <warpfab_units.h>

#include "../programs/common.h"

struct part {
  const int *column;
  unsigned *count;
  int n;
};

extern "C" __global__ void count_part(part p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) atomicAdd(&p.count[p.column[i]], 1u);
}

__global__ void count(const int *start, const int *column, unsigned *count, int n, int *launched) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  const part p = {column + start[v], count, start[v + 1] - start[v]};
  if (p.n >= 32) {
    void *buffer = launch_buffer(p);
#ifdef WARPFAB_UNIT_dtbl
    cudaError_t error = launch_group(count_part, buffer, (p.n + 31) / 32, 32, 0);
#else
    cudaError_t error = launch_grid(count_part, buffer, (p.n + 31) / 32, 32, 0);
#endif
    if (buffer && error == cudaSuccess) {
      atomicAdd(launched, 1);
      return;
    }
  }
  for (int i = 0; i < p.n; i++) atomicAdd(&count[p.column[i]], 1u);
}

int main() {
  const int n = 1500;
  rows g = random_rows(n, 5);
  std::vector<unsigned> counts(n), expected(n);
  std::vector<int> launched(1);
  for (int c : g.column) expected[c]++;
  int *start = to_device(g.start), *column = to_device(g.column), *dl = to_device(launched);
  unsigned *dc = to_device(counts);
  count<<<(n + 127) / 128, 128>>>(start, column, dc, n, dl);
  CHECK(cudaDeviceSynchronize());
  to_host(counts, dc);
  to_host(launched, dl);
  show("counts", counts);
  printf("%d lists launched, %s\n", launched[0], counts == expected ? "right" : "wrong");
  return counts != expected;
}
