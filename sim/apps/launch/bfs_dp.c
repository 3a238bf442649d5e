/* Breadth-first search over a queue of the frontier, in the forms of launch_app.h. */
#include "sim/apps/launch/launch_app.h"
#include "sim/apps/reference.h"

enum { BLOCK = 128 };

static const char *const expanders[] = {"warp", "thread"};
typedef struct settings {
  wf_launch_form form; /* first: its rows are shared */
  uint32_t source, expand;
} settings;
static const wf_parameter options[] = {
    WF_APP_SOURCE_OPTION(settings),
    WF_APP_CHOICE(settings, expand, expanders, 0,
                  "flat: a vertex of 32 edges or more is expanded by its warp, or by its thread"),
    WF_LAUNCH_OPTIONS,
    {0}};

/* As the kernels have it. */
typedef struct device_graph {
  uint64_t row, col, level, next, next_size;
} device_graph;

/* As the original does, flat is flat between warps only, unless asked for. */
static bool expand(wf_app_run *run, const settings *s, const void *const *params, unsigned n_params,
                   uint32_t size, wf_error *err) {
  const wf_suite_shape shape = wf_suite_line(size, BLOCK);
  if (s->form.form == WF_LAUNCH_FLAT && s->expand == 0)
    return wf_suite_launch(run, "bfs_dp_expand_warp", shape, params, n_params, err);
  return wf_launch_in_form(run, &s->form, "bfs_dp_expand", shape, params, n_params, err);
}

static bool search(wf_app_run *run, const settings *s, device_graph *d, uint64_t frontier,
                   wf_error *err) {
  uint32_t size = 1, n = run->graph->n_vertices;
  /* The bound: a wrong kernel must not loop for ever. */
  for (uint32_t level = 1; size && level <= n; level++) {
    const void *const params[] = {d, &frontier, &size, &level, &s->form.block};
    if (!wf_app_write_u32(run->gpu, d->next_size, 0, err) ||
        !expand(run, s, params, sizeof params / sizeof *params, size, err) ||
        !wf_app_read_u32(run->gpu, d->next_size, &size, err))
      return false;
    if (size > n)
      return wf_fail(err, WF_EXIT_WRONG, "level %u: a frontier of %u vertices of %u", level, size,
                     n);
    const uint64_t swap = frontier;
    frontier = d->next;
    d->next = swap;
    run->supersteps++;
  }
  return true;
}

static bool bfs_dp(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  wf_gpu *gpu = run->gpu;
  settings s;
  device_graph d;
  uint64_t frontier;
  if (!wf_app_read_options(run, options, &s, err) || !wf_app_source(run, &s.source, err) ||
      !(d.row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "row", err)) ||
      !(d.col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "col", err)) ||
      !(d.level = wf_app_reserve(gpu, 0xff, n * 4, "level", err)) ||
      !(d.next = wf_app_reserve(gpu, 0, n * 4, "frontier", err)) ||
      !(d.next_size = wf_app_reserve(gpu, 0, 4, "frontier size", err)) ||
      !(frontier = wf_app_reserve(gpu, 0, n * 4, "frontier", err)) ||
      !wf_app_write_u32(gpu, frontier, s.source, err) ||
      !wf_app_write_u32(gpu, d.level + 4ull * s.source, 0, err) ||
      !wf_launch_open(run, &s.form, n, g->n_edges, err) || !search(run, &s, &d, frontier, err))
    return false;
  uint32_t *expected = wf_suite_array(host, n, sizeof *expected);
  const wf_ref_csr out = {g->n_vertices, g->out_row, g->out_col, NULL};
  const unsigned steps = wf_ref_bfs(&out, s.source, 0, expected);
  wf_app_compare_u64(run, "levels", run->supersteps, steps);
  wf_app_report(run, "source", s.source);
  return wf_suite_check_u32(run, host, "level of vertex", d.level, expected, n, NULL, err);
}

WF_SUITE_APP(bfs_dp, "breadth-first search whose threads may launch a vertex's edges", options,
             true, bfs_dp);
