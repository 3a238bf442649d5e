/* Forces between bodies of a structure, then their positions, in two regions; -DPARALLEL: which are
 * parallel, as GCC runs kernels regions on one thread. */
#include <math.h>
#include <stdio.h>

enum { BODIES = 96 };
typedef struct body {
  float x, y, z, mass;
} body;
static body at[BODIES];
static float vx[BODIES], vy[BODIES], vz[BODIES];

static float inverse_cube(float d2) {
  const float r = 1 / sqrtf(d2);
  return r * r * r;
}

int main(void) {
  for (int i = 0; i < BODIES; i++) {
    at[i].x = i % 7 - 3.0f;
    at[i].y = i % 11 - 5.0f;
    at[i].z = i % 5 - 2.0f;
    at[i].mass = 1 + i % 3;
  }
#pragma acc data copy(at, vx, vy, vz)
  for (int step = 0; step < 2; step++) {
#ifdef PARALLEL
#pragma acc parallel loop
#else
#pragma acc kernels loop independent
#endif
    for (int i = 0; i < BODIES; i++) {
      float fx = 0, fy = 0, fz = 0;
      for (int j = 0; j < BODIES; j++) {
        const float dx = at[j].x - at[i].x, dy = at[j].y - at[i].y, dz = at[j].z - at[i].z;
        const float f = at[j].mass * inverse_cube(dx * dx + dy * dy + dz * dz + 0.01f);
        fx += f * dx, fy += f * dy, fz += f * dz;
      }
      vx[i] += 0.01f * fx;
      vy[i] += 0.01f * fy;
      vz[i] += 0.01f * fz;
    }
#ifdef PARALLEL
#pragma acc parallel loop
#else
#pragma acc kernels loop independent
#endif
    for (int i = 0; i < BODIES; i++) {
      at[i].x += 0.01f * vx[i];
      at[i].y += 0.01f * vy[i];
      at[i].z += 0.01f * vz[i];
    }
  }
  double sum = 0;
  for (int i = 0; i < BODIES; i++) sum += at[i].x + at[i].y + at[i].z;
  printf("sum of places %.3f\n", sum);
  return 0;
}
