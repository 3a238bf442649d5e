/* Load/store unit: its queue, loads in flight, the ways to memory. */
#ifndef WF_GPU_LSU_H
#define WF_GPU_LSU_H

#include "sim/gpu/sm_state.h"

enum { NO_LOAD = 0xffff, LINE_SHIFT = 7, LOADS_PER_SM = 1024 };

/* What an LSU entry is, and the top bits of a packet's id. */
enum { KIND_LOAD, KIND_BYPASS, KIND_STORE, KIND_ATOMIC, KIND_REDUCTION, KIND_SHARED, KIND_STAGE };
#define ID_KIND_SHIFT 28
#define ID_VALUE_MASK 0x0fffffffu
#define ID_PLACE_SHIFT 24 /* of a stage, above its number */

/* A warp-level load or value-returning atomic until its last transaction is back, and a unit that
 * wants to hear of its end has been told. */
typedef struct wf_load {
  const ptx_inst *inst;
  uint64_t ready_at; /* the latest of the hits' latencies */
  uint64_t issued_at;
  uint16_t remaining;
  uint8_t warp;
  uint8_t tag;    /* 0: the program's; otherwise it was injected, and its injector calls it so */
  uint8_t group;  /* of a copy */
  uint8_t cycles; /* for which a copy takes shared memory's port */
  uint8_t lanes;  /* that hold places past the L1 (lsu.lane_slots) */
  uint8_t mark;   /* what a unit that manages the L1 wants to hear with its end; 0: nothing */
  uint16_t next_free;
} wf_load;

/* A warp memory instruction in the load/store unit's queue, cut into line transactions. */
typedef struct wf_lsu_entry {
  const ptx_inst *inst;
  uint16_t load; /* index of its wf_load, or none */
  uint8_t warp, kind, n_lines, next_line;
  bool global;     /* of global memory, not of local */
  uint16_t cycles; /* shared memory: bank-conflict cycles still to spend */
  struct {
    uint32_t line; /* device address / line_bytes */
    uint8_t sectors, full_sectors, lanes, conflicts;
  } at[PTX_LANES];
} wf_lsu_entry;

/* Queues the memory instruction whose effect is in sm->effect. The queue has room. */
void wf_lsu_push(wf_sm *sm, unsigned warp, const ptx_inst *inst);
/* The same for an injected load of the instruction's type; tag: as wf_load's, not 0. */
void wf_lsu_push_injected(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint8_t tag);
/* Of one that has no address: it comes back in the next cycle. */
void wf_lsu_fail_injected(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint8_t tag,
                          uint64_t now);
void wf_lsu_free_load(wf_sm *sm, uint16_t load);
void wf_lsu_tick(wf_sm *sm, uint64_t now);
void wf_lsu_reply(wf_sm *sm, const wf_packet *packet, uint64_t now);
bool wf_lsu_init(wf_sm *sm);
void wf_lsu_free(wf_sm *sm);
bool wf_lsu_idle(const wf_sm *sm);
bool wf_lsu_works(const wf_sm *sm); /* tick it */

void wf_lsu_send(wf_sm *sm, const wf_packet *packet); /* the miss queue has room */
/* Asks for what the L1 misses, or past the L1 for the sectors touched. pc: 0: a prefetch. */
void wf_lsu_send_miss(wf_sm *sm, uint32_t line, wf_l1_fetch fetch, ptx_pc pc);
void wf_lsu_send_past(wf_sm *sm, uint32_t line, uint8_t sectors, uint16_t load, wf_l1_label label);
/* Asks for a line on behalf of the stage of this place in the row, which is told `number`, below
 * 2^24, when it is there. */
void wf_lsu_send_fetch(wf_sm *sm, unsigned place, uint32_t line, unsigned number, bool urgent);
/* Counts a cycle in which the queue's head waits for an MSHR, or its way, or the miss queue; false.
 */
bool wf_lsu_stall(wf_sm *sm);
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
