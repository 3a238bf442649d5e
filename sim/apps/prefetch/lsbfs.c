/* Breadth-first search, topology-driven, as in LonestarGPU 0.9. */
#include "sim/apps/prefetch/lsrelax.h"

static bool lsbfs(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  return wf_lsrelax(run, host, "lsbfs_drelax", false, err);
}

WF_SUITE_APP(lsbfs, "breadth-first search, topology-driven, as in LonestarGPU 0.9",
             wf_prefetch_search_options, true, lsbfs);
