// A tiled stencil of temperatures with halos.
#include "device.cuh"
enum { TILE = 16 };
#define WITHIN(x, a, b) ((x) >= (a) && (x) <= (b))
KERNEL hotspot(const float *power, const float *in, float *out, int columns, int rows, float step) {
  __shared__ float t[TILE][TILE], p[TILE][TILE];
  const int x = (int)(blockIdx.x * (TILE - 2) + threadIdx.x) - 1,
            y = (int)(blockIdx.y * (TILE - 2) + threadIdx.y) - 1;
  const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
  const bool inside = WITHIN(x, 0, columns - 1) && WITHIN(y, 0, rows - 1);
  if (inside) t[ty][tx] = in[y * columns + x], p[ty][tx] = power[y * columns + x];
  __syncthreads();
  if (!inside || !WITHIN(tx, 1, TILE - 2) || !WITHIN(ty, 1, TILE - 2)) return;
  const int n = y > 0 ? ty - 1 : ty, s = y < rows - 1 ? ty + 1 : ty, w = x > 0 ? tx - 1 : tx,
            e = x < columns - 1 ? tx + 1 : tx;
  out[y * columns + x] =
      t[ty][tx] +
      step * (p[ty][tx] + (t[n][tx] + t[s][tx] - 2.0f * t[ty][tx]) * 0.1f +
              (t[ty][e] + t[ty][w] - 2.0f * t[ty][tx]) * 0.1f + (80.0f - t[ty][tx]) * 0.05f);
}
