// A program of two sources: `--host tests/cuda/parts/read.cpp`, or its object.
#include <cstdio>

int words_of(const char *name); // read.cpp

__global__ void add(int *p, int n) {
  atomicAdd(p, n);
}

int main(int, char **argv) {
  int *d, n = 0;
  cudaMalloc(&d, sizeof *d);
  cudaMemset(d, 0, sizeof *d);
  add<<<1, 32>>>(d, words_of(argv[0]));
  cudaMemcpy(&n, d, sizeof n, cudaMemcpyDeviceToHost);
  printf("32 times %d is %d\n", words_of(argv[0]), n);
}
