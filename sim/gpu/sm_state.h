/* What a streaming multiprocessor holds: its parts (cta, ready, sleep, scheduler, lsu) work on it.
 * Internal to sim/gpu. */
#ifndef WF_GPU_SM_STATE_H
#define WF_GPU_SM_STATE_H

#include "sim/base/wf_ring.h"
#include "sim/gpu/barrier.h"
#include "sim/gpu/config.h"
#include "sim/gpu/counters.h"
#include "sim/gpu/l1.h"
#include "sim/gpu/row.h"
#include "sim/gpu/simt.h"
#include "sim/gpu/wheel.h"
#include "sim/mem/prefetch.h"
#include "sim/ptx/warp_source.h"
#include "sim/seam/unit.h"

enum {
  WF_MAX_WARPS = 64,
  WF_MAX_CTAS = 32,
  WF_MAX_SCHEDULERS = 4,
  WF_COPY_GROUPS = 8,     /* of cp.async: one more waits until the oldest is there */
  WF_SCOREBOARD_WORDS = 8 /* registers and predicates of a thread: at most 512 */
};

typedef enum wf_warp_state {
  WF_WARP_FREE,
  WF_WARP_RUN,
  WF_WARP_BARRIER,
  WF_WARP_FENCE,    /* waits for its stores to be acknowledged */
  WF_WARP_PARKED,   /* waits for a unit */
  WF_WARP_LAUNCHING /* waits until its launches are taken */
} wf_warp_state;

/* Which shared resource the next instruction of a warp needs to issue. */
typedef enum wf_pipe {
  WF_PIPE_SP,  /* one per scheduler */
  WF_PIPE_SFU, /* one per SM */
  WF_PIPE_LSU,
  WF_PIPE_CONTROL, /* branches, barriers, parameter loads: no pipeline to wait for */
  WF_PIPE_UNIT,
  WF_PIPE_COUNT
} wf_pipe;

typedef struct wf_warp {
  ptx_warp arch;
  wf_simt simt;
  uint64_t pending[WF_SCOREBOARD_WORDS]; /* registers whose write is in flight */
  uint64_t ready_at;                     /* no issue before this cycle */
  uint64_t idle_from; /* with probe.loads: first cycle after its last issue in which it could have
                         issued again */
  uint64_t age;
  uint64_t uid;           /* of all warps this SM ever ran */
  unsigned loads, stores; /* in flight: loads and value-returning atomics; stores and reductions */
  uint16_t copies[WF_COPY_GROUPS]; /* cp.async in flight, by group: groups take turns */
  uint8_t copy_group;              /* the one that is not committed */
  uint8_t state, cta;
  wf_barrier_wait wait; /* in state WF_WARP_BARRIER */
} wf_warp;

typedef struct wf_cta {
  uint8_t *shared;
  uint64_t warps; /* slots it holds */
  unsigned live;
  wf_barrier barriers[WF_BARRIERS];
  uint32_t shared_bytes, shared_room; /* of the CTA; of the memory at `shared` */
  uint32_t grid;                      /* the launcher's number */
  bool used;
} wf_cta;

typedef struct wf_issue wf_issue;
typedef struct wf_managed_l1 wf_managed_l1;
typedef struct wf_miss_file wf_miss_file;
typedef struct wf_load_table wf_load_table;

/* See sm_clock.h. */
typedef struct wf_sm_clock {
  uint64_t lost;           /* the core's cycles in which it did not tick */
  unsigned ticks, of, sum; /* of 0: as the core's */
  wf_pstate state;
  wf_pstate_counters then;                 /* when it came into it: totals */
  wf_pstate_counters of_state[WF_PSTATES]; /* before that */
} wf_sm_clock;

struct wf_gpu;
typedef struct wf_sm {
  struct wf_gpu *gpu;
  const wf_gpu_config *config;
  wf_mem *gpu_mem;
  wf_row row; /* of the running kernel */
  /* What the issue stage and the stages of the row keep; NULL without the unit. */
  wf_issue *issue;
  struct wf_preload_sm *preload;
  wf_managed_l1 *managed;
  wf_miss_file *misses;
  wf_load_table *load_table;
  wf_warp_source *source; /* of the running kernel's instructions; NULL: PTX */
  unsigned id, n_warps;
  wf_sm_clock clock;
  wf_warp warps[WF_MAX_WARPS];
  wf_cta ctas[WF_MAX_CTAS];
  uint64_t resident;                 /* warp slots in use */
  uint64_t ready;                    /* warps whose next instruction has its operands */
  uint64_t pipe_mask[WF_PIPE_COUNT]; /* warps by what their next instruction needs */
  uint64_t sched_mask[WF_MAX_SCHEDULERS];
  unsigned last_chosen[WF_MAX_SCHEDULERS]; /* whom round robin goes on behind */
  uint64_t lost[WF_MAX_SCHEDULERS]; /* a warp, as a bit, that lost the last turn, and so the next
                                       one (scheduler.c) */
  uint64_t sp_free[WF_MAX_SCHEDULERS], sfu_free; /* cycle from which the pipeline takes the next */
  uint64_t lsu_free;                             /* units' replies take load/store cycles */
  wf_wheel wheel;
  /* load/store unit */
  struct wf_lsu_entry *queue;
  wf_ring queue_ring;
  struct wf_load *loads;
  unsigned past_loads, past_lanes; /* lsu.loads, lsu.lane_slots: that are in use */
  uint16_t free_load, live_loads;
  wf_l1 *l1;
  wf_prefetcher *prefetcher; /* NULL without l1.prefetch */
  bool prefetch_next;        /* it is a prefetch's turn to look the L1 up */
  wf_packet *miss_queue;
  wf_ring miss_ring;
  unsigned miss_promised; /* of its places */
  uint64_t running;       /* warps in WF_WARP_RUN */
  uint64_t limited;       /* with core.swl: warps that may issue, unless stale */
  bool limit_stale;
  uint64_t tokens; /* warps that may allocate in the L1 */
  bool may_bypass; /* a cached load may have to go past the L1: its sectors are wanted */
  /* memory of the running kernel's warps */
  uint32_t *register_file;
  uint32_t *predicate_file;
  uint8_t *local_file;
  uint64_t local_base; /* device address of this SM's local memory */
  uint32_t reg_stride, pred_stride,
      local_stride; /* of a warp in these: the most that a kernel needs */
  uint64_t wake;    /* next cycle in which it must be ticked */
  uint64_t last_tick;
  uint8_t sleep_cause[WF_MAX_SCHEDULERS]; /* wf_stall: while it sleeps */
  uint8_t head_waits; /* wf_stall: what the load/store unit's queue waited for in its last cycle */
  uint64_t warps_started;
  uint64_t live_stores; /* stores and reductions in flight, all warps */
  wf_sm_counters counters;
  wf_l1_counters l1_counters;
  ptx_effect effect;
} wf_sm;

static inline void wf_sm_schedule(wf_sm *sm, uint64_t when, wf_wheel_event event) {
  wf_wheel_add(&sm->wheel, when, event);
}
static inline ptx_pc wf_sm_pc_of(const wf_sm *sm, unsigned warp, const ptx_inst *inst) {
  return (ptx_pc)(inst - sm->warps[warp].arch.launch->kernel->insts);
}
static inline const ptx_inst *wf_sm_next(const wf_warp *w) {
  return &w->arch.launch->kernel->insts[wf_simt_top(&w->simt)->pc];
}

#endif
