// Forms of the runtime's functions that take a typed pointer, a symbol or a kernel.
#ifndef WARPFAB_TEMPLATES_H
#define WARPFAB_TEMPLATES_H

#include "cuda_runtime_api.h"

template <class T> inline cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return ::cudaMalloc((void **)pointer, bytes);
}
template <class T>
inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T> inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned = 0) {
  return ::cudaMallocHost((void **)pointer, bytes);
}
template <class T> inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags) {
  return ::cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
  return ::cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                     unsigned flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)pointer, bytes, flags);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return wfMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind, cudaStream_t = 0) {
  return wfMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return wfMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind, cudaStream_t = 0) {
  return wfMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class P, class T> inline cudaError_t cudaGetSymbolAddress(P **pointer, const T &symbol) {
  return wfGetSymbolAddress((void **)pointer, (const void *)&symbol);
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return wfGetSymbolSize(bytes, (const void *)&symbol);
}

template <class T>
inline cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                               size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared,
                                       stream);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function) {
  return wfFuncGetAttributes(attributes, (const void *)function);
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value) {
  return wfFuncSetAttribute((const void *)function, attribute, value);
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache preference) {
  return wfFuncSetCacheConfig((const void *)function, preference);
}
template <class T> inline cudaError_t cudaFuncSetSharedMemConfig(T *, cudaSharedMemConfig) {
  return cudaSuccess;
}

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function,
                                                                 int block, size_t shared) {
  return wfOccupancy(blocks, (const void *)function, block, shared);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *function,
                                                                          int block, size_t shared,
                                                                          unsigned) {
  return wfOccupancy(blocks, (const void *)function, block, shared);
}
// The block size of most threads at work, and as many blocks as fill the GPU.
template <class T, class SHARED>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                  T *function, SHARED shared,
                                                                  int limit = 0) {
  int most = 0, sms = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = wfFuncGetAttributes(&attributes, (const void *)function);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess) return error;
  *grid = *block = 0;
  int from = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < from) from = limit;
  for (int b = from / 32 * 32; b > 0; b -= 32) {
    int blocks = 0;
    error = wfOccupancy(&blocks, (const void *)function, b, shared(b));
    if (error != cudaSuccess) return error;
    if (blocks * b > most) most = blocks * b, *block = b, *grid = blocks * sms;
  }
  return most ? cudaSuccess : cudaErrorInvalidConfiguration;
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *function,
                                                      size_t shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, function, [shared](int) { return shared; }, limit);
}

template <class T> inline cudaError_t cudaEventCreate(T *event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}

#endif
