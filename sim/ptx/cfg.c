/* Immediate post-dominators: the algorithm of Cooper, Harvey and Kennedy ("A simple, fast dominance
 * algorithm", 2001) on the reversed graph, rooted at the kernel's end. */
#include "sim/ptx/cfg.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

/* ---- blocks ---- */
static void find_blocks(ptx_cfg *g, const ptx_flow *flows, uint32_t n) {
  bool *leader = wf_calloc((size_t)n + 1, sizeof *leader);
  leader[0] = true;
  for (uint32_t i = 0; i < n; i++) {
    if (flows[i].jumps && flows[i].target < n) leader[flows[i].target] = true;
    if (flows[i].jumps || flows[i].exits) leader[i + 1] = true;
  }
  for (uint32_t i = 0; i < n; i++) g->n_blocks += leader[i];
  g->blocks = wf_calloc(g->n_blocks, sizeof *g->blocks);
  g->block_of = wf_calloc(n, sizeof *g->block_of);
  for (uint32_t i = 0, b = 0; i < n; i++) {
    if (leader[i] && i) b++;
    if (leader[i]) g->blocks[b].first = i;
    g->blocks[b].last = i;
    g->block_of[i] = b;
  }
  free(leader);
}

static void add_edge(ptx_cfg *g, uint32_t from, uint32_t to_inst, uint32_t n) {
  ptx_block *b = &g->blocks[from];
  if (to_inst < n) b->succ[b->n_succ++] = g->block_of[to_inst];
}

static void find_edges(ptx_cfg *g, const ptx_flow *flows, uint32_t n) {
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    const uint32_t last = g->blocks[b].last;
    const ptx_flow *f = &flows[last];
    if (f->jumps) add_edge(g, b, f->target, n);
    if (f->conditional || (!f->jumps && !f->exits)) add_edge(g, b, last + 1, n);
  }
}

/* ---- reversed graph; node n_blocks is the end ---- */
typedef struct reversed {
  uint32_t *first, *edge; /* predecessors of node v: edge[first[v] .. first[v + 1]) */
  bool *to_end;           /* blocks with an edge to the end */
  uint32_t *order;        /* nodes in postorder of the reversed graph */
  uint32_t *number;       /* position in order; UINT32_MAX: not reached */
  uint32_t n_order;
} reversed;

static void index_predecessors(const ptx_cfg *g, reversed *r) {
  const uint32_t n = g->n_blocks;
  r->first = wf_calloc(n + 2, sizeof *r->first);
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t k = 0; k < g->blocks[b].n_succ; k++) r->first[g->blocks[b].succ[k] + 1]++;
  for (uint32_t v = 0; v <= n; v++) r->first[v + 1] += r->first[v];
  r->edge = wf_calloc(r->first[n + 1] + 1, sizeof *r->edge);
  uint32_t *at = wf_calloc(n + 1, sizeof *at);
  for (uint32_t v = 0; v < n; v++) at[v] = r->first[v];
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t k = 0; k < g->blocks[b].n_succ; k++) r->edge[at[g->blocks[b].succ[k]]++] = b;
  free(at);
}

/* Depth-first from a block, backwards along edges; appends to order as nodes are left. */
static void visit(reversed *r, uint32_t root, bool *seen, uint32_t *stack, uint32_t *next) {
  uint32_t depth = 0;
  if (seen[root]) return;
  seen[root] = true;
  stack[0] = root;
  next[root] = r->first[root];
  for (;;) {
    const uint32_t v = stack[depth];
    if (next[v] < r->first[v + 1]) {
      const uint32_t u = r->edge[next[v]++];
      if (seen[u]) continue;
      seen[u] = true;
      next[u] = r->first[u];
      stack[++depth] = u;
    } else {
      r->order[r->n_order++] = v;
      if (depth-- == 0) return;
    }
  }
}

/* Roots: first the blocks that end the kernel, then, for endless loops, those with a conditional exit,
 * then whatever is left; the latter two become edges to the end. */
static void number_nodes(const ptx_cfg *g, const ptx_flow *flows, reversed *r) {
  const uint32_t n = g->n_blocks;
  bool *seen = wf_calloc(n + 1, sizeof *seen);
  uint32_t *stack = wf_calloc(n + 1, sizeof *stack), *next = wf_calloc(n + 1, sizeof *next);
  r->to_end = wf_calloc(n + 1, sizeof *r->to_end);
  r->order = wf_calloc(n + 1, sizeof *r->order);
  r->number = wf_calloc(n + 1, sizeof *r->number);
  for (int pass = 0; pass < 3; pass++) {
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t b = n - 1 - k; /* late blocks first: a loop's end rather than its start */
      const ptx_flow *f = &flows[g->blocks[b].last];
      const bool jumps_out = f->jumps && f->target > g->blocks[n - 1].last;
      const bool ends = (f->exits && !f->conditional) || jumps_out || g->blocks[b].n_succ == 0;
      if (pass == 0 ? !ends : seen[b] || (pass == 1 && !f->exits)) continue;
      r->to_end[b] = true;
      visit(r, b, seen, stack, next);
    }
  }
  r->order[r->n_order++] = n;
  for (uint32_t k = 0; k < r->n_order; k++) r->number[r->order[k]] = k;
  free(seen);
  free(stack);
  free(next);
}

static uint32_t intersect(const reversed *r, const uint32_t *idom, uint32_t a, uint32_t b) {
  while (a != b) {
    while (r->number[a] < r->number[b]) a = idom[a];
    while (r->number[b] < r->number[a]) b = idom[b];
  }
  return a;
}

static void find_post_dominators(ptx_cfg *g, const ptx_flow *flows) {
  const uint32_t n = g->n_blocks;
  reversed r = {0};
  index_predecessors(g, &r);
  number_nodes(g, flows, &r);
  uint32_t *idom = wf_calloc(n + 1, sizeof *idom);
  for (uint32_t v = 0; v < n; v++) idom[v] = UINT32_MAX;
  idom[n] = n;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = r.n_order - 1; k-- > 0;) {
      const uint32_t v = r.order[k];
      uint32_t best = r.to_end[v] ? n : UINT32_MAX;
      for (uint32_t s = 0; s < g->blocks[v].n_succ; s++) {
        const uint32_t u = g->blocks[v].succ[s];
        if (idom[u] == UINT32_MAX) continue;
        best = best == UINT32_MAX ? u : intersect(&r, idom, best, u);
      }
      changed |= idom[v] != best;
      idom[v] = best;
    }
  }
  for (uint32_t v = 0; v < n; v++) g->blocks[v].ipdom = idom[v];
  free(idom);
  free(r.first);
  free(r.edge);
  free(r.to_end);
  free(r.order);
  free(r.number);
}

ptx_cfg *ptx_cfg_create(const ptx_flow *flows, uint32_t n) {
  ptx_cfg *g = wf_calloc(1, sizeof *g);
  find_blocks(g, flows, n);
  find_edges(g, flows, n);
  find_post_dominators(g, flows);
  return g;
}

void ptx_cfg_destroy(ptx_cfg *g) {
  if (!g) return;
  free(g->blocks);
  free(g->block_of);
  free(g);
}
