#include "sim/graph/edge_set.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

/* Slots hold pairs, 0 is empty. Slots are prefetched a batch ahead, since almost every look-up
 * misses the host's caches. */
enum { BATCH = 32, DRAWS_PER_EDGE = 64 };

static uint64_t slot_of(uint64_t pair, uint64_t slots) {
  uint64_t hash = pair * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  hash *= 0xbf58476d1ce4e5b9u;
  return (uint64_t)(((unsigned __int128)hash * slots) >> 64);
}

static bool insert(uint64_t *slot, uint64_t slots, uint64_t at, uint64_t pair) {
  while (slot[at]) {
    if (slot[at] == pair) return false;
    if (++at == slots) at = 0;
  }
  slot[at] = pair;
  return true;
}

static bool allowed(const wf_arcs *arcs, uint64_t edges, uint64_t slots, const char *spec,
                    wf_error *err) {
  uint64_t bytes = slots * 8 + edges * 8;
  return bytes <= arcs->limit_bytes ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s: needs about %llu MiB of host memory, more than the %llu MiB allowed", spec,
                 (unsigned long long)(bytes >> 20), (unsigned long long)(arcs->limit_bytes >> 20));
}

bool wf_draw_distinct(wf_arcs *arcs, uint64_t edges, wf_draw *draw, const void *model, wf_rng *rng,
                      const wf_graph_options *options, const char *spec, wf_error *err) {
  uint64_t slots = edges + edges / 2 + 64, drawn = 0, most = edges * DRAWS_PER_EDGE + 4096;
  if (!allowed(arcs, edges, slots, spec, err) || !wf_arcs_reserve(arcs, edges, spec, err))
    return false;
  uint64_t *slot = wf_calloc(slots, sizeof *slot), end = arcs->n + edges, begin = arcs->n;
  while (arcs->n < end && drawn < most) {
    uint64_t pair[BATCH], at[BATCH];
    for (int i = 0; i < BATCH; i++) {
      pair[i] = draw(model, rng);
      at[i] = slot_of(pair[i], slots);
      __builtin_prefetch(&slot[at[i]], 1);
    }
    for (int i = 0; i < BATCH && arcs->n < end; i++)
      if (pair[i] && insert(slot, slots, at[i], pair[i]))
        wf_arcs_put(arcs, (uint32_t)(pair[i] >> 32), (uint32_t)pair[i], 0);
    if (options->progress && (drawn & 0xfffff) == 0)
      options->progress(options->progress_user, "drawing edges", arcs->n - begin, edges);
    drawn += BATCH;
  }
  free(slot);
  if (arcs->n == end) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s: found only %llu distinct edges of %llu asked for; ask for fewer, or take a "
                 "larger scale",
                 spec, (unsigned long long)(arcs->n - begin), (unsigned long long)edges);
}
