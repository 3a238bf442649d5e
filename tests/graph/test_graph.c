/* The graph itself: in-arcs, weights, symmetry, statistics; and the files that come with it. */
#include <cjson/cJSON.h>

#include "sim/graph/csr.h"
#include "tests/graph/helper.h"

/* Every arc u -> v of weight w must appear as often among the in-arcs of v. Slow, for small graphs.
 */
static void expect_transposed(const wf_graph *g) {
  assert_int_equal(g->in_row[g->n_vertices], g->n_edges);
  for (uint32_t v = 0; v < g->n_vertices; v++) {
    uint32_t i = g->in_row[v];
    for (uint32_t u = 0; u < g->n_vertices; u++)
      for (uint32_t k = g->out_row[u]; k < g->out_row[u + 1]; k++) {
        if (g->out_col[k] != v) continue;
        assert_true(i < g->in_row[v + 1]);
        assert_int_equal(g->in_col[i], u);
        if (g->out_weight) assert_int_equal(g->in_weight[i], g->out_weight[k]);
        i++;
      }
    assert_int_equal(i, g->in_row[v + 1]);
  }
}

static wf_graph *weighted_multigraph(void) {
  static const uint32_t tail[] = {3, 0, 2, 0, 0, 1, 3}, head[] = {1, 2, 2, 1, 2, 0, 0},
                        weight[] = {11, 12, 13, 14, 9, 16, 17};
  wf_error err = {0};
  return wf_graph_from_arcs("multi", 5, 7, tail, head, weight, false, &err);
}

static void in_arcs(void **state) {
  (void)state;
  wf_graph *g = weighted_multigraph();
  wf_graph_need_in(g);
  expect_transposed(g);
  wf_graph_destroy(g);
  g = open_ok("rmat:scale=8,edges=600");
  wf_graph_need_in(g);
  assert_null(g->in_weight);
  expect_transposed(g);
  wf_graph_destroy(g);
  g = open_ok("rgg:scale=8");
  wf_graph_need_in(g);
  expect_transposed(g);
  wf_graph_destroy(g);
}

static void weights_in_either_order(void **state) {
  (void)state;
  static const char *const specs[] = {"rmat:scale=8,edges=600", "rgg:scale=8"};
  for (size_t i = 0; i < 2; i++) {
    wf_graph *a = open_ok(specs[i]), *b = open_ok(specs[i]);
    wf_graph_need_in(a); /* before and after the weights */
    assert_true(wf_graph_need_weights(a, 3, NULL));
    assert_true(wf_graph_need_weights(b, 3, NULL));
    wf_graph_need_in(b);
    expect_transposed(a);
    expect_transposed(b);
    expect_same(a, b, true);
    wf_graph_destroy(a);
    wf_graph_destroy(b);
  }
}

static void drawn_weights(void **state) {
  (void)state;
  wf_graph *g = open_ok("er:scale=10"), *other = open_ok("er:scale=10");
  uint32_t count[65] = {0};
  assert_true(wf_graph_need_weights(g, 1, NULL));
  assert_true(wf_graph_need_weights(other, 2, NULL));
  for (uint64_t i = 0; i < g->n_edges; i++) {
    assert_in_range(g->out_weight[i], 1, 64);
    count[g->out_weight[i]]++;
  }
  for (int w = 1; w <= 64; w++) assert_in_range(count[w], g->n_edges / 128, g->n_edges / 32);
  assert_int_not_equal(wf_graph_checksum(g), wf_graph_checksum(other));
  uint32_t before = wf_graph_checksum(g);
  assert_int_equal(before, 0x0247b732);           /* the same on every machine */
  assert_true(wf_graph_need_weights(g, 9, NULL)); /* there are some: nothing happens */
  assert_int_equal(wf_graph_checksum(g), before);
  wf_graph_destroy(g);
  wf_graph_destroy(other);
}

/* Both directions of an edge must have the same weight. */
static void symmetric_weights(void **state) {
  (void)state;
  wf_graph *g = open_ok("grid:x=9,y=9");
  assert_true(wf_graph_need_weights(g, 4, NULL));
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++) {
      uint32_t v = g->out_col[i], k = g->out_row[v];
      while (g->out_col[k] != u) k++;
      assert_int_equal(g->out_weight[k], g->out_weight[i]);
    }
  wf_graph_destroy(g);
}

static void making_symmetric(void **state) {
  (void)state;
  wf_error err = {0};
  wf_graph *g = weighted_multigraph();
  assert_true(wf_graph_make_symmetric(g, &err));
  expect_rows(g, 5, (uint32_t[]){0, 3, 5, 6, 8, 8}, (uint32_t[]){1, 2, 3, 0, 3, 0, 0, 1});
  /* 0-1: least of 14 and 16; 0-2: least of 12 and 9; the loop at 2 is gone */
  assert_memory_equal(g->out_weight, ((uint32_t[]){14, 9, 17, 14, 11, 9, 17, 11}), 32);
  assert_true(g->symmetric);
  assert_int_equal(g->n_entries, 4);
  wf_graph_destroy(g);
  g = open_ok("rmat:scale=8,edges=900");
  wf_graph_need_in(g); /* must not be left behind */
  assert_true(wf_graph_make_symmetric(g, &err));
  assert_null(g->in_row);
  wf_graph_need_in(g);
  expect_transposed(g);
  wf_graph_destroy(g);
}

static void simplifying(void **state) {
  (void)state;
  wf_graph *g = weighted_multigraph();
  wf_graph_simplify(g);
  expect_rows(g, 5, (uint32_t[]){0, 2, 3, 3, 5, 5}, (uint32_t[]){1, 2, 0, 0, 1});
  assert_memory_equal(g->out_weight, ((uint32_t[]){14, 9, 16, 17, 11}), 20);
  wf_graph_destroy(g);
}

static void merging_keeps_loops(void **state) {
  (void)state;
  static const uint32_t tail[] = {0, 1, 1, 2, 2}, head[] = {1, 0, 1, 1, 2},
                        weight[] = {5, 3, 7, 2, 4};
  wf_error err = {0};
  wf_graph *g = wf_graph_from_arcs("loops", 3, 5, tail, head, weight, true, &err);
  wf_graph_merge_parallel(g, true);
  expect_rows(g, 3, (uint32_t[]){0, 1, 4, 6}, (uint32_t[]){1, 0, 1, 2, 1, 2});
  assert_memory_equal(g->out_weight, ((uint32_t[]){3, 3, 7, 2, 2, 4}), 24);
  assert_int_equal(g->n_entries, 4); /* 0-1, 1-2 and two loops */
  wf_graph_destroy(g);
}

/* ---- statistics ---- */

static wf_graph_info info_of(const char *spec) {
  wf_graph_info info;
  wf_graph *g = open_ok(spec);
  wf_graph_get_info(g, &info);
  wf_graph_destroy(g);
  return info;
}

static void info_of_known_graphs(void **state) {
  (void)state;
  wf_graph_info i = info_of("chain:n=1000");
  assert_int_equal(i.diameter_at_least, 999);
  assert_int_equal(i.components, 1);
  assert_int_equal(i.out_bins[1], 2);
  assert_int_equal(i.out_bins[2], 998);
  assert_float_equal(i.reciprocity, 1, 0);
  assert_float_equal(i.degree_mean, 1.998, 1e-12);
  assert_int_equal(i.bfs_reached, 1000);
  assert_int_equal(i.bfs_depth, 998); /* from vertex 1, the first of degree 2 */
  i = info_of("star:n=100");
  assert_int_equal(i.diameter_at_least, 2);
  assert_int_equal(i.out_degree_max, 99);
  assert_int_equal(i.out_degree_max_vertex, 0);
  assert_int_equal(i.bfs_depth, 1);
  i = info_of("grid:x=20,y=30");
  assert_int_equal(i.diameter_at_least, 19 + 29);
  i = info_of("complete:n=50");
  assert_int_equal(i.diameter_at_least, 1);
  assert_int_equal(i.out_bins[6], 50);
  i = info_of("random:n=3,degree=0");
  assert_int_equal(i.isolated, 3);
  assert_int_equal(i.components, 3);
  assert_int_equal(i.largest_component, 1);
  assert_int_equal(i.diameter_at_least, 0);
  assert_float_equal(i.reciprocity, 0, 0);
}

static void info_of_a_multigraph(void **state) {
  (void)state;
  wf_graph_info i;
  wf_graph *g = weighted_multigraph(); /* 0->1 0->2 0->2 1->0 2->2 3->0 3->1, and 4 alone */
  wf_graph_get_info(g, &i);
  assert_int_equal(i.self_loops, 1);
  assert_int_equal(i.parallel_arcs, 1);
  assert_int_equal(i.isolated, 1);
  assert_int_equal(i.components, 2);
  assert_int_equal(i.largest_component, 4);
  assert_int_equal(i.diameter_at_least, 2);
  assert_int_equal(i.out_degree_max, 3);
  assert_int_equal(i.in_degree_max, 3);
  assert_int_equal(i.in_degree_max_vertex, 2);
  assert_float_equal(i.reciprocity, 2.0 / 6, 1e-12);
  assert_int_equal(i.weight_min, 9);
  assert_int_equal(i.weight_max, 17);
  assert_int_equal(i.bfs_reached, 3); /* from 0 */
  assert_int_equal(i.out_bins[0], 1);
  assert_int_equal(i.out_bins[1], 2);
  assert_int_equal(i.out_bins[2], 2);
  assert_int_equal(wf_graph_busiest_vertex(g), 0);
  wf_graph_destroy(g);
}

static void info_printed(void **state) {
  (void)state;
  wf_graph_info i;
  wf_graph *g = open_ok("star:n=1025");
  wf_graph_get_info(g, &i);
  char *text = wf_graph_info_text(g, &i), *json = wf_graph_info_json(g, &i);
  assert_non_null(strstr(text, "star:n=1025\n"));
  assert_non_null(strstr(text, "  vertices                        1,025\n"));
  assert_non_null(strstr(text, "  diameter, at least                  2  hops"));
  assert_non_null(strstr(text, "1024 .. 2047              1  ▏\n"));
  assert_non_null(strstr(text, "████████████████████████\n")); /* the fullest bin: 24 cells */
  cJSON *o = cJSON_Parse(json);
  assert_non_null(o);
  assert_float_equal(cJSON_GetObjectItem(o, "edges")->valuedouble, 2048, 0);
  assert_float_equal(cJSON_GetObjectItem(o, "edges_in_source")->valuedouble, 1024, 0);
  assert_true(cJSON_IsTrue(cJSON_GetObjectItem(o, "symmetric")));
  assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(o, "out_degree_log2_bins")), 12);
  cJSON_Delete(o);
  free(text);
  free(json);
  wf_graph_destroy(g);
}

/* ---- real graphs ---- */

static void shipped_graph(void **state) {
  (void)state;
  wf_graph_info i;
  wf_graph *g = open_ok("data/debian12.mtx.gz");
  wf_graph_get_info(g, &i);
  assert_string_equal(g->name, "debian12");
  assert_int_equal(i.n_vertices, 63666);
  assert_int_equal(i.n_edges, 300399);
  assert_int_equal(i.self_loops + i.parallel_arcs, 0);
  assert_int_equal(i.in_degree_max, 21841);
  assert_int_equal(i.largest_component, 59674);
  assert_int_equal(i.checksum, 0x12fa03bd);
  wf_graph_destroy(g);
}

/* Published counts; the files are optional. */
static void graphs_of_the_literature(void **state) {
  (void)state;
  static const struct {
    const char *file;
    uint32_t vertices;
    uint64_t edges; /* as published: a symmetric file's entries */
    bool symmetric, weights;
  } c[] = {{"cnr-2000.mtx.gz", 325557, 3216152, false, false},
           {"dblp-2010.mtx.gz", 326186, 1615400, false, false},
           {"soc-Epinions1.mtx.gz", 75879, 508837, false, false},
           {"email-Enron.mtx.gz", 36692, 183831, true, false},
           {"USA-road-d.NY.gr.gz", 264346, 730100, false, true},
           {"rodinia-graph4096.el.gz", 4096, 24576, false, false}};
  const char *shared = getenv("SHARED");
  size_t checked = 0;
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/data/graphs/%s", shared ? shared : "../shared", c[i].file);
    if (access(path, R_OK) != 0) {
      print_message("not checked, since absent: %s\n", path);
      continue;
    }
    wf_graph *g = open_ok(path);
    assert_int_equal(g->n_vertices, c[i].vertices);
    assert_int_equal(g->n_entries, c[i].edges);
    assert_int_equal(g->symmetric, c[i].symmetric);
    assert_int_equal(g->out_weight != NULL, c[i].weights);
    wf_graph_destroy(g);
    checked++;
  }
  if (checked == 0) skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_arcs),
      cmocka_unit_test(weights_in_either_order),
      cmocka_unit_test(drawn_weights),
      cmocka_unit_test(symmetric_weights),
      cmocka_unit_test(making_symmetric),
      cmocka_unit_test(simplifying),
      cmocka_unit_test(merging_keeps_loops),
      cmocka_unit_test(info_of_known_graphs),
      cmocka_unit_test(info_of_a_multigraph),
      cmocka_unit_test(info_printed),
      cmocka_unit_test(shipped_graph),
      cmocka_unit_test(graphs_of_the_literature),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
