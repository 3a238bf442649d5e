// Objects made by threads, virtual and indirect calls, recursion, formats of printf, unions and
// aligned records.
#include "common.h"

struct shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~shape() {}
};
struct square : shape {
  float side;
  __device__ square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct circle : shape {
  float radius;
  __device__ circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3.125f * radius * radius; }
};

typedef float operation(float, float);
__device__ float add(float a, float b) {
  return a + b;
}
__device__ float times(float a, float b) {
  return a * b;
}
__device__ operation *operations[2] = {add, times};
__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void shapes(float *out) {
  const unsigned t = threadIdx.x;
  shape *s, **list = new shape *[2];
  if (t & 1)
    s = new square((float)t);
  else
    s = new circle((float)t);
  list[t & 1] = s;
  out[t] = list[t & 1]->area();
  delete s;
  delete[] list;
  out[32 + t] = operations[t & 1]((float)t, 3);
  if (t < 4)
    printf("%2u %-4s fib(%d) = %5d, %8.3f %e %x %c %lld %%\n", t, "of", t + 6, fibonacci(t + 6),
           (double)out[t], (double)out[32 + t], t * 255, 'a' + t, (long long)t << 40);
}

union bits {
  float number;
  unsigned word;
};
struct __align__(16) particle {
  float3 at;
  float mass;
  int id[2];
};
__global__ void move(particle *p, particle by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particle q = p[i];
  q.at.x += by.at.x;
  q.at.y = fmaf(q.at.y, 2.0f, by.mass);
  q.at.z = q.at.z / 3.0f;
  q.id[1] ^= (int)(__brev((unsigned)q.id[0]) + (unsigned)__clz(q.id[0] + 1));
  bits b;
  b.number = q.mass;
  b.word ^= 0x80000000u;
  q.mass = b.number;
  p[i] = q;
}

int main() {
  const int n = 40;
  std::vector<float> out(64);
  std::vector<particle> all(n);
  particle by = {};
  float *d = to_device(out);
  shapes<<<1, 32>>>(d);
  CHECK(cudaDeviceSynchronize());
  to_host(out, d);
  show("areas", out);
  for (int i = 0; i < n; i++) {
    const float x = (float)i;
    all[i].at = make_float3(x, x + 1, x + 2);
    all[i].mass = x;
    all[i].id[0] = i;
    all[i].id[1] = i * i;
  }
  by.at.x = 10;
  by.mass = 0.25f;
  particle *p = to_device(all);
  move<<<2, 32>>>(p, by, n);
  to_host(all, p);
  for (int i = 1; i < n; i += 13)
    printf("%g %g %g %g %d %d\n", all[i].at.x, all[i].at.y, all[i].at.z, all[i].mass, all[i].id[0],
           all[i].id[1]);
}
