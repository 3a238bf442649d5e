/* Sums of tiles until one is left: iterations of a block add what their neighbours hold. */
#include <stdio.h>
#include <stdlib.h>

#define TILE 64
#ifndef N
#define N 1500
#endif

int main(void) {
  int *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b), want = 0;
  for (int i = 0; i < N; i++) want += a[i] = i % 23;
#pragma acc data copy(a [0:N], b [0:N])
  {
    for (int left = N; left > 1; left = (left + TILE - 1) / TILE) {
#pragma acc kernels loop independent vector(TILE) present(a, b)
      for (int i = 0; i < left; i++) {
        const int in_tile = i % TILE;
#pragma acc fcw FETCH_CHANNEL(a [i:0:0])
        {
          for (int y = TILE / 2; y > 0; y >>= 1)
            if (in_tile < y && i + y < left) a[i] = a[i] + a[i + y];
          if (in_tile == 0) b[i / TILE] = a[i];
        }
      }
      int *const other = a;
      a = b;
      b = other;
    }
#pragma acc update host(a [0:1])
    printf("%d, %d by the plain program\n", a[0], want);
    want = a[0] != want;
  }
  free(a), free(b);
  return want;
}
