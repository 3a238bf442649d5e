#include "sim/units/dtbl/dtbl_book.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_hash.h"

enum { MAX_SLOTS = 64, MAX_ENTRIES = 64 };

typedef struct grid {
  wf_grid g;
  dtbl_at_ports at_ports;
  struct grid *later; /* in the kernel management unit: the next one */
  uint32_t param;     /* the key, of groups */
  uint64_t blocks, placed, done;
  uint32_t next[3];
  unsigned kdei;    /* of a group: known with its first block */
  unsigned written; /* words of its record */
  uint32_t pointer; /* behind its record */
  uint32_t record[4];
  bool read;
  UT_hash_handle hh, by_pointer;
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

struct dtbl_book {
  dtbl_shape shape;
  entry entries[MAX_ENTRIES];
  room sms[WF_MAX_SMS];
  grid *groups;          /* by parameter address */
  grid *oldest, *newest; /* in the kernel management unit */
  grid *records;         /* of those that were written and not read, by pointer */
  uint32_t ring_base, ring_bytes;
  const ptx_kernel **kernels;
  uint32_t n_kernels;
  unsigned n_used;
  uint64_t unfinished;
};

#define WRONG(...) wf_fail(err, WF_EXIT_WRONG, "dtbl: " __VA_ARGS__)

dtbl_book *dtbl_book_create(const dtbl_shape *shape) {
  dtbl_book *b = wf_calloc(1, sizeof *b);
  b->shape = *shape;
  for (unsigned s = 0; s < shape->n_sm; s++)
    b->sms[s] = (room){.slots = shape->slots == 64 ? UINT64_MAX : (UINT64_C(1) << shape->slots) - 1,
                       .warps = shape->warps,
                       .registers = shape->registers,
                       .shared_bytes = shape->shared_bytes};
  return b;
}

static void forget(dtbl_book *b, grid *g) {
  HASH_DEL(b->groups, g);
  if (g->written && !g->read) HASH_DELETE(by_pointer, b->records, g);
  free(g);
}

static grid *take_oldest(dtbl_book *b) {
  grid *g = b->oldest;
  b->oldest = g->later;
  if (!b->oldest) b->newest = NULL;
  return g;
}

void dtbl_book_destroy(dtbl_book *b) {
  if (!b) return;
  for (grid *g = b->groups, *next; g; g = next) {
    next = g->hh.next;
    forget(b, g);
  }
  while (b->oldest) free(take_oldest(b));
  free(b->kernels);
  free(b);
}

uint32_t dtbl_book_pc(dtbl_book *b, const ptx_kernel *kernel) {
  for (uint32_t i = 0; i < b->n_kernels; i++)
    if (b->kernels[i] == kernel) return i + 1;
  b->kernels = wf_realloc(b->kernels, b->n_kernels + 1u, sizeof *b->kernels);
  b->kernels[b->n_kernels++] = kernel;
  return b->n_kernels;
}

static grid make_grid(const wf_grid *g) {
  return (grid){.g = *g,
                .param = (uint32_t)g->params,
                .blocks = (uint64_t)g->blocks[0] * g->blocks[1] * g->blocks[2]};
}

static grid *find_group(const dtbl_book *b, uint32_t param) {
  grid *found;
  HASH_FIND(hh, b->groups, &param, sizeof param, found);
  return found;
}

static grid *find_record(const dtbl_book *b, uint32_t pointer) {
  grid *found;
  HASH_FIND(by_pointer, b->records, &pointer, sizeof pointer, found);
  return found;
}

void dtbl_book_ring(dtbl_book *b, uint32_t base, uint32_t bytes) {
  b->ring_base = base;
  b->ring_bytes = bytes;
}

static bool in_ring(const dtbl_book *b, uint32_t pointer) {
  const uint32_t behind = pointer - b->ring_base;
  return behind && behind <= b->ring_bytes && behind % WF_GRID_HEADER == 0;
}

/* ---- grids come and go ---- */

bool dtbl_book_kernel(dtbl_book *b, const wf_grid *kernel, unsigned kdei, wf_error *err) {
  if (kdei >= b->shape.entries || b->entries[kdei].used)
    return WRONG("kernel %s gets entry %u of the distributor, which is %s", kernel->kernel->name,
                 kdei, kdei < b->shape.entries ? "taken" : "not there");
  b->entries[kdei] = (entry){.used = true, .kernel = make_grid(kernel)};
  b->entries[kdei].kernel.kdei = kdei;
  b->n_used++;
  b->unfinished++;
  return true;
}

bool dtbl_book_group(dtbl_book *b, const wf_grid *group, const dtbl_at_ports *kernel,
                     wf_error *err) {
  const uint32_t param = (uint32_t)group->params;
  if (find_group(b, param)) return WRONG("two groups with parameters at 0x%x", param);
  grid *g = wf_calloc(1, sizeof *g);
  *g = make_grid(group);
  g->at_ports = *kernel;
  HASH_ADD(hh, b->groups, param, sizeof g->param, g);
  b->unfinished++;
  return true;
}

/* Behind all others in the kernel management unit. */
static void add_newest(dtbl_book *b, grid *g) {
  g->later = NULL;
  if (b->newest)
    b->newest->later = g;
  else
    b->oldest = g;
  b->newest = g;
}

void dtbl_book_launch(dtbl_book *b, const wf_grid *kernel, const dtbl_at_ports *at_ports) {
  grid *g = wf_calloc(1, sizeof *g);
  *g = make_grid(kernel);
  g->at_ports = *at_ports;
  add_newest(b, g);
  b->unfinished++;
}

bool dtbl_book_refused(dtbl_book *b, const dtbl_at_ports *group, uint32_t *id, wf_error *err) {
  grid *g = find_group(b, group->param);
  if (!g || g->placed || g->written)
    return WRONG("a group with parameters at 0x%x is refused: %s", group->param,
                 g ? "it has joined" : "there is none");
  if (memcmp(&g->at_ports, group, sizeof *group))
    return WRONG("the group with parameters at 0x%x is refused with code %u, %u,%u,%u blocks, of "
                 "%u warps, %u units of registers, %u of shared memory; it came with %u, %u,%u,%u, "
                 "%u, %u, %u",
                 group->param, group->pc, group->x, group->y, group->z, group->warps, group->regs,
                 group->shm, g->at_ports.pc, g->at_ports.x, g->at_ports.y, g->at_ports.z,
                 g->at_ports.warps, g->at_ports.regs, g->at_ports.shm);
  *id = g->g.id;
  HASH_DEL(b->groups, g);
  add_newest(b, g);
  return true;
}

bool dtbl_book_entered(dtbl_book *b, const dtbl_at_ports *kernel, unsigned kdei, wf_error *err) {
  const grid *g = b->oldest;
  if (!g || memcmp(&g->at_ports, kernel, sizeof *kernel))
    return WRONG("a kernel with code %u, %u,%u,%u blocks, parameters 0x%x enters the distributor; "
                 "the oldest that waits has %u, %u,%u,%u, 0x%x",
                 kernel->pc, kernel->x, kernel->y, kernel->z, kernel->param, g ? g->at_ports.pc : 0,
                 g ? g->at_ports.x : 0, g ? g->at_ports.y : 0, g ? g->at_ports.z : 0,
                 g ? g->at_ports.param : 0);
  b->unfinished--; /* dtbl_book_kernel() counts it */
  const bool ok = dtbl_book_kernel(b, &g->g, kdei, err);
  free(take_oldest(b));
  return ok;
}

bool dtbl_book_kernel_done(dtbl_book *b, unsigned kdei, bool host, wf_error *err) {
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

/* A group's first block: it joined this kernel, and its entry is where it must be. */
static bool start_group(dtbl_book *b, grid *g, const dtbl_offer *o, wf_error *err) {
  entry *e = &b->entries[o->kdei];
  if (!same_kernel(&e->kernel.g, &g->g))
    return WRONG("a group of kernel %s has joined kernel %s, or one with other blocks",
                 g->g.kernel->name, e->kernel.g.kernel->name);
  const bool fits = o->link & 1
                        ? o->link >> 1 == (g->g.thread & (b->shape.agt_entries - 1)) && !g->written
                        : o->link == g->pointer && g->read;
  if (!fits)
    return WRONG("a group of hardware thread %u with parameters at 0x%x has link 0x%x; its record "
                 "was %swritten, %sread",
                 g->g.thread, g->param, o->link, g->written ? "" : "not ", g->read ? "" : "not ");
  g->kdei = o->kdei;
  e->groups++;
  return true;
}

/* The grid whose block is offered; NULL with *err. */
static grid *find_offered(dtbl_book *b, const dtbl_offer *o, wf_error *err) {
  if (o->kdei >= b->shape.entries || !b->entries[o->kdei].used) {
    WRONG("a block of entry %u of the distributor, which is not in use", o->kdei);
    return NULL;
  }
  if (!o->group) return &b->entries[o->kdei].kernel;
  grid *g = find_group(b, o->param);
  if (!g) WRONG("a block of a group with parameters at 0x%x: there is none", o->param);
  return !g || g->placed || start_group(b, g, o, err) ? g : NULL;
}

static bool is_next(dtbl_book *b, const grid *g, const dtbl_offer *o, wf_error *err) {
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
  if (o->kdei != g->kdei || o->param != g->param || o->pc != dtbl_book_pc(b, g->g.kernel))
    return WRONG("kernel %s, grid %u: a block with entry %u, code %u, parameters 0x%x; expected "
                 "%u, %u, 0x%x",
                 g->g.kernel->name, g->g.id, o->kdei, o->pc, o->param, g->kdei,
                 dtbl_book_pc(b, g->g.kernel), g->param);
  return true;
}

static bool has_room(const dtbl_book *b, const wf_grid *g, const dtbl_offer *o, wf_error *err) {
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

bool dtbl_book_place(dtbl_book *b, const dtbl_offer *o, wf_placement *placed, wf_error *err) {
  grid *g = find_offered(b, o, err);
  if (!g || !is_next(b, g, o, err) || !has_room(b, &g->g, o, err)) return false;
  room *r = &b->sms[o->sm];
  r->slots &= ~(UINT64_C(1) << o->slot);
  r->warps -= g->g.warps;
  r->registers -= g->g.registers;
  r->shared_bytes -= g->g.shared_bytes;
  r->running[o->slot] = g;
  *placed = (wf_placement){.id = g->g.id, .sm = o->sm, .slot = o->slot};
  memcpy(placed->block, o->at, sizeof placed->block);
  g->placed++;
  for (unsigned d = 0; d < 3; d++) {
    if (++g->next[d] < g->g.blocks[d]) break;
    g->next[d] = 0;
  }
  return true;
}

bool dtbl_book_end(dtbl_book *b, unsigned sm, unsigned slot, wf_error *err) {
  if (sm >= b->shape.n_sm || slot >= b->shape.slots || b->sms[sm].slots >> slot & 1)
    return WRONG("a block ends in slot %u of SM %u: none runs there", slot, sm);
  room *r = &b->sms[sm];
  grid *g = r->running[slot];
  r->slots |= UINT64_C(1) << slot;
  r->warps += g->g.warps;
  r->registers += g->g.registers;
  r->shared_bytes += g->g.shared_bytes;
  if (++g->done < g->blocks) return true;
  b->unfinished--;
  if (g == &b->entries[g->kdei].kernel) return true;
  b->entries[g->kdei].groups--;
  forget(b, g);
  return true;
}

/* ---- records ---- */

/* The whole record of a group that has none yet, where it may lie. */
static bool write_own(dtbl_book *b, uint32_t pointer, const uint32_t words[4]) {
  grid *g = find_group(b, words[3]);
  if (!g || g->placed || g->written || (pointer != g->param && !in_ring(b, pointer)) ||
      find_record(b, pointer))
    return false;
  const uint32_t *n = g->g.blocks;
  if (words[0] != n[0] || words[1] != (n[1] | n[2] << 16)) return false;
  g->pointer = pointer;
  HASH_ADD(by_pointer, b->records, pointer, sizeof g->pointer, g);
  return true;
}

bool dtbl_book_write(dtbl_book *b, uint32_t pointer, unsigned mask, const uint32_t words[4],
                     wf_error *err) {
  const bool own = mask == (DTBL_X | DTBL_ZY | DTBL_PARAM) && write_own(b, pointer, words);
  grid *g = find_record(b, pointer);
  const bool next =
      mask == DTBL_NEXT && g && !g->placed &&
      (words[2] & 1 ? words[2] >> 1 < b->shape.agt_entries : find_record(b, words[2]) != NULL);
  if (!own && !next)
    return WRONG("words %x of the record below 0x%x are written: %08x %08x %08x %08x: %s", mask,
                 pointer, words[0], words[1], words[2], words[3],
                 mask != DTBL_NEXT ? "no group that waits has these, or another lies there"
                 : !g              ? "no record lies there"
                                   : "nothing has this link");
  for (unsigned i = 0; i < 4; i++)
    if (mask >> i & 1) g->record[i] = words[i];
  g->written |= mask;
  return true;
}

bool dtbl_book_read(dtbl_book *b, uint32_t pointer, const uint32_t words[4], wf_error *err) {
  grid *g = find_record(b, pointer);
  if (!g || g->placed)
    return WRONG("a record is read below 0x%x, where no group waits whose record was written",
                 pointer);
  for (unsigned i = 0; i < 4; i++)
    if (g->written >> i & 1 && g->record[i] != words[i])
      return WRONG("the record below 0x%x: word %u was written as %08x and read as %08x", pointer,
                   i, g->record[i], words[i]);
  g->read = true;
  HASH_DELETE(by_pointer, b->records, g);
  return true;
}

/* ---- questions ---- */

unsigned dtbl_book_free_entries(const dtbl_book *b) {
  return b->shape.entries - b->n_used;
}

uint64_t dtbl_book_unfinished(const dtbl_book *b) {
  return b->unfinished;
}

bool dtbl_book_over(const dtbl_book *b, wf_error *err) {
  if (!b->unfinished && !b->n_used && !b->groups && !b->oldest) return true;
  return WRONG(
      "all blocks have ended, yet %llu grids wait and %u entries of the distributor are in use",
      (unsigned long long)b->unfinished, b->n_used);
}
