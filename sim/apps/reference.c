/* CPU references; see reference.h. */
#include "sim/apps/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

unsigned wf_ref_bfs(const wf_ref_csr *out, uint32_t source, unsigned supersteps, uint32_t *level) {
  uint32_t *queue = wf_calloc(out->n, sizeof *queue), head = 0, tail = 0;
  memset(level, 0xff, out->n * sizeof *level);
  level[source] = 0;
  queue[tail++] = source;
  uint32_t deepest = 0;
  while (head < tail) {
    uint32_t v = queue[head++];
    deepest = level[v];
    if (supersteps && deepest + 1 == supersteps) continue; /* its children would be one too deep */
    for (uint32_t e = out->row[v]; e < out->row[v + 1]; e++) {
      uint32_t w = out->col[e];
      if (level[w] != WF_REF_UNREACHED) continue;
      level[w] = level[v] + 1;
      queue[tail++] = w;
    }
  }
  free(queue);
  return deepest + 1;
}

/* Vertices to work on, each at most once. */
typedef struct work_list {
  uint32_t *vertices, count;
  bool *listed;
} work_list;

static work_list work_list_create(uint32_t n) {
  return (work_list){.vertices = wf_calloc(n, sizeof(uint32_t)),
                     .listed = wf_calloc(n, sizeof(bool))};
}

static void work_list_free(work_list *list) {
  free(list->vertices);
  free(list->listed);
}

static void work_list_add(work_list *list, uint32_t v) {
  if (list->listed[v]) return;
  list->listed[v] = true;
  list->vertices[list->count++] = v;
}

static void work_list_clear(work_list *list) {
  for (uint32_t i = 0; i < list->count; i++) list->listed[list->vertices[i]] = false;
  list->count = 0;
}

/* Rounds of "take the minimum over the in-neighbours": SSSP with weights, WCC without. `active`
 * holds the vertices of the first round. False if a value exceeds 32 bits. */
static bool relax(const wf_ref_csr *in, const wf_ref_csr *out, unsigned supersteps,
                  work_list *active, uint32_t *value, unsigned *rounds) {
  work_list changed = work_list_create(in->n);
  uint32_t *update = wf_calloc(in->n, sizeof *update);
  bool fits = true;
  *rounds = 0;
  for (unsigned step = 0; active->count && (!supersteps || step < supersteps); step++) {
    for (uint32_t i = 0; i < active->count; i++) {
      uint32_t v = active->vertices[i];
      uint64_t best = value[v];
      for (uint32_t e = in->row[v]; e < in->row[v + 1]; e++) {
        uint32_t from = value[in->col[e]];
        if (in->weight && from == WF_REF_UNREACHED) continue;
        uint64_t candidate = (uint64_t)from + (in->weight ? in->weight[e] : 0);
        if (candidate >= WF_REF_UNREACHED)
          fits = false;
        else if (candidate < best)
          best = candidate;
      }
      if (best == value[v]) continue;
      update[v] = (uint32_t)best;
      work_list_add(&changed, v);
    }
    work_list_clear(active);
    for (uint32_t i = 0; i < changed.count; i++) {
      uint32_t v = changed.vertices[i];
      value[v] = update[v];
      for (uint32_t e = out->row[v]; e < out->row[v + 1]; e++) work_list_add(active, out->col[e]);
    }
    if (changed.count) (*rounds)++;
    work_list_clear(&changed);
  }
  free(update);
  work_list_free(&changed);
  return fits;
}

bool wf_ref_sssp(const wf_ref_csr *in, const wf_ref_csr *out, uint32_t source, unsigned supersteps,
                 uint32_t *distance, unsigned *rounds, wf_error *err) {
  work_list active = work_list_create(in->n);
  memset(distance, 0xff, in->n * sizeof *distance);
  distance[source] = 0;
  for (uint32_t e = out->row[source]; e < out->row[source + 1]; e++)
    work_list_add(&active, out->col[e]);
  bool fits = relax(in, out, supersteps, &active, distance, rounds);
  work_list_free(&active);
  return fits ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "sssp: a distance from vertex %u exceeds 32 bits; use smaller weights", source);
}

unsigned wf_ref_wcc(const wf_ref_csr *both, unsigned supersteps, uint32_t *label) {
  work_list active = work_list_create(both->n);
  for (uint32_t v = 0; v < both->n; v++) {
    label[v] = v;
    work_list_add(&active, v);
  }
  wf_ref_csr plain = *both;
  plain.weight = NULL;
  unsigned rounds;
  relax(&plain, &plain, supersteps, &active, label, &rounds);
  work_list_free(&active);
  return rounds;
}

/* One step; true if a contribution moved by more than the tolerance. Order and rounding of the f32
 * operations are those of the kernel. */
static bool pagerank_step(const wf_ref_csr *in, const float *inv_out, float damping, float base,
                          float tolerance, const float *old, float *new, float *rank) {
  bool moved = false;
  for (uint32_t v = 0; v < in->n; v++) {
    float sum = 0.0f;
    for (uint32_t e = in->row[v]; e < in->row[v + 1]; e++) sum += old[in->col[e]];
    rank[v] = base + damping * sum;
    new[v] = rank[v] * inv_out[v];
    float delta = new[v] - old[v];
    if (delta < 0.0f) delta = -delta;
    if (delta > tolerance * new[v]) moved = true;
  }
  return moved;
}

unsigned wf_ref_pagerank(const wf_ref_csr *in, const uint32_t *out_row,
                         const wf_ref_pagerank_setup *setup, float *rank) {
  uint32_t n = in->n;
  float *inv_out = wf_calloc(n, sizeof *inv_out), *old = wf_calloc(n, sizeof *old),
        *new = wf_calloc(n, sizeof *new);
  float base = (1.0f - setup->damping) / (float)n;
  for (uint32_t v = 0; v < n; v++) {
    uint32_t degree = out_row[v + 1] - out_row[v];
    inv_out[v] = degree ? 1.0f / (float)degree : 0.0f;
    rank[v] = 1.0f / (float)n;
    old[v] = rank[v] * inv_out[v];
  }
  unsigned limit = setup->supersteps ? setup->supersteps : setup->max_steps, steps = 0;
  bool moved = true;
  while (steps < limit && (moved || setup->supersteps)) {
    moved = pagerank_step(in, inv_out, setup->damping, base, setup->tolerance, old, new, rank);
    float *swap = old;
    old = new;
    new = swap;
    steps++;
  }
  free(inv_out);
  free(old);
  free(new);
  return steps;
}

/* ---- PageRank in f64, with the bound of f32's rounding ---- */

/* Of k operations after another, each off by half an ulp; and of f64's own n. */
static double rounding(double k, double n) {
  const double of_all = k * 0x1p-24 + n * 0x1p-53;
  return of_all / (1 - of_all);
}

typedef struct bounded {
  double value, off;
} bounded;

typedef struct pagerank_bounds {
  const wf_ref_csr *in;
  const wf_ref_pagerank_setup *setup;
  wf_ref_chain *chain;
  const void *context;
  const float *inv_out;
  double base;
  bounded *old, *new;
} pagerank_bounds;

static bounded bounded_rank(const pagerank_bounds *b, uint32_t v) {
  const uint32_t first = b->in->row[v], n = b->in->row[v + 1] - first;
  double sum = 0, off = 0, damping = (double)b->setup->damping;
  for (uint32_t e = first; e < first + n; e++) {
    sum += b->old[b->in->col[e]].value;
    off += b->old[b->in->col[e]].off;
  }
  off += rounding(b->chain(b->context, n), n) * (sum + off);
  const double rank = b->base + damping * sum, before = damping * off;
  return (bounded){rank, before + rounding(2, 0) * (rank + before)};
}

/* may_move, must_move: whether a contribution has moved by more than the tolerance, if all errors
 * add to that, or take from it. */
static void bounded_step(pagerank_bounds *b, double *rank, double *bound, bool *may_move,
                         bool *must_move) {
  const double tolerance = (double)b->setup->tolerance;
  *may_move = *must_move = false;
  for (uint32_t v = 0; v < b->in->n; v++) {
    const bounded r = bounded_rank(b, v), old = b->old[v];
    const double inverse = (double)b->inv_out[v], value = r.value * inverse,
                 off = r.off * inverse + rounding(1, 0) * (r.value + r.off) * inverse;
    const double moved = fabs(value - old.value), allowed = tolerance * value;
    const double unsure = 2 * (off + old.off + tolerance * off + 0x1p-24 * (moved + allowed));
    *may_move |= moved + unsure > allowed;
    *must_move |= moved - unsure > allowed;
    b->new[v] = (bounded){value, off};
    rank[v] = r.value;
    bound[v] = r.off;
  }
}

bool wf_ref_pagerank_bound(const wf_ref_csr *in, const uint32_t *out_row,
                           const wf_ref_pagerank_setup *setup, unsigned steps, wf_ref_chain *chain,
                           const void *context, double *rank, double *bound) {
  const uint32_t n = in->n;
  float *inv_out = wf_calloc(n, sizeof *inv_out);
  pagerank_bounds b = {in,
                       setup,
                       chain,
                       context,
                       inv_out,
                       (double)((1.0f - setup->damping) / (float)n),
                       wf_calloc(n, sizeof *b.old),
                       wf_calloc(n, sizeof *b.new)};
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t degree = out_row[v + 1] - out_row[v];
    inv_out[v] = degree ? 1.0f / (float)degree : 0.0f;
    b.old[v].value = (double)(1.0f / (float)n * inv_out[v]);
  }
  bool right = true, may_move, must_move;
  for (unsigned i = 1; i <= steps; i++) {
    bounded_step(&b, rank, bound, &may_move, &must_move);
    right &= i < steps ? may_move : !must_move || steps == setup->max_steps;
    bounded *swap = b.old;
    b.old = b.new;
    b.new = swap;
  }
  free(inv_out);
  free(b.old);
  free(b.new);
  return right;
}
