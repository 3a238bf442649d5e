#include "tb/spref/edge/edge_bench.h"

#include <string.h>

enum { ACTS = 4 }; /* edges */

static bool open(void *bench, wf_error *err) {
  edge_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return spref_edge_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  edge_bench *b = bench;
  b->has_in = b->counted = false;
  b->seen = (edge_tests){0};
  b->told = b->issued = b->heard = b->beside = b->was_ld = 0;
  b->last_load = b->last_next = b->next = -1;
  b->beats = 0;
  memset(b->acts_in, 0, sizeof b->acts_in);
  memset(b->counter, 0, sizeof b->counter);
}

edge_says edge_bench_nothing(void) {
  return (edge_says){.quiet = true, .in_ready = true, .cnt_ready = true};
}

unsigned edge_bench_beats(const edge_bench *b) {
  return (b->lanes + b->cnt_lanes - 1) / b->cnt_lanes;
}

/* ---- reference model ---- */

static uint64_t bit(unsigned warp) {
  return (uint64_t)1 << warp;
}
static uint64_t bit_or_none(int warp) {
  return warp >= 0 ? bit((unsigned)warp) : 0;
}

static bool is_pre(const edge_tests *t, const edge_instruction *i) {
  return i->op == EDGE_SETP && t->pre_v && t->pre_pc == i->pc;
}
static bool is_test(const edge_tests *t, const edge_instruction *i) {
  return is_pre(t, i) || (i->op == EDGE_SETP && t->test_v && t->test_pc == i->pc);
}

/* Warps whose load waits to be told. */
static uint64_t untold(const edge_bench *b, const edge_says *s) {
  return s->load & ~b->told;
}

/* The first of them behind the last. */
static int behind(uint64_t warps, int last) {
  for (int w = last + 1; w < EDGE_WARPS; w++)
    if (warps >> w & 1) return w;
  return warps ? __builtin_ctzll(warps) : -1;
}

static bool waiting_branch(const edge_bench *b, unsigned warp) {
  return b->has_in && b->in.op == EDGE_BRANCH && b->in.warp == warp;
}

/* The register is empty, or is with this edge. */
static bool has_room(const edge_bench *b, const edge_says *s) {
  return !b->has_in || s->in_ready;
}

bool edge_bench_must(const edge_bench *b, const edge_says *s, unsigned k) {
  const edge_try *t = &s->tries[k];
  return !t->plain && (t->end || s->need >> k & 1 || is_test(&b->seen, &t->is) ||
                       b->acts_in[t->is.warp] || waiting_branch(b, t->is.warp));
}

bool edge_bench_may(const edge_bench *b, const edge_says *s, unsigned k) {
  if (!edge_bench_must(b, s, k)) return true;
  for (unsigned e = 0; e < k; e++)
    if (s->tries[e].goes && edge_bench_must(b, s, e)) return false;
  return has_room(b, s) && !untold(b, s) && !(b->beats && is_test(&b->seen, &s->tries[k].is));
}

const edge_instruction *edge_bench_told(const edge_bench *b, const edge_says *s) {
  for (unsigned k = 0; k < b->tries; k++)
    if (s->tries[k].goes && edge_bench_must(b, s, k) && edge_bench_may(b, s, k))
      return &s->tries[k].is;
  return NULL;
}

uint64_t edge_bench_stopped(const edge_bench *b, const edge_says *s) {
  return s->hold | s->ask | b->issued | b->heard;
}

/* What happens at this edge. */
typedef struct edge_seen {
  const edge_instruction *told; /* NULL: none */
  bool test;                    /* it is counted */
  int load;                     /* this warp's goes first; -1: none waits */
  bool take;                    /* it is told */
  bool goes, setp;              /* one of the tries does; and is a setp */
  uint64_t iss, asked;
  int next; /* -1: none */
  bool acts, comes, unseen, busy;
} edge_seen;

static void see_tries(const edge_bench *b, const edge_says *s, edge_seen *e) {
  e->iss = s->ld;
  for (unsigned k = 0; k < b->tries; k++) {
    if (!s->tries[k].goes) continue;
    e->goes = true;
    e->setp |= s->tries[k].is.op == EDGE_SETP;
    if (edge_bench_may(b, s, k)) e->iss |= bit(s->tries[k].is.warp);
  }
}

static edge_seen see(const edge_bench *b, const edge_says *s) {
  edge_seen e = {.told = edge_bench_told(b, s), .load = behind(untold(b, s), b->last_load)};
  e.test = e.told && is_test(&b->seen, e.told);
  e.take = e.load >= 0 && has_room(b, s);
  see_tries(b, s, &e);
  e.asked = (s->ask | b->issued) & ~bit_or_none(b->next);
  e.next = behind(e.asked & s->have, b->last_next);
  for (unsigned w = 0; w < b->warps; w++) e.acts |= b->acts_in[w] != 0;
  e.comes = b->has_in || b->beats || b->issued || s->ask || b->next >= 0;
  e.unseen = s->tests.test_v != b->seen.test_v || s->tests.pre_v != b->seen.pre_v;
  e.busy = e.comes || b->heard || b->beside || e.told || e.take || e.acts || s->ld || e.setp ||
           (s->wait && e.goes) || e.unseen;
  return e;
}

static void hit(edge_bench *b, edge_bin which, bool when) {
  b->base.bin[which] += when;
}

static void note_tries(edge_bench *b, const edge_says *s, const edge_seen *e) {
  for (unsigned k = 0; k < b->tries; k++) {
    const edge_try *t = &s->tries[k];
    const bool must = edge_bench_must(b, s, k), may = edge_bench_may(b, s, k);
    const bool seen = is_test(&b->seen, &t->is), is = is_test(&s->tests, &t->is);
    hit(b, EDGE_BIN_two_go, must && t->goes && e->told && &t->is != e->told);
    hit(b, EDGE_BIN_must_wait, must && !may);
    hit(b, EDGE_BIN_may_beside, !must && t->goes && (e->told || !has_room(b, s)));
    hit(b, EDGE_BIN_two_tests, b->beats && seen && has_room(b, s) && !untold(b, s));
    hit(b, EDGE_BIN_plain_goes, t->plain && t->goes && (b->acts_in[t->is.warp] || t->end));
    hit(b, EDGE_BIN_behind_branch, must && b->acts_in[t->is.warp]);
    hit(b, EDGE_BIN_behind_branch_last, must && b->acts_in[t->is.warp] == 1);
    hit(b, EDGE_BIN_behind_waiting_branch, must && waiting_branch(b, t->is.warp));
    hit(b, EDGE_BIN_load_before_tell, must && t->goes && !may && e->take);
    hit(b, EDGE_BIN_test_not_seen, t->goes && !t->plain && is && !seen);
    hit(b, EDGE_BIN_test_still_seen, &t->is == e->told && seen && !is);
  }
}

static void note(edge_bench *b, const edge_says *s, const edge_seen *e) {
  const uint64_t waits = untold(b, s);
  const bool stays = b->has_in && !s->in_ready, goes_in = b->has_in && s->in_ready;
  note_tries(b, s, e);
  hit(b, EDGE_BIN_told, e->told);
  hit(b, EDGE_BIN_told_behind_one, e->told && goes_in);
  hit(b, EDGE_BIN_told_counted, e->test);
  hit(b, EDGE_BIN_told_pre, e->test && is_pre(&b->seen, e->told));
  hit(b, EDGE_BIN_in_waits, stays);
  hit(b, EDGE_BIN_test_waits, stays && b->counted);
  hit(b, EDGE_BIN_branch_waits, stays && b->in.op == EDGE_BRANCH);
  hit(b, EDGE_BIN_load_told, e->take);
  hit(b, EDGE_BIN_load_behind_one, e->take && goes_in);
  hit(b, EDGE_BIN_load_waits_for_room, waits && stays);
  hit(b, EDGE_BIN_loads_wait, (waits & (waits - 1)) != 0);
  hit(b, EDGE_BIN_load_wraps, e->take && e->load <= b->last_load);
  hit(b, EDGE_BIN_load_again, e->take && b->was_ld >> e->load & 1);
  hit(b, EDGE_BIN_beat, b->beats && s->cnt_ready);
  hit(b, EDGE_BIN_beat_waits, b->beats && !s->cnt_ready);
  hit(b, EDGE_BIN_beat_before_test, b->beats && s->cnt_ready && stays && b->counted);
  hit(b, EDGE_BIN_issues, e->iss & ~s->ld & s->wait);
  hit(b, EDGE_BIN_load_issues, s->ld);
  hit(b, EDGE_BIN_issues_unheard, e->iss & ~s->wait & ~s->ld);
  hit(b, EDGE_BIN_held_beside, b->has_in && b->counted && (b->beside & ~bit(b->in.warp)));
  hit(b, EDGE_BIN_held_waits, b->beside && stays);
  hit(b, EDGE_BIN_held_untold, b->beside && !b->has_in);
  hit(b, EDGE_BIN_next_none, e->asked && e->next < 0);
  hit(b, EDGE_BIN_next_wraps, e->next >= 0 && e->next <= b->last_next);
  hit(b, EDGE_BIN_next_over_the_unknown, e->next >= 0 && behind(e->asked, b->last_next) != e->next);
  hit(b, EDGE_BIN_next_of_issued, e->next >= 0 && !(s->ask >> e->next & 1));
  hit(b, EDGE_BIN_next_not_again, (s->ask | b->issued) & s->have & bit_or_none(b->next));
  hit(b, EDGE_BIN_wakes, !e->comes && (s->stirs || !s->quiet));
  hit(b, EDGE_BIN_rests, !e->busy);
  hit(b, EDGE_BIN_rests_as_one_goes, !e->busy && e->goes);
}

static void count(edge_bench *b, const edge_says *s, const edge_seen *e) {
  b->counter[EDGE_CNT_edge_told] += e->told != NULL;
  b->counter[EDGE_CNT_edge_told_loads] += e->take;
  b->counter[EDGE_CNT_edge_waits] += b->has_in && !s->in_ready;
  b->counter[EDGE_CNT_edge_beats] += b->beats && s->cnt_ready;
}

/* What was told is in the register, until the unit takes it. */
static void step_in(edge_bench *b, const edge_says *s, const edge_seen *e) {
  for (unsigned w = 0; w < b->warps; w++) b->acts_in[w] -= b->acts_in[w] != 0;
  if (has_room(b, s)) b->beside = e->setp ? e->iss : 0;
  if (b->has_in && s->in_ready) {
    if (b->in.op == EDGE_BRANCH) b->acts_in[b->in.warp] = ACTS - 1;
    b->has_in = false;
  }
  if (e->told) b->in = *e->told;
  if (e->take) {
    b->in = s->buffer;
    b->in.warp = (unsigned)e->load;
    b->last_load = e->load;
  }
  if (!e->told && !e->take) return;
  b->has_in = true;
  b->counted = e->test;
}

static void model(void *bench, const void *offer) {
  edge_bench *b = bench;
  const edge_says nothing = edge_bench_nothing(), *s = offer ? offer : &nothing;
  const edge_seen e = see(b, s);
  note(b, s, &e);
  count(b, s, &e);
  step_in(b, s, &e);
  b->told = (b->told & ~s->ld) | (e.take ? bit_or_none(e.load) : 0);
  if (b->beats && s->cnt_ready) b->beats--;
  if (e.test) b->beats = edge_bench_beats(b);
  b->heard = b->issued;
  b->issued = (e.iss & s->wait) | s->ld;
  b->was_ld = s->ld;
  if (e.asked) b->last_next = e.next >= 0 ? e.next : 63 - __builtin_clzll(e.asked);
  b->next = e.next;
  b->seen = s->tests;
}

/* ---- driving and comparing ---- */

static void drive_tries(const edge_bench *b, const edge_says *s) {
  const spref_edge_ports *p = &b->p;
  const unsigned warp_bits = p->try_warp->width / b->tries;
  for (unsigned k = 0; k < b->tries; k++) {
    const edge_instruction *i = &s->tries[k].is;
    wf_port_set_bits(p->try_warp, k * warp_bits, warp_bits, i->warp);
    wf_port_set_bits(p->try_pc, k * b->pc_bits, b->pc_bits, i->pc);
    wf_port_set_bits(p->try_op, k * 4, 4, i->op);
    wf_port_write(p->try_data, k * b->data_bits, b->data_bits, i->data);
    wf_port_set_bit(p->try_go, k, s->tries[k].goes);
    wf_port_set_bit(p->try_plain, k, s->tries[k].plain);
    wf_port_set_bit(p->try_end, k, s->tries[k].end);
  }
}

static void drive_rest(const edge_bench *b, const edge_says *s, const edge_seen *e) {
  const spref_edge_ports *p = &b->p;
  const struct {
    const wf_port *port;
    uint64_t value;
  } set[] = {{p->load, s->load},         {p->ld_bit, s->ld},
             {p->iss, e->iss},           {p->have, s->have},
             {p->stirs, s->stirs},       {p->quiet, s->quiet},
             {p->need, s->need},         {p->test_v, s->tests.test_v},
             {p->pre_v, s->tests.pre_v}, {p->u_in_ready, s->in_ready},
             {p->held, s->held},         {p->u_cnt_ready, s->cnt_ready},
             {p->ask, s->ask},           {p->hold, s->hold},
             {p->wait, s->wait}};
  for (unsigned i = 0; i < sizeof set / sizeof *set; i++) wf_port_set(set[i].port, set[i].value);
  if (s->tests.test_v) wf_port_set(p->test_pc, s->tests.test_pc);
  if (s->tests.pre_v) wf_port_set(p->pre_pc, s->tests.pre_pc);
}

/* The instruction buffer whose turn it is. */
static void drive_buffer(const edge_bench *b, const edge_says *s) {
  const spref_edge_ports *p = &b->p;
  wf_port_set(p->load_pc, s->buffer.pc);
  wf_port_set(p->load_op, s->buffer.op);
  wf_port_write(p->load_data, 0, p->load_data->width, s->buffer.data);
}

static bool same(edge_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool same_data(edge_bench *b, const wf_port *port, const uint32_t *words) {
  uint32_t got[EDGE_DATA], want[EDGE_DATA];
  const unsigned n = (port->width + 31) / 32, rest = port->width % 32;
  wf_port_read(port, 0, port->width, got);
  memcpy(want, words, n * sizeof *want);
  if (rest) want[n - 1] &= (1u << rest) - 1;
  return !memcmp(got, want, n * sizeof *got) ||
         wf_bench_fail(&b->base, "%s is not what was told", port->name);
}

static bool same_instruction(edge_bench *b) {
  const spref_edge_ports *p = &b->p;
  return same(b, p->u_in_valid, b->has_in) &&
         (!b->has_in || (same(b, p->u_in_warp, b->in.warp) && same(b, p->u_in_pc, b->in.pc) &&
                         same(b, p->u_in_op, b->in.op) && same(b, p->u_in_counted, b->counted) &&
                         same_data(b, p->u_in_data, b->in.data)));
}

static bool same_tries(edge_bench *b, const edge_says *s) {
  for (unsigned k = 0; k < b->tries; k++) {
    const bool must = edge_bench_must(b, s, k), may = edge_bench_may(b, s, k);
    if (wf_port_bit(b->p.must, k) != must || wf_port_bit(b->p.may, k) != may)
      return wf_bench_fail(&b->base, "try %u: must %u, may %u; the model says %u, %u", k,
                           wf_port_bit(b->p.must, k), wf_port_bit(b->p.may, k), must, may);
  }
  return true;
}

static bool same_sm(edge_bench *b, const edge_says *s, const edge_seen *e) {
  const spref_edge_ports *p = &b->p;
  return same(b, p->sm_hold, s->hold | b->issued | b->heard) &&
         same(b, p->sm_held, s->held | b->beside) && same(b, p->tell_valid, e->told != NULL) &&
         same(b, p->tell_counted, e->test) &&
         same(b, p->tell_pre, e->test && is_pre(&b->seen, e->told)) &&
         same(b, p->load_take, e->take) && same(b, p->load_bit, bit_or_none(e->load));
}

static bool same_unit(edge_bench *b, const edge_says *s, const edge_seen *e) {
  const spref_edge_ports *p = &b->p;
  return same(b, p->issued, b->issued) && same(b, p->u_next_valid, b->next >= 0) &&
         same(b, p->u_next_bit, bit_or_none(b->next)) &&
         (b->next < 0 || same(b, p->u_next_warp, (unsigned)b->next)) &&
         same(b, p->u_cnt_valid, b->beats != 0) &&
         same(b, p->u_cnt_beat, b->beats ? edge_bench_beats(b) - b->beats : 0) &&
         same(b, p->wake, e->comes || s->stirs || !s->quiet) && same(b, p->busy, e->busy) &&
         same(b, p->idle,
              !(b->has_in || b->beats || b->next >= 0 || b->issued || b->heard || b->beside ||
                e->acts || b->told || e->unseen));
}

static void drive(void *bench, const void *offer) {
  edge_bench *b = bench;
  const spref_edge_ports *p = &b->p;
  const edge_says nothing = edge_bench_nothing(), *s = offer ? offer : &nothing;
  const edge_seen e = see(b, s);
  wf_bench_garbage(&b->base, &p->load_pc, &p->load_data);
  wf_bench_garbage(&b->base, &p->test_pc, &p->test_pc);
  wf_bench_garbage(&b->base, &p->pre_pc, &p->pre_pc);
  drive_tries(b, s);
  drive_rest(b, s, &e);
  if (e.take) drive_buffer(b, s);
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return;
  if (same_instruction(b) && same_tries(b, s) && same_sm(b, s, &e)) same_unit(b, s, &e);
}

/* All was compared before the edge. */
static bool compare(void *bench) {
  return !((wf_bench *)bench)->failure[0];
}

bool edge_bench_edge(edge_bench *b, const edge_says *s) {
  wf_bench *base = &b->base;
  if (base->failure[0]) return false;
  base->cycle++;
  base->offers++;
  drive(b, s);
  const bool rests = !wf_port_get(b->p.busy) && wf_bench_gated(base);
  model(b, s);
  return (rests || wf_bench_ok(base, wf_model_edge(base->model))) && compare(b);
}

static const wf_port *idle(const void *bench) {
  return ((const edge_bench *)bench)->p.idle;
}

#define FIELD(f) offsetof(edge_bench, f)
static const wf_edge_parameter parameters[] = {{"NumWarp", FIELD(warps)},
                                               {"Lanes", FIELD(lanes)},
                                               {"CntLanes", FIELD(cnt_lanes)},
                                               {"Tries", FIELD(tries)},
                                               {"PcBits", FIELD(pc_bits)},
                                               {"DataW", FIELD(data_bits)},
                                               {0}};
static const wf_edge_class edge = {.parameters = parameters,
                                   .drive = drive,
                                   .model = model,
                                   .compare = compare,
                                   .idle = idle,
                                   .most = 72};
static const char *const bins[] = {EDGE_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {EDGE_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class edge_bench_class = {.unit = "spref_edge",
                                         .bytes = sizeof(edge_bench),
                                         .open = open,
                                         .reset = reset,
                                         .rest = wf_edge_rest,
                                         .after = wf_edge_quiet,
                                         .edge = &edge,
                                         .bins = bins,
                                         .counters = counters,
                                         .n_bins = EDGE_BIN_COUNT,
                                         .n_counters = EDGE_CNT_COUNT};
