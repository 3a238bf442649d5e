#include "sim/gpu/launch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/cta.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/launch_pool.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/sleep.h"
#include "sim/gpu/sm_clock.h"

enum { CHUNK = 256, HOST_GRID = 0 };
/* Entry, grid, block, shared memory, parameters, stream, parent: 8 + 12 + 12 + 4 + 8 + 8 + 8 bytes,
 * as the pool gives them. */
enum { KERNEL_RECORD = 64 };

/* Error codes that launches return, as CUDA numbers them. */
enum { SUCCESS = 0, PENDING_COUNT_EXCEEDED = 69 };

typedef struct grid {
  wf_grid g;
  ptx_launch launch;
  uint64_t blocks, done;
  uint64_t since;     /* asked for its buffer */
  uint32_t footprint; /* bytes of memory until it starts */
  unsigned priority;  /* of its blocks */
  uint32_t parent;    /* the launching block's number in the footprint probe */
  bool started, group;
} grid;

/* First in, first out; grows. */
typedef struct fifo {
  uint32_t *items;
  size_t head, n, capacity;
} fifo;

/* A warp in a call of the device runtime: when it is over, its kernels go to the KMU. */
typedef struct call {
  uint64_t when, nth;
  unsigned sm, warp;
  uint32_t first, count; /* grids */
} call;

static const wf_block_stage plain;

struct wf_launcher {
  wf_gpu *gpu;
  const wf_gpu_config *config;
  const wf_dispatch_ops *ops;
  void *dispatcher;
  const wf_block_stage *stage; /* of the running kernel */
  void *stage_self;
  bool ideal;
  wf_launch_pool *pool;
  grid **chunks; /* CHUNK grids each: they stay where they are */
  uint32_t n_grids, n_chunks;
  uint64_t unfinished, blocks_known, blocks_done;
  fifo (*kmu)[WF_KMU_QUEUES]; /* device kernels that wait for an entry: of all SMs, or of each */
  unsigned n_kmu, kmu_at;     /* whose turn it is */
  size_t in_kmu;              /* of all queues */
  fifo groups;  /* on their way to the dispatcher: their warps wait, each with those of one call */
  fifo kernels; /* on their way to the KMU, likewise, where kernels_wait() */
  uint32_t *entering; /* device kernels that have an entry, and when they will be in it; at most the
                         entries there are */
  uint64_t *entering_at;
  unsigned n_entering;
  uint64_t way_free[WF_LAUNCH_WAYS]; /* when each way of the KMU can take the next kernel */
  call *calls;                       /* heap by `when`, then `nth` */
  size_t n_calls, call_capacity;
  uint64_t calls_made, streams;
  uint64_t pending, pending_bytes, counted_at;
  wf_launch_counters counters;
};

/* ---- small things ---- */

static void fifo_put(fifo *f, uint32_t item) {
  if (f->head + f->n == f->capacity) {
    if (f->head) memmove(f->items, f->items + f->head, f->n * sizeof *f->items);
    f->head = 0;
    if (2 * f->n >= f->capacity) {
      f->capacity = f->capacity ? 2 * f->capacity : 64;
      f->items = wf_realloc(f->items, f->capacity, sizeof *f->items);
    }
  }
  f->items[f->head + f->n++] = item;
}

static uint32_t fifo_first(const fifo *f) {
  return f->items[f->head];
}

static uint32_t fifo_take(fifo *f) {
  f->n--;
  return f->items[f->head++];
}

static bool before(const call *a, const call *b) {
  return a->when != b->when ? a->when < b->when : a->nth < b->nth;
}

static void add_call(wf_launcher *l, call c) {
  if (l->n_calls == l->call_capacity) {
    l->call_capacity = l->call_capacity ? 2 * l->call_capacity : 64;
    l->calls = wf_realloc(l->calls, l->call_capacity, sizeof *l->calls);
  }
  c.nth = l->calls_made++;
  size_t at = l->n_calls++;
  for (size_t up; at && before(&c, &l->calls[up = (at - 1) / 2]); at = up)
    l->calls[at] = l->calls[up];
  l->calls[at] = c;
}

static call take_call(wf_launcher *l) {
  const call first = l->calls[0], last = l->calls[--l->n_calls];
  size_t at = 0, child;
  while ((child = 2 * at + 1) < l->n_calls) {
    if (child + 1 < l->n_calls && before(&l->calls[child + 1], &l->calls[child])) child++;
    if (!before(&l->calls[child], &last)) break;
    l->calls[at] = l->calls[child];
    at = child;
  }
  l->calls[at] = last;
  return first;
}

static grid *grid_at(const wf_launcher *l, uint32_t id) {
  return &l->chunks[id / CHUNK][id % CHUNK];
}

static grid *new_grid(wf_launcher *l) {
  if (l->n_grids == l->n_chunks * CHUNK) {
    l->chunks = wf_realloc(l->chunks, l->n_chunks + 1u, sizeof *l->chunks);
    l->chunks[l->n_chunks++] = wf_calloc(CHUNK, sizeof **l->chunks);
  }
  grid *g = grid_at(l, l->n_grids);
  *g = (grid){.g.id = l->n_grids++, .parent = WF_FOOTPRINT_HOST};
  return g;
}

/* Pending launches and their bytes, over time. */
static void count_pending(wf_launcher *l, int64_t launches, int64_t bytes) {
  const uint64_t now = l->gpu->cycle;
  l->counters.pending_cycles += l->pending * (now - l->counted_at);
  l->counters.byte_cycles += l->pending_bytes * (now - l->counted_at);
  l->counted_at = now;
  l->pending += (uint64_t)launches;
  l->pending_bytes += (uint64_t)bytes;
  if (l->pending > l->counters.peak_pending) l->counters.peak_pending = l->pending;
  if (l->pending_bytes > l->counters.peak_bytes) l->counters.peak_bytes = l->pending_bytes;
}

/* The KMU keeps a record of each kernel that waits, in memory too. A group's is in the 16 bytes
 * below its parameters. */
static void become_kernel(wf_launcher *l, grid *g) {
  g->footprint += KERNEL_RECORD;
  count_pending(l, 0, KERNEL_RECORD);
}

/* ---- life ---- */

wf_launcher *wf_launcher_create(wf_gpu *gpu) {
  wf_launcher *l = wf_calloc(1, sizeof *l);
  const unsigned entries = gpu->config.launch_kernels;
  l->gpu = gpu;
  l->config = &gpu->config;
  l->ops = gpu->blocks.ops;
  l->dispatcher = gpu->blocks.self;
  l->stage = &plain;
  l->ideal = gpu->config.launch_ideal;
  l->n_kmu = l->config->launch_kmu == WF_KMU_SMS ? l->config->n_sm : 1;
  l->kmu = wf_calloc(l->n_kmu, sizeof *l->kmu);
  l->entering = wf_calloc(entries, sizeof *l->entering);
  l->entering_at = wf_calloc(entries, sizeof *l->entering_at);
  return l;
}

void wf_launcher_destroy(wf_launcher *l) {
  if (!l) return;
  for (uint32_t c = 0; c < l->n_chunks; c++) free(l->chunks[c]);
  free(l->chunks);
  for (unsigned i = 0; i < l->n_kmu; i++)
    for (unsigned q = 0; q < WF_KMU_QUEUES; q++) free(l->kmu[i][q].items);
  free(l->kmu);
  free(l->groups.items);
  free(l->kernels.items);
  free(l->entering);
  free(l->entering_at);
  free(l->calls);
  wf_launch_pool_destroy(l->pool);
  free(l);
}

static bool make_pool(wf_launcher *l, wf_error *err) {
  if (l->pool) return true;
  const uint64_t bytes = (uint64_t)l->config->launch_pool_kib << 10;
  const uint64_t base = wf_gpu_alloc(l->gpu, bytes, "launch parameters", err);
  if (base) l->pool = wf_launch_pool_create(base, bytes);
  return base != 0;
}

static void describe_grid(const wf_launcher *l, grid *g, const ptx_launch *launch,
                          uint32_t shared_bytes) {
  g->launch = *launch;
  g->g.kernel = launch->kernel;
  g->g.shared_bytes = shared_bytes;
  memcpy(g->g.blocks, launch->nctaid, sizeof g->g.blocks);
  memcpy(g->g.threads, launch->ntid, sizeof g->g.threads);
  wf_sm_needs(l->config, launch, &g->g.warps, &g->g.registers);
  g->blocks = (uint64_t)launch->nctaid[0] * launch->nctaid[1] * launch->nctaid[2];
}

/* Can the dispatcher take it? If not, `what` tells. */
static bool dispatchable(const wf_launcher *l, const grid *g, char *what, size_t bytes) {
  char why[256] = "";
  if (!l->ops->fits || l->ops->fits(l->dispatcher, &g->g, why, sizeof why)) return true;
  snprintf(what, bytes, "launch of %.200s: %s", g->g.kernel->name, why);
  return false;
}

/* From now on it has to be run. */
static void expect(wf_launcher *l, const grid *g) {
  l->unfinished++;
  l->blocks_known += g->blocks;
}

bool wf_launcher_begin(wf_launcher *l, const ptx_launch *launch, uint32_t shared_bytes,
                       wf_error *err) {
  if (launch->kernel->launches && !make_pool(l, err)) return false;
  l->counted_at = l->gpu->cycle;
  l->stage = &plain;
  grid *g = new_grid(l);
  describe_grid(l, g, launch, shared_bytes);
  char why[512];
  if (!dispatchable(l, g, why, sizeof why)) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s", why);
  g->started = true;
  expect(l, g);
  l->entering[l->n_entering] = g->g.id;
  l->entering_at[l->n_entering++] = 0;
  return true;
}

void wf_launcher_end(wf_launcher *l) {
  count_pending(l, -(int64_t)l->pending, -(int64_t)l->pending_bytes);
  if (l->pool)
    wf_launch_pool_reset(l->pool); /* buffers that were never launched are given back, too */
  l->n_grids = 0;
  l->blocks_known = l->blocks_done = 0;
}

bool wf_launcher_busy(const wf_launcher *l) {
  return l->unfinished != 0;
}

double wf_launcher_progress(const wf_launcher *l) {
  return l->blocks_known ? (double)l->blocks_done / (double)l->blocks_known : 1;
}

const wf_launch_counters *wf_launcher_counters(const wf_launcher *l) {
  return &l->counters;
}

/* ---- on the way to the dispatcher ---- */

static void wake(wf_sm *sm, unsigned warp) {
  wf_sm_wake_parked(sm, warp, wf_sm_now(sm));
}

static void kmu_put(wf_launcher *l, uint32_t id) {
  const wf_grid *g = &grid_at(l, id)->g;
  const unsigned queue = l->ops->queue ? l->ops->queue(l->dispatcher, g) : 0;
  fifo_put(&l->kmu[l->n_kmu > 1 ? g->sm : 0][queue], id);
  l->in_kmu++;
}

/* The first of the highest queue that has any, of who is next in turn. */
static uint32_t kmu_take(wf_launcher *l) {
  fifo *found = NULL;
  while (!found) {
    for (unsigned q = WF_KMU_QUEUES; q-- > 0 && !found;)
      if (l->kmu[l->kmu_at][q].n) found = &l->kmu[l->kmu_at][q];
    l->kmu_at = (l->kmu_at + 1) % l->n_kmu;
  }
  l->in_kmu--;
  return fifo_take(found);
}

/* One of a call's grids goes in a cycle, first come, first served; its warp waits with them until
 * the last is taken. */
static void wait_in_turn(wf_launcher *l, fifo *f, const call *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    fifo_put(f, c->first + i);
    grid_at(l, c->first + i)->g.last = i + 1 == c->count;
  }
}

static bool kernels_wait(const wf_launcher *l) {
  return l->ops->launch || l->ops->kernels_wait;
}

static void end_calls(wf_launcher *l) {
  while (l->n_calls && l->calls[0].when <= l->gpu->cycle) {
    const call c = take_call(l);
    if (c.count && kernels_wait(l)) {
      wait_in_turn(l, &l->kernels, &c);
      continue;
    }
    for (uint32_t i = 0; i < c.count; i++) kmu_put(l, c.first + i);
    wake(&l->gpu->sms[c.sm], c.warp);
  }
}

/* The next kernel of the KMU gets an entry of the distributor, in which it is after its latency. */
static void assign_entry(wf_launcher *l) {
  if (!l->in_kmu || l->ops->free_kernels(l->dispatcher) <= l->n_entering) return;
  const uint64_t now = l->gpu->cycle;
  uint64_t *way = l->way_free;
  for (unsigned i = 1; i < l->config->launch_ways; i++)
    if (l->way_free[i] < *way) way = &l->way_free[i];
  const uint64_t begins = l->config->launch_ways && *way > now ? *way : now;
  l->entering[l->n_entering] = kmu_take(l);
  *way = begins + (l->ideal ? 0 : l->config->launch_dispatch);
  l->entering_at[l->n_entering++] = *way;
}

static void enter_kernel(wf_launcher *l) {
  if (!l->n_entering || l->entering_at[0] > l->gpu->cycle) return;
  if (!l->ops->kernel(l->dispatcher, &grid_at(l, l->entering[0])->g)) return;
  l->n_entering--;
  memmove(l->entering, l->entering + 1, l->n_entering * sizeof *l->entering);
  memmove(l->entering_at, l->entering_at + 1, l->n_entering * sizeof *l->entering_at);
}

/* Of a launched grid. */
static void see_grid(const wf_launcher *l, wf_seen_kind kind, const grid *g) {
  if (!l->gpu->n_observers) return;
  wf_seen what = {.kind = kind,
                  .cycle = l->gpu->cycle,
                  .since = g->since,
                  .name = g->g.kernel->name,
                  .grid = g->g.id,
                  .sm = g->g.sm,
                  .slot = g->g.thread / PTX_LANES,
                  .group = g->group};
  memcpy(what.blocks, g->g.blocks, sizeof what.blocks);
  memcpy(what.threads, g->g.threads, sizeof what.threads);
  wf_gpu_see(l->gpu, &what);
}

static void see_block(const wf_launcher *l, const grid *g, const wf_placement *p) {
  if (!l->gpu->n_observers) return;
  wf_seen what = {.kind = WF_SEEN_BLOCK_START,
                  .cycle = l->gpu->cycle,
                  .name = g->g.kernel->name,
                  .grid = p->id,
                  .sm = p->sm,
                  .slot = p->slot,
                  .warps = g->g.warps};
  memcpy(what.blocks, p->block, sizeof what.blocks);
  wf_gpu_see(l->gpu, &what);
}

/* The first on its way is taken. */
static void taken(wf_launcher *l, fifo *f) {
  const wf_grid *g = &grid_at(l, fifo_take(f))->g;
  if (g->last) wake(&l->gpu->sms[g->sm], g->thread / PTX_LANES);
}

static void send_group(wf_launcher *l) {
  uint32_t id;
  while (l->ops->refused(l->dispatcher, &id)) {
    l->counters.groups_refused++;
    see_grid(l, WF_SEEN_REFUSED, grid_at(l, id));
    become_kernel(l, grid_at(l, id));
    if (!l->ops->launch) kmu_put(l, id);
  }
  if (!l->groups.n) return;
  if (l->ops->group(l->dispatcher, &grid_at(l, fifo_first(&l->groups))->g)) taken(l, &l->groups);
}

static void send_kernel(wf_launcher *l) {
  if (!l->kernels.n) return;
  const uint32_t id = fifo_first(&l->kernels);
  if (!l->ops->launch)
    kmu_put(l, id);
  else if (!l->ops->launch(l->dispatcher, &grid_at(l, id)->g))
    return;
  taken(l, &l->kernels);
}

static void count_start(wf_launcher *l, grid *g) {
  g->started = true;
  l->counters.started++;
  l->counters.waiting_cycles += l->gpu->cycle - g->since;
  see_grid(l, WF_SEEN_START, g);
  count_pending(l, -1, -(int64_t)g->footprint);
}

bool wf_launcher_start(wf_launcher *l, const wf_placement *p, wf_error *err) {
  wf_sm *sm = &l->gpu->sms[p->sm];
  if (p->id >= l->n_grids || p->slot >= WF_MAX_CTAS || sm->ctas[p->slot].used)
    return wf_fail(err, WF_EXIT_WRONG,
                   "the dispatcher places a block of grid %u in slot %u of SM %u, which is %s",
                   p->id, p->slot, p->sm, p->id >= l->n_grids ? "no grid" : "not free");
  grid *g = grid_at(l, p->id);
  g->priority = p->priority;
  if (!g->started) count_start(l, g);
  see_block(l, g, p);
  if (l->gpu->footprint) wf_footprint_start(l->gpu->footprint, p->sm, p->slot, g->parent);
  wf_sm_start_cta(sm, &(wf_sm_block){&g->launch, p->block, p->slot, g->g.shared_bytes, p->id},
                  wf_sm_now(sm));
  return true;
}

bool wf_launcher_place(wf_launcher *l, wf_placement *block) {
  return l->ops->place(l->dispatcher, block);
}

bool wf_launcher_may_place(const wf_launcher *l) {
  return l->ops->may_place(l->dispatcher);
}

static bool start_placed(void *self, wf_launcher *l, wf_error *err) {
  wf_placement p;
  (void)self;
  return !wf_launcher_place(l, &p) || wf_launcher_start(l, &p, err);
}

static bool may_start(const void *self, const wf_launcher *l) {
  (void)self;
  return wf_launcher_may_place(l);
}

static const wf_block_stage plain = {start_placed, may_start};

void wf_launcher_put_stage(wf_launcher *l, const wf_block_stage *stage, void *self) {
  assert(l->stage == &plain); /* claims let one unit stand there */
  l->stage = stage;
  l->stage_self = self;
}

bool wf_launcher_tick(wf_launcher *l, wf_error *err) {
  if (l->n_calls) end_calls(l);
  if (l->n_grids > 1) send_group(l);
  send_kernel(l);
  assign_entry(l);
  enter_kernel(l);
  return l->stage->tick(l->stage_self, l, err);
}

uint64_t wf_launcher_wake(const wf_launcher *l) {
  const uint64_t next = l->gpu->cycle + 1;
  if (l->stage->may(l->stage_self, l) || l->groups.n || l->kernels.n) return next;
  if (l->in_kmu && l->ops->free_kernels(l->dispatcher) > l->n_entering) return next;
  uint64_t wake = l->n_calls ? l->calls[0].when : WF_NEVER;
  if (l->n_entering && l->entering_at[0] < wake) wake = l->entering_at[0];
  return wake < next ? next : wake;
}

void wf_launcher_block_done(wf_launcher *l, unsigned sm, unsigned slot, uint32_t id) {
  grid *g = grid_at(l, id);
  l->ops->block_done(l->dispatcher, sm, slot);
  l->blocks_done++;
  wf_gpu_see(l->gpu,
             &(wf_seen){.kind = WF_SEEN_BLOCK_END, .cycle = l->gpu->cycle, .sm = sm, .slot = slot});
  if (++g->done < g->blocks) return;
  if (id != HOST_GRID) see_grid(l, WF_SEEN_END, g);
  l->unfinished--;
  if (g->g.params) wf_launch_pool_give(l->pool, g->g.params);
}

/* ---- instructions ---- */

static unsigned latency(const wf_launcher *l, unsigned fixed, unsigned per_lane, uint32_t active) {
  return l->ideal ? 0 : fixed + per_lane * (unsigned)__builtin_popcount(active);
}

static void take_buffers(wf_launcher *l, const ptx_effect *e, uint64_t value[PTX_LANES]) {
  for (uint32_t m = e->active; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    value[i] = e->operand[0][i] > WF_GRID_HEADER
                   ? 0
                   : wf_launch_pool_take(l->pool, e->operand[1][i], l->gpu->cycle);
    if (!value[i]) l->counters.no_buffer++;
  }
}

/* Extents of the grid and the block within what there can be. */
static bool sane(const ptx_effect *e, unsigned lane, char *what, size_t bytes) {
  static const uint32_t most[] = {0, INT32_MAX, UINT16_MAX, UINT16_MAX, 1024, 1024, 1024};
  uint64_t threads = 1;
  for (unsigned d = 1; d <= 6; d++) {
    const uint64_t n = e->operand[d][lane];
    if (!n || n > most[d])
      return snprintf(what, bytes,
                      "launch of a grid of %ux%ux%u blocks of %ux%ux%u: every extent must be at "
                      "least 1, a "
                      "block's at most 1024, a grid's at most 2147483647, 65535, 65535",
                      (unsigned)e->operand[1][lane], (unsigned)e->operand[2][lane],
                      (unsigned)e->operand[3][lane], (unsigned)e->operand[4][lane],
                      (unsigned)e->operand[5][lane], (unsigned)e->operand[6][lane]) < 0;
    if (d > 3) threads *= n;
  }
  if (threads > 1024)
    snprintf(what, bytes, "launch of a block of %llu threads, at most 1024",
             (unsigned long long)threads);
  return threads <= 1024;
}

/* A grid from one lane's operands; false: it cannot be, `what` says why. */
static bool make_grid(wf_launcher *l, const ptx_kernel *k, const ptx_effect *e, unsigned lane,
                      grid *g, char *what, size_t bytes) {
  const uint64_t buffer = e->operand[0][lane], room = wf_launch_pool_bytes(l->pool, buffer);
  if (!sane(e, lane, what, bytes)) return false;
  if (!room || room < k->param_bytes) {
    snprintf(what, bytes, "launch of %s, whose parameters take %u bytes: 0x%llx is %s", k->name,
             k->param_bytes, (unsigned long long)buffer,
             room ? "a smaller parameter buffer" : "no parameter buffer, or one launched before");
    return false;
  }
  if (k->n_regs + k->n_preds > 64 * WF_SCOREBOARD_WORDS) {
    snprintf(what, bytes,
             "launch of %s: %u registers and %u predicates a thread, at most %d in all", k->name,
             k->n_regs, k->n_preds, 64 * WF_SCOREBOARD_WORDS);
    return false;
  }
  ptx_launch launch = l->gpu->launch;
  launch.kernel = k;
  launch.params = launch.global + (buffer - launch.global_base);
  for (unsigned d = 0; d < 3; d++) {
    launch.nctaid[d] = (uint32_t)e->operand[1 + d][lane];
    launch.ntid[d] = (uint32_t)e->operand[4 + d][lane];
  }
  if (k->max_ntid && launch.ntid[0] * launch.ntid[1] * launch.ntid[2] > k->max_ntid) {
    snprintf(what, bytes, "launch of %s: %u threads a block, its .maxntid is %u", k->name,
             launch.ntid[0] * launch.ntid[1] * launch.ntid[2], k->max_ntid);
    return false;
  }
  const uint64_t shared = k->shared_bytes + e->operand[7][lane];
  wf_error why = {0};
  if (!wf_sm_fit(l->config, &launch, shared > UINT32_MAX ? UINT32_MAX : (uint32_t)shared, &why)) {
    snprintf(what, bytes, "launch of %.300s", why.text);
    return false;
  }
  describe_grid(l, g, &launch, (uint32_t)shared);
  g->g.params = buffer;
  g->since = wf_launch_pool_since(l->pool, buffer);
  g->footprint = (uint32_t)(room + WF_GRID_HEADER);
  if (!dispatchable(l, g, what, bytes)) return false;
  wf_launch_pool_launch(l->pool, buffer);
  return true;
}

/* Makes the grids of the lanes, in lane order: value[lane] is the error code. */
static bool launch_lanes(wf_launcher *l, const ptx_inst *inst, const ptx_warp *arch,
                         const ptx_effect *e, call *c, uint64_t value[PTX_LANES], wf_error *err) {
  const unsigned limit = l->config->launch_pending;
  const wf_sm *sm = &l->gpu->sms[c->sm];
  const unsigned parent = grid_at(l, sm->ctas[sm->warps[c->warp].cta].grid)->priority;
  c->first = l->n_grids;
  for (uint32_t m = e->active; m; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m);
    value[lane] = limit && l->pending >= limit ? PENDING_COUNT_EXCEEDED : SUCCESS;
    if (value[lane]) {
      l->counters.over_limit++;
      wf_launch_pool_give(l->pool, e->operand[0][lane]);
      continue;
    }
    grid *g = new_grid(l);
    char what[512];
    if (!make_grid(l, ptx_inst_callee(inst), e, lane, g, what, sizeof what))
      return ptx_launch_fault(inst, arch, lane, err, what);
    g->g.sm = c->sm;
    g->g.thread = c->warp * PTX_LANES + lane;
    g->g.priority = parent;
    if (l->gpu->footprint)
      g->parent = wf_footprint_block(l->gpu->footprint, c->sm, sm->warps[c->warp].cta);
    expect(l, g);
    g->group = inst->custom_id == PTX_LAUNCH_GROUP;
    count_pending(l, 1, g->footprint);
    if (!g->group) become_kernel(l, g);
    see_grid(l, WF_SEEN_LAUNCH, g);
    l->counters.blocks += g->blocks;
    l->counters.threads += g->blocks * g->launch.ntid[0] * g->launch.ntid[1] * g->launch.ntid[2];
  }
  c->count = l->n_grids - c->first;
  return true;
}

/* The warp goes on when the last group is taken; c->when: never. */
static void send_groups(wf_launcher *l, call *c) {
  l->counters.groups += c->count;
  wait_in_turn(l, &l->groups, c);
  if (c->count) c->when = WF_NEVER;
  c->count = 0;
}

bool wf_launcher_issue(wf_launcher *l, unsigned sm, unsigned warp, const ptx_inst *inst,
                       ptx_warp *arch, const ptx_effect *e, wf_error *err) {
  const wf_gpu_config *k = l->config;
  uint64_t value[PTX_LANES] = {0};
  unsigned cycles = 0;
  call c = {.sm = sm, .warp = warp};
  switch (e->active ? (int)inst->custom_id : -1) {
  case PTX_LAUNCH_BUFFER:
    take_buffers(l, e, value);
    cycles = latency(l, k->launch_buffer, k->launch_buffer_lane, e->active);
    break;
  case PTX_LAUNCH_STREAM:
    for (unsigned i = 0; i < PTX_LANES; i++) value[i] = ++l->streams;
    cycles = latency(l, k->launch_stream, 0, e->active);
    break;
  case PTX_LAUNCH_DEVICE:
  case PTX_LAUNCH_GROUP:
    if (!launch_lanes(l, inst, arch, e, &c, value, err)) return false;
    if (inst->custom_id == PTX_LAUNCH_DEVICE) {
      l->counters.kernels += c.count;
      cycles = latency(l, k->launch_device, k->launch_device_lane, e->active);
    } else {
      send_groups(l, &c);
    }
    break;
  default:
    break;
  }
  ptx_write_result(inst, arch, e->active, value);
  if (c.when != WF_NEVER) {
    c.when = l->gpu->cycle + (cycles ? cycles : k->latency[PTX_CLASS_INT]);
    add_call(l, c);
  }
  return true;
}

size_t wf_launcher_describe(const wf_launcher *l, char *text, size_t bytes) {
  if (l->n_grids < 2) return 0;
  const int n = snprintf(
      text, bytes,
      "%zu kernels in the KMU, %u entering the distributor, %zu groups and %zu kernels on their "
      "way, %zu warps in calls\n",
      l->in_kmu, l->n_entering, l->groups.n, l->kernels.n, l->n_calls);
  const size_t used = n < 0 ? 0 : (size_t)n < bytes ? (size_t)n : bytes;
  if (!l->ops->describe) return used; /* a unit's own tells */
  return used + l->ops->describe(l->dispatcher, text + used, bytes - used);
}
