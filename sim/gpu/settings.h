/* Settings of a run that are no part of the modelled machine: probes, sampling, how it is
 * simulated. */
#ifndef WF_GPU_SETTINGS_H
#define WF_GPU_SETTINGS_H

#include "sim/base/wf_parameter.h"

typedef struct wf_gpu_settings {
  unsigned coalescing, locality, loads, footprint; /* probes */
  const char *sample_kernel, *sample_launches, *cg, *no_allocate;
  unsigned sample_least;
  unsigned assertions, order, skip, threads;
  unsigned red;
} wf_gpu_settings;

extern const wf_parameter wf_gpu_parameters[]; /* keys have no prefix */

#endif
