#include "tb/agt_dtbl/dtbl_bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tb/agt_dtbl/dtbl_cover.h"

#define PORTS(X) \
  X(divert_i) X(kern_valid_i) X(kern_ready_o) X(kern_pc_i) X(kern_x_i) X(kern_y_i) X(kern_z_i) X(kern_tbdim_i) X(kern_param_i) \
  X(kern_smem_i) X(kern_warps_i) X(kern_regs_i) X(kern_shm_i) X(kern_host_i) X(kern_prio_i) X(kern_kdei_o) \
  X(agg_valid_i) X(agg_ready_o) X(agg_smx_i) X(agg_last_i) X(agg_pc_i) X(agg_tbdim_i) X(agg_smem_i) X(agg_x_i) X(agg_y_i) \
  X(agg_z_i) X(agg_param_i) X(agg_tid_i) X(agg_prio_i) \
  X(dk_valid_o) X(dk_ready_i) X(dk_smx_o) X(dk_pc_o) X(dk_tbdim_o) X(dk_smem_o) X(dk_x_o) X(dk_y_o) X(dk_z_o) X(dk_param_o) X(dk_prio_o) \
  X(mem_valid_o) X(mem_ready_i) X(mem_write_o) X(mem_addr_o) X(mem_mask_o) X(mem_data_o) X(rsp_valid_i) X(rsp_ready_o) X(rsp_data_i) \
  X(tb_valid_o) X(tb_ready_i) X(tb_smx_o) X(tb_slot_o) X(tb_kdei_o) X(tb_group_o) X(tb_link_o) X(tb_pc_o) X(tb_dim_x_o) \
  X(tb_dim_y_o) X(tb_dim_z_o) X(tb_x_o) X(tb_y_o) X(tb_z_o) X(tb_param_o) X(tb_first_o) X(tb_last_o) X(tb_prio_o) \
  X(done_valid_i) X(done_ready_o) X(done_slot_i) X(kdone_valid_o) X(kdone_ready_i) X(kdone_kdei_o) X(kdone_host_o) \
  X(cnt_snapshot_i) X(cnt_clear_i) X(cnt_index_i) X(cnt_value_o) X(idle_o)

typedef struct ports {
#define X(name) const wf_port *name;
  PORTS(X)
#undef X
} ports;

enum { MEMORY_WORDS = 4096, MAX_READS = 4 };

struct dtbl_bench {
  wf_model_lib *lib;
  wf_model *model;
  ports p;
  dtbl_ref ref;
  dtbl_score score;
  dtbl_shape shape;
  dtbl_out out;
  uint64_t divert;
  uint64_t seed, cycle;
  unsigned gate_percent, latency, mem_percent;
  struct {
    uint32_t addr, word[4];
  } memory[MEMORY_WORDS]; /* records, hashed by their pointers; addr 0: empty */
  bool reading, answering;
  uint32_t read_addr;
  uint64_t read_at;
  wf_rng rng;
  dtbl_cover cover;
  char failure[1024];
};

const dtbl_ref *dtbl_bench_ref(const dtbl_bench *b) { return &b->ref; }
const dtbl_score *dtbl_bench_score(const dtbl_bench *b) { return &b->score; }
wf_rng *dtbl_bench_rng(dtbl_bench *b) { return &b->rng; }
const dtbl_out *dtbl_bench_out(const dtbl_bench *b) { return &b->out; }
uint64_t dtbl_bench_cycles(const dtbl_bench *b) { return b->cycle; }
const char *dtbl_bench_failure(const dtbl_bench *b) { return b->failure; }

bool dtbl_bench_fail(dtbl_bench *b, const char *format, ...) {
  if (b->failure[0]) return false;
  int n = snprintf(b->failure, sizeof b->failure, "%s, cycle %llu, seed %llu: ", wf_model_name(b->model),
                   (unsigned long long)b->cycle, (unsigned long long)b->seed);
  va_list args;
  va_start(args, format);
  vsnprintf(b->failure + n, sizeof b->failure - (size_t)n, format, args);
  va_end(args);
  return false;
}

static bool bind_ports(dtbl_bench *b, wf_error *err) {
  const struct {
    const wf_port **to;
    const char *name;
  } table[] = {
#define X(port) {&b->p.port, #port},
      PORTS(X)
#undef X
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!(*table[i].to = wf_model_port(b->model, table[i].name)))
      return wf_fail(err, WF_EXIT_WRONG, "dtbl_scheduler has no port %s", table[i].name);
  return true;
}

static unsigned parameter(const dtbl_bench *b, const char *name) {
  int64_t value = 0;
  return wf_model_parameter(b->model, name, &value) ? (unsigned)value : 0;
}

uint32_t dtbl_bench_mask(const dtbl_bench *b, const char *name) {
  unsigned bits = parameter(b, name);
  return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

dtbl_bench *dtbl_bench_create(const char *config, const char *parameters, uint64_t seed, unsigned gate_percent, wf_error *err) {
  wf_model_request request = {.unit = getenv("DTBL_UNIT") ? getenv("DTBL_UNIT") : "agt_dtbl", .config = config, .parameters = parameters};
  char *path = wf_model_build(&request, err);
  if (!path) return NULL;
  dtbl_bench *b = wf_calloc(1, sizeof *b);
  b->seed = seed;
  b->gate_percent = gate_percent;
  b->mem_percent = 100;
  wf_rng_seed(&b->rng, seed);
  bool ok = (b->lib = wf_model_load(path, err)) != NULL && (b->model = wf_model_create(b->lib, NULL, seed, err)) != NULL
            && bind_ports(b, err);
  free(path);
  if (!ok) {
    dtbl_bench_destroy(b);
    return NULL;
  }
  b->shape = (dtbl_shape){.smx = parameter(b, "NumSmx"), .tbs = parameter(b, "MaxTb"), .warps = parameter(b, "WarpUnits"),
                          .regs = parameter(b, "RegUnits"), .shm = parameter(b, "ShmUnits"), .kdes = parameter(b, "NumKde"),
                          .agt = parameter(b, "AgtEntries"), .slots = parameter(b, "SearchSlots"),
                          .pool_max = dtbl_bench_mask(b, "PoolBits"), .done_depth = parameter(b, "DoneDepth")};
  if (!dtbl_bench_reset(b)) {
    wf_fail(err, WF_EXIT_WRONG, "%s", b->failure);
    dtbl_bench_destroy(b);
    return NULL;
  }
  return b;
}

void dtbl_bench_destroy(dtbl_bench *b) {
  if (!b) return;
  if (b->model && !dtbl_cover_write(&b->cover)) fprintf(stderr, "functional bins cannot be written\n");
  dtbl_ref_free(&b->ref);
  wf_model_destroy(b->model);
  wf_model_unload(b->lib);
  free(b);
}

bool dtbl_bench_reset(dtbl_bench *b) {
  if (wf_model_reset(b->model, 2) != WF_MODEL_OK) return dtbl_bench_fail(b, "%s", wf_model_last_error(b->model));
  dtbl_ref_reset(&b->ref, &b->shape);
  dtbl_score_reset(&b->score, &b->shape);
  memset(b->memory, 0, sizeof b->memory);
  b->reading = b->answering = false;
  b->divert = 0;
  dtbl_ref_outputs(&b->ref, 0, &b->out);
  return true;
}

void dtbl_bench_memory(dtbl_bench *b, unsigned latency, unsigned percent) {
  b->latency = latency;
  b->mem_percent = percent;
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
    b->read_at = b->cycle + b->latency;
    return;
  }
  for (unsigned w = 0; w < 4; w++)
    if (m->mask >> w & 1) b->memory[i].word[w] = m->word[w];
}

/* ---- driving: what is not offered is garbage, different every cycle ---- */

static void drive_kernel(dtbl_bench *b, const dtbl_kernel *kernel) {
  const ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->rng), y = wf_rng_next(&b->rng);
  dtbl_kernel any = {.pc = (uint32_t)x, .tbdim = (uint32_t)(x >> 9), .smem = (uint32_t)(x >> 20), .x = (uint32_t)(x >> 32), .y = (uint32_t)(x >> 5 & 0xffff),
                     .z = (uint32_t)(y & 0xffff), .param = (uint32_t)(y >> 7), .warps = (uint32_t)(y >> 30), .regs = (uint32_t)(y >> 40),
                     .shm = (uint32_t)(y >> 50), .host = y >> 63};
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
  uint64_t x = wf_rng_next(&b->rng), y = wf_rng_next(&b->rng);
  dtbl_group any = {.pc = (uint32_t)x, .tbdim = (uint32_t)(x >> 9), .smem = (uint32_t)(x >> 20), .x = (uint32_t)(x >> 32), .y = (uint32_t)(x >> 5 & 0xffff),
                    .z = (uint32_t)(y & 0xffff), .param = (uint32_t)(y >> 7), .tid = (uint32_t)(y >> 30), .smx = (uint32_t)(y >> 40), .last = y >> 50 & 1};
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
  uint32_t word[4];
  for (unsigned w = 0; w < 4; w++)
    word[w] = in->rsp_valid ? b->memory[record_of(b, b->read_addr)].word[w] : (uint32_t)wf_rng_next(&b->rng);
  wf_port_write(p->rsp_data_i, 0, 128, word);
  wf_port_set(p->done_valid_i, in->done);
  for (unsigned s = 0; s < b->shape.smx; s++) {
    uint64_t slot = in->done >> s & 1 ? in->done_slot[s] : wf_rng_next(&b->rng);
    wf_port_set_bits(p->done_slot_i, s * slot_bits, slot_bits, slot & ((UINT64_C(1) << slot_bits) - 1));
  }
}

/* ---- comparing ---- */

static bool same(dtbl_bench *b, const wf_port *port, uint64_t expected) {
  uint64_t got = wf_port_get(port);
  return got == expected
         || dtbl_bench_fail(b, "%s is %llx, the model says %llx", port->name, (unsigned long long)got, (unsigned long long)expected);
}

static bool compare_requests(dtbl_bench *b) {
  const ports *p = &b->p;
  const dtbl_out *o = &b->out;
  bool ok = same(b, p->dk_valid_o, o->dk_valid) && same(b, p->mem_valid_o, o->mem_valid);
  if (ok && o->dk_valid)
    ok = same(b, p->dk_pc_o, o->dk.pc) && same(b, p->dk_tbdim_o, o->dk.tbdim) && same(b, p->dk_smem_o, o->dk.smem)
         && same(b, p->dk_x_o, o->dk.x) && same(b, p->dk_y_o, o->dk.y) && same(b, p->dk_z_o, o->dk.z)
         && same(b, p->dk_param_o, o->dk.param) && same(b, p->dk_smx_o, o->dk.smx) && same(b, p->dk_prio_o, 0);
  if (ok && o->mem_valid) {
    ok = same(b, p->mem_write_o, o->mem.write) && same(b, p->mem_addr_o, o->mem.addr);
    for (unsigned w = 0; w < 4 && ok && o->mem.write; w++)
      if (o->mem.mask >> w & 1 && wf_port_get_bits(p->mem_data_o, 32 * w, 32) != o->mem.word[w])
        ok = dtbl_bench_fail(b, "mem_data_o word %u is wrong", w);
    if (ok && o->mem.write) ok = same(b, p->mem_mask_o, o->mem.mask);
  }
  return ok;
}

static bool compare(dtbl_bench *b) {
  const ports *p = &b->p;
  const dtbl_out *o = &b->out;
  const dtbl_block *t = &o->tb;
  bool ok = same(b, p->kern_ready_o, o->kern_ready) && (!o->kern_ready || same(b, p->kern_kdei_o, o->kern_kdei))
            && same(b, p->agg_ready_o, o->agg_ready) && same(b, p->rsp_ready_o, o->rsp_ready) && same(b, p->tb_valid_o, o->tb_valid)
            && same(b, p->done_ready_o, o->done_ready) && same(b, p->kdone_valid_o, o->kdone_valid) && compare_requests(b);
  if (ok && o->kdone_valid) ok = same(b, p->kdone_kdei_o, o->kdone_kdei) && same(b, p->kdone_host_o, o->kdone_host);
  if (ok && o->tb_valid)
    ok = same(b, p->tb_smx_o, t->smx) && same(b, p->tb_slot_o, t->slot) && same(b, p->tb_kdei_o, t->kdei)
         && same(b, p->tb_group_o, t->group) && same(b, p->tb_link_o, t->link) && same(b, p->tb_pc_o, t->pc)
         && same(b, p->tb_dim_x_o, t->dim[0]) && same(b, p->tb_dim_y_o, t->dim[1]) && same(b, p->tb_dim_z_o, t->dim[2])
         && same(b, p->tb_x_o, t->at[0]) && same(b, p->tb_y_o, t->at[1]) && same(b, p->tb_z_o, t->at[2])
         && same(b, p->tb_param_o, t->param) && same(b, p->tb_first_o, t->first) && same(b, p->tb_last_o, t->last)
         && same(b, p->tb_prio_o, 0);
  return ok;
}

static void memory_side(dtbl_bench *b, dtbl_in *in) {
  in->mem_ready = b->mem_percent == 100 || wf_rng_below(&b->rng, 100) < b->mem_percent;
  in->rsp_valid = b->reading && b->cycle >= b->read_at && b->out.rsp_ready;
}

bool dtbl_bench_cycle(dtbl_bench *b, const dtbl_in *given) {
  dtbl_in in = *given;
  if (b->failure[0]) return false;
  b->cycle++;
  memory_side(b, &in);
  drive_kernel(b, in.kern);
  drive_group(b, in.agg);
  drive_rest(b, &in);
  if (wf_model_settle(b->model) != WF_MODEL_OK) return dtbl_bench_fail(b, "%s", wf_model_last_error(b->model));
  dtbl_ref_outputs(&b->ref, in.divert, &b->out);
  if (!compare(b) || !same(b, b->p.idle_o, b->out.idle)) return false;
  dtbl_cover_cycle(&b->cover, &b->ref, &in, &b->out);
  if (!dtbl_score_step(&b->score, &in, &b->out)) return dtbl_bench_fail(b, "%s", b->score.wrong);
  bool quiet = b->out.idle && !in.kern && !in.agg && !in.done && !in.rsp_valid;
  if (b->out.mem_valid && in.mem_ready) memory_takes(b, &b->out.mem);
  if (in.rsp_valid && b->out.rsp_ready) b->reading = false;
  if (!quiet || wf_rng_below(&b->rng, 100) >= b->gate_percent)
    if (wf_model_edge(b->model) != WF_MODEL_OK) return dtbl_bench_fail(b, "%s", wf_model_last_error(b->model));
  dtbl_ref_step(&b->ref, &in);
  dtbl_ref_outputs(&b->ref, in.divert, &b->out);
  b->divert = in.divert;
  return true;
}

bool dtbl_bench_check_counters(dtbl_bench *b) {
  uint64_t values[DTBL_CNT_COUNT], later[DTBL_CNT_COUNT];
  static const char *const names[] = {
#define X(name) #name,
      DTBL_COUNTERS(X)
#undef X
  };
  if (parameter(b, "CounterBits") == 0) return true;
  if (wf_model_counter_count(b->model) != DTBL_CNT_COUNT) return dtbl_bench_fail(b, "unit.ini names another number of counters");
  wf_port_set(b->p.kern_valid_i, 0);
  wf_port_set(b->p.agg_valid_i, 0);
  wf_port_set(b->p.done_valid_i, 0);
  wf_port_set(b->p.rsp_valid_i, 0);
  if (wf_model_counters_read(b->model, values) != WF_MODEL_OK) return dtbl_bench_fail(b, "%s", wf_model_last_error(b->model));
  uint64_t mask = UINT64_MAX >> (64 - parameter(b, "CounterBits"));
  for (unsigned i = 0; i < DTBL_CNT_COUNT; i++)
    if (values[i] != (b->ref.counter[i] & mask))
      return dtbl_bench_fail(b, "counter %s is %llu, the model says %llu", names[i], (unsigned long long)values[i],
                             (unsigned long long)b->ref.counter[i]);
  for (unsigned i = 0; i < 3; i++) /* an idle unit: nothing happens at these edges */
    if (wf_model_edge(b->model) != WF_MODEL_OK) return dtbl_bench_fail(b, "%s", wf_model_last_error(b->model));
  if (wf_model_counters_fetch(b->model, later) != WF_MODEL_OK || memcmp(later, values, sizeof values) != 0)
    return dtbl_bench_fail(b, "counters change after their snapshot");
  for (unsigned i = DTBL_CNT_COUNT; i < 32; i++) { /* an index without a counter reads 0 */
    wf_port_set(b->p.cnt_index_i, i);
    if (wf_model_settle(b->model) != WF_MODEL_OK || wf_port_get(b->p.cnt_value_o) != 0)
      return dtbl_bench_fail(b, "counter %u, which is none, is not 0", i);
  }
  return true;
}

bool dtbl_bench_clear_counters(dtbl_bench *b) {
  if (parameter(b, "CounterBits") == 0) return true;
  if (wf_model_counters_clear(b->model) != WF_MODEL_OK) return dtbl_bench_fail(b, "%s", wf_model_last_error(b->model));
  memset(b->ref.counter, 0, sizeof b->ref.counter);
  return true;
}
