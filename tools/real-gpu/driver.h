/* NVIDIA's driver (libcuda.so.1), opened at run time: nothing of CUDA is needed to build this. */
#ifndef WF_DRIVER_H
#define WF_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

typedef int cu_result;
typedef int cu_device;
typedef uint64_t cu_pointer;
typedef struct cu_context_s *cu_context;
typedef struct cu_module_s *cu_module;
typedef struct cu_function_s *cu_function;
typedef struct cu_stream_s *cu_stream;
typedef struct cu_event_s *cu_event;

/* CUdevice_attribute, CUfunction_attribute, CUjit_option: numbers of the driver's interface. */
enum {
  CU_MAX_SHARED_OF_BLOCK = 8,
  CU_REGISTERS_OF_BLOCK = 12,
  CU_CLOCK_KHZ = 13,
  CU_SMS = 16,
  CU_MEMORY_KHZ = 36,
  CU_MEMORY_BITS = 37,
  CU_L2_BYTES = 38,
  CU_THREADS_OF_SM = 39,
  CU_MAJOR = 75,
  CU_MINOR = 76,
  CU_SHARED_OF_SM = 81,
  CU_REGISTERS_OF_SM = 82,
  CU_FUNCTION_MAX_DYNAMIC_SHARED = 8,
  CU_JIT_ERROR_LOG = 5,
  CU_JIT_ERROR_LOG_BYTES = 6
};

/* The driver's functions, each by the name that it exports. */
#define WF_DRIVER_FUNCTIONS(F)                                                                     \
  F(init, "cuInit", (unsigned flags))                                                              \
  F(version, "cuDriverGetVersion", (int *version))                                                 \
  F(device_count, "cuDeviceGetCount", (int *count))                                                \
  F(device, "cuDeviceGet", (cu_device * device, int index))                                        \
  F(device_name, "cuDeviceGetName", (char *name, int bytes, cu_device device))                     \
  F(attribute, "cuDeviceGetAttribute", (int *value, int attribute, cu_device device))              \
  F(total_memory, "cuDeviceTotalMem_v2", (size_t * bytes, cu_device device))                       \
  F(retain, "cuDevicePrimaryCtxRetain", (cu_context * context, cu_device device))                  \
  F(release, "cuDevicePrimaryCtxRelease_v2", (cu_device device))                                   \
  F(use, "cuCtxSetCurrent", (cu_context context))                                                  \
  F(synchronize, "cuCtxSynchronize", (void))                                                       \
  F(load, "cuModuleLoadDataEx",                                                                    \
    (cu_module * module, const void *image, unsigned n, int *options, void **values))              \
  F(function, "cuModuleGetFunction", (cu_function * f, cu_module module, const char *name))        \
  F(set_function, "cuFuncSetAttribute", (cu_function f, int attribute, int value))                 \
  F(blocks_of_sm, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                   \
    (int *blocks, cu_function f, int threads, size_t shared_bytes))                                \
  F(launch, "cuLaunchKernel",                                                                      \
    (cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,  \
     unsigned shared_bytes, cu_stream stream, void **params, void **extra))                        \
  F(alloc, "cuMemAlloc_v2", (cu_pointer * at, size_t bytes))                                       \
  F(to_device, "cuMemcpyHtoD_v2", (cu_pointer to, const void *from, size_t bytes))                 \
  F(from_device, "cuMemcpyDtoH_v2", (void *to, cu_pointer from, size_t bytes))                     \
  F(fill, "cuMemsetD8_v2", (cu_pointer at, unsigned char byte, size_t bytes))                      \
  F(event, "cuEventCreate", (cu_event * event, unsigned flags))                                    \
  F(record, "cuEventRecord", (cu_event event, cu_stream stream))                                   \
  F(wait_event, "cuEventSynchronize", (cu_event event))                                            \
  F(elapsed, "cuEventElapsedTime", (float *milliseconds, cu_event from, cu_event to))              \
  F(error_text, "cuGetErrorString", (cu_result code, const char **text))

typedef struct wf_driver {
  void *library;
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define WF_DRIVER_FIELD(field, symbol, parameters) cu_result(*field) parameters;
  WF_DRIVER_FUNCTIONS(WF_DRIVER_FIELD)
#undef WF_DRIVER_FIELD
} wf_driver;

/* path: of the library. False and *err (code 2) if it is not there or lacks a function. */
bool wf_driver_open(wf_driver *driver, const char *path, wf_error *err);
void wf_driver_close(wf_driver *driver);
/* True if code is success; else false and *err (code 1): what was tried, what the driver says. */
bool wf_driver_ok(const wf_driver *driver, cu_result code, const char *what, wf_error *err);

#endif
