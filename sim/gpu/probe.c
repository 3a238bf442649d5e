#include "sim/gpu/probe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { LINE_BYTES = 128 };

typedef struct region {
  uint32_t first_line, n_lines;
  uint64_t *last; /* per line: 1 + number of the operation that last touched it */
  char *what;
  wf_probe_count count;
} region;

struct wf_probe {
  region *regions;
  unsigned n;
};

wf_probe *wf_probe_create(void) { return wf_calloc(1, sizeof(wf_probe)); }

void wf_probe_destroy(wf_probe *probe) {
  if (!probe) return;
  for (unsigned i = 0; i < probe->n; i++) {
    free(probe->regions[i].last);
    free(probe->regions[i].what);
  }
  free(probe->regions);
  free(probe);
}

void wf_probe_region(wf_probe *probe, uint64_t address, uint64_t bytes, const char *what) {
  probe->regions = wf_realloc(probe->regions, probe->n + 1, sizeof *probe->regions);
  region *r = &probe->regions[probe->n++];
  *r = (region){.first_line = (uint32_t)(address / LINE_BYTES),
                .n_lines = (uint32_t)(bytes / LINE_BYTES + 1),
                .what = wf_strdup(what)};
  r->last = wf_calloc(r->n_lines, sizeof *r->last);
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

void wf_probe_load(wf_probe *probe, const uint32_t *lines, unsigned n_lines,
                   unsigned stride_bytes) {
  if (!n_lines) return;
  const uint8_t *at = (const uint8_t *)lines;
  region *r = find(probe, lines[0]);
  if (!r) return;
  uint64_t op = r->count.operations++;
  for (unsigned i = 0; i < n_lines; i++, at += stride_bytes) {
    uint32_t line;
    memcpy(&line, at, sizeof line);
    if (line - r->first_line >= r->n_lines) continue;
    uint64_t last = r->last[line - r->first_line];
    r->last[line - r->first_line] = op + 1;
    for (unsigned w = 0; w < WF_PROBE_WINDOWS; w++)
      if (!last || (last - 1) >> w != op >> w) r->count.requests[w]++;
  }
}

const wf_probe_count *wf_probe_get(const wf_probe *probe, unsigned index) {
  return index < probe->n ? &probe->regions[index].count : NULL;
}
