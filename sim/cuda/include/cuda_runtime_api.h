/* The runtime's functions that warpfab has. C and C++. */
#ifndef WARPFAB_CUDA_RUNTIME_API_H
#define WARPFAB_CUDA_RUNTIME_API_H

#include "driver_types.h"

#ifdef __cplusplus
#define WF_OR(value) = value
extern "C" {
#else
#define WF_OR(value)
#endif

/* memory */
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags WF_OR(1));
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream WF_OR(0));
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total);

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream WF_OR(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream WF_OR(0));
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream WF_OR(0));
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);

/* symbols: in C++ as templates, cuda_runtime.h */
cudaError_t wfMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                             cudaMemcpyKind kind);
cudaError_t wfMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                               cudaMemcpyKind kind);
cudaError_t wfGetSymbolAddress(void **pointer, const void *symbol);
cudaError_t wfGetSymbolSize(size_t *bytes, const void *symbol);

/* launches */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared WF_OR(0),
                                     cudaStream_t stream WF_OR(0));
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared WF_OR(0),
                                        cudaStream_t stream WF_OR(0));
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user);
cudaError_t wfFuncGetAttributes(cudaFuncAttributes *attributes, const void *function);
cudaError_t wfFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value);
cudaError_t wfFuncSetCacheConfig(const void *function, cudaFuncCache preference);
cudaError_t wfOccupancy(int *blocks, const void *function, int block, size_t shared);

/* streams and events: all in the program's order, and done when the call returns */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags WF_OR(0));
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
                                  unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream WF_OR(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
/* from the cycles that the fabric simulated, at the core's clock */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* device: there is one */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache preference);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* errors */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* ---- the fabric's own ---- */
/* Is the unit in the fabric (--unit)? */
int warpfabHasUnit(const char *unit);
/* Has the program found its results right? Said more than once: each time. */
void warpfabVerified(int right);
/* Sets a unit's base register, as --base of `warpfab run --ptx`: "mff", "c_base". */
cudaError_t warpfabUnitBase(const char *unit, const char *base, const void *pointer);
/* TELEPORT: what thread blocks read before they start, as `warpfab ptx analyse --grid ..` prints
 * it: block b reads elements b . min + min_offset to b . max + max_offset of the array at base. */
cudaError_t cudaFlushCTATracker(void);
cudaError_t cudaSetCTATracker(const void *base, unsigned element_bytes, int min_x, int min_y,
                              int min_z, int min_offset, int max_x, int max_y, int max_z,
                              int max_offset);

#ifdef __cplusplus
}
#endif

#endif
