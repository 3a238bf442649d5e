/* Breadth-first search, topology-driven, as in LonestarGPU 0.9. */
#include "sim/apps/prefetch/lsrelax.h"

static const wf_app_option options[] = {
    WF_APP_SOURCE_OPTION,
    {"app.undirected", "0", "1: add the reverse of every arc first"},
    {NULL, NULL, NULL}};

static bool lsbfs(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  return wf_lsrelax(run, host, options, "lsbfs_drelax", false, err);
}

WF_SUITE_APP(lsbfs, "breadth-first search, topology-driven, as in LonestarGPU 0.9", true, lsbfs);
