/* The test before a loop counts the same as that at its end if (bound - index) / step, as linear
 * forms over the registers at the earlier test, agree. */
#include "sim/ptx/loop_entry.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

enum { MAX_TERMS = 4, MAX_WAY = 16 };

ptx_pc ptx_find_setp(const ptx_kernel *k, const ptx_block *block, uint32_t predicate) {
  for (ptx_pc i = block->last; i-- > block->first;) {
    const ptx_code *c = k->insts[i].code;
    for (int d = 0; d < c->n_dst; d++)
      if (c->dst[d].bytes == 0 && c->dst[d].reg == predicate)
        return d == 0 && !c->guarded && ptx_is_mnemonic(c, "setp") ? i : PTX_NO_PC;
  }
  return PTX_NO_PC;
}

bool ptx_continue_compare(const ptx_code *c, bool goes_on_if_true, bool swapped, uint8_t *compare) {
  static const uint8_t opposite[] = {PTX_NE, PTX_EQ, PTX_GE, PTX_GT, PTX_LE, PTX_LT};
  static const uint8_t mirrored[] = {PTX_EQ, PTX_NE, PTX_GT, PTX_GE, PTX_LT, PTX_LE};
  if (c->op > PTX_GE || c->op2 != PTX_BOOL_NONE || ptx_type_kind((ptx_type)c->type) == 'f')
    return false;
  *compare = goes_on_if_true ? c->op : opposite[c->op];
  if (swapped) *compare = mirrored[*compare];
  return true;
}

/* ---- linear forms ---- */
typedef struct linear {
  bool valid, wide;
  uint8_t n;
  uint32_t symbol[MAX_TERMS];
  int64_t factor[MAX_TERMS], number;
} linear;

static linear add_scaled(linear a, const linear *b, int64_t scale) {
  a.valid &= b->valid;
  a.number += scale * b->number;
  for (unsigned k = 0; k < b->n && a.valid; k++) {
    unsigned at = 0;
    while (at < a.n && a.symbol[at] != b->symbol[k]) at++;
    if (at == MAX_TERMS) {
      a.valid = false;
      break;
    }
    if (at == a.n) {
      a.symbol[at] = b->symbol[k];
      a.factor[at] = 0;
      a.n++;
    }
    a.factor[at] += scale * b->factor[k];
    if (a.factor[at] == 0) {
      a.n--;
      a.symbol[at] = a.symbol[a.n];
      a.factor[at] = a.factor[a.n];
    }
  }
  return a;
}

static bool is_zero(const linear *a) {
  return a->valid && a->n == 0 && a->number == 0;
}

typedef struct forms {
  linear *of; /* by register; a 64-bit value stands at its first */
  uint32_t n_regs, symbols;
} forms;

static linear fresh(forms *f) {
  return (linear){.valid = true, .n = 1, .symbol = {f->symbols++}, .factor = {1}};
}

static linear of_source(forms *f, const ptx_source *s) {
  if (s->kind == PTX_SOURCE_CONSTANT)
    return (linear){.valid = true,
                    .number = s->wide ? *(const int64_t *)s->plane : *(const int32_t *)s->plane};
  if (s->kind == PTX_SOURCE_REG) return f->of[s->reg];
  return (linear){.valid = false};
}

static bool constant_of(const ptx_source *s, int64_t *n) {
  if (s->kind != PTX_SOURCE_CONSTANT) return false;
  *n = s->wide ? *(const int64_t *)s->plane : *(const int32_t *)s->plane;
  return *n > -(1 << 20) && *n < 1 << 20;
}

/* Sums, differences and multiples keep their form, copies and changes of width as well: indexes do
 * not wrap. */
static linear form_of(forms *f, const ptx_code *c) {
  const linear zero = {.valid = true};
  int64_t n;
  if (ptx_has_modifier(c, ".cc") || ptx_has_modifier(c, ".f32") || ptx_has_modifier(c, ".f64") ||
      ptx_has_modifier(c, ".hi"))
    return fresh(f);
  linear a = c->n_src > 0 ? of_source(f, &c->src[0]) : zero,
         b = c->n_src > 1 ? of_source(f, &c->src[1]) : zero;
  if ((ptx_is_mnemonic(c, "mov") || ptx_is_mnemonic(c, "cvt") || ptx_is_mnemonic(c, "cvta")) &&
      c->n_src == 1 && c->n_dst == 1)
    return a;
  if (ptx_is_mnemonic(c, "add")) return add_scaled(a, &b, 1);
  if (ptx_is_mnemonic(c, "sub")) return add_scaled(a, &b, -1);
  if (ptx_is_mnemonic(c, "shl") && constant_of(&c->src[1], &n) && n >= 0 && n < 16)
    return add_scaled(zero, &a, (int64_t)1 << n);
  if (ptx_is_mnemonic(c, "mul") && constant_of(&c->src[1], &n)) return add_scaled(zero, &a, n);
  return fresh(f);
}

static void run(forms *f, const ptx_inst *inst) {
  const ptx_code *c = inst->code;
  for (int d = 0; d < c->n_dst; d++) {
    if (!c->dst[d].bytes) continue;
    linear v = inst->cls < PTX_CLASS_LOAD && !c->guarded && d == 0 ? form_of(f, c) : fresh(f);
    if (!v.valid) v = fresh(f);
    const uint32_t r = c->dst[d].reg;
    v.wide = c->dst[d].bytes == 8;
    if (r > 0 && f->of[r - 1].wide) f->of[r - 1] = fresh(f); /* its upper half is gone */
    if (v.wide) f->of[r + 1] = fresh(f);
    f->of[r] = v;
  }
}

/* ---- the way to the loop ---- */
typedef struct way {
  uint32_t block[MAX_WAY]; /* last first */
  uint32_t n;
} way;

static uint32_t only_predecessor(const ptx_cfg *g, uint32_t block) {
  return g->first_pred[block + 1] - g->first_pred[block] == 1 ? g->pred[g->first_pred[block]]
                                                              : UINT32_MAX;
}

/* Back from the loop to the block that ends with a branch on a predicate. */
static bool find_way(const ptx_kernel *k, const ptx_cfg *g, uint32_t before, way *w) {
  for (uint32_t b = before; b != UINT32_MAX && w->n < MAX_WAY; b = only_predecessor(g, b)) {
    const ptx_inst *last = &k->insts[g->blocks[b].last];
    w->block[w->n++] = b;
    if (last->cls == PTX_CLASS_BRANCH && last->code->guarded) return true;
  }
  return false;
}

static int64_t power_step(int64_t step) {
  const int64_t size = step < 0 ? -step : step;
  return size > 0 && size <= 1 << 15 && (size & (size - 1)) == 0 ? size : 0;
}

/* x, y: what the earlier test compares; index, bound: what the loop's test will. Is (y - x) * step
 * == (bound - index) * t for some t? */
static int64_t agreeing_step(const linear *x, const linear *y, const linear *index,
                             const linear *bound, int64_t step) {
  const linear left = add_scaled(*y, x, -1), right = add_scaled(*bound, index, -1);
  if (!left.n) return 0; /* both known: nothing is counted */
  for (int64_t t = 1; t <= 1 << 15; t *= 2)
    for (int sign = 0; sign < 2; sign++) {
      linear difference = add_scaled((linear){.valid = true}, &left, step);
      difference = add_scaled(difference, &right, sign ? t : -t);
      if (is_zero(&difference)) return sign ? -t : t;
    }
  return 0;
}

static void compare_tests(forms *f, const ptx_kernel *k, const ptx_cfg *g, const way *w,
                          ptx_pc setp, bool enters_if_true, const ptx_loop_test *test,
                          ptx_loop_test *entry) {
  const ptx_code *early = k->insts[setp].code, *late = k->insts[test->pc].code;
  linear x = {0}, y = {0};
  for (uint32_t i = w->n; i-- > 0;)
    for (ptx_pc pc = g->blocks[w->block[i]].first; pc <= g->blocks[w->block[i]].last; pc++) {
      if (pc == setp) {
        x = of_source(f, &early->src[0]);
        y = of_source(f, &early->src[1]);
      }
      run(f, &k->insts[pc]);
    }
  const linear index = of_source(f, &late->src[test->swapped]),
               bound = of_source(f, &late->src[!test->swapped]);
  const int64_t t = agreeing_step(&x, &y, &index, &bound, test->step);
  uint8_t compare;
  if (!t || !power_step(test->step) ||
      !ptx_continue_compare(early, enters_if_true, false, &compare))
    return;
  *entry = (ptx_loop_test){.pc = setp, .compare = compare, .step = t};
}

void ptx_find_entry_test(const ptx_kernel *k, const ptx_cfg *g, uint32_t before, uint32_t header,
                         const ptx_loop_test *test, ptx_loop_test *entry) {
  way w = {.n = 0};
  if (!find_way(k, g, before, &w)) return;
  const ptx_block *b = &g->blocks[w.block[w.n - 1]];
  const ptx_inst *branch = &k->insts[b->last];
  const ptx_pc setp = ptx_find_setp(k, b, branch->code->guard);
  if (setp == PTX_NO_PC) return;
  const uint32_t next = w.n > 1 ? w.block[w.n - 2] : header;
  const bool to_loop = branch->target < k->n_insts && g->block_of[branch->target] == next;
  forms f = {.n_regs = k->n_regs, .symbols = k->n_regs};
  f.of = wf_calloc((size_t)k->n_regs + 1, sizeof *f.of);
  for (uint32_t r = 0; r < k->n_regs; r++)
    f.of[r] = (linear){.valid = true, .n = 1, .symbol = {r}, .factor = {1}};
  compare_tests(&f, k, g, &w, setp, to_loop != (branch->code->guard_invert != 0), test, entry);
  free(f.of);
}
