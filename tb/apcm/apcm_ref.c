#include "tb/apcm/apcm_ref.h"

#include <string.h>

static unsigned most(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static unsigned clear_edges(const apcm_ref *r) {
  const apcm_shape *s = &r->shape;
  return most(most(s->mta_entries / s->mta_ways, s->sets), s->ids);
}

/* A new kernel: everything is forgotten. */
static void forget(apcm_ref *r) {
  r->loads = 0;
  memset(r->cait, 0, sizeof r->cait);
  r->told.valid = r->written.valid = false;
  r->renew_turn = 0;
  r->die = 1;
  memset(r->mta, 0, sizeof r->mta);
  memset(r->psb, 0, sizeof r->psb);
  memset(r->line, 0, sizeof r->line);
  memset(r->loop, 0, sizeof r->loop);
  r->n_exits = 0;
  r->cares = r->will_care = false;
  r->entered = r->left = r->late = 0;
  r->state = APCM_NONE;
  r->busy = clear_edges(r);
}

void apcm_ref_reset(apcm_ref *r, const apcm_shape *shape) {
  apcm_settings settings = r->settings;
  memset(r, 0, sizeof *r);
  r->shape = *shape;
  r->settings = settings;
  forget(r);
}

static bool exit_is_due(const apcm_ref *r) {
  return r->n_exits && r->exit[0].behind <= r->left;
}

apcm_ready apcm_ref_ready(const apcm_ref *r, unsigned lsu_in) {
  if (r->busy) return (apcm_ready){0};
  return (apcm_ready){.load = !r->told.valid,
                      .access = !r->access_waits,
                      .done = !r->has_done,
                      .exit = r->acts == APCM_EXIT,
                      .move = r->n_exits < r->shape.exits && r->late + lsu_in <= 1};
}

bool apcm_ref_idle(const apcm_ref *r) {
  return !(r->busy || r->has_access || r->acts || r->has_done || r->starts || r->kernel_starts ||
           r->load_answer.valid || r->access_answer.valid || r->state == APCM_SCAN ||
           r->told.valid || r->written.valid || exit_is_due(r) || r->late);
}

bool apcm_ref_kernel_may(const apcm_ref *r) {
  return !(r->busy || r->has_access || r->acts || r->has_done || r->starts || r->kernel_starts ||
           exit_is_due(r));
}

uint64_t apcm_ref_psb(const apcm_ref *r) {
  uint64_t bits = 0;
  for (unsigned w = 0; w < r->shape.warps; w++) bits |= (uint64_t)r->psb[w].protect << w;
  return bits;
}

uint64_t apcm_ref_ask_done(const apcm_ref *r) {
  return apcm_ref_psb(r) | (r->has_access ? UINT64_C(1) << r->access.warp : 0);
}

uint64_t apcm_ref_ask_exit(const apcm_ref *r) {
  return apcm_ref_ask_done(r) | (r->state == APCM_WATCH ? UINT64_C(1) << r->watched : 0);
}

bool apcm_ref_ask_start(const apcm_ref *r) {
  return r->state == APCM_NONE && !r->starts;
}

/* Section 5.1, LAT; 5.2, lookup of the CAIT. */
static void load_issues(apcm_ref *r, const apcm_load *load) {
  apcm_load_answer *a = &r->load_answer;
  r->counter[APCM_CNT_loads]++;
  *a = (apcm_load_answer){.valid = true};
  unsigned id = 0;
  while (id < r->loads && r->pc[id] != load->pc) id++;
  if (id == r->loads) {
    if (r->loads == r->shape.ids) {
      r->counter[APCM_CNT_loads_untracked]++;
      return;
    }
    r->pc[r->loads++] = load->pc;
  }
  a->tracked = true;
  a->id = id;
  if (!r->cait[id].count) return;
  a->last = r->cait[id].last;
  if (r->cait[id].method == APCM_BYPASS && r->settings.bypass) a->method = APCM_BYPASS;
  if (r->cait[id].method == APCM_PROTECT && r->settings.protect) a->method = APCM_PROTECT;
  r->counter[APCM_CNT_loads_bypass] += a->method == APCM_BYPASS;
  r->counter[APCM_CNT_loads_protect] += a->method == APCM_PROTECT;
}

/* Table 2. */
static apcm_report report(const apcm_mta_entry *e) {
  unsigned method = e->count == 1 ? APCM_BYPASS : e->intra == e->count ? APCM_PROTECT : APCM_NORMAL;
  return (apcm_report){true, e->first, method, e->last, e->count};
}

/* The rule of overwriting (5.1). */
static void learn(apcm_ref *r, const apcm_report *p) {
  if (!p->valid || p->count <= r->cait[p->id].count) return;
  r->cait[p->id].method = p->method;
  r->cait[p->id].last = p->last;
  r->cait[p->id].count = p->count;
}

/* Section 5.1: the monitor tag array sees an access. After an edge that told something there is one
 * that does not. */
static void monitor(apcm_ref *r, const apcm_access *a, unsigned line_count, bool quiet,
                    apcm_report *tells) {
  unsigned ways = r->shape.mta_ways, rows = r->shape.mta_entries / ways;
  apcm_mta_entry *row = &r->mta[a->line % rows * ways], *e = NULL;
  bool own = a->warp == r->watched;
  for (unsigned w = 0; w < ways; w++)
    if (row[w].valid && row[w].line == a->line) e = &row[w];
  if (e) {
    if (a->tracked) e->last = a->id;
    if (e->count < r->shape.count_max) {
      e->count++;
      if (own) e->intra++;
    }
    if (e->count > r->settings.threshold && !quiet) *tells = report(e);
    return;
  }
  if (!own || !a->tracked || !a->few) return;
  for (unsigned w = ways; w-- > 0;)
    if (!row[w].valid) e = &row[w];
  if (!e) {
    if (quiet) return;
    e = &row[r->turn];
    r->turn = (r->turn + 1) % ways;
    *tells = report(e);
  }
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
          (a->method == APCM_PROTECT || !r->line[a->set][w].credit) &&
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
  r->line[a->set][best].credit = a->method == APCM_PROTECT ? 0 : r->settings.keep;
  r->line[a->set][best].protect = protect;
  r->line[a->set][best].warp = a->warp;
  r->counter[APCM_CNT_allocs]++;
  r->counter[APCM_CNT_protected] += protect;
  answer->alloc = true;
  answer->protect = protect;
  answer->way = (uint32_t)best;
}

bool apcm_ref_ages(const apcm_ref *r) {
  return r->die % r->shape.age_steps == r->shape.age_steps - 1;
}

/* Protection that ended is dropped; at one look-up of a few credit goes. */
static void meet_set(apcm_ref *r, unsigned set) {
  const bool ages = apcm_ref_ages(r);
  r->die = (r->die << 1 & 127) | ((r->die >> 6 ^ r->die >> 5) & 1);
  for (unsigned w = 0; w < r->shape.ways; w++) {
    if (!r->psb[r->line[set][w].warp].protect) r->line[set][w].protect = false;
    if (ages && r->line[set][w].credit) r->line[set][w].credit--;
  }
}

static void access_line(apcm_ref *r, const apcm_access *a, bool quiet, apcm_report *tells) {
  unsigned line_count = 0;
  r->counter[APCM_CNT_accesses]++;
  r->access_answer = (apcm_access_answer){.valid = true};
  if (a->method != APCM_BYPASS) {
    meet_set(r, a->set);
    if (a->hit) {
      unsigned *count = &r->line[a->set][a->way].count;
      if (*count < r->shape.count_max) ++*count;
      line_count = *count;
      if (a->method != APCM_PROTECT) r->line[a->set][a->way].credit = r->settings.keep;
    } else {
      allocate(r, a);
    }
  }
  if (r->state == APCM_WATCH) monitor(r, a, line_count, quiet, tells);
}

static void unprotect(apcm_ref *r, unsigned warp) {
  r->psb[warp].protect = false;
}

static void load_done(apcm_ref *r, const apcm_event *e) {
  if (!r->psb[e->warp].protect || r->psb[e->warp].loop || r->psb[e->warp].last != e->id) return;
  unprotect(r, e->warp);
  r->counter[APCM_CNT_psb_last]++;
}

static void warp_exit(apcm_ref *r, const apcm_event *e) {
  unprotect(r, e->warp);
  if (r->state != APCM_WATCH || r->watched != e->warp) return;
  r->state = APCM_SCAN;
  r->scan_step = 0;
}

/* The warp at the queue's head has left its outermost loop. */
static void leave(apcm_ref *r) {
  const unsigned warp = r->exit[0].warp;
  if (r->psb[warp].protect && r->psb[warp].loop) {
    unprotect(r, warp);
    r->counter[APCM_CNT_psb_loop]++;
  }
  r->n_exits--;
  memmove(r->exit, r->exit + 1, r->n_exits * sizeof *r->exit);
}

static bool in_loop(const apcm_ref *r, unsigned l, uint64_t pc) {
  return r->loop[l].valid && pc >= r->loop[l].low && pc <= r->loop[l].high;
}

/* A jump backward: a loop from `low` to `high`, unless it is in a known one. */
static void see_loop(apcm_ref *r, uint64_t low, uint64_t high) {
  unsigned at = r->shape.loops;
  for (unsigned l = 0; l < r->shape.loops; l++)
    if (in_loop(r, l, low) && in_loop(r, l, high)) return;
  for (unsigned l = r->shape.loops; l-- > 0;)
    if (!r->loop[l].valid) at = l;
  bool first = true;
  for (unsigned l = 0; l < r->shape.loops; l++) {
    if (!r->loop[l].valid || r->loop[l].low < low || r->loop[l].high >= high) continue;
    if (first) at = l;
    first = false;
    r->loop[l].valid = false; /* it is inside */
  }
  if (at == r->shape.loops) return;
  r->loop[at].valid = true;
  r->loop[at].low = low;
  r->loop[at].high = high;
}

static void moves(apcm_ref *r, const apcm_move *m) {
  if (m->to <= m->from) {
    if (m->jump) see_loop(r, m->to, m->from);
    return;
  }
  if (m->push) return;
  bool left = false, stays = false;
  for (unsigned l = 0; l < r->shape.loops; l++) {
    left |= in_loop(r, l, m->from) && !in_loop(r, l, m->to);
    stays |= in_loop(r, l, m->from) && in_loop(r, l, m->to);
  }
  if (!left || stays || !r->cares) return;
  r->exit[r->n_exits].warp = m->warp;
  r->exit[r->n_exits++].behind = r->entered;
}

/* One entry in two edges, after one to read. */
static void scan(apcm_ref *r, apcm_report *tells) {
  unsigned step = ++r->scan_step;
  if (step % 2 == 0 && step / 2 <= r->shape.mta_entries) {
    apcm_mta_entry *e = &r->mta[step / 2 - 1];
    if (e->valid) *tells = report(e);
  }
  if (step == 2 * r->shape.mta_entries + 1) r->state = APCM_OVER;
}

/* Who acts at the next edge. */
static void choose(apcm_ref *r, const apcm_offers *o, bool due) {
  const bool done = r->has_done || o->done, exit = o->exit && (r->exit_first || !done);
  const bool exits = r->acts == APCM_EXIT;
  r->acts = r->acts ? APCM_NO_ONE
            : due   ? APCM_LEFT
            : exit  ? APCM_EXIT
            : done  ? APCM_DONE
                    : APCM_NO_ONE;
  r->exit_first = exit && !exits;
}

/* Of one event of a warp, and of a start. */
static void happens(apcm_ref *r, const apcm_offers *o, unsigned acts) {
  const bool takes = o->done && !r->has_done;
  if (acts == APCM_DONE) load_done(r, &r->done);
  if (acts == APCM_EXIT) warp_exit(r, o->exit);
  if (takes) r->done = *o->done;
  r->has_done = takes || (r->has_done && acts != APCM_DONE);
  if (r->starts) r->state = APCM_WATCH;
  r->starts = o->start && r->state == APCM_NONE;
  if (r->starts) r->watched = o->start->warp;
}

void apcm_ref_step(apcm_ref *r, const apcm_offers *o) {
  const apcm_ready ready = apcm_ref_ready(r, o->lsu_in);
  const bool scans = r->state == APCM_SCAN, due = exit_is_due(r),
             acts = r->has_access && !r->access_waits, kernel = r->kernel_starts;
  const unsigned event = r->acts;
  const apcm_access acting = r->access;
  r->load_answer.valid = r->access_answer.valid = false;
  if (r->busy) {
    r->exit_first = o->exit && (r->exit_first || !o->done);
    r->busy--;
    return;
  }
  apcm_report tells = {0};
  const bool told = r->will_care;
  if (o->load && ready.load) load_issues(r, o->load);
  r->will_care = r->load_answer.valid && r->load_answer.method == APCM_PROTECT;
  learn(r, &r->written);
  r->late += o->lsu_in;
  if (r->late) r->late--, r->entered++;
  if (o->move && ready.move) moves(r, o->move);
  r->cares |= told;
  r->left += o->lsu_out;
  if (acts) access_line(r, &acting, r->told.valid, &tells);
  choose(r, o, due);
  if (event == APCM_LEFT) leave(r);
  if (scans) scan(r, &tells);
  r->written = r->told;
  r->told = tells;
  const unsigned rows = r->shape.mta_entries / r->shape.mta_ways;
  const bool takes = o->access && ready.access;
  r->has_access = takes || r->access_waits;
  r->access_waits = takes && acts &&
                    (o->access->set == acting.set || o->access->line % rows == acting.line % rows);
  if (takes) r->access = *o->access;
  happens(r, o, event);
  r->kernel_starts = o->kernel;
  if (kernel) forget(r);
}
