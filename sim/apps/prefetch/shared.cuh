// What the kernels of the prefetching work's seven applications share. Arrays that a kernel only
// reads are `const __restrict__`, as that work asks of its programmers: their loads become
// ld.global.nc.
#ifndef WARPFAB_PREFETCH_SHARED_CUH
#define WARPFAB_PREFETCH_SHARED_CUH

#include "suite.cuh"

#define NOTHING 0xffffffffu

// A minimum where most values come too late to matter: looks first. A word that all of a large
// component lower would be a queue else.
DEVICE void lower(uint32_t *at, uint32_t value) {
  if (value < *at) reduce_min(at, value);
}

#endif
