/* The ports of spare_reg_pref, bound by name, and the wide groups of them: an instruction's fields, a hint's. */
#ifndef WF_UNITS_SPREF_PORTS_H
#define WF_UNITS_SPREF_PORTS_H

#include "sim/units/rtl_model.h"
#include "sim/units/spref_decode.h"
#include "sim/units/spref_hints.h"

typedef struct spref_ports {
  const wf_port *en, *hints_on, *distance, *cache_only, *widen, *max_s, *max_d;
  const wf_port *in_valid, *in_ready, *in_warp, *in_pc, *in_op, *in_guard, *in_gpred, *in_gneg, *in_mask, *in_dst_v, *in_dst, *in_a;
  const wf_port *in_bkind, *in_b, *in_imm, *in_ext, *in_sh, *in_wide, *in_cmp, *in_pd_v, *in_pd, *in_target, *in_taken;
  const wf_port *out_valid, *out_ready, *out_warp, *out_move, *out_move_reg, *out_inject, *out_reg_v, *out_reg, *out_base_v, *out_base;
  const wf_port *out_index, *out_scale, *out_ext, *out_offset, *out_mask, *out_ask, *out_cmp, *out_swap, *out_shift, *out_down;
  const wf_port *cnt_valid, *cnt_warp, *cnt_row, *done_valid, *done_warp, *done_fault, *ev_valid, *ev_kind, *ev_warp;
  const wf_port *hint_valid, *hint_ready, *hint_kind, *hint_slot, *hint_pc, *hint_reg_v, *hint_reg, *hint_imm, *hint_sh, *hint_ext;
  const wf_port *hint_wide, *hint_cmp, *hint_swap, *live, *snapshot, *index, *value, *idle;
} spref_ports;

/* warps: of an SM. False: the RTL has other ports. Answers are taken from then on. */
bool spref_ports_bind(spref_ports *p, const wf_rtl_model *rtl, unsigned warps, wf_error *err);
/* What decoding knows of an instruction; warp, pc, mask, taken and valid are the caller's. */
void spref_ports_row(const spref_ports *p, const spref_row *row);
void spref_ports_hint(const spref_ports *p, const spref_hint *hint); /* without valid */

#endif
