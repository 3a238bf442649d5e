// Lanes of a warp together: votes, shuffles, matches, sums by redux.
#include "device.cuh"
KERNEL together(const unsigned *in, unsigned *out) {
  const unsigned x = in[global_x()];
  unsigned votes, sum = 0, bits;
#if __CUDA_ARCH__ >= 700
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(votes)
               : "r"(x));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(bits) : "r"(x & 3));
#else
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.b32 %0, p; }"
               : "=r"(votes)
               : "r"(x));
  asm volatile("bfind.u32 %0, %1;" : "=r"(bits) : "r"(x));
#endif
#if __CUDA_ARCH__ >= 800
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(x));
#endif
  asm volatile("{ .reg .pred p; .reg .u32 n; setp.ne.u32 p, %1, 0; bar.red.popc.u32 n, 0, p; "
               "add.u32 %0, %0, n; }"
               : "+r"(sum)
               : "r"(x));
  out[global_x()] = votes + sum + bits;
}
