/* Breadth-first search over a frontier that resident blocks keep in segments. */
#include "sim/apps/graph/bfs_queue.h"
#include "sim/apps/graph/segments.h"

enum { LONG_LIST = 64, SHORT_PIECE = 4, PIECE = 16 }; /* edges; pieces as in bfs_segments.cuh */
enum { PIECE_BYTES = 8, SIDES = 2 };

static bool are_short(const wf_degrees *d) {
  return d->max < LONG_LIST && !wf_strategy_has_few_steps(d);
}

/* One block may find all. */
static wf_segment_form form_of(const wf_degrees *d) {
  const uint64_t edges = (uint64_t)(d->vertices * d->mean + 0.5);
  const uint32_t piece = are_short(d) ? SHORT_PIECE : PIECE;
  return (wf_segment_form){PIECE_BYTES, SIDES, d->vertices + edges / piece + 1};
}

bool wf_bfs_segments_fit(const wf_gpu *gpu, const wf_degrees *d) {
  const wf_segment_form form = form_of(d);
  return wf_segments_fit(wf_segments_most_blocks(gpu), &form);
}

bool wf_bfs_segments(wf_app_run *run, const wf_app_variant *variant, const wf_degrees *degrees,
                     uint32_t source, uint64_t out_row, uint64_t out_col, uint64_t level,
                     wf_error *err) {
  wf_gpu *gpu = run->gpu;
  const uint32_t n = run->graph->n_vertices;
  const bool brief = are_short(degrees);
  const uint32_t steps = variant->supersteps ? variant->supersteps : UINT32_MAX;
  const char *kernel = brief ? "bfs_segments_short" : "bfs_segments";
  const wf_segment_form form = form_of(degrees);
  wf_segments s;
  uint64_t visited, deepest;
  uint32_t last;
  if (!wf_segments_blocks(&s, gpu, kernel, err) || !wf_segments_create(&s, run, &form, err) ||
      !(visited = wf_app_reserve(gpu, 0, n / 32 * 4ull + 4, "visited", err)) ||
      !(deepest = wf_app_reserve(gpu, 0, 4, "deepest", err)) ||
      !wf_app_write_u32(gpu, level + source * 4ull, 0, err) ||
      !wf_app_write_u32(gpu, visited + source / 32 * 4, 1u << source % 32, err))
    return false;
  const void *params[] = {&s.entries, &s.words, &s.capacity, &out_row, &out_col,
                          &visited,   &level,   &source,     &steps,   &deepest};
  if (!wf_app_launch_blocks(gpu, kernel, s.blocks, s.threads, 0, params,
                            sizeof params / sizeof *params, err) ||
      !wf_app_read_u32(gpu, deepest, &last, err))
    return false;
  run->supersteps = last + 1;
  return true;
}
