/* The spare-register unit beside one SM: the SM's cycle at the ports of spref_edge, the unit's at
 * those of spare_reg_pref, what it answers. */
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
  wf_rtl_set *rtl, *edge_rtl;
  spref_trace *trace; /* not NULL: instructions come from one */
  wf_error *fault;    /* the unit's: where no error can be returned */
} spref_shared;

/* An instruction, as a warp's instruction buffer has it. */
typedef struct spref_told {
  ptx_pc pc;
  uint32_t mask;
  uint8_t warp;
} spref_told;
enum { SPREF_SIDE_INSIDE = 64 };

/* Read by others: rtl, edge_rtl, port, loads, inside_ring. */
typedef struct spref_side {
  spref_shared *shared;
  unsigned sm;
  wf_rtl *rtl, *edge_rtl; /* spare_reg_pref, and spref_edge before it */
  spref_ports port;
  spref_edge_ports edge;
  bool spoken;    /* the SM has said something since the last edge */
  bool needs;     /* what spref_side_takes() let must be told */
  uint64_t loads; /* warps whose next instruction is a load, which has not issued */
  spref_told load[64];
  spref_told inside[SPREF_SIDE_INSIDE]; /* whose answers are to come */
  wf_ring inside_ring;
  spref_operands operands;    /* what the SM's collector holds of the test that was told last */
  wf_issue_wires wires;       /* what the SM sees, and knows of what it has done in this cycle */
  wf_issue_flags shown, kept; /* as this cycle began; of the one before, in the SM's flops */
} spref_side;

/* One edge of both modules between kernels, in which the SM says nothing. False: *err. */
bool spref_side_rests(spref_side *s, wf_error *err);
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
bool spref_side_sum(spref_side *s, unsigned place, const wf_issue_addresses *made);
void spref_side_done(spref_side *s, unsigned warp, unsigned reg, bool fault);

/* Something is inside, or will be. */
bool spref_side_has_work(const spref_side *s);
/* Or will be as soon as a warp has an instruction that the unit asks for. */
bool spref_side_busy(const spref_side *s);
/* One edge of the issue stage and the unit; answers go to the fabric. What has nothing to do is not
 * clocked. False: *err. */
bool spref_side_clock(spref_side *s, uint64_t now, wf_error *err);

#endif
