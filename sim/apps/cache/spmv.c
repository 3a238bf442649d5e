/* Sparse matrix times vector in JDS format, as in Parboil. The matrix is the graph's arcs with
 * drawn values: row u holds u's out-arcs. */
#include "sim/apps/cache/suite.h"

enum { BLOCK = 256, LANES = 32 };

static const char *const forms[] = {"plain", "ahead", "far"}, *const kernels[] = {"spmv_jds",
                                                                                  "spmv_ahead",
                                                                                  "spmv_far"};
typedef struct settings {
  uint32_t turns, form;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, turns, 1, 100000, 1, "multiplications; all alike"),
    WF_APP_CHOICE(settings, form, forms, 0,
                  "plain: as in Parboil; ahead: four elements of a row in flight; far: the same, "
                  "the vector past the L1"),
    {0}};

/* Element k of sorted row r at diagonal[k] + r. Rows of a warp are padded to its longest with
 * zeros. */
typedef struct jds {
  uint32_t n, n_warps, n_diagonals, n_elements;
  uint32_t *perm, *diagonal, *length, *index;
  float *data;
} jds;

/* Rows by falling length; of equal length in order. */
static void sort_rows(const wf_graph *g, wf_suite_host *host, uint32_t *perm) {
  uint32_t longest = 0;
  for (uint32_t v = 0; v < g->n_vertices; v++)
    if (wf_graph_out_degree(g, v) > longest) longest = wf_graph_out_degree(g, v);
  uint32_t *first = wf_suite_array(host, longest + 2ull, sizeof *first);
  for (uint32_t v = 0; v < g->n_vertices; v++) first[longest - wf_graph_out_degree(g, v) + 1]++;
  for (uint32_t d = 0; d <= longest; d++) first[d + 1] += first[d];
  for (uint32_t v = 0; v < g->n_vertices; v++)
    perm[first[longest - wf_graph_out_degree(g, v)]++] = v;
}

static jds make_jds(const wf_graph *g, wf_suite_host *host, wf_rng *rng) {
  jds m = {.n = g->n_vertices, .n_warps = (g->n_vertices + LANES - 1) / LANES};
  m.perm = wf_suite_array(host, m.n, 4);
  sort_rows(g, host, m.perm);
  m.length = wf_suite_array(host, m.n_warps, 4);
  for (uint32_t w = 0; w < m.n_warps; w++) m.length[w] = wf_graph_out_degree(g, m.perm[w * LANES]);
  m.n_diagonals = m.length[0];
  m.diagonal = wf_suite_array(host, m.n_diagonals, 4);
  for (uint32_t k = 0, warps = m.n_warps; k < m.n_diagonals; k++) {
    while (m.length[warps - 1] <= k) warps--;
    m.diagonal[k] = m.n_elements;
    m.n_elements += warps * LANES;
  }
  m.index = wf_suite_array(host, m.n_elements, 4);
  m.data = wf_suite_array(host, m.n_elements, 4);
  for (uint32_t r = 0; r < m.n; r++)
    for (uint32_t k = 0; k < wf_graph_out_degree(g, m.perm[r]); k++) {
      m.index[m.diagonal[k] + r] = g->out_col[g->out_row[m.perm[r]] + k];
      m.data[m.diagonal[k] + r] = (float)(1 + wf_rng_below(rng, 4096)) / 4096.0f;
    }
  return m;
}

static void multiply(const jds *m, const float *x, float *result) {
  for (uint32_t r = 0; r < m->n; r++) {
    float sum = 0.0f;
    for (uint32_t k = 0; k < m->length[r / LANES]; k++)
      sum += m->data[m->diagonal[k] + r] * x[m->index[m->diagonal[k] + r]];
    result[m->perm[r]] = sum;
  }
}

static bool spmv(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  jds m = make_jds(run->graph, host, &rng);
  float *x = wf_suite_floats(host, &rng, m.n, 0.0f, 1.0f), *expected = wf_suite_array(host, m.n, 4);
  wf_gpu *gpu = run->gpu;
  uint64_t result, data, index, perm, device_x, diagonal, length;
  if (!(result = wf_app_reserve(gpu, 0xff, m.n * 4ull, "result", err)) ||
      !(data = wf_app_upload(gpu, m.data, m.n_elements * 4ull, "data", err)) ||
      !(index = wf_app_upload(gpu, m.index, m.n_elements * 4ull, "index", err)) ||
      !(perm = wf_app_upload(gpu, m.perm, m.n * 4ull, "perm", err)) ||
      !(device_x = wf_app_upload(gpu, x, m.n * 4ull, "x", err)) ||
      !(diagonal = wf_app_upload(gpu, m.diagonal, m.n_diagonals * 4ull, "diagonals", err)) ||
      !(length = wf_app_upload(gpu, m.length, m.n_warps * 4ull, "lengths", err)))
    return false;
  for (; run->supersteps < s.turns; run->supersteps++)
    if (!WF_SUITE_LAUNCH(run, kernels[s.form], wf_suite_line(m.n, BLOCK), err, &result, &data,
                         &index, &perm, &device_x, &diagonal, &length, &m.n))
      return false;
  multiply(&m, x, expected);
  wf_app_report(run, "elements", (double)run->graph->n_edges);
  wf_app_report(run, "padding", (double)m.n_elements - (double)run->graph->n_edges);
  return wf_suite_check_f32(run, host, "result of row", result, expected, m.n, err);
}

WF_SUITE_APP(spmv, "sparse matrix (the graph) times vector, JDS, as in Parboil", options, true,
             spmv);
