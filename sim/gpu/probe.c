#include "sim/gpu/probe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { LINE_BYTES = 128 };

typedef struct region {
  uint32_t first_line, n_lines;
  char *what;
  wf_probe_count count;
} region;

/* The lines a warp has touched, each with the last of the warp's operations on that allocation. */
typedef struct touched {
  uint32_t line;
  uint32_t op; /* 1 + number of the operation; 0: free */
} touched;

typedef struct warp_history {
  uint64_t uid;
  uint32_t *ops; /* per region: the warp's operations so far */
  unsigned n_ops;
  touched *table; /* open addressing, at most half full */
  uint32_t capacity, used;
} warp_history;

struct wf_probe {
  region *regions;
  unsigned n;
  warp_history *slots; /* [WF_PROBE_SLOTS] */
};

wf_probe *wf_probe_create(void) {
  wf_probe *probe = wf_calloc(1, sizeof *probe);
  probe->slots = wf_calloc(WF_PROBE_SLOTS, sizeof *probe->slots);
  return probe;
}

void wf_probe_destroy(wf_probe *probe) {
  if (!probe) return;
  for (unsigned i = 0; i < probe->n; i++) free(probe->regions[i].what);
  for (unsigned i = 0; i < WF_PROBE_SLOTS; i++) {
    free(probe->slots[i].ops);
    free(probe->slots[i].table);
  }
  free(probe->slots);
  free(probe->regions);
  free(probe);
}

void wf_probe_region(wf_probe *probe, uint64_t address, uint64_t bytes, const char *what) {
  probe->regions = wf_realloc(probe->regions, probe->n + 1, sizeof *probe->regions);
  region *r = &probe->regions[probe->n++];
  *r = (region){.first_line = (uint32_t)(address / LINE_BYTES),
                .n_lines = (uint32_t)(bytes / LINE_BYTES + 1),
                .what = wf_strdup(what)};
  r->count.what = r->what;
}

static region *find(wf_probe *probe, uint32_t line) {
  unsigned low = 0, high = probe->n;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (probe->regions[middle].first_line <= line)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return NULL;
  region *r = &probe->regions[low - 1];
  return line - r->first_line < r->n_lines ? r : NULL;
}

static void begin_warp(wf_probe *probe, warp_history *h, uint64_t uid) {
  h->uid = uid;
  h->ops = wf_realloc(h->ops, probe->n, sizeof *h->ops);
  h->n_ops = probe->n;
  memset(h->ops, 0, probe->n * sizeof *h->ops);
  if (h->table) memset(h->table, 0, h->capacity * sizeof *h->table);
  h->used = 0;
}

static touched *place_of(const warp_history *h, uint32_t line) {
  uint32_t at = line * 2654435761u & (h->capacity - 1);
  while (h->table[at].op && h->table[at].line != line) at = (at + 1) & (h->capacity - 1);
  return &h->table[at];
}

static void grow(warp_history *h) {
  touched *old = h->table;
  uint32_t n = h->capacity;
  h->capacity = n ? 2 * n : 64;
  h->table = wf_calloc(h->capacity, sizeof *h->table);
  for (uint32_t i = 0; i < n; i++)
    if (old[i].op) *place_of(h, old[i].line) = old[i];
  free(old);
}

void wf_probe_load(wf_probe *probe, unsigned slot, uint64_t uid, const uint32_t *lines,
                   unsigned n_lines, unsigned stride_bytes) {
  warp_history *h = &probe->slots[slot];
  region *r = n_lines ? find(probe, lines[0]) : NULL;
  if (!r) return;
  if (h->uid != uid || h->n_ops != probe->n) begin_warp(probe, h, uid);
  uint32_t op = h->ops[r - probe->regions]++;
  r->count.operations++;
  const uint8_t *at = (const uint8_t *)lines;
  for (unsigned i = 0; i < n_lines; i++, at += stride_bytes) {
    uint32_t line;
    memcpy(&line, at, sizeof line);
    if (line - r->first_line >= r->n_lines) continue;
    if (2 * (h->used + 1) > h->capacity) grow(h);
    touched *t = place_of(h, line);
    uint32_t last = t->op;
    h->used += !last;
    *t = (touched){line, op + 1};
    for (unsigned w = 0; w < WF_PROBE_WINDOWS; w++)
      if (!last || (last - 1) >> w != op >> w) r->count.requests[w]++;
  }
}

const wf_probe_count *wf_probe_get(const wf_probe *probe, unsigned index) {
  return index < probe->n ? &probe->regions[index].count : NULL;
}
