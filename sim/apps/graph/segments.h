/* A frontier in segments of resident blocks, on the device; see segments.cuh. */
#ifndef WF_APPS_SEGMENTS_H
#define WF_APPS_SEGMENTS_H

#include "sim/apps/app_internal.h"

typedef struct wf_segments {
  uint64_t pieces, words;   /* device */
  uint32_t capacity;        /* pieces of a segment */
  uint32_t blocks, threads; /* threads of a block */
} wf_segments;

/* Room for each segment to hold all pieces of the graph, as one block may find all; a block for
 * each SM. *err (code 2) if they do not fit. */
bool wf_segments_create(wf_segments *s, const wf_app_run *run, const char *kernel, uint32_t piece,
                        wf_error *err);
/* Whether 512 MB hold the segments. */
bool wf_segments_fit(const wf_gpu *gpu, uint32_t vertices, uint64_t edges, uint32_t piece);

#endif
