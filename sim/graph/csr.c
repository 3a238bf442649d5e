#include "sim/graph/csr.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"

/* ---- arc lists ---- */

static uint64_t host_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

void wf_arcs_init(wf_arcs *arcs, bool weighted, uint64_t max_host_bytes) {
  *arcs = (wf_arcs){.weighted = weighted,
                    .limit_bytes = max_host_bytes ? max_host_bytes : host_bytes()};
}

void wf_arcs_free(wf_arcs *arcs) {
  free(arcs->tail);
  free(arcs->head);
  free(arcs->weight);
  free(arcs->no_weights);
  arcs->tail = arcs->head = arcs->weight = NULL;
  arcs->no_weights = NULL;
  arcs->n = arcs->capacity = 0;
}

void wf_arcs_drop_weights(wf_arcs *arcs, const char *why) {
  free(arcs->weight);
  free(arcs->no_weights);
  arcs->weight = NULL;
  arcs->weighted = false;
  arcs->no_weights = wf_strdup(why);
}

static bool too_large(const char *what, uint64_t bytes, uint64_t limit, wf_error *err) {
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s: needs about %llu MiB of host memory, more than the %llu MiB allowed", what,
                 (unsigned long long)(bytes >> 20), (unsigned long long)(limit >> 20));
}

bool wf_arcs_reserve(wf_arcs *arcs, uint64_t more, const char *what, wf_error *err) {
  uint64_t need = arcs->n + more;
  if (need <= arcs->capacity) return true;
  if (need > WF_GRAPH_MAX_EDGES)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: more than %u edges; row offsets on the device have 32 bits", what,
                   WF_GRAPH_MAX_EDGES);
  uint64_t capacity = arcs->capacity ? arcs->capacity * 2 : 4096;
  if (capacity < need) capacity = need;
  uint64_t bytes = capacity * (arcs->weighted ? 12u : 8u);
  if (bytes > arcs->limit_bytes) return too_large(what, bytes, arcs->limit_bytes, err);
  arcs->capacity = capacity;
  arcs->tail = wf_realloc(arcs->tail, capacity, sizeof *arcs->tail);
  arcs->head = wf_realloc(arcs->head, capacity, sizeof *arcs->head);
  if (arcs->weighted) arcs->weight = wf_realloc(arcs->weight, capacity, sizeof *arcs->weight);
  return true;
}

bool wf_graph_check_size(uint64_t n_vertices, uint64_t entries, uint64_t n_arcs, bool weighted,
                         uint64_t limit_bytes, const char *what, wf_error *err) {
  if (n_vertices < 1 || n_vertices > WF_GRAPH_MAX_VERTICES)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %llu vertices; 1 .. %u are possible", what,
                   (unsigned long long)n_vertices, WF_GRAPH_MAX_VERTICES);
  if (n_arcs > WF_GRAPH_MAX_EDGES)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: %llu edges (both directions counted); at most %u are possible, since row "
                   "offsets on the device have 32 bits",
                   what, (unsigned long long)n_arcs, WF_GRAPH_MAX_EDGES);
  uint64_t sensible = 1000000u + 64u * entries;
  if (n_vertices > sensible)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: %llu vertices are not plausible with %llu edges (at most 1000000 + 64 per "
                   "edge); if they are meant, number the vertices without gaps",
                   what, (unsigned long long)n_vertices, (unsigned long long)entries);
  /* The list, and two CSRs at the peak of sorting. */
  uint64_t bytes = (n_arcs * 3u + n_arcs / 2u) * (weighted ? 8u : 4u) + n_vertices * 12u;
  return bytes <= limit_bytes || too_large(what, bytes, limit_bytes, err);
}

/* ---- CSR ---- */

typedef struct csr {
  uint32_t *row, *col, *weight;
} csr;

/* Counts of key values into row[key + 1], summed so that row[k] is where key k begins. */
static uint32_t *row_offsets(uint32_t n, const uint32_t *key, uint64_t m) {
  uint32_t *row = wf_calloc((size_t)n + 1, sizeof *row);
  for (uint64_t i = 0; i < m; i++) row[key[i] + 1]++;
  for (uint32_t v = 0; v < n; v++) row[v + 1] += row[v];
  return row;
}

/* Scattering advanced row[k] to where key k ends, which is where k + 1 begins: move back by one. */
static void restore_offsets(uint32_t *row, uint32_t n) {
  memmove(row + 1, row, (size_t)n * sizeof *row);
  row[0] = 0;
}

static csr csr_alloc(uint32_t *row, uint64_t m, bool weighted) {
  csr c = {row, wf_calloc(m ? m : 1, sizeof *c.col), NULL};
  if (weighted) c.weight = wf_calloc(m ? m : 1, sizeof *c.weight);
  return c;
}

/* Stable counting sort of the list by head: rows are heads, columns tails. */
static csr csr_by_head(uint32_t n, const wf_arcs *a) {
  csr c = csr_alloc(row_offsets(n, a->head, a->n), a->n, a->weighted);
  for (uint64_t i = 0; i < a->n; i++) {
    uint32_t at = c.row[a->head[i]]++;
    c.col[at] = a->tail[i];
    if (c.weight) c.weight[at] = a->weight[i];
  }
  restore_offsets(c.row, n);
  return c;
}

/* Transpose; its rows come out ascending because rows are visited in order. */
static csr csr_transpose(uint32_t n, uint64_t m, const uint32_t *row, const uint32_t *col,
                         const uint32_t *weight) {
  csr c = csr_alloc(row_offsets(n, col, m), m, weight != NULL);
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t i = row[u]; i < row[u + 1]; i++) {
      uint32_t at = c.row[col[i]]++;
      c.col[at] = u;
      if (weight) c.weight[at] = weight[i];
    }
  restore_offsets(c.row, n);
  return c;
}

static bool list_sorted(const wf_arcs *a) {
  for (uint64_t i = 1; i < a->n; i++)
    if (a->tail[i - 1] > a->tail[i] ||
        (a->tail[i - 1] == a->tail[i] && a->head[i - 1] > a->head[i]))
      return false;
  return true;
}

/* Takes the list's memory where it can. */
static csr csr_from_list(uint32_t n, wf_arcs *a) {
  csr c;
  if (a->n && list_sorted(a)) {
    c = (csr){row_offsets(n, a->tail, a->n), wf_realloc(a->head, a->n, sizeof *a->head),
              a->weighted ? wf_realloc(a->weight, a->n, sizeof *a->weight) : NULL};
    a->head = a->weight = NULL;
    wf_arcs_free(a);
    return c;
  }
  csr by_head = csr_by_head(n, a);
  uint64_t m = a->n;
  wf_arcs_free(a);
  c = csr_transpose(n, m, by_head.row, by_head.col, by_head.weight);
  free(by_head.row);
  free(by_head.col);
  free(by_head.weight);
  return c;
}

static bool add_mirrors(wf_arcs *a, const char *what, wf_error *err) {
  uint64_t m = a->n;
  if (!wf_arcs_reserve(a, m, what, err)) return false;
  for (uint64_t i = 0; i < m; i++)
    if (a->tail[i] != a->head[i])
      wf_arcs_put(a, a->head[i], a->tail[i], a->weighted ? a->weight[i] : 0);
  return true;
}

wf_graph *wf_graph_from_list(const char *name, uint64_t n_vertices, wf_arcs *arcs, bool mirror,
                             const char *what, wf_error *err) {
  uint64_t entries = arcs->n;
  if (!wf_graph_check_size(n_vertices, entries, mirror ? 2 * entries : entries, arcs->weighted,
                           arcs->limit_bytes, what, err) ||
      (mirror && !add_mirrors(arcs, what, err))) {
    wf_arcs_free(arcs);
    return NULL;
  }
  wf_graph *g = wf_calloc(1, sizeof *g);
  g->name = wf_strdup(name);
  g->n_vertices = (uint32_t)n_vertices;
  g->n_edges = arcs->n;
  g->n_entries = entries;
  g->symmetric = mirror;
  g->no_weights = arcs->no_weights;
  arcs->no_weights = NULL;
  csr c = csr_from_list(g->n_vertices, arcs);
  g->out_row = c.row;
  g->out_col = c.col;
  g->out_weight = c.weight;
  return g;
}

wf_graph *wf_graph_from_arcs(const char *name, uint32_t n_vertices, uint64_t n_arcs,
                             const uint32_t *tail, const uint32_t *head, const uint32_t *weight,
                             bool symmetric, wf_error *err) {
  wf_arcs a;
  wf_arcs_init(&a, weight != NULL, 0);
  if (!wf_arcs_reserve(&a, symmetric ? 2 * n_arcs : n_arcs, name, err)) return NULL;
  for (uint64_t i = 0; i < n_arcs; i++) {
    if (tail[i] >= n_vertices || head[i] >= n_vertices) {
      wf_fail(err, WF_EXIT_BAD_INPUT, "%s: arc %llu is %u -> %u; vertices are 0 .. %u", name,
              (unsigned long long)i, tail[i], head[i], n_vertices - 1);
      wf_arcs_free(&a);
      return NULL;
    }
    wf_arcs_put(&a, tail[i], head[i], weight ? weight[i] : 0);
  }
  return wf_graph_from_list(name, n_vertices, &a, symmetric, name, err);
}

static void drop_in(wf_graph *g) {
  if (g->in_row != g->out_row) free(g->in_row);
  if (g->in_col != g->out_col) free(g->in_col);
  if (g->in_weight != g->out_weight) free(g->in_weight);
  g->in_row = g->in_col = g->in_weight = NULL;
}

void wf_graph_destroy(wf_graph *g) {
  if (!g) return;
  drop_in(g);
  free(g->out_row);
  free(g->out_col);
  free(g->out_weight);
  free(g->name);
  free(g->no_weights);
  free(g);
}

void wf_graph_need_in(wf_graph *g) {
  if (g->in_row) return;
  if (g->symmetric) {
    g->in_row = g->out_row;
    g->in_col = g->out_col;
    g->in_weight = g->out_weight;
    return;
  }
  csr c = csr_transpose(g->n_vertices, g->n_edges, g->out_row, g->out_col, g->out_weight);
  g->in_row = c.row;
  g->in_col = c.col;
  g->in_weight = c.weight;
}

/* ---- weights ---- */

/* A function of the two ends alone, so that in- and out-arcs agree without looking each other up.
 * Mixing steps of splitmix64. */
static uint32_t drawn_weight(uint64_t seed, uint32_t u, uint32_t v) {
  uint64_t z = (((uint64_t)u << 32) | v) + (seed + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return 1 + (uint32_t)(((z >> 32) * WF_GRAPH_DRAWN_WEIGHT_MAX) >> 32);
}

static uint32_t *draw_weights(const wf_graph *g, const uint32_t *row, const uint32_t *col,
                              bool inward, uint64_t seed) {
  uint32_t *weight = wf_calloc(g->n_edges ? g->n_edges : 1, sizeof *weight);
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = row[u]; i < row[u + 1]; i++) {
      uint32_t v = col[i];
      bool swap = g->symmetric ? u > v : inward;
      weight[i] = swap ? drawn_weight(seed, v, u) : drawn_weight(seed, u, v);
    }
  return weight;
}

bool wf_graph_need_weights(wf_graph *g, uint64_t seed, wf_error *err) {
  if (g->no_weights) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s", g->no_weights);
  if (g->out_weight) return true;
  g->out_weight = draw_weights(g, g->out_row, g->out_col, false, seed);
  if (g->in_row)
    g->in_weight = g->symmetric ? g->out_weight : draw_weights(g, g->in_row, g->in_col, true, seed);
  return true;
}

/* ---- changes of structure ---- */

void wf_graph_merge_parallel(wf_graph *g, bool keep_loops) {
  drop_in(g);
  uint32_t kept = 0, begin = 0, loops = 0;
  for (uint32_t u = 0; u < g->n_vertices; u++) {
    uint32_t first = kept, end = g->out_row[u + 1];
    for (uint32_t i = begin; i < end; i++) {
      uint32_t v = g->out_col[i], w = g->out_weight ? g->out_weight[i] : 0;
      if (v == u && !keep_loops) continue;
      if (kept > first && g->out_col[kept - 1] == v) {
        if (g->out_weight && w < g->out_weight[kept - 1]) g->out_weight[kept - 1] = w;
        continue;
      }
      loops += v == u;
      g->out_col[kept] = v;
      if (g->out_weight) g->out_weight[kept] = w;
      kept++;
    }
    begin = end;
    g->out_row[u + 1] = kept;
  }
  g->n_edges = kept;
  g->n_entries = g->symmetric ? (kept - loops) / 2 + loops : kept;
}

void wf_graph_simplify(wf_graph *g) {
  wf_graph_merge_parallel(g, false);
}

/* Merges the out- and in-row of u into c at `at`; returns the new end. With c->col NULL it only
 * counts. Both rows are simple and ascending. */
static uint64_t merge_rows(const wf_graph *g, uint32_t u, csr *c, uint64_t at) {
  uint32_t i = g->out_row[u], i_end = g->out_row[u + 1];
  uint32_t j = g->in_row[u], j_end = g->in_row[u + 1];
  for (; i < i_end || j < j_end; at++) {
    bool out = j == j_end || (i < i_end && g->out_col[i] <= g->in_col[j]);
    bool in = i == i_end || (j < j_end && g->in_col[j] <= g->out_col[i]);
    if (c->col) c->col[at] = out ? g->out_col[i] : g->in_col[j];
    if (c->weight) {
      uint32_t w = out ? g->out_weight[i] : g->in_weight[j];
      c->weight[at] = out && in && g->in_weight[j] < w ? g->in_weight[j] : w;
    }
    i += out;
    j += in;
  }
  return at;
}

bool wf_graph_make_symmetric(wf_graph *g, wf_error *err) {
  wf_graph_simplify(g);
  if (g->symmetric) return true;
  wf_graph_need_in(g);
  csr c = {0};
  uint64_t m = 0;
  for (uint32_t u = 0; u < g->n_vertices; u++) m = merge_rows(g, u, &c, m);
  if (m > WF_GRAPH_MAX_EDGES)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %llu edges when made symmetric; at most %u",
                   g->name, (unsigned long long)m, WF_GRAPH_MAX_EDGES);
  c = csr_alloc(wf_calloc((size_t)g->n_vertices + 1, sizeof *c.row), m, g->out_weight != NULL);
  m = 0;
  for (uint32_t u = 0; u < g->n_vertices; u++)
    c.row[u + 1] = (uint32_t)(m = merge_rows(g, u, &c, m));
  drop_in(g);
  free(g->out_row);
  free(g->out_col);
  free(g->out_weight);
  g->out_row = c.row;
  g->out_col = c.col;
  g->out_weight = c.weight;
  g->n_edges = m;
  g->n_entries = m / 2;
  g->symmetric = true;
  return true;
}

/* ---- small queries ---- */

uint32_t wf_graph_busiest_vertex(const wf_graph *g) {
  uint32_t best = 0;
  for (uint32_t u = 1; u < g->n_vertices; u++)
    if (wf_graph_out_degree(g, u) > wf_graph_out_degree(g, best)) best = u;
  return best;
}

/* CRC-32 of words in little-endian order, in steps that suit zlib's 32-bit lengths. */
static uint32_t crc_words(uint32_t crc, const uint32_t *words, uint64_t n) {
  unsigned char bytes[4096];
  for (uint64_t i = 0; i < n;) {
    unsigned used = 0;
    for (; i < n && used < sizeof bytes; i++)
      for (int shift = 0; shift < 32; shift += 8)
        bytes[used++] = (unsigned char)(words[i] >> shift);
    crc = (uint32_t)crc32(crc, bytes, used);
  }
  return crc;
}

uint32_t wf_graph_checksum(const wf_graph *g) {
  uint32_t sizes[] = {g->n_vertices, (uint32_t)g->n_edges, g->symmetric, g->out_weight != NULL};
  uint32_t crc = crc_words(0, sizes, 4);
  crc = crc_words(crc, g->out_row, (uint64_t)g->n_vertices + 1);
  crc = crc_words(crc, g->out_col, g->n_edges);
  return g->out_weight ? crc_words(crc, g->out_weight, g->n_edges) : crc;
}
