/* From the counters of a GPU to the counts of the energy model. */
#ifndef WF_ENERGY_COLLECT_H
#define WF_ENERGY_COLLECT_H

#include "sim/energy/energy.h"
#include "sim/gpu/gpu.h"

/* Everything since the GPU was created. Approximations: a store to the L2 is taken as two sectors,
 * an L1 hit as a whole line. */
void wf_energy_collect(const wf_gpu *gpu, wf_energy_counts *counts);
/* The same while a kernel runs (WF_SEEN_SAMPLE): of units without what their RTL counts, which only
 * a run that is over may ask for. */
void wf_energy_collect_running(const wf_gpu *gpu, wf_energy_counts *counts);
/* Of one SM in one P-state, since the GPU was created. clock: see wf_energy_counts.low. */
void wf_energy_collect_sm(const wf_pstate_counters *of, double core_hertz, double clock,
                          wf_energy_pstate *counts);
/* What happened between two collections of a GPU. */
void wf_energy_between(const wf_energy_counts *then, const wf_energy_counts *now,
                       wf_energy_counts *counts);

/* One counter of a unit, by its name in the result; those without energy are ignored. user: the
 * wf_energy_unit, its class filled in. */
void wf_energy_unit_counter(void *user, const char *name, double value);

#endif
