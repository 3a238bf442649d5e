#include "sim/mem/l2.h"

#include <assert.h>
#include <string.h>

static unsigned log2u(unsigned x) {
  return (unsigned)__builtin_ctz(x);
}

/* ---- set-up ---- */

/* A burst covers one or more neighbouring sectors. */
static void burst_tables(wf_l2 *l2, unsigned burst_sectors) {
  for (unsigned mask = 0; mask < 16; mask++)
    for (unsigned s = 0; s < 4; s++) {
      unsigned burst = s / burst_sectors;
      if (mask >> s & 1) l2->bursts_of[mask] |= (uint8_t)(1u << burst);
      if (mask >> burst & 1) l2->sectors_of[mask] |= (uint8_t)(1u << s);
    }
}

/* A request a cycle. */
static unsigned far_places(const wf_l2 *l2) {
  return l2->far_latency + 1;
}

void wf_l2_init(wf_l2 *l2, const wf_mem_config *c, unsigned index) {
  l2->index = index;
  l2->ways = c->l2_ways;
  l2->stride = (c->l2_ways + 7) / 8 * 8;
  l2->sets = c->l2_bytes / c->line_bytes / c->l2_ways;
  l2->first_wayless = l2->sets * l2->stride;
  const unsigned lines = l2->first_wayless + (c->l2_mshrs + 7) / 8 * 8;
  l2->exclusive = c->l2_exclusive;
  l2->ordered = c->ordered;
  l2->bypass = wf_bypass_create((wf_bypass_kind)c->l2_bypass, l2->sets,
                                (uint16_t)(index + 1 + c->l2_bypass_seed));
  l2->write_evict = c->l2_write == WF_L2_WRITE_EVICT;
  l2->fill_line = c->l2_fill == WF_L2_FILL_LINE;
  l2->sets_power_of_two = (l2->sets & (l2->sets - 1)) == 0;
  l2->set_bits = l2->sets_power_of_two ? log2u(l2->sets) : 0;
  l2->sectors = c->line_bytes / WF_SECTOR_BYTES;
  burst_tables(l2, c->dram_bus_bytes * c->dram_burst_beats / WF_SECTOR_BYTES);
  l2->line_bytes = c->line_bytes;
  l2->latency = c->l2_latency;
  l2->n_sm = c->n_sm;
  l2->n_part = c->n_part;
  l2->interleave_shift = log2u(c->interleave_bytes);
  l2->line_shift = log2u(c->line_bytes);
  l2->port_beats = c->flit_bytes * c->noc_mhz / (WF_SECTOR_BYTES * c->l2_mhz);
  if (!l2->port_beats) l2->port_beats = 1;
  l2->header_bytes = c->packet_header_bytes;
  l2->flit_shift = log2u(c->flit_bytes);
  l2->tag = wf_calloc(lines, sizeof *l2->tag);
  memset(l2->tag, 0xff, lines * sizeof *l2->tag);
  l2->line = wf_calloc(lines, sizeof *l2->line);
  for (unsigned i = 0; i < lines; i++) l2->line[i].mshr = WF_L2_NO_MSHR;
  l2->used = wf_calloc(lines, sizeof *l2->used);
  for (unsigned i = 0; i < lines; i++)
    l2->used[i] = i < l2->first_wayless && i % l2->stride < l2->ways ? 0 : UINT64_MAX;

  l2->n_mshrs = c->l2_mshrs;
  l2->merge_limit = c->l2_mshr_merge;
  l2->share = c->l2_mshrs - (c->l2_mshrs >= 4 ? c->l2_mshrs / 4 : 1);
  l2->mshr = wf_calloc(c->l2_mshrs, sizeof *l2->mshr);
  l2->merged = wf_calloc((size_t)c->l2_mshrs * c->l2_mshr_merge, sizeof *l2->merged);
  l2->replay = wf_calloc(c->l2_mshrs, sizeof *l2->replay);
  l2->free_mshrs = wf_calloc(c->l2_mshrs, sizeof *l2->free_mshrs);
  for (unsigned i = 0; i < c->l2_mshrs; i++) l2->free_mshrs[l2->free_count++] = (uint16_t)i;

  unsigned line_flits =
      (c->packet_header_bytes + c->line_bytes + c->flit_bytes - 1) / c->flit_bytes;
  for (unsigned i = 0; i < WF_SRC_COUNT; i++) wf_packet_ring_init(&l2->queue[i], c->l2_queue);
  l2->reply_limit = c->l2_latency + c->l2_queue * line_flits;
  l2->reply_patience = c->l2_reply_patience;
  uint32_t size = wf_ring_size(l2->reply_limit);
  l2->reply = wf_calloc(size, sizeof *l2->reply);
  l2->reply_mask = size - 1;
  l2->next = l2->replay_wait.due = l2->fan_wait.due = UINT64_MAX;
  l2->far_latency = c->l2_far_latency;
  l2->half_sms = (c->n_sm + 1) / 2;
  l2->upper = index >= (c->n_part + 1) / 2;
  if (l2->far_latency) l2->far = wf_calloc(far_places(l2), sizeof *l2->far);
  wf_coalescer_init(&l2->coalescer, c->l2_coalescer, c->l2_coalescer_merges);
  if (c->l2_prefetch)
    l2->prefetcher =
        wf_prefetcher_create(&(wf_prefetch_settings){.kind = (wf_prefetch_kind)c->l2_prefetch,
                                                     .degree = c->l2_prefetch_degree,
                                                     .distance = c->l2_prefetch_distance},
                             &l2->counters->l2.prefetches_dropped);
  wf_l2_unit_init(l2, c);
}

void wf_l2_free(wf_l2 *l2) {
  free(l2->tag);
  free(l2->line);
  free(l2->used);
  free(l2->mshr);
  free(l2->merged);
  free(l2->replay);
  free(l2->free_mshrs);
  for (unsigned i = 0; i < WF_SRC_COUNT; i++) wf_packet_ring_free(&l2->queue[i]);
  free(l2->reply);
  free(l2->far);
  wf_coalescer_free(&l2->coalescer);
  wf_prefetcher_destroy(l2->prefetcher);
  wf_bypass_destroy(l2->bypass);
  wf_l2_unit_free(l2);
}

bool wf_l2_empty(const wf_l2 *l2) {
  return l2->free_count == l2->n_mshrs && !wf_coalescer_used(&l2->coalescer) &&
         !wf_packet_ring_count(&l2->queue[WF_SRC_NOC]) && !l2->reply_ring.count &&
         !l2->far_ring.count && !l2->unit.reads_in_flight &&
         !wf_packet_ring_count(&l2->queue[WF_SRC_UNIT_WRITE]) &&
         !wf_packet_ring_count(&l2->unit.out) && !l2->undecided_ring.count;
}

/* Lines are numbered within the partition. */
uint32_t wf_l2_local_line(const wf_l2 *l2, uint64_t address) {
  uint64_t stripe = address >> l2->interleave_shift;
  uint64_t local = stripe >> 32 ? stripe / l2->n_part : (uint32_t)stripe / l2->n_part;
  unsigned lines_shift = l2->interleave_shift - l2->line_shift;
  uint64_t in_stripe = (address >> l2->line_shift) & ((UINT64_C(1) << lines_shift) - 1);
  return (uint32_t)(local << lines_shift | in_stripe);
}

/* ---- lines ---- */

static unsigned first_way(const wf_l2 *l2, uint32_t line) {
  if (!l2->sets_power_of_two) return line % l2->sets * l2->stride;
  uint32_t folded = line;
  if (l2->set_bits) folded ^= line >> l2->set_bits ^ (uint32_t)((uint64_t)line >> 2 * l2->set_bits);
  return (folded & (l2->sets - 1)) * l2->stride;
}

/* Index of the line among those from `first` to `end`, or -1. */
static int find_among(const wf_l2 *l2, uint32_t line, unsigned first, unsigned end) {
  for (unsigned v = first; v < end; v += 8) {
    unsigned found = 0;
    for (unsigned w = 0; w < 8; w++) found |= (unsigned)(l2->tag[v + w] == line) << w;
    if (found) return (int)(v + (unsigned)__builtin_ctz(found));
  }
  return -1;
}

/* Index of the line's way, or of its place among those without one, or -1. */
static int find(const wf_l2 *l2, uint32_t line) {
  const unsigned first = first_way(l2, line);
  const int way = find_among(l2, line, first, first + l2->stride);
  if (way >= 0 || !l2->wayless) return way;
  return find_among(l2, line, l2->first_wayless, l2->first_wayless + l2->n_mshrs);
}

/* Least recently used way that is not pinned, or -1. Empty ways have used = 0. */
static int victim(const wf_l2 *l2, uint32_t line) {
  unsigned first = first_way(l2, line);
  uint64_t oldest = UINT64_MAX;
  for (unsigned v = first; v < first + l2->stride; v += 8)
    for (unsigned w = 0; w < 8; w++) oldest = l2->used[v + w] < oldest ? l2->used[v + w] : oldest;
  if (oldest == UINT64_MAX) return -1;
  for (unsigned v = first;; v += 8) {
    unsigned found = 0;
    for (unsigned w = 0; w < 8; w++) found |= (unsigned)(l2->used[v + w] == oldest) << w;
    if (found) return (int)(v + (unsigned)__builtin_ctz(found));
  }
}

static void touch(wf_l2 *l2, int way) {
  if (l2->line[way].mshr == WF_L2_NO_MSHR && !l2->line[way].pins) l2->used[way] = ++l2->use_clock;
}

/* May a unit's read pin one more line of the set? One way is left to others. */
static bool pin_room(const wf_l2 *l2, uint32_t line) {
  const unsigned first = first_way(l2, line);
  unsigned pinned = 0;
  for (unsigned v = first; v < first + l2->ways; v++) pinned += l2->line[v].pins != 0;
  return pinned + 1 < l2->ways;
}

static void pin(wf_l2 *l2, int way) {
  l2->line[way].pins++;
  l2->used[way] = UINT64_MAX;
}

void wf_l2_unpin(wf_l2 *l2, unsigned way) {
  if (--l2->line[way].pins) return;
  touch(l2, (int)way);
  wf_l2_release(l2, WF_STALL_WAY);
}

/* ---- who hears ---- */

/* Not an SM's: nobody hears of its look-up or decides about it, and its line takes a way. */
static bool of_unit(const wf_l2 *l2, const wf_packet *p) {
  return p->kind == WF_PKT_UNIT_READ || p->sm >= l2->n_sm;
}

/* by: an L1's line or a store that has come; NULL: of the MSHR, or it leaves. */
static void tell_line(const wf_l2 *l2, wf_cache_what what, unsigned way, unsigned mshr,
                      const wf_packet *by) {
  if (!l2->row || way >= l2->first_wayless) return;
  const uint8_t written = by && by->kind == WF_PKT_WRITE ? by->sectors : 0;
  wf_cache_tell(l2->row, &(wf_cache_event){.what = (uint8_t)what,
                                           .sm = by && !of_unit(l2, by) ? by->sm : 0,
                                           .returned = by && by->kind == WF_PKT_VICTIM,
                                           .written = written,
                                           .pc = written ? by->pc : 0,
                                           .mshr = (uint16_t)mshr,
                                           .level = WF_CACHE_L2,
                                           .sectors = l2->line[way].valid,
                                           .at = (uint16_t)l2->index,
                                           .way = (uint16_t)(way % l2->stride),
                                           .set = way / l2->stride,
                                           .line = l2->tag[way]});
}

/* What was looked up; to: the way that it will take if it is kept. True: the judge will answer. */
static bool tell_look(const wf_l2 *l2, const wf_packet *p, uint32_t line, int way, int to) {
  if (of_unit(l2, p)) return false;
  if (l2->bypass)
    wf_bypass_access(l2->bypass, first_way(l2, line) / l2->stride, line,
                     way < 0 ? way : (int)((unsigned)way % l2->stride));
  if (!l2->row && !l2->judge) return false;
  const bool has_way = way >= 0 && (unsigned)way < l2->first_wayless;
  wf_cache_event e = {.what = WF_CACHE_LOOK,
                      .level = WF_CACHE_L2,
                      .sectors = p->sectors,
                      .hit = way >= 0 && !(p->sectors & ~l2->line[way].valid),
                      .coming = way >= 0 && l2->line[way].mshr != WF_L2_NO_MSHR,
                      .to_l1 = p->to_l1,
                      .keep = p->kind == WF_PKT_ATOMIC,
                      .pc = p->pc,
                      .mode = p->mode,
                      .mshr = WF_CACHE_NO_MSHR,
                      .at = (uint16_t)l2->index,
                      .sm = p->sm,
                      .way = (uint16_t)(has_way ? (unsigned)way % l2->stride : WF_CACHE_NO_WAY),
                      .set = first_way(l2, line) / l2->stride,
                      .line = line};
  if (e.coming)
    e.mshr = l2->line[way].mshr;
  else if (!e.hit) /* that it takes next */
    e.mshr = l2->free_mshrs[l2->free_count - 1];
  if (l2->row) wf_cache_tell(l2->row, &e);
  if (!l2->judge) return false;
  if (to >= 0) {
    e.victim = (uint16_t)((unsigned)to % l2->stride);
    e.victim_valid = l2->tag[to] != WF_L2_NO_TAG;
    e.victim_line = l2->tag[to];
  }
  return l2->judge->ask(l2->judge->self, &e);
}

/* Tells an observer which data move; place: index of the way, or of what stands in its MSHR. */
static void data(const wf_l2 *l2, wf_data_what what, unsigned place, uint32_t line,
                 unsigned sectors, const wf_packet *packet) {
  if (__builtin_expect(!l2->data_trace, 1)) return;
  l2->data_trace(l2->data_user, &(wf_data_move){.what = what,
                                                .slice = l2->index,
                                                .place = place,
                                                .line = line,
                                                .sectors = sectors,
                                                .packet = packet});
}

/* Gives the way to a new line; a dirty old one goes to DRAM, which has room. */
static void replace(wf_l2 *l2, int way, uint32_t line) {
  wf_l2_line *w = &l2->line[way];
  if (l2->tag[way] != WF_L2_NO_TAG) {
    l2->counters->l2.evictions++;
    tell_line(l2, WF_CACHE_EVICT, (unsigned)way, WF_CACHE_NO_MSHR, NULL);
  }
  if (w->dirty) {
    data(l2, WF_DATA_BACK, (unsigned)way, l2->tag[way], w->dirty, NULL);
    wf_dram_push(l2->dram, true, l2->tag[way], l2->bursts_of[w->dirty], 0);
    l2->counters->l2.writebacks++;
  }
  l2->tag[way] = line;
  l2->counters->l2.insertions++;
  *w = (wf_l2_line){.mshr = WF_L2_NO_MSHR};
  data(l2, WF_DATA_EMPTY, (unsigned)way, line, 0, NULL);
}

/* The line is there no longer, and nothing of it is owed to DRAM. */
static void forget(wf_l2 *l2, unsigned way) {
  const bool wayless = way >= l2->first_wayless;
  tell_line(l2, WF_CACHE_EVICT, way, WF_CACHE_NO_MSHR, NULL);
  l2->tag[way] = WF_L2_NO_TAG;
  l2->line[way] = (wf_l2_line){.mshr = WF_L2_NO_MSHR};
  l2->used[way] = wayless ? UINT64_MAX : 0;
  l2->wayless -= wayless;
}

/* A line that an L1 has now. What is newer than DRAM's stays. */
static void move_out(wf_l2 *l2, int way) {
  const wf_l2_line *w = &l2->line[way];
  if (w->mshr != WF_L2_NO_MSHR || w->pins || w->dirty || w->partial) return;
  forget(l2, (unsigned)way);
  l2->counters->l2.moved++;
}

/* ---- written lines ---- */

static unsigned filter_bit(unsigned hash, uint32_t line) {
  return (hash ? (line >> 10 ^ line * 5) : (line ^ line >> 10 ^ line >> 20)) % WF_L2_FILTER_BITS;
}

static void note_written(wf_l2 *l2, uint32_t line) {
  if (!l2->exclusive) return;
  for (unsigned h = 0; h < 2; h++) {
    const unsigned bit = filter_bit(h, line);
    l2->written[h][bit / 64] |= UINT64_C(1) << bit % 64;
  }
}

static bool may_be_written(const wf_l2 *l2, uint32_t line) {
  bool may = true;
  for (unsigned h = 0; h < 2; h++) {
    const unsigned bit = filter_bit(h, line);
    may = may && (l2->written[h][bit / 64] >> bit % 64 & 1);
  }
  return may;
}

/* ---- replies ---- */

static unsigned reply_flits(const wf_l2 *l2, const wf_packet *p) {
  return (l2->header_bytes + p->reply_bytes + (1u << l2->flit_shift) - 1) >> l2->flit_shift;
}

static bool reply_room(const wf_l2 *l2, const wf_packet *p) {
  return p->kind == WF_PKT_UNIT_READ || l2->reply_flits + reply_flits(l2, p) <= l2->reply_limit;
}

/* Requests take room as soon as a reply leaves, and short ones leave none for a whole line's reply:
 * with l2.reply_patience one that waits for as long goes before them. */
static bool hit_room(const wf_l2 *l2, const wf_packet *p, uint64_t now) {
  return p->kind == WF_PKT_UNIT_READ ||
         (now < l2->replay_wait.due && now < l2->fan_wait.due && reply_room(l2, p));
}

static void wait_for_room(const wf_l2 *l2, wf_l2_room_wait *wait, uint64_t now) {
  wait->blocked = true;
  if (l2->reply_patience && wait->due == UINT64_MAX) wait->due = now + l2->reply_patience;
}

/* Sends the answer on its way through the pipeline. A unit's waits in its line, which is pinned. */
static void reply(wf_l2 *l2, const wf_packet *p, int way, uint64_t now) {
  if (p->kind == WF_PKT_UNIT_READ) {
    wf_l2_unit_answer(l2, p->id, (unsigned)way, now + l2->latency);
    return;
  }
  if (l2->coalescer.entries && p->kind == WF_PKT_READ && p->entry != WF_COALESCER_NONE)
    wf_coalescer_answer(&l2->coalescer, p->entry);
  l2->reply_flits += reply_flits(l2, p);
  l2->reply[wf_ring_push_mask(&l2->reply_ring, l2->reply_mask)] =
      (wf_l2_reply){.packet = *p, .time = now + l2->latency};
}

static uint32_t last_reply(const wf_l2 *l2) {
  return (l2->reply_ring.head + l2->reply_ring.count - 1) & l2->reply_mask;
}

/* ---- MSHRs ---- */

static bool mshr_available(const wf_l2 *l2, bool unit) {
  if (!l2->free_count) return false;
  return !l2->unit.seen || (unit ? l2->unit_held : l2->sm_held) < l2->share;
}

static void hold(wf_l2 *l2, bool unit, int by) {
  unsigned *held = unit ? &l2->unit_held : &l2->sm_held;
  *held = (unsigned)((int)*held + by);
}

static unsigned mshr_new(wf_l2 *l2, int way, bool unit) {
  unsigned m = l2->free_mshrs[--l2->free_count];
  l2->mshr[m] = (wf_l2_mshr){.line = (uint32_t)way, .for_unit = unit};
  l2->line[way].mshr = (uint16_t)m;
  l2->used[way] = UINT64_MAX;
  hold(l2, unit, 1);
  return m;
}

/* The MSHR's line came before its answer: it goes past, or the MSHR is another line's soon. */
static void came_unjudged(wf_l2 *l2, unsigned m) {
  for (unsigned i = 0; i < l2->undecided_ring.count; i++) {
    wf_l2_undecided *u = &l2->undecided[wf_ring_at(&l2->undecided_ring, i, WF_L2_UNDECIDED)];
    if (u->mshr == m) u->mshr = WF_L2_NO_MSHR;
  }
}

/* The oldest reply leaves before its answer, without its mode. */
static void left_unjudged(wf_l2 *l2) {
  for (unsigned i = 0; i < l2->undecided_ring.count; i++) {
    wf_l2_undecided *u = &l2->undecided[wf_ring_at(&l2->undecided_ring, i, WF_L2_UNDECIDED)];
    if (u->hit && u->place == l2->reply_ring.head) u->place = WF_L2_NO_PLACE;
  }
}

static void mshr_release(wf_l2 *l2, unsigned m) {
  came_unjudged(l2, m);
  hold(l2, l2->mshr[m].for_unit, -1);
  l2->free_mshrs[l2->free_count++] = (uint16_t)m;
  wf_l2_release(l2, WF_STALL_MSHR);
}

static void mshr_append(wf_l2 *l2, unsigned m, const wf_packet *p) {
  if (p->kind == WF_PKT_ATOMIC) l2->mshr[m].atomics |= p->sectors;
  l2->merged[(size_t)m * l2->merge_limit + l2->mshr[m].requests++] = *p;
}

static void fetch(wf_l2 *l2, unsigned m, uint32_t line, unsigned missing, bool urgent) {
  uint8_t bursts = l2->bursts_of[missing];
  data(l2, WF_DATA_FETCH, l2->mshr[m].line, line, l2->sectors_of[bursts], NULL);
  if (urgent)
    wf_dram_push_urgent(l2->dram, line, bursts, (uint16_t)m);
  else
    wf_dram_push(l2->dram, false, line, bursts, (uint16_t)m);
  l2->mshr[m].fetching |= l2->sectors_of[bursts];
  l2->mshr[m].outstanding++;
}

/* A line that stands in its MSHR gets a way: someone wants it kept. room: that DRAM's queue must
 * leave on top. */
static wf_l2_stall settle(wf_l2 *l2, unsigned m, uint32_t line, unsigned room) {
  const unsigned from = l2->mshr[m].line;
  if (from < l2->first_wayless) return WF_STALL_NONE;
  const int way = victim(l2, line);
  if (way < 0) return WF_STALL_WAY;
  if (wf_dram_room(l2->dram) < room + (l2->line[way].dirty != 0)) return WF_STALL_DRAM;
  replace(l2, way, line);
  l2->line[way] = l2->line[from];
  l2->used[way] = UINT64_MAX;
  l2->mshr[m].line = (uint32_t)way;
  data(l2, WF_DATA_SETTLE, (unsigned)way, line, from, NULL);
  forget(l2, from);
  return WF_STALL_NONE;
}

/* ---- what a judge decides ---- */

static void wait_for_judge(wf_l2 *l2, wf_l2_undecided u) {
  l2->undecided[wf_ring_push(&l2->undecided_ring, WF_L2_UNDECIDED)] = u;
}

/* No other request of the set, and not more at a time than there are places. */
static bool waits_for_judge(const wf_l2 *l2, uint32_t line) {
  const unsigned n = l2->undecided_ring.count;
  for (unsigned i = 0; i < n; i++) {
    const wf_l2_undecided *u = &l2->undecided[wf_ring_at(&l2->undecided_ring, i, WF_L2_UNDECIDED)];
    if (first_way(l2, u->line) == first_way(l2, line)) return true;
  }
  return n == WF_L2_UNDECIDED;
}

/* Of an MSHR's request, or of a reply on its way. */
static void take_mode(wf_l2 *l2, const wf_l2_undecided *u) {
  if (u->hit && u->place != WF_L2_NO_PLACE)
    l2->reply[u->place].packet.mode = u->answer.mode;
  else if (u->mshr != WF_L2_NO_MSHR)
    l2->merged[(size_t)u->mshr * l2->merge_limit + u->place].mode = u->answer.mode;
}

/* Sectors that the answer wants besides, of a line that is still coming. */
static unsigned wanted_more(const wf_l2 *l2, const wf_l2_undecided *u) {
  if (u->mshr == WF_L2_NO_MSHR || !l2->mshr[u->mshr].outstanding) return 0;
  const wf_l2_mshr *e = &l2->mshr[u->mshr];
  return u->answer.more & ~(unsigned)(e->fetching | l2->line[e->line].valid);
}

/* Acts on the oldest answer; a line that is to be kept waits until DRAM takes what it replaces, and
 * what is fetched besides. */
static void hear_judge(wf_l2 *l2) {
  wf_l2_undecided *u = &l2->undecided[l2->undecided_ring.head];
  if (!u->answered) {
    if (!l2->judge->answer(l2->judge->self, l2->index, &u->answer)) return;
    u->answered = true;
    take_mode(l2, u);
    if (u->hit && u->answer.leaves) move_out(l2, find(l2, u->line)); /* the set has waited */
  }
  const unsigned more = wanted_more(l2, u);
  if (more && !wf_dram_room(l2->dram)) return;
  if (u->mshr != WF_L2_NO_MSHR && !u->keep && !u->answer.past &&
      settle(l2, u->mshr, u->line, more != 0) != WF_STALL_NONE)
    return;
  if (more) fetch(l2, u->mshr, u->line, more, false);
  wf_ring_pop(&l2->undecided_ring, WF_L2_UNDECIDED);
  wf_l2_release(l2, WF_STALL_WAY);
}

/* ---- accesses ---- */

/* Of one that joins: its line stands in a way. */
static bool takes_way(const wf_l2 *l2, const wf_packet *p) {
  return p->kind != WF_PKT_READ || of_unit(l2, p) || (!p->moves && !l2->judge && !l2->bypass);
}

/* Of a miss: its line has no way, or not yet; to: that it would take. */
static bool goes_past(const wf_l2 *l2, const wf_packet *p, uint32_t line, int to) {
  const bool keep = p->kind != WF_PKT_READ || of_unit(l2, p);
  if (!l2->bypass || p->moves) return !keep && (p->moves || l2->judge);
  return wf_bypass_decides(l2->bypass,
                           &(wf_bypass_miss){.set = (unsigned)to / l2->stride,
                                             .way = (unsigned)to % l2->stride,
                                             .line = line,
                                             .victim = l2->tag[to],
                                             .victim_valid = l2->tag[to] != WF_L2_NO_TAG,
                                             .keep = keep});
}

static void count_kind(wf_l2 *l2, const wf_packet *p) {
  switch (p->kind) {
  case WF_PKT_READ:
    l2->counters->l2.reads++;
    break;
  case WF_PKT_WRITE:
    l2->counters->l2.writes++;
    break;
  case WF_PKT_ATOMIC:
    l2->counters->l2.atomics++;
    break;
  default:
    l2->counters->l2.unit_reads++;
    break;
  }
}

static unsigned pipeline_cycles(const wf_packet *p) {
  return p->kind == WF_PKT_ATOMIC && p->atomic_conflicts > 1 ? p->atomic_conflicts : 1;
}

/* The last of an MSHR's requests waits for its judge. */
static void judge_request(wf_l2 *l2, unsigned m, uint32_t line, const wf_packet *p) {
  wait_for_judge(l2, (wf_l2_undecided){.line = line,
                                       .mshr = (uint16_t)m,
                                       .place = l2->mshr[m].requests - 1u,
                                       .keep = p->kind == WF_PKT_ATOMIC});
}

static wf_l2_stall merge(wf_l2 *l2, unsigned m, uint32_t line, unsigned missing,
                         const wf_packet *p) {
  wf_l2_mshr *e = &l2->mshr[m];
  bool unit = p->kind == WF_PKT_UNIT_READ;
  unsigned more = missing & ~(unsigned)e->fetching;
  if (e->requests >= l2->merge_limit) return WF_STALL_MERGE;
  if (more && !wf_dram_room(l2->dram)) return WF_STALL_DRAM;
  if (takes_way(l2, p)) {
    const wf_l2_stall stall = settle(l2, m, line, more != 0);
    if (stall != WF_STALL_NONE) return stall;
  }
  if (e->for_unit && !unit) { /* an SM's reply may hold it for long: it counts as the SMs' now */
    if (l2->sm_held >= l2->share) return WF_STALL_MSHR;
    e->for_unit = false;
    hold(l2, true, -1);
    hold(l2, false, 1);
    wf_l2_release(l2, WF_STALL_MSHR);
  }
  const bool judged = tell_look(l2, p, line, (int)e->line, -1);
  if (more) fetch(l2, m, line, more, p->urgent);
  mshr_append(l2, m, p);
  if (judged) judge_request(l2, m, line, p);
  if (!unit) l2->counters->l2.merges++;
  return WF_STALL_NONE;
}

static wf_l2_stall miss(wf_l2 *l2, int way, uint32_t line, unsigned missing, const wf_packet *p) {
  bool unit = p->kind == WF_PKT_UNIT_READ;
  if (!mshr_available(l2, unit)) return WF_STALL_MSHR;
  int to = way;
  if (way < 0 && !p->moves) {
    to = victim(l2, line);
    if (to < 0) return WF_STALL_WAY;
  }
  const bool writes = to != way && l2->line[to].dirty;
  if (wf_dram_room(l2->dram) < 1u + writes) return WF_STALL_DRAM;
  const bool judged = tell_look(l2, p, line, way, to);
  const bool past = way < 0 && goes_past(l2, p, line, to);
  if (way < 0 && !past) {
    way = to;
    replace(l2, way, line);
  } else if (past) { /* the place of the MSHR that is taken next */
    way = (int)(l2->first_wayless + l2->free_mshrs[l2->free_count - 1]);
    l2->tag[way] = line;
    l2->wayless++;
    data(l2, WF_DATA_EMPTY, (unsigned)way, line, 0, NULL);
  }
  unsigned m = mshr_new(l2, way, unit);
  fetch(l2, m, line, missing, p->urgent);
  mshr_append(l2, m, p);
  if (judged) judge_request(l2, m, line, p);
  if (!unit) l2->counters->l2.misses++;
  return WF_STALL_NONE;
}

/* ---- prefetches ---- */

/* What an SM reads, all of them together: a slice knows no warps and no instructions. way: that the
 * line had, or below 0. */
static void train(wf_l2 *l2, uint32_t line, const wf_packet *p, int way, bool missed) {
  if (!l2->prefetcher || p->kind != WF_PKT_READ || of_unit(l2, p)) return;
  if (way >= 0 && l2->line[way].foretold) {
    l2->line[way].foretold = false;
    l2->counters->l2.prefetches_useful++;
  }
  wf_prefetcher_train(l2->prefetcher,
                      &(wf_prefetch_access){.line = line, .warp = p->sm, .miss = missed});
}

static bool foretells(const wf_l2 *l2) {
  uint32_t line;
  return l2->prefetcher && wf_prefetcher_next(l2->prefetcher, &line);
}

/* Looks the oldest foretold line up, and brings it if it can. */
static bool prefetch(wf_l2 *l2) {
  uint32_t line;
  if (!l2->prefetcher || !wf_prefetcher_next(l2->prefetcher, &line)) return false;
  if (waits_for_judge(l2, line)) return false;
  if (find(l2, line) < 0) {
    const int way = victim(l2, line);
    if (l2->free_count <= l2->n_mshrs / 4 || !mshr_available(l2, false) || way < 0 ||
        wf_dram_room(l2->dram) < 1u + (l2->line[way].dirty != 0))
      return false;
    replace(l2, way, line);
    l2->line[way].foretold = true;
    fetch(l2, mshr_new(l2, way, false), line, (1u << l2->sectors) - 1, false);
    l2->counters->l2.prefetches++;
  }
  wf_prefetcher_pop(l2->prefetcher);
  return true;
}

/* A line that an L1 has replaced. Nobody waits for it, so that it never waits. */
static void take_victim(wf_l2 *l2, uint32_t line, const wf_packet *p) {
  l2->counters->l2.victims++;
  if (may_be_written(l2, line)) {
    l2->counters->l2.victims_stale++;
    return;
  }
  const int way = find(l2, line) < 0 ? victim(l2, line) : -1;
  if (way < 0 || (l2->line[way].dirty && !wf_dram_room(l2->dram))) {
    l2->counters->l2.victims_dropped++;
    return;
  }
  replace(l2, way, line);
  l2->line[way].valid = p->sectors;
  touch(l2, way);
  data(l2, WF_DATA_VICTIM, (unsigned)way, line, p->sectors, p);
  tell_line(l2, WF_CACHE_FILL, (unsigned)way, WF_CACHE_NO_MSHR, p);
}

/* ---- reads and writes ---- */

/* An atomic on these sectors waits for the line: in order, so does what comes behind it. */
static bool waits_for_atomic(const wf_l2 *l2, int way, unsigned sectors) {
  return l2->ordered && way >= 0 && l2->line[way].mshr != WF_L2_NO_MSHR &&
         l2->mshr[l2->line[way].mshr].atomics & sectors;
}

/* Reads of SMs and units, and atomics: need their sectors valid. */
static wf_l2_stall access_read(wf_l2 *l2, uint32_t line, const wf_packet *p, uint64_t now) {
  const bool unit = p->kind == WF_PKT_UNIT_READ;
  int way = find(l2, line);
  if (unit && (way < 0 || !l2->line[way].pins) && !pin_room(l2, line)) return WF_STALL_WAY;
  unsigned missing = way < 0 ? p->sectors : p->sectors & ~(unsigned)l2->line[way].valid;
  if (missing && l2->fill_line)
    missing = ((1u << l2->sectors) - 1) & ~(way < 0 ? 0u : (unsigned)l2->line[way].valid);
  if (missing || waits_for_atomic(l2, way, p->sectors)) {
    bool pending = way >= 0 && l2->line[way].mshr != WF_L2_NO_MSHR;
    wf_l2_stall stall =
        pending ? merge(l2, l2->line[way].mshr, line, missing, p) : miss(l2, way, line, missing, p);
    if (stall != WF_STALL_NONE) return stall;
    count_kind(l2, p);
    if (p->kind == WF_PKT_ATOMIC) note_written(l2, line);
    if (unit) pin(l2, find(l2, line));
    train(l2, line, p, way, !pending);
    return stall;
  }
  if (!hit_room(l2, p, now)) return WF_STALL_REPLY;
  if (p->kind == WF_PKT_ATOMIC && way >= (int)l2->first_wayless) { /* what it leaves is kept */
    const unsigned m = l2->line[way].mshr;
    const wf_l2_stall stall = settle(l2, m, line, 0);
    if (stall != WF_STALL_NONE) return stall;
    way = (int)l2->mshr[m].line;
  }
  const bool judged = tell_look(l2, p, line, way, -1);
  count_kind(l2, p);
  if (unit)
    l2->counters->l2.unit_hits++;
  else
    l2->counters->l2.hits++;
  if (p->kind == WF_PKT_ATOMIC) {
    l2->line[way].dirty |= p->sectors;
    note_written(l2, line);
  }
  l2->tag_free = now + pipeline_cycles(p);
  if (unit)
    pin(l2, way);
  else
    touch(l2, way);
  train(l2, line, p, way, false);
  data(l2, WF_DATA_PERFORM, (unsigned)way, line, p->sectors, p);
  reply(l2, p, way, now);
  if (judged)
    wait_for_judge(l2, (wf_l2_undecided){.line = line,
                                         .mshr = WF_L2_NO_MSHR,
                                         .place = last_reply(l2),
                                         .hit = true,
                                         .keep = p->kind == WF_PKT_ATOMIC});
  if (p->moves) move_out(l2, way);
  return WF_STALL_NONE;
}

/* Write-evict: the store, and what atomics have left there, go on to DRAM, and the line goes. One
 * that is on its way, or that a unit reads, stays with what is written. */
static wf_l2_stall write_on(wf_l2 *l2, uint32_t line, int way, const wf_packet *p) {
  if (!wf_dram_room(l2->dram)) return WF_STALL_DRAM;
  unsigned sectors = p->sectors;
  if (way >= 0) {
    wf_l2_line *w = &l2->line[way];
    data(l2, WF_DATA_STORE, (unsigned)way, line, p->sectors, p);
    if (w->dirty) data(l2, WF_DATA_BACK, (unsigned)way, line, w->dirty, NULL);
    sectors |= w->dirty;
    w->dirty = 0;
    w->valid |= p->full_sectors;
    w->partial = (uint8_t)((w->partial | p->sectors) & ~w->valid);
    if (w->mshr == WF_L2_NO_MSHR && !w->pins) {
      forget(l2, (unsigned)way);
      l2->counters->l2.evictions++;
    }
  }
  data(l2, WF_DATA_THROUGH, (unsigned)way, line, p->sectors, p);
  wf_dram_push(l2->dram, true, line, l2->bursts_of[sectors], 0);
  l2->counters->l2.writebacks++;
  return WF_STALL_NONE;
}

/* Write-validate: never fetches. */
static wf_l2_stall write_here(wf_l2 *l2, uint32_t line, int way, const wf_packet *p) {
  if (way >= 0 && l2->line[way].mshr != WF_L2_NO_MSHR) {
    const unsigned m = l2->line[way].mshr;
    const wf_l2_stall stall = settle(l2, m, line, 0);
    if (stall != WF_STALL_NONE) return stall;
    way = (int)l2->mshr[m].line;
  }
  const bool comes = way < 0;
  if (comes) {
    way = victim(l2, line);
    if (way < 0) return WF_STALL_WAY;
    if (l2->line[way].dirty && !wf_dram_room(l2->dram)) return WF_STALL_DRAM;
    replace(l2, way, line);
  }
  wf_l2_line *w = &l2->line[way];
  w->valid |= p->full_sectors;
  w->partial = (uint8_t)((w->partial | p->sectors) & ~w->valid);
  w->dirty |= p->sectors;
  data(l2, WF_DATA_STORE, (unsigned)way, line, p->sectors, p);
  touch(l2, way);
  if (comes) tell_line(l2, WF_CACHE_FILL, (unsigned)way, WF_CACHE_NO_MSHR, p);
  return WF_STALL_NONE;
}

/* Units' writes are not answered. */
static wf_l2_stall access_write(wf_l2 *l2, uint32_t line, const wf_packet *p, uint64_t now,
                                bool unit) {
  if (!unit && !hit_room(l2, p, now)) return WF_STALL_REPLY;
  const int way = find(l2, line);
  if (waits_for_atomic(l2, way, p->sectors)) return WF_STALL_MERGE;
  const wf_l2_stall stall =
      l2->write_evict ? write_on(l2, line, way, p) : write_here(l2, line, way, p);
  if (stall != WF_STALL_NONE) return stall;
  note_written(l2, line);
  if (unit) {
    l2->counters->l2.unit_writes++;
    return WF_STALL_NONE;
  }
  l2->counters->l2.writes++;
  if (way >= 0)
    l2->counters->l2.hits++;
  else
    l2->counters->l2.misses++;
  reply(l2, p, way, now);
  return WF_STALL_NONE;
}

/* ---- the cycle ---- */

/* Takes one return from DRAM; a complete line answers the unit at once and the SMs one by one. */
static void fill(wf_l2 *l2, uint64_t now) {
  wf_dram_return back = *wf_dram_return_front(l2->dram);
  wf_dram_return_pop(l2->dram);
  wf_l2_mshr *e = &l2->mshr[back.tag];
  wf_l2_line *w = &l2->line[e->line];
  data(l2, WF_DATA_FILL, e->line, l2->tag[e->line], l2->sectors_of[back.bursts], NULL);
  w->valid |= l2->sectors_of[back.bursts];
  w->partial &= (uint8_t)~w->valid;
  l2->tag_free = now + 1;
  if (--e->outstanding) return;
  wf_l2_release(l2, WF_STALL_MERGE);
  wf_l2_release(l2, WF_STALL_WAY);
  const wf_packet *asked = &l2->merged[(size_t)back.tag * l2->merge_limit];
  for (unsigned i = 0; l2->data_trace && i < e->requests; i++)
    data(l2, WF_DATA_PERFORM, e->line, l2->tag[e->line], asked[i].sectors, &asked[i]);
  w->mshr = WF_L2_NO_MSHR;
  if (e->line >= l2->first_wayless) {
    came_unjudged(l2, back.tag);
    forget(l2, e->line);
  } else {
    tell_line(l2, WF_CACHE_FILL, e->line, back.tag, NULL);
    touch(l2, (int)e->line);
  }
  wf_packet *list = &l2->merged[(size_t)back.tag * l2->merge_limit];
  unsigned kept = 0;
  for (unsigned i = 0; i < e->requests; i++) {
    if (list[i].kind == WF_PKT_UNIT_READ) {
      reply(l2, &list[i], (int)e->line, now);
      came_unjudged(l2, back.tag); /* what is behind it moves up */
    } else {
      list[kept++] = list[i];
    }
    if (list[i].kind == WF_PKT_ATOMIC) w->dirty |= list[i].sectors;
  }
  e->requests = (uint16_t)kept;
  if (!kept) {
    mshr_release(l2, back.tag);
    return;
  }
  l2->replay[wf_ring_push(&l2->replay_ring, l2->n_mshrs)] = back.tag;
}

/* Answers one request of the oldest filled MSHR. */
static void replay_one(wf_l2 *l2, uint64_t now) {
  unsigned m = l2->replay[l2->replay_ring.head];
  wf_l2_mshr *e = &l2->mshr[m];
  const wf_packet *p = &l2->merged[(size_t)m * l2->merge_limit + e->replayed];
  if (now >= l2->fan_wait.due || !reply_room(l2, p)) {
    wait_for_room(l2, &l2->replay_wait, now);
    return;
  }
  if (p->kind == WF_PKT_ATOMIC) { /* its operations take the pipeline for their cycles */
    if (l2->tag_free > now + 1) return;
    l2->tag_free = (l2->tag_free > now ? l2->tag_free : now) + pipeline_cycles(p);
  }
  l2->replay_wait.due = UINT64_MAX;
  reply(l2, p, (int)e->line, now);
  if (++e->replayed < e->requests) return;
  wf_ring_pop(&l2->replay_ring, l2->n_mshrs);
  mshr_release(l2, m);
}

/* Answers one request that waits in the coalescer with what another's access brought. */
static void fan_out(wf_l2 *l2, uint64_t now) {
  const wf_packet *p = wf_coalescer_next(&l2->coalescer);
  if (!p || l2->fan_wait.blocked) return;
  if (!reply_room(l2, p)) {
    wait_for_room(l2, &l2->fan_wait, now);
    return;
  }
  l2->fan_wait.due = UINT64_MAX;
  reply(l2, p, -1, now);
  wf_coalescer_pop(&l2->coalescer);
}

/* May it come in? */
static bool has_place(const wf_l2 *l2, const wf_packet *p) {
  return !wf_packet_ring_full(&l2->queue[WF_SRC_NOC]) || wf_coalescer_joins(&l2->coalescer, p);
}

static bool is_far(const wf_l2 *l2, const wf_packet *p) {
  return l2->far_latency && (p->sm >= l2->half_sms) != l2->upper;
}

/* Is there a request in the crossbar's buffer that may leave it? */
static bool may_arrive(const wf_l2 *l2) {
  const wf_packet *p = wf_xbar_front(l2->request_net, l2->index);
  if (!p) return false;
  return is_far(l2, p) ? l2->far_ring.count < far_places(l2) : has_place(l2, p);
}

/* A request goes to the queue, or waits for another's answer. */
static void come_in(wf_l2 *l2, wf_packet *p) {
  if (wf_coalescer_take(&l2->coalescer, p)) {
    l2->counters->l2.coalesced++;
    return;
  }
  if (l2->coalescer.entries && p->kind == WF_PKT_READ && p->entry == WF_COALESCER_NONE)
    l2->counters->l2.coalescer_full++;
  wf_packet_ring_push(&l2->queue[WF_SRC_NOC], p);
  l2->queued |= 1u << WF_SRC_NOC;
}

/* One that has come the longer way goes before what comes the shorter. */
static bool arrive_from_far(wf_l2 *l2, uint64_t now) {
  wf_l2_reply *head = &l2->far[l2->far_ring.head];
  if (!l2->far_ring.count || head->time > now || !has_place(l2, &head->packet)) return false;
  come_in(l2, &head->packet);
  (void)wf_ring_pop(&l2->far_ring, far_places(l2));
  return true;
}

static void arrive(wf_l2 *l2, uint64_t now) {
  const bool taken = l2->far_latency && arrive_from_far(l2, now);
  if (!may_arrive(l2)) return;
  wf_packet p = *wf_xbar_front(l2->request_net, l2->index);
  const bool far = is_far(l2, &p);
  if (taken && !far) return;
  wf_xbar_pop(l2->request_net, l2->index);
  if (far)
    l2->far[wf_ring_push(&l2->far_ring, far_places(l2))] =
        (wf_l2_reply){.packet = p, .time = now + l2->far_latency};
  else
    come_in(l2, &p);
}

/* The cycle from which the oldest far request wants to come in. */
static uint64_t next_far(const wf_l2 *l2) {
  return l2->far_ring.count ? l2->far[l2->far_ring.head].time : UINT64_MAX;
}

/* Sources whose head may use the tag pipeline, as far as is known. */
static unsigned ready_sources(const wf_l2 *l2) {
  return l2->queued & ~l2->stalled;
}

static wf_l2_stall access_line(wf_l2 *l2, uint32_t line, const wf_packet *p, uint64_t now,
                               unsigned source) {
  if (waits_for_judge(l2, line)) return WF_STALL_WAY;
  if (source == WF_SRC_NOC && wf_l2_unit_holds_up(l2, p)) return WF_STALL_WRITE;
  switch (p->kind) {
  case WF_PKT_WRITE:
    return access_write(l2, line, p, now, source == WF_SRC_UNIT_WRITE);
  case WF_PKT_VICTIM:
    take_victim(l2, line, p);
    return WF_STALL_NONE;
  default:
    return access_read(l2, line, p, now);
  }
}

/* Offers the tag pipeline to the sources in turn, until one can use it. */
static void serve(wf_l2 *l2, uint64_t now) {
  unsigned ready = ready_sources(l2);
  while (ready) {
    unsigned later = ready & ~((2u << l2->last_source) - 1);
    unsigned source = (unsigned)__builtin_ctz(later ? later : ready);
    const wf_packet *p = wf_packet_ring_front(&l2->queue[source]);
    uint32_t line = wf_l2_local_line(l2, p->address);
    l2->tag_free = now + 1;
    const wf_l2_stall stall = access_line(l2, line, p, now, source);
    if (stall == WF_STALL_NONE) {
      wf_packet_ring_pop(&l2->queue[source]);
      if (source == WF_SRC_UNIT_WRITE) wf_l2_release(l2, WF_STALL_WRITE);
      if (source == WF_SRC_NOC) l2->unit.awaited = 0;
      if (!wf_packet_ring_count(&l2->queue[source])) l2->queued &= ~(1u << source);
      l2->last_source = source;
      return;
    }
    l2->tag_free = now;
    l2->stalled |= 1u << source;
    l2->waiting[stall] |= 1u << source;
    ready &= ~(1u << source);
  }
}

/* The tags' cycle: a request's, or in turn the prefetcher's. */
static void take_turns(wf_l2 *l2, uint64_t now) {
  const bool first = l2->prefetch_turn && prefetch(l2);
  l2->prefetch_turn = !first;
  if (first) {
    l2->tag_free = now + 1;
    return;
  }
  serve(l2, now);
  if (l2->tag_free <= now) prefetch(l2);
}

static unsigned data_beats(const wf_packet *p) {
  return (p->reply_bytes + WF_SECTOR_BYTES - 1u) / WF_SECTOR_BYTES;
}

/* The lines are read through one data port of port_beats a cycle, for units (at most one in a
 * cycle) and for replies alike, beat by beat in turn where both want it. May the oldest reply
 * begin? */
static bool data_port(wf_l2 *l2, uint64_t now, bool reply_ready) {
  const uint64_t first = now * l2->port_beats;
  if (l2->port_free < first) l2->port_free = first;
  if (wf_l2_unit_next(l2) > now || wf_l2_unit_waits(l2)) return reply_ready;
  const wf_packet *p = &l2->reply[l2->reply_ring.head].packet;
  const bool wants = reply_ready && data_beats(p);
  const bool alone = l2->port_free == first &&
                     !(wants && wf_xbar_room(l2->reply_net, l2->index, reply_flits(l2, p)));
  const bool unit = alone || l2->port_turn || l2->port_beats > 1;
  if (unit) {
    wf_l2_unit_load(l2);
    l2->port_free++;
  }
  l2->port_turn = !unit;
  return reply_ready && (!wants || l2->port_free < first + l2->port_beats);
}

/* One packet a cycle into the reply crossbar: replies and the unit's packets in turn. */
static void leave(wf_l2 *l2, uint64_t now) {
  wf_l2_reply *head = &l2->reply[l2->reply_ring.head];
  l2->leave_blocked = false;
  bool reply_ready = data_port(l2, now, l2->reply_ring.count && head->time <= now),
       unit_ready = wf_packet_ring_count(&l2->unit.out);
  if (!reply_ready && !unit_ready) return;
  bool unit = unit_ready && (l2->unit.turn || !reply_ready);
  const wf_packet *p = unit ? wf_packet_ring_front(&l2->unit.out) : &head->packet;
  unsigned bytes = l2->header_bytes + (unit ? p->bytes : p->reply_bytes);
  unsigned flits = (bytes + (1u << l2->flit_shift) - 1) >> l2->flit_shift;
  if (!wf_xbar_room(l2->reply_net, l2->index, flits)) {
    l2->leave_blocked = true;
    return;
  }
  wf_xbar_push(l2->reply_net, l2->index, p->sm, flits, p);
  l2->unit.turn = !unit;
  if (unit) {
    wf_packet_ring_pop(&l2->unit.out);
    return;
  }
  l2->port_free += data_beats(p);
  left_unjudged(l2);
  wf_ring_pop_mask(&l2->reply_ring, l2->reply_mask);
  l2->reply_flits -= flits;
  wf_l2_release(l2, WF_STALL_REPLY);
  l2->replay_wait.blocked = l2->fan_wait.blocked = false;
}

/* Earliest cycle at which this slice can go on by itself. What it waits for otherwise (room in the
 * crossbar or in DRAM, an arrival) is seen by mem.c, which then ticks it. */
static uint64_t next_cycle(const wf_l2 *l2, uint64_t now) {
  bool busy = ready_sources(l2) || foretells(l2) || l2->undecided_ring.count ||
              (l2->replay_ring.count && !l2->replay_wait.blocked) ||
              (l2->coalescer.fan_ring.count && !l2->fan_wait.blocked) || may_arrive(l2);
  if (busy) return now + 1;
  uint64_t time = wf_l2_unit_next(l2);
  const uint64_t far = next_far(l2);
  if (far < time) time = far;
  if (!l2->leave_blocked) {
    if (wf_packet_ring_count(&l2->unit.out)) return now + 1;
    const uint64_t reply = l2->reply_ring.count ? l2->reply[l2->reply_ring.head].time : UINT64_MAX;
    if (reply < time) time = reply;
  }
  return time > now ? time : now + 1;
}

void wf_l2_tick(wf_l2 *l2, uint64_t now, bool returns_ready) {
  if (l2->undecided_ring.count) hear_judge(l2);
  leave(l2, now);
  arrive(l2, now);
  if (l2->tag_free <= now) {
    if (returns_ready)
      fill(l2, now);
    else
      take_turns(l2, now);
  }
  if (l2->replay_ring.count && !l2->replay_wait.blocked) replay_one(l2, now);
  fan_out(l2, now);
  l2->next = next_cycle(l2, now);
}
