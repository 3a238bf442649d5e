/* A CUDA program: clang compiles both parts of it; the host's runs in this process, the device's
 * on the fabric. */
#ifndef WF_CUDA_CUDA_H
#define WF_CUDA_CUDA_H

#include "sim/base/wf_error.h"
#include "sim/gpu/gpu.h"

typedef struct wf_cuda_request {
  const char *path;
  const char *arch;       /* "sm_70" */
  const char *flags;      /* more for clang, separated by blanks; or NULL */
  const char *host_flags; /* the same for the host part alone, behind the program; or NULL */
  const char *library;    /* the host part, if another compiler made it: path is its PTX; or NULL */
  char *const *args;      /* the program's, without its name */
  unsigned n_args;
  const char *const *units; /* WARPFAB_UNIT_<name> is defined for each */
  unsigned n_units;
} wf_cuda_request;

typedef struct wf_cuda_job wf_cuda_job;

/* Compiles and checks: NULL and *err (code 2) for a file that cannot be read, no clang, what clang
 * refuses (its reasons are on standard error), PTX that is not understood. The request must outlive
 * the job. */
wf_cuda_job *wf_cuda_open(const wf_cuda_request *request, wf_error *err);
/* Once: runs main(). *status: what it returned, or gave to exit(). False and *err: 1 for a fault of
 * a kernel or of the host's part, or a launch that failed unseen; 3 for a kernel that hangs. */
bool wf_cuda_run(wf_cuda_job *job, wf_gpu *gpu, int *status, wf_error *err);
/* Of what the program says of its own results: warpfabVerified. */
typedef enum wf_cuda_verdict { WF_CUDA_SILENT, WF_CUDA_RIGHT, WF_CUDA_WRONG } wf_cuda_verdict;
wf_cuda_verdict wf_cuda_said(const wf_cuda_job *job);
void wf_cuda_close(wf_cuda_job *job); /* NULL is fine */

#endif
