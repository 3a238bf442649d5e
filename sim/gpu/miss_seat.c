/* What the unit says is done; where it says other than the book, the run ends. A fill's loads are
 * known an edge after it: their registers are written in that cycle at the earliest, so that the
 * answer is never late for them. A unit with fill_line() says later what it took, a load at a time:
 * what it has yet to say stands in a queue of the book. */
#include "sim/gpu/miss_seat.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/l1.h"
#include "sim/gpu/lsu.h"

enum { MOST_TOLD = LOADS_PER_SM * PTX_LANES }; /* requests that can wait */

/* What a unit that answers later has to tell. */
typedef struct told_later {
  bool asked, is_new; /* of this cycle's request, which it took */
  uint32_t line[WF_L1_MOST_MSHRS];
  wf_ring ring;
  struct {
    uint16_t load;
    bool last;
  } owed[MOST_TOLD];
} told_later;

/* Of one SM. */
struct wf_miss_file {
  wf_unit *unit;
  unsigned sm, entries;
  bool owes;             /* the loads of a fill, which are by the book: */
  const uint16_t *loads; /* the L1's, until its next fill */
  unsigned count;
  uint64_t filled_at;
  bool used[WF_L1_MOST_MSHRS]; /* entries whose line is on its way */
  told_later *later;           /* NULL: it answers at once */
};

static const char *const names[] = {"new", "merged", "full", "merge-full", "taken"};

/* The run ends at the unit's next tick. */
static void differ(const wf_miss_file *f, const char *what, unsigned got, unsigned book) {
  wf_fail(&f->unit->fault, WF_EXIT_WRONG, "%s: SM %u: %s %u, by the book %u", f->unit->cls->name,
          f->sm, what, got, book);
}

/* A unit that answers later may refuse what the book would take: its places are others. What the
 * book has no room for it is not asked. */
static wf_miss_answer request_later(wf_miss_file *f, uint32_t line, uint16_t load,
                                    wf_miss_answer book) {
  told_later *l = f->later;
  if (book.what != WF_MISS_NEW && book.what != WF_MISS_MERGED) return book;
  if (l->asked) differ(f, "whether a line is new was not told:", 0, l->is_new);
  const wf_miss_answer a = f->unit->cls->misses->request(f->unit, f->sm, line, load);
  if (a.what == WF_MISS_FULL) return (wf_miss_answer){WF_MISS_FULL, book.entry};
  if (a.what != WF_MISS_TAKEN) differ(f, "a request is answered", a.what, WF_MISS_TAKEN);
  l->asked = true;
  l->is_new = book.what == WF_MISS_NEW;
  if (l->is_new) l->line[book.entry] = line;
  return book;
}

void wf_miss_known(wf_sm *sm, bool is_new) {
  told_later *l = sm->misses->later;
  if (!l->asked)
    differ(sm->misses, "nothing was asked, and a line is new:", is_new, 0);
  else if (is_new != l->is_new)
    differ(sm->misses, "the line of this cycle is new:", is_new, l->is_new);
  l->asked = false;
}

static void fill_later(wf_miss_file *f, unsigned entry, const uint16_t *loads, unsigned count) {
  told_later *l = f->later;
  for (unsigned i = 0; i < count; i++) {
    const unsigned at = wf_ring_push(&l->ring, MOST_TOLD);
    l->owed[at].load = loads[i];
    l->owed[at].last = i + 1 == count;
  }
  f->unit->cls->misses->fill_line(f->unit, f->sm, l->line[entry]);
}

void wf_miss_told(wf_sm *sm, uint16_t load, bool last, uint64_t now) {
  const wf_miss_file *f = sm->misses;
  told_later *l = f->later;
  if (!l->ring.count) {
    differ(f, "no line is here, and a load is told:", load, 0);
    return;
  }
  const unsigned at = wf_ring_pop(&l->ring, MOST_TOLD);
  if (load != l->owed[at].load) differ(f, "the load that waited is", load, l->owed[at].load);
  if (last != l->owed[at].last) differ(f, "the load is its line's last:", last, l->owed[at].last);
  wf_lsu_transaction_done(sm, l->owed[at].load, now);
  const uint64_t next = wf_wheel_next(&sm->wheel, now);
  if (sm->wake > next) sm->wake = next;
}

static wf_miss_answer request(wf_miss_file *f, uint32_t line, uint16_t load, wf_miss_answer book) {
  if (f->later) return request_later(f, line, load, book);
  const wf_miss_answer a = f->unit->cls->misses->request(f->unit, f->sm, line, load);
  const bool is_free = a.entry < f->entries && !f->used[a.entry];
  if (a.what == book.what && (a.what != WF_MISS_NEW || is_free) &&
      (a.what != WF_MISS_MERGED || a.entry == book.entry)) {
    if (a.what == WF_MISS_NEW) f->used[a.entry] = true;
    return a;
  }
  wf_fail(&f->unit->fault, WF_EXIT_WRONG,
          "%s: SM %u: line %x is %s as entry %u, by the book %s as entry %u", f->unit->cls->name,
          f->sm, line, names[a.what], a.entry, names[book.what], book.entry);
  if (book.what == WF_MISS_NEW) f->used[book.entry] = true;
  return book;
}

void wf_miss_filled(wf_sm *sm, unsigned entry, const uint16_t *loads, unsigned count,
                    uint64_t now) {
  wf_miss_file *f = sm->misses;
  if (f->later) {
    fill_later(f, entry, loads, count);
    return;
  }
  if (f->owes) differ(f, "a line comes before the last is answered: loads", 0, f->count);
  f->used[entry] = false;
  f->owes = true;
  f->loads = loads;
  f->count = count;
  f->filled_at = now;
  f->unit->cls->misses->fill(f->unit, sm->id, entry);
}

void wf_miss_done(wf_sm *sm, const uint16_t *loads, unsigned count) {
  wf_miss_file *f = sm->misses;
  const unsigned book = f->owes ? f->count : 0;
  f->owes = false;
  if (count != book) {
    differ(f, "loads that waited:", count, book);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    if (loads[i] != f->loads[i]) {
      differ(f, "the load that waited is", loads[i], f->loads[i]);
      return;
    }
    wf_lsu_transaction_done(sm, loads[i], f->filled_at);
  }
  const uint64_t next = wf_wheel_next(&sm->wheel, f->filled_at);
  if (sm->wake > next) sm->wake = next;
}

/* ---- the seat ---- */

bool wf_miss_may_sit(const wf_gpu *gpu, const wf_unit_class *cls, wf_error *err) {
  const wf_gpu_config *c = &gpu->config;
  return !cls->misses || !cls->misses->request ||
         !(c->l1_prefetch || c->l1_bypass || c->l1_bypass_stalls) ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--unit %s: its entries are of lines that loads wait for; l1.bypass_stalls must "
                 "be 0, l1.prefetch and l1.bypass none",
                 cls->name);
}

static bool kernel_end(wf_seat *seat, wf_error *err) {
  const wf_gpu *gpu = seat->gpu;
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    const wf_miss_file *f = gpu->sms[s].misses;
    const unsigned owed = f->later ? f->later->ring.count : f->owes ? f->count : 0;
    if (owed)
      return wf_fail(err, WF_EXIT_WRONG, "%s: SM %u: %u loads of its last line were never told",
                     seat->unit->cls->name, s, owed);
    if (f->later && f->later->asked)
      return wf_fail(err, WF_EXIT_WRONG, "%s: SM %u: whether its last line is new was never told",
                     seat->unit->cls->name, s);
  }
  return true;
}

static void destroy(wf_seat *seat) {
  for (unsigned s = 0; s < seat->gpu->config.n_sm; s++) free(seat->gpu->sms[0].misses[s].later);
  free(seat->gpu->sms[0].misses);
}

bool wf_miss_sit(wf_seat *seat, wf_error *err) {
  wf_gpu *gpu = seat->gpu;
  (void)err;
  wf_miss_file *all = wf_calloc(gpu->config.n_sm, sizeof *all);
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    all[s] = (wf_miss_file){.unit = seat->unit, .sm = s, .entries = gpu->config.l1_mshrs};
    if (seat->unit->cls->misses->fill_line) all[s].later = wf_calloc(1, sizeof *all[s].later);
    gpu->sms[s].misses = &all[s];
    wf_l1_keep_misses(gpu->sms[s].l1, (wf_l1_keeper){&all[s], request});
  }
  seat->kernel_end = kernel_end;
  seat->destroy = destroy;
  return true;
}
