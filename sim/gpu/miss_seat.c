/* What the unit says is done; where it says other than the book, the run ends. A fill's loads are
 * known an edge after it: their registers are written in that cycle at the earliest, so that the
 * answer is never late for them. */
#include "sim/gpu/miss_seat.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/l1.h"
#include "sim/gpu/lsu.h"

/* Of one SM. */
struct wf_miss_file {
  wf_unit *unit;
  unsigned sm, entries;
  bool owes;             /* the loads of a fill, which are by the book: */
  const uint16_t *loads; /* the L1's, until its next fill */
  unsigned count;
  uint64_t filled_at;
  bool used[WF_L1_MOST_MSHRS]; /* entries whose line is on its way */
};

static const char *const names[] = {"new", "merged", "full", "merge-full"};

/* The run ends at the unit's next tick. */
static void differ(const wf_miss_file *f, const char *what, unsigned got, unsigned book) {
  wf_fail(&f->unit->fault, WF_EXIT_WRONG, "%s: SM %u: %s %u, by the book %u", f->unit->cls->name,
          f->sm, what, got, book);
}

static wf_miss_answer request(wf_miss_file *f, uint32_t line, uint16_t load, wf_miss_answer book) {
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
         !(c->l1_sectored || c->l1_write_keep || c->l1_prefetch || c->l1_bypass ||
           c->l1_bypass_stalls) ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--unit %s: its entries are of whole lines that loads wait for; l1.sectored, "
                 "l1.write_keep and l1.bypass_stalls must be 0, l1.prefetch and l1.bypass none",
                 cls->name);
}

static bool kernel_end(wf_seat *seat, wf_error *err) {
  const wf_gpu *gpu = seat->gpu;
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    if (gpu->sms[s].misses->owes)
      return wf_fail(err, WF_EXIT_WRONG, "%s: SM %u: %u loads of its last line were never told",
                     seat->unit->cls->name, s, gpu->sms[s].misses->count);
  return true;
}

static void destroy(wf_seat *seat) {
  free(seat->gpu->sms[0].misses);
}

bool wf_miss_sit(wf_seat *seat, wf_error *err) {
  wf_gpu *gpu = seat->gpu;
  (void)err;
  wf_miss_file *all = wf_calloc(gpu->config.n_sm, sizeof *all);
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    all[s] = (wf_miss_file){.unit = seat->unit, .sm = s, .entries = gpu->config.l1_mshrs};
    gpu->sms[s].misses = &all[s];
    wf_l1_keep_misses(gpu->sms[s].l1, (wf_l1_keeper){&all[s], request});
  }
  seat->kernel_end = kernel_end;
  seat->destroy = destroy;
  return true;
}
