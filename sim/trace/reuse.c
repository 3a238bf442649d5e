#include "sim/trace/reuse.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

const char *const wf_reuse_names[WF_REUSE_TYPES] = {"streaming", "inter", "intra", "both"};

typedef struct record {
  uint64_t key;            /* line and SM, + 1; 0: free */
  uint64_t warp;           /* that brought it */
  uint32_t op, total, own; /* accesses: all, of that warp */
} record;

struct wf_reuse {
  record *records; /* open addressing */
  uint64_t size, count;
};

wf_reuse *wf_reuse_create(void) {
  wf_reuse *r = wf_calloc(1, sizeof *r);
  r->size = 4096;
  r->records = wf_calloc(r->size, sizeof *r->records);
  return r;
}

void wf_reuse_destroy(wf_reuse *r) {
  if (!r) return;
  free(r->records);
  free(r);
}

static record *find(const wf_reuse *r, uint64_t key) {
  uint64_t slot = (key * 0x9e3779b97f4a7c15u) >> 20 & (r->size - 1);
  while (r->records[slot].key && r->records[slot].key != key) slot = (slot + 1) & (r->size - 1);
  return &r->records[slot];
}

static void grow(wf_reuse *r) {
  wf_reuse bigger = {.size = 2 * r->size, .count = r->count};
  bigger.records = wf_calloc(bigger.size, sizeof *bigger.records);
  for (uint64_t i = 0; i < r->size; i++)
    if (r->records[i].key) *find(&bigger, r->records[i].key) = r->records[i];
  free(r->records);
  *r = bigger;
}

void wf_reuse_access(wf_reuse *r, unsigned sm, uint64_t warp, uint32_t op, uint64_t line) {
  const uint64_t key = (line << 6 | (sm & 63)) + 1;
  record *x = find(r, key);
  if (!x->key) {
    if (2 * ++r->count > r->size) {
      grow(r);
      x = find(r, key);
    }
    *x = (record){.key = key, .warp = warp, .op = op};
  }
  x->total++;
  x->own += x->warp == warp;
}

static wf_reuse_type type_of(const record *x) {
  if (x->total == 1) return WF_REUSE_STREAMING;
  if (x->own == 1) return WF_REUSE_INTER;
  return x->own == x->total ? WF_REUSE_INTRA : WF_REUSE_BOTH;
}

void wf_reuse_end(wf_reuse *r, wf_reuse_each each, void *user) {
  for (uint64_t i = 0; i < r->size; i++)
    if (r->records[i].key) each(user, r->records[i].op, type_of(&r->records[i]));
  memset(r->records, 0, r->size * sizeof *r->records);
  r->count = 0;
}
