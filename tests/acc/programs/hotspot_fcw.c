/* Heat on a chip, INNER steps a launch: iterations at a block's edge compute what the next block
 * computes as well (ghost zones), and hand each other points by fcw. -DPLAIN: a step a launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TILE
#define TILE 16
#endif
#ifndef INNER
#define INNER 2
#endif
#ifndef N
#define N 40
#endif
#ifndef STEPS
#define STEPS 4
#endif
#define UP(y) ((y) > 0 ? (y)-1 : 0)
#define DOWN(y) ((y) < N - 1 ? (y) + 1 : N - 1)
#define STEP(c, n, s, w, e, p)                                                                     \
  ((c) +                                                                                           \
   0.05f * ((p) + 0.5f * ((n) + (s)-2 * (c)) + 0.4f * ((w) + (e)-2 * (c)) + 0.01f * (80 - (c))))
/* The modelled GPU's runtime is told; a C compiler has no such function. */
void warpfabVerified(int right) __attribute__((weak));

static float power[N][N], a[N][N], b[N][N], want[N][N], old[N][N];

static void plain(void) {
  for (int t = 0; t < STEPS; t++) {
    memcpy(old, want, sizeof old);
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++)
        want[y][x] = STEP(old[y][x], old[UP(y)][x], old[DOWN(y)][x], old[y][UP(x)], old[y][DOWN(x)],
                          power[y][x]);
  }
}

#ifdef PLAIN
static void heat(float (*from)[N], float (*to)[N], int steps) {
  (void)steps;
#pragma acc kernels loop independent vector(TILE) present(from, to, power)
  for (int y = 0; y < N; y++) {
#pragma acc loop independent vector(TILE)
    for (int x = 0; x < N; x++)
      to[y][x] = STEP(from[y][x], from[UP(y)][x], from[DOWN(y)][x], from[y][UP(x)],
                      from[y][DOWN(x)], power[y][x]);
  }
}
#else
static void heat(float (*from)[N], float (*to)[N], int steps) {
  const int all = N + 2 * INNER * (N / (TILE - 2 * INNER) + 1);
#pragma acc kernels loop independent vector(TILE) present(from, to, power)
  for (int py = 0; py < all; py++) {
#pragma acc loop independent vector(TILE)
    for (int px = 0; px < all; px++) {
      const int y = py - 2 * INNER * (py / TILE) - INNER, x = px - 2 * INNER * (px / TILE) - INNER;
      const int ly = py % TILE, lx = px % TILE;
      const int here = y >= 0 && y < N && x >= 0 && x < N;
      const float p = here ? power[y][x] : 0;
      float value = 0;
      int computed = 0;
#pragma acc fcw FETCH_CHANNEL(from [y:0:0] [x:0:0])
      {
        for (int i = 0; i < steps; i++) {
          computed = here && i < ly && ly < TILE - 1 - i && i < lx && lx < TILE - 1 - i;
          if (computed) {
            const float c = from[y][x], n = from[UP(y)][x], s = from[DOWN(y)][x];
            value = STEP(c, n, s, from[y][UP(x)], from[y][DOWN(x)], p);
          }
          if (computed) from[y][x] = value;
        }
      }
      if (computed) to[y][x] = value;
    }
  }
}
#endif

int main(void) {
  int wrong = 0;
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      a[y][x] = want[y][x] = (float)(320 + (y * 31 + x * 17) % 23);
      power[y][x] = (float)((y + 2 * x) % 11);
    }
  plain();
#ifdef PLAIN
  const int each = 1;
#else
  const int each = INNER;
#endif
  float(*from)[N] = a, (*to)[N] = b;
#pragma acc data copyin(power) copy(a, b)
  for (int t = 0; t < STEPS; t += each) {
    heat(from, to, each);
    float(*const other)[N] = from;
    from = to;
    to = other;
  }
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      const float d = from[y][x] - want[y][x];
      wrong += d > 0.01f || d < -0.01f;
    }
  printf("%d of %d points differ from the plain program's\n", wrong, N * N);
  if (warpfabVerified) warpfabVerified(!wrong);
  return wrong != 0;
}
