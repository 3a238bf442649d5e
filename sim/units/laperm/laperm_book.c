#include "sim/units/laperm/laperm_book.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_hash.h"

enum { MAX_SLOTS = 64, MAX_ENTRIES = 32, MAX_LEVELS = 8 };
enum { NEXT_WORD = 4, BODY_WORDS = 11 }; /* masks of what is written of a record */

typedef struct grid {
  wf_grid g;
  uint32_t param; /* the key, of groups */
  uint64_t blocks, placed, done;
  uint32_t next[3];
  unsigned kdei;         /* of a group: known with its first block */
  unsigned owner, level; /* of its queue */
  struct grid *by, *of;  /* older and younger one in its queue, until it starts */
  UT_hash_handle hh;
} grid;

/* Of the kernel distributor. */
typedef struct entry {
  bool used;
  grid kernel;
  unsigned groups; /* that joined, have started and have not ended */
} entry;

typedef struct room {
  uint64_t slots; /* free ones */
  unsigned warps, registers, shared_bytes;
  grid *running[MAX_SLOTS];
} room;

/* Groups that have not started, as they were launched. */
typedef struct queue {
  grid *oldest, *youngest;
} queue;

struct laperm_book {
  laperm_shape shape;
  entry entries[MAX_ENTRIES];
  room sms[WF_MAX_SMS];
  queue queues[WF_MAX_SMS][MAX_LEVELS];
  grid *groups; /* by parameter address */
  uint32_t ring_base, ring_bytes;
  const ptx_kernel **kernels;
  uint32_t n_kernels;
  unsigned n_used;
  uint64_t unfinished;
};

#define WRONG(...) wf_fail(err, WF_EXIT_WRONG, "laperm: " __VA_ARGS__)

laperm_book *laperm_book_create(const laperm_shape *shape) {
  laperm_book *b = wf_calloc(1, sizeof *b);
  b->shape = *shape;
  for (unsigned s = 0; s < shape->n_sm; s++)
    b->sms[s] = (room){.slots = shape->slots == 64 ? UINT64_MAX : (UINT64_C(1) << shape->slots) - 1,
                       .warps = shape->warps,
                       .registers = shape->registers,
                       .shared_bytes = shape->shared_bytes};
  return b;
}

void laperm_book_destroy(laperm_book *b) {
  if (!b) return;
  for (grid *g = b->groups, *next; g; g = next) {
    next = g->hh.next;
    HASH_DEL(b->groups, g);
    free(g);
  }
  free(b->kernels);
  free(b);
}

uint32_t laperm_book_pc(laperm_book *b, const ptx_kernel *kernel) {
  for (uint32_t i = 0; i < b->n_kernels; i++)
    if (b->kernels[i] == kernel) return i + 1;
  b->kernels = wf_realloc(b->kernels, b->n_kernels + 1u, sizeof *b->kernels);
  b->kernels[b->n_kernels++] = kernel;
  return b->n_kernels;
}

static grid *find_group(const laperm_book *b, uint32_t param) {
  grid *found;
  HASH_FIND(hh, b->groups, &param, sizeof param, found);
  return found;
}

void laperm_book_ring(laperm_book *b, uint32_t base, uint32_t bytes) {
  b->ring_base = base;
  b->ring_bytes = bytes;
}

/* ---- queues ---- */

static unsigned owner_of(const laperm_book *b, unsigned sm) {
  return b->shape.policy >= LAPERM_SMX_BIND ? sm / b->shape.cluster : 0;
}

unsigned laperm_book_level(const laperm_book *b, const wf_grid *g) {
  if (!g->params || b->shape.policy == LAPERM_RR) return 0;
  return g->priority + 1 < b->shape.levels ? g->priority + 1 : b->shape.levels;
}

static grid make_grid(const laperm_book *b, const wf_grid *g) {
  return (grid){.g = *g,
                .param = (uint32_t)g->params,
                .blocks = (uint64_t)g->blocks[0] * g->blocks[1] * g->blocks[2],
                .owner = owner_of(b, g->sm),
                .level = laperm_book_level(b, g)};
}

static void enqueue(laperm_book *b, grid *g) {
  queue *q = &b->queues[g->owner][g->level];
  g->by = q->youngest;
  if (g->by)
    g->by->of = g;
  else
    q->oldest = g;
  q->youngest = g;
}

static void dequeue(laperm_book *b, grid *g) {
  queue *q = &b->queues[g->owner][g->level];
  if (g->by)
    g->by->of = g->of;
  else
    q->oldest = g->of;
  if (g->of)
    g->of->by = g->by;
  else
    q->youngest = g->by;
  g->by = g->of = NULL;
}

/* ---- grids come and go ---- */

bool laperm_book_kernel(laperm_book *b, const wf_grid *kernel, unsigned kdei, wf_error *err) {
  if (kdei >= b->shape.entries || b->entries[kdei].used)
    return WRONG("kernel %s gets entry %u of the distributor, which is %s", kernel->kernel->name,
                 kdei, kdei < b->shape.entries ? "taken" : "not there");
  b->entries[kdei] = (entry){.used = true, .kernel = make_grid(b, kernel)};
  b->entries[kdei].kernel.kdei = kdei;
  b->n_used++;
  b->unfinished++;
  return true;
}

bool laperm_book_group(laperm_book *b, const wf_grid *group, wf_error *err) {
  const uint32_t param = (uint32_t)group->params;
  if (find_group(b, param)) return WRONG("two groups with parameters at 0x%x", param);
  grid *g = wf_calloc(1, sizeof *g);
  *g = make_grid(b, group);
  HASH_ADD(hh, b->groups, param, sizeof g->param, g);
  enqueue(b, g);
  b->unfinished++;
  return true;
}

static void forget(laperm_book *b, grid *g) {
  HASH_DEL(b->groups, g);
  free(g);
  b->unfinished--;
}

bool laperm_book_refused(laperm_book *b, uint32_t param, uint32_t *id, wf_error *err) {
  grid *g = find_group(b, param);
  if (!g || g->placed)
    return WRONG("a group with parameters at 0x%x is refused: %s", param,
                 g ? "it has joined" : "there is none");
  *id = g->g.id;
  dequeue(b, g);
  forget(b, g);
  return true;
}

bool laperm_book_kernel_done(laperm_book *b, unsigned kdei, bool host, wf_error *err) {
  entry *e = kdei < b->shape.entries ? &b->entries[kdei] : NULL;
  if (!e || !e->used)
    return WRONG("entry %u of the distributor is told to be over, it is not in use", kdei);
  if (e->kernel.done < e->kernel.blocks || e->groups || host != !e->kernel.g.params)
    return WRONG("kernel %s is told to be over (%s): %llu of %llu blocks have ended, %u groups run",
                 e->kernel.g.kernel->name, host ? "host's" : "device's",
                 (unsigned long long)e->kernel.done, (unsigned long long)e->kernel.blocks,
                 e->groups);
  e->used = false;
  b->n_used--;
  return true;
}

/* ---- blocks ---- */

static bool same_kernel(const wf_grid *a, const wf_grid *b) {
  return a->kernel == b->kernel && a->shared_bytes == b->shared_bytes &&
         memcmp(a->threads, b->threads, sizeof a->threads) == 0;
}

/* A group's first block: it joined this kernel, and is the oldest of its queue. (Without levels
 * that holds for each kernel by itself; two kernels of one code are alike to a group.) */
static bool start_group(laperm_book *b, grid *g, const laperm_offer *o, wf_error *err) {
  entry *e = &b->entries[o->kdei];
  const grid *oldest = b->queues[g->owner][g->level].oldest;
  if (!same_kernel(&e->kernel.g, &g->g))
    return WRONG("a group of kernel %s has joined kernel %s, or one with other blocks",
                 g->g.kernel->name, e->kernel.g.kernel->name);
  if (b->shape.policy != LAPERM_RR && oldest != g)
    return WRONG("grid %u, level %u, launched by SM %u, starts before grid %u, which is older",
                 g->g.id, g->level, g->g.sm, oldest->g.id);
  dequeue(b, g);
  g->kdei = o->kdei;
  e->groups++;
  return true;
}

/* The grid whose block is offered; NULL with *err. */
static grid *find_offered(laperm_book *b, const laperm_offer *o, wf_error *err) {
  if (o->kdei >= b->shape.entries || !b->entries[o->kdei].used) {
    WRONG("a block of entry %u of the distributor, which is not in use", o->kdei);
    return NULL;
  }
  if (!o->group) return &b->entries[o->kdei].kernel;
  grid *g = find_group(b, o->param);
  if (!g) WRONG("a block of a group with parameters at 0x%x: there is none", o->param);
  return !g || g->placed || start_group(b, g, o, err) ? g : NULL;
}

static bool is_next(laperm_book *b, const grid *g, const laperm_offer *o, wf_error *err) {
  const bool last = g->placed + 1 == g->blocks;
  if (g->placed == g->blocks)
    return WRONG("a block of kernel %s more than its grid %u has", g->g.kernel->name, g->g.id);
  if (memcmp(o->at, g->next, sizeof o->at) || memcmp(o->dim, g->g.blocks, sizeof o->dim) ||
      o->first != !g->placed || o->last != last)
    return WRONG(
        "kernel %s, grid %u: block %u,%u,%u of %u,%u,%u%s%s comes, expected %u,%u,%u of %u,%u,%u",
        g->g.kernel->name, g->g.id, o->at[0], o->at[1], o->at[2], o->dim[0], o->dim[1], o->dim[2],
        o->first ? ", first" : "", o->last ? ", last" : "", g->next[0], g->next[1], g->next[2],
        g->g.blocks[0], g->g.blocks[1], g->g.blocks[2]);
  if (o->kdei != g->kdei || o->param != g->param || o->level != g->level ||
      o->pc != laperm_book_pc(b, g->g.kernel))
    return WRONG("kernel %s, grid %u: a block with entry %u, code %u, parameters 0x%x, level %u; "
                 "expected %u, %u, 0x%x, %u",
                 g->g.kernel->name, g->g.id, o->kdei, o->pc, o->param, o->level, g->kdei,
                 laperm_book_pc(b, g->g.kernel), g->param, g->level);
  return true;
}

static bool has_room(const laperm_book *b, const wf_grid *g, const laperm_offer *o, wf_error *err) {
  if (o->sm >= b->shape.n_sm || o->slot >= b->shape.slots)
    return WRONG("slot %u of SM %u: there is none", o->slot, o->sm);
  const room *r = &b->sms[o->sm];
  if (!(r->slots >> o->slot & 1))
    return WRONG("a block for slot %u of SM %u, which is not free", o->slot, o->sm);
  if (r->warps < g->warps || r->registers < g->registers || r->shared_bytes < g->shared_bytes)
    return WRONG("SM %u has %u warps, %u registers, %u bytes of shared memory free; kernel %s "
                 "needs %u, %u, %u",
                 o->sm, r->warps, r->registers, r->shared_bytes, g->kernel->name, g->warps,
                 g->registers, g->shared_bytes);
  return true;
}

static bool may_run_there(const laperm_book *b, const grid *g, const laperm_offer *o,
                          wf_error *err) {
  return b->shape.policy != LAPERM_SMX_BIND || !g->level || owner_of(b, o->sm) == g->owner ||
         WRONG("grid %u, launched by SM %u, has a block on SM %u", g->g.id, g->g.sm, o->sm);
}

bool laperm_book_place(laperm_book *b, const laperm_offer *o, wf_placement *placed, wf_error *err) {
  grid *g = find_offered(b, o, err);
  if (!g || !is_next(b, g, o, err) || !has_room(b, &g->g, o, err) || !may_run_there(b, g, o, err))
    return false;
  room *r = &b->sms[o->sm];
  r->slots &= ~(UINT64_C(1) << o->slot);
  r->warps -= g->g.warps;
  r->registers -= g->g.registers;
  r->shared_bytes -= g->g.shared_bytes;
  r->running[o->slot] = g;
  *placed = (wf_placement){.id = g->g.id, .sm = o->sm, .slot = o->slot, .priority = o->level};
  memcpy(placed->block, o->at, sizeof placed->block);
  g->placed++;
  for (unsigned d = 0; d < 3; d++) {
    if (++g->next[d] < g->g.blocks[d]) break;
    g->next[d] = 0;
  }
  return true;
}

bool laperm_book_end(laperm_book *b, unsigned sm, unsigned slot, wf_error *err) {
  if (sm >= b->shape.n_sm || slot >= b->shape.slots || b->sms[sm].slots >> slot & 1)
    return WRONG("a block ends in slot %u of SM %u: none runs there", slot, sm);
  room *r = &b->sms[sm];
  grid *g = r->running[slot];
  r->slots |= UINT64_C(1) << slot;
  r->warps += g->g.warps;
  r->registers += g->g.registers;
  r->shared_bytes += g->g.shared_bytes;
  if (++g->done < g->blocks) return true;
  if (g == &b->entries[g->kdei].kernel) {
    b->unfinished--;
    return true;
  }
  b->entries[g->kdei].groups--;
  forget(b, g);
  return true;
}

/* ---- records ---- */

bool laperm_book_write(laperm_book *b, uint32_t pointer, unsigned mask, const uint32_t words[4],
                       wf_error *err) {
  const uint32_t param = words[3] & ~15u, x = words[0] & INT32_MAX, behind = pointer - b->ring_base;
  const bool ring = behind && behind <= b->ring_bytes && behind % WF_GRID_HEADER == 0;
  if (mask == NEXT_WORD) return true;
  const grid *g = find_group(b, param);
  if (mask != BODY_WORDS || !g || g->placed || (pointer != param && !ring) || x != g->g.blocks[0] ||
      words[1] != (g->g.blocks[1] | g->g.blocks[2] << 16))
    return WRONG("words %x of the record below 0x%x are written: %08x %08x %08x %08x: no group "
                 "that waits has these",
                 mask, pointer, words[0], words[1], words[2], words[3]);
  return true;
}

/* ---- questions ---- */

unsigned laperm_book_free_entries(const laperm_book *b) {
  return b->shape.entries - b->n_used;
}

uint64_t laperm_book_unfinished(const laperm_book *b) {
  return b->unfinished;
}

bool laperm_book_over(const laperm_book *b, wf_error *err) {
  if (!b->unfinished && !b->n_used && !b->groups) return true;
  return WRONG(
      "all blocks have ended, yet %llu grids wait and %u entries of the distributor are in use",
      (unsigned long long)b->unfinished, b->n_used);
}
