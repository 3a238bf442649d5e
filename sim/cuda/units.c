/* What a program has of the fabric's units: base registers, and TELEPORT's rows. */
#include "sim/cuda/context.h"
#include "sim/ptx/block_rows.h"

int warpfabHasUnit(const char *unit) {
  return wf_cuda && wf_gpu_has_unit(wf_cuda->gpu, unit);
}

void warpfabVerified(int right) {
  if (!wf_cuda) return;
  wf_cuda->judged = true;
  wf_cuda->wrong |= !right;
}

cudaError_t warpfabUnitBase(const char *unit, const char *base, const void *pointer) {
  wf_error err = {0};
  WF_CUDA_ENTER();
  if (wf_gpu_unit_base(wf_cuda->gpu, unit, base, (uintptr_t)pointer, &err)) return cudaSuccess;
  return wf_cuda_fail(cudaErrorInvalidValue, "warpfabUnitBase: %s", err.text);
}

cudaError_t cudaFlushCTATracker(void) {
  WF_CUDA_ENTER();
  wf_gpu_cta_flush(wf_cuda->gpu);
  return cudaSuccess;
}

cudaError_t cudaSetCTATracker(const void *base, unsigned element_bytes, int min_x, int min_y,
                              int min_z, int min_offset, int max_x, int max_y, int max_z,
                              int max_offset) {
  WF_CUDA_ENTER();
  if (element_bytes < 1 || element_bytes > 255)
    return wf_cuda_fail(cudaErrorInvalidValue,
                        "cudaSetCTATracker: elements of %u bytes: expected 1 to 255",
                        element_bytes);
  wf_gpu_cta_tracker(wf_cuda->gpu, &(wf_preload_row){.base = (uintptr_t)base,
                                                     .element_bytes = element_bytes,
                                                     .min = {min_x, min_y, min_z},
                                                     .min_offset = min_offset,
                                                     .max = {max_x, max_y, max_z},
                                                     .max_offset = max_offset});
  return cudaSuccess;
}
