/* A step of a lattice gas of nine velocities: private arrays, downward and strided loops. */
#include <stdio.h>

#define W 24
#define H 12
#define Q 9
static float f[Q][H][W], g[Q][H][W];
static const int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const float weight[Q] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                                1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};

int main(void) {
  float at[Q];
  for (int q = 0; q < Q; q++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) f[q][y][x] = weight[q] * (1 + 0.1f * (float)((x + y) % 3));
#pragma acc parallel loop private(at) copyin(f) copyout(g)
  for (int y = H - 1; y >= 0; y--)
#pragma acc loop
    for (int x = 0; x < W; x += 1) {
      float rho = 0, ux = 0, uy = 0;
      for (int q = 0; q < Q; q++) {
        at[q] = f[q][(y - ey[q] + H) % H][(x - ex[q] + W) % W];
        rho += at[q];
        ux += at[q] * (float)ex[q];
        uy += at[q] * (float)ey[q];
      }
      for (int q = 0; q < Q; q++) {
        const float e = (float)ex[q] * ux + (float)ey[q] * uy;
        g[q][y][x] = at[q] + 0.6f * (weight[q] * (rho + 3 * e) - at[q]);
      }
    }
  double mass = 0;
  for (int q = 0; q < Q; q++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) mass += g[q][y][x];
  printf("mass %.5f\n", mass);
  return 0;
}
