#include "tb/spref/edge/edge_bench.h"

#include <string.h>

enum { ACTS = 4 }; /* edges of the unit */

static bool open(void *bench, wf_error *err) {
  edge_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return spref_edge_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  edge_bench *b = bench;
  b->has_in = b->counted = b->has_ld = b->has_take = b->has_sum = b->has_done = false;
  b->told = b->issued = 0;
  b->last_load = b->last_next = -1;
  b->beats = 0;
  memset(b->acts_in, 0, sizeof b->acts_in);
  memset(b->counter, 0, sizeof b->counter);
}

edge_says edge_bench_nothing(bool tick) {
  return (edge_says){.tick = tick,
                     .quiet = true,
                     .in_ready = true,
                     .cnt_ready = true,
                     .ld_ready = true,
                     .sum_ready = true,
                     .done_ready = true};
}

unsigned edge_bench_beats(const edge_bench *b) {
  return (b->lanes + b->cnt_lanes - 1) / b->cnt_lanes;
}

/* ---- reference model ---- */

static uint64_t bit(unsigned warp) {
  return (uint64_t)1 << warp;
}

static bool is_pre(const edge_says *s, unsigned op, uint64_t pc) {
  return op == EDGE_SETP && s->pre_v && s->pre_pc == pc;
}
static bool is_test(const edge_says *s, unsigned op, uint64_t pc) {
  return is_pre(s, op, pc) || (op == EDGE_SETP && s->test_v && s->test_pc == pc);
}

/* Warps whose load waits to be told. */
static uint64_t untold(const edge_bench *b, const edge_says *s) {
  const uint64_t told = b->ahead && s->ld ? b->told & ~bit(s->ld->warp) : b->told;
  return s->load & ~told;
}
static uint64_t goes_first(const edge_bench *b, const edge_says *s) {
  return b->ahead ? s->load_then & ~b->told : untold(b, s);
}

/* The first of them behind the last. */
static int behind(uint64_t warps, int last) {
  for (int w = last + 1; w < EDGE_WARPS; w++)
    if (warps >> w & 1) return w;
  return warps ? __builtin_ctzll(warps) : -1;
}

static bool behind_branch(const edge_bench *b, unsigned warp) {
  return b->acts_in[warp] || (b->has_in && b->in.op == EDGE_BRANCH && b->in.warp == warp);
}

bool edge_bench_must(const edge_bench *b, const edge_says *s, unsigned k) {
  const edge_try *t = &s->tries[k];
  return !t->plain && (t->end || s->need >> k & 1 || is_test(s, t->is.op, t->is.pc) ||
                       behind_branch(b, t->is.warp));
}

bool edge_bench_may(const edge_bench *b, const edge_says *s, unsigned k) {
  const edge_instruction *i = &s->tries[k].is;
  if (!edge_bench_must(b, s, k)) return true;
  for (unsigned e = 0; e < k; e++)
    if (s->tries[e].goes && edge_bench_must(b, s, e)) return false;
  return s->in_ready && !b->has_in && !goes_first(b, s) && !(b->beats && is_test(s, i->op, i->pc));
}

const edge_instruction *edge_bench_told(const edge_bench *b, const edge_says *s) {
  for (unsigned k = 0; k < b->tries; k++)
    if (s->tries[k].goes && edge_bench_must(b, s, k) && edge_bench_may(b, s, k))
      return &s->tries[k].is;
  return NULL;
}

/* What the unit sees at this edge, if it is one of its. */
typedef struct edge_seen {
  const edge_instruction *told, *in; /* NULL: none */
  int load;                          /* it is this warp's, which waited; -1: it is none that did */
  bool counted;
  const edge_load *ld;
  const edge_sum *sum;
  const edge_done *done;
  bool take, beat;
  uint64_t issued, asked;
  int next;  /* -1: none */
  bool late; /* it issues at this edge */
} edge_seen;

static edge_seen see(const edge_bench *b, const edge_says *s) {
  edge_seen e = {.load = -1};
  e.told = edge_bench_told(b, s);
  e.in = b->has_in ? &b->in : e.told;
  e.counted = b->has_in ? b->counted : e.told && is_test(s, e.told->op, e.told->pc);
  if (!e.in && s->in_ready) e.load = behind(untold(b, s), b->last_load);
  if (e.load >= 0) e.in = &s->buffer;
  e.ld = b->has_ld ? &b->ld : s->ld;
  e.sum = b->has_sum ? &b->sum : s->sum;
  e.done = b->has_done ? &b->done : s->done;
  e.take = b->has_take || s->take;
  e.beat = b->beats || (e.told && is_test(s, e.told->op, e.told->pc));
  e.issued = b->issued | (s->iss & s->wait) | (s->ld ? bit(s->ld->warp) : 0);
  e.asked = s->ask | (b->ahead ? e.issued : b->issued);
  e.next = behind(e.asked & s->have, b->last_next);
  e.late = !b->ahead && e.next >= 0 &&
           ((s->iss >> e.next & 1) || (s->ld && s->ld->warp == (unsigned)e.next));
  return e;
}

static void hit(edge_bench *b, edge_bin which, bool when) {
  b->base.bin[which] += when;
}

static void note(edge_bench *b, const edge_says *s, const edge_seen *e) {
  const bool kept = !s->tick, test = e->told && is_test(s, e->told->op, e->told->pc);
  const uint64_t waits = untold(b, s);
  hit(b, EDGE_BIN_told_at_tick, e->told && s->tick);
  hit(b, EDGE_BIN_told_kept, e->told && kept);
  hit(b, EDGE_BIN_told_counted, test);
  hit(b, EDGE_BIN_counted_kept, test && kept);
  hit(b, EDGE_BIN_load_told, s->tick && e->load >= 0);
  hit(b, EDGE_BIN_load_behind_tell, s->tick && waits && e->in && e->load < 0);
  hit(b, EDGE_BIN_load_waits_for_ready, s->tick && waits && !s->in_ready);
  hit(b, EDGE_BIN_loads_wait, (waits & (waits - 1)) != 0);
  hit(b, EDGE_BIN_load_again_at_once, s->ld && s->load >> s->ld->warp & 1);
  hit(b, EDGE_BIN_beat_waits, e->beat && s->tick && !s->cnt_ready);
  hit(b, EDGE_BIN_ld_kept, s->ld && kept);
  hit(b, EDGE_BIN_base_kept, s->ld && s->ld->over && kept);
  hit(b, EDGE_BIN_take_kept, s->take && kept);
  hit(b, EDGE_BIN_sum_kept, s->sum && kept);
  hit(b, EDGE_BIN_sum_waits, b->has_sum && s->tick && !s->sum_ready);
  hit(b, EDGE_BIN_sum_waits_at_tick, s->sum && s->tick && !s->sum_ready);
  hit(b, EDGE_BIN_done_kept, s->done && kept);
  hit(b, EDGE_BIN_fault_kept, s->done && s->done->fault && kept);
  hit(b, EDGE_BIN_issued_kept, e->issued && kept);
  hit(b, EDGE_BIN_next_none, s->tick && e->asked && e->next < 0);
  hit(b, EDGE_BIN_next_wraps, s->tick && e->next >= 0 && e->next <= b->last_next);
  hit(b, EDGE_BIN_next_over_the_unknown,
      s->tick && e->next >= 0 && behind(e->asked, b->last_next) != e->next);
  hit(b, EDGE_BIN_next_issues, s->tick && e->late);
  for (unsigned k = 0; k < b->tries; k++) {
    const edge_instruction *t = &s->tries[k].is;
    const bool must = edge_bench_must(b, s, k);
    hit(b, EDGE_BIN_two_go, must && s->tries[k].goes && e->told && t != e->told);
    hit(b, EDGE_BIN_must_wait, must && !edge_bench_may(b, s, k));
    hit(b, EDGE_BIN_two_tests, b->beats && is_test(s, t->op, t->pc) && s->in_ready && !b->has_in);
    hit(b, EDGE_BIN_behind_branch, must && b->acts_in[t->warp]);
    hit(b, EDGE_BIN_at_branch_kept, must && b->has_in && behind_branch(b, t->warp));
  }
}

static void count(edge_bench *b, const edge_says *s, const edge_seen *e) {
  b->counter[EDGE_CNT_edge_told] += e->told != NULL;
  b->counter[EDGE_CNT_edge_told_loads] += s->tick && e->load >= 0;
  b->counter[EDGE_CNT_edge_kept] += !s->tick && (e->told || s->ld || s->take || s->sum || s->done);
  b->counter[EDGE_CNT_edge_beats] += s->tick && e->beat && s->cnt_ready;
}

/* An edge of the unit's: what it saw is gone. */
static void step_unit(edge_bench *b, const edge_says *s, const edge_seen *e) {
  const bool sum_stays = e->sum && !s->sum_ready;
  for (unsigned w = 0; w < b->warps; w++) b->acts_in[w] -= b->acts_in[w] != 0;
  if (e->in && e->in->op == EDGE_BRANCH) b->acts_in[e->in->warp] = ACTS - 1;
  if (e->load >= 0) {
    b->told |= bit((unsigned)e->load);
    b->last_load = e->load;
  }
  if (e->asked) b->last_next = e->next >= 0 ? e->next : 63 - __builtin_clzll(e->asked);
  if (sum_stays) b->sum = *e->sum;
  b->has_sum = sum_stays;
  b->has_in = b->counted = b->has_ld = b->has_take = b->has_done = false;
  b->issued = 0;
}

/* One between: it stays. */
static void step_between(edge_bench *b, const edge_seen *e) {
  const bool in = e->in && e->load < 0;
  if (in) b->in = *e->in;
  b->has_in = in;
  b->counted = in && e->counted;
  if (e->ld) b->ld = *e->ld;
  b->has_ld = e->ld != NULL;
  if (e->sum) b->sum = *e->sum;
  b->has_sum = e->sum != NULL;
  if (e->done) b->done = *e->done;
  b->has_done = e->done != NULL;
  b->has_take = e->take;
  b->issued = e->issued;
}

static void model(void *bench, const void *offer) {
  edge_bench *b = bench;
  const edge_says nothing = edge_bench_nothing(true), *s = offer ? offer : &nothing;
  const edge_seen e = see(b, s);
  note(b, s, &e);
  count(b, s, &e);
  if (!b->beats && e.beat) b->beats = edge_bench_beats(b);
  if (s->tick && e.beat && s->cnt_ready) b->beats--;
  if (s->ld) b->told &= ~bit(s->ld->warp);
  if (s->tick)
    step_unit(b, s, &e);
  else
    step_between(b, &e);
}

/* ---- driving and comparing ---- */

static void set_addresses(const wf_port *far, const wf_port *at, const edge_addresses *a) {
  wf_port_set(far, a->far);
  wf_port_write(at, 0, at->width, a->word);
}

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

static void drive_unit(const edge_bench *b, const edge_says *s) {
  const spref_edge_ports *p = &b->p;
  const struct {
    const wf_port *port;
    uint64_t value;
  } set[] = {{p->tick, s->tick},
             {p->quiet, s->quiet},
             {p->u_in_ready, s->in_ready},
             {p->u_cnt_ready, s->cnt_ready},
             {p->u_ld_ready, s->ld_ready},
             {p->u_sum_ready, s->sum_ready},
             {p->u_done_ready, s->done_ready},
             {p->u_inj_valid, s->inj_valid},
             {p->test_v, s->test_v},
             {p->test_pc, s->test_pc},
             {p->pre_v, s->pre_v},
             {p->pre_pc, s->pre_pc},
             {p->need, s->need},
             {p->held, s->held},
             {p->go, s->go},
             {p->ask, s->ask},
             {p->hold, s->hold},
             {p->wait, s->wait},
             {p->load, s->load},
             {p->load_then, s->load_then},
             {p->iss, s->iss},
             {p->sm_ld_bit, s->ld ? bit(s->ld->warp) : 0},
             {p->have, s->have},
             {p->sm_inj_take, s->take},
             {p->sm_ld_valid, s->ld != NULL},
             {p->sm_sum_valid, s->sum != NULL},
             {p->sm_done_valid, s->done != NULL}};
  for (unsigned i = 0; i < sizeof set / sizeof *set; i++) wf_port_set(set[i].port, set[i].value);
}

static void drive_words(const edge_bench *b, const edge_says *s) {
  const spref_edge_ports *p = &b->p;
  wf_port_set(p->load_pc, s->buffer.pc);
  wf_port_set(p->load_op, s->buffer.op);
  wf_port_write(p->load_data, 0, p->load_data->width, s->buffer.data);
  if (s->ld) {
    wf_port_set(p->sm_ld_warp, s->ld->warp);
    wf_port_set(p->sm_ld_type, s->ld->type);
    wf_port_set(p->sm_ld_over, s->ld->over);
    set_addresses(p->sm_ld_far, p->sm_ld_addr, &s->ld->base);
  }
  if (s->sum) {
    wf_port_set(p->sm_sum_slot, s->sum->slot);
    set_addresses(p->sm_sum_far, p->sm_sum_addr, &s->sum->at);
  }
  if (!s->done) return;
  wf_port_set(p->sm_done_warp, s->done->warp);
  wf_port_set(p->sm_done_reg, s->done->reg);
  wf_port_set(p->sm_done_fault, s->done->fault);
}

static bool same(edge_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool same_words(edge_bench *b, const wf_port *port, const uint32_t *words) {
  uint32_t got[EDGE_ADDRESS], want[EDGE_ADDRESS];
  const unsigned n = (port->width + 31) / 32, rest = port->width % 32;
  wf_port_read(port, 0, port->width, got);
  memcpy(want, words, n * sizeof *want);
  if (rest) want[n - 1] &= (1u << rest) - 1;
  return !memcmp(got, want, n * sizeof *got) ||
         wf_bench_fail(&b->base, "%s is not what came", port->name);
}

static bool same_instruction(edge_bench *b, const edge_seen *e) {
  const spref_edge_ports *p = &b->p;
  return same(b, p->u_in_valid, e->in != NULL) && same(b, p->u_in_counted, e->counted) &&
         (!e->in || (same(b, p->u_in_warp, e->load >= 0 ? (unsigned)e->load : e->in->warp) &&
                     same(b, p->u_in_pc, e->in->pc) && same(b, p->u_in_op, e->in->op) &&
                     same_words(b, p->u_in_data, e->in->data)));
}

static bool same_loads(edge_bench *b, const edge_seen *e) {
  const spref_edge_ports *p = &b->p;
  return same(b, p->u_ld_valid, e->ld != NULL) && same(b, p->u_sum_valid, e->sum != NULL) &&
         same(b, p->u_done_valid, e->done != NULL) && same(b, p->u_inj_ready, e->take) &&
         (!e->ld || (same(b, p->u_ld_warp, e->ld->warp) && same(b, p->u_ld_type, e->ld->type) &&
                     same(b, p->u_ld_over, e->ld->over) && same(b, p->u_ld_far, e->ld->base.far) &&
                     same_words(b, p->u_ld_addr, e->ld->base.word))) &&
         (!e->sum ||
          (same(b, p->u_sum_slot, e->sum->slot) && same(b, p->u_sum_far, e->sum->at.far) &&
           same_words(b, p->u_sum_addr, e->sum->at.word))) &&
         (!e->done ||
          (same(b, p->u_done_warp, e->done->warp) && same(b, p->u_done_reg, e->done->reg) &&
           same(b, p->u_done_fault, e->done->fault)));
}

static bool same_sm(edge_bench *b, const edge_says *s, const edge_seen *e) {
  const spref_edge_ports *p = &b->p;
  const uint64_t kept = b->has_ld ? bit(b->ld.warp) : 0;
  const bool tests = e->told && is_test(s, e->told->op, e->told->pc);
  bool well = same(b, p->sm_go, s->go & ~kept) && same(b, p->sm_hold, s->hold | b->issued) &&
              same(b, p->sm_wait, s->wait | kept) &&
              same(b, p->sm_held, s->held | (b->has_in && b->counted ? bit(b->in.warp) : 0)) &&
              same(b, p->sm_ld_ready, s->ld_ready && !b->has_ld) &&
              same(b, p->sm_done_ready, s->done_ready && !b->has_done) &&
              same(b, p->sm_inj_valid, s->inj_valid && !b->has_take) &&
              same(b, p->tell_valid, e->told != NULL) && same(b, p->tell_counted, tests) &&
              same(b, p->tell_pre, tests && is_pre(s, e->told->op, e->told->pc)) &&
              same(b, p->load_take, s->tick && e->load >= 0) &&
              (e->load < 0 || same(b, p->load_bit, bit((unsigned)e->load)));
  for (unsigned k = 0; k < b->tries && well; k++) {
    const bool must = edge_bench_must(b, s, k), may = edge_bench_may(b, s, k);
    if (wf_port_bit(p->must, k) != must || wf_port_bit(p->may, k) != may)
      well = wf_bench_fail(&b->base, "try %u: must %u, may %u; the model says %u, %u", k,
                           wf_port_bit(p->must, k), wf_port_bit(p->may, k), must, may);
  }
  return well;
}

static bool same_rest(edge_bench *b, const edge_says *s, const edge_seen *e) {
  const spref_edge_ports *p = &b->p;
  const unsigned beats = edge_bench_beats(b);
  const bool comes =
      e->in || untold(b, s) || e->beat || e->ld || e->take || e->sum || e->done || e->issued;
  bool acts = false;
  for (unsigned w = 0; w < b->warps; w++) acts |= b->acts_in[w] != 0;
  return same(b, p->issued, e->issued) && same(b, p->u_next_valid, e->next >= 0 && !e->late) &&
         (e->next < 0 || (same(b, p->u_next_warp, (unsigned)e->next) &&
                          same(b, p->u_next_bit, bit((unsigned)e->next)))) &&
         same(b, p->u_cnt_valid, e->beat) &&
         (!e->beat || same(b, p->u_cnt_beat, b->beats ? beats - b->beats : 0)) &&
         same(b, p->wake, comes || s->ask || !s->quiet) &&
         same(b, p->busy, comes || s->ask || acts) &&
         same(b, p->idle,
              !(b->has_in || b->has_ld || b->has_take || b->has_sum || b->has_done || b->beats ||
                b->issued || acts || b->told));
}

static void drive(void *bench, const void *offer) {
  edge_bench *b = bench;
  const spref_edge_ports *p = &b->p;
  const edge_says nothing = edge_bench_nothing(true), *s = offer ? offer : &nothing;
  const edge_seen e = see(b, s);
  wf_bench_garbage(&b->base, &p->try_data, &p->try_data);
  wf_bench_garbage(&b->base, &p->sm_ld_warp, &p->sm_ld_addr);
  wf_bench_garbage(&b->base, &p->sm_sum_slot, &p->sm_sum_addr);
  wf_bench_garbage(&b->base, &p->sm_done_warp, &p->sm_done_fault);
  drive_tries(b, s);
  drive_unit(b, s);
  drive_words(b, s);
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return;
  if (same_instruction(b, &e) && same_loads(b, &e) && same_sm(b, s, &e)) same_rest(b, s, &e);
}

/* All was compared before the edge. */
static bool compare(void *bench) {
  return !((wf_bench *)bench)->failure[0];
}

static const wf_port *idle(const void *bench) {
  return ((const edge_bench *)bench)->p.idle;
}

#define FIELD(f) offsetof(edge_bench, f)
static const wf_edge_parameter parameters[] = {{"NumWarp", FIELD(warps)},
                                               {"Lanes", FIELD(lanes)},
                                               {"CntLanes", FIELD(cnt_lanes)},
                                               {"AddrBits", FIELD(address_bits)},
                                               {"Waiting", FIELD(waiting)},
                                               {"Tries", FIELD(tries)},
                                               {"PcBits", FIELD(pc_bits)},
                                               {"DataW", FIELD(data_bits)},
                                               {"RegBits", FIELD(reg_bits)},
                                               {"Ahead", FIELD(ahead)},
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
