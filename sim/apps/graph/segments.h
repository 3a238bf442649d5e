/* A frontier in segments of resident blocks, on the device; see segments.cuh. */
#ifndef WF_APPS_SEGMENTS_H
#define WF_APPS_SEGMENTS_H

#include "sim/apps/app_internal.h"

enum { WF_SEGMENTS_THREADS = 512 }; /* of a block, at most */

typedef struct wf_segments {
  uint64_t entries, words;  /* device */
  uint32_t capacity;        /* entries of a segment */
  uint32_t blocks, threads; /* threads of a block */
} wf_segments;

/* What a segment is to hold, and how many each block has. */
typedef struct wf_segment_form {
  uint32_t entry_bytes, each;
  uint64_t entries;
} wf_segment_form;

/* A block for each SM, at most so many. */
uint32_t wf_segments_most_blocks(const wf_gpu *gpu);
/* As many as are resident, and their threads. */
bool wf_segments_blocks(wf_segments *s, const wf_gpu *gpu, const char *kernel, wf_error *err);
/* Then their segments; words: 0. *err (code 2) if they do not fit. */
bool wf_segments_create(wf_segments *s, const wf_app_run *run, const wf_segment_form *form,
                        wf_error *err);
/* Whether 512 MB hold the segments of so many blocks. */
bool wf_segments_fit(uint32_t blocks, const wf_segment_form *form);

#endif
