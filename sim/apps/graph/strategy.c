/* Strategies; see strategy.h. */
#include "sim/apps/graph/strategy.h"

#include <string.h>

enum { WARP_LIST = 32, BLOCK_LIST = 1024 }; /* as in strategy.cuh */
enum {
  SHORT_LIST = 8, /* edges that a thread has in flight */
  LONG_MEAN = 16,
  LINE_WORDS = 32,
  SAMPLE = 4096 /* lists */
};
static const double near_share = 0.6;

const char *const wf_app_strategies[] = {"edges", "auto",  "thread",   "warp",
                                         "bins",  "queue", "direction"};
const char *const wf_app_lanes[] = {"4", "8", "16", "32"};

wf_degrees wf_degrees_of(const uint32_t *row, const uint32_t *col, uint32_t n) {
  wf_degrees d = {.vertices = n, .mean = (double)row[n] / n};
  for (uint32_t v = 0; v < n; v++)
    if (row[v + 1] - row[v] > d.max) d.max = row[v + 1] - row[v];
  uint64_t pairs = 0, near = 0;
  const uint32_t step = n / SAMPLE + 1;
  for (uint32_t v = 0; v < n; v += step)
    for (uint32_t e = row[v] + 1; e < row[v + 1]; e++) {
      pairs++;
      near += col[e] / LINE_WORDS == col[e - 1] / LINE_WORDS;
    }
  d.near = pairs ? (double)near / (double)pairs : 0;
  return d;
}

/* The rule of WF_APP_GRAPH_OPTIONS' text. A list that a thread has in flight as a whole gains
 * nothing from help. Where a list's neighbours share lines, lanes on one list share their requests,
 * in equal shares of all edges most of all; where lists are long, that is so for the list itself.
 * Where the GPU holds a thread of each vertex at once and has each list in flight, a step over a
 * bit vector has the shortest chain of instructions. A search along in-edges ends a list early only
 * if neighbours are spread over the graph. */
static unsigned automatic(wf_strategy_family family, const wf_degrees *d, const wf_gpu *gpu) {
  if (family == WF_FAMILY_RELAX) return WF_STRATEGY_EDGES;
  if (family == WF_FAMILY_SEARCH) {
    const wf_gpu_config *c = wf_gpu_get_config(gpu);
    if (d->max <= SHORT_LIST && d->vertices <= c->n_sm * c->warps_per_sm * PTX_LANES)
      return WF_STRATEGY_THREAD;
    return d->near >= near_share ? WF_STRATEGY_EDGES : WF_STRATEGY_DIRECTION;
  }
  if (d->max <= SHORT_LIST) return WF_STRATEGY_THREAD;
  return d->near >= near_share || d->mean > LONG_MEAN ? WF_STRATEGY_EDGES : WF_STRATEGY_BINS;
}

/* Short lists gain nothing from the unit either. Frontiers have one form with it. */
static void automatic_mff(wf_strategy_family family, wf_app_variant *variant, const wf_degrees *d) {
  const bool sums = family == WF_FAMILY_SUMS;
  variant->mff = !sums || d->max > SHORT_LIST;
  variant->strategy = sums && variant->mff ? WF_STRATEGY_EDGES : WF_STRATEGY_THREAD;
}

/* Blocks that wait for each other cannot be executed one after the other. */
static bool check_resident(const wf_app_run *run, const wf_app_variant *variant, wf_error *err) {
  const wf_options *given = wf_gpu_options(run->gpu);
  if (variant->strategy != WF_STRATEGY_EDGES && variant->strategy != WF_STRATEGY_DIRECTION)
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

bool wf_strategy_choose(const wf_app_run *run, wf_strategy_family family, wf_app_variant *variant,
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
  if (variant->strategy == WF_STRATEGY_AUTO && variant->mff)
    automatic_mff(family, variant, degrees);
  if (variant->strategy == WF_STRATEGY_AUTO)
    variant->strategy = automatic(family, degrees, run->gpu);
  if (!sums && !check_resident(run, variant, err)) return false;
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
