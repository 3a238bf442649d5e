#include "tb/teleport/buffer/buffer_bench.h"

#include <inttypes.h>
#include <string.h>

#include "tb/teleport/buffer/buffer_bus.h"
#include "tb/teleport/buffer/buffer_cover.h"

uint64_t buffer_bench_running(const buffer_bench *b) {
  uint64_t running = 0;
  for (unsigned t = 0; t < b->shape.slots; t++) running |= (uint64_t)b->w.slot[t].running << t;
  return running;
}
uint64_t buffer_bench_waiting(const buffer_bench *b) {
  uint64_t waiting = 0;
  for (unsigned t = 0; t < b->shape.slots; t++) waiting |= (uint64_t)b->w.slot[t].waits << t;
  return waiting;
}

static bool open(void *bench, wf_error *err) {
  buffer_bench *b = bench;
  const wf_bench *w = bench;
  const front_shape front = {wf_bench_parameter(w, "BlockBits"),
                             (unsigned)__builtin_ctz(wf_bench_parameter(w, "LineBytes")),
                             wf_bench_parameter(w, "PitchBits"),
                             wf_bench_parameter(w, "HeightBits"),
                             wf_bench_parameter(w, "CapBits"),
                             wf_bench_parameter(w, "Ranges")};
  b->shape = (buffer_shape){wf_bench_parameter(w, "Sets"),       wf_bench_parameter(w, "Ways"),
                            wf_bench_parameter(w, "MaxTb"),      wf_bench_parameter(w, "BlockBits"),
                            wf_bench_parameter(w, "KeepUnread"), front};
  b->ref.front.levels = (front_levels){.bound_hi = (UINT64_C(1) << front.block_bits) - 1,
                                       .cap = (1u << front.cap_bits) - 1};
  b->base.counted = b->ref.counter;
  b->bus = buffer_bus_create(b, err);
  return err->code == 0 && buffer_host_ports_bind(&b->p, w->model, err) &&
         (b->bus || buffer_reply_ports_bind(&b->reply, w->model, err));
}

static void close(void *bench) {
  buffer_bus_destroy(((buffer_bench *)bench)->bus);
}

void buffer_bench_overlap(buffer_bench *b, bool overlap) {
  b->ref.overlap = overlap;
  wf_port_set(b->p.overlap, overlap);
}

void buffer_bench_front(buffer_bench *b, const front_levels *levels) {
  b->ref.front.levels = *levels;
  wf_port_set(b->p.bound_lo, levels->bound_lo);
  wf_port_set(b->p.bound_hi, levels->bound_hi);
  wf_port_set(b->p.cap, levels->cap);
}

static void reset(void *bench) {
  buffer_bench *b = bench;
  buffer_ref_reset(&b->ref, &b->shape);
  memset(&b->w, 0, sizeof b->w);
  if (b->bus) buffer_bus_reset(b->bus);
  buffer_bench_overlap(b, b->ref.overlap);
  buffer_bench_front(b, &b->ref.front.levels);
}

/* ---- driving: what is not offered is garbage ---- */

static void drive_range(buffer_bench *b, const front_range *r) {
  const buffer_host_ports *p = &b->p;
  wf_port_set(p->ask_valid, r != NULL);
  wf_bench_garbage(&b->base, &p->ask_slot, &p->ask_lines);
  if (!r) return;
  const uint64_t address = UINT64_MAX >> (63 - b->shape.block_bits - b->shape.front.line_shift);
  wf_port_set(p->ask_slot, r->slot);
  wf_port_set(p->ask_last, r->last);
  wf_port_set(p->ask_none, r->none);
  wf_port_set(p->ask_low, (uint64_t)r->low & address);
  wf_port_set(p->ask_high, (uint64_t)r->high & address);
  wf_port_set(p->ask_pitch, r->pitch);
  wf_port_set(p->ask_lines, r->lines);
}

static void drive(buffer_bench *b, const buffer_offers *o) {
  const buffer_host_ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->base.rng), y = wf_rng_next(&b->base.rng);
  wf_port_set(p->start_valid, o->start_ways >= 0);
  wf_port_set(p->start_ways, o->start_ways >= 0 ? (uint64_t)o->start_ways : y);
  drive_range(b, o->ask);
  wf_port_set(p->fetch_ready, o->fetch_ready);
  if (!b->bus) {
    wf_port_set(b->reply.rsp_valid, o->rsp_line >= 0);
    wf_port_set(b->reply.rsp_line, o->rsp_line >= 0 ? (uint64_t)o->rsp_line : x >> 9);
  }
  wf_port_set(p->acc_valid, o->acc != NULL);
  wf_port_set(p->acc_store, o->acc ? o->acc->store : x >> 24 & 1);
  wf_port_set(p->acc_block, o->acc ? o->acc->block : x >> 25);
  wf_port_set(p->go_ready, o->go_ready);
  wf_port_set(p->end_valid, o->end_slot >= 0);
  wf_port_set(p->end_slot, o->end_slot >= 0 ? (uint64_t)o->end_slot : y >> 32);
}

/* ---- what must hold, without the model ---- */

static void store(buffer_world *w, const buffer_shape *shape, uint64_t block) {
  w->stores++;
  for (unsigned i = 0; i < shape->sets * shape->ways; i++)
    if (w->line[i].block == block && !w->line[i].stored) w->line[i].stored = w->stores;
  for (unsigned t = 0; t < shape->slots; t++)
    for (unsigned i = 0; i < w->slot[t].n; i++)
      if (w->slot[t].block[i] == block) w->slot[t].stored[i] = true;
}

/* A store came between the request and the fetch that it caused: what was read is new, but the unit
 * may not know. */
static bool written_early(const buffer_bench *b, unsigned line) {
  const buffer_line *now = &b->ref.line[line % b->shape.sets][line / b->shape.sets];
  bool given_anew =
      now->state == BUFFER_COMING &&
      b->w.line[line]
          .filled; /* for the same block, twice written: its next fetch has not left yet */
  return now->state == BUFFER_DEAD || now->state == BUFFER_EMPTY || given_anew ||
         now->block != b->w.line[line].block;
}

/* A fetch leaves: nothing live may hold the block or bring it. */
static bool fetch_leaves(buffer_bench *b, const buffer_fetch *f) {
  buffer_world *w = &b->w;
  for (unsigned i = 0; i < b->shape.sets * b->shape.ways; i++)
    if ((w->line[i].filled || w->line[i].flying) && i != f->line && w->line[i].block == f->block &&
        !w->line[i].stored && !written_early(b, i))
      return wf_bench_fail(&b->base, "block %#" PRIx64 " is fetched though line %u has it",
                           f->block, i);
  if (w->line[f->line].flying) return wf_bench_fail(&b->base, "line %u is fetched twice", f->line);
  if (f->line >= b->ref.ways * b->shape.sets)
    return wf_bench_fail(&b->base, "line %u is not the buffer's", f->line);
  w->line[f->line].filled = false;
  w->line[f->line].flying = true;
  w->line[f->line].block = f->block;
  w->line[f->line].stored = 0;
  w->flying[w->n_flying++] = f->line;
  return true;
}

static void reply_comes(buffer_bench *b, uint32_t line) {
  buffer_world *w = &b->w;
  unsigned at = 0;
  while (w->flying[at] != line) at++;
  memmove(&w->flying[at], &w->flying[at + 1], (--w->n_flying - at) * sizeof *w->flying);
  w->line[line].flying = false;
  w->line[line].filled = true;
}

static bool answer_right(buffer_bench *b) {
  const buffer_answer *a = &b->ref.answer;
  buffer_world *w = &b->w;
  if (!a->valid) return true;
  if (w->access[BUFFER_LOADS - 1].store || !a->hit) return true;
  const uint64_t block = w->access[BUFFER_LOADS - 1].block;
  const uint64_t stored = w->line[a->line].stored;
  if (!w->line[a->line].filled || w->line[a->line].block != block)
    return wf_bench_fail(&b->base, "a load of block %#" PRIx64 " hits line %u, which holds another",
                         block, a->line);
  if (stored && stored <= w->access[BUFFER_LOADS - 1].stores)
    return wf_bench_fail(&b->base, "a load of block %#" PRIx64 " gets what a store replaced",
                         block);
  return true;
}

/* A thread block is let go: what it asked for and is still on its way was stored to meanwhile, or
 * was not waited for. */
static bool go_right(buffer_bench *b, unsigned slot) {
  buffer_world *w = &b->w;
  if (!w->slot[slot].waits)
    return wf_bench_fail(&b->base, "slot %u is let go, which does not wait", slot);
  for (unsigned i = 0; !b->ref.overlap && i < w->slot[slot].n; i++)
    for (unsigned k = 0; k < w->n_flying; k++) {
      uint32_t line = w->flying[k];
      if (w->line[line].block == w->slot[slot].block[i] && !w->slot[slot].stored[i] &&
          !w->line[line].stored &&
          b->ref.line[line % b->shape.sets][line / b->shape.sets].waits >> slot & 1)
        return wf_bench_fail(&b->base, "slot %u is let go before its block %#" PRIx64, slot,
                             w->slot[slot].block[i]);
    }
  w->slot[slot].waits = false;
  w->slot[slot].running = true;
  w->slot[slot].n = 0;
  return true;
}

/* ---- comparing with the model ---- */

static bool same(buffer_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

/* Behind a bus a fetch waits for room, and an access for the store that a failed read makes. */
static bool compare_waits(buffer_bench *b) {
  const buffer_host_ports *p = &b->p;
  const bool hidden = b->w.access[BUFFER_LOADS - 1].hidden;
  if (!b->bus)
    return same(b, b->reply.rsp_ready, 1) && same(b, p->acc_ready, b->ref.acc_ready) &&
           same(b, p->fetch_valid, b->ref.n_fetches != 0);
  if (wf_port_get(p->fetch_valid) && !b->ref.n_fetches)
    return wf_bench_fail(&b->base, "a fetch that nobody asked for");
  return same(b, p->acc_ready, b->ref.acc_ready && !buffer_bus_empties(b->bus)) &&
         (!hidden || !wf_port_get(p->acc_rsp_valid) ||
          wf_bench_fail(&b->base, "the SM gets an answer that is not its own"));
}

static bool compare(buffer_bench *b) {
  const buffer_host_ports *p = &b->p;
  const buffer_ref *r = &b->ref;
  const buffer_answer *a = &r->answer;
  bool ok = same(b, p->start_ready, buffer_ref_start_ready(r)) &&
            same(b, p->ask_ready, front_ref_ready(&r->front)) && same(b, p->end_ready, 1) &&
            compare_waits(b) &&
            same(b, p->acc_rsp_valid, a->valid && !b->w.access[BUFFER_LOADS - 1].hidden) &&
            same(b, p->go_valid, r->go >= 0) && same(b, p->idle, buffer_ref_idle(r));
  if (ok && wf_port_get(p->fetch_valid))
    ok = same(b, p->fetch_block, r->fetch[0].block) && same(b, p->fetch_line, r->fetch[0].line);
  if (ok && a->valid) ok = same(b, p->acc_rsp_hit, a->hit) && same(b, p->acc_rsp_coming, a->coming);
  if (ok && a->valid && (a->hit || a->coming)) ok = same(b, p->acc_rsp_line, a->line);
  if (ok && r->go >= 0) ok = same(b, p->go_slot, (uint64_t)r->go);
  return ok;
}

/* What the thread block will wait for: line by line. */
static void note_range(buffer_bench *b, const front_range *range) {
  buffer_world *w = &b->w;
  const unsigned slot = range->slot;
  if (!w->slot[slot].waits) w->slot[slot].left = b->ref.front.levels.cap;
  w->slot[slot].waits = true;
  for (unsigned l = 0; !range->none && l <= range->lines; l++) {
    const front_line line = front_ref_line(&b->ref.front, range, l);
    for (uint64_t block = line.first;
         !line.empty && block <= line.last && w->slot[slot].n < BUFFER_LIST && w->slot[slot].left;
         block++, w->slot[slot].left--) {
      w->slot[slot].block[w->slot[slot].n] = block;
      w->slot[slot].stored[w->slot[slot].n++] = false;
    }
  }
}

/* acc: the SM's access, or the store of a failed read. */
static void note_taken(buffer_bench *b, const buffer_offers *o, const buffer_taken *t,
                       const buffer_acc *acc) {
  buffer_world *w = &b->w;
  memmove(&w->access[1], &w->access[0], (BUFFER_LOADS - 1) * sizeof *w->access);
  w->access[0].valid = acc != NULL;
  w->access[0].hidden = acc && !t->acc;
  if (acc) {
    if (acc->store) store(w, &b->shape, acc->block);
    w->access[0].store = acc->store;
    w->access[0].block = acc->block;
    w->access[0].stores = w->stores;
  }
  if (t->ask) note_range(b, o->ask);
  if (o->end_slot >= 0) w->slot[o->end_slot].running = false;
  if (t->start)
    for (unsigned i = 0; i < b->shape.sets * b->shape.ways; i++) w->line[i].filled = false;
}

bool buffer_bench_cycle(buffer_bench *b, const buffer_offers *offers, buffer_taken *taken) {
  const buffer_host_ports *p = &b->p;
  buffer_offers now = *offers, *o = &now;
  buffer_acc emptied;
  const buffer_acc *extra = NULL;
  if (b->bus && buffer_bus_empties(b->bus)) {
    emptied = buffer_bus_store(b->bus);
    extra = &emptied;
  }
  if (b->bus) o->rsp_line = buffer_bus_edge(b->bus, o->rsp_line);
  buffer_taken t = {.ask = o->ask && wf_port_get(p->ask_ready),
                    .acc = o->acc && wf_port_get(p->acc_ready),
                    .start = o->start_ways >= 0 && wf_port_get(p->start_ready),
                    .go = -1,
                    .fetch = o->fetch_ready && wf_port_get(p->fetch_valid)};
  if (o->go_ready && wf_port_get(p->go_valid)) t.go = (int)wf_port_get(p->go_slot);
  if (t.fetch)
    t.fetched = (buffer_fetch){wf_port_get(p->fetch_block), (uint32_t)wf_port_get(p->fetch_line)};
  if (taken) *taken = t;
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  drive(b, o);
  bool any = o->ask || o->acc || o->start_ways >= 0 || o->rsp_line >= 0 || o->end_slot >= 0;
  if (!any && wf_port_get(p->idle) && wf_bench_gated(&b->base)) return true;
  buffer_inputs in = {.ask = t.ask ? o->ask : NULL,
                      .acc = t.acc ? o->acc : extra,
                      .start_ways = t.start ? o->start_ways : -1,
                      .rsp_line = o->rsp_line,
                      .end_slot = o->end_slot,
                      .fetch_taken = t.fetch,
                      .go_taken = t.go >= 0,
                      .ask_refused = o->ask && !t.ask};
  buffer_cover_cycle(b->base.bin, &b->ref, &in);
  /* The order of one edge: what leaves and comes, then what is taken. */
  if (o->rsp_line >= 0) reply_comes(b, (uint32_t)o->rsp_line);
  if (t.fetch && !fetch_leaves(b, &t.fetched)) return false;
  if (t.go >= 0 && !go_right(b, (unsigned)t.go)) return false;
  if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  note_taken(b, o, &t, t.acc ? o->acc : extra);
  buffer_ref_step(&b->ref, &in);
  return compare(b) && answer_right(b);
}

/* ---- one thing at a time ---- */

bool buffer_bench_run(buffer_bench *b, unsigned n, bool go_ready, uint64_t *gone) {
  if (gone) *gone = 0;
  for (unsigned i = 0; i < n; i++) {
    buffer_offers o = BUFFER_NO_OFFERS;
    buffer_taken t;
    o.fetch_ready = true;
    o.go_ready = go_ready;
    if (!buffer_bench_cycle(b, &o, &t)) return false;
    if (gone && t.go >= 0) *gone |= UINT64_C(1) << t.go;
  }
  return true;
}

bool buffer_bench_ask(buffer_bench *b, uint32_t slot, bool last, uint64_t block) {
  const int64_t first = (int64_t)(block << b->shape.front.line_shift),
                size = (int64_t)1 << b->shape.front.line_shift;
  return buffer_bench_range(
      b, &(front_range){
             .slot = slot, .last = last, .none = last, .low = first, .high = first + size - 1});
}

bool buffer_bench_range(buffer_bench *b, const front_range *range) {
  buffer_offers o = BUFFER_NO_OFFERS;
  buffer_taken t = {.go = -1};
  o.ask = range;
  o.fetch_ready = true;
  for (unsigned i = 0; i < (b->bus ? 640 : 64) && !t.ask; i++) {
    /* A bus with all its reads on their way takes no other until one is answered. */
    o.rsp_line = b->bus && buffer_bus_full(b->bus) ? (int)b->w.flying[0] : -1;
    if (!buffer_bench_cycle(b, &o, &t)) return false;
  }
  return t.ask || wf_bench_fail(&b->base, "a range is not taken");
}

bool buffer_bench_start(buffer_bench *b, unsigned ways) {
  buffer_offers o = BUFFER_NO_OFFERS;
  buffer_taken t = {.go = -1};
  o.start_ways = (int)ways;
  for (unsigned i = 0; i < 64 && !t.start; i++)
    if (!buffer_bench_cycle(b, &o, &t)) return false;
  return t.start || wf_bench_fail(&b->base, "a kernel's start is not taken");
}

bool buffer_bench_access(buffer_bench *b, bool store, uint64_t block, buffer_answer *answer) {
  buffer_acc acc = {store, block};
  buffer_offers o = BUFFER_NO_OFFERS;
  buffer_taken t = {.go = -1};
  o.acc = &acc;
  o.fetch_ready = true;
  while (!t.acc)
    if (!buffer_bench_cycle(b, &o, &t)) return false;
  if (!buffer_bench_run(b, 3, false, NULL)) return false;
  if (answer) *answer = b->ref.answer;
  return true;
}

bool buffer_bench_reply(buffer_bench *b, uint32_t line) {
  buffer_offers o = BUFFER_NO_OFFERS;
  o.rsp_line = (int)line;
  o.fetch_ready = true;
  if (!buffer_bench_cycle(b, &o, NULL)) return false;
  for (unsigned edges = 0; b->bus && b->w.line[line].flying; edges++) {
    if (edges > 1000) return wf_bench_fail(&b->base, "a line does not come");
    if (!buffer_bench_run(b, 1, false, NULL)) return false;
  }
  return true;
}

bool buffer_bench_end(buffer_bench *b, uint32_t slot) {
  buffer_offers o = BUFFER_NO_OFFERS;
  o.end_slot = (int)slot;
  o.fetch_ready = true;
  return buffer_bench_cycle(b, &o, NULL);
}

bool buffer_bench_drain(void *bench) {
  buffer_bench *b = bench;
  for (unsigned edges = 0;; edges++) {
    buffer_offers o = BUFFER_NO_OFFERS;
    uint64_t running = buffer_bench_running(b);
    o.fetch_ready = o.go_ready = true;
    if (b->w.n_flying) o.rsp_line = (int)b->w.flying[0];
    if (running) o.end_slot = __builtin_ctzll(running);
    if (!buffer_bench_cycle(b, &o, NULL)) return false;
    if (buffer_ref_start_ready(&b->ref) && buffer_ref_idle(&b->ref)) return true;
    if (edges > (b->bus ? 200u : 20u) * b->shape.sets * b->shape.ways + 500)
      return wf_bench_fail(&b->base, "something is left for ever");
  }
}

/* Things that count, which a snapshot must not see: a thread block that asks twice for each of more
 * blocks than there are lines, loads and stores of them meanwhile and afterwards, all that follows.
 */
static bool counting_edges(void *user) {
  buffer_bench *b = user;
  unsigned lines = b->shape.sets * b->shape.ways, n = 2 * lines < 40 ? 2 * lines : 40;
  bool ok = true;
  for (unsigned i = 0; ok && i < n; i++) {
    for (int twice = 0; ok && twice < 2; twice++) ok = buffer_bench_ask(b, 0, false, i);
    if (ok && i % 2 == 0) ok = buffer_bench_access(b, i % 4 == 0, i, NULL);
  }
  ok = ok && buffer_bench_ask(b, 0, true, 0) && buffer_bench_drain(b);
  for (unsigned i = 0; ok && i < 4; i++) ok = buffer_bench_access(b, i == 3, i, NULL);
  return ok;
}

const wf_bench_class buffer_bench_class = {
    .unit = "teleport_buffer",
    .bytes = sizeof(buffer_bench),
    .open = open,
    .reset = reset,
    .close = close,
    .rest = buffer_bench_drain,
    .after = counting_edges,
    .bins = (const char *const[]){BUFFER_BINS(WF_BENCH_PORT_NAME)},
    .n_bins = BUFFER_BIN_COUNT,
    .counters = (const char *const[]){BUFFER_COUNTERS(WF_BENCH_NAME)},
    .n_counters = BUFFER_CNT_COUNT};
