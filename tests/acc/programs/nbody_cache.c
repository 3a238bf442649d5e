/* Forces on bodies: a block's threads read the others a tile at a time; -DFCW: by fcw. */
#include <math.h>
#include <stdio.h>

#ifndef BODIES
#define BODIES 256
#endif
#ifndef TILE
#define TILE 128
#endif
typedef struct place {
  float x, y, z, mass;
} place;
static place at[BODIES];
static float fx[BODIES], fy[BODIES], fz[BODIES];

int main(void) {
  for (int i = 0; i < BODIES; i++) {
    at[i].x = (float)(i % 7) - 3;
    at[i].y = (float)(i % 11) - 5;
    at[i].z = (float)(i % 5) - 2;
    at[i].mass = (float)(1 + i % 3);
  }
#pragma acc kernels loop independent vector(TILE) copyin(at) copyout(fx, fy, fz)
  for (int i = 0; i < BODIES; i++) {
    const place own = at[i];
    float x = 0, y = 0, z = 0;
    for (int t = 0; t < BODIES / TILE; t++) {
#ifdef FCW
#pragma acc fcw FETCH_ONLY(at [t * TILE:0:TILE - 1])
#else
#pragma acc cache(at [t * TILE:TILE])
#endif
      for (int j = t * TILE; j < (t + 1) * TILE; j++) {
        const place p = at[j];
        const float dx = p.x - own.x, dy = p.y - own.y, dz = p.z - own.z;
        const float r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        const float f = p.mass * r * r * r;
        x += f * dx, y += f * dy, z += f * dz;
      }
    }
    fx[i] = x;
    fy[i] = y;
    fz[i] = z;
  }
  double sum = 0;
  for (int i = 0; i < BODIES; i++) sum += fabs(fx[i]) + fabs(fy[i]) + fabs(fz[i]);
  printf("sum of forces %.1f\n", sum);
  return 0;
}
