/* Steps by * and /, up and down, shifts among them. */
#include <stdio.h>
static int a[5000], b[64];
int main(void) {
  int n = 5000, i;
#pragma acc parallel loop copy(a)
  for (int s = 1; s < n; s *= 2) a[s] = s + 1;
#pragma acc parallel loop copy(a)
  for (i = n - 1; i > 0; i /= 3) a[i] += 7;
#pragma acc parallel loop copy(a)
  for (i = 3; i <= n; i <<= 1) a[i] += 9;
#pragma acc parallel loop copy(a) collapse(2)
  for (i = 4096; i >= 1; i = i >> 2)
    for (int j = 0; j < 4; j += 2) a[i + j] += 11;
  long sum = 0;
  for (i = 0; i < n; i++) sum += (long)a[i] * (i + 1);
  printf("%ld\n", sum);
  return 0;
}
