/* `run --trace`: the launches of a trace, one after the other. */
#ifndef WF_CLI_TRACE_RUN_H
#define WF_CLI_TRACE_RUN_H

#include "sim/gpu/gpu.h"
#include "sim/trace/trace.h"

/* Reads and checks the trace, for a GPU with these units. It must outlive the GPU. */
wf_trace *wf_trace_run_open(const char *path, char *const *units, unsigned n, wf_error *err);
/* Places its memory, runs its kernels. *json: what the result says of the trace; the caller deletes
 * it. */
bool wf_trace_run(wf_gpu *gpu, wf_trace *trace, const char *path, cJSON **json, wf_error *err);
/* Why results of traces are not verified. */
extern const char wf_trace_not_verified[];

#endif
