/* Immediate post-dominators: the algorithm of Lengauer and Tarjan ("A fast algorithm for finding
 * dominators in a flowgraph", 1979), the simple form, on the reversed graph rooted at the kernel's
 * end. Iterating to a fixed point is shorter, but quadratic and worse on graphs that a long or
 * hostile text can hold. */
#include "sim/ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/ptx.h"

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

static void index_predecessors(ptx_cfg *g) {
  const uint32_t n = g->n_blocks;
  g->first_pred = wf_calloc(n + 2, sizeof *g->first_pred);
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t k = 0; k < g->blocks[b].n_succ; k++) g->first_pred[g->blocks[b].succ[k] + 1]++;
  for (uint32_t v = 0; v <= n; v++) g->first_pred[v + 1] += g->first_pred[v];
  g->pred = wf_calloc(g->first_pred[n + 1] + 1, sizeof *g->pred);
  uint32_t *at = wf_calloc(n + 1, sizeof *at);
  memcpy(at, g->first_pred, n * sizeof *at);
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t k = 0; k < g->blocks[b].n_succ; k++) g->pred[at[g->blocks[b].succ[k]]++] = b;
  free(at);
}

/* ---- post-dominators ---- */

/* The reversed graph's depth-first tree, rooted at the end (node n_blocks), and the forest that the
 * algorithm links along it. All but `number` go by preorder number; the root has number 0. */
typedef struct dominators {
  const ptx_cfg *cfg;
  bool *to_end;     /* by block: has an edge to the end */
  bool *doomed;     /* by block: all ways on end in a trap */
  uint32_t *number; /* by block: preorder number, 0 while not visited */
  uint32_t *block, *parent;
  uint32_t *semi, *idom;
  uint32_t *ancestor;                /* in the forest, UINT32_MAX: a root of it */
  uint32_t *best;                    /* number of least semi-dominator on the way to the ancestor */
  uint32_t *bucket, *next_in_bucket; /* lists of numbers by semi-dominator, 0 ends them */
  uint32_t *stack, *next_pred;
  uint32_t n;
} dominators;

static void enter(dominators *d, uint32_t block, uint32_t parent) {
  d->number[block] = d->n;
  d->block[d->n] = block;
  d->parent[d->n] = parent;
  d->next_pred[d->n] = d->cfg->first_pred[block];
  d->n++;
}

/* Depth-first from a block, backwards along edges. */
static void visit(dominators *d, uint32_t root) {
  uint32_t depth = 0;
  if (d->number[root]) return;
  d->stack[0] = d->n;
  enter(d, root, 0);
  for (;;) {
    const uint32_t v = d->stack[depth];
    if (d->next_pred[v] < d->cfg->first_pred[d->block[v] + 1]) {
      const uint32_t u = d->cfg->pred[d->next_pred[v]++];
      if (d->number[u]) continue;
      d->stack[++depth] = d->n;
      enter(d, u, v);
    } else if (depth-- == 0) {
      return;
    }
  }
}

/* Roots: first the blocks that end the kernel, then those that trap, then, for endless loops, those
 * with a conditional exit, then whatever is left; the last two become edges to the end. */
static void number_blocks(dominators *d, const ptx_flow *flows) {
  enum { ENDS, TRAPS, EXITS, REST, PASSES };
  const uint32_t n = d->cfg->n_blocks;
  const ptx_block *blocks = d->cfg->blocks;
  d->block[0] = n;
  d->n = 1;
  for (int pass = ENDS; pass < PASSES; pass++) {
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t b = n - 1 - k; /* late blocks first: a loop's end rather than its start */
      const ptx_flow *f = &flows[blocks[b].last];
      const bool jumps_out = f->jumps && f->target > blocks[n - 1].last;
      const bool traps = f->traps && !f->conditional;
      const bool ends = (f->exits && !f->conditional) || jumps_out || blocks[b].n_succ == 0;
      const bool root[PASSES] = {ends && !traps, traps, f->exits, true};
      if ((pass != ENDS && d->number[b]) || !root[pass]) continue;
      const uint32_t first = d->n;
      d->to_end[b] = true;
      visit(d, b);
      for (uint32_t v = first; pass == TRAPS && v < d->n; v++) d->doomed[d->block[v]] = true;
    }
  }
}

/* Of the forest's nodes from v up to, but without, its root: the one of least semi-dominator. The
 * path is shortened on the way, which keeps the whole at O(edges * log blocks). */
static uint32_t evaluate(dominators *d, uint32_t v) {
  uint32_t depth = 0;
  if (d->ancestor[v] == UINT32_MAX) return v;
  for (uint32_t u = v; d->ancestor[d->ancestor[u]] != UINT32_MAX; u = d->ancestor[u])
    d->stack[depth++] = u;
  while (depth) {
    const uint32_t u = d->stack[--depth], above = d->ancestor[u];
    if (d->semi[d->best[above]] < d->semi[d->best[u]]) d->best[u] = d->best[above];
    d->ancestor[u] = d->ancestor[above];
  }
  return d->best[v];
}

static void lower_semi(dominators *d, uint32_t v, uint32_t from) {
  const uint32_t semi = d->semi[evaluate(d, from)];
  if (semi < d->semi[v]) d->semi[v] = semi;
}

static void link_blocks(dominators *d) {
  for (uint32_t v = 0; v < d->n; v++) {
    d->semi[v] = d->best[v] = v;
    d->ancestor[v] = UINT32_MAX;
  }
  for (uint32_t v = d->n - 1; v > 0; v--) {
    const ptx_block *b = &d->cfg->blocks[d->block[v]];
    const uint32_t parent = d->parent[v];
    if (d->to_end[d->block[v]]) d->semi[v] = 0;
    for (uint32_t s = 0; s < b->n_succ; s++)
      if (d->doomed[d->block[v]] || !d->doomed[b->succ[s]]) lower_semi(d, v, d->number[b->succ[s]]);
    d->next_in_bucket[v] = d->bucket[d->semi[v]];
    d->bucket[d->semi[v]] = v;
    d->ancestor[v] = parent;
    for (uint32_t w = d->bucket[parent]; w; w = d->next_in_bucket[w]) {
      const uint32_t u = evaluate(d, w);
      d->idom[w] = d->semi[u] < d->semi[w] ? u : parent;
    }
    d->bucket[parent] = 0;
  }
  for (uint32_t v = 1; v < d->n; v++)
    if (d->idom[v] != d->semi[v]) d->idom[v] = d->idom[d->idom[v]];
}

static void find_post_dominators(ptx_cfg *g, const ptx_flow *flows) {
  enum { ARRAYS = 11 };
  const size_t n = (size_t)g->n_blocks + 1;
  uint32_t *memory = wf_calloc(n, ARRAYS * sizeof *memory), *at = memory;
  dominators d = {
      .cfg = g, .to_end = wf_calloc(n, sizeof *d.to_end), .doomed = wf_calloc(n, sizeof *d.doomed)};
  uint32_t **const arrays[ARRAYS] = {&d.number,         &d.block,    &d.parent,   &d.semi,
                                     &d.idom,           &d.ancestor, &d.best,     &d.bucket,
                                     &d.next_in_bucket, &d.stack,    &d.next_pred};
  for (int k = 0; k < ARRAYS; k++, at += n) *arrays[k] = at;
  number_blocks(&d, flows);
  link_blocks(&d);
  for (uint32_t v = 1; v < d.n; v++) g->blocks[d.block[v]].ipdom = d.block[d.idom[v]];
  free(d.to_end);
  free(d.doomed);
  free(memory);
}

ptx_cfg *ptx_cfg_create(const ptx_flow *flows, uint32_t n) {
  ptx_cfg *g = wf_calloc(1, sizeof *g);
  find_blocks(g, flows, n);
  find_edges(g, flows, n);
  index_predecessors(g);
  find_post_dominators(g, flows);
  return g;
}

ptx_cfg *ptx_cfg_of_kernel(const ptx_kernel *k) {
  ptx_flow *flows = wf_calloc((size_t)k->n_insts + 1, sizeof *flows);
  for (ptx_pc i = 0; i < k->n_insts; i++)
    flows[i] = (ptx_flow){
        .jumps = k->insts[i].cls == PTX_CLASS_BRANCH && k->insts[i].custom_id == PTX_BRANCH_JUMP,
        .exits = k->insts[i].cls == PTX_CLASS_EXIT || (k->insts[i].cls == PTX_CLASS_BRANCH &&
                                                       k->insts[i].custom_id == PTX_BRANCH_RETURN),
        .conditional = k->insts[i].code->guarded,
        .traps = k->insts[i].code->run == ptx_trap_handler(),
        .target = k->insts[i].target};
  ptx_cfg *cfg = ptx_cfg_create(flows, k->n_insts);
  free(flows);
  return cfg;
}

void ptx_cfg_destroy(ptx_cfg *g) {
  if (!g) return;
  free(g->blocks);
  free(g->block_of);
  free(g->first_pred);
  free(g->pred);
  free(g);
}
