/* SSSP and WCC over a queue: two kernels a super-step (relax_strategy.cuh). */
#ifndef WF_APPS_RELAX_QUEUE_H
#define WF_APPS_RELAX_QUEUE_H

#include "sim/apps/app_internal.h"
#include "sim/apps/reference.h"

/* The device's value[n] from the host's, of which `count` vertices in `ids` have just got theirs;
 * weight of `out`: NULL for WCC. Runs until nothing changes or for the variant's super-steps. */
bool wf_relax_queue(wf_app_run *run, const char *name, const wf_app_variant *variant,
                    const wf_ref_csr *out, const uint32_t *host_value, const uint32_t *ids,
                    uint32_t count, uint64_t *value, wf_error *err);

#endif
