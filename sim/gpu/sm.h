/* One streaming multiprocessor: warps, SIMT stacks, scoreboard, schedulers, load/store unit, L1.
 * Internal to sim/gpu. An SM sleeps (is not ticked) while nothing in it can change. */
#ifndef WF_GPU_SM_H
#define WF_GPU_SM_H

#include "sim/gpu/abyp.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/prefetch.h"
#include "sim/gpu/row.h"

enum {
  WF_MAX_WARPS = 64,
  WF_MAX_CTAS = 32,
  WF_MAX_SCHEDULERS = 4,
  WF_SCOREBOARD_WORDS = 8, /* registers and predicates of a thread: at most 512 */
  WF_WHEEL = 1024          /* cycles that the event wheel looks ahead */
};
#define WF_NEVER UINT64_MAX

typedef enum wf_warp_state {
  WF_WARP_FREE,
  WF_WARP_RUN,
  WF_WARP_BARRIER,
  WF_WARP_FENCE, /* waits for its stores to be acknowledged */
  WF_WARP_PARKED /* waits for a unit */
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

typedef struct wf_simt_entry {
  ptx_pc pc, reconverge;
  uint32_t mask;
} wf_simt_entry;

typedef struct wf_warp {
  ptx_warp arch;
  wf_simt_entry *stack;
  unsigned depth, stack_capacity;
  uint64_t pending[WF_SCOREBOARD_WORDS]; /* registers whose write is in flight */
  uint64_t ready_at;                     /* no issue before this cycle */
  uint64_t idle_from; /* with probe.loads: first cycle after its last issue in which it could have
                         issued again */
  uint64_t age;
  uint64_t uid;           /* of all warps this SM ever ran */
  unsigned loads, stores; /* in flight: loads and value-returning atomics; stores and reductions */
  uint8_t state, cta;
} wf_warp;

typedef struct wf_cta {
  uint8_t *shared;
  uint64_t warps; /* slots it holds */
  unsigned live, at_barrier;
  uint32_t shared_bytes, shared_room; /* of the CTA; of the memory at `shared` */
  uint32_t grid;                      /* the launcher's number */
  bool used;
} wf_cta;

/* A warp-level load or value-returning atomic until its last transaction is back. */
typedef struct wf_load {
  const ptx_inst *inst;
  uint64_t ready_at; /* the latest of the hits' latencies */
  uint64_t issued_at;
  uint16_t remaining;
  uint8_t warp;
  uint8_t spare; /* an injected load: 1 + spare register, or WF_SPARE_NONE; 0: the program's */
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

/* Of an instruction's result: its destinations are written then. */
typedef enum wf_wheel_kind {
  WF_WHEEL_LOOK, /* at the warp again, no more */
  WF_WHEEL_RESULT,
  WF_WHEEL_LOAD,
  WF_WHEEL_MOVE, /* in a load's place */
  WF_WHEEL_SPARE /* an injected load: no destination of the program's */
} wf_wheel_kind;

typedef struct wf_wheel_event {
  const ptx_inst *inst;
  uint8_t warp, kind, spare; /* spare: as wf_load's */
} wf_wheel_event;

typedef struct wf_bucket {
  wf_wheel_event *events;
  unsigned count, capacity;
} wf_bucket;

typedef struct wf_l1 wf_l1;
typedef struct wf_issue wf_issue;
typedef struct wf_managed_l1 wf_managed_l1;
enum { WF_SPARE_NONE = 255 };

typedef struct wf_sm {
  struct wf_gpu *gpu;
  const wf_gpu_config *config;
  wf_mem *gpu_mem;
  wf_issue *issue; /* with a unit where instructions issue, in a kernel that concerns it; otherwise
                      NULL */
  wf_row row;      /* of the running kernel */
  /* What stages of the row keep; NULL without the unit. */
  struct wf_preload_sm *preload;
  wf_managed_l1 *managed;
  wf_warp_source *source; /* of the running kernel's instructions; NULL: PTX */
  unsigned id, n_warps;
  wf_warp warps[WF_MAX_WARPS];
  wf_cta ctas[WF_MAX_CTAS];
  uint64_t resident;                 /* warp slots in use */
  uint64_t ready;                    /* warps whose next instruction has its operands */
  uint64_t pipe_mask[WF_PIPE_COUNT]; /* warps by what their next instruction needs */
  uint64_t sched_mask[WF_MAX_SCHEDULERS];
  unsigned last_issued[WF_MAX_SCHEDULERS];
  uint64_t sp_free[WF_MAX_SCHEDULERS], sfu_free; /* cycle from which the pipeline takes the next */
  uint64_t lsu_free;                             /* units' replies take load/store cycles */
  /* event wheel */
  wf_bucket wheel[WF_WHEEL];
  uint64_t wheel_used[WF_WHEEL / 64];
  /* load/store unit */
  wf_lsu_entry *queue;
  unsigned queue_head, queue_count;
  wf_load *loads;
  uint16_t free_load;
  wf_l1 *l1;
  wf_prefetcher *prefetcher; /* NULL without l1.prefetch */
  wf_packet *miss_queue;
  unsigned miss_head, miss_count;
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
  uint8_t sleep_cause[WF_MAX_SCHEDULERS];
  uint64_t warps_started;
  uint64_t live_stores; /* stores and reductions in flight, all warps */
  wf_sm_counters counters;
  wf_l1_counters l1_counters;
  ptx_effect effect;
} wf_sm;

bool wf_sm_init(wf_sm *sm, struct wf_gpu *gpu, unsigned id);
void wf_sm_free(wf_sm *sm);
/* The most that a thread of the kernels needs which may run together. */
typedef struct wf_sm_needs_max {
  uint32_t registers, predicates, local_bytes;
} wf_sm_needs_max;
/* Sizes register files, and CTA slots for a kernel; ctas: CTAs that fit (wf_sm_fit). */
bool wf_sm_begin_kernel(wf_sm *sm, const wf_sm_needs_max *most, uint32_t shared_bytes,
                        unsigned ctas);
/* Warps of a block, and registers that an SM gives it. */
void wf_sm_needs(const wf_gpu_config *config, const ptx_launch *launch, uint32_t *warps,
                 uint32_t *registers);
/* CTAs of the kernel that fit in an empty SM; 0 and *err naming the resource that is short. */
unsigned wf_sm_fit(const wf_gpu_config *config, const ptx_launch *launch, uint32_t shared_bytes,
                   wf_error *err);
/* A thread block to start: launch lives as long as it runs; the slot is free. */
typedef struct wf_sm_block {
  const ptx_launch *launch;
  const uint32_t *ctaid;
  unsigned slot;
  uint32_t shared_bytes, grid;
} wf_sm_block;
void wf_sm_start_cta(wf_sm *sm, const wf_sm_block *block, uint64_t now);
/* One core cycle. Sets sm->wake. False on a fault. */
bool wf_sm_tick(wf_sm *sm, uint64_t now, wf_error *err);
/* A packet for this SM (not a unit's). */
void wf_sm_reply(wf_sm *sm, const wf_packet *packet, uint64_t now);
void wf_sm_wake_parked(wf_sm *sm, unsigned warp, uint64_t now);
bool wf_sm_shared_write(wf_sm *sm, unsigned warp, uint32_t offset, uint32_t word);
bool wf_sm_idle(const wf_sm *sm); /* no warps, nothing queued or in flight */
/* Fills in counters for cycles slept through, up to now. */
void wf_sm_settle(wf_sm *sm, uint64_t now);
size_t wf_sm_describe(const wf_sm *sm, char *text, size_t bytes);

/* ---- between sm.c and lsu.c ---- */
void wf_sm_schedule(wf_sm *sm, uint64_t when, wf_wheel_event event);
void wf_sm_load_done(wf_sm *sm, wf_load *load, uint64_t now);
void wf_sm_set_state(wf_sm *sm, unsigned warp, wf_warp_state state);
void wf_sm_recheck(wf_sm *sm, unsigned warp, uint64_t now);
/* ---- for issue_unit.c ---- */
const ptx_inst *wf_sm_next(const wf_warp *w);
static inline ptx_pc wf_sm_pc_of(const wf_sm *sm, unsigned warp, const ptx_inst *inst) {
  return (ptx_pc)(inst - sm->warps[warp].arch.launch->kernel->insts);
}
bool wf_sm_operands_ready(const wf_warp *w, const ptx_inst *inst);
/* Queues the memory instruction whose effect is in sm->effect. The queue has room. */
void wf_lsu_push(wf_sm *sm, unsigned warp, const ptx_inst *inst);
/* The same for an injected load of the instruction's type; spare: as wf_load's. */
void wf_lsu_push_injected(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint8_t spare);
void wf_lsu_tick(wf_sm *sm, uint64_t now);
void wf_lsu_reply(wf_sm *sm, const wf_packet *packet, uint64_t now);
bool wf_lsu_init(wf_sm *sm);
void wf_lsu_free(wf_sm *sm);
bool wf_lsu_idle(const wf_sm *sm);
bool wf_lsu_works(const wf_sm *sm); /* tick it */

/* ---- l1.c ---- */
typedef enum wf_l1_result {
  WF_L1_HIT,
  WF_L1_MISS,
  WF_L1_MERGED,
  WF_L1_PAST,
  WF_L1_STALL
} wf_l1_result;
enum { WF_L1_LINE = 0xf }; /* all sectors of a line */
typedef struct wf_l1_request {
  uint32_t line;
  uint16_t load;
  uint8_t slot;      /* ABYP's, of the load instruction */
  uint8_t sectors;   /* touched; looked at with l1.sectored */
  bool may_allocate; /* else a miss goes past */
  bool can_send;     /* the miss queue has room */
} wf_l1_request;
/* What a miss asks the L2 for. */
typedef struct wf_l1_fetch {
  unsigned mshr;
  uint8_t sectors;
} wf_l1_fetch;
wf_l1 *wf_l1_create(const wf_gpu_config *config, wf_l1_counters *counters);
void wf_l1_destroy(wf_l1 *l1);
/* Looks a line up for a load. MISS: reserved, the caller sends *fetch. PAST: the
 * caller asks the L2 for what is needed, the L1 keeps nothing. STALL: no MSHR, merge slot or way;
 * nothing changed. */
wf_l1_result wf_l1_load(wf_l1 *l1, const wf_l1_request *r, wf_l1_fetch *fetch);
/* A line that a prefetcher foretells. HIT: there or on its way, nothing changed. */
wf_l1_result wf_l1_prefetch(wf_l1 *l1, uint32_t line, bool can_send, wf_l1_fetch *fetch);
/* The table that all SMs share with --set l1.abyp=1. */
void wf_l1_share_abyp(wf_l1 *l1, wf_abyp_l2 *l2);
/* An atomic drops the line; so does a store, or, with l1.write_keep, it leaves there the sectors it
 * writes whole. */
void wf_l1_evict(wf_l1 *l1, uint32_t line);
void wf_l1_store(wf_l1 *l1, uint32_t line, uint8_t whole);
/* Sectors that an MSHR waits for are here: the loads that have all of theirs now, *count of them,
 * until the next call. With the last the MSHR is free again. */
const uint16_t *wf_l1_fill(wf_l1 *l1, unsigned mshr, uint8_t sectors, unsigned *count);
void wf_l1_clear(wf_l1 *l1); /* between kernels */
/* From here on, lines that leave are counted in the histogram, by wf_locality_count_bin() of their
 * accesses. */
void wf_l1_count_lifetimes(wf_l1 *l1, uint64_t *histogram);
/* The steps of wf_l1_load one by one, for a unit beside the L1. Look: nothing changes; fills in
 * set, hit, way, invalid and reserved; rank by itself, for a request that stalls needs none. */
void wf_l1_look(wf_l1 *l1, uint32_t line, wf_l1_access *look);
void wf_l1_rank_ways(const wf_l1 *l1, wf_l1_access *look);
unsigned wf_l1_set(const wf_l1 *l1, uint32_t line);
/* A request for the line that `look` found; STALL: the line's MSHR takes no more, nothing changed.
 */
wf_l1_result wf_l1_use(wf_l1 *l1, const wf_l1_access *look, uint16_t load);
bool wf_l1_may_use(const wf_l1 *l1, const wf_l1_access *look); /* would not stall */
/* Reserves a way, which is not reserved, for a miss; there is a free MSHR. */
wf_l1_fetch wf_l1_take(wf_l1 *l1, uint32_t line, unsigned way, uint16_t load);
unsigned wf_l1_free_mshrs(const wf_l1 *l1);
bool wf_l1_idle(const wf_l1 *l1);

#endif
