/* `run --trace`: the launches of a trace, one after the other. */
#ifndef WF_CLI_TRACE_RUN_H
#define WF_CLI_TRACE_RUN_H

#include "sim/gpu/gpu.h"
#include "sim/trace/trace.h"

/* Opens and checks the trace, places its memory, runs its kernels. *trace must outlive the GPU,
 * also if this fails. *json: what the result says of the trace; the caller deletes it. */
bool wf_trace_run(wf_gpu *gpu, const char *path, bool progress, wf_trace **trace, cJSON **json,
                  wf_error *err);
/* Why results of traces are not verified. */
extern const char wf_trace_not_verified[];

#endif
