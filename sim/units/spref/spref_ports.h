/* The ports of spare_reg_pref, bound by name, and what is set or read as a whole: levels, an
 * instruction, an event, a row of counts, a hint. */
#ifndef WF_UNITS_SPREF_PORTS_H
#define WF_UNITS_SPREF_PORTS_H

#include "sim/units/rtl_model.h"
#include "sim/units/spref/spref_decode.h"
#include "sim/units/spref/spref_hints.h"

typedef struct spref_ports {
  const wf_port *en, *hints_on, *distance, *cache_only, *widen, *max_s, *max_d;
  const wf_port *in_valid, *in_ready, *in_warp, *in_pc, *in_op, *in_guard, *in_gpred, *in_gneg,
      *in_mask, *in_dst_v, *in_dst, *in_a;
  const wf_port *in_bkind, *in_b, *in_imm, *in_ext, *in_sh, *in_wide, *in_cmp, *in_pd_v, *in_pd,
      *in_target, *in_taken;
  const wf_port *out_valid, *out_ready, *out_warp, *out_move, *out_move_reg, *out_inject,
      *out_reg_v, *out_reg, *out_base_v, *out_base;
  const wf_port *out_index, *out_scale, *out_ext, *out_offset, *out_mask, *out_ask, *out_cmp,
      *out_swap, *out_shift, *out_down;
  const wf_port *cnt_valid, *cnt_warp, *cnt_row, *done_valid, *done_warp, *done_fault, *ev_valid,
      *ev_kind, *ev_warp;
  const wf_port *hint_valid, *hint_ready, *hint_kind, *hint_slot, *hint_pc, *hint_reg_v, *hint_reg,
      *hint_imm, *hint_sh, *hint_ext;
  const wf_port *hint_wide, *hint_cmp, *hint_swap, *live, *snapshot, *index, *value, *idle;
} spref_ports;

/* warps: of an SM. False: the RTL has other ports. Answers are taken from then on. */
bool spref_ports_bind(spref_ports *p, const wf_rtl_model *rtl, unsigned warps, wf_error *err);

/* Levels, as the RTL's header has them. */
typedef struct spref_levels {
  unsigned distance, max_s, max_d;
  bool on, hints, cache_only, widen;
} spref_levels;
typedef enum spref_event_kind { SPREF_EV_START, SPREF_EV_END, SPREF_EV_KERNEL } spref_event_kind;

void spref_ports_levels(const spref_ports *p, const spref_levels *levels);
/* No instruction, counts, finished prefetch or event is offered. */
void spref_ports_rest(const spref_ports *p);
/* These offer one. n: of each lane, 0 to 15. */
void spref_ports_instruction(const spref_ports *p, const spref_row *row, unsigned warp, ptx_pc pc,
                             uint32_t mask, bool taken);
void spref_ports_event(const spref_ports *p, spref_event_kind kind, unsigned warp);
void spref_ports_counts(const spref_ports *p, unsigned warp, const uint8_t n[PTX_LANES]);
/* Of the answer: the number added to the address, signed. */
int32_t spref_ports_offset(const spref_ports *p);
void spref_ports_hint(const spref_ports *p, const spref_hint *hint); /* without valid */

#endif
