// What the programs share: checked calls, numbers that are the same everywhere, a sum of bytes.
#ifndef COMMON_H
#define COMMON_H
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(CALL)                                                                                \
  do {                                                                                             \
    cudaError_t error_ = (CALL);                                                                   \
    if (error_ != cudaSuccess) {                                                                   \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL, cudaGetErrorString(error_));            \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static unsigned random_state = 12345;
static inline unsigned random_word() {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}
static inline float random_float() { // from 0 to below 1
  return (float)(random_word() & 0xffff) / 65536;
}

static inline unsigned sum_of(const void *data, size_t bytes) {
  unsigned sum = 2166136261u;
  for (size_t i = 0; i < bytes; i++) sum = (sum ^ ((const unsigned char *)data)[i]) * 16777619u;
  return sum;
}
template <class T> static void show(const char *name, const std::vector<T> &v) {
  printf("%s: %zu values, sum %08x, first %g, last %g\n", name, v.size(),
         sum_of(v.data(), v.size() * sizeof(T)), (double)v.front(), (double)v.back());
}

// Device memory with a copy of the host's.
template <class T> static T *to_device(const std::vector<T> &v) {
  T *d;
  CHECK(cudaMalloc(&d, v.size() * sizeof(T)));
  CHECK(cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}
template <class T> static void to_host(std::vector<T> &v, const T *d) {
  CHECK(cudaMemcpy(v.data(), d, v.size() * sizeof(T), cudaMemcpyDeviceToHost));
}

// A graph or matrix in rows: so many entries in each, some more in a few.
struct rows {
  std::vector<int> start, column;
};
static inline rows random_rows(int n, int most) {
  rows r;
  r.start.push_back(0);
  for (int v = 0; v < n; v++) {
    int degree = (int)(random_word() % (unsigned)most) + (v % 61 == 0 ? 40 : 0);
    for (int i = 0; i < degree; i++) r.column.push_back((int)(random_word() % (unsigned)n));
    r.start.push_back((int)r.column.size());
  }
  return r;
}
#endif
