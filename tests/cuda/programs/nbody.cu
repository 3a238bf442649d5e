// Bodies that attract each other, a tile of them in shared memory at a time.
#include "common.h"

__device__ float3 pull(float4 me, float4 other, float3 sum) {
  float3 d = make_float3(other.x - me.x, other.y - me.y, other.z - me.z);
  float square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f, inverse = rsqrtf(square);
  float s = other.w * inverse * inverse * inverse;
  sum.x += d.x * s;
  sum.y += d.y * s;
  sum.z += d.z * s;
  return sum;
}

__global__ void move(const float4 *at, float4 *to, float4 *speed, int n, float dt) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = at[i];
  float3 sum = {0, 0, 0};
  for (int t = 0; t < n; t += blockDim.x) {
    tile[threadIdx.x] = at[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < (int)blockDim.x; j++) sum = pull(me, tile[j], sum);
    __syncthreads();
  }
  float4 v = speed[i];
  v.x += sum.x * dt;
  v.y += sum.y * dt;
  v.z += sum.z * dt;
  speed[i] = v;
  to[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}

int main() {
  const int n = 256;
  std::vector<float4> at(n), speed(n, float4{0, 0, 0, 0});
  for (auto &b : at) b = float4{random_float(), random_float(), random_float(), 1 + random_float()};
  float4 *a = to_device(at), *b = to_device(at), *v = to_device(speed);
  for (int t = 0; t < 3; t++) {
    move<<<n / 64, 64, 64 * sizeof(float4)>>>(t % 2 ? b : a, t % 2 ? a : b, v, n, 0.01f);
    CHECK(cudaGetLastError());
  }
  to_host(at, b);
  printf("first %.6f %.6f %.6f, all %08x\n", at[0].x, at[0].y, at[0].z,
         sum_of(at.data(), n * sizeof at[0]));
}
