#include "tb/apcm/apcm_ref.h"

#include <string.h>

static unsigned clear_edges(const apcm_ref *r) {
  unsigned rows = r->shape.mta_entries / r->shape.mta_ways;
  return rows > r->shape.sets ? rows : r->shape.sets;
}

/* A new kernel: everything is forgotten. */
static void forget(apcm_ref *r) {
  r->loads = 0;
  memset(r->cait, 0, sizeof r->cait);
  r->renew_turn = 0;
  memset(r->mta, 0, sizeof r->mta);
  memset(r->psb, 0, sizeof r->psb);
  memset(r->line, 0, sizeof r->line);
  r->state = APCM_NONE;
  r->again = false;
}

void apcm_ref_reset(apcm_ref *r, const apcm_shape *shape) {
  apcm_settings settings = r->settings;
  memset(r, 0, sizeof *r);
  r->shape = *shape;
  r->settings = settings;
  forget(r);
  r->busy = clear_edges(r);
}

bool apcm_ref_ready(const apcm_ref *r) {
  return r->busy == 0;
}

uint64_t apcm_ref_psb(const apcm_ref *r) {
  uint64_t bits = 0;
  for (unsigned w = 0; w < r->shape.warps; w++) bits |= (uint64_t)r->psb[w].protect << w;
  return bits;
}

static bool some_load_is_open(const apcm_ref *r) {
  for (unsigned i = 0; i < r->loads; i++)
    if (!r->cait[i].valid) return true;
  return false;
}

/* Section 5.1, LAT; 5.2, lookup of the CAIT. True if the load is tracked and not classified. */
static bool load_issues(apcm_ref *r, const apcm_load *load) {
  apcm_load_answer *a = &r->load_answer;
  r->counter[APCM_CNT_loads]++;
  *a = (apcm_load_answer){.valid = true};
  unsigned id = 0;
  while (id < r->loads && r->pc[id] != load->pc) id++;
  if (id == r->loads) {
    if (r->loads == r->shape.ids) {
      r->counter[APCM_CNT_loads_untracked]++;
      return false;
    }
    r->pc[r->loads++] = load->pc;
  }
  a->tracked = true;
  a->id = id;
  if (!r->cait[id].valid) return true;
  a->last = r->cait[id].last;
  if (r->cait[id].method == APCM_BYPASS && r->settings.bypass) a->method = APCM_BYPASS;
  if (r->cait[id].method == APCM_PROTECT && r->settings.protect) a->method = APCM_PROTECT;
  r->counter[APCM_CNT_loads_bypass] += a->method == APCM_BYPASS;
  r->counter[APCM_CNT_loads_protect] += a->method == APCM_PROTECT;
  return false;
}

/* Table 2, and the rule of overwriting (5.1). */
static void report(apcm_ref *r, const apcm_mta_entry *e) {
  if (r->kernel_starts) return;
  unsigned method = e->count == 1 ? APCM_BYPASS : e->intra == e->count ? APCM_PROTECT : APCM_NORMAL;
  if (r->cait[e->first].valid && e->count <= r->cait[e->first].count) return;
  r->cait[e->first].valid = true;
  r->cait[e->first].method = method;
  r->cait[e->first].last = e->last;
  r->cait[e->first].count = e->count;
  r->counter[method == APCM_BYPASS    ? APCM_CNT_class_bypass
             : method == APCM_PROTECT ? APCM_CNT_class_protect
                                      : APCM_CNT_class_normal]++;
}

/* Section 5.1: the monitor tag array sees an access. */
static void monitor(apcm_ref *r, const apcm_access *a, unsigned line_count) {
  unsigned ways = r->shape.mta_ways, rows = r->shape.mta_entries / ways;
  apcm_mta_entry *row = &r->mta[a->line % rows * ways], *e = NULL;
  bool own = a->warp == r->watched;
  for (unsigned w = 0; w < ways; w++)
    if (row[w].valid && row[w].line == a->line) e = &row[w];
  if (e) {
    r->counter[APCM_CNT_mta_hits]++;
    if (a->tracked) e->last = a->id;
    if (e->count < r->shape.count_max) {
      e->count++;
      if (own) e->intra++;
    }
    if (e->count > r->settings.threshold) report(r, e);
    return;
  }
  if (!own || !a->tracked) return;
  if (a->nth >= 2) {
    r->counter[APCM_CNT_mta_drops]++;
    return;
  }
  for (unsigned w = ways; w-- > 0;)
    if (!row[w].valid) e = &row[w];
  if (!e) {
    e = &row[r->turn];
    r->turn = (r->turn + 1) % ways;
    report(r, e);
    r->counter[APCM_CNT_mta_evictions]++;
  }
  r->counter[APCM_CNT_mta_allocs]++;
  bool in_l1 = a->hit && a->method != APCM_BYPASS;
  *e = (apcm_mta_entry){.valid = true,
                        .line = a->line,
                        .first = a->id,
                        .last = a->id,
                        .count = in_l1 ? line_count : 1,
                        .intra = 1};
}

static bool may_protect(const apcm_ref *r, const apcm_access *a) {
  bool loop = a->id == a->last;
  return a->method == APCM_PROTECT &&
         (!r->psb[a->warp].protect ||
          (r->psb[a->warp].last == a->last && r->psb[a->warp].loop == loop));
}

/* Of every few requests that find lines of their own warp, one takes the oldest of these. */
static int renew(apcm_ref *r, const apcm_access *a) {
  int best = -1;
  if (!r->settings.renew || !may_protect(r, a)) return -1;
  for (unsigned w = 0; w < r->shape.ways; w++)
    if (!(a->reserved >> w & 1) && r->line[a->set][w].warp == a->warp &&
        (best < 0 || a->rank[w] > a->rank[best])) {
      if (r->line[a->set][w].protect) best = (int)w;
    }
  if (best < 0) return -1;
  if (r->renew_turn) {
    r->renew_turn--;
    return -1;
  }
  r->renew_turn = r->settings.renew - 1;
  r->counter[APCM_CNT_renewed]++;
  return best;
}

/* Section 5.2: victim and protection. */
static void allocate(apcm_ref *r, const apcm_access *a) {
  apcm_access_answer *answer = &r->access_answer;
  int best = -1;
  for (unsigned w = 0; w < r->shape.ways && best < 0; w++)
    if (a->invalid >> w & 1) best = (int)w;
  if (best < 0)
    for (unsigned w = 0; w < r->shape.ways; w++)
      if (!(a->reserved >> w & 1) && !r->line[a->set][w].protect &&
          (best < 0 || a->rank[w] > a->rank[best]))
        best = (int)w;
  if (best < 0) best = renew(r, a);
  if (best < 0) {
    r->counter[APCM_CNT_refused]++;
    return;
  }
  bool loop = a->id == a->last;
  bool protect = a->method == APCM_PROTECT;
  if (protect && r->psb[a->warp].protect)
    protect = r->psb[a->warp].last == a->last && r->psb[a->warp].loop == loop;
  else if (protect) {
    r->psb[a->warp].protect = true;
    r->psb[a->warp].last = a->last;
    r->psb[a->warp].loop = loop;
    r->counter[APCM_CNT_psb_sets]++;
  }
  r->line[a->set][best].count = 1;
  r->line[a->set][best].protect = protect;
  r->line[a->set][best].warp = a->warp;
  r->counter[APCM_CNT_allocs]++;
  r->counter[APCM_CNT_protected] += protect;
  answer->alloc = true;
  answer->protect = protect;
  answer->way = (uint32_t)best;
}

static void access_line(apcm_ref *r, const apcm_access *a) {
  unsigned line_count = 0;
  r->counter[APCM_CNT_accesses]++;
  r->access_answer = (apcm_access_answer){.valid = true};
  if (a->method == APCM_BYPASS) {
    r->counter[APCM_CNT_bypassed]++;
  } else {
    for (unsigned w = 0; w < r->shape.ways; w++) {
      if (!r->line[a->set][w].protect || r->psb[r->line[a->set][w].warp].protect) continue;
      r->line[a->set][w].protect = false;
      r->counter[APCM_CNT_unpinned]++;
    }
    if (a->hit) {
      unsigned *count = &r->line[a->set][a->way].count;
      if (*count < r->shape.count_max) ++*count;
      line_count = *count;
      r->counter[APCM_CNT_hits]++;
    } else {
      allocate(r, a);
    }
  }
  if (r->state == APCM_WATCH) monitor(r, a, line_count);
}

static void unprotect(apcm_ref *r, unsigned warp, apcm_counter counter) {
  r->psb[warp].protect = false;
  r->counter[counter]++;
}

static void happens(apcm_ref *r, const apcm_event *e, bool open) {
  switch (e->kind) {
  case APCM_LOAD_DONE:
    if (r->psb[e->warp].protect && !r->psb[e->warp].loop && r->psb[e->warp].last == e->id)
      unprotect(r, e->warp, APCM_CNT_psb_last);
    break;
  case APCM_LOOP_EXIT:
    if (r->psb[e->warp].protect && r->psb[e->warp].loop && r->pc[r->psb[e->warp].last] >= e->lo &&
        r->pc[r->psb[e->warp].last] <= e->hi)
      unprotect(r, e->warp, APCM_CNT_psb_loop);
    break;
  case APCM_WARP_START:
    if (r->state != APCM_NONE || (r->again && !(r->settings.remonitor != 0 && open))) break;
    r->state = APCM_WATCH;
    r->watched = e->warp;
    r->counter[APCM_CNT_watched]++;
    break;
  case APCM_WARP_EXIT:
    if (r->psb[e->warp].protect) unprotect(r, e->warp, APCM_CNT_psb_exit);
    if (r->state != APCM_WATCH || r->watched != e->warp) break;
    r->state = APCM_SCAN;
    r->scan_step = 0;
    break;
  case APCM_KERNEL_START:
    forget(r);
    r->busy = clear_edges(r) + 1;
    break;
  }
}

/* One entry per edge, after one to read and before one to end. */
static void scan(apcm_ref *r) {
  unsigned step = r->scan_step++;
  if (step > 0 && step <= r->shape.mta_entries) {
    apcm_mta_entry *e = &r->mta[step - 1];
    if (e->valid) report(r, e);
    e->valid = false;
  }
  if (step == r->shape.mta_entries + 1) r->state = APCM_NONE;
}

void apcm_ref_step(apcm_ref *r, const apcm_load *load, const apcm_access *access,
                   const apcm_event *event) {
  bool open = some_load_is_open(r), scans = r->state == APCM_SCAN,
       could_watch = r->state == APCM_NONE && r->again;
  r->load_answer.valid = r->access_answer.valid = false;
  if (r->busy) {
    if (r->busy <= clear_edges(r)) r->counter[APCM_CNT_busy]++;
    r->busy--;
    return;
  }
  r->kernel_starts = event && event->kind == APCM_KERNEL_START;
  bool unknown = load && load_issues(r, load);
  if (access) access_line(r, access);
  if (event) happens(r, event, open);
  if (could_watch && r->state == APCM_NONE && r->busy == 0 && unknown &&
      r->settings.remonitor == 2) {
    r->state = APCM_WATCH;
    r->watched = load->warp;
    r->counter[APCM_CNT_watched]++;
  }
  if (scans && r->state == APCM_SCAN) scan(r);
  if (r->state == APCM_WATCH) r->again = true;
}
