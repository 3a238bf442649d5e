#include "tb/dtbl/kmu/kmu_bench.h"

#include <string.h>

enum { STAGES = 5, PATIENCE = 800, RECORD_HALVES = 2, LINE_RECORDS = 4, LINE_BEATS = 8 };

static bool open(void *bench, wf_error *err) {
  kmu_bench *b = bench;
  const wf_bench *w = bench;
  b->kdes = wf_bench_parameter(w, "NumKde");
  b->ways = wf_bench_parameter(w, "Ways");
  b->dispatch = wf_bench_parameter(w, "Dispatch");
  b->burst = wf_bench_parameter(w, "Burst");
  b->entries = wf_bench_parameter(w, "Entries");
  b->ring = wf_bench_parameter(w, "Ring");
  b->base.counted = b->counter;
  return dtbl_kmu_ports_bind(&b->p, w->model, err);
}

static void reset(void *bench) {
  kmu_bench *b = bench;
  const unsigned address = b->p.ring_base->width;
  const uint64_t rings = (UINT64_C(1) << address) / (32 * b->ring);
  b->ring_base = (uint32_t)(wf_rng_below(&b->base.rng, rings - 1) * 32 * b->ring);
  b->mem_percent = b->rsp_percent = 100;
  b->latency = 0;
  b->first = b->n = b->begun = b->entered = 0;
  b->free = b->kdes;
  b->was_no_entry = b->reading = false;
  b->halves = b->back = b->settled = 0;
  b->side = (kmu_side){0};
  b->shown = (kmu_shown){0};
  b->back_percent = 0;
  b->back_offered = b->own_before = false;
  memset(b->counter, 0, sizeof b->counter);
  wf_port_set(b->p.ring_base, b->ring_base);
}

static void bin(kmu_bench *b, kmu_bin which, bool when) {
  b->base.bin[which] += when;
}
static void count(kmu_bench *b, kmu_counter which, bool when) {
  b->counter[which] += when;
}

kmu_kernel kmu_bench_kernel(kmu_bench *b) {
  const dtbl_kmu_ports *p = &b->p;
  const dtbl_kernel_ports ports = DTBL_KERNEL_PORTS(p, launch);
  const wf_port *const *at = &ports.pc;
  kmu_kernel k;
  for (unsigned i = 0; i < KMU_FIELDS; i++)
    k.field[i] = (uint32_t)(wf_rng_next(&b->base.rng) & ((UINT64_C(1) << at[i]->width) - 1));
  return k;
}

uint64_t kmu_bench_in_memory(const kmu_bench *b) {
  return b->halves / RECORD_HALVES - b->back;
}

/* ---- driving: what is not offered is garbage ---- */

static void drive(kmu_bench *b, const dtbl_kernel_ports *ports, const wf_port *valid,
                  const kmu_kernel *k) {
  const wf_port *const *at = &ports->pc;
  wf_port_set(valid, k != NULL);
  for (unsigned i = 0; i < KMU_FIELDS; i++) {
    if (k)
      wf_port_set(at[i], k->field[i]);
    else
      wf_bench_garbage(&b->base, &at[i], &at[i]);
  }
}

static bool chance(kmu_bench *b, unsigned percent) {
  return wf_rng_below(&b->base.rng, 100) < percent;
}
static uint32_t any(kmu_bench *b, const wf_port *p) {
  return (uint32_t)(wf_rng_next(&b->base.rng) & ((UINT64_C(1) << p->width) - 1));
}

/* An answer of the scheduler's stands until it takes it. */
static bool drive_back(kmu_bench *b, bool takes) {
  const dtbl_kmu_ports *p = &b->p;
  wf_port_set(p->back_ready, takes);
  if (!b->back_offered && !chance(b, b->back_percent)) return false;
  if (!b->back_offered) {
    b->back_offered = true;
    b->back_beat = any(b, p->rsp_beat);
    b->back_id = any(b, p->side_id);
  }
  wf_port_set(p->rsp_valid, 1);
  wf_port_set(p->rsp_id, b->back_id);
  wf_port_set(p->rsp_beat, b->back_beat);
  return true;
}

/* A word for kernels. */
static bool drive_answer(kmu_bench *b) {
  const dtbl_kmu_ports *p = &b->p;
  wf_port_set(p->rsp_valid, 0);
  wf_bench_garbage(&b->base, &p->rsp_data, &p->rsp_beat);
  if (drive_back(b, chance(b, 50)) || !b->reading || b->base.cycle < b->answer_at ||
      !chance(b, b->rsp_percent))
    return false;
  const uint32_t at = (b->line_first & ~3u) * RECORD_HALVES + b->beat;
  wf_port_set(p->rsp_valid, 1);
  wf_port_write(p->rsp_data, 0, 128, b->old ? b->line[b->beat] : b->word[at]);
  wf_port_set(p->rsp_id, UINT64_C(1) << p->side_id->width);
  wf_port_set(p->rsp_beat, b->beat);
  return true;
}

static void drive_side(kmu_bench *b, bool asks) {
  const dtbl_kmu_ports *p = &b->p;
  kmu_side *s = &b->side;
  if (asks && !s->asks) {
    *s = (kmu_side){.asks = true,
                    .write = chance(b, 50),
                    .addr = any(b, p->side_addr),
                    .mask = any(b, p->side_mask),
                    .id = any(b, p->side_id)};
    for (unsigned w = 0; w < 4; w++) s->word[w] = (uint32_t)wf_rng_next(&b->base.rng);
  }
  wf_port_set(p->side_valid, s->asks);
  wf_bench_garbage(&b->base, &p->side_write, &p->side_id);
  if (!s->asks) return;
  wf_port_set(p->side_write, s->write);
  wf_port_set(p->side_addr, s->addr);
  wf_port_set(p->side_mask, s->mask);
  wf_port_write(p->side_data, 0, 128, s->word);
  wf_port_set(p->side_id, s->id);
}

/* ---- the port of memory ---- */

static bool is_own(const kmu_bench *b) {
  return wf_port_get(b->p.mem_id) >> b->p.side_id->width;
}

static bool side_as_it_is(kmu_bench *b) {
  const dtbl_kmu_ports *p = &b->p;
  const kmu_side *s = &b->side;
  bool same = wf_bench_same(&b->base, p->mem_write, s->write) &&
              wf_bench_same(&b->base, p->mem_addr, s->addr) &&
              wf_bench_same(&b->base, p->mem_mask, s->mask) &&
              wf_bench_same(&b->base, p->mem_id, s->id);
  for (unsigned w = 0; w < 4 && same; w++)
    if (wf_port_get_bits(p->mem_data, 32 * w, 32) != s->word[w])
      same = wf_bench_fail(&b->base, "word %u of the scheduler's is wrong", w);
  return same;
}

/* What stands stays; the scheduler goes first, but not twice while a kernel waits, nor does one of
 * its requests see two of kernels go. */
static bool port_right(kmu_bench *b, bool ready) {
  const dtbl_kmu_ports *p = &b->p;
  const bool shows = wf_port_get(p->mem_valid), own = shows && is_own(b);
  const kmu_shown *was = &b->shown;
  const kmu_side *s = &b->side;
  if (!shows && s->asks) return wf_bench_fail(&b->base, "the scheduler asks, and memory sees none");
  if (shows && !own && !s->asks) return wf_bench_fail(&b->base, "nobody's request");
  if (own && wf_port_get(p->mem_id) != UINT64_C(1) << p->side_id->width)
    return wf_bench_fail(&b->base, "the id of kernels is %u", wf_port_word(p->mem_id));
  if (was->offered && (!shows || own != was->own || was->addr != wf_port_word(p->mem_addr)))
    return wf_bench_fail(&b->base, "an offer to memory does not stand");
  if (own && s->asks && s->passed)
    return wf_bench_fail(&b->base, "the scheduler waits for two of kernels");
  if (!wf_bench_same(&b->base, p->side_ready, ready && shows && !own)) return false;
  bin(b, KMU_BIN_side_alone, shows && !own && ready && !b->own_before);
  bin(b, KMU_BIN_side_waits, own && s->asks);
  bin(b, KMU_BIN_side_after_own, shows && !own && s->passed);
  bin(b, KMU_BIN_own_after_side, own && ready && !b->own_before && s->asks);
  bin(b, KMU_BIN_own_held, own && was->offered && s->asks);
  bin(b, KMU_BIN_side_stalls, shows && !own && !ready);
  bin(b, KMU_BIN_side_rests, shows && !own && ready && wf_port_get(p->idle));
  b->shown = (kmu_shown){.offered = shows && !ready, .own = own, .addr = wf_port_word(p->mem_addr)};
  return !shows || own || side_as_it_is(b);
}

/* The request that memory takes. */
static void port_taken(kmu_bench *b) {
  const bool own = is_own(b);
  if (own) b->side.passed += b->side.asks;
  if (!own) b->side = (kmu_side){0};
  b->own_before = own;
}

static bool back_right(kmu_bench *b) {
  const dtbl_kmu_ports *p = &b->p;
  if (!wf_bench_same(&b->base, p->back_valid, b->back_offered)) return false;
  const bool takes = wf_port_get(p->back_ready);
  if (wf_port_get(p->rsp_valid) &&
      !wf_bench_same(&b->base, p->rsp_ready, !b->back_offered || takes))
    return false;
  bin(b, KMU_BIN_back, b->back_offered && takes);
  bin(b, KMU_BIN_back_waits, b->back_offered && !takes);
  if (takes) b->back_offered = false;
  return true;
}

/* ---- memory ---- */

static bool write_half(kmu_bench *b, uint32_t at) {
  const dtbl_kmu_ports *p = &b->p;
  if (at / 16 != b->halves % (RECORD_HALVES * b->ring) || wf_port_get(p->mem_mask) != 0xf)
    return wf_bench_fail(&b->base, "a half is written at place %u, expected %u", at / 16,
                         (unsigned)(b->halves % (RECORD_HALVES * b->ring)));
  if (kmu_bench_in_memory(b) == b->ring)
    return wf_bench_fail(&b->base, "memory is full, and more is written");
  wf_port_read(p->mem_data, 0, 128, b->word[at / 16]);
  bin(b, KMU_BIN_write_while_reading, b->reading);
  b->halves++;
  count(b, KMU_CNT_kmu_spilled, b->halves % RECORD_HALVES == 0);
  bin(b, KMU_BIN_memory_full, kmu_bench_in_memory(b) == b->ring);
  return true;
}

static bool read_line(kmu_bench *b, uint32_t at) {
  const unsigned first = (unsigned)(b->back % b->ring);
  const uint64_t some = kmu_bench_in_memory(b);
  if (b->reading || !some || at / 32 != (first & ~3u) || at % 128)
    return wf_bench_fail(&b->base, "a line is read at place %u, where %u is the oldest of %u",
                         at / 32, first, (unsigned)some);
  b->reading = true;
  b->old = wf_rng_below(&b->base.rng, 2);
  b->beat = 0;
  b->line_first = first;
  b->line_end = (first & 3) + some > 3 ? 4 : (unsigned)((first & 3) + some);
  b->answer_at = b->base.cycle + 1 + wf_rng_below(&b->base.rng, b->latency + 1u);
  memcpy(b->line, b->word[at / 16], sizeof b->line);
  count(b, KMU_CNT_kmu_lines, true);
  bin(b, KMU_BIN_line_of_one, b->line_end - (first & 3) == 1);
  bin(b, KMU_BIN_line_of_four, b->line_end - (first & 3) == LINE_RECORDS);
  bin(b, KMU_BIN_line_from_within, first & 3);
  return true;
}

static bool take_memory(kmu_bench *b, bool ready) {
  const dtbl_kmu_ports *p = &b->p;
  if (!ready || !wf_port_get(p->mem_valid)) return true;
  const bool own = is_own(b);
  port_taken(b);
  if (!own) return true;
  const bool write = wf_port_get(p->mem_write);
  const uint32_t at = wf_port_word(p->mem_addr) - b->ring_base - (write ? 16 : 0);
  if (at >= 32 * b->ring || at % 16)
    return wf_bench_fail(&b->base, "address 0x%x is outside the ring", wf_port_word(p->mem_addr));
  return write ? write_half(b, at) : read_line(b, at);
}

static void answered(kmu_bench *b) {
  const unsigned record = b->beat / RECORD_HALVES;
  if (b->beat % RECORD_HALVES && record >= (b->line_first & 3) && record < b->line_end) {
    b->back++;
    count(b, KMU_CNT_kmu_refilled, true);
    bin(b, KMU_BIN_memory_empty_again, !kmu_bench_in_memory(b));
  }
  b->reading = ++b->beat < LINE_BEATS;
}

/* ---- the rules ---- */

static kmu_waiting *at(kmu_bench *b, unsigned i) {
  return &b->waiting[(b->first + i) % KMU_MOST];
}

/* Ways that are taken in this cycle. */
static unsigned on_way(kmu_bench *b) {
  unsigned used = 0;
  for (unsigned i = 0; i < b->begun; i++) used += at(b, i)->over > b->base.cycle;
  return used;
}

/* Records are in memory or on their way, or may be behind a request of the scheduler's. */
static bool memory_works(const kmu_bench *b) {
  return kmu_bench_in_memory(b) || b->reading || b->halves % RECORD_HALVES ||
         wf_port_get(b->p.mem_valid);
}

/* Must the oldest be offered, may it be? */
static bool offers_right(kmu_bench *b) {
  const bool offered = wf_port_get(b->p.kern_valid);
  const kmu_waiting *w = at(b, 0);
  const uint64_t now = b->base.cycle;
  const bool due = b->begun && w->over <= now;
  const uint64_t here = w->came > b->settled ? w->came : b->settled;
  if (offered && !due) return wf_bench_fail(&b->base, "a kernel is offered before its time");
  if (!due) return true;
  const bool on_chip = !memory_works(b) && now >= here + STAGES;
  if (!offered && on_chip) return wf_bench_fail(&b->base, "a kernel on chip is not offered");
  bin(b, KMU_BIN_late_from_memory, !offered && !on_chip);
  bin(b, KMU_BIN_kept_on_chip, offered && on_chip);
  bin(b, KMU_BIN_several_due, b->begun > 1 && at(b, 1)->over <= now);
  if (!offered) {
    return now < w->over + PATIENCE + 20 * b->latency || b->mem_percent < 50 ||
           b->rsp_percent < 50 || b->back_percent > 50 ||
           wf_bench_fail(&b->base, "a kernel does not come from memory");
  }
  const dtbl_kmu_ports *p = &b->p;
  const dtbl_kernel_ports ports = DTBL_KERNEL_PORTS(p, kern);
  const wf_port *const *port = &ports.pc;
  for (unsigned i = 0; i < KMU_FIELDS; i++)
    if (!wf_bench_same(&b->base, port[i], w->kernel.field[i])) return false;
  return true;
}

static void begin(kmu_bench *b, const kmu_offer *o, bool came) {
  const uint64_t now = b->base.cycle;
  const bool entry = b->free || o->kdone, waits = b->n - came > b->begun;
  const bool no_entry = waits && !entry, way = on_way(b) < b->ways;
  count(b, KMU_CNT_kmu_no_entry, no_entry && !b->was_no_entry);
  bin(b, KMU_BIN_no_entry, no_entry);
  bin(b, KMU_BIN_all_ways, b->n > b->begun && entry && !way);
  b->was_no_entry = no_entry;
  if (b->n == b->begun || !entry || !way) return;
  bin(b, KMU_BIN_begins_at_once, came && b->n == b->begun + 1);
  bin(b, KMU_BIN_begins_with_kdone, !b->free);
  at(b, b->begun++)->over = now + b->dispatch;
  b->free--;
}

static void come(kmu_bench *b, const kmu_kernel *k) {
  *at(b, b->n++) = (kmu_waiting){.kernel = *k, .came = b->base.cycle};
}

static bool ready_right(kmu_bench *b, const kmu_offer *o) {
  const dtbl_kmu_ports *p = &b->p;
  const bool ready = wf_port_get(p->grp_ready);
  bin(b, KMU_BIN_not_ready, !ready);
  bin(b, KMU_BIN_launch_waits_for_group, ready && o->group && o->launch);
  if (wf_port_get(p->launch_ready) != (ready && !o->group))
    return wf_bench_fail(&b->base, "a launch waits for a group, and for nothing else");
  return ready || b->n >= b->burst || wf_bench_fail(&b->base, "not ready with %u inside", b->n);
}

static void model(kmu_bench *b, const kmu_offer *o, const kmu_taken *t) {
  count(b, KMU_CNT_kmu_groups, t->group);
  count(b, KMU_CNT_kmu_launches, t->launch);
  count(b, KMU_CNT_kmu_kernels, t->kern);
  count(b, KMU_CNT_kmu_stalls, wf_port_get(b->p.kern_valid) && !o->kern_ready);
  bin(b, KMU_BIN_taken_late, t->kern && at(b, 0)->over < b->base.cycle);
  bin(b, KMU_BIN_host, o->host);
  if (t->group) come(b, o->group);
  if (t->launch) come(b, o->launch);
  begin(b, o, t->group || t->launch);
  b->free += o->kdone;
  b->free -= o->host;
  b->entered += o->host + t->kern - o->kdone;
  if (!t->kern) return;
  b->first = (b->first + 1) % KMU_MOST;
  b->n--;
  b->begun--;
}

static bool rests(kmu_bench *b) {
  const bool idle = wf_port_get(b->p.idle);
  const bool works = b->reading || b->begun || (b->n && b->free);
  if (idle && works) return wf_bench_fail(&b->base, "idle, and something is under way");
  return true;
}

bool kmu_bench_cycle(kmu_bench *b, const kmu_offer *offer, kmu_taken *taken) {
  static const kmu_offer nothing;
  const kmu_offer *o = offer ? offer : &nothing;
  const dtbl_kmu_ports *p = &b->p;
  const dtbl_kernel_ports grp = DTBL_KERNEL_PORTS(p, grp), launch = DTBL_KERNEL_PORTS(p, launch);
  const bool mem_ready = chance(b, b->mem_percent);
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  drive(b, &grp, p->grp_valid, o->group);
  drive(b, &launch, p->launch_valid, o->launch);
  wf_port_set(p->kern_ready, o->kern_ready);
  wf_port_set(p->kdone, o->kdone);
  wf_port_set(p->host, o->host);
  wf_port_set(p->mem_ready, mem_ready);
  drive_side(b, o->side);
  const bool answer = drive_answer(b);
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model)) || !ready_right(b, o) ||
      !offers_right(b) || !rests(b) || !port_right(b, mem_ready) || !back_right(b))
    return false;
  const bool ready = wf_port_get(p->grp_ready);
  const kmu_taken t = {.group = o->group && ready,
                       .launch = o->launch && wf_port_get(p->launch_ready),
                       .kern = o->kern_ready && wf_port_get(p->kern_valid),
                       .side = wf_port_get(p->side_ready)};
  if (taken) *taken = t;
  if (!o->group && !o->launch && !o->kdone && !o->host && wf_port_get(p->idle) &&
      wf_bench_gated(&b->base))
    return take_memory(b, mem_ready);
  model(b, o, &t);
  if (!take_memory(b, mem_ready)) return false;
  if (answer) answered(b);
  if (memory_works(b)) b->settled = b->base.cycle + b->n;
  return wf_bench_ok(&b->base, wf_model_edge(b->base.model));
}

static bool rest(void *bench) {
  kmu_bench *b = bench;
  b->mem_percent = b->rsp_percent = 100;
  b->back_percent = 0;
  const uint64_t most =
      1000 + 40u * b->n + (uint64_t)(b->dispatch + b->latency + 20) * (b->n + b->kdes);
  for (uint64_t i = 0; b->n || b->reading || b->side.asks || !wf_port_get(b->p.idle); i++) {
    const kmu_offer o = {.kern_ready = true, .kdone = b->entered && !b->free};
    if (i == most) return wf_bench_fail(&b->base, "it does not come to rest: %u wait", b->n);
    if (!kmu_bench_cycle(b, &o, NULL)) return false;
  }
  return kmu_bench_cycle(b, NULL, NULL);
}

static bool after(void *bench) {
  bool ok = true;
  for (unsigned i = 0; ok && i < 2; i++) ok = kmu_bench_cycle(bench, NULL, NULL);
  return ok;
}

static const char *const bins[] = {KMU_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {KMU_COUNTERS(WF_BENCH_NAME)};
const wf_bench_class kmu_bench_class = {.unit = "dtbl_kmu",
                                        .bytes = sizeof(kmu_bench),
                                        .open = open,
                                        .reset = reset,
                                        .rest = rest,
                                        .after = after,
                                        .bins = bins,
                                        .counters = counters,
                                        .n_bins = KMU_BIN_COUNT,
                                        .n_counters = KMU_CNT_COUNT};
