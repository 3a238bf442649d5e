#include "tb/region/slice/slice_bench.h"

#include <string.h>

static bool open(void *bench, wf_error *err) {
  slice_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return slice_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  slice_bench *b = bench;
  memset(b->line, 0, sizeof b->line);
  memset(b->flight, 0, sizeof b->flight);
  memset(&b->answer, 0, sizeof b->answer);
  memset(&b->next, 0, sizeof b->next);
  memset(b->counter, 0, sizeof b->counter);
  b->inside = b->had_last = false;
}

/* ---- reference model: R-Exclusion at the L2, as the thesis' section 4.3 has it ---- */

static void count(slice_bench *b, slice_counter counter, bool when) {
  b->counter[counter] += when;
}

static void bin(slice_bench *b, slice_bin which, bool when) {
  b->base.bin[which] += when;
}

/* The core that brought the line finds it private, another shared. A line that an L1 sent back goes
 * to that L1 again. */
static slice_answer hit(slice_bench *b, slice_line *l, const slice_op *op) {
  const bool own = l->core == op->core;
  if (own)
    l->own = true;
  else
    l->shared = true;
  const slice_answer a = {.valid = op->asks,
                          .leaves = l->copied && own && op->keeps,
                          .shared = l->shared,
                          .own = l->own};
  count(b, own ? SLICE_CNT_hits_own : SLICE_CNT_hits_other, true);
  count(b, SLICE_CNT_leaves, a.leaves);
  bin(b, own ? SLICE_BIN_hit_own : SLICE_BIN_hit_other, true);
  bin(b, own ? SLICE_BIN_hit_copied_own : SLICE_BIN_hit_copied_other, l->copied && op->keeps);
  bin(b, SLICE_BIN_hit_copied_not_kept, l->copied && own && !op->keeps);
  bin(b, SLICE_BIN_hit_both, l->own && l->shared);
  return a;
}

static slice_answer join(slice_bench *b, const slice_op *op) {
  const bool other = b->flight[op->mshr].core != op->core;
  if (other) b->flight[op->mshr].shared = true;
  count(b, SLICE_CNT_joins_other, other);
  bin(b, other ? SLICE_BIN_join_other : SLICE_BIN_join_own, true);
  return (slice_answer){.valid = op->asks, .past = op->past, .shared = b->flight[op->mshr].shared};
}

static slice_answer miss(slice_bench *b, const slice_op *op) {
  b->flight[op->mshr].open = true;
  b->flight[op->mshr].core = op->core;
  b->flight[op->mshr].shared = false;
  bin(b, !op->asks ? SLICE_BIN_atomic_miss : op->past ? SLICE_BIN_miss_past : SLICE_BIN_miss, true);
  return (slice_answer){.valid = op->asks, .past = op->past};
}

static void comes(slice_bench *b, slice_line *l, const slice_op *op) {
  const bool fill = op->kind == SLICE_FILL;
  *l = (slice_line){.there = true,
                    .copied = op->kind == SLICE_VICTIM,
                    .core = fill ? b->flight[op->mshr].core : op->core,
                    .shared = fill && b->flight[op->mshr].shared};
  count(b,
        fill                       ? SLICE_CNT_fills
        : op->kind == SLICE_VICTIM ? SLICE_CNT_victims
                                   : SLICE_CNT_stores,
        true);
  bin(b,
      fill                       ? (l->shared ? SLICE_BIN_fill_shared : SLICE_BIN_fill_plain)
      : op->kind == SLICE_VICTIM ? SLICE_BIN_victim
                                 : SLICE_BIN_store,
      true);
}

static void at_once(slice_bench *b, const slice_op *op) {
  const slice_op *l = &b->last;
  if (!b->had_last) return;
  bin(b, l->set == op->set && l->way == op->way ? SLICE_BIN_way_at_once : SLICE_BIN_set_at_once,
      l->set == op->set);
  bin(b, SLICE_BIN_mshr_at_once, l->mshr == op->mshr);
}

static void model(void *bench, const void *offer) {
  slice_bench *b = bench;
  const slice_op *op = offer;
  b->answer = b->next;
  b->next = (slice_answer){0};
  b->inside = op != NULL;
  if (op) {
    slice_line *l = &b->line[op->set][op->way];
    at_once(b, op);
    switch (op->kind) {
    case SLICE_HIT:
      b->next = hit(b, l, op);
      break;
    case SLICE_MISS:
      b->next = miss(b, op);
      break;
    case SLICE_JOIN:
      b->next = join(b, op);
      break;
    default:
      comes(b, l, op);
    }
    count(b, SLICE_CNT_questions, b->next.valid);
    count(b, SLICE_CNT_past, b->next.valid && b->next.past);
    b->last = *op;
  }
  b->had_last = op != NULL;
}

/* ---- driving and comparing ---- */

static void drive(void *bench, const void *offer) {
  slice_bench *b = bench;
  const slice_ports *p = &b->p;
  const slice_op *op = offer;
  wf_port_set(p->acc_valid, op != NULL);
  if (!op) {
    wf_bench_garbage(&b->base, &p->acc_kind, &p->acc_keeps);
    return;
  }
  wf_port_set(p->acc_kind, op->kind);
  wf_port_set(p->acc_asks, op->asks);
  wf_port_set(p->acc_set, op->set);
  wf_port_set(p->acc_way, op->way);
  wf_port_set(p->acc_mshr, op->mshr);
  wf_port_set(p->acc_core, op->core);
  wf_port_set(p->acc_past, op->past);
  wf_port_set(p->acc_keeps, op->keeps);
}

static bool compare(void *bench) {
  slice_bench *b = bench;
  const slice_ports *p = &b->p;
  const slice_answer *a = &b->answer;
  wf_bench *base = &b->base;
  return wf_bench_same(base, p->acc_ready, 1) && wf_bench_same(base, p->acc_rsp_valid, a->valid) &&
         (!a->valid || (wf_bench_same(base, p->acc_rsp_past, a->past) &&
                        wf_bench_same(base, p->acc_rsp_leaves, a->leaves) &&
                        wf_bench_same(base, p->acc_rsp_shared, a->shared) &&
                        wf_bench_same(base, p->acc_rsp_private, a->own))) &&
         wf_bench_same(base, p->idle, !a->valid && !b->inside);
}

static const wf_port *idle(const void *bench) {
  return ((const slice_bench *)bench)->p.idle;
}

bool slice_bench_ask(slice_bench *b, const slice_op *op, slice_answer *answer) {
  if (!wf_edge(b, op) || !wf_edge(b, NULL)) return false;
  *answer = b->answer;
  return true;
}

#define FIELD(f) offsetof(slice_bench, f)
static const wf_edge_parameter parameters[] = {{"Sets", FIELD(sets)},
                                               {"Ways", FIELD(ways)},
                                               {"Mshrs", FIELD(mshrs)},
                                               {"CoreBits", FIELD(core_bits)},
                                               {0}};
static const wf_edge_class edge = {.parameters = parameters,
                                   .drive = drive,
                                   .model = model,
                                   .compare = compare,
                                   .idle = idle,
                                   .most = 3};
static const char *const bins[] = {SLICE_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {SLICE_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class slice_bench_class = {.unit = "region_slice",
                                          .bytes = sizeof(slice_bench),
                                          .open = open,
                                          .reset = reset,
                                          .rest = wf_edge_rest,
                                          .after = wf_edge_quiet,
                                          .edge = &edge,
                                          .bins = bins,
                                          .counters = counters,
                                          .n_bins = SLICE_BIN_COUNT,
                                          .n_counters = SLICE_CNT_COUNT};
