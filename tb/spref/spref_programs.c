#include "tb/spref/spref_programs.h"

#include <string.h>

static spref_code *put(spref_program *p) {
  spref_code *c = &p->code[p->length++];
  memset(c, 0, sizeof *c);
  return c;
}

static spref_instr *op3(spref_program *p, spref_op op, unsigned d, unsigned a, unsigned b) {
  spref_code *c = put(p);
  c->i = (spref_instr){.op = op, .dst_v = true, .dst = d, .a = a, .bkind = SPREF_REG, .b = b};
  return &c->i;
}

static spref_instr *op_num(spref_program *p, spref_op op, unsigned d, unsigned a, int imm) {
  spref_code *c = put(p);
  c->i = (spref_instr){.op = op, .dst_v = true, .dst = d, .a = a, .bkind = SPREF_NUM, .imm = imm};
  return &c->i;
}

static spref_instr *scale(spref_program *p, unsigned d, unsigned a, unsigned ext, unsigned sh) {
  spref_instr *i = op_num(p, SPREF_SCALE, d, a, 0);
  i->bkind = SPREF_NO_B;
  i->ext = ext;
  i->sh = sh;
  return i;
}

static spref_instr *load(spref_program *p, unsigned d, unsigned a, int imm, bool wide) {
  spref_instr *i = op_num(p, SPREF_LDNC, d, a, imm);
  i->bkind = SPREF_NO_B;
  i->wide = wide;
  return i;
}

static void mix(spref_program *p, unsigned d, unsigned a, unsigned b) {
  op3(p, SPREF_OTHER, d, a, b);
  p->code[p->length - 1].act = SPREF_ACT_MIX;
}

static spref_instr *setp(spref_program *p, unsigned pd, spref_cmp cmp, unsigned a) {
  spref_code *c = put(p);
  c->i = (spref_instr){.op = SPREF_SETP, .pd_v = true, .pd = pd, .cmp = cmp, .a = a};
  return &c->i;
}

static unsigned branch(spref_program *p, int pred, bool neg) {
  spref_code *c = put(p);
  c->i = (spref_instr){
      .op = SPREF_BRA, .guard = pred >= 0, .gpred = pred >= 0 ? (unsigned)pred : 0, .gneg = neg};
  return p->length - 1;
}

static void land(spref_program *p, unsigned at) {
  p->code[at].i.target = p->length;
}

/* A predicate that depends on data: the low bits of a register mixed with another. */
static void odd(spref_program *p, unsigned pd, unsigned reg, int limit) {
  mix(p, R_Y, reg, R_TURN);
  spref_instr *i = setp(p, pd, SPREF_LT, R_Y);
  i->bkind = SPREF_NUM;
  i->imm = limit;
}

static void chain(spref_program *p, spref_marks *m, unsigned reg) {
  m->chain[m->n_chain] = p->length - 1;
  m->chain_reg[m->n_chain++] = reg;
}

static spref_cmp flipped(spref_cmp cmp) {
  static const spref_cmp to[] = {SPREF_EQ, SPREF_NE, SPREF_GT, SPREF_GE, SPREF_LT, SPREF_LE};
  return to[cmp];
}
static spref_cmp opposite(spref_cmp cmp) {
  static const spref_cmp to[] = {SPREF_NE, SPREF_EQ, SPREF_GE, SPREF_GT, SPREF_LE, SPREF_LT};
  return to[cmp];
}

/* The loop's test into predicate 1: true to go on, or with `negate` to leave. */
static void test(spref_program *p, const spref_loop_shape *s) {
  spref_cmp cmp = s->negate ? opposite(s->cmp) : s->cmp;
  spref_instr *i = setp(p, 1, s->swap ? flipped(cmp) : cmp, s->swap ? R_B : R_I);
  i->bkind = SPREF_REG;
  i->b = s->swap ? R_I : R_B;
}

static void steps(spref_program *p, const spref_loop_shape *s, spref_marks *m) {
  int step = 1 << s->step_shift;
  unsigned skip = 0;
  if (s->twist == SPREF_SKIP_STEP) {
    odd(p, 3, R_ID, 0x4800);
    skip = branch(p, 3, true);
  }
  if (!s->indexed) {
    op_num(p, SPREF_ADD, R_P, R_P, s->pointer_step ? s->pointer_step : 4 << s->step_shift);
    chain(p, m, R_P);
  }
  if (skip) land(p, skip);
  if (s->two) {
    op_num(p, SPREF_ADD, R_P2, R_P2, 8);
    chain(p, m, R_P2);
  }
  spref_instr *i = op_num(p, SPREF_ADD, R_I, R_I, s->down ? -step : step);
  if (s->uniform_step) {
    i->bkind = SPREF_UNIFORM;
    i->b = R_USED;
  }
  chain(p, m, R_I);
}

static void tail(spref_program *p, const spref_loop_shape *s, spref_marks *m, unsigned k) {
  unsigned base = s->local_base ? R_BASE : R_ATTR;
  unsigned id = k ? R_ID2 : R_ID, address = k ? R_ADDR2 : R_ADDR, skip = 0;
  if (s->mad) {
    spref_instr *i = op3(p, SPREF_MAD, address, id, base);
    i->ext = s->ext ? 1 + k : 0;
    i->sh = 2;
    chain(p, m, address);
  } else {
    scale(p, R_X + (k ? R_ACC - R_X : 0), id, s->ext ? 2 - k : 0, 2 + k);
    chain(p, m, R_X + (k ? R_ACC - R_X : 0));
    op3(p, SPREF_ADD, address, base, R_X + (k ? R_ACC - R_X : 0));
    chain(p, m, address);
  }
  if (s->twist == SPREF_SKIP_TAIL) {
    odd(p, 3, id, 0x6000);
    skip = branch(p, 3, true);
  }
  if (s->twist == SPREF_PREDICATED_TAIL) odd(p, 3, id, 0x5000);
  spref_instr *i = load(p, k ? R_VAL2 : R_VAL, address, (k ? 12 : 0) + s->tail_imm, s->wide_tail);
  m->tail[k] = p->length - 1;
  if (s->twist == SPREF_PREDICATED_TAIL) {
    i->guard = true;
    i->gpred = 3;
  }
  if (skip) land(p, skip);
}

static void head(spref_program *p, const spref_loop_shape *s, spref_marks *m) {
  if (s->lead) put(p);
  if (s->indexed) {
    scale(p, R_P, R_I, 0, 2);
    chain(p, m, R_P);
    op3(p, SPREF_ADD, R_AT, R_EDGES, R_P);
    chain(p, m, R_AT);
  }
  load(p, R_ID, s->indexed ? R_AT : R_P, 4 + s->head_imm, s->wide_head);
  m->head[0] = p->length - 1;
  if (s->twist != SPREF_PREDICATED_HEAD) return;
  p->length--;
  spref_code guarded = p->code[p->length];
  odd(p, 3, R_I, 0x6800);
  guarded.i.guard = true;
  guarded.i.gpred = 3;
  p->code[p->length] = guarded;
  m->head[0] = p->length++;
}

/* Something that the addresses rest on is written, where the predicate says so. */
static void move_what_is_relied_on(spref_program *p, const spref_loop_shape *s) {
  odd(p, 3, R_ID, 0x400);
  spref_code *c = put(p);
  c->i = (spref_instr){.op = SPREF_OTHER,
                       .dst_v = true,
                       .dst = R_ATTR,
                       .a = R_ATTR,
                       .bkind = SPREF_NUM,
                       .imm = 7,
                       .guard = true,
                       .gpred = 3};
  c->act = SPREF_ACT_MIX;
  if (s->twist == SPREF_MOVE_BOUND) {
    c->i.op = SPREF_ADD;
    c->i.dst = c->i.a = R_B;
    c->i.imm = s->down ? -(1 << s->step_shift) : 1 << s->step_shift;
  }
  if (s->twist == SPREF_CLOBBERS) {
    c->i.op = SPREF_CLOBBER;
    c->i.dst = c->i.a = R_P;
    c->i.dst_v = false;
    c->act = SPREF_ACT_CLOBBER;
  }
}

static void twist(spref_program *p, const spref_loop_shape *s, unsigned *leave) {
  switch (s->twist) {
  case SPREF_BREAK:
    odd(p, 2, R_ID, 0xc00);
    *leave = branch(p, 2, false);
    break;
  case SPREF_DIVERGE: {
    odd(p, 3, R_ID, 0x4000);
    unsigned over = branch(p, 3, false);
    mix(p, R_TURN, R_TURN, R_ID);
    mix(p, R_TURN, R_TURN, R_VAL);
    land(p, over);
    break;
  }
  case SPREF_CONDITIONAL_COUNT: {
    odd(p, 3, R_ID, 0x4000);
    spref_instr *i = op_num(p, SPREF_ADD, R_VAL2, R_VAL2, 1);
    i->guard = true;
    i->gpred = 3;
    break;
  }
  case SPREF_BARRIER:
    put(p);
    break;
  case SPREF_MOVE_BASE:
  case SPREF_MOVE_BOUND:
  case SPREF_CLOBBERS:
    move_what_is_relied_on(p, s);
    break;
  default:
    break;
  }
}

static void body(spref_program *p, const spref_loop_shape *s, spref_marks *m, unsigned *leave) {
  head(p, s, m);
  if (s->local_base) {
    op_num(p, SPREF_ADD, R_BASE, R_ATTR, 64);
    chain(p, m, R_BASE);
  }
  if (!s->no_tail) tail(p, s, m, 0);
  if (s->two) {
    load(p, R_ID2, R_P2, -8, false);
    m->head[1] = p->length - 1;
    if (s->tail_2) tail(p, s, m, 1);
  }
  twist(p, s, leave);
  mix(p, R_TURN, R_TURN, R_VAL);
}

static void one_loop(spref_program *p, const spref_loop_shape *s, spref_marks *m) {
  unsigned leave = 0, guard = 0, enter, out;
  m->n_chain = 0;
  if (s->guard_zero) {
    test(p, s);
    m->before = p->length - 1;
    guard = branch(p, 1, !s->negate);
  }
  if (s->layout == SPREF_ROTATED) {
    enter = branch(p, -1, false);
    m->low = p->length;
    steps(p, s, m);
    test(p, s);
    m->test = p->length - 1;
    unsigned on = branch(p, 1, s->negate);
    out = branch(p, -1, false);
    land(p, enter);
    land(p, on);
    body(p, s, m, &leave);
    unsigned back = branch(p, -1, false);
    p->code[back].i.target = m->low;
    m->high = back;
    land(p, out);
  } else {
    m->low = p->length;
    if (s->layout == SPREF_TOP) {
      test(p, s);
      m->test = p->length - 1;
      out = branch(p, 1, !s->negate);
    } else {
      out = 0;
    }
    body(p, s, m, &leave);
    steps(p, s, m);
    if (s->layout == SPREF_BOTTOM) {
      test(p, s);
      m->test = p->length - 1;
    }
    unsigned back = s->layout == SPREF_BOTTOM ? branch(p, 1, s->negate) : branch(p, -1, false);
    p->code[back].i.target = m->low;
    m->high = back;
    if (out) land(p, out);
  }
  if (leave) land(p, leave);
  if (guard) land(p, guard);
}

void spref_program_loop(spref_program *p, const spref_loop_shape *s, spref_marks *m) {
  memset(p, 0, sizeof *p);
  memset(m, 0, sizeof *m);
  m->base_reg = s->local_base ? R_BASE : R_ATTR;
  p->base = s->base;
  int64_t step = INT64_C(1) << s->step_shift, extra = s->cmp == SPREF_NE ? 0
                                                      : s->cmp == SPREF_LT || s->cmp == SPREF_GT
                                                          ? 0
                                                          : -step;
  p->reg[R_EDGES] = 0x100000;
  p->reg[R_ATTR] = 0x4000000;
  p->reg[R_P] = 0x200000;
  p->lane_step[R_P] = 0x400;
  p->warp_step[R_P] = 0x10000;
  p->reg[R_P2] = 0x800000;
  p->lane_step[R_P2] = 0x800;
  p->reg[R_I] = s->down ? 0 : 100;
  p->reg[R_USED] = s->down ? -step : step;
  p->spread[R_TURN] = 1 << 12;
  /* The trips of a lane are in R_OUTER's first value: the bound, or the start, is made from it. */
  p->spread[R_OUTER] = s->trips;
  p->reg[R_OUTER] = s->guard_zero || s->layout == SPREF_TOP ? 0 : 1;
  p->reg[R_START] = s->nested ? 3 : 1;
  unsigned again = p->length;
  op_num(p, SPREF_OTHER, R_I, 0, s->down ? 0x400 : 0x40);
  p->code[p->length - 1].act = SPREF_ACT_SET;
  p->code[p->length - 1].i.bkind = SPREF_NO_B;
  scale(p, R_B, R_OUTER, 0, s->step_shift);
  if (s->down)
    op3(p, SPREF_SUB, R_B, R_I, R_B);
  else
    op3(p, SPREF_ADD, R_B, R_I, R_B);
  op_num(p, SPREF_ADD, R_B, R_B, (int)(s->down ? -extra : extra));
  one_loop(p, s, m);
  if (s->nested) {
    op_num(p, SPREF_ADD, R_START, R_START, -1);
    spref_instr *i = setp(p, 4, SPREF_GT, R_START);
    i->bkind = SPREF_NUM;
    unsigned back = branch(p, 4, false);
    p->code[back].i.target = again;
  }
  put(p)->act = SPREF_ACT_EXIT;
}

unsigned spref_program_hints(const spref_program *p, const spref_loop_shape *s,
                             const spref_marks *m, spref_hint h[16]) {
  unsigned n = 0;
  h[n++] = (spref_hint){.kind = SPREF_LOW, .pc = p->base + m->low};
  h[n++] = (spref_hint){.kind = SPREF_HIGH, .pc = p->base + m->high};
  h[n++] = (spref_hint){.kind = SPREF_HEAD,
                        .pc = p->base + m->head[0],
                        .imm = !s->indexed && s->pointer_step
                                   ? s->pointer_step
                                   : (s->down && s->indexed ? -4 : 4) * (1 << s->step_shift),
                        .wide = s->wide_head};
  if (!s->no_tail)
    h[n++] = (spref_hint){.kind = SPREF_TAIL,
                          .pc = p->base + m->tail[0],
                          .reg_v = true,
                          .reg = m->base_reg,
                          .sh = 2,
                          .imm = s->tail_imm,
                          .ext = s->ext ? (s->mad ? 1 : 2) : 0,
                          .wide = s->wide_tail};
  h[n++] = (spref_hint){.kind = SPREF_TEST,
                        .pc = p->base + m->test,
                        .cmp = s->cmp,
                        .swap = s->swap,
                        .sh = s->step_shift,
                        .slot = s->down};
  if (s->guard_zero)
    h[n++] = (spref_hint){.kind = SPREF_PRE,
                          .pc = p->base + m->before,
                          .cmp = s->cmp,
                          .swap = s->swap,
                          .sh = s->step_shift,
                          .slot = s->down};
  for (unsigned k = 0; k < m->n_chain; k++)
    h[n++] = (spref_hint){.kind = SPREF_CRIT, .pc = p->base + m->chain[k], .reg = m->chain_reg[k]};
  h[n++] = (spref_hint){.kind = SPREF_COMMIT};
  return n;
}
