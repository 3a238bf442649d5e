// Nearest centre of each point, structures in global memory.
#include "device.cuh"
enum { FEATURES = 8 };
__device__ __noinline__ float distance(const float *points, const float *centre, int i, int n) {
  float d = 0;
  for (int f = 0; f < FEATURES; f++) {
    const float x = points[f * n + i] - centre[f];
    d += x * x;
  }
  return d;
}
KERNEL nearest(const float *points, const float *centres, int *member, int n, int k) {
  const int i = (int)global_x();
  if (i >= n) return;
  int best = -1;
  float least = 3.402823466e38f;
  for (int c = 0; c < k; c++) {
    const float d = distance(points, centres + c * FEATURES, i, n);
    if (d < least) least = d, best = c;
  }
  member[i] = best;
}
