#include "tb/flexcl/flexcl_bench.h"

#include <string.h>

static unsigned half(const flexcl_bench *b) {
  return 1u << (b->psel_bits - 1);
}

static bool open(void *bench, wf_error *err) {
  flexcl_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return flexcl_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  flexcl_bench *b = bench;
  b->psel = half(b);
  b->flipped = false;
  memset(&b->answer, 0, sizeof b->answer);
  memset(&b->next, 0, sizeof b->next);
  memset(b->counter, 0, sizeof b->counter);
}

/* ---- reference model: flexclusion by duelling sets, as the thesis' section 4.2 has it ---- */

typedef enum policy { FOLLOWS, NON_INCLUSIVE, EXCLUSIVE } policy;

/* Of the slice's sets every sets / leaders begins a group: its first is non-inclusive, the one in
 * the middle exclusive. */
static policy policy_of(const flexcl_bench *b, unsigned set) {
  for (unsigned k = 0; k < b->leaders; k++) {
    const unsigned first = k * b->sets / b->leaders;
    if (set == first) return NON_INCLUSIVE;
    if (set == first + b->sets / (2 * b->leaders)) return EXCLUSIVE;
  }
  return FOLLOWS;
}

/* A miss of a leading set speaks against its policy. */
static void duel(flexcl_bench *b, policy of) {
  const unsigned most = (1u << b->psel_bits) - 1, before = b->psel;
  const bool was = before > half(b);
  if (of == NON_INCLUSIVE) {
    b->counter[FLEXCL_CNT_up]++;
    if (b->psel < most) b->psel++;
  } else {
    b->counter[FLEXCL_CNT_down]++;
    if (b->psel > 0) b->psel--;
  }
  if (b->psel == before) {
    b->counter[FLEXCL_CNT_stuck]++;
    b->base.bin[before ? FLEXCL_BIN_full : FLEXCL_BIN_empty]++;
  }
  const bool is = b->psel > half(b);
  if (is == was) return;
  b->counter[FLEXCL_CNT_flips]++;
  b->base.bin[is ? FLEXCL_BIN_becomes_excl : FLEXCL_BIN_becomes_non]++;
  b->flipped = true;
}

static bool says(const flexcl_bench *b, policy of, const flexcl_request *r) {
  if (!r->keeps) return false;
  return of == FOLLOWS ? b->psel > half(b) : of == EXCLUSIVE;
}

static void model(void *bench, const void *offer) {
  const flexcl_request *r = offer;
  flexcl_bench *b = bench;
  uint64_t *bin = b->base.bin;
  const bool flipped = b->flipped;
  b->answer = b->next;
  b->next.valid = r != NULL;
  b->flipped = false;
  if (!r) return;
  const policy of = policy_of(b, r->set);
  b->next.excl = says(b, of, r);
  b->counter[FLEXCL_CNT_requests]++;
  b->counter[FLEXCL_CNT_misses] += r->miss;
  b->counter[FLEXCL_CNT_kept] += r->keeps;
  b->counter[FLEXCL_CNT_exclusive] += b->next.excl;
  bin[of == NON_INCLUSIVE ? FLEXCL_BIN_non_leader
      : of == EXCLUSIVE   ? FLEXCL_BIN_excl_leader
                          : FLEXCL_BIN_follower]++;
  if (!r->keeps) bin[FLEXCL_BIN_not_kept]++;
  if (of == FOLLOWS && r->keeps)
    bin[b->next.excl ? FLEXCL_BIN_follows_excl : FLEXCL_BIN_follows_non]++;
  if (of == FOLLOWS && flipped) bin[FLEXCL_BIN_used_at_once]++;
  if (of != FOLLOWS && !r->miss) bin[FLEXCL_BIN_leader_hit]++;
  if (of != FOLLOWS && r->miss) duel(b, of);
}

/* ---- driving and comparing ---- */

static void drive(void *bench, const void *offer) {
  const flexcl_request *r = offer;
  flexcl_bench *b = bench;
  const flexcl_ports *p = &b->p;
  wf_port_set(p->acc_valid, r != NULL);
  if (!r) {
    wf_bench_garbage(&b->base, &p->acc_set, &p->acc_keeps);
    return;
  }
  wf_port_set(p->acc_set, r->set);
  wf_port_set(p->acc_miss, r->miss);
  wf_port_set(p->acc_keeps, r->keeps);
}

static bool same(flexcl_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(void *bench) {
  flexcl_bench *b = bench;
  const flexcl_ports *p = &b->p;
  return same(b, p->acc_ready, 1) && same(b, p->acc_rsp_valid, b->answer.valid) &&
         (!b->answer.valid || same(b, p->acc_rsp_excl, b->answer.excl)) &&
         same(b, p->idle, !b->answer.valid && !b->next.valid);
}

static const wf_port *idle(const void *bench) {
  return ((const flexcl_bench *)bench)->p.idle;
}

bool flexcl_bench_ask(flexcl_bench *b, const flexcl_request *request, bool *excl) {
  if (!wf_edge(b, request) || !wf_edge(b, NULL)) return false;
  *excl = wf_port_get(b->p.acc_rsp_valid) && wf_port_get(b->p.acc_rsp_excl);
  return true;
}

#define FIELD(f) offsetof(flexcl_bench, f)
static const wf_edge_parameter parameters[] = {
    {"Sets", FIELD(sets)}, {"Leaders", FIELD(leaders)}, {"PselBits", FIELD(psel_bits)}, {0}};
static const wf_edge_class edge = {.parameters = parameters,
                                   .drive = drive,
                                   .model = model,
                                   .compare = compare,
                                   .idle = idle,
                                   .most = 3};
static const char *const bins[] = {FLEXCL_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {FLEXCL_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class flexcl_bench_class = {.unit = "flexcl",
                                           .bytes = sizeof(flexcl_bench),
                                           .open = open,
                                           .reset = reset,
                                           .rest = wf_edge_rest,
                                           .after = wf_edge_quiet,
                                           .edge = &edge,
                                           .bins = bins,
                                           .counters = counters,
                                           .n_bins = FLEXCL_BIN_COUNT,
                                           .n_counters = FLEXCL_CNT_COUNT};
