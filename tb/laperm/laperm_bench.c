#include "tb/laperm/laperm_bench.h"

#include <inttypes.h>
#include <string.h>

uint32_t laperm_bench_mask(const laperm_bench *b, const char *name) {
  const unsigned bits = wf_bench_parameter(&b->base, name);
  return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

static bool open(void *bench, wf_error *err) {
  laperm_bench *b = bench;
  const wf_bench *w = bench;
  b->shape = (laperm_shape){.smx = wf_bench_parameter(w, "NumSmx"),
                            .cluster = wf_bench_parameter(w, "Cluster"),
                            .tbs = wf_bench_parameter(w, "MaxTb"),
                            .warps = wf_bench_parameter(w, "WarpUnits"),
                            .regs = wf_bench_parameter(w, "RegUnits"),
                            .shm = wf_bench_parameter(w, "ShmUnits"),
                            .kdes = wf_bench_parameter(w, "NumKde"),
                            .levels = wf_bench_parameter(w, "Levels"),
                            .pool_max = laperm_bench_mask(b, "PoolBits"),
                            .policy = LAPERM_ADAPTIVE};
  b->lines = wf_bench_parameter(w, "Lines");
  b->mem_percent = 100;
  return laperm_ports_bind(&b->p, w->model, err);
}

/* ---- outputs ---- */

static void read_block(const laperm_ports *p, laperm_block *t) {
  *t = (laperm_block){
      .smx = wf_port_word(p->tb_smx),
      .slot = wf_port_word(p->tb_slot),
      .kdei = wf_port_word(p->tb_kdei),
      .group = wf_port_get(p->tb_group),
      .pc = wf_port_word(p->tb_pc),
      .dim = {wf_port_word(p->tb_dim_x), wf_port_word(p->tb_dim_y), wf_port_word(p->tb_dim_z)},
      .at = {wf_port_word(p->tb_x), wf_port_word(p->tb_y), wf_port_word(p->tb_z)},
      .param = wf_port_word(p->tb_param),
      .prio = wf_port_word(p->tb_prio),
      .first = wf_port_get(p->tb_first),
      .last = wf_port_get(p->tb_last)};
}

static void read_refused(const laperm_ports *p, laperm_group *g) {
  *g = (laperm_group){.pc = wf_port_word(p->dk_pc),
                      .tbdim = wf_port_word(p->dk_tbdim),
                      .smem = wf_port_word(p->dk_smem),
                      .x = wf_port_word(p->dk_x),
                      .y = wf_port_word(p->dk_y),
                      .z = wf_port_word(p->dk_z),
                      .param = wf_port_word(p->dk_param),
                      .smx = wf_port_word(p->dk_smx),
                      .prio = wf_port_word(p->dk_prio)};
}

static bool show(laperm_bench *b) {
  const laperm_ports *p = &b->p;
  laperm_out *o = &b->out;
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return false;
  *o = (laperm_out){.kern_ready = wf_port_get(p->kern_ready),
                    .agg_ready = wf_port_get(p->agg_ready),
                    .dk_valid = wf_port_get(p->dk_valid),
                    .mem_valid = wf_port_get(p->mem_valid),
                    .rsp_ready = wf_port_get(p->rsp_ready),
                    .tb_valid = wf_port_get(p->tb_valid),
                    .kdone_valid = wf_port_get(p->kdone_valid),
                    .kdone_host = wf_port_get(p->kdone_host),
                    .idle = wf_port_get(p->idle),
                    .kern_kdei = wf_port_word(p->kern_kdei),
                    .kdone_kdei = wf_port_word(p->kdone_kdei),
                    .done_ready = wf_port_mask(p->done_ready)};
  read_refused(p, &o->dk);
  read_block(p, &o->tb);
  o->mem = (laperm_mem){.write = wf_port_get(p->mem_write),
                        .addr = wf_port_word(p->mem_addr),
                        .mask = wf_port_word(p->mem_mask)};
  for (unsigned w = 0; w < 4; w++)
    o->mem.word[w] = (uint32_t)wf_port_get_bits(p->mem_data, 32 * w, 32);
  return true;
}

/* ---- memory of records ---- */

void laperm_bench_memory(laperm_bench *b, unsigned latency, unsigned percent) {
  b->latency = latency;
  b->mem_percent = percent;
}

void laperm_bench_silence(laperm_bench *b, bool silent) {
  b->silent = silent;
}

/* The request that the unit shows is taken. */
static bool memory_takes(laperm_bench *b) {
  const laperm_mem *m = &b->out.mem;
  if (m->write) {
    if (m->addr % 16 || !m->addr)
      return wf_bench_fail(&b->base, "a record is written at 0x%x", m->addr);
    for (unsigned w = 0; w < 4; w++)
      if (m->mask >> w & 1) b->record[(m->addr / 16 - 1) % LAPERM_RECORDS][w] = m->word[w];
    return true;
  }
  laperm_flight *f = &b->flights[b->lines ? wf_port_get(b->p.mem_id) : 0];
  if (f->busy || m->addr % (b->lines ? 16 * LAPERM_LINE : 16))
    return wf_bench_fail(&b->base, "a read at 0x%x", m->addr);
  *f = (laperm_flight){.busy = true,
                       .early = !b->lines || wf_rng_below(&b->base.rng, 2),
                       .at = m->addr / 16 - (b->lines ? 0 : 1),
                       .ready_at = b->base.cycle + b->latency};
  if (b->lines) f->ready_at += 1 + wf_rng_below(&b->base.rng, b->latency + 1) - b->latency;
  for (unsigned r = 0; r < LAPERM_LINE; r++)
    memcpy(f->word[r], b->record[(f->at + r) % LAPERM_RECORDS], sizeof f->word[r]);
  return true;
}

/* An answer, a beat of any line that is ready, or garbage. */
static laperm_flight *memory_answers(laperm_bench *b) {
  laperm_flight *f = NULL;
  const unsigned n = b->lines ? b->lines : 1, from = (unsigned)wf_rng_below(&b->base.rng, n);
  for (unsigned i = 0; i < n && !f && !b->silent; i++) {
    laperm_flight *g = &b->flights[(from + i) % n];
    if (g->busy && b->base.cycle >= g->ready_at) f = g;
  }
  wf_port_set(b->p.rsp_valid, f != NULL);
  if (!f) {
    wf_bench_garbage(&b->base, &b->p.rsp_data, &b->p.rsp_beat);
    return NULL;
  }
  wf_port_set(b->p.rsp_id, (uint64_t)(f - b->flights));
  wf_port_set(b->p.rsp_beat, f->sent);
  wf_port_write(b->p.rsp_data, 0, 128,
                f->early ? f->word[f->sent] : b->record[(f->at + f->sent) % LAPERM_RECORDS]);
  return f;
}

/* ---- driving: what is not offered is garbage, different every cycle ---- */

static void drive_kernel(laperm_bench *b, const laperm_kernel *k) {
  const laperm_ports *p = &b->p;
  wf_port_set(p->kern_valid, k != NULL);
  if (!k) {
    wf_bench_garbage(&b->base, &p->kern_pc, &p->kern_prio);
    return;
  }
  wf_port_set(p->kern_pc, k->pc);
  wf_port_set(p->kern_x, k->x);
  wf_port_set(p->kern_y, k->y);
  wf_port_set(p->kern_z, k->z);
  wf_port_set(p->kern_tbdim, k->tbdim);
  wf_port_set(p->kern_param, k->param);
  wf_port_set(p->kern_smem, k->smem);
  wf_port_set(p->kern_warps, k->warps);
  wf_port_set(p->kern_regs, k->regs);
  wf_port_set(p->kern_shm, k->shm);
  wf_port_set(p->kern_host, k->host);
  wf_port_set(p->kern_smx, k->smx);
  wf_port_set(p->kern_prio, k->prio);
}

static void drive_group(laperm_bench *b, const laperm_group *g) {
  const laperm_ports *p = &b->p;
  wf_port_set(p->agg_valid, g != NULL);
  if (!g) {
    wf_bench_garbage(&b->base, &p->agg_smx, &p->agg_prio);
    return;
  }
  wf_port_set(p->agg_smx, g->smx);
  wf_port_set(p->agg_last, g->last);
  wf_port_set(p->agg_pc, g->pc);
  wf_port_set(p->agg_tbdim, g->tbdim);
  wf_port_set(p->agg_smem, g->smem);
  wf_port_set(p->agg_x, g->x);
  wf_port_set(p->agg_y, g->y);
  wf_port_set(p->agg_z, g->z);
  wf_port_set(p->agg_param, g->param);
  wf_port_set(p->agg_prio, g->prio);
}

static void drive_rest(laperm_bench *b, const laperm_in *in) {
  const laperm_ports *p = &b->p;
  const unsigned slot_bits = p->done_slot->width / b->shape.smx;
  wf_port_set(p->policy, b->ref.shape.policy);
  wf_port_set_mask(p->divert, &in->divert);
  wf_port_set(p->ring_base, b->ref.ring_base);
  wf_port_set(p->dk_ready, in->dk_ready);
  wf_port_set(p->tb_ready, in->tb_ready);
  wf_port_set(p->kdone_ready, in->kdone_ready);
  wf_port_set(p->mem_ready, in->mem_ready);
  wf_port_set_mask(p->done_valid, &in->done);
  for (unsigned s = 0; s < b->shape.smx; s++) {
    const uint64_t slot = wf_mask_has(&in->done, s) ? in->done_slot[s] : wf_rng_next(&b->base.rng);
    wf_port_set_bits(p->done_slot, s * slot_bits, slot_bits,
                     slot & ((UINT64_C(1) << slot_bits) - 1));
  }
}

/* The accounts that the unit shows: warps that no block holds; room where a slot is free. */
static bool accounts_agree(laperm_bench *b) {
  const laperm_ref *r = &b->ref;
  const unsigned bits = b->p.free->width / b->shape.smx;
  const wf_mask room = wf_port_mask(b->p.room);
  for (unsigned s = 0; s < b->shape.smx; s++) {
    unsigned warps = b->shape.warps, slots = b->shape.tbs;
    for (unsigned i = 0; i < b->shape.tbs; i++) {
      if (!r->slot[s][i].busy) continue;
      warps -= r->slot[s][i].warps;
      slots--;
    }
    const unsigned shown = (unsigned)wf_port_get_bits(b->p.free, s * bits, bits);
    if (shown != warps)
      return wf_bench_fail(&b->base, "SMX %u shows %u free warps, it has %u", s, shown, warps);
    if (!slots && wf_mask_has(&room, s))
      return wf_bench_fail(&b->base, "SMX %u shows room and has no free slot", s);
  }
  return true;
}

bool laperm_bench_cycle(laperm_bench *b, const laperm_in *given) {
  laperm_in in = *given;
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  in.mem_ready = wf_rng_below(&b->base.rng, 100) < b->mem_percent;
  drive_kernel(b, in.kern);
  drive_group(b, in.agg);
  drive_rest(b, &in);
  laperm_flight *f = memory_answers(b);
  if (!show(b)) return false;
  if (!laperm_ref_step(&b->ref, &in, &b->out))
    return wf_bench_fail(&b->base, "policy %d: %s", b->ref.shape.policy, b->ref.wrong);
  const bool quiet =
      b->out.idle && !in.kern && !in.agg && !wf_mask_any(&in.done, WF_MASK_WORDS) && !f;
  if (b->out.mem_valid && in.mem_ready && !memory_takes(b)) return false;
  if (f && b->out.rsp_ready && ++f->sent == (b->lines ? LAPERM_LINE : 1)) f->busy = false;
  if (!quiet || !wf_bench_gated(&b->base))
    if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  return show(b) && accounts_agree(b);
}

/* ---- life ---- */

/* The tests bring the unit to rest: only they know what still runs. */
static bool nothing_offered(void *bench) {
  const laperm_ports *p = &((laperm_bench *)bench)->p;
  wf_port_set(p->kern_valid, 0);
  wf_port_set(p->agg_valid, 0);
  wf_port_set(p->done_valid, 0);
  wf_port_set(p->rsp_valid, 0);
  return true;
}

static bool quiet_edge(void *bench) {
  wf_bench *b = bench;
  return wf_bench_ok(b, wf_model_edge(b->model));
}

void laperm_bench_policy(laperm_bench *b, laperm_policy policy) {
  b->shape.policy = b->ref.shape.policy = policy;
  wf_port_set(b->p.policy, policy);
  nothing_offered(b);
  if (quiet_edge(b)) show(b);
}

static void reset(void *bench) {
  laperm_bench *b = bench;
  const unsigned ring = wf_bench_parameter(&b->base, "Ring");
  laperm_ref_reset(&b->ref, &b->shape);
  b->ref.ring = ring;
  b->ref.ring_base = ring ? 16 * ring * (1 + 0x4000 / (16 * ring)) : 0;
  memset(b->flights, 0, sizeof b->flights);
  for (unsigned i = 0; i < LAPERM_RECORDS; i++)
    for (unsigned w = 0; w < 4; w++) b->record[i][w] = (uint32_t)wf_rng_next(&b->base.rng);
  wf_port_set(b->p.divert, 0);
  wf_port_set(b->p.ring_base, b->ref.ring_base);
  laperm_bench_policy(b, b->shape.policy);
}

/* ---- counters ---- */

static bool related(laperm_bench *b, const uint64_t *v, uint64_t mask) {
#define V(name) v[LAPERM_CNT_##name]
  const bool holds = V(groups_joined) == ((V(groups) - V(groups_refused)) & mask) &&
                     V(groups_joined) == ((V(groups_chip) + V(groups_memory)) & mask) &&
                     V(refills) == ((V(groups_memory) + V(spills)) & mask) &&
                     /* a context is loaded for each grid, and once more where one was overtaken */
                     V(loads) == ((V(kernels) + V(groups_joined) + V(preemptions)) & mask);
#undef V
  return holds || wf_bench_fail(&b->base,
                                "counters of groups, of records, of refills and of loads disagree");
}

bool laperm_bench_counters(laperm_bench *b) {
  const unsigned bits = wf_bench_parameter(&b->base, "CounterBits");
  const uint64_t mask = bits ? UINT64_MAX >> (64 - bits) : 0;
  nothing_offered(b);
  if (wf_port_get(b->p.wait) || wf_port_get(b->p.bound))
    return wf_bench_fail(&b->base, "a block waits in an empty unit");
  if (!bits) return true;
  if (!wf_bench_check_counters(&b->base)) return false;
  const uint64_t *v = b->base.snapshot;
  for (unsigned i = 0; i < LAPERM_CNT_COUNT; i++)
    if (laperm_ref_counts(i) && v[i] != (b->ref.counter[i] & mask))
      return wf_bench_fail(&b->base, "counter %s is %" PRIu64 ", the model counted %" PRIu64,
                           laperm_bench_class.counters[i], v[i], b->ref.counter[i] & mask);
  return related(b, v, mask) && show(b);
}

static bool read_counters(laperm_bench *b, uint64_t v[LAPERM_CNT_COUNT]) {
  nothing_offered(b);
  if (!wf_bench_ok(&b->base, wf_model_counters_read(b->base.model, v))) return false;
  if (b->base.snapshot) memcpy(b->base.snapshot, v, LAPERM_CNT_COUNT * sizeof *v);
  return show(b);
}

bool laperm_bench_clear(laperm_bench *b) {
  uint64_t v[LAPERM_CNT_COUNT];
  nothing_offered(b);
  if (wf_bench_parameter(&b->base, "CounterBits") == 0) return true;
  if (!wf_bench_ok(&b->base, wf_model_counters_clear(b->base.model)) || !read_counters(b, v))
    return false;
  for (unsigned i = 0; i < LAPERM_CNT_COUNT; i++)
    if (v[i])
      return wf_bench_fail(&b->base, "counter %s is %" PRIu64 " after it was cleared",
                           laperm_bench_class.counters[i], v[i]);
  memset(b->ref.counter, 0, sizeof b->ref.counter);
  return true;
}

uint64_t laperm_bench_counter(laperm_bench *b, laperm_counter c) {
  uint64_t v[LAPERM_CNT_COUNT];
  return read_counters(b, v) ? v[c] : UINT64_MAX;
}

const wf_bench_class laperm_bench_class = {
    .unit = "laperm",
    .bytes = sizeof(laperm_bench),
    .open = open,
    .reset = reset,
    .rest = nothing_offered,
    .after = quiet_edge,
    .counters = (const char *const[]){LAPERM_COUNTERS(WF_BENCH_NAME)},
    .n_counters = LAPERM_CNT_COUNT};
