// Special functions of both widths over their ranges: error function and its inverses, gamma,
// Bessel functions.
#include "common.h"

template <class T> __global__ void table(T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T u = (T)(i + 0.5) / (T)n, x = u * 30; // from 0 to 1, from 0 to 30
  T *o = out + i;
  *o = erf(u * 3), o += n;
  *o = erfc(x / 4), o += n;
  *o = erfcx(x - 4), o += n;
  *o = normcdf(x / 3 - 5), o += n;
  *o = erfinv(2 * u - 1), o += n;
  *o = erfcinv(2 * u * u), o += n;
  *o = normcdfinv(u * u * u), o += n;
  *o = tgamma(x - 10), o += n;
  *o = lgamma(x - 10), o += n;
  *o = j0(x), o += n;
  *o = j1(x * 3), o += n;
  *o = y0(x), o += n;
  *o = y1(x), o += n;
  *o = (T)jn(i % 9, (double)x), o += n;
  *o = (T)yn(i % 5, (double)x), o += n;
  *o = cyl_bessel_i0(x), o += n;
  *o = cyl_bessel_i1(-x);
}

template <class T> void run(const char *name) {
  const int n = 512, functions = 17;
  std::vector<T> out(n * functions);
  T *d = to_device(out);
  table<<<n / 128, 128>>>(d, n);
  CHECK(cudaDeviceSynchronize());
  to_host(out, d);
  for (int f = 0; f < functions; f++)
    printf("%s %2d: %.9g %.9g %.9g, sum %08x\n", name, f, (double)out[f * n],
           (double)out[f * n + 300], (double)out[f * n + n - 1],
           sum_of(out.data() + f * n, n * sizeof(T)));
}

int main() {
  run<float>("float");
  run<double>("double");
}
