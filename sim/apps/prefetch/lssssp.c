/* Shortest paths, topology-driven, as in LonestarGPU 0.9. */
#include "sim/apps/prefetch/lsrelax.h"

static const wf_app_option options[] = {
    WF_APP_SOURCE_OPTION,
    {"app.undirected", "0", "1: add the reverse of every arc first"},
    {NULL, NULL, NULL}};

static bool lssssp(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  return wf_lsrelax(run, host, options, "lssssp_drelax", true, err);
}

WF_SUITE_APP(lssssp, "shortest paths, topology-driven, as in LonestarGPU 0.9", true, lssssp);
