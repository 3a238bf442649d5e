/* Any bytes as a graph file, or behind "gen:" as a generator's text: must give an error or a sound
 * graph, on which everything else works. Run by `make fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/graph/generate.h"
#include "sim/graph/read.h"

static void require(bool condition) {
  if (!condition) abort();
}

static void check_rows(const wf_graph *g, const uint32_t *row, const uint32_t *col) {
  require(row[0] == 0 && row[g->n_vertices] == g->n_edges);
  for (uint32_t u = 0; u < g->n_vertices; u++) {
    require(row[u] <= row[u + 1]);
    for (uint32_t i = row[u]; i < row[u + 1]; i++) {
      require(col[i] < g->n_vertices);
      require(i == row[u] || col[i - 1] <= col[i]);
    }
  }
}

static void check_weights(const wf_graph *g) {
  uint64_t out = 0, in = 0;
  for (uint64_t i = 0; i < g->n_edges; i++) {
    require(g->out_weight[i] <= WF_GRAPH_MAX_WEIGHT);
    out += g->out_weight[i];
    in += g->in_weight[i];
  }
  require(out == in);
}

static void use(wf_graph *g) {
  wf_graph_info info;
  require(g->n_vertices >= 1 && g->n_entries <= g->n_edges);
  check_rows(g, g->out_row, g->out_col);
  wf_graph_get_info(g, &info);
  check_rows(g, g->in_row, g->in_col);
  require(info.largest_component <= g->n_vertices && info.components >= 1);
  require(info.bfs_reached <= info.largest_component || g->n_edges == 0);
  free(wf_graph_info_text(g, &info));
  free(wf_graph_info_json(g, &info));
  const bool weights = wf_graph_need_weights(g, 1, NULL);
  require(weights == !g->no_weights);
  if (weights) check_weights(g);
  require(wf_graph_make_symmetric(g, NULL));
  wf_graph_need_in(g);
  check_rows(g, g->in_row, g->in_col);
}

static wf_graph *read_bytes(const uint8_t *data, size_t bytes, const wf_graph_options *options,
                            wf_error *err) {
  wf_source s;
  if (!wf_source_open_memory(&s, "fuzz", data, bytes, err)) return NULL;
  wf_graph *g = wf_graph_read(&s, "fuzz", options);
  wf_source_close(&s);
  return g;
}

static wf_graph *generate_text(const uint8_t *data, size_t bytes, const wf_graph_options *options,
                               wf_error *err) {
  char text[256] = {0};
  memcpy(text, data, bytes < sizeof text ? bytes : sizeof text - 1);
  return wf_graph_generate(text, options, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  wf_graph_options options = {.max_host_bytes = 1 << 20,
                              .simplify = bytes % 8 == 7,
                              .ignore_weights = bytes % 4 == 3,
                              .drop_weights = bytes % 4 == 1};
  wf_error err = {0};
  bool generator = bytes > 4 && !memcmp(data, "gen:", 4);
  wf_graph *g = generator ? generate_text(data + 4, bytes - 4, &options, &err)
                          : read_bytes(data, bytes, &options, &err);
  require((g != NULL) == (err.code == 0)); /* an error has a code, a graph has none */
  require(g || err.text[0]);
  if (g) use(g);
  wf_graph_destroy(g);
  return 0;
}
