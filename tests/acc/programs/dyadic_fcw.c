/* Dyadic convolution, out[i] = sum over k of in[i ^ k] * taps[k], by three fast Walsh-Hadamard
 * transforms: four elements at a time while they lie far apart, then within a block's part, whose
 * iterations hand each other values by fcw. -DPLAIN: as the sum says. */
#include <math.h>
#include <stdio.h>

#ifndef LOG
#define LOG 11
#endif
#define N (1 << LOG)
#define TAPS 128
#define TILE_LOG 8
#define TILE (1 << TILE_LOG)
void warpfabVerified(int right) __attribute__((weak));

static float in[N], taps[N], out[N], tile[N];

#ifdef PLAIN
static void convolve(void) {
#pragma acc kernels loop independent vector(TILE) present(in, taps, out)
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < TAPS; k++) sum += in[i ^ k] * taps[k];
    out[i] = sum;
  }
}
#else
/* Pairs at a distance of `stride` and of twice that, in one pass. */
static void far_apart(float *v, int stride) {
#pragma acc kernels loop independent vector(TILE) present(v)
  for (int t = 0; t < N / 4; t++) {
    const int low = t % stride, i0 = (t - low) * 4 + low;
    const int i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    const float s0 = v[i0] + v[i2], s1 = v[i1] + v[i3], d0 = v[i0] - v[i2], d1 = v[i1] - v[i3];
    v[i0] = s0 + s1;
    v[i1] = s0 - s1;
    v[i2] = d0 + d1;
    v[i3] = d0 - d1;
  }
}

static void within(float *v, int size) {
#pragma acc kernels loop independent vector(TILE) present(v, tile)
  for (int i = 0; i < N; i++) {
#pragma acc fcw CHANNEL_ONLY(tile [i:0:0])
    {
      tile[i] = v[i];
      for (int s = size / 2; s > 0; s >>= 1)
        tile[i] = i & s ? tile[i ^ s] - tile[i] : tile[i] + tile[i ^ s];
      v[i] = tile[i];
    }
  }
}

static void transform(float *v) {
  int size = N;
  for (; size > TILE; size /= 4) far_apart(v, size / 4);
  within(v, size);
}

static void convolve(void) {
#pragma acc kernels loop independent vector(TILE) present(in, out)
  for (int i = 0; i < N; i++) out[i] = in[i];
  transform(out);
  transform(taps);
#pragma acc kernels loop independent vector(TILE) present(taps, out)
  for (int i = 0; i < N; i++) out[i] *= taps[i] * (1.0f / N);
  transform(out);
}
#endif

int main(void) {
  static float given[TAPS];
  int wrong = 0;
  for (int i = 0; i < N; i++) in[i] = (float)(i * 7 % 13 - 6);
  for (int k = 0; k < TAPS; k++) taps[k] = given[k] = (float)(k % 5 - 2);
#pragma acc data copyin(in, taps) copyout(out) create(tile)
  convolve();
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < TAPS; k++) sum += in[i ^ k] * given[k];
    wrong += fabsf(sum - out[i]) > 0.05f;
  }
  printf("%d of %d sums differ from the plain program's\n", wrong, N);
  if (warpfabVerified) warpfabVerified(!wrong);
  return wrong != 0;
}
