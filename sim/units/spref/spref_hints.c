#include "sim/units/spref/spref_hints.h"

#include "sim/ptx/code.h"

typedef struct plan {
  const ptx_pair_loop *loop;
  const ptx_pair_load *head[2], *tail[2];
} plan;

/* A step of 2^shift, or -1. */
static int step_shift(int64_t step) {
  return step == INT64_MIN ? -1 : spref_log2(step < 0 ? -step : step);
}

static bool is_test(const spref_code *code, const ptx_loop_test *t) {
  return t->pc != PTX_NO_PC && code->rows[t->pc].op == SPREF_OP_SETP && step_shift(t->step) >= 0 &&
         t->compare <= PTX_GE;
}

static bool is_short(int64_t n) {
  return n >= INT16_MIN && n <= INT16_MAX;
}

static bool can_tail(const spref_code *code, const ptx_pair_load *x) {
  return x->role == PTX_LOAD_TAIL && x->simple && x->base_v && x->shift <= 15 &&
         is_short(x->offset) && code->asks[x->pc];
}

static bool plan_loop(const spref_code *code, const ptx_pairs *pairs, uint32_t l, plan *out) {
  *out = (plan){.loop = &pairs->loops[l]};
  if (!is_test(code, &out->loop->test) || out->loop->chain_cut || out->loop->back == PTX_NO_PC)
    return false;
  unsigned heads = 0;
  for (uint32_t i = 0; i < pairs->n_loads; i++) {
    const ptx_pair_load *x = &pairs->loads[i];
    if (x->loop == l && x->role == PTX_LOAD_HEAD && code->asks[x->pc] && heads < 2 &&
        is_short(x->stride))
      out->head[heads++] = x;
  }
  for (uint32_t i = 0; i < pairs->n_loads; i++)
    for (unsigned h = 0; h < heads && pairs->loads[i].loop == l && can_tail(code, &pairs->loads[i]);
         h++)
      if (out->head[h]->pc == pairs->loads[i].head && !out->tail[h])
        out->tail[h] = &pairs->loads[i];
  return heads > 0;
}

static bool choose(const spref_code *code, const ptx_pairs *pairs, plan *best) {
  bool found = false;
  for (uint32_t l = pairs->n_loops; l-- > 0;) {
    plan q;
    if (!plan_loop(code, pairs, l, &q) ||
        (found && (best->tail[0] || best->tail[1] || !(q.tail[0] || q.tail[1]))))
      continue;
    *best = q;
    found = true;
  }
  return found;
}

static spref_hint test_hint(const spref_code *code, spref_hint_kind kind, const ptx_loop_test *t) {
  return (spref_hint){.kind = (uint8_t)kind,
                      .slot = t->step < 0,
                      .pc = t->pc,
                      .cmp = t->compare,
                      .swap = t->swapped != code->rows[t->pc].swapped,
                      .sh = (uint8_t)step_shift(t->step)};
}

/* ---- how long an address needs what an instruction writes ---- */

static bool overlaps(unsigned x, bool x_pair, unsigned y, bool y_pair) {
  return x / 2 == y / 2 && (x_pair || y_pair || x == y);
}
static bool is_step(const spref_row *r) {
  return r->op == SPREF_OP_ADD && r->bkind == 2 && r->a == r->dst;
}
static bool reads(const spref_row *r, const spref_row *from) {
  return overlaps(r->a, r->pair_a, from->dst, from->pair_dst) ||
         (r->bkind == 1 && overlaps(r->b, r->pair_b, from->dst, from->pair_dst));
}

/* Program counters from the instruction to the last one among those of the plan that reads what it
 * writes; 0: the register is its own in the whole loop. */
static unsigned needed_for(const spref_code *code, const plan *q, ptx_pc pc) {
  const spref_row *from = &code->rows[pc];
  ptx_pc all[PTX_PAIR_CHAIN + 5], last = pc;
  unsigned n = 0;
  for (uint32_t i = 0; i < q->loop->n_chain; i++) all[n++] = q->loop->chain[i];
  for (unsigned h = 0; h < 2; h++) {
    if (q->head[h]) all[n++] = q->head[h]->pc;
    if (q->tail[h]) all[n++] = q->tail[h]->pc;
  }
  all[n++] = q->loop->test.pc;
  ptx_pc end = UINT32_MAX; /* of the first that writes it again */
  bool alone = true;       /* none of them writes it but this one */
  for (unsigned i = 0; i < n; i++) {
    const spref_row *r = &code->rows[all[i]];
    if (all[i] == pc || !r->dst_v || !overlaps(r->dst, r->pair_dst, from->dst, from->pair_dst))
      continue;
    alone = false;
    if (all[i] > pc && all[i] < end) end = all[i];
  }
  bool around = is_step(from); /* it is read in the next iteration, or in others */
  for (unsigned i = 0; i < n; i++) {
    if (!reads(&code->rows[all[i]], from)) continue;
    if (all[i] > last && all[i] <= end) last = all[i];
    around |= all[i] < pc && alone;
  }
  return around || last - pc > INT16_MAX ? 0 : last > pc ? last - pc : 1;
}

static spref_hint must_run(const spref_code *code, const plan *q, ptx_pc pc) {
  return (spref_hint){.kind = SPREF_H_CRIT,
                      .pc = pc,
                      .reg_v = code->rows[pc].dst_v,
                      .reg = code->rows[pc].dst,
                      .wide = code->rows[pc].pair_dst,
                      .imm = (int16_t)needed_for(code, q, pc)};
}

unsigned spref_make_hints(const spref_code *code, const ptx_pairs *pairs,
                          spref_hint hints[SPREF_HINTS_MOST]) {
  plan q = {0};
  unsigned n = 0;
  if (!choose(code, pairs, &q)) return 0;
  hints[n++] = (spref_hint){.kind = SPREF_H_LOW, .pc = q.loop->first};
  hints[n++] = (spref_hint){.kind = SPREF_H_HIGH, .pc = q.loop->back};
  for (unsigned h = 0; h < 2 && q.head[h]; h++) {
    const ptx_pair_load *x = q.head[h], *t = q.tail[h];
    hints[n++] = (spref_hint){.kind = SPREF_H_HEAD,
                              .slot = (uint8_t)h,
                              .pc = x->pc,
                              .imm = (int16_t)x->stride,
                              .wide = code->rows[x->pc].wide};
    if (t)
      hints[n++] = (spref_hint){.kind = SPREF_H_TAIL,
                                .slot = (uint8_t)h,
                                .pc = t->pc,
                                .reg_v = true,
                                .reg = (uint8_t)t->base,
                                .sh = t->shift,
                                .ext = t->extend,
                                .imm = (int16_t)t->offset,
                                .wide = code->rows[t->pc].wide};
  }
  hints[n++] = test_hint(code, SPREF_H_TEST, &q.loop->test);
  if (is_test(code, &q.loop->entry)) hints[n++] = test_hint(code, SPREF_H_PRE, &q.loop->entry);
  for (uint32_t i = 0; i < q.loop->n_chain; i++) hints[n++] = must_run(code, &q, q.loop->chain[i]);
  for (unsigned h = 0; h < 2 && q.head[h]; h++) hints[n++] = must_run(code, &q, q.head[h]->pc);
  hints[n++] = (spref_hint){.kind = SPREF_H_COMMIT};
  return n;
}
