/* What ends a loop: branches out of it that every iteration passes, on comparisons of forms. Each
 * bounds the iterations by itself. */
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/affine_private.h"
#include "sim/ptx/loop_entry.h"

enum { WORK_LIMIT = 1 << 24 }; /* blocks looked at, over all loops: what is beyond has no bounds */

typedef struct finder {
  ptx_affine *a;
  const ptx_ssa *s;
  uint32_t *list, n_list;
  uint32_t *member; /* by block: header + 1 of the loop looked at last that it is in */
  uint64_t work;
} finder;

static bool is_back(const ptx_ssa *s, uint32_t from, uint32_t to) {
  return from != UINT32_MAX && s->rank[from] >= s->rank[to];
}

static void collect(finder *f, uint32_t header, uint32_t block) {
  if (f->member[block] == header + 1) return;
  f->member[block] = header + 1;
  f->list[f->n_list++] = block;
}

/* The blocks of a natural loop; false if there is none, or another way into it. */
static bool find_body(finder *f, uint32_t header) {
  const ptx_ssa *s = f->s;
  f->n_list = 0;
  collect(f, header, header);
  for (uint32_t w = s->first_way[header]; w < s->first_way[header + 1]; w++) {
    if (!is_back(s, s->way[w], header)) continue;
    if (!ptx_ssa_dominates(s, header, s->way[w])) return false;
    collect(f, header, s->way[w]);
  }
  for (uint32_t at = 1; at < f->n_list; at++)
    for (uint32_t w = s->first_way[f->list[at]]; w < s->first_way[f->list[at] + 1]; w++)
      if (s->way[w] != UINT32_MAX) collect(f, header, s->way[w]);
  f->work += f->n_list;
  return f->n_list > 0 && f->work < WORK_LIMIT;
}

static bool every_iteration_passes(const finder *f, uint32_t header, uint32_t block) {
  for (uint32_t w = f->s->first_way[header]; w < f->s->first_way[header + 1]; w++)
    if (is_back(f->s, f->s->way[w], header) && !ptx_ssa_dominates(f->s, block, f->s->way[w]))
      return false;
  return true;
}

/* The test with which a block leaves the loop or stays. */
static bool read_exit(finder *f, uint32_t header, uint32_t block, ptx_affine_exit *exit) {
  const ptx_block *b = &f->s->cfg->blocks[block];
  const ptx_inst *last = &f->a->k->insts[b->last];
  if (last->cls != PTX_CLASS_BRANCH || !last->code->guarded || b->n_succ != 2 ||
      b->succ[0] == b->succ[1])
    return false;
  const bool in0 = f->member[b->succ[0]] == header + 1, in1 = f->member[b->succ[1]] == header + 1;
  if (in0 == in1) return false;
  const ptx_pc setp = ptx_find_setp(f->a->k, b, last->code->guard);
  if (setp == PTX_NO_PC) return false;
  const uint32_t stay = in0 ? b->succ[0] : b->succ[1];
  const bool stays_if_taken =
      last->target < f->a->k->n_insts && f->s->cfg->block_of[last->target] == stay;
  const bool stays_if_true = stays_if_taken != (last->code->guard_invert != 0);
  if (!ptx_continue_compare(f->a->k->insts[setp].code, stays_if_true, false, &exit->compare))
    return false;
  exit->difference =
      ptx_form_sum(&f->a->forms, f->a->compared[2 * setp], f->a->compared[2 * setp + 1], -1);
  exit->header = header;
  exit->block = block;
  exit->stay =
      stay != header && f->s->first_way[stay + 1] - f->s->first_way[stay] == 1 ? stay : UINT32_MAX;
  return ptx_form_only(&f->a->forms, exit->difference, PTX_KINDS_RANGE);
}

void ptx_affine_find_exits(ptx_affine *a) {
  const uint32_t n = a->ssa->cfg->n_blocks;
  finder f = {.a = a,
              .s = a->ssa,
              .list = wf_calloc((size_t)n + 1, sizeof *f.list),
              .member = wf_calloc((size_t)n + 1, sizeof *f.member)};
  size_t capacity = 0;
  for (uint32_t i = 0; i < a->ssa->n_order; i++) {
    const uint32_t header = a->ssa->order[i];
    bool loop = false;
    for (uint32_t w = a->ssa->first_way[header]; w < a->ssa->first_way[header + 1]; w++)
      loop |= is_back(a->ssa, a->ssa->way[w], header);
    if (!loop || !find_body(&f, header)) continue;
    for (uint32_t at = 0; at < f.n_list; at++) {
      ptx_affine_exit exit;
      if (!read_exit(&f, header, f.list[at], &exit) ||
          !every_iteration_passes(&f, header, f.list[at]))
        continue;
      if (a->n_exits == capacity)
        a->exits = wf_realloc(a->exits, capacity = capacity ? 2 * capacity : 8, sizeof *a->exits);
      a->exits[a->n_exits++] = exit;
    }
  }
  free(f.list);
  free(f.member);
}
