// Triangular factors of a small matrix by one block, as a dense solver begins.
#include "device.cuh"
KERNEL lud_diagonal(float *m, int n, int offset) {
  __shared__ float s[16][16];
  const int t = (int)threadIdx.x;
  for (int i = 0; i < 16; i++) s[i][t] = m[(offset + i) * n + offset + t];
  __syncthreads();
  for (int i = 0; i < 15; i++) {
    if (t > i) {
      for (int j = 0; j < i; j++) s[t][i] -= s[t][j] * s[j][i];
      s[t][i] /= s[i][i];
    }
    __syncthreads();
    if (t > i)
      for (int j = 0; j < i + 1; j++) s[i + 1][t] -= s[i + 1][j] * s[j][t];
    __syncthreads();
  }
  for (int i = 1; i < 16; i++) m[(offset + i) * n + offset + t] = s[i][t];
}
