/* Strategies: whose threads walk a vertex's list of edges, and the rule that chooses one. The
 * kernels' side: strategy.cuh, tiles.cuh. */
#ifndef WF_APPS_STRATEGY_H
#define WF_APPS_STRATEGY_H

#include "sim/apps/app_internal.h"

enum { WF_KEPT_WORDS = 12160, WF_KEPT_THREADS = 256 }; /* as in pagerank_strategy.cu */
/* Of strategy block; its shared memory, at least. */
enum { WF_BLOCK_THREADS = 512, WF_BLOCK_BYTES = 16384 }; /* as in block.cuh */
enum { WF_TILE_THREADS = 128, WF_TILE_ITEMS = 1024 };    /* as in tiles.cuh */

/* What the rule looks at. */
typedef struct wf_degrees {
  uint32_t vertices;
  double mean;
  uint32_t max;
  uint32_t crowd; /* most edges of WF_APP_BLOCK vertices side by side */
  /* Of 4096 lists: neighbours side by side that lie in the same 128 bytes; neighbours that lie
   * further away than a sixteenth of all vertices, and are not the next of one of the vertex
   * before, as in grids. */
  double near, far;
  uint32_t reach; /* how far the furthest neighbour lies, mean of these lists */
  double narrows; /* length of an edge's own list over that of the one it leads to, of all edges */
} wf_degrees;
/* Are vertices reached in few steps, along many ways? */
bool wf_strategy_has_few_steps(const wf_degrees *degrees);
/* Do lists lead to much shorter ones, so that few vertices are reached? */
bool wf_strategy_narrows(const wf_degrees *degrees);
wf_degrees wf_degrees_of(const uint32_t *row, const uint32_t *col, uint32_t n);

/* Of applications: each has its own rule for auto. */
typedef enum wf_strategy_family {
  WF_FAMILY_SUMS, /* over all vertices: PageRank */
  WF_FAMILY_PATHS,
  WF_FAMILY_COMPONENTS,
  WF_FAMILY_SEARCH, /* BFS */
} wf_strategy_family;

/* Puts a strategy for auto, with the unit or without, and checks what was asked for: unroll and
 * bitset are of strategy thread, as are the forms with the unit. Says in run->strategy what it came
 * to. *err has code 2. */
bool wf_strategy_choose(wf_app_run *run, wf_strategy_family family, wf_app_variant *variant,
                        const wf_degrees *degrees, wf_error *err);

/* Threads to launch over n vertices, but for strategy edges. */
uint32_t wf_strategy_threads(const wf_app_variant *variant, uint32_t n);
/* Tiles of a CSR in strategy edges; *err (code 2) if its items do not fit 32 bits. */
bool wf_strategy_tiles(const wf_app_run *run, const uint32_t *row, uint32_t *tiles, wf_error *err);

/* The longest chain of additions in a sum of n words: an error of gamma(chain) times the sum of
 * their magnitudes is all that rounding can make of it. */
uint32_t wf_strategy_chain(const wf_app_variant *variant, uint32_t n);

#endif
