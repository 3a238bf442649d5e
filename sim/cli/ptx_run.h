/* Runs one kernel of a user's own PTX file. */
#ifndef WF_CLI_PTX_RUN_H
#define WF_CLI_PTX_RUN_H

#include <stdio.h>

#include "sim/cli/run_options.h"
#include "sim/gpu/gpu.h"
#include "sim/graph/graph.h"

/* Loads, allocates buffers for --param, launches, and prints each buffer's checksum to out. */
bool wf_ptx_run(wf_gpu *gpu, wf_graph *graph, const run_options *o, FILE *out, wf_error *err);

#endif
