/* A driver whose GPU is the modelled one: libcuda.so.1 as far as tools/real-gpu calls it, so that
 * the tool is tested where there is no card. WF_FAULT breaks one thing of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/gpu/gpu.h"

#define EXPORT __attribute__((visibility("default")))
enum { OK, INVALID = 1, NO_MEMORY = 2, NOT_FOUND = 500, BAD_PTX = 218, FAILED = 719 };

static wf_gpu *gpu;
static wf_error last;

static bool fault(const char *name) {
  const char *asked = getenv("WF_FAULT");
  return asked && !strcmp(asked, name);
}
static int code_of(bool right, int otherwise) {
  return right ? OK : otherwise;
}

EXPORT int cuInit(unsigned flags);
EXPORT int cuInit(unsigned flags) {
  wf_gpu_config config;
  if (flags || gpu) return INVALID;
  if (!wf_gpu_config_load(&config, "gtx480", &last)) return FAILED;
  gpu = wf_gpu_create(&config, &(wf_options){0}, NULL, 0, 1, &last);
  return code_of(gpu != NULL, FAILED);
}
EXPORT int cuDriverGetVersion(int *version);
EXPORT int cuDriverGetVersion(int *version) {
  return *version = 12040, OK;
}
EXPORT int cuDeviceGetCount(int *count);
EXPORT int cuDeviceGetCount(int *count) {
  return *count = fault("no_device") ? 0 : 1, OK;
}
EXPORT int cuDeviceGet(int *device, int index);
EXPORT int cuDeviceGet(int *device, int index) {
  return *device = index, code_of(index == 0, INVALID);
}
EXPORT int cuDeviceGetName(char *name, int bytes, int device);
EXPORT int cuDeviceGetName(char *name, int bytes, int device) {
  (void)device;
  return snprintf(name, (size_t)bytes, "fabric"), OK;
}
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device);
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const wf_gpu_config *c = wf_gpu_get_config(gpu);
  (void)device;
  switch (attribute) {
  case 13:
    return *value = (int)c->mem.core_mhz * 1000, OK;
  case 16:
    return *value = (int)c->n_sm, OK;
  case 36:
    return *value = (int)c->mem.dram_mhz * 1000, OK;
  case 37:
    return *value = (int)(c->mem.n_part * 64), OK;
  case 38:
    return *value = (int)(c->mem.n_part * c->mem.l2_bytes), OK;
  case 39:
    return *value = (int)c->warps_per_sm * PTX_LANES, OK;
  case 75:
    return *value = 3, OK;
  case 76:
    return *value = 5, OK;
  case 82:
    return *value = (int)c->registers_per_sm, OK;
  default:
    return INVALID;
  }
}
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device);
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  return *bytes = (size_t)wf_gpu_get_config(gpu)->memory_mib << 20, OK;
}
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device);
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) {
  (void)device;
  return *context = gpu, OK;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int device);
EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  (void)device;
  wf_gpu_destroy(gpu);
  return gpu = NULL, OK;
}
EXPORT int cuCtxSetCurrent(void *context);
EXPORT int cuCtxSetCurrent(void *context) {
  return code_of(context == gpu, INVALID);
}
EXPORT int cuCtxSynchronize(void);
EXPORT int cuCtxSynchronize(void) {
  return fault("kernel") ? FAILED : OK;
}

EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned n, const int *options,
                              void **values);
EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned n, const int *options,
                              void **values) {
  static uintptr_t modules;
  *module = (void *)++modules;
  if (wf_gpu_load_ptx(gpu, "module", image, strlen(image), &last) && !fault("ptx")) return OK;
  if (n == 2 && options[0] == 5) strcpy(values[0], "ptxas says no");
  return BAD_PTX;
}
EXPORT int cuModuleGetFunction(const void **function, void *module, const char *name);
EXPORT int cuModuleGetFunction(const void **function, void *module, const char *name) {
  (void)module;
  *function = wf_gpu_find_kernel(gpu, name, &last);
  return code_of(*function != NULL, NOT_FOUND);
}
EXPORT int cuFuncSetAttribute(void *function, int attribute, int value);
EXPORT int cuFuncSetAttribute(void *function, int attribute, int value) {
  (void)function, (void)value;
  return code_of(attribute == 8, INVALID);
}
EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const ptx_kernel *k,
                                                       int threads, size_t shared);
EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const ptx_kernel *k,
                                                       int threads, size_t shared) {
  uint32_t all;
  if (!wf_gpu_resident_blocks(gpu, k->name, (uint32_t)threads, (uint32_t)shared, &all, &last))
    return FAILED;
  return *blocks = (int)(all / wf_gpu_get_config(gpu)->n_sm), OK;
}
EXPORT int cuLaunchKernel(const ptx_kernel *k, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
                          void **extra);
EXPORT int cuLaunchKernel(const ptx_kernel *k, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
                          void **extra) {
  wf_launch_args a = {.kernel = k->name,
                      .grid = {gx, gy, gz},
                      .block = {bx, by, bz},
                      .shared_bytes = shared,
                      .n_params = k->n_params};
  if (stream || extra) return INVALID;
  for (unsigned i = 0; i < a.n_params; i++) a.params[i] = params[i];
  return code_of(wf_gpu_launch(gpu, &a, &last), FAILED);
}

EXPORT int cuMemAlloc_v2(uint64_t *at, size_t bytes);
EXPORT int cuMemAlloc_v2(uint64_t *at, size_t bytes) {
  if (fault("memory") && bytes > 4096) return NO_MEMORY;
  *at = wf_gpu_alloc(gpu, bytes, "memory", &last);
  return code_of(*at != 0, NO_MEMORY);
}
EXPORT int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
EXPORT int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  return code_of(wf_gpu_write(gpu, to, from, bytes, &last), INVALID);
}
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  if (!wf_gpu_read(gpu, to, from, bytes, &last)) return INVALID;
  if (fault("value") && bytes > 1024) ((unsigned char *)to)[bytes / 2] ^= 0x10;
  return OK;
}
EXPORT int cuMemsetD8_v2(uint64_t at, unsigned char byte, size_t bytes);
EXPORT int cuMemsetD8_v2(uint64_t at, unsigned char byte, size_t bytes) {
  return code_of(wf_gpu_fill(gpu, at, byte, bytes, &last), INVALID);
}

/* ---- events: the modelled cycle at which they are recorded ---- */

static uint64_t events[2];
EXPORT int cuEventCreate(void **event, unsigned flags);
EXPORT int cuEventCreate(void **event, unsigned flags) {
  static unsigned n;
  (void)flags;
  if (n == 2) n = 0;
  return *event = &events[n++], OK;
}
EXPORT int cuEventRecord(uint64_t *event, void *stream);
EXPORT int cuEventRecord(uint64_t *event, void *stream) {
  (void)stream;
  return *event = wf_gpu_cycles(gpu), OK;
}
EXPORT int cuEventSynchronize(void *event);
EXPORT int cuEventSynchronize(void *event) {
  (void)event;
  return OK;
}
EXPORT int cuEventElapsedTime(float *ms, const uint64_t *from, const uint64_t *to);
EXPORT int cuEventElapsedTime(float *ms, const uint64_t *from, const uint64_t *to) {
  *ms = (float)((double)(*to - *from) / (1e3 * wf_gpu_get_config(gpu)->mem.core_mhz));
  return OK;
}
EXPORT int cuGetErrorString(int code, const char **text);
EXPORT int cuGetErrorString(int code, const char **text) {
  return *text = code == NO_MEMORY ? "out of memory" : last.code ? last.text : "failed", OK;
}
