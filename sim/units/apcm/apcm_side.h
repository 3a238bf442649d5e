/* The unit beside one SM's L1: puts on its ports what the SM's pipelines tell, and hands on what it
 * answers. What an SM keeps for that is in the unit's contract, place by place (README.md). */
#ifndef WF_UNITS_APCM_SIDE_H
#define WF_UNITS_APCM_SIDE_H

#include "sim/base/wf_ring.h"
#include "sim/units/apcm/apcm_distance.h"
#include "sim/units/apcm/ports.h"
#include "sim/units/rtl_set.h"

/* Instructions are numbered through the launch's kernels, from the host's on; a load, or a change
 * of a stack, beyond is not told. */
enum { APCM_PC_BITS = 12 };
typedef enum apcm_method { APCM_NORMAL, APCM_BYPASS, APCM_PROTECT } apcm_method;

/* What the RTL did with a load instruction of a kernel. */
typedef struct apcm_load_row {
  const ptx_kernel *kernel;
  uint8_t method, tracked; /* as last answered; apcm_method */
  uint64_t loads, requests, bypassed, pinned, refused;
} apcm_load_row;

/* The code of a kernel in a launch: the number of its first instruction, and its rows by pc. */
typedef struct apcm_code {
  ptx_pc first;
  apcm_load_row *rows;
} apcm_code;

typedef struct apcm_counters {
  uint64_t events, dropped_events, verdict_waits, refused_offers, moves, branch_waits, done_waits,
      far_loads, far_moves;
} apcm_counters;

/* What the instances of all SMs share. */
typedef struct apcm_shared {
  wf_unit_env env;
  apcm_counters counters;
  wf_error *fault; /* the unit's: where no error can be returned */
} apcm_shared;

/* A load from its issue until its last request; the answer's four values once they are there. */
typedef struct apcm_lsu_load {
  ptx_pc pc;          /* the number told */
  apcm_load_row *row; /* NULL: of no load that was told */
  uint8_t warp, tracked, id, method, last;
  bool far; /* its number does not fit: it is not asked, and not tracked */
} apcm_lsu_load;

/* Of a load's end, at the edge to come. */
typedef struct apcm_end {
  bool valid;
  uint8_t warp, id;
} apcm_end;

/* At the output of a scheduler's branch unit: a change of a stack, or a warp's end. */
typedef struct apcm_branch {
  bool exit;
  wf_stack_move move;
} apcm_branch;

/* A request between its edge and its answer. */
typedef struct apcm_request {
  uint8_t warp;
  bool miss;
  apcm_load_row *row; /* of a load that was told */
  uint64_t reserved;  /* ways it cannot have */
  unsigned set;
  bool keep; /* APCM-pN: what it brings stays */
} apcm_request;

typedef struct apcm_outcome {
  wf_l1_verdict verdict;
  uint8_t way;
} apcm_outcome;

/* How many places the SM has. */
enum {
  APCM_SIDE_WARPS = 64,
  APCM_SIDE_LOADS = 64,   /* of the load/store unit's queue, at most */
  APCM_SIDE_FLIGHT = 2,   /* requests: one is read, one acts; with these the L1 offers none */
  APCM_SIDE_BRANCHES = 2, /* with these no warp branches */
  APCM_LSU_BITS = 7,      /* LsuBits of the RTL */
  APCM_ENTER_BITS = 3     /* loads enter in one cycle: as many as there are schedulers */
};

/* Read by others: rtl, port, load_ring, flight_ring, branch_ring. */
typedef struct apcm_side {
  apcm_shared *shared;
  unsigned sm;
  wf_rtl *rtl;
  apcm_ports port;
  apcm_lsu_load loads[APCM_SIDE_LOADS];
  wf_ring load_ring;
  unsigned n_sent, n_known; /* the first n_sent are in the RTL, of these n_known have an answer */
  apcm_lsu_load current;    /* whose requests are coming */
  bool offered;             /* a request goes in at the next edge */
  wf_l1_access offer;
  apcm_lsu_load offer_load;
  apcm_request flight[APCM_SIDE_FLIGHT];
  wf_ring flight_ring;
  bool has_outcome;
  apcm_outcome outcome;            /* of the oldest miss without one; the L1 takes it at once */
  apcm_code code[APCM_SIDE_WARPS]; /* that a warp runs */
  bool kernel, start;              /* at the edge to come */
  uint8_t start_warp;
  apcm_end done;
  apcm_branch branches[APCM_SIDE_BRANCHES]; /* outputs of the schedulers' branch units */
  wf_ring branch_ring;
  unsigned lsu_in, lsu_out; /* loads that entered, that left, since the last edge */
  apcm_distance distance;
} apcm_side;

/* The RTL and its ports are the caller's to open. distance: of APCM-pN; 0: as APCM. */
void apcm_side_init(apcm_side *s, apcm_shared *shared, unsigned sm, unsigned distance);
void apcm_side_free(apcm_side *s);

/* What wf_l1_ops says of each. */
void apcm_side_kernel_start(apcm_side *s);
void apcm_side_warp_start(apcm_side *s, unsigned warp, apcm_code code);
void apcm_side_warp_exit(apcm_side *s, unsigned warp);
void apcm_side_moved(apcm_side *s, const wf_stack_move *move);
bool apcm_side_may_move(apcm_side *s);
void apcm_side_load(apcm_side *s, unsigned warp, ptx_pc pc);
wf_l1_verdict apcm_side_verdict(apcm_side *s, uint8_t *mark);
bool apcm_side_access(apcm_side *s, const wf_l1_access *a);
wf_l1_verdict apcm_side_decision(apcm_side *s, unsigned *way);
void apcm_side_load_gone(apcm_side *s);
bool apcm_side_load_done(apcm_side *s, unsigned warp, uint8_t mark);

/* Something is offered or inside. */
bool apcm_side_has_work(const apcm_side *s);
/* One cycle: what was told goes in, answers come out. False: *err. */
bool apcm_side_clock(apcm_side *s, wf_error *err);
/* After a kernel nothing of it may be left. False: *err. */
bool apcm_side_over(const apcm_side *s, wf_error *err);

#endif
