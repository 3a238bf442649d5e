// What a program can do wrong, by its first argument: command.sh.
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void one(int *p) {
  p[threadIdx.x] = 1;
}
__global__ void fails(int *p) {
  if (p[0] == 0) __trap();
}
__global__ void forever(volatile int *p) {
  while (p[0] == 0) continue;
}
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int *d, *m, host[32];
  cudaMalloc(&d, 400);
  cudaMemset(d, 0, 400);
#define SAY(CALL)                                                                                  \
  do {                                                                                             \
    cudaError_t e_ = (CALL);                                                                       \
    printf("%s says %s\n", cudaGetErrorName(e_), cudaGetErrorString(e_));                          \
  } while (0)
#define IS(NAME) if (!strcmp(what, NAME))
  IS("read") printf("%d\n", d[3]);
  IS("null") {
    one<<<1, 32>>>(nullptr);
    SAY(cudaDeviceSynchronize());
    SAY(cudaMalloc(&m, 4));
  }
  IS("odd") {
    one<<<1, 32>>>((int *)((char *)d + 1));
    SAY(cudaDeviceSynchronize());
  }
  IS("host") {
    one<<<1, 32>>>(host);
    SAY(cudaDeviceSynchronize());
  }
  IS("trap") {
    fails<<<1, 32>>>(d);
    SAY(cudaDeviceSynchronize());
  }
  IS("forever") forever<<<1, 32>>>(d);
  IS("unseen") one<<<1, 2048>>>(d);
  IS("seen") {
    one<<<1, 2048>>>(d);
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
  }
  IS("shared") {
    one<<<1, 32, 60000>>>(d);
    SAY(cudaGetLastError());
  }
  IS("direction") SAY(cudaMemcpy(host, host, 4, cudaMemcpyHostToDevice));
  IS("size") SAY(cudaMemcpy(host, d, 500, cudaMemcpyDeviceToHost));
  IS("free") {
    cudaFree(d);
    SAY(cudaFree(d));
  }
  IS("full") SAY(cudaMalloc(&m, 1ull << 40));
  IS("exit") exit(5);
  IS("abort") abort();
  IS("managed") {
    cudaMallocManaged(&m, 400);
    m[50] = 7;
    one<<<1, 32>>>(m);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", m[0], m[32], m[50]);
  }
  IS("pinned") {
    int *p, *q;
    cudaHostAlloc(&p, 400, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&q, p, 0);
    one<<<1, 32>>>(q);
    printf("%d\n", p[31]);
    cudaFreeHost(p);
  }
  IS("device") {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("%s, %d SMs, %d.%d\n", p.name, p.multiProcessorCount, p.major, p.minor);
    SAY(cudaSetDevice(1));
  }
  IS("occupancy") {
    int b, g;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, one, 256, 0);
    printf("%d of 256, ", b);
    cudaOccupancyMaxPotentialBlockSize(&g, &b, one);
    printf("%d of %d\n", g, b);
  }
  for (int i = 1; i < argc; i++) printf("<%s>", argv[i]);
  puts("");
}
