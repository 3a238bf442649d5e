#include "sim/gpu/preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/launch.h"
#include "sim/gpu/lsu.h"
#include "sim/gpu/ready.h"
#include "sim/gpu/sleep.h"
#include "sim/gpu/sm_clock.h"

enum { LOOKS = 8, LINE_BYTES = 1 << LINE_SHIFT, NO_LINE = UINT32_MAX };

/* What a request must read: the bytes that its lanes touch, and the line as memory was when it
 * issued. */
typedef struct expected {
  uint64_t touched[LINE_BYTES / 64];
  uint8_t data[LINE_BYTES];
} expected;

typedef struct wf_preload_sm wf_preload_sm;
typedef enum look_state { LOOK_ASKED, LOOK_MISSED, LOOK_DONE } look_state;

/* A line request from its look-up until it is served or gone on. */
typedef struct look {
  wf_line_request request;
  uint8_t state;
  expected must;
} look;

/* A line of shared memory. */
typedef struct place {
  uint32_t line, coming;             /* NO_LINE: nothing; nothing on its way */
  uint64_t foreign[LINE_BYTES / 64]; /* bytes that other SMs have written since */
  uint8_t data[LINE_BYTES];
} place;

struct wf_preload_sm {
  struct wf_preload *all;
  unsigned id, n_coming;
  wf_ring look_ring;
  look looks[LOOKS];
  place *places;
  expected *must;     /* [lsu_queue][PTX_LANES] */
  uint64_t port_used; /* the last cycle in which the buffer used shared memory's port */
  uint64_t placed_at[WF_MAX_CTAS];
  uint32_t held; /* blocks whose warps wait, by slot */
  bool twice;    /* a line lies in two places, or did */
};

typedef struct wf_preload {
  struct wf_gpu *gpu;
  wf_unit *unit;
  const wf_preload_ops *ops;
  wf_preload_settings settings;
  wf_preload_counters *counters;
  bool urgent, active;
  wf_preload_sm *sms;
  uint64_t *holders; /* by line from first_line on: SMs that hold it */
  uint32_t first_line, n_lines;
  bool failed;
  wf_error fault;
} wf_preload;

/* ---- life ---- */

static void create_sm(wf_preload *p, unsigned s) {
  wf_preload_sm *m = &p->sms[s];
  m->all = p;
  m->id = s;
  m->places = wf_calloc(p->settings.places, sizeof *m->places);
  m->must = wf_calloc((size_t)p->gpu->config.lsu_queue * PTX_LANES, sizeof *m->must);
}

static void fail(wf_preload *p, const wf_error *fault) {
  if (!p->failed) p->fault = *fault;
  p->failed = true;
}
#define FAIL(p, ...)                                                                               \
  do {                                                                                             \
    wf_error fault_ = {0};                                                                         \
    wf_fail(&fault_, WF_EXIT_WRONG, __VA_ARGS__);                                                  \
    fail(p, &fault_);                                                                              \
  } while (0)

static bool is_fine(const wf_seat *seat, wf_error *err) {
  const wf_preload *p = seat->state;
  if (p->failed && err) *err = p->fault;
  return !p->failed;
}

/* ---- kernels ---- */

static void clear_sm(wf_preload_sm *m) {
  m->look_ring = (wf_ring){0};
  m->n_coming = 0;
  m->held = 0;
  m->twice = false;
  for (unsigned i = 0; i < m->all->settings.places; i++)
    m->places[i].line = m->places[i].coming = NO_LINE;
}

static void clear_holders(wf_preload *p, uint64_t used) {
  const uint32_t lines = (uint32_t)((used + LINE_BYTES - 1) >> LINE_SHIFT);
  if (lines > p->n_lines) p->holders = wf_realloc(p->holders, lines, sizeof *p->holders);
  p->n_lines = lines;
  p->first_line = WF_IMAGE_BASE >> LINE_SHIFT;
  memset(p->holders, 0, lines * sizeof *p->holders);
}

/* ---- blocks ---- */

/* The block in the slot has been started: its warps wait. */
static void hold(wf_preload *p, const wf_placement *block) {
  wf_sm *s = &p->gpu->sms[block->sm];
  for (uint64_t w = s->ctas[block->slot].warps; w; w &= w - 1)
    wf_sm_set_state(s, (unsigned)__builtin_ctzll(w), WF_WARP_PARKED);
  p->sms[block->sm].placed_at[block->slot] = p->gpu->cycle;
  p->sms[block->sm].held |= 1u << block->slot;
  p->counters->held_blocks++;
  p->ops->block(p->unit, block->sm, block->slot, block->block);
}

static bool tick_held(void *self, wf_launcher *l, wf_error *err) {
  wf_preload *p = self;
  wf_placement block;
  if (!p->ops->may_place(p->unit) || !wf_launcher_place(l, &block)) return true;
  if (!wf_launcher_start(l, &block, err)) return false;
  hold(p, &block);
  return true;
}

static bool may_hold(const void *self, const wf_launcher *l) {
  (void)self;
  return wf_launcher_may_place(l);
}

static const wf_block_stage held_blocks = {tick_held, may_hold};

void wf_preload_go(struct wf_gpu *gpu, unsigned sm, unsigned slot) {
  wf_sm *s = &gpu->sms[sm];
  wf_preload_sm *m = s->preload;
  wf_preload *p = m->all;
  if (slot >= WF_MAX_CTAS || !(m->held >> slot & 1)) {
    FAIL(p, "%s: SM %u, slot %u may go: no block waits there", p->unit->cls->name, sm, slot);
    return;
  }
  m->held &= ~(1u << slot);
  p->counters->held_cycles += gpu->cycle - m->placed_at[slot];
  if (gpu->n_observers)
    wf_gpu_see(gpu,
               &(wf_seen){.kind = WF_SEEN_BLOCK_GO, .cycle = gpu->cycle, .sm = sm, .slot = slot});
  for (uint64_t w = s->ctas[slot].warps; w; w &= w - 1)
    wf_sm_wake_parked(s, (unsigned)__builtin_ctzll(w), wf_sm_now(s));
}

static void block_end(wf_sm *sm, unsigned slot) {
  wf_preload_sm *m = sm->preload;
  m->all->ops->block_end(m->all->unit, sm->id, slot);
}

/* ---- fetches and what they bring ---- */

static uint64_t *holders_of(const wf_preload *p, uint32_t line) {
  const uint32_t i = line - p->first_line;
  return i < p->n_lines ? &p->holders[i] : NULL;
}

static const uint8_t *in_memory(const wf_preload *p, uint32_t line) {
  return wf_image_data(p->gpu->image) + (((uint64_t)line << LINE_SHIFT) - WF_IMAGE_BASE);
}

/* A line that a store made go and that was fetched again lies in two places, until the first one is
 * used anew. */
static bool lies_in(const wf_preload_sm *m, uint32_t line) {
  for (unsigned i = 0; i < m->all->settings.places; i++)
    if (m->places[i].line == line) return true;
  return false;
}

static void drop_line(wf_preload *p, wf_preload_sm *m, place *at) {
  const uint32_t line = at->line;
  at->line = NO_LINE;
  if (line == NO_LINE || (m->twice && lies_in(m, line))) return;
  *holders_of(p, line) &= ~((uint64_t)1 << m->id);
}

bool wf_preload_fetch(struct wf_gpu *gpu, unsigned sm, uint32_t line, unsigned number) {
  wf_sm *s = &gpu->sms[sm];
  wf_preload_sm *m = s->preload;
  wf_preload *p = m->all;
  if (!wf_lsu_can_send(s)) return p->counters->fetch_waits++, false;
  if (number >= p->settings.places || m->places[number].coming != NO_LINE || !holders_of(p, line)) {
    FAIL(p, "%s: SM %u fetches line 0x%x into place %u: %s", p->unit->cls->name, sm, line, number,
         !holders_of(p, line) ? "no such memory"
                              : "no such place, or one to which a line is on its way");
    return true;
  }
  drop_line(p, m, &m->places[number]);
  m->places[number].coming = line;
  m->n_coming++;
  p->counters->fetched++;
  wf_lsu_send_fetch(s, WF_PLACE_BUFFER, line, number, p->urgent);
  if (s->wake > wf_sm_now(s)) s->wake = wf_sm_now(s);
  return true;
}

/* Where a request's bytes differ from what it must read. A store that issued after the load may
 * have reached memory before the fetch did in our order, though not in the machine's: what memory
 * holds now is right, too. */
static void check(wf_preload *p, const wf_preload_sm *m, const look *l, const place *at) {
  const wf_line_request *r = &l->request;
  const uint8_t *now = in_memory(p, r->line);
  for (unsigned half = 0; half < LINE_BYTES / 64; half++) {
    p->counters->checked_bytes += (unsigned)__builtin_popcountll(l->must.touched[half]);
    for (uint64_t b = l->must.touched[half]; b; b &= b - 1) {
      const unsigned i = 64 * half + (unsigned)__builtin_ctzll(b);
      if (at->data[i] == l->must.data[i] || at->data[i] == now[i]) continue;
      const bool foreign = at->foreign[half] >> (i % 64) & 1;
      p->counters->stale_bytes += foreign;
      if (foreign && p->settings.races) continue;
      FAIL(p,
           "%s: SM %u, PTX line %u `%s`: byte 0x%llx is %u in the buffer, the program must read "
           "%u: %s%s%s",
           p->unit->cls->name, m->id, r->inst->line, ptx_inst_text(r->inst),
           ((unsigned long long)r->line << LINE_SHIFT) + i, at->data[i], l->must.data[i],
           foreign ? "another SM wrote it in this kernel. Read it with loads that bypass the L1, "
                     "leave the array out of the table, or --set "
                   : "the buffer is stale",
           foreign ? p->unit->cls->name : "", foreign ? ".races=1" : "");
      return;
    }
  }
}

/* The request has its data from a place at `when`. */
static void serve(wf_sm *sm, const look *l, const place *at, uint64_t when, uint64_t now) {
  check(sm->preload->all, sm->preload, l, at);
  wf_lsu_hit(sm, l->request.load, when, now);
}

/* A fetch is back. */
static void fill(wf_sm *sm, unsigned number, uint64_t now) {
  wf_preload_sm *m = sm->preload;
  wf_preload *p = m->all;
  place *at = &m->places[number];
  at->line = at->coming;
  at->coming = NO_LINE;
  memset(at->foreign, 0, sizeof at->foreign);
  memcpy(at->data, in_memory(p, at->line), LINE_BYTES);
  uint64_t *holders = holders_of(p, at->line), mine = (uint64_t)1 << m->id;
  m->twice = m->twice || *holders & mine;
  *holders |= mine;
  m->n_coming--;
  m->port_used = now;
  p->ops->filled(p->unit, m->id, number);
}

static bool takes_shared(const wf_sm *sm, uint64_t now) {
  return sm->preload->port_used == now;
}

/* ---- loads and stores ---- */

static void mark_bytes(uint64_t mask[LINE_BYTES / 64], uint64_t address, unsigned bytes) {
  const unsigned first = (unsigned)(address & (LINE_BYTES - 1));
  for (unsigned i = first; i < first + bytes; i++) mask[i / 64] |= (uint64_t)1 << (i % 64);
}

/* The bytes that the lanes of sm->effect touch in each of the entry's lines. */
static void find_bytes(const wf_sm *sm, const wf_lsu_entry *e, expected *must) {
  const unsigned bytes = (unsigned)e->inst->bytes * e->inst->vec;
  unsigned t = 0;
  for (unsigned i = 0; i < e->n_lines; i++) must[i].touched[0] = must[i].touched[1] = 0;
  for (uint32_t left = sm->effect.active; left; left &= left - 1) {
    const uint64_t address = sm->effect.addr[__builtin_ctz(left)];
    const uint32_t line = (uint32_t)(address >> LINE_SHIFT);
    if (e->at[t].line != line)
      for (t = 0; e->at[t].line != line;) t++;
    mark_bytes(must[t].touched, address, bytes);
  }
}

/* Other SMs' copies no longer are what memory holds. */
static void mark_foreign(const wf_sm *sm, const wf_lsu_entry *e) {
  const wf_preload *p = sm->preload->all;
  expected must[PTX_LANES];
  bool found = false;
  for (unsigned t = 0; t < e->n_lines; t++) {
    const uint64_t *holders = holders_of(p, e->at[t].line);
    uint64_t others = holders ? *holders & ~((uint64_t)1 << sm->id) : 0;
    if (!others) continue;
    if (!found) find_bytes(sm, e, must);
    found = true;
    for (; others; others &= others - 1) {
      const wf_preload_sm *m = &p->sms[__builtin_ctzll(others)];
      for (unsigned i = 0; i < p->settings.places; i++)
        if (m->places[i].line == e->at[t].line)
          for (unsigned h = 0; h < LINE_BYTES / 64; h++)
            m->places[i].foreign[h] |= must[t].touched[h];
    }
  }
}

static void enter(wf_sm *sm, wf_lsu_entry *e, unsigned at) {
  const wf_preload_sm *m = sm->preload;
  if (!e->global || e->kind == KIND_BYPASS) return;
  if (e->kind != KIND_LOAD) {
    mark_foreign(sm, e);
    return;
  }
  expected *must = &m->must[at * PTX_LANES];
  find_bytes(sm, e, must);
  for (unsigned t = 0; t < e->n_lines; t++)
    memcpy(must[t].data, in_memory(m->all, e->at[t].line), LINE_BYTES);
}

/* The request is of the queue's head. */
static bool load(wf_sm *sm, const wf_line_request *r, uint64_t now) {
  wf_preload_sm *m = sm->preload;
  wf_preload *p = m->all;
  (void)now;
  if (m->look_ring.count == LOOKS ||
      (r->global && !p->ops->access(p->unit, m->id, false, r->line))) {
    p->counters->look_stalls++;
    return false;
  }
  p->counters->looked_up += r->global;
  look *l = &m->looks[wf_ring_push(&m->look_ring, LOOKS)];
  l->request = *r;
  l->state = r->global ? LOOK_ASKED : LOOK_MISSED;
  if (r->global) l->must = m->must[sm->queue_ring.head * PTX_LANES + r->nth];
  return true;
}

static bool store(wf_sm *sm, const wf_lsu_entry *e, uint32_t line) {
  const wf_preload *p = sm->preload->all;
  return !e->global || p->ops->access(p->unit, sm->id, true, line);
}

static look *oldest_asked(wf_preload_sm *m) {
  for (unsigned i = 0; i < m->look_ring.count; i++) {
    look *l = &m->looks[wf_ring_at(&m->look_ring, i, LOOKS)];
    if (l->state == LOOK_ASKED) return l;
  }
  return NULL;
}

static void hit(wf_sm *sm, look *l, unsigned number, uint64_t now) {
  wf_preload_sm *m = sm->preload;
  const place *at = &m->places[number];
  if (at->line != l->request.line) {
    FAIL(m->all, "%s: SM %u: line 0x%x in place %u, which holds 0x%x", m->all->unit->cls->name,
         m->id, l->request.line, number, at->line);
    return;
  }
  m->all->counters->found++;
  serve(sm, l, at, l->request.asked_at + sm->config->shared_latency + (m->port_used == now), now);
  m->port_used = now;
  l->state = LOOK_DONE;
}

static void take_answer(wf_sm *sm, uint64_t now) {
  wf_preload_sm *m = sm->preload;
  wf_preload *p = m->all;
  unsigned number = 0;
  const wf_preload_answer a = p->ops->answer(p->unit, m->id, &number);
  if (a == WF_PRELOAD_WAIT) return;
  look *l = oldest_asked(m);
  if (!l || (a != WF_PRELOAD_MISS && number >= p->settings.places)) {
    FAIL(p, "%s: SM %u: an answer %s", p->unit->cls->name, m->id,
         l ? "with no such place" : "to what was not asked");
    return;
  }
  switch (a) {
  case WF_PRELOAD_HIT:
    hit(sm, l, number, now);
    break;
  case WF_PRELOAD_COMING:
    p->counters->found_coming++;
    l->state = LOOK_MISSED;
    break;
  default:
    p->counters->not_found++;
    l->state = LOOK_MISSED;
  }
}

/* The oldest look-up goes on: to be fetched, of which one a cycle may, or served. */
static void tick(wf_sm *sm, uint64_t now) {
  wf_preload_sm *m = sm->preload;
  take_answer(sm, now);
  for (bool first = true; m->look_ring.count; first = false) {
    look *l = &m->looks[m->look_ring.head];
    if (l->state == LOOK_ASKED || (l->state == LOOK_MISSED && !first)) break;
    l->request.served = l->state == LOOK_DONE;
    if (!wf_row_pass(sm, WF_PLACE_BUFFER, &l->request, now)) break;
    wf_ring_pop(&m->look_ring, LOOKS);
  }
}

static bool busy(const wf_sm *sm) {
  return sm->preload->look_ring.count;
}

static size_t describe(const wf_sm *sm, char *text, size_t bytes) {
  const wf_preload_sm *m = sm->preload;
  if (!m->look_ring.count && !m->n_coming && !m->held) return 0;
  const int n = snprintf(text, bytes,
                         "preload buffer of SM %u: %u look-ups, %u lines on their way, blocks 0x%x "
                         "wait\n",
                         m->id, m->look_ring.count, m->n_coming, m->held);
  return n < 0 ? 0 : (size_t)n < bytes ? (size_t)n : bytes;
}

/* ---- the seat ---- */

static const wf_stage stage = {.place = WF_PLACE_BUFFER,
                               .enter = enter,
                               .load = load,
                               .store = store,
                               .fill = fill,
                               .tick = tick,
                               .busy = busy,
                               .takes_shared = takes_shared,
                               .block_end = block_end,
                               .describe = describe};

static bool begin(wf_seat *seat, const wf_kernel_room *room, wf_error *err) {
  wf_gpu *gpu = seat->gpu;
  wf_preload *p = seat->state;
  const uint64_t used = wf_image_used(gpu->image);
  if (gpu->source)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit %s: not with a trace: it needs memory's contents", p->unit->cls->name);
  const wf_preload_kernel k = {.launch = &gpu->launch,
                               .resident = room->fit,
                               .shared_free =
                                   gpu->config.shared_bytes_per_sm - room->fit * room->shared_bytes,
                               .first = WF_IMAGE_BASE,
                               .last = WF_IMAGE_BASE + used - 1};
  p->active = false;
  if (used && !p->ops->kernel_start(p->unit, &k, &p->active, err)) return false;
  if (!p->active) return true;
  clear_holders(p, used);
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    clear_sm(&p->sms[s]);
    wf_row_add_stage(&gpu->sms[s].row, &stage);
  }
  wf_launcher_put_stage(gpu->launcher, &held_blocks, p);
  return true;
}

static bool kernel_end(wf_seat *seat, wf_error *err) {
  const wf_preload *p = seat->state;
  for (unsigned s = 0; p->active && s < seat->gpu->config.n_sm; s++) {
    const wf_preload_sm *m = &p->sms[s];
    if (m->look_ring.count || m->n_coming || m->held)
      return wf_fail(err, WF_EXIT_WRONG,
                     "preload buffer of SM %u: after the kernel %u look-ups and %u lines are on "
                     "their way, blocks 0x%x wait",
                     s, m->look_ring.count, m->n_coming, m->held);
  }
  return true;
}

static void end(wf_seat *seat) {
  ((wf_preload *)seat->state)->active = false;
}

static void destroy(wf_seat *seat) {
  wf_preload *p = seat->state;
  for (unsigned s = 0; s < p->gpu->config.n_sm; s++) {
    free(p->sms[s].places);
    free(p->sms[s].must);
  }
  free(p->sms);
  free(p->holders);
  free(p);
}

bool wf_preload_sit(wf_seat *seat, wf_error *err) {
  wf_gpu *gpu = seat->gpu;
  wf_preload *p = wf_calloc(1, sizeof *p);
  (void)err;
  p->gpu = gpu;
  p->unit = seat->unit;
  p->ops = p->unit->cls->preload;
  p->counters = p->ops->counters(p->unit);
  p->settings = p->ops->settings(p->unit);
  p->urgent = gpu->config.preload_priority;
  p->sms = wf_calloc(gpu->config.n_sm, sizeof *p->sms);
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    create_sm(p, s);
    gpu->sms[s].preload = &p->sms[s];
  }
  *seat = (wf_seat){.gpu = gpu,
                    .unit = p->unit,
                    .state = p,
                    .begin = begin,
                    .end = end,
                    .check = is_fine,
                    .kernel_end = kernel_end,
                    .destroy = destroy};
  return true;
}
