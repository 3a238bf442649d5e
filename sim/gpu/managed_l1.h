/* The fabric's side of a unit that manages each SM's L1 (sim/seam/l1.h). */
#ifndef WF_GPU_MANAGED_L1_H
#define WF_GPU_MANAGED_L1_H

#include "sim/gpu/seat.h"
#include "sim/gpu/sm_state.h"

bool wf_managed_l1_sit(wf_seat *seat, wf_error *err);
/* A reply to a request of the unit's label. */
void wf_managed_l1_came(wf_sm *sm, wf_l1_label label);

#endif
