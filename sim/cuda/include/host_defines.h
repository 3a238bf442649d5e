/* CUDA's words for who runs what. */
#ifndef WARPFAB_HOST_DEFINES_H
#define WARPFAB_HOST_DEFINES_H

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static
#define __launch_bounds__(...)
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __maxnreg__(n)
#define __managed__                                                                                \
  __attribute__((unavailable("warpfab: has no managed variables: cudaMallocManaged")))
#define CUDARTAPI
#define CUDART_CB
#define CUDART_VERSION 11000
#define CUDA_VERSION 11000

#endif
