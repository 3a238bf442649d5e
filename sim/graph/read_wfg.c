/* Our binary CSR. Little-endian:
 *   0  8 bytes  "WFGRAPH\n"          24  u64  m: arcs
 *   8  u32  version, 1               32  u64  entries: edges as the first source counted them
 *  12  u32  flags: 1 symmetric, 2 weights
 *  16  u64  n: vertices              40  u32 row[n + 1], col[m], weight[m] if flagged,
 *                                        then the CRC-32 of all bytes before it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/graph/read.h"

enum { HEADER_BYTES = 40, STEP_WORDS = 1 << 16 };

static uint32_t load32(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static uint64_t load64(const unsigned char *p) {
  return load32(p) | (uint64_t)load32(p + 4) << 32;
}

static bool read_all(wf_source *s, void *to, size_t bytes) {
  size_t got;
  if (!wf_source_read(s, to, bytes, &got)) return false;
  if (got == bytes) return true;
  return wf_source_fail(s, "the file ends early; it is truncated");
}

/* Grows with the data, so that a false size in the header cannot allocate much. */
static uint32_t *read_words(wf_source *s, uint64_t n, uint32_t *crc) {
  uint32_t *words = NULL;
  for (uint64_t have = 0, capacity = 0; have < n;) {
    size_t take = n - have < STEP_WORDS ? (size_t)(n - have) : STEP_WORDS;
    if (have + take > capacity) {
      capacity = capacity ? 2 * capacity : take;
      if (capacity > n) capacity = n;
      words = wf_realloc(words, capacity, sizeof *words);
    }
    unsigned char *raw = (unsigned char *)(words + have);
    if (!read_all(s, raw, take * 4)) {
      free(words);
      return NULL;
    }
    *crc = (uint32_t)crc32(*crc, raw, (unsigned)take * 4);
    for (size_t i = 0; i < take; i++) words[have + i] = load32(raw + 4 * i);
    have += take;
  }
  return words ? words : wf_calloc(1, sizeof *words);
}

static bool read_header(wf_source *s, const unsigned char *h, wf_graph *g,
                        const wf_graph_options *o) {
  uint32_t version = load32(h + 8), flags = load32(h + 12);
  if (version != WF_WFG_VERSION)
    return wf_source_fail(s, ".wfg version %u; this program reads version %d", version,
                          WF_WFG_VERSION);
  if (flags > (WF_WFG_SYMMETRIC | WF_WFG_WEIGHTS))
    return wf_source_fail(s, ".wfg flags 0x%x; 0x0 .. 0x3 are defined", flags);
  uint64_t n = load64(h + 16), m = load64(h + 24);
  wf_arcs limits;
  wf_arcs_init(&limits, false, o->max_host_bytes);
  bool ok =
      wf_graph_check_size(n, m, m, flags & WF_WFG_WEIGHTS, limits.limit_bytes, s->path, s->err);
  if (!ok) {
    s->failed = true;
    return false;
  }
  g->n_vertices = (uint32_t)n;
  g->n_edges = m;
  g->n_entries = load64(h + 32);
  g->symmetric = flags & WF_WFG_SYMMETRIC;
  if (g->n_entries > m)
    return wf_source_fail(s, "%llu edges in the source of %llu arcs; at most as many are possible",
                          (unsigned long long)g->n_entries, (unsigned long long)m);
  return true;
}

static bool check_rows(wf_source *s, const wf_graph *g) {
  const uint32_t n = g->n_vertices;
  if (g->out_row[0] != 0 || g->out_row[n] != g->n_edges)
    return wf_source_fail(s, "row offsets run from %u to %u; expected 0 to %llu", g->out_row[0],
                          g->out_row[n], (unsigned long long)g->n_edges);
  for (uint32_t u = 0; u < n; u++)
    if (g->out_row[u] > g->out_row[u + 1])
      return wf_source_fail(s, "row offset %u of vertex %u is above the next one, %u",
                            g->out_row[u], u, g->out_row[u + 1]);
  return true;
}

static bool check_arcs(wf_source *s, const wf_graph *g) {
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++) {
      if (g->out_col[i] >= g->n_vertices)
        return wf_source_fail(s, "an arc %u -> %u; vertices are 0 .. %u", u, g->out_col[i],
                              g->n_vertices - 1);
      if (i > g->out_row[u] && g->out_col[i] < g->out_col[i - 1])
        return wf_source_fail(s, "the arcs of vertex %u are not in ascending order", u);
      if (g->out_weight && g->out_weight[i] > WF_GRAPH_MAX_WEIGHT)
        return wf_source_fail(s, "weight %u of an arc %u -> %u; at most %u is possible",
                              g->out_weight[i], u, g->out_col[i], WF_GRAPH_MAX_WEIGHT);
    }
  return true;
}

/* Rows are ascending, so going through tails in order meets the reverse arcs of every row in order.
 */
static bool check_symmetry(wf_source *s, const wf_graph *g) {
  if (!g->symmetric) return true;
  bool ok = true;
  uint32_t *next = wf_calloc(g->n_vertices, sizeof *next); /* first arc of v not yet met */
  memcpy(next, g->out_row, g->n_vertices * sizeof *next);
  for (uint32_t u = 0; ok && u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; ok && i < g->out_row[u + 1]; i++) {
      uint32_t v = g->out_col[i], k = next[v]++;
      if (k >= g->out_row[v + 1] || g->out_col[k] != u)
        ok = wf_source_fail(s,
                            "the graph is marked symmetric, but %u -> %u and %u -> %u do not occur "
                            "equally often",
                            u, v, v, u);
    }
  free(next);
  return ok;
}

static bool read_trailer(wf_source *s, uint32_t crc) {
  unsigned char trailer[5];
  size_t got;
  if (!wf_source_read(s, trailer, sizeof trailer, &got)) return false;
  if (got < 4) return wf_source_fail(s, "the file ends early; it is truncated");
  if (got > 4) return wf_source_fail(s, "bytes behind the end of the graph");
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  if (load32(trailer) != crc)
    return wf_source_fail(s, "checksum %08x, but the file says %08x: it is damaged; write it again",
                          crc, load32(trailer));
#endif
  return true;
}

static bool read_body(wf_source *s, wf_graph *g, const wf_graph_options *o) {
  unsigned char header[HEADER_BYTES];
  if (!read_all(s, header, sizeof header) || !read_header(s, header, g, o)) return false;
  uint32_t crc = (uint32_t)crc32(0, header, sizeof header);
  if (!(g->out_row = read_words(s, (uint64_t)g->n_vertices + 1, &crc)) ||
      !(g->out_col = read_words(s, g->n_edges, &crc)))
    return false;
  if (load32(header + 12) & WF_WFG_WEIGHTS && !(g->out_weight = read_words(s, g->n_edges, &crc)))
    return false;
  return read_trailer(s, crc) && check_rows(s, g) && check_arcs(s, g) && check_symmetry(s, g);
}

wf_graph *wf_graph_read_wfg(wf_source *s, const char *name, const wf_graph_options *options) {
  wf_graph *g = wf_calloc(1, sizeof *g);
  g->name = wf_strdup(name);
  if (!read_body(s, g, options)) {
    wf_graph_destroy(g);
    return NULL;
  }
  if (options->ignore_weights) {
    free(g->out_weight);
    g->out_weight = NULL;
  }
  return g;
}
