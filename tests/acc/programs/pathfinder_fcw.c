/* Shortest ways down a grid, INNER rows a launch: iterations at a block's edge compute what the
 * next block computes as well (ghost zones), and hand each other rows by fcw. -DPLAIN: a row a
 * launch, without. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TILE
#define TILE 64
#define TILE_LOG 6
#endif
#ifndef INNER
#define INNER 2
#endif
#ifndef COLS
#define COLS 300
#define ROWS 9
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
/* The modelled GPU's runtime is told; a C compiler has no such function. */
void warpfabVerified(int right) __attribute__((weak));

static void plain(const int *data, int *src, int *dst) {
  memcpy(dst, data, COLS * sizeof *dst);
  for (int t = 0; t < ROWS - 1; t++) {
    memcpy(src, dst, COLS * sizeof *src);
    for (int n = 0; n < COLS; n++) {
      int min = src[n];
      if (n > 0) min = MIN(min, src[n - 1]);
      if (n < COLS - 1) min = MIN(min, src[n + 1]);
      dst[n] = data[(t + 1) * COLS + n] + min;
    }
  }
}

#ifdef PLAIN
static void rows(const int *data, int *src, int *dst) {
  memcpy(src, data, COLS * sizeof *src);
#pragma acc data copyin(data [0:ROWS * COLS]) copy(src [0:COLS], dst [0:COLS])
  {
    int *from = src, *to = dst;
    for (int t = 0; t < ROWS - 1; t++) {
#pragma acc kernels loop independent vector(TILE) present(from, to, data)
      for (int n = 0; n < COLS; n++) {
        int min = from[n];
        if (n > 0) min = MIN(min, from[n - 1]);
        if (n < COLS - 1) min = MIN(min, from[n + 1]);
        to[n] = data[(t + 1) * COLS + n] + min;
      }
      int *const other = from;
      from = to;
      to = other;
    }
#pragma acc update host(from [0:COLS])
    memmove(src, from, COLS * sizeof *src);
#pragma acc update device(src [0:COLS])
  }
}
#else
static void tiled(const int *data, int *src, int *dst, int inner) {
  const int pad = (COLS / (TILE - 2 * inner) + 1) * inner * 2;
  memcpy(dst, data, COLS * sizeof *dst);
#pragma acc data copyin(data [0:ROWS * COLS], src [0:COLS]) copy(dst [0:COLS])
  {
    int *from = dst, *to = src;
    for (int t = 0; t < ROWS - 1; t += inner) {
#pragma acc kernels loop independent vector(TILE) present(from, to, data)
      for (int np = 0; np < COLS + pad; np++) {
        const int n = np - ((np >> TILE_LOG) * 2 * inner + inner);
        const int local = np & (TILE - 1);
        int val = 0;
        bool computed = false;
#pragma acc fcw FETCH_CHANNEL(from [n:0:0])
        {
          for (int i = 0; i < inner; i++) {
            computed = false;
            if (n >= 0 && n < COLS && i < local && local < TILE - 1 - i) {
              computed = true;
              int min = from[n];
              if (n > 0) min = MIN(min, from[n - 1]);
              if (n < COLS - 1) min = MIN(min, from[n + 1]);
              val = data[(t + i + 1) * COLS + n] + min;
            }
            if (computed) from[n] = val;
          }
        }
        if (computed) to[n] = val;
      }
      int *const other = from;
      from = to;
      to = other;
    }
#pragma acc update host(from [0:COLS])
    memmove(src, from, COLS * sizeof *src);
  }
}
#endif

int main(void) {
  int *data = malloc(ROWS * COLS * sizeof *data), *a = calloc(COLS, sizeof *a),
      *b = calloc(COLS, sizeof *b), *want = malloc(COLS * sizeof *want), wrong = 0;
  for (int i = 0; i < ROWS * COLS; i++) data[i] = i * 7919 % 10;
  plain(data, a, want);
#ifdef PLAIN
  rows(data, a, b);
#else
  tiled(data, a, b, INNER);
#endif
  for (int i = 0; i < COLS; i++) wrong += a[i] != want[i];
  printf("%d of %d columns differ from the plain program's\n", wrong, COLS);
  if (warpfabVerified) warpfabVerified(!wrong);
  free(data), free(a), free(b), free(want);
  return wrong != 0;
}
