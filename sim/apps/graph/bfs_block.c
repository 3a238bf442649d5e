/* Breadth-first search by one block. */
#include "sim/apps/graph/bfs_queue.h"
#include "sim/apps/graph/block.h"

enum { SPARE = WF_BLOCK_THREADS }; /* words behind the queues: threads read past a level's end */
enum { LISTS = 64 };               /* as in bfs_block.cuh: from here on a warp's */
enum { FEW = 4 };                  /* edges of a list that two lanes have in flight at once */

/* Bits of as many vertices as leave half for the queues. */
static uint32_t words_of(uint32_t n, uint32_t room) {
  const uint32_t all = n / 32 + (n % 32 != 0);
  return all < room / 2 ? all : room / 2;
}

bool wf_bfs_block(wf_app_run *run, const wf_app_variant *variant, const wf_degrees *degrees,
                  uint32_t source, uint64_t out_row, uint64_t out_col, uint64_t level,
                  wf_error *err) {
  wf_gpu *gpu = run->gpu;
  const uint32_t n = run->graph->n_vertices;
  uint64_t visited, deepest;
  uint32_t last;
  if (!wf_block_check(run, err) ||
      !(visited = wf_app_reserve(gpu, 0, n / 32 * 4ull + 4, "visited", err)) ||
      !(deepest = wf_app_reserve(gpu, 0, 4, "deepest", err)) ||
      !wf_app_write_u32(gpu, level + source * 4ull, 0, err) ||
      !wf_app_write_u32(gpu, visited + source / 32 * 4, 1u << source % 32, err))
    return false;
  const uint32_t room = wf_block_room(gpu);
  const uint32_t words = words_of(n, room), places = (room - words - SPARE) / 2;
  const uint32_t steps = variant->supersteps ? variant->supersteps : UINT32_MAX;
  const uint32_t hubs = degrees->max >= LISTS, lanes = degrees->mean > FEW ? 4 : 2;
  const void *params[] = {&n,     &out_row, &out_col, &visited, &level, &source,
                          &words, &places,  &steps,   &hubs,    &lanes, &deepest};
  if (!wf_block_launch(run, words * 32ull < n ? "bfs_block_far" : "bfs_block",
                       words + 2 * places + SPARE, params, sizeof params / sizeof *params, err) ||
      !wf_app_read_u32(gpu, deepest, &last, err))
    return false;
  run->supersteps = last + 1;
  return true;
}
