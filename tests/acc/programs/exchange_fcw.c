/* The types that write back: each iteration takes its neighbour's value, several times. */
#include <stdio.h>
#include <string.h>

#define TILE 32
#define N 160

int main(void) {
  static int a[N], b[N], want_a[N], want_b[N], t[N];
  for (int i = 0; i < N; i++) a[i] = want_a[i] = i * i % 31, b[i] = want_b[i] = -1;
  for (int k = 0; k < 3; k++) {
    memcpy(t, want_a, sizeof t);
    for (int i = 0; i < N; i++) want_a[i] = t[i / TILE * TILE + (i + 1) % TILE];
  }
  for (int i = 0; i < N; i++) want_b[i] = 2 * (i / TILE * TILE + (i + 1) % TILE);
#pragma acc parallel loop vector(TILE) copy(a, b)
  for (int i = 0; i < N; i++) {
    const int next = i / TILE * TILE + (i + 1) % TILE;
#pragma acc fcw FETCH_CHANNEL_WB(a [i:0:0]) CHANNEL_WB(b [i:0:0])
    {
      for (int k = 0; k < 3; k++) a[i] = a[next];
      b[i] = 2 * i;
#pragma acc fcw_barrier
      b[i] = b[next];
    }
  }
  const int wrong = memcmp(a, want_a, sizeof a) || memcmp(b, want_b, sizeof b);
  printf("%d %d: %s\n", a[0], b[N - 1], wrong ? "wrong" : "as by the plain program");
  return wrong;
}
