/* A frontier whose edges resident blocks take in equal shares, on the device; see shares.cuh. */
#ifndef WF_APPS_SHARES_H
#define WF_APPS_SHARES_H

#include "sim/apps/app_internal.h"
#include "sim/apps/reference.h"

typedef struct wf_share_state { /* as in shares.cuh */
  uint32_t edges, vertices, side, step;
  uint32_t deepest; /* step that changed something */
  uint32_t left, before;
} wf_share_state;

enum { WF_SHARE_BLOCK = 128, WF_SHARE_EDGES = 64, WF_SHARES_PARAMS = 7 };
typedef struct wf_shares {
  wf_gpu *gpu;
  uint64_t entries, owners, firsts, slots, state; /* device; owners 0: entries have none */
  uint32_t n, tiles;
} wf_shares;

/* The frontier: `count` vertices of the graph `out`. state: all but edges, vertices, side. */
bool wf_shares_create(wf_shares *s, wf_gpu *gpu, const wf_ref_csr *out, const uint32_t *ids,
                      uint32_t count, bool owners, const wf_share_state *state, wf_error *err);
/* The first WF_SHARES_PARAMS of a kernel's. */
void wf_shares_params(const wf_shares *s, const void **params);
/* Launches as many blocks as the GPU holds of the kernel; *state: what it leaves. */
bool wf_shares_run(const wf_shares *s, const char *kernel, const void **params, unsigned n_params,
                   wf_share_state *state, wf_error *err);
/* The state for the next run, and empty slots. */
bool wf_shares_set(const wf_shares *s, const wf_share_state *state, wf_error *err);
/* What was pushed for slot 0. */
bool wf_shares_pushed(const wf_shares *s, wf_share_state *state, wf_error *err);

#endif
