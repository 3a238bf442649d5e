// Alignment of sequences, a diagonal at a time.
#include "device.cuh"
__device__ inline int largest(int a, int b, int c) {
  const int m = a > b ? a : b;
  return m > c ? m : c;
}
KERNEL needle(const int *reference, int *score, int columns, int penalty, int diagonal) {
  __shared__ int t[17][17];
  const int k = (int)threadIdx.x, bx = (int)blockIdx.x, by = diagonal - 1 - bx;
  const int base = columns * 16 * by + 16 * bx + k + columns + 1;
  for (int r = 0; r < 16; r++) t[r + 1][0] = score[columns * (16 * by + r + 1) + 16 * bx];
  t[0][k + 1] = score[base - columns];
  if (k == 0) t[0][0] = score[base - columns - 1];
  __syncthreads();
  for (int m = 0; m < 31; m++) {
    const int y = m - k + 1;
    if (y >= 1 && y <= 16)
      t[y][k + 1] = largest(t[y - 1][k] + reference[base + (y - 1) * columns], t[y][k] - penalty,
                            t[y - 1][k + 1] - penalty);
    __syncthreads();
  }
  for (int r = 0; r < 16; r++) score[base + r * columns] = t[r + 1][k + 1];
}
