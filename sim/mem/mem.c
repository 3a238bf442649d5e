/* Clocking and the public interface. In a core cycle DRAM moves before L2, and L2 before the
 * crossbar, so that every hop takes at least a cycle, in any order of the parts within a stage. */
#include "sim/mem/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/mem/mem_internal.h"

/* ---- create, destroy ---- */

static wf_clock clock_of(unsigned mhz) {
  return (wf_clock){.mhz = mhz};
}

static void create_partition(wf_mem *mem, unsigned p, wf_image *image) {
  wf_dram_init(&mem->dram[p], &mem->config, p, &mem->counters);
  wf_l2 *l2 = &mem->l2[p];
  l2->request_net = &mem->request_net;
  l2->reply_net = &mem->reply_net;
  l2->dram = &mem->dram[p];
  l2->image = image;
  l2->counters = &mem->counters;
  wf_l2_init(l2, &mem->config, p);
  mem->dram_next[p] = mem->dram[p].next;
}

wf_mem *wf_mem_create(const wf_mem_config *config, wf_image *image, wf_error *err) {
  if (!wf_mem_config_check(config, err)) return NULL;
  uint64_t bytes = image ? wf_image_bytes(image) + WF_IMAGE_BASE : 0;
  if (bytes / config->n_part / config->line_bytes >= UINT32_MAX) {
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "memory configuration: device memory of %" PRIu64
            " bytes: want fewer than 2^32 lines of %u bytes per partition",
            bytes, config->line_bytes);
    return NULL;
  }
  wf_mem *mem = wf_calloc(1, sizeof *mem);
  mem->config = *config;
  mem->noc = clock_of(config->noc_mhz);
  mem->l2_clock = clock_of(config->l2_mhz);
  mem->dram_clock = clock_of(config->dram_mhz);
  mem->interleave_shift = (unsigned)__builtin_ctz(config->interleave_bytes);
  mem->flit_shift = (unsigned)__builtin_ctz(config->flit_bytes);
  const unsigned ends = config->n_sm + config->unit_port;
  wf_xbar_init(&mem->request_net, config, ends, config->n_part, 2);
  wf_xbar_init(&mem->reply_net, config, config->n_part, ends, 1);
  mem->reply_net.turns = config->n_sm; /* a silent port changes nothing */
  mem->parts = (config->n_part + 7) / 8 * 8;
  mem->l2 = wf_calloc(config->n_part, sizeof *mem->l2);
  mem->dram = wf_calloc(config->n_part, sizeof *mem->dram);
  for (unsigned p = 0; p < mem->parts; p++)
    mem->l2_next[p] = mem->dram_next[p] = mem->return_time[p] = UINT64_MAX;
  for (unsigned p = 0; p < config->n_part; p++) create_partition(mem, p, image);
  return mem;
}

void wf_mem_order(wf_mem *mem, wf_rng *rng) {
  wf_xbar_order(&mem->request_net, rng);
  wf_xbar_order(&mem->reply_net, rng);
  for (unsigned p = 0; p < mem->config.n_part; p++) {
    wf_dram_order(&mem->dram[p], rng);
    mem->dram_next[p] = mem->dram[p].next;
  }
}

void wf_mem_destroy(wf_mem *mem) {
  if (!mem) return;
  for (unsigned p = 0; p < mem->config.n_part; p++) {
    wf_l2_free(&mem->l2[p]);
    wf_dram_free(&mem->dram[p]);
  }
  wf_xbar_free(&mem->request_net);
  wf_xbar_free(&mem->reply_net);
  wf_payload_pool_free(&mem->payloads);
  free(mem->l2);
  free(mem->dram);
  free(mem);
}

void wf_mem_trace_dram(wf_mem *mem, wf_dram_trace trace, void *user) {
  for (unsigned p = 0; p < mem->config.n_part; p++) {
    mem->dram[p].trace = trace;
    mem->dram[p].trace_user = user;
  }
}

void wf_mem_trace_data(wf_mem *mem, wf_data_trace trace, void *user) {
  for (unsigned p = 0; p < mem->config.n_part; p++) {
    mem->l2[p].data_trace = trace;
    mem->l2[p].data_user = user;
  }
}

/* How far a row of stripes, one for each slice, is turned. */
static unsigned turn_of(uint64_t row, unsigned n) {
  const uint32_t r = (uint32_t)row;
  return (r ^ r >> 4 ^ r >> 9 ^ r >> 15) % n;
}

unsigned wf_mem_partition(const wf_mem *mem, uint64_t address) {
  const uint64_t stripe = address >> mem->interleave_shift;
  const unsigned n = mem->config.n_part,
                 p = stripe >> 32 ? (unsigned)(stripe % n) : (uint32_t)stripe % n;
  return mem->config.l2_hash ? (p + turn_of(stripe / n, n)) % n : p;
}

/* ---- events ---- */

static uint64_t sooner(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t due_of_eight(const uint64_t *event, uint64_t end) {
  uint64_t some = 0;
  for (unsigned k = 0; k < 8; k++) some |= (uint64_t)(event[k] < end) << k;
  return some;
}

/* The partitions whose event is before `end`. */
static WF_MASK_INLINE inline wf_mask due(const wf_mem *mem, const uint64_t *event, uint64_t end,
                                         unsigned n) {
  wf_mask m = {0};
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 64 * k; p < mem->parts && p < 64 * (k + 1); p += 8)
      m.w[k] |= due_of_eight(event + p, end) << p % 64;
  return m;
}

static uint64_t soonest_of_eight(const uint64_t *event) {
  uint64_t first = UINT64_MAX;
  for (unsigned k = 0; k < 8; k++) first = sooner(first, event[k]);
  return first;
}

static uint64_t soonest(const wf_mem *mem, const uint64_t *event) {
  uint64_t first = soonest_of_eight(event);
  for (unsigned p = 8; p < mem->parts; p += 8) first = sooner(first, soonest_of_eight(event + p));
  return first;
}

/* How many of the flags are set. */
static unsigned partitions(const wf_mem *mem, const uint8_t flag[WF_MAX_PARTS]) {
  unsigned n = 0;
  for (unsigned p = 0; p < mem->parts; p += 8) {
    uint64_t word;
    memcpy(&word, flag + p, sizeof word);
    n += (unsigned)__builtin_popcountll(word);
  }
  return n;
}

static void l2_event(wf_mem *mem, unsigned p) {
  mem->l2_next[p] = 0;
}

/* After the slice or its channel moved: what is next for the channel? */
static void dram_event(wf_mem *mem, unsigned p) {
  const wf_dram *d = &mem->dram[p];
  mem->dram_next[p] = d->next;
  mem->return_time[p] = d->return_time;
  mem->dram_full[p] = !wf_dram_room(d);
}

/* ---- clock edges ---- */

static WF_MASK_INLINE inline void dram_edge_in(wf_mem *mem, unsigned n) {
  uint64_t now = mem->dram_clock.edges++;
  mem->counters.dram.cycles += mem->config.n_part;
  mem->counters.dram.queue_full_cycles += partitions(mem, mem->dram_full);
  wf_mask todo = due(mem, mem->dram_next, now + 1, n);
  for (unsigned p; wf_mask_take(&todo, &p, n);) {
    wf_dram *d = &mem->dram[p];
    wf_dram_tick(d, now);
    dram_event(mem, p);
    if (d->slot_freed && mem->l2[p].waiting[WF_STALL_DRAM]) {
      wf_l2_release(&mem->l2[p], WF_STALL_DRAM);
      l2_event(mem, p);
    }
  }
}

static void dram_edge(wf_mem *mem) {
  if (mem->parts <= 64)
    dram_edge_in(mem, 1);
  else
    dram_edge_in(mem, WF_MASK_WORDS);
}

static WF_MASK_INLINE inline void l2_edge_in(wf_mem *mem, unsigned n) {
  uint64_t now = mem->l2_clock.edges++;
  mem->l2_edge = true;
  const wf_mask returned = due(mem, mem->return_time, mem->dram_clock.edges, n);
  wf_mask todo = due(mem, mem->l2_next, now + 1, n);
  wf_mask_add(&todo, &returned, n);
  for (unsigned p; wf_mask_take(&todo, &p, n);) {
    wf_l2 *l2 = &mem->l2[p];
    wf_l2_tick(l2, now, wf_mask_has(&returned, p));
    mem->l2_next[p] = l2->next;
    dram_event(mem, p);
    mem->l2_stalled[p] = l2->stalled != 0;
  }
  mem->counters.l2.stall_cycles += partitions(mem, mem->l2_stalled);
}

static void l2_edge(wf_mem *mem) {
  if (mem->parts <= 64)
    l2_edge_in(mem, 1);
  else
    l2_edge_in(mem, WF_MASK_WORDS);
}

static void count_noc(wf_mem *mem) {
  const wf_xbar *q = &mem->request_net, *r = &mem->reply_net;
  mem->counters.noc.request_flits = q->sent_flits;
  mem->counters.noc.reply_flits = r->sent_flits;
  mem->counters.noc.request_stall_cycles = q->stall_cycles;
  mem->counters.noc.reply_stall_cycles = r->stall_cycles;
  mem->counters.noc.packets = q->packets + r->packets;
  mem->counters.noc.flits = q->sent_flits + r->sent_flits;
  mem->counters.noc.stall_cycles = q->stall_cycles + r->stall_cycles;
}

static void noc_edge(wf_mem *mem) {
  uint64_t now = mem->noc.edges++;
  bool request = wf_xbar_active(&mem->request_net), reply = wf_xbar_active(&mem->reply_net);
  if (!request && !reply) return;
  if (request) {
    wf_xbar_tick(&mem->request_net, now);
    /* Unit packets wait for the unit, which asks for itself. */
    wf_mask arrived = mem->request_net.arrived;
    for (unsigned p; wf_mask_take(&arrived, &p, WF_MASK_WORDS) && p < mem->config.n_part;)
      l2_event(mem, p);
  }
  if (reply) {
    wf_xbar_tick(&mem->reply_net, now);
    wf_mask m = mem->reply_net.released;
    for (unsigned p; wf_mask_take(&m, &p, WF_MASK_WORDS);)
      if (wf_l2_leaving(&mem->l2[p])) l2_event(mem, p);
  }
  count_noc(mem);
}

static bool clock_edge(wf_clock *clock, unsigned core_mhz) {
  if (clock->phase < core_mhz) return false;
  clock->phase -= core_mhz;
  return true;
}

void wf_mem_tick(wf_mem *mem) {
  unsigned core = mem->config.core_mhz;
  mem->l2_edge = false;
  mem->dram_clock.phase += mem->dram_clock.mhz;
  while (clock_edge(&mem->dram_clock, core)) dram_edge(mem);
  mem->l2_clock.phase += mem->l2_clock.mhz;
  while (clock_edge(&mem->l2_clock, core)) l2_edge(mem);
  mem->noc.phase += mem->noc.mhz;
  while (clock_edge(&mem->noc, core)) noc_edge(mem);
}

bool wf_mem_l2_edge(const wf_mem *mem) {
  return mem->l2_edge;
}

/* ---- skipping ---- */

/* Core cycles before the one in which edge number `edge` of the clock falls. */
static uint64_t cycles_before(const wf_mem *mem, const wf_clock *clock, uint64_t edge) {
  if (edge == UINT64_MAX) return UINT64_MAX;
  if (edge <= clock->edges) edge = clock->edges;
  unsigned core = mem->config.core_mhz;
  uint64_t needed = (edge - clock->edges + 1) * core - clock->phase;
  return (needed + clock->mhz - 1) / clock->mhz - 1;
}

uint64_t wf_mem_quiet_cycles(const wf_mem *mem) {
  /* Something that a unit or SM may take now is not ours to predict. */
  if (wf_mask_any(&mem->reply_net.ready, WF_MASK_WORDS)) return 0;
  wf_mask ready = mem->request_net.ready;
  for (unsigned p; wf_mask_take(&ready, &p, WF_MASK_WORDS);)
    if (p >= mem->config.n_part) return 0;
  uint64_t noc = sooner(wf_xbar_next(&mem->request_net, mem->noc.edges),
                        wf_xbar_next(&mem->reply_net, mem->noc.edges));
  uint64_t quiet = cycles_before(mem, &mem->noc, noc);
  uint64_t l2 = soonest(mem, mem->l2_next);
  for (unsigned p = 0; p < mem->config.n_part; p++)
    if (mem->l2[p].unit.loaded) return 0;
  quiet = sooner(quiet, cycles_before(mem, &mem->l2_clock, l2));
  uint64_t dram = sooner(soonest(mem, mem->dram_next), soonest(mem, mem->return_time));
  return sooner(quiet, cycles_before(mem, &mem->dram_clock, dram));
}

/* Advances the clock; returns the number of edges passed. */
static uint64_t skip_clock(wf_clock *clock, unsigned core, uint64_t cycles) {
  uint64_t phase = clock->phase + cycles * clock->mhz, edges = phase / core;
  clock->phase = (uint32_t)(phase % core);
  clock->edges += edges;
  return edges;
}

void wf_mem_skip(wf_mem *mem, uint64_t core_cycles) {
  if (!core_cycles) return;
  assert(core_cycles <= wf_mem_quiet_cycles(mem));
  unsigned core = mem->config.core_mhz;
  uint64_t dram = skip_clock(&mem->dram_clock, core, core_cycles);
  uint64_t l2 = skip_clock(&mem->l2_clock, core, core_cycles);
  skip_clock(&mem->noc, core, core_cycles);
  mem->l2_edge = mem->l2_clock.phase < mem->l2_clock.mhz; /* the last cycle had an edge */
  mem->counters.dram.cycles += dram * mem->config.n_part;
  mem->counters.dram.queue_full_cycles += dram * partitions(mem, mem->dram_full);
  mem->counters.l2.stall_cycles += l2 * partitions(mem, mem->l2_stalled);
}

/* ---- SM side ---- */

static unsigned flits_of(const wf_mem *mem, unsigned data_bytes) {
  unsigned bytes = mem->config.packet_header_bytes + data_bytes;
  return (bytes + mem->config.flit_bytes - 1) >> mem->flit_shift;
}

bool wf_mem_send(wf_mem *mem, unsigned sm, const wf_packet *packet) {
  assert(sm < mem->config.n_sm + mem->config.unit_port && packet->kind <= WF_PKT_VICTIM &&
         packet->bytes <= WF_PAYLOAD_BYTES);
  bool unit = packet->kind == WF_PKT_UNIT;
  assert(unit || packet->reply_bytes <= WF_PAYLOAD_BYTES); /* 64-bit atomics of all lanes */
  unsigned flits = flits_of(mem, packet->bytes);
  if (!wf_xbar_room(&mem->request_net, sm, flits)) return false;
  unsigned part = unit ? packet->part : wf_mem_partition(mem, packet->address);
  unsigned n_part = mem->config.n_part;
  assert(part < n_part);
  wf_packet *p = wf_xbar_push(&mem->request_net, sm, unit ? n_part + part : part, flits, packet);
  p->sm = (uint8_t)sm;
  p->part = (uint8_t)part;
  if (unit) {
    mem->unit_to_part_in++;
    return true;
  }
  unsigned all = (1u << (mem->config.line_bytes / WF_SECTOR_BYTES)) - 1, some = p->sectors & all;
  p->sectors = (uint8_t)(some ? some : all);
  p->full_sectors &= p->sectors;
  if (packet->kind == WF_PKT_VICTIM)
    mem->victims_in++;
  else
    mem->requests_in++;
  return true;
}

const wf_packet *wf_mem_peek(const wf_mem *mem, unsigned sm) {
  return wf_xbar_front(&mem->reply_net, sm);
}

void wf_mem_pop(wf_mem *mem, unsigned sm) {
  const wf_packet *p = wf_xbar_front(&mem->reply_net, sm);
  assert(p);
  if (p->kind == WF_PKT_UNIT)
    mem->unit_to_sm_out++;
  else
    mem->replies_out++;
  wf_xbar_pop(&mem->reply_net, sm);
}

void wf_mem_forget_stores(wf_mem *mem) {
  for (unsigned p = 0; p < mem->config.n_part; p++)
    memset(mem->l2[p].written, 0, sizeof mem->l2[p].written);
}

void wf_mem_listen(wf_mem *mem, const wf_cache_row *row) {
  for (unsigned p = 0; p < mem->config.n_part; p++) mem->l2[p].row = row;
}

void wf_mem_judge(wf_mem *mem, const wf_slice_judge *judge) {
  for (unsigned p = 0; p < mem->config.n_part; p++) {
    mem->l2[p].judge = judge;
    mem->l2[p].exclusive = mem->config.l2_exclusive || (judge && judge->moves);
  }
}

uint64_t wf_mem_pending_sms(const wf_mem *mem, unsigned word) {
  const unsigned n = mem->config.n_sm - 64 * word; /* the unit's port lies behind them */
  return mem->reply_net.ready.w[word] & (n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0));
}

uint32_t wf_mem_payload_new(wf_mem *mem) {
  return wf_payload_new(&mem->payloads);
}
uint8_t *wf_mem_payload(wf_mem *mem, uint32_t handle) {
  return wf_payload_at(&mem->payloads, handle);
}
void wf_mem_payload_free(wf_mem *mem, uint32_t handle) {
  wf_payload_free(&mem->payloads, handle);
}

/* ---- unit side ---- */

const wf_packet *wf_mem_unit_peek(const wf_mem *mem, unsigned client, unsigned part) {
  const wf_packet *p = wf_xbar_front(&mem->request_net, mem->config.n_part + part);
  return p && p->client == client ? p : NULL;
}

void wf_mem_unit_pop(wf_mem *mem, unsigned part) {
  wf_xbar_pop(&mem->request_net, mem->config.n_part + part);
  mem->unit_to_part_out++;
}

bool wf_mem_unit_send(wf_mem *mem, unsigned client, unsigned part, const wf_packet *packet) {
  wf_l2_unit *u = &mem->l2[part].unit;
  wf_packet_ring *out = &u->out;
  const uint64_t now = mem->l2_clock.edges;
  assert(packet->sm < mem->config.n_sm && packet->bytes <= WF_PAYLOAD_BYTES);
  if (!wf_l2_turn_end(&u->sends, client, now,
                      wf_l2_turn_begin(&u->sends, client, now) && !wf_packet_ring_full(out)))
    return false;
  wf_packet *p = wf_packet_ring_push(out, packet);
  p->kind = WF_PKT_UNIT;
  p->part = (uint8_t)part;
  p->client = (uint8_t)client;
  mem->unit_to_sm_in++;
  l2_event(mem, part);
  return true;
}

/* A unit is hardware under test: a wrong address is reported, not fatal. */
static void unit_access(wf_mem *mem, unsigned part, uint64_t address) {
  mem->l2[part].misrouted += wf_mem_partition(mem, address) != part;
  l2_event(mem, part);
}

bool wf_mem_unit_read(wf_mem *mem, unsigned client, unsigned part, uint64_t address, uint32_t id) {
  wf_l2 *l2 = &mem->l2[part];
  const uint64_t now = mem->l2_clock.edges;
  const bool taken = wf_l2_turn_end(&l2->unit.reads, client, now,
                                    wf_l2_turn_begin(&l2->unit.reads, client, now) &&
                                        wf_l2_unit_read(l2, client, address, id));
  if (taken) unit_access(mem, part, address);
  return taken;
}

const wf_mem_beat *wf_mem_unit_beat(wf_mem *mem, unsigned client, unsigned part) {
  return wf_l2_unit_beat(&mem->l2[part], client);
}

void wf_mem_unit_beat_pop(wf_mem *mem, unsigned part) {
  wf_l2_unit_beat_pop(&mem->l2[part]);
  l2_event(mem, part);
}

bool wf_mem_unit_write(wf_mem *mem, unsigned client, unsigned part, uint64_t address,
                       uint32_t word_mask, const uint8_t *line) {
  wf_l2 *l2 = &mem->l2[part];
  const uint64_t now = mem->l2_clock.edges;
  const bool taken = wf_l2_turn_end(&l2->unit.writes, client, now,
                                    wf_l2_turn_begin(&l2->unit.writes, client, now) &&
                                        wf_l2_unit_write(l2, address, word_mask, line));
  if (taken) unit_access(mem, part, address);
  return taken;
}

const wf_mem_counters *wf_mem_get_counters(const wf_mem *mem) {
  return &mem->counters;
}
