#include "tb/bubble/bubble_bench.h"

#include <string.h>

static bool open(void *bench, wf_error *err) {
  bubble_bench *b = bench;
  b->ref = (bubble_ref){.n = wf_bench_parameter(&b->base, "NumSmx"),
                        .warps = wf_bench_parameter(&b->base, "WarpUnits"),
                        .settle = wf_bench_parameter(&b->base, "Settle")};
  b->base.counted = b->ref.counter;
  return bubble_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  bubble_bench *b = bench;
  bubble_ref_reset(&b->ref);
  b->reg = (bubble_registers){.sample = 20, .threshold = 4, .drain = 10, .gpu_level = true};
  b->world = (bubble_world){.need = 2, .transition = 20};
  memset(b->drains, 0, sizeof b->drains);
  b->stuck = 0;
}

/* ---- an edge, compared ---- */

static void drive(const bubble_bench *b, const bubble_in *in) {
  const bubble_ports *p = &b->p;
  const unsigned bits = p->free->width / b->ref.n;
  wf_port_set(p->mode, b->reg.mode);
  wf_port_set(p->gpu_level, b->reg.gpu_level);
  wf_port_set(p->calm, b->reg.calm);
  wf_port_set(p->sample, b->reg.sample);
  wf_port_set(p->threshold, b->reg.threshold);
  wf_port_set(p->drain, b->reg.drain);
  for (unsigned s = 0; s < b->ref.n; s++)
    wf_port_set_bits(p->free, s * bits, bits, b->ref.warps - in->used[s]);
  wf_port_set_mask(p->room, &in->room);
  wf_port_set(p->wait, in->wait);
  wf_port_set_mask(p->bound, &in->bound);
  wf_port_set_mask(p->done, &in->done);
  wf_port_set(p->gpu_done, in->gpu_done);
}

static bool compare(bubble_bench *b, const bubble_in *in) {
  const bubble_ref *r = &b->ref;
  const bubble_ports *p = &b->p;
  wf_mask divert = {0}, low = {0}, busy = {0}, dvr = {0}, drn = {0}, dvfs = {0};
  for (unsigned s = 0; s < r->n; s++) {
    const bubble_state x = r->smx[s].state;
    if (!bubble_ref_takes_blocks(r, s)) wf_mask_set(&divert, s);
    if (x == BUBBLE_DOWN || x == BUBBLE_LOW) wf_mask_set(&low, s);
    if (x == BUBBLE_DOWN || x == BUBBLE_UP) wf_mask_set(&busy, s);
    if (x != BUBBLE_NORMAL && x != BUBBLE_UP) wf_mask_set(&dvr, s);
    if (x == BUBBLE_DRAIN) wf_mask_set(&drn, s);
    if (x == BUBBLE_DOWN || x == BUBBLE_LOW || x == BUBBLE_UP) wf_mask_set(&dvfs, s + 1);
  }
  const bool gpu_busy = r->gpu == BUBBLE_GPU_DOWN || r->gpu == BUBBLE_GPU_UP;
  const bool gpu_low = r->gpu == BUBBLE_GPU_DOWN || r->gpu == BUBBLE_GPU_LOW;
  if (gpu_low || gpu_busy) wf_mask_set(&dvfs, 0);
  wf_bench *w = &b->base;
  return wf_bench_same_mask(w, p->divert, &divert) && wf_bench_same_mask(w, p->low, &low) &&
         wf_bench_same_mask(w, p->busy, &busy) && wf_bench_same_mask(w, p->dvr, &dvr) &&
         wf_bench_same_mask(w, p->drn, &drn) && wf_bench_same_mask(w, p->dvfs, &dvfs) &&
         wf_bench_same(w, p->gpu_low, gpu_low) && wf_bench_same(w, p->gpu_busy, gpu_busy) &&
         wf_bench_same(w, p->count, r->cycle) &&
         wf_bench_same(w, p->idle, bubble_ref_idle(r, &b->reg, in));
}

static void see(bubble_bench *b, const bubble_ref *was, const bubble_in *in) {
  const bubble_ref *r = &b->ref;
  uint64_t *bin = b->base.bin;
  bool rising = false;
  for (unsigned s = 0; s < r->n; s++) rising |= was->smx[s].state == BUBBLE_UP;
  for (unsigned s = 0; s < r->n; s++) {
    const bubble_smx *x = &r->smx[s], *y = &was->smx[s];
    const bool resumed = wf_mask_has(&r->resumed, s), off = r->reg.mode == BUBBLE_OFF;
    bin[BUBBLE_BIN_drain_emptied] += y->state == BUBBLE_DRAIN && x->state == BUBBLE_DOWN;
    bin[BUBBLE_BIN_drain_in_vain] += x->held && !y->held;
    bin[BUBBLE_BIN_drain_resumed] += resumed && y->state == BUBBLE_DRAIN;
    bin[BUBBLE_BIN_parked_resumed] += resumed && y->state == BUBBLE_PARKED;
    bin[BUBBLE_BIN_woken] += resumed && y->state == BUBBLE_LOW && !off;
    bin[BUBBLE_BIN_off_brings_up] += resumed && y->state == BUBBLE_LOW && off;
    bin[BUBBLE_BIN_up_while_up] += resumed && y->state == BUBBLE_LOW && rising;
    bin[BUBBLE_BIN_bound_resumed] += resumed && !was->snap.wait && wf_mask_has(&was->snap.bound, s);
    bin[BUBBLE_BIN_held] += y->held && was->step == 1 && was->snap.used[s] < was->reg.threshold;
    bin[BUBBLE_BIN_at_once_with_blocks] +=
        y->state == BUBBLE_PARKED && x->state == BUBBLE_DOWN && was->snap.used[s];
    bin[BUBBLE_BIN_end_with_decision] += wf_mask_has(&in->done, s) && was->step == 1;
  }
  bin[BUBBLE_BIN_no_target] +=
      r->counter[BUBBLE_COUNT_no_target] != was->counter[BUBBLE_COUNT_no_target];
  bin[BUBBLE_BIN_gpu_down] += r->gpu == BUBBLE_GPU_DOWN && was->gpu == BUBBLE_GPU_ASKED;
  bin[BUBBLE_BIN_gpu_asked_in_vain] += r->gpu == BUBBLE_GPU_HIGH && was->gpu == BUBBLE_GPU_ASKED;
  bin[BUBBLE_BIN_gpu_up] += r->gpu == BUBBLE_GPU_HIGH && was->gpu == BUBBLE_GPU_UP;
}

static bool same(const bubble_registers *a, const bubble_registers *b) {
  return a->mode == b->mode && a->gpu_level == b->gpu_level && a->calm == b->calm &&
         a->sample == b->sample && a->threshold == b->threshold && a->drain == b->drain;
}

bool bubble_bench_cycle(bubble_bench *b, const bubble_in *in) {
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  const bubble_ref was = b->ref;
  const bool quiet = bubble_ref_idle(&b->ref, &b->reg, in) && same(&b->ref.reg, &b->reg);
  drive(b, in);
  if (quiet && wf_bench_gated(&b->base)) return true;
  bubble_ref_edge(&b->ref, &b->reg, in);
  see(b, &was, in);
  return wf_bench_ok(&b->base, wf_model_edge(b->base.model)) && compare(b, in);
}

/* ---- the world ---- */

/* An SMX that was asked to change has settled after P. */
static wf_mask regulator(bubble_bench *b, bool *gpu_done) {
  bubble_world *w = &b->world;
  const wf_mask busy = wf_port_mask(b->p.busy);
  wf_mask done = {0};
  for (unsigned s = 0; s < b->ref.n; s++) {
    if (!wf_mask_has(&busy, s)) w->left[s] = w->transition;
    if (wf_mask_has(&busy, s) && --w->left[s] == 0) wf_mask_set(&done, s);
  }
  if (!wf_port_get(b->p.gpu_busy)) w->gpu_left = w->transition;
  *gpu_done = wf_port_get(b->p.gpu_busy) && --w->gpu_left == 0;
  return done;
}

static bool fits(const bubble_bench *b, unsigned s) {
  const bubble_world *w = &b->world;
  return !wf_mask_has(&w->no_room, s) && w->used[s] + w->need <= b->ref.warps;
}

static bool start_on(bubble_bench *b, unsigned s) {
  bubble_world *w = &b->world;
  if (wf_mask_has(&w->diverted, s) || !fits(b, s)) return false;
  w->used[s] += w->need;
  wf_mask_set(&w->started, s);
  return true;
}

/* A block starts, if there is one and an SMX takes it: own work first, then the common queue. */
static void start_blocks(bubble_bench *b) {
  bubble_world *w = &b->world;
  w->started = (wf_mask){0};
  for (unsigned s = 0; s < b->ref.n; s++)
    if (wf_mask_has(&w->bound, s) && start_on(b, s)) wf_mask_clear(&w->bound, s);
  for (unsigned i = 0; w->waiting && i < b->ref.n; i++) {
    const unsigned s = (w->next + i) % b->ref.n;
    if (wf_mask_has(&w->started, s) || !start_on(b, s)) continue;
    w->waiting--;
    w->next = (s + 1) % b->ref.n;
    break;
  }
}

/* What must hold of the world. Diversion acts on what starts an edge after the scheduler has it. */
static bool check_world(bubble_bench *b) {
  const bubble_registers *r = &b->reg;
  wf_bench *w = &b->base;
  const bool all_low = wf_port_get(b->p.gpu_low);
  for (unsigned s = 0; s < b->ref.n; s++) {
    const bool low = all_low || wf_port_bit(b->p.low, s), up = wf_port_bit(b->p.dvfs, s + 1);
    if ((low || up) && wf_mask_has(&b->world.started, s))
      return wf_bench_fail(w, "SMX %u: a block starts while it is low or in transition", s);
    if (low && r->mode == BUBBLE_FULL && b->world.used[s])
      return wf_bench_fail(w, "SMX %u is low with %u warps", s, b->world.used[s]);
    if (b->ref.step != 2) continue; /* once a sample, after the decisions */
    b->drains[s] = wf_port_bit(b->p.drn, s) ? b->drains[s] + 1 : 0;
    if (b->drains[s] > r->drain && b->world.used[s])
      return wf_bench_fail(w, "SMX %u drains for more than %u samples", s, r->drain);
  }
  return true;
}

/* Blocks that wait and that nobody can take have somebody after two transitions and two samples. */
static bool check_wait(bubble_bench *b, const bubble_in *given) {
  const unsigned p = (b->world.transition + b->reg.sample - 1) / b->reg.sample;
  bool taken = !given->wait || b->reg.mode == BUBBLE_OFF, away = false;
  for (unsigned s = 0; s < b->ref.n; s++) {
    taken |= bubble_ref_takes_blocks(&b->ref, s) && fits(b, s);
    away |= !bubble_ref_takes_blocks(&b->ref, s) && fits(b, s);
  }
  if (taken || !away)
    b->stuck = 0;
  else if (b->ref.step == 2)
    b->stuck++;
  return b->stuck <= 2 * p + 2 || b->reg.calm ||
         wf_bench_fail(&b->base, "blocks wait for %u samples", b->stuck);
}

bool bubble_bench_step(bubble_bench *b) {
  bubble_world *w = &b->world;
  bubble_in given = {.wait = w->waiting, .bound = w->bound};
  memcpy(given.used, w->used, sizeof given.used);
  for (unsigned s = 0; s < b->ref.n; s++)
    if (fits(b, s)) wf_mask_set(&given.room, s);
  given.done = regulator(b, &given.gpu_done);
  const wf_mask divert = wf_port_mask(b->p.divert);
  start_blocks(b);
  w->diverted = divert;
  return bubble_bench_cycle(b, &given) && check_world(b) && check_wait(b, &given);
}

bool bubble_bench_samples(bubble_bench *b, unsigned samples) {
  const uint64_t until = b->ref.counter[BUBBLE_COUNT_samples] + samples;
  for (unsigned i = 0; i < (samples + 1) * b->reg.sample; i++) {
    if (!bubble_bench_step(b)) return false;
    if (b->ref.counter[BUBBLE_COUNT_samples] == until && !b->ref.step) return true;
  }
  return wf_bench_fail(&b->base, "no sample");
}

/* ---- life ---- */

static bool at_rest(const bubble_bench *b) {
  const bubble_registers off = {.mode = BUBBLE_OFF};
  return b->ref.reg.mode == BUBBLE_OFF && bubble_ref_idle(&b->ref, &off, &(bubble_in){0});
}

/* Off: all come up, and the sample counter stops. */
static bool rest(void *bench) {
  bubble_bench *b = bench;
  const bubble_mode mode = b->reg.mode;
  b->reg.mode = BUBBLE_OFF;
  bool right = bubble_bench_step(b);
  for (unsigned i = 0; right && i < 100000 && !at_rest(b); i++) right = bubble_bench_step(b);
  b->reg.mode = mode;
  return right && (at_rest(b) || wf_bench_fail(&b->base, "no rest"));
}

static bool quiet_edge(void *bench) {
  wf_bench *b = bench;
  return wf_bench_ok(b, wf_model_edge(b->model));
}

const wf_bench_class bubble_bench_class = {
    .unit = "bubble",
    .bytes = sizeof(bubble_bench),
    .open = open,
    .reset = reset,
    .rest = rest,
    .after = quiet_edge,
    .bins = (const char *const[]){BUBBLE_BINS(WF_BENCH_PORT_NAME)},
    .counters = (const char *const[]){BUBBLE_COUNTERS(WF_BENCH_NAME)},
    .n_bins = BUBBLE_BIN_COUNT,
    .n_counters = BUBBLE_COUNTER_COUNT};
