/* How a run went over time, for its result: what was counted in each of a few hundred intervals of
 * equal length. Nobody knows beforehand how long a run is, so the intervals begin short; whenever
 * there are too many, two become one.
 *
 * In the result: "series": {"end": [core cycles], and for each counter of wf_series_counters an
 * array with what came to it in each interval}. An array's sum is the run's total; the last
 * interval may be shorter. Energy is without what RTL counts of units' events. */
#ifndef WF_REPORT_SERIES_H
#define WF_REPORT_SERIES_H

#include <cjson/cJSON.h>

#include "sim/energy/energy.h"
#include "sim/gpu/gpu.h"

typedef struct wf_series wf_series;

typedef struct wf_series_settings {
  unsigned points; /* at most so many intervals (3 or more); 0: no series */
} wf_series_settings;
extern const wf_parameter wf_series_parameters[];
extern const char *const wf_series_counters[]; /* ends with NULL */

/* NULL: the settings ask for none. */
wf_series *wf_series_create(const wf_series_settings *settings);
/* From now on; the series must outlive the GPU's kernels, and GPU and model it. */
void wf_series_attach(wf_series *series, wf_gpu *gpu, const wf_energy_model *energy);
/* After the last kernel. The caller deletes it. */
cJSON *wf_series_json(const wf_series *series);
void wf_series_destroy(wf_series *series);

#endif
