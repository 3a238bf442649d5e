/* SSSP and WCC over a queue: two kernels a super-step; in equal shares of edges: one or two
 * launches (relax_edges.cuh); WCC by hooking (hook.cuh). */
#ifndef WF_APPS_RELAX_QUEUE_H
#define WF_APPS_RELAX_QUEUE_H

#include "sim/apps/app_internal.h"
#include "sim/apps/graph/strategy.h"
#include "sim/apps/reference.h"

typedef struct wf_relax_task {
  wf_app_run *run;
  const char *name; /* of the algorithm and its kernels' prefix */
  wf_app_variant variant;
  wf_ref_csr out;     /* weight: NULL for WCC */
  wf_degrees degrees; /* of out */
} wf_relax_task;
/* The device's value[n] from the host's, of which `count` vertices in `ids` have just got theirs.
 * Runs until nothing changes or for the variant's super-steps. */
typedef bool wf_relax_push(const wf_relax_task *task, const uint32_t *host_value,
                           const uint32_t *ids, uint32_t count, uint64_t *value, wf_error *err);
wf_relax_push wf_relax_queue;
/* Over all edges; 0 if there is none. */
double wf_relax_mean_weight(const wf_ref_csr *out);
/* The step of a limit below which vertices are near, in mean weights: the more neighbours a vertex
 * has, the shorter (Davidson and others, IPDPS 2014). */
uint32_t wf_relax_delta(const wf_ref_csr *out, unsigned reach);
/* Without a bound a super-step may see what it lowered itself: their number is not said, and the
 * values are the same in the end. */
wf_relax_push wf_relax_edges;
/* SSSP only, from one vertex, without a bound. */
wf_relax_push wf_relax_block;
wf_relax_push wf_relax_segments;
bool wf_relax_segments_fit(const wf_gpu *gpu, uint32_t vertices);
/* WCC only, of a symmetric graph: labels are made of its edges, and there are no super-steps. */
wf_relax_push wf_relax_hook;

#endif
