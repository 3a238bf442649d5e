/* Probe: how many line requests would be left if warp-level loads were coalesced over a window of
 * W operations (MFF paper, figure 5). Counts per allocation; does not disturb timing. */
#ifndef WF_GPU_PROBE_H
#define WF_GPU_PROBE_H

#include <stdint.h>

enum { WF_PROBE_WINDOWS = 9 }; /* 1, 2, 4 .. 256 warp-level operations */

typedef struct wf_probe wf_probe;

typedef struct wf_probe_count {
  const char *what;    /* the allocation's name */
  uint64_t operations; /* warp-level loads */
  uint64_t requests[WF_PROBE_WINDOWS]; /* distinct lines, summed over consecutive windows */
} wf_probe_count;

wf_probe *wf_probe_create(void);
void wf_probe_destroy(wf_probe *probe);
/* An allocation, in ascending order of addresses. */
void wf_probe_region(wf_probe *probe, uint64_t address, uint64_t bytes, const char *what);
/* A warp-level load; line numbers are device addresses / 128. */
void wf_probe_load(wf_probe *probe, const uint32_t *lines, unsigned n_lines, unsigned stride_bytes);
/* index past the end: NULL. */
const wf_probe_count *wf_probe_get(const wf_probe *probe, unsigned index);

#endif
