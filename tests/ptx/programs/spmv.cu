// Sparse matrix times vector, a row a thread and a row a warp, constants beside.
#include "device.cuh"
__constant__ float scale[4] = {1.0f, 0.5f, 0.25f, 2.0f};
__device__ unsigned long long visits;
template <typename real>
__device__ __noinline__ real dot(const int *columns, const real *values, const real *x, int from,
                                 int to, int step) {
  real sum = 0;
  for (int k = from; k < to; k += step) sum += values[k] * x[columns[k]];
  return sum;
}
KERNEL csr_f32(const int *rows, const int *columns, const float *values, const float *x, float *y,
               int n) {
  const int r = (int)global_x();
  if (r < n) y[r] = scale[r & 3] * dot(columns, values, x, rows[r], rows[r + 1], 1);
}
KERNEL csr_f64(const int *rows, const int *columns, const double *values, const double *x,
               double *y, int n) {
  const int r = (int)global_x();
  if (r < n) y[r] = dot(columns, values, x, rows[r], rows[r + 1], 1);
}
