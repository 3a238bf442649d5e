// Half precision and bfloat16, single and in pairs.
#include "device.cuh"
KERNEL halves(const unsigned short *a, const unsigned short *b, unsigned short *c,
              const unsigned *pairs, unsigned *out) {
  const unsigned i = global_x();
#if __CUDA_ARCH__ >= 530
  unsigned short h;
  unsigned p;
  asm("fma.rn.f16 %0, %1, %2, %1;" : "=h"(h) : "h"(a[i]), "h"(b[i]));
  asm("add.rn.f16x2 %0, %1, %1;" : "=r"(p) : "r"(pairs[i]));
  asm("mul.f16x2 %0, %0, %1;" : "+r"(p) : "r"(pairs[i]));
#if __CUDA_ARCH__ >= 800
  asm("fma.rn.bf16x2 %0, %0, %1, %1;" : "+r"(p) : "r"(pairs[i]));
  asm("max.NaN.f16 %0, %0, %1;" : "+h"(h) : "h"(b[i]));
#endif
  c[i] = h, out[i] = p;
#else
  float x, y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a[i]));
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(b[i]));
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(c[i]) : "f"(x * y + x));
  out[i] = pairs[i];
#endif
}
