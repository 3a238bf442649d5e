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
static int a[N];

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < N; i++) {
#pragma acc cache(a [i:1])
    {
      if (WRITES(i))
        for (int k = 0; k < TURNS; k++) a[i] = a[i] * 3 + k;
    }
  }
  unsigned sum = 0;
  for (int i = 0; i < N; i++) sum += (unsigned)a[i];
  printf("sum %u\n", sum);
  return 0;
}
