/* All that was set of a run, or left at its default. */
#ifndef WF_REPORT_CONFIGURATION_H
#define WF_REPORT_CONFIGURATION_H

#include <cjson/cJSON.h>

#include "sim/apps/apps.h"
#include "sim/gpu/config.h"

/* {"l1.bytes": 16384, "core.scheduler": "gto", "apcm.mode": "both", ...}: the machine, the settings
 * of the simulation, the application's options (app: NULL without), the units' parameters, and what
 * else `set` says. The caller deletes it. */
cJSON *wf_configuration_json(const wf_gpu_config *config, const wf_options *set, const wf_app *app,
                             const char *const *units, unsigned n_units);

#endif
