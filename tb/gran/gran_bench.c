#include "tb/gran/gran_bench.h"

#include <string.h>

static bool open(void *bench, wf_error *err) {
  gran_bench *b = bench;
  wf_edge_open(bench, b->counter);
  b->shape.spp_sets = wf_bench_parameter(bench, "SppEntries") / b->shape.spp_ways;
  b->predict_en = true;
  return gran_ports_bind(&b->p, b->base.model, err);
}

void gran_bench_configure(gran_bench *b, bool predict_en) {
  b->predict_en = predict_en;
  wf_port_set(b->p.predict_en, predict_en);
}

static void reset(void *bench) {
  gran_bench *b = bench;
  memset(b->line, 0, sizeof b->line);
  memset(b->nap, 0, sizeof b->nap);
  memset(b->spp, 0, sizeof b->spp);
  memset(b->filter, 0, sizeof b->filter);
  for (unsigned i = 0; i < b->shape.spp_sets * b->shape.spp_ways; i++)
    b->spp[i].used = -(int64_t)(i % b->shape.spp_ways); /* of unused ones the last goes first */
  b->clock = 0;
  b->active = b->inserted = b->gone = 0;
  b->fine = b->has_lesson = b->taught_last = false;
  memset(&b->look, 0, sizeof b->look);
  memset(&b->answer, 0, sizeof b->answer);
  memset(b->counter, 0, sizeof b->counter);
  gran_bench_configure(b, b->predict_en);
}

static unsigned ones(unsigned sectors) {
  return (unsigned)__builtin_popcount(sectors);
}

static unsigned first_of(unsigned sectors) {
  return (unsigned)__builtin_ctz(sectors);
}

/* ---- NAP ---- */

static gran_nap *nap_of(gran_bench *b, uint64_t pc) {
  return &b->nap[pc % b->shape.nap_entries];
}

static void nap_teach(gran_bench *b) {
  const gran_line *l = &b->lesson;
  gran_nap *e = &b->nap[l->entry];
  const bool again = b->taught_last && b->taught_entry == l->entry;
  b->taught_last = false;
  if (!b->has_lesson) return;
  if (e->number != l->number) {
    b->base.bin[GRAN_BIN_nap_stale]++;
    return;
  }
  for (unsigned d = 0; d < 7 && !e->taught; d++) e->count[d] = 7;
  for (unsigned s = 0; s < 4; s++) {
    unsigned *count = &e->count[s + 3 - l->first];
    if (s == l->first) continue;
    if (l->touched >> s & 1) {
      if (*count == 15) b->base.bin[GRAN_BIN_nap_full]++;
      *count += *count < 15;
    } else {
      if (*count == 0) b->base.bin[GRAN_BIN_nap_empty]++;
      *count -= *count > 0;
    }
  }
  e->taught = b->taught_last = true;
  b->taught_entry = l->entry;
  b->counter[GRAN_CNT_taught]++;
  b->base.bin[GRAN_BIN_nap_taught]++;
  if (again) b->base.bin[GRAN_BIN_nap_taught_at_once]++;
}

/* What the miss guesses; the entry is its own after it. */
static unsigned nap_guess(gran_bench *b, const gran_look *look, gran_line *line) {
  gran_nap *e = nap_of(b, look->r.pc);
  unsigned guess = 0;
  line->entry = (unsigned)(look->r.pc % b->shape.nap_entries);
  if (e->valid && e->pc == look->r.pc) {
    b->counter[GRAN_CNT_known]++;
    b->base.bin[GRAN_BIN_nap_known]++;
    for (unsigned s = 0; s < 4 && look->nap.taught; s++)
      if (s != line->first && look->nap.count[s + 3 - line->first] > b->shape.nap_above)
        guess |= 1u << s;
  } else {
    if (b->taught_last && b->taught_entry == line->entry)
      b->base.bin[GRAN_BIN_nap_taken_as_taught]++;
    b->counter[GRAN_CNT_taken]++;
    b->base.bin[GRAN_BIN_nap_taken]++;
    e->valid = true;
    e->taught = false;
    e->pc = look->r.pc;
    e->number = (e->number + 1) % 4;
  }
  line->number = e->number;
  if (guess) b->base.bin[GRAN_BIN_nap_guess]++;
  return guess;
}

/* ---- SPP ---- */

static unsigned spp_first_entry(const gran_bench *b, const gran_request *r) {
  return (unsigned)((r->pc ^ first_of(r->sectors)) % b->shape.spp_sets) * b->shape.spp_ways;
}

static unsigned spp_guess(gran_bench *b, const gran_look *look, gran_line *line) {
  const unsigned first = spp_first_entry(b, &look->r), ways = b->shape.spp_ways;
  unsigned oldest = 0, way = ways, guess = 0;
  for (unsigned w = 0; w < ways; w++) {
    const gran_spp *e = &b->spp[first + w];
    if (e->valid && e->pc == look->r.pc && e->first == line->first) way = w;
    if (e->used < b->spp[first + oldest].used) oldest = w;
  }
  if (way < ways) {
    b->counter[GRAN_CNT_known]++;
    b->base.bin[GRAN_BIN_spp_known]++;
    if (look->spp[way].pattern_number == b->spp[first + way].number)
      guess = look->spp[way].pattern;
    else
      b->base.bin[GRAN_BIN_spp_pattern_of_another]++;
  } else {
    way = oldest;
    b->counter[GRAN_CNT_taken]++;
    b->base.bin[GRAN_BIN_spp_taken]++;
  }
  gran_spp *e = &b->spp[first + way];
  if (!e->valid || e->pc != look->r.pc || e->first != line->first) {
    e->number = (e->number + 1) % 4;
    e->valid = true;
    e->pc = look->r.pc;
    e->first = line->first;
  }
  e->used = ++b->clock;
  line->entry = first + way;
  line->number = e->number;
  if (guess & ~look->r.sectors) b->base.bin[GRAN_BIN_spp_guess]++;
  return guess;
}

/* ---- BIM ---- */

static unsigned hash_of(const gran_bench *b, uint64_t line, unsigned bank) {
  unsigned bits = 0, hash = 0;
  while (1u << bits < b->shape.filter_bits) bits++;
  for (unsigned i = 0; i < b->shape.line_bits; i++)
    if (line >> i & 1)
      hash ^= 1u << (bank ? (bits - 1 - i % bits + 3 * (i / bits)) % bits : i % bits);
  return hash;
}

static bool filtered(const gran_bench *b, uint64_t line) {
  const gran_filter *f = &b->filter[b->active];
  return f->bank[0][hash_of(b, line, 0)] && f->bank[1][hash_of(b, line, 1)];
}

static unsigned bim_guess(gran_bench *b, const gran_look *look) {
  const bool fine = look->fine != look->in_filter;
  if (look->in_filter) b->counter[GRAN_CNT_known]++, b->base.bin[GRAN_BIN_bim_known]++;
  b->base.bin[fine ? GRAN_BIN_bim_fine : GRAN_BIN_bim_coarse]++;
  return fine ? 0 : 15;
}

static void bim_learn(gran_bench *b, unsigned touched, uint64_t line) {
  b->gone++;
  if ((ones(touched) <= b->shape.fine) == b->fine) return;
  b->counter[GRAN_CNT_taken]++;
  b->base.bin[GRAN_BIN_bim_inserted]++;
  for (unsigned a = 0; a < 2; a++)
    for (unsigned bank = 0; bank < 2; bank++)
      b->filter[a].bank[bank][hash_of(b, line, bank)] = true;
  if (++b->inserted < b->shape.refresh) return;
  const bool turn = b->inserted * 10 > b->gone * 7;
  b->counter[GRAN_CNT_taught]++;
  b->base.bin[GRAN_BIN_bim_refreshed]++;
  memset(&b->filter[b->active], 0, sizeof b->filter[0]);
  b->active ^= 1;
  b->inserted = b->gone = 0;
  if (!turn) return;
  memset(&b->filter[b->active], 0, sizeof b->filter[0]);
  b->fine = !b->fine;
  b->counter[GRAN_CNT_turned]++;
  b->base.bin[GRAN_BIN_bim_turned]++;
}

/* ---- what they share ---- */

/* What a look-up sees: what edges before this one have learned. */
static void see(gran_bench *b, gran_look *look, const gran_request *r) {
  look->valid = r != NULL;
  if (!r) return;
  look->r = *r;
  look->nap = *nap_of(b, r->pc);
  memcpy(look->spp, &b->spp[spp_first_entry(b, r)], b->shape.spp_ways * sizeof *b->spp);
  look->in_filter = filtered(b, r->line);
  look->fine = b->fine;
}

static void line_goes(gran_bench *b, const gran_line *line, uint64_t address) {
  static const gran_counter by_ones[] = {GRAN_CNT_one_sector, GRAN_CNT_two_sectors,
                                         GRAN_CNT_three_sectors};
  const unsigned n = ones(line->touched);
  b->counter[GRAN_CNT_evictions]++;
  if (n < 4) b->counter[by_ones[n - 1]]++;
  switch (b->shape.kind) {
  case GRAN_NAP:
    b->lesson = *line;
    b->has_lesson = true;
    break;
  case GRAN_SPP:
    b->spp[line->entry].pattern = line->touched;
    b->spp[line->entry].pattern_number = line->number;
    b->counter[GRAN_CNT_taught]++;
    break;
  case GRAN_BIM:
    bim_learn(b, line->touched, address);
    break;
  }
}

static void miss(gran_bench *b, const gran_look *look) {
  const gran_request *r = &look->r;
  gran_line *line = &b->line[r->set][r->way], gone = *line;
  *line = (gran_line){.touched = r->sectors, .first = first_of(r->sectors)};
  const unsigned guess = b->shape.kind == GRAN_NAP   ? nap_guess(b, look, line)
                         : b->shape.kind == GRAN_SPP ? spp_guess(b, look, line)
                                                     : bim_guess(b, look);
  if (r->victim) line_goes(b, &gone, r->victim_line);
  b->answer.valid = true;
  b->answer.more = b->predict_en ? guess & ~r->sectors : 0;
  b->counter[GRAN_CNT_misses]++;
  b->counter[GRAN_CNT_widened] += b->answer.more != 0;
  b->counter[GRAN_CNT_guesses] += ones(b->answer.more);
  b->base.bin[r->victim ? GRAN_BIN_miss_replaces : GRAN_BIN_miss_into_empty]++;
  if (ones(r->sectors) > 1) b->base.bin[GRAN_BIN_wide_miss]++;
  if (b->answer.more) b->base.bin[GRAN_BIN_guessed]++;
  if (!b->predict_en && guess & ~r->sectors) b->base.bin[GRAN_BIN_would_guess]++;
}

static void hit(gran_bench *b, const gran_request *r) {
  gran_line *line = &b->line[r->set][r->way];
  b->base.bin[r->sectors & ~line->touched ? GRAN_BIN_hit_of_a_new_sector : GRAN_BIN_hit]++;
  line->touched |= r->sectors;
}

/* An edge: the request that came is looked up, the one before it is answered, and the lesson of the
 * one before that is learned. */
static void model(void *bench, const void *offer) {
  const gran_request *r = offer;
  gran_bench *b = bench;
  const gran_look before = b->look;
  see(b, &b->look, r);
  nap_teach(b);
  b->has_lesson = false;
  b->answer.valid = false;
  if (!before.valid) return;
  b->counter[GRAN_CNT_requests]++;
  const uint64_t taken = b->counter[GRAN_CNT_taken];
  if (before.r.miss)
    miss(b, &before);
  else
    hit(b, &before.r);
  if (!r) return;
  if (b->counter[GRAN_CNT_taken] != taken && nap_of(b, r->pc) == nap_of(b, before.r.pc))
    b->look.nap.taught = false; /* it was taken as it was looked up */
  if (r->set == before.r.set)
    b->base.bin[r->way == before.r.way ? GRAN_BIN_same_way_at_once : GRAN_BIN_same_set_at_once]++;
}

/* ---- driving and comparing ---- */

static void drive(void *bench, const void *offer) {
  const gran_request *r = offer;
  gran_bench *b = bench;
  const gran_ports *p = &b->p;
  wf_port_set(p->acc_valid, r != NULL);
  if (!r) {
    wf_bench_garbage(&b->base, &p->acc_pc, &p->acc_vline);
    return;
  }
  wf_port_set(p->acc_pc, r->pc);
  wf_port_set(p->acc_line, r->line);
  wf_port_set(p->acc_set, r->set);
  wf_port_set(p->acc_sectors, r->sectors);
  wf_port_set(p->acc_miss, r->miss);
  wf_port_set(p->acc_way, r->way);
  wf_port_set(p->acc_vvalid, r->victim);
  wf_port_set(p->acc_vline, r->victim_line);
}

static bool same(gran_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(void *bench) {
  gran_bench *b = bench;
  const gran_ports *p = &b->p;
  return same(b, p->acc_ready, 1) && same(b, p->acc_rsp_valid, b->answer.valid) &&
         (!b->answer.valid || same(b, p->acc_rsp_more, b->answer.more)) &&
         same(b, p->idle, !b->look.valid && !b->answer.valid && !b->has_lesson);
}

static const wf_port *idle(const void *bench) {
  return ((const gran_bench *)bench)->p.idle;
}

bool gran_bench_ask(gran_bench *b, const gran_request *request, unsigned *more) {
  if (!wf_edge(b, request) || !wf_edge(b, NULL)) return false;
  *more = wf_port_get(b->p.acc_rsp_valid) ? (unsigned)wf_port_get(b->p.acc_rsp_more) : 0;
  return wf_edge_rest(b);
}

#define FIELD(f) offsetof(gran_bench, f)
static const wf_edge_parameter parameters[] = {{"Kind", FIELD(shape.kind)},
                                               {"Sets", FIELD(shape.sets)},
                                               {"Ways", FIELD(shape.ways)},
                                               {"LineBits", FIELD(shape.line_bits)},
                                               {"PcBits", FIELD(shape.pc_bits)},
                                               {"NapEntries", FIELD(shape.nap_entries)},
                                               {"NapAbove", FIELD(shape.nap_above)},
                                               {"SppWays", FIELD(shape.spp_ways)},
                                               {"FilterBits", FIELD(shape.filter_bits)},
                                               {"Refresh", FIELD(shape.refresh)},
                                               {"Fine", FIELD(shape.fine)},
                                               {0}};
static const wf_edge_class edge = {.parameters = parameters,
                                   .drive = drive,
                                   .model = model,
                                   .compare = compare,
                                   .idle = idle,
                                   .most = 4};
static const char *const bins[] = {GRAN_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {GRAN_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class gran_bench_class = {.unit = "gran",
                                         .bytes = sizeof(gran_bench),
                                         .open = open,
                                         .reset = reset,
                                         .rest = wf_edge_rest,
                                         .after = wf_edge_quiet,
                                         .edge = &edge,
                                         .bins = bins,
                                         .counters = counters,
                                         .n_bins = GRAN_BIN_COUNT,
                                         .n_counters = GRAN_CNT_COUNT};
