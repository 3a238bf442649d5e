#include "sim/mem/coalescer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

void wf_coalescer_init(wf_coalescer *c, unsigned entries, unsigned merges) {
  *c = (wf_coalescer){.entries = entries, .merges = merges};
  if (!entries) return;
  c->buckets = wf_ring_size(2 * entries);
  c->entry = wf_calloc(entries, sizeof *c->entry);
  c->waiting = wf_calloc((size_t)entries * merges, sizeof *c->waiting);
  c->bucket = wf_calloc(c->buckets, sizeof *c->bucket);
  memset(c->bucket, 0xff, c->buckets * sizeof *c->bucket);
  c->free = wf_calloc(entries, sizeof *c->free);
  c->fan = wf_calloc(entries, sizeof *c->fan);
  while (c->free_count < entries) {
    c->free[c->free_count] = (uint16_t)c->free_count;
    c->free_count++;
  }
}

void wf_coalescer_free(wf_coalescer *c) {
  free(c->entry);
  free(c->waiting);
  free(c->bucket);
  free(c->free);
  free(c->fan);
}

/* ---- open entries by line; at most one of a line ---- */

static uint16_t *bucket_of(const wf_coalescer *c, uint64_t line) {
  return &c->bucket[line * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (c->buckets - 1)];
}

static unsigned find(const wf_coalescer *c, uint64_t line) {
  unsigned e = *bucket_of(c, line);
  while (e != WF_COALESCER_NONE && c->entry[e].line != line) e = c->entry[e].next;
  return e;
}

void wf_coalescer_close(wf_coalescer *c, uint64_t line) {
  if (!c->entries) return;
  for (uint16_t *at = bucket_of(c, line); *at != WF_COALESCER_NONE; at = &c->entry[*at].next) {
    wf_coalescer_entry *e = &c->entry[*at];
    if (e->line != line) continue;
    e->open = false;
    *at = e->next;
    return;
  }
}

static unsigned open_entry(wf_coalescer *c, const wf_packet *p) {
  const unsigned e = c->free[--c->free_count];
  uint16_t *bucket = bucket_of(c, p->address);
  c->entry[e] = (wf_coalescer_entry){.line = p->address,
                                     .sectors = p->sectors,
                                     .urgent = p->urgent,
                                     .open = true,
                                     .next = *bucket};
  *bucket = (uint16_t)e;
  return e;
}

static void release(wf_coalescer *c, unsigned e) {
  c->free[c->free_count++] = (uint16_t)e;
}

/* ---- requests ---- */

/* The entry that the read may join, or none. */
static unsigned joined(const wf_coalescer *c, const wf_packet *p) {
  if (!c->entries || p->kind != WF_PKT_READ) return WF_COALESCER_NONE;
  const unsigned e = find(c, p->address);
  if (e == WF_COALESCER_NONE) return e;
  const wf_coalescer_entry *at = &c->entry[e];
  const bool fits =
      !(p->sectors & ~at->sectors) && p->urgent <= at->urgent && at->waiting + 1u < c->merges;
  return fits ? e : WF_COALESCER_NONE;
}

bool wf_coalescer_joins(const wf_coalescer *c, const wf_packet *p) {
  return joined(c, p) != WF_COALESCER_NONE;
}

bool wf_coalescer_take(wf_coalescer *c, wf_packet *p) {
  p->entry = WF_COALESCER_NONE;
  if (!c->entries) return false;
  const unsigned e = joined(c, p);
  if (e != WF_COALESCER_NONE) {
    c->waiting[(size_t)e * c->merges + c->entry[e].waiting++] = *p;
    return true;
  }
  wf_coalescer_close(c, p->address);
  if (p->kind != WF_PKT_READ) return false;
  if (c->free_count) p->entry = (uint16_t)open_entry(c, p);
  return false;
}

/* ---- answers ---- */

void wf_coalescer_answer(wf_coalescer *c, unsigned e) {
  wf_coalescer_entry *at = &c->entry[e];
  if (at->open) wf_coalescer_close(c, at->line);
  if (at->waiting)
    c->fan[wf_ring_push(&c->fan_ring, c->entries)] = (uint16_t)e;
  else
    release(c, e);
}

const wf_packet *wf_coalescer_next(const wf_coalescer *c) {
  if (!c->fan_ring.count) return NULL;
  const unsigned e = c->fan[c->fan_ring.head];
  return &c->waiting[(size_t)e * c->merges + c->entry[e].answered];
}

void wf_coalescer_pop(wf_coalescer *c) {
  assert(c->fan_ring.count);
  const unsigned e = c->fan[c->fan_ring.head];
  if (++c->entry[e].answered < c->entry[e].waiting) return;
  wf_ring_pop(&c->fan_ring, c->entries);
  release(c, e);
}
