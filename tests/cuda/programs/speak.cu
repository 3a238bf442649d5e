// What threads print; variables of the device; virtual functions, structures.
#include <cassert>

#include "common.h"

__device__ int calls;
static __device__ double table[3] = {0.5, 1.5, 2.5};

struct shape {
  __device__ virtual float area() const = 0;
};
struct square : shape {
  float a;
  __device__ explicit square(float a) : a(a) {}
  __device__ float area() const override { return a * a; }
};
struct circle : shape {
  float r;
  __device__ explicit circle(float r) : r(r) {}
  __device__ float area() const override { return 3.14159265f * r * r; }
};

__global__ void areas(float *out) {
  square s((float)threadIdx.x);
  circle c((float)threadIdx.x / 2);
  const shape *p = threadIdx.x % 2 ? (const shape *)&c : (const shape *)&s;
  out[threadIdx.x] = p->area();
  atomicAdd(&calls, 1);
  assert(out[threadIdx.x] >= 0);
  if (threadIdx.x < 3)
    printf("thread %d: area %.3f, %s, table %g, %lld\n", threadIdx.x, out[threadIdx.x],
           threadIdx.x % 2 ? "circle" : "square", table[threadIdx.x], 1ll << (40 + threadIdx.x));
}

int main() {
  std::vector<float> out(32);
  float *d = to_device(out);
  int n = 0;
  double first;
  areas<<<1, 32>>>(d);
  CHECK(cudaDeviceSynchronize());
  to_host(out, d);
  CHECK(cudaMemcpyFromSymbol(&n, calls, sizeof n));
  CHECK(cudaMemcpyFromSymbol(&first, table, sizeof first, 2 * sizeof(double)));
  printf("%d calls, %g\n", n, first);
  show("area", out);
}
