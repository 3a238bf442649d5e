/* The result of a run as JSON, with the stable keys of the command line's contract. */
#ifndef WF_REPORT_RESULT_H
#define WF_REPORT_RESULT_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "sim/apps/apps.h"
#include "sim/energy/energy.h"
#include "sim/gpu/gpu.h"
#include "sim/report/series.h"

typedef enum wf_verified { WF_VERIFIED_NO, WF_VERIFIED_YES, WF_VERIFIED_NULL } wf_verified;

typedef struct wf_result_input {
  const wf_gpu *gpu;
  const wf_app_run *run;   /* NULL for a bare PTX kernel */
  const char *app, *graph; /* graph: NULL if none */
  const char *const *units;
  unsigned n_units;
  uint64_t seed;
  double host_seconds;
  wf_verified verified;
  const char *not_verified;   /* why, or by whom it was, where there is no application; or NULL */
  const cJSON *trace;         /* of a trace: added as it is; or NULL */
  const wf_options *settings; /* what --set said */
  const wf_energy_model *energy;
  const wf_series *series; /* or NULL */
} wf_result_input;

/* The caller deletes it with cJSON_Delete(). NULL: a unit's counters could not be read: *err. */
cJSON *wf_result_json(const wf_result_input *input, wf_error *err);

#endif
