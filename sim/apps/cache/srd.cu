// Speckle-reducing anisotropic diffusion as in Rodinia (srad_v2): tiles of 16 x 16 with their halo
// in shared memory. Every thread loads its row's or column's halo, as there.
#include "suite.cuh"

enum { TILE = 16 };

struct position {
  uint32_t tx, ty, index;
  bool top, bottom, left, right; // block at that edge of the image
};
DEVICE position place(uint32_t cols) {
  return {thread_x(),
          thread_y(),
          global_y() * cols + global_x(),
          block_y() == 0,
          block_y() == (uint32_t)__nvvm_read_ptx_sreg_nctaid_y() - 1,
          block_x() == 0,
          block_x() == grid_dim_x() - 1};
}

KERNEL srd_coefficients(const float *__restrict__ image, float *dn, float *ds, float *dw, float *de,
                        float *c, uint32_t cols, float q0sqr) {
  __shared__ float tile[TILE][TILE], north[TILE][TILE], south[TILE][TILE], west[TILE][TILE],
      east[TILE][TILE];
  position p = place(cols);
  uint32_t tx = p.tx, ty = p.ty;
  uint32_t first = block_y() * TILE * cols + block_x() * TILE; // the tile's corner
  north[ty][tx] = image[first + tx - (p.top ? 0 : cols)];
  south[ty][tx] = image[first + tx + (p.bottom ? TILE - 1 : TILE) * cols];
  west[ty][tx] = image[first + ty * cols - (p.left ? 0 : 1)];
  east[ty][tx] = image[first + ty * cols + (p.right ? TILE - 1 : TILE)];
  __syncthreads();
  tile[ty][tx] = image[p.index];
  __syncthreads();
  float jc = tile[ty][tx];
  float n = (ty == 0 ? north[ty][tx] : tile[ty - 1][tx]) - jc;
  float s = (ty == TILE - 1 ? south[ty][tx] : tile[ty + 1][tx]) - jc;
  float w = (tx == 0 ? west[ty][tx] : tile[ty][tx - 1]) - jc;
  float e = (tx == TILE - 1 ? east[ty][tx] : tile[ty][tx + 1]) - jc;
  float g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
  float l = (n + s + w + e) / jc;
  float den = 1.0f + 0.25f * l;
  float qsqr = (0.5f * g2 - 0.0625f * (l * l)) / (den * den);
  float value = 1.0f / (1.0f + (qsqr - q0sqr) / (q0sqr * (1.0f + q0sqr)));
  c[p.index] = value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
  dn[p.index] = n;
  ds[p.index] = s;
  dw[p.index] = w;
  de[p.index] = e;
}

KERNEL srd_update(float *image, const float *__restrict__ dn, const float *__restrict__ ds,
                  const float *__restrict__ dw, const float *__restrict__ de,
                  const float *__restrict__ c, uint32_t cols, float lambda) {
  __shared__ float tile[TILE][TILE], south[TILE][TILE], east[TILE][TILE];
  position p = place(cols);
  uint32_t tx = p.tx, ty = p.ty;
  uint32_t first = block_y() * TILE * cols + block_x() * TILE;
  south[ty][tx] = c[first + tx + (p.bottom ? TILE - 1 : TILE) * cols];
  east[ty][tx] = c[first + ty * cols + (p.right ? TILE - 1 : TILE)];
  tile[ty][tx] = c[p.index];
  __syncthreads();
  float cc = tile[ty][tx];
  float cs = ty == TILE - 1 ? south[ty][tx] : tile[ty + 1][tx];
  float ce = tx == TILE - 1 ? east[ty][tx] : tile[ty][tx + 1];
  float sum = cc * dn[p.index] + cs * ds[p.index] + cc * dw[p.index] + ce * de[p.index];
  image[p.index] = image[p.index] + 0.25f * lambda * sum;
}
