#include "tb/mshr/mshr_bench.h"

#include <string.h>

static bool open(void *bench, wf_error *err) {
  mshr_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return mshr_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  mshr_bench *b = bench;
  for (unsigned e = 0; e < MSHR_MOST_ENTRIES; e++) b->waiting[e].n = 0;
  b->used = b->done.n = 0;
  b->taken = b->last_filled = b->last_refused = false;
  memset(b->counter, 0, sizeof b->counter);
}

static void drive(void *bench, const void *offer) {
  static const mshr_offer nothing = {0};
  const mshr_offer *o = offer ? offer : &nothing;
  mshr_bench *b = bench;
  const mshr_ports *p = &b->p;
  wf_port_set(p->req_valid, o->request);
  wf_port_set(p->fill_valid, o->fill);
  wf_port_set(p->fill_entry, o->entry);
  wf_port_set(p->req_line, o->line);
  wf_port_set(p->req_sub, o->sub);
  if (!o->request) wf_bench_garbage(&b->base, &p->req_line, &p->req_sub);
  if (!o->fill) wf_bench_garbage(&b->base, &p->fill_entry, &p->fill_entry);
}

static bool same(mshr_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

/* ---- reference model: section 4.1 of the source, an entry for each line that is waited for ----
 */

unsigned mshr_bench_find(const mshr_bench *b, uint64_t line) {
  for (unsigned e = 0; e < b->shape.entries; e++)
    if (b->waiting[e].n && b->waiting[e].line == line) return e;
  return MSHR_NONE;
}

static void take_fill(mshr_bench *b, const mshr_offer *o) {
  uint64_t *bin = b->base.bin;
  mshr_waiting *w = &b->waiting[o->entry];
  b->done = *w;
  w->n = 0;
  b->counter[MSHR_CNT_fills]++;
  b->counter[MSHR_CNT_answered] += b->done.n;
  if (b->done.n == 1) bin[MSHR_BIN_fill_of_one]++;
  if (b->done.n == b->shape.merge) bin[MSHR_BIN_fill_of_all]++;
  if (b->last_filled) bin[MSHR_BIN_fills_in_a_row]++;
  if (!o->request) bin[MSHR_BIN_fill_alone]++;
}

static void merge(mshr_bench *b, const mshr_offer *o, unsigned entry) {
  uint64_t *bin = b->base.bin;
  mshr_waiting *w = &b->waiting[entry];
  w->sub[w->n++] = o->sub;
  b->counter[MSHR_CNT_merged]++;
  bin[MSHR_BIN_merged]++;
  if (w->n == b->shape.merge) bin[MSHR_BIN_merged_last]++;
  if (b->used == b->shape.entries) bin[MSHR_BIN_merged_though_full]++;
  if (o->fill) bin[MSHR_BIN_merged_as_another_filled]++;
}

/* Which free entry it takes is the file's own affair. */
static void enter(mshr_bench *b, const mshr_offer *o, unsigned used_before) {
  uint64_t *bin = b->base.bin;
  const unsigned entry = (unsigned)wf_port_get(b->p.req_entry);
  if (entry >= b->shape.entries || b->waiting[entry].n) {
    wf_bench_fail(&b->base, "a new line gets entry %u, which is not free", entry);
    return;
  }
  b->counter[MSHR_CNT_in_use] += used_before;
  b->counter[MSHR_CNT_new]++;
  b->waiting[entry] = (mshr_waiting){.line = o->line, .n = 1, .sub = {o->sub}};
  b->used++;
  b->entry = entry;
  bin[MSHR_BIN_new]++;
  if (o->fill && b->done.line == o->line) bin[MSHR_BIN_line_asked_as_filled]++;
  if (o->fill && used_before == b->shape.entries) bin[MSHR_BIN_entry_taken_as_filled]++;
}

static void take_request(mshr_bench *b, const mshr_offer *o, unsigned used_before) {
  uint64_t *bin = b->base.bin;
  const unsigned at = mshr_bench_find(b, o->line);
  const bool merges = at != MSHR_NONE, full = b->used == b->shape.entries;
  const bool merge_full = merges && b->waiting[at].n == b->shape.merge;
  b->taken = merges ? !merge_full : !full;
  if (!same(b, b->p.req_ready, b->taken) || !same(b, b->p.req_new, !merges) ||
      (merges && !same(b, b->p.req_entry, at)))
    return;
  b->entry = at;
  if (b->taken && merges) merge(b, o, at);
  if (b->taken && !merges) enter(b, o, used_before);
  b->counter[MSHR_CNT_full] += !merges && full;
  b->counter[MSHR_CNT_merge_full] += merge_full;
  if (!merges && full) bin[MSHR_BIN_full]++;
  if (merge_full) bin[full ? MSHR_BIN_merge_full_and_full : MSHR_BIN_merge_full]++;
}

/* The answers of this cycle are there before its edge. */
static void model(void *bench, const void *offer) {
  static const mshr_offer nothing = {0};
  const mshr_offer *o = offer ? offer : &nothing;
  mshr_bench *b = bench;
  const unsigned used_before = b->used;
  b->done.n = 0;
  b->taken = false;
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return;
  if (b->last_refused && !o->request) b->base.bin[MSHR_BIN_withdrawn]++;
  if (o->fill) {
    take_fill(b, o);
    b->used--;
  }
  if (o->request) take_request(b, o, used_before);
  b->last_filled = o->fill;
  b->last_refused = o->request && !b->taken;
}

static bool compare(void *bench) {
  mshr_bench *b = bench;
  const mshr_ports *p = &b->p;
  const unsigned bits = b->shape.sub_bits, seen = bits < 64 ? bits : 64;
  const uint64_t mask = seen < 64 ? (UINT64_C(1) << seen) - 1 : UINT64_MAX;
  if (b->base.failure[0]) return false;
  for (unsigned i = 0; i < b->done.n; i++) {
    const uint64_t sub = wf_port_get_bits(p->done_subs, i * bits, seen);
    if (sub != (b->done.sub[i] & mask))
      return wf_bench_fail(&b->base, "subentry %u is %llx, not %llx", i, (unsigned long long)sub,
                           (unsigned long long)(b->done.sub[i] & mask));
  }
  return same(b, p->fill_ready, 1) && same(b, p->done_valid, b->done.n != 0) &&
         (!b->done.n || same(b, p->done_count, b->done.n)) &&
         same(b, p->empty, !b->used && !b->done.n) && same(b, p->idle, !b->done.n);
}

static const wf_port *idle(const void *bench) {
  return ((const mshr_bench *)bench)->p.idle;
}

#define FIELD(f) offsetof(mshr_bench, f)
static const wf_edge_parameter parameters[] = {{"Entries", FIELD(shape.entries)},
                                               {"Merge", FIELD(shape.merge)},
                                               {"LineBits", FIELD(shape.line_bits)},
                                               {"SubBits", FIELD(shape.sub_bits)},
                                               {0}};
static const wf_edge_class edge = {.parameters = parameters,
                                   .drive = drive,
                                   .model = model,
                                   .compare = compare,
                                   .idle = idle,
                                   .most = 2};
static const char *const bins[] = {MSHR_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {MSHR_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class mshr_bench_class = {.unit = "mshr",
                                         .bytes = sizeof(mshr_bench),
                                         .open = open,
                                         .reset = reset,
                                         .rest = wf_edge_rest,
                                         .after = wf_edge_quiet,
                                         .edge = &edge,
                                         .bins = bins,
                                         .counters = counters,
                                         .n_bins = MSHR_BIN_COUNT,
                                         .n_counters = MSHR_CNT_COUNT};
