// Fourier transforms of blocks in shared memory, there and back (cuComplex), and a polynomial of
// std::complex.
#include <complex>
#include <cuComplex.h>

#include "common.h"

template <int N>
__global__ void __launch_bounds__(N / 2) transform(cuFloatComplex *data, int inverse) {
  extern __shared__ float2 s[];
  cuFloatComplex *d = data + blockIdx.x * N;
  const int t = threadIdx.x, bits = 31 - __clz(N);
  for (int i = t; i < N; i += N / 2) s[__brev((unsigned)i) >> (32 - bits)] = d[i];
  __syncthreads();
  for (int half = 1; half < N; half *= 2) {
    const int k = t & (half - 1), at = t / half * 2 * half + k;
    const float angle = (inverse ? 3.14159265f : -3.14159265f) * (float)k / (float)half;
    const cuFloatComplex w = make_cuFloatComplex(cosf(angle), sinf(angle));
    const cuFloatComplex a = s[at], b = cuCmulf(w, s[at + half]);
    __syncthreads();
    s[at] = cuCaddf(a, b);
    s[at + half] = cuCsubf(a, b);
    __syncthreads();
  }
  const float scale = inverse ? 1.0f / N : 1.0f;
  for (int i = t; i < N; i += N / 2) d[i] = make_cuFloatComplex(s[i].x * scale, s[i].y * scale);
}

__global__ void polynomial(std::complex<double> *z, cuDoubleComplex *quotients) {
  const int i = threadIdx.x;
  std::complex<double> x = z[i], sum = 1;
  for (int k = 1; k < 6; k++) sum = sum * x + std::complex<double>(k, -k);
  z[i] = sum;
  quotients[i] = cuCdiv(make_cuDoubleComplex(sum.real(), sum.imag()),
                        cuConj(make_cuDoubleComplex(x.real() + 2, x.imag())));
}

int main() {
  const int n = 256, blocks = 8, points = 64;
  std::vector<cuFloatComplex> signal(n * blocks), back(n * blocks);
  for (auto &v : signal) v = make_cuFloatComplex(random_float(), random_float());
  cuFloatComplex *d = to_device(signal);
  transform<n><<<blocks, n / 2, n * sizeof(float2)>>>(d, 0);
  to_host(back, d);
  printf("%.6g %.6g, sum %08x\n", back[0].x, back[n + 5].y,
         sum_of(back.data(), back.size() * sizeof back[0]));
  transform<n><<<blocks, n / 2, n * sizeof(float2)>>>(d, 1);
  CHECK(cudaDeviceSynchronize());
  to_host(back, d);
  float worst = 0;
  for (int i = 0; i < n * blocks; i++) worst = fmaxf(worst, cuCabsf(cuCsubf(back[i], signal[i])));
  printf("there and back: %s\n", worst < 1e-6f ? "the same" : "another");

  std::vector<std::complex<double>> z(points);
  std::vector<cuDoubleComplex> quotients(points);
  for (auto &v : z) v = {random_float() - 0.5, random_float() - 0.5};
  std::complex<double> *dz = to_device(z);
  cuDoubleComplex *dq = to_device(quotients);
  polynomial<<<1, points>>>(dz, dq);
  to_host(z, dz);
  to_host(quotients, dq);
  for (int i = 0; i < points; i += 21)
    printf("%.17g %.17g %.17g %.17g\n", z[i].real(), z[i].imag(), quotients[i].x, quotients[i].y);
}
