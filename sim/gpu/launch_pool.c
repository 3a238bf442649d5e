#include "sim/gpu/launch_pool.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { UNIT = 64, HEADER = 16, CLASSES = 7 }; /* 64 B .. 4 KiB */
#define NONE UINT32_MAX

/* By unit of 64 bytes: of a piece's first unit. */
typedef struct piece {
  uint64_t since;
  uint32_t next_free;
  uint8_t size_class;
  bool taken, launched;
} piece;

struct wf_launch_pool {
  uint64_t base;
  uint32_t n_units, used; /* used: units ever given out */
  uint32_t free[CLASSES];
  piece *pieces;
};

wf_launch_pool *wf_launch_pool_create(uint64_t base, uint64_t bytes) {
  wf_launch_pool *p = wf_calloc(1, sizeof *p);
  p->base = base;
  p->n_units = (uint32_t)(bytes / UNIT);
  p->pieces = wf_calloc(p->n_units + 1u, sizeof *p->pieces);
  wf_launch_pool_reset(p);
  return p;
}

unsigned wf_launch_pool_most(uint64_t bytes) {
  return (unsigned)(bytes / UNIT);
}

void wf_launch_pool_destroy(wf_launch_pool *p) {
  if (!p) return;
  free(p->pieces);
  free(p);
}

void wf_launch_pool_reset(wf_launch_pool *p) {
  for (uint32_t i = 0; i < p->used; i++) p->pieces[i].taken = false;
  p->used = 0;
  for (unsigned c = 0; c < CLASSES; c++) p->free[c] = NONE;
}

uint64_t wf_launch_pool_take(wf_launch_pool *p, uint64_t bytes, uint64_t now) {
  unsigned c = 0;
  if (bytes > WF_LAUNCH_BUFFER_MAX) return 0;
  while (((uint64_t)UNIT << c) < bytes + HEADER) c++;
  uint32_t at = p->free[c];
  if (at != NONE) {
    p->free[c] = p->pieces[at].next_free;
  } else {
    at = p->used;
    if (p->n_units - at < 1u << c) return 0;
    p->used += 1u << c;
  }
  p->pieces[at] = (piece){.since = now, .size_class = (uint8_t)c, .taken = true};
  return p->base + (uint64_t)at * UNIT + HEADER;
}

/* NULL: no such piece. */
static piece *find(const wf_launch_pool *p, uint64_t address) {
  const uint64_t offset = address - p->base - HEADER;
  if (address < p->base + HEADER || offset % UNIT || offset / UNIT >= p->used) return NULL;
  piece *found = &p->pieces[offset / UNIT];
  return found->taken ? found : NULL;
}

void wf_launch_pool_give(wf_launch_pool *p, uint64_t address) {
  piece *given = find(p, address);
  if (!given) return;
  given->taken = false;
  given->next_free = p->free[given->size_class];
  p->free[given->size_class] = (uint32_t)(given - p->pieces);
}

uint64_t wf_launch_pool_bytes(const wf_launch_pool *p, uint64_t address) {
  const piece *found = find(p, address);
  return found && !found->launched ? ((uint64_t)UNIT << found->size_class) - HEADER : 0;
}

void wf_launch_pool_launch(wf_launch_pool *p, uint64_t address) {
  piece *found = find(p, address);
  if (found) found->launched = true;
}

uint64_t wf_launch_pool_since(const wf_launch_pool *p, uint64_t address) {
  const piece *found = find(p, address);
  return found ? found->since : 0;
}
