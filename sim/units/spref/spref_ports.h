/* The ports of spare_reg_pref, bound by name, and what is set or read as a whole: levels, an
 * instruction, operands, a hint. */
#ifndef WF_UNITS_SPREF_PORTS_H
#define WF_UNITS_SPREF_PORTS_H

#include "sim/seam/issue.h"
#include "sim/units/rtl_set.h"
#include "sim/units/spref/ports.h"
#include "sim/units/spref/spref_decode.h"
#include "sim/units/spref/spref_hints.h"

/* False: the RTL has other ports. Answers are taken from then on. */
bool spref_ports_open(spref_ports *p, const wf_rtl *rtl, wf_error *err);

/* Levels, as the RTL's header has them. */
typedef struct spref_levels {
  unsigned distance, max_s, max_d;
  bool on, hints, cache_only, widen;
} spref_levels;
/* What a test reads, in the lanes of the mask. */
typedef struct spref_operands {
  uint8_t warp;
  bool pre, wide, sign;
  uint32_t mask;
  uint64_t a[PTX_LANES], b[PTX_LANES];
} spref_operands;

void spref_ports_levels(const spref_ports *p, const spref_levels *levels);
/* Nothing is offered or taken but answers, and no kernel begins. */
void spref_ports_rest(const spref_ports *p);
/* These offer one; of operands the lanes of a beat, from `lane` on. */
void spref_ports_instruction(const spref_ports *p, const spref_row *row, unsigned warp, ptx_pc pc,
                             uint32_t mask, bool taken);
/* The fields of port `in` behind warp, pc and op as one vector, as spref_edge hands them on, from
 * this bit of `data` on. */
void spref_ports_data(const spref_ports *p, const wf_port *data, unsigned from,
                      const spref_row *row, uint32_t mask, bool taken);
void spref_ports_from_data(const spref_ports *p, const wf_port *data);
/* As one port's wires are another's. */
void spref_ports_join(const wf_port *from, const wf_port *to);
void spref_ports_kernel(const spref_ports *p);
void spref_ports_operands(const spref_ports *p, const spref_operands *operands, unsigned lane);
/* Addresses of all lanes, to ports far and addr; and those that a place has kept. */
void spref_ports_addresses(const wf_port *far, const wf_port *addr, const wf_issue_addresses *a);
void spref_ports_kept(const spref_ports *p, wf_issue_addresses *a);
/* Of an address: the number added to it, signed. */
int32_t spref_ports_offset(const wf_port *offset);
/* The instruction issues, of scheduler `at`: to the try_ ports of the unit, or of spref_edge. */
void spref_ports_try(const wf_port *warps, const wf_port *pcs, const wf_port *ops, unsigned at,
                     unsigned warp, ptx_pc pc, unsigned op);
void spref_ports_hint(const spref_ports *p, const spref_hint *hint); /* without valid */

#endif
