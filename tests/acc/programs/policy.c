/* Writes to a cached array, TURNS to an element; -DSPARSE: by one thread in 64. */
#include <stdio.h>

#ifndef N
#define N 1024
#endif
#ifndef TURNS
#define TURNS 4
#endif
#ifdef SPARSE
#define WRITES(i) ((i) % 64 == 0)
#else
#define WRITES(i) 1
#endif
static int a[N], b[256]; /* what is read between writes may be what was written */

int main(void) {
  for (int i = 0; i < N; i++) a[i] = b[i % 256] = i;
#pragma acc parallel loop copy(a) copyin(b)
  for (int i = 0; i < N; i++) {
#pragma acc cache(a [i:1])
    {
      if (WRITES(i))
        for (int k = 0; k < TURNS; k++) a[i] = a[i] * 3 + b[k % 256];
    }
  }
  unsigned sum = 0;
  for (int i = 0; i < N; i++) sum += (unsigned)a[i];
  printf("sum %u\n", sum);
  return 0;
}
