#include "sim/units/mff/mff_side.h"

enum { BEATS = 8, LANES_PER_BEAT = MFF_LANES / BEATS, SIZE_BITS = 6 };

bool mff_side_bind(mff_side *s, const mff_shared *m, unsigned sm, wf_rtl *rtl, wf_error *err) {
  s->rtl = rtl;
  s->sm = s->watch.sm = sm;
  if (!mff_sm_ports_bind(&s->port, rtl->model, err)) return false;
  wf_port_set(s->port.sm, sm);
  wf_port_set(s->port.first, sm % m->env.n_part);
  return true;
}

/* ---- the SM's issue stage and operand collector ---- */

/* The lane's target as an offset in its CTA's shared memory. False: it has none such. */
static bool check_lane(const wf_unit_offer *offer, const mff_instruction *x, unsigned l,
                       wf_error *err) {
  const uint32_t size = x->lane[l].size;
  if (size > MFF_MAX_SIZE)
    return wf_fail(err, WF_EXIT_WRONG, "lane %u: size %u is more than %d", l, size, MFF_MAX_SIZE);
  const uint64_t target = x->target[l];
  if (x->op == MFF_OP_SCATTER_SET || !size ||
      (target % 4 == 0 && target + 4ull * size <= offer->shared_limit))
    return true;
  return wf_fail(err, WF_EXIT_WRONG,
                 "lane %u: target 0x%llx with %u words does not fit the CTA's %u bytes of shared "
                 "memory",
                 l, (unsigned long long)target, size, offer->shared_limit);
}

static bool read_operands(mff_instruction *x, const wf_unit_offer *offer, wf_error *err) {
  const bool gather = x->op == MFF_OP_GATHER;
  const uint64_t *index = offer->effect->operand[gather],
                 *size = offer->effect->operand[gather + 1];
  for (unsigned l = 0; l < MFF_LANES; l++) {
    const bool active = offer->active >> l & 1;
    x->lane[l] = (mff_lane){(uint32_t)index[l], active ? (uint32_t)size[l] : 0};
    uint64_t target = gather && active ? offer->effect->operand[0][l] : 0;
    if (target >= PTX_SHARED_WINDOW) target -= PTX_SHARED_WINDOW;
    x->target[l] = target > UINT32_MAX ? UINT32_MAX : (uint32_t)target;
    if (!check_lane(offer, x, l, err)) return false;
  }
  return true;
}

wf_offer_result mff_side_command(mff_side *s, mff_shared *m, const wf_unit_offer *offer,
                                 bool gather, wf_error *err) {
  if (!offer->active) return WF_OFFER_DONE;
  if (s->full || !wf_port_get(s->port.iss_ready)) {
    s->to_issue |= UINT64_C(1) << offer->warp;
    m->issue_waits++;
    return WF_OFFER_PARK;
  }
  s->held = (mff_instruction){.op = gather ? MFF_OP_GATHER : MFF_OP_SCATTER_SET,
                              .warp = (uint8_t)offer->warp};
  if (!read_operands(&s->held, offer, err)) return WF_OFFER_FAULT;
  s->full = true;
  s->beat = 0;
  *(gather ? &m->gathers : &m->scatters) += 1;
  return WF_OFFER_DONE;
}

/* Its own gather may still be in the collector. */
wf_offer_result mff_side_wait(mff_side *s, const wf_unit_offer *offer) {
  if (!(s->full && s->held.warp == offer->warp) && !wf_port_bit(s->port.gathers, offer->warp))
    return WF_OFFER_DONE;
  s->to_wait |= UINT64_C(1) << offer->warp;
  return WF_OFFER_PARK;
}

static void wake(mff_side *s, const mff_shared *m) {
  const uint64_t may_issue = !s->full && wf_port_get(s->port.iss_ready) ? s->to_issue : 0;
  const uint64_t own = s->full ? UINT64_C(1) << s->held.warp : 0;
  const uint64_t complete = s->to_wait & ~wf_port_get(s->port.gathers) & ~own;
  for (uint64_t w = may_issue | complete; w; w &= w - 1)
    m->env.wake_warp(m->env.gpu, s->sm, (unsigned)__builtin_ctzll(w));
  s->to_issue &= ~may_issue;
  s->to_wait &= ~complete;
}

static void drive_issue(mff_side *s) {
  const mff_sm_ports *p = &s->port;
  wf_port_set(p->iss_valid, s->full);
  if (!s->full) return;
  uint32_t mask = 0, address_bits = p->iss_target->width / LANES_PER_BEAT;
  for (unsigned k = 0; k < LANES_PER_BEAT; k++) {
    const unsigned l = LANES_PER_BEAT * s->beat + k;
    mask |= (uint32_t)(s->held.lane[l].size > 0) << k;
    p->iss_index->words[k] = s->held.lane[l].c_index;
    wf_port_set_bits(p->iss_size, SIZE_BITS * k, SIZE_BITS, s->held.lane[l].size);
    wf_port_set_bits(p->iss_target, address_bits * k, address_bits, s->held.target[l] / 4);
  }
  wf_port_set(p->iss_mask, mask);
  wf_port_set(p->iss_op, s->held.op);
  wf_port_set(p->iss_warp, s->held.warp);
  if (wf_port_get(p->iss_ready) && ++s->beat == BEATS) s->full = false;
}

/* ---- crossbar ---- */

/* The crossbar takes packets, not flits: the last flit waits until there is room for them all. */
bool mff_side_send(mff_side *s, const mff_shared *m, wf_error *err) {
  const mff_sm_ports *p = &s->port;
  wf_mem *mem = m->env.mem;
  wf_port_set(p->cmd_ready, 0);
  if (!wf_port_get(p->cmd_valid)) return true;
  if (!s->flits) s->payload = wf_mem_payload_new(mem);
  memcpy(wf_mem_payload(mem, s->payload) + 32 * s->flits, p->cmd_data->words, 32);
  const unsigned flits = s->flits + 1;
  const bool last = wf_port_get(p->cmd_last);
  const wf_packet packet = {.payload = s->payload,
                            .kind = WF_PKT_UNIT,
                            /* the packet's header rides in the header flit */
                            .bytes = (uint16_t)(flits * 32 - 8),
                            .client = (uint8_t)m->env.client,
                            .sm = (uint8_t)s->sm,
                            .part = (uint8_t)wf_port_get(p->cmd_slice)};
  s->flits = flits;
  if (last && !wf_mem_send(mem, s->sm, &packet)) {
    s->flits--;
    return true;
  }
  if (last) s->flits = 0;
  wf_port_set(p->cmd_ready, 1);
  return mff_watch_flit(&s->watch, p->cmd_data->words, &s->held, wf_unit_now(&m->env), err);
}

bool mff_side_may_receive(const mff_side *s) {
  return wf_port_get(s->port.rsp_ready) && !wf_port_get(s->port.rsp_valid);
}

bool mff_side_receive(mff_side *s, mff_shared *m, const wf_packet *packet, wf_error *err) {
  memcpy(s->port.rsp_data->words, wf_mem_payload(m->env.mem, packet->payload), 32);
  wf_mem_payload_free(m->env.mem, packet->payload);
  wf_port_set(s->port.rsp_valid, 1);
  m->replies++;
  return mff_watch_reply(&s->watch, s->port.rsp_data->words, &m->memory, wf_unit_now(&m->env), err);
}

/* ---- shared memory ---- */

static bool drive_writes(mff_side *s, mff_shared *m, wf_error *err) {
  const mff_sm_ports *p = &s->port;
  if (!wf_port_get(p->wr_valid)) return true;
  const uint32_t address_bits = p->wr_addr->width / MFF_WORDS_PER_RSP;
  const uint32_t warp = wf_port_word(p->wr_warp);
  m->shared_writes++;
  for (uint32_t mask = wf_port_word(p->wr_mask); mask; mask &= mask - 1) {
    const unsigned k = (unsigned)__builtin_ctz(mask);
    const mff_write w = {
        .warp = warp,
        .offset = 4 * (uint32_t)wf_port_get_bits(p->wr_addr, address_bits * k, address_bits),
        .word = p->wr_data->words[k]};
    if (!mff_watch_write(&s->watch, &w, wf_unit_now(&m->env), err)) return false;
    if (!m->env.shared_write(m->env.gpu, s->sm, warp, w.offset, w.word))
      return wf_fail(err, WF_EXIT_WRONG,
                     "mff: SM %u warp %u left before its gather was complete (mff.wait missing?)",
                     s->sm, warp);
  }
  return true;
}

/* ---- one cycle at the ports ---- */

bool mff_side_works(const mff_side *s) {
  return s->full || wf_port_get(s->port.rsp_valid) || !wf_port_get(s->port.idle) ||
         wf_port_get(s->port.cmd_ready);
}

bool mff_side_holds(const mff_side *s) {
  return s->full || wf_port_get(s->port.rsp_valid) || !wf_port_get(s->port.idle) ||
         wf_port_get(s->port.cmd_valid);
}

/* Every output is registered, so what it shows now answers this cycle. A reply that stands at the
 * port is taken: it was let come when the port was free. */
bool mff_side_clock(mff_side *s, mff_shared *m, wf_error *err) {
  drive_issue(s);
  if (!drive_writes(s, m, err) || !wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err)) return false;
  wf_port_set(s->port.iss_valid, 0);
  wf_port_set(s->port.rsp_valid, 0);
  wf_port_set(s->port.cmd_ready, 0);
  wake(s, m);
  return true;
}
