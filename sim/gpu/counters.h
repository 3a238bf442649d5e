/* What a GPU counts, in all SMs together, and tells while it runs. */
#ifndef WF_GPU_COUNTERS_H
#define WF_GPU_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/ptx/ptx.h"

/* Launches by threads, of all host kernels. */
typedef struct wf_launch_counters {
  uint64_t kernels, groups; /* by cudaLaunchDevice, by cudaLaunchAggGroup */
  uint64_t groups_refused;  /* found no kernel to join: launched as kernels */
  uint64_t blocks, threads; /* of both */
  uint64_t no_buffer,
      over_limit; /* calls that failed: no memory for parameters, too many launches waiting */
  uint64_t started, waiting_cycles;  /* launches with a block started; from asking for the buffer to
                                        that, their sum */
  uint64_t peak_pending, peak_bytes; /* launched and not started: how many, bytes of their buffers
                                        and kernels' records */
  uint64_t pending_cycles, byte_cycles; /* the same, summed over cycles */
} wf_launch_counters;

/* Why a scheduler issues nothing in a cycle: each such cycle has one cause. Warps that could issue
 * count before those that wait; of these, those that wait for memory before others. */
typedef enum wf_stall {
  WF_STALL_IDLE,       /* the scheduler has no warp */
  WF_STALL_LSU_QUEUE,  /* a warp could issue: the load/store unit's queue is full, and goes on */
  WF_STALL_L1_PORT,    /* ... does not: copies, units' replies or prefetches have its port */
  WF_STALL_L1_MSHR,    /* ... no MSHR, place in one, or way is free */
  WF_STALL_NOC,        /* ... the crossbar does not take what misses and stores */
  WF_STALL_UNIT,       /* ... a unit must answer first; or all that wait, wait for one */
  WF_STALL_PIPE,       /* ... its functional unit is busy */
  WF_STALL_LIMIT,      /* ... core.swl keeps it back */
  WF_STALL_MEMORY,     /* operands from memory, or a fence */
  WF_STALL_DEPENDENCY, /* operands computed, or a branch's latency */
  WF_STALL_LAUNCH,     /* all that wait, wait for launches of theirs */
  WF_STALL_BARRIER,
  WF_STALL_COUNT
} wf_stall;
/* "memory", "l1_mshr", ... */
const char *wf_stall_name(wf_stall cause);

typedef struct wf_sm_counters {
  uint64_t warp_instructions, thread_instructions;
  uint64_t by_class[PTX_CLASS_COUNT]; /* warp instructions */
  uint64_t occupied_warp_cycles;      /* sum over cycles of resident warps, all SMs */
  uint64_t issue_cycles;              /* scheduler cycles with an issue */
  uint64_t stalls[WF_STALL_COUNT];    /* scheduler cycles without one, by cause */
  uint64_t ctas;
  uint64_t register_reads, register_writes; /* warp-wide 32-bit operands */
  uint64_t shared_accesses, shared_conflict_cycles;
} wf_sm_counters;

typedef struct wf_l1_counters {
  uint64_t accesses, hits, misses, merges, bypasses, stores, atomics, evictions, stall_cycles;
  uint64_t sector_misses; /* of misses: of lines that are there, or asked for, without all sectors
                             needed */
  uint64_t victim_hits;   /* of hits: in the victim cache */
  uint64_t
      victims_lost; /* with l2.exclusive: replaced lines that found no place on the way to it */
  uint64_t fills_dropped; /* with l1.allocate=fill: no way was free when a line came */
  /* With l1.prefetch: sent; used first by a load when there, when still on their way, or never
   * until they left; dropped: by a full queue; redundant: there or on their way already;
   * stall_cycles: waiting for an MSHR, a way or the miss queue. */
  uint64_t prefetch_issued, prefetch_useful, prefetch_late, prefetch_useless, prefetch_dropped,
      prefetch_redundant;
  uint64_t prefetch_stall_cycles;
} wf_l1_counters;

/* Of an SM, or several, in one P-state: the core's cycles, their own clock's, how often they came
 * into it, what they did. */
typedef struct wf_pstate_counters {
  uint64_t cycles, ticks, entered;
  wf_sm_counters sm;
  wf_l1_counters l1;
} wf_pstate_counters;

typedef struct wf_kernel_record {
  char *name;
  uint32_t grid[3], block[3];
  uint64_t start_cycle, cycles, warp_instructions, thread_instructions;
  unsigned ctas_per_sm, registers;
  bool executed; /* without timing (sample.*) */
} wf_kernel_record;

/* Called about ten times a second of host time while a kernel runs, if set. */
typedef void (*wf_progress_fn)(void *user, const char *kernel, uint64_t cycle, double ctas_done);

#endif
