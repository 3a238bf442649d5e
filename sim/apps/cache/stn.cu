// 9-point stencil in two dimensions as in SHOC: tiles of 16 x 16 with a halo of one in shared
// memory.
#include "suite.cuh"

enum { TILE = 16 };

// in, out: (rows + 2) x (cols + 2) words, a border of one around; the border is not written.
KERNEL stn_step(const float *__restrict__ in, float *out, uint32_t cols, float centre,
                float cardinal, float diagonal) {
  __shared__ float tile[TILE + 2][TILE + 2];
  uint32_t tx = thread_x() + 1, ty = thread_y() + 1, pitch = cols + 2;
  uint32_t at = (global_y() + 1) * pitch + global_x() + 1;
  tile[ty][tx] = in[at];
  if (ty == 1) tile[0][tx] = in[at - pitch];
  if (ty == TILE) tile[TILE + 1][tx] = in[at + pitch];
  if (tx == 1) tile[ty][0] = in[at - 1];
  if (tx == TILE) tile[ty][TILE + 1] = in[at + 1];
  if (ty == 1 && tx == 1) tile[0][0] = in[at - pitch - 1];
  if (ty == 1 && tx == TILE) tile[0][TILE + 1] = in[at - pitch + 1];
  if (ty == TILE && tx == 1) tile[TILE + 1][0] = in[at + pitch - 1];
  if (ty == TILE && tx == TILE) tile[TILE + 1][TILE + 1] = in[at + pitch + 1];
  __syncthreads();
  float cardinals = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  float diagonals =
      tile[ty - 1][tx - 1] + tile[ty - 1][tx + 1] + tile[ty + 1][tx - 1] + tile[ty + 1][tx + 1];
  out[at] = centre * tile[ty][tx] + cardinal * cardinals + diagonal * diagonals;
}
