/* The CPU references against brute force on small random graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/apps/reference.h"
#include "sim/base/wf_alloc.h"
#include "sim/base/wf_rng.h"
#include "sim/graph/graph.h"

enum { MAX_N = 40, ROUNDS = 60 };
#define NONE WF_REF_UNREACHED

/* 1..MAX_N vertices, from no arcs to several per vertex; self loops and parallel arcs included. */
static wf_graph *random_graph(uint64_t seed) {
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  uint32_t n = 1 + (uint32_t)wf_rng_below(&rng, MAX_N), tail[4 * MAX_N], head[4 * MAX_N],
           weight[4 * MAX_N];
  uint32_t m = (uint32_t)wf_rng_below(&rng, 4 * n);
  for (uint32_t i = 0; i < m; i++) {
    tail[i] = (uint32_t)wf_rng_below(&rng, n);
    head[i] = (uint32_t)wf_rng_below(&rng, n);
    weight[i] = 1 + (uint32_t)wf_rng_below(&rng, 64);
  }
  wf_error err = {0};
  wf_graph *g = wf_graph_from_arcs("random", n, m, tail, head, weight, false, &err);
  assert_non_null(g);
  wf_graph_need_in(g);
  return g;
}

static wf_ref_csr out_csr(const wf_graph *g) {
  return (wf_ref_csr){g->n_vertices, g->out_row, g->out_col, g->out_weight};
}
static wf_ref_csr in_csr(const wf_graph *g) {
  return (wf_ref_csr){g->n_vertices, g->in_row, g->in_col, g->in_weight};
}

/* Least weight of a path of at most `edges` arcs; hops instead of weights if `hops`. */
static void shortest(const wf_graph *g, uint32_t source, unsigned edges, bool hops,
                     uint32_t *best) {
  uint32_t before[MAX_N];
  for (uint32_t v = 0; v < g->n_vertices; v++) best[v] = v == source ? 0 : NONE;
  for (unsigned k = 0; k < edges; k++) {
    memcpy(before, best, sizeof before);
    for (uint32_t u = 0; u < g->n_vertices; u++)
      for (uint32_t e = g->out_row[u]; e < g->out_row[u + 1]; e++) {
        uint32_t w = hops ? 1 : g->out_weight[e];
        if (before[u] != NONE && before[u] + w < best[g->out_col[e]])
          best[g->out_col[e]] = before[u] + w;
      }
  }
}

static void bfs_equals_brute_force(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    wf_graph *g = random_graph(seed);
    wf_ref_csr out = out_csr(g);
    uint32_t source = (uint32_t)(seed % g->n_vertices), got[MAX_N], expected[MAX_N];
    for (unsigned steps = 0; steps < 5; steps++) {
      unsigned visited = wf_ref_bfs(&out, source, steps, got);
      shortest(g, source, steps ? steps - 1 : MAX_N, true, expected);
      assert_memory_equal(got, expected, g->n_vertices * sizeof *got);
      uint32_t deepest = 0;
      for (uint32_t v = 0; v < g->n_vertices; v++)
        if (expected[v] != NONE && expected[v] > deepest) deepest = expected[v];
      assert_int_equal(visited, deepest + 1);
    }
    wf_graph_destroy(g);
  }
}

static void sssp_equals_brute_force(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    wf_graph *g = random_graph(seed);
    wf_ref_csr out = out_csr(g), in = in_csr(g);
    uint32_t source = (uint32_t)(seed % g->n_vertices), got[MAX_N], expected[MAX_N];
    for (unsigned steps = 0; steps < 5; steps++) {
      unsigned rounds;
      wf_error err = {0};
      assert_true(wf_ref_sssp(&in, &out, source, steps, got, &rounds, &err));
      shortest(g, source, steps ? steps : MAX_N, false, expected);
      assert_memory_equal(got, expected, g->n_vertices * sizeof *got);
      assert_true(steps == 0 || rounds <= steps);
    }
    wf_graph_destroy(g);
  }
}

static void sssp_refuses_distances_beyond_32_bits(void **state) {
  (void)state;
  const uint32_t tail[] = {0, 1, 2}, head[] = {1, 2, 3};
  const uint32_t weight[] = {0x7fffffff, 0x7fffffff, 0x7fffffff};
  wf_error err = {0};
  wf_graph *g = wf_graph_from_arcs("long", 4, 3, tail, head, weight, false, &err);
  assert_non_null(g);
  wf_graph_need_in(g);
  wf_ref_csr out = out_csr(g), in = in_csr(g);
  uint32_t distance[4];
  unsigned rounds;
  assert_false(wf_ref_sssp(&in, &out, 0, 0, distance, &rounds, &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "32 bits"));
  assert_true(wf_ref_sssp(&in, &out, 0, 2, distance, &rounds, &err)); /* two edges still fit */
  assert_int_equal(distance[2], 0xfffffffe);
  wf_graph_destroy(g);
}

static void wcc_equals_smallest_vertex_within_reach(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    wf_graph *g = random_graph(seed);
    wf_error err = {0};
    assert_true(wf_graph_make_symmetric(g, &err));
    wf_ref_csr both = out_csr(g);
    uint32_t got[MAX_N], hops[MAX_N];
    for (unsigned steps = 0; steps < 4; steps++) {
      wf_ref_wcc(&both, steps, got);
      for (uint32_t v = 0; v < g->n_vertices; v++) {
        shortest(g, v, steps ? steps : MAX_N, true, hops);
        uint32_t smallest = 0;
        while (hops[smallest] == NONE) smallest++;
        assert_int_equal(got[v], smallest);
      }
    }
    wf_graph_destroy(g);
  }
}

/* The same iteration in double precision over a plain list of arcs. */
static void pagerank_double(const wf_graph *g, unsigned steps, double *rank) {
  double next[MAX_N];
  uint32_t n = g->n_vertices;
  for (uint32_t v = 0; v < n; v++) rank[v] = 1.0 / n;
  for (unsigned s = 0; s < steps; s++) {
    for (uint32_t v = 0; v < n; v++) next[v] = 0.15 / n;
    for (uint32_t u = 0; u < n; u++)
      for (uint32_t e = g->out_row[u]; e < g->out_row[u + 1]; e++)
        next[g->out_col[e]] += 0.85 * rank[u] / wf_graph_out_degree(g, u);
    memcpy(rank, next, n * sizeof *rank);
  }
}

static void pagerank_is_close_to_double_precision(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    wf_graph *g = random_graph(seed);
    wf_ref_csr in = in_csr(g);
    float got[MAX_N];
    double expected[MAX_N];
    for (unsigned steps = 1; steps < 20; steps += 6) {
      wf_ref_pagerank_setup setup = {0.85f, 1e-4f, steps, 1000};
      assert_int_equal(wf_ref_pagerank(&in, g->out_row, &setup, got), steps);
      pagerank_double(g, steps, expected);
      /* Each step adds a few roundings of 2^-24; 20 steps stay well below 1e-5. */
      for (uint32_t v = 0; v < g->n_vertices; v++)
        assert_true(fabs((double)got[v] - expected[v]) <= 1e-5 * expected[v]);
    }
    wf_graph_destroy(g);
  }
}

static void pagerank_stops_when_nothing_moves(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    wf_graph *g = random_graph(seed);
    wf_ref_csr in = in_csr(g);
    float got[MAX_N], more[MAX_N];
    wf_ref_pagerank_setup setup = {0.85f, 1e-4f, 0, 1000};
    unsigned steps = wf_ref_pagerank(&in, g->out_row, &setup, got);
    assert_in_range(steps, 1, 200);
    setup.supersteps = steps + 50;
    wf_ref_pagerank(&in, g->out_row, &setup, more);
    for (uint32_t v = 0; v < g->n_vertices;
         v++) /* the error left is below tolerance * d / (1 - d) */
      assert_true(fabsf(got[v] - more[v]) <= 1e-3f * more[v]);
    wf_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bfs_equals_brute_force),
      cmocka_unit_test(sssp_equals_brute_force),
      cmocka_unit_test(sssp_refuses_distances_beyond_32_bits),
      cmocka_unit_test(wcc_equals_smallest_vertex_within_reach),
      cmocka_unit_test(pagerank_is_close_to_double_precision),
      cmocka_unit_test(pagerank_stops_when_nothing_moves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
