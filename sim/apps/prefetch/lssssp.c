/* Shortest paths, topology-driven, as in LonestarGPU 0.9. */
#include "sim/apps/prefetch/lsrelax.h"

static bool lssssp(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  return wf_lsrelax(run, host, "lssssp_drelax", true, err);
}

WF_SUITE_APP(lssssp, "shortest paths, topology-driven, as in LonestarGPU 0.9",
             wf_prefetch_search_options, WF_APP_WEIGHTED_GRAPH, lssssp);
