// Shortest ways by relaxation, atomicMin on distances, until nothing gets shorter. Managed memory.
#include "common.h"

__global__ void relax(const int *start, const int *column, const int *length, unsigned *distance,
                      int n, int *more) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || distance[v] == 0xffffffffu) return;
  for (int e = start[v]; e < start[v + 1]; e++) {
    unsigned there = distance[v] + (unsigned)length[e];
    if (atomicMin(&distance[column[e]], there) > there) *more = 1;
  }
}

int main() {
  const int n = 1200;
  rows g = random_rows(n, 6);
  std::vector<int> length(g.column.size());
  for (auto &l : length) l = 1 + (int)(random_word() % 20);
  int *start = to_device(g.start), *column = to_device(g.column), *dl = to_device(length), *more;
  unsigned *distance;
  CHECK(cudaMallocManaged(&distance, n * sizeof *distance));
  CHECK(cudaMallocManaged(&more, sizeof *more));
  for (int v = 0; v < n; v++) distance[v] = v ? 0xffffffffu : 0;
  do {
    *more = 0;
    relax<<<(n + 127) / 128, 128>>>(start, column, dl, distance, n, more);
    CHECK(cudaDeviceSynchronize());
  } while (*more);
  std::vector<unsigned> result(distance, distance + n);
  show("distance", result);
  CHECK(cudaFree(distance));
  CHECK(cudaFree(more));
}
