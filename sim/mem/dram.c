#include "sim/mem/dram.h"

#include <assert.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"

/* Row hits that may pass a bank's oldest request before the row is closed for it. */
#define BYPASS_CAP 16u
#define STRIPE_BYTES 256u

enum { READ = 0, WRITE = 1 };

static unsigned log2u(unsigned x) {
  return (unsigned)__builtin_ctz(x);
}

void wf_dram_init(wf_dram *d, const wf_mem_config *c, unsigned index, wf_mem_counters *counters) {
  unsigned burst_bytes = c->dram_bus_bytes * c->dram_burst_beats;
  *d = (wf_dram){.index = index,
                 .burst_clocks = c->dram_burst_beats / c->dram_beats_per_clock,
                 .bursts_per_line = c->line_bytes / burst_bytes,
                 .queue_limit = c->dram_queue,
                 .high = c->dram_queue / 2,
                 .low = c->dram_queue / 8,
                 .stripe_lines_shift = log2u(STRIPE_BYTES / c->line_bytes),
                 .group_shift = log2u(c->dram_bank_groups),
                 .column_shift = log2u(c->dram_row_bytes / STRIPE_BYTES),
                 .bank_shift = log2u(c->dram_banks / c->dram_bank_groups),
                 .bank_mask = c->dram_banks - 1,
                 .group_mask = c->dram_bank_groups - 1,
                 .config = *c,
                 .free_slots =
                     c->dram_queue == 64 ? ~UINT64_C(0) : (UINT64_C(1) << c->dram_queue) - 1,
                 .act_next = UINT64_MAX,
                 .col_next = UINT64_MAX,
                 .pre_next = UINT64_MAX,
                 .next = c->tREFI ? c->tREFI : UINT64_MAX,
                 .refresh_due = c->tREFI,
                 .return_time = UINT64_MAX,
                 .counters = counters};
  /* What the fixed latency can hold at full rate, and a queue's worth beyond. */
  d->return_limit = c->dram_latency / d->burst_clocks + c->dram_queue;
  uint32_t size = wf_ring_size(d->return_limit);
  d->ret = wf_calloc(size, sizeof *d->ret);
  d->ret_mask = size - 1;
  for (unsigned b = 0; b < c->dram_banks; b++)
    d->bank[b] = (wf_dram_bank){.open_row = WF_DRAM_CLOSED,
                                .last_row = WF_DRAM_CLOSED,
                                .head = {WF_DRAM_NONE, WF_DRAM_NONE},
                                .tail = {WF_DRAM_NONE, WF_DRAM_NONE},
                                .hit = {WF_DRAM_NONE, WF_DRAM_NONE}};
}

void wf_dram_order(wf_dram *d, wf_rng *rng) {
  if (!d->config.tREFI) return;
  d->refresh_due = d->next = 1 + wf_rng_below(rng, d->config.tREFI);
}

void wf_dram_free(wf_dram *d) {
  free(d->ret);
}

wf_dram_place wf_dram_map(const wf_dram *d, uint32_t line) {
  uint32_t in_stripe = line & ((1u << d->stripe_lines_shift) - 1);
  uint32_t rest = line >> d->stripe_lines_shift;
  uint32_t group = rest & d->group_mask;
  rest >>= d->group_shift;
  uint32_t stripe = rest & ((1u << d->column_shift) - 1);
  rest >>= d->column_shift;
  uint32_t bank = rest & ((1u << d->bank_shift) - 1);
  uint32_t row = rest >> d->bank_shift;
  bank = (bank << d->group_shift | group) ^ (row & d->bank_mask);
  uint32_t column = (stripe << d->stripe_lines_shift | in_stripe) * d->bursts_per_line;
  return (wf_dram_place){.row = row, .bank = (uint8_t)bank, .column = (uint16_t)column};
}

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}
static uint64_t sooner(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Banks with a row hit that may be served now as far as fairness goes. */
static uint32_t column_banks(const wf_dram *d) {
  return d->hits[d->mode] & ~d->capped;
}

/* Reads first; writes when enough of them wait, when a read waits for one, or when nothing else
 * does.
 */
static void choose_mode(wf_dram *d) {
  unsigned before = d->mode, reads = d->count[READ], writes = d->count[WRITE];
  if (d->mode == READ) {
    if (writes && (writes >= d->high || d->hazards || !reads)) {
      d->mode = WRITE;
      d->draining = writes >= d->high;
    }
  } else if (!d->hazards && (!writes || (reads && (!d->draining || writes <= d->low)))) {
    if (reads) d->mode = READ;
  } else if (writes >= d->high) {
    d->draining = true;
  }
  if (d->mode != before) d->act_next = d->col_next = d->pre_next = 0;
}

static uint64_t column_time(const wf_dram *d, unsigned bank) {
  return later(d->bank[bank].t_col[d->mode], d->group_col[d->mode][bank & d->group_mask]);
}

/* The state of a bank has changed: when may its next command go? */
static void expect(wf_dram *d, unsigned bank) {
  const wf_dram_bank *b = &d->bank[bank];
  uint32_t bit = 1u << bank;
  if (!(d->pending[d->mode] & bit)) return;
  if (column_banks(d) & bit) {
    d->col_next = sooner(d->col_next, column_time(d, bank));
  } else if (d->open & bit) {
    d->pre_next = sooner(d->pre_next, b->t_pre);
  } else {
    d->act_next = sooner(d->act_next, b->t_act);
  }
}

/* A read that would overtake a queued write of the same line makes the channel write first. */
static void find_hazard(wf_dram *d, const wf_dram_request *read) {
  for (unsigned s = d->bank[read->bank].head[WRITE]; s != WF_DRAM_NONE; s = d->request[s].next) {
    wf_dram_request *w = &d->request[s];
    if (w->line != read->line || w->hazard) continue;
    w->hazard = true;
    d->hazards++;
  }
}

/* Puts slot s into the list of its bank: behind the last, urgent ones behind the last urgent one.
 */
static void enqueue(wf_dram *d, wf_dram_bank *b, unsigned m, unsigned s) {
  unsigned before = WF_DRAM_NONE;
  if (d->request[s].urgent)
    for (unsigned i = b->head[m]; i != WF_DRAM_NONE && d->request[i].urgent; i = d->request[i].next)
      before = i;
  else
    before = b->tail[m];
  if (before == WF_DRAM_NONE) {
    d->request[s].next = b->head[m];
    b->head[m] = (uint8_t)s;
  } else {
    d->request[s].next = d->request[before].next;
    d->request[before].next = (uint8_t)s;
  }
  if (d->request[s].next == WF_DRAM_NONE) b->tail[m] = (uint8_t)s;
}

static void push(wf_dram *d, bool write, bool urgent, uint32_t line, uint8_t bursts, uint16_t tag) {
  assert(d->free_slots && bursts);
  unsigned s = (unsigned)__builtin_ctzll(d->free_slots), m = write;
  d->free_slots &= d->free_slots - 1;
  wf_dram_place place = wf_dram_map(d, line);
  wf_dram_request *r = &d->request[s];
  *r = (wf_dram_request){.row = place.row,
                         .line = line,
                         .seq = d->seq++,
                         .tag = tag,
                         .column = place.column,
                         .bank = place.bank,
                         .next = WF_DRAM_NONE,
                         .bursts = bursts,
                         .wanted = bursts,
                         .urgent = urgent};
  wf_dram_bank *b = &d->bank[place.bank];
  enqueue(d, b, m, s);
  d->pending[m] |= 1u << place.bank;
  if (b->open_row == place.row &&
      (b->hit[m] == WF_DRAM_NONE || (urgent && !d->request[b->hit[m]].urgent))) {
    b->hit[m] = (uint8_t)s;
    d->hits[m] |= 1u << place.bank;
  }
  d->count[m]++;
  if (!write && d->count[WRITE]) find_hazard(d, r);
  choose_mode(d);
  if (m == d->mode) expect(d, place.bank);
  d->next = 0;
}

void wf_dram_push(wf_dram *d, bool write, uint32_t line, uint8_t bursts, uint16_t tag) {
  push(d, write, false, line, bursts, tag);
}

void wf_dram_push_urgent(wf_dram *d, uint32_t line, uint8_t bursts, uint16_t tag) {
  push(d, false, true, line, bursts, tag);
}

void wf_dram_return_pop(wf_dram *d) {
  wf_ring_pop_mask(&d->ret_ring, d->ret_mask);
  d->return_time = d->ret_ring.count ? wf_dram_return_front(d)->time : UINT64_MAX;
  if (d->ret_reserved-- >= d->return_limit) d->next = d->col_next = 0;
}

static void note(wf_dram *d, uint64_t now, wf_dram_command command, unsigned bank, uint32_t row,
                 unsigned column) {
  if (d->trace) d->trace(d->trace_user, d->index, now, command, bank, row, column);
}

/* Oldest request from slot s on that wants the bank's open row. */
static void set_hit(wf_dram *d, unsigned bank, unsigned m, unsigned s) {
  wf_dram_bank *b = &d->bank[bank];
  while (s != WF_DRAM_NONE && d->request[s].row != b->open_row) s = d->request[s].next;
  b->hit[m] = (uint8_t)s;
  if (s == WF_DRAM_NONE)
    d->hits[m] &= ~(1u << bank);
  else
    d->hits[m] |= 1u << bank;
}

static void activate(wf_dram *d, unsigned bank, uint64_t now) {
  wf_dram_bank *b = &d->bank[bank];
  wf_dram_request *r = &d->request[b->head[d->mode]];
  r->missed = true;
  d->counters->dram.row_changes += b->last_row != WF_DRAM_CLOSED && b->last_row != r->row;
  b->open_row = b->last_row = r->row;
  b->bypass = 0;
  b->t_col[READ] = now + d->config.tRCD;
  b->t_col[WRITE] = now + (d->config.tRCDW ? d->config.tRCDW : d->config.tRCD);
  b->t_pre = now + d->config.tRAS;
  b->t_act = now + d->config.tRC;
  d->t_rrd = now + d->config.tRRD;
  d->act_clock[d->acts++ % 4] = now + 1;
  const uint64_t fourth = d->act_clock[d->acts % 4]; /* the fourth before the next */
  if (d->config.tFAW && fourth) d->t_rrd = later(d->t_rrd, fourth - 1 + d->config.tFAW);
  d->open |= 1u << bank;
  set_hit(d, bank, READ, b->head[READ]);
  set_hit(d, bank, WRITE, b->head[WRITE]);
  expect(d, bank);
  d->counters->dram.activates++;
  note(d, now, WF_DRAM_ACT, bank, b->open_row, 0);
}

static void precharge(wf_dram *d, unsigned bank, uint64_t now) {
  wf_dram_bank *b = &d->bank[bank];
  note(d, now, WF_DRAM_PRE, bank, b->open_row, 0);
  b->open_row = WF_DRAM_CLOSED;
  b->hit[READ] = b->hit[WRITE] = WF_DRAM_NONE;
  b->t_act = later(b->t_act, now + d->config.tRP);
  uint32_t bit = 1u << bank;
  d->open &= ~bit;
  d->hits[READ] &= ~bit;
  d->hits[WRITE] &= ~bit;
  d->capped &= ~bit;
  expect(d, bank);
}

/* The last burst of the request at the bank's hit pointer has been issued. */
static void complete(wf_dram *d, unsigned bank, uint64_t now) {
  wf_dram_bank *b = &d->bank[bank];
  unsigned m = d->mode, s = b->hit[m];
  wf_dram_request *r = &d->request[s];
  if (m == READ) {
    uint64_t back = now + d->config.tCL + d->burst_clocks + d->config.dram_latency;
    d->ret[wf_ring_push_mask(&d->ret_ring, d->ret_mask)] =
        (wf_dram_return){.time = back, .tag = r->tag, .bursts = r->wanted};
    if (d->ret_ring.count == 1) d->return_time = back;
    d->counters->dram.reads++;
  } else {
    d->counters->dram.writes++;
    d->hazards -= r->hazard;
  }
  if (r->missed)
    d->counters->dram.row_misses++;
  else
    d->counters->dram.row_hits++;

  if (b->head[m] == s) {
    b->head[m] = r->next;
    b->bypass = 0;
    if (r->next == WF_DRAM_NONE) {
      b->tail[m] = WF_DRAM_NONE;
      d->pending[m] &= ~(1u << bank);
    }
  } else {
    unsigned p = b->head[m];
    while (d->request[p].next != s) p = d->request[p].next;
    d->request[p].next = r->next;
    if (b->tail[m] == s) b->tail[m] = (uint8_t)p;
    if (++b->bypass >= BYPASS_CAP) d->capped |= 1u << bank;
  }
  set_hit(d, bank, m, r->next);
  d->free_slots |= UINT64_C(1) << s;
  d->count[m]--;
  d->slot_freed = true;
  d->active_to =
      later(d->active_to, now + (m == READ ? d->config.tCL : d->config.tWL) + d->burst_clocks);
  if (!wf_dram_waiting(d)) {
    d->counters->dram.active_cycles += d->active_to - d->active_from;
    d->active = false;
  }
  choose_mode(d);
}

static void column(wf_dram *d, unsigned bank, uint64_t now) {
  const wf_mem_config *c = &d->config;
  wf_dram_bank *b = &d->bank[bank];
  unsigned m = d->mode;
  wf_dram_request *r = &d->request[b->hit[m]];
  unsigned burst = (unsigned)__builtin_ctz(r->bursts);
  uint64_t data_end = now + c->tWL + d->burst_clocks;
  unsigned bytes = c->dram_bus_bytes * c->dram_burst_beats;
  if (m == READ && !r->started) d->ret_reserved++;
  r->started = true;
  r->bursts &= (uint8_t)(r->bursts - 1);
  const unsigned group = bank & d->group_mask;
  for (unsigned k = 0; k < 2; k++)
    d->group_col[k][group] = later(d->group_col[k][group], now + c->tCCDL);
  d->t_mode[m] = later(d->t_mode[m], now + c->tCCDS);
  if (m == READ) {
    d->t_mode[WRITE] = later(d->t_mode[WRITE], now + c->tRTW);
    b->t_pre = later(b->t_pre, now + c->tRTP);
    d->counters->dram.read_bytes += bytes;
  } else {
    d->t_mode[READ] = later(d->t_mode[READ], data_end + c->tWTR);
    if (c->tWTRL) d->group_col[READ][group] = later(d->group_col[READ][group], data_end + c->tWTRL);
    b->t_pre = later(b->t_pre, data_end + c->tWR);
    d->counters->dram.write_bytes += bytes;
  }
  d->counters->dram.busy_cycles += d->burst_clocks;
  note(d, now, m == READ ? WF_DRAM_READ : WF_DRAM_WRITE, bank, b->open_row, r->column + burst);
  if (!r->bursts) complete(d, bank, now);
  expect(d, bank);
}

/* Search for the oldest request whose command may go at `now`. No branch depends on the times,
 * which are too irregular to predict. */
typedef struct pick {
  uint64_t best;    /* urgent << 48 | age << 8 | bank; 0: none */
  uint64_t soonest; /* of those that must wait */
  unsigned ready;
} pick;

#define NO_PICK ((pick){.soonest = UINT64_MAX})

static inline void consider(const wf_dram *d, pick *p, unsigned bank, unsigned slot, uint64_t t,
                            uint64_t now) {
  uint64_t ready = t <= now, all = (uint64_t)0 - ready;
  uint64_t key = ((uint64_t)d->request[slot].urgent << 48 |
                  (uint64_t)(d->seq - d->request[slot].seq) << 8 | bank) &
                 all;
  p->best = later(p->best, key); /* ages start at 1 */
  p->soonest = sooner(p->soonest, t | all);
  p->ready += (unsigned)ready;
}

static inline unsigned picked(const pick *p, uint64_t now, uint64_t *next) {
  *next = p->ready > 1 ? now : p->soonest;
  return p->best ? (unsigned)(p->best & 0xff) : WF_DRAM_NONE;
}

/* Each of the three returns the bank whose command goes, or WF_DRAM_NONE, and leaves in *next a
 * lower bound on the clock of another command of its kind; what the command does to its own bank is
 * up to expect(). */
static unsigned find_activate(const wf_dram *d, uint64_t now, uint64_t *next) {
  pick p = NO_PICK;
  for (uint32_t banks = d->pending[d->mode] & ~d->open; banks; banks &= banks - 1) {
    unsigned i = (unsigned)__builtin_ctz(banks);
    consider(d, &p, i, d->bank[i].head[d->mode], d->bank[i].t_act, now);
  }
  return picked(&p, now, next);
}

static unsigned find_column(const wf_dram *d, uint64_t now, uint64_t *next) {
  bool full = d->mode == READ && d->ret_reserved >= d->return_limit;
  pick p = NO_PICK;
  for (uint32_t banks = column_banks(d); banks; banks &= banks - 1) {
    unsigned i = (unsigned)__builtin_ctz(banks), slot = d->bank[i].hit[d->mode];
    if (full && !d->request[slot].started) continue; /* wf_dram_return_pop wakes us */
    consider(d, &p, i, slot, column_time(d, i), now);
  }
  return picked(&p, now, next);
}

static unsigned find_precharge(const wf_dram *d, uint64_t now, uint64_t *next) {
  pick p = NO_PICK;
  for (uint32_t banks = d->pending[d->mode] & d->open & ~column_banks(d); banks;
       banks &= banks - 1) {
    unsigned i = (unsigned)__builtin_ctz(banks);
    consider(d, &p, i, d->bank[i].head[d->mode], d->bank[i].t_pre, now);
  }
  return picked(&p, now, next);
}

/* Closes all rows, then refreshes all banks at once. */
static void refresh(wf_dram *d, uint64_t now) {
  uint64_t next = UINT64_MAX;
  for (uint32_t m = d->open; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    if (d->bank[i].t_pre <= now) {
      precharge(d, i, now);
      d->next = now + 1;
      return;
    }
    next = sooner(next, d->bank[i].t_pre);
  }
  uint64_t ready = 0;
  for (unsigned i = 0; i <= d->bank_mask; i++) ready = later(ready, d->bank[i].t_act);
  if (d->open) {
    d->next = next;
  } else if (ready > now) {
    d->next = ready;
  } else {
    note(d, now, WF_DRAM_REFRESH, 0, 0, 0);
    for (unsigned i = 0; i <= d->bank_mask; i++) d->bank[i].t_act = now + d->config.tRFC;
    d->refresh_due += d->config.tREFI;
    d->next = now + 1;
  }
}

/* The command that goes at this clock, or the two: to a row and to a column. ACT first: it delays
 * data by a clock at most, and tRRD makes its chances scarce. */
static void issue(wf_dram *d, uint64_t now) {
  const bool both = d->config.dram_row_bus;
  unsigned bank;
  bool row = false;
  if (later(d->act_next, d->t_rrd) <= now) {
    bank = find_activate(d, now, &d->act_next);
    if (bank != WF_DRAM_NONE) {
      activate(d, bank, now);
      if (!both) return;
      row = true;
    }
  }
  if (later(d->col_next, d->t_mode[d->mode]) <= now) {
    bank = find_column(d, now, &d->col_next);
    if (bank != WF_DRAM_NONE) {
      column(d, bank, now);
      if (!both) return;
    }
  }
  if (!row && d->pre_next <= now) {
    bank = find_precharge(d, now, &d->pre_next);
    if (bank != WF_DRAM_NONE) precharge(d, bank, now);
  }
}

void wf_dram_tick(wf_dram *d, uint64_t now) {
  d->slot_freed = false;
  if (!d->active && wf_dram_waiting(d)) {
    d->active = true;
    d->active_from = later(now, d->active_to);
  }
  uint64_t next = UINT64_MAX;
  if (d->config.tREFI) {
    if (now >= d->refresh_due) {
      refresh(d, now);
      return;
    }
    next = d->refresh_due;
  }
  issue(d, now);
  uint64_t act = later(d->act_next, d->t_rrd), col = later(d->col_next, d->t_mode[d->mode]);
  d->next = later(now + 1, sooner(sooner(next, act), sooner(col, d->pre_next)));
}
