// Smoothing over nine points (Jacobi iteration); the border of one word around stays as it is. Blocks of 16 x 16.
#include "suite.cuh"

enum { TILE = 16, HALO = TILE + 2 };

KERNEL jac_plain(const float *__restrict__ in, float *out, int rows, int cols, float w0, float w1, float w2) {
  int x = (int)global_x(), y = (int)global_y();
  if (x < 1 || x >= cols - 1 || y < 1 || y >= rows - 1) return;
  const float *at = in + (y * cols + x), *up = at - cols, *down = at + cols;
  float beside = up[0] + down[0] + at[-1] + at[1];
  float across = up[-1] + up[1] + down[-1] + down[1];
  out[y * cols + x] = w0 * at[0] + w1 * beside + w2 * across;
}

// The tile and its halo, 18 x 18 words, by 256 threads: words that lie outside of the matrix nobody uses.
KERNEL jac_shared(const float *__restrict__ in, float *out, int rows, int cols, float w0, float w1, float w2) {
  __shared__ float tile[HALO][HALO];
  int tx = (int)thread_x() + 1, ty = (int)thread_y() + 1;
  int x = (int)global_x(), y = (int)global_y();
  int first_x = (int)block_x() * TILE - 1, first_y = (int)block_y() * TILE - 1;
  for (int i = (ty - 1) * TILE + tx - 1; i < HALO * HALO; i += TILE * TILE) {
    int from_x = first_x + i % HALO, from_y = first_y + i / HALO;
    if (from_x >= 0 && from_x < cols && from_y >= 0 && from_y < rows)
      tile[i / HALO][i % HALO] = in[from_y * cols + from_x];
  }
  __syncthreads();
  if (x < 1 || x >= cols - 1 || y < 1 || y >= rows - 1) return;
  float beside = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  float across = tile[ty - 1][tx - 1] + tile[ty - 1][tx + 1] + tile[ty + 1][tx - 1] + tile[ty + 1][tx + 1];
  out[y * cols + x] = w0 * tile[ty][tx] + w1 * beside + w2 * across;
}
