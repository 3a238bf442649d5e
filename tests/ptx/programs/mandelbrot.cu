// Escape times, a switch of palettes.
#include "device.cuh"
__device__ __noinline__ int colour(int n) {
  switch (n & 7) {
  case 0:
    return 11;
  case 1:
    return n * 3;
  case 2:
    return n ^ 0x55;
  case 3:
    return 7 - n;
  case 4:
    return n << 2;
  case 5:
    return 100 / (n + 1);
  case 6:
    return n % 13;
  default:
    return -1;
  }
}
KERNEL mandelbrot(int *out, int width, double scale) {
  const int x = (int)global_x(), y = (int)blockIdx.y;
  const double cr = x * scale - 2.0, ci = y * scale - 1.0;
  double r = 0, i = 0;
  int n = 0;
  for (; n < 64 && r * r + i * i < 4.0; n++) {
    const double t = r * r - i * i + cr;
    i = 2.0 * r * i + ci;
    r = t;
  }
  out[y * width + x] = colour(n);
}
