/* Nine points, two grids that change places on the device, until the largest change is small. */
#include <math.h>
#include <stdio.h>

#define N 48
static float a[N][N], b[N][N];

int main(void) {
  int turns = 0;
  float change = 1;
  for (int i = 0; i < N; i++) a[i][0] = b[i][0] = 1;
#pragma acc data copy(a) create(b)
  {
#pragma acc parallel loop collapse(2) present(a, b)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) b[i][j] = a[i][j];
    while (change > 0.02f && turns < 30) {
      change = 0;
#pragma acc parallel loop reduction(max : change)
      for (int i = 1; i < N - 1; i++) {
#pragma acc loop reduction(max : change)
        for (int j = 1; j < N - 1; j++) {
          float sum = 0;
          for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) sum += a[i + y][j + x];
          b[i][j] = sum / 9;
          change = fmaxf(change, fabsf(b[i][j] - a[i][j]));
        }
      }
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
#pragma acc loop
        for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
      turns++;
    }
  }
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum += a[i][j];
  printf("%d turns, last change %.5f, sum %.4f\n", turns, change, sum);
  return 0;
}
