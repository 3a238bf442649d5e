#include "sim/apps/warpfab.cuh"
// Sixteen loads at a time: they enter the load/store unit in every cycle, and leave it.
KERNEL k(uint32_t *to, const uint32_t *from) {
  uint32_t s = 0, l = thread_x() & 31;
  for (int i = 0; i < 50; i++) {
    const uint32_t *p = from + ((i & 3) << 3);
    uint32_t a[16];
#pragma unroll
    for (int j = 0; j < 16; j++) a[j] = p[j * 2 + (i & 1)];
#pragma unroll
    for (int j = 0; j < 16; j++) s = s * 3 + a[j];
  }
  to[global_thread()] = s + l;
}
