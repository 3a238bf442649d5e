/* One DRAM channel: FR-FCFS over a finite queue, open rows, GDDR and HBM command timing, one
 * command a clock (with dram_row_bus one to rows and one to columns). A request is the bursts of
 * one line that are needed; all of them lie in one row.
 *
 * Mapping of a partition-local line: consecutive 256-byte stripes go to consecutive bank groups (so
 * that a stream pays tCCDS, not tCCDL), then to columns, banks, rows; the bank number is XORed with
 * the low row bits against strides that would camp on one bank (permutation-based interleaving,
 * Zhang, Zhu and Zhang, MICRO 2000). */
#ifndef WF_DRAM_H
#define WF_DRAM_H

#include "sim/base/wf_ring.h"
#include "sim/mem/mem.h"
#include "sim/mem/mem_trace.h"

#pragma GCC visibility push(hidden) /* internal: free to be inlined */

#define WF_DRAM_NONE 0xffu
#define WF_DRAM_CLOSED UINT32_MAX

typedef struct wf_dram_place {
  uint32_t row;
  uint8_t bank;
  uint16_t column; /* of burst 0, in bursts from the start of the row */
} wf_dram_place;

typedef struct wf_dram_request {
  uint32_t row, line, seq;
  uint16_t tag;    /* read: MSHR that asked */
  uint16_t column; /* burst number in the row of burst 0 */
  uint8_t bank, next;
  uint8_t bursts, wanted; /* masks: still to issue, asked for */
  bool started, missed, hazard,
      urgent; /* hazard: a read behind it wants this line; urgent: goes before those that are not */
} wf_dram_request;

/* Index 0: reads, 1: writes. */
typedef struct wf_dram_bank {
  uint64_t t_act, t_col[2],
      t_pre;                   /* earliest clock of the command, as far as this bank is concerned */
  uint32_t open_row, last_row; /* last_row: the one last open */
  uint8_t head[2],
      tail[2];    /* requests in the order in which they count: urgent ones, then by age */
  uint8_t hit[2]; /* oldest request to the open row */
  uint8_t bypass; /* row hits served past the bank's oldest request */
} wf_dram_bank;

typedef struct wf_dram_return {
  uint64_t time; /* clock after which the L2 can take it */
  uint16_t tag;
  uint8_t bursts;
} wf_dram_return;

typedef struct wf_dram {
  /* configuration */
  unsigned index, burst_clocks, bursts_per_line, queue_limit, high, low, return_limit;
  unsigned stripe_lines_shift, group_shift, column_shift, bank_shift, bank_mask, group_mask;
  wf_mem_config config;
  /* queue */
  wf_dram_request request[64];
  uint64_t free_slots;
  unsigned count[2];
  unsigned hazards;
  uint32_t seq;
  /* state */
  wf_dram_bank bank[32];
  uint64_t group_col[2][32];
  uint64_t t_mode[2], t_rrd; /* t_rrd: of the next activate, tFAW's too */
  uint64_t act_clock[4];     /* + 1, of the last four */
  unsigned acts;
  uint32_t pending[2], hits[2], open; /* masks of banks */
  uint32_t capped;                    /* banks whose row hits wait for the oldest request */
  unsigned mode;
  bool draining;
  uint64_t refresh_due;
  /* Lower bounds on the clock of the next command of each kind in this mode; limits that all banks
   * share (t_rrd, t_mode) come on top. */
  uint64_t act_next, col_next, pre_next;
  uint64_t next; /* earliest clock at which a tick may do something */
  /* reads on their way back */
  wf_dram_return *ret;
  uint32_t ret_mask;
  wf_ring ret_ring;
  unsigned ret_reserved;
  uint64_t return_time;            /* of the oldest, UINT64_MAX if there is none */
  bool slot_freed;                 /* by the last tick */
  bool active;                     /* requests wait: since active_from */
  uint64_t active_from, active_to; /* active_to: end of the last data */
  wf_mem_counters *counters;
  wf_dram_trace trace;
  void *trace_user;
} wf_dram;

void wf_dram_init(wf_dram *d, const wf_mem_config *config, unsigned index,
                  wf_mem_counters *counters);
/* Before the first cycle: the first refresh comes when `rng` says, not after a whole interval. */
void wf_dram_order(wf_dram *d, wf_rng *rng);
void wf_dram_free(wf_dram *d);
wf_dram_place wf_dram_map(const wf_dram *d, uint32_t line);
/* Takes a request for the bursts of a local line; the caller has checked wf_dram_room. */
void wf_dram_push(wf_dram *d, bool write, uint32_t line, uint8_t bursts, uint16_t tag);
/* The same for an urgent read: before all others it is chosen whose row to open and whose data to
 * read; row hits of others still pass it as they pass the oldest. */
void wf_dram_push_urgent(wf_dram *d, uint32_t line, uint8_t bursts, uint16_t tag);
/* Command clock `now`; to be called when d->next <= now. */
void wf_dram_tick(wf_dram *d, uint64_t now);
void wf_dram_return_pop(wf_dram *d);

static inline unsigned wf_dram_waiting(const wf_dram *d) {
  return d->count[0] + d->count[1];
}
static inline unsigned wf_dram_room(const wf_dram *d) {
  return d->queue_limit - wf_dram_waiting(d);
}
static inline const wf_dram_return *wf_dram_return_front(const wf_dram *d) {
  return &d->ret[d->ret_ring.head];
}

#pragma GCC visibility pop
#endif
