// Half precision: a product of matrices in pairs, and every conversion from and to it.
#include <cuda_fp16.h>

#include "common.h"

__global__ void product(const __half2 *a, const __half *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  __half2 sum = __float2half2_rn(0);
  for (int k = 0; k < n / 2; k++)
    sum = __hadd2(
        sum, __hmul2(a[y * n / 2 + k], __halves2half2(b[2 * k * n + x], b[(2 * k + 1) * n + x])));
  c[y * n + x] = __low2float(sum) + __high2float(sum);
}

__global__ void convert(float *out) { // all 65536 of them
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half h = __ushort_as_half((unsigned short)i), g = __half(__half2float(h) * 1.0003f);
  out[i] = __hisnan(h) ? -1.0f : (float)(h + g) + (float)(h * __half(0.5f)) + (h < g ? 1.0f : 0.0f);
}

int main() {
  const int n = 64;
  std::vector<__half> a(n * n), b(n * n);
  std::vector<float> c(n * n), all(65536);
  for (auto &v : a) v = __half(random_float() - 0.5f);
  for (auto &v : b) v = __half(random_float());
  __half *da = to_device(a), *db = to_device(b);
  float *dc = to_device(c), *dall = to_device(all);
  product<<<dim3(1, n), n>>>((const __half2 *)da, db, dc, n);
  to_host(c, dc);
  show("product", c);
  convert<<<256, 256>>>(dall);
  to_host(all, dall);
  for (auto &v : all)
    if (v != v) v = -2; // whose bits are nobody's
  show("converted", all);
}
