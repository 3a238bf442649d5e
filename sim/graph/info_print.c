/* Statistics as a table and as JSON. */
#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/graph/graph.h"

typedef struct text {
  char *at;
  size_t used, capacity;
} text;

static void __attribute__((format(printf, 2, 3))) put(text *t, const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  size_t bytes = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
  if (t->used + bytes + 1 > t->capacity) {
    t->capacity = 2 * t->capacity + bytes + 1024;
    t->at = wf_realloc(t->at, t->capacity, 1);
  }
  memcpy(t->at + t->used, line, bytes);
  t->used += bytes;
  t->at[t->used] = 0;
}

/* "1,234,567" */
static const char *grouped(uint64_t value, char out[32]) {
  char digits[24];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  char *p = out;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) *p++ = ',';
    *p++ = digits[i];
  }
  *p = 0;
  return out;
}

static void put_count(text *t, const char *label, uint64_t value, const char *behind) {
  char number[32];
  put(t, "  %-22s %14s%s\n", label, grouped(value, number), behind);
}

static void put_share(text *t, const char *label, uint64_t value, uint64_t whole) {
  char behind[32] = "";
  if (whole) snprintf(behind, sizeof behind, "  %5.1f %%", 100.0 * (double)value / (double)whole);
  put_count(t, label, value, behind);
}

/* Eighths of a cell by Unicode block elements, so that small bins stay visible. */
static void put_bar(text *t, uint64_t value, uint64_t most) {
  static const char *const part[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!most) return;
  uint64_t eighths = (value * 24 * 8 + most - 1) / most;
  for (uint64_t i = 0; i < eighths / 8; i++) put(t, "█");
  put(t, "%s", part[eighths % 8]);
}

static unsigned bins_used(const uint64_t *bins) {
  unsigned n = WF_GRAPH_BINS;
  while (n > 1 && !bins[n - 1]) n--;
  return n;
}

static uint64_t largest(const uint64_t *bins) {
  uint64_t most = 0;
  for (unsigned b = 0; b < WF_GRAPH_BINS; b++)
    if (bins[b] > most) most = bins[b];
  return most;
}

static void put_histogram(text *t, const char *title, const uint64_t *bins) {
  put(t, "\n  %-21s %14s\n", title, "vertices");
  for (unsigned b = 0; b < bins_used(bins); b++) {
    char range[64], number[32];
    unsigned long long low = b ? 1ull << (b - 1) : 0, high = b ? (1ull << b) - 1 : 0;
    if (low == high)
      snprintf(range, sizeof range, "%llu", low);
    else
      snprintf(range, sizeof range, "%llu .. %llu", low, high);
    put(t, "  %21s %14s  ", range, grouped(bins[b], number));
    put_bar(t, bins[b], largest(bins));
    put(t, "\n");
  }
}

char *wf_graph_info_text(const wf_graph *graph, const wf_graph_info *info) {
  text t = {0};
  char behind[80];
  put(&t, "%.400s\n", graph->name);
  put_count(&t, "vertices", info->n_vertices, "");
  put_count(&t, "edges held", info->n_edges, info->symmetric ? "  both directions of each" : "");
  put_count(&t, "edges in the source", info->n_entries, info->symmetric ? "  undirected" : "");
  if (info->weighted)
    put(&t, "  %-22s %6u .. %u\n", "weights", info->weight_min, info->weight_max);
  else
    put(&t, "  %-22s %14s\n", "weights", "none");
  put(&t, "  %-22s %14.2f\n", "mean degree", info->degree_mean);
  snprintf(behind, sizeof behind, "  vertex %u", info->out_degree_max_vertex);
  put_count(&t, "largest out-degree", info->out_degree_max, behind);
  snprintf(behind, sizeof behind, "  vertex %u", info->in_degree_max_vertex);
  put_count(&t, "largest in-degree", info->in_degree_max, behind);
  put_count(&t, "self loops", info->self_loops, "");
  put_count(&t, "parallel arcs", info->parallel_arcs, "");
  put_share(&t, "isolated vertices", info->isolated, info->n_vertices);
  put_count(&t, "weak components", info->components, "");
  put_share(&t, "largest component", info->largest_component, info->n_vertices);
  put_count(&t, "diameter, at least", info->diameter_at_least, "  hops, undirected");
  put_count(&t, "BFS depth", info->bfs_depth, "  from the vertex of most out-arcs");
  put_share(&t, "BFS reaches", info->bfs_reached, info->n_vertices);
  put(&t, "  %-22s %14.1f %%\n", "reciprocal arcs", 100 * info->reciprocity);
  put(&t, "  %-22s       %08x\n", "checksum", info->checksum);
  put_histogram(&t, info->symmetric ? "degree" : "out-degree", info->out_bins);
  if (!info->symmetric) put_histogram(&t, "in-degree", info->in_bins);
  return t.at;
}

static void add_bins(cJSON *o, const char *key, const uint64_t *bins) {
  cJSON *list = cJSON_AddArrayToObject(o, key);
  for (unsigned b = 0; b < bins_used(bins); b++)
    cJSON_AddItemToArray(list, cJSON_CreateNumber((double)bins[b]));
}

char *wf_graph_info_json(const wf_graph *graph, const wf_graph_info *info) {
  cJSON *o = cJSON_CreateObject();
  char checksum[16];
  snprintf(checksum, sizeof checksum, "%08x", info->checksum);
  cJSON_AddStringToObject(o, "name", graph->name);
  cJSON_AddNumberToObject(o, "vertices", info->n_vertices);
  cJSON_AddNumberToObject(o, "edges", (double)info->n_edges);
  cJSON_AddNumberToObject(o, "edges_in_source", (double)info->n_entries);
  cJSON_AddBoolToObject(o, "symmetric", info->symmetric);
  cJSON_AddBoolToObject(o, "weighted", info->weighted);
  if (info->weighted) {
    cJSON_AddNumberToObject(o, "weight_min", info->weight_min);
    cJSON_AddNumberToObject(o, "weight_max", info->weight_max);
  }
  cJSON_AddNumberToObject(o, "degree_mean", info->degree_mean);
  cJSON_AddNumberToObject(o, "out_degree_max", info->out_degree_max);
  cJSON_AddNumberToObject(o, "out_degree_max_vertex", info->out_degree_max_vertex);
  cJSON_AddNumberToObject(o, "in_degree_max", info->in_degree_max);
  cJSON_AddNumberToObject(o, "in_degree_max_vertex", info->in_degree_max_vertex);
  cJSON_AddNumberToObject(o, "self_loops", (double)info->self_loops);
  cJSON_AddNumberToObject(o, "parallel_arcs", (double)info->parallel_arcs);
  cJSON_AddNumberToObject(o, "isolated", info->isolated);
  cJSON_AddNumberToObject(o, "components", info->components);
  cJSON_AddNumberToObject(o, "largest_component", info->largest_component);
  cJSON_AddNumberToObject(o, "diameter_at_least", info->diameter_at_least);
  cJSON_AddNumberToObject(o, "bfs_depth", info->bfs_depth);
  cJSON_AddNumberToObject(o, "bfs_reached", info->bfs_reached);
  cJSON_AddNumberToObject(o, "reciprocity", info->reciprocity);
  cJSON_AddStringToObject(o, "checksum", checksum);
  add_bins(o, "out_degree_log2_bins", info->out_bins);
  add_bins(o, "in_degree_log2_bins", info->in_bins);
  char *printed = cJSON_Print(o);
  cJSON_Delete(o);
  return printed;
}
