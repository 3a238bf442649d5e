// Prices of options: logarithm, exponential, square root, error function.
#include <cmath>

#include "common.h"

__device__ float below(float x) { // of the normal distribution
  return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void price(float *call, float *put, const float *__restrict__ s,
                      const float *__restrict__ x, const float *__restrict__ t, float rate,
                      float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float root = sqrtf(t[i]);
  float d1 =
      (logf(s[i] / x[i]) + (rate + 0.5f * volatility * volatility) * t[i]) / (volatility * root);
  float d2 = d1 - volatility * root, discount = expf(-rate * t[i]);
  call[i] = s[i] * below(d1) - x[i] * discount * below(d2);
  put[i] = x[i] * discount * (1 - below(d2)) - s[i] * (1 - below(d1));
}

int main() {
  const int n = 1000;
  std::vector<float> s(n), x(n), t(n), call(n), put(n);
  for (int i = 0; i < n; i++)
    s[i] = 5 + 25 * random_float(), x[i] = 1 + 99 * random_float(),
    t[i] = 0.25f + 9.75f * random_float();
  float *ds = to_device(s), *dx = to_device(x), *dt = to_device(t), *dc = to_device(call),
        *dp = to_device(put);
  price<<<(n + 127) / 128, 128>>>(dc, dp, ds, dx, dt, 0.02f, 0.3f, n);
  to_host(call, dc);
  to_host(put, dp);
  show("call", call);
  show("put", put);
  double worst = 0; // call - put = s - x exp(-rate t)
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(call[i] - put[i] - (s[i] - x[i] * std::exp(-0.02 * t[i]))));
  puts(worst < 1e-4 ? "right" : "wrong");
  return worst >= 1e-4;
}
