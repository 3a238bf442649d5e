#include "tb/prt/prt_bench.h"

#include <string.h>

static bool open(void *bench, wf_error *err) {
  prt_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return prt_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  prt_bench *b = bench;
  for (unsigned e = 0; e < PRT_MOST_ENTRIES; e++) b->at[e].used = false;
  b->used = b->places = 0;
  b->open = PRT_NONE;
  b->taken = b->told.valid = b->last_replied = b->last_refused = false;
  memset(b->counter, 0, sizeof b->counter);
}

static void drive_request(prt_bench *b, const prt_offer *o) {
  const prt_ports *p = &b->p;
  wf_port_set(p->req_first, o->nth == 0);
  wf_port_set(p->req_last, o->nth + 1 == o->load.n);
  wf_port_set(p->req_mask, o->load.mask[o->nth]);
  if (o->nth) { /* only the first line brings them */
    wf_bench_garbage(&b->base, &p->req_active, &p->req_offsets);
    return;
  }
  wf_port_set(p->req_active, o->load.active);
  wf_port_set(p->req_load, o->load.number);
  for (unsigned l = 0; l < b->shape.lanes; l++)
    wf_port_set_bits(p->req_offsets, l * b->shape.off_bits, b->shape.off_bits, o->load.offset[l]);
}

static void drive(void *bench, const void *offer) {
  static const prt_offer nothing = {0};
  const prt_offer *o = offer ? offer : &nothing;
  prt_bench *b = bench;
  const prt_ports *p = &b->p;
  wf_port_set(p->req_valid, o->request);
  wf_port_set(p->reply_valid, o->reply);
  wf_port_set(p->reply_entry, o->entry);
  wf_port_set(p->reply_mask, o->mask);
  if (o->request)
    drive_request(b, o);
  else
    wf_bench_garbage(&b->base, &p->req_first, &p->req_offsets);
  if (!o->reply) wf_bench_garbage(&b->base, &p->reply_entry, &p->reply_mask);
}

static bool same(prt_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

/* ---- reference model: section 4.1 of the source, an entry for each load that waits ---- */

unsigned prt_bench_due(const prt_bench *b, unsigned entry, unsigned from, unsigned *first) {
  const prt_waiting *w = &b->at[entry];
  unsigned due = 0;
  for (unsigned i = 0; w->used && i < w->asked; i++) {
    const unsigned nth = (from + i) % w->asked;
    if (w->lanes[nth] && !due++) *first = nth;
  }
  return due;
}

static void end_load(prt_bench *b, prt_waiting *w) {
  uint64_t *bin = b->base.bin;
  w->used = false;
  b->used--;
  b->places -= (unsigned)__builtin_popcount(w->load.active);
  bin[PRT_BIN_ended]++;
  for (unsigned e = 0; e < b->shape.entries; e++)
    if (b->at[e].used && b->at[e].age < w->age) {
      bin[PRT_BIN_ended_out_of_order]++;
      break;
    }
}

static void take_reply(prt_bench *b, const prt_offer *o) {
  uint64_t *bin = b->base.bin;
  prt_waiting *w = &b->at[o->entry];
  unsigned nth = 0;
  while (w->lanes[nth] != o->mask) nth++;
  w->lanes[nth] = 0;
  const bool left = prt_bench_due(b, o->entry, 0, &nth) != 0, all_asked = w->asked == w->load.n;
  b->told.valid = true;
  b->told.load = w->load;
  b->told.mask = o->mask;
  b->told.last = !left && all_asked;
  b->counter[PRT_CNT_replies]++;
  if (!left && !all_asked) bin[PRT_BIN_answered_before_all_asked]++;
  if (b->last_replied) bin[PRT_BIN_replies_in_a_row]++;
  if (!o->request) bin[PRT_BIN_reply_alone]++;
  if (b->told.last) end_load(b, w);
}

/* Which free entry it takes is the table's own affair. */
static void enter(prt_bench *b, const prt_offer *o, unsigned used_before) {
  uint64_t *bin = b->base.bin;
  const unsigned entry = (unsigned)wf_port_get(b->p.req_entry);
  if (entry >= b->shape.entries || b->at[entry].used) {
    wf_bench_fail(&b->base, "a load gets entry %u, which is not free", entry);
    return;
  }
  b->at[entry] = (prt_waiting){.load = o->load, .used = true, .age = ++b->loads};
  b->open = entry;
  b->used++;
  b->places += (unsigned)__builtin_popcount(o->load.active);
  b->counter[PRT_CNT_loads]++;
  b->counter[PRT_CNT_in_use] += used_before;
  b->counter[PRT_CNT_whole] += o->load.n == 1;
  if (o->load.n == 1) bin[PRT_BIN_load_of_one_line]++;
  if (o->load.n == b->shape.lanes) bin[PRT_BIN_load_of_all_lines]++;
  if (o->reply && used_before == b->shape.entries) bin[PRT_BIN_entry_taken_as_freed]++;
}

static bool has_place(prt_bench *b, const prt_offer *o) {
  const unsigned lanes = (unsigned)__builtin_popcount(o->load.active);
  const bool full = b->used == b->shape.entries,
             places = !b->shape.slots || b->places + lanes <= b->shape.slots;
  b->counter[PRT_CNT_full] += full;
  b->counter[PRT_CNT_slots_full] += !full && !places;
  if (full) b->base.bin[PRT_BIN_full]++;
  if (!full && !places) b->base.bin[PRT_BIN_slots_full]++;
  return !full && places;
}

static void take_request(prt_bench *b, const prt_offer *o, unsigned used_before) {
  b->taken = o->nth || has_place(b, o);
  if (!same(b, b->p.req_ready, b->taken)) return;
  if (b->last_refused && !b->taken) b->base.bin[PRT_BIN_refused_twice]++;
  if (!b->taken) return;
  if (o->nth == 0) enter(b, o, used_before);
  if (b->base.failure[0] || !same(b, b->p.req_entry, b->open)) return;
  prt_waiting *w = &b->at[b->open];
  w->lanes[w->asked++] = o->load.mask[o->nth];
  b->counter[PRT_CNT_lines]++;
  if (o->nth && b->used == b->shape.entries) b->base.bin[PRT_BIN_later_line_though_full]++;
  if (w->asked == w->load.n) b->open = PRT_NONE;
}

/* The answers of this cycle are there before its edge. */
static void model(void *bench, const void *offer) {
  static const prt_offer nothing = {0};
  const prt_offer *o = offer ? offer : &nothing;
  prt_bench *b = bench;
  const unsigned used_before = b->used;
  b->told.valid = b->taken = false;
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return;
  if (b->last_refused && !o->request) b->base.bin[PRT_BIN_withdrawn]++;
  if (o->reply) take_reply(b, o);
  if (o->request) take_request(b, o, used_before);
  b->last_replied = o->reply;
  b->last_refused = o->request && !b->taken;
}

static bool same_answer(prt_bench *b) {
  const prt_ports *p = &b->p;
  const unsigned bits = b->shape.off_bits;
  if (!b->told.valid) return true;
  for (unsigned l = 0; l < b->shape.lanes; l++) {
    const uint64_t offset = wf_port_get_bits(p->lanes_offsets, l * bits, bits);
    if ((b->told.mask >> l & 1) && offset != b->told.load.offset[l])
      return wf_bench_fail(&b->base, "lane %u's offset is %llx, not %x", l,
                           (unsigned long long)offset, b->told.load.offset[l]);
  }
  return same(b, p->lanes_load, b->told.load.number) && same(b, p->lanes_mask, b->told.mask) &&
         same(b, p->lanes_last, b->told.last);
}

static bool compare(void *bench) {
  prt_bench *b = bench;
  const prt_ports *p = &b->p;
  return !b->base.failure[0] && same_answer(b) && same(b, p->reply_ready, 1) &&
         same(b, p->lanes_valid, b->told.valid) && same(b, p->empty, !b->used && !b->told.valid) &&
         same(b, p->idle, !b->told.valid);
}

static const wf_port *idle(const void *bench) {
  return ((const prt_bench *)bench)->p.idle;
}

#define FIELD(f) offsetof(prt_bench, f)
static const wf_edge_parameter parameters[] = {
    {"Entries", FIELD(shape.entries)},  {"Lanes", FIELD(shape.lanes)},
    {"OffBits", FIELD(shape.off_bits)}, {"LoadBits", FIELD(shape.load_bits)},
    {"LaneSlots", FIELD(shape.slots)},  {0}};
static const wf_edge_class edge = {.parameters = parameters,
                                   .drive = drive,
                                   .model = model,
                                   .compare = compare,
                                   .idle = idle,
                                   .most = 2};
static const char *const bins[] = {PRT_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {PRT_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class prt_bench_class = {.unit = "prt",
                                        .bytes = sizeof(prt_bench),
                                        .open = open,
                                        .reset = reset,
                                        .rest = wf_edge_rest,
                                        .after = wf_edge_quiet,
                                        .edge = &edge,
                                        .bins = bins,
                                        .counters = counters,
                                        .n_bins = PRT_BIN_COUNT,
                                        .n_counters = PRT_CNT_COUNT};
