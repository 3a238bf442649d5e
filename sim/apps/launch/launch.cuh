// Launches from device code: the device runtime's calls as they are known, under their names. A
// kernel is named as text, for clang refuses its address in device code; it must take no more than
// the structure in the buffer.
//   void *buffer = cudaGetParameterBuffer(8, sizeof(child_args));   // NULL: no memory
//   cudaLaunchDevice(child, buffer, blocks, threads, shared, stream) // 0: launched
//   cudaLaunchAggGroup(child, buffer, blocks, threads, shared)
// blocks and threads are dim3; a number stands for {n, 1, 1}.
#ifndef WARPFAB_LAUNCH_CUH
#define WARPFAB_LAUNCH_CUH

#include "suite.cuh"

typedef uint64_t cudaStream_t;
typedef uint32_t cudaError_t;
enum { cudaSuccess = 0, cudaStreamNonBlocking = 1 };

struct dim3 {
  uint32_t x, y, z;
  __device__ constexpr dim3(uint32_t x, uint32_t y = 1, uint32_t z = 1) : x(x), y(y), z(z) {}
};

extern "C" __device__ void *cudaGetParameterBuffer(uint64_t alignment, uint64_t bytes);

DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, uint32_t flags) {
  asm volatile("cuda.stream.create %0;" : "=l"(*stream)::"memory");
  return cudaSuccess;
}

#define WARPFAB_LAUNCH(INSTRUCTION, KERNEL, BUFFER, BLOCKS, THREADS, SHARED)                       \
  ({                                                                                               \
    const dim3 blocks_(BLOCKS), threads_(THREADS);                                                 \
    cudaError_t status_;                                                                           \
    asm volatile(INSTRUCTION " %0, " #KERNEL ", %1, {%2, %3, %4}, {%5, %6, %7}, %8;"               \
                 : "=r"(status_)                                                                   \
                 : "l"(BUFFER), "r"(blocks_.x), "r"(blocks_.y), "r"(blocks_.z), "r"(threads_.x),   \
                   "r"(threads_.y), "r"(threads_.z), "r"((uint32_t)(SHARED))                       \
                 : "memory");                                                                      \
    status_;                                                                                       \
  })
#define cudaLaunchDevice(KERNEL, BUFFER, BLOCKS, THREADS, SHARED, STREAM)                          \
  ((void)(STREAM), WARPFAB_LAUNCH("cuda.launch.device", KERNEL, BUFFER, BLOCKS, THREADS, SHARED))
#define cudaLaunchAggGroup(KERNEL, BUFFER, BLOCKS, THREADS, SHARED)                                \
  WARPFAB_LAUNCH("cuda.launch.group", KERNEL, BUFFER, BLOCKS, THREADS, SHARED)

// ---- what the applications share: one parent in three forms ----
// A parent is written once as a template over its form; LAUNCH(form, kernel, args, items, block)
// launches a thread for each of so many items where there are WORTH or more, and tells whether that
// was done: if not, the parent does the work itself.
enum { FLAT, CDP, DTBL, WORTH = 32 };

// Fills a parameter buffer; NULL: no memory.
template <class ARGS> DEVICE void *parameters(const ARGS &args) {
  ARGS *buffer = (ARGS *)cudaGetParameterBuffer(8, sizeof args);
  if (buffer) *buffer = args;
  return buffer;
}

#define LAUNCH(FORM, KERNEL, ARGS, ITEMS, BLOCK)                                                   \
  ({                                                                                               \
    bool launched_ = false;                                                                        \
    if (FORM != FLAT && (ITEMS) >= WORTH) {                                                        \
      cudaStream_t stream_ = 0;                                                                    \
      if (FORM == CDP) cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);                 \
      void *buffer_ = parameters(ARGS);                                                            \
      const uint32_t count_ = ((ITEMS) + (BLOCK)-1) / (BLOCK);                                     \
      if (buffer_ && FORM == CDP)                                                                  \
        launched_ = cudaLaunchDevice(KERNEL, buffer_, count_, BLOCK, 0, stream_) == cudaSuccess;   \
      if (buffer_ && FORM == DTBL)                                                                 \
        launched_ = cudaLaunchAggGroup(KERNEL, buffer_, count_, BLOCK, 0) == cudaSuccess;          \
    }                                                                                              \
    launched_;                                                                                     \
  })

// KERNEL NAME_flat, NAME_cdp, NAME_dtbl from template <int FORM> void NAME(PARAMS).
#define IN_THREE_FORMS(NAME, PARAMS, ...)                                                          \
  KERNEL NAME##_flat PARAMS {                                                                      \
    NAME<FLAT>(__VA_ARGS__);                                                                       \
  }                                                                                                \
  KERNEL NAME##_cdp PARAMS {                                                                       \
    NAME<CDP>(__VA_ARGS__);                                                                        \
  }                                                                                                \
  KERNEL NAME##_dtbl PARAMS {                                                                      \
    NAME<DTBL>(__VA_ARGS__);                                                                       \
  }

#endif
