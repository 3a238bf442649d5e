// A matrix with padded rows, turned through shared memory without bank conflicts.
#include "common.h"

enum { TILE = 32, ROWS = 8 };

__global__ void transpose(const double *in, double *out, int width, int height, int in_pitch) {
  __shared__ double tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS)
    if (x < width && y + i < height)
      tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * in_pitch + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS)
    if (x < height && y + i < width) out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main() {
  const int width = 70, height = 50;
  std::vector<double> in(width * height), out(width * height);
  for (size_t i = 0; i < in.size(); i++) in[i] = (double)i;
  double *di, *dout = to_device(out);
  size_t pitch;
  CHECK(cudaMallocPitch(&di, &pitch, width * sizeof(double), height));
  CHECK(cudaMemcpy2D(di, pitch, in.data(), width * sizeof(double), width * sizeof(double), height,
                     cudaMemcpyHostToDevice));
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), block(TILE, ROWS);
  transpose<<<grid, block>>>(di, dout, width, height, (int)(pitch / sizeof(double)));
  to_host(out, dout);
  show("turned", out);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (out[x * height + y] != in[y * width + x]) return printf("wrong at %d, %d\n", x, y), 1;
}
