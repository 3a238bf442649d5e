#include "sim/units/spref/spref_ports.h"

#include <string.h>

bool spref_ports_open(spref_ports *p, const wf_rtl *rtl, wf_error *err) {
  if (!spref_ports_bind(p, rtl->model, err)) return false;
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
  wf_port_set(p->ld_valid, 0);
  wf_port_set(p->inj_ready, 0);
  wf_port_set(p->sum_valid, 0);
  wf_port_set(p->done_valid, 0);
  wf_port_set(p->next_valid, 0);
  wf_port_set(p->issued, 0);
  wf_port_set(p->new_kernel, 0);
}

void spref_ports_kernel(const spref_ports *p) {
  wf_port_set(p->new_kernel, 1);
}

void spref_ports_operands(const spref_ports *p, const spref_operands *o, unsigned lane) {
  const unsigned lanes = p->cnt_mask->width;
  wf_port_set(p->cnt_valid, 1);
  wf_port_set(p->cnt_warp, o->warp);
  wf_port_set(p->cnt_pre, o->pre);
  wf_port_set(p->cnt_wide, o->wide);
  wf_port_set(p->cnt_sign, o->sign);
  wf_port_set(p->cnt_mask, o->mask >> lane & (((uint64_t)1 << lanes) - 1));
  for (unsigned k = 0; k < lanes; k++) {
    wf_port_set_bits(p->cnt_a, 64 * k, 64, o->a[lane + k]);
    wf_port_set_bits(p->cnt_b, 64 * k, 64, o->b[lane + k]);
  }
}

void spref_ports_addresses(const wf_port *far, const wf_port *addr, const wf_issue_addresses *a) {
  const unsigned bits = addr->width / PTX_LANES;
  bool fits = !a->none;
  for (unsigned l = 0; l < PTX_LANES; l++) {
    fits &= bits == 64 || !(a->mask >> l & 1) || a->lane[l] >> bits == 0;
    wf_port_set_bits(addr, bits * l, bits, a->lane[l]);
  }
  wf_port_set(far, !fits);
}

void spref_ports_kept(const spref_ports *p, wf_issue_addresses *a) {
  const unsigned bits = p->inj_addr->width / PTX_LANES;
  a->none = wf_port_get(p->inj_far);
  for (unsigned l = 0; l < PTX_LANES; l++)
    a->lane[l] = wf_port_get_bits(p->inj_addr, bits * l, bits);
}

int32_t spref_ports_offset(const wf_port *offset) {
  return (int32_t)(wf_port_word(offset) << 13) >> 13;
}

enum { DATA_FIELDS = 20 };
static void data_fields(const spref_ports *p, const wf_port *field[DATA_FIELDS]) {
  const wf_port *const all[DATA_FIELDS] = {
      p->in_guard, p->in_gpred, p->in_gneg, p->in_mask,   p->in_dst_v, p->in_dst, p->in_a,
      p->in_bkind, p->in_b,     p->in_pair, p->in_imm,    p->in_ext,   p->in_sh,  p->in_wide,
      p->in_cmp,   p->in_pd_v,  p->in_pd,   p->in_target, p->in_taken, p->in_last};
  memcpy(field, all, sizeof all);
}

/* In their order; the last instruction of a warp is told otherwise. */
static void data_values(const spref_row *r, uint32_t mask, bool taken,
                        uint64_t value[DATA_FIELDS]) {
  const uint64_t all[DATA_FIELDS] = {r->guard,
                                     r->gpred,
                                     r->gneg,
                                     mask,
                                     r->dst_v,
                                     r->dst,
                                     r->a,
                                     r->bkind,
                                     r->b,
                                     (uint64_t)(r->pair_b << 2 | r->pair_a << 1 | r->pair_dst),
                                     (uint16_t)r->imm,
                                     r->ext,
                                     r->sh,
                                     r->wide,
                                     r->cmp,
                                     r->pd_v,
                                     r->pd,
                                     r->target,
                                     taken,
                                     false};
  memcpy(value, all, sizeof all);
}

void spref_ports_data(const spref_ports *p, const wf_port *data, unsigned from, const spref_row *r,
                      uint32_t mask, bool taken) {
  const wf_port *field[DATA_FIELDS];
  uint64_t value[DATA_FIELDS];
  data_fields(p, field);
  data_values(r, mask, taken, value);
  for (unsigned f = 0, at = from; f < DATA_FIELDS; at += field[f++]->width)
    wf_port_set_bits(data, at, field[f]->width, value[f]);
}

void spref_ports_from_data(const spref_ports *p, const wf_port *data) {
  const wf_port *field[DATA_FIELDS];
  data_fields(p, field);
  for (unsigned f = 0, at = 0; f < DATA_FIELDS; at += field[f++]->width)
    wf_port_set(field[f], wf_port_get_bits(data, at, field[f]->width));
}

void spref_ports_join(const wf_port *from, const wf_port *to) {
  memcpy(to->data, from->data, to->bytes);
}

void spref_ports_instruction(const spref_ports *p, const spref_row *r, unsigned warp, ptx_pc pc,
                             uint32_t mask, bool taken) {
  const wf_port *field[DATA_FIELDS];
  uint64_t value[DATA_FIELDS];
  data_fields(p, field);
  data_values(r, mask, taken, value);
  for (unsigned f = 0; f < DATA_FIELDS; f++) wf_port_set(field[f], value[f]);
  wf_port_set(p->in_warp, warp);
  wf_port_set(p->in_pc, pc);
  wf_port_set(p->in_op, r->op);
  wf_port_set(p->in_valid, 1);
}

void spref_ports_try(const wf_port *warps, const wf_port *pcs, const wf_port *ops, unsigned at,
                     unsigned warp, ptx_pc pc, unsigned op) {
  const unsigned op_bits = 4, tries = ops->width / op_bits, warp_bits = warps->width / tries,
                 pc_bits = pcs->width / tries;
  wf_port_set_bits(warps, at * warp_bits, warp_bits, warp);
  wf_port_set_bits(pcs, at * pc_bits, pc_bits, pc);
  wf_port_set_bits(ops, at * op_bits, op_bits, op);
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
