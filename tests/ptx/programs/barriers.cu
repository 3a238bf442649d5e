// Barriers by number and for some of the warps, and votes at barriers. The host says by rule what
// the threads say together.
#include "device.cuh"
enum { ROUNDS = 5, HALF = 64 };
#ifdef __CUDA__
// Half of the block writes, the other half reads; one barrier says full, the other empty.
KERNEL relay(int *out) {
  __shared__ int box[HALF];
  const int t = (int)threadIdx.x;
  int sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    if (t < HALF) {
      asm volatile("bar.sync 2, 128;" ::: "memory");
      box[t] = t * 10 + round;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
      asm volatile("bar.arrive 2, 128;" ::: "memory");
      asm volatile("bar.sync 1, 128;" ::: "memory");
      sum += box[2 * HALF - 1 - t] << round;
    }
  }
  out[t] = sum;
}
KERNEL votes(int *out) {
  const int t = (int)threadIdx.x, which = 3 + t / 64;
  int n, all, any, some;
  asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %4, 0; bar.red.popc.u32 %0, 0, p;\n"
               "bar.red.and.pred q, 5, !p; selp.s32 %1, 1, 0, q;\n"
               "bar.red.or.pred q, 6, 128, p; selp.s32 %2, 1, 0, q;\n"
               "bar.red.popc.u32 %3, %5, 64, p; }"
               : "=r"(n), "=r"(all), "=r"(any), "=r"(some)
               : "r"(t % 3), "r"(which)
               : "memory");
  out[t] = n * 1000 + all * 100 + any * 10 + some * 100000;
}
#else
KERNEL relay(int *out) {
  const int t = (int)threadIdx.x;
  int sum = 0;
  for (int round = 0; round < ROUNDS && t >= HALF; round++)
    sum += ((2 * HALF - 1 - t) * 10 + round) << round;
  out[t] = sum;
}
KERNEL votes(int *out) {
  const int t = (int)threadIdx.x;
  out[t] = 43 * 1000 + 10 + (t < 64 ? 22 : 21) * 100000;
}
#endif
