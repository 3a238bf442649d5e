// Structures by value to functions and back, and arrays of a thread's own.
#include "device.cuh"
struct vec {
  float x, y, z;
};
struct matrix {
  float m[3][3];
};
__device__ __noinline__ vec cross(vec a, vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ __noinline__ vec apply(matrix m, vec v) {
  return {m.m[0][0] * v.x + m.m[0][1] * v.y + m.m[0][2] * v.z,
          m.m[1][0] * v.x + m.m[1][1] * v.y + m.m[1][2] * v.z,
          m.m[2][0] * v.x + m.m[2][1] * v.y + m.m[2][2] * v.z};
}
__device__ __noinline__ short narrow(char a, unsigned char b, short c, bool d) {
  return (short)(d ? a + b : c);
}
__device__ __noinline__ double wide(double a, long long b, float c) {
  return a + (double)b * c;
}
KERNEL turn(const vec *in, vec *out, matrix m) {
  out[global_x()] = cross(apply(m, in[global_x()]), in[global_x()]);
}
KERNEL mixed(int *out, double *sums) {
  const int i = (int)global_x();
  int counts[16];
  for (int k = 0; k < 16; k++) counts[k] = k * i;
  out[i] = narrow((char)i, (unsigned char)(200 + i), (short)-i, i % 3 == 0) + counts[i % 16];
  sums[i] = wide(0.5, 1ll << i % 40, 3.0f);
}
