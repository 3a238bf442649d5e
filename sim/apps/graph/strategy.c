/* Strategies; see strategy.h. */
#include "sim/apps/graph/strategy.h"

#include "sim/apps/graph/bfs_queue.h"
#include "sim/apps/graph/relax_queue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WARP_LIST = 32, BLOCK_LIST = 1024 }; /* as in strategy.cuh */
enum {
  SHORT_LIST = 8, /* edges that a thread has in flight */
  MODERATE_LIST = 128,
  FEW_PART = 4, /* of the GPU's threads */
  LONG_MEAN = 16,
  ALIKE_MEAN = 12, /* where no list has ALIKE_MAX */
  ALIKE_MAX = 64,
  GATHER_MEAN = 6,
  KEPT_PARTS = 8, /* of the words that a block keeps: beyond, few are there */
  KEPT_PARTS_MFF = 4,
  PATH_EDGES = 550,     /* of a level: up to here a block finds paths faster than the GPU; */
  EDGES_OF_THREAD = 15, /* of the graph: below, a hub's list is most of the work */
  HUB_LIST = 512,
  SEARCH_EDGES = 768, /* the same as PATH_EDGES of a search, */
  GRID_EDGES = 1792,  /* of a grid's, which begins at a corner, or is a strip */
  FEW_EDGES = 4,      /* a block searches them faster than the unit, */
  FEW_OF_LEVEL = 640, /* and these */
  GRID_LIST = 4,
  LINE_WORDS = 32,
  SAMPLE = 4096,  /* lists */
  FAR_PART = 16,  /* of the vertices */
  SMALL_MEAN = 6, /* of a spread graph with less than SMALL_EDGES of a thread: */
  SMALL_EDGES = 4 /* pulling saves less than its launches cost */
};
static const double near_share = 0.6, spread_share = 0.1, far_share = 0.25, crowd_parts = 1.6,
                    narrow_times = 2;

const char *const wf_app_strategies[] = {"hook",  "edges", "auto",     "thread",    "warp", "bins",
                                         "queue", "block", "segments", "direction", "kept"};
const char *const wf_app_lanes[] = {"4", "8", "16", "32"};

/* Does the list of v - 1 have u - 1? Not asked of long ones. */
static bool follows(const uint32_t *row, const uint32_t *col, uint32_t v, uint32_t u) {
  if (!v || row[v] - row[v - 1] >= ALIKE_MAX) return false;
  for (uint32_t e = row[v - 1]; e < row[v]; e++)
    if (col[e] + 1 == u) return true;
  return false;
}

static void sample_lists(const uint32_t *row, const uint32_t *col, wf_degrees *d) {
  uint64_t edges = 0, pairs = 0, near = 0, far = 0, reach = 0, lists = 0;
  const uint32_t n = d->vertices, step = n / SAMPLE + 1;
  for (uint32_t v = 0; v < n; v += step, lists++) {
    uint32_t furthest = 0;
    for (uint32_t e = row[v]; e < row[v + 1]; e++, edges++) {
      const uint32_t distance = col[e] < v ? v - col[e] : col[e] - v;
      if (distance > furthest) furthest = distance;
      far += distance > n / FAR_PART && !follows(row, col, v, col[e]);
      if (e == row[v]) continue;
      pairs++;
      near += col[e] / LINE_WORDS == col[e - 1] / LINE_WORDS;
    }
    reach += furthest;
  }
  d->near = pairs ? (double)near / (double)pairs : 0;
  d->far = edges ? (double)far / (double)edges : 0;
  d->reach = (uint32_t)(lists ? reach / lists : 0);
}

static double narrows(const uint32_t *row, const uint32_t *col, uint32_t n) {
  double own = 0, next = 0;
  for (uint32_t v = 0; v < n; v++) {
    const double length = row[v + 1] - row[v];
    own += length * length;
    for (uint32_t e = row[v]; e < row[v + 1]; e++) next += row[col[e] + 1] - row[col[e]];
  }
  return own > 0 ? own / (next > 1 ? next : 1) : 1;
}

bool wf_strategy_narrows(const wf_degrees *d) {
  return d->narrows > narrow_times;
}

bool wf_strategy_has_few_steps(const wf_degrees *d) {
  return d->far >= spread_share || d->mean > LONG_MEAN;
}

wf_degrees wf_degrees_of(const uint32_t *row, const uint32_t *col, uint32_t n) {
  wf_degrees d = {.vertices = n, .mean = (double)row[n] / n};
  for (uint32_t v = 0; v < n; v++)
    if (row[v + 1] - row[v] > d.max) d.max = row[v + 1] - row[v];
  for (uint32_t v = 0; v < n; v += WF_APP_BLOCK) {
    const uint32_t end = n - v < WF_APP_BLOCK ? n : v + WF_APP_BLOCK;
    if (row[end] - row[v] > d.crowd) d.crowd = row[end] - row[v];
  }
  sample_lists(row, col, &d);
  d.narrows = narrows(row, col, n);
  return d;
}

static uint32_t resident_threads(const wf_gpu *gpu) {
  const wf_gpu_config *c = wf_gpu_get_config(gpu);
  return c->n_sm * c->warps_per_sm * PTX_LANES;
}

/* Of a thread, at most. */
static bool has_few_edges(const wf_degrees *d, const wf_gpu *gpu, unsigned each) {
  return d->vertices * d->mean < (double)each * resident_threads(gpu);
}

/* Words that are gathered from all over the graph, by lists that are neither short nor a block's
 * work: many of them from shared memory, if an SM has so much and a good part of all words is
 * there; not worth filling it for few vertices. */
static bool keeping_pays(const wf_degrees *d, const wf_gpu *gpu, bool mff) {
  const wf_gpu_config *c = wf_gpu_get_config(gpu);
  return d->far >= far_share && d->mean >= GATHER_MEAN &&
         (d->mean <= LONG_MEAN || d->max < ALIKE_MAX) &&
         d->crowd <= crowd_parts * d->vertices * d->mean / c->n_sm &&
         d->vertices > resident_threads(gpu) / FEW_PART &&
         d->vertices <= (mff ? KEPT_PARTS_MFF : KEPT_PARTS) * WF_KEPT_WORDS &&
         c->shared_bytes_per_sm >= (WF_KEPT_WORDS + 1) * sizeof(float);
}

/* Sums over all lists. A list that a thread has in flight as a whole gains nothing from help, nor
 * do moderate ones while there are few: steps are round trips then, not requests. Equal shares of
 * all edges where a block's vertices have more than an SM's part of them, where threads alone would
 * walk long lists, or where a list's neighbours share lines, which lanes side by side then share.
 */
static unsigned automatic_sums(const wf_degrees *d, const wf_gpu *gpu, bool mff) {
  if (keeping_pays(d, gpu, mff)) return WF_STRATEGY_KEPT;
  const double part = (double)d->vertices * d->mean / wf_gpu_get_config(gpu)->n_sm;
  if (d->max <= SHORT_LIST ||
      (d->max < MODERATE_LIST && d->vertices <= resident_threads(gpu) / FEW_PART))
    return WF_STRATEGY_THREAD;
  if (d->crowd > crowd_parts * part || d->mean > LONG_MEAN ||
      (d->mean > ALIKE_MEAN && d->max < ALIKE_MAX) ||
      (d->near >= near_share && d->max >= WARP_LIST))
    return WF_STRATEGY_EDGES;
  return WF_STRATEGY_BINS;
}

static bool has_block(const wf_degrees *d, const wf_gpu *gpu) {
  return wf_gpu_get_config(gpu)->shared_bytes_per_sm >= WF_BLOCK_BYTES && d->max < ALIKE_MAX;
}

/* Whether a level has few edges: of a graph that lies in a plane it has as many vertices as the
 * root of all, and not more than the furthest neighbours lie apart. */
static bool levels_are_narrow(const wf_degrees *d, unsigned edges) {
  const double root = sqrt(d->vertices);
  return (d->reach && d->reach < root ? d->reach : root) * d->mean <= edges;
}

/* A search has few levels only where neighbours are spread over the graph, and only then a list
 * along in-edges ends early. Of many levels each takes a chain of instructions, which is shortest
 * within a block, then in segments. */
static unsigned automatic_search(const wf_degrees *d, const wf_gpu *gpu) {
  const bool brief = d->mean <= ALIKE_MEAN && has_block(d, gpu);
  if (brief && d->vertices < WF_BLOCK_THREADS) return WF_STRATEGY_BLOCK;
  const unsigned pushing = wf_bfs_segments_fit(gpu, d) ? WF_STRATEGY_SEGMENTS : WF_STRATEGY_EDGES;
  if (d->far >= spread_share) {
    const bool small = d->mean <= SMALL_MEAN && has_few_edges(d, gpu, SMALL_EDGES);
    return small || wf_strategy_narrows(d) ? pushing : WF_STRATEGY_DIRECTION;
  }
  const bool grid = d->max <= GRID_LIST && d->mean > GRID_LIST - 1;
  if (brief && levels_are_narrow(d, grid ? GRID_EDGES : SEARCH_EDGES)) return WF_STRATEGY_BLOCK;
  return pushing;
}

/* Shortest paths likewise, the nearest vertices first where steps are many, or edges so few that
 * shares of them are not worth their search. */
static unsigned automatic_paths(const wf_app_variant *variant, const wf_degrees *d,
                                const wf_gpu *gpu) {
  if (variant->supersteps || !wf_relax_segments_fit(gpu, d->vertices)) return WF_STRATEGY_EDGES;
  const bool spread = d->far >= spread_share;
  if (has_block(d, gpu) &&
      (d->vertices < WF_BLOCK_THREADS || (!spread && levels_are_narrow(d, PATH_EDGES))))
    return WF_STRATEGY_BLOCK;
  if (!spread && d->max >= ALIKE_MAX) return WF_STRATEGY_EDGES;
  return d->max >= HUB_LIST && has_few_edges(d, gpu, EDGES_OF_THREAD) && !wf_strategy_narrows(d)
             ? WF_STRATEGY_EDGES
             : WF_STRATEGY_SEGMENTS;
}

static unsigned automatic_plain(wf_strategy_family family, const wf_app_variant *variant,
                                const wf_degrees *d, const wf_gpu *gpu) {
  switch (family) {
  case WF_FAMILY_SUMS:
    return automatic_sums(d, gpu, variant->mff);
  case WF_FAMILY_SEARCH:
    return automatic_search(d, gpu);
  case WF_FAMILY_COMPONENTS:
    return variant->supersteps ? WF_STRATEGY_EDGES : WF_STRATEGY_HOOK;
  default:
    return automatic_paths(variant, d, gpu);
  }
}

/* Half of the L2 holds the values that are gathered: beyond, the unit halves the speed (make
 * paper-mff PART=where). */
static bool values_fit(const wf_degrees *d, const wf_gpu *gpu) {
  const wf_mem_config *m = &wf_gpu_get_config(gpu)->mem;
  return 2 * sizeof(float) * d->vertices <= (uint64_t)m->n_part * m->l2_bytes;
}

/* Where the unit is there; plain: what would be chosen without. In sums a thread's gathers pay for
 * longer lists, and shares' where neighbours are spread over the graph, unless lists are so short
 * that a share is their ends, which the unit has no part in. In searches its scatters pay where
 * neighbours are not far, if no list is a hub's and few are long, as one lane's commands hold its
 * warp; a level looks at all vertices, so these must be few if levels are many. Values that fall
 * while they are read are not for it; nor are lists or levels so short that a block is through at
 * once. */
static bool unit_pays(wf_strategy_family family, unsigned plain, const wf_degrees *d,
                      const wf_gpu *gpu) {
  switch (family) {
  case WF_FAMILY_SUMS:
    if (plain == WF_STRATEGY_KEPT) return false;
    if (plain == WF_STRATEGY_THREAD) return d->max >= WARP_LIST;
    return d->far >= far_share && d->mean >= GATHER_MEAN && values_fit(d, gpu);
  case WF_FAMILY_SEARCH:
    if (plain == WF_STRATEGY_BLOCK && (d->mean <= FEW_EDGES || levels_are_narrow(d, FEW_OF_LEVEL)))
      return false;
    return d->far < far_share && d->mean <= LONG_MEAN && d->max < BLOCK_LIST &&
           (d->far >= spread_share || d->vertices <= resident_threads(gpu));
  default:
    return false;
  }
}

/* The rule that the options' text tells. */
static void automatic(wf_strategy_family family, wf_app_variant *variant, const wf_degrees *d,
                      const wf_gpu *gpu) {
  const unsigned plain = automatic_plain(family, variant, d, gpu);
  variant->mff = variant->mff && unit_pays(family, plain, d, gpu);
  if (!variant->mff) variant->shared_bytes = 0;
  variant->strategy = !variant->mff || plain == WF_STRATEGY_THREAD ? plain
                      : family == WF_FAMILY_SUMS                   ? WF_STRATEGY_EDGES
                                                                   : WF_STRATEGY_THREAD;
}

static void say(wf_app_run *run, const wf_app_variant *variant, bool chosen) {
  const bool there = wf_gpu_has_unit(run->gpu, "mff");
  snprintf(run->strategy, sizeof run->strategy, "%s%s%s", wf_app_strategies[variant->strategy],
           there ? variant->mff ? " with mff" : " without mff" : "", chosen ? " (auto)" : "");
}

/* Blocks that wait for each other cannot be executed one after the other. */
static bool check_resident(const wf_app_run *run, const wf_app_variant *variant, wf_error *err) {
  const wf_options *given = wf_gpu_options(run->gpu);
  if (variant->strategy != WF_STRATEGY_EDGES && variant->strategy != WF_STRATEGY_SEGMENTS &&
      variant->strategy != WF_STRATEGY_DIRECTION)
    return true;
  for (size_t i = 0; i < given->count; i++)
    if (strncmp(given->items[i].key, "sample.", 7) == 0)
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "--set %s=%s: strategy %s is one launch, whose blocks wait for each other; "
                     "expected --set app.strategy=queue too",
                     given->items[i].key, given->items[i].value,
                     wf_app_strategies[variant->strategy]);
  return true;
}

bool wf_strategy_choose(wf_app_run *run, wf_strategy_family family, wf_app_variant *variant,
                        const wf_degrees *degrees, wf_error *err) {
  static const char *const of_thread[] = {"app.unroll", "app.bitset"};
  const char *value;
  const bool sums = family == WF_FAMILY_SUMS;
  if (variant->mff && variant->strategy != WF_STRATEGY_AUTO &&
      variant->strategy != WF_STRATEGY_THREAD && !(sums && variant->strategy == WF_STRATEGY_EDGES))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--set app.strategy=%s: has no form with the mff unit; expected auto%s, or "
                   "--set app.mff=0",
                   wf_app_strategies[variant->strategy], sums ? ", thread or edges" : " or thread");
  const bool chosen = variant->strategy == WF_STRATEGY_AUTO;
  if (chosen) automatic(family, variant, degrees, run->gpu);
  say(run, variant, chosen);
  if (!sums && !check_resident(run, variant, err)) return false;
  if (variant->supersteps &&
      (variant->strategy == WF_STRATEGY_HOOK ||
       (variant->strategy == WF_STRATEGY_BLOCK && family == WF_FAMILY_PATHS)))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--set app.supersteps=%u: strategy %s has no super-steps; expected 0, or "
                   "another strategy",
                   variant->supersteps, wf_app_strategies[variant->strategy]);
  for (size_t i = 0; i < sizeof of_thread / sizeof *of_thread; i++)
    if (variant->strategy != WF_STRATEGY_THREAD && wf_app_named(run, of_thread[i], &value))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "--set %s=%s: is of strategy thread; expected --set app.strategy=thread too",
                     of_thread[i], value);
  if (variant->strategy != WF_STRATEGY_QUEUE && wf_app_named(run, "app.queue", &value))
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--set app.queue=%s: is of strategy queue; expected --set app.strategy=queue too", value);
  if (variant->strategy != WF_STRATEGY_WARP && wf_app_named(run, "app.lanes", &value))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--set app.lanes=%s: is of strategy warp; expected --set app.strategy=warp too",
                   value);
  return true;
}

static uint32_t up(uint32_t n, uint32_t by) {
  return n / by + (n % by != 0);
}

uint32_t wf_strategy_threads(const wf_app_variant *variant, uint32_t n) {
  return variant->strategy == WF_STRATEGY_WARP ? n * variant->lanes : n;
}

bool wf_strategy_tiles(const wf_app_run *run, const uint32_t *row, uint32_t *tiles, wf_error *err) {
  const uint32_t n = run->graph->n_vertices;
  const uint64_t items = (uint64_t)row[n] + n;
  *tiles = (uint32_t)((items + WF_TILE_ITEMS - 1) / WF_TILE_ITEMS);
  return items + WF_TILE_ITEMS <= UINT32_MAX ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "strategy edges: %llu vertices and edges do not fit 32 bits; use another strategy",
                 (unsigned long long)items);
}

/* Joining the sums of 4, 8, 16, 32 lanes: 2, 3, 4, 5 steps. Sums begin with 0, and adding 0 is
 * exact; it is counted as a step nevertheless. */
uint32_t wf_strategy_chain(const wf_app_variant *variant, uint32_t n) {
  enum { WARP_STEPS = 5, SLACK = 4 };
  switch (variant->strategy) {
  case WF_STRATEGY_WARP:
    return up(n, variant->lanes) + WARP_STEPS + SLACK;
  case WF_STRATEGY_KEPT:
    return (n < WARP_LIST ? n : up(n, 32) + WARP_STEPS) + SLACK;
  case WF_STRATEGY_BINS:
    if (n < WARP_LIST) return n + SLACK;
    return n < BLOCK_LIST ? up(n, 32) + WARP_STEPS + SLACK
                          : up(n, WF_APP_BLOCK) + WARP_STEPS + WF_APP_BLOCK / 32 + SLACK;
  case WF_STRATEGY_EDGES: { /* within a tile, and the tiles' sums in bins */
    const uint32_t tiles = n / WF_TILE_ITEMS + 2;
    const wf_app_variant bins = {.strategy = WF_STRATEGY_BINS};
    return (n < WARP_LIST ? n : WF_TILE_ITEMS / 32 + WARP_STEPS) + SLACK +
           wf_strategy_chain(&bins, tiles);
  }
  default:
    return n;
  }
}
