/* What a running CUDA program has: not for other modules. */
#ifndef WF_CUDA_CONTEXT_H
#define WF_CUDA_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/cuda/include/cuda_runtime_api.h"
#include "sim/gpu/gpu.h"
#include "sim/ptx/ptx.h"

/* A kernel, by the host's function for it. */
typedef struct wf_cuda_function {
  const void *host;
  const char *name;
  const ptx_kernel *kernel; /* NULL: the device's part of the program lacks it */
  uint32_t dynamic_most;    /* bytes of dynamic shared memory that were asked for */
} wf_cuda_function;

/* A __device__ or __constant__ variable, by the host's shadow of it. */
typedef struct wf_cuda_variable {
  const void *host;
  const char *name;
} wf_cuda_variable;

typedef enum wf_cuda_kind {
  WF_CUDA_DEVICE,
  WF_CUDA_MANAGED, /* both sides read and write it at the same address */
  WF_CUDA_PINNED,  /* the same, asked for as host memory */
} wf_cuda_kind;

typedef struct wf_cuda_block {
  uint64_t at, bytes, room; /* room: bytes that are its own; at least `bytes` */
  wf_cuda_kind kind;
  bool used;
} wf_cuda_block;

typedef struct wf_cuda_configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} wf_cuda_configuration;

/* As of sm_30 and later: how far a block and a grid go in y and z. */
enum { WF_CUDA_NESTED = 16, WF_CUDA_BLOCK_Z = 64, WF_CUDA_GRID_YZ = 65535 };

typedef struct wf_cuda_context {
  wf_gpu *gpu;
  const ptx_module *module;
  const char *path, *ptx; /* the program, and its device part */
  unsigned arch;          /* 70: compute capability 7.0 */
  wf_cuda_function *functions;
  wf_cuda_variable *variables;
  wf_cuda_block *blocks;
  size_t n_functions, n_variables, n_blocks;
  wf_cuda_configuration pushed[WF_CUDA_NESTED]; /* by <<<>>>, until the launch takes it */
  unsigned n_pushed;
  bool reserved;   /* device addresses are the program's, without access but for managed memory */
  bool simulating; /* a signal now is the bench's own */
  cudaError_t last, sticky, told_of; /* told_of: whose detail is `detail` */
  const char *unseen;                /* what failed, and nobody has asked */
  bool judged, wrong;                /* warpfabVerified */
  char detail[1100];
  wf_error fault; /* of a kernel: why `sticky` */
} wf_cuda_context;

/* The program that runs; NULL: none. CUDA's functions have no other way to it. */
extern wf_cuda_context *wf_cuda;

/* ---- errors ---- */
/* What every function asks first: an earlier fault, or that no program runs. */
cudaError_t wf_cuda_state(void);
/* Remembers the error, for cudaGetLastError() and cudaGetErrorString(); returns it. */
cudaError_t wf_cuda_fail(cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define WF_CUDA_ENTER()                                                                            \
  do {                                                                                             \
    const cudaError_t state_ = wf_cuda_state();                                                    \
    if (state_ != cudaSuccess) return state_;                                                      \
  } while (0)
/* Ends the program at once, with this error: what no program can go on after. */
_Noreturn void wf_cuda_end(const wf_error *err);

/* ---- functions, variables, memory ---- */
/* NULL: an error is remembered that names the caller. */
wf_cuda_function *wf_cuda_find_function(const void *host, const char *caller);
/* The allocation that the address lies in, or NULL. */
wf_cuda_block *wf_cuda_find_block(uint64_t at);
/* Memory that both sides have: to the device before a launch, back behind it. */
bool wf_cuda_managed_to_device(wf_error *err);
bool wf_cuda_managed_to_host(wf_error *err);
/* Is it among the device's addresses? Of managed memory, too. */
bool wf_cuda_is_device_address(uint64_t at);
/* Reserves device addresses, so that the host's use of one is a signal. */
void wf_cuda_reserve(wf_cuda_context *c);
void wf_cuda_free_memory(wf_cuda_context *c);

#endif
