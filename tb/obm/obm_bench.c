#include "tb/obm/obm_bench.h"

#include <string.h>

static bool open(void *bench, wf_error *err) {
  obm_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return obm_ports_bind(&b->p, b->base.model, err);
}

void obm_bench_seed(obm_bench *b, uint16_t seed) {
  b->seed = seed;
  wf_port_set(b->p.seed, seed);
}

static void forget_pairs(obm_bench *b) {
  for (unsigned s = 0; s < b->shape.sets; s++) b->pair[s].open = false;
}

static void reset(void *bench) {
  obm_bench *b = bench;
  forget_pairs(b);
  for (unsigned i = 0; i < OBM_MOST_IDS; i++) b->count[i] = (1u << (b->shape.count_bits - 1)) - 1;
  b->draw = 1;
  memset(&b->answer, 0, sizeof b->answer);
  memset(&b->next, 0, sizeof b->next);
  memset(b->counter, 0, sizeof b->counter);
  obm_bench_seed(b, b->seed);
}

/* ---- reference model: the thesis' section 4.5, a pair for each set ---- */

static uint32_t fold(uint64_t value, unsigned bits, unsigned of) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < of; i += bits) sum ^= value >> i;
  return (uint32_t)(sum & ((UINT64_C(1) << bits) - 1));
}

static void teach(obm_bench *b, uint32_t id, int by) {
  const unsigned most = (1u << b->shape.count_bits) - 1;
  if (by > 0 && b->count[id] == most) b->base.bin[OBM_BIN_count_full]++;
  if (by < 0 && b->count[id] == 0) b->base.bin[OBM_BIN_count_empty]++;
  if (by > 0 && b->count[id] < most) b->count[id]++;
  if (by < 0 && b->count[id] > 0) b->count[id]--;
}

static void decide(obm_bench *b, obm_pair *pair, int ib, int vb, obm_bin bin) {
  b->base.bin[bin]++;
  if (vb && pair->ib_id == pair->vb_id) {
    b->base.bin[OBM_BIN_one_pc]++;
  } else {
    teach(b, pair->ib_id, ib);
    if (vb) teach(b, pair->vb_id, vb);
  }
  pair->open = false;
}

/* The first of IB and VB that is asked for decides, or that IB is replaced. */
static void learn(obm_bench *b, obm_pair *pair, uint32_t line, bool replaces, uint32_t victim) {
  if (!pair->open) return;
  if (line == pair->ib) {
    b->counter[OBM_CNT_ib_asked]++;
    decide(b, pair, -1, 1, OBM_BIN_ib_asked);
  } else if (line == pair->vb) {
    b->counter[OBM_CNT_vb_asked]++;
    decide(b, pair, 1, -1, OBM_BIN_vb_asked);
  } else if (replaces && victim == pair->ib) {
    b->counter[OBM_CNT_ib_gone]++;
    decide(b, pair, 1, 0, OBM_BIN_ib_gone);
  }
}

static void draw_pair(obm_bench *b, obm_pair *pair, bool was_open, obm_pair fresh) {
  const unsigned feedback = b->draw >> 15 ^ b->draw >> 13 ^ b->draw >> 12 ^ b->draw >> 10;
  const bool drawn = (b->draw & ((1u << b->shape.draw_bits) - 1)) == 0;
  b->draw = (uint16_t)(b->draw << 1 | (feedback & 1));
  if (!drawn) return;
  b->last_made = true;
  b->counter[OBM_CNT_pairs]++;
  b->base.bin[OBM_BIN_pair_made]++;
  if (pair->open) b->counter[OBM_CNT_forgotten]++, b->base.bin[OBM_BIN_forgotten]++;
  if (was_open && !pair->open) b->base.bin[OBM_BIN_decided_and_made]++;
  *pair = fresh;
}

static void model(void *bench, const void *offer) {
  const obm_request *r = offer;
  obm_bench *b = bench;
  uint64_t *bin = b->base.bin;
  const bool last_made = b->last_made;
  b->answer = b->next;
  b->next.valid = r != NULL;
  b->last_made = false;
  if (!r) {
    b->last_set = UINT32_MAX;
    return;
  }
  const uint32_t id = fold(r->pc, b->shape.id_bits, b->shape.pc_bits),
                 line = fold(r->line, b->shape.hash_bits, b->shape.line_bits),
                 victim = fold(r->victim_line, b->shape.hash_bits, b->shape.line_bits);
  obm_pair *pair = &b->pair[r->set];
  const bool there = r->miss && r->victim, was_open = pair->open;
  const bool says_past = there && b->count[id] >> (b->shape.count_bits - 1);
  const bool past = says_past && !r->keep;
  if (r->set == b->last_set) bin[OBM_BIN_same_set_at_once]++;
  if (r->set == b->last_set && last_made) bin[OBM_BIN_pair_in_use_at_once]++;
  b->last_set = r->set;
  b->next.past = past;
  b->counter[OBM_CNT_requests]++;
  b->counter[OBM_CNT_misses] += r->miss;
  b->counter[OBM_CNT_past] += past;
  bin[!r->miss    ? OBM_BIN_hit
      : !there    ? OBM_BIN_miss_into_empty
      : past      ? OBM_BIN_miss_goes_past
      : says_past ? OBM_BIN_would_go_past
                  : OBM_BIN_miss_enters]++;
  const obm_pair fresh = {.open = true,
                          .ib = line,
                          .vb = victim,
                          .ib_id = id,
                          .vb_id = there ? b->owner[r->set][r->victim_way] : 0};
  learn(b, pair, line, there && !past, victim);
  if (there) draw_pair(b, pair, was_open, fresh);
  if (r->miss && !past) b->owner[r->set][r->victim_way] = id;
}

/* ---- driving and comparing ---- */

static void drive(void *bench, const void *offer) {
  const obm_request *r = offer;
  obm_bench *b = bench;
  const obm_ports *p = &b->p;
  wf_port_set(p->acc_valid, r != NULL);
  if (!r) {
    wf_bench_garbage(&b->base, &p->acc_pc, &p->acc_vline);
    return;
  }
  wf_port_set(p->acc_pc, r->pc);
  wf_port_set(p->acc_line, r->line);
  wf_port_set(p->acc_set, r->set);
  wf_port_set(p->acc_miss, r->miss);
  wf_port_set(p->acc_keep, r->keep);
  wf_port_set(p->acc_vway, r->victim_way);
  wf_port_set(p->acc_vvalid, r->victim);
  wf_port_set(p->acc_vline, r->victim_line);
}

static bool same(obm_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(void *bench) {
  obm_bench *b = bench;
  const obm_ports *p = &b->p;
  return same(b, p->acc_ready, 1) && same(b, p->acc_rsp_valid, b->answer.valid) &&
         (!b->answer.valid || same(b, p->acc_rsp_past, b->answer.past)) &&
         same(b, p->idle, !b->answer.valid && !b->next.valid);
}

static const wf_port *idle(const void *bench) {
  return ((const obm_bench *)bench)->p.idle;
}

bool obm_bench_ask(obm_bench *b, const obm_request *request, bool *past) {
  if (!wf_edge(b, request) || !wf_edge(b, NULL)) return false;
  *past = wf_port_get(b->p.acc_rsp_valid) && wf_port_get(b->p.acc_rsp_past);
  return true;
}

bool obm_bench_clear(obm_bench *b) {
  if (!wf_edge_rest(b)) return false;
  wf_port_set(b->p.clear, 1);
  forget_pairs(b);
  b->draw = b->seed ? b->seed : 1;
  b->base.bin[OBM_BIN_cleared]++;
  b->base.cycle++;
  model(b, NULL);
  const bool well = wf_bench_ok(&b->base, wf_model_edge(b->base.model)) && compare(b);
  wf_port_set(b->p.clear, 0);
  return well;
}

#define FIELD(f) offsetof(obm_bench, f)
static const wf_edge_parameter parameters[] = {{"Sets", FIELD(shape.sets)},
                                               {"Ways", FIELD(shape.ways)},
                                               {"LineBits", FIELD(shape.line_bits)},
                                               {"PcBits", FIELD(shape.pc_bits)},
                                               {"HashBits", FIELD(shape.hash_bits)},
                                               {"PcIdBits", FIELD(shape.id_bits)},
                                               {"CountBits", FIELD(shape.count_bits)},
                                               {"DrawBits", FIELD(shape.draw_bits)},
                                               {0}};
static const wf_edge_class edge = {.parameters = parameters,
                                   .drive = drive,
                                   .model = model,
                                   .compare = compare,
                                   .idle = idle,
                                   .most = 3};
static const char *const bins[] = {OBM_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {OBM_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class obm_bench_class = {.unit = "obm",
                                        .bytes = sizeof(obm_bench),
                                        .open = open,
                                        .reset = reset,
                                        .rest = wf_edge_rest,
                                        .after = wf_edge_quiet,
                                        .edge = &edge,
                                        .bins = bins,
                                        .counters = counters,
                                        .n_bins = OBM_BIN_COUNT,
                                        .n_counters = OBM_CNT_COUNT};
