/* The spare-register unit beside one SM: what waits to be told, one cycle at the ports of the SM's
 * RTL instance, what it answers. */
#ifndef WF_UNITS_SPREF_SIDE_H
#define WF_UNITS_SPREF_SIDE_H

#include "sim/base/wf_ring.h"
#include "sim/seam/issue.h"
#include "sim/units/rtl_set.h"
#include "sim/units/spref/spref_decode.h"
#include "sim/units/spref/spref_ports.h"

/* What the instances of all SMs share. */
typedef struct spref_shared {
  wf_unit_env env;
  const ptx_kernel *kernel; /* the present one, and what decoding knows of it */
  spref_code *code;
  bool gate;         /* stop the clock where nobody would see it */
  uint64_t left_out; /* instructions that are not told */
  wf_error *fault;   /* the unit's: where no error can be returned */
} spref_shared;

typedef struct spref_message spref_message;
enum { SPREF_SIDE_OPERANDS = 64, SPREF_SIDE_DONES = 2048 };

/* Read by others: rtl, port, message_ring, n_inside, n_tests, done_ring. */
typedef struct spref_side {
  spref_shared *shared;
  unsigned sm;
  wf_rtl *rtl;
  spref_ports port;
  spref_message *messages; /* the first n_inside are in the RTL, instructions only */
  wf_ring message_ring;
  unsigned n_inside;
  spref_operands operands[SPREF_SIDE_OPERANDS]; /* of tests, in the order of their execution */
  wf_ring operand_ring;
  unsigned beat; /* lanes of the oldest that are in */
  struct {
    uint8_t warp;
    bool fault;
  } dones[SPREF_SIDE_DONES];
  wf_ring done_ring;
  unsigned awaited;  /* instructions told for whose answer somebody waits: loads, tests */
  uint64_t empty_at; /* first cycle in which the instructions taken so far are out, had its clock
                        never stopped */
  uint8_t tests[64]; /* of each warp, told and not counted yet */
  unsigned n_tests;  /* of all */
} spref_side;

/* The RTL and its ports are the caller's to open. */
void spref_side_init(spref_side *s, spref_shared *shared, unsigned sm);
void spref_side_free(spref_side *s);
void spref_side_kernel_start(spref_side *s);

/* What the fabric tells, in its order: an instruction as it issues (left out if it writes
 * nothing that the unit follows), a warp's start and end, a prefetch into a register that is over.
 */
void spref_side_tell(spref_side *s, const wf_issue_told *told);
void spref_side_warp(spref_side *s, spref_event_kind kind, unsigned warp);
void spref_side_done(spref_side *s, unsigned warp, bool fault);

/* No instruction should issue: too many wait for the port. */
bool spref_side_full(const spref_side *s);
/* Something is inside, or will be. */
bool spref_side_has_work(const spref_side *s);
/* The RTL must be clocked in this cycle for what is seen of it to be as if it always were. */
bool spref_side_needs_edge(const spref_side *s);
/* One cycle: one instruction or event, a beat of operands and one finished prefetch go in; answers
 * go to the fabric. False: *err. */
bool spref_side_clock(spref_side *s, uint64_t now, wf_error *err);

#endif
