/* What units put beside an SM: the row of stages that a load's line requests are offered to, one
 * after the other, before the plain L1; the row of those who hear what its warps do; and who stands
 * where its warps issue. All are made anew for each kernel, by the seats (seat.h) that have
 * something to do in it; an empty row costs a test. */
#ifndef WF_GPU_ROW_H
#define WF_GPU_ROW_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/ptx/ptx.h"

struct wf_sm;
struct wf_lsu_entry;

/* A load's line request on its way through the row. All of a load's requests come, in their order,
 * also to the stages after the one that served them: those have nothing to fetch then. */
typedef struct wf_line_request {
  const ptx_inst *inst;
  uint64_t asked_at; /* it came to the load/store unit: the L1's latency counts from then */
  uint32_t line;
  uint16_t load;
  uint8_t warp, sectors, nth; /* nth: of the load's requests, from 0 */
  bool last;                  /* of them */
  bool global;                /* of global memory, not of local */
  bool served;                /* by an earlier stage */
} wf_line_request;

/* All but load may be NULL. */
typedef struct wf_stage {
  unsigned place; /* in the row: stages stand in this order */
  /* A memory instruction enters place `at` of the load/store unit's queue; sm->effect is its. */
  void (*enter)(struct wf_sm *sm, struct wf_lsu_entry *e, unsigned at);
  /* A load's line request; false: not in this cycle. wf_row_pass() hands it on. */
  bool (*load)(struct wf_sm *sm, const wf_line_request *r, uint64_t now);
  /* May a store's or atomic's line leave in this cycle? */
  bool (*store)(struct wf_sm *sm, const struct wf_lsu_entry *e, uint32_t line);
  /* What it asked for with wf_lsu_send_fetch() is back. */
  void (*fill)(struct wf_sm *sm, unsigned number, uint64_t now);
  /* Once a cycle, before the queue's head, while busy(). */
  void (*tick)(struct wf_sm *sm, uint64_t now);
  bool (*busy)(const struct wf_sm *sm);
  bool (*takes_shared)(const struct wf_sm *sm, uint64_t now); /* shared memory's port is taken */
  void (*block_end)(struct wf_sm *sm, unsigned slot);
  size_t (*describe)(const struct wf_sm *sm, char *text, size_t bytes); /* for the hang report */
} wf_stage;
enum { WF_PLACE_BUFFER, WF_PLACE_MANAGER, WF_ROW };

/* All may be NULL. */
typedef struct wf_listener {
  void (*warp_start)(struct wf_sm *sm, unsigned warp);
  void (*warp_end)(struct wf_sm *sm, unsigned warp);
  /* Lanes went on, or ended; split: in two ways. */
  void (*branched)(struct wf_sm *sm, unsigned warp, ptx_pc from, bool split);
  bool (*may_branch)(const struct wf_sm *sm); /* in this cycle */
  /* All data of a load with this mark are there; false: it keeps its place among loads in flight,
   * and is written back when this is true. */
  bool (*load_done)(struct wf_sm *sm, unsigned warp, uint8_t mark);
} wf_listener;

/* Decides with the scoreboard what may issue, and issues loads of its own. None is NULL. */
typedef struct wf_issue_stage {
  /* Do schedulers issue in this cycle? */
  bool (*turn)(const struct wf_sm *sm);
  /* The warp's next instruction may have become known. */
  void (*look)(struct wf_sm *sm, unsigned warp, uint64_t now);
  /* May it issue, as far as operands and the unit go? Asked in place of the scoreboard. */
  bool (*may)(struct wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now);
  /* Is the next instruction a load that a move replaces? */
  bool (*moves)(const struct wf_sm *sm, unsigned warp);
  unsigned (*move_latency)(const struct wf_sm *sm);
  /* May the warp's next instruction, which is ready, issue in this cycle? */
  bool (*takes)(struct wf_sm *sm, unsigned warp);
  /* The instruction is about to be executed. */
  void (*executes)(struct wf_sm *sm, unsigned warp, const ptx_inst *inst);
  /* The instruction has been executed, its effect is in sm->effect. *moved: it was a move. False:
   * what was moved is not what the load brings. */
  bool (*issued)(struct wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now, bool *moved,
                 wf_error *err);
  /* *took: an injected instruction takes the scheduler's slot in this cycle. */
  bool (*inject)(struct wf_sm *sm, unsigned sched, uint64_t now, bool *took, wf_error *err);
  /* An injected instruction waits for nothing but a slot. */
  bool (*wants)(const struct wf_sm *sm, uint64_t now);
  /* The same of an injected load, which may have failed. */
  bool (*load_done)(struct wf_sm *sm, unsigned warp, uint8_t tag, bool failed);
  /* An injected multiply-add's result is there; false: it is taken later. */
  bool (*sum)(struct wf_sm *sm, uint8_t place);
} wf_issue_stage;

typedef struct wf_row {
  const wf_issue_stage *issue; /* NULL: none; claims let one unit stand there */
  const wf_stage *stages[WF_ROW];
  const wf_listener *listeners[WF_ROW];
  uint8_t n_stages, n_listeners;
} wf_row;

static inline void wf_row_add_stage(wf_row *row, const wf_stage *stage) {
  assert(row->n_stages < WF_ROW); /* claims let one unit into each place */
  unsigned at = row->n_stages++;
  for (; at && row->stages[at - 1]->place > stage->place; at--)
    row->stages[at] = row->stages[at - 1];
  row->stages[at] = stage;
}
static inline void wf_row_add_listener(wf_row *row, const wf_listener *listener) {
  assert(row->n_listeners < WF_ROW);
  row->listeners[row->n_listeners++] = listener;
}

#endif
