/* Linear scan in order of first definition. Every architectural register keeps the ranges it is
 * taken for from now on; a value gets the first register (or aligned pair) free in all its ranges,
 * so that values with holes in their lifetime share registers. Pairs and single registers share
 * too: a lane's words stay in its own column of both planes (lanes.h), so lanes of a diverged warp,
 * which may hold different values in one register at the same time, do not disturb each other. */
#include "sim/ptx/allocate.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

typedef struct span {
  uint32_t start, end;
} span;

/* Future use of one architectural register, sorted; those before `past` are over. */
typedef struct slot {
  span *spans;
  uint32_t n, past;
} slot;

typedef struct pool {
  slot *slots;
  uint32_t n, capacity;
} pool;

static slot *slot_at(pool *p, uint32_t number) {
  while (number >= p->capacity) {
    const uint32_t wanted = p->capacity ? 2 * p->capacity : 64;
    p->slots = wf_realloc(p->slots, wanted, sizeof *p->slots);
    memset(p->slots + p->capacity, 0, (wanted - p->capacity) * sizeof *p->slots);
    p->capacity = wanted;
  }
  if (number >= p->n) p->n = number + 1;
  return &p->slots[number];
}

static bool slot_is_free(slot *s, const ptx_range *r, uint32_t n) {
  while (s->past < s->n && s->spans[s->past].end <= r->start) s->past++;
  for (uint32_t a = s->past, b = 0; a < s->n && b < n;) {
    if (s->spans[a].end <= r[b].start)
      a++;
    else if (r[b].end <= s->spans[a].start)
      b++;
    else
      return false;
  }
  return true;
}

/* Merges the ranges into the slot's list, dropping what is past. */
static void slot_take(slot *s, const ptx_range *r, uint32_t n) {
  const uint32_t old = s->n - s->past, total = old + n;
  span *merged = wf_calloc(total, sizeof *merged);
  for (uint32_t a = s->past, b = 0, k = 0; k < total; k++) {
    if (b == n || (a < s->n && s->spans[a].start < r[b].start)) {
      merged[k] = s->spans[a++];
    } else {
      merged[k] = (span){r[b].start, r[b].end};
      b++;
    }
  }
  free(s->spans);
  *s = (slot){.spans = merged, .n = total};
}

static void pool_free(pool *p) {
  for (uint32_t k = 0; k < p->capacity; k++) free(p->slots[k].spans);
  free(p->slots);
}

/* UINT32_MAX if no register of the limit is free. */
static uint32_t first_fit(pool *p, const ptx_range *r, uint32_t n, uint32_t width) {
  for (uint32_t at = 0; at + width <= PTX_REGISTER_LIMIT; at += width) {
    bool fits = true;
    for (uint32_t k = 0; k < width && fits; k++)
      fits = at + k >= p->n || slot_is_free(&p->slots[at + k], r, n);
    if (!fits) continue;
    for (uint32_t k = 0; k < width; k++) slot_take(slot_at(p, at + k), r, n);
    return at;
  }
  return UINT32_MAX;
}

static int by_start(const void *a, const void *b) {
  const ptx_range *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->vreg < y->vreg ? -1 : x->vreg > y->vreg;
}

ptx_allocation ptx_allocate(const ptx_ranges *ranges, const uint8_t *classes) {
  ptx_allocation result = {.reg = wf_calloc((size_t)ranges->n_vregs + 1, sizeof *result.reg)};
  ptx_range *order = wf_calloc((size_t)ranges->n_vregs + 1, sizeof *order);
  uint32_t n = 0;
  for (uint32_t v = 0; v < ranges->n_vregs; v++)
    if (ranges->first[v] < ranges->first[v + 1]) order[n++] = ranges->items[ranges->first[v]];
  qsort(order, n, sizeof *order, by_start);
  pool regs = {0}, preds = {0};
  bool fits = true;
  for (uint32_t k = 0; k < n && fits; k++) {
    const uint32_t v = order[k].vreg, first = ranges->first[v];
    const uint32_t width = classes[v] == PTX_CLASS_WIDE ? 2 : 1;
    result.reg[v] = first_fit(classes[v] == PTX_CLASS_PRED ? &preds : &regs, &ranges->items[first],
                              ranges->first[v + 1] - first, width);
    fits = result.reg[v] != UINT32_MAX;
  }
  result.n_regs = regs.n;
  result.n_preds = preds.n;
  if (!fits) {
    free(result.reg);
    result.reg = NULL;
  }
  pool_free(&regs);
  pool_free(&preds);
  free(order);
  return result;
}

ptx_allocation ptx_allocate_all(uint32_t n_vregs, const uint8_t *classes) {
  ptx_allocation result = {.reg = wf_calloc((size_t)n_vregs + 1, sizeof *result.reg)};
  for (uint32_t v = 0; v < n_vregs; v++) {
    if (classes[v] == PTX_CLASS_PRED) {
      result.reg[v] = result.n_preds++;
    } else {
      if (classes[v] == PTX_CLASS_WIDE) result.n_regs += result.n_regs & 1;
      result.reg[v] = result.n_regs;
      result.n_regs += classes[v] == PTX_CLASS_WIDE ? 2 : 1;
    }
  }
  return result;
}
