/* SSSP over entries in segments; see relax_queue.h. */
#include "sim/apps/graph/relax_queue.h"
#include "sim/apps/graph/segments.h"

enum { ENTRY_BYTES = 16, EACH = 4 }; /* near and far, two sides each */
enum { PART = 4 };                   /* of all vertices; a block must hold its share */
enum { SOME = 4 };                   /* edges of a list that need no more than four lanes */
/* Of the limit, in a graph of many steps: as much is near at once as the GPU has threads for. Of
 * few steps: the more vertices, the less. */
enum {
  REACH = 60,
  SPREAD_MOST = 12,
  SPREAD_LEAST = 4,
  SPREAD_VERTICES = 160000,
  REACH_ALL = 1 << 30
};

typedef struct choice {
  const char *kernel;
  unsigned reach;
} choice;

/* Where most offers are not lower, as vertices are reached along many ways, it pays to look first.
 */
static choice choose(const wf_degrees *d) {
  if (wf_strategy_narrows(d)) return (choice){"sssp_segments_spread", REACH_ALL};
  if (wf_strategy_has_few_steps(d)) {
    const uint32_t reach = SPREAD_VERTICES / d->vertices;
    return (choice){"sssp_segments_spread", reach < SPREAD_LEAST  ? SPREAD_LEAST
                                            : reach > SPREAD_MOST ? SPREAD_MOST
                                                                  : reach};
  }
  return (choice){d->mean <= SOME ? "sssp_segments_short" : "sssp_segments", REACH};
}

static wf_segment_form form_of(uint32_t blocks, uint32_t vertices) {
  return (wf_segment_form){ENTRY_BYTES, EACH,
                           vertices / (blocks < PART ? blocks : PART) + WF_SEGMENTS_THREADS};
}

bool wf_relax_segments_fit(const wf_gpu *gpu, uint32_t vertices) {
  const uint32_t blocks = wf_segments_most_blocks(gpu);
  const wf_segment_form form = form_of(blocks, vertices);
  return wf_segments_fit(blocks, &form);
}

static bool launch(wf_app_run *run, const char *kernel, const wf_segments *s, const void **params,
                   unsigned n_params, uint64_t overflows, wf_error *err) {
  uint32_t count;
  if (!wf_app_launch_blocks(run->gpu, kernel, s->blocks, s->threads, 0, params, n_params, err) ||
      !wf_app_read_u32(run->gpu, overflows, &count, err))
    return false;
  if (count) wf_app_report(run, "segment_overflows", count);
  return true;
}

bool wf_relax_segments(const wf_relax_task *task, const uint32_t *host_value, const uint32_t *ids,
                       uint32_t count, uint64_t *value, wf_error *err) {
  (void)count;
  wf_app_run *run = task->run;
  const wf_ref_csr *out = &task->out;
  wf_gpu *gpu = run->gpu;
  const uint64_t n = out->n, edges = out->row[n];
  const choice by = choose(&task->degrees);
  const char *kernel = by.kernel;
  const uint32_t delta = wf_relax_delta(out, by.reach);
  wf_segments s;
  uint64_t row, col, weight, overflows;
  if (!wf_segments_blocks(&s, gpu, kernel, err)) return false;
  const wf_segment_form form = form_of(s.blocks, out->n);
  if (!wf_segments_create(&s, run, &form, err) ||
      !(row = wf_app_upload(gpu, out->row, (n + 1) * 4, "row", err)) ||
      !(col = wf_app_upload(gpu, out->col, edges * 4, "col", err)) ||
      !(weight = wf_app_upload(gpu, out->weight, edges * 4, "weight", err)) ||
      !(*value = wf_app_upload(gpu, host_value, n * 4, "value", err)) ||
      !(overflows = wf_app_reserve(gpu, 0, 4, "overflows", err)))
    return false;
  const void *params[] = {&s.entries, &s.words, &s.capacity, &row,   &col,      &weight,
                          value,      ids,      &out->n,     &delta, &overflows};
  return launch(run, kernel, &s, params, sizeof params / sizeof *params, overflows, err);
}
