/* Breadth-first search over a queue, a step's frontier after the other. */
#include "sim/apps/graph/bfs_queue.h"

#include "sim/apps/graph/frontier.h"

bool wf_bfs_queue(wf_app_run *run, const wf_app_variant *variant, uint32_t source, uint64_t out_row,
                  uint64_t out_col, uint64_t level, wf_error *err) {
  enum { PARAMS = 8 };
  const wf_graph *g = run->graph;
  wf_gpu *gpu = run->gpu;
  const uint64_t words = ((uint64_t)g->n_vertices + 31) / 32;
  uint64_t visited;
  wf_frontier f;
  if (!wf_frontier_create(&f, gpu, g->n_vertices, &source, 1, variant->queue, err) ||
      !(visited = wf_app_reserve(gpu, 0, words * 4, "visited", err)) ||
      !wf_app_write_u32(gpu, level + source * 4ull, 0, err) ||
      !wf_app_write_u32(gpu, visited + source / 32 * 4, 1u << source % 32, err))
    return false;
  for (uint32_t step = 1; f.count; step++) {
    run->supersteps++;
    if (variant->supersteps && step >= variant->supersteps) break;
    const uint32_t lanes = wf_frontier_lanes(&f);
    const void *params[PARAMS + WF_FRONTIER_PARAMS] = {&f.count, &lanes,   &f.ids, &out_row,
                                                       &out_col, &visited, &level, &step};
    if (!wf_frontier_advance(&f, "bfs_queue", f.count * lanes, params, PARAMS, err)) return false;
  }
  return true;
}
