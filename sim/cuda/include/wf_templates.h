// Forms of the runtime's functions that take a typed pointer, a symbol or a kernel.
#ifndef WARPFAB_TEMPLATES_H
#define WARPFAB_TEMPLATES_H

#include "cuda_runtime_api.h"

template <class WfT> inline cudaError_t cudaMalloc(WfT **pointer, size_t bytes) {
  return ::cudaMalloc((void **)pointer, bytes);
}
template <class WfT>
inline cudaError_t cudaMallocPitch(WfT **pointer, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class WfT> inline cudaError_t cudaMallocHost(WfT **pointer, size_t bytes, unsigned = 0) {
  return ::cudaMallocHost((void **)pointer, bytes);
}
template <class WfT> inline cudaError_t cudaHostAlloc(WfT **pointer, size_t bytes, unsigned flags) {
  return ::cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class WfT>
inline cudaError_t cudaHostGetDevicePointer(WfT **device, void *host, unsigned flags) {
  return ::cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class WfT>
inline cudaError_t cudaMallocManaged(WfT **pointer, size_t bytes,
                                     unsigned flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)pointer, bytes, flags);
}

template <class WfT>
inline cudaError_t cudaMemcpyToSymbol(const WfT &symbol, const void *from, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return wfMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class WfT>
inline cudaError_t cudaMemcpyToSymbolAsync(const WfT &symbol, const void *from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind, cudaStream_t = 0) {
  return wfMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class WfT>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const WfT &symbol, size_t bytes,
                                        size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return wfMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class WfT>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const WfT &symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind, cudaStream_t = 0) {
  return wfMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class P, class WfT>
inline cudaError_t cudaGetSymbolAddress(P **pointer, const WfT &symbol) {
  return wfGetSymbolAddress((void **)pointer, (const void *)&symbol);
}
template <class WfT> inline cudaError_t cudaGetSymbolSize(size_t *bytes, const WfT &symbol) {
  return wfGetSymbolSize(bytes, (const void *)&symbol);
}

template <class WfT>
inline cudaError_t cudaLaunchKernel(WfT *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <class WfT>
inline cudaError_t cudaLaunchCooperativeKernel(WfT *function, dim3 grid, dim3 block,
                                               void **arguments, size_t shared = 0,
                                               cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared,
                                       stream);
}
template <class WfT>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, WfT *function) {
  return wfFuncGetAttributes(attributes, (const void *)function);
}
template <class WfT>
inline cudaError_t cudaFuncSetAttribute(WfT *function, cudaFuncAttribute attribute, int value) {
  return wfFuncSetAttribute((const void *)function, attribute, value);
}
template <class WfT>
inline cudaError_t cudaFuncSetCacheConfig(WfT *function, cudaFuncCache preference) {
  return wfFuncSetCacheConfig((const void *)function, preference);
}
template <class WfT> inline cudaError_t cudaFuncSetSharedMemConfig(WfT *, cudaSharedMemConfig) {
  return cudaSuccess;
}

template <class WfT>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, WfT *function,
                                                                 int block, size_t shared) {
  return wfOccupancy(blocks, (const void *)function, block, shared);
}
template <class WfT>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                          WfT *function, int block,
                                                                          size_t shared, unsigned) {
  return wfOccupancy(blocks, (const void *)function, block, shared);
}
// The block size of most threads at work, and as many blocks as fill the GPU.
template <class WfT, class SHARED>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                  WfT *function, SHARED shared,
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
template <class WfT>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, WfT *function,
                                                      size_t shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, function, [shared](int) { return shared; }, limit);
}

template <class WfT> inline cudaError_t cudaEventCreate(WfT *event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}

#endif
