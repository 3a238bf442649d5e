/* Probe: how many line requests would be left if a warp's loads were coalesced over a window of W
 * of its operations (MFF paper, section 4 and figure 5: temporal coalescing covers the execution of
 * a warp). Counts per allocation; does not disturb timing. */
#ifndef WF_GPU_PROBE_H
#define WF_GPU_PROBE_H

#include <stdint.h>

enum { WF_PROBE_WINDOWS = 9 }; /* 1, 2, 4 .. 256 warp-level operations */

typedef struct wf_probe wf_probe;

typedef struct wf_probe_count {
  const char *what;                    /* the allocation's name */
  uint64_t operations;                 /* warp-level loads */
  uint64_t requests[WF_PROBE_WINDOWS]; /* distinct lines, summed over consecutive windows */
} wf_probe_count;

wf_probe *wf_probe_create(void);
void wf_probe_destroy(wf_probe *probe);
/* An allocation, in ascending order of addresses. */
void wf_probe_region(wf_probe *probe, uint64_t address, uint64_t bytes, const char *what);
/* A load of the warp in slot 0 .. WF_PROBE_SLOTS-1, which is the uid-th there; line numbers are
 * device addresses / 128, stride_bytes apart. */
enum { WF_PROBE_SLOTS = 64 * 64 };
void wf_probe_load(wf_probe *probe, unsigned slot, uint64_t uid, const uint32_t *lines,
                   unsigned n_lines, unsigned stride_bytes);
/* index past the end: NULL. */
const wf_probe_count *wf_probe_get(const wf_probe *probe, unsigned index);

#endif
