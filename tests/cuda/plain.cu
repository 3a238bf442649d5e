// Plain words that programs use: halves' functions, conversions toward zero, isnan on the host,
// what a launch may be.
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>

static __host__ __device__ unsigned halves(float x, float y) {
  __half2 a = __floats2half2_rn(x, y), b = __floats2half2_rn(y, 0.5f), c = -a;
  c += __hmul2(h2floor(b), h2ceil(a));
  c = __hadd2(h2trunc(c), __hlt2(a, b)) - h2rint(a * b);
  c = __lows2half2(__lowhigh2highlow(c), __high2half2(c));
  const unsigned bits = __half_as_ushort(__low2half(c)) | (unsigned)__half_as_ushort(__high2half(c))
                                                              << 16;
  const __half nan = __half(NAN);
  return bits ^ (__hbge2(a, b) << 3 | __hne(nan, __half(x)) << 5 | (nan != __half(x)) << 6);
}

__global__ void compute(unsigned *out, long long large) {
  const int i = threadIdx.x;
  out[i] = halves(i * 0.37f - 5, i * 0.11f + 0.25f);
  if (i) return;
  // 1 if toward zero: the even neighbour is further.
  out[64] = __ll2double_rz(large) == 0x1p60 && __ull2double_rz(large) == 0x1p60;
  out[65] = __ll2float_rz(large) == 0x1p60f && __ull2float_rz(-1ull) == 0x1.fffffep63f;
  out[66] =
      __int2float_rz(-0x7fffffff) == -0x1.fffffep30f && __uint2float_rz(~0u) == 0x1.fffffep31f;
}

__global__ void corners(unsigned *out, float nan, float large, double huge) {
  float whole;
  const float far = __int_as_float(0x7f800000);
  out[0] = isnan(hypotf(nan, 0)) && isnan(hypotf(0, nan)) && hypotf(-far, nan) == far &&
           hypotf(nan, far) == far && isnan(norm3df(nan, 0, 1));
  out[1] = isnan(modff(nan, &whole)) && isnan(whole) && modff(-far, &whole) == 0 && whole == -far;
  out[2] = powf(1e-20f, large) == 0 && powf(-7, large) == far && exp10f(large) == far &&
           exp10f(-large) == 0 && pow(1e-20, huge) == 0 && pow(3.0, huge) == far;
  out[3] = sinpif(large) == 0 && cospif(large) == 1 && cospif(8388609.0f) == -1 &&
           sinpi(huge) == 0 && cospi(huge) == 1;
}

static void launch(dim3 grid, dim3 block, unsigned *out) {
  compute<<<grid, block>>>(out, 0);
  printf(" %s", cudaGetErrorName(cudaGetLastError()));
}

int main() {
  unsigned *out, wrong = 0;
  cudaMallocManaged(&out, 67 * sizeof *out);
  compute<<<1, 64>>>(out, (1ll << 60) + 255);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++) wrong += out[i] != halves(i * 0.37f - 5, i * 0.11f + 0.25f);
  const float f = NAN;
  const double d = INFINITY;
  printf("%u wrong, %u%u%u, %d%d%d%d\n", wrong, out[64], out[65], out[66], (int)isnan(f),
         (int)isinf(d), (int)isfinite(f), (int)std::isnan(d));
  corners<<<1, 1>>>(out, f, 3e38f, 1e308);
  cudaDeviceSynchronize();
  printf("corners: %u%u%u%u\n", out[0], out[1], out[2], out[3]);
  printf("limits:");
  launch(dim3(1, 65536), 1, out);
  launch(dim3(1, 1, 65536), 1, out);
  launch(1, dim3(1, 1, 65), out);
  launch(dim3(1, 2, 2), dim3(1, 1, 64), out);
  cudaEvent_t untimed;
  float time;
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaEventRecord(untimed);
  printf("\nuntimed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&time, untimed, untimed)));
}
