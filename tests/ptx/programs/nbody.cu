// Forces between bodies, vectors of four.
#include "device.cuh"
typedef float float4 __attribute__((ext_vector_type(4)));
__device__ __noinline__ float4 pull(float4 a, float4 b, float4 f) {
  const float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  const float r2 = dx * dx + dy * dy + dz * dz + 0.01f, r = __nvvm_rsqrt_approx_f(r2),
              s = b.w * r * r * r;
  f.x += s * dx, f.y += s * dy, f.z += s * dz;
  return f;
}
KERNEL nbody(const float4 *at, float4 *force, int n) {
  __shared__ float4 tile[128];
  float4 f = {0, 0, 0, 0}, mine = at[global_x()];
  for (int k = 0; k < n; k += 128) {
    tile[threadIdx.x % 128] = at[k + (int)(threadIdx.x % 128)];
    __syncthreads();
    for (int j = 0; j < 128; j++) f = pull(mine, tile[j], f);
    __syncthreads();
  }
  force[global_x()] = f;
}
