/* Errors of CUDA's functions: the last one, names, and what was wrong in words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/cuda/context.h"

cudaError_t wf_cuda_state(void) {
  return wf_cuda ? wf_cuda->sticky : cudaErrorCudartUnloading;
}

cudaError_t wf_cuda_fail(cudaError_t error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(wf_cuda->detail, sizeof wf_cuda->detail, format, arguments);
  va_end(arguments);
  wf_cuda->last = wf_cuda->told_of = error;
  return error;
}

cudaError_t cudaGetLastError(void) {
  const cudaError_t error = cudaPeekAtLastError();
  if (wf_cuda) wf_cuda->last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  if (!wf_cuda) return cudaErrorCudartUnloading;
  wf_cuda->unseen = NULL;
  return wf_cuda->sticky ? wf_cuda->sticky : wf_cuda->last;
}

#define KNOWN(NAME, TEXT)                                                                          \
  { NAME, #NAME, TEXT }
static const struct {
  cudaError_t error;
  const char *name, *text;
} known[] = {
    KNOWN(cudaSuccess, "no error"),
    KNOWN(cudaErrorInvalidValue, "invalid argument"),
    KNOWN(cudaErrorMemoryAllocation, "out of memory"),
    KNOWN(cudaErrorInitializationError, "initialization error"),
    KNOWN(cudaErrorCudartUnloading, "no program runs"),
    KNOWN(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    KNOWN(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    KNOWN(cudaErrorInvalidSymbol, "invalid device symbol"),
    KNOWN(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    KNOWN(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    KNOWN(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    KNOWN(cudaErrorInvalidDeviceFunction, "invalid device function"),
    KNOWN(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    KNOWN(cudaErrorInvalidDevice, "invalid device ordinal"),
    KNOWN(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    KNOWN(cudaErrorSymbolNotFound, "named symbol not found"),
    KNOWN(cudaErrorNotReady, "device not ready"),
    KNOWN(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    KNOWN(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    KNOWN(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    KNOWN(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    KNOWN(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    KNOWN(cudaErrorAssert, "device-side assert triggered"),
    KNOWN(cudaErrorMisalignedAddress, "misaligned address"),
    KNOWN(cudaErrorLaunchFailure, "unspecified launch failure"),
    KNOWN(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    KNOWN(cudaErrorNotSupported, "operation not supported"),
    KNOWN(cudaErrorUnknown, "unknown error"),
};

const char *cudaGetErrorName(cudaError_t error) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].error == error) return known[i].name;
  return "unrecognized error code";
}

/* CUDA's text, and of the error that was remembered last what was wrong. */
const char *cudaGetErrorString(cudaError_t error) {
  static char text[sizeof wf_cuda->detail + 100];
  const char *plain = "unrecognized error code";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].error == error) plain = known[i].text;
  if (!wf_cuda || !error || wf_cuda->told_of != error || !*wf_cuda->detail) return plain;
  snprintf(text, sizeof text, "%s (%s)", plain, wf_cuda->detail);
  return text;
}
