// Alignment of two sequences: blocks along a diagonal, threads along one within.
#include "common.h"

enum { TILE = 16 };

__global__ void diagonal(const signed char *a, const signed char *b, int *score, int n, int d,
                         int first) {
  __shared__ int s[TILE + 1][TILE + 1];
  int by = first + blockIdx.x, bx = d - by, t = threadIdx.x;
  int row = by * TILE, column = bx * TILE, width = n + 1;
  s[t + 1][0] = score[(row + t + 1) * width + column];
  s[0][t + 1] = score[row * width + column + t + 1];
  if (!t) s[0][0] = score[row * width + column];
  __syncthreads();
  for (int k = 0; k < 2 * TILE - 1; k++) {
    int x = k - t;
    if (x >= 0 && x < TILE) {
      int same = a[row + t] == b[column + x] ? 3 : -1;
      s[t + 1][x + 1] = max(s[t][x] + same, max(s[t + 1][x] - 2, s[t][x + 1] - 2));
    }
    __syncthreads();
  }
  for (int x = 0; x < TILE; x++) score[(row + x + 1) * width + column + t + 1] = s[x + 1][t + 1];
}

int main() {
  const int n = 96, tiles = n / TILE;
  std::vector<signed char> a(n), b(n);
  for (auto &v : a) v = (signed char)(random_word() % 4);
  for (auto &v : b) v = (signed char)(random_word() % 4);
  std::vector<int> score((n + 1) * (n + 1));
  for (int i = 0; i <= n; i++) score[i] = score[i * (n + 1)] = -2 * i;
  std::vector<int> expected = score;
  signed char *da = to_device(a), *db = to_device(b);
  int *ds = to_device(score);
  for (int d = 0; d < 2 * tiles - 1; d++) {
    int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
    diagonal<<<last - first + 1, TILE>>>(da, db, ds, n, d, first);
  }
  to_host(score, ds);
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++) {
      int *e = &expected[i * (n + 1) + j];
      *e = max(e[-n - 2] + (a[i - 1] == b[j - 1] ? 3 : -1), max(e[-1] - 2, e[-n - 1] - 2));
    }
  show("score", score);
  puts(score == expected ? "right" : "wrong");
  return score != expected;
}
