/* The GPU's memory as the host sees it. */
#ifndef WF_GPU_MEMORY_H
#define WF_GPU_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

struct wf_gpu;
/* Device address, 256-byte aligned; 0 and *err when the modelled memory is full. */
uint64_t wf_gpu_alloc(struct wf_gpu *gpu, uint64_t bytes, const char *what, wf_error *err);
bool wf_gpu_write(struct wf_gpu *gpu, uint64_t device, const void *host, uint64_t bytes,
                  wf_error *err);
bool wf_gpu_read(struct wf_gpu *gpu, void *host, uint64_t device, uint64_t bytes, wf_error *err);
bool wf_gpu_fill(struct wf_gpu *gpu, uint64_t device, uint8_t byte, uint64_t bytes, wf_error *err);

#endif
