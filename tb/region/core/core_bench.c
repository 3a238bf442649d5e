#include "tb/region/core/core_bench.h"

#include <string.h>

static bool open(void *bench, wf_error *err) {
  core_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return core_ports_bind(&b->p, b->base.model, err);
}

static void forget(core_bench *b) {
  memset(b->map, 0, sizeof b->map);
  memset(&b->region, 0, sizeof b->region);
  memset(&b->pc, 0, sizeof b->pc);
  memset(b->hash, 0, sizeof b->hash);
  memset(&b->offer, 0, sizeof b->offer);
  b->region.rows = b->region.steps = b->region_rows;
  b->pc.rows = b->pc_rows;
  b->pc.steps = b->pc_rows > b->hashes ? b->pc_rows : b->hashes;
  b->lost = b->replies = b->probes = 0;
}

static void reset(void *bench) {
  core_bench *b = bench;
  forget(b);
  memset(&b->answer, 0, sizeof b->answer);
  memset(b->counter, 0, sizeof b->counter);
  b->has_request = b->has_reply = b->last_enters = false;
  b->busy = 0;
}

static void count(core_bench *b, core_counter counter, bool when) {
  b->counter[counter] += when;
}

static void bin(core_bench *b, core_bin which, bool when) {
  b->base.bin[which] += when;
}

/* Something is inside for so many cycles. */
enum { COUNTED_AFTER = 2, COMPARED_AFTER = CORE_JUDGED_AFTER + 1 };
static void works(core_bench *b, unsigned cycles) {
  if (b->busy < cycles) b->busy = cycles;
}

/* ---- reference model: the thesis' sections 4.3 and 4.4 ---- */

static void up(core_bench *b, unsigned *value) {
  const unsigned most = (1u << b->bits) - 1;
  bin(b, CORE_BIN_count_full, *value == most);
  if (*value < most) ++*value;
}

static int find_row(const core_table *t, uint64_t key) {
  for (unsigned i = 0; i < t->rows; i++)
    if (t->row[i].there && t->row[i].key == key) return (int)i;
  return -1;
}

static int free_row(const core_table *t) {
  for (unsigned i = 0; i < t->rows; i++)
    if (!t->row[i].there) return (int)i;
  return -1;
}

static void take_row(core_table *t, unsigned at, uint64_t key) {
  t->row[at] = (core_row){.there = true, .key = key};
}

static unsigned region_of(const core_bench *b, uint64_t line) {
  for (unsigned r = 0; r < b->regions; r++)
    if (b->map[r].there && line >= b->map[r].first && line <= b->map[r].last) return r;
  return b->regions;
}

static unsigned hash_of(const core_bench *b, uint64_t pc) {
  unsigned sum = 0, bits = 0;
  while (1u << bits < b->hashes) bits++;
  for (unsigned i = 0; i < b->pc_bits; i += bits) sum ^= (unsigned)(pc >> i & (b->hashes - 1));
  return sum;
}

/* Table 12 of the thesis, row by row: Y, N, or ? for what is not known. */
typedef struct table_row {
  char reuse, shared, own;
  bool past_l1, past_l2, copy;
} table_row;
static const table_row table12[] = {
    {'N', 'N', 'N', true, true, false},   {'N', 'N', 'Y', false, true, true},
    {'N', 'Y', 'N', true, false, false},  {'N', 'Y', 'Y', true, false, false},
    {'Y', 'N', 'N', false, true, false},  {'Y', 'N', 'Y', false, true, true},
    {'Y', 'Y', 'N', false, false, false}, {'Y', 'Y', 'Y', false, false, false},
    {'N', '?', '?', true, false, false},  {'?', 'N', 'Y', false, true, true},
    {'?', 'N', 'N', false, true, false}}; /* the last is ours; what is absent: nothing */

static table_row look_up(char reuse, char shared, char own) {
  for (size_t i = 0; i < sizeof table12 / sizeof *table12; i++)
    if (table12[i].reuse == reuse && table12[i].shared == shared && table12[i].own == own)
      return table12[i];
  return (table_row){0};
}

static char word_of(bool known, bool flag) {
  return known ? (flag ? 'Y' : 'N') : '?';
}

static void note_region(core_bench *b, unsigned region, const core_row *row) {
  bin(b,
      region == b->regions    ? CORE_BIN_in_no_region
      : !row || !row->trained ? CORE_BIN_region_untrained
      : row->flag[0]          ? (row->flag[1] ? CORE_BIN_shared_and_private : CORE_BIN_shared_only)
      : row->flag[1]          ? CORE_BIN_private_only
                              : CORE_BIN_neither,
      true);
}

/* Every Probe-th that would go past L1 does not know its load. */
static table_row with_load(core_bench *b, const core_row *load, char shared, char own) {
  const char reuse = word_of(load && load->trained, load && load->flag[0]);
  table_row says = look_up(reuse, shared, own);
  bin(b, CORE_BIN_pc_untrained, reuse == '?');
  bin(b, CORE_BIN_no_reuse, reuse == 'N');
  bin(b, CORE_BIN_has_reuse, reuse == 'Y');
  bin(b, CORE_BIN_kept_for_copy, reuse == 'N' && says.copy);
  bin(b, CORE_BIN_past_both, says.past_l1 && says.past_l2);
  if (!says.past_l1 || !b->probe || ++b->probes < b->probe) return says;
  b->probes = 0;
  count(b, CORE_CNT_probes, true);
  bin(b, CORE_BIN_probe, true);
  return look_up('?', shared, own);
}

static core_answer decide(core_bench *b, const core_row *row, const core_row *load) {
  const bool known = row && row->trained;
  const char shared = word_of(known, known && row->flag[0]),
             own = word_of(known, known && row->flag[1]);
  count(b, CORE_CNT_regions_unknown, !known);
  count(b, CORE_CNT_pcs_unknown, b->mode != 2 || !load || !load->trained);
  table_row says = b->mode == 2 ? with_load(b, load, shared, own) : look_up('Y', shared, own);
  if (b->mode == 0 && !says.copy) says.past_l2 = false; /* R-Exclusion has the private rows alone */
  count(b, CORE_CNT_past_l1, says.past_l1);
  count(b, CORE_CNT_past_l2, says.past_l2);
  count(b, CORE_CNT_copies, says.copy);
  return (core_answer){.past_l1 = says.past_l1, .past_l2 = says.past_l2, .copy = says.copy};
}

static core_place place_of_pc(const core_bench *b, const core_request *r) {
  const int at = find_row(&b->pc, r->pc), empty = free_row(&b->pc);
  if (at >= 0) return (core_place){.row = at};
  if (empty >= 0) return (core_place){.row = empty, .takes = true};
  if (b->offer.there && hash_of(b, r->pc) == b->offer.hash)
    return (core_place){.row = (int)b->offer.row, .takes = true, .swaps = true};
  return (core_place){.row = -1};
}

static core_place place_of_reply(const core_bench *b) {
  if (b->reply.region == b->regions) return (core_place){.row = -1};
  const int at = find_row(&b->region, b->reply.region), empty = free_row(&b->region);
  return at >= 0 ? (core_place){.row = at} : (core_place){.row = empty, .takes = empty >= 0};
}

static void count_reply(core_bench *b, core_place at) {
  const core_reply *r = &b->reply;
  core_table *t = &b->region;
  count(b, CORE_CNT_replies, true);
  count(b, CORE_CNT_replies_shared, r->shared);
  count(b, CORE_CNT_replies_private, r->own);
  if (r->region == b->regions) return;
  if (at.row < 0) {
    up(b, &b->lost);
    count(b, CORE_CNT_regions_lost, true);
    bin(b, CORE_BIN_region_lost, true);
    return;
  }
  bin(b, CORE_BIN_row_taken, at.takes);
  if (at.takes) take_row(t, (unsigned)at.row, r->region);
  core_row *row = &t->row[at.row];
  up(b, &row->accesses);
  if (r->shared) up(b, &row->use[0]);
  if (r->own) up(b, &row->use[1]);
  works(b, COUNTED_AFTER);
}

static void count_request(core_bench *b, core_place at, bool enters) {
  const core_request *r = &b->second;
  core_table *t = &b->pc;
  unsigned *owner = &b->owner[r->set][r->way];
  works(b, COUNTED_AFTER);
  bin(b, CORE_BIN_pc_taken, at.takes && !at.swaps);
  bin(b, CORE_BIN_take_while_judged, at.takes && t->halved[0].any);
  if (at.takes) take_row(t, (unsigned)at.row, r->pc);
  if (at.swaps) {
    b->offer.there = false;
    b->hash[hash_of(b, r->pc)] = 0;
    count(b, CORE_CNT_pcs_swapped, true);
    bin(b, CORE_BIN_pc_swapped, true);
    bin(b, CORE_BIN_owner_swapped, r->hit && *owner == (unsigned)at.row);
  }
  if (at.row >= 0) {
    up(b, &t->row[at.row].accesses);
  } else {
    up(b, &b->hash[hash_of(b, r->pc)]);
    count(b, CORE_CNT_pcs_lost, true);
    bin(b, CORE_BIN_pc_lost, true);
  }
  if (r->hit && *owner < b->pc_rows) up(b, &t->row[*owner].use[0]);
  bin(b, CORE_BIN_hit_of_nobody, r->hit && *owner == b->pc_rows);
  bin(b, CORE_BIN_hit_at_once, r->hit && b->last_enters && b->last_set == r->set);
  if (enters) *owner = at.row < 0 ? b->pc_rows : (unsigned)at.row;
}

/* ---- periods ---- */

/* A row is halved where nothing else is counted. */
static void step(core_bench *b, core_table *t, bool room) {
  memmove(t->halved + 1, t->halved, sizeof *t->halved * (CORE_JUDGED_AFTER - 1));
  core_halved *h = t->halved;
  *h = (core_halved){.any = t->sweeps && room, .at = t->next};
  bin(b, CORE_BIN_sweep_waits, t->sweeps && !room);
  if (!h->any) return;
  if (t->next < t->rows && t->row[t->next].there) {
    core_row *row = &t->row[t->next];
    h->there = true;
    h->shows = row->accesses != 0;
    if (h->shows)
      for (unsigned u = 0; u < 2; u++) row->use[u] >>= 1;
    h->accesses = row->accesses >>= 1;
    memcpy(h->use, row->use, sizeof h->use);
  }
  if (t == &b->pc && t->next < b->hashes) h->hashed = b->hash[t->next] >>= 1;
  h->last = ++t->next == t->steps;
  if (h->last) t->sweeps = false;
  works(b, h->last ? COMPARED_AFTER : CORE_JUDGED_AFTER);
}

static bool full(const core_table *t) {
  return free_row(t) < 0;
}

/* What a halved row has shown. */
static void judge(core_bench *b, core_table *t, const core_halved *h) {
  if (!h->there) return;
  core_row *row = &t->row[h->at];
  const bool regions = t == &b->region;
  if (h->shows) {
    const bool over[2] = {h->use[0] > h->accesses >> b->share, h->use[1] > h->accesses >> b->share};
    bin(b, regions ? CORE_BIN_shared_rises : CORE_BIN_reuse_rises, over[0] && !row->flag[0]);
    bin(b, CORE_BIN_private_rises, regions && over[1] && !row->flag[1]);
    row->trained |= h->accesses >= 1u << b->share;
    row->flag[0] |= over[0];
    row->flag[1] |= regions && over[1];
  }
  if (!t->has_least || h->accesses < t->least) {
    t->has_least = true;
    t->least = h->accesses;
    t->least_at = h->at;
  }
}

/* The row of the fewest accesses is given away if what has none is asked for more often. */
static void end_regions(core_bench *b) {
  core_table *t = &b->region;
  if (!full(t) || !t->has_least || b->lost <= t->least) return;
  t->row[t->least_at].there = false;
  b->lost = 0;
  count(b, CORE_CNT_regions_freed, true);
  bin(b, CORE_BIN_region_freed, true);
}

static void end_pcs(core_bench *b) {
  core_table *t = &b->pc;
  b->offer.there = full(t) && t->has_least && b->most > t->least;
  b->offer.hash = b->most_at;
  b->offer.row = t->least_at;
  bin(b, CORE_BIN_offer_made, b->offer.there);
}

/* Returns what is judged now of a table's halved rows. */
static const core_halved *see_judged(core_bench *b, core_table *t, void (*end)(core_bench *b)) {
  const core_halved *h = &t->halved[CORE_JUDGED_AFTER - 1];
  if (t->compares) end(b);
  judge(b, t, h);
  t->compares = h->any && h->last;
  return h;
}

static void see_all_judged(core_bench *b) {
  see_judged(b, &b->region, end_regions);
  if (b->region.compares) b->lost >>= 1;
  const core_halved *h = see_judged(b, &b->pc, end_pcs);
  if (!h->any || h->at >= b->hashes || h->hashed <= b->most) return;
  b->most = h->hashed;
  b->most_at = h->at;
}

static void begin_sweep(core_table *t) {
  t->sweeps = true;
  t->next = 0;
  t->has_least = false;
}

static void end_period(core_bench *b, bool sweeping) {
  if (!b->has_reply || ++b->replies < b->period) return;
  b->replies = 0;
  bin(b, CORE_BIN_period_in_sweep, sweeping);
  if (sweeping) return;
  count(b, CORE_CNT_periods, true);
  bin(b, CORE_BIN_period, true);
  begin_sweep(&b->region);
  if (b->mode != 2) return;
  begin_sweep(&b->pc);
  bin(b, CORE_BIN_offer_lapses, b->offer.there);
  b->offer.there = false;
  b->most = 0;
}

/* ---- an edge ---- */

/* What was known of the region a cycle ago decides, and what is known of the load now. */
static core_answer answer_request(core_bench *b, unsigned region, const core_row *row) {
  const core_request *r = &b->second;
  const core_place load = b->load;
  core_answer a = {0};
  count(b, CORE_CNT_requests, true);
  count(b, CORE_CNT_misses, r->miss);
  bin(b, CORE_BIN_hit, r->hit);
  bin(b, CORE_BIN_merge, !r->hit && !r->miss);
  if (r->miss) {
    note_region(b, region, row);
    a = decide(b, row, load.row < 0 || load.takes ? NULL : &b->pc.row[load.row]);
  }
  a.valid = true;
  a.region = region;
  return a;
}

/* The request at the second stage counts. */
static void second_stage(core_bench *b) {
  const bool enters = b->answer.valid && b->second.miss && !b->answer.past_l1;
  if (b->answer.valid && b->mode == 2) count_request(b, b->load, enters);
  b->last_enters = enters;
  b->last_set = b->second.set;
}

static bool sweeping(const core_table *t) {
  bool any = t->sweeps || t->compares;
  for (unsigned i = 0; i < CORE_JUDGED_AFTER; i++) any |= t->halved[i].any && t->halved[i].last;
  return any;
}

static void model(void *bench, const void *given) {
  core_bench *b = bench;
  const core_offer *offer = given;
  const bool answered = b->answer.valid, asked = b->has_request;
  const bool was_sweeping = sweeping(&b->region) || sweeping(&b->pc);
  const unsigned region = region_of(b, b->request.line);
  const int at = find_row(&b->region, region);
  const core_row known = at < 0 ? (core_row){0} : b->region.row[at];
  const core_place reply = b->has_reply ? place_of_reply(b) : (core_place){.row = -1};
  if (b->busy) b->busy--;
  see_all_judged(b);
  if (b->has_reply) count_reply(b, reply);
  second_stage(b);
  step(b, &b->region, !b->has_reply);
  step(b, &b->pc, !answered);
  end_period(b, was_sweeping);
  b->second = b->request;
  b->load = asked && b->mode == 2 ? place_of_pc(b, &b->second) : (core_place){.row = -1};
  b->answer = asked ? answer_request(b, region, &known) : (core_answer){0};
  b->has_request = offer && offer->request;
  b->has_reply = offer && offer->reply;
  if (b->has_request) b->request = *offer->request;
  if (b->has_reply) b->reply = *offer->reply;
}

/* ---- driving and comparing ---- */

static void drive(void *bench, const void *given) {
  core_bench *b = bench;
  const core_ports *p = &b->p;
  const core_offer *offer = given;
  const core_request *q = offer ? offer->request : NULL;
  const core_reply *r = offer ? offer->reply : NULL;
  wf_port_set(p->acc_valid, q != NULL);
  wf_port_set(p->rep_valid, r != NULL);
  wf_bench_garbage(&b->base, &p->acc_pc, &p->acc_miss);
  wf_bench_garbage(&b->base, &p->rep_region, &p->rep_private);
  if (q) {
    wf_port_set(p->acc_pc, q->pc);
    wf_port_set(p->acc_line, q->line);
    wf_port_set(p->acc_set, q->set);
    wf_port_set(p->acc_way, q->way);
    wf_port_set(p->acc_hit, q->hit);
    wf_port_set(p->acc_miss, q->miss);
  }
  if (!r) return;
  wf_port_set(p->rep_region, r->region);
  wf_port_set(p->rep_shared, r->shared);
  wf_port_set(p->rep_private, r->own);
}

static bool compare(void *bench) {
  core_bench *b = bench;
  const core_ports *p = &b->p;
  const core_answer *a = &b->answer;
  wf_bench *base = &b->base;
  const bool quiet = !a->valid && !b->has_request && !b->has_reply && !b->busy &&
                     !b->region.sweeps && !b->pc.sweeps;
  return wf_bench_same(base, p->acc_ready, 1) && wf_bench_same(base, p->rep_ready, 1) &&
         wf_bench_same(base, p->map_ready, 1) && wf_bench_same(base, p->acc_rsp_valid, a->valid) &&
         (!a->valid || (wf_bench_same(base, p->acc_rsp_past_l1, a->past_l1) &&
                        wf_bench_same(base, p->acc_rsp_past_l2, a->past_l2) &&
                        wf_bench_same(base, p->acc_rsp_copy, a->copy) &&
                        wf_bench_same(base, p->acc_rsp_region, a->region))) &&
         wf_bench_same(base, p->idle, quiet);
}

static const wf_port *idle(const void *bench) {
  return ((const core_bench *)bench)->p.idle;
}

bool core_bench_cycle(core_bench *b, const core_request *request, const core_reply *reply) {
  const core_offer offer = {request, reply};
  return wf_edge(b, request || reply ? &offer : NULL);
}

bool core_bench_ask(core_bench *b, const core_request *request, core_answer *answer) {
  if (!core_bench_cycle(b, request, NULL) || !core_bench_cycle(b, NULL, NULL)) return false;
  *answer = b->answer;
  return true;
}

/* An edge that the unit is given. */
static bool set_up(core_bench *b, const wf_port *valid) {
  b->base.cycle++;
  drive(b, NULL);
  wf_port_set(valid, 1);
  model(b, NULL);
  const bool well = wf_bench_ok(&b->base, wf_model_edge(b->base.model)) && compare(b);
  wf_port_set(valid, 0);
  return well;
}

bool core_bench_clear(core_bench *b) {
  if (!wf_edge_rest(b)) return false;
  forget(b);
  return set_up(b, b->p.clear);
}

bool core_bench_map(core_bench *b, unsigned region, uint64_t first, uint64_t last) {
  if (!wf_edge_rest(b)) return false;
  wf_port_set(b->p.map_region, region);
  wf_port_set(b->p.map_first, first);
  wf_port_set(b->p.map_last, last);
  const bool well = set_up(b, b->p.map_valid);
  b->map[region].there = true;
  b->map[region].first = first;
  b->map[region].last = last;
  return well;
}

#define FIELD(f) offsetof(core_bench, f)
static const wf_edge_parameter parameters[] = {{"Mode", FIELD(mode)},
                                               {"Sets", FIELD(sets)},
                                               {"Ways", FIELD(ways)},
                                               {"LineBits", FIELD(line_bits)},
                                               {"PcBits", FIELD(pc_bits)},
                                               {"Regions", FIELD(regions)},
                                               {"RegionRows", FIELD(region_rows)},
                                               {"PcRows", FIELD(pc_rows)},
                                               {"Hashes", FIELD(hashes)},
                                               {"Bits", FIELD(bits)},
                                               {"Share", FIELD(share)},
                                               {"Period", FIELD(period)},
                                               {"Probe", FIELD(probe)},
                                               {0}};
static const wf_edge_class edge = {.parameters = parameters,
                                   .drive = drive,
                                   .model = model,
                                   .compare = compare,
                                   .idle = idle,
                                   .most = CORE_MOST_ROWS + 8};
static const char *const bins[] = {CORE_BINS(WF_BENCH_PORT_NAME), CORE_PC_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {CORE_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class core_bench_class = {.unit = "region_core",
                                         .bytes = sizeof(core_bench),
                                         .open = open,
                                         .reset = reset,
                                         .rest = wf_edge_rest,
                                         .after = wf_edge_quiet,
                                         .edge = &edge,
                                         .bins = bins,
                                         .counters = counters,
                                         .n_bins = CORE_BIN_COUNT,
                                         .n_counters = CORE_CNT_COUNT};
