/* Load/store unit: coalesces a warp's accesses into line transactions, one of which enters the L1
 * per cycle; shared memory takes a cycle per bank conflict; misses, stores and atomics go to the
 * crossbar through the miss queue. */
#include "sim/gpu/lsu.h"

#include <stdlib.h>
#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "sim/base/wf_alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/load_seat.h"
#include "sim/gpu/managed_l1.h"
#include "sim/gpu/miss_seat.h"
#include "sim/gpu/ready.h"

enum { BANKS = 32 };

bool wf_lsu_init(wf_sm *sm) {
  const wf_gpu_config *c = sm->config;
  sm->queue = wf_calloc(c->lsu_queue, sizeof *sm->queue);
  sm->miss_queue = wf_calloc(c->l1_miss_queue, sizeof *sm->miss_queue);
  sm->loads = wf_calloc(LOADS_PER_SM, sizeof *sm->loads);
  for (unsigned i = 0; i < LOADS_PER_SM; i++)
    sm->loads[i].next_free = (uint16_t)(i + 1 < LOADS_PER_SM ? i + 1 : NO_LOAD);
  sm->free_load = 0;
  sm->l1 = wf_l1_create(c, &sm->l1_counters);
  if (c->l1_prefetch)
    sm->prefetcher =
        wf_prefetcher_create(&(wf_prefetch_settings){.kind = (wf_prefetch_kind)c->l1_prefetch,
                                                     .degree = c->l1_prefetch_degree,
                                                     .distance = c->l1_prefetch_distance,
                                                     .queue = c->l1_prefetch_queue},
                             &sm->l1_counters.prefetch_dropped);
  return true;
}

void wf_lsu_free(wf_sm *sm) {
  free(sm->queue);
  free(sm->miss_queue);
  free(sm->loads);
  wf_l1_destroy(sm->l1);
  wf_prefetcher_destroy(sm->prefetcher);
}

bool wf_lsu_idle(const wf_sm *sm) {
  return sm->queue_ring.count == 0 && sm->miss_ring.count == 0 && sm->miss_promised == 0 &&
         wf_l1_idle(sm->l1);
}

/* Lanes of `mask` whose line is `line`. */
static uint32_t lanes_on_line(const uint32_t lines[PTX_LANES], uint32_t line, uint32_t mask) {
#ifdef __AVX512F__
  __m512i want = _mm512_set1_epi32((int)line);
  uint32_t low = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(lines), want);
  uint32_t high = _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(lines + 16), want);
  return (low | high << 16) & mask;
#else
  uint32_t same = 0;
  for (unsigned l = 0; l < PTX_LANES; l++) same |= (uint32_t)(lines[l] == line) << l;
  return same & mask;
#endif
}

/* Sectors touched and completely written by one line's lanes; bytes_per_lane: 1..32. */
static void find_sectors(wf_lsu_entry *e, unsigned t, const uint64_t *addr, uint32_t lanes,
                         unsigned bytes_per_lane) {
  uint32_t words = 0, whole = 0;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned first = (unsigned)(addr[__builtin_ctz(m)] >> 2) & 31;
    uint32_t n = bytes_per_lane > 4 ? bytes_per_lane / 4 : 1;
    uint32_t w = (uint32_t)((((uint64_t)1 << n) - 1) << first);
    words |= w;
    if (bytes_per_lane >= 4) whole |= w;
  }
  e->at[t].sectors = e->at[t].full_sectors = 0;
  for (unsigned s = 0; s < 4; s++) {
    if (words >> (8 * s) & 0xff) e->at[t].sectors |= (uint8_t)(1u << s);
    if ((whole >> (8 * s) & 0xff) == 0xff) e->at[t].full_sectors |= (uint8_t)(1u << s);
  }
}

/* The most lanes of one line that fall on one word: an atomic serialises on them. */
static unsigned word_conflicts(const uint64_t *addr, uint32_t lanes) {
  uint8_t count[32] = {0};
  unsigned most = 0;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned n = ++count[(addr[__builtin_ctz(m)] >> 2) & 31];
    if (n > most) most = n;
  }
  return most;
}

static void cut_into_lines(wf_sm *sm, wf_lsu_entry *e, const ptx_inst *inst) {
  const uint64_t *addr = sm->effect.addr;
  uint32_t lines[PTX_LANES];
  for (unsigned l = 0; l < PTX_LANES; l++) lines[l] = (uint32_t)(addr[l] >> LINE_SHIFT);
  unsigned n = 0;
  for (uint32_t left = sm->effect.active; left; n++) {
    uint32_t line = lines[__builtin_ctz(left)];
    uint32_t lanes = lanes_on_line(lines, line, left);
    left &= ~lanes;
    e->at[n].line = line;
    e->at[n].lanes = (uint8_t)__builtin_popcount(lanes);
    if (e->kind != KIND_LOAD || sm->may_bypass || inst->no_allocate)
      find_sectors(e, n, addr, lanes, (unsigned)inst->bytes * inst->vec);
    if (e->kind == KIND_ATOMIC || e->kind == KIND_REDUCTION)
      e->at[n].conflicts = (uint8_t)word_conflicts(addr, lanes);
  }
  e->n_lines = (uint8_t)n;
}

/* Rows of one bank that an access needs; a row of all banks: 128 bytes, or 256. */
typedef struct bank_rows {
  uint32_t row[BANKS][PTX_LANES];
  uint8_t n[BANKS];
  unsigned most;
} bank_rows;

static void need_word(bank_rows *b, uint32_t word, unsigned row_shift) {
  const uint32_t bank = word & (BANKS - 1), row = word >> row_shift;
  for (unsigned i = 0; i < b->n[bank]; i++)
    if (b->row[bank][i] == row) return; /* for several lanes, or the bank's other half */
  b->row[bank][b->n[bank]++] = row;
  if (b->n[bank] > b->most) b->most = b->n[bank];
}

/* Cycles of a shared-memory access: so many lanes at once as fill all banks' ports; for each such
 * group, the most rows in one of the banks. */
static unsigned bank_cycles(const wf_sm *sm, const uint64_t address[PTX_LANES], unsigned words) {
  const unsigned wide = sm->config->shared_bank_bytes / 4;
  const unsigned lanes = words > wide ? PTX_LANES * wide / words : PTX_LANES;
  unsigned cycles = 0;
  for (unsigned first = 0; first < PTX_LANES; first += lanes) {
    const uint32_t group = sm->effect.active >> first & (uint32_t)((UINT64_C(1) << lanes) - 1);
    bank_rows b;
    memset(b.n, 0, sizeof b.n);
    b.most = 0;
    for (uint32_t m = group; m; m &= m - 1) {
      const uint32_t word = (uint32_t)(address[first + (unsigned)__builtin_ctz(m)] >> 2);
      for (unsigned w = 0; w < words; w++) need_word(&b, word + w, wide == 2 ? 6 : 5);
    }
    cycles += b.most;
  }
  return cycles ? cycles : 1;
}

/* Local memory: consecutive words of a thread are 32 lanes apart, so that a warp's access to one
 * variable is one line. */
static void place_local(wf_sm *sm, unsigned warp) {
  uint64_t base = sm->local_base + (uint64_t)warp * PTX_LANES * sm->local_stride;
  for (unsigned l = 0; l < PTX_LANES; l++) {
    uint64_t offset = sm->effect.addr[l];
    sm->effect.addr[l] = base + (offset >> 2) * (4 * PTX_LANES) + 4 * l + (offset & 3);
  }
}

static uint16_t new_load(wf_sm *sm, unsigned warp, const ptx_inst *inst, unsigned transactions) {
  uint16_t index = sm->free_load;
  wf_load *load = &sm->loads[index];
  sm->free_load = load->next_free;
  sm->live_loads++;
  *load = (wf_load){.inst = inst,
                    .issued_at = sm->warps[warp].arch.clock,
                    .remaining = (uint16_t)transactions,
                    .warp = (uint8_t)warp};
  sm->warps[warp].loads++;
  return index;
}

void wf_lsu_free_load(wf_sm *sm, uint16_t load) {
  sm->loads[load].next_free = sm->free_load;
  sm->free_load = load;
  sm->live_loads--;
}

/* Of an access of so many words a lane, counted. */
static uint8_t shared_cycles(wf_sm *sm, const uint64_t address[PTX_LANES], unsigned words) {
  const unsigned cycles = bank_cycles(sm, address, words ? words : 1);
  sm->counters.shared_accesses++;
  sm->counters.shared_conflict_cycles += cycles - 1;
  return (uint8_t)cycles;
}

/* A copy is a load whose data go to shared memory, past the registers. */
static uint16_t new_copy(wf_sm *sm, unsigned warp, const ptx_inst *inst, unsigned transactions) {
  const uint16_t index = new_load(sm, warp, inst, transactions);
  wf_warp *w = &sm->warps[warp];
  sm->loads[index].group = w->copy_group;
  sm->loads[index].cycles = shared_cycles(sm, sm->effect.operand[0], inst->vec);
  w->copies[w->copy_group]++;
  return index;
}

static uint8_t kind_of(const wf_sm *sm, const ptx_inst *inst, unsigned space) {
  if (space == PTX_SPACE_SHARED) return KIND_SHARED;
  if (inst->cls == PTX_CLASS_LOAD || inst->cls == PTX_CLASS_COPY)
    return inst->bypass_l1 || (sm->config->lsu_past && space == PTX_SPACE_GLOBAL) ? KIND_BYPASS
                                                                                  : KIND_LOAD;
  if (inst->cls == PTX_CLASS_STORE) return KIND_STORE;
  return inst->n_dst ? KIND_ATOMIC : KIND_REDUCTION;
}

static uint32_t pc_of(const wf_sm *sm, unsigned warp, const ptx_inst *inst) {
  return (uint32_t)(inst - sm->warps[warp].arch.launch->kernel->insts);
}

/* The SM's L1, as a prefetcher sees it. */
static bool eye_holds(void *of, uint32_t line) {
  return wf_l1_holds(((const wf_sm *)of)->l1, line);
}
static uint64_t eye_word(void *of, uint64_t address, unsigned bytes) {
  uint64_t word = 0;
  wf_error err = {0};
  const void *at = wf_image_at(((const wf_sm *)of)->gpu->image, address, bytes, &err);
  if (at) memcpy(&word, at, bytes);
  return word;
}

static void show_prefetcher(wf_sm *sm, unsigned warp, const ptx_inst *inst) {
  if (inst->cls != PTX_CLASS_LOAD || !sm->effect.active) return;
  wf_prefetcher_load(sm->prefetcher, &(wf_prefetch_load){.pc = pc_of(sm, warp, inst),
                                                         .warp = warp,
                                                         .active = sm->effect.active,
                                                         .bytes = (unsigned)inst->bytes * inst->vec,
                                                         .address = sm->effect.addr,
                                                         .eye = {sm, eye_holds, eye_word}});
}

void wf_lsu_push(wf_sm *sm, unsigned warp, const ptx_inst *inst) {
  unsigned at = wf_ring_push(&sm->queue_ring, sm->config->lsu_queue);
  wf_lsu_entry *e = &sm->queue[at];
  e->inst = inst;
  e->warp = (uint8_t)warp;
  e->kind = kind_of(sm, inst, sm->effect.space);
  e->next_line = e->n_lines = 0;
  e->global = sm->effect.space == PTX_SPACE_GLOBAL;
  e->load = NO_LOAD;
  if (e->kind == KIND_SHARED) {
    e->cycles = shared_cycles(sm, sm->effect.addr, (unsigned)inst->bytes * inst->vec / 4);
  } else {
    if (sm->effect.space == PTX_SPACE_LOCAL) place_local(sm, warp);
    cut_into_lines(sm, e, inst);
    if (sm->prefetcher && e->global) show_prefetcher(sm, warp, inst);
    if (sm->gpu->probe && inst->cls == PTX_CLASS_LOAD)
      wf_probe_load(sm->gpu->probe, sm->id * 64 + warp, sm->warps[warp].uid, &e->at[0].line,
                    e->n_lines, sizeof e->at[0]);
  }
  if (sm->gpu->locality && e->kind == KIND_LOAD && e->global)
    wf_locality_access(sm->gpu->locality, sm->id, sm->warps[warp].uid,
                       (ptx_pc)pc_of(sm, warp, inst), &e->at[0].line, e->n_lines, sizeof e->at[0]);
  if (sm->gpu->footprint && e->global)
    wf_footprint_access(sm->gpu->footprint, sm->id, sm->warps[warp].cta, &e->at[0].line, e->n_lines,
                        sizeof e->at[0]);
  if (e->kind == KIND_STORE || e->kind == KIND_REDUCTION) {
    sm->warps[warp].stores += e->n_lines;
    sm->live_stores += e->n_lines;
  }
  const bool copy = inst->cls == PTX_CLASS_COPY;
  for (unsigned i = 0; !copy && i < sm->row.n_stages; i++)
    if (sm->row.stages[i]->enter) sm->row.stages[i]->enter(sm, e, at);
  if (copy) e->load = new_copy(sm, warp, inst, e->n_lines);
  bool returns = inst->n_dst > 0;
  if (returns) e->load = new_load(sm, warp, inst, e->kind == KIND_SHARED ? 1 : e->n_lines);
  if (sm->load_table && e->kind == KIND_BYPASS && e->n_lines) wf_load_enters(sm, e);
}

void wf_lsu_push_injected(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint8_t tag) {
  wf_lsu_push(sm, warp, inst);
  const unsigned at = wf_ring_at(&sm->queue_ring, sm->queue_ring.count - 1, sm->config->lsu_queue);
  sm->loads[sm->queue[at].load].tag = tag;
}

static wf_wheel_event load_done(const wf_sm *sm, uint16_t index) {
  const wf_load *load = &sm->loads[index];
  wf_wheel_event event = {.inst = load->inst,
                          .load = load->mark || load->tag ? index : NO_LOAD,
                          .warp = load->warp,
                          .kind = WF_WHEEL_LOAD};
  if (__builtin_expect(load->inst->cls == PTX_CLASS_COPY, 0)) {
    event.kind = WF_WHEEL_COPY;
    event.tag = load->group;
    event.cycles = load->cycles;
  } else if (__builtin_expect(load->tag, 0)) {
    event.kind = WF_WHEEL_INJECTED;
  }
  return event;
}

void wf_lsu_fail_injected(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint8_t tag,
                          uint64_t now) {
  const uint16_t index = new_load(sm, warp, inst, 0);
  sm->loads[index].tag = tag;
  wf_wheel_event event = load_done(sm, index);
  event.kind = WF_WHEEL_FAILED;
  wf_sm_schedule(sm, now + 1, event);
}

static void schedule_load_done(wf_sm *sm, uint16_t index, uint64_t when) {
  const wf_load *load = &sm->loads[index];
  const wf_wheel_event event = load_done(sm, index);
  if (event.kind == WF_WHEEL_LOAD && sm->gpu->load_times)
    wf_load_times_done(sm->gpu->load_times, (ptx_pc)pc_of(sm, load->warp, load->inst),
                       when - load->issued_at);
  wf_sm_schedule(sm, when, event);
  if (event.load == NO_LOAD) wf_lsu_free_load(sm, index);
}

/* ---- lsu.loads, lsu.lane_slots: a load past the L1 has a place from its first line to its last
 * ----
 */

static unsigned lanes_of(const wf_lsu_entry *e) {
  unsigned lanes = 0;
  for (unsigned i = 0; i < e->n_lines; i++) lanes += e->at[i].lanes;
  return lanes;
}

static bool has_place(const wf_sm *sm, const wf_lsu_entry *e) {
  const wf_gpu_config *c = sm->config;
  return !(c->lsu_loads && sm->past_loads == c->lsu_loads) &&
         !(c->lsu_lane_slots && sm->past_lanes + lanes_of(e) > c->lsu_lane_slots);
}

static void take_place(wf_sm *sm, const wf_lsu_entry *e) {
  if (!sm->config->lsu_loads && !sm->config->lsu_lane_slots && !sm->load_table) return;
  const unsigned lanes = lanes_of(e);
  sm->loads[e->load].lanes = (uint8_t)lanes;
  sm->past_loads++;
  sm->past_lanes += lanes;
}

static void give_place(wf_sm *sm, wf_load *load) {
  sm->past_loads--;
  sm->past_lanes -= load->lanes;
  load->lanes = 0;
}

void wf_lsu_transaction_done(wf_sm *sm, uint16_t index, uint64_t now) {
  wf_load *load = &sm->loads[index];
  if (--load->remaining) return;
  if (__builtin_expect(load->lanes, 0)) give_place(sm, load);
  schedule_load_done(sm, index, load->ready_at > now ? load->ready_at : now + 1);
}

void wf_lsu_hit(wf_sm *sm, uint16_t load, uint64_t when, uint64_t now) {
  if (sm->loads[load].ready_at < when) sm->loads[load].ready_at = when;
  wf_lsu_transaction_done(sm, load, now);
}

void wf_lsu_send(wf_sm *sm, const wf_packet *packet) {
  sm->miss_queue[wf_ring_push(&sm->miss_ring, sm->config->l1_miss_queue)] = *packet;
}

static wf_packet packet_of(const wf_sm *sm, const wf_lsu_entry *e, uint8_t kind, uint32_t value) {
  return (wf_packet){.address = (uint64_t)e->at[e->next_line].line << LINE_SHIFT,
                     .id = (uint32_t)e->kind << ID_KIND_SHIFT | value,
                     .payload = WF_NO_PAYLOAD,
                     .kind = kind,
                     .sm = (uint8_t)sm->id,
                     .sectors = e->at[e->next_line].sectors,
                     .full_sectors = e->at[e->next_line].full_sectors,
                     .pc = (uint16_t)pc_of(sm, e->warp, e->inst)};
}

void wf_lsu_send_miss(wf_sm *sm, uint32_t line, wf_l1_fetch fetch, ptx_pc pc) {
  wf_packet p = {.address = (uint64_t)line << LINE_SHIFT,
                 .id = (uint32_t)KIND_LOAD << ID_KIND_SHIFT | fetch.mshr,
                 .payload = WF_NO_PAYLOAD,
                 .reply_bytes = (uint16_t)(32 * __builtin_popcount(fetch.sectors)),
                 .kind = WF_PKT_READ,
                 .sm = (uint8_t)sm->id,
                 .sectors = fetch.sectors,
                 .moves = sm->config->mem.l2_exclusive && !fetch.past,
                 .to_l1 = !fetch.past,
                 .mode = fetch.label.mode,
                 .note = fetch.label.note,
                 .pc = (uint16_t)pc};
  wf_lsu_send(sm, &p);
}

/* value: of the packet's id, in its low bits the load. */
static void send_past(wf_sm *sm, uint32_t line, uint8_t sectors, uint32_t value,
                      wf_l1_label label) {
  const wf_load *of = &sm->loads[value % LOADS_PER_SM];
  wf_packet p = {.address = (uint64_t)line << LINE_SHIFT,
                 .id = (uint32_t)KIND_BYPASS << ID_KIND_SHIFT | value,
                 .payload = WF_NO_PAYLOAD,
                 .reply_bytes = (uint16_t)(32 * __builtin_popcount(sectors)),
                 .kind = WF_PKT_READ,
                 .sm = (uint8_t)sm->id,
                 .sectors = sectors,
                 .mode = label.mode,
                 .note = label.note,
                 .pc = (uint16_t)pc_of(sm, of->warp, of->inst)};
  sm->l1_counters.bypasses++;
  wf_lsu_send(sm, &p);
}

void wf_lsu_send_past(wf_sm *sm, uint32_t line, uint8_t sectors, uint16_t load, wf_l1_label label) {
  send_past(sm, line, sectors, load, label);
}

/* A line waits to be prefetched. */
static bool foretells(const wf_sm *sm) {
  uint32_t line;
  return sm->prefetcher && wf_prefetcher_next(sm->prefetcher, &line);
}

bool wf_lsu_works(const wf_sm *sm) {
  if (sm->queue_ring.count || sm->miss_ring.count || foretells(sm) || wf_l1_has_replaced(sm->l1))
    return true;
  for (unsigned i = 0; i < sm->row.n_stages; i++)
    if (sm->row.stages[i]->busy && sm->row.stages[i]->busy(sm)) return true;
  return false;
}

/* A cycle in which no load looks the L1 up. */
static void prefetch(wf_sm *sm) {
  uint32_t line;
  wf_l1_fetch fetch;
  wf_prefetcher_next(sm->prefetcher, &line);
  switch (wf_l1_prefetch(sm->l1, line, sm->miss_ring.count < sm->config->l1_miss_queue, &fetch)) {
  case WF_L1_MISS:
    wf_lsu_send_miss(sm, line, fetch, 0);
    sm->l1_counters.prefetch_issued++;
    break;
  case WF_L1_STALL:
    sm->l1_counters.prefetch_stall_cycles++;
    return;
  default:
    sm->l1_counters.prefetch_redundant++;
  }
  wf_prefetcher_pop(sm->prefetcher);
}

/* Known before the L1 is looked up. */
static bool may_prefetch(const wf_sm *sm) {
  return wf_lsu_can_send(sm) && wf_l1_free_mshrs(sm->l1);
}

void wf_lsu_send_fetch(wf_sm *sm, unsigned place, uint32_t line, unsigned number, bool urgent) {
  wf_packet p = {.address = (uint64_t)line << LINE_SHIFT,
                 .id = (uint32_t)KIND_STAGE << ID_KIND_SHIFT | place << ID_PLACE_SHIFT | number,
                 .payload = WF_NO_PAYLOAD,
                 .reply_bytes = 1 << LINE_SHIFT,
                 .kind = WF_PKT_READ,
                 .sm = (uint8_t)sm->id,
                 .sectors = WF_L1_LINE,
                 .urgent = urgent};
  wf_lsu_send(sm, &p);
}

static void train(wf_sm *sm, const wf_line_request *l, wf_l1_result result) {
  if (!sm->prefetcher || result == WF_L1_STALL) return;
  wf_prefetcher_train(sm->prefetcher, &(wf_prefetch_access){.line = l->line,
                                                            .pc = pc_of(sm, l->warp, l->inst),
                                                            .warp = l->warp,
                                                            .miss = result == WF_L1_MISS});
}

bool wf_lsu_can_send(const wf_sm *sm) {
  return sm->miss_ring.count + sm->miss_promised < sm->config->l1_miss_queue;
}

static bool stall_for(wf_sm *sm, wf_stall cause) {
  sm->head_waits = (uint8_t)cause;
  sm->l1_counters.stall_cycles++;
  return false;
}

bool wf_lsu_stall(wf_sm *sm) {
  return stall_for(sm, wf_lsu_can_send(sm) ? WF_STALL_L1_MSHR : WF_STALL_NOC);
}

bool wf_lsu_load_line(wf_sm *sm, const wf_line_request *l, uint64_t now) {
  wf_l1_fetch fetch;
  const wf_l1_request request = {.line = l->line,
                                 .load = l->load,
                                 .pc = (uint16_t)pc_of(sm, l->warp, l->inst),
                                 .slot = wf_abyp_slot(pc_of(sm, l->warp, l->inst)),
                                 .sectors = l->sectors,
                                 .may_allocate =
                                     !l->inst->no_allocate &&
                                     (!sm->config->l1_tokens || (sm->tokens >> l->warp & 1)),
                                 .can_send = wf_lsu_can_send(sm)};
  const wf_l1_result result = wf_l1_load(sm->l1, &request, &fetch);
  train(sm, l, result);
  if (sm->gpu->load_times && result != WF_L1_STALL)
    wf_load_times_line(sm->gpu->load_times, request.pc,
                       result != WF_L1_MISS && result != WF_L1_PAST);
  switch (result) {
  case WF_L1_HIT:
  case WF_L1_HIT_VICTIM:
    wf_lsu_hit(sm, l->load,
               l->asked_at + sm->config->l1_latency + (result == WF_L1_HIT_VICTIM ? 1 : 0), now);
    return true;
  case WF_L1_MISS:
    wf_lsu_send_miss(sm, l->line, fetch, request.pc);
    return true;
  case WF_L1_MERGED:
    return true;
  case WF_L1_PAST:
    wf_lsu_send_past(sm, request.line, l->sectors, l->load, (wf_l1_label){0});
    return true;
  case WF_L1_STALL:
    break;
  }
  return wf_lsu_stall(sm);
}

bool wf_row_pass(wf_sm *sm, unsigned place, const wf_line_request *r, uint64_t now) {
  for (unsigned i = 0; i < sm->row.n_stages; i++)
    if (sm->row.stages[i]->place > place) return sm->row.stages[i]->load(sm, r, now);
  return r->served || wf_lsu_load_line(sm, r, now);
}

static bool do_load(wf_sm *sm, const wf_lsu_entry *e, uint64_t now) {
  const wf_line_request r = {.inst = e->inst,
                             .line = e->at[e->next_line].line,
                             .load = e->load,
                             .warp = e->warp,
                             .sectors = e->at[e->next_line].sectors,
                             .nth = e->next_line,
                             .last = e->next_line + 1 == e->n_lines,
                             .global = e->global,
                             .asked_at = now};
  if (sm->row.n_stages && e->inst->cls != PTX_CLASS_COPY) {
    sm->head_waits = WF_STALL_UNIT; /* unless a stage says otherwise */
    if (!sm->row.stages[0]->load(sm, &r, now)) return false;
    sm->head_waits = WF_STALL_LSU_QUEUE;
    return true;
  }
  return wf_lsu_load_line(sm, &r, now);
}

/* Past the L1, without one of its MSHRs: only the sectors touched come back. */
static bool do_bypass(wf_sm *sm, wf_lsu_entry *e) {
  if (!wf_lsu_can_send(sm)) return wf_lsu_stall(sm);
  bool taken = e->next_line || has_place(sm, e);
  if (sm->load_table) taken = wf_load_asks(sm, e, taken);
  if (!taken) return wf_lsu_stall(sm);
  if (!e->next_line) take_place(sm, e);
  send_past(sm, e->at[e->next_line].line, e->at[e->next_line].sectors,
            (uint32_t)e->next_line * LOADS_PER_SM + e->load, (wf_l1_label){0});
  return true;
}

static bool do_store(wf_sm *sm, wf_lsu_entry *e) {
  if (!wf_lsu_can_send(sm)) return wf_lsu_stall(sm);
  uint32_t line = e->at[e->next_line].line;
  for (unsigned i = sm->row.n_stages; i-- > 0;) {
    const wf_stage *stage = sm->row.stages[i];
    if (stage->store && !stage->store(sm, e, line)) return stall_for(sm, WF_STALL_UNIT);
  }
  bool atomic = e->kind != KIND_STORE;
  if (atomic)
    wf_l1_evict(sm->l1, line);
  else
    wf_l1_store(sm->l1, line, e->at[e->next_line].full_sectors);
  wf_packet p = packet_of(sm, e, atomic ? WF_PKT_ATOMIC : WF_PKT_WRITE,
                          e->kind == KIND_ATOMIC ? e->load : e->warp);
  unsigned lane_bytes = (unsigned)e->inst->bytes * e->inst->vec;
  if (atomic) {
    p.bytes = (uint16_t)(e->at[e->next_line].lanes * lane_bytes);
    p.reply_bytes = e->kind == KIND_ATOMIC ? p.bytes : 0;
    p.atomic_conflicts = e->at[e->next_line].conflicts;
    sm->l1_counters.atomics++;
  } else {
    p.bytes = (uint16_t)(32 * __builtin_popcount(p.sectors));
    sm->l1_counters.stores++;
  }
  wf_lsu_send(sm, &p);
  return true;
}

static void pop_entry(wf_sm *sm) {
  wf_ring_pop(&sm->queue_ring, sm->config->lsu_queue);
}

static bool shared_port_taken(const wf_sm *sm, uint64_t now) {
  for (unsigned i = 0; i < sm->row.n_stages; i++)
    if (sm->row.stages[i]->takes_shared && sm->row.stages[i]->takes_shared(sm, now)) return true;
  return false;
}

static void process_head(wf_sm *sm, uint64_t now) {
  wf_lsu_entry *e = &sm->queue[sm->queue_ring.head];
  sm->head_waits = WF_STALL_LSU_QUEUE;
  if (e->kind == KIND_SHARED) {
    if (shared_port_taken(sm, now)) {
      sm->head_waits = WF_STALL_L1_PORT;
      return;
    }
    if (--e->cycles) return;
    if (e->load != NO_LOAD) schedule_load_done(sm, e->load, now + sm->config->shared_latency);
    pop_entry(sm);
    return;
  }
  if (e->n_lines) {
    const bool done = e->kind == KIND_LOAD     ? do_load(sm, e, now)
                      : e->kind == KIND_BYPASS ? do_bypass(sm, e)
                                               : do_store(sm, e);
    if (!done) return;
    e->next_line++;
  }
  if (e->next_line == e->n_lines) {
    pop_entry(sm);
    if (e->n_lines == 0 && e->load != NO_LOAD) schedule_load_done(sm, e->load, now + 1);
  }
}

/* What the L1 has replaced goes to the L2 when no miss wants the place. */
static void send_replaced(wf_sm *sm) {
  uint32_t line;
  if (!wf_lsu_can_send(sm) || !wf_l1_next_replaced(sm->l1, &line)) return;
  wf_packet p = {.address = (uint64_t)line << LINE_SHIFT,
                 .payload = WF_NO_PAYLOAD,
                 .bytes = 1 << LINE_SHIFT,
                 .kind = WF_PKT_VICTIM,
                 .sm = (uint8_t)sm->id,
                 .sectors = WF_L1_LINE};
  wf_lsu_send(sm, &p);
}

void wf_lsu_tick(wf_sm *sm, uint64_t now) {
  wf_mem *mem = sm->gpu_mem;
  if (sm->miss_ring.count && wf_mem_send(mem, sm->id, &sm->miss_queue[sm->miss_ring.head]))
    wf_ring_pop(&sm->miss_ring, sm->config->l1_miss_queue);
  for (unsigned i = sm->row.n_stages; i-- > 0;) {
    const wf_stage *stage = sm->row.stages[i];
    if (stage->tick && stage->busy(sm)) stage->tick(sm, now);
  }
  const bool loads = sm->queue_ring.count && sm->lsu_free <= now;
  sm->head_waits = WF_STALL_L1_PORT;
  if (foretells(sm) && (!loads || (sm->prefetch_next && may_prefetch(sm)))) {
    prefetch(sm);
    sm->prefetch_next = false;
  } else if (loads) {
    process_head(sm, now);
    sm->prefetch_next = sm->config->l1_prefetch_turn == WF_PREFETCH_EQUAL;
  }
  if (wf_l1_has_replaced(sm->l1)) send_replaced(sm);
}

static void store_acknowledged(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  sm->live_stores--;
  if (--w->stores == 0 && w->state == WF_WARP_FENCE) {
    wf_sm_set_state(sm, warp, WF_WARP_RUN);
    wf_sm_recheck(sm, warp, now);
  }
}

static void stage_filled(wf_sm *sm, uint32_t value, uint64_t now) {
  const unsigned place = value >> ID_PLACE_SHIFT;
  unsigned i = 0;
  while (sm->row.stages[i]->place != place) i++;
  sm->row.stages[i]->fill(sm, value & ((1u << ID_PLACE_SHIFT) - 1), now);
}

/* Where a unit keeps loads past the L1, its place is free at once, and the line told later. */
static void bypass_replied(wf_sm *sm, uint16_t index, unsigned nth, uint64_t now) {
  wf_load *load = &sm->loads[index];
  if (!sm->load_table || !load->lanes) {
    wf_lsu_transaction_done(sm, index, now);
    return;
  }
  const bool last = load->remaining == 1;
  if (last) give_place(sm, load);
  wf_load_replied(sm, index, nth, last, now);
}

void wf_lsu_reply(wf_sm *sm, const wf_packet *packet, uint64_t now) {
  uint32_t value = packet->id & ID_VALUE_MASK;
  if (packet->note) wf_managed_l1_came(sm, (wf_l1_label){packet->mode, packet->note});
  switch (packet->id >> ID_KIND_SHIFT) {
  case KIND_LOAD: {
    unsigned count;
    if (packet->mode & WF_MODE_COPY_BACK) wf_l1_copy_back(sm->l1, value);
    const uint16_t *waiting = wf_l1_fill(sm->l1, value, packet->sectors, &count);
    if (sm->misses) {
      if (waiting) wf_miss_filled(sm, value, waiting, count, now);
      break;
    }
    for (unsigned i = 0; i < count; i++) wf_lsu_transaction_done(sm, waiting[i], now);
    break;
  }
  case KIND_BYPASS:
    bypass_replied(sm, (uint16_t)(value % LOADS_PER_SM), value / LOADS_PER_SM, now);
    break;
  case KIND_ATOMIC:
    wf_lsu_transaction_done(sm, (uint16_t)value, now);
    break;
  case KIND_STAGE:
    stage_filled(sm, value, now);
    break;
  default:
    store_acknowledged(sm, value, now);
  }
}
