// Printing, assertions and traps in device code.
#include "device.cuh"
KERNEL tell(const int *in, int n) {
  const int i = (int)global_x();
  if (i < n)
    printf("thread %d has %d, %5.2f and %s\n", i, in[i], (double)in[i] / 4, i & 1 ? "odd" : "even");
}
KERNEL check(const int *in, int limit) {
  assert(in[global_x()] < limit);
}
KERNEL stop(const int *in) {
  if (in[global_x()] > 100) __builtin_trap();
}
