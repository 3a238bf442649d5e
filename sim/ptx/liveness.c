/* Backward liveness over blocks, then live ranges. Only registers whose value crosses a block
 * boundary take part in the data-flow equations; the many others are settled inside their block.
 * A guarded write does not end a range: other lanes keep the old value. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/allocate.h"

static const size_t max_bitset_bytes = (size_t)256 << 20;

void ptx_visit_regs(const ptx_code *c, ptx_visit_reg *visit, void *context) {
  if (c->guarded) visit(context, c->guard, false);
  for (int k = 0; k < c->n_src; k++)
    if (c->src[k].kind == PTX_SOURCE_REG || c->src[k].kind == PTX_SOURCE_PRED)
      visit(context, c->src[k].reg, false);
  for (int k = 0; k < c->n_dst; k++) visit(context, c->dst[k].reg, true);
}

typedef struct analysis {
  const ptx_code *codes;
  const ptx_cfg *cfg;
  uint32_t n_vregs;
  uint32_t *global;   /* by vreg: index among those crossing blocks, or UINT32_MAX */
  uint32_t *vreg_of;  /* by global index */
  uint32_t n_globals;
  size_t words;       /* of a bitset */
  uint64_t *use, *def, *in, *out; /* [block][words] */
  uint32_t *stamp;    /* by vreg: 1 + block of the last unguarded write */
  uint32_t block;
  bool guarded;
  uint32_t at;        /* position being visited */
  uint32_t *end;      /* by vreg: end of the range being built, 0 if not live */
  ptx_range *ranges;
  size_t n_ranges, capacity;
} analysis;

static uint64_t *row(uint64_t *set, const analysis *a, uint32_t block) {
  return set + block * a->words;
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

/* Second pass: read before written, and written, per block. */
static void note_use(void *context, uint32_t v, bool write) {
  analysis *a = context;
  const uint32_t g = a->global[v];
  if (g == UINT32_MAX) return;
  const uint64_t bit = (uint64_t)1 << (g & 63);
  uint64_t *use = row(a->use, a, a->block), *def = row(a->def, a, a->block);
  if (write && !a->guarded) def[g >> 6] |= bit;
  if (!write && !(def[g >> 6] & bit)) use[g >> 6] |= bit;
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

static void solve(analysis *a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = a->cfg->n_blocks; k-- > 0;) {
      const ptx_block *b = &a->cfg->blocks[k];
      uint64_t *in = row(a->in, a, k), *out = row(a->out, a, k);
      for (uint32_t s = 0; s < b->n_succ; s++) {
        const uint64_t *next = row(a->in, a, b->succ[s]);
        for (size_t w = 0; w < a->words; w++) out[w] |= next[w];
      }
      const uint64_t *use = row(a->use, a, k), *def = row(a->def, a, k);
      for (size_t w = 0; w < a->words; w++) {
        const uint64_t value = use[w] | (out[w] & ~def[w]);
        changed |= value != in[w];
        in[w] = value;
      }
    }
  }
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

static void for_each_bit(const analysis *a, const uint64_t *set,
                         void (*act)(analysis *, uint32_t, uint32_t), uint32_t position) {
  for (size_t w = 0; w < a->words; w++)
    for (uint64_t left = set[w]; left; left &= left - 1)
      act((analysis *)a, a->vreg_of[w * 64 + (size_t)__builtin_ctzll(left)], position);
}

static void open_at_end(analysis *a, uint32_t v, uint32_t position) { a->end[v] = position; }

static void close_at_start(analysis *a, uint32_t v, uint32_t position) {
  add_range(a, v, position, a->end[v]);
  a->end[v] = 0;
}

static void build_ranges(analysis *a) {
  for (uint32_t k = a->cfg->n_blocks; k-- > 0;) {
    const ptx_block *b = &a->cfg->blocks[k];
    for_each_bit(a, row(a->out, a, k), open_at_end, 2 * b->last + 2);
    for (uint32_t i = b->last + 1; i-- > b->first;) {
      a->at = 2 * i;
      a->guarded = a->codes[i].guarded;
      ptx_visit_regs(&a->codes[i], range_write, a);
      ptx_visit_regs(&a->codes[i], range_read, a);
    }
    for_each_bit(a, row(a->in, a, k), close_at_start, 2 * b->first);
  }
}

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

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
  a.words = (a.n_globals + 63) / 64;
  ptx_ranges *result = NULL;
  const size_t set = a.words * cfg->n_blocks;
  if (set * 4 * sizeof *a.use <= max_bitset_bytes) {
    a.use = wf_calloc(set + 1, 4 * sizeof *a.use);
    a.def = a.use + set;
    a.in = a.def + set;
    a.out = a.in + set;
    visit_blocks(&a, note_use);
    solve(&a);
    build_ranges(&a);
    result = collect(&a);
  }
  free(a.global);
  free(a.vreg_of);
  free(a.stamp);
  free(a.end);
  free(a.use);
  free(a.ranges);
  return result;
}

void ptx_ranges_destroy(ptx_ranges *r) {
  if (!r) return;
  free(r->items);
  free(r->first);
  free(r);
}
