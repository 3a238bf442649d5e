#include "sim/gpu/dispatch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_rng.h"

enum { MAX_SLOTS = 32, MAX_KERNELS = 64 };

/* Blocks of one grid that are not placed yet. */
typedef struct pool {
  uint32_t id, blocks[3], next[3];
  uint64_t left;
  struct pool *link;
} pool;

/* An entry of the kernel distributor. */
typedef struct entry {
  bool used;
  wf_grid grid;
  pool *first, *last; /* what waits to be distributed; none: the entry is not in the queue */
  uint64_t running;
} entry;

/* What an SM has free. */
typedef struct room {
  unsigned slots; /* mask */
  unsigned warps, registers, shared_bytes;
  uint8_t entry[MAX_SLOTS]; /* by slot */
} room;

struct wf_dispatcher {
  const wf_gpu_config *config;
  unsigned n_entries, n_used;
  entry entries[MAX_KERNELS];
  unsigned queue[MAX_KERNELS], queued; /* entries with something to distribute, in their order */
  room *sms, empty;
  unsigned next_sm;
  wf_rng rng;
  uint32_t draw;    /* of the SM for the next block */
  wf_mask diverted; /* SMs that get no block */
  wf_grid last;     /* whose block was placed last */
  bool stuck;       /* the head of the queue finds no room until a block ends */
  uint32_t refused[PTX_LANES];
  unsigned n_refused;
};

wf_dispatcher *wf_dispatcher_create(const wf_gpu_config *config) {
  wf_dispatcher *d = wf_calloc(1, sizeof *d);
  d->config = config;
  d->n_entries = config->launch_kernels;
  d->sms = wf_calloc(config->n_sm, sizeof *d->sms);
  d->empty =
      (room){.slots = config->ctas_per_sm == 32 ? UINT32_MAX : (1u << config->ctas_per_sm) - 1,
             .warps = config->warps_per_sm,
             .registers = config->registers_per_sm,
             .shared_bytes = config->shared_bytes_per_sm};
  for (unsigned s = 0; s < config->n_sm; s++) d->sms[s] = d->empty;
  wf_rng_seed(&d->rng, 1);
  d->draw = (uint32_t)wf_rng_next(&d->rng);
  return d;
}

void wf_dispatcher_order(wf_dispatcher *d, wf_rng *rng) {
  d->next_sm = (unsigned)wf_rng_below(rng, d->config->n_sm);
}

void wf_dispatcher_destroy(wf_dispatcher *d) {
  if (!d) return;
  for (unsigned e = 0; e < d->n_entries; e++)
    for (pool *p = d->entries[e].first, *next; p; p = next) {
      next = p->link;
      free(p);
    }
  free(d->sms);
  free(d);
}

static unsigned free_kernels(const void *self) {
  const wf_dispatcher *d = self;
  return d->n_entries - d->n_used;
}

static pool *new_pool(const wf_grid *g) {
  pool *p = wf_calloc(1, sizeof *p);
  p->id = g->id;
  memcpy(p->blocks, g->blocks, sizeof p->blocks);
  p->left = (uint64_t)g->blocks[0] * g->blocks[1] * g->blocks[2];
  return p;
}

/* Appends the grid's blocks to what the entry has to distribute. */
static void add_pool(wf_dispatcher *d, entry *e, const wf_grid *g) {
  pool *p = new_pool(g);
  if (e->first) {
    e->last->link = p;
  } else {
    e->first = p;
    d->queue[d->queued++] = (unsigned)(e - d->entries);
  }
  e->last = p;
}

/* Its blocks go before all that waits. */
static void push_pool(wf_dispatcher *d, entry *e, const wf_grid *g) {
  const unsigned number = (unsigned)(e - d->entries);
  unsigned at = 0;
  while (at < d->queued && d->queue[at] != number) at++;
  d->queued += at == d->queued;
  memmove(d->queue + 1, d->queue, at * sizeof *d->queue);
  d->queue[0] = number;
  pool *p = new_pool(g);
  p->link = e->first;
  e->first = p;
  if (!p->link) e->last = p;
  d->stuck = false;
}

static void add_launched(wf_dispatcher *d, entry *e, const wf_grid *g) {
  if (d->config->launch_order == WF_LAUNCH_NEWEST)
    push_pool(d, e, g);
  else
    add_pool(d, e, g);
}

static bool take_kernel(void *self, const wf_grid *kernel) {
  wf_dispatcher *d = self;
  if (d->n_used == d->n_entries) return false;
  entry *e = d->entries;
  while (e->used) e++;
  *e = (entry){.used = true, .grid = *kernel};
  d->n_used++;
  if (kernel->params)
    add_launched(d, e, kernel);
  else
    add_pool(d, e, kernel);
  return true;
}

static bool eligible(const entry *e, const wf_grid *g) {
  return e->used && e->grid.kernel == g->kernel && e->grid.shared_bytes == g->shared_bytes &&
         memcmp(e->grid.threads, g->threads, sizeof g->threads) == 0;
}

static bool take_group(void *self, const wf_grid *group) {
  wf_dispatcher *d = self;
  for (unsigned e = 0; e < d->n_entries; e++)
    if (eligible(&d->entries[e], group)) {
      add_launched(d, &d->entries[e], group);
      return true;
    }
  if (d->n_refused == PTX_LANES) return false;
  d->refused[d->n_refused++] = group->id;
  return true;
}

static bool next_refused(void *self, uint32_t *id) {
  wf_dispatcher *d = self;
  if (!d->n_refused) return false;
  *id = d->refused[0];
  memmove(d->refused, d->refused + 1, --d->n_refused * sizeof *d->refused);
  return true;
}

static bool has_room(const room *r, const wf_grid *g) {
  return r->slots && r->warps >= g->warps && r->registers >= g->registers &&
         r->shared_bytes >= g->shared_bytes;
}

/* Blocks of the grid for which there is room. */
static unsigned rooms(const room *r, const wf_grid *g) {
  unsigned n = (unsigned)__builtin_popcount(r->slots);
  if (g->warps && r->warps / g->warps < n) n = r->warps / g->warps;
  if (g->registers && r->registers / g->registers < n) n = r->registers / g->registers;
  if (g->shared_bytes && r->shared_bytes / g->shared_bytes < n)
    n = r->shared_bytes / g->shared_bytes;
  return n;
}

static unsigned last_sm(const wf_dispatcher *d) {
  return (d->next_sm ? d->next_sm : d->config->n_sm) - 1;
}

/* Is the next block one of the run that the last one belongs to? */
static bool within_run(const pool *p, unsigned run) {
  return run > 1 && p->next[0] % run;
}

/* Blocks from the next one to the end of its run, at most `most`. */
static unsigned rest_of_run(const pool *p, unsigned run, unsigned most) {
  if (run <= 1) return 1;
  unsigned n = run - p->next[0] % run;
  if (n > p->blocks[0] - p->next[0]) n = p->blocks[0] - p->next[0];
  return n < most ? n : most;
}

/* Room for the next block of the entry and the rest of its run? */
static bool has_room_for_run(const wf_dispatcher *d, const room *r, const entry *e) {
  const unsigned run = d->config->cta_run;
  if (run <= 1) return has_room(r, &e->grid);
  return rooms(r, &e->grid) >= rest_of_run(e->first, run, rooms(&d->empty, &e->grid));
}

static bool may_take(const wf_dispatcher *d, unsigned s, const entry *e) {
  return !wf_mask_has(&d->diverted, s) && has_room_for_run(d, &d->sms[s], e);
}

/* Of those that may take it the one with fewest free warps; n_sm: none. */
static unsigned find_fullest(const wf_dispatcher *d, const entry *e) {
  unsigned best = d->config->n_sm;
  for (unsigned s = 0; s < d->config->n_sm; s++)
    if (may_take(d, s, e) && (best == d->config->n_sm || d->sms[s].warps < d->sms[best].warps))
      best = s;
  return best;
}

/* Of those that may take it one at random; n_sm: none. */
static unsigned find_random(const wf_dispatcher *d, const entry *e) {
  unsigned able[WF_MAX_SMS], n = 0;
  for (unsigned s = 0; s < d->config->n_sm; s++)
    if (may_take(d, s, e)) able[n++] = s;
  return n ? able[d->draw % n] : d->config->n_sm;
}

/* The SM for the next block of the entry at the head, in turns from next_sm on; n_sm: none. */
static unsigned find_sm(const wf_dispatcher *d) {
  const entry *e = &d->entries[d->queue[0]];
  if (within_run(e->first, d->config->cta_run) && has_room(&d->sms[last_sm(d)], &e->grid) &&
      !wf_mask_has(&d->diverted, last_sm(d)))
    return last_sm(d);
  if (d->config->cta_place == WF_PLACE_FULLEST) return find_fullest(d, e);
  if (d->config->cta_place == WF_PLACE_RANDOM) return find_random(d, e);
  for (unsigned i = 0, s = d->next_sm; i < d->config->n_sm;
       i++, s = s + 1 == d->config->n_sm ? 0 : s + 1)
    if (may_take(d, s, e)) return s;
  return d->config->n_sm;
}

static void step_block(pool *p) {
  for (unsigned i = 0; i < 3; i++) {
    if (++p->next[i] < p->blocks[i]) return;
    p->next[i] = 0;
  }
}

/* The grid at the head has been distributed; the entry leaves the queue with its last. */
static void end_pool(wf_dispatcher *d, entry *e) {
  pool *p = e->first;
  e->first = p->link;
  free(p);
  if (!e->first) memmove(d->queue, d->queue + 1, --d->queued * sizeof *d->queue);
}

static void take_room(room *r, const wf_grid *g, unsigned slot, unsigned entry_number) {
  r->slots &= ~(1u << slot);
  r->warps -= g->warps;
  r->registers -= g->registers;
  r->shared_bytes -= g->shared_bytes;
  r->entry[slot] = (uint8_t)entry_number;
}

/* The next block of the entry at the head goes to the SM. */
static void take_block(wf_dispatcher *d, unsigned s, wf_placement *placed) {
  entry *e = &d->entries[d->queue[0]];
  pool *p = e->first;
  *placed = (wf_placement){.id = p->id, .sm = s};
  memcpy(placed->block, p->next, sizeof p->next);
  d->last = e->grid;
  e->running++;
  d->next_sm = (s + 1) % d->config->n_sm;
  d->draw = (uint32_t)wf_rng_next(&d->rng);
  step_block(p);
  if (--p->left == 0) end_pool(d, e);
}

static bool place(void *self, wf_placement *placed) {
  wf_dispatcher *d = self;
  if (!d->queued || d->stuck) return false;
  const unsigned number = d->queue[0], s = find_sm(d);
  d->stuck = s == d->config->n_sm;
  if (d->stuck) return false;
  take_block(d, s, placed);
  placed->slot = (unsigned)__builtin_ctz(d->sms[s].slots);
  take_room(&d->sms[s], &d->entries[number].grid, placed->slot, number);
  return true;
}

static bool may_place(const void *self) {
  const wf_dispatcher *d = self;
  return d->n_refused || (d->queued && !d->stuck && find_sm(d) < d->config->n_sm);
}

static void block_done(void *self, unsigned sm, unsigned slot) {
  wf_dispatcher *d = self;
  room *r = &d->sms[sm];
  entry *e = &d->entries[r->entry[slot]];
  assert(!(r->slots >> slot & 1) && e->used && e->running);
  d->stuck = false;
  r->slots |= 1u << slot;
  r->warps += e->grid.warps;
  r->registers += e->grid.registers;
  r->shared_bytes += e->grid.shared_bytes;
  if (--e->running || e->first) return;
  e->used = false;
  d->n_used--;
}

static void show_rooms(const void *self, wf_dispatch_rooms *rooms) {
  const wf_dispatcher *d = self;
  const wf_grid *g = d->queued ? &d->entries[d->queue[0]].grid : &d->last;
  *rooms = (wf_dispatch_rooms){.waits = d->queued};
  for (unsigned s = 0; s < d->config->n_sm; s++) {
    rooms->free_warps[s] = (uint16_t)d->sms[s].warps;
    if (has_room(&d->sms[s], g)) wf_mask_set(&rooms->room, s);
  }
}

static void divert(void *self, const wf_mask *sms) {
  wf_dispatcher *d = self;
  d->stuck = d->stuck && wf_mask_same(&d->diverted, sms);
  d->diverted = *sms;
}

static size_t describe(const void *self, char *text, size_t bytes) {
  const wf_dispatcher *d = self;
  size_t n = 0;
  for (unsigned k = 0; k < d->n_entries && n < bytes; k++) {
    const entry *e = &d->entries[k];
    if (e->used)
      n += (size_t)snprintf(text + n, bytes - n,
                            "kernel %s: %llu blocks run, %llu of its first grid wait\n",
                            e->grid.kernel->name, (unsigned long long)e->running,
                            (unsigned long long)(e->first ? e->first->left : 0));
  }
  return n < bytes ? n : bytes;
}

const wf_dispatch_ops wf_dispatcher_ops = {.free_kernels = free_kernels,
                                           .kernel = take_kernel,
                                           .group = take_group,
                                           .refused = next_refused,
                                           .place = place,
                                           .may_place = may_place,
                                           .block_done = block_done,
                                           .rooms = show_rooms,
                                           .divert = divert,
                                           .describe = describe};
