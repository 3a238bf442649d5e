/* Generators: counts, structure, the same graph on every machine, and refusal of bad texts. */
#include "tests/graph/helper.h"

/* Sizes, and checksums that must be the same on every machine and for ever. */
static void sizes_and_checksums(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    uint32_t n;
    uint64_t edges, entries;
    bool symmetric;
    uint32_t checksum;
  } c[] = {
      {"rmat:scale=10", 1024, 8192, 8192, false, 0x8e482255},
      {"rmat:scale=12,edges=12345,seed=7", 4096, 12345, 12345, false, 0xd64f509a},
      {"rmat:scale=8,edges=100,a=0.57,b=0.19,c=0.19", 256, 100, 100, false, 0xf7334b05},
      {"random:n=1000", 1000, 4000, 4000, false, 0x4806e915},
      {"random:n=1000,degree=7,seed=2", 1000, 7000, 7000, false, 0x49edb160},
      {"random:n=1000,edges=5999", 1000, 5999, 5999, false, 0x52f772d1},
      {"rgg:scale=10", 1024, 6580, 3290, true, 0xbe79ef60},
      {"er:scale=10", 1024, 10636, 5318, true, 0x2b122421},
      {"er:scale=10,edges=2000", 1024, 4000, 2000, true, 0xf3ac776c},
      {"er:scale=10,p=0.01", 1024, 10476, 5238, true, 0xe0a13c97},
      {"grid:x=7,y=5", 35, 116, 58, true, 0xfbffcc48},
      {"grid:x=3,y=4,z=5", 60, 266, 133, true, 0x6761b3da},
      {"chain:n=10", 10, 18, 9, true, 0xc2224742},
      {"star:n=10", 10, 18, 9, true, 0x4e3c7753},
      {"complete:n=10", 10, 90, 45, true, 0x5f3e0703},
      {"grid:x=1,y=1", 1, 0, 0, true, 0x8c8c3e96},
      {"er:scale=1", 2, 2, 1, true, 0x2cafe226},
      {"cite:n=1000", 1000, 15928, 7964, true, 0x5b81aa6c},
      {"cite:n=5,degree=8", 5, 20, 10, true, 0x8f424f8a},
      {"cite:n=1", 1, 0, 0, true, 0x8c8c3e96},
      {"band:n=1000", 1000, 18868, 9434, true, 0xd3091f37},
      {"band:n=3,width=1", 3, 4, 2, true, 0xf009bbdb},
      {"band:n=1", 1, 0, 0, true, 0x8c8c3e96},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    wf_graph *g = open_ok(c[i].spec);
    uint32_t checksum = wf_graph_checksum(g);
    if (g->n_vertices != c[i].n || g->n_edges != c[i].edges || g->n_entries != c[i].entries ||
        g->symmetric != c[i].symmetric || checksum != c[i].checksum)
      fail_msg("%s: %u vertices, %llu edges, %llu entries, symmetric %d, checksum 0x%08x",
               c[i].spec, g->n_vertices, (unsigned long long)g->n_edges,
               (unsigned long long)g->n_entries, g->symmetric, checksum);
    assert_string_equal(g->name, c[i].spec);
    wf_graph_destroy(g);
  }
}

static void seeds(void **state) {
  (void)state;
  static const char *const specs[] = {"rmat:scale=9", "random:n=500", "rgg:scale=9",
                                      "er:scale=9",   "cite:n=500",   "band:n=500"};
  wf_error err = {0};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    char with_seed[64];
    snprintf(with_seed, sizeof with_seed, "%s,seed=5", specs[i]);
    wf_graph *by_argument = wf_graph_open(specs[i], 5, &err);
    wf_graph *by_text = wf_graph_open(with_seed, 99, &err); /* the text's seed counts */
    wf_graph *other = wf_graph_open(specs[i], 6, &err);
    expect_same(by_argument, by_text, true);
    assert_int_not_equal(wf_graph_checksum(by_argument), wf_graph_checksum(other));
    wf_graph_destroy(by_argument);
    wf_graph_destroy(by_text);
    wf_graph_destroy(other);
  }
}

static void expect_simple(const wf_graph *g) {
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++) {
      assert_int_not_equal(g->out_col[i], u);
      if (i > g->out_row[u]) assert_true(g->out_col[i] > g->out_col[i - 1]);
    }
}

static void simple_graphs(void **state) {
  (void)state;
  static const char *const specs[] = {"rmat:scale=8,edges=6000", "random:n=20,degree=19",
                                      "er:scale=6,p=0.5",        "rgg:scale=8,radius=0.3",
                                      "random:n=100,edges=4950", "cite:n=300,degree=20",
                                      "band:n=300,degree=40"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    wf_graph *g = open_ok(specs[i]);
    expect_simple(g);
    wf_graph_destroy(g);
  }
}

static void regular_ones(void **state) {
  (void)state;
  wf_graph *g = open_ok("grid:x=3,y=2");
  expect_rows(g, 6, (uint32_t[]){0, 2, 5, 7, 9, 12, 14},
              (uint32_t[]){1, 3, 0, 2, 4, 1, 5, 0, 4, 1, 3, 5, 2, 4});
  wf_graph_destroy(g);
  g = open_ok("chain:n=3");
  expect_rows(g, 3, (uint32_t[]){0, 1, 3, 4}, (uint32_t[]){1, 0, 2, 1});
  wf_graph_destroy(g);
  g = open_ok("star:n=4");
  expect_rows(g, 4, (uint32_t[]){0, 3, 4, 5, 6}, (uint32_t[]){1, 2, 3, 0, 0, 0});
  wf_graph_destroy(g);
  g = open_ok("complete:n=3");
  expect_rows(g, 3, (uint32_t[]){0, 2, 4, 6}, (uint32_t[]){1, 2, 0, 2, 0, 1});
  wf_graph_destroy(g);
}

/* With a radius as large as the square's diagonal every pair is linked; a bucketed search that
 * missed neighbouring cells would show at the smaller one, against all pairs. */
static void geometric_finds_all_pairs(void **state) {
  (void)state;
  wf_graph *all = open_ok("rgg:scale=6,radius=1");
  assert_true(all->n_entries >
              64 * 63 / 2 * 9 / 10); /* P(distance <= 1) = pi - 8/3 + 1/2 = 0.975 */
  wf_graph_destroy(all);
  /* expected links of n points within r, edge effects included:
   * n (n-1) / 2 * (pi r^2 - 8/3 r^3 + r^4 / 2) */
  wf_graph *g = open_ok("rgg:scale=13,radius=0.02");
  double n = 8192, r = 0.02, p = 3.14159265 * r * r - 8.0 / 3 * r * r * r + r * r * r * r / 2;
  double expected = n * (n - 1) / 2 * p;
  assert_true((double)g->n_entries > 0.98 * expected && (double)g->n_entries < 1.02 * expected);
  wf_graph_destroy(g);
}

static void degree_distributions(void **state) {
  (void)state;
  wf_graph_info info;
  wf_graph *g = open_ok("random:n=4096,degree=8"); /* exact out-degree, Poisson in-degree */
  wf_graph_get_info(g, &info);
  assert_int_equal(info.out_bins[4], 4096);
  assert_in_range(info.in_degree_max, 16, 32);
  wf_graph_destroy(g);
  g = open_ok("er:scale=14,p=0.001"); /* mean 16.4: binomial, no long tail */
  wf_graph_get_info(g, &info);
  assert_in_range(info.out_degree_max, 28, 45);
  assert_int_equal(info.out_bins[0], 0);
  wf_graph_destroy(g);
  g = open_ok("rmat:scale=14,a=0.57,b=0.19,c=0.19,d=0.05"); /* long tail, many without arcs */
  wf_graph_get_info(g, &info);
  assert_true(info.out_degree_max > 50 * 8);
  assert_true(info.out_bins[0] > 16384 / 4);
  wf_graph_destroy(g);
}

/* R-MAT: arcs fall into the quadrants of the top level with chances a, b, c, d. */
static void rmat_quadrants(void **state) {
  (void)state;
  wf_graph *g = open_ok("rmat:scale=16,edges=100000,a=0.4,b=0.3,c=0.2,d=0.1");
  uint32_t half = g->n_vertices / 2, count[4] = {0};
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++)
      count[2 * (u >= half) + (g->out_col[i] >= half)]++;
  static const uint32_t expected[] = {40000, 30000, 20000, 10000};
  for (int q = 0; q < 4; q++) assert_in_range(count[q], expected[q] - 1000, expected[q] + 1000);
  wf_graph_destroy(g);
}

static void errors(void **state) {
  (void)state;
  static const char *const c[][2] = {
      {"rmat:", "scale= is missing; keys are scale, edges, a, b, c, d, seed"},
      {"rmat", "scale= is missing"},
      {"rmat:scale=0", "scale is \"0\"; expected a whole number 1 .. 30"},
      {"rmat:scale=31", "scale is \"31\""},
      {"rmat:scale=-3", "scale is \"-3\""},
      {"rmat:scale=ten", "scale is \"ten\""},
      {"rmat:scale=", "scale is \"\""},
      {"rmat:scale=4,scale=5", "scale is given twice"},
      {"rmat:scale=4,colour=red", "unknown key \"colour\"; keys are scale"},
      {"rmat:scale", "\"scale\" is no key=value"},
      {"rmat:scale=4,,", "\"\" is no key=value"},
      {"rmat:scale=4,a=0.9", "a + b + c + d is 1.4; they must add up to 1"},
      {"rmat:scale=4,a=0.9,b=0.3,c=0.2", "must add up to 1"},
      {"rmat:scale=4,a=x", "a is \"x\"; expected a real number 0 .. 1"},
      {"rmat:scale=4,edges=4000", "found only 240 distinct edges of 4000"},
      {"rmat:scale=20,edges=4000000000", "edges is \"4000000000\""},
      {"rmat:scale=30", "at most 2147483647 are possible"},
      {"rmat:scale=4,seed=99999999999999999999999", "seed is \"99999999999999999999999\""},
      {"random:degree=4", "n= is missing"},
      {"random:n=4,degree=4", "degree is 4; 4 vertices allow 0 .. 3"},
      {"random:n=4,degree=1,edges=1", "exclude each other"},
      {"random:n=4,edges=7", "at most half of all, 6"},
      {"er:scale=10,p=2", "p is \"2\""},
      {"er:scale=10,p=0.9", "at most half of all"},
      {"er:scale=4,p=0.1,edges=3", "exclude each other"},
      {"er:scale=30", "at most 2147483647"},
      {"rgg:scale=20,radius=1", "at most 2147483647"},
      {"grid:x=4", "y= is missing"},
      {"grid:x=100000,y=100000", "x * y * z is 10000000000"},
      {"complete:n=100000", "at most 2147483647"},
      {"chain:n=0", "n is \"0\""},
      {"cite:degree=3", "n= is missing"},
      {"cite:n=2000000000,degree=9", "at most 2147483647"},
      {"band:n=9,degree=1", "degree is \"1\""},
      {"band:n=9,width=0", "width is \"0\""},
      {"hypercube:n=4", "no generator \"hypercube\"; generators are rmat, random"},
  };
  wf_graph_options options = {0};
  for (size_t i = 0; i < sizeof c / sizeof *c; i++)
    expect_failure(c[i][0], &options, (const char *const[]){c[i][0], c[i][1], NULL});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_and_checksums),
      cmocka_unit_test(seeds),
      cmocka_unit_test(simple_graphs),
      cmocka_unit_test(regular_ones),
      cmocka_unit_test(geometric_finds_all_pairs),
      cmocka_unit_test(degree_distributions),
      cmocka_unit_test(rmat_quadrants),
      cmocka_unit_test(errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
