// Sorting in shared memory, with a comparison of the caller's.
#include "device.cuh"
struct pair {
  unsigned key, value;
};
__device__ __noinline__ void order(pair &a, pair &b, bool up) {
  if ((a.key > b.key) == up) {
    const pair t = a;
    a = b;
    b = t;
  }
}
KERNEL bitonic(pair *data) {
  __shared__ pair s[256];
  const unsigned t = threadIdx.x;
  s[t] = data[global_x()];
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      if ((t ^ step) > t) order(s[t], s[t ^ step], (t & size) == 0);
    }
  __syncthreads();
  data[global_x()] = s[t];
}
