/* Liveness over blocks, then live ranges. Only registers whose value crosses a block boundary are
 * followed through the control flow, each by itself, backwards from the blocks that read it: the
 * work and the memory are those of the answer, "register v is live into block b", and that has a
 * limit. The many other registers are settled inside their block. A guarded write does not end a
 * range: other lanes keep the old value. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/allocate.h"

static void visit_source(const ptx_source *s, ptx_visit_reg *visit, void *context) {
  if ((s->kind == PTX_SOURCE_REG || s->kind == PTX_SOURCE_PRED) && s->reg < PTX_VREG_FIXED)
    visit(context, s->reg, false);
}

void ptx_visit_regs(const ptx_code *c, ptx_visit_reg *visit, void *context) {
  if (c->guarded) visit(context, c->guard, false);
  for (int k = 0; k < c->n_src; k++) visit_source(&c->src[k], visit, context);
  if (c->call && c->op == PTX_CALL_ENTER)
    for (uint32_t k = 0; k < c->call->n_args; k++) visit_source(&c->call->args[k], visit, context);
  for (int k = 0; k < c->n_dst; k++)
    if (c->dst[k].reg < PTX_VREG_FIXED) visit(context, c->dst[k].reg, true);
}

/* Register v (the index among those crossing blocks), at a block. */
typedef struct place {
  uint32_t global, block;
} place;

typedef struct places {
  place *items;
  size_t n, capacity;
} places;

/* Lists by block: items[first[b] .. first[b + 1]). */
typedef struct lists {
  uint32_t *items, *first;
} lists;

typedef struct analysis {
  const ptx_code *codes;
  const ptx_cfg *cfg;
  uint32_t n_vregs;
  uint32_t *global;  /* by vreg: index among those crossing blocks, or UINT32_MAX */
  uint32_t *vreg_of; /* by global index */
  uint32_t n_globals;
  places use, def;         /* read before written, and written, in the block */
  places in, out;          /* live at the block's start, at its end */
  lists live_in, live_out; /* the same by block, as vregs */
  uint32_t *stamp;         /* by vreg: 1 + block of the last unguarded write */
  uint32_t block;
  bool guarded;
  uint32_t at;   /* position being visited */
  uint32_t *end; /* by vreg: end of the range being built, 0 if not live */
  ptx_range *ranges;
  size_t n_ranges, capacity;
} analysis;

static void add_place(places *list, uint32_t global, uint32_t block) {
  if (list->n == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 256;
    list->items = wf_realloc(list->items, list->capacity, sizeof *list->items);
  }
  list->items[list->n++] = (place){global, block};
}

/* First pass: which registers are read before any write in their block? */
static void note_global(void *context, uint32_t v, bool write) {
  analysis *a = context;
  if (write) {
    if (!a->guarded) a->stamp[v] = a->block + 1;
  } else if (a->stamp[v] != a->block + 1 && a->global[v] == UINT32_MAX) {
    a->vreg_of[a->n_globals] = v;
    a->global[v] = a->n_globals++;
  }
}

/* Second pass: what each block reads before it writes, and what it writes, of those. */
static void note_use(void *context, uint32_t v, bool write) {
  analysis *a = context;
  const uint32_t g = a->global[v];
  if (g == UINT32_MAX || a->stamp[v] == a->block + 1) return; /* the block wrote it before */
  if (!write) add_place(&a->use, g, a->block);
  if (write && !a->guarded) {
    add_place(&a->def, g, a->block);
    a->stamp[v] = a->block + 1;
  }
}

static void visit_blocks(analysis *a, ptx_visit_reg *visit) {
  for (a->block = 0; a->block < a->cfg->n_blocks; a->block++) {
    const ptx_block *b = &a->cfg->blocks[a->block];
    for (uint32_t i = b->first; i <= b->last; i++) {
      a->guarded = a->codes[i].guarded;
      ptx_visit_regs(&a->codes[i], visit, a);
    }
  }
}

/* Sorts places by register: result[first[g] .. first[g + 1]) are the blocks of g. Or, with
 * by_block, the vregs by block. */
static lists sort_places(const analysis *a, const places *p, bool by_block) {
  const uint32_t n = by_block ? a->cfg->n_blocks : a->n_globals;
  lists l = {wf_calloc(p->n + 1, sizeof *l.items), wf_calloc((size_t)n + 2, sizeof *l.first)};
  for (size_t k = 0; k < p->n; k++)
    l.first[(by_block ? p->items[k].block : p->items[k].global) + 2]++;
  for (uint32_t k = 0; k < n; k++) l.first[k + 2] += l.first[k + 1];
  for (size_t k = 0; k < p->n; k++) {
    const place *at = &p->items[k];
    l.items[l.first[(by_block ? at->block : at->global) + 1]++] =
        by_block ? a->vreg_of[at->global] : at->block;
  }
  return l;
}

static void lists_free(lists *l) {
  free(l->items);
  free(l->first);
}

/* By block: 1 + the register last found to be written in it, live into it, live out of it. */
typedef struct marks {
  uint32_t *def, *in, *out;
  uint32_t *stack, depth; /* blocks whose predecessors are still to be looked at */
} marks;

static void enter_block(analysis *a, marks *m, uint32_t g, uint32_t block) {
  if (m->in[block] == g + 1) return;
  m->in[block] = g + 1;
  m->stack[m->depth++] = block;
  add_place(&a->in, g, block);
}

/* From the blocks that read register g backwards, up to those that write it. */
static void follow(analysis *a, marks *m, uint32_t g, const lists *use, const lists *def) {
  const ptx_cfg *cfg = a->cfg;
  for (uint32_t k = def->first[g]; k < def->first[g + 1]; k++) m->def[def->items[k]] = g + 1;
  for (uint32_t k = use->first[g]; k < use->first[g + 1]; k++) enter_block(a, m, g, use->items[k]);
  while (m->depth) {
    const uint32_t b = m->stack[--m->depth];
    for (uint32_t k = cfg->first_pred[b]; k < cfg->first_pred[b + 1]; k++) {
      const uint32_t from = cfg->pred[k];
      if (m->out[from] == g + 1) continue;
      m->out[from] = g + 1;
      add_place(&a->out, g, from);
      if (m->def[from] != g + 1) enter_block(a, m, g, from);
    }
  }
}

/* False if more than the limit is live. */
static bool solve(analysis *a) {
  const size_t n = (size_t)a->cfg->n_blocks + 1;
  lists use = sort_places(a, &a->use, false), def = sort_places(a, &a->def, false);
  marks m = {.def = wf_calloc(n, 4 * sizeof *m.def)};
  m.in = m.def + n;
  m.out = m.in + n;
  m.stack = m.out + n;
  for (uint32_t g = 0; g < a->n_globals && a->in.n <= PTX_LIVE_LIMIT; g++)
    follow(a, &m, g, &use, &def);
  lists_free(&use);
  lists_free(&def);
  free(m.def);
  if (a->in.n > PTX_LIVE_LIMIT) return false;
  a->live_in = sort_places(a, &a->in, true);
  a->live_out = sort_places(a, &a->out, true);
  return true;
}

/* ---- ranges, from the last position to the first ---- */
static void add_range(analysis *a, uint32_t v, uint32_t start, uint32_t end) {
  if (a->n_ranges == a->capacity) {
    a->capacity = a->capacity ? 2 * a->capacity : 256;
    a->ranges = wf_realloc(a->ranges, a->capacity, sizeof *a->ranges);
  }
  a->ranges[a->n_ranges++] = (ptx_range){v, start, end};
}

static void range_write(void *context, uint32_t v, bool write) {
  analysis *a = context;
  if (!write) return;
  if (!a->end[v]) {
    add_range(a, v, a->at + 1, a->at + 2); /* never read, but written */
  } else if (!a->guarded) {
    add_range(a, v, a->at + 1, a->end[v]);
    a->end[v] = 0;
  }
}

static void range_read(void *context, uint32_t v, bool write) {
  analysis *a = context;
  if (!write && !a->end[v]) a->end[v] = a->at + 1;
}

static void build_ranges(analysis *a) {
  for (uint32_t k = a->cfg->n_blocks; k-- > 0;) {
    const ptx_block *b = &a->cfg->blocks[k];
    for (uint32_t j = a->live_out.first[k]; j < a->live_out.first[k + 1]; j++)
      a->end[a->live_out.items[j]] = 2 * b->last + 2;
    for (uint32_t i = b->last + 1; i-- > b->first;) {
      a->at = 2 * i;
      a->guarded = a->codes[i].guarded;
      ptx_visit_regs(&a->codes[i], range_write, a);
      ptx_visit_regs(&a->codes[i], range_read, a);
    }
    for (uint32_t j = a->live_in.first[k]; j < a->live_in.first[k + 1]; j++) {
      const uint32_t v = a->live_in.items[j];
      add_range(a, v, 2 * b->first, a->end[v]);
      a->end[v] = 0;
    }
  }
}

static uint32_t later(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* Sorts by vreg and start (ranges were made in descending order of start) and joins neighbours. */
static ptx_ranges *collect(analysis *a) {
  ptx_ranges *r = wf_calloc(1, sizeof *r);
  r->n_vregs = a->n_vregs;
  r->first = wf_calloc((size_t)a->n_vregs + 2, sizeof *r->first);
  r->items = wf_calloc(a->n_ranges + 1, sizeof *r->items);
  for (size_t k = 0; k < a->n_ranges; k++) r->first[a->ranges[k].vreg + 2]++;
  for (uint32_t v = 0; v < a->n_vregs; v++) r->first[v + 2] += r->first[v + 1];
  for (size_t k = a->n_ranges; k-- > 0;) r->items[r->first[a->ranges[k].vreg + 1]++] = a->ranges[k];
  uint32_t kept = 0, from = 0;
  for (uint32_t v = 0; v < a->n_vregs; v++) {
    const uint32_t begin = kept, to = r->first[v + 1];
    for (uint32_t k = from; k < to; k++) {
      if (kept > begin && r->items[kept - 1].end >= r->items[k].start)
        r->items[kept - 1].end = later(r->items[kept - 1].end, r->items[k].end);
      else
        r->items[kept++] = r->items[k];
    }
    r->first[v] = begin;
    from = to;
  }
  r->first[a->n_vregs] = kept;
  return r;
}

ptx_ranges *ptx_liveness(const ptx_code *codes, const ptx_cfg *cfg, uint32_t n_vregs) {
  analysis a = {.codes = codes, .cfg = cfg, .n_vregs = n_vregs};
  a.global = wf_calloc((size_t)n_vregs + 1, sizeof *a.global);
  a.vreg_of = wf_calloc((size_t)n_vregs + 1, sizeof *a.vreg_of);
  a.stamp = wf_calloc((size_t)n_vregs + 1, sizeof *a.stamp);
  a.end = wf_calloc((size_t)n_vregs + 1, sizeof *a.end);
  memset(a.global, 0xff, n_vregs * sizeof *a.global);
  visit_blocks(&a, note_global);
  memset(a.stamp, 0, n_vregs * sizeof *a.stamp);
  visit_blocks(&a, note_use);
  ptx_ranges *result = NULL;
  if (solve(&a)) {
    build_ranges(&a);
    result = collect(&a);
  }
  free(a.use.items);
  free(a.def.items);
  free(a.in.items);
  free(a.out.items);
  lists_free(&a.live_in);
  lists_free(&a.live_out);
  free(a.global);
  free(a.vreg_of);
  free(a.stamp);
  free(a.end);
  free(a.ranges);
  return result;
}

void ptx_ranges_destroy(ptx_ranges *r) {
  if (!r) return;
  free(r->items);
  free(r->first);
  free(r);
}
