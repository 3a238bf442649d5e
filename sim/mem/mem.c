/* Clocking and the public interface. In a core cycle DRAM moves before L2, and L2 before the
 * crossbar, so that every hop takes at least a cycle, in any order of the parts within a stage. */
#include "sim/mem/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sim/mem/mem_internal.h"

/* ---- create, destroy ---- */

static wf_clock clock_of(unsigned mhz) { return (wf_clock){.mhz = mhz}; }

static void create_partition(wf_mem *mem, unsigned p, wf_image *image) {
  wf_dram_init(&mem->dram[p], &mem->config, p, &mem->counters);
  wf_l2 *l2 = &mem->l2[p];
  l2->request_net = &mem->request_net;
  l2->reply_net = &mem->reply_net;
  l2->dram = &mem->dram[p];
  l2->image = image;
  l2->counters = &mem->counters;
  wf_l2_init(l2, &mem->config, p);
  mem->l2_next[p] = UINT64_MAX;
  mem->dram_next[p] = mem->dram[p].next;
  mem->return_time[p] = UINT64_MAX;
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
  wf_xbar_init(&mem->request_net, config, config->n_sm, config->n_part, 2);
  wf_xbar_init(&mem->reply_net, config, config->n_part, config->n_sm, 1);
  mem->l2 = wf_calloc(config->n_part, sizeof *mem->l2);
  mem->dram = wf_calloc(config->n_part, sizeof *mem->dram);
  mem->l2_soonest = mem->dram_soonest = mem->return_soonest = UINT64_MAX;
  for (unsigned p = 0; p < config->n_part; p++) create_partition(mem, p, image);
  mem->dram_soonest = mem->dram[0].next;
  return mem;
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

unsigned wf_mem_partition(const wf_mem *mem, uint64_t address) {
  uint64_t stripe = address >> mem->interleave_shift;
  return stripe >> 32 ? (unsigned)(stripe % mem->config.n_part)
                      : (uint32_t)stripe % mem->config.n_part;
}

/* ---- events ---- */

static uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void l2_event(wf_mem *mem, unsigned p, uint64_t at) {
  mem->l2_next[p] = sooner(mem->l2_next[p], at);
  mem->l2_soonest = sooner(mem->l2_soonest, at);
}

/* After the slice or its channel moved: what is next for the channel? */
static void dram_event(wf_mem *mem, unsigned p) {
  const wf_dram *d = &mem->dram[p];
  mem->dram_next[p] = d->next;
  mem->dram_soonest = sooner(mem->dram_soonest, d->next);
  mem->return_time[p] = wf_dram_return_time(d);
  mem->return_soonest = sooner(mem->return_soonest, mem->return_time[p]);
  uint32_t bit = 1u << p;
  mem->dram_full = wf_dram_room(d) ? mem->dram_full & ~bit : mem->dram_full | bit;
}

/* ---- clock edges ---- */

static void dram_edge(wf_mem *mem) {
  uint64_t now = mem->dram_clock.edges++;
  unsigned n = mem->config.n_part;
  mem->counters.dram.cycles += n;
  mem->counters.dram.queue_full_cycles += (unsigned)__builtin_popcount(mem->dram_full);
  if (mem->dram_soonest > now) return;
  uint64_t soonest = UINT64_MAX;
  for (unsigned p = 0; p < n; p++) {
    if (mem->dram_next[p] <= now) {
      wf_dram *d = &mem->dram[p];
      wf_dram_tick(d, now);
      dram_event(mem, p);
      if (d->slot_freed && mem->l2[p].stalled) {
        mem->l2[p].stalled = 0; /* refused requests try again */
        l2_event(mem, p, 0);
      }
    }
    soonest = sooner(soonest, mem->dram_next[p]);
  }
  mem->dram_soonest = soonest;
}

static void l2_edge(wf_mem *mem) {
  uint64_t now = mem->l2_clock.edges++, dram_now = mem->dram_clock.edges;
  mem->l2_edge = true;
  if (mem->l2_soonest <= now || mem->return_soonest < dram_now) {
    uint64_t soonest = UINT64_MAX, back = UINT64_MAX;
    for (unsigned p = 0; p < mem->config.n_part; p++) {
      bool returned = mem->return_time[p] < dram_now;
      if (mem->l2_next[p] <= now || returned) {
        wf_l2 *l2 = &mem->l2[p];
        wf_l2_tick(l2, now, returned);
        mem->l2_next[p] = l2->next;
        dram_event(mem, p);
        uint32_t bit = 1u << p;
        mem->l2_stalled = l2->stalled ? mem->l2_stalled | bit : mem->l2_stalled & ~bit;
      }
      soonest = sooner(soonest, mem->l2_next[p]);
      back = sooner(back, mem->return_time[p]);
    }
    mem->l2_soonest = soonest;
    mem->return_soonest = back;
  }
  mem->counters.l2.stall_cycles += (unsigned)__builtin_popcount(mem->l2_stalled);
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
    uint64_t arrived = mem->request_net.arrived & ((UINT64_C(1) << mem->config.n_part) - 1);
    for (; arrived; arrived &= arrived - 1) l2_event(mem, (unsigned)__builtin_ctzll(arrived), 0);
  }
  if (reply) wf_xbar_tick(&mem->reply_net, now);
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

bool wf_mem_l2_edge(const wf_mem *mem) { return mem->l2_edge; }

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
  if (mem->reply_net.ready || mem->request_net.ready >> mem->config.n_part) return 0;
  uint64_t noc = sooner(wf_xbar_next(&mem->request_net, mem->noc.edges),
                        wf_xbar_next(&mem->reply_net, mem->noc.edges));
  uint64_t quiet = cycles_before(mem, &mem->noc, noc);
  uint64_t l2 = mem->l2_soonest;
  for (unsigned p = 0; p < mem->config.n_part; p++) {
    uint64_t beat = wf_l2_unit_beat_time(&mem->l2[p]);
    if (beat <= mem->l2_clock.edges) return 0;
    if (beat != UINT64_MAX) l2 = sooner(l2, beat - 1);
  }
  quiet = sooner(quiet, cycles_before(mem, &mem->l2_clock, l2));
  uint64_t dram = sooner(mem->dram_soonest, mem->return_soonest);
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
  mem->counters.dram.queue_full_cycles += dram * (unsigned)__builtin_popcount(mem->dram_full);
  mem->counters.l2.stall_cycles += l2 * (unsigned)__builtin_popcount(mem->l2_stalled);
}

/* ---- SM side ---- */

static unsigned flits_of(const wf_mem *mem, unsigned data_bytes) {
  unsigned bytes = mem->config.packet_header_bytes + data_bytes;
  return (bytes + mem->config.flit_bytes - 1) >> mem->flit_shift;
}

bool wf_mem_send(wf_mem *mem, unsigned sm, const wf_packet *packet) {
  assert(sm < mem->config.n_sm && packet->kind <= WF_PKT_UNIT && packet->bytes <= WF_PAYLOAD_BYTES);
  bool unit = packet->kind == WF_PKT_UNIT;
  assert(unit || packet->reply_bytes <= mem->config.line_bytes);
  unsigned flits = flits_of(mem, packet->bytes);
  if (!wf_xbar_room(&mem->request_net, sm, flits)) return false;
  wf_packet p = *packet;
  p.sm = (uint8_t)sm;
  unsigned n_part = mem->config.n_part;
  if (!unit) {
    uint8_t all = (uint8_t)((1u << (mem->config.line_bytes / WF_SECTOR_BYTES)) - 1);
    p.part = (uint8_t)wf_mem_partition(mem, p.address);
    p.sectors = p.sectors & all ? p.sectors & all : all;
    p.full_sectors &= p.sectors;
    mem->requests_in++;
  } else {
    assert(p.part < n_part);
    mem->unit_to_part_in++;
  }
  wf_xbar_push(&mem->request_net, sm, unit ? n_part + p.part : p.part, flits, &p);
  return true;
}

const wf_packet *wf_mem_peek(const wf_mem *mem, unsigned sm) {
  return wf_xbar_front(&mem->reply_net, sm);
}

void wf_mem_pop(wf_mem *mem, unsigned sm) {
  const wf_packet *p = wf_xbar_front(&mem->reply_net, sm);
  assert(p);
  if (p->kind == WF_PKT_UNIT) mem->unit_to_sm_out++;
  else mem->replies_out++;
  wf_xbar_pop(&mem->reply_net, sm);
}

uint64_t wf_mem_pending_sms(const wf_mem *mem) { return mem->reply_net.ready; }

uint32_t wf_mem_payload_new(wf_mem *mem) { return wf_payload_new(&mem->payloads); }
uint8_t *wf_mem_payload(wf_mem *mem, uint32_t handle) {
  return wf_payload_at(&mem->payloads, handle);
}
void wf_mem_payload_free(wf_mem *mem, uint32_t handle) { wf_payload_free(&mem->payloads, handle); }

/* ---- unit side ---- */

const wf_packet *wf_mem_unit_peek(const wf_mem *mem, unsigned part) {
  return wf_xbar_front(&mem->request_net, mem->config.n_part + part);
}

void wf_mem_unit_pop(wf_mem *mem, unsigned part) {
  wf_xbar_pop(&mem->request_net, mem->config.n_part + part);
  mem->unit_to_part_out++;
}

bool wf_mem_unit_send(wf_mem *mem, unsigned part, const wf_packet *packet) {
  wf_packet_ring *out = &mem->l2[part].unit.out;
  assert(packet->sm < mem->config.n_sm && packet->bytes <= WF_PAYLOAD_BYTES);
  if (wf_packet_ring_full(out)) return false;
  wf_packet *p = wf_packet_ring_push(out, packet);
  p->kind = WF_PKT_UNIT;
  p->part = (uint8_t)part;
  mem->unit_to_sm_in++;
  l2_event(mem, part, 0);
  return true;
}

bool wf_mem_unit_read(wf_mem *mem, unsigned part, uint64_t address, uint32_t id) {
  assert(wf_mem_partition(mem, address) == part);
  bool taken = wf_l2_unit_read(&mem->l2[part], address, id);
  if (taken) l2_event(mem, part, 0);
  return taken;
}

const wf_mem_beat *wf_mem_unit_beat(wf_mem *mem, unsigned part) {
  return wf_l2_unit_beat(&mem->l2[part], mem->l2_clock.edges);
}

void wf_mem_unit_beat_pop(wf_mem *mem, unsigned part) {
  wf_l2_unit_beat_pop(&mem->l2[part], mem->l2_clock.edges);
}

bool wf_mem_unit_write(wf_mem *mem, unsigned part, uint64_t address, uint32_t word_mask,
                       const uint8_t *line) {
  assert(wf_mem_partition(mem, address) == part);
  bool taken = wf_l2_unit_write(&mem->l2[part], address, word_mask, line);
  if (taken) l2_event(mem, part, 0);
  return taken;
}

const wf_mem_counters *wf_mem_get_counters(const wf_mem *mem) { return &mem->counters; }
