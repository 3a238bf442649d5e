/* Frontiers in equal shares of edges; see shares.h. */
#include "sim/apps/graph/shares.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

enum { SLOTS = 4, EDGE_BITS = 29, ENTRY_BITS = 24 }; /* as in shares.cuh */
typedef struct entry {
  uint32_t before, start;
} entry;

static bool fill(wf_shares *s, const wf_ref_csr *out, const uint32_t *ids, uint32_t count,
                 wf_share_state *state, wf_error *err) {
  entry *entries = wf_calloc(count + 1ull, sizeof *entries);
  uint32_t *owners = wf_calloc(count + 1ull, sizeof *owners);
  uint32_t *firsts = wf_calloc(s->tiles, sizeof *firsts), tile = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t start = out->row[ids[i]], end = out->row[ids[i] + 1];
    if (start == end) continue;
    entries[state->vertices] = (entry){state->edges, start};
    owners[state->vertices] = ids[i];
    state->edges += end - start;
    for (; tile * WF_SHARE_EDGES < state->edges; tile++) firsts[tile] = state->vertices;
    state->vertices++;
  }
  const bool ok =
      wf_gpu_write(s->gpu, s->entries, entries, state->vertices * sizeof *entries, err) &&
      (!s->owners || wf_gpu_write(s->gpu, s->owners, owners, state->vertices * 4ull, err)) &&
      wf_gpu_write(s->gpu, s->firsts, firsts, tile * 4ull, err);
  free(entries);
  free(owners);
  free(firsts);
  return ok && wf_shares_set(s, state, err);
}

bool wf_shares_create(wf_shares *s, wf_gpu *gpu, const wf_ref_csr *out, const uint32_t *ids,
                      uint32_t count, bool owners, const wf_share_state *state, wf_error *err) {
  const uint64_t n = out->n, sides = 2;
  wf_share_state first = *state;
  if (n >> ENTRY_BITS || out->row[n] >> EDGE_BITS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "strategy edges: %u vertices and %u edges; expected less than 2^%d and 2^%d, or "
                   "--set app.strategy=queue",
                   out->n, out->row[n], ENTRY_BITS, EDGE_BITS);
  *s = (wf_shares){.gpu = gpu, .n = out->n, .tiles = out->row[n] / WF_SHARE_EDGES + 2};
  return (s->entries = wf_app_reserve(gpu, 0, sides * n * sizeof(entry), "frontier", err)) &&
         (!owners ||
          (s->owners = wf_app_reserve(gpu, 0, sides * n * 4, "frontier_vertices", err))) &&
         (s->firsts = wf_app_reserve(gpu, 0, sides * s->tiles * 4, "frontier_tiles", err)) &&
         (s->slots = wf_app_reserve(gpu, 0, SLOTS * sizeof(uint64_t), "frontier_found", err)) &&
         (s->state = wf_app_reserve(gpu, 0, sizeof first, "frontier_state", err)) &&
         fill(s, out, ids, count, &first, err);
}

void wf_shares_params(const wf_shares *s, const void **params) {
  const void *const mine[WF_SHARES_PARAMS] = {&s->entries, &s->owners, &s->firsts, &s->slots,
                                              &s->state,   &s->n,      &s->tiles};
  for (int i = 0; i < WF_SHARES_PARAMS; i++) params[i] = mine[i];
}

bool wf_shares_run(const wf_shares *s, const char *kernel, const void **params, unsigned n_params,
                   wf_share_state *state, wf_error *err) {
  uint32_t blocks;
  return wf_gpu_resident_blocks(s->gpu, kernel, WF_SHARE_BLOCK, 0, &blocks, err) &&
         wf_app_launch_blocks(s->gpu, kernel, blocks, WF_SHARE_BLOCK, 0, params, n_params, err) &&
         wf_gpu_read(s->gpu, state, s->state, sizeof *state, err);
}

bool wf_shares_set(const wf_shares *s, const wf_share_state *state, wf_error *err) {
  return wf_gpu_write(s->gpu, s->state, state, sizeof *state, err) &&
         wf_gpu_fill(s->gpu, s->slots, 0, SLOTS * sizeof(uint64_t), err);
}

bool wf_shares_pushed(const wf_shares *s, wf_share_state *state, wf_error *err) {
  uint64_t first;
  if (!wf_gpu_read(s->gpu, &first, s->slots, sizeof first, err)) return false;
  state->edges = first & ((1u << EDGE_BITS) - 1);
  state->vertices = first >> EDGE_BITS & ((1u << ENTRY_BITS) - 1);
  state->side = 0;
  return true;
}
