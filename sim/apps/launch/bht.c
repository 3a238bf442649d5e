/* Building a Barnes-Hut tree in the plane, level by level, in the forms of launch_app.h. Bodies
 * come in clusters, so that cells differ in what they hold. Where a body lies in its cell's list
 * depends on the order of threads; cells, counts and sums do not. */
#include <stdio.h>
#include <string.h>

#include "sim/apps/launch/launch_app.h"

enum { BLOCK = 128, BITS = 16 /* of a coordinate */ };

typedef struct settings {
  wf_launch_form form; /* first: its rows are shared */
  uint32_t bodies, clusters, first, worth;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, bodies, 1, 1 << 22, 65536, "how many"),
    WF_APP_NUMBER(settings, clusters, 1, 65536, 24, "around which they lie"),
    WF_APP_NUMBER(settings, first, 0, 9, 6, "the first level has 4^first cells"),
    WF_APP_NUMBER(settings, worth, 1, 65536, 8, "cells with more bodies are split"),
    WF_LAUNCH_OPTIONS,
    {0}};

typedef struct cell {
  uint32_t first, n;
} cell;

/* As the kernels have it. */
typedef struct device_level {
  uint64_t cells, bodies, moved, count, next, sum_x, sum_y;
  uint32_t n_cells, shift, worth;
} device_level;

typedef struct tree {
  wf_app_run *run;
  wf_launch_form form;
  uint32_t n_bodies, first, worth;
  uint32_t *bodies, *moved; /* the reference's */
  cell *cells, *finer;      /* of this level, of the next: at most 4 of each body */
  uint32_t n_cells;
  uint32_t *count, *sum_x, *sum_y, *got; /* expected; got back */
  device_level d;
} tree;

static uint32_t quadrant(uint32_t body, uint32_t shift) {
  return (body >> (16 + shift) & 1) * 2 + (body >> shift & 1);
}

/* Three draws around a cluster's middle each, so that most lie near it. */
static uint32_t draw_near(wf_rng *rng, uint32_t middle) {
  int64_t at = middle;
  for (int i = 0; i < 3; i++) at += (int64_t)wf_rng_below(rng, 6001) - 3000;
  return at < 0 ? 0 : at >= 1 << BITS ? (1 << BITS) - 1 : (uint32_t)at;
}

/* Row and column of the first level's cells, interleaved. */
static uint32_t cell_of(uint32_t body, uint32_t levels) {
  uint32_t c = 0;
  for (uint32_t l = 0; l < levels; l++) c = 4 * c + quadrant(body, BITS - 1 - l);
  return c;
}

/* Draws the bodies and sorts them into the first level's cells. */
static void draw(tree *t, wf_suite_host *host, uint32_t clusters) {
  wf_rng rng;
  wf_rng_seed(&rng, t->run->seed);
  uint32_t *middle = wf_suite_array(host, clusters, 4),
           *drawn = wf_suite_array(host, t->n_bodies, 4);
  t->n_cells = 1u << 2 * t->first;
  for (uint32_t c = 0; c < clusters; c++) middle[c] = (uint32_t)wf_rng_next(&rng);
  for (uint32_t i = 0; i < t->n_bodies; i++) {
    const uint32_t m = middle[wf_rng_below(&rng, clusters)];
    const uint32_t x = draw_near(&rng, m >> 16), y = draw_near(&rng, m & 0xffff);
    drawn[i] = x << 16 | y;
    t->cells[cell_of(drawn[i], t->first)].n++;
  }
  for (uint32_t c = 1; c < t->n_cells; c++)
    t->cells[c].first = t->cells[c - 1].first + t->cells[c - 1].n;
  uint32_t *next = wf_suite_array(host, t->n_cells, 4);
  for (uint32_t i = 0; i < t->n_bodies; i++) {
    const uint32_t c = cell_of(drawn[i], t->first);
    t->bodies[t->cells[c].first + next[c]++] = drawn[i];
  }
}

/* What the level's kernels are to find; the bodies in their quadrants, and the cells of the next
 * level. */
static uint32_t reference(tree *t, uint32_t shift) {
  uint32_t finer = 0;
  memset(t->count, 0, 16ull * t->n_cells);
  memset(t->sum_x, 0, 4ull * t->n_cells);
  memset(t->sum_y, 0, 4ull * t->n_cells);
  for (uint32_t c = 0; c < t->n_cells; c++) {
    const cell *at = &t->cells[c];
    for (uint32_t i = at->first; i < at->first + at->n; i++) {
      t->count[4 * c + quadrant(t->bodies[i], shift)]++;
      t->sum_x[c] += t->bodies[i] >> 16;
      t->sum_y[c] += t->bodies[i] & 0xffff;
    }
    if (at->n <= t->worth) continue;
    uint32_t next[4], to = at->first;
    for (uint32_t q = 0; q < 4; q++) {
      next[q] = to;
      t->finer[finer + q] = (cell){to, t->count[4 * c + q]};
      to += t->count[4 * c + q];
    }
    for (uint32_t i = at->first; i < at->first + at->n; i++)
      t->moved[next[quadrant(t->bodies[i], shift)]++] = t->bodies[i];
    finer += 4;
  }
  return finer;
}

/* got and count, sums: equal so far? */
static bool check(tree *t, const char *what, uint64_t device, const uint32_t *expected, uint64_t n,
                  wf_error *err) {
  if (!wf_gpu_read(t->run->gpu, t->got, device, 4 * n, err)) return false;
  wf_app_compare_u32(t->run, what, t->got, expected, n);
  return true;
}

static bool same_level(tree *t, wf_error *err) {
  t->run->verdict[0] = 0; /* the first wrong level's stays */
  return check(t, "bodies in quadrant", t->d.count, t->count, 4ull * t->n_cells, err) &&
         check(t, "sum of x of cell", t->d.sum_x, t->sum_x, t->n_cells, err) &&
         check(t, "sum of y of cell", t->d.sum_y, t->sum_y, t->n_cells, err);
}

static bool level(tree *t, uint32_t shift, wf_error *err) {
  wf_gpu *gpu = t->run->gpu;
  device_level *d = &t->d;
  const wf_suite_shape shape = wf_suite_line(t->n_cells, BLOCK);
  d->n_cells = t->n_cells;
  d->shift = shift;
  if (!wf_gpu_write(gpu, d->cells, t->cells, t->n_cells * sizeof *t->cells, err) ||
      !wf_gpu_fill(gpu, d->count, 0, 16ull * t->n_cells, err) ||
      !wf_gpu_fill(gpu, d->sum_x, 0, 4ull * t->n_cells, err) ||
      !wf_gpu_fill(gpu, d->sum_y, 0, 4ull * t->n_cells, err) ||
      !WF_LAUNCH_IN_FORM(t->run, &t->form, "bht_add", shape, err, d, &t->form.block))
    return false;
  const uint32_t finer = reference(t, shift);
  if (!same_level(t, err)) return false;
  if (t->run->verified && finer &&
      !WF_LAUNCH_IN_FORM(t->run, &t->form, "bht_move", shape, err, d, &t->form.block))
    return false;
  const uint64_t swap = d->bodies;
  d->bodies = d->moved;
  d->moved = swap;
  uint32_t *bodies = t->bodies;
  t->bodies = t->moved;
  t->moved = bodies;
  cell *cells = t->cells;
  t->cells = t->finer;
  t->finer = cells;
  t->n_cells = finer;
  t->run->supersteps++;
  return true;
}

static bool set_up(tree *t, wf_suite_host *host, uint32_t clusters, wf_error *err) {
  wf_gpu *gpu = t->run->gpu;
  const uint64_t n = t->n_bodies,
                 most = 4 * n > 1ull << 2 * t->first ? 4 * n : 1ull << 2 * t->first;
  t->bodies = wf_suite_array(host, n, 4);
  t->moved = wf_suite_array(host, n, 4);
  t->cells = wf_suite_array(host, most, sizeof *t->cells);
  t->finer = wf_suite_array(host, most, sizeof *t->finer);
  t->count = wf_suite_array(host, 4 * most, 4);
  t->sum_x = wf_suite_array(host, most, 4);
  t->sum_y = wf_suite_array(host, most, 4);
  t->got = wf_suite_array(host, 4 * most, 4);
  draw(t, host, clusters);
  device_level *d = &t->d;
  d->worth = t->worth;
  return (d->bodies = wf_app_upload(gpu, t->bodies, 4 * n, "bodies", err)) &&
         (d->moved = wf_app_reserve(gpu, 0, 4 * n, "bodies", err)) &&
         (d->cells = wf_app_reserve(gpu, 0, 8 * most, "cells", err)) &&
         (d->count = wf_app_reserve(gpu, 0, 16 * most, "count", err)) &&
         (d->next = wf_app_reserve(gpu, 0, 16 * most, "next", err)) &&
         (d->sum_x = wf_app_reserve(gpu, 0, 4 * most, "sum", err)) &&
         (d->sum_y = wf_app_reserve(gpu, 0, 4 * most, "sum", err)) &&
         wf_launch_open(t->run, &t->form, most, n, err);
}

static bool bht(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  tree t = {.run = run, .form = s.form, .n_bodies = s.bodies, .first = s.first, .worth = s.worth};
  if (!set_up(&t, host, s.clusters, err)) return false;
  uint32_t cells = 0;
  run->verified = true;
  for (uint32_t l = t.first; l < BITS && t.n_cells && run->verified; l++) {
    cells += t.n_cells;
    if (!level(&t, BITS - 1 - l, err)) return false;
  }
  wf_app_report(run, "cells", cells);
  if (run->verified)
    snprintf(run->verdict, sizeof run->verdict,
             "bodies by quadrant and sums of x and y of %u cells on %u levels: all equal", cells,
             run->supersteps);
  return true;
}

WF_SUITE_APP(bht, "Barnes-Hut tree whose threads may launch a cell's bodies", options, false, bht);
