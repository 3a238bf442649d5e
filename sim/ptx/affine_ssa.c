/* Maximal meetings, one per register where ways join, then those are removed that bring one value
 * on all ways: on reducible flow what is left is minimal (Braun et al., "Simple and efficient
 * construction of static single assignment form", 2013). */
#include "sim/ptx/affine_ssa.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { MAX_ROUNDS = 40 }; /* of removing meetings: what is then left costs precision, no more */

/* ---- order and dominators ---- */
static void order_blocks(ptx_ssa *s) {
  const uint32_t n = s->cfg->n_blocks;
  uint32_t *stack = wf_calloc((size_t)n + 1, sizeof *stack),
           *next = wf_calloc((size_t)n + 1, sizeof *next), depth = 1, at = n;
  bool *seen = wf_calloc((size_t)n + 1, sizeof *seen);
  seen[0] = true;
  while (depth) {
    const uint32_t b = stack[depth - 1];
    if (next[b] < s->cfg->blocks[b].n_succ) {
      const uint32_t to = s->cfg->blocks[b].succ[next[b]++];
      if (seen[to]) continue;
      seen[to] = true;
      stack[depth++] = to;
    } else {
      s->order[--at] = b;
      depth--;
    }
  }
  s->n_order = n - at;
  memmove(s->order, s->order + at, s->n_order * sizeof *s->order);
  for (uint32_t b = 0; b < n; b++) s->rank[b] = UINT32_MAX;
  for (uint32_t i = 0; i < s->n_order; i++) s->rank[s->order[i]] = i;
  free(stack);
  free(next);
  free(seen);
}

static uint32_t common(const ptx_ssa *s, uint32_t a, uint32_t b) {
  while (a != b) {
    while (s->rank[a] > s->rank[b]) a = s->idom[a];
    while (s->rank[b] > s->rank[a]) b = s->idom[b];
  }
  return a;
}

/* Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm". */
static void find_dominators(ptx_ssa *s) {
  const ptx_cfg *g = s->cfg;
  for (uint32_t b = 0; b < g->n_blocks; b++) s->idom[b] = UINT32_MAX;
  s->idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < s->n_order; i++) {
      const uint32_t b = s->order[i];
      uint32_t d = UINT32_MAX;
      for (uint32_t p = g->first_pred[b]; p < g->first_pred[b + 1]; p++)
        if (s->rank[g->pred[p]] != UINT32_MAX && s->idom[g->pred[p]] != UINT32_MAX)
          d = d == UINT32_MAX ? g->pred[p] : common(s, d, g->pred[p]);
      if (d != s->idom[b]) s->idom[b] = d, changed = true;
    }
  }
  for (uint32_t i = 1; i < s->n_order; i++)
    s->depth[s->order[i]] = s->depth[s->idom[s->order[i]]] + 1;
}

bool ptx_ssa_dominates(const ptx_ssa *s, uint32_t above, uint32_t below) {
  if (s->rank[above] == UINT32_MAX || s->rank[below] == UINT32_MAX) return false;
  while (s->depth[below] > s->depth[above]) below = s->idom[below];
  return above == below;
}

/* ---- names ---- */
static uint32_t final(const ptx_ssa *s, uint32_t name) {
  while (s->same[name] != name) name = s->same[name] = s->same[s->same[name]];
  return name;
}

uint32_t ptx_ssa_meeting(const ptx_ssa *s, uint32_t block, uint32_t r) {
  return PTX_NAME_FIRST + s->join[block] * s->k->n_regs + r;
}

static void list_ways(ptx_ssa *s) {
  const ptx_cfg *g = s->cfg;
  uint32_t n = 0;
  s->first_way = wf_calloc((size_t)g->n_blocks + 1, sizeof *s->first_way);
  s->way = wf_calloc((size_t)g->first_pred[g->n_blocks] + 1, sizeof *s->way);
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    s->first_way[b] = n;
    if (b == 0) s->way[n++] = UINT32_MAX;
    for (uint32_t p = g->first_pred[b]; p < g->first_pred[b + 1]; p++)
      if (s->rank[g->pred[p]] != UINT32_MAX) s->way[n++] = g->pred[p];
  }
  s->first_way[g->n_blocks] = n;
}

static uint32_t *at_end(const ptx_ssa *s, uint32_t block) {
  return s->names_out + (size_t)block * s->k->n_regs;
}

bool ptx_ssa_way(const ptx_ssa *s, uint32_t block, uint32_t r, uint32_t k, uint32_t *name,
                 bool *back) {
  if (k >= s->first_way[block + 1] - s->first_way[block]) return false;
  const uint32_t from = s->way[s->first_way[block] + k];
  *name = from == UINT32_MAX ? PTX_NAME_NONE : final(s, at_end(s, from)[r]);
  *back = from != UINT32_MAX && s->rank[from] >= s->rank[block];
  return true;
}

void ptx_ssa_start(const ptx_ssa *s, uint32_t block, uint32_t *now) {
  const uint32_t n = s->k->n_regs;
  if (s->join[block] != UINT32_MAX) {
    for (uint32_t r = 0; r < n; r++) now[r] = final(s, ptx_ssa_meeting(s, block, r));
    return;
  }
  uint32_t name;
  bool back;
  for (uint32_t r = 0; r < n; r++)
    now[r] = ptx_ssa_way(s, block, r, 0, &name, &back) ? name : PTX_NAME_NONE;
}

void ptx_ssa_step(const ptx_ssa *s, ptx_pc pc, uint32_t *now) {
  const ptx_code *c = s->k->insts[pc].code;
  for (uint32_t d = 0; d < c->n_dst; d++) {
    if (!c->dst[d].bytes) continue;
    now[c->dst[d].reg] = s->first_result + pc * PTX_CODE_DST + d;
    if (c->dst[d].bytes == 8) now[c->dst[d].reg + 1] = PTX_NAME_HALF;
  }
}

uint32_t ptx_ssa_source(const ptx_ssa *s, const ptx_source *from, const uint32_t *now) {
  if (from->kind != PTX_SOURCE_REG) return PTX_NAME_NONE;
  if (from->wide && final(s, now[from->reg + 1]) != PTX_NAME_HALF) return PTX_NAME_NONE;
  return final(s, now[from->reg]);
}

ptx_pc ptx_ssa_pc(const ptx_ssa *s, uint32_t name) {
  return name < s->first_result ? PTX_SSA_NO_PC : (name - s->first_result) / PTX_CODE_DST;
}

static void name_all(ptx_ssa *s) {
  uint32_t *now = wf_calloc((size_t)s->k->n_regs + 1, sizeof *now);
  for (uint32_t i = 0; i < s->n_order; i++) {
    const uint32_t b = s->order[i];
    ptx_ssa_start(s, b, now);
    for (ptx_pc pc = s->cfg->blocks[b].first; pc <= s->cfg->blocks[b].last; pc++)
      ptx_ssa_step(s, pc, now);
    memcpy(at_end(s, b), now, s->k->n_regs * sizeof *now);
  }
  free(now);
}

/* The one value that all ways bring, itself apart; or itself. */
static uint32_t only_value(const ptx_ssa *s, uint32_t block, uint32_t r, uint32_t itself) {
  uint32_t only = itself, name;
  bool back;
  for (uint32_t k = 0; ptx_ssa_way(s, block, r, k, &name, &back); k++) {
    if (name == itself || name == only) continue;
    if (only != itself) return itself;
    only = name;
  }
  return only;
}

static void remove_meetings(ptx_ssa *s) {
  bool changed = true;
  for (int round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    for (uint32_t i = 0; i < s->n_order; i++) {
      const uint32_t b = s->order[i];
      for (uint32_t r = 0; s->join[b] != UINT32_MAX && r < s->k->n_regs; r++) {
        const uint32_t name = ptx_ssa_meeting(s, b, r);
        if (s->same[name] != name) continue;
        s->same[name] = only_value(s, b, r, name);
        changed |= s->same[name] != name;
      }
    }
  }
}

/* ---- what is read ---- */
static void use(const ptx_ssa *s, uint32_t name, uint32_t *list, uint32_t *n) {
  if (s->used[name]) return;
  s->used[name] = true;
  if (name >= PTX_NAME_FIRST && name < s->first_result) list[(*n)++] = name;
}

static void find_used(ptx_ssa *s) {
  const uint32_t regs = s->k->n_regs;
  uint32_t *now = wf_calloc((size_t)regs + 1, sizeof *now),
           *list = wf_calloc(s->first_result, sizeof *list), n = 0;
  uint32_t *block_of = wf_calloc((size_t)s->n_joins + 1, sizeof *block_of);
  for (uint32_t i = 0; i < s->n_order; i++) {
    const uint32_t b = s->order[i];
    if (s->join[b] != UINT32_MAX) block_of[s->join[b]] = b;
    ptx_ssa_start(s, b, now);
    for (ptx_pc pc = s->cfg->blocks[b].first; pc <= s->cfg->blocks[b].last; pc++) {
      const ptx_code *c = s->k->insts[pc].code;
      for (uint32_t k = 0; k < c->n_src; k++) use(s, ptx_ssa_source(s, &c->src[k], now), list, &n);
      for (uint32_t d = 0; c->guarded && d < c->n_dst; d++)
        if (c->dst[d].bytes) use(s, final(s, now[c->dst[d].reg]), list, &n);
      ptx_ssa_step(s, pc, now);
    }
  }
  while (n) {
    const uint32_t name = list[--n] - PTX_NAME_FIRST;
    uint32_t from;
    bool back;
    for (uint32_t k = 0; ptx_ssa_way(s, block_of[name / regs], name % regs, k, &from, &back); k++)
      use(s, from, list, &n);
  }
  free(now);
  free(list);
  free(block_of);
}

ptx_ssa *ptx_ssa_create(const ptx_kernel *k) {
  ptx_ssa *s = wf_calloc(1, sizeof *s);
  s->k = k;
  s->cfg = ptx_cfg_of_kernel(k);
  const size_t n = s->cfg->n_blocks;
  if (k->calls || n * k->n_regs > PTX_SSA_LIMIT || (uint64_t)k->n_insts > PTX_SSA_LIMIT) {
    ptx_ssa_destroy(s);
    return NULL;
  }
  s->order = wf_calloc(n + 1, sizeof *s->order);
  s->rank = wf_calloc(n + 1, sizeof *s->rank);
  s->idom = wf_calloc(n + 1, sizeof *s->idom);
  s->depth = wf_calloc(n + 1, sizeof *s->depth);
  s->join = wf_calloc(n + 1, sizeof *s->join);
  order_blocks(s);
  find_dominators(s);
  list_ways(s);
  for (uint32_t b = 0; b < n; b++)
    s->join[b] = s->rank[b] != UINT32_MAX && s->first_way[b + 1] - s->first_way[b] > 1
                     ? s->n_joins++
                     : UINT32_MAX;
  s->first_result = PTX_NAME_FIRST + s->n_joins * k->n_regs;
  s->n_names = s->first_result + k->n_insts * PTX_CODE_DST;
  s->names_out = wf_calloc(n * k->n_regs + 1, sizeof *s->names_out);
  s->same = wf_calloc(s->n_names, sizeof *s->same);
  s->used = wf_calloc(s->n_names, sizeof *s->used);
  for (uint32_t i = 0; i < s->n_names; i++) s->same[i] = i;
  name_all(s);
  remove_meetings(s);
  find_used(s);
  return s;
}

void ptx_ssa_destroy(ptx_ssa *s) {
  if (!s) return;
  ptx_cfg_destroy(s->cfg);
  free(s->order);
  free(s->rank);
  free(s->idom);
  free(s->depth);
  free(s->join);
  free(s->first_way);
  free(s->way);
  free(s->names_out);
  free(s->same);
  free(s->used);
  free(s);
}
