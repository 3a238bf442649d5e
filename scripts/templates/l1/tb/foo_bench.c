#include "tb/foo/foo_bench.h"

#include <string.h>

static bool open(void *bench, wf_error *err) {
  foo_bench *b = bench;
  b->ways = wf_bench_parameter(bench, "Ways");
  b->base.counted = b->counter;
  return foo_ports_bind(&b->p, b->base.model, err);
}

void foo_bench_configure(foo_bench *b, bool bypass) {
  b->bypass = bypass;
  wf_port_set(b->p.bypass, bypass);
}

static void reset(void *bench) {
  foo_bench *b = bench;
  memset(&b->answer, 0, sizeof b->answer);
  memset(b->counter, 0, sizeof b->counter);
  foo_bench_configure(b, b->bypass);
}

/* ---- reference model ---- */

static bool may_have(const foo_request *r, unsigned way) {
  return !(r->reserved >> way & 1);
}

/* The last invalid way, else the oldest; false: none may be had. */
static bool choose(const foo_bench *b, const foo_request *r, unsigned *way) {
  bool found = false, invalid = false;
  for (unsigned w = 0; w < b->ways; w++) {
    if (!may_have(r, w)) continue;
    const bool empty = r->invalid >> w & 1;
    if (empty || (!invalid && (!found || r->rank[w] > r->rank[*way]))) *way = w;
    found = true;
    invalid |= empty;
  }
  return found;
}

static void model(foo_bench *b, bool load, const foo_request *r) {
  uint64_t *bin = b->base.bin;
  unsigned way = 0;
  b->answer.load = load;
  b->answer.bypass = b->bypass;
  b->answer.request = r != NULL;
  b->answer.alloc = r && r->miss && choose(b, r, &way);
  b->answer.way = way;
  b->counter[0] += load;
  b->counter[1] += r != NULL;
  b->counter[2] += r && r->miss;
  b->counter[3] += b->answer.alloc;
  if (load) bin[b->bypass ? FOO_BIN_load_bypassed : FOO_BIN_load_cached]++;
  if (load && r) bin[FOO_BIN_both_at_once]++;
  if (!r) return;
  if (!r->miss)
    bin[FOO_BIN_hit]++;
  else if (!b->answer.alloc)
    bin[FOO_BIN_miss_refused]++;
  else
    bin[r->invalid >> way & 1 ? FOO_BIN_miss_takes_invalid : FOO_BIN_miss_takes_oldest]++;
}

/* ---- driving and comparing ---- */

static void drive(foo_bench *b, bool load, const foo_request *r) {
  const foo_ports *p = &b->p;
  const unsigned bits = p->acc_rsp_way->width;
  uint64_t ranks = 0;
  wf_port_set(p->ld_valid, load);
  wf_port_set(p->acc_valid, r != NULL);
  if (!r) {
    wf_bench_garbage(&b->base, &p->acc_miss, &p->acc_rank);
    return;
  }
  for (unsigned w = 0; w < b->ways; w++) ranks |= (uint64_t)r->rank[w] << (w * bits);
  wf_port_set(p->acc_miss, r->miss);
  wf_port_set(p->acc_invalid, r->invalid);
  wf_port_set(p->acc_reserved, r->reserved);
  wf_port_set(p->acc_rank, ranks);
}

static bool same(foo_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(foo_bench *b) {
  const foo_ports *p = &b->p;
  return same(b, p->ld_ready, 1) && same(b, p->acc_ready, 1) &&
         same(b, p->ld_rsp_valid, b->answer.load) &&
         (!b->answer.load || same(b, p->ld_rsp_bypass, b->answer.bypass)) &&
         same(b, p->acc_rsp_valid, b->answer.request) &&
         (!b->answer.request || same(b, p->acc_rsp_alloc, b->answer.alloc)) &&
         (!b->answer.alloc || same(b, p->acc_rsp_way, b->answer.way)) &&
         same(b, p->idle, !b->answer.load && !b->answer.request);
}

bool foo_bench_cycle(foo_bench *b, bool load, const foo_request *request) {
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  drive(b, load, request);
  if (!load && !request && wf_port_get(b->p.idle) && wf_bench_gated(&b->base)) return true;
  model(b, load, request);
  return wf_bench_ok(&b->base, wf_model_edge(b->base.model)) && compare(b);
}

bool foo_bench_rest(void *bench) {
  return foo_bench_cycle(bench, false, NULL) && foo_bench_cycle(bench, false, NULL);
}

static bool quiet_edge(void *bench) {
  return foo_bench_cycle(bench, false, NULL);
}

static const char *const bins[] = {FOO_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {FOO_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class foo_bench_class = {.unit = "foo",
                                        .bytes = sizeof(foo_bench),
                                        .open = open,
                                        .reset = reset,
                                        .rest = foo_bench_rest,
                                        .after = quiet_edge,
                                        .bins = bins,
                                        .counters = counters,
                                        .n_bins = FOO_BIN_COUNT,
                                        .n_counters = 4};
