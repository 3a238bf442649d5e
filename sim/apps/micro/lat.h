/* Sweeps of the thread-latency benchmark; see lat.c. */
#ifndef WF_APPS_LAT_H
#define WF_APPS_LAT_H

#include "sim/apps/app_internal.h"

enum { LAT_LOADS = 4, LAT_THREADS = 1024, LAT_STEP = 2, LAT_POINTS = LAT_THREADS / LAT_STEP };
enum { LAT_LANES, LAT_WARPS, LAT_LINE, LAT_SCATTER };

/* Whose lines are loaded. */
typedef struct wf_lat_shape {
  uint32_t loads, pattern, share; /* loads of each thread; share: lanes or warps of a line */
} wf_lat_shape;

typedef struct wf_lat wf_lat;
wf_lat *wf_lat_open(wf_app_run *run, wf_error *err);
void wf_lat_close(wf_lat *l); /* verifies what was loaded */
/* The first spike: two threads more, or the first of them, cost over 20 cycles, and three times
 * what any two before them did. *threads: the last that fit; 0: there is none up to the most. */
bool wf_lat_first(wf_lat *l, const wf_lat_shape *s, uint32_t *threads, uint32_t *round_trip,
                  wf_error *err);

#endif
