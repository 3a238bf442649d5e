/* LonestarGPU's topology-driven relaxation, for lsbfs and lssssp. */
#ifndef WF_APP_LSRELAX_H
#define WF_APP_LSRELAX_H

#include "sim/apps/prefetch/form.h"

/* Runs the kernel, in the form that app.form names, until nothing changes and checks every vertex.
 * weighted: with the graph's weights, drawn if it has none; else each edge has length 1. *err (code
 * 2) if a distance is 1e9 or more, which the kernels take for unreached. */
bool wf_lsrelax(wf_app_run *run, wf_suite_host *host, const char *kernel, bool weighted,
                wf_error *err);

#endif
