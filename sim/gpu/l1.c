/* L1 data cache: write-evict, no write allocate, lines reserved when the miss is sent, as in the
 * papers' Fermi baseline. A reserved line's MSHR is found through its tag. With l1.sectored only
 * the sectors touched are fetched, each miss of a line's further sectors by a request of its own;
 * with l1.write_keep a store leaves its line, and brings one for the sectors it writes whole.
 *
 * A line on its way that has no way (l1.allocate=fill, or past the L1 with l1.past=line) stands in
 * its MSHR, and is looked up there. */
#include "sim/gpu/l1.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/gpu/l1_victims.h"
#include "sim/gpu/locality.h"

enum { LINE_INVALID, LINE_VALID, LINE_RESERVED };
enum { REPLACED = 4 }; /* lines that wait for the miss queue */

typedef struct l1_line {
  uint32_t tag;
  uint32_t used;     /* LRU stamp */
  uint32_t accesses; /* since it was brought */
  uint16_t mshr;
  uint8_t state;
  uint8_t slot;   /* ABYP: of the load that brought it */
  uint8_t valid;  /* sectors */
  uint32_t stamp; /* PD: accesses of the set up to its last */
  bool drop;      /* written while the fill was on its way: invalid once filled */
  bool past;      /* stays in its MSHR: invalid once filled */
  bool copy_back; /* goes to the L2 when it is replaced */
  bool foretold;  /* brought by a prefetcher and not used yet */
} l1_line;

typedef struct l1_waiter {
  uint16_t load;
  uint8_t sectors; /* not here yet */
} l1_waiter;

typedef struct l1_mshr {
  uint32_t line_index;
  uint16_t count, requests; /* loads that wait; fills on their way */
  uint8_t pending;          /* sectors on their way */
} l1_mshr;

struct wf_l1 {
  l1_line *lines; /* [set][way], and behind them [mshr]: lines on their way without a way */
  unsigned sets, ways, set_bits;
  unsigned wayless; /* of these, those in use */
  l1_mshr *mshrs;
  l1_waiter *waiting; /* [mshr][merge] */
  uint16_t *done;     /* loads of the last fill */
  uint16_t *free_mshrs;
  unsigned n_mshrs, n_free, merge;
  wf_l1_keeper keeper; /* of zeros: it is itself */
  uint32_t clock;
  const wf_gpu_config *config;
  uint32_t *set_accesses;  /* PD */
  wf_abyp abyp;            /* without l2: off */
  wf_bypass *bypass;       /* NULL without l1.bypass */
  const wf_cache_row *row; /* who hears; NULL: nobody */
  unsigned sm;
  wf_l1_counters *counters;
  wf_l1_victims victims;
  uint32_t replaced[REPLACED];
  wf_ring replaced_ring;
  uint64_t *lifetimes; /* histogram of lines by accesses until they leave; NULL: not wanted */
};

wf_l1 *wf_l1_create(const wf_gpu_config *config, wf_l1_counters *counters) {
  wf_l1 *l1 = wf_calloc(1, sizeof *l1);
  l1->ways = config->l1_ways;
  l1->sets = config->l1_bytes / (config->l1_ways * config->l1_line_bytes);
  while ((1u << l1->set_bits) < l1->sets) l1->set_bits++;
  l1->lines = wf_calloc((size_t)l1->sets * l1->ways + config->l1_mshrs, sizeof *l1->lines);
  l1->n_mshrs = l1->n_free = config->l1_mshrs;
  l1->merge = config->l1_mshr_merge;
  l1->mshrs = wf_calloc(l1->n_mshrs, sizeof *l1->mshrs);
  l1->waiting = wf_calloc((size_t)l1->n_mshrs * l1->merge, sizeof *l1->waiting);
  l1->done = wf_calloc(l1->merge, sizeof *l1->done);
  l1->free_mshrs = wf_calloc(l1->n_mshrs, sizeof *l1->free_mshrs);
  for (unsigned i = 0; i < l1->n_mshrs; i++) l1->free_mshrs[i] = (uint16_t)(l1->n_mshrs - 1 - i);
  l1->counters = counters;
  l1->config = config;
  wf_l1_victims_init(&l1->victims, config->l1_victim_lines);
  l1->bypass = wf_bypass_create((wf_bypass_kind)config->l1_bypass, l1->sets,
                                (uint16_t)(1 + config->l1_bypass_seed));
  l1->set_accesses = wf_calloc(l1->sets, sizeof *l1->set_accesses);
  return l1;
}

void wf_l1_share_abyp(wf_l1 *l1, wf_abyp_l2 *l2) {
  l1->abyp.l2 = l2;
}

void wf_l1_keep_misses(wf_l1 *l1, wf_l1_keeper keeper) {
  l1->keeper = keeper;
}

void wf_l1_listen(wf_l1 *l1, const wf_cache_row *row, unsigned sm) {
  l1->row = row;
  l1->sm = sm;
}

void wf_l1_destroy(wf_l1 *l1) {
  if (!l1) return;
  free(l1->lines);
  free(l1->set_accesses);
  free(l1->mshrs);
  free(l1->waiting);
  free(l1->done);
  wf_l1_victims_free(&l1->victims);
  wf_bypass_destroy(l1->bypass);
  free(l1->free_mshrs);
  free(l1);
}

/* Upper address bits folded in, so that power-of-two strides spread over the sets. */
unsigned wf_l1_set(const wf_l1 *l1, uint32_t line) {
  uint32_t hashed = line ^ (line >> l1->set_bits) ^ (line >> (2 * l1->set_bits));
  return hashed & (l1->sets - 1);
}

static l1_line *set_of(wf_l1 *l1, uint32_t line) {
  return &l1->lines[(size_t)wf_l1_set(l1, line) * l1->ways];
}

static l1_line *find(l1_line *set, unsigned ways, uint32_t line) {
  for (unsigned w = 0; w < ways; w++)
    if (set[w].tag == line && set[w].state != LINE_INVALID) return &set[w];
  return NULL;
}

static l1_line *in_mshrs(const wf_l1 *l1) {
  return l1->lines + (size_t)l1->sets * l1->ways;
}

/* There or on its way. */
static l1_line *find_line(wf_l1 *l1, uint32_t line) {
  l1_line *hit = find(set_of(l1, line), l1->ways, line);
  return hit || !l1->wayless ? hit : find(in_mshrs(l1), l1->n_mshrs, line);
}

/* The least recently used that is neither reserved nor kept by its protection distance. */
static l1_line *victim(const wf_l1 *l1, l1_line *set) {
  l1_line *best = NULL;
  const uint32_t distance = l1->config->l1_pd;
  const uint32_t now = distance ? l1->set_accesses[(size_t)(set - l1->lines) / l1->ways] : 0;
  for (unsigned w = 0; w < l1->ways; w++) {
    if (set[w].state == LINE_INVALID) return &set[w];
    if (distance && now - set[w].stamp < distance) continue;
    if (set[w].state == LINE_VALID && (!best || (int32_t)(set[w].used - best->used) < 0))
      best = &set[w];
  }
  return best;
}

static bool all_reserved(const l1_line *set, unsigned ways) {
  for (unsigned w = 0; w < ways; w++)
    if (set[w].state != LINE_RESERVED) return false;
  return true;
}

/* ---- who hears ---- */

static wf_cache_event event_of(const wf_l1 *l1, wf_cache_what what, const l1_line *at,
                               uint32_t line) {
  const unsigned number = at ? (unsigned)(at - l1->lines) : 0;
  const bool has_way = at && at < in_mshrs(l1);
  return (wf_cache_event){.what = (uint8_t)what,
                          .level = WF_CACHE_L1,
                          .at = (uint16_t)l1->sm,
                          .sm = (uint16_t)l1->sm,
                          .way = (uint16_t)(has_way ? number % l1->ways : WF_CACHE_NO_WAY),
                          .set = wf_l1_set(l1, line),
                          .line = line};
}

static void tell_line(const wf_l1 *l1, wf_cache_what what, const l1_line *way) {
  if (!l1->row) return;
  wf_cache_event e = event_of(l1, what, way, way->tag);
  e.sectors = way->valid;
  wf_cache_tell(l1->row, &e);
}

/* at: where the line is, or on its way to; NULL: nowhere. */
static void tell_look(const wf_l1 *l1, const l1_line *at, uint32_t line, uint32_t pc,
                      uint8_t sectors) {
  if (!l1->row) return;
  wf_cache_event e = event_of(l1, WF_CACHE_LOOK, at, line);
  e.sectors = sectors;
  e.pc = (uint16_t)pc;
  e.hit = at && !(sectors & ~at->valid);
  e.coming = at && at->state == LINE_RESERVED;
  wf_cache_tell(l1->row, &e);
}

void wf_l1_tell_look(const wf_l1 *l1, const wf_l1_access *look, uint8_t sectors) {
  tell_look(l1, look->hit ? &l1->lines[look->at] : NULL, look->line, look->pc, sectors);
}

static void end_life(wf_l1 *l1, const l1_line *line) {
  l1->counters->prefetch_useless += line->foretold;
  if (l1->lifetimes) l1->lifetimes[wf_locality_count_bin(line->accesses)]++;
}

static bool is_hit(const l1_line *line, uint8_t sectors) {
  return (line->valid & sectors) == sectors;
}

static uint8_t needed(const wf_l1 *l1, uint8_t sectors) {
  return l1->config->l1_sectored ? sectors : WF_L1_LINE;
}

/* Loads wait for the line already, or for other sectors of it than this one needs. */
static bool may_join(const wf_l1 *l1, const l1_line *line, uint8_t sectors, bool can_send) {
  if (is_hit(line, sectors)) return true;
  if (line->drop && l1->config->mem.ordered) return false;
  if (line->state == LINE_VALID) return l1->n_free && can_send;
  const l1_mshr *m = &l1->mshrs[line->mshr];
  return m->count < l1->merge && (can_send || (sectors & ~line->valid & ~m->pending) == 0);
}

/* The free MSHR that is taken next. */
static unsigned next_mshr(const wf_l1 *l1) {
  return l1->free_mshrs[l1->n_free - 1];
}

static void take_mshr(wf_l1 *l1, l1_line *line) {
  line->mshr = l1->free_mshrs[--l1->n_free];
  line->state = LINE_RESERVED;
  l1->mshrs[line->mshr] = (l1_mshr){.line_index = (uint32_t)(line - l1->lines)};
}

/* The line that stands in the MSHR that is taken next. */
static l1_line *without_way(wf_l1 *l1) {
  l1->wayless++;
  return in_mshrs(l1) + next_mshr(l1);
}

/* The load waits for what of its sectors is not here. The sectors to be asked for. */
static uint8_t wait_for(wf_l1 *l1, const l1_line *line, uint8_t sectors, uint16_t load) {
  l1_mshr *m = &l1->mshrs[line->mshr];
  const uint8_t missing = sectors & (uint8_t)~line->valid, wanted = missing & (uint8_t)~m->pending;
  l1->waiting[(size_t)line->mshr * l1->merge + m->count++] =
      (l1_waiter){.load = load, .sectors = missing};
  m->requests = (uint16_t)(m->requests + (wanted != 0));
  m->pending |= wanted;
  l1->counters->accesses++;
  l1->counters->misses++;
  return wanted;
}

static wf_l1_result use(wf_l1 *l1, l1_line *hit, uint8_t sectors, uint16_t load,
                        wf_l1_fetch *fetch) {
  hit->accesses++;
  if (hit->foretold) {
    hit->foretold = false;
    if (hit->state == LINE_VALID)
      l1->counters->prefetch_useful++;
    else
      l1->counters->prefetch_late++;
  }
  if (is_hit(hit, sectors)) {
    hit->used = l1->clock;
    l1->counters->accesses++;
    l1->counters->hits++;
    return WF_L1_HIT;
  }
  if (hit->state == LINE_VALID) take_mshr(l1, hit);
  const uint8_t wanted = wait_for(l1, hit, sectors, load);
  if (!wanted) return l1->counters->merges++, WF_L1_MERGED;
  l1->counters->sector_misses++;
  *fetch = (wf_l1_fetch){.mshr = hit->mshr, .sectors = wanted};
  return WF_L1_MISS;
}

/* It has left the L1 and its victim cache. */
static void hand_on(wf_l1 *l1, wf_l1_victim v) {
  if (!v.valid || !(v.copy_back || l1->config->mem.l2_exclusive)) return;
  if (l1->replaced_ring.count == REPLACED)
    l1->counters->victims_lost++;
  else
    l1->replaced[wf_ring_push(&l1->replaced_ring, REPLACED)] = v.line;
}

bool wf_l1_has_replaced(const wf_l1 *l1) {
  return l1->replaced_ring.count;
}

bool wf_l1_next_replaced(wf_l1 *l1, uint32_t *line) {
  if (!l1->replaced_ring.count) return false;
  *line = l1->replaced[wf_ring_pop(&l1->replaced_ring, REPLACED)];
  return true;
}

static void leave(wf_l1 *l1, const l1_line *way) {
  if (way->state != LINE_VALID) return;
  l1->counters->evictions++;
  end_life(l1, way);
  tell_line(l1, WF_CACHE_EVICT, way);
  if (l1->abyp.l2 && way->accesses == 1) wf_abyp_evicted_unused(&l1->abyp, way->slot);
  const wf_l1_victim v = {
      .line = way->tag, .valid = way->valid, .slot = way->slot, .copy_back = way->copy_back};
  hand_on(l1, l1->victims.n ? wf_l1_victims_put(&l1->victims, v) : v);
}

/* A way for the line, with an MSHR, of which one is free. */
static void claim(wf_l1 *l1, l1_line *way, l1_line line) {
  leave(l1, way);
  *way = line;
  take_mshr(l1, way);
}

/* Reserves a way; there is a free MSHR. */
static wf_l1_fetch reserve(wf_l1 *l1, l1_line *way, uint32_t line, wf_l1_part part) {
  claim(l1, way, (l1_line){.tag = line, .used = l1->clock, .accesses = 1});
  const uint8_t asked = wait_for(l1, way, part.sectors, part.load) | part.more;
  l1->mshrs[way->mshr].pending = asked;
  return (wf_l1_fetch){.mshr = way->mshr, .sectors = asked};
}

bool wf_l1_holds(const wf_l1 *l1, uint32_t line) {
  const l1_line *at = find(set_of((wf_l1 *)l1, line), l1->ways, line);
  return (at && at->state == LINE_VALID) || wf_l1_victims_find(&l1->victims, line).valid;
}

wf_l1_result wf_l1_prefetch(wf_l1 *l1, uint32_t line, bool can_send, wf_l1_fetch *fetch) {
  if (find_line(l1, line) || wf_l1_victims_find(&l1->victims, line).valid) return WF_L1_HIT;
  if (!can_send || !l1->n_free) return WF_L1_STALL;
  l1_line *way = l1->config->l1_allocate ? without_way(l1) : victim(l1, set_of(l1, line));
  if (!way) return WF_L1_STALL;
  l1->clock++;
  claim(l1, way, (l1_line){.tag = line, .used = l1->clock, .foretold = true});
  l1_mshr *m = &l1->mshrs[way->mshr];
  m->requests = 1;
  m->pending = WF_L1_LINE;
  *fetch = (wf_l1_fetch){.mshr = way->mshr, .sectors = WF_L1_LINE};
  return WF_L1_MISS;
}

/* A miss that waits for nothing but an MSHR: is one free? It is taken next. */
static bool gets_mshr(wf_l1 *l1, const wf_l1_request *r) {
  if (!l1->keeper.request) return l1->n_free;
  const wf_miss_answer book = l1->n_free ? (wf_miss_answer){WF_MISS_NEW, next_mshr(l1)}
                                         : (wf_miss_answer){.what = WF_MISS_FULL};
  const wf_miss_answer a = l1->keeper.request(l1->keeper.self, r->line, r->load, book);
  for (unsigned i = 0; i < l1->n_free; i++)
    if (l1->free_mshrs[i] == a.entry) {
      l1->free_mshrs[i] = (uint16_t)next_mshr(l1);
      l1->free_mshrs[l1->n_free - 1] = (uint16_t)a.entry;
      break;
    }
  return a.what == WF_MISS_NEW;
}

/* The same of a line that is on its way, or here without some sector. What the miss queue has no
 * room for is not asked. */
static bool may_merge(wf_l1 *l1, const l1_line *line, const wf_l1_request *r, uint8_t sectors,
                      bool joins) {
  if (!l1->keeper.request || is_hit(line, sectors)) return joins;
  if (line->state == LINE_VALID) return r->can_send && gets_mshr(l1, r);
  if (!r->can_send && (sectors & ~line->valid & ~l1->mshrs[line->mshr].pending)) return false;
  const wf_miss_answer book = {joins ? WF_MISS_MERGED : WF_MISS_MERGE_FULL, line->mshr};
  return l1->keeper.request(l1->keeper.self, r->line, r->load, book).what == WF_MISS_MERGED;
}

/* l1.bypass: a request of the line in this way; NULL: in none. */
static void note_access(wf_l1 *l1, uint32_t line, const l1_line *way) {
  const bool there = way && way < in_mshrs(l1);
  if (l1->bypass)
    wf_bypass_access(l1->bypass, wf_l1_set(l1, line), line,
                     there ? (int)((unsigned)(way - l1->lines) % l1->ways) : WF_BYPASS_NO_WAY);
}

/* l1.bypass: does the line go past, or take the way? */
static bool bypasses(wf_l1 *l1, uint32_t line, const l1_line *way, bool keep) {
  return l1->bypass &&
         wf_bypass_decides(l1->bypass,
                           &(wf_bypass_miss){.set = wf_l1_set(l1, line),
                                             .way = (unsigned)(way - l1->lines) % l1->ways,
                                             .line = line,
                                             .victim = way->tag,
                                             .victim_valid = way->state == LINE_VALID,
                                             .keep = keep});
}

/* A miss goes past the L1 if a rival to the units says so. */
static bool goes_past(wf_l1 *l1, const l1_line *set, const l1_line *way, const wf_l1_request *r) {
  if (!r->may_allocate) return true;
  if (l1->bypass) return note_access(l1, r->line, NULL), bypasses(l1, r->line, way, false);
  if (l1->abyp.l2 && wf_abyp_says_bypass(&l1->abyp, r->slot)) return true;
  if (l1->config->l1_bypass_stalls && !l1->n_free) return true;
  if (l1->config->l1_bypass_stalls && !way && !l1->config->l1_allocate) return true;
  return l1->config->l1_pd && !way && !all_reserved(set, l1->ways); /* the others are kept */
}

static wf_l1_result miss(wf_l1 *l1, l1_line *set, const wf_l1_request *r, uint8_t sectors,
                         wf_l1_fetch *fetch) {
  l1_line *way = victim(l1, set);
  if (!r->can_send) return WF_L1_STALL;
  if (l1->bypass && (!way || !l1->n_free)) return WF_L1_STALL; /* it may decide either way */
  const wf_gpu_config *c = l1->config;
  const bool past = goes_past(l1, set, way, r), wayless = past || c->l1_allocate;
  const bool alone = past && (!c->l1_past || (c->l1_bypass_stalls && !l1->n_free));
  if (!alone && ((!way && !wayless) || !gets_mshr(l1, r))) return WF_L1_STALL;
  tell_look(l1, NULL, r->line, r->pc, r->sectors);
  if (l1->abyp.l2) wf_abyp_in_l2(&l1->abyp, r->line, r->slot, past);
  if (alone) return WF_L1_PAST;
  if (wayless) way = without_way(l1);
  *fetch = reserve(l1, way, r->line, (wf_l1_part){.load = r->load, .sectors = sectors});
  l1->counters->bypasses += past;
  fetch->past = past;
  way->past = past;
  way->slot = r->slot;
  way->stamp = l1->set_accesses[wf_l1_set(l1, r->line)];
  return WF_L1_MISS;
}

static wf_l1_result hit_or_merge(wf_l1 *l1, l1_line *hit, const wf_l1_request *r, uint8_t sectors,
                                 wf_l1_fetch *fetch) {
  const bool waits = hit->drop && l1->config->mem.ordered;
  bool joins = may_join(l1, hit, sectors, r->can_send);
  if (!waits) joins = may_merge(l1, hit, r, sectors, joins);
  if (!joins) return l1->config->l1_bypass_stalls && r->can_send ? WF_L1_PAST : WF_L1_STALL;
  tell_look(l1, hit, r->line, r->pc, r->sectors);
  note_access(l1, r->line, hit);
  wf_l1_result result = use(l1, hit, sectors, r->load, fetch);
  hit->stamp = l1->set_accesses[wf_l1_set(l1, r->line)];
  if (l1->abyp.l2) wf_abyp_hit(&l1->abyp, hit->slot);
  return result;
}

/* A line of the victim cache takes a way, whose line goes there; where all ways are kept, it is
 * used where it is. */
static wf_l1_result load_victim(wf_l1 *l1, l1_line *set, const wf_l1_victim *v,
                                const wf_l1_request *r, uint8_t sectors, wf_l1_fetch *fetch) {
  const bool whole = (v->valid & sectors) == sectors;
  l1_line *way = victim(l1, set);
  if (!whole && (!way || !l1->n_free || !r->can_send)) return WF_L1_STALL;
  wf_l1_victims_drop(&l1->victims, v->line);
  if (!way) {
    wf_l1_victims_put(&l1->victims, *v);
    l1->counters->accesses++;
    l1->counters->hits++;
  } else {
    (void)bypasses(l1, v->line, way, true);
    leave(l1, way);
    *way = (l1_line){.tag = v->line,
                     .state = LINE_VALID,
                     .slot = v->slot,
                     .valid = v->valid,
                     .copy_back = v->copy_back};
    tell_line(l1, WF_CACHE_FILL, way);
    const wf_l1_result result = hit_or_merge(l1, way, r, sectors, fetch);
    if (result != WF_L1_HIT) return result;
  }
  l1->counters->victim_hits++;
  return WF_L1_HIT_VICTIM;
}

wf_l1_result wf_l1_load(wf_l1 *l1, const wf_l1_request *r, wf_l1_fetch *fetch) {
  const uint8_t sectors = needed(l1, r->sectors);
  l1_line *set = set_of(l1, r->line), *hit = find_line(l1, r->line);
  l1->clock++;
  const wf_l1_victim kept = hit ? (wf_l1_victim){0} : wf_l1_victims_find(&l1->victims, r->line);
  const wf_l1_result result = hit          ? hit_or_merge(l1, hit, r, sectors, fetch)
                              : kept.valid ? load_victim(l1, set, &kept, r, sectors, fetch)
                                           : miss(l1, set, r, sectors, fetch);
  if (result != WF_L1_STALL) l1->set_accesses[wf_l1_set(l1, r->line)]++;
  return result;
}

/* ---- the same in steps ---- */

/* rank: how many ways are newer; equal stamps (ways never used) go by number. */
static void rank_ways(const l1_line *set, unsigned ways, uint8_t *rank) {
  memset(rank, 0, ways);
  for (unsigned w = 1; w < ways; w++)
    for (unsigned v = 0; v < w; v++) rank[(int32_t)(set[w].used - set[v].used) > 0 ? v : w]++;
}

void wf_l1_look(wf_l1 *l1, uint32_t line, wf_l1_access *look) {
  look->set = wf_l1_set(l1, line);
  l1_line *set = &l1->lines[(size_t)look->set * l1->ways], *hit = find_line(l1, line);
  look->hit = hit != NULL;
  look->at = hit ? (uint32_t)(hit - l1->lines) : 0;
  look->way = hit && hit < in_mshrs(l1) ? (unsigned)(hit - set) : 0;
  look->invalid = look->reserved = 0;
  for (unsigned w = 0; w < l1->ways; w++) {
    look->invalid |= (uint64_t)(set[w].state == LINE_INVALID) << w;
    look->reserved |= (uint64_t)(set[w].state == LINE_RESERVED) << w;
  }
}

void wf_l1_rank_ways(const wf_l1 *l1, wf_l1_access *look) {
  l1_line *set = &l1->lines[(size_t)look->set * l1->ways];
  rank_ways(set, l1->ways, look->rank);
  const l1_line *way = look->hit ? NULL : victim(l1, set);
  if (!way) return;
  look->victim = (unsigned)(way - set);
  look->victim_valid = way->state == LINE_VALID;
  look->victim_line = way->tag;
}

bool wf_l1_may_use(const wf_l1 *l1, const wf_l1_access *look, uint8_t sectors, bool can_send) {
  return may_join(l1, &l1->lines[look->at], needed(l1, sectors), can_send);
}

wf_l1_result wf_l1_use(wf_l1 *l1, const wf_l1_access *look, const wf_l1_part *part,
                       wf_l1_fetch *fetch) {
  l1->clock++;
  return use(l1, &l1->lines[look->at], needed(l1, part->sectors), part->load, fetch);
}

/* Without sectors a miss wants the whole line. */
static wf_l1_part of_config(const wf_l1 *l1, const wf_l1_part *part) {
  wf_l1_part of = *part;
  of.sectors = needed(l1, part->sectors);
  of.more &= (uint8_t)~of.sectors;
  return of;
}

wf_l1_fetch wf_l1_take(wf_l1 *l1, uint32_t line, unsigned way, const wf_l1_part *part) {
  l1->clock++;
  return reserve(l1, set_of(l1, line) + way, line, of_config(l1, part));
}

wf_l1_fetch wf_l1_take_past(wf_l1 *l1, uint32_t line, const wf_l1_part *part) {
  l1->clock++;
  l1_line *at = without_way(l1);
  wf_l1_fetch fetch = reserve(l1, at, line, of_config(l1, part));
  l1->counters->bypasses++;
  at->past = fetch.past = true;
  return fetch;
}

unsigned wf_l1_free_mshrs(const wf_l1 *l1) {
  return l1->n_free;
}

void wf_l1_evict(wf_l1 *l1, uint32_t line) {
  l1_line *hit = find_line(l1, line);
  wf_l1_victims_drop(&l1->victims, line);
  if (!hit) return;
  if (hit->state == LINE_RESERVED) {
    if (hit->valid && hit < in_mshrs(l1)) tell_line(l1, WF_CACHE_EVICT, hit);
    hit->drop = true;
    hit->valid = 0;
  } else {
    tell_line(l1, WF_CACHE_EVICT, hit);
    hit->state = LINE_INVALID;
    l1->counters->evictions++;
    end_life(l1, hit);
  }
}

/* A store that stays: sectors written whole are valid from here on, unless a fill is on its way
 * that holds older words. */
static void keep_written(wf_l1 *l1, uint32_t line, uint8_t whole) {
  l1_line *set = set_of(l1, line), *hit = find_line(l1, line);
  l1->clock++;
  wf_l1_victims_drop(&l1->victims, line);
  if (!hit) {
    if (!whole || !(hit = victim(l1, set))) return;
    leave(l1, hit);
    *hit = (l1_line){.tag = line,
                     .accesses = 1,
                     .state = LINE_VALID,
                     .valid = whole,
                     .stamp = l1->set_accesses[wf_l1_set(l1, line)]};
    tell_line(l1, WF_CACHE_FILL, hit);
  }
  hit->used = l1->clock;
  hit->valid |= hit->state == LINE_VALID ? whole : 0;
}

void wf_l1_store(wf_l1 *l1, uint32_t line, uint8_t whole) {
  if (l1->config->l1_write_keep)
    keep_written(l1, line, whole);
  else
    wf_l1_evict(l1, line);
}

/* The first sectors of a line that stands in its MSHR: it takes a way, or is not kept. */
static l1_line *land(wf_l1 *l1, l1_line *line) {
  l1_line *way = victim(l1, set_of(l1, line->tag));
  if (!way) {
    l1->counters->fills_dropped++;
    end_life(l1, line);
    line->past = true;
    return line;
  }
  leave(l1, way);
  *way = *line;
  way->used = ++l1->clock;
  l1->mshrs[line->mshr].line_index = (uint32_t)(way - l1->lines);
  line->state = LINE_INVALID;
  l1->wayless--;
  return way;
}

static void end_mshr(wf_l1 *l1, unsigned mshr, l1_line *line) {
  line->state = line->drop || line->past ? LINE_INVALID : LINE_VALID;
  if (line->drop && !line->past) end_life(l1, line);
  if (line->state == LINE_VALID) tell_line(l1, WF_CACHE_FILL, line);
  if (line >= in_mshrs(l1)) l1->wayless--;
  l1->free_mshrs[l1->n_free++] = (uint16_t)mshr;
}

void wf_l1_copy_back(wf_l1 *l1, unsigned mshr) {
  l1->lines[l1->mshrs[mshr].line_index].copy_back = true;
}

const uint16_t *wf_l1_fill(wf_l1 *l1, unsigned mshr, uint8_t sectors, unsigned *count) {
  l1_mshr *m = &l1->mshrs[mshr];
  l1_line *line = &l1->lines[m->line_index];
  l1_waiter *waiting = &l1->waiting[(size_t)mshr * l1->merge];
  const bool whole = l1->keeper.request, last = m->requests == 1;
  unsigned left = 0;
  if (line >= in_mshrs(l1) && !line->drop && !line->past) line = land(l1, line);
  *count = 0;
  for (unsigned i = 0; i < m->count; i++) {
    waiting[i].sectors &= (uint8_t)~sectors;
    if (whole ? !last : waiting[i].sectors)
      waiting[left++] = waiting[i];
    else
      l1->done[(*count)++] = waiting[i].load;
  }
  m->count = (uint16_t)left;
  m->pending &= (uint8_t)~sectors;
  if (!line->drop && !line->past) line->valid |= sectors;
  if (--m->requests == 0) end_mshr(l1, mshr, line);
  return whole && !last ? NULL : l1->done;
}

void wf_l1_count_lifetimes(wf_l1 *l1, uint64_t *histogram) {
  l1->lifetimes = histogram;
}

void wf_l1_clear(wf_l1 *l1) {
  for (unsigned i = 0; i < l1->sets * l1->ways; i++)
    if (l1->lines[i].state == LINE_VALID) end_life(l1, &l1->lines[i]);
  wf_l1_victims_clear(&l1->victims);
  memset(l1->lines, 0, (size_t)l1->sets * l1->ways * sizeof *l1->lines);
}

bool wf_l1_idle(const wf_l1 *l1) {
  return l1->n_free == l1->n_mshrs && !l1->replaced_ring.count;
}
