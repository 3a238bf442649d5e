/* Runs one kernel of a user's own PTX file. */
#ifndef WF_CLI_PTX_RUN_H
#define WF_CLI_PTX_RUN_H

#include <stdio.h>

#include "sim/cli/run_options.h"
#include "sim/gpu/gpu.h"
#include "sim/graph/graph.h"

typedef struct wf_ptx_job wf_ptx_job;

/* Reads the file and the kernel's parameters: what can be wrong is told here, before a GPU is made.
 * o and graph must outlive the job. */
wf_ptx_job *wf_ptx_open(const run_options *o, wf_graph *graph, wf_error *err);
/* Once: allocates buffers for --param, launches, and prints each buffer's checksum to out. */
bool wf_ptx_run(wf_ptx_job *job, wf_gpu *gpu, FILE *out, wf_error *err);
void wf_ptx_close(wf_ptx_job *job); /* NULL is fine */

#endif
