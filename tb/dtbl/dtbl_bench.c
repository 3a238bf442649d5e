#include "tb/dtbl/dtbl_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tb/dtbl/dtbl_cover.h"

// clang-format off
#define PORTS(X) \
  X(divert_i) X(kern_valid_i) X(kern_ready_o) X(kern_pc_i) X(kern_x_i) X(kern_y_i) X(kern_z_i) \
  X(kern_tbdim_i) X(kern_param_i) X(kern_smem_i) X(kern_warps_i) X(kern_regs_i) X(kern_shm_i) \
  X(kern_host_i) X(kern_prio_i) X(kern_kdei_o) X(agg_valid_i) X(agg_ready_o) X(agg_smx_i) \
  X(agg_last_i) X(agg_pc_i) X(agg_tbdim_i) X(agg_smem_i) X(agg_x_i) X(agg_y_i) X(agg_z_i) \
  X(agg_param_i) X(agg_tid_i) X(agg_prio_i) X(dk_valid_o) X(dk_ready_i) X(dk_smx_o) X(dk_pc_o) \
  X(dk_tbdim_o) X(dk_smem_o) X(dk_x_o) X(dk_y_o) X(dk_z_o) X(dk_param_o) X(dk_prio_o) \
  X(mem_valid_o) X(mem_ready_i) X(mem_write_o) X(mem_addr_o) X(mem_mask_o) X(mem_data_o) \
  X(mem_id_o) X(rsp_valid_i) X(rsp_ready_o) X(rsp_data_i) X(rsp_id_i) X(rsp_beat_i) X(tb_valid_o) \
  X(tb_ready_i) X(tb_smx_o) X(tb_slot_o) X(tb_kdei_o) X(tb_group_o) X(tb_link_o) X(tb_pc_o) \
  X(tb_dim_x_o) X(tb_dim_y_o) X(tb_dim_z_o) X(tb_x_o) X(tb_y_o) X(tb_z_o) X(tb_param_o) \
  X(tb_first_o) X(tb_last_o) X(tb_prio_o) X(done_valid_i) X(done_ready_o) X(done_slot_i) \
  X(kdone_valid_o) X(kdone_ready_i) X(kdone_kdei_o) X(kdone_host_o) X(cnt_snapshot_i) \
  X(cnt_clear_i) X(cnt_index_i) X(cnt_value_o) X(idle_o)
// clang-format on

typedef struct ports {
#define X(name) const wf_port *name;
  PORTS(X)
#undef X
} ports;

enum { MEMORY_WORDS = 4096, MAX_LINES = 64, RECORDS = 8 };

/* A line on its way. Of a record that is written meanwhile either value may come. */
typedef struct flight {
  bool busy, early; /* early: what was there when it was asked for */
  uint32_t addr;
  unsigned sent;
  uint64_t ready_at;
  uint32_t word[RECORDS][4];
} flight;

struct dtbl_bench {
  wf_bench base;
  ports p;
  dtbl_ref ref;
  dtbl_score score;
  dtbl_shape shape;
  dtbl_out out;
  uint64_t divert;
  unsigned gate_percent, latency, mem_percent;
  struct {
    uint32_t addr, word[4];
  } memory[MEMORY_WORDS]; /* records, hashed by their pointers; addr 0: empty */
  bool reading, answering;
  uint32_t read_addr;
  uint64_t read_at;
  unsigned lines; /* kept by the unit; then reads are of lines, and only the judge looks: the model
                     has none */
  flight flights[MAX_LINES];
  uint32_t record[MEMORY_WORDS][4]; /* with lines: memory from address 0 */
  dtbl_cover cover;
};

const dtbl_ref *dtbl_bench_ref(const dtbl_bench *b) {
  return &b->ref;
}
const dtbl_score *dtbl_bench_score(const dtbl_bench *b) {
  return &b->score;
}
const dtbl_out *dtbl_bench_out(const dtbl_bench *b) {
  return &b->out;
}
wf_bench *dtbl_bench_base(dtbl_bench *b) {
  return &b->base;
}

static bool show(dtbl_bench *b, uint64_t divert);

static unsigned parameter(const dtbl_bench *b, const char *name) {
  return (unsigned)wf_bench_parameter(&b->base, name);
}

uint32_t dtbl_bench_mask(const dtbl_bench *b, const char *name) {
  unsigned bits = parameter(b, name);
  return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

dtbl_bench *dtbl_bench_create(const char *config, const char *parameters, uint64_t seed,
                              unsigned gate_percent, wf_error *err) {
  wf_model_request request = {.unit = getenv("DTBL_UNIT") ? getenv("DTBL_UNIT") : "dtbl",
                              .config = config,
                              .parameters = parameters};
  dtbl_bench *b = wf_calloc(1, sizeof *b);
  const wf_bench_port table[] = {
#define X(port) {&b->p.port, #port},
      PORTS(X)
#undef X
  };
  b->gate_percent = gate_percent;
  b->mem_percent = 100;
  if (!wf_bench_open(&b->base, &request, seed, table, sizeof table / sizeof *table, err)) {
    dtbl_bench_destroy(b);
    return NULL;
  }
  b->shape = (dtbl_shape){.smx = parameter(b, "NumSmx"),
                          .tbs = parameter(b, "MaxTb"),
                          .warps = parameter(b, "WarpUnits"),
                          .regs = parameter(b, "RegUnits"),
                          .shm = parameter(b, "ShmUnits"),
                          .kdes = parameter(b, "NumKde"),
                          .agt = parameter(b, "AgtEntries"),
                          .slots = parameter(b, "SearchSlots"),
                          .pool_max = dtbl_bench_mask(b, "PoolBits"),
                          .done_depth = parameter(b, "DoneDepth")};
  b->lines = parameter(b, "Lines");
  if (!dtbl_bench_reset(b)) {
    wf_fail(err, WF_EXIT_WRONG, "%s", b->base.failure);
    dtbl_bench_destroy(b);
    return NULL;
  }
  return b;
}

void dtbl_bench_destroy(dtbl_bench *b) {
  if (!b) return;
  if (b->base.model && !dtbl_cover_write(&b->cover))
    fprintf(stderr, "functional bins cannot be written\n");
  dtbl_ref_free(&b->ref);
  wf_bench_close(&b->base);
  free(b);
}

bool dtbl_bench_reset(dtbl_bench *b) {
  if (!wf_bench_ok(&b->base, wf_model_reset(b->base.model, 2))) return false;
  dtbl_ref_reset(&b->ref, &b->shape);
  dtbl_score_reset(&b->score, &b->shape);
  memset(b->memory, 0, sizeof b->memory);
  b->reading = b->answering = false;
  b->divert = 0;
  memset(b->flights, 0, sizeof b->flights);
  for (unsigned i = 0; i < MEMORY_WORDS; i++)
    for (unsigned w = 0; w < 4; w++) b->record[i][w] = (uint32_t)wf_rng_next(&b->base.rng);
  if (b->lines) return show(b, 0);
  dtbl_ref_outputs(&b->ref, 0, &b->out);
  return true;
}

void dtbl_bench_memory(dtbl_bench *b, unsigned latency, unsigned percent) {
  b->latency = latency;
  b->mem_percent = percent;
}

/* ---- with lines: what the ports show is taken as it is ---- */

static void read_block(const ports *p, dtbl_block *t) {
  *t = (dtbl_block){.smx = (uint32_t)wf_port_get(p->tb_smx_o),
                    .slot = (uint32_t)wf_port_get(p->tb_slot_o),
                    .kdei = (uint32_t)wf_port_get(p->tb_kdei_o),
                    .group = wf_port_get(p->tb_group_o),
                    .link = (uint32_t)wf_port_get(p->tb_link_o),
                    .pc = (uint32_t)wf_port_get(p->tb_pc_o),
                    .dim = {(uint32_t)wf_port_get(p->tb_dim_x_o),
                            (uint32_t)wf_port_get(p->tb_dim_y_o),
                            (uint32_t)wf_port_get(p->tb_dim_z_o)},
                    .at = {(uint32_t)wf_port_get(p->tb_x_o), (uint32_t)wf_port_get(p->tb_y_o),
                           (uint32_t)wf_port_get(p->tb_z_o)},
                    .param = (uint32_t)wf_port_get(p->tb_param_o),
                    .first = wf_port_get(p->tb_first_o),
                    .last = wf_port_get(p->tb_last_o)};
}

static void read_refused(const ports *p, dtbl_group *g) {
  *g = (dtbl_group){.pc = (uint32_t)wf_port_get(p->dk_pc_o),
                    .tbdim = (uint32_t)wf_port_get(p->dk_tbdim_o),
                    .smem = (uint32_t)wf_port_get(p->dk_smem_o),
                    .x = (uint32_t)wf_port_get(p->dk_x_o),
                    .y = (uint32_t)wf_port_get(p->dk_y_o),
                    .z = (uint32_t)wf_port_get(p->dk_z_o),
                    .param = (uint32_t)wf_port_get(p->dk_param_o),
                    .smx = (uint32_t)wf_port_get(p->dk_smx_o)};
}

/* Outputs of the unit, in b->out. */
static bool show(dtbl_bench *b, uint64_t divert) {
  const ports *p = &b->p;
  dtbl_out *o = &b->out;
  wf_port_set(p->divert_i, divert);
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return false;
  *o = (dtbl_out){.kern_ready = wf_port_get(p->kern_ready_o),
                  .agg_ready = wf_port_get(p->agg_ready_o),
                  .dk_valid = wf_port_get(p->dk_valid_o),
                  .mem_valid = wf_port_get(p->mem_valid_o),
                  .rsp_ready = wf_port_get(p->rsp_ready_o),
                  .tb_valid = wf_port_get(p->tb_valid_o),
                  .kdone_valid = wf_port_get(p->kdone_valid_o),
                  .kdone_host = wf_port_get(p->kdone_host_o),
                  .idle = wf_port_get(p->idle_o),
                  .kern_kdei = (uint32_t)wf_port_get(p->kern_kdei_o),
                  .kdone_kdei = (uint32_t)wf_port_get(p->kdone_kdei_o),
                  .done_ready = wf_port_get(p->done_ready_o)};
  read_refused(p, &o->dk);
  read_block(p, &o->tb);
  o->mem = (dtbl_mem){.write = wf_port_get(p->mem_write_o),
                      .addr = (uint32_t)wf_port_get(p->mem_addr_o),
                      .mask = (uint32_t)wf_port_get(p->mem_mask_o)};
  for (unsigned w = 0; w < 4; w++)
    o->mem.word[w] = (uint32_t)wf_port_get_bits(p->mem_data_o, 32 * w, 32);
  return true;
}

/* The request that the unit shows is taken. */
static bool lines_take(dtbl_bench *b) {
  const dtbl_mem *m = &b->out.mem;
  if (m->write) {
    if (m->addr % 16 || !m->addr)
      return wf_bench_fail(&b->base, "a record is written at 0x%x", m->addr);
    for (unsigned w = 0; w < 4; w++)
      if (m->mask >> w & 1) b->record[(m->addr / 16 - 1) % MEMORY_WORDS][w] = m->word[w];
    return true;
  }
  flight *f = &b->flights[wf_port_get(b->p.mem_id_o)];
  if (f->busy || m->addr % (16 * RECORDS))
    return wf_bench_fail(&b->base, "line %u is asked for at 0x%x", (unsigned)(f - b->flights),
                         m->addr);
  *f = (flight){.busy = true,
                .early = wf_rng_below(&b->base.rng, 2),
                .addr = m->addr,
                .ready_at = b->base.cycle + 1 + wf_rng_below(&b->base.rng, b->latency + 1)};
  for (unsigned r = 0; r < RECORDS; r++)
    memcpy(f->word[r], b->record[(m->addr / 16 + r) % MEMORY_WORDS], sizeof f->word[r]);
  return true;
}

/* A beat of any line that is ready, or garbage; the line. */
static flight *lines_answer(dtbl_bench *b) {
  flight *f = NULL;
  unsigned from = (unsigned)wf_rng_below(&b->base.rng, b->lines);
  for (unsigned i = 0; i < b->lines && !f; i++) {
    flight *g = &b->flights[(from + i) % b->lines];
    if (g->busy && b->base.cycle >= g->ready_at) f = g;
  }
  wf_port_set(b->p.rsp_valid_i, f != NULL);
  if (!f) return NULL;
  wf_port_set(b->p.rsp_id_i, (uint64_t)(f - b->flights));
  wf_port_set(b->p.rsp_beat_i, f->sent);
  wf_port_write(b->p.rsp_data_i, 0, 128,
                f->early ? f->word[f->sent] : b->record[(f->addr / 16 + f->sent) % MEMORY_WORDS]);
  return f;
}

/* ---- memory of records ---- */

static unsigned record_of(dtbl_bench *b, uint32_t addr) {
  unsigned i = (addr * UINT32_C(2654435761)) >> 20;
  while (b->memory[i % MEMORY_WORDS].addr && b->memory[i % MEMORY_WORDS].addr != addr) i++;
  b->memory[i % MEMORY_WORDS].addr = addr;
  return i % MEMORY_WORDS;
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

static void drive_kernel(dtbl_bench *b, const dtbl_kernel *kernel) {
  const ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->base.rng), y = wf_rng_next(&b->base.rng);
  dtbl_kernel any = {.pc = (uint32_t)x,
                     .tbdim = (uint32_t)(x >> 9),
                     .smem = (uint32_t)(x >> 20),
                     .x = (uint32_t)(x >> 32),
                     .y = (uint32_t)(x >> 5 & 0xffff),
                     .z = (uint32_t)(y & 0xffff),
                     .param = (uint32_t)(y >> 7),
                     .warps = (uint32_t)(y >> 30),
                     .regs = (uint32_t)(y >> 40),
                     .shm = (uint32_t)(y >> 50),
                     .host = y >> 63};
  const dtbl_kernel *k = kernel ? kernel : &any;
  wf_port_set(p->kern_valid_i, kernel != NULL);
  wf_port_set(p->kern_pc_i, k->pc);
  wf_port_set(p->kern_x_i, k->x);
  wf_port_set(p->kern_y_i, k->y);
  wf_port_set(p->kern_z_i, k->z);
  wf_port_set(p->kern_tbdim_i, k->tbdim);
  wf_port_set(p->kern_param_i, k->param);
  wf_port_set(p->kern_smem_i, k->smem);
  wf_port_set(p->kern_warps_i, k->warps);
  wf_port_set(p->kern_regs_i, k->regs);
  wf_port_set(p->kern_shm_i, k->shm);
  wf_port_set(p->kern_host_i, k->host);
  wf_port_set(p->kern_prio_i, kernel ? 0 : x >> 60);
}

static void drive_group(dtbl_bench *b, const dtbl_group *group) {
  const ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->base.rng), y = wf_rng_next(&b->base.rng);
  dtbl_group any = {.pc = (uint32_t)x,
                    .tbdim = (uint32_t)(x >> 9),
                    .smem = (uint32_t)(x >> 20),
                    .x = (uint32_t)(x >> 32),
                    .y = (uint32_t)(x >> 5 & 0xffff),
                    .z = (uint32_t)(y & 0xffff),
                    .param = (uint32_t)(y >> 7),
                    .tid = (uint32_t)(y >> 30),
                    .smx = (uint32_t)(y >> 40),
                    .last = y >> 50 & 1};
  const dtbl_group *g = group ? group : &any;
  wf_port_set(p->agg_valid_i, group != NULL);
  wf_port_set(p->agg_smx_i, g->smx);
  wf_port_set(p->agg_last_i, g->last);
  wf_port_set(p->agg_pc_i, g->pc);
  wf_port_set(p->agg_tbdim_i, g->tbdim);
  wf_port_set(p->agg_smem_i, g->smem);
  wf_port_set(p->agg_x_i, g->x);
  wf_port_set(p->agg_y_i, g->y);
  wf_port_set(p->agg_z_i, g->z);
  wf_port_set(p->agg_param_i, g->param);
  wf_port_set(p->agg_tid_i, g->tid);
  wf_port_set(p->agg_prio_i, group ? 0 : x >> 60);
}

static void drive_rest(dtbl_bench *b, const dtbl_in *in) {
  const ports *p = &b->p;
  unsigned slot_bits = p->done_slot_i->width / b->shape.smx;
  wf_port_set(p->divert_i, in->divert);
  wf_port_set(p->dk_ready_i, in->dk_ready);
  wf_port_set(p->tb_ready_i, in->tb_ready);
  wf_port_set(p->kdone_ready_i, in->kdone_ready);
  wf_port_set(p->mem_ready_i, in->mem_ready);
  wf_port_set(p->rsp_valid_i, in->rsp_valid);
  wf_port_set(p->rsp_id_i, wf_rng_next(&b->base.rng));
  wf_port_set(p->rsp_beat_i, wf_rng_next(&b->base.rng));
  uint32_t word[4];
  for (unsigned w = 0; w < 4; w++)
    word[w] = in->rsp_valid ? b->memory[record_of(b, b->read_addr)].word[w]
                            : (uint32_t)wf_rng_next(&b->base.rng);
  wf_port_write(p->rsp_data_i, 0, 128, word);
  wf_port_set(p->done_valid_i, in->done);
  for (unsigned s = 0; s < b->shape.smx; s++) {
    uint64_t slot = in->done >> s & 1 ? in->done_slot[s] : wf_rng_next(&b->base.rng);
    wf_port_set_bits(p->done_slot_i, s * slot_bits, slot_bits,
                     slot & ((UINT64_C(1) << slot_bits) - 1));
  }
}

/* ---- comparing ---- */

static bool same(dtbl_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare_requests(dtbl_bench *b) {
  const ports *p = &b->p;
  const dtbl_out *o = &b->out;
  bool ok = same(b, p->dk_valid_o, o->dk_valid) && same(b, p->mem_valid_o, o->mem_valid);
  if (ok && o->dk_valid)
    ok = same(b, p->dk_pc_o, o->dk.pc) && same(b, p->dk_tbdim_o, o->dk.tbdim) &&
         same(b, p->dk_smem_o, o->dk.smem) && same(b, p->dk_x_o, o->dk.x) &&
         same(b, p->dk_y_o, o->dk.y) && same(b, p->dk_z_o, o->dk.z) &&
         same(b, p->dk_param_o, o->dk.param) && same(b, p->dk_smx_o, o->dk.smx) &&
         same(b, p->dk_prio_o, 0);
  if (ok && o->mem_valid) {
    ok = same(b, p->mem_write_o, o->mem.write) && same(b, p->mem_addr_o, o->mem.addr);
    for (unsigned w = 0; w < 4 && ok && o->mem.write; w++)
      if (o->mem.mask >> w & 1 && wf_port_get_bits(p->mem_data_o, 32 * w, 32) != o->mem.word[w])
        ok = wf_bench_fail(&b->base, "mem_data_o word %u is wrong", w);
    if (ok && o->mem.write) ok = same(b, p->mem_mask_o, o->mem.mask);
  }
  return ok;
}

static bool compare(dtbl_bench *b) {
  const ports *p = &b->p;
  const dtbl_out *o = &b->out;
  const dtbl_block *t = &o->tb;
  bool ok = same(b, p->kern_ready_o, o->kern_ready) &&
            (!o->kern_ready || same(b, p->kern_kdei_o, o->kern_kdei)) &&
            same(b, p->agg_ready_o, o->agg_ready) && same(b, p->rsp_ready_o, o->rsp_ready) &&
            same(b, p->tb_valid_o, o->tb_valid) && same(b, p->done_ready_o, o->done_ready) &&
            same(b, p->kdone_valid_o, o->kdone_valid) && compare_requests(b);
  if (ok && o->kdone_valid)
    ok = same(b, p->kdone_kdei_o, o->kdone_kdei) && same(b, p->kdone_host_o, o->kdone_host);
  if (ok && o->tb_valid)
    ok = same(b, p->tb_smx_o, t->smx) && same(b, p->tb_slot_o, t->slot) &&
         same(b, p->tb_kdei_o, t->kdei) && same(b, p->tb_group_o, t->group) &&
         same(b, p->tb_link_o, t->link) && same(b, p->tb_pc_o, t->pc) &&
         same(b, p->tb_dim_x_o, t->dim[0]) && same(b, p->tb_dim_y_o, t->dim[1]) &&
         same(b, p->tb_dim_z_o, t->dim[2]) && same(b, p->tb_x_o, t->at[0]) &&
         same(b, p->tb_y_o, t->at[1]) && same(b, p->tb_z_o, t->at[2]) &&
         same(b, p->tb_param_o, t->param) && same(b, p->tb_first_o, t->first) &&
         same(b, p->tb_last_o, t->last) && same(b, p->tb_prio_o, 0);
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
  flight *f = lines_answer(b);
  if (!show(b, in->divert)) return false;
  if (!dtbl_score_step(&b->score, in, &b->out))
    return wf_bench_fail(&b->base, "%s", b->score.wrong);
  bool quiet = b->out.idle && !in->kern && !in->agg && !in->done && !f;
  if (b->out.mem_valid && in->mem_ready && !lines_take(b)) return false;
  if (f && b->out.rsp_ready && ++f->sent == RECORDS) f->busy = false;
  if (!quiet || wf_rng_below(&b->base.rng, 100) >= b->gate_percent)
    if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  return show(b, in->divert);
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
  dtbl_ref_outputs(&b->ref, in.divert, &b->out);
  if (!compare(b) || !same(b, b->p.idle_o, b->out.idle)) return false;
  dtbl_cover_cycle(&b->cover, &b->ref, &in, &b->out);
  if (!dtbl_score_step(&b->score, &in, &b->out))
    return wf_bench_fail(&b->base, "%s", b->score.wrong);
  bool quiet = b->out.idle && !in.kern && !in.agg && !in.done && !in.rsp_valid;
  if (b->out.mem_valid && in.mem_ready) memory_takes(b, &b->out.mem);
  if (in.rsp_valid && b->out.rsp_ready) b->reading = false;
  if (!quiet || wf_rng_below(&b->base.rng, 100) >= b->gate_percent)
    if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  dtbl_ref_step(&b->ref, &in);
  dtbl_ref_outputs(&b->ref, in.divert, &b->out);
  b->divert = in.divert;
  return true;
}

static bool quiet_edge(void *user) {
  dtbl_bench *b = user; /* an idle unit: nothing happens at these edges */
  return wf_bench_ok(&b->base, wf_model_edge(b->base.model));
}

bool dtbl_bench_check_counters(dtbl_bench *b) {
  static const char *const names[] = {
#define X(name) #name,
      DTBL_COUNTERS(X)
#undef X
  };
  if (b->lines) return true;
  wf_port_set(b->p.kern_valid_i, 0);
  wf_port_set(b->p.agg_valid_i, 0);
  wf_port_set(b->p.done_valid_i, 0);
  wf_port_set(b->p.rsp_valid_i, 0);
  return wf_bench_counters(&b->base, names, b->ref.counter, DTBL_CNT_COUNT, quiet_edge, b);
}

bool dtbl_bench_clear_counters(dtbl_bench *b) {
  if (parameter(b, "CounterBits") == 0) return true;
  if (!wf_bench_ok(&b->base, wf_model_counters_clear(b->base.model))) return false;
  memset(b->ref.counter, 0, sizeof b->ref.counter);
  return true;
}
