/* Random programs on the machine, random streams that no program would make, over several shapes,
 * with random stalls on every port. SPREF_SEED=n       the seed (a failure prints the command line
 * that replays it) SPREF_PROGRAMS=n   programs in all (default 400) SPREF_CONFIG=a,b   only these
 * configurations SPREF_PLAIN=1      as they are, without overrides */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tb/common/wf_bench.h"
#include "tb/spref/spref_programs.h"

typedef struct plan {
  const char *config, *parameters;
  unsigned share; /* of the programs, in percent */
  bool programs;  /* else streams only: too small for the machine's programs */
} plan;

static const plan plans[] = {
    {"small", NULL, 40, true}, {"odd", NULL, 25, true},
    {"paper", NULL, 15, true}, {"tiny", NULL, 5, false},
    {"replay", NULL, 5, true}, {"small", "NumForm=5 Queue=1 PcStep=4", 10, true},
};

typedef struct env {
  spref_bench *b;
  const char *config;
} env;

static uint32_t below(env *e, uint64_t bound) {
  return (uint32_t)wf_rng_below(spref_bench_rng(e->b), bound);
}
static bool chance(env *e, unsigned percent) {
  return below(e, 100) < percent;
}

static spref_levels random_levels(env *e, bool hints) {
  unsigned regs = 1u << spref_bench_ref(e->b)->shape.reg_bits, low = regs > 24 ? 24 : regs / 2;
  static const unsigned sizes[] = {0, 1, 2, 3, 4, 6, 8, 12};
  unsigned size = sizes[below(e, 8)];
  if (chance(e, 50)) size = 8;
  return (spref_levels){.enable = !chance(e, 4),
                        .hints = hints,
                        .distance = below(e, 2) ? 0 : below(e, 4),
                        .cache_only = chance(e, 15),
                        .widen = chance(e, 80),
                        .max_s = low,
                        .max_d = low + size > regs ? regs : low + size};
}

static spref_loop_shape random_shape(env *e) {
  static const spref_cmp ups[] = {SPREF_LT, SPREF_LE, SPREF_NE},
                         downs[] = {SPREF_GT, SPREF_GE, SPREF_NE};
  spref_loop_shape s = {.layout = (spref_layout)below(e, 3),
                        .indexed = chance(e, 40),
                        .mad = chance(e, 40),
                        .ext = chance(e, 40),
                        .down = chance(e, 35),
                        .negate = chance(e, 30),
                        .swap = chance(e, 30),
                        .uniform_step = chance(e, 20),
                        .no_tail = chance(e, 15),
                        .two = chance(e, 30),
                        .wide_head = chance(e, 15),
                        .wide_tail = chance(e, 15),
                        .guard_zero = chance(e, 40),
                        .nested = chance(e, 50),
                        .twist = chance(e, 40) ? SPREF_PLAIN : (spref_twist)below(e, SPREF_TWISTS),
                        .step_shift = below(e, 4) ? 0 : below(e, 3),
                        .trips = 1 + below(e, chance(e, 50) ? 8 : 24),
                        .base = 64 * below(e, 20),
                        .lead = chance(e, 30)};
  if (chance(e, 50)) {
    s.head_imm = (int)below(e, 4000) - 2000;
    s.tail_imm = (int)below(e, 60000) - 30000;
    s.pointer_step = (int)below(e, 3000) - 1500;
    s.local_base = chance(e, 50);
  }
  if (chance(e, 60))
    s.base = below(e, (UINT64_C(1) << spref_bench_ref(e->b)->shape.pc_bits) - SPREF_MAX_CODE);
  s.tail_2 = s.two && chance(e, 60) && s.twist != SPREF_CONDITIONAL_COUNT;
  s.cmp = s.down ? downs[below(e, 3)] : ups[below(e, 3)];
  return s;
}

static bool send_event(env *e, spref_event_kind kind) {
  spref_event event = {.kind = kind};
  spref_offer o = {.event = &event, .take_answers = true};
  while (!o.event_taken)
    if (!spref_bench_edge(e->b, &o)) return false;
  return spref_bench_rest(e->b);
}

static bool send_hints(env *e, const spref_hint *h, unsigned n, bool rest) {
  bool held = false;
  for (unsigned k = 0; k < n;) {
    spref_offer o = {.hint = held || chance(e, 70) ? &h[k] : NULL, .take_answers = true};
    if (!spref_bench_edge(e->b, &o)) return false;
    if (o.hint_taken) k++;
    held = o.hint && !o.hint_taken;
  }
  return !rest || spref_bench_rest(e->b);
}

/* Other names for the registers of a program, below the spare ones. */
static void rename_registers(env *e, spref_program *p, spref_marks *m, unsigned limit) {
  unsigned to[SPREF_MAX_REGS];
  spref_program old = *p;
  for (unsigned r = 0; r < SPREF_MAX_REGS; r++) to[r] = r;
  for (unsigned r = limit - 1; r > 0; r--) {
    unsigned other = below(e, r + 1), was = to[r];
    to[r] = to[other];
    to[other] = was;
  }
  for (unsigned r = 0; r < SPREF_MAX_REGS; r++) {
    p->reg[to[r]] = old.reg[r];
    p->lane_step[to[r]] = old.lane_step[r];
    p->warp_step[to[r]] = old.warp_step[r];
    p->spread[to[r]] = old.spread[r];
  }
  for (unsigned k = 0; k < p->length; k++) {
    spref_instr *i = &p->code[k].i;
    i->dst = to[i->dst];
    i->a = to[i->a];
    i->b = to[i->b];
  }
  for (unsigned k = 0; k < m->n_chain; k++) m->chain_reg[k] = to[m->chain_reg[k]];
  m->base_reg = to[m->base_reg];
}

static bool one_program(env *e) {
  spref_loop_shape s = random_shape(e);
  spref_program p;
  spref_marks marks;
  bool hints = !s.two && s.twist < SPREF_SKIP_STEP && s.layout != SPREF_ROTATED && chance(e, 30);
  spref_levels levels = random_levels(e, hints);
  if (!spref_bench_rest(e->b)) return false;
  spref_bench_configure(e->b, &levels);
  if (!send_event(e, SPREF_KERNEL)) return false;
  spref_program_loop(&p, &s, &marks);
  rename_registers(e, &p, &marks, levels.max_s);
  if (hints) {
    spref_hint h[16];
    unsigned n = spref_program_hints(&p, &s, &marks, h);
    /* A table may be written over another, of any other loop. */
    if (chance(e, 30)) {
      spref_hint other[16];
      memcpy(other, h, sizeof h);
      for (unsigned k = 0; k < n; k++)
        other[k].pc += 1 + below(e, 9), other[k].reg = below(e, levels.max_s);
      if (!send_hints(e, other, n, false)) return false;
    }
    if (!send_hints(e, h, n, true)) return false;
  }
  unsigned warps = spref_bench_ref(e->b)->shape.warps;
  spref_run run = {.warps = 1 + below(e, warps < 6       ? warps
                                         : chance(e, 20) ? warps
                                                         : 6),
                   .repeats = 1 + below(e, 3),
                   .stall = chance(e, 50) ? 0 : below(e, 70),
                   .rate = 30 + below(e, 71),
                   .late = chance(e, 50) ? 0 : below(e, 90),
                   .ahead = 1 + below(e, 6),
                   .fault_per_mille = chance(e, 15) ? 30 : 0,
                   .lanes_off = chance(e, 50) ? 0 : below(e, 60)};
  spref_tally tally;
  return spref_machine_run(e->b, &p, &run, &tally);
}

/* ---- streams: a loop whose instructions, masks, branches and counts are anything the contract
 * allows ---- */

typedef struct stream {
  spref_instr code[64];
  unsigned length, lo, hi;
  bool calm; /* most iterations are as the code says */
  struct {
    unsigned at;
    uint64_t mask;
    bool asked;
    spref_count count;
  } warp[SPREF_MAX_WARPS];
  unsigned order[64], n_order, first; /* warps whose instructions are inside */
} stream;

static spref_instr random_code(env *e, unsigned regs, unsigned preds) {
  static const unsigned ops[] = {SPREF_OTHER, SPREF_ADD,   SPREF_ADD,  SPREF_ADD,
                                 SPREF_SUB,   SPREF_SCALE, SPREF_MAD,  SPREF_LDNC,
                                 SPREF_LDNC,  SPREF_SETP,  SPREF_SETP, SPREF_OTHER};
  unsigned few = regs < 8 ? regs : 8;
  spref_instr i = {.op = ops[below(e, 12)],
                   .dst = below(e, few),
                   .a = below(e, few),
                   .b = below(e, few),
                   .bkind = below(e, 4),
                   .ext = chance(e, 70) ? 0 : below(e, 3),
                   .sh = below(e, 4),
                   .cmp = below(e, 6),
                   .pd = below(e, preds),
                   .gpred = below(e, preds),
                   .guard = chance(e, 5),
                   .gneg = chance(e, 30),
                   .wide = chance(e, 20),
                   .imm = (int)below(e, 17) - 8};
  if (chance(e, 20)) i.imm = (int)below(e, 65536) - 32768;
  if (chance(e, 4)) i.sh = below(e, 16);
  if (chance(e, 1)) i.op = SPREF_CLOBBER;
  if (i.op == SPREF_ADD && chance(e, 40)) {
    i.b = i.dst;
    i.a = i.dst;
    i.bkind = SPREF_NUM;
    i.imm = 1 << below(e, chance(e, 60) ? 4 : 15);
    if (chance(e, 30)) i.imm = -i.imm;
  }
  i.dst_v = i.op != SPREF_SETP && i.op != SPREF_CLOBBER && !(i.op == SPREF_OTHER && chance(e, 50));
  i.pd_v = i.op == SPREF_SETP || (i.op == SPREF_OTHER && chance(e, 10));
  return i;
}

static void start_masks(env *e, stream *s) {
  const spref_shape *shape = &spref_bench_ref(e->b)->shape;
  uint64_t all = shape->lanes >= 64 ? UINT64_MAX : (UINT64_C(1) << shape->lanes) - 1;
  for (unsigned w = 0; w < shape->warps; w++) {
    s->warp[w].mask = wf_rng_next(spref_bench_rng(e->b)) & all;
    if (!s->warp[w].mask || chance(e, 50)) s->warp[w].mask = all;
  }
}

static void make_stream(env *e, stream *s) {
  const spref_shape *shape = &spref_bench_ref(e->b)->shape;
  unsigned regs = 1u << shape->reg_bits, preds = 1u << shape->pred_bits;
  if (preds > 3) preds = 3;
  memset(s, 0, sizeof *s);
  s->length = 8 + below(e, 24);
  s->lo = 2;
  s->hi = s->length - 3;
  for (unsigned k = 0; k < s->length; k++) s->code[k] = random_code(e, regs, preds);
  /* Half of them have the parts of a loop that is found, in places that are. */
  if (chance(e, 70)) {
    unsigned at = s->lo;
    s->code[at++] =
        (spref_instr){.op = SPREF_LDNC, .dst_v = true, .dst = 9 % regs, .a = 10 % regs, .imm = 4};
    s->code[at++] = (spref_instr){.op = SPREF_MAD,
                                  .dst_v = true,
                                  .dst = 11 % regs,
                                  .a = 9 % regs,
                                  .sh = 2,
                                  .bkind = SPREF_REG,
                                  .b = 12 % regs};
    if (chance(e, 50)) s->code[at++] = random_code(e, regs, preds);
    s->code[at++] = (spref_instr){
        .op = SPREF_LDNC, .dst_v = true, .dst = 13 % regs, .a = 11 % regs, .imm = (int)below(e, 8)};
    s->code[at++] = (spref_instr){.op = SPREF_ADD,
                                  .dst_v = true,
                                  .dst = 10 % regs,
                                  .a = 10 % regs,
                                  .bkind = SPREF_NUM,
                                  .imm = 4};
    s->code[at++] = (spref_instr){.op = SPREF_SETP,
                                  .pd_v = true,
                                  .pd = 0,
                                  .cmp = SPREF_NE,
                                  .a = 10 % regs,
                                  .bkind = SPREF_REG,
                                  .b = 14 % regs};
    for (; at < s->hi; at++)
      if (s->code[at].pd_v) s->code[at] = (spref_instr){.op = SPREF_OTHER};
  }
  s->code[s->hi] = (spref_instr){
      .op = SPREF_BRA, .guard = !chance(e, 20), .gpred = 0, .gneg = chance(e, 10), .target = s->lo};
  for (unsigned k = 0; k < 3; k++) {
    if (!chance(e, 40)) continue;
    unsigned at = 1 + below(e, s->length - 1);
    s->code[at] = (spref_instr){.op = SPREF_BRA,
                                .guard = chance(e, 60),
                                .gpred = below(e, preds),
                                .target = below(e, s->length)};
  }
  start_masks(e, s);
}

/* ---- streams whose loop is found: what a table rests on is made of anything that is followed, and
 * now and then of what is not ---- */

typedef struct chain {
  stream *s;
  unsigned name[32], names, forms; /* registers that are not in use; entries that are left */
  unsigned spoilt[8], n_spoilt;    /* registers that are written once more at the end */
  bool test_waits, neg; /* the test is to come between the loads; its register, its step */
  unsigned counter;
  int by;
} chain;

static void loop_test(env *e, chain *c, unsigned r, int by, bool neg);

static spref_instr *put(env *e, chain *c, spref_instr i) {
  stream *s = c->s;
  if (s->length > 57) return &s->code[57];            /* full: what ends the loop still fits */
  if (s->length < 34 && c->names > 4 && chance(e, 8)) /* something that nobody needs */
    s->code[s->length++] =
        (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = c->name[0], .a = below(e, 8)};
  s->code[s->length] = i;
  return &s->code[s->length++];
}

static unsigned fresh(chain *c) {
  return c->names ? c->name[--c->names] : 0;
}

static int any_number(env *e) {
  return chance(e, 30) ? (int)below(e, 17) - 8 : (int)below(e, 65536) - 32768;
}

/* A register that does not change in the loop: nobody writes it, or it is computed from such ones.
 */
static unsigned constant(env *e, chain *c) {
  unsigned r = fresh(c);
  if (c->forms < 4 || !chance(e, 35)) return r;
  unsigned d = fresh(c);
  c->forms--;
  if (chance(e, 50))
    put(e, c,
        (spref_instr){.op = SPREF_ADD,
                      .dst_v = true,
                      .dst = d,
                      .a = r,
                      .bkind = SPREF_NUM,
                      .imm = any_number(e)});
  else if (chance(e, 50))
    put(e, c,
        (spref_instr){
            .op = SPREF_SUB, .dst_v = true, .dst = d, .a = r, .bkind = SPREF_REG, .b = fresh(c)});
  else
    put(e, c,
        (spref_instr){.op = SPREF_SCALE,
                      .dst_v = true,
                      .dst = d,
                      .a = r,
                      .sh = below(e, 16),
                      .ext = below(e, 3)});
  return d;
}

static unsigned follow(env *e, chain *c, unsigned x, bool loaded) {
  if (c->forms == 0 || c->names < 4) return x;
  spref_instr i = {.dst_v = true, .a = x, .bkind = SPREF_REG};
  unsigned kind = below(e, 6);
  if (kind == 0)
    i.op = SPREF_SCALE, i.bkind = below(e, 4), i.b = below(e, 8);
  else if (kind < 3)
    i.op = SPREF_MAD;
  else if (kind == 3 && !loaded)
    i.op = SPREF_SUB;
  else
    i.op = SPREF_ADD;
  if (i.op == SPREF_SCALE || i.op == SPREF_MAD) {
    i.sh = chance(e, 10) ? below(e, 16) : below(e, 5);
    i.ext = chance(e, 60) ? 0 : below(e, 3);
  }
  if (i.op != SPREF_SCALE) {
    if (i.op != SPREF_SUB && chance(e, 45))
      i.bkind = chance(e, 80) ? SPREF_NUM : SPREF_UNIFORM, i.imm = any_number(e);
    else
      i.b = constant(e, c);
  }
  if (c->forms == 0) return x;
  if (i.op == SPREF_ADD && i.bkind == SPREF_REG && chance(e, 50)) {
    i.a = i.b;
    i.b = x;
  }
  i.dst = fresh(c);
  c->forms--;
  put(e, c, i);
  return i.dst;
}

static void step(env *e, chain *c, unsigned r, int by) {
  put(e, c,
      (spref_instr){.op = SPREF_ADD,
                    .dst_v = true,
                    .dst = r,
                    .a = r,
                    .bkind = chance(e, 80) ? SPREF_NUM : SPREF_UNIFORM,
                    .imm = by,
                    .b = chance(e, 50) ? r : 0});
}

/* Entries that no load needs: registers that step, or rest on one that does; most are written
 * twice, which frees the entry. */
static void decoys(env *e, chain *c, unsigned n) {
  bool crowd = n > 4; /* as many as there are entries, in pass A */
  for (unsigned d = 0; d < n && c->forms > 2 && c->names > 10; d++) {
    unsigned r = fresh(c);
    if (crowd || chance(e, 60))
      step(e, c, r, 1 + (int)below(e, 100));
    else
      put(e, c,
          (spref_instr){.op = SPREF_ADD,
                        .dst_v = true,
                        .dst = r,
                        .a = fresh(c),
                        .bkind = SPREF_NUM,
                        .imm = any_number(e)});
    c->forms--;
    if (!crowd && chance(e, 40)) follow(e, c, r, false);
    if (chance(e, crowd ? 75 : 60) && c->n_spoilt < 8) {
      c->spoilt[c->n_spoilt++] = r;
      if (crowd || chance(e, 70)) c->forms++; /* free again in pass B */
    }
  }
}

static void between(env *e, chain *c, unsigned percent) {
  if (!c->test_waits || !chance(e, percent)) return;
  loop_test(e, c, c->counter, c->by, c->neg);
  c->test_waits = false;
}

static void head_and_tail(env *e, chain *c, unsigned x) {
  for (unsigned n = below(e, 3); n > 0; n--) x = follow(e, c, x, false);
  if (c->forms == 0 || c->names < 3) return;
  unsigned d = fresh(c);
  c->forms--;
  put(e, c,
      (spref_instr){.op = SPREF_LDNC,
                    .dst_v = true,
                    .dst = d,
                    .a = x,
                    .imm = any_number(e),
                    .wide = chance(e, 20),
                    .b = below(e, 8),
                    .bkind = below(e, 4)});
  between(e, c, 40);
  for (unsigned n = below(e, 4); n > 0; n--) d = follow(e, c, d, true);
  between(e, c, 70);
  if (!chance(e, 85)) return;
  put(e, c,
      (spref_instr){.op = SPREF_LDNC,
                    .dst_v = true,
                    .dst = fresh(c),
                    .a = d,
                    .imm = any_number(e),
                    .wide = chance(e, 20),
                    .guard = chance(e, 8)});
}

/* The test into predicate 0, of a register that steps by `by`; `neg`: it is true for those that
 * leave. */
static void loop_test(env *e, chain *c, unsigned r, int by, bool neg) {
  static const spref_cmp up[] = {SPREF_LT, SPREF_LE, SPREF_NE},
                         down[] = {SPREF_GT, SPREF_GE, SPREF_NE};
  static const spref_cmp opposite[] = {SPREF_NE, SPREF_EQ, SPREF_GE, SPREF_GT, SPREF_LE, SPREF_LT};
  static const spref_cmp flipped[] = {SPREF_EQ, SPREF_NE, SPREF_GT, SPREF_GE, SPREF_LT, SPREF_LE};
  spref_instr i = {.op = SPREF_SETP,
                   .pd_v = true,
                   .pd = 0,
                   .cmp = by < 0 ? down[below(e, 3)] : up[below(e, 3)],
                   .a = r,
                   .bkind = SPREF_REG};
  if (chance(e, 5)) i.cmp = below(e, 6);
  if (neg) i.cmp = opposite[i.cmp];
  if (chance(e, 25))
    i.bkind = SPREF_NUM, i.b = below(e, 8);
  else
    i.b = constant(e, c);
  if (i.bkind == SPREF_REG && chance(e, 40)) {
    i.a = i.b;
    i.b = r;
    i.cmp = flipped[i.cmp];
  }
  put(e, c, i);
}

/* A register of the loop's code so far, written or read. */
static unsigned register_of(env *e, const stream *s, unsigned end) {
  const spref_instr *i = &s->code[s->lo + below(e, end - s->lo)];
  const unsigned names[] = {i->dst, i->a, i->bkind == SPREF_REG ? i->b : i->a};
  return names[below(e, 3)];
}

static void make_chain(env *e, stream *s) {
  const spref_shape *shape = &spref_bench_ref(e->b)->shape;
  unsigned regs = 1u << shape->reg_bits, lo = 1 + below(e, 4);
  chain c = {
      .s = s, .names = regs < 32 ? regs : 32, .forms = shape->forms - (chance(e, 90) ? 0 : 1)};
  memset(s, 0, sizeof *s);
  unsigned from = below(e, regs);
  for (unsigned k = 0; k < c.names; k++) {
    unsigned other = below(e, k + 1);
    c.name[k] = c.name[other];
    c.name[other] = (from + k) % regs;
  }
  s->lo = s->length = lo;
  s->calm = !chance(e, 30);
  /* A pointer that steps, and what is tested: the same or a counter of its own. */
  unsigned pointer = fresh(&c), counter = c.forms > 4 && chance(e, 60) ? fresh(&c) : pointer;
  int power = 1 << below(e, 15), by = chance(e, 50) ? -power : power;
  if (chance(e, 4)) by = chance(e, 50) ? -32768 : any_number(e);
  int stride = counter == pointer ? by : any_number(e);
  c.forms -= counter == pointer ? 1 : 2;
  bool before = chance(e, 40), neg = chance(e, 40);
  bool crowd = chance(e, 12);
  if (crowd || chance(e, 20)) decoys(e, &c, crowd ? shape->forms : 1 + below(e, 4));
  unsigned layout = below(e, 3), leave = 0, over = 0;
  if (layout == 1) { /* rotated: @p bra over; bra out; over: */
    step(e, &c, pointer, stride);
    if (counter != pointer) step(e, &c, counter, by);
    loop_test(e, &c, counter, by, neg);
    over = s->length++;
    leave = s->length++;
    s->code[over] = (spref_instr){.op = SPREF_BRA, .guard = true, .gneg = neg, .target = s->length};
  } else if (before)
    step(e, &c, pointer, stride);
  if (layout == 2) {
    loop_test(e, &c, counter, by, neg);
    leave = s->length++;
  }
  c.test_waits = layout == 0 && chance(e, 15);
  c.counter = counter;
  c.by = by;
  c.neg = neg;
  bool was_waiting = c.test_waits;
  if (!crowd && chance(e, 30)) decoys(e, &c, 1 + below(e, 4));
  bool two = c.forms > 3 && chance(e, 40);
  unsigned all = c.forms;
  if (two) c.forms = 1 + below(e, all - 1);
  head_and_tail(e, &c, pointer);
  if (two) {
    c.forms = chance(e, 90) ? 1 + below(e, 3) : all;
    head_and_tail(e, &c, chance(e, 70) ? pointer : counter);
  }
  if (layout != 1 && !before) step(e, &c, pointer, stride);
  if (layout != 1 && counter != pointer) step(e, &c, counter, by);
  if (chance(e, 6))
    put(e, &c,
        (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = register_of(e, s, s->length)});
  for (unsigned k = 0; k < c.n_spoilt; k++)
    put(e, &c,
        (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = c.spoilt[k], .a = c.spoilt[k]});
  if (layout == 0 && (c.test_waits || !was_waiting)) loop_test(e, &c, counter, by, neg);
  s->hi = s->length++;
  s->code[s->hi] = (spref_instr){.op = SPREF_BRA, .guard = layout == 0, .gneg = neg, .target = lo};
  if (leave)
    s->code[leave] = (spref_instr){
        .op = SPREF_BRA, .guard = layout == 2, .gneg = layout == 2 && !neg, .target = s->length};
  s->length += 1 + below(e, 2);
  start_masks(e, s);
}

/* The counts that would come: the lanes of the mask go on, now and then one less, or anything. */
static void make_count(env *e, stream *s, unsigned w) {
  const spref_shape *shape = &spref_bench_ref(e->b)->shape;
  s->warp[w].asked = true;
  s->warp[w].count = (spref_count){.warp = w};
  for (unsigned l = 0; l < shape->lanes; l++)
    if (s->warp[w].mask >> l & 1 && !(chance(e, 3) && s->warp[w].mask & (s->warp[w].mask - 1)))
      s->warp[w].count.n[l] = (uint8_t)(1 + below(e, chance(e, 50) ? 4 : 15));
    else
      s->warp[w].mask &= ~(UINT64_C(1) << l);
  if (!s->warp[w].mask) s->warp[w].mask = 1;
}

static spref_instr next_instr(env *e, stream *s, unsigned w, unsigned step, uint64_t base) {
  unsigned at = s->warp[w].at % s->length;
  spref_instr i = s->code[at];
  unsigned regs = 1u << spref_bench_ref(e->b)->shape.reg_bits, rare = s->calm ? 3 : 1;
  /* Once, another instruction is here: of what a table rests on, everything must be watched. */
  if (s->calm && i.op == SPREF_ADD && i.bkind != SPREF_REG && chance(e, 1))
    i.imm ^= 1 << below(e, 4);
  else if (s->calm && i.op != SPREF_BRA && i.op != SPREF_SETP && chance(e, 1))
    i = (spref_instr){.op = chance(e, 80) ? SPREF_OTHER : SPREF_LDNC,
                      .dst_v = true,
                      .dst = chance(e, 60) ? register_of(e, s, s->hi) : below(e, regs),
                      .a = below(e, regs)};
  i.warp = w;
  i.pc = base + at * step;
  i.target = base + i.target * step;
  i.mask = chance(e, s->calm ? 98 : 96) ? s->warp[w].mask
                                        : s->warp[w].mask & wf_rng_next(spref_bench_rng(e->b));
  if (below(e, 100 * rare) == 0) i.mask = ~i.mask & 1;
  i.taken = i.op == SPREF_BRA &&
            (!i.guard || chance(e, i.target <= i.pc                                          ? 90
                                   : s->calm && at > s->lo && i.target < base + s->hi * step ? 92
                                   : s->calm                                                 ? 8
                                                                                             : 40));
  s->warp[w].at = i.taken ? (unsigned)s->code[at].target : at + 1;
  if (below(e, 100 * rare) == 0) s->warp[w].at = below(e, s->length);
  return i;
}

static bool one_stream(env *e, unsigned edges) {
  const spref_ref *r = spref_bench_ref(e->b);
  const spref_shape *shape = &r->shape;
  static stream s;
  bool chained = chance(e, 60);
  if (chained)
    make_chain(e, &s);
  else
    make_stream(e, &s);
  spref_levels levels = random_levels(e, false);
  if (chance(e, 20)) levels.max_d = levels.max_s + 4;
  if (!spref_bench_rest(e->b)) return false;
  spref_bench_configure(e->b, &levels);
  if (chance(e, chained ? 75 : 60) && !send_event(e, SPREF_KERNEL)) return false;
  uint64_t limit = (UINT64_C(1) << shape->pc_bits) - 1, last = limit - 64 * shape->pc_step,
           base = below(e, 2) ? 0 : last;
  if (chance(e, 60)) base = wf_rng_below(spref_bench_rng(e->b), last);
  unsigned warps = 1 + below(e, shape->warps), stall = chance(e, 50) ? 0 : below(e, 80),
           late = below(e, 80), focus = below(e, warps);
  bool has_in = false, offered = false, has_event = false, retire = false;
  spref_instr in = {0};
  spref_event event = {0};
  for (unsigned k = 0; k < edges || s.n_order || offered; k++) {
    if (k >= edges) retire = true;
    unsigned w = chance(e, 60) ? focus : below(e, warps);
    if (chance(e, 1)) focus = below(e, warps);
    if (!has_in && !retire && !(has_event && event.warp == w)) {
      unsigned op = s.code[s.warp[w].at % s.length].op;
      bool mine = false;
      for (unsigned q = 0; q < s.n_order; q++) mine |= s.order[(s.first + q) % 64] == w;
      bool control = op == SPREF_BRA || op == SPREF_SETP;
      if (!(control && (mine || s.warp[w].asked))) {
        in = next_instr(e, &s, w, shape->pc_step, base);
        has_in = true;
      }
    }
    if (!has_event && chance(e, 1)) {
      unsigned v = below(e, warps);
      bool mine = has_in && in.warp == v;
      for (unsigned q = 0; q < s.n_order; q++) mine |= s.order[(s.first + q) % 64] == v;
      if (!mine && !s.warp[v].asked) {
        event = (spref_event){.kind = chance(e, 50) ? SPREF_WARP_START : SPREF_WARP_END, .warp = v};
        has_event = true;
      }
    }
    unsigned c = below(e, warps), d = below(e, warps);
    spref_count *count = s.warp[c].asked && !chance(e, late) ? &s.warp[c].count : NULL;
    spref_done done = {.warp = d, .fault = chance(e, 2)};
    /* What is on its way was answered: the model counts what is still inside as well. */
    bool room = true, has_done = r->warp[d].flight > shape->queue && !chance(e, late / 2);
    for (unsigned q = 0; q < warps; q++) room = room && r->warp[q].flight < 20;
    if (!room) has_done = r->warp[d].flight > 0 && s.n_order == 0;
    if (!room && r->warp[d].flight > shape->queue) has_done = true;
    spref_offer o = {.in = has_in && (room || offered) ? &in : NULL,
                     .count = count,
                     .done = has_done ? &done : NULL,
                     .event = has_event ? &event : NULL,
                     .take_answers = !chance(e, stall)};
    if (!spref_bench_edge(e->b, &o)) return false;
    offered = o.in && !o.in_taken;
    if (o.in_taken) {
      s.order[(s.first + s.n_order++) % 64] = in.warp;
      has_in = false;
    }
    if (o.count_taken) s.warp[c].asked = false;
    if (o.event_taken) has_event = false;
    if (o.answered) {
      s.first = (s.first + 1) % 64;
      s.n_order--;
      if (o.answer.ask) make_count(e, &s, o.answer.warp);
    }
    if (retire && !offered && s.n_order == 0) break;
  }
  /* All that is on its way comes back. */
  if (!spref_bench_rest(e->b)) return false;
  for (unsigned w = 0; w < shape->warps; w++) {
    while (r->warp[w].flight) {
      spref_done done = {.warp = w};
      spref_offer o = {.done = &done, .take_answers = true};
      if (!spref_bench_edge(e->b, &o)) return false;
    }
    if (!s.warp[w].asked) continue;
    spref_offer o = {.count = &s.warp[w].count, .take_answers = true};
    if (!spref_bench_edge(e->b, &o)) return false;
  }
  return true;
}

static const char *const counter_names[] = {
#define X(name) #name,
    SPREF_COUNTERS(X)
#undef X
};

static void run_plan(const plan *p, uint64_t seed, uint64_t programs) {
  wf_error err = {0};
  spref_bench *b = spref_bench_create(p->config, p->parameters, seed, seed % 2 ? 70 : 0, &err);
  if (!b) fail_msg("%s", err.text);
  env e = {.b = b, .config = p->config};
  bool ok = true;
  uint64_t total[SPREF_CNT_COUNT] = {0};
  for (uint64_t k = 0; k < programs && ok; k++) {
    ok = p->programs && k % 2 == 0 ? one_program(&e) : one_stream(&e, 400 + below(&e, 1200));
    if (k % 16 == 7) {
      for (unsigned n = 0; n < SPREF_CNT_COUNT; n++) total[n] += spref_bench_ref(b)->counter[n];
      ok = ok && spref_bench_check_counters(b) && spref_bench_clear_counters(b);
    }
    if (ok && k % 32 == 15) ok = spref_bench_reset(b);
  }
  ok = ok && spref_bench_check_counters(b);
  if (getenv("SPREF_VERBOSE"))
    for (unsigned k = 0; k < SPREF_CNT_COUNT; k++)
      printf("      %-18s %llu\n", counter_names[k],
             (unsigned long long)(total[k] += spref_bench_ref(b)->counter[k]));
  printf("   %s%s%s: %llu programs and streams, %llu edges\n", p->config, p->parameters ? " " : "",
         p->parameters ? p->parameters : "", (unsigned long long)programs,
         (unsigned long long)spref_bench_cycles(b));
  if (!ok)
    fail_msg("%s\n   replay: SPREF_SEED=%llu SPREF_PROGRAMS=%llu SPREF_CONFIG=%s make test-spref",
             spref_bench_failure(b), (unsigned long long)wf_bench_number("SPREF_SEED", 1),
             (unsigned long long)wf_bench_number("SPREF_PROGRAMS", 400), p->config);
  spref_bench_destroy(b);
}

static void random_programs(void **state) {
  (void)state;
  uint64_t seed = wf_bench_number("SPREF_SEED", 1),
           programs = wf_bench_number("SPREF_PROGRAMS", 400);
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
    if (wf_bench_wants("SPREF_CONFIG", plans[i].config) &&
        !(getenv("SPREF_PLAIN") && plans[i].parameters))
      run_plan(&plans[i], seed + i, programs * plans[i].share / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
