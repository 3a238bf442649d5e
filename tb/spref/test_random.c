/* Random programs on the machine, random streams that no program would make, over several shapes,
 * with random stalls on every port. */
#include "tb/common/wf_test.h"
#include "tb/spref/spref_programs.h"

static const wf_plan plans[] = {
    {"small", NULL, 240}, {"odd", NULL, 200},   {"paper", NULL, 395},
    {"tiny", NULL, 18},   {"replay", NULL, 20}, {"small", "NumForm=5 Queue=1 PcStep=4", 127},
};

static uint32_t below(spref_bench *b, uint64_t bound) {
  return (uint32_t)wf_rng_below(&b->base.rng, bound);
}
static bool chance(spref_bench *b, unsigned percent) {
  return below(b, 100) < percent;
}

/* Registers of programs, and how many others may be spare. */
static unsigned used_registers(const spref_bench *b) {
  const unsigned regs = 1u << b->ref.shape.reg_bits;
  return regs > 24 ? 24 : regs / 2;
}
static unsigned spare_registers(const spref_bench *b) {
  const unsigned left = (1u << b->ref.shape.reg_bits) - used_registers(b);
  return left < 12 ? left : 12;
}

/* Spare registers lie above the program's, at the end of all, or anywhere. */
static unsigned first_spare(spref_bench *b, unsigned size) {
  const unsigned used = used_registers(b), regs = 1u << b->ref.shape.reg_bits;
  return chance(b, 25)   ? used
         : chance(b, 30) ? regs - (size + 1) / 2 * 2
         : chance(b, 30) ? 0
                         : 2 * below(b, used / 2 + 1);
}

static spref_levels random_levels(spref_bench *b, bool hints) {
  const unsigned most = spare_registers(b);
  static const unsigned sizes[] = {0, 1, 2, 3, 4, 6, 8, 12};
  unsigned size = sizes[below(b, 8)];
  if (chance(b, 50)) size = 8;
  if (size > most) size = most;
  const unsigned low = first_spare(b, size);
  return (spref_levels){.enable = !chance(b, 4),
                        .hints = hints,
                        .distance = below(b, 2) ? 0 : below(b, 4),
                        .cache_only = chance(b, 15),
                        .widen = chance(b, 80),
                        .max_s = low,
                        .max_d = low + size};
}

static spref_loop_shape random_shape(spref_bench *b) {
  static const spref_cmp ups[] = {SPREF_LT, SPREF_LE, SPREF_NE},
                         downs[] = {SPREF_GT, SPREF_GE, SPREF_NE};
  spref_loop_shape s = {.layout = (spref_layout)below(b, 3),
                        .indexed = chance(b, 40),
                        .mad = chance(b, 40),
                        .ext = chance(b, 40),
                        .down = chance(b, 35),
                        .negate = chance(b, 30),
                        .swap = chance(b, 30),
                        .uniform_step = chance(b, 20),
                        .no_tail = chance(b, 15),
                        .two = chance(b, 45),
                        .wide_head = chance(b, 15),
                        .wide_tail = chance(b, 15),
                        .guard_zero = chance(b, 40),
                        .nested = chance(b, 50),
                        .twist = chance(b, 40) ? SPREF_PLAIN : (spref_twist)below(b, SPREF_TWISTS),
                        .step_shift = below(b, 4) ? 0 : below(b, 3),
                        .trips = 1 + below(b, chance(b, 50) ? 8 : 24),
                        .base = 64 * below(b, 20),
                        .lead = chance(b, 30)};
  if (chance(b, 50)) {
    s.head_imm = (int)below(b, 4000) - 2000;
    s.tail_imm = (int)below(b, 60000) - 30000;
    s.pointer_step = (int)below(b, 3000) - 1500;
    s.local_base = chance(b, 50);
  }
  if (chance(b, 60)) s.base = below(b, (UINT64_C(1) << b->ref.shape.pc_bits) - SPREF_MAX_CODE);
  s.tail_2 = s.two && chance(b, 80) && s.twist != SPREF_CONDITIONAL_COUNT;
  s.cmp = s.down ? downs[below(b, 3)] : ups[below(b, 3)];
  return s;
}

static bool new_kernel(spref_bench *b) {
  spref_offer o = {.new_kernel = true, .take_answers = true};
  return spref_bench_edge(b, &o) && spref_bench_rest(b);
}

static bool send_hints(spref_bench *b, const spref_hint *h, unsigned n, bool rest) {
  bool held = false;
  for (unsigned k = 0; k < n;) {
    spref_offer o = {.hint = held || chance(b, 70) ? &h[k] : NULL, .take_answers = true};
    if (!spref_bench_edge(b, &o)) return false;
    if (o.hint_taken) k++;
    held = o.hint && !o.hint_taken;
  }
  return !rest || spref_bench_rest(b);
}

/* What an allocator does: values of an iteration share a few registers, whatever still needs what
 * was in them. Results then are others, but a move must bring what its load would. */
static void share_registers(spref_bench *b, unsigned to[SPREF_MAX_REGS]) {
  static const unsigned values[] = {R_ID,  R_X,     R_ADDR, R_VAL, R_ACC,
                                    R_ID2, R_ADDR2, R_VAL2, R_Y,   R_AT};
  enum { N = sizeof values / sizeof *values };
  const unsigned few = 1 + below(b, N);
  for (unsigned k = 0; k < N; k++) to[values[k]] = to[values[below(b, few)]];
}

/* Other names for the registers of a program, beside the spare ones, which begin at `spare`. */
static void rename_registers(spref_bench *b, spref_program *p, spref_marks *m, unsigned spare,
                             bool share) {
  const unsigned limit = used_registers(b), most = spare_registers(b);
  unsigned to[SPREF_MAX_REGS];
  spref_program old = *p;
  for (unsigned r = 0; r < SPREF_MAX_REGS; r++) to[r] = r;
  for (unsigned r = limit - 1; r > 0; r--) {
    unsigned other = below(b, r + 1), was = to[r];
    to[r] = to[other];
    to[other] = was;
  }
  for (unsigned r = 0; r < limit; r++)
    if (to[r] >= spare) to[r] += most;
  for (unsigned r = 0; r < most; r++) to[limit + r] = spare + r;
  for (unsigned r = 0; r < SPREF_MAX_REGS; r++) {
    p->reg[to[r]] = old.reg[r];
    p->lane_step[to[r]] = old.lane_step[r];
    p->warp_step[to[r]] = old.warp_step[r];
    p->spread[to[r]] = old.spread[r];
  }
  if (share) share_registers(b, to);
  for (unsigned k = 0; k < p->length; k++) {
    spref_instr *i = &p->code[k].i;
    i->dst = to[i->dst];
    i->a = to[i->a];
    i->b = to[i->b];
  }
  for (unsigned k = 0; k < m->n_chain; k++) m->chain_reg[k] = to[m->chain_reg[k]];
  m->base_reg = to[m->base_reg];
}

/* Addresses of any size that the unit keeps, in place of small ones. */
static void far_away(spref_bench *b, spref_program *p) {
  static const unsigned bases[] = {R_EDGES, R_ATTR, R_P, R_P2};
  for (unsigned k = 0; k < sizeof bases / sizeof *bases; k++)
    p->reg[bases[k]] += (int64_t)wf_rng_below(&b->base.rng, UINT64_C(1) << (b->addr_bits - 1));
}

static bool one_program(spref_bench *b) {
  spref_loop_shape s = random_shape(b);
  spref_program p;
  spref_marks marks;
  bool hints = !s.two && s.twist < SPREF_SKIP_STEP && s.layout != SPREF_ROTATED && chance(b, 30);
  spref_levels levels = random_levels(b, hints);
  if (!spref_bench_rest(b)) return false;
  spref_bench_configure(b, &levels);
  if (!new_kernel(b)) return false;
  b->sieves = b->shape.pc_step == 1; /* so far apart are a program's instructions here */
  spref_program_loop(&p, &s, &marks);
  if (chance(b, 50)) far_away(b, &p);
  rename_registers(b, &p, &marks, levels.max_s, !hints && chance(b, 60));
  if (hints) {
    spref_hint h[16];
    unsigned n = spref_program_hints(&p, &s, &marks, h);
    /* A table may be written over another, of any other loop. */
    if (chance(b, 30)) {
      spref_hint other[16];
      memcpy(other, h, sizeof h);
      for (unsigned k = 0; k < n; k++)
        other[k].pc += 1 + below(b, 9), other[k].reg = below(b, used_registers(b));
      if (!send_hints(b, other, n, false)) return false;
    }
    if (!send_hints(b, h, n, true)) return false;
  }
  unsigned warps = b->ref.shape.warps;
  spref_run run = {.warps = 1 + below(b, warps < 6       ? warps
                                         : chance(b, 20) ? warps
                                                         : 6),
                   .repeats = 1 + below(b, 3),
                   .stall = chance(b, 50) ? 0 : below(b, 70),
                   .rate = 30 + below(b, 71),
                   .late = chance(b, 50) ? 0 : below(b, 90),
                   .slow = chance(b, 60) ? 0 : 80 + below(b, 19),
                   .ahead = 1 + below(b, 6),
                   .fault_per_mille = chance(b, 35) ? 30 + below(b, 300) : 0,
                   .uncounted = chance(b, 30) ? 5 : 0,
                   .waits = chance(b, 60),
                   .lanes_off = chance(b, 50) ? 0 : below(b, 60)};
  if (run.slow) { /* or it takes millions of edges */
    run.late /= 2;
    if (run.warps > 6) run.warps = 6;
  }
  spref_tally tally;
  return spref_machine_run(b, &p, &run, &tally);
}

/* ---- streams: a loop whose instructions, masks, branches and counts are anything the contract
 * allows ---- */

enum { CODE = 256, CODE_FEW = 64 }; /* instructions of a stream; where program counters are few */

typedef struct stream {
  spref_instr code[CODE];
  unsigned length, lo, hi;
  bool calm; /* most iterations are as the code says */
  struct {
    unsigned at;
    uint64_t mask;
    bool asked, sent; /* counts have not acted; operands are in */
    bool counted;     /* a test is inside, alone: its operands come after its answer */
    spref_count count;
  } warp[SPREF_MAX_WARPS];
  /* how it is run */
  uint64_t base; /* program counter of code[0] */
  unsigned warps, stall, late, focus;
  bool has_in, offered; /* offered: `in` waits for the unit */
  spref_instr in;
} stream;

static unsigned code_of(const spref_shape *shape) {
  return shape->off_bits < 8 ? CODE_FEW : CODE;
}

static spref_instr random_code(spref_bench *b, unsigned regs, unsigned preds) {
  static const unsigned ops[] = {SPREF_OTHER, SPREF_ADD,   SPREF_ADD,  SPREF_ADD,
                                 SPREF_SUB,   SPREF_SCALE, SPREF_MAD,  SPREF_LDNC,
                                 SPREF_LDNC,  SPREF_SETP,  SPREF_SETP, SPREF_OTHER};
  unsigned few = regs < 8 ? regs : 8;
  spref_instr i = {.op = ops[below(b, 12)],
                   .dst = below(b, few),
                   .a = below(b, few),
                   .b = below(b, few),
                   .bkind = below(b, 4),
                   .ext = chance(b, 70) ? 0 : below(b, 3),
                   .sh = below(b, 4),
                   .cmp = below(b, 6),
                   .pd = below(b, preds),
                   .gpred = below(b, preds),
                   .guard = chance(b, 5),
                   .gneg = chance(b, 30),
                   .wide = chance(b, 20),
                   .pair_dst = chance(b, 15),
                   .pair_a = chance(b, 15),
                   .pair_b = chance(b, 15),
                   .imm = (int)below(b, 17) - 8};
  if (chance(b, 20)) i.imm = (int)below(b, 65536) - 32768;
  if (chance(b, 4)) i.sh = below(b, 16);
  if (chance(b, 1)) i.op = SPREF_CLOBBER;
  if (i.op == SPREF_ADD && chance(b, 40)) {
    i.b = i.dst;
    i.a = i.dst;
    i.bkind = SPREF_NUM;
    i.imm = 1 << below(b, chance(b, 60) ? 4 : 15);
    if (chance(b, 30)) i.imm = -i.imm;
  }
  i.dst_v = i.op != SPREF_SETP && i.op != SPREF_CLOBBER && !(i.op == SPREF_OTHER && chance(b, 50));
  i.pd_v = i.op == SPREF_SETP || (i.op == SPREF_OTHER && chance(b, 10));
  return i;
}

static void start_masks(spref_bench *b, stream *s) {
  const spref_shape *shape = &b->ref.shape;
  uint64_t all = shape->lanes >= 64 ? UINT64_MAX : (UINT64_C(1) << shape->lanes) - 1;
  for (unsigned w = 0; w < shape->warps; w++) {
    s->warp[w].mask = wf_rng_next(&b->base.rng) & all;
    if (!s->warp[w].mask || chance(b, 50)) s->warp[w].mask = all;
  }
}

static void make_stream(spref_bench *b, stream *s) {
  const spref_shape *shape = &b->ref.shape;
  unsigned regs = 1u << shape->reg_bits, preds = 1u << shape->pred_bits;
  if (preds > 3) preds = 3;
  memset(s, 0, sizeof *s);
  s->length = 8 + below(b, 24);
  s->lo = 2;
  s->hi = s->length - 3;
  for (unsigned k = 0; k < s->length; k++) s->code[k] = random_code(b, regs, preds);
  /* Half of them have the parts of a loop that is found, in places that are. */
  if (chance(b, 70)) {
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
    if (chance(b, 50)) s->code[at++] = random_code(b, regs, preds);
    s->code[at++] = (spref_instr){
        .op = SPREF_LDNC, .dst_v = true, .dst = 13 % regs, .a = 11 % regs, .imm = (int)below(b, 8)};
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
      .op = SPREF_BRA, .guard = !chance(b, 20), .gpred = 0, .gneg = chance(b, 10), .target = s->lo};
  for (unsigned k = 0; k < 3; k++) {
    if (!chance(b, 40)) continue;
    unsigned at = 1 + below(b, s->length - 1);
    s->code[at] = (spref_instr){.op = SPREF_BRA,
                                .guard = chance(b, 60),
                                .gpred = below(b, preds),
                                .target = below(b, s->length)};
  }
  start_masks(b, s);
}

/* ---- streams whose loop is found: what a table rests on is made of anything that is followed, and
 * now and then of what is not ---- */

typedef struct chain {
  stream *s;
  unsigned name[32], names, forms; /* registers that are not in use; entries that are left */
  unsigned spoilt[8], n_spoilt;    /* registers that are written once more at the end */
  unsigned past[16], n_past;       /* registers that all readers are behind of */
  unsigned filler, reuse;          /* percent of the places with what nobody needs, which writes
                                      such a register */
  bool pair[SPREF_MAX_REGS];       /* of two registers */
  unsigned most, gaps;             /* instructions; percent of the places with a gap */
  bool test_waits, neg; /* the test is to come between the loads; its register, its step */
  unsigned counter;
  int by;
} chain;

static void loop_test(spref_bench *b, chain *c, unsigned r, int by, bool neg);

/* The loop goes on far away: a branch over what is never run. */
static void gap(spref_bench *b, chain *c) {
  stream *s = c->s;
  const unsigned left = c->most - 24;
  if (s->length + 1 >= left) return;
  const unsigned to = s->length + 2 + below(b, left - s->length - 1);
  s->code[s->length] = (spref_instr){.op = SPREF_BRA, .target = to};
  s->length = to;
}

/* Something that nobody needs; its register may have held what somebody needed. */
static void unneeded(spref_bench *b, chain *c) {
  const bool again = c->n_past && chance(b, c->reuse);
  const unsigned dst = again ? c->past[below(b, c->n_past)] : c->name[0];
  c->s->code[c->s->length++] = (spref_instr){.op = SPREF_OTHER,
                                             .dst_v = true,
                                             .dst = dst,
                                             .a = below(b, 8),
                                             .pair_dst = again && c->pair[dst]};
}

static spref_instr *put(spref_bench *b, chain *c, spref_instr i) {
  stream *s = c->s;
  i.pair_dst = i.dst_v && c->pair[i.dst];
  i.pair_a = c->pair[i.a];
  i.pair_b = i.bkind == SPREF_REG && c->pair[i.b];
  if (s->length > c->most - 7) return &s->code[c->most - 7]; /* what ends the loop still fits */
  const unsigned most = c->filler > 8 ? 90 : 34;
  if (s->length < most && s->length < c->most - 8 && c->names > 4 && chance(b, c->filler))
    unneeded(b, c);
  s->code[s->length] = i;
  return &s->code[s->length++];
}

static unsigned fresh(chain *c) {
  return c->names ? c->name[--c->names] : 0;
}

static int any_number(spref_bench *b) {
  return chance(b, 30) ? (int)below(b, 17) - 8 : (int)below(b, 65536) - 32768;
}

static unsigned computed(spref_bench *b, chain *c, unsigned r) {
  unsigned d = fresh(c);
  c->forms--;
  if (chance(b, 50))
    put(b, c,
        (spref_instr){.op = SPREF_ADD,
                      .dst_v = true,
                      .dst = d,
                      .a = r,
                      .bkind = SPREF_NUM,
                      .imm = any_number(b)});
  else if (chance(b, 50))
    put(b, c,
        (spref_instr){
            .op = SPREF_SUB, .dst_v = true, .dst = d, .a = r, .bkind = SPREF_REG, .b = fresh(c)});
  else
    put(b, c,
        (spref_instr){.op = SPREF_SCALE,
                      .dst_v = true,
                      .dst = d,
                      .a = r,
                      .sh = below(b, 16),
                      .ext = below(b, 3)});
  return d;
}

/* A register that does not change in the loop: nobody writes it, or it is computed from such ones.
 */
static unsigned constant(spref_bench *b, chain *c) {
  unsigned r = fresh(c);
  for (unsigned percent = 35; c->forms >= 4 && c->names > 4 && chance(b, percent); percent = 50)
    r = computed(b, c, r);
  return r;
}

/* All that read it are there. */
static void is_past(chain *c, unsigned r) {
  if (c->n_past < 16) c->past[c->n_past++] = r;
}

static unsigned follow(spref_bench *b, chain *c, unsigned x, bool loaded) {
  if (c->forms == 0 || c->names < 4) return x;
  spref_instr i = {.dst_v = true, .a = x, .bkind = SPREF_REG};
  unsigned kind = below(b, 6);
  if (kind == 0)
    i.op = SPREF_SCALE, i.bkind = below(b, 4), i.b = below(b, 8);
  else if (kind < 3)
    i.op = SPREF_MAD;
  else if (kind == 3 && !loaded)
    i.op = SPREF_SUB;
  else
    i.op = SPREF_ADD;
  if (i.op == SPREF_SCALE || i.op == SPREF_MAD) {
    i.sh = chance(b, 10) ? below(b, 16) : below(b, 5);
    i.ext = chance(b, 60) ? 0 : below(b, 3);
  }
  if (i.op != SPREF_SCALE) {
    if (i.op != SPREF_SUB && chance(b, 45))
      i.bkind = chance(b, 80) ? SPREF_NUM : SPREF_UNIFORM, i.imm = any_number(b);
    else
      i.b = constant(b, c);
  }
  if (c->forms == 0) return x;
  if (i.op == SPREF_ADD && i.bkind == SPREF_REG && chance(b, 50)) {
    i.a = i.b;
    i.b = x;
  }
  i.dst = fresh(c);
  c->forms--;
  put(b, c, i);
  return i.dst;
}

static void step(spref_bench *b, chain *c, unsigned r, int by) {
  put(b, c,
      (spref_instr){.op = SPREF_ADD,
                    .dst_v = true,
                    .dst = r,
                    .a = r,
                    .bkind = chance(b, 80) ? SPREF_NUM : SPREF_UNIFORM,
                    .imm = by,
                    .b = chance(b, 50) ? r : 0});
}

/* Entries that no load needs: registers that step, or rest on one that does; most are written
 * twice, which frees the entry. */
static void decoys(spref_bench *b, chain *c, unsigned n) {
  bool crowd = n > 4; /* as many as there are entries, in pass A */
  for (unsigned d = 0; d < n && c->forms > 2 && c->names > 10; d++) {
    unsigned r = fresh(c);
    if (crowd || chance(b, 60))
      step(b, c, r, 1 + (int)below(b, 100));
    else
      put(b, c,
          (spref_instr){.op = SPREF_ADD,
                        .dst_v = true,
                        .dst = r,
                        .a = fresh(c),
                        .bkind = SPREF_NUM,
                        .imm = any_number(b)});
    c->forms--;
    if (!crowd && chance(b, 40)) follow(b, c, r, false);
    if (chance(b, crowd ? 75 : 60) && c->n_spoilt < 8) {
      c->spoilt[c->n_spoilt++] = r;
      if (crowd || chance(b, 70)) c->forms++; /* free again in pass B */
    }
  }
}

static void between(spref_bench *b, chain *c, unsigned percent) {
  if (!c->test_waits || !chance(b, percent)) return;
  loop_test(b, c, c->counter, c->by, c->neg);
  c->test_waits = false;
}

static void head_and_tail(spref_bench *b, chain *c, unsigned x) {
  for (unsigned n = below(b, chance(b, 20) ? 6 : 3), last = x; n > 0; n--) {
    const unsigned was = x;
    x = follow(b, c, was, false);
    if (was != last && x != was) is_past(c, was);
  }
  if (c->forms == 0 || c->names < 3) return;
  unsigned d = fresh(c);
  c->forms--;
  put(b, c,
      (spref_instr){.op = SPREF_LDNC,
                    .dst_v = true,
                    .dst = d,
                    .a = x,
                    .imm = any_number(b),
                    .wide = chance(b, 20),
                    .b = below(b, 8),
                    .bkind = below(b, 4)});
  if (chance(b, c->gaps)) gap(b, c);
  between(b, c, 40);
  for (unsigned n = below(b, chance(b, 20) ? 7 : 4); n > 0; n--) {
    const unsigned was = d;
    d = follow(b, c, was, true);
    if (d != was) is_past(c, was);
  }
  if (chance(b, c->gaps)) gap(b, c);
  between(b, c, 70);
  if (!chance(b, 85)) return;
  put(b, c,
      (spref_instr){.op = SPREF_LDNC,
                    .dst_v = true,
                    .dst = fresh(c),
                    .a = d,
                    .imm = any_number(b),
                    .wide = chance(b, 20),
                    .guard = chance(b, 8)});
}

/* The test into predicate 0, of a register that steps by `by`; `neg`: it is true for those that
 * leave. */
static void loop_test(spref_bench *b, chain *c, unsigned r, int by, bool neg) {
  static const spref_cmp up[] = {SPREF_LT, SPREF_LE, SPREF_NE},
                         down[] = {SPREF_GT, SPREF_GE, SPREF_NE};
  static const spref_cmp opposite[] = {SPREF_NE, SPREF_EQ, SPREF_GE, SPREF_GT, SPREF_LE, SPREF_LT};
  static const spref_cmp flipped[] = {SPREF_EQ, SPREF_NE, SPREF_GT, SPREF_GE, SPREF_LT, SPREF_LE};
  spref_instr i = {.op = SPREF_SETP,
                   .pd_v = true,
                   .pd = 0,
                   .cmp = by < 0 ? down[below(b, 3)] : up[below(b, 3)],
                   .a = r,
                   .bkind = SPREF_REG};
  if (chance(b, 5)) i.cmp = below(b, 6);
  if (neg) i.cmp = opposite[i.cmp];
  if (chance(b, 25))
    i.bkind = SPREF_NUM, i.b = below(b, 8);
  else
    i.b = constant(b, c);
  if (i.bkind == SPREF_REG && chance(b, 40)) {
    i.a = i.b;
    i.b = r;
    i.cmp = flipped[i.cmp];
  }
  put(b, c, i);
}

/* A register of the loop's code so far, written or read. */
static unsigned register_of(spref_bench *b, const stream *s, unsigned end) {
  const spref_instr *i = &s->code[s->lo + below(b, end - s->lo)];
  const unsigned names[] = {i->dst, i->a, i->bkind == SPREF_REG ? i->b : i->a};
  return names[below(b, 3)];
}

/* Registers in any order, beginning anywhere; of some loops pairs of them, most of which are. */
static void name_registers(spref_bench *b, chain *c, unsigned regs) {
  const unsigned each = chance(b, 35) ? 2 : 1, from = each * below(b, regs / each);
  c->names /= each;
  for (unsigned k = 0; k < c->names; k++) {
    unsigned other = below(b, k + 1), r = (from + each * k) % regs;
    c->pair[r] = each == 2 && chance(b, 75);
    c->name[k] = c->name[other];
    c->name[other] = r;
  }
}

/* A pair, or two that share the forms. */
static void heads_and_tails(spref_bench *b, chain *c, unsigned pointer) {
  if (c->forms <= 3 || !chance(b, 40)) {
    head_and_tail(b, c, pointer);
    return;
  }
  unsigned all = c->forms;
  c->forms = 1 + below(b, all - 1);
  head_and_tail(b, c, pointer);
  c->forms = chance(b, 90) ? 1 + below(b, 3) : all;
  head_and_tail(b, c, chance(b, 70) ? pointer : c->counter);
}

static void make_chain(spref_bench *b, stream *s) {
  const spref_shape *shape = &b->ref.shape;
  unsigned regs = 1u << shape->reg_bits, lo = 1 + below(b, 4);
  chain c = {.s = s,
             .names = regs < 32 ? regs : 32,
             .forms = shape->forms - (chance(b, 90) ? 0 : 1),
             .filler = chance(b, 60) ? 8 : 40,
             .reuse = chance(b, 30) ? 0 : 70,
             .most = code_of(shape)};
  memset(s, 0, sizeof *s);
  name_registers(b, &c, regs);
  s->lo = s->length = lo;
  s->calm = !chance(b, 30);
  /* A pointer that steps, and what is tested: the same or a counter of its own. */
  unsigned pointer = fresh(&c), counter = c.forms > 4 && chance(b, 60) ? fresh(&c) : pointer;
  int power = 1 << below(b, 15), by = chance(b, 50) ? -power : power;
  if (chance(b, 4)) by = chance(b, 50) ? -32768 : any_number(b);
  int stride = counter == pointer ? by : any_number(b);
  c.forms -= counter == pointer ? 1 : 2;
  bool before = chance(b, 40), neg = chance(b, 40);
  bool crowd = chance(b, 12);
  if (crowd || chance(b, 20)) decoys(b, &c, crowd ? shape->forms : 1 + below(b, 4));
  unsigned layout = below(b, 3), leave = 0, over = 0;
  if (layout == 1) { /* rotated: @p bra over; bra out; over: */
    step(b, &c, pointer, stride);
    if (counter != pointer) step(b, &c, counter, by);
    loop_test(b, &c, counter, by, neg);
    over = s->length++;
    leave = s->length++;
    s->code[over] = (spref_instr){.op = SPREF_BRA, .guard = true, .gneg = neg, .target = s->length};
  } else if (before)
    step(b, &c, pointer, stride);
  if (layout == 2) {
    loop_test(b, &c, counter, by, neg);
    leave = s->length++;
  }
  const unsigned gaps = chance(b, 35) ? 25 : 0; /* percent of the places where one may be */
  if (chance(b, gaps)) gap(b, &c);
  c.test_waits = layout == 0 && chance(b, 30);
  c.counter = counter;
  c.by = by;
  c.neg = neg;
  c.gaps = gaps;
  bool was_waiting = c.test_waits;
  if (!crowd && chance(b, 30)) decoys(b, &c, 1 + below(b, 4));
  heads_and_tails(b, &c, pointer);
  if (layout != 1 && !before) step(b, &c, pointer, stride);
  if (layout != 1 && counter != pointer) step(b, &c, counter, by);
  if (chance(b, 6))
    put(b, &c,
        (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = register_of(b, s, s->length)});
  for (unsigned k = 0; k < c.n_spoilt; k++)
    put(b, &c,
        (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = c.spoilt[k], .a = c.spoilt[k]});
  if (layout == 0 && (c.test_waits || !was_waiting)) loop_test(b, &c, counter, by, neg);
  s->hi = s->length++;
  s->code[s->hi] = (spref_instr){.op = SPREF_BRA, .guard = layout == 0, .gneg = neg, .target = lo};
  if (leave)
    s->code[leave] = (spref_instr){
        .op = SPREF_BRA, .guard = layout == 2, .gneg = layout == 2 && !neg, .target = s->length};
  s->length += 1 + below(b, 2);
  start_masks(b, s);
}

/* Operands of any type around the ends of types: what is left there, and what never ends. */
static void any_operands(spref_bench *b, spref_count *c, unsigned lane, unsigned shift) {
  static const uint64_t ends[] = {0,         INT32_MAX,           (uint64_t)INT32_MIN, UINT32_MAX,
                                  INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX};
  const uint64_t end = ends[below(b, sizeof ends / sizeof *ends)];
  c->mask |= UINT64_C(1) << lane;
  c->a[lane] = end + ((uint64_t)below(b, 40) << below(b, shift + 2)) - below(b, 20);
  c->b[lane] = chance(b, 90) ? c->a[lane] + (((uint64_t)below(b, 40) - 20) << shift)
                             : wf_rng_next(&b->base.rng);
}

/* A few turns from an end that is within two steps of its type's. */
static void end_operands(spref_bench *b, spref_count *c, unsigned lane, const spref_answer *q) {
  const uint64_t low = !c->sign  ? 0
                       : c->wide ? (uint64_t)INT64_MIN
                                 : (uint64_t)INT32_MIN,
                 high = c->wide   ? c->sign ? INT64_MAX : UINT64_MAX
                        : c->sign ? INT32_MAX
                                  : UINT32_MAX,
                 size = UINT64_C(1) << q->shift, left = wf_rng_below(&b->base.rng, 2 * size),
                 way = wf_rng_below(&b->base.rng, 4 * size + 1);
  const uint64_t y = q->down ? low + left : high - left, x = q->down ? y + way : y - way,
                 more = c->wide ? 0 : wf_rng_next(&b->base.rng) << 32;
  c->mask |= UINT64_C(1) << lane;
  c->a[lane] = (q->swap ? y : x) ^ more;
  c->b[lane] = (q->swap ? x : y) ^ more;
}

/* Lanes that have turns left by their operands go on, if any has. */
static void keep_going(stream *s, unsigned w, const spref_count *c, const spref_answer *q) {
  uint64_t on = 0;
  for (unsigned l = 0; l < SPREF_MAX_LANES; l++)
    if (c->mask >> l & 1 &&
        spref_ref_turns(q->cmp, q->swap, q->shift, q->down, c->wide, c->sign, c->a[l], c->b[l]))
      on |= UINT64_C(1) << l;
  if (on) s->warp[w].mask = on;
}

/* The counts that would come: the lanes of the mask go on, now and then one less, or anything. */
static void make_count(spref_bench *b, stream *s, unsigned w, const spref_answer *question) {
  const spref_shape *shape = &b->ref.shape;
  s->warp[w].asked = true;
  s->warp[w].sent = s->warp[w].counted = false;
  s->warp[w].count = (spref_count){.warp = w, .pre = s->warp[w].count.pre};
  if (!question->ask) return;
  spref_count *count = &s->warp[w].count;
  const bool any = chance(b, 40), ends = chance(b, 50);
  count->wide = !any || chance(b, 50);
  count->sign = !any || chance(b, 50);
  for (unsigned l = 0; any && l < shape->lanes; l++) {
    if (!(s->warp[w].mask >> l & 1)) continue;
    if (ends)
      end_operands(b, count, l, question);
    else
      any_operands(b, count, l, question->shift);
  }
  if (any) keep_going(s, w, count, question);
  for (unsigned l = 0; !any && l < shape->lanes; l++)
    if (s->warp[w].mask >> l & 1 && !(chance(b, 3) && s->warp[w].mask & (s->warp[w].mask - 1)))
      spref_bench_operands(count, l, question, 1 + below(b, chance(b, 50) ? 4 : 15));
    else
      s->warp[w].mask &= ~(UINT64_C(1) << l);
  if (!s->warp[w].mask) s->warp[w].mask = 1;
}

/* A step by another number, or of another width. */
static void other_step(spref_bench *b, spref_instr *i) {
  i->odd = true;
  if (chance(b, 75))
    i->imm ^= 1 << below(b, 4);
  else
    i->pair_dst = i->pair_a = !i->pair_a;
}

/* A register that is written before this place and read after it; else any of the code's. */
static unsigned live_register(spref_bench *b, const stream *s, unsigned at) {
  for (unsigned n = 0; n < 8 && at > s->lo && at < s->hi; n++) {
    const spref_instr *made = &s->code[s->lo + below(b, at - s->lo)];
    for (unsigned k = at + 1; made->dst_v && k <= s->hi; k++) {
      const spref_instr *i = &s->code[k];
      if (i->a == made->dst || (i->bkind == SPREF_REG && i->b == made->dst)) return made->dst;
    }
  }
  return register_of(b, s, s->hi);
}

static spref_instr next_instr(spref_bench *b, stream *s, unsigned w) {
  const unsigned step = b->shape.pc_step;
  const uint64_t base = s->base;
  unsigned at = s->warp[w].at % s->length;
  spref_instr i = s->code[at];
  unsigned regs = 1u << b->ref.shape.reg_bits, rare = s->calm ? 3 : 1;
  /* Once, another instruction is here: of what a table rests on, everything must be watched. */
  if (s->calm && i.op == SPREF_ADD && i.bkind != SPREF_REG && chance(b, 1))
    other_step(b, &i);
  else if (s->calm && i.op != SPREF_BRA && i.op != SPREF_SETP &&
           chance(b, i.op == SPREF_OTHER ? 3 : 1))
    i = (spref_instr){.op = chance(b, 80) ? SPREF_OTHER : SPREF_LDNC,
                      .dst_v = true,
                      .dst = chance(b, 70) ? live_register(b, s, at) : below(b, regs),
                      .a = below(b, regs),
                      .odd = true};
  i.warp = w;
  i.pc = base + at * step;
  i.target = base + i.target * step;
  i.mask =
      chance(b, s->calm ? 98 : 96) ? s->warp[w].mask : s->warp[w].mask & wf_rng_next(&b->base.rng);
  if (below(b, 100 * rare) == 0) i.mask = ~i.mask & 1;
  i.taken = i.op == SPREF_BRA &&
            (!i.guard || chance(b, i.target <= i.pc                                          ? 90
                                   : s->calm && at > s->lo && i.target < base + s->hi * step ? 92
                                   : s->calm                                                 ? 8
                                                                                             : 40));
  s->warp[w].at = i.taken ? (unsigned)s->code[at].target : at + 1;
  if (below(b, 100 * rare) == 0) s->warp[w].at = below(b, s->length);
  return i;
}

static bool begin_stream(spref_bench *b, stream *s) {
  const spref_shape *shape = &b->shape;
  const bool chained = chance(b, 60);
  if (chained)
    make_chain(b, s);
  else
    make_stream(b, s);
  spref_levels levels = random_levels(b, false);
  if (chance(b, 20) && levels.max_s + 4 <= 1u << shape->reg_bits) levels.max_d = levels.max_s + 4;
  b->sieves = chance(b, chained ? 75 : 60);
  if (!b->sieves) { /* the kernel before goes on, with its registers and perhaps a table */
    levels.max_s = b->ref.levels.max_s;
    levels.max_d = b->ref.levels.max_d;
  }
  if (!spref_bench_rest(b)) return false;
  spref_bench_configure(b, &levels);
  if (b->sieves && !new_kernel(b)) return false;
  const uint64_t last =
      (UINT64_C(1) << shape->pc_bits) - 1 - (uint64_t)code_of(shape) * shape->pc_step;
  s->base = below(b, 2) ? 0 : last;
  if (chance(b, 60)) s->base = wf_rng_below(&b->base.rng, last);
  s->warps = 1 + below(b, shape->warps);
  s->stall = chance(b, 50) ? 0 : below(b, 80);
  s->late = below(b, 80);
  s->focus = below(b, s->warps);
  return true;
}

static bool is_inside(const spref_bench *b, unsigned warp) {
  for (unsigned k = 0; k < b->inside.count; k++)
    if (b->expected[wf_ring_at(&b->inside, k, SPREF_QUEUE)].warp == warp) return true;
  return false;
}

/* A branch or a test waits for what its warp was told and asked before. */
static void offer_instruction(spref_bench *b, stream *s) {
  const unsigned w = chance(b, 60) ? s->focus : below(b, s->warps);
  if (chance(b, 1)) s->focus = below(b, s->warps);
  if (s->has_in || s->warp[w].counted) return;
  const unsigned op = s->code[s->warp[w].at % s->length].op;
  if ((op == SPREF_BRA || op == SPREF_SETP) && (is_inside(b, w) || s->warp[w].asked)) return;
  s->in = next_instr(b, s, w);
  s->in.counted = s->in.op == SPREF_SETP &&
                  spref_ref_is_test(&b->ref, s->in.pc, &s->warp[w].count.pre) && !chance(b, 3);
  s->warp[w].counted = s->in.counted;
  s->in.last = s->in.op != SPREF_BRA && !s->in.counted && !s->warp[w].asked && chance(b, 1);
  s->has_in = true;
}

static bool stream_edge(spref_bench *b, stream *s) {
  const unsigned c = below(b, s->warps), d = below(b, s->warps);
  spref_count *count =
      s->warp[c].asked && !s->warp[c].sent && !chance(b, s->late) ? &s->warp[c].count : NULL;
  const spref_done failed = {.warp = d, .reg = below(b, 1u << b->shape.reg_bits), .fault = true};
  spref_offer o = {.in = s->has_in ? &s->in : NULL,
                   .count = count,
                   .done = chance(b, 1) ? &failed : NULL,
                   .take_answers = !chance(b, s->stall)};
  if (!spref_bench_edge(b, &o)) return false;
  s->offered = o.in && !o.in_taken;
  if (o.in_taken) s->has_in = false;
  if (o.count_taken) s->warp[c].sent = true;
  if (o.counted) s->warp[o.counted_warp].asked = false;
  if (o.answered && s->warp[o.answer.warp].counted) make_count(b, s, o.answer.warp, &o.answer);
  return true;
}

/* All counts that are owed. */
static bool end_stream(spref_bench *b, stream *s) {
  for (unsigned w = 0; w < b->shape.warps; w++)
    while (s->warp[w].asked) {
      spref_offer o = {.count = s->warp[w].sent ? NULL : &s->warp[w].count, .take_answers = true};
      if (!spref_bench_edge(b, &o)) return false;
      s->warp[w].sent |= o.count_taken;
      if (o.counted) s->warp[o.counted_warp].asked = false;
    }
  return spref_bench_rest(b);
}

static bool one_stream(spref_bench *b, unsigned edges) {
  static stream s;
  if (!begin_stream(b, &s)) return false;
  for (unsigned k = 0; k < edges || b->inside.count || s.offered; k++) {
    if (k < edges) offer_instruction(b, &s);
    if (!stream_edge(b, &s)) return false;
    if (!s.has_in && !b->inside.count && chance(b, 1) && !end_stream(b, &s)) return false;
  }
  return end_stream(b, &s);
}

/* Where registers are too few for the machine's programs: streams only. */
static bool run(void *bench, uint64_t edges) {
  spref_bench *b = bench;
  const bool programs = b->shape.reg_bits > 4;
  bool ok = true;
  for (unsigned k = 0; ok && b->base.cycle < edges; k++) {
    ok = programs && k % 2 == 0 ? one_program(b) : one_stream(b, 400 + below(b, 1200));
    if (ok && k % 16 == 3) ok = wf_bench_check_counters(b); /* which clears nothing */
    if (ok && k % 16 == 7) ok = wf_bench_check_counters(b) && wf_bench_clear_counters(b);
    if (ok && k % 32 == 15) ok = wf_bench_reset(b);
  }
  return ok && wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_programs",
                                 .cls = &spref_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 1300000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
