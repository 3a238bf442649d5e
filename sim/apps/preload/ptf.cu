// Cheapest way down a grid, row by row, as in Rodinia's pathfinder: blocks of 256.
#include "suite.cuh"

enum { BLOCK = 256 };

DEVICE int smaller(int a, int b) {
  return a < b ? a : b;
}

// One row: a cell's way comes from one of the three above.
KERNEL ptf_plain(const int *__restrict__ wall, const int *__restrict__ above, int *out, int cols,
                 int row) {
  int x = (int)global_x();
  if (x >= cols) return;
  const int *at = above + x;
  int best = at[0];
  if (x > 0) best = smaller(best, at[-1]);
  if (x < cols - 1) best = smaller(best, at[1]);
  out[x] = wall[row * cols + x] + best;
}

// Several rows at once, as in Rodinia: with each, a cell less is right at both ends; blocks overlap
// by as many.
KERNEL ptf_shared(const int *__restrict__ wall, const int *__restrict__ above, int *out, int cols,
                  int row, int turns) {
  __shared__ int now[BLOCK];
  __shared__ int next[BLOCK];
  int tx = (int)thread_x();
  int small = BLOCK - 2 * turns;
  int x = (int)block_x() * small - turns + tx;
  bool inside = x >= 0 && x < cols;
  int left = x > 0 ? tx - 1 : tx;
  int right = x < cols - 1 ? tx + 1 : tx;
  if (inside) now[tx] = above[x];
  __syncthreads();
  bool done = false;
  for (int i = 0; i < turns; i++) {
    done = inside && tx > i && tx < BLOCK - 1 - i;
    if (done) {
      int best = smaller(now[left], smaller(now[tx], now[right]));
      next[tx] = wall[(row + i) * cols + x] + best;
    }
    __syncthreads();
    if (i == turns - 1) break;
    if (done) now[tx] = next[tx];
    __syncthreads();
  }
  if (done) out[x] = next[tx];
}

// As the form shared; the wall's next row comes while this one is worked on.
KERNEL ptf_double(const int *__restrict__ wall, const int *__restrict__ above, int *out, int cols,
                  int row, int turns) {
  __shared__ int ways[2][BLOCK];
  int tx = (int)thread_x(), x = (int)block_x() * (BLOCK - 2 * turns) - turns + tx;
  bool inside = x >= 0 && x < cols;
  int left = x > 0 ? tx - 1 : tx, right = x < cols - 1 ? tx + 1 : tx;
  int i = 0, mine = 0, even = 0, odd = 0;
  if (inside) {
    ways[0][tx] = above[x];
    even = wall[row * cols + x];
  }
  __syncthreads();
  auto turn = TURN(const int *now, int *then, int cost, int &next) {
    bool right_now = inside && tx > i && tx < BLOCK - 1 - i;
    if (right_now && i + 1 < turns) next = wall[(row + i + 1) * cols + x];
    if (right_now) {
      mine = cost + smaller(now[left], smaller(now[tx], now[right]));
      then[tx] = mine;
    }
    __syncthreads();
    return ++i < turns;
  };
#pragma clang loop unroll(disable)
  while (turn(ways[0], ways[1], even, odd) && turn(ways[1], ways[0], odd, even)) {}
  if (inside && tx >= turns && tx < BLOCK - turns) out[x] = mine;
}
