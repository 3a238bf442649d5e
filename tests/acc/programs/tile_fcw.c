/* Section 4.2's kernel: each element of a block's 16 x 16 part becomes a sum of its neighbours
 * there, TURNS times. */
#include <stdio.h>

#ifndef N
#define N 64
#endif
#ifndef TURNS
#define TURNS 2
#endif
#ifndef REAL
#define REAL int
#endif
#define SIDE 16
void warpfabVerified(int right) __attribute__((weak));
static REAL g[N][N], want[N][N], old[N][N];

int main(void) {
  int wrong = 0;
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) g[y][x] = want[y][x] = (REAL)((y * 5 + x * 3) % 64);
  for (int k = 0; k < TURNS; k++) {
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) old[y][x] = want[y][x];
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) {
        const int n = y % SIDE ? y - 1 : y, s = y % SIDE < SIDE - 1 ? y + 1 : y;
        const int w = x % SIDE ? x - 1 : x, e = x % SIDE < SIDE - 1 ? x + 1 : x;
        want[y][x] = (REAL)((old[y][x] + old[s][x] + old[n][x] + old[y][e] + old[y][w]) * 0.8);
      }
  }
#pragma acc parallel loop vector(SIDE) copy(g)
  for (int y = 0; y < N; y++) {
#pragma acc loop vector(SIDE)
    for (int x = 0; x < N; x++) {
      const int n = y % SIDE ? y - 1 : y, s = y % SIDE < SIDE - 1 ? y + 1 : y;
      const int w = x % SIDE ? x - 1 : x, e = x % SIDE < SIDE - 1 ? x + 1 : x;
#pragma acc fcw FETCH_CHANNEL_WB(g [y:0:0] [x:0:0])
      {
        for (int k = 0; k < TURNS; k++)
          g[y][x] = (REAL)((g[y][x] + g[s][x] + g[n][x] + g[y][e] + g[y][w]) * 0.8);
      }
    }
  }
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) wrong += g[y][x] != want[y][x];
  printf("%d of %d elements differ from the plain program's\n", wrong, N * N);
  if (warpfabVerified) warpfabVerified(!wrong);
  return wrong != 0;
}
