/* A unit that hears what the caches of both levels do (sim/mem/cache_row.h), or that decides what
 * the L2's slices keep. */
#ifndef WF_SEAM_CACHE_H
#define WF_SEAM_CACHE_H

#include "sim/mem/cache_row.h"
#include "sim/ptx/ptx.h"

struct wf_unit;

/* All may be NULL. What is told comes in the cycle in which it happens, before the unit's tick. */
typedef struct wf_cache_ops {
  /* Is it told of this level's events? Asked once. */
  bool (*listens)(const struct wf_unit *unit, unsigned level);
  void (*event)(struct wf_unit *unit, const wf_cache_event *event);
  /* Does it decide at the slices? Asked once; then ask and answer are required, see
   * wf_slice_judge. WF_CLAIM_SLICE. */
  bool (*judges)(const struct wf_unit *unit);
  bool moves; /* see wf_slice_judge */
  bool (*ask)(struct wf_unit *unit, const wf_cache_event *look);
  bool (*answer)(struct wf_unit *unit, unsigned slice, wf_slice_answer *answer);
  void (*kernel_start)(struct wf_unit *unit, const ptx_kernel *kernel); /* L1s are empty */
} wf_cache_ops;

#endif
