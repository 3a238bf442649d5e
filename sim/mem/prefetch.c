/* The queue, and prefetchers that see line requests; see prefetch.h. */

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/mem/prefetch_internal.h"

enum {
  RPT_WAYS = 4,
  RPT_SETS = 256,
  RPT_REGION = 9, /* 64 KB in lines */
  STREAM_WAYS = 8,
  STREAM_SETS = 64,
  STREAM_WINDOW = 16,
  GHB_SIZE = 1024,
  GHB_INDEX = 128,
  GHB_ZONE = 5, /* 4 KB in lines */
  GHB_WALK = 32,
  RECENT = 32 /* lines */
};
static const struct {
  unsigned degree, distance;
} own[WF_PREFETCH_COUNT] = {[WF_PREFETCH_STRIDE] = {1, 1},
                            [WF_PREFETCH_STREAM] = {2, 8},
                            [WF_PREFETCH_GHB] = {4, 1},
                            [WF_PREFETCH_IMP] = {1, 1},
                            [WF_PREFETCH_SNAKE] = {4, 1}};

typedef struct rpt_entry {
  uint32_t warp, pc, region, last, used;
  int32_t stride;
  uint8_t confidence; /* accesses in a row that kept the stride, up to 2 */
  bool valid;
} rpt_entry;

typedef struct stream_entry {
  uint32_t warp, last, used;
  int64_t frontier; /* the furthest line asked for */
  int8_t direction; /* 0: not known yet */
  bool valid, confirmed;
} stream_entry;

/* Misses are numbered from 1; slot = number % GHB_SIZE. */
typedef struct ghb_entry {
  uint32_t line;
  uint64_t before; /* number of the zone's miss before this; 0: none */
} ghb_entry;

typedef struct ghb_index {
  uint32_t zone;
  uint64_t last; /* 0: none */
} ghb_index;

struct wf_prefetcher {
  wf_prefetch_settings set;
  uint32_t clock;
  rpt_entry *rpt;
  stream_entry *streams;
  ghb_entry *ghb;
  ghb_index *index;
  uint64_t misses;
  wf_imp *imp;
  wf_snake *snake;
  uint32_t recent[RECENT], next_recent;
  uint32_t queue[WF_PREFETCH_QUEUE_MAX];
  wf_ring queue_ring;
  uint64_t *dropped;
};

wf_prefetcher *wf_prefetcher_create(const wf_prefetch_settings *s, uint64_t *dropped) {
  wf_prefetcher *p = wf_calloc(1, sizeof *p);
  const wf_prefetch_kind kind = s->kind;
  p->set = *s;
  if (!s->degree) p->set.degree = own[kind].degree;
  if (!s->distance) p->set.distance = own[kind].distance;
  if (!s->queue) p->set.queue = WF_PREFETCH_QUEUE;
  p->dropped = dropped;
  if (kind == WF_PREFETCH_STRIDE) p->rpt = wf_calloc(RPT_SETS * RPT_WAYS, sizeof *p->rpt);
  if (kind == WF_PREFETCH_STREAM)
    p->streams = wf_calloc(STREAM_SETS * STREAM_WAYS, sizeof *p->streams);
  if (kind == WF_PREFETCH_GHB) {
    p->ghb = wf_calloc(GHB_SIZE, sizeof *p->ghb);
    p->index = wf_calloc(GHB_INDEX, sizeof *p->index);
  }
  if (kind == WF_PREFETCH_IMP) p->imp = wf_imp_create();
  if (kind == WF_PREFETCH_SNAKE) p->snake = wf_snake_create();
  return p;
}

void wf_prefetcher_destroy(wf_prefetcher *p) {
  if (!p) return;
  free(p->rpt);
  free(p->streams);
  free(p->ghb);
  free(p->index);
  wf_imp_destroy(p->imp);
  wf_snake_destroy(p->snake);
  free(p);
}

const wf_prefetch_settings *wf_prefetcher_settings(const wf_prefetcher *p) {
  return &p->set;
}

void wf_prefetcher_clear(wf_prefetcher *p) {
  if (p->rpt) memset(p->rpt, 0, RPT_SETS * RPT_WAYS * sizeof *p->rpt);
  if (p->streams) memset(p->streams, 0, STREAM_SETS * STREAM_WAYS * sizeof *p->streams);
  if (p->ghb) memset(p->ghb, 0, GHB_SIZE * sizeof *p->ghb);
  if (p->index) memset(p->index, 0, GHB_INDEX * sizeof *p->index);
  if (p->imp) wf_imp_clear(p->imp);
  if (p->snake) wf_snake_clear(p->snake);
  memset(p->recent, 0, sizeof p->recent);
  p->misses = 0;
  p->queue_ring = (wf_ring){0};
}

bool wf_prefetcher_next(const wf_prefetcher *p, uint32_t *line) {
  if (!p->queue_ring.count) return false;
  *line = p->queue[p->queue_ring.head];
  return true;
}

void wf_prefetcher_pop(wf_prefetcher *p) {
  wf_ring_pop(&p->queue_ring, p->set.queue);
}

/* Lanes foretell a line again and again, which would take the L1's cycles. */
static bool lately(wf_prefetcher *p, uint32_t line) {
  if (!p->imp && !p->snake) return false;
  for (unsigned i = 0; i < RECENT; i++)
    if (p->recent[i] == line) return true;
  p->recent[p->next_recent++ % RECENT] = line;
  return false;
}

void wf_prefetch_foretell(wf_prefetcher *p, int64_t line) {
  if (line < 0 || line > UINT32_MAX || lately(p, (uint32_t)line)) return;
  for (unsigned i = 0; i < p->queue_ring.count; i++)
    if (p->queue[wf_ring_at(&p->queue_ring, i, p->set.queue)] == (uint32_t)line) return;
  if (p->queue_ring.count == p->set.queue) {
    ++*p->dropped;
    wf_prefetcher_pop(p);
  }
  p->queue[wf_ring_push(&p->queue_ring, p->set.queue)] = (uint32_t)line;
}

uint32_t wf_prefetch_mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x45d9f3bu;
  return x ^ x >> 16;
}

/* ---- RPT ---- */
static rpt_entry *rpt_find(wf_prefetcher *p, const wf_prefetch_access *a, bool *found) {
  const uint32_t region = a->line >> RPT_REGION;
  rpt_entry
      *set = &p->rpt[wf_prefetch_mix(a->warp * 64 + a->pc + region * 4096) % RPT_SETS * RPT_WAYS],
      *oldest = set;
  for (unsigned w = 0; w < RPT_WAYS; w++) {
    if (set[w].valid && set[w].warp == a->warp && set[w].pc == a->pc && set[w].region == region)
      return *found = true, &set[w];
    if (!set[w].valid || (oldest->valid && (int32_t)(set[w].used - oldest->used) < 0))
      oldest = &set[w];
  }
  *found = false;
  return oldest;
}

static void train_stride(wf_prefetcher *p, const wf_prefetch_access *a) {
  bool found;
  rpt_entry *e = rpt_find(p, a, &found);
  if (!found)
    *e = (rpt_entry){.warp = a->warp,
                     .pc = a->pc,
                     .region = a->line >> RPT_REGION,
                     .last = a->line,
                     .valid = true};
  e->used = p->clock;
  const int32_t stride = (int32_t)(a->line - e->last);
  if (!found || stride == 0) return; /* the same line again: no stride at this grain */
  e->confidence = (uint8_t)(stride != e->stride ? 1 : e->confidence < 2 ? e->confidence + 1 : 2);
  e->stride = stride;
  e->last = a->line;
  if (e->confidence < 2) return;
  for (unsigned d = p->set.distance; d < p->set.distance + p->set.degree; d++)
    wf_prefetch_foretell(p, (int64_t)a->line + (int64_t)stride * d);
}

/* ---- streams ---- */
static stream_entry *stream_find(wf_prefetcher *p, const wf_prefetch_access *a,
                                 stream_entry **oldest) {
  stream_entry *set = &p->streams[wf_prefetch_mix(a->warp) % STREAM_SETS * STREAM_WAYS];
  *oldest = set;
  for (unsigned w = 0; w < STREAM_WAYS; w++) {
    const int64_t away = (int64_t)a->line - set[w].last;
    if (set[w].valid && set[w].warp == a->warp && away >= -STREAM_WINDOW && away <= STREAM_WINDOW)
      return &set[w];
    if (!set[w].valid || ((*oldest)->valid && (int32_t)(set[w].used - (*oldest)->used) < 0))
      *oldest = &set[w];
  }
  return NULL;
}

static void run_ahead(wf_prefetcher *p, stream_entry *e) {
  const int64_t last = e->last, d = e->direction;
  if ((e->frontier - last) * d < 0) e->frontier = last;
  for (unsigned i = 0; i < p->set.degree && (e->frontier - last) * d < p->set.distance; i++)
    wf_prefetch_foretell(p, e->frontier += d);
}

static void train_stream(wf_prefetcher *p, const wf_prefetch_access *a) {
  stream_entry *oldest, *e = stream_find(p, a, &oldest);
  if (!e) {
    if (a->miss)
      *oldest = (stream_entry){
          .warp = a->warp, .last = a->line, .frontier = a->line, .used = p->clock, .valid = true};
    return;
  }
  e->used = p->clock;
  if (a->line == e->last) return;
  const int8_t direction = a->line > e->last ? 1 : -1;
  if (!e->confirmed) {
    e->confirmed = e->direction == direction;
    e->direction = direction;
    e->last = a->line;
    e->frontier = a->line;
  }
  if (!e->confirmed || direction != e->direction) return;
  e->last = a->line;
  run_ahead(p, e);
}

/* ---- global history buffer ---- */
/* Lines of the zone's last misses, newest first; links into what was overwritten end the walk. */
static unsigned walk_zone(const wf_prefetcher *p, uint64_t at, uint32_t lines[GHB_WALK]) {
  unsigned n = 0;
  for (; at && at + GHB_SIZE > p->misses && n < GHB_WALK; at = p->ghb[at % GHB_SIZE].before)
    lines[n++] = p->ghb[at % GHB_SIZE].line;
  return n;
}

static void train_ghb(wf_prefetcher *p, const wf_prefetch_access *a) {
  if (!a->miss) return;
  const uint32_t zone = a->line >> GHB_ZONE;
  ghb_index *index = &p->index[zone % GHB_INDEX];
  const uint64_t before = index->last && index->zone == zone ? index->last : 0;
  p->misses++;
  p->ghb[p->misses % GHB_SIZE] = (ghb_entry){.line = a->line, .before = before};
  *index = (ghb_index){.zone = zone, .last = p->misses};
  uint32_t line[GHB_WALK];
  const unsigned n = walk_zone(p, p->misses, line);
  if (n < 4) return;
  /* line[0] - line[1] and line[1] - line[2] are the newest deltas: where were they before? */
  const int32_t d1 = (int32_t)(line[0] - line[1]), d2 = (int32_t)(line[1] - line[2]);
  for (unsigned k = 1; k + 2 < n; k++) {
    if ((int32_t)(line[k] - line[k + 1]) != d1 || (int32_t)(line[k + 1] - line[k + 2]) != d2)
      continue;
    int64_t next = a->line;
    for (unsigned i = 1, at = k; i < p->set.distance + p->set.degree; i++) {
      next += (int32_t)(line[at - 1] - line[at]);
      if (i >= p->set.distance) wf_prefetch_foretell(p, next);
      at = at > 1 ? at - 1 : k; /* the history's end: its deltas again */
    }
    return;
  }
}

void wf_prefetcher_train(wf_prefetcher *p, const wf_prefetch_access *a) {
  p->clock++;
  switch (p->set.kind) {
  case WF_PREFETCH_STRIDE:
    train_stride(p, a);
    break;
  case WF_PREFETCH_STREAM:
    train_stream(p, a);
    break;
  case WF_PREFETCH_GHB:
    train_ghb(p, a);
    break;
  default:
    break;
  }
}

void wf_prefetcher_load(wf_prefetcher *p, const wf_prefetch_load *l) {
  if (p->imp) wf_imp_load(p->imp, p, l);
  if (p->snake) wf_snake_load(p->snake, p, l);
}
