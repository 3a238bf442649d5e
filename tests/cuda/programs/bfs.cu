// Levels of a graph, a launch each, until no thread found anything new.
#include "common.h"

__global__ void level_of(const int *__restrict__ start, const int *__restrict__ column, int *level,
                         int n, int now, int *more) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != now) return;
  for (int e = start[v]; e < start[v + 1]; e++) {
    int to = column[e];
    if (level[to] < 0) {
      level[to] = now + 1;
      *more = 1;
    }
  }
}

int main() {
  const int n = 3000;
  rows g = random_rows(n, 6);
  std::vector<int> level(n, -1);
  level[0] = 0;
  int *start = to_device(g.start), *column = to_device(g.column), *dl = to_device(level), *more,
      now = 0;
  CHECK(cudaMalloc(&more, sizeof *more));
  for (int go = 1; go; now++) {
    go = 0;
    CHECK(cudaMemcpy(more, &go, sizeof go, cudaMemcpyHostToDevice));
    level_of<<<(n + 127) / 128, 128>>>(start, column, dl, n, now, more);
    CHECK(cudaMemcpy(&go, more, sizeof go, cudaMemcpyDeviceToHost));
  }
  to_host(level, dl);
  printf("%d levels\n", now);
  show("level", level);
}
