/* A unit that can listen when instructions come from a trace, which has addresses and no values:
 * it is told of what issues through a source of its own around the trace's. */
#ifndef WF_SEAM_TRACE_H
#define WF_SEAM_TRACE_H

#include <stdio.h>

#include "sim/ptx/warp_source.h"

struct cJSON;
struct wf_trace_kernel;
struct wf_unit;

/* All functions are required. */
typedef struct wf_trace_ops {
  /* Before the first launch. False: *err says what the trace lacks. */
  bool (*start)(struct wf_unit *unit, wf_error *err);
  /* The launch's instructions come through the returned source, which asks `from`; until the next
   * call. NULL: *err. */
  wf_warp_source *(*listen)(struct wf_unit *unit, wf_warp_source *from,
                            const struct wf_trace_kernel *kernel, wf_error *err);
  struct cJSON *(*json)(const struct wf_unit *unit); /* of all launches: the caller's to delete */
  void (*print)(const struct wf_unit *unit, FILE *out);
} wf_trace_ops;

#endif
