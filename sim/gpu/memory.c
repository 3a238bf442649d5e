#include "sim/gpu/memory.h"

#include <string.h>

#include "sim/gpu/gpu_internal.h"

uint64_t wf_gpu_alloc(wf_gpu *gpu, uint64_t bytes, const char *what, wf_error *err) {
  uint64_t at = wf_image_alloc(gpu->image, bytes, what, err);
  if (at && gpu->probe) wf_probe_region(gpu->probe, at, bytes, what);
  return at;
}

bool wf_gpu_write(wf_gpu *gpu, uint64_t device, const void *host, uint64_t bytes, wf_error *err) {
  void *at = wf_image_at(gpu->image, device, bytes, err);
  if (at) memcpy(at, host, bytes);
  if (at && gpu->source && gpu->source->copied) gpu->source->copied(gpu->source, device, bytes);
  return at != NULL;
}

bool wf_gpu_read(wf_gpu *gpu, void *host, uint64_t device, uint64_t bytes, wf_error *err) {
  const void *at = wf_image_at(gpu->image, device, bytes, err);
  if (at) memcpy(host, at, bytes);
  return at != NULL;
}

bool wf_gpu_fill(wf_gpu *gpu, uint64_t device, uint8_t byte, uint64_t bytes, wf_error *err) {
  void *at = wf_image_at(gpu->image, device, bytes, err);
  if (at) memset(at, byte, bytes);
  return at != NULL;
}
