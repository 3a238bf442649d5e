/* Host programs that run on the modelled GPU: each loads its kernels, lays out its data, launches,
 * reads back and compares with a CPU reference. Results that were not compared do not exist here.
 *
 * Graph applications follow the vertex-centric style of the MFF paper (sections 3 and 6): one
 * thread per vertex, blocks of 256, CSR with 32-bit indices, BSP super-steps, bit-vector
 * scheduling. Where the GPU has the unit "mff", they use its operations. */
#ifndef WF_APPS_H
#define WF_APPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_parameter.h"
#include "sim/gpu/gpu.h"
#include "sim/graph/graph.h"

/* One figure that an application measured, e.g. "cycles_per_load". */
typedef struct wf_app_metric {
  char name[40];
  double value;
} wf_app_metric;

enum { WF_APP_MAX_METRICS = 24 };

/* One run: the caller fills in the first part, the application the second. */
typedef struct wf_app_run {
  wf_gpu *gpu;
  wf_graph *graph; /* NULL for applications without one; in-edges and weights are added on demand */
  uint64_t seed;   /* of generated weights and data */

  bool verified;       /* every output was compared and equal */
  char verdict[512];   /* what was compared, or the first differences: element, got, expected */
  unsigned supersteps; /* of graph applications */
  char strategy[40];   /* of those that have some: what they took, "" else */
  wf_app_metric metrics[WF_APP_MAX_METRICS];
  size_t n_metrics;
} wf_app_run;

/* false and true stand for the first two. */
typedef enum wf_app_graph { WF_APP_NO_GRAPH, WF_APP_GRAPH, WF_APP_WEIGHTED_GRAPH } wf_app_graph;

typedef struct wf_app {
  const char *name, *summary;
  wf_app_graph needs_graph;
  const wf_parameter *options; /* keys are app.<name> */
  /* False: it could not run to its end (*err says why). True: it ran; run->verified tells whether
   * its results are right. */
  bool (*run)(wf_app_run *run, wf_error *err);
} wf_app;

/* All applications, in a fixed order. */
const wf_app *const *wf_app_list(size_t *count);
/* NULL and *err (code 2) listing the names there are, if the name is unknown. */
const wf_app *wf_app_find(const char *name, wf_error *err);
bool wf_app_has_option(const wf_app *app, const char *key); /* key: with its "app." */
/* Is a graph there if one is needed, and only then, with values that can be weights if they are
 * needed? Are all options the application's, and their values in range? False: *err. */
bool wf_app_check(const wf_app *app, const wf_options *options, const wf_graph *graph,
                  wf_error *err);
/* Checks, clears the results, and runs. */
bool wf_app_start(const wf_app *app, wf_app_run *run, wf_error *err);
/* The value of a metric, or `otherwise` if the application did not report it. */
double wf_app_metric_value(const wf_app_run *run, const char *name, double otherwise);

/* ---- the kernels in the library, as PTX ---- */
typedef struct wf_app_kernels {
  const char *name; /* of the module, e.g. "pagerank" */
  const char *ptx;
  size_t bytes;
} wf_app_kernels;

/* NULL if there is no module of that name; index past the end. */
const wf_app_kernels *wf_app_kernels_find(const char *name);
const wf_app_kernels *wf_app_kernels_at(size_t index);

#endif
