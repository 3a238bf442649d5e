// A transform whose halves check what they read: a trap in one arm of a branch must not keep the
// lanes of the other apart at the barriers behind it.
#include "common.h"

#define SIZE 256

__device__ int checked(const int *part, int i) {
  if (i < 0 || i >= SIZE) {
    printf("element %d\n", i);
    __builtin_trap();
  }
  return part[i];
}

__global__ void transform(int *v) {
  __shared__ int part[SIZE];
  const int t = (int)threadIdx.x;
  part[t] = v[blockIdx.x * SIZE + t];
  __syncthreads();
  for (int s = SIZE / 2; s > 0; s >>= 1) {
    const int sum = t & s ? checked(part, t ^ s) - checked(part, t)
                          : checked(part, t) + checked(part, t ^ s);
    __syncthreads();
    part[t] = sum;
    __syncthreads();
  }
  v[blockIdx.x * SIZE + t] = part[t];
}

int main() {
  static int a[2 * SIZE];
  int *v;
  for (int i = 0; i < 2 * SIZE; i++) a[i] = i * 7 % 13;
  cudaMalloc(&v, sizeof a);
  cudaMemcpy(v, a, sizeof a, cudaMemcpyHostToDevice);
  transform<<<2, SIZE>>>(v);
  cudaMemcpy(a, v, sizeof a, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2 * SIZE; i += 37) printf("%d ", a[i]);
  printf("\n");
  return 0;
}
