#include "tb/spref/spref_machine.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tb/spref/spref_cover.h"

enum { AHEAD = 8, DONES = 64, LONG = 1000000, FLIGHTS = 64 };

typedef struct file {
  int64_t reg[SPREF_MAX_REGS][SPREF_MAX_LANES];
  bool pred[256][SPREF_MAX_LANES];
} file;

typedef struct flight {
  unsigned at;
  uint64_t mask;
  int64_t result[SPREF_MAX_LANES];
  bool outcome[SPREF_MAX_LANES];
} flight;

typedef struct warp {
  file gold, real; /* as the program says; as issued with the unit's answers */
  unsigned pc[SPREF_MAX_LANES];
  bool running[SPREF_MAX_LANES], started;
  bool loading, answered; /* a load was told and has not issued; has its answer */
  spref_answer answer;
  flight load;
  bool asked, sent; /* the counts of a test have not acted; its operands are in */
  flight inside[AHEAD];
  unsigned n_inside, repeats;
  int64_t spare[SPREF_MAX_REGS][SPREF_MAX_LANES];
  bool unread[SPREF_MAX_REGS][SPREF_MAX_LANES], broken[SPREF_MAX_REGS];
  spref_count count;
} warp;

/* An injected load on its way, or a sum. */
typedef struct sent {
  spref_done done;
  bool sum;
  spref_sum made;
  uint64_t mask;
  int64_t value[SPREF_MAX_LANES];
} sent;

typedef struct machine {
  spref_bench *b;
  const spref_program *p;
  const spref_run *run;
  spref_tally *tally;
  warp *warps;
  unsigned lanes, limit; /* limit: registers of the program */
  bool has_in;
  spref_instr in;
  unsigned in_back; /* edges until it is offered: a test whose operands come first */
  struct {
    unsigned warp;
    bool fault;
  } done[DONES];
  unsigned n_done;
  /* of run->waits */
  bool place_wide[SPREF_MAX_PLACES];
  sent *flights;
  unsigned n_flights;
  bool sum_stands; /* it was offered and not taken */
  unsigned stands_at;
} machine;

static uint32_t below(machine *m, uint64_t n) {
  return (uint32_t)wf_rng_below(&m->b->base.rng, n);
}
static bool chance(machine *m, unsigned percent) {
  return below(m, 100) < percent;
}

uint64_t spref_machine_word(uint64_t address, bool wide) {
  uint64_t x = (address >> (wide ? 3 : 2)) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;
  return wide ? x & 0xffffffffffffu : x & 0xffffffffu;
}

static int64_t extended(int64_t x, unsigned ext) {
  return ext == 1 ? (int32_t)x : ext == 2 ? (int64_t)(uint32_t)x : x;
}
static int64_t add(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t shl(int64_t a, unsigned n) {
  return (int64_t)((uint64_t)a << n);
}

static bool compares(unsigned cmp, int64_t a, int64_t b) {
  switch (cmp) {
  case SPREF_EQ:
    return a == b;
  case SPREF_NE:
    return a != b;
  case SPREF_LT:
    return a < b;
  case SPREF_LE:
    return a <= b;
  case SPREF_GT:
    return a > b;
  default:
    return a >= b;
  }
}

static int64_t operand_b(const file *f, const spref_instr *i, unsigned lane) {
  return i->bkind == SPREF_REG ? f->reg[i->b][lane] : i->bkind ? i->imm : 0;
}

/* The value of the destination register in a lane. */
static int64_t compute(const file *f, const spref_code *c, unsigned lane) {
  const spref_instr *i = &c->i;
  int64_t a = f->reg[i->a][lane], b = operand_b(f, i, lane);
  switch (i->op) {
  case SPREF_ADD:
    return add(a, b);
  case SPREF_SUB:
    return (int64_t)((uint64_t)a - (uint64_t)b);
  case SPREF_SCALE:
    return shl(extended(a, i->ext), i->sh);
  case SPREF_MAD:
    return add(shl(extended(a, i->ext), i->sh), b);
  case SPREF_LDNC:
    return (int64_t)spref_machine_word((uint64_t)add(a, i->imm), i->wide);
  default:
    break;
  }
  if (c->act == SPREF_ACT_SET) return i->imm;
  if (c->act == SPREF_ACT_LOAD)
    return (int64_t)spref_machine_word((uint64_t)add(a, i->imm), false) & 0xff;
  return (int64_t)(((uint64_t)a * 31 + (uint64_t)b) & 0x7fff);
}

static bool writes(const spref_code *c) {
  return c->i.dst_v || c->act == SPREF_ACT_CLOBBER;
}

/* ---- issue: the program as it is ---- */

static bool step_gold(machine *m, unsigned w, spref_instr *out, flight *fl) {
  warp *x = &m->warps[w];
  unsigned at = SPREF_MAX_CODE;
  for (unsigned l = 0; l < m->lanes; l++)
    if (x->running[l] && x->pc[l] < at) at = x->pc[l];
  if (at == SPREF_MAX_CODE) return false;
  const spref_code *c = &m->p->code[at];
  *out = c->i;
  out->warp = w;
  out->pc = m->p->base + at;
  out->target = m->p->base + c->i.target;
  out->mask = 0;
  out->taken = false;
  *fl = (flight){.at = at};
  for (unsigned l = 0; l < m->lanes; l++) {
    if (!x->running[l] || x->pc[l] != at) continue;
    bool go = !c->i.guard || x->gold.pred[c->i.gpred][l] != c->i.gneg;
    x->pc[l] = at + 1;
    if (!go) continue;
    out->mask |= UINT64_C(1) << l;
    if (c->act == SPREF_ACT_EXIT) x->running[l] = false;
    if (c->i.op == SPREF_BRA) {
      out->taken = true;
      x->pc[l] = (unsigned)c->i.target;
    }
    if (c->i.op == SPREF_SETP) {
      fl->outcome[l] = compares(c->i.cmp, x->gold.reg[c->i.a][l], operand_b(&x->gold, &c->i, l));
    }
    if (writes(c)) fl->result[l] = compute(&x->gold, c, l);
  }
  fl->mask = out->mask;
  for (unsigned l = 0; l < m->lanes; l++) {
    if (!(fl->mask >> l & 1)) continue;
    if (c->i.op == SPREF_SETP) x->gold.pred[c->i.pd][l] = fl->outcome[l];
    if (writes(c)) x->gold.reg[c->i.dst][l] = fl->result[l];
    if (c->i.pair_dst) x->gold.reg[c->i.dst ^ 1][l] = ~fl->result[l];
  }
  return true;
}

static bool alive(const machine *m, const warp *x) {
  for (unsigned l = 0; l < m->lanes; l++)
    if (x->running[l]) return true;
  return false;
}

/* ---- answers ---- */

/* The base is read with the instruction, which may overwrite it. */
static void inject(machine *m, warp *x, const spref_answer *a, const spref_code *c,
                   const int64_t base[SPREF_MAX_LANES]) {
  for (unsigned l = 0; l < m->lanes; l++) {
    if (!(a->mask >> l & 1)) continue;
    int64_t address = a->base_v ? base[l] : 0;
    if (a->inject == 2)
      address = add(address, shl(extended(x->spare[a->index][l], a->ext), a->scale));
    address = add(address, a->offset);
    m->tally->injected_lanes++;
    if (!a->reg_v) continue;
    m->tally->wasted_lanes += x->unread[a->reg][l];
    x->unread[a->reg][l] = true;
    x->spare[a->reg][l] = (int64_t)spref_machine_word((uint64_t)address, c->i.wide);
  }
  if (!a->reg_v) return;
  bool fault = below(m, 1000) < m->run->fault_per_mille;
  x->broken[a->reg] =
      fault || (a->inject == 2 && x->broken[a->index]); /* a load from what failed fails */
  m->done[m->n_done].warp = a->warp;
  m->done[m->n_done++].fault = x->broken[a->reg];
}

static void end_warp(machine *m, warp *x) {
  x->started = false;
  for (unsigned r = 0; r < SPREF_MAX_REGS; r++)
    for (unsigned l = 0; l < m->lanes; l++) {
      m->tally->wasted_lanes += x->unread[r][l];
      x->unread[r][l] = false;
    }
}

/* Runs the instruction as issued, as a move or not, and compares each result. */
static bool perform(machine *m, unsigned w, const flight *fl, bool moves, unsigned move_reg) {
  warp *x = &m->warps[w];
  const spref_code *c = &m->p->code[fl->at];
  m->tally->instructions++;
  m->tally->loads += c->i.op == SPREF_LDNC;
  m->tally->moves += moves;
  for (unsigned l = 0; l < m->lanes; l++) {
    if (!(fl->mask >> l & 1)) continue;
    if (c->i.op == SPREF_SETP) {
      bool outcome = compares(c->i.cmp, x->real.reg[c->i.a][l], operand_b(&x->real, &c->i, l));
      if (outcome != fl->outcome[l])
        return wf_bench_fail(&m->b->base, "warp %u lane %u: another outcome", w, l);
      x->real.pred[c->i.pd][l] = outcome;
    }
    if (!writes(c)) continue;
    int64_t value = compute(&x->real, c, l);
    if (moves) {
      value = x->spare[move_reg][l];
      x->unread[move_reg][l] = false;
    }
    if (value != fl->result[l])
      return wf_bench_fail(&m->b->base,
                           "warp %u lane %u: instruction %u %s gives %llx, should be %llx", w, l,
                           fl->at, moves ? "replaced by a move" : "as it is",
                           (unsigned long long)value, (unsigned long long)fl->result[l]);
    x->real.reg[c->i.dst][l] = value;
    if (c->i.pair_dst) x->real.reg[c->i.dst ^ 1][l] = ~value;
  }
  return true;
}

static bool names_spare(machine *m, const spref_answer *a) {
  const spref_levels *levels = &m->b->ref.levels;
  if (a->move && (a->move_reg < levels->max_s || a->move_reg >= levels->max_d))
    return wf_bench_fail(&m->b->base, "moves from register %u, which is not spare", a->move_reg);
  if (a->inject && a->reg_v && (a->reg < levels->max_s || a->reg >= levels->max_d))
    return wf_bench_fail(&m->b->base, "loads into register %u, which is not spare", a->reg);
  return true;
}

static bool take_answer(machine *m, const spref_answer *a) {
  warp *x = &m->warps[a->warp];
  flight fl = x->inside[0];
  const spref_code *c = &m->p->code[fl.at];
  memmove(x->inside, x->inside + 1, (--x->n_inside) * sizeof fl);
  if (!names_spare(m, a)) return false;
  if (m->run->waits) {
    if (c->i.op != SPREF_LDNC) return true; /* it ran when it was told */
    x->answered = true;
    x->answer = *a;
    x->load = fl;
    return true;
  }
  int64_t base[SPREF_MAX_LANES];
  memcpy(base, x->real.reg[a->base], sizeof base);
  if (!perform(m, a->warp, &fl, a->move && !x->broken[a->move_reg], a->move_reg)) return false;
  if (a->inject) inject(m, x, a, c, base);
  if (!alive(m, x) && !x->n_inside) end_warp(m, x);
  return true;
}

/* ---- loads that wait for the unit, and what it offers ---- */

/* The warp's load issues, and its injected one takes a place. */
static bool issue_load(machine *m, unsigned w, const spref_offer *o) {
  warp *x = &m->warps[w];
  const spref_answer *a = &x->answer;
  if (a->inject) m->place_wide[o->place] = m->p->code[x->load.at].i.wide; /* else of another's */
  x->loading = x->answered = false;
  return perform(m, w, &x->load, o->moved, a->move_reg);
}

static void take_injected(machine *m, const spref_injected *i) {
  warp *x = &m->warps[i->warp];
  sent *s = &m->flights[m->n_flights++];
  *s = (sent){.sum = i->add, .made.place = i->place, .mask = i->mask};
  uint64_t sums[SPREF_MAX_LANES];
  for (unsigned l = 0; l < m->lanes; l++) {
    const int64_t base = i->sum      ? (int64_t)i->address.lane[l]
                         : i->base_v ? x->real.reg[i->base][l]
                                     : 0;
    sums[l] = (uint64_t)add(base, shl(extended(x->spare[i->index][l], i->ext), i->scale));
    if (i->add) continue;
    const int64_t address = add(base, i->offset);
    s->value[l] = (int64_t)spref_machine_word((uint64_t)address, m->place_wide[i->place]);
  }
  const bool far = i->sum && i->address.far;
  m->b->base.bin[SPREF_BIN_address_far] += far;
  if (i->add) {
    spref_bench_addresses(m->b, &s->made.address, sums, i->mask);
    s->made.address.far |= far;
    return;
  }
  const bool fault = far || below(m, 1000) < m->run->fault_per_mille;
  s->done = (spref_done){.warp = i->warp, .reg = i->reg, .fault = fault};
  if (!i->reg_v) m->n_flights--; /* into the cache: nobody hears of it */
}

/* Its data are there only now. */
static void come_back(machine *m, unsigned at) {
  const sent *s = &m->flights[at];
  warp *x = &m->warps[s->done.warp];
  for (unsigned l = 0; !s->sum && !s->done.fault && l < m->lanes; l++) {
    if (!(s->mask >> l & 1)) continue;
    x->spare[s->done.reg][l] = s->value[l];
    m->tally->injected_lanes++;
    m->tally->wasted_lanes += x->unread[s->done.reg][l];
    x->unread[s->done.reg][l] = true;
  }
  m->flights[at] = m->flights[--m->n_flights];
}

/* What the warp does next, if that is known: a load that waits, or the program's next. */
static bool next_of(const machine *m, unsigned w, spref_next *n) {
  const warp *x = &m->warps[w];
  if (!x->started || (m->has_in && m->in.warp == w)) return false;
  unsigned at = SPREF_MAX_CODE;
  for (unsigned l = 0; l < m->lanes; l++)
    if (x->running[l] && x->pc[l] < at) at = x->pc[l];
  if (x->loading) at = x->load.at;
  if (at == SPREF_MAX_CODE) return false;
  const spref_code *c = &m->p->code[at];
  *n = (spref_next){
      .warp = w, .dst = c->i.dst, .dst_v = c->i.dst_v, .all = c->i.op == SPREF_CLOBBER};
  return true;
}

/* Chosen for this edge: a load that issues, a done or a sum, a next instruction. */
typedef struct choice {
  spref_load load;
  spref_next next;
  unsigned flight;
  bool has_load, has_next, has_flight;
} choice;

/* A base that the load overwrites goes with it. */
static void bring_base(const machine *m, spref_load *l) {
  const warp *x = &m->warps[l->warp];
  const spref_answer *a = &x->answer;
  uint64_t base[SPREF_MAX_LANES];
  if (!a->inject || !a->over) return;
  for (unsigned i = 0; i < m->lanes; i++) base[i] = (uint64_t)x->real.reg[a->base][i];
  spref_bench_addresses(m->b, &l->base, base, a->mask);
  m->b->base.bin[SPREF_BIN_base_kept]++;
}

static void choose(machine *m, choice *c) {
  *c = (choice){0};
  if (!m->run->waits) return;
  for (unsigned k = 0, from = below(m, m->run->warps); k < m->run->warps; k++) {
    const unsigned w = (from + k) % m->run->warps;
    const warp *x = &m->warps[w];
    if (!c->has_load && x->answered && spref_bench_go(m->b, w) && !spref_bench_held(m->b, w) &&
        chance(m, m->run->rate)) {
      c->has_load = true;
      c->load = (spref_load){.warp = w, .type = below(m, 16)};
      bring_base(m, &c->load);
    } else if (!c->has_next && (spref_bench_asks(m->b, w) || chance(m, 5))) {
      c->has_next = next_of(m, w, &c->next);
    }
  }
  c->has_flight =
      m->sum_stands || (m->n_flights && !chance(m, m->run->late) && !chance(m, m->run->slow));
  if (!c->has_flight) return;
  c->flight = m->sum_stands ? m->stands_at : below(m, m->n_flights);
}

/* Warps that issue at this edge. */
static uint64_t issuing(const machine *m, const choice *c) {
  uint64_t warps = c->has_load ? UINT64_C(1) << c->load.warp : 0;
  if (m->has_in && !m->in_back && m->in.op != SPREF_LDNC && wf_port_get(m->b->p.in_ready))
    warps |= UINT64_C(1) << m->in.warp;
  return warps;
}

static bool step_choice(machine *m, const choice *c, const spref_offer *o) {
  m->sum_stands = o->sum && !o->sum_taken;
  m->stands_at = c->flight;
  if (c->has_flight && (o->sum_taken || o->done_taken)) come_back(m, c->flight);
  if (o->injected) take_injected(m, &o->injection);
  return !o->load_taken || issue_load(m, c->load.warp, o);
}

/* ---- warps ---- */

static void launch(machine *m, unsigned w) {
  warp *x = &m->warps[w];
  for (unsigned r = 0; r < SPREF_MAX_REGS; r++)
    for (unsigned l = 0; l < m->lanes; l++) {
      int64_t v = m->p->reg[r] + (int64_t)l * m->p->lane_step[r] + (int64_t)w * m->p->warp_step[r];
      if (m->p->spread[r]) v += below(m, (uint64_t)m->p->spread[r]);
      x->gold.reg[r][l] = v;
    }
  x->real = x->gold;
  bool some = false;
  for (unsigned l = 0; l < m->lanes; l++) {
    x->pc[l] = 0;
    some |= x->running[l] = !chance(m, m->run->lanes_off);
  }
  if (!some) x->running[0] = true;
  x->started = true;
  x->repeats++;
}

static bool in_flight(const machine *m, unsigned w) {
  for (unsigned d = 0; d < m->n_done; d++)
    if (m->done[d].warp == w) return true;
  for (unsigned f = 0; f < m->n_flights; f++)
    if (m->flights[f].done.warp == w) return true;
  return m->run->waits && spref_bench_waits(m->b, w);
}

static void offer_start(machine *m, unsigned w) {
  warp *x = &m->warps[w];
  if (!x->started && x->repeats < m->run->repeats && !in_flight(m, w)) launch(m, w);
}

/* The loop's test goes with its operands, but for now and then. */
static void count_it(machine *m, warp *x, const spref_code *c, const flight *fl) {
  spref_count *o = &x->count;
  *o = (spref_count){.warp = m->in.warp, .wide = true, .sign = true, .mask = fl->mask};
  x->sent = false;
  m->in.counted = spref_ref_is_test(&m->b->ref, m->in.pc, &o->pre) && !chance(m, m->run->uncounted);
  for (unsigned l = 0; l < m->lanes; l++) {
    o->a[l] = (uint64_t)x->gold.reg[c->i.a][l];
    o->b[l] = (uint64_t)operand_b(&x->gold, &c->i, l);
  }
  if (m->in.counted && chance(m, 10)) m->in_back = below(m, 40);
}

/* A branch waits for all that came before it, and for the counts of its test. */
static void offer_instr(machine *m, unsigned w) {
  warp *x = &m->warps[w];
  if (!x->started || x->n_inside >= m->run->ahead || x->n_inside >= AHEAD) return;
  unsigned at = SPREF_MAX_CODE;
  for (unsigned l = 0; l < m->lanes; l++)
    if (x->running[l] && x->pc[l] < at) at = x->pc[l];
  if (at == SPREF_MAX_CODE) return;
  if (x->loading || (m->run->waits && spref_bench_held(m->b, w))) return;
  const spref_code *c = &m->p->code[at];
  bool control = c->i.op == SPREF_BRA || c->i.op == SPREF_SETP || c->act == SPREF_ACT_EXIT;
  if (control && (x->n_inside || x->asked)) return;
  if (m->run->waits && c->act == SPREF_ACT_EXIT && in_flight(m, w)) return;
  flight fl;
  if (!step_gold(m, w, &m->in, &fl)) return;
  x->inside[x->n_inside++] = fl;
  m->has_in = true;
  m->in.last = !alive(m, x);
  if (m->run->waits && c->i.op == SPREF_LDNC) {
    x->loading = true;
    x->load = fl;
  }
  if (c->i.op == SPREF_SETP) count_it(m, x, c, &fl);
}

/* What is no load runs as it is told. */
static bool issue_told(machine *m) {
  warp *x = &m->warps[m->in.warp];
  const flight *fl = &x->inside[x->n_inside - 1];
  if (m->p->code[fl->at].i.op == SPREF_LDNC) return true;
  if (!perform(m, m->in.warp, fl, false, 0)) return false;
  if (m->in.last) end_warp(m, x);
  return true;
}

/* Its test waits for the port: the operands may go before it. */
static bool is_offered(const machine *m, const warp *x) {
  return m->has_in && m->in.counted && &m->warps[m->in.warp] == x;
}

/* Now and then nothing is offered or taken until all that was said has acted: what then may issue
 * must be told so. What is offered holds. */
static bool pauses(machine *m) {
  if (!m->run->waits || m->has_in || m->sum_stands || below(m, 300) != 0) return true;
  for (unsigned edge = 16 + below(m, 8); edge > 0; edge--) {
    spref_offer o = {0};
    if (!spref_bench_edge(m->b, &o)) return false;
    if (o.counted) m->warps[o.counted_warp].asked = false;
  }
  return true;
}

bool spref_machine_run(spref_bench *b, const spref_program *p, const spref_run *run,
                       spref_tally *tally) {
  const spref_shape *shape = &b->ref.shape;
  machine m = {.b = b, .p = p, .run = run, .tally = tally, .lanes = shape->lanes};
  m.warps = wf_calloc(shape->warps, sizeof *m.warps);
  m.flights = wf_calloc(FLIGHTS + 1, sizeof *m.flights);
  *tally = (spref_tally){0};
  bool ok = true, more = true;
  for (unsigned edge = 0; ok && more; edge++) {
    if (edge > LONG) ok = wf_bench_fail(&b->base, "the program does not end");
    if (!ok || !(ok = pauses(&m))) break;
    unsigned w = below(&m, run->warps);
    offer_start(&m, w);
    if (!m.has_in && chance(&m, run->rate)) offer_instr(&m, below(&m, run->warps));
    spref_count *count = NULL;
    for (unsigned k = 0; k < run->warps && !count; k++) {
      warp *x = &m.warps[(w + k) % run->warps];
      if ((x->asked || is_offered(&m, x)) && !x->sent && !chance(&m, run->late)) count = &x->count;
    }
    const unsigned d = m.n_done ? below(&m, m.n_done) : 0;
    const bool has_done = m.n_done && !chance(&m, run->late);
    const bool room = m.n_done < DONES - 1;
    const spref_done failed = {.warp = m.done[d].warp, .reg = b->ref.levels.max_s, .fault = true};
    choice chosen;
    choose(&m, &chosen);
    const sent *flight = chosen.has_flight ? &m.flights[chosen.flight] : NULL;
    spref_offer o = {.in = m.has_in && !m.in_back ? &m.in : NULL,
                     .count = count,
                     .load = chosen.has_load ? &chosen.load : NULL,
                     .done = flight && !flight->sum        ? &flight->done
                             : has_done && m.done[d].fault ? &failed
                                                           : NULL,
                     .sum = flight && flight->sum ? &flight->made : NULL,
                     .next = chosen.has_next &&
                                     !(chosen.has_load && chosen.next.warp == chosen.load.warp)
                                 ? &chosen.next
                                 : NULL,
                     .take_injected = m.n_flights < FLIGHTS && !chance(&m, run->late),
                     .issued = issuing(&m, &chosen),
                     .take_answers = room && !chance(&m, run->stall)};
    if (m.in_back) m.in_back--;
    ok = spref_bench_edge(b, &o);
    if (!ok) break;
    if (o.in_taken) {
      m.has_in = false;
      if (m.in.counted) m.warps[m.in.warp].asked = true;
    }
    if (o.count_taken) m.warps[count->warp].sent = true;
    if (o.counted) m.warps[o.counted_warp].asked = false;
    if (has_done && (!o.done || o.done_taken)) m.done[d] = m.done[--m.n_done];
    if (run->waits && o.in_taken) ok = issue_told(&m);
    ok = ok && step_choice(&m, &chosen, &o);
    if (!ok) break;
    if (o.answered) ok = take_answer(&m, &o.answer);
    more = m.has_in || m.n_done || m.n_flights || b->inside.count;
    for (unsigned k = 0; k < run->warps; k++)
      more |= m.warps[k].started || m.warps[k].repeats < run->repeats;
  }
  free(m.warps);
  free(m.flights);
  return ok && spref_bench_rest(b);
}
