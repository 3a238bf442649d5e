/* int2, float4, dim3 and their like, with CUDA's alignments. */
#ifndef WARPFAB_VECTOR_TYPES_H
#define WARPFAB_VECTOR_TYPES_H

#include "host_defines.h"

#define WF_VECTORS(TYPE, NAME, TWO, FOUR)                                                          \
  struct NAME##1 {                                                                                 \
    TYPE x;                                                                                        \
  };                                                                                               \
  struct __align__(TWO) NAME##2 {                                                                  \
    TYPE x, y;                                                                                     \
  };                                                                                               \
  struct NAME##3 {                                                                                 \
    TYPE x, y, z;                                                                                  \
  };                                                                                               \
  struct __align__(FOUR) NAME##4 {                                                                 \
    TYPE x, y, z, w;                                                                               \
  };                                                                                               \
  typedef struct NAME##1 NAME##1;                                                                  \
  typedef struct NAME##2 NAME##2;                                                                  \
  typedef struct NAME##3 NAME##3;                                                                  \
  typedef struct NAME##4 NAME##4;
WF_VECTORS(signed char, char, 2, 4)
WF_VECTORS(unsigned char, uchar, 2, 4)
WF_VECTORS(short, short, 4, 8)
WF_VECTORS(unsigned short, ushort, 4, 8)
WF_VECTORS(int, int, 8, 16)
WF_VECTORS(unsigned int, uint, 8, 16)
WF_VECTORS(long, long, 16, 16)
WF_VECTORS(unsigned long, ulong, 16, 16)
WF_VECTORS(long long, longlong, 16, 16)
WF_VECTORS(unsigned long long, ulonglong, 16, 16)
WF_VECTORS(float, float, 8, 16)
WF_VECTORS(double, double, 16, 16)
#undef WF_VECTORS

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
#endif
};
typedef struct dim3 dim3;

#endif
