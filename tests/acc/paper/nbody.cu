// Forces on bodies by tiles in shared memory, as written by hand.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#ifndef BODIES
#define BODIES 256
#endif
#define TILE 256
static float4 at[BODIES];
static float3 force[BODIES];

__host__ __device__ void add(float3 *sum, float4 own, float4 p) {
  const float dx = p.x - own.x, dy = p.y - own.y, dz = p.z - own.z;
  const float r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
  const float f = p.w * r * r * r;
  sum->x += f * dx, sum->y += f * dy, sum->z += f * dz;
}

__global__ void forces(const float4 *at, float3 *force) {
  __shared__ float4 tile[TILE];
  const int i = blockIdx.x * TILE + threadIdx.x;
  const float4 own = at[i];
  float3 sum = {0, 0, 0};
  for (int t = 0; t < BODIES / TILE; t++) {
    tile[threadIdx.x] = at[t * TILE + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < TILE; j++) add(&sum, own, tile[j]);
    __syncthreads();
  }
  force[i] = sum;
}

int main() {
  for (int i = 0; i < BODIES; i++)
    at[i] = make_float4(float(i % 7) - 3, float(i % 11) - 5, float(i % 5) - 2, float(1 + i % 3));
  float4 *da;
  float3 *df;
  cudaMalloc(&da, sizeof at), cudaMalloc(&df, sizeof force);
  cudaMemcpy(da, at, sizeof at, cudaMemcpyHostToDevice);
  forces<<<BODIES / TILE, TILE>>>(da, df);
  cudaMemcpy(force, df, sizeof force, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < BODIES; i += 61) {
    float3 sum = {0, 0, 0};
    for (int j = 0; j < BODIES; j++) add(&sum, at[i], at[j]);
    wrong += !(fabsf(sum.x - force[i].x) <= 1e-4f * (1 + fabsf(sum.x)));
  }
  warpfabVerified(!wrong);
  return wrong != 0;
}
