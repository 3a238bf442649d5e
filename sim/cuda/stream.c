/* Streams and events. Everything runs in the program's order and is done when the call returns: one
 * of the orders that CUDA allows, without copies beside kernels or kernels beside each other. */
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/cuda/context.h"

struct CUstream_st {
  unsigned flags;
};
struct CUevent_st {
  uint64_t cycle;
  bool recorded, untimed;
};

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  WF_CUDA_ENTER();
  *stream = wf_calloc(1, sizeof **stream);
  (*stream)->flags = flags;
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  (void)priority;
  return cudaStreamCreateWithFlags(stream, flags);
}
/* All have one priority. */
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  (void)stream;
  *priority = 0;
  return wf_cuda_state();
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  const bool made = stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
  *flags = made ? stream->flags : cudaStreamDefault;
  return wf_cuda_state();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return wf_cuda_state();
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread) free(stream);
  return wf_cuda_state();
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  (void)stream;
  return wf_cuda_state();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  (void)stream;
  return wf_cuda_state();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  (void)stream, (void)event, (void)flags;
  return wf_cuda_state();
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
                                  unsigned flags) {
  (void)flags;
  const cudaError_t state = wf_cuda_state();
  callback(stream, state, user);
  return state;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  WF_CUDA_ENTER();
  *event = wf_calloc(1, sizeof **event);
  (*event)->untimed = flags & cudaEventDisableTiming;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  free(event);
  return wf_cuda_state();
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  (void)stream;
  WF_CUDA_ENTER();
  if (!event) return wf_cuda_fail(cudaErrorInvalidResourceHandle, "cudaEventRecord: no event");
  event->cycle = wf_gpu_cycles(wf_cuda->gpu);
  event->recorded = true;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  (void)event;
  return wf_cuda_state();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  (void)event;
  return wf_cuda_state();
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  WF_CUDA_ENTER();
  if (!start || !end || !start->recorded || !end->recorded)
    return wf_cuda_fail(cudaErrorInvalidResourceHandle,
                        "cudaEventElapsedTime: an event was not recorded");
  if (start->untimed || end->untimed)
    return wf_cuda_fail(cudaErrorInvalidResourceHandle,
                        "cudaEventElapsedTime: an event of cudaEventDisableTiming");
  const double cycles = (double)end->cycle - (double)start->cycle;
  *milliseconds = (float)(cycles / (wf_gpu_get_config(wf_cuda->gpu)->mem.core_mhz * 1e3));
  return cudaSuccess;
}
