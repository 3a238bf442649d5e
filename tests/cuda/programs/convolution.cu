// Rows, then columns: the filter in constant memory, a margin on both sides in shared memory.
#include "common.h"

enum { RADIUS = 4, TILE = 64 };
__constant__ float filter[2 * RADIUS + 1];

__global__ void along(const float *in, float *out, int length, int step, int between) {
  __shared__ float part[TILE + 2 * RADIUS];
  int line = blockIdx.y * between, at = blockIdx.x * TILE + threadIdx.x;
  for (int i = threadIdx.x; i < TILE + 2 * RADIUS; i += TILE) {
    int from = (int)blockIdx.x * TILE + i - RADIUS;
    part[i] = from >= 0 && from < length ? in[line + from * step] : 0.0f;
  }
  __syncthreads();
  if (at >= length) return;
  float sum = 0;
#pragma unroll
  for (int k = -RADIUS; k <= RADIUS; k++)
    sum += filter[k + RADIUS] * part[threadIdx.x + RADIUS + k];
  out[line + at * step] = sum;
}

int main() {
  const int width = 150, height = 40;
  float f[2 * RADIUS + 1];
  for (int k = 0; k <= 2 * RADIUS; k++) f[k] = 1.0f / (float)(1 + abs(k - RADIUS));
  std::vector<float> image(width * height);
  for (auto &v : image) v = random_float();
  float *a = to_device(image), *b = to_device(image);
  CHECK(cudaMemcpyToSymbol(filter, f, sizeof f));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  along<<<dim3((width + TILE - 1) / TILE, height), TILE, 0, stream>>>(a, b, width, 1, width);
  along<<<dim3((height + TILE - 1) / TILE, width), TILE, 0, stream>>>(b, a, height, width, 1);
  CHECK(cudaMemcpyAsync(image.data(), a, image.size() * sizeof(float), cudaMemcpyDeviceToHost,
                        stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  show("image", image);
}
