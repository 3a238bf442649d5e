/* A unit where instructions are decoded and issued, one instance per SM. The fabric tells it of
 * every instruction of every warp, in the order in which the warp issues them; of some it waits for
 * the answer before they issue. The answer may put a move from a spare register in a load's place,
 * and add a load for a later iteration. When such a load may issue, what waits to be injected, and
 * which spare registers are there is the unit's; their values are the fabric's. */
#ifndef WF_SEAM_ISSUE_H
#define WF_SEAM_ISSUE_H

#include "sim/ptx/ptx.h"

struct wf_unit;

enum { WF_ISSUE_SPARE = 32 }; /* spare registers of a thread, at most */

typedef struct wf_issue_told {
  unsigned sm, warp;
  ptx_pc pc;
  uint32_t mask;        /* lanes that run it */
  bool taken;           /* some lane takes the branch */
  const ptx_warp *arch; /* registers: of what is not waited for, when it has issued */
} wf_issue_told;

/* Of lanes that a load is injected for; none: one of these is no address. */
typedef struct wf_issue_addresses {
  uint32_t mask;
  bool none;
  uint64_t lane[PTX_LANES];
} wf_issue_addresses;

/* Spare registers are numbered from 0; a 64-bit value is named by the first of its two. */
typedef struct wf_issue_answer {
  bool move, inject, reg_v; /* inject: a load, which is offered later; reg_v: into a register */
  bool base_v;              /* inject's address has an architectural base */
  bool over;                /* the instruction overwrites that load's base, which goes with it */
  uint8_t move_reg, reg;
  uint16_t base; /* architectural, the first of a pair */
  uint32_t mask; /* of inject: its lanes */
  int32_t own;   /* what the instruction itself adds to its base */
} wf_issue_answer;

/* What the unit has issued beside the program. add: the place's address is to be (ext(index) <<
 * scale) + base; else a load from [base + offset], of the type that wf_issue_ops.issues was given.
 * sum: in the base's stead stands `address`, which the unit kept for the place. */
typedef struct wf_issue_offer {
  bool add, sum, reg_v, base_v; /* reg_v: into spare register reg; else into the cache only */
  uint8_t warp, place, type;
  uint8_t reg, index;
  uint8_t scale, ext; /* ext: 0 none, 1 sign, 2 zero: of the low 32 bits */
  uint16_t base;      /* architectural, the first of a pair */
  int32_t offset;
  uint32_t mask; /* lanes, whatever the SIMT mask is */
  wf_issue_addresses address;
} wf_issue_offer;

/* Of warps: */
typedef struct wf_issue_flags {
  uint64_t go, moves;   /* their load may issue; of these those for which a move does */
  uint64_t hold, waits; /* they must not issue; they have a load to be injected */
  uint64_t held;        /* no branch of theirs may issue, nor their exit */
} wf_issue_flags;

/* What an SM sees of the unit in a cycle. A scheduler issues what it chose in the cycle before, by
 * flops with what the unit had shown in the one before that: `chosen`. If `now` is against that,
 * its turn is lost. */
typedef struct wf_issue_wires {
  wf_issue_flags now, chosen;
  bool load_ready, done_ready;
  unsigned place; /* of the load that the next one to issue injects */
  bool offered;
  wf_issue_offer offer;
} wf_issue_wires;

/* What the fabric did with the answers, summed over SMs. */
typedef struct wf_issue_counters {
  uint64_t replaced; /* loads whose place a move took; all checked, lane by lane */
  uint64_t replaced_lanes;
  uint64_t late; /* of these, moves that waited for their prefetch */
  uint64_t late_cycles;
  uint64_t injected, injected_lanes, injected_cache; /* loads sent; of these into the cache only */
  uint64_t adds, add_lanes;                          /* multiply-adds for their addresses */
  uint64_t register_reads, register_writes;          /* of both, warp-wide 32-bit operands */
  uint64_t useless;         /* prefetched registers that nobody moved from */
  uint64_t faults;          /* prefetches dropped because a lane's address was none */
  uint64_t moved_elsewhere; /* of a trace: lanes whose move brought what lies elsewhere */
  uint64_t answer_waits;    /* loads that could have issued but for their answer: cycles */
  uint64_t port_waits; /* turns lost: the unit is against what was chosen, or its port is taken */
} wf_issue_counters;

/* Settled when the unit is created. */
typedef struct wf_issue_settings {
  bool in_order;         /* an injected load that waits holds its warp back */
  bool one_try;          /* a scheduler whose warp takes() refuses asks of no other in the cycle */
  unsigned move_latency; /* cycles from a move to its use; 0: the integer units' */
  unsigned cycles;       /* of the SM's clock from one issue to the next: the unit's clock */
  bool trace;            /* it takes part where instructions come from a trace */
} wf_issue_settings;

/* All functions are required. */
typedef struct wf_issue_ops {
  wf_issue_settings (*settings)(const struct wf_unit *unit);
  /* spare: registers of a thread that the kernel was given beyond those it uses. Returns, by pc,
   * which instructions must have their answer before they issue; NULL: the unit has nothing to do
   * in this kernel and wants not to hear of it. Lives until the next. */
  const bool *(*kernel_start)(struct wf_unit *unit, const ptx_kernel *kernel, unsigned spare);
  /* With the instruction that was told last, in the same cycle. */
  void (*warp_end)(struct wf_unit *unit, unsigned sm, unsigned warp);
  void (*tell)(struct wf_unit *unit, const wf_issue_told *told);
  /* The warp's next instruction, which does not wait for an answer, issues in this cycle if this is
   * so: the unit can be told, or need not be. */
  bool (*takes)(struct wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc);
  const wf_issue_wires *(*wires)(const struct wf_unit *unit, unsigned sm);
  /* The warp's load issues, in a cycle with load_ready; type: four bits, for its injected load;
   * base: of an answer that was over, the old one, else NULL. */
  void (*issues)(struct wf_unit *unit, unsigned sm, unsigned warp, unsigned type,
                 const wf_issue_addresses *base);
  /* The offer is taken; the address of a place has been made. False: one before it waits. */
  void (*takes_offer)(struct wf_unit *unit, unsigned sm);
  bool (*sum)(struct wf_unit *unit, unsigned sm, unsigned place, const wf_issue_addresses *made);
  /* An injected load into a register is back, or its address was none; with done_ready. */
  void (*done)(struct wf_unit *unit, unsigned sm, unsigned warp, unsigned reg, bool fault);
  wf_issue_counters *(*counters)(struct wf_unit *unit);
} wf_issue_ops;

#endif
