/* What the unit says is compared with the book; where it says other, the run ends. A reply's lanes
 * are known an edge after it: registers are written in that cycle at the earliest, so that the
 * answer is never late for them. */
#include "sim/gpu/load_seat.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/gpu_internal.h"

/* What requests and replies of a load carry. */
typedef struct load_lanes {
  uint32_t active, mask[PTX_LANES]; /* of each line */
  uint8_t offset[PTX_LANES];
  unsigned entry;
} load_lanes;

/* Of one SM. */
struct wf_load_table {
  wf_unit *unit;
  unsigned sm, entries;
  bool used[LOADS_PER_SM]; /* entries whose load waits */
  load_lanes load[LOADS_PER_SM];
  bool owes; /* what a reply is for, which is by the book: */
  wf_load_told book;
  uint64_t replied_at;
};

/* The run ends at the unit's next tick. */
static void differ(const wf_load_table *t, const char *what, unsigned got, unsigned book) {
  wf_fail(&t->unit->fault, WF_EXIT_WRONG, "%s: SM %u: %s %u, by the book %u", t->unit->cls->name,
          t->sm, what, got, book);
}

void wf_load_enters(wf_sm *sm, const wf_lsu_entry *e) {
  load_lanes *l = &sm->load_table->load[e->load];
  const uint64_t *addr = sm->effect.addr;
  l->active = sm->effect.active;
  memset(l->mask, 0, sizeof l->mask);
  for (uint32_t m = l->active; m; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m);
    unsigned n = 0;
    while (e->at[n].line != (uint32_t)(addr[lane] >> LINE_SHIFT)) n++;
    l->mask[n] |= 1u << lane;
    l->offset[lane] = (uint8_t)(addr[lane] & ((1u << LINE_SHIFT) - 1));
  }
}

bool wf_load_asks(wf_sm *sm, const wf_lsu_entry *e, bool book) {
  wf_load_table *t = sm->load_table;
  load_lanes *l = &t->load[e->load];
  const wf_load_line line = {.load = e->load,
                             .first = e->next_line == 0,
                             .last = e->next_line + 1 == e->n_lines,
                             .mask = l->mask[e->next_line],
                             .active = l->active,
                             .offset = l->offset};
  const wf_load_answer a = t->unit->cls->misses->line(t->unit, t->sm, &line);
  if (a.taken != book) {
    differ(t, "a line is taken:", a.taken, book);
    return book;
  }
  if (!a.taken) return false;
  if (line.first) {
    if (a.entry >= t->entries || t->used[a.entry])
      differ(t, "a load gets an entry that is not free, of", a.entry, t->entries);
    else
      t->used[a.entry] = true;
    l->entry = a.entry;
  } else if (a.entry != l->entry) {
    differ(t, "a load's later line is of entry", a.entry, l->entry);
  }
  return true;
}

void wf_load_replied(wf_sm *sm, uint16_t load, unsigned nth, bool last, uint64_t now) {
  wf_load_table *t = sm->load_table;
  const load_lanes *l = &t->load[load];
  if (t->owes) differ(t, "a line comes before the last is answered: load", load, t->book.load);
  t->owes = true;
  t->replied_at = now;
  t->book = (wf_load_told){.load = load, .last = last, .mask = l->mask[nth]};
  memcpy(t->book.offset, l->offset, sizeof l->offset);
  if (last && l->entry < t->entries) t->used[l->entry] = false;
  t->unit->cls->misses->reply(t->unit, t->sm, l->entry, l->mask[nth]);
}

/* The first lane of the mask with another offset; PTX_LANES: none. */
static unsigned other_offset(const wf_load_told *a, const wf_load_told *b) {
  unsigned lane = 0;
  while (lane < PTX_LANES && (!(b->mask >> lane & 1) || a->offset[lane] == b->offset[lane])) lane++;
  return lane;
}

void wf_load_told_by(wf_sm *sm, const wf_load_told *told) {
  wf_load_table *t = sm->load_table;
  const wf_load_told *book = &t->book;
  if (!t->owes) {
    differ(t, "nothing came, and a line is told: of load", told->load, 0);
    return;
  }
  t->owes = false;
  const unsigned lane = other_offset(told, book);
  if (told->load != book->load)
    differ(t, "a line is for load", told->load, book->load);
  else if (told->mask != book->mask)
    differ(t, "a line is for lanes", told->mask, book->mask);
  else if (told->last != book->last)
    differ(t, "a line is the load's last:", told->last, book->last);
  else if (lane < PTX_LANES)
    differ(t, "a lane's offset is", told->offset[lane], book->offset[lane]);
  wf_lsu_transaction_done(sm, book->load, t->replied_at);
  const uint64_t next = wf_wheel_next(&sm->wheel, t->replied_at);
  if (sm->wake > next) sm->wake = next;
}

/* ---- the seat ---- */

static bool kernel_end(wf_seat *seat, wf_error *err) {
  const wf_gpu *gpu = seat->gpu;
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    if (gpu->sms[s].load_table->owes)
      return wf_fail(err, WF_EXIT_WRONG, "%s: SM %u: what load %u's last line is for was not told",
                     seat->unit->cls->name, s, gpu->sms[s].load_table->book.load);
  return true;
}

static void destroy(wf_seat *seat) {
  free(seat->gpu->sms[0].load_table);
}

bool wf_load_sit(wf_seat *seat, wf_error *err) {
  wf_gpu *gpu = seat->gpu;
  (void)err;
  if (!gpu->config.lsu_loads) gpu->config.lsu_loads = LOADS_OF_TABLE;
  wf_load_table *all = wf_calloc(gpu->config.n_sm, sizeof *all);
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    all[s].unit = seat->unit;
    all[s].sm = s;
    all[s].entries = gpu->config.lsu_loads;
    gpu->sms[s].load_table = &all[s];
  }
  seat->kernel_end = kernel_end;
  seat->destroy = destroy;
  return true;
}
