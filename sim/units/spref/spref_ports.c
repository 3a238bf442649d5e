#include "sim/units/spref/spref_ports.h"

enum { LANES = PTX_LANES };

bool spref_ports_bind(spref_ports *p, const wf_rtl_model *rtl, unsigned warps, wf_error *err) {
  const unsigned warp = wf_rtl_bits(warps);
  const struct {
    const wf_port **to;
    const char *name;
    unsigned width;
  } table[] = {
      {&p->en, "en_i", 1},
      {&p->hints_on, "hints_on_i", 1},
      {&p->distance, "distance_i", 2},
      {&p->cache_only, "cache_only_i", 1},
      {&p->widen, "widen_i", 1},
      {&p->max_s, "max_s_i", 9},
      {&p->max_d, "max_d_i", 9},
      {&p->in_valid, "in_valid_i", 1},
      {&p->in_ready, "in_ready_o", 1},
      {&p->in_warp, "in_warp_i", warp},
      {&p->in_pc, "in_pc_i", 32},
      {&p->in_op, "in_op_i", 4},
      {&p->in_guard, "in_guard_i", 1},
      {&p->in_gpred, "in_gpred_i", 4},
      {&p->in_gneg, "in_gneg_i", 1},
      {&p->in_mask, "in_mask_i", 32},
      {&p->in_dst_v, "in_dst_v_i", 1},
      {&p->in_dst, "in_dst_i", 8},
      {&p->in_a, "in_a_i", 8},
      {&p->in_bkind, "in_bkind_i", 2},
      {&p->in_b, "in_b_i", 8},
      {&p->in_imm, "in_imm_i", 16},
      {&p->in_ext, "in_ext_i", 2},
      {&p->in_sh, "in_sh_i", 4},
      {&p->in_wide, "in_wide_i", 1},
      {&p->in_cmp, "in_cmp_i", 3},
      {&p->in_pd_v, "in_pd_v_i", 1},
      {&p->in_pd, "in_pd_i", 4},
      {&p->in_target, "in_target_i", 32},
      {&p->in_taken, "in_taken_i", 1},
      {&p->out_valid, "out_valid_o", 1},
      {&p->out_ready, "out_ready_i", 1},
      {&p->out_warp, "out_warp_o", warp},
      {&p->out_move, "out_move_o", 1},
      {&p->out_move_reg, "out_move_reg_o", 8},
      {&p->out_inject, "out_inject_o", 2},
      {&p->out_reg_v, "out_reg_v_o", 1},
      {&p->out_reg, "out_reg_o", 8},
      {&p->out_base_v, "out_base_v_o", 1},
      {&p->out_base, "out_base_o", 8},
      {&p->out_index, "out_index_o", 8},
      {&p->out_scale, "out_scale_o", 4},
      {&p->out_ext, "out_ext_o", 2},
      {&p->out_offset, "out_offset_o", 19},
      {&p->out_mask, "out_mask_o", 32},
      {&p->out_ask, "out_ask_o", 1},
      {&p->out_cmp, "out_cmp_o", 3},
      {&p->out_swap, "out_swap_o", 1},
      {&p->out_shift, "out_shift_o", 4},
      {&p->out_down, "out_down_o", 1},
      {&p->cnt_valid, "cnt_valid_i", 1},
      {&p->cnt_warp, "cnt_warp_i", warp},
      {&p->cnt_row, "cnt_row_i", 4 * LANES},
      {&p->done_valid, "done_valid_i", 1},
      {&p->done_warp, "done_warp_i", warp},
      {&p->done_fault, "done_fault_i", 1},
      {&p->ev_valid, "ev_valid_i", 1},
      {&p->ev_kind, "ev_kind_i", 2},
      {&p->ev_warp, "ev_warp_i", warp},
      {&p->hint_valid, "hint_valid_i", 1},
      {&p->hint_ready, "hint_ready_o", 1},
      {&p->hint_kind, "hint_kind_i", 3},
      {&p->hint_slot, "hint_slot_i", 1},
      {&p->hint_pc, "hint_pc_i", 32},
      {&p->hint_reg_v, "hint_reg_v_i", 1},
      {&p->hint_reg, "hint_reg_i", 8},
      {&p->hint_imm, "hint_imm_i", 16},
      {&p->hint_sh, "hint_sh_i", 4},
      {&p->hint_ext, "hint_ext_i", 2},
      {&p->hint_wide, "hint_wide_i", 1},
      {&p->hint_cmp, "hint_cmp_i", 3},
      {&p->hint_swap, "hint_swap_i", 1},
      {&p->live, "live_o", 1},
      {&p->snapshot, "cnt_snapshot_i", 1},
      {&p->index, "cnt_index_i", 5},
      {&p->value, "cnt_value_o", 64},
      {&p->idle, "idle_o", 1},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (!(*table[i].to = wf_rtl_port(rtl, table[i].name, table[i].width, err))) return false;
  wf_port_set(p->out_ready, 1);
  return true;
}

void spref_ports_levels(const spref_ports *p, const spref_levels *l) {
  wf_port_set(p->en, l->on);
  wf_port_set(p->hints_on, l->hints);
  wf_port_set(p->distance, l->distance);
  wf_port_set(p->cache_only, l->cache_only);
  wf_port_set(p->widen, l->widen);
  wf_port_set(p->max_s, l->max_s);
  wf_port_set(p->max_d, l->max_d);
}

void spref_ports_rest(const spref_ports *p) {
  wf_port_set(p->in_valid, 0);
  wf_port_set(p->cnt_valid, 0);
  wf_port_set(p->done_valid, 0);
  wf_port_set(p->ev_valid, 0);
}

void spref_ports_event(const spref_ports *p, spref_event_kind kind, unsigned warp) {
  wf_port_set(p->ev_valid, 1);
  wf_port_set(p->ev_kind, kind);
  wf_port_set(p->ev_warp, warp);
}

void spref_ports_counts(const spref_ports *p, unsigned warp, const uint8_t n[LANES]) {
  uint32_t words[LANES / 8] = {0};
  for (unsigned l = 0; l < LANES; l++) words[l / 8] |= (uint32_t)n[l] << (l % 8 * 4);
  wf_port_set(p->cnt_valid, 1);
  wf_port_set(p->cnt_warp, warp);
  wf_port_write(p->cnt_row, 0, 4 * LANES, words);
}

int32_t spref_ports_offset(const spref_ports *p) {
  return (int32_t)((uint32_t)wf_port_get(p->out_offset) << 13) >> 13;
}

void spref_ports_instruction(const spref_ports *p, const spref_row *r, unsigned warp, ptx_pc pc,
                             uint32_t mask, bool taken) {
  wf_port_set(p->in_warp, warp);
  wf_port_set(p->in_pc, pc);
  wf_port_set(p->in_mask, mask);
  wf_port_set(p->in_taken, taken);
  wf_port_set(p->in_op, r->op);
  wf_port_set(p->in_guard, r->guard);
  wf_port_set(p->in_gpred, r->gpred);
  wf_port_set(p->in_gneg, r->gneg);
  wf_port_set(p->in_dst_v, r->dst_v);
  wf_port_set(p->in_dst, r->dst);
  wf_port_set(p->in_a, r->a);
  wf_port_set(p->in_bkind, r->bkind);
  wf_port_set(p->in_b, r->b);
  wf_port_set(p->in_imm, (uint16_t)r->imm);
  wf_port_set(p->in_ext, r->ext);
  wf_port_set(p->in_sh, r->sh);
  wf_port_set(p->in_wide, r->wide);
  wf_port_set(p->in_cmp, r->cmp);
  wf_port_set(p->in_pd_v, r->pd_v);
  wf_port_set(p->in_pd, r->pd);
  wf_port_set(p->in_target, r->target);
  wf_port_set(p->in_valid, 1);
}

void spref_ports_hint(const spref_ports *p, const spref_hint *h) {
  wf_port_set(p->hint_kind, h->kind);
  wf_port_set(p->hint_slot, h->slot);
  wf_port_set(p->hint_pc, h->pc);
  wf_port_set(p->hint_reg_v, h->reg_v);
  wf_port_set(p->hint_reg, h->reg);
  wf_port_set(p->hint_imm, (uint16_t)h->imm);
  wf_port_set(p->hint_sh, h->sh);
  wf_port_set(p->hint_ext, h->ext);
  wf_port_set(p->hint_wide, h->wide);
  wf_port_set(p->hint_cmp, h->cmp);
  wf_port_set(p->hint_swap, h->swap);
}
