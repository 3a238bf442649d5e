// Dyadic convolution by fast Walsh-Hadamard transforms, by hand: four elements a thread, far apart
// in memory, then up to 2048 in shared memory.
#include <cstdio>
#include <cuda_runtime.h>
#ifndef LOG
#define LOG 14
#endif
#define N (1 << LOG)
#define TAPS 128
#define PART_LOG 11

__device__ static void four(float &a, float &b, float &c, float &d) {
  const float s0 = a + c, s1 = b + d, d0 = a - c, d1 = b - d;
  a = s0 + s1, b = s0 - s1, c = d0 + d1, d = d0 - d1;
}

__global__ void far_apart(float *v, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, low = t & (stride - 1);
  const int i = ((t - low) << 2) + low;
  float a = v[i], b = v[i + stride], c = v[i + 2 * stride], d = v[i + 3 * stride];
  four(a, b, c, d);
  v[i] = a, v[i + stride] = b, v[i + 2 * stride] = c, v[i + 3 * stride] = d;
}

__global__ void within(float *v, int log) {
  extern __shared__ float part[];
  const int size = 1 << log, base = blockIdx.x << log, t = threadIdx.x;
  for (int i = t; i < size; i += blockDim.x) part[i] = v[base + i];
  int stride = size >> 2;
  for (; stride > 0; stride >>= 2) {
    const int low = t & (stride - 1), i = ((t - low) << 2) + low;
    __syncthreads();
    four(part[i], part[i + stride], part[i + 2 * stride], part[i + 3 * stride]);
  }
  if (log & 1) {
    __syncthreads();
    for (int k = t; k < size / 2; k += blockDim.x) {
      const float a = part[2 * k], b = part[2 * k + 1];
      part[2 * k] = a + b, part[2 * k + 1] = a - b;
    }
  }
  __syncthreads();
  for (int i = t; i < size; i += blockDim.x) v[base + i] = part[i];
}

__global__ void multiply(float *v, const float *by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i] *= by[i] * (1.0f / N);
}

static void transform(float *v) {
  int log = LOG;
  for (; log > PART_LOG; log -= 2) far_apart<<<N / 1024, 256>>>(v, 1 << (log - 2));
  within<<<N >> log, (1 << log) / 4, sizeof(float) << log>>>(v, log);
}

static float in[N], taps[N], out[N];

int main() {
  for (int i = 0; i < N; i++) in[i] = i * 7 % 13 - 6;
  for (int k = 0; k < TAPS; k++) taps[k] = k % 5 - 2;
  float *v, *by;
  cudaMalloc(&v, sizeof in), cudaMalloc(&by, sizeof taps);
  cudaMemcpy(v, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(by, taps, sizeof taps, cudaMemcpyHostToDevice);
  transform(v);
  transform(by);
  multiply<<<N / 256, 256>>>(v, by);
  transform(v);
  cudaMemcpy(out, v, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < TAPS; k++) sum += in[i ^ k] * taps[k];
    const float d = sum - out[i];
    wrong += !(d < 0.05f && d > -0.05f);
  }
  warpfabVerified(!wrong);
  return wrong != 0;
}
