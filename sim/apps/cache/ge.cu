// Gaussian elimination as in Rodinia: for each column, Fan1 takes the multipliers, Fan2 subtracts.
// Fan2's x runs over rows, as there: a warp's lanes lie far apart in memory.
#include "suite.cuh"

KERNEL ge_fan1(float *m, const float *a, uint32_t size, uint32_t t) {
  uint32_t x = global_x();
  if (x >= size - 1 - t) return;
  m[size * (x + t + 1) + t] = a[size * (x + t + 1) + t] / a[size * t + t];
}

KERNEL ge_fan2(const float *m, float *a, float *b, uint32_t size, uint32_t t) {
  uint32_t x = global_x(), y = global_y();
  if (x >= size - 1 - t || y >= size - t) return;
  a[size * (x + 1 + t) + y + t] -= m[size * (x + 1 + t) + t] * a[size * t + y + t];
  if (y == 0) b[x + 1 + t] -= m[size * (x + 1 + t) + t] * b[t];
}
