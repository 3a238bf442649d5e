/* Prefix sums by doubling distances: two arrays, no other way between iterations. */
#include <stdio.h>

#define N 700

int main(void) {
  static int a[N], b[N];
  for (int i = 0; i < N; i++) a[i] = i % 9 - 3;
#pragma acc enter data copyin(a) create(b)
  for (int d = 1; d < N; d *= 2) {
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++) b[i] = i >= d ? a[i] + a[i - d] : a[i];
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++) a[i] = b[i];
  }
#pragma acc exit data copyout(a) delete (b)
  printf("%d %d %d\n", a[0], a[N / 2], a[N - 1]);
  return 0;
}
