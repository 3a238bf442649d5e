/* A frontier as a queue of vertices on the device, in two buffers: one is read, one is filled. */
#ifndef WF_APPS_FRONTIER_H
#define WF_APPS_FRONTIER_H

#include "sim/apps/app_internal.h"

typedef struct wf_frontier {
  wf_gpu *gpu;
  uint64_t ids, next, size; /* device; size: of next */
  uint32_t count;           /* of ids */
  uint32_t capacity;        /* of a block's part in shared memory */
} wf_frontier;

/* With `count` ids of the host's; n: vertices. */
bool wf_frontier_create(wf_frontier *f, wf_gpu *gpu, uint32_t n, const uint32_t *ids,
                        uint32_t count, uint32_t capacity, wf_error *err);

/* Threads for each of its vertices, a power of two up to a warp's lanes: while there are fewer than
 * the GPU's SMs hold, more of them. */
uint32_t wf_frontier_lanes(const wf_frontier *f);

enum { WF_FRONTIER_PARAMS = 3 };
/* Launches over n_threads what fills the next frontier, which is then the frontier. params: the
 * kernel's own, with room for WF_FRONTIER_PARAMS behind them. */
bool wf_frontier_advance(wf_frontier *f, const char *kernel, uint32_t n_threads,
                         const void **params, unsigned n_params, wf_error *err);

#endif
