/* Socket of mff_sm: the unit's part in one SM. Operands of a warp's instruction go in from the SM's
 * operand collector, four lanes a cycle; flits of commands become a packet of the crossbar; reply
 * flits go in, words go to shared memory. */
#ifndef WF_UNITS_MFF_SIDE_H
#define WF_UNITS_MFF_SIDE_H

#include "sim/units/mff/mff_watch.h"
#include "sim/units/mff/ports.h"
#include "sim/units/rtl_set.h"

/* What all SMs' sockets share. */
typedef struct mff_shared {
  wf_unit_env env;
  mff_memory memory;
  uint64_t gathers, scatters, replies, issue_waits, shared_writes;
} mff_shared;

typedef struct mff_side {
  wf_rtl *rtl;
  mff_sm_ports port;
  unsigned sm;
  bool full; /* the operand collector has an instruction for the unit */
  unsigned beat;
  mff_instruction held;       /* it, or the last one */
  uint64_t to_issue, to_wait; /* warps that sleep: until they may issue, until their gathers end */
  uint32_t payload;           /* of the packet that is put together, of `flits` so far */
  unsigned flits;
  mff_watch watch;
} mff_side;

bool mff_side_bind(mff_side *s, const mff_shared *m, unsigned sm, wf_rtl *rtl, wf_error *err);
wf_offer_result mff_side_command(mff_side *s, mff_shared *m, const wf_unit_offer *offer,
                                 bool gather, wf_error *err);
wf_offer_result mff_side_wait(mff_side *s, const wf_unit_offer *offer);
bool mff_side_may_receive(const mff_side *s);
bool mff_side_receive(mff_side *s, mff_shared *m, const wf_packet *packet, wf_error *err);
/* Is there something inside or at its ports? Else it need not be looked at. */
bool mff_side_holds(const mff_side *s);
/* The crossbar takes the flit that is offered, or does not. */
bool mff_side_send(mff_side *s, const mff_shared *m, wf_error *err);
/* Does anything move in this cycle? Ask after mff_side_send. */
bool mff_side_works(const mff_side *s);
bool mff_side_clock(mff_side *s, mff_shared *m, wf_error *err);

#endif
