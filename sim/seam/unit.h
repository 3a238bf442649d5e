/* What a hardware unit is to the fabric: a class, whose tables tell where the unit sits (a header
 * of sim/seam each), and an instance. The GPU finds units through these alone. Besides, a unit
 * hears of its own instructions, of packets that reach an SM or a partition, of the clock and of
 * kernels' boundaries. */
#ifndef WF_SEAM_UNIT_H
#define WF_SEAM_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_options.h"
#include "sim/base/wf_parameter.h"
#include "sim/mem/mem.h"
#include "sim/ptx/ptx.h"
#include "sim/seam/cache.h"
#include "sim/seam/dispatch.h"
#include "sim/seam/energy.h"
#include "sim/seam/issue.h"
#include "sim/seam/l1.h"
#include "sim/seam/miss.h"
#include "sim/seam/preload.h"
#include "sim/seam/trace.h"

typedef struct wf_unit wf_unit;
struct wf_rtl_set;

/* Of an SM, for energy; in between it costs what it does at the higher voltage. */
typedef enum wf_pstate { WF_PSTATE_HIGH, WF_PSTATE_BETWEEN, WF_PSTATE_LOW, WF_PSTATES } wf_pstate;

/* How an SM runs: its clock ticks in `ticks` of `of` core cycles (both 0: in each). */
typedef struct wf_sm_pace {
  unsigned ticks, of;
  wf_pstate state;
} wf_sm_pace;

/* What the fabric offers a unit. The function pointers act on the GPU behind `gpu`. */
typedef struct wf_unit_env {
  void *gpu;
  unsigned client; /* its number: of the packets it sends, and at the L2 slices' ports for units */
  wf_mem *mem;
  wf_image *image;
  unsigned n_sm, warps_per_sm, schedulers, n_part;
  unsigned ctas_per_sm, registers_per_sm, register_granularity, shared_bytes_per_sm,
      kernels; /* kernels: entries of the distributor */
  /* Of launches by threads: cycles from the KMU to the distributor, on their way at once (0: any
   * number), that may wait (each has a buffer for its parameters); 1: SMs take turns. */
  unsigned launch_dispatch, launch_ways, launch_buffers, launch_turns;
  unsigned line_bytes, interleave_bytes;
  unsigned slice_hash;                  /* 1: wf_mem_partition turns rows of stripes (l2.hash) */
  unsigned l2_sets, l2_ways, l2_mshrs;  /* of a slice */
  unsigned l1_sets, l1_ways, lsu_queue; /* lsu_queue: memory instructions an SM may have waiting */
  unsigned l1_mshrs, l1_mshr_merge, loads_per_sm;
  unsigned lsu_loads, lsu_lane_slots; /* of loads past the L1 that a unit keeps; 0 lanes: any */
  unsigned core_mhz;
  const wf_options *options; /* its parameters are <unit>.<key> */
  uint64_t seed;
  unsigned assertions; /* of the RTL that are live: 0 none, 1 what is not proven, now and then, 2 at
                          each edge, 3 all */
  unsigned threads;    /* 2: RTL whose outputs allow it has a thread of its own */
  /* The warp may try again an instruction for which offer() said WF_OFFER_PARK. */
  void (*wake_warp)(void *gpu, unsigned sm, unsigned warp);
  /* Writes a word of the warp's CTA's shared memory; false if offset is outside it. One call is one
   * bank access. Shared memory's port is the unit's in this cycle: loads and stores wait. */
  bool (*shared_write)(void *gpu, unsigned sm, unsigned warp, uint32_t offset, uint32_t word);
  uint64_t (*cycle)(void *gpu); /* core cycles since the start */
  /* The answer to the warp's instruction that waits for it; NULL: look at the warp again. */
  void (*issue_answer)(void *gpu, unsigned sm, unsigned warp, const wf_issue_answer *answer);
  /* The warp's next instruction; false: it has none, or its branch is not decided yet. */
  bool (*issue_next)(void *gpu, unsigned sm, unsigned warp, ptx_pc *pc);
  /* Asks for a line, to be filled into a place (wf_preload_ops); false: not in this cycle. */
  bool (*preload_fetch)(void *gpu, unsigned sm, uint32_t line, unsigned place);
  /* The warps of the block in this slot may issue. */
  void (*block_go)(void *gpu, unsigned sm, unsigned slot);
  /* What whoever places blocks shows of its accounts (wf_dispatch_ops), and where none may go. */
  void (*rooms)(void *gpu, wf_dispatch_rooms *rooms);
  void (*divert)(void *gpu, const wf_mask *sms);
  /* The loads that waited for the line of the SM's last wf_miss_ops.fill(), as they came. */
  void (*miss_done)(void *gpu, unsigned sm, const uint16_t *loads, unsigned count);
  /* Of a unit with wf_miss_ops.fill_line(): what its request of this cycle was; the next load of
   * the lines that are here, by their order, and its line's last. */
  void (*miss_known)(void *gpu, unsigned sm, bool is_new);
  void (*miss_told)(void *gpu, unsigned sm, uint16_t load, bool last);
  /* What the SM's last wf_miss_ops.reply() is for. */
  void (*load_told)(void *gpu, unsigned sm, const wf_load_told *told);
  /* The SM's clock and voltage, from this cycle on; NULL: they are fixed. */
  void (*sm_clock)(void *gpu, unsigned sm, const wf_sm_pace *pace);
} wf_unit_env;

typedef enum wf_offer_result {
  WF_OFFER_DONE,  /* taken: the warp goes on */
  WF_OFFER_RETRY, /* the unit's port at this SM is busy: try again next cycle */
  WF_OFFER_PARK,  /* the warp sleeps until wake_warp() */
  WF_OFFER_FAULT  /* the instruction's operands are wrong: *err says how */
} wf_offer_result;

typedef struct wf_unit_offer {
  unsigned sm, warp, id; /* id: ptx_custom_op.id */
  uint32_t active;
  const ptx_effect *effect; /* operand values */
  uint32_t shared_limit;    /* bytes of shared memory of the warp's CTA */
} wf_unit_offer;

/* A uint64_t of the unit's state that counts events of the modelled machine. */
typedef struct wf_unit_counter {
  const char *name; /* NULL ends a list */
  size_t field;     /* from the wf_unit on */
} wf_unit_counter;

/* One counter or figure of a unit, for the JSON result. */
typedef void (*wf_counter_fn)(void *user, const char *name, double value);

/* What a unit has to say of one load instruction, for the result. */
typedef struct wf_unit_load {
  const char *kernel, *text, *what; /* text: the instruction; what: how the unit treats it */
  ptx_pc pc;
  uint32_t line;                                       /* of the PTX text */
  uint64_t loads, requests, bypassed, pinned, refused; /* loads: warp-level; the rest: lines */
} wf_unit_load;
typedef void (*wf_unit_load_fn)(void *user, const wf_unit_load *load);

/* What a unit cannot do without. */
enum {
  WF_NEED_VALUES = 1,    /* of registers and memory: a trace has none (unless it has .trace) */
  WF_NEED_ONE_KERNEL = 2 /* it follows one kernel at a time: none that launches kernels */
};

/* What a GPU has once: two units that claim the same do not go together. */
enum {
  WF_CLAIM_L1 = 1,          /* the place beside the L1: what it keeps is decided there */
  WF_CLAIM_ISSUE = 2,       /* the issue stage */
  WF_CLAIM_DISPATCHER = 4,  /* the dispatcher's place */
  WF_CLAIM_FREE_SHARED = 8, /* shared memory that kernels leave free */
  WF_CLAIM_SLICE = 16,      /* the place at the L2's slices: what they keep is decided there */
  WF_CLAIMS = 5
};

/* A name of a unit as one setting makes it: "rex" of region with "mode=rex". */
typedef struct wf_unit_form {
  const char *name, *setting;
} wf_unit_form;

typedef struct wf_unit_class {
  const char *name, *summary;
  const wf_unit_form *forms; /* ended by {0}; NULL: none */
  const char *limits;        /* machines that it takes, for people */
  /* Is the machine one of them, with the settings that options give? Asked before any unit is
   * created. False: *err (code 2); NULL: any is. */
  bool (*fits)(const wf_unit_env *env, wf_error *err);
  unsigned most_sms, most_slices; /* that it takes; 0: any number */
  unsigned claims;                /* WF_CLAIM_ bits; of the L1 and the slices less those where it
                                     does not stand or judge, as set */
  unsigned needs;                 /* WF_NEED_ bits */
  bool crossbar_port;             /* as if it were SM n_sm; with a claim that only one unit has */
  const ptx_custom_op *ops;       /* .unit is ignored; the GPU numbers units */
  size_t n_ops;
  size_t bytes, settings; /* of its state; in this, where `parameters` fill their struct */
  /* The state is zeros but for the settings; its RTL is opened (unit->rtl), and bound after this.
   * False: *err, and it is destroyed. */
  bool (*open)(wf_unit *unit, const wf_unit_env *env, wf_error *err);
  void (*destroy)(wf_unit *unit); /* its RTL is closed already */
  /* Registers that the host sets to device addresses before a launch, ended by NULL; NULL: none. */
  const char *const *bases;
  bool (*write_base)(wf_unit *unit, unsigned base, uint32_t value, wf_error *err);
  wf_offer_result (*offer)(wf_unit *unit, const wf_unit_offer *offer, wf_error *err);
  /* A packet of kind WF_PKT_UNIT is at the head of an SM's output buffer; the unit takes it. */
  bool (*receive)(wf_unit *unit, unsigned sm, const wf_packet *packet, wf_error *err);
  /* Can it take one? If not, the packet stays and blocks what is behind it. NULL: always. */
  bool (*may_receive)(const wf_unit *unit, unsigned sm);
  /* After each memory tick. False on a failed check or assertion. */
  bool (*tick)(wf_unit *unit, wf_error *err);
  bool (*idle)(const wf_unit *unit);
  /* Cycles from this one on that may pass without a tick if nothing else happens: its next tick
   * makes up for them. NULL: as many as there are, while it is idle. */
  uint64_t (*quiet)(const wf_unit *unit);
  /* May a kernel end now? Also the unit's end-of-kernel checks. */
  bool (*kernel_end)(wf_unit *unit, wf_error *err);
  const wf_unit_counter *counters; /* of its own; those of its RTL come besides */
  /* Figures that are no plain counts; NULL: none. */
  void (*figures)(wf_unit *unit, wf_counter_fn each, void *user);
  void (*describe)(const wf_unit *unit, FILE *out); /* for the hang report */
  /* Finds the ports of its RTL, of which one instance is another now; before the first clock. */
  bool (*bind)(wf_unit *unit, wf_error *err);
  const wf_parameter *parameters;     /* --set <unit>.<name>=; rtl: "Name" of the top module,
                                         "UNIT.Name" where the unit has several */
  const wf_l1_ops *l1;                /* NULL: does not care for the L1 */
  bool (*at_l1)(const wf_unit *unit); /* does it stand there, as set? NULL: if it has l1 */
  const wf_miss_ops *misses;          /* NULL: it keeps no misses */
  const wf_cache_ops *caches;         /* NULL: neither hears caches nor decides at slices */
  void (*loads)(wf_unit *unit, wf_unit_load_fn each, void *user); /* NULL: no table of loads */
  const wf_issue_ops *issue_stage; /* NULL: it does not stand where instructions are issued */
  const wf_dispatch_ops
      *dispatch; /* it decides where blocks run, self is the unit; NULL: it does not */
  const wf_preload_ops
      *preload; /* it brings what blocks will read before they start; NULL: it does not */
  const wf_energy_event *events; /* what it costs; NULL: nothing */
  const wf_energy_power *power;
  const char *example;       /* options of `warpfab run` for a small run that keeps it busy */
  const wf_trace_ops *trace; /* it can listen to a trace; NULL: it cannot */
} wf_unit_class;

enum { WF_UNIT_RTL = 2 };

/* First member of every unit's state. */
struct wf_unit {
  const wf_unit_class *cls;
  struct wf_rtl_set *rtl[WF_UNIT_RTL]; /* its modules in RTL; NULL: no more */
  unsigned shown;                      /* of these, the one that waves and recordings look at */
  wf_error fault; /* found where none can be returned: told before the next tick or kernel's end */
};

/* Core cycles since the start. */
static inline uint64_t wf_unit_now(const wf_unit_env *env) {
  return env->cycle(env->gpu);
}
static inline void *wf_unit_settings(wf_unit *unit) {
  return (char *)unit + unit->cls->settings;
}

#endif
