// The cheapest way through a grid from row to row, some rows a launch with a margin that shrinks.
#include <utility>

#include "common.h"

enum { BLOCK = 128, STEPS = 4 };

__global__ void rows_down(const int *wall, const int *from, int *to, int columns, int row,
                          int steps) {
  __shared__ int before[BLOCK], now[BLOCK];
  int inner = BLOCK - 2 * steps, x = (int)blockIdx.x * inner + (int)threadIdx.x - steps;
  bool there = x >= 0 && x < columns;
  int t = threadIdx.x;
  before[t] = there ? from[x] : 1 << 28;
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    bool work = there && t > s && t < BLOCK - 1 - s;
    if (work) {
      int least = min(before[t], min(before[t - 1], before[t + 1]));
      now[t] = least + wall[(row + s) * columns + x];
    }
    __syncthreads();
    before[t] = work ? now[t] : 1 << 28;
    __syncthreads();
  }
  if (there && t >= steps && t < BLOCK - steps) to[x] = before[t];
}

int main() {
  const int columns = 1000, rows = 21;
  std::vector<int> wall(columns * rows), best(columns), expected(columns);
  for (auto &v : wall) v = (int)(random_word() % 10);
  for (int x = 0; x < columns; x++) best[x] = expected[x] = wall[x];
  int *dw = to_device(wall), *a = to_device(best), *b = to_device(best);
  for (int row = 1; row < rows; row += STEPS) {
    int inner = BLOCK - 2 * STEPS;
    rows_down<<<(columns + inner - 1) / inner, BLOCK>>>(dw, a, b, columns, row, STEPS);
    std::swap(a, b);
  }
  to_host(best, a);
  for (int row = 1; row < rows; row++) {
    std::vector<int> next(columns);
    for (int x = 0; x < columns; x++) {
      int least = expected[x];
      if (x) least = min(least, expected[x - 1]);
      if (x < columns - 1) least = min(least, expected[x + 1]);
      next[x] = least + wall[row * columns + x];
    }
    expected = next;
  }
  show("cheapest", best);
  puts(best == expected ? "right" : "wrong");
  return best != expected;
}
