// Heat on a chip, INNER steps a launch in shared memory (ghost zones), by hand.
#include <cstdio>
#include <cuda_runtime.h>
#ifndef INNER
#define INNER 2
#endif
#ifndef TILE
#define TILE 16
#endif
#ifndef SIZE
#define SIZE 128
#endif
#ifndef STEPS
#define STEPS 12
#endif

__host__ __device__ static float step(float c, float n, float s, float w, float e, float p) {
  return c + 0.05f * (p + 0.5f * (n + s - 2 * c) + 0.4f * (w + e - 2 * c) + 0.01f * (80 - c));
}

__global__ void heat(int steps, const float *power, const float *from, float *to) {
  __shared__ float now[TILE][TILE], heats[TILE][TILE], next[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * (TILE - 2 * INNER) + tx - INNER;
  const int y = blockIdx.y * (TILE - 2 * INNER) + ty - INNER;
  const bool here = x >= 0 && x < SIZE && y >= 0 && y < SIZE;
  if (here) now[ty][tx] = from[y * SIZE + x], heats[ty][tx] = power[y * SIZE + x];
  __syncthreads();
  const int n = y > 0 ? ty - 1 : ty, s = y < SIZE - 1 ? ty + 1 : ty;
  const int w = x > 0 ? tx - 1 : tx, e = x < SIZE - 1 ? tx + 1 : tx;
  bool computed = false;
  for (int i = 0; i < steps; i++) {
    computed = here && i < tx && tx < TILE - 1 - i && i < ty && ty < TILE - 1 - i;
    if (computed)
      next[ty][tx] =
          step(now[ty][tx], now[n][tx], now[s][tx], now[ty][w], now[ty][e], heats[ty][tx]);
    __syncthreads();
    if (i == steps - 1) break;
    if (computed) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed) to[y * SIZE + x] = next[ty][tx];
}

static float power[SIZE][SIZE], want[SIZE][SIZE], old[SIZE][SIZE], got[SIZE][SIZE];

static void plain() {
  for (int t = 0; t < STEPS; t++) {
    for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++) old[y][x] = want[y][x];
    for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
        want[y][x] = step(old[y][x], old[y > 0 ? y - 1 : 0][x],
                          old[y < SIZE - 1 ? y + 1 : y][x], old[y][x > 0 ? x - 1 : 0],
                          old[y][x < SIZE - 1 ? x + 1 : x], power[y][x]);
  }
}

int main() {
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      want[y][x] = 320 + (y * 31 + x * 17) % 23;
      power[y][x] = (y + 2 * x) % 11;
    }
  float *p, *from, *to;
  cudaMalloc(&p, sizeof power), cudaMalloc(&from, sizeof got), cudaMalloc(&to, sizeof got);
  cudaMemcpy(p, power, sizeof power, cudaMemcpyHostToDevice);
  cudaMemcpy(from, want, sizeof want, cudaMemcpyHostToDevice);
  plain();
  const int blocks = (SIZE + TILE - 2 * INNER - 1) / (TILE - 2 * INNER);
  for (int t = 0; t < STEPS; t += INNER) {
    heat<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(INNER, p, from, to);
    float *other = from;
    from = to;
    to = other;
  }
  cudaMemcpy(got, from, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      const float d = got[y][x] - want[y][x];
      wrong += !(d < 0.01f && d > -0.01f);
    }
  warpfabVerified(!wrong);
  return wrong != 0;
}
