// Gridding of MRI samples as in Parboil: samples are sorted into cells of a regular grid
// (histogram, sum, reorder); then each block of threads, a cube of grid points, gathers the samples
// near it through shared memory, weighted by a smooth kernel.
#include "suite.cuh"

struct sample {
  float real, imag, x, y, z, density, unused;
  uint32_t id;
};
enum { CUBE = 4, BLOCK = CUBE * CUBE * CUBE };

KERNEL mri_bin(const sample *__restrict__ samples, uint32_t *count, uint32_t *cell_of,
               uint32_t *place_in_cell, uint32_t side, uint32_t n) {
  uint32_t i = global_thread();
  if (i >= n) return;
  uint32_t x = (uint32_t)samples[i].x, y = (uint32_t)samples[i].y, z = (uint32_t)samples[i].z;
  uint32_t cell = (z * side + y) * side + x;
  cell_of[i] = cell;
  place_in_cell[i] = atomic_add(&count[cell], 1);
}

KERNEL mri_reorder(const sample *__restrict__ samples, const uint32_t *__restrict__ first,
                   const uint32_t *__restrict__ cell_of, const uint32_t *__restrict__ place_in_cell,
                   sample *sorted, uint32_t n) {
  uint32_t i = global_thread();
  if (i < n) sorted[first[cell_of[i]] + place_in_cell[i]] = samples[i];
}

// A row of cells along x near the block holds samples [begin, end).
KERNEL mri_grid(const sample *__restrict__ sorted, const uint32_t *__restrict__ first, float *real,
                float *imag, uint32_t side, float cutoff) {
  __shared__ sample near[BLOCK];
  uint32_t t = thread_x(), blocks = side / CUBE;
  uint32_t x0 = block_x() % blocks * CUBE, y0 = block_x() / blocks % blocks * CUBE,
           z0 = block_x() / blocks / blocks * CUBE;
  uint32_t x = x0 + t % CUBE, y = y0 + t / CUBE % CUBE, z = z0 + t / CUBE / CUBE;
  uint32_t reach = (uint32_t)cutoff + 1;
  float sum_real = 0.0f, sum_imag = 0.0f, limit = cutoff * cutoff;
  uint32_t x_low = x0 < reach ? 0 : x0 - reach, x_high = x0 + CUBE - 1 + reach;
  if (x_high >= side) x_high = side - 1;
#pragma clang loop unroll(disable)
  for (uint32_t cz = z0 < reach ? 0 : z0 - reach; cz < z0 + CUBE + reach && cz < side; cz++)
#pragma clang loop unroll(disable)
    for (uint32_t cy = y0 < reach ? 0 : y0 - reach; cy < y0 + CUBE + reach && cy < side; cy++) {
      uint32_t row = (cz * side + cy) * side, end = first[row + x_high + 1];
#pragma clang loop unroll(disable)
      for (uint32_t begin = first[row + x_low]; begin < end; begin += BLOCK) {
        uint32_t count = end - begin < BLOCK ? end - begin : BLOCK;
        __syncthreads();
        if (t < count) near[t] = sorted[begin + t];
        __syncthreads();
#pragma clang loop unroll(disable)
        for (uint32_t i = 0; i < count; i++) {
          float dx = near[i].x - (float)x, dy = near[i].y - (float)y, dz = near[i].z - (float)z;
          float distance = dx * dx + dy * dy + dz * dz;
          if (distance >= limit) continue;
          float u = 1.0f - distance / limit;
          float weight = near[i].density * (u * u * (3.0f - 2.0f * u));
          sum_real += weight * near[i].real;
          sum_imag += weight * near[i].imag;
        }
      }
    }
  uint32_t at = (z * side + y) * side + x;
  real[at] = sum_real;
  imag[at] = sum_imag;
}
