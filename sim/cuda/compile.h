/* A CUDA program's two parts. */
#ifndef WF_CUDA_COMPILE_H
#define WF_CUDA_COMPILE_H

#include <stddef.h>

#include "sim/cuda/cuda.h"

/* The device's part as PTX; the caller frees it. */
char *wf_cuda_compile_device(const wf_cuda_request *r, size_t *bytes, wf_error *err);
/* The host's part as a library, in the file `object`. */
bool wf_cuda_compile_host(const wf_cuda_request *r, const char *object, wf_error *err);
/* Is it one that clang and the fabric take? */
bool wf_cuda_check_arch(const char *arch, wf_error *err);

#endif
