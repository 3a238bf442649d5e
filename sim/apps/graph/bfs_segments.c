/* Breadth-first search over a frontier that resident blocks keep in segments. */
#include "sim/apps/graph/bfs_queue.h"
#include "sim/apps/graph/segments.h"

enum { LONG_LIST = 64, SHORT_PIECE = 4, PIECE = 16 }; /* edges; pieces as in bfs_segments.cuh */

static bool are_short(const wf_degrees *d) {
  return d->max < LONG_LIST;
}

bool wf_bfs_segments_fit(const wf_gpu *gpu, const wf_degrees *d) {
  const uint64_t edges = (uint64_t)(d->vertices * d->mean + 0.5);
  return wf_segments_fit(gpu, d->vertices, edges, are_short(d) ? SHORT_PIECE : PIECE);
}

bool wf_bfs_segments(wf_app_run *run, const wf_app_variant *variant, const wf_degrees *degrees,
                     uint32_t source, uint64_t out_row, uint64_t out_col, uint64_t level,
                     wf_error *err) {
  wf_gpu *gpu = run->gpu;
  const uint32_t n = run->graph->n_vertices;
  const bool brief = are_short(degrees);
  const uint32_t steps = variant->supersteps ? variant->supersteps : UINT32_MAX;
  const char *kernel = brief ? "bfs_segments_short" : "bfs_segments";
  wf_segments s;
  uint64_t visited, deepest;
  uint32_t last;
  if (!wf_segments_create(&s, run, kernel, brief ? SHORT_PIECE : PIECE, err) ||
      !(visited = wf_app_reserve(gpu, 0, n / 32 * 4ull + 4, "visited", err)) ||
      !(deepest = wf_app_reserve(gpu, 0, 4, "deepest", err)) ||
      !wf_app_write_u32(gpu, level + source * 4ull, 0, err) ||
      !wf_app_write_u32(gpu, visited + source / 32 * 4, 1u << source % 32, err))
    return false;
  const void *params[] = {&s.pieces, &s.words, &s.capacity, &out_row, &out_col,
                          &visited,  &level,   &source,     &steps,   &deepest};
  if (!wf_app_launch_blocks(gpu, kernel, s.blocks, s.threads, 0, params,
                            sizeof params / sizeof *params, err) ||
      !wf_app_read_u32(gpu, deepest, &last, err))
    return false;
  run->supersteps = last + 1;
  return true;
}
