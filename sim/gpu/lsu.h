/* Shared by the files of the load/store unit. */
#ifndef WF_GPU_LSU_H
#define WF_GPU_LSU_H

#include "sim/gpu/sm.h"

enum { NO_LOAD = 0xffff, LINE_SHIFT = 7 };

/* What an LSU entry is, and the top bits of a packet's id. */
enum { KIND_LOAD, KIND_BYPASS, KIND_STORE, KIND_ATOMIC, KIND_REDUCTION, KIND_SHARED, KIND_PRELOAD };
#define ID_KIND_SHIFT 28
#define ID_VALUE_MASK 0x0fffffffu

/* ---- lsu.c ---- */
void wf_lsu_send(wf_sm *sm, const wf_packet *packet); /* the miss queue has room */
/* Asks for what the L1 misses, or past the L1 for the sectors touched. */
void wf_lsu_send_miss(wf_sm *sm, uint32_t line, wf_l1_fetch fetch);
void wf_lsu_send_past(wf_sm *sm, uint32_t line, uint8_t sectors, uint16_t load);
/* Asks for a line that goes into a place of shared memory. */
void wf_lsu_send_preload(wf_sm *sm, uint32_t line, unsigned place, bool urgent);
/* Looks the L1 up; false: not in this cycle. */
bool wf_lsu_load_line(wf_sm *sm, const wf_line_request *r, uint64_t now);
/* Hands a request on to what stands behind `place` in the row. */
bool wf_row_pass(wf_sm *sm, unsigned place, const wf_line_request *r, uint64_t now);
/* The miss queue has room that is not promised to misses that wait for a decision. */
bool wf_lsu_can_send(const wf_sm *sm);
/* The request's data are there at `when`. */
void wf_lsu_hit(wf_sm *sm, uint16_t load, uint64_t when, uint64_t now);
void wf_lsu_transaction_done(wf_sm *sm, uint16_t load, uint64_t now);

#endif
