/* From the counters of a GPU to the counts of the energy model. */
#ifndef WF_ENERGY_COLLECT_H
#define WF_ENERGY_COLLECT_H

#include "sim/energy/energy.h"
#include "sim/gpu/gpu.h"

/* Everything since the GPU was created. Approximations: a store to the L2 is taken as two sectors,
 * an L1 hit as a whole line. */
void wf_energy_collect(const wf_gpu *gpu, wf_energy_counts *counts);

/* One counter of the unit "mff", by its name in the result; others are ignored. For
 * wf_unit_class.counters(). user: the wf_energy_counts. */
void wf_energy_unit_counter(void *counts, const char *name, double value);

#endif
