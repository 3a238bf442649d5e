/* Arrays of a run-time size, 64-bit and downward bounds, triangles, jumps, one array by two
 * names. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double product(int n, int m, double x[n][m], double y[m]) {
  double t[n], r = 0;
#pragma acc data copyin(x [0:n] [0:m], y [0:m]) create(t [0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      double s = 0;
#pragma acc loop reduction(+ : s)
      for (int j = 0; j < m; j++) s += x[i][j] * y[j];
      t[i] = s;
    }
#pragma acc parallel loop reduction(+ : r)
    for (int i = 0; i < n; i++) r += t[i];
  }
  return r;
}

static void twice(float *p, float *q, int n) {
#pragma acc parallel loop copy(p [0:n]) copy(q [0:n])
  for (int i = 0; i < n; i++) p[i] = q[i] * 2 + 1;
}

static uint64_t large[100];
static int down[101], square[40][40], jumps[100];
static unsigned char bytes[300];

int main(void) {
  const int n = 37, m = 53, low = -20;
  const int64_t base = 5000000000LL;
  double(*x)[m] = malloc(n * sizeof *x), *y = malloc(m * sizeof *y), z[n][m], s = 0;
  float one[256];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) x[i][j] = i + j % 3;
  for (int j = 0; j < m; j++) y[j] = j % 5;
  for (int i = 0; i < 256; i++) one[i] = i;
  s += product(n, m, x, y);
#pragma acc parallel loop collapse(2) copyout(z)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) z[i][j] = i * j;
#pragma acc parallel loop copy(large)
  for (int64_t i = base; i < base + 100; i++) large[i - base] = (uint64_t)i * 3;
#pragma acc parallel loop copy(down)
  for (unsigned i = 100; i >= 1; --i) down[i] = (int)(i * i);
#pragma acc parallel loop copy(down)
  for (int i = low; i < -low; i++) down[i + 20] -= i;
  unsigned short h;
#pragma acc parallel loop copy(bytes)
  for (h = 299; h > 3; h -= 3) bytes[h] = (unsigned char)h;
#pragma acc parallel loop copy(square)
  for (int i = 0; i < 40; i++) {
#pragma acc loop
    for (int j = i; j < 40; j++) square[i][j] = i + j;
  }
#pragma acc kernels copy(square)
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < i; j++) square[i][j] = i - j;
#pragma acc parallel loop copy(jumps)
  for (int i = 0; i < 100; i++) {
    if (i % 3) continue;
    for (int k = 0;; k += 3) {
      if (k > i) break;
      if (k == 9) continue;
      jumps[i] += k;
    }
    switch (i % 6) {
    case 0:
      jumps[i]++;
      break;
    default:
      jumps[i] -= 2;
    }
  }
  twice(one, one, 256);
  twice(one + 10, one + 10, 100);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += z[i][j];
  for (int i = 0; i < 100; i++) s += (double)(large[i] % 1000) + jumps[i] * i + down[i];
  for (int i = 0; i < 300; i++) s += bytes[i];
  for (int i = 0; i < 1600; i++) s += square[i / 40][i % 40] * i;
  for (int i = 0; i < 256; i++) s += one[i] * (i % 5);
  printf("%.0f\n", s);
  free(x), free(y);
  return 0;
}
