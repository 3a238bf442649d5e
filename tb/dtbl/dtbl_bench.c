#include "tb/dtbl/dtbl_bench.h"

#include <string.h>

static bool show(dtbl_bench *b, const wf_mask *divert);

uint32_t dtbl_bench_mask(const dtbl_bench *b, const char *name) {
  const unsigned bits = wf_bench_parameter(&b->base, name);
  return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

static bool open(void *bench, wf_error *err) {
  dtbl_bench *b = bench;
  const wf_bench *w = bench;
  b->shape = (dtbl_shape){.smx = wf_bench_parameter(w, "NumSmx"),
                          .tbs = wf_bench_parameter(w, "MaxTb"),
                          .warps = wf_bench_parameter(w, "WarpUnits"),
                          .regs = wf_bench_parameter(w, "RegUnits"),
                          .shm = wf_bench_parameter(w, "ShmUnits"),
                          .kdes = wf_bench_parameter(w, "NumKde"),
                          .agt = wf_bench_parameter(w, "AgtEntries"),
                          .slots = wf_bench_parameter(w, "SearchSlots"),
                          .pool_max = dtbl_bench_mask(b, "PoolBits"),
                          .done_depth = wf_bench_parameter(w, "DoneDepth")};
  b->lines = wf_bench_parameter(w, "Lines");
  b->ring = wf_bench_parameter(w, "Ring");
  b->mem_percent = 100;
  b->cover.bin = b->base.bin;
  b->base.counted = b->lines ? NULL : b->ref.counter;
  return dtbl_ports_bind(&b->p, w->model, err);
}

static void close(void *bench) {
  dtbl_ref_free(&((dtbl_bench *)bench)->ref);
}

static void reset(void *bench) {
  dtbl_bench *b = bench;
  const wf_mask none = {0};
  dtbl_ref_reset(&b->ref, &b->shape);
  dtbl_score_reset(&b->score, &b->shape);
  /* Above the parameters of random launches. */
  b->score.ring_base =
      16 * b->ring *
      (1 + 0x4000 / (16 * (b->ring ? b->ring : 1)) + (uint32_t)wf_rng_below(&b->base.rng, 4));
  b->score.ring = b->ring;
  memset(b->memory, 0, sizeof b->memory);
  b->reading = b->answering = false;
  memset(b->flights, 0, sizeof b->flights);
  for (unsigned i = 0; i < DTBL_MEMORY_WORDS; i++)
    for (unsigned w = 0; w < 4; w++) b->record[i][w] = (uint32_t)wf_rng_next(&b->base.rng);
  if (b->lines)
    show(b, &none);
  else
    dtbl_ref_outputs(&b->ref, &none, &b->out);
}

void dtbl_bench_memory(dtbl_bench *b, unsigned latency, unsigned percent) {
  b->latency = latency;
  b->mem_percent = percent;
}

/* ---- with lines: what the ports show is taken as it is ---- */

static void read_block(const dtbl_ports *p, dtbl_block *t) {
  *t = (dtbl_block){.smx = (uint32_t)wf_port_get(p->tb_smx),
                    .slot = (uint32_t)wf_port_get(p->tb_slot),
                    .kdei = (uint32_t)wf_port_get(p->tb_kdei),
                    .group = wf_port_get(p->tb_group),
                    .link = (uint32_t)wf_port_get(p->tb_link),
                    .pc = (uint32_t)wf_port_get(p->tb_pc),
                    .dim = {(uint32_t)wf_port_get(p->tb_dim_x), (uint32_t)wf_port_get(p->tb_dim_y),
                            (uint32_t)wf_port_get(p->tb_dim_z)},
                    .at = {(uint32_t)wf_port_get(p->tb_x), (uint32_t)wf_port_get(p->tb_y),
                           (uint32_t)wf_port_get(p->tb_z)},
                    .param = (uint32_t)wf_port_get(p->tb_param),
                    .first = wf_port_get(p->tb_first),
                    .last = wf_port_get(p->tb_last)};
}

static void read_refused(const dtbl_ports *p, dtbl_group *g) {
  *g = (dtbl_group){.pc = (uint32_t)wf_port_get(p->dk_pc),
                    .tbdim = (uint32_t)wf_port_get(p->dk_tbdim),
                    .smem = (uint32_t)wf_port_get(p->dk_smem),
                    .x = (uint32_t)wf_port_get(p->dk_x),
                    .y = (uint32_t)wf_port_get(p->dk_y),
                    .z = (uint32_t)wf_port_get(p->dk_z),
                    .param = (uint32_t)wf_port_get(p->dk_param),
                    .warps = (uint32_t)wf_port_get(p->dk_warps),
                    .regs = (uint32_t)wf_port_get(p->dk_regs),
                    .shm = (uint32_t)wf_port_get(p->dk_shm),
                    .smx = (uint32_t)wf_port_get(p->dk_smx)};
}

/* Outputs of the unit, in b->out. */
static bool show(dtbl_bench *b, const wf_mask *divert) {
  const dtbl_ports *p = &b->p;
  dtbl_out *o = &b->out;
  wf_port_set_mask(p->divert, divert);
  wf_port_set(p->ring_base, b->score.ring_base);
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return false;
  *o = (dtbl_out){.kern_ready = wf_port_get(p->kern_ready),
                  .agg_ready = wf_port_get(p->agg_ready),
                  .dk_valid = wf_port_get(p->dk_valid),
                  .mem_valid = wf_port_get(p->mem_valid),
                  .rsp_ready = wf_port_get(p->rsp_ready),
                  .tb_valid = wf_port_get(p->tb_valid),
                  .kdone_valid = wf_port_get(p->kdone_valid),
                  .kdone_host = wf_port_get(p->kdone_host),
                  .idle = wf_port_get(p->idle),
                  .kern_kdei = (uint32_t)wf_port_get(p->kern_kdei),
                  .kdone_kdei = (uint32_t)wf_port_get(p->kdone_kdei),
                  .done_ready = wf_port_mask(p->done_ready)};
  read_refused(p, &o->dk);
  read_block(p, &o->tb);
  o->mem = (dtbl_mem){.write = wf_port_get(p->mem_write),
                      .addr = (uint32_t)wf_port_get(p->mem_addr),
                      .mask = (uint32_t)wf_port_get(p->mem_mask)};
  for (unsigned w = 0; w < 4; w++)
    o->mem.word[w] = (uint32_t)wf_port_get_bits(p->mem_data, 32 * w, 32);
  return true;
}

/* The request that the unit shows is taken. */
static bool lines_take(dtbl_bench *b) {
  const dtbl_mem *m = &b->out.mem;
  if (m->write) {
    if (m->addr % 16 || !m->addr)
      return wf_bench_fail(&b->base, "a record is written at 0x%x", m->addr);
    if (!dtbl_score_in_ring(&b->score, m->addr) && !dtbl_score_param_used(&b->score, m->addr))
      return wf_bench_fail(&b->base, "a record is written at 0x%x, which is nobody's", m->addr);
    for (unsigned w = 0; w < 4; w++)
      if (m->mask >> w & 1) b->record[(m->addr / 16 - 1) % DTBL_MEMORY_WORDS][w] = m->word[w];
    return true;
  }
  dtbl_flight *f = &b->flights[wf_port_get(b->p.mem_id)];
  if (f->busy || m->addr % (16 * DTBL_RECORDS))
    return wf_bench_fail(&b->base, "line %u is asked for at 0x%x", (unsigned)(f - b->flights),
                         m->addr);
  *f = (dtbl_flight){.busy = true,
                     .early = wf_rng_below(&b->base.rng, 2),
                     .addr = m->addr,
                     .ready_at = b->base.cycle + 1 + wf_rng_below(&b->base.rng, b->latency + 1)};
  for (unsigned r = 0; r < DTBL_RECORDS; r++)
    memcpy(f->word[r], b->record[(m->addr / 16 + r) % DTBL_MEMORY_WORDS], sizeof f->word[r]);
  return true;
}

/* A beat of any line that is ready, or garbage; the line. */
static dtbl_flight *lines_answer(dtbl_bench *b) {
  dtbl_flight *f = NULL;
  unsigned from = (unsigned)wf_rng_below(&b->base.rng, b->lines);
  for (unsigned i = 0; i < b->lines && !f; i++) {
    dtbl_flight *g = &b->flights[(from + i) % b->lines];
    if (g->busy && b->base.cycle >= g->ready_at) f = g;
  }
  wf_port_set(b->p.rsp_valid, f != NULL);
  if (!f) return NULL;
  wf_port_set(b->p.rsp_id, (uint64_t)(f - b->flights));
  wf_port_set(b->p.rsp_beat, f->sent);
  wf_port_write(b->p.rsp_data, 0, 128,
                f->early ? f->word[f->sent]
                         : b->record[(f->addr / 16 + f->sent) % DTBL_MEMORY_WORDS]);
  return f;
}

/* ---- memory of records ---- */

static unsigned record_of(dtbl_bench *b, uint32_t addr) {
  unsigned i = (addr * UINT32_C(2654435761)) >> 20;
  while (b->memory[i % DTBL_MEMORY_WORDS].addr && b->memory[i % DTBL_MEMORY_WORDS].addr != addr)
    i++;
  b->memory[i % DTBL_MEMORY_WORDS].addr = addr;
  return i % DTBL_MEMORY_WORDS;
}

static void memory_takes(dtbl_bench *b, const dtbl_mem *m) {
  unsigned i = record_of(b, m->addr);
  if (!m->write) {
    b->reading = true;
    b->read_addr = m->addr;
    b->read_at = b->base.cycle + b->latency;
    return;
  }
  for (unsigned w = 0; w < 4; w++)
    if (m->mask >> w & 1) b->memory[i].word[w] = m->word[w];
}

/* ---- driving: what is not offered is garbage, different every cycle ---- */

static void drive_kernel(dtbl_bench *b, const dtbl_kernel *k) {
  const dtbl_ports *p = &b->p;
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
  wf_port_set(p->kern_prio, 0);
}

static void drive_group(dtbl_bench *b, const dtbl_group *g) {
  const dtbl_ports *p = &b->p;
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
  wf_port_set(p->agg_tid, g->tid);
  wf_port_set(p->agg_warps, g->warps);
  wf_port_set(p->agg_regs, g->regs);
  wf_port_set(p->agg_shm, g->shm);
  wf_port_set(p->agg_prio, 0);
}

static void drive_rest(dtbl_bench *b, const dtbl_in *in) {
  const dtbl_ports *p = &b->p;
  unsigned slot_bits = p->done_slot->width / b->shape.smx;
  wf_port_set_mask(p->divert, &in->divert);
  wf_port_set(p->ring_base, b->score.ring_base);
  wf_port_set(p->dk_ready, in->dk_ready);
  wf_port_set(p->tb_ready, in->tb_ready);
  wf_port_set(p->kdone_ready, in->kdone_ready);
  wf_port_set(p->mem_ready, in->mem_ready);
  wf_port_set(p->rsp_valid, in->rsp_valid);
  wf_port_set(p->rsp_id, wf_rng_next(&b->base.rng));
  wf_port_set(p->rsp_beat, wf_rng_next(&b->base.rng));
  uint32_t word[4];
  for (unsigned w = 0; w < 4; w++)
    word[w] = in->rsp_valid ? b->memory[record_of(b, b->read_addr)].word[w]
                            : (uint32_t)wf_rng_next(&b->base.rng);
  wf_port_write(p->rsp_data, 0, 128, word);
  wf_port_set_mask(p->done_valid, &in->done);
  for (unsigned s = 0; s < b->shape.smx; s++) {
    uint64_t slot = wf_mask_has(&in->done, s) ? in->done_slot[s] : wf_rng_next(&b->base.rng);
    wf_port_set_bits(p->done_slot, s * slot_bits, slot_bits,
                     slot & ((UINT64_C(1) << slot_bits) - 1));
  }
}

/* ---- comparing ---- */

static bool same(dtbl_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare_requests(dtbl_bench *b) {
  const dtbl_ports *p = &b->p;
  const dtbl_out *o = &b->out;
  bool ok = same(b, p->dk_valid, o->dk_valid) && same(b, p->mem_valid, o->mem_valid);
  if (ok && o->dk_valid)
    ok = same(b, p->dk_pc, o->dk.pc) && same(b, p->dk_tbdim, o->dk.tbdim) &&
         same(b, p->dk_smem, o->dk.smem) && same(b, p->dk_x, o->dk.x) &&
         same(b, p->dk_y, o->dk.y) && same(b, p->dk_z, o->dk.z) &&
         same(b, p->dk_param, o->dk.param) && same(b, p->dk_warps, o->dk.warps) &&
         same(b, p->dk_regs, o->dk.regs) && same(b, p->dk_shm, o->dk.shm) &&
         same(b, p->dk_smx, o->dk.smx) && same(b, p->dk_prio, 0);
  if (ok && o->mem_valid) {
    ok = same(b, p->mem_write, o->mem.write) && same(b, p->mem_addr, o->mem.addr);
    for (unsigned w = 0; w < 4 && ok && o->mem.write; w++)
      if (o->mem.mask >> w & 1 && wf_port_get_bits(p->mem_data, 32 * w, 32) != o->mem.word[w])
        ok = wf_bench_fail(&b->base, "mem_data_o word %u is wrong", w);
    if (ok && o->mem.write) ok = same(b, p->mem_mask, o->mem.mask);
  }
  return ok;
}

static bool compare(dtbl_bench *b) {
  const dtbl_ports *p = &b->p;
  const dtbl_out *o = &b->out;
  const dtbl_block *t = &o->tb;
  bool ok = same(b, p->kern_ready, o->kern_ready) &&
            (!o->kern_ready || same(b, p->kern_kdei, o->kern_kdei)) &&
            same(b, p->agg_ready, o->agg_ready) && same(b, p->rsp_ready, o->rsp_ready) &&
            same(b, p->tb_valid, o->tb_valid) &&
            wf_bench_same_mask(&b->base, p->done_ready, &o->done_ready) &&
            same(b, p->kdone_valid, o->kdone_valid) && compare_requests(b);
  if (ok && o->kdone_valid)
    ok = same(b, p->kdone_kdei, o->kdone_kdei) && same(b, p->kdone_host, o->kdone_host);
  if (ok && o->tb_valid)
    ok = same(b, p->tb_smx, t->smx) && same(b, p->tb_slot, t->slot) &&
         same(b, p->tb_kdei, t->kdei) && same(b, p->tb_group, t->group) &&
         same(b, p->tb_link, t->link) && same(b, p->tb_pc, t->pc) &&
         same(b, p->tb_dim_x, t->dim[0]) && same(b, p->tb_dim_y, t->dim[1]) &&
         same(b, p->tb_dim_z, t->dim[2]) && same(b, p->tb_x, t->at[0]) &&
         same(b, p->tb_y, t->at[1]) && same(b, p->tb_z, t->at[2]) &&
         same(b, p->tb_param, t->param) && same(b, p->tb_first, t->first) &&
         same(b, p->tb_last, t->last) && same(b, p->tb_prio, 0);
  return ok;
}

static void memory_side(dtbl_bench *b, dtbl_in *in) {
  in->mem_ready = b->mem_percent == 100 || wf_rng_below(&b->base.rng, 100) < b->mem_percent;
  in->rsp_valid = b->reading && b->base.cycle >= b->read_at && b->out.rsp_ready;
}

static bool lines_cycle(dtbl_bench *b, dtbl_in *in) {
  in->mem_ready = wf_rng_below(&b->base.rng, 100) < b->mem_percent;
  drive_kernel(b, in->kern);
  drive_group(b, in->agg);
  drive_rest(b, in);
  dtbl_flight *f = lines_answer(b);
  if (!show(b, &in->divert)) return false;
  if (!dtbl_score_step(&b->score, in, &b->out))
    return wf_bench_fail(&b->base, "%s", b->score.wrong);
  bool quiet = b->out.idle && !in->kern && !in->agg && !wf_mask_any(&in->done, WF_MASK_WORDS) && !f;
  if (b->out.mem_valid && in->mem_ready && !lines_take(b)) return false;
  if (f && b->out.rsp_ready && ++f->sent == DTBL_RECORDS) f->busy = false;
  if (!quiet || !wf_bench_gated(&b->base))
    if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  return show(b, &in->divert);
}

bool dtbl_bench_cycle(dtbl_bench *b, const dtbl_in *given) {
  dtbl_in in = *given;
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  if (b->lines) return lines_cycle(b, &in);
  memory_side(b, &in);
  drive_kernel(b, in.kern);
  drive_group(b, in.agg);
  drive_rest(b, &in);
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return false;
  dtbl_ref_outputs(&b->ref, &in.divert, &b->out);
  if (!compare(b) || !same(b, b->p.idle, b->out.idle)) return false;
  dtbl_cover_cycle(&b->cover, &b->ref, &in, &b->out);
  if (!dtbl_score_step(&b->score, &in, &b->out))
    return wf_bench_fail(&b->base, "%s", b->score.wrong);
  bool quiet =
      b->out.idle && !in.kern && !in.agg && !wf_mask_any(&in.done, WF_MASK_WORDS) && !in.rsp_valid;
  if (b->out.mem_valid && in.mem_ready) memory_takes(b, &b->out.mem);
  if (in.rsp_valid && b->out.rsp_ready) b->reading = false;
  if (!quiet || !wf_bench_gated(&b->base))
    if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  dtbl_ref_step(&b->ref, &in);
  dtbl_ref_outputs(&b->ref, &in.divert, &b->out);
  return true;
}

/* The tests bring the unit to rest: only they know what still runs. */
static bool nothing_offered(void *bench) {
  const dtbl_ports *p = &((dtbl_bench *)bench)->p;
  wf_port_set(p->kern_valid, 0);
  wf_port_set(p->agg_valid, 0);
  wf_port_set(p->done_valid, 0);
  wf_port_set(p->rsp_valid, 0);
  return true;
}

/* An idle unit: nothing happens at these edges. */
static bool quiet_edge(void *bench) {
  wf_bench *b = bench;
  return wf_bench_ok(b, wf_model_edge(b->model));
}

const wf_bench_class dtbl_bench_class = {
    .unit = "dtbl",
    .bytes = sizeof(dtbl_bench),
    .open = open,
    .reset = reset,
    .close = close,
    .rest = nothing_offered,
    .after = quiet_edge,
    .bins = (const char *const[]){DTBL_BINS(WF_BENCH_PORT_NAME)},
    .n_bins = DTBL_BIN_COUNT,
    .counters = (const char *const[]){DTBL_COUNTERS(WF_BENCH_NAME)},
    .n_counters = DTBL_CNT_COUNT};
