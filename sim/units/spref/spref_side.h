/* The spare-register unit beside one SM: what waits to be told, one cycle at the ports of the SM's
 * RTL instance, what it answers. */
#ifndef WF_UNITS_SPREF_SIDE_H
#define WF_UNITS_SPREF_SIDE_H

#include "sim/base/wf_ring.h"
#include "sim/seam/issue.h"
#include "sim/units/rtl_set.h"
#include "sim/units/spref/spref_decode.h"
#include "sim/units/spref/spref_ports.h"
#include "sim/units/spref/spref_trace.h"

/* What the instances of all SMs share. */
typedef struct spref_shared {
  wf_unit_env env;
  const ptx_kernel *kernel; /* the present one, and what decoding knows of it */
  spref_code *code;
  uint64_t left_out; /* instructions that are not told */
  unsigned cycles_per_edge;
  spref_trace *trace; /* not NULL: instructions come from one */
  wf_error *fault;    /* the unit's: where no error can be returned */
} spref_shared;

/* An instruction on its way: the wires of one cycle, or what a warp's instruction buffer holds. */
typedef struct spref_told {
  ptx_pc pc;
  uint32_t mask;
  uint8_t warp;
  bool taken, counted, last; /* counted: a test, its operands go to the unit */
} spref_told;
enum { SPREF_SIDE_INSIDE = 64 };

/* Read by others: rtl, port, untold, inside_ring. */
typedef struct spref_side {
  spref_shared *shared;
  unsigned sm;
  wf_rtl *rtl;
  spref_ports port;
  bool on_port; /* told goes in with this cycle's edge */
  spref_told told;
  bool needs;            /* what spref_side_takes() let must be told */
  uint64_t ask_from[64]; /* a warp's instructions are asked about, not told unasked */
  uint64_t untold;       /* warps whose load waits in the instruction buffer to be told */
  spref_told untold_load[64];
  unsigned last_told;                   /* its warp */
  spref_told inside[SPREF_SIDE_INSIDE]; /* whose answers are to come */
  wf_ring inside_ring;
  bool sending; /* beats of a test's operands are to go in */
  spref_operands operands;
  unsigned beat; /* its lanes that are in */
  /* Loads that issue and what is injected: as the SM sees it, and what it says in this cycle. */
  wf_issue_wires wires;
  uint64_t issued; /* warps with a load to be injected */
  bool loads, takes, is_done, done_failed;
  bool over, is_sum; /* the load brings a base; a sum is at the multiply-add's end */
  wf_issue_addresses base, sum;
  unsigned sum_place;
  unsigned load_warp, load_type, done_warp, done_reg, last_next;
} spref_side;

/* Reads what the SM sees of the RTL. */
void spref_side_see(spref_side *s);
/* The RTL and its ports are the caller's to open. */
void spref_side_init(spref_side *s, spref_shared *shared, unsigned sm);

/* May the instruction issue, as far as the unit's port goes? One that is told an edge, loads that
 * wait first. */
bool spref_side_takes(spref_side *s, unsigned warp, ptx_pc pc);
/* What the fabric tells: an instruction as it issues (left out if it need not be told), which
 * spref_side_takes() let just before; a load that waits for its answer, at any time; that the
 * warp ends with the instruction told in this cycle. */
void spref_side_tell(spref_side *s, const wf_issue_told *told);
void spref_side_warp_end(spref_side *s, unsigned warp);
/* What wf_issue_ops says of loads that issue, of the offer, of sums and of injected loads. */
void spref_side_issues(spref_side *s, unsigned warp, unsigned type, const wf_issue_addresses *base);
void spref_side_takes_offer(spref_side *s);
void spref_side_sum(spref_side *s, unsigned place, const wf_issue_addresses *made);
void spref_side_done(spref_side *s, unsigned warp, unsigned reg, bool fault);

/* No branch of the warp may issue, nor its exit. */
bool spref_side_holds(const spref_side *s, unsigned warp);
/* Something is inside, or will be. */
bool spref_side_has_work(const spref_side *s);
/* The RTL must be clocked with its next edge for what is seen of it to be as if it always were. */
bool spref_side_busy(const spref_side *s);
/* One edge: what was told goes in; answers go to the fabric. False: *err. */
bool spref_side_clock(spref_side *s, uint64_t now, wf_error *err);

#endif
