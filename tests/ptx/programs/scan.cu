// Prefix sums of a block, in 64 bits.
#include "device.cuh"
KERNEL scan(const int *in, long long *out, int n) {
  __shared__ long long s[2][512];
  const int t = (int)threadIdx.x, i = (int)global_x();
  int at = 0;
  s[0][t] = i < n ? in[i] : 0;
  for (int by = 1; by < (int)blockDim.x; by *= 2) {
    __syncthreads();
    s[1 - at][t] = s[at][t] + (t >= by ? s[at][t - by] : 0);
    at = 1 - at;
  }
  if (i < n) out[i] = s[at][t];
}
