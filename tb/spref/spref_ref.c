#include "tb/spref/spref_ref.h"

#include <string.h>

#define COUNT(r, name) ((r)->counter[SPREF_CNT_##name]++)

static uint64_t low_bits(uint64_t x, unsigned bits) {
  return bits >= 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}
static bool fits16(long x) {
  return x >= -32768 && x <= 32767;
}

void spref_ref_reset(spref_ref *r, const spref_shape *shape) {
  spref_levels levels = r->levels;
  memset(r, 0, sizeof *r);
  r->shape = *shape;
  r->levels = levels;
}

/* ---- tags ---- */

/* An operand: a register, or the pair that begins with it. */
typedef struct place {
  unsigned reg;
  bool pair;
} place;

static bool overlap(place x, place y) {
  return x.reg / 2 == y.reg / 2 && (x.pair || y.pair || x.reg == y.reg);
}
static place place_of(const spref_form *f) {
  return (place){f->reg, f->pair};
}
static place place_a(const spref_instr *i) {
  return (place){i->a, i->pair_a};
}
static place place_b(const spref_instr *i) {
  return (place){i->b, i->pair_b};
}
static place place_dst(const spref_instr *i) {
  return (place){i->dst, i->pair_dst};
}

static bool any_of(const bool flags[SPREF_MAX_REGS], place x) {
  return flags[x.reg] || (x.pair && flags[x.reg ^ 1]);
}
static void set_all(bool flags[SPREF_MAX_REGS], place x) {
  flags[x.reg] = true;
  if (x.pair) flags[x.reg ^ 1] = true;
}

/* The form whose value the operand holds, or -1. */
static int form_of(const spref_ref *r, place x) {
  for (unsigned i = 0; i < r->shape.forms; i++)
    if (r->form[i].valid && r->form[i].held && r->form[i].reg == x.reg && r->form[i].pair == x.pair)
      return (int)i;
  return -1;
}

static int free_form(const spref_ref *r) {
  for (unsigned i = 0; i < r->shape.forms; i++)
    if (!r->form[i].valid) return (int)i;
  return -1;
}

static spref_kind kind_of(const spref_ref *r, place x) {
  int f = form_of(r, x);
  return f >= 0 ? r->form[f].kind : any_of(r->written, x) ? SPREF_RANDOM : SPREF_CONST;
}

static void forget_table(spref_ref *r) {
  memset(r->written, 0, sizeof r->written);
  r->next_off = 0;
  memset(r->used, 0, sizeof r->used);
  memset(r->form, 0, sizeof r->form);
  r->need = 0;
  r->head[0].v = r->head[1].v = r->tail[0].v = r->tail[1].v = false;
  r->test.v = r->before.v = r->candidate = false;
}

/* The form that an arithmetic instruction gives its destination; RANDOM if none. */
static spref_form result(const spref_ref *r, const spref_instr *i, bool relied[SPREF_MAX_REGS]) {
  spref_form f = {.kind = SPREF_RANDOM};
  place x = place_a(i), y = place_b(i);
  bool y_reg = i->bkind == SPREF_REG,
       y_const = i->bkind >= SPREF_NUM || (y_reg && kind_of(r, y) == SPREF_CONST);
  bool scales = i->op == SPREF_SCALE || i->op == SPREF_MAD,
       adds = i->op == SPREF_ADD || i->op == SPREF_MAD;
  if (!scales && !adds && i->op != SPREF_SUB) return f;
  if (i->op == SPREF_ADD && y_reg && kind_of(r, x) == SPREF_CONST && kind_of(r, y) != SPREF_CONST) {
    x = place_b(i);
    y = place_a(i);
    y_const = true;
  }
  int from = form_of(r, x), other = y_reg && i->op != SPREF_SCALE ? form_of(r, y) : -1;
  spref_kind kind = kind_of(r, x);
  if (kind == SPREF_RANDOM) return f;
  spref_form out = from >= 0 ? r->form[from] : (spref_form){.kind = SPREF_CONST};
  unsigned sh = scales ? i->sh : 0, ext = scales ? i->ext : 0;
  bool plain = out.num == 0 && !out.base_v;
  if (kind == SPREF_STRIDE) {
    if (ext && !r->levels.widen) return f;
    long n = (long)out.num * (1L << sh);
    if (!fits16(n)) return f;
    out.num = (int)n;
  } else if (kind == SPREF_LOAD) {
    if ((sh || ext) && !plain) return f;
    if (ext && (out.scale || out.ext)) return f;
    if (out.scale + sh > 15) return f;
    out.scale += sh;
    if (ext) out.ext = ext;
  }
  if (i->op != SPREF_SCALE) {
    if (!y_const || (i->op == SPREF_SUB && (!y_reg || kind == SPREF_LOAD))) return f;
    if (kind == SPREF_LOAD && y_reg) {
      if (out.base_v || other >= 0) return f;
      out.base_v = true;
      out.base = y.reg;
    } else if (kind == SPREF_LOAD) {
      if (!fits16((long)out.num + i->imm)) return f;
      out.num += i->imm;
    }
    if (other >= 0) out.needs |= r->form[other].needs;
    if (y_reg && other < 0) set_all(relied, y);
  }
  if (from < 0) {
    set_all(relied, x);
    out.num = 0;
  }
  return out;
}

static void put_form(spref_ref *r, const spref_instr *i, spref_form f) {
  int at = free_form(r);
  if (at < 0) return;
  f.valid = f.seen = f.held = true;
  f.reg = i->dst;
  f.pair = i->pair_dst;
  f.off = f.last = low_bits(i->pc - r->lo, r->shape.off_bits);
  f.needs |= 1u << at;
  r->form[at] = f;
}

/* Of a load of pass B, in order. True: it reads what is followed. */
static bool train_load(spref_ref *r, const spref_instr *i, const spref_form *from) {
  uint64_t off = low_bits(i->pc - r->lo, r->shape.off_bits);
  if (!from || !i->dst_v) return false;
  if (from->kind == SPREF_STRIDE && !i->guard && free_form(r) >= 0 && !r->head[1].v) {
    unsigned slot = r->head[0].v;
    int at = free_form(r);
    r->head[slot] = (spref_target){.v = true, .off = off, .num = from->num, .wide = i->wide};
    r->need |= from->needs | 1u << at;
    put_form(r, i, (spref_form){.kind = SPREF_LOAD, .id = slot, .needs = from->needs});
    return true;
  }
  if (from->kind != SPREF_LOAD || r->tail[from->id].v || !fits16((long)from->num + i->imm))
    return false;
  r->tail[from->id] = (spref_target){.v = true,
                                     .off = off,
                                     .num = from->num + i->imm,
                                     .wide = i->wide,
                                     .base_v = from->base_v,
                                     .base = from->base,
                                     .scale = from->scale,
                                     .ext = from->ext};
  r->need |= from->needs;
  return true;
}

/* True: it is the candidate now. */
static bool train_test(spref_ref *r, const spref_instr *i, bool in_order) {
  bool reg = i->bkind == SPREF_REG, swap = reg && kind_of(r, place_b(i)) == SPREF_STRIDE;
  place x = swap ? place_b(i) : place_a(i), y = swap ? place_a(i) : place_b(i);
  bool y_reg = swap || reg;
  int f = form_of(r, x);
  bool ok = f >= 0 && r->form[f].kind == SPREF_STRIDE &&
            (y_reg ? kind_of(r, y) == SPREF_CONST : i->bkind >= SPREF_NUM);
  int step = ok ? r->form[f].num : 0;
  unsigned size = (unsigned)(step < 0 ? -step : step), shift = 0;
  while (size >> (shift + 1)) shift++;
  ok = ok && in_order && !i->guard && size && size == 1u << shift;
  if (r->test.v) return false;
  if (!ok) {
    if (i->pd == r->test.pred) r->candidate = false;
    return false;
  }
  int other = y_reg ? form_of(r, y) : -1;
  r->candidate = true;
  r->test = (spref_test){.at = low_bits(i->pc - r->lo, r->shape.off_bits),
                         .cmp = i->cmp,
                         .shift = shift,
                         .pred = i->pd,
                         .swap = swap,
                         .down = step < 0};
  r->cand_needs = r->form[f].needs | (other >= 0 ? r->form[other].needs : 0);
  r->cand_used = y_reg && other < 0;
  r->cand_reg = y.reg;
  r->cand_pair = y.pair;
  return true;
}

/* The register that steps, written by its own instruction in its own way. */
static bool steps_again(const spref_ref *r, const spref_instr *i, bool steps) {
  int was = i->dst_v ? form_of(r, place_dst(i)) : -1;
  if (r->state != SPREF_PASS_B || i->guard || !steps || was < 0) return false;
  const spref_form *f = &r->form[was];
  return f->raw && !f->seen && f->num == i->imm &&
         f->off == low_bits(i->pc - r->lo, r->shape.off_bits);
}

/* One instruction of the warp that is followed, inside the loop, but the branch that ends a pass.
 */
static void train(spref_ref *r, const spref_instr *i) {
  const spref_ref before = *r; /* what the operands were */
  const uint64_t off = low_bits(i->pc - r->lo, r->shape.off_bits);
  const bool second = r->state == SPREF_PASS_B, in_order = off >= r->next_off;
  const bool plain = i->dst_v && !i->guard, reg = i->bkind == SPREF_REG;
  const int a = form_of(r, place_a(i)), b = form_of(r, place_b(i));
  const bool own = i->dst_v && ((overlap(place_a(i), place_dst(i)) && a < 0) ||
                                (reg && overlap(place_b(i), place_dst(i)) && b < 0));
  const bool steps = i->op == SPREF_ADD && i->dst_v && i->dst == i->a && i->pair_dst == i->pair_a &&
                     i->bkind >= SPREF_NUM;
  const bool again = steps_again(r, i, steps), fresh = !any_of(r->written, place_dst(i));
  bool reads = false, relied[SPREF_MAX_REGS] = {false};
  if (again) r->form[form_of(r, place_dst(i))].seen = true;
  for (unsigned f = 0; f < r->shape.forms; f++)
    if ((i->dst_v && !again && overlap(place_of(&r->form[f]), place_dst(i))) ||
        i->op == SPREF_CLOBBER)
      r->form[f].held = false;
  if (in_order) r->next_off = off + 1;
  if (!second && plain && steps && fresh && i->imm != 0)
    put_form(r, i, (spref_form){.kind = SPREF_STRIDE, .raw = true, .num = i->imm});
  if (second && plain && in_order && !own && !again && free_form(r) >= 0) {
    spref_form f = result(&before, i, relied);
    if (f.kind != SPREF_RANDOM) {
      f.raw = false;
      put_form(r, i, f);
      for (unsigned k = 0; k < SPREF_MAX_REGS; k++) r->used[k] |= relied[k];
      reads = true;
    }
  }
  if (second && in_order && i->op == SPREF_LDNC)
    reads = train_load(r, i, a >= 0 ? &before.form[a] : NULL);
  if (second && i->op == SPREF_SETP && i->pd_v)
    reads = train_test(r, i, in_order);
  else if (second && i->pd_v && !r->test.v && i->pd == r->test.pred)
    r->candidate = false;
  if (reads && a >= 0) r->form[a].last = off;
  if (reads && reg && b >= 0) r->form[b].last = off;
  if (i->dst_v) set_all(r->written, place_dst(i));
}

static unsigned negated(unsigned cmp) {
  static const unsigned to[] = {SPREF_NE, SPREF_EQ, SPREF_GE, SPREF_GT, SPREF_LE, SPREF_LT};
  return cmp < 6 ? to[cmp] : SPREF_LT;
}
static unsigned swapped(unsigned cmp) {
  static const unsigned to[] = {SPREF_EQ, SPREF_NE, SPREF_GT, SPREF_GE, SPREF_LT, SPREF_LE};
  return cmp < 6 ? to[cmp] : cmp;
}

/* Is this branch of the followed warp the one that the loop's test guards? */
static void train_branch(spref_ref *r, const spref_instr *i) {
  if (r->state != SPREF_PASS_B || !i->guard || !r->candidate || r->test.v ||
      i->gpred != r->test.pred)
    return;
  bool out = i->target < r->lo || i->target > r->hi;
  bool falls_out =
      r->exit_v && low_bits(i->pc + r->shape.pc_step, r->shape.pc_bits) == r->exit && !out;
  bool closes = i->target == r->lo || falls_out;
  if (!closes && !out) return;
  unsigned cmp = r->test.cmp;
  if (closes ? i->gneg : !i->gneg) cmp = negated(cmp);
  if (r->test.swap) cmp = swapped(cmp);
  bool ok = cmp == SPREF_NE || (r->test.down ? cmp == SPREF_GT || cmp == SPREF_GE
                                             : cmp == SPREF_LT || cmp == SPREF_LE);
  if (!ok) return;
  r->test.v = true;
  r->test.cmp = cmp;
  r->need |= r->cand_needs;
  if (r->cand_used) set_all(r->used, (place){r->cand_reg, r->cand_pair});
}

static bool is_complete(const spref_ref *r) {
  if (!r->test.v || !r->head[0].v) return false;
  for (unsigned f = 0; f < r->shape.forms; f++)
    if (r->need >> f & 1 &&
        !(r->form[f].valid && r->form[f].seen && (r->form[f].held || !r->form[f].raw)))
      return false;
  for (unsigned k = 0; k < SPREF_MAX_REGS; k++)
    if (r->used[k] && r->written[k]) return false;
  return true;
}

/* ---- the loop ---- */

static bool is_refused(const spref_ref *r, uint64_t lo) {
  for (unsigned k = 0; k < SPREF_REFUSED; k++)
    if (r->refused_v[k] && r->refused[k] == lo) return true;
  return false;
}

static void refuse(spref_ref *r, uint64_t lo) {
  COUNT(r, loops_refused);
  r->refused_v[r->refused_at] = true;
  r->refused[r->refused_at] = lo;
  r->refused_at = (r->refused_at + 1) % SPREF_REFUSED;
}

static void refuse_once(spref_ref *r) {
  if (!is_refused(r, r->lo)) refuse(r, r->lo);
}

static void begin(spref_ref *r, const spref_instr *i, uint64_t lo) {
  if (lo != r->lo) {
    r->tries = 0;
    r->exit_v = false;
  }
  r->lo = lo;
  r->hi = i->pc;
  r->trained = i->warp;
  r->state = SPREF_PASS_A;
  forget_table(r);
}

static bool fit(spref_ref *r) {
  unsigned spare = r->levels.max_d > r->levels.max_s ? r->levels.max_d - r->levels.max_s : 0;
  spref_target *h0 = &r->head[0], *h1 = &r->head[1], *t0 = &r->tail[0], *t1 = &r->tail[1];
  spref_target *order[4] = {h0, t0, h1, t1};
  bool mid = r->test.at > h0->off, there[4];
  there[0] = h0->v;
  there[1] = h0->v && t0->v && !(mid && r->test.at < t0->off) && t0->off > h0->off;
  there[2] = h0->v && h1->v && !(mid && r->test.at < h1->off) && h1->off > h0->off;
  there[3] = there[2] && t1->v && !(mid && r->test.at < t1->off) && t1->off > h1->off;
  unsigned sum = 0, total = 0;
  for (unsigned k = 0; k < 4; k++) {
    bool tail = k & 1, reg = there[k] && (r->levels.cache_only ? !tail && there[k + 1] : true);
    order[k]->has_reg = reg;
    order[k]->first = sum;
    if (reg) sum += order[k]->wide ? 2 : 1;
    order[k]->ok = there[k] && sum <= spare;
    if (order[k]->ok || k == 0) total = sum;
  }
  r->dmax = 3 * total <= spare ? 3 : 2 * total <= spare ? 2 : 1;
  return h0->ok;
}

static void final(spref_ref *r) {
  const uint64_t lead = r->head[0].off;
  spref_target *const after[3] = {&r->head[1], &r->tail[0], &r->tail[1]};
  r->must_run = 1;
  for (unsigned k = 0; k < 3; k++) after[k]->pos = 0;
  for (unsigned f = 0; f < r->shape.forms; f++) {
    if (!(r->need >> f & 1)) continue;
    if (r->form[f].off != lead) r->must_run++;
    for (unsigned k = 0; k < 3; k++)
      if (r->form[f].off > lead && r->form[f].off < after[k]->off) after[k]->pos++;
  }
  if (fit(r)) {
    COUNT(r, tables);
    r->state = SPREF_LIVE;
  } else {
    refuse(r, r->lo);
    r->state = SPREF_NONE;
  }
}

static void end_pass(spref_ref *r) {
  if (r->state == SPREF_PASS_A) {
    for (unsigned f = 0; f < r->shape.forms; f++) {
      spref_form *x = &r->form[f];
      x->valid = x->valid && x->raw && x->held;
      x->seen = false;
    }
    r->next_off = 0;
    r->state = SPREF_PASS_B;
    return;
  }
  if (is_complete(r)) {
    r->state = SPREF_FINAL;
    r->final_left = r->shape.forms + 1;
    return;
  }
  COUNT(r, training_failed);
  r->tries++;
  if (r->tries == r->shape.max_tries) refuse_once(r);
  r->state = SPREF_NONE;
}

/* Of a loop that has a table; hi: its end from now on. True: the table is dropped. */
static bool step_live(spref_ref *r, bool range, bool inner, bool too_long, bool other,
                      uint64_t hi) {
  const unsigned oldest = (1u << r->shape.age_bits) - 1;
  const bool in_table = !r->levels.hints;
  const bool drop = in_table && (inner || too_long || (other && r->age == oldest));
  if (in_table && inner) refuse_once(r);
  if (range)
    r->age = 0;
  else if (other)
    r->age = (r->age + 1) & oldest;
  if (drop)
    r->state = SPREF_NONE;
  else
    r->hi = hi;
  return drop;
}

/* What the instruction does to loop and tags. True: the table is dropped. */
static bool step_loop(spref_ref *r, const spref_instr *i) {
  bool back = i->op == SPREF_BRA && i->taken && i->target <= i->pc;
  bool may = !((i->pc - i->target) >> r->shape.off_bits) && !is_refused(r, i->target);
  bool same = i->target == r->lo, range = i->pc >= r->lo && i->pc <= r->hi;
  bool grows = back && same && i->pc > r->hi,
       inner = back && !same && i->target > r->lo && i->pc <= r->hi;
  bool around = back && !same && i->target < r->lo && i->pc >= r->lo,
       other = back && !same && !inner && !around && may;
  bool too_long = grows && (i->pc - r->lo) >> r->shape.off_bits;
  if (r->state == SPREF_NONE) {
    if (back && may && !r->levels.hints) {
      COUNT(r, loops_found);
      begin(r, i, i->target);
    }
    return false;
  }
  if (r->state == SPREF_LIVE)
    return step_live(r, range, inner, too_long, other, grows ? i->pc : r->hi);
  if (r->state == SPREF_FINAL) return false;
  bool mine = i->warp == r->trained;
  if (i->op == SPREF_BRA && !i->guard && range && (i->target < r->lo || i->target > r->hi)) {
    r->exit_v = true;
    r->exit = i->pc;
  }
  if (inner && may) {
    COUNT(r, loops_found);
    if (mine && !range) COUNT(r, training_aborted);
    begin(r, i, i->target);
    return false;
  }
  if (inner || too_long) {
    refuse_once(r);
    r->state = SPREF_NONE;
    return false;
  }
  if (grows) {
    r->hi = i->pc;
    r->trained = i->warp;
    r->state = SPREF_PASS_A;
    forget_table(r);
    return false;
  }
  if (!mine) return false;
  if (!range) {
    COUNT(r, training_aborted);
    r->state = SPREF_NONE;
    return false;
  }
  if (i->op == SPREF_BRA) train_branch(r, i);
  if (back && same)
    end_pass(r);
  else
    train(r, i);
  return false;
}

static void step_hint(spref_ref *r, const spref_hint *h) {
  uint64_t off = low_bits(h->pc - r->lo, r->shape.off_bits);
  spref_target t = {.v = true,
                    .off = off,
                    .num = h->imm,
                    .wide = h->wide,
                    .base_v = h->reg_v,
                    .base = h->reg,
                    .scale = h->sh,
                    .ext = h->ext};
  spref_test test = {.v = true, .cmp = h->cmp, .swap = h->swap, .shift = h->sh, .down = h->slot};
  r->state = SPREF_NONE;
  int at = free_form(r);
  switch (h->kind) {
  case SPREF_LOW:
    r->lo = h->pc;
    forget_table(r);
    break;
  case SPREF_HIGH:
    r->hi = h->pc;
    break;
  case SPREF_HEAD:
    r->head[h->slot] = t;
    break;
  case SPREF_TAIL:
    r->tail[h->slot] = t;
    break;
  case SPREF_TEST:
    r->test = test;
    r->test.at = off;
    break;
  case SPREF_PRE:
    r->before = test;
    r->before.at = h->pc;
    break;
  case SPREF_CRIT:
    if (at < 0) break;
    r->form[at] = (spref_form){.valid = true,
                               .seen = true,
                               .raw = h->imm == 0,
                               .pair = h->wide,
                               .reg = h->reg,
                               .off = off,
                               .last = low_bits(off + (uint64_t)h->imm, r->shape.off_bits)};
    r->need |= 1u << at;
    break;
  case SPREF_COMMIT:
    r->state = SPREF_FINAL;
    r->final_left = r->shape.forms + 1;
    break;
  }
}

/* ---- warps ---- */

typedef struct role {
  bool in, leader, second, tail[2], must, test, pre, clobbers;
} role;

static role role_of(const spref_ref *r, const spref_instr *i) {
  role x = {0};
  if (r->state != SPREF_LIVE || !r->levels.enable) return x;
  uint64_t off = low_bits(i->pc - r->lo, r->shape.off_bits);
  x.pre = r->before.v && i->op == SPREF_SETP && i->pc == r->before.at;
  x.in = i->pc >= r->lo && i->pc <= r->hi;
  if (!x.in) return x;
  bool listed = false, over = false;
  for (unsigned k = 0; k < r->shape.forms; k++) {
    const spref_form *f = &r->form[k];
    if (!(r->need >> k & 1)) continue;
    listed |= f->off == off;
    over |= overlap(place_of(f), place_dst(i)) && (f->raw || (off > f->off && off < f->last));
  }
  x.leader = off == r->head[0].off;
  x.second = r->head[1].ok && off == r->head[1].off;
  for (unsigned t = 0; t < 2; t++) x.tail[t] = r->tail[t].ok && off == r->tail[t].off;
  x.must = listed && !x.leader;
  x.test = r->test.v && i->op == SPREF_SETP && off == r->test.at;
  x.clobbers =
      (i->dst_v && !listed && (over || any_of(r->used, place_dst(i)))) || i->op == SPREF_CLOBBER;
  return x;
}

bool spref_ref_says(const spref_ref *r, const spref_instr *i) {
  const role x = role_of(r, i);
  return x.leader || x.second || x.tail[0] || x.tail[1] || x.must || x.test || x.pre || x.clobbers;
}

static unsigned list_entry(const spref_ref *r, const spref_target *t, unsigned distance,
                           unsigned phase) {
  return r->levels.max_s + t->first * distance + phase * (t->wide ? 2 : 1);
}

static uint64_t lanes_above(const spref_ref *r, const spref_warp_state *w, unsigned n) {
  uint64_t mask = 0;
  for (unsigned l = 0; l < r->shape.lanes; l++)
    if (w->n[l] > n) mask |= UINT64_C(1) << l;
  return mask;
}

static void inject(spref_ref *r, spref_warp_state *w, const spref_target *t, unsigned kind,
                   spref_answer *out) {
  out->inject = kind;
  out->mask = lanes_above(r, w, w->distance);
  out->reg_v = t->has_reg;
  if (t->has_reg) {
    out->reg = list_entry(r, t, w->distance, w->phase);
  }
  if (kind == 1)
    COUNT(r, injected_head);
  else
    COUNT(r, injected_tail);
  if (!t->has_reg) COUNT(r, injected_cache);
}

static void move(spref_ref *r, const spref_warp_state *w, const spref_target *t, spref_answer *out,
                 bool tail) {
  out->move = true;
  out->move_reg = list_entry(r, t, w->distance, w->phase);
  if (tail)
    COUNT(r, moves_tail);
  else
    COUNT(r, moves_head);
}

/* Base and destination are told as pairs. */
static bool overwrites(const spref_instr *i, unsigned base) {
  return i->dst_v && i->dst / 2 == base / 2;
}

static void run_head(spref_ref *r, spref_warp_state *w, const spref_instr *i, unsigned slot,
                     spref_answer *out) {
  const spref_target *t = &r->head[slot];
  if (w->moving && t->has_reg) move(r, w, t, out, false);
  if (!lanes_above(r, w, w->distance)) return;
  inject(r, w, t, 1, out);
  out->base_v = true;
  out->base = i->a;
  out->over = overwrites(i, i->a);
  out->offset = i->imm + t->num * (int)w->distance;
}

static void run_tail(spref_ref *r, spref_warp_state *w, const spref_instr *i, unsigned slot,
                     spref_answer *out) {
  const spref_target *t = &r->tail[slot];
  if (w->ready[slot][w->phase] && t->has_reg) move(r, w, t, out, true);
  w->seen[slot] = true;
  bool some = lanes_above(r, w, w->distance) != 0;
  w->ready[slot][w->phase] = some;
  if (!some) return;
  inject(r, w, t, 2, out);
  out->base_v = t->base_v;
  out->base = t->base_v ? t->base : 0;
  out->over = t->base_v && overwrites(i, t->base);
  out->index = list_entry(r, &r->head[slot], w->distance, w->phase);
  out->scale = t->scale;
  out->ext = t->ext;
  out->offset = t->num;
}

static void run_leader(spref_ref *r, spref_warp_state *w, const spref_instr *i, bool counts,
                       spref_answer *out) {
  bool regular = !w->bad && counts && w->done == r->must_run;
  if (regular)
    COUNT(r, regular);
  else if (!w->bad)
    COUNT(r, breaks);
  const bool begins = counts && !w->spoilt;
  w->spoilt = false;
  if (begins && !regular) COUNT(r, starts);
  w->done = 0;
  if (!begins) {
    w->bad = true;
    return;
  }
  if (regular) {
    for (unsigned t = 0; t < 2; t++)
      if (!w->seen[t]) w->ready[t][w->phase] = false;
    w->moving = w->fill == w->distance;
    w->phase = (w->phase + 1) % w->distance;
    if (w->fill < w->distance) w->fill++;
  } else {
    unsigned want = r->levels.distance ? r->levels.distance : w->mean;
    memset(w->ready, 0, sizeof w->ready);
    w->distance = want < r->dmax ? want : r->dmax;
    w->moving = false;
    w->phase = 0;
    w->fill = 1;
  }
  w->bad = false;
  w->seen[0] = !r->tail[0].ok;
  w->seen[1] = !r->tail[1].ok;
  run_head(r, w, i, 0, out);
}

static void ask(spref_ref *r, spref_warp_state *w, const spref_test *t, bool counted,
                spref_answer *out) {
  w->known = false;
  w->pending = counted;
  if (!counted) return;
  out->ask = true;
  out->cmp = t->cmp;
  out->swap = t->swap;
  out->shift = t->shift;
  out->down = t->down;
  COUNT(r, counts_asked);
}

static void step_warp(spref_ref *r, const spref_instr *i, const role *x, spref_answer *out) {
  spref_warp_state *w = &r->warp[i->warp];
  if (!x->in) {
    if (w->alive) w->known = w->pending = false;
    w->alive = false;
    if (x->pre) ask(r, w, &r->before, i->counted, out);
    return;
  }
  COUNT(r, in_loop);
  if (i->op == SPREF_LDNC) COUNT(r, loads_in_loop);
  if (!w->alive) w->bad = true, w->spoilt = false;
  if (x->clobbers && !x->leader) w->spoilt = true;
  w->alive = true;
  uint64_t on = lanes_above(r, w, 0);
  bool same = on == i->mask, within = (i->mask & ~on) == 0, known = w->known;
  if (x->leader) {
    run_leader(r, w, i, known && same, out);
  } else if (!w->bad) {
    bool breaks = x->clobbers, ran = x->test ? known && within : known && same;
    if ((x->must || x->test) && !ran) breaks = true;
    if (x->second) {
      if (known && same && w->done == r->head[1].pos)
        run_head(r, w, i, 1, out);
      else
        breaks = true;
    }
    for (unsigned t = 0; t < 2; t++) {
      if (!x->tail[t]) continue;
      if (!within)
        breaks = true;
      else if (known && !w->seen[t] && w->done == r->tail[t].pos)
        run_tail(r, w, i, t, out);
    }
    if ((x->must || x->test) && ran) w->done++;
    if (breaks) {
      COUNT(r, breaks);
      w->bad = true;
    }
  }
  if (x->test)
    ask(r, w, &r->test, i->counted, out);
  else if (x->pre)
    ask(r, w, &r->before, i->counted, out);
}

static void forget_warp(spref_warp_state *w) {
  w->alive = w->known = w->pending = false;
}

static void forget_warps(spref_ref *r) {
  for (unsigned w = 0; w < r->shape.warps; w++) forget_warp(&r->warp[w]);
}

/* A number of any type as one of its value. */
static __int128 value_of(uint64_t v, bool wide, bool sign) {
  if (!wide) return sign ? (__int128)(int32_t)v : (__int128)(uint32_t)v;
  return sign ? (__int128)(int64_t)v : (__int128)v;
}

static bool holds(unsigned cmp, __int128 x, __int128 y) {
  switch (cmp) {
  case SPREF_NE:
    return x != y;
  case SPREF_LT:
    return x < y;
  case SPREF_LE:
    return x <= y;
  case SPREF_GT:
    return x > y;
  case SPREF_GE:
    return x >= y;
  default:
    return false;
  }
}

unsigned spref_ref_turns(unsigned cmp, bool swap, unsigned shift, bool down, bool wide, bool sign,
                         uint64_t a, uint64_t b) {
  const unsigned bits = wide ? 64 : 32;
  const __int128 all = (__int128)1 << bits, low = sign ? -(all / 2) : 0, high = low + all - 1,
                 size = (__int128)1 << shift, step = down ? -size : size;
  __int128 x = value_of(swap ? b : a, wide, sign);
  const __int128 y = value_of(swap ? a : b, wide, sign);
  if (!holds(cmp, x, y)) return 0;
  if (cmp != SPREF_NE && (down ? y - low : high - y) < size) return 15;
  for (unsigned n = 0; n < 15; n++) {
    if (!holds(cmp, x, y)) return n;
    x += step;
    if (cmp == SPREF_NE && x < low) x += all;
    if (cmp == SPREF_NE && x > high) x -= all;
  }
  return 15;
}

bool spref_ref_is_test(const spref_ref *r, uint64_t pc, bool *pre) {
  *pre = false;
  if (r->state != SPREF_LIVE) return false;
  if (r->test.v && pc == low_bits(r->lo + r->test.at, r->shape.pc_bits)) return true;
  return *pre = r->before.v && pc == r->before.at;
}

static void step_count(spref_ref *r, const spref_count *c, bool pending) {
  spref_warp_state *w = &r->warp[c->warp];
  unsigned sum = 0, lanes = 0;
  COUNT(r, counts);
  const spref_test *t = c->pre ? &r->before : &r->test;
  for (unsigned l = 0; l < r->shape.lanes; l++)
    w->n[l] = c->mask >> l & 1 ? (uint8_t)spref_ref_turns(t->cmp, t->swap, t->shift, t->down,
                                                          c->wide, c->sign, c->a[l], c->b[l])
                               : 0;
  if (!pending) return;
  for (unsigned l = 0; l < r->shape.lanes; l++) {
    sum += w->n[l];
    lanes += w->n[l] != 0;
  }
  w->mean = sum < 4 * lanes ? 1 : sum < 6 * lanes ? 2 : 3;
  w->known = true;
  w->pending = false;
}

/* The warp is no more: what is known of it, and the passes that follow it. */
static void step_last(spref_ref *r, unsigned warp) {
  forget_warp(&r->warp[warp]);
  if ((r->state == SPREF_PASS_A || r->state == SPREF_PASS_B) && warp == r->trained) {
    COUNT(r, training_aborted);
    r->state = SPREF_NONE;
  }
}

static void step_kernel(spref_ref *r) {
  r->state = SPREF_NONE;
  memset(r->refused_v, 0, sizeof r->refused_v);
  r->refused_at = r->tries = 0;
  r->exit_v = false;
  r->lo = r->hi = 0;
  forget_table(r);
  forget_warps(r);
}

void spref_ref_edge(spref_ref *r, const spref_instr *in, const spref_count *count,
                    const unsigned *fault, bool new_kernel, const spref_hint *hint,
                    spref_answer *answer) {
  bool pending = count && r->warp[count->warp].pending, dropped = false;
  bool counting = r->state == SPREF_FINAL;
  if (r->state != SPREF_LIVE) r->age = 0;
  if (in) {
    *answer = (spref_answer){.warp = in->warp};
    COUNT(r, instructions);
    role x = role_of(r, in);
    if (r->levels.enable) dropped = step_loop(r, in);
    if (dropped) {
      COUNT(r, drops);
      if (x.in) COUNT(r, in_loop);
      if (x.in && in->op == SPREF_LDNC) COUNT(r, loads_in_loop);
      forget_warps(r);
    } else {
      step_warp(r, in, &x, answer);
    }
    if (in->last) step_last(r, in->warp);
    dropped |= count && in->last && in->warp == count->warp;
  }
  if (counting && r->final_left-- == 1) final(r);
  if (count) step_count(r, count, pending && !dropped);
  if (fault) {
    COUNT(r, faults);
    r->warp[*fault].known = r->warp[*fault].pending = false;
  }
  if (hint) {
    step_hint(r, hint);
    if (hint->kind == SPREF_LOW) forget_warps(r);
  }
  if (new_kernel) step_kernel(r);
}
