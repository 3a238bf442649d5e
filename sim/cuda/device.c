/* The one device: what the configuration says of it. */
#include <stdio.h>
#include <string.h>

#include "sim/cuda/context.h"

static cudaError_t check_device(int device, const char *caller) {
  WF_CUDA_ENTER();
  return device == 0 ? cudaSuccess
                     : wf_cuda_fail(cudaErrorInvalidDevice, "%s: device %d: there is one, 0",
                                    caller, device);
}

cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return wf_cuda_state();
}
cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return wf_cuda_state();
}
cudaError_t cudaSetDevice(int device) {
  return check_device(device, "cudaSetDevice");
}
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties) {
  (void)properties;
  return cudaGetDevice(device);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  const cudaError_t error = check_device(device, "cudaGetDeviceProperties");
  if (error != cudaSuccess) return error;
  const wf_gpu_config *c = wf_gpu_get_config(wf_cuda->gpu);
  const unsigned warps = c->warps_per_sm < 32 ? c->warps_per_sm : 32;
  *p = (cudaDeviceProp){
      .totalGlobalMem = (size_t)c->memory_mib << 20,
      .sharedMemPerBlock = c->shared_bytes_per_sm < 48 << 10 ? c->shared_bytes_per_sm : 48 << 10,
      .regsPerBlock = (int)c->registers_per_sm,
      .warpSize = 32,
      .memPitch = INT32_MAX,
      .maxThreadsPerBlock = (int)(warps * 32),
      .maxThreadsDim = {1024, 1024, WF_CUDA_BLOCK_Z},
      .maxGridSize = {INT32_MAX, WF_CUDA_GRID_YZ, WF_CUDA_GRID_YZ},
      .clockRate = (int)(c->mem.core_mhz * 1000),
      .totalConstMem = 64 << 10,
      .major = (int)wf_cuda->arch / 10,
      .minor = (int)wf_cuda->arch % 10,
      .textureAlignment = 512,
      .multiProcessorCount = (int)c->n_sm,
      .canMapHostMemory = 1,
      .unifiedAddressing = 1,
      .memoryClockRate = (int)(c->mem.dram_mhz * 1000),
      .memoryBusWidth = (int)(c->mem.n_part * 32),
      .l2CacheSize = (int)(c->mem.l2_bytes * c->mem.n_part),
      .maxThreadsPerMultiProcessor = (int)(c->warps_per_sm * 32),
      .globalL1CacheSupported = 1,
      .localL1CacheSupported = 1,
      .sharedMemPerMultiprocessor = c->shared_bytes_per_sm,
      .regsPerMultiprocessor = (int)c->registers_per_sm,
      .managedMemory = wf_cuda->reserved,
      .cooperativeLaunch = 1,
      .sharedMemPerBlockOptin = c->shared_bytes_per_sm,
      .maxBlocksPerMultiProcessor = (int)c->ctas_per_sm,
  };
  snprintf(p->name, sizeof p->name, "warpfab %s", c->name);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  const cudaError_t error = cudaGetDeviceProperties(&p, device);
  if (error != cudaSuccess) return error;
  const struct {
    cudaDeviceAttr attribute;
    int value;
  } table[] = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, (int)p.sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, (int)p.totalConstMem},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
      {cudaDevAttrClockRate, p.clockRate},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrMemoryClockRate, p.memoryClockRate},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)p.sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, p.managedMemory},
      {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
      {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)p.sharedMemPerBlockOptin},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].attribute == attribute) return *value = table[i].value, cudaSuccess;
  return wf_cuda_fail(cudaErrorNotSupported, "cudaDeviceGetAttribute: attribute %d is not known",
                      (int)attribute);
}

cudaError_t cudaDeviceSynchronize(void) {
  return wf_cuda_state();
}
cudaError_t cudaThreadSynchronize(void) {
  return wf_cuda_state();
}

/* All memory is given back; the program's variables stay as they are. */
cudaError_t cudaDeviceReset(void) {
  WF_CUDA_ENTER();
  for (size_t i = 0; i < wf_cuda->n_blocks; i++) wf_cuda->blocks[i].used = false;
  return cudaSuccess;
}
cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}

/* One device: its peer is nobody. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  (void)device, (void)peer;
  *can = 0;
  return wf_cuda_state();
}

/* What has no counterpart here is accepted and does nothing. */
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  (void)flags;
  return wf_cuda_state();
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache preference) {
  (void)preference;
  return wf_cuda_state();
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  (void)config;
  return wf_cuda_state();
}
cudaError_t cudaProfilerStart(void) {
  return wf_cuda_state();
}
cudaError_t cudaProfilerStop(void) {
  return wf_cuda_state();
}

/* Of what a program may ask for more than the fabric has: sim/ptx/README.md. */
static const struct {
  cudaLimit limit;
  size_t value;
} limits[] = {{cudaLimitStackSize, 4096},
              {cudaLimitPrintfFifoSize, 1 << 20},
              {cudaLimitMallocHeapSize, 8 << 20}};

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  WF_CUDA_ENTER();
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (limits[i].limit == limit) return *value = limits[i].value, cudaSuccess;
  return wf_cuda_fail(cudaErrorNotSupported, "cudaDeviceGetLimit: limit %d is not known",
                      (int)limit);
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  size_t there;
  const cudaError_t error = cudaDeviceGetLimit(&there, limit);
  if (error != cudaSuccess || value <= there || limit == cudaLimitPrintfFifoSize) return error;
  return wf_cuda_fail(cudaErrorNotSupported, "cudaDeviceSetLimit: %zu bytes: there are %zu", value,
                      there);
}

cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return wf_cuda_state();
}
cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return wf_cuda_state();
}
