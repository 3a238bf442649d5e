/* The fabric's side of a unit that keeps loads past the L1 (sim/seam/miss.h). The SM's own account
 * of such loads is the book that each of its answers is compared with. */
#ifndef WF_GPU_LOAD_SEAT_H
#define WF_GPU_LOAD_SEAT_H

#include "sim/gpu/lsu.h"
#include "sim/gpu/seat.h"

enum { LOADS_OF_TABLE = 44 }; /* that a unit keeps where lsu.loads is 0: a K20's */
bool wf_load_sit(wf_seat *seat, wf_error *err);
/* A load past the L1, whose addresses are in sm->effect, enters the queue. */
void wf_load_enters(wf_sm *sm, const wf_lsu_entry *e);
/* Its next line wants to be asked for, and may by the book. What is done; false: not in this cycle.
 */
bool wf_load_asks(wf_sm *sm, const wf_lsu_entry *e, bool book);
/* The load's nth line is here, by the book the last. */
void wf_load_replied(wf_sm *sm, uint16_t load, unsigned nth, bool last, uint64_t now);
/* By the unit it is for these. */
void wf_load_told_by(wf_sm *sm, const wf_load_told *told);

#endif
