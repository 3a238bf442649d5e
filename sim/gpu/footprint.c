#include "sim/gpu/footprint.h"

#include <stdbool.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"

/* Lines that a block accessed. */
typedef struct block {
  uint32_t parent, n, capacity;
  uint32_t *lines;
} block;

struct wf_footprint {
  unsigned slots;
  uint32_t *running; /* [sm][slot]: number of the block */
  block *blocks;
  uint32_t n, capacity;
  wf_footprint_totals totals;
};

wf_footprint *wf_footprint_create(unsigned n_sm, unsigned slots) {
  wf_footprint *f = wf_calloc(1, sizeof *f);
  f->slots = slots;
  f->running = wf_calloc((size_t)n_sm * slots, sizeof *f->running);
  return f;
}

static void forget(wf_footprint *f) {
  for (uint32_t i = 0; i < f->n; i++) free(f->blocks[i].lines);
  f->n = 0;
}

void wf_footprint_destroy(wf_footprint *f) {
  if (!f) return;
  forget(f);
  free(f->blocks);
  free(f->running);
  free(f);
}

void wf_footprint_start(wf_footprint *f, unsigned sm, unsigned slot, uint32_t parent) {
  if (f->n == f->capacity) {
    f->capacity = f->capacity ? 2 * f->capacity : 256;
    f->blocks = wf_realloc(f->blocks, f->capacity, sizeof *f->blocks);
  }
  f->blocks[f->n] = (block){.parent = parent};
  f->running[sm * f->slots + slot] = f->n++;
}

uint32_t wf_footprint_block(const wf_footprint *f, unsigned sm, unsigned slot) {
  return f->running[sm * f->slots + slot];
}

static int by_line(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void keep_each_once(block *b) {
  uint32_t kept = 0;
  if (!b->n) return;
  qsort(b->lines, b->n, sizeof *b->lines, by_line);
  for (uint32_t i = 1; i < b->n; i++)
    if (b->lines[i] != b->lines[kept]) b->lines[++kept] = b->lines[i];
  b->n = kept + 1;
}

void wf_footprint_access(wf_footprint *f, unsigned sm, unsigned slot, const uint32_t *lines,
                         unsigned n_lines, unsigned stride_bytes) {
  block *b = &f->blocks[wf_footprint_block(f, sm, slot)];
  for (unsigned i = 0; i < n_lines; i++) {
    if (b->n == b->capacity) {
      keep_each_once(b);
      if (2 * b->n >= b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 64;
        b->lines = wf_realloc(b->lines, b->capacity, sizeof *b->lines);
      }
    }
    b->lines[b->n++] = *lines;
    lines = (const uint32_t *)((const char *)lines + stride_bytes);
  }
}

/* ---- families: blocks of one parent, or all parents ---- */

typedef struct owned_line {
  uint32_t line, member;
} owned_line;

typedef struct family {
  owned_line *lines; /* of all members, by line */
  size_t n;
  uint32_t *own;     /* lines that only this member has */
  uint32_t distinct; /* lines */
} family;

static int by_owned_line(const void *a, const void *b) {
  return by_line(&((const owned_line *)a)->line, &((const owned_line *)b)->line);
}

static family gather(const wf_footprint *f, const uint32_t *members, uint32_t n) {
  family all = {.own = wf_calloc(n, sizeof *all.own)};
  for (uint32_t m = 0; m < n; m++) all.n += f->blocks[members[m]].n;
  all.lines = wf_calloc(all.n + 1, sizeof *all.lines);
  size_t at = 0;
  for (uint32_t m = 0; m < n; m++)
    for (uint32_t i = 0; i < f->blocks[members[m]].n; i++)
      all.lines[at++] = (owned_line){f->blocks[members[m]].lines[i], m};
  qsort(all.lines, all.n, sizeof *all.lines, by_owned_line);
  for (size_t i = 0, next; i < all.n; i = next) {
    for (next = i + 1; next < all.n && all.lines[next].line == all.lines[i].line;) next++;
    all.distinct++;
    if (next == i + 1) all.own[all.lines[i].member]++;
  }
  return all;
}

static void drop(family *all) {
  free(all->lines);
  free(all->own);
}

/* Lines of the family that the block has too. */
static uint32_t common(const family *all, const block *b) {
  uint32_t found = 0, at = 0;
  for (size_t i = 0; i < all->n; i++) {
    if (i && all->lines[i].line == all->lines[i - 1].line) continue;
    while (at < b->n && b->lines[at] < all->lines[i].line) at++;
    found += at < b->n && b->lines[at] == all->lines[i].line;
  }
  return found;
}

static double share(uint64_t part, uint64_t of) {
  return of ? (double)part / (double)of : 0;
}

static void add_siblings(wf_footprint *f, const family *all, const uint32_t *members, uint32_t n,
                         wf_footprint_totals *t) {
  for (uint32_t m = 0; n > 1 && m < n; m++) {
    const uint32_t cos = f->blocks[members[m]].n - all->own[m], cs = all->distinct - all->own[m];
    t->children++;
    t->child_sibling += share(cos, cs);
    t->cos += cos;
    t->cs += cs;
  }
}

static void add_parent(wf_footprint *f, uint32_t parent, const uint32_t *children, uint32_t n) {
  wf_footprint_totals *t = &f->totals;
  family all = gather(f, children, n);
  const uint32_t pc = common(&all, &f->blocks[parent]);
  t->parents++;
  t->parent_child += share(pc, all.distinct);
  t->pc += pc;
  t->c += all.distinct;
  add_siblings(f, &all, children, n, t);
  drop(&all);
}

static void add_parents(wf_footprint *f, const uint32_t *parents, uint32_t n) {
  wf_footprint_totals mine = {0};
  family all = gather(f, parents, n);
  add_siblings(f, &all, parents, n, &mine);
  f->totals.parent_parent += mine.child_sibling;
  drop(&all);
}

/* Blocks by parent: children of parent p are order[first[p]] .. order[first[p + 1] - 1]. */
static void sort_children(const wf_footprint *f, uint32_t *first, uint32_t *order) {
  for (uint32_t i = 0; i < f->n; i++)
    if (f->blocks[i].parent != WF_FOOTPRINT_HOST) first[f->blocks[i].parent + 2]++;
  for (uint32_t i = 2; i < f->n + 2; i++) first[i] += first[i - 1];
  for (uint32_t i = 0; i < f->n; i++)
    if (f->blocks[i].parent != WF_FOOTPRINT_HOST) order[first[f->blocks[i].parent + 1]++] = i;
}

void wf_footprint_end(wf_footprint *f) {
  uint32_t *first = wf_calloc(f->n + 2ull, sizeof *first), n_parents = 0;
  uint32_t *order = wf_calloc(f->n + 1ull, sizeof *order);
  uint32_t *parents = wf_calloc(f->n + 1ull, sizeof *parents);
  for (uint32_t i = 0; i < f->n; i++) keep_each_once(&f->blocks[i]);
  sort_children(f, first, order);
  for (uint32_t p = 0; p < f->n; p++) {
    if (first[p] == first[p + 1]) continue;
    parents[n_parents++] = p;
    add_parent(f, p, order + first[p], first[p + 1] - first[p]);
  }
  add_parents(f, parents, n_parents);
  free(first);
  free(order);
  free(parents);
  forget(f);
}

wf_footprint_totals wf_footprint_get(const wf_footprint *f) {
  return f->totals;
}
