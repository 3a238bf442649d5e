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
/* A load's line request before it looks the L1 up. */
typedef struct wf_lsu_line {
  const ptx_inst *inst;
  uint64_t asked_at; /* it came to the load/store unit: the L1's latency counts from then */
  uint32_t line;
  uint16_t load;
  uint8_t warp, sectors;
} wf_lsu_line;
bool wf_lsu_load_line(wf_sm *sm, const wf_lsu_line *l, uint64_t now); /* false: not in this cycle */
void wf_lsu_transaction_done(wf_sm *sm, uint16_t load, uint64_t now);

/* ---- lsu_unit.c: loads with a unit beside the L1 ---- */
/* A load enters the queue. sm->effect still is its. */
void wf_lsu_tell(wf_sm *sm, wf_lsu_entry *e);
/* The next line request of the load at the queue's head; false: not in this cycle. */
bool wf_lsu_managed_load(wf_sm *sm, wf_lsu_entry *e, bool can_send, uint64_t now);
/* Takes the unit's decision for the oldest miss that waits for one, if it is there. */
void wf_lsu_decide(wf_sm *sm);
bool wf_lsu_undecided_in_set(const wf_sm *sm, uint32_t line);

#endif
