/* Nested loops by Havlak's form of Tarjan's algorithm ("Nesting of reducible and irreducible
 * loops", 1997): headers from the last to the first in depth-first order collect what leads back to
 * them; what was collected is merged into its header, so that each edge is looked at once. Nearly
 * linear in the size of the graph. */
#include "sim/ptx/loops.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

/* All arrays but number[] go by preorder number. */
typedef struct walk {
  const ptx_cfg *cfg;
  uint32_t *number;       /* by block; UINT32_MAX: cannot be reached */
  uint32_t *block, *last; /* last: highest number below it in the tree */
  uint32_t *header;       /* of the innermost loop around it, PTX_NO_LOOP if none */
  uint32_t *merged;       /* union-find: into which header */
  uint32_t *list;
  bool *listed, *is_header;
  uint32_t n;
} walk;

static void number_blocks(walk *w) {
  const uint32_t n = w->cfg->n_blocks;
  uint32_t *stack = wf_calloc((size_t)n + 1, sizeof *stack),
           *next = wf_calloc((size_t)n + 1, sizeof *next);
  uint32_t depth = 0;
  for (uint32_t b = 0; b < n; b++) w->number[b] = UINT32_MAX;
  stack[0] = w->number[0] = w->block[0] = 0;
  w->n = 1;
  for (;;) {
    const uint32_t v = stack[depth];
    const ptx_block *b = &w->cfg->blocks[w->block[v]];
    if (next[v] < b->n_succ) {
      const uint32_t s = b->succ[next[v]++];
      if (w->number[s] != UINT32_MAX) continue;
      w->number[s] = w->n;
      w->block[w->n] = s;
      stack[++depth] = w->n++;
    } else {
      w->last[v] = w->n - 1;
      if (depth-- == 0) break;
    }
  }
  free(stack);
  free(next);
}

static uint32_t find(walk *w, uint32_t v) {
  while (w->merged[v] != v) v = w->merged[v] = w->merged[w->merged[v]];
  return v;
}

static bool below(const walk *w, uint32_t v, uint32_t ancestor) {
  return ancestor <= v && v <= w->last[ancestor];
}

static void collect(walk *w, uint32_t v, uint32_t header, uint32_t *count) {
  if (v == header || w->listed[v]) return;
  w->listed[v] = true;
  w->list[(*count)++] = v;
}

/* Everything that leads to a back edge of `header` without passing it. */
static void find_body(walk *w, uint32_t header) {
  const ptx_cfg *g = w->cfg;
  uint32_t count = 0;
  const uint32_t b = w->block[header];
  for (uint32_t k = g->first_pred[b]; k < g->first_pred[b + 1]; k++) {
    const uint32_t p = w->number[g->pred[k]];
    if (p == UINT32_MAX || !below(w, p, header)) continue;
    w->is_header[header] = true;
    collect(w, find(w, p), header, &count);
  }
  for (uint32_t at = 0; at < count; at++) {
    const uint32_t x = w->block[w->list[at]];
    for (uint32_t k = g->first_pred[x]; k < g->first_pred[x + 1]; k++) {
      const uint32_t p = w->number[g->pred[k]];
      if (p == UINT32_MAX) continue;
      const uint32_t v = find(w, p);
      if (below(w, v, header))
        collect(w, v, header, &count); /* else: a second way into the cycle */
    }
  }
  for (uint32_t at = 0; at < count; at++) {
    const uint32_t v = w->list[at];
    w->listed[v] = false;
    w->header[v] = w->merged[v] = header;
  }
}

static void widen(ptx_loop *loop, ptx_pc low, ptx_pc high) {
  if (low < loop->low) loop->low = low;
  if (high > loop->high) loop->high = high;
}

/* In preorder a header comes before the loops within its own. */
static void list_loops(const walk *w, ptx_loop_forest *f, uint32_t n) {
  uint32_t *index = wf_calloc((size_t)w->n + 1, sizeof *index);
  for (uint32_t v = 0; v < w->n; v++) f->n_loops += w->is_header[v];
  f->loops = wf_calloc((size_t)f->n_loops + 1, sizeof *f->loops);
  f->loop_of = wf_calloc((size_t)n + 1, sizeof *f->loop_of);
  for (uint32_t i = 0; i < n; i++) f->loop_of[i] = PTX_NO_LOOP;
  uint32_t next = 0;
  for (uint32_t v = 0; v < w->n; v++) {
    const uint32_t around = w->header[v] == PTX_NO_LOOP ? PTX_NO_LOOP : index[w->header[v]];
    const ptx_block *b = &w->cfg->blocks[w->block[v]];
    index[v] = around;
    if (w->is_header[v]) {
      index[v] = next;
      f->loops[next++] = (ptx_loop){.low = b->first, .high = b->last, .parent = around};
    }
    for (uint32_t i = b->first; i <= b->last; i++) f->loop_of[i] = index[v];
    if (index[v] != PTX_NO_LOOP) widen(&f->loops[index[v]], b->first, b->last);
  }
  for (uint32_t l = f->n_loops; l-- > 0;)
    if (f->loops[l].parent != PTX_NO_LOOP)
      widen(&f->loops[f->loops[l].parent], f->loops[l].low, f->loops[l].high);
  free(index);
}

ptx_loop_forest ptx_loops_find(const ptx_cfg *cfg, uint32_t n) {
  enum { ARRAYS = 6 };
  const size_t blocks = (size_t)cfg->n_blocks + 1;
  ptx_loop_forest forest = {0};
  uint32_t *memory = wf_calloc(blocks, ARRAYS * sizeof *memory);
  bool *flags = wf_calloc(blocks, 2 * sizeof *flags);
  walk w = {.cfg = cfg,
            .number = memory,
            .block = memory + blocks,
            .last = memory + 2 * blocks,
            .header = memory + 3 * blocks,
            .merged = memory + 4 * blocks,
            .list = memory + 5 * blocks,
            .listed = flags,
            .is_header = flags + blocks};
  number_blocks(&w);
  for (uint32_t v = 0; v < w.n; v++) {
    w.header[v] = PTX_NO_LOOP;
    w.merged[v] = v;
  }
  for (uint32_t v = w.n; v-- > 0;) find_body(&w, v);
  list_loops(&w, &forest, n);
  free(memory);
  free(flags);
  return forest;
}

void ptx_loops_free(ptx_loop_forest *forest) {
  free(forest->loops);
  free(forest->loop_of);
}
