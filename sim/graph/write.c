/* Writers; the readers' files describe the formats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/graph/read.h"
#include "sim/graph/sink.h"

/* A symmetric graph is written as its lower triangle, which holds every edge once. */
static void write_mtx(const wf_graph *g, wf_sink *k) {
  char text[160];
  uint64_t entries = 0;
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++)
      entries += !g->symmetric || g->out_col[i] <= u;
  snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate %s %s\n%u %u %llu\n",
           g->out_weight ? "integer" : "pattern", g->symmetric ? "symmetric" : "general",
           g->n_vertices, g->n_vertices, (unsigned long long)entries);
  wf_sink_text(k, text);
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++) {
      if (g->symmetric && g->out_col[i] > u) continue;
      wf_sink_number(k, (uint64_t)u + 1, ' ');
      wf_sink_number(k, (uint64_t)g->out_col[i] + 1, g->out_weight ? ' ' : '\n');
      if (g->out_weight) wf_sink_number(k, g->out_weight[i], '\n');
    }
}

static void write_el(const wf_graph *g, wf_sink *k) {
  char text[160];
  snprintf(text, sizeof text, "# Nodes: %u Edges: %llu\n", g->n_vertices,
           (unsigned long long)g->n_edges);
  wf_sink_text(k, text);
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++) {
      wf_sink_number(k, u, '\t');
      wf_sink_number(k, g->out_col[i], g->out_weight ? '\t' : '\n');
      if (g->out_weight) wf_sink_number(k, g->out_weight[i], '\n');
    }
}

static void write_gr(const wf_graph *g, wf_sink *k) {
  char text[160];
  snprintf(text, sizeof text, "p sp %u %llu\n", g->n_vertices, (unsigned long long)g->n_edges);
  wf_sink_text(k, text);
  for (uint32_t u = 0; u < g->n_vertices; u++)
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++) {
      wf_sink_write(k, "a ", 2);
      wf_sink_number(k, (uint64_t)u + 1, ' ');
      wf_sink_number(k, (uint64_t)g->out_col[i] + 1, ' ');
      wf_sink_number(k, g->out_weight ? g->out_weight[i] : 1, '\n');
    }
}

static void put_le(wf_sink *k, uint32_t *crc, uint64_t value, unsigned bytes) {
  unsigned char raw[8];
  for (unsigned i = 0; i < bytes; i++) raw[i] = (unsigned char)(value >> (8 * i));
  *crc = (uint32_t)crc32(*crc, raw, bytes);
  wf_sink_write(k, raw, bytes);
}

static void put_words(wf_sink *k, uint32_t *crc, const uint32_t *words, uint64_t n) {
  unsigned char raw[4096];
  for (uint64_t i = 0; i < n;) {
    unsigned used = 0;
    for (; i < n && used < sizeof raw; i++)
      for (int shift = 0; shift < 32; shift += 8) raw[used++] = (unsigned char)(words[i] >> shift);
    *crc = (uint32_t)crc32(*crc, raw, used);
    wf_sink_write(k, raw, used);
  }
}

static void write_wfg(const wf_graph *g, wf_sink *k) {
  uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)WF_WFG_MAGIC, 8), unused = 0;
  wf_sink_write(k, WF_WFG_MAGIC, 8);
  put_le(k, &crc, WF_WFG_VERSION, 4);
  put_le(k, &crc, (g->symmetric ? WF_WFG_SYMMETRIC : 0u) | (g->out_weight ? WF_WFG_WEIGHTS : 0u),
         4);
  put_le(k, &crc, g->n_vertices, 8);
  put_le(k, &crc, g->n_edges, 8);
  put_le(k, &crc, g->n_entries, 8);
  put_words(k, &crc, g->out_row, (uint64_t)g->n_vertices + 1);
  put_words(k, &crc, g->out_col, g->n_edges);
  if (g->out_weight) put_words(k, &crc, g->out_weight, g->n_edges);
  put_le(k, &unused, crc, 4);
}

typedef void writer(const wf_graph *g, wf_sink *k);

static writer *writer_for(const char *path) {
  static const struct {
    const char *ending;
    writer *write;
  } known[] = {{".mtx", write_mtx},
               {".el", write_el},
               {".txt", write_el},
               {".gr", write_gr},
               {".wfg", write_wfg}};
  size_t n = strlen(path);
  if (n > 3 && !strcmp(path + n - 3, ".gz"))
    n -= 3;
  else if (n > 4 && !strcmp(path + n - 4, ".zst"))
    n -= 4;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    size_t k = strlen(known[i].ending);
    if (n > k && !strncmp(path + n - k, known[i].ending, k)) return known[i].write;
  }
  return NULL;
}

bool wf_graph_write(const wf_graph *graph, const char *path, wf_error *err) {
  writer *write = writer_for(path);
  if (!write)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: the name's ending says no graph format; expected .mtx, .el, .txt, .gr or "
                   ".wfg, optionally followed by .gz or .zst",
                   path);
  wf_sink *k = wf_sink_open(path, err);
  if (!k) return false;
  write(graph, k);
  return wf_sink_finish(k, err);
}
