/* The functions of a kernel put together: which call each other, what is kept in memory over a call
 * that may come back to its caller, and whose registers and frames lie above whose. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/allocate.h"
#include "sim/ptx/build.h"
#include "sim/ptx/handlers.h"

/* ---- edges: by caller, the instances it calls ---- */

typedef struct edges {
  uint32_t *first, *to; /* of instance i: to[first[i] .. first[i + 1]) */
} edges;

static bool may_be_called(const ptx_build *b, uint32_t i) {
  return b->instances[i].function && b->instances[i].function->address_taken;
}

/* Calls visit(context, callee) for each that the site may call. */
static void each_callee(const ptx_build *b, const ptx_call_site *s,
                        void (*visit)(void *context, uint32_t caller, uint32_t callee),
                        void *context) {
  if (s->callee != PTX_NO_REG) {
    visit(context, s->caller, s->callee);
    return;
  }
  for (uint32_t i = 1; i < b->n_instances; i++)
    if (may_be_called(b, i)) visit(context, s->caller, i);
}

static void count_edge(void *context, uint32_t caller, uint32_t callee) {
  (void)callee;
  ((edges *)context)->first[caller + 2]++;
}

static void put_edge(void *context, uint32_t caller, uint32_t callee) {
  edges *e = context;
  e->to[e->first[caller + 1]++] = callee;
}

/* Of calls by address one a function is enough. */
static edges find_edges(const ptx_build *b) {
  const size_t n = b->n_instances;
  edges e = {.first = wf_calloc(n + 3, sizeof *e.first)};
  bool *by_address = wf_calloc(n, sizeof *by_address);
  for (int pass = 0; pass < 2; pass++) {
    memset(by_address, 0, n);
    for (size_t k = 0; k < b->n_sites; k++) {
      const ptx_call_site *s = &b->sites[k];
      if (s->callee == PTX_NO_REG && by_address[s->caller]) continue;
      by_address[s->caller] |= s->callee == PTX_NO_REG;
      each_callee(b, s, pass ? put_edge : count_edge, &e);
    }
    for (size_t i = 0; !pass && i < n; i++) e.first[i + 2] += e.first[i + 1];
    if (!pass) e.to = wf_calloc(e.first[n + 1] + 1u, sizeof *e.to);
  }
  free(by_address);
  return e;
}

static void edges_free(edges *e) {
  free(e->first);
  free(e->to);
}

/* ---- groups: Tarjan's strongly connected components; who is called has the lower number ---- */

typedef struct search {
  const edges *e;
  uint32_t *number, *low, *next; /* number 0: not met */
  uint32_t *stack, *path;
  bool *stacked, *self; /* self: calls itself */
  uint32_t n_met, n_stack, n_path, n_groups;
} search;

static void meet(search *s, uint32_t i) {
  s->number[i] = s->low[i] = ++s->n_met;
  s->next[i] = s->e->first[i];
  s->stack[s->n_stack++] = s->path[s->n_path++] = i;
  s->stacked[i] = true;
}

static void close_group(ptx_build *b, search *s, uint32_t root) {
  uint32_t i, size = 0;
  do {
    i = s->stack[--s->n_stack];
    s->stacked[i] = false;
    b->instances[i].group = s->n_groups;
    size++;
  } while (i != root);
  for (uint32_t k = 0; k < size; k++) b->instances[s->stack[s->n_stack + k]].cyclic = size > 1;
  s->n_groups++;
}

static void search_from(ptx_build *b, search *s, uint32_t root) {
  meet(s, root);
  while (s->n_path) {
    const uint32_t i = s->path[s->n_path - 1];
    if (s->next[i] < s->e->first[i + 1]) {
      const uint32_t to = s->e->to[s->next[i]++];
      if (to == i) s->self[i] = true;
      if (!s->number[to])
        meet(s, to);
      else if (s->stacked[to] && s->number[to] < s->low[i])
        s->low[i] = s->number[to];
      continue;
    }
    s->n_path--;
    if (s->n_path && s->low[i] < s->low[s->path[s->n_path - 1]])
      s->low[s->path[s->n_path - 1]] = s->low[i];
    if (s->low[i] == s->number[i]) close_group(b, s, i);
  }
}

void ptx_link_groups(ptx_build *b) {
  const size_t n = b->n_instances;
  edges e = find_edges(b);
  uint32_t *memory = wf_calloc(5 * n, sizeof *memory);
  bool *flags = wf_calloc(2 * n, sizeof *flags);
  search s = {.e = &e,
              .number = memory,
              .low = memory + n,
              .next = memory + 2 * n,
              .stack = memory + 3 * n,
              .path = memory + 4 * n,
              .stacked = flags,
              .self = flags + n};
  for (uint32_t i = 0; i < n; i++)
    if (!s.number[i]) search_from(b, &s, i);
  for (uint32_t i = 0; i < n; i++) b->instances[i].cyclic |= s.self[i];
  b->n_groups = s.n_groups;
  free(memory);
  free(flags);
  edges_free(&e);
}

/* ---- what is kept over calls ---- */

/* May the call lead back into its caller? */
static bool may_come_back(const ptx_build *b, const ptx_call_site *s, const bool *by_address) {
  const ptx_instance *caller = &b->instances[s->caller];
  if (!caller->cyclic) return false;
  return s->callee == PTX_NO_REG ? by_address[caller->group]
                                 : b->instances[s->callee].group == caller->group;
}

bool ptx_link_saves(const ptx_build *b) {
  for (uint32_t i = 1; i < b->n_instances; i++)
    if (b->instances[i].cyclic) return true;
  return false;
}

typedef struct kept {
  uint32_t at, vreg; /* of the call's first instruction */
} kept;

typedef struct saves {
  ptx_build *b;
  uint32_t *calls; /* instructions of calls that may come back, in order */
  uint32_t n_calls;
  kept *list;
  size_t n, capacity;
  uint32_t *slot; /* by vreg: its place in the frame, PTX_NO_REG: none yet */
} saves;

/* The first of the calls at or behind an instruction. */
static uint32_t call_behind(const saves *s, uint32_t at) {
  uint32_t low = 0, high = s->n_calls;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (s->calls[middle] < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* A value is kept that is there before the call and still needed behind its second instruction. */
static bool each_crossing(const uint32_t *calls, uint32_t n, uint32_t first, const ptx_range *r,
                          uint32_t *end) {
  *end = first;
  while (*end < n && 2 * calls[*end] + 4 <= r->end) ++*end;
  return *end > first;
}

static bool list_kept(saves *s, const ptx_ranges *ranges) {
  for (uint32_t v = 0; v < ranges->n_vregs; v++)
    for (uint32_t k = ranges->first[v]; k < ranges->first[v + 1]; k++) {
      const ptx_range *r = &ranges->items[k];
      const uint32_t first = call_behind(s, (r->start + 1) / 2);
      uint32_t end;
      if (!each_crossing(s->calls, s->n_calls, first, r, &end)) continue;
      for (uint32_t c = first; c < end; c++) {
        if (s->n == PTX_KEPT_LIMIT) return false;
        s->list = ptx_grow(s->list, sizeof *s->list, s->n, &s->capacity);
        s->list[s->n++] = (kept){s->calls[c], v};
      }
    }
  return true;
}

static int by_place(const void *a, const void *b) {
  const kept *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return x->vreg < y->vreg ? -1 : x->vreg > y->vreg;
}

static uint32_t slot_of(saves *s, uint32_t caller, uint32_t vreg) {
  if (s->slot[vreg] != PTX_NO_REG) return s->slot[vreg];
  ptx_instance *i = &s->b->instances[caller];
  const uint32_t bytes = ptx_type_bytes((ptx_type)s->b->vregs[vreg].type) == 8 ? 8 : 4;
  s->slot[vreg] = (i->frame_bytes + bytes - 1) & ~(bytes - 1);
  i->frame_bytes = s->slot[vreg] + bytes;
  return s->slot[vreg];
}

static void put_save(saves *s, ptx_build *to, uint32_t caller, const kept *k, bool load) {
  const ptx_type type = (ptx_type)s->b->vregs[k->vreg].type;
  const bool pred = type == PTX_PRED, wide = ptx_type_bytes(type) == 8;
  const ptx_code *call = &s->b->codes[k->at];
  ptx_code c = {.type = wide ? PTX_B64 : PTX_B32,
                .space = PTX_SPACE_LOCAL,
                .offset = slot_of(s, caller, k->vreg),
                .text = call->text,
                .file = call->file,
                .line = call->line};
  if (load) {
    c.n_dst = 1;
    c.dst[0] = (ptx_dest){k->vreg, pred ? 0 : wide ? 8 : ptx_type_bytes(type) == 4 ? 4 : 2};
  } else {
    c.n_src = 1;
    c.src[0] =
        (ptx_source){.kind = pred ? PTX_SOURCE_PRED : PTX_SOURCE_REG, .reg = k->vreg, .wide = wide};
  }
  c.src[c.n_src++] = (ptx_source){.kind = PTX_SOURCE_REG, .reg = PTX_VREG_FRAME, .wide = true};
  c.run = pred ? ptx_save_handler(load) : load ? ptx_load_handler(&c) : ptx_store_handler(&c);
  *ptx_append(to) = c;
  to->insts[to->n - 1] = (ptx_inst){.cls = load ? PTX_CLASS_LOAD : PTX_CLASS_STORE,
                                    .space = PTX_SPACE_LOCAL,
                                    .bytes = wide ? 8 : 4,
                                    .vec = 1,
                                    .line = call->line};
}

static void move_instruction(ptx_build *to, const ptx_build *from, uint32_t i) {
  *ptx_append(to) = from->codes[i];
  to->insts[to->n - 1] = from->insts[i];
}

/* The instructions anew, with stores before the calls and loads behind; where[i]: of an old one,
 * the first that is new. */
static void rebuild(saves *s, ptx_build *to, uint32_t *where) {
  ptx_build *b = s->b;
  size_t k = 0, site = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    where[i] = to->n;
    size_t end = k;
    while (end < s->n && s->list[end].at == i) end++;
    while (site < b->n_sites && b->sites[site].at < i) site++;
    for (size_t j = k; j < end; j++) put_save(s, to, b->sites[site].caller, &s->list[j], false);
    const bool call = site < b->n_sites && b->sites[site].at == i;
    if (call) b->sites[site].at = to->n;
    move_instruction(to, b, i);
    if (!call) continue;
    where[i + 1] = to->n;
    move_instruction(to, b, ++i);
    for (size_t j = k; j < end; j++) put_save(s, to, b->sites[site].caller, &s->list[j], true);
    k = end;
    site++;
  }
  where[b->n] = to->n;
}

static void take_over(ptx_build *b, ptx_build *made, const uint32_t *where) {
  for (uint32_t i = 0; i < made->n; i++)
    if (made->insts[i].cls == PTX_CLASS_BRANCH && made->insts[i].custom_id == PTX_BRANCH_JUMP)
      made->insts[i].target = where[made->insts[i].target];
  for (size_t k = 0; k < b->n_instances; k++) {
    b->instances[k].first = where[b->instances[k].first];
    b->instances[k].end = where[b->instances[k].end];
  }
  free(b->codes);
  free(b->insts);
  free(b->targets);
  b->codes = made->codes;
  b->insts = made->insts;
  b->targets = made->targets;
  b->n = made->n;
  b->capacity = made->capacity;
}

bool ptx_link_save(ptx_build *b, const ptx_ranges *ranges) {
  saves s = {.b = b, .calls = wf_calloc(b->n_sites + 1, sizeof *s.calls)};
  bool *by_address =
      wf_calloc(b->n_groups, sizeof *by_address); /* groups that calls by address reach */
  for (uint32_t i = 1; i < b->n_instances; i++)
    by_address[b->instances[i].group] |= may_be_called(b, i);
  for (size_t k = 0; k < b->n_sites; k++)
    if (may_come_back(b, &b->sites[k], by_address)) s.calls[s.n_calls++] = b->sites[k].at;
  free(by_address);
  bool fine = list_kept(&s, ranges);
  if (fine && s.n) {
    qsort(s.list, s.n, sizeof *s.list, by_place);
    s.slot = wf_calloc(b->n_vregs + 1u, sizeof *s.slot);
    memset(s.slot, 0xff, b->n_vregs * sizeof *s.slot);
    uint32_t *where = wf_calloc(b->n + 1u, sizeof *where);
    ptx_build made = {0};
    rebuild(&s, &made, where);
    take_over(b, &made, where);
    free(where);
    free(s.slot);
  }
  free(s.calls);
  free(s.list);
  return fine || ptx_lexer_fail(b->lex, "kernel %s keeps more than %d values over its calls",
                                b->kernel->name, PTX_KEPT_LIMIT);
}

/* ---- registers ---- */

/* How many registers, and predicates, of its caller each site must leave alone. */
typedef struct tops {
  uint32_t *calls; /* instructions of sites, in order */
  uint32_t *regs, *preds;
  uint32_t n;
} tops;

/* False: more than the limit. */
static bool raise_tops(tops *t, const ptx_ranges *ranges, const ptx_allocation *a,
                       const uint8_t *classes) {
  const saves all = {.calls = t->calls, .n_calls = t->n};
  size_t met = 0;
  for (uint32_t v = 0; v < ranges->n_vregs; v++)
    for (uint32_t k = ranges->first[v]; k < ranges->first[v + 1]; k++) {
      const ptx_range *r = &ranges->items[k];
      const uint32_t first = call_behind(&all, (r->start + 1) / 2);
      const uint32_t top = a->reg[v] + (classes[v] == PTX_CLASS_WIDE ? 2 : 1);
      uint32_t end, *tops = classes[v] == PTX_CLASS_PRED ? t->preds : t->regs;
      if (!each_crossing(t->calls, t->n, first, r, &end)) continue;
      if ((met += end - first) > PTX_LIVE_LIMIT) return false;
      for (uint32_t c = first; c < end; c++)
        if (tops[c] < top) tops[c] = top;
    }
  return true;
}

/* Of a group of functions: where their registers begin. */
typedef struct base {
  uint32_t reg, pred;
} base;

static void raise_base(base *to, const base *caller, uint32_t regs, uint32_t preds) {
  const uint32_t reg = (caller->reg + regs + 1) & ~1u, pred = caller->pred + preds;
  if (to->reg < reg) to->reg = reg;
  if (to->pred < pred) to->pred = pred;
}

/* Callers before whom they call: their group's number is the higher one. Within a group nothing is
 * left alone: it is kept in memory. */
static void set_bases(ptx_build *b, const tops *t) {
  base *bases = wf_calloc(b->n_groups, sizeof *bases);
  uint32_t *first = wf_calloc(b->n_groups + 2u, sizeof *first);
  uint32_t *order = wf_calloc(b->n_sites + 1, sizeof *order);
  for (uint32_t g = 0; g < b->n_groups; g++) bases[g].reg = PTX_FIXED_REGS;
  for (size_t k = 0; k < b->n_sites; k++) first[b->instances[b->sites[k].caller].group + 2]++;
  for (uint32_t g = 0; g < b->n_groups; g++) first[g + 2] += first[g + 1];
  for (uint32_t k = 0; k < b->n_sites; k++)
    order[first[b->instances[b->sites[k].caller].group + 1]++] = k;
  for (size_t k = b->n_sites; k-- > 0;) {
    const uint32_t at = order[k];
    const ptx_call_site *s = &b->sites[at];
    const uint32_t group = b->instances[s->caller].group;
    for (uint32_t i = 1; i < b->n_instances; i++) {
      if (s->callee != PTX_NO_REG) i = s->callee;
      const uint32_t to = b->instances[i].group;
      if (to != group && (s->callee != PTX_NO_REG || may_be_called(b, i)))
        raise_base(&bases[to], &bases[group], t->regs[at], t->preds[at]);
      if (s->callee != PTX_NO_REG) break;
    }
  }
  for (uint32_t i = 0; i < b->n_instances; i++) {
    b->instances[i].reg_base = bases[b->instances[i].group].reg;
    b->instances[i].pred_base = bases[b->instances[i].group].pred;
  }
  free(bases);
  free(first);
  free(order);
}

static void shift(ptx_build *b, ptx_allocation *a, const ptx_ranges *ranges,
                  const uint8_t *classes) {
  a->n_regs = PTX_FIXED_REGS;
  a->n_preds = 0;
  for (uint32_t k = 0; k < b->n_instances; k++) {
    const ptx_instance *i = &b->instances[k];
    for (uint32_t v = i->vreg_first; v < i->vreg_end; v++) {
      const bool pred = classes[v] == PTX_CLASS_PRED;
      if (ranges && ranges->first[v] == ranges->first[v + 1]) continue;
      a->reg[v] += pred ? i->pred_base : i->reg_base;
      const uint32_t end = a->reg[v] + (classes[v] == PTX_CLASS_WIDE ? 2 : 1);
      uint32_t *most = pred ? &a->n_preds : &a->n_regs;
      if (*most < end) *most = end;
    }
  }
}

static void link_params(ptx_build *b, const ptx_allocation *a, const ptx_ranges *ranges,
                        const uint8_t *classes) {
  for (uint32_t k = 0; k < b->n_instances; k++) {
    const ptx_instance *i = &b->instances[k];
    ptx_linked *l = i->linked;
    l->entry = i->first;
    l->n_params = i->n_params;
    l->param = ptx_arena_small(&b->module->arena, (i->n_params + 1u) * sizeof *l->param);
    l->wide = ptx_arena_small(&b->module->arena, (i->n_params + 1u) * sizeof *l->wide);
    for (uint32_t p = 0; p < i->n_params; p++) {
      const uint32_t v = i->params[p];
      const bool read = !ranges || ranges->first[v] < ranges->first[v + 1];
      l->param[p] = read ? a->reg[v] : PTX_UNREAD;
      l->wide[p] = classes[v] == PTX_CLASS_WIDE;
    }
  }
}

static ptx_source at_last(ptx_source s, const ptx_allocation *a) {
  if (s.kind == PTX_SOURCE_REG) s.reg = a->reg[s.reg];
  return s;
}

static void link_calls(ptx_build *b, const ptx_allocation *a) {
  const ptx_module *m = b->module;
  const ptx_linked **by_number = NULL;
  if (b->by_address) {
    by_number = ptx_arena_alloc(&b->module->arena, (m->n_functions + 1) * sizeof *by_number);
    for (uint32_t i = 1; i < b->n_instances; i++)
      by_number[b->instances[i].function->number] = b->instances[i].linked;
  }
  for (size_t k = 0; k < b->n_sites; k++) {
    const ptx_call_site *s = &b->sites[k];
    for (uint32_t n = 0; n < s->call->n_args; n++) s->call->args[n] = at_last(s->call->args[n], a);
    if (s->callee != PTX_NO_REG) {
      b->insts[s->at].target = b->instances[s->callee].first;
    } else {
      s->call->by_number = by_number;
      s->call->n_functions = (uint32_t)m->n_functions;
    }
  }
}

bool ptx_link_registers(ptx_build *b, const ptx_ranges *ranges, ptx_allocation *a,
                        const uint8_t *classes) {
  tops t = {.calls = wf_calloc(b->n_sites + 1, sizeof *t.calls),
            .regs = wf_calloc(b->n_sites + 1, sizeof *t.regs),
            .preds = wf_calloc(b->n_sites + 1, sizeof *t.preds)};
  for (size_t k = 0; k < b->n_sites; k++) t.calls[t.n++] = b->sites[k].at;
  const bool fine = !ranges || raise_tops(&t, ranges, a, classes);
  if (fine) {
    set_bases(b, &t);
    shift(b, a, ranges, classes);
    link_params(b, a, ranges, classes);
    link_calls(b, a);
  }
  free(t.calls);
  free(t.regs);
  free(t.preds);
  return fine || ptx_lexer_fail(b->lex, "kernel %s keeps more than %d values over its calls",
                                b->kernel->name, PTX_LIVE_LIMIT);
}

/* ---- frames ---- */

/* What a function needs of local memory with all that it calls; back calls count for nothing. */
static bool add_up(ptx_build *b, uint64_t *need) {
  edges e = find_edges(b);
  uint32_t *first = wf_calloc(b->n_groups + 2u, sizeof *first);
  uint32_t *order = wf_calloc(b->n_instances + 1, sizeof *order);
  for (uint32_t i = 0; i < b->n_instances; i++) first[b->instances[i].group + 2]++;
  for (uint32_t g = 0; g < b->n_groups; g++) first[g + 2] += first[g + 1];
  for (uint32_t i = 0; i < b->n_instances; i++) order[first[b->instances[i].group + 1]++] = i;
  for (size_t k = 0; k < b->n_instances; k++) {
    const uint32_t i = order[k];
    uint64_t below = 0;
    for (uint32_t j = e.first[i]; j < e.first[i + 1]; j++)
      if (b->instances[e.to[j]].group != b->instances[i].group && need[e.to[j]] > below)
        below = need[e.to[j]];
    need[i] = b->instances[i].frame_bytes + below;
  }
  edges_free(&e);
  free(first);
  free(order);
  return need[0] <= PTX_LOCAL_LIMIT;
}

bool ptx_link_frames(ptx_build *b) {
  if (b->n_instances == 1) {
    b->kernel->local_bytes = b->instances[0].frame_bytes;
    return true;
  }
  uint32_t align = 16;
  bool cyclic = false;
  for (uint32_t i = 0; i < b->n_instances; i++) {
    if (b->instances[i].align > align) align = b->instances[i].align;
    cyclic |= b->instances[i].cyclic;
  }
  for (uint32_t i = 0; i < b->n_instances; i++) {
    ptx_instance *k = &b->instances[i];
    if (k->cyclic && !k->frame_bytes) k->frame_bytes = 1; /* so that endless calls end */
    k->frame_bytes = (k->frame_bytes + align - 1) & ~(align - 1);
    k->linked->frame_bytes = k->frame_bytes;
  }
  uint64_t *need = wf_calloc(b->n_instances, sizeof *need);
  const bool fine = add_up(b, need);
  b->kernel->local_bytes = (uint32_t)need[0] + (cyclic ? PTX_STACK_BYTES : 0);
  free(need);
  return fine || ptx_lexer_fail(b->lex,
                                "local variables of %s and what it calls take more than %d "
                                "bytes per thread",
                                b->kernel->name, PTX_LOCAL_LIMIT);
}
