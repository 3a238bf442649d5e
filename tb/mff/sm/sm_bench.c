#include "tb/mff/sm/sm_bench.h"

#include <string.h>

#include "tb/mff/sm/sm_cover.h"

enum { BEATS = 8, BEAT_LANES = MFF_LANES / BEATS, PATIENCE = 200 };

static bool open(void *bench, wf_error *err) {
  sm_bench *b = bench;
  const wf_bench *w = bench;
  b->shape = (sm_shape){.commands = wf_bench_parameter(w, "Commands"),
                        .slices = wf_bench_parameter(w, "NSlice"),
                        .warps = wf_bench_parameter(w, "NumWarp"),
                        .shared_words = wf_bench_parameter(w, "SharedBytes") / 4,
                        .addr_bits = wf_bench_parameter(w, "AddrW"),
                        .sm = 41};
  b->shape.first = (unsigned)(b->base.seed % b->shape.slices);
  b->base.counted = b->ref.counter;
  return mff_sm_ports_bind(&b->p, w->model, err);
}

static void reset(void *bench) {
  sm_bench *b = bench;
  sm_ref_reset(&b->ref, &b->shape);
  b->beat = b->quiet = b->starved = 0;
  b->cmd_held = false;
  memset(b->over, 0, sizeof b->over);
  wf_port_set(b->p.sm, b->shape.sm);
  wf_port_set(b->p.first, b->shape.first);
}

/* ---- driving: what is not offered is garbage ---- */

static void drive_beat(sm_bench *b, const sm_instruction *i, bool offered) {
  const mff_sm_ports *p = &b->p;
  wf_bench_garbage(&b->base, &p->iss_op, &p->iss_target);
  wf_port_set(p->iss_valid, offered);
  if (!offered) return;
  if (b->beat == 0) { /* later beats need not repeat them */
    wf_port_set(p->iss_op, i->op);
    wf_port_set(p->iss_warp, i->warp);
  }
  wf_port_set(p->iss_mask, i->mask >> BEAT_LANES * b->beat & 0xf);
  for (unsigned k = 0; k < BEAT_LANES; k++) {
    const unsigned l = BEAT_LANES * b->beat + k;
    wf_port_set_bits(p->iss_index, 32 * k, 32, i->lane[l].c_index);
    wf_port_set_bits(p->iss_size, 6 * k, 6, i->lane[l].size);
    wf_port_set_bits(p->iss_target, b->shape.addr_bits * k, b->shape.addr_bits, i->target[l]);
  }
}

static void pack_reply(const sm_bench *b, const mff_rsp *r, uint32_t *flit) {
  const uint32_t warp = b->ref.command[r->tag].of.warp;
  uint64_t at = 0;
  memset(flit, 0, 32);
  flit[7] = r->is_done | r->count << 4 | b->shape.sm << 8 | warp << 16 | r->tag << 24;
  if (r->is_done) {
    flit[0] = r->words_delivered | r->op << 16 | r->error << 17;
    return;
  }
  for (unsigned k = 0; k < r->count; k++) {
    flit[k] = r->word[k];
    at |= (uint64_t)(r->lane[k] | r->a_offset[k] << 5) << 10 * k;
  }
  flit[5] = (uint32_t)at;
  flit[6] = (uint32_t)(at >> 32);
}

static void drive_reply(sm_bench *b, const mff_rsp *r) {
  const mff_sm_ports *p = &b->p;
  uint32_t flit[MFF_FLIT_WORDS];
  wf_port_set(p->rsp_valid, r != NULL);
  wf_bench_garbage(&b->base, &p->rsp_data, &p->rsp_data);
  if (!r) return;
  pack_reply(b, r, flit);
  wf_port_write(p->rsp_data, 0, 256, flit);
}

/* ---- comparing ---- */

static bool says(sm_bench *b, bool right) {
  return right || wf_bench_fail(&b->base, "%s", b->ref.wrong);
}

static bool flit_leaves(sm_bench *b) {
  const mff_sm_ports *p = &b->p;
  uint32_t flit[MFF_FLIT_WORDS];
  wf_port_read(p->cmd_data, 0, 256, flit);
  const uint32_t slice = wf_port_word(p->cmd_slice);
  if (!b->ref.at_flit && b->ref.expected && slice < b->shape.slices)
    sm_cover_header(b->base.bin, &b->ref, mff_lane_flits(mff_lanes_in(flit[1])), slice);
  return says(b, sm_ref_flit(&b->ref, flit, slice, wf_port_get(p->cmd_last)));
}

static bool words_leave(sm_bench *b) {
  const mff_sm_ports *p = &b->p;
  uint32_t addr[MFF_WORDS_PER_RSP], data[MFF_WORDS_PER_RSP];
  wf_port_read(p->wr_data, 0, 160, data);
  for (unsigned k = 0; k < MFF_WORDS_PER_RSP; k++)
    addr[k] = (uint32_t)wf_port_get_bits(p->wr_addr, b->shape.addr_bits * k, b->shape.addr_bits);
  return says(
      b, sm_ref_write(&b->ref, wf_port_word(p->wr_warp), wf_port_word(p->wr_mask), addr, data));
}

/* A warp's bit is high while a gather of it is not complete, and falls soon after. */
static bool bits_right(sm_bench *b, const sm_instruction *taking) {
  for (unsigned w = 0; w < b->shape.warps; w++) {
    const bool bit = wf_port_bit(b->p.gathers, w);
    const bool begun =
        (taking && taking->op == MFF_OP_GATHER && taking->warp == w) ||
        (b->ref.expected && b->ref.next.op == MFF_OP_GATHER && b->ref.next.warp == w);
    const bool needs = b->ref.gathers[w] || begun;
    if (needs && !bit)
      return wf_bench_fail(&b->base, "warp %u's gathers are over before they are complete", w);
    b->base.bin[SM_BIN_gathers_end] += b->over[w] && b->over[w] < SM_LATE && !bit;
    b->over[w] = needs || !bit ? 0 : b->over[w] + 1;
    if (b->over[w] > SM_LATE) return wf_bench_fail(&b->base, "warp %u's gathers do not end", w);
  }
  return true;
}

static bool rests(sm_bench *b, const sm_offers *o) {
  const bool idle = wf_port_get(b->p.idle);
  b->base.bin[SM_BIN_rests_before_the_crossbar] += idle && wf_port_get(b->p.cmd_valid);
  if (idle &&
      (b->beat || b->ref.n_replies || (!wf_port_get(b->p.cmd_valid) && !sm_ref_rests(&b->ref))))
    return wf_bench_fail(&b->base, "at rest with something inside");
  const bool waits = !idle || o->rsp || (o->iss && o->beat && b->ref.out < b->shape.commands);
  const bool held = wf_port_get(b->p.cmd_valid) && !o->cmd_ready;
  b->quiet = waits && !held ? b->quiet + 1 : 0;
  return b->quiet < PATIENCE || wf_bench_fail(&b->base, "nothing moves for %u edges", b->quiet);
}

static void count(sm_bench *b, const sm_offers *o, const sm_taken *t, bool flit) {
  uint64_t *bin = b->base.bin, *counter = b->ref.counter;
  const bool offered = o->iss && o->beat, waits = wf_port_get(b->p.cmd_valid) && !flit;
  counter[SM_CNT_sm_held_flits] += waits && !b->cmd_held;
  b->cmd_held = waits;
  counter[SM_CNT_sm_stall_issue] += offered && !t->beat;
  bin[SM_BIN_beat_waits] += offered && !t->beat;
  bin[SM_BIN_beats_with_a_gap] += o->iss && !o->beat && b->beat > 0;
  bin[SM_BIN_beats_while_rows_leave] += t->beat && b->ref.at_flit > 1;
  bin[SM_BIN_flit_waits] += waits;
  bin[SM_BIN_reply_waits] += o->rsp && !t->rsp;
}

/* What a reply brought is asked for no more. */
static void brought(sm_command *c, const mff_rsp *rsp) {
  for (unsigned k = 0; k < rsp->count; k++) c->came[rsp->lane[k]] |= 1u << rsp->a_offset[k];
  c->asked = rsp->error ? 0 : c->asked - rsp->count;
  c->told = c->told || rsp->is_done;
}

static void take_reply(sm_bench *b, const mff_rsp *rsp) {
  uint64_t *bin = b->base.bin;
  const uint64_t looks = b->ref.counter[SM_CNT_sm_look_again],
                 banks = b->ref.counter[SM_CNT_sm_bank_again];
  sm_cover_reply(bin, &b->ref, rsp);
  brought(&b->ref.command[rsp->tag], rsp);
  sm_ref_reply(&b->ref, rsp);
  const uint64_t more_looks = b->ref.counter[SM_CNT_sm_look_again] - looks,
                 more_banks = b->ref.counter[SM_CNT_sm_bank_again] - banks;
  bin[SM_BIN_look_up_twice] += more_looks == 1;
  bin[SM_BIN_look_up_three_times] += more_looks == 2;
  bin[SM_BIN_write_twice] += more_banks == 1;
  bin[SM_BIN_write_five_times] += more_banks == 4;
}

bool sm_bench_cycle(sm_bench *b, const sm_offers *o, sm_taken *taken) {
  const mff_sm_ports *p = &b->p;
  const bool offered = o->iss && o->beat;
  sm_taken t = {.beat = offered && wf_port_get(p->iss_ready),
                .rsp = o->rsp && wf_port_get(p->rsp_ready)};
  const bool flit = wf_port_get(p->cmd_valid) && o->cmd_ready, write = wf_port_get(p->wr_valid);
  t.iss = t.beat && b->beat + 1 == BEATS;
  if (taken) *taken = t;
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  b->ref.now++;
  drive_beat(b, o->iss, offered);
  drive_reply(b, o->rsp);
  wf_port_set(p->cmd_ready, o->cmd_ready);
  if (!offered && !o->rsp && !flit && wf_port_get(p->idle) && wf_bench_gated(&b->base)) return true;
  count(b, o, &t, flit);
  if ((flit && !flit_leaves(b)) || (write && !words_leave(b))) return false;
  if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  if (t.rsp) take_reply(b, o->rsp);
  if (t.beat) b->beat = (b->beat + 1) % BEATS;
  if (t.iss) {
    sm_cover_instruction(b->base.bin, o->iss);
    sm_ref_instruction(&b->ref, o->iss);
  }
  if (t.beat || t.rsp || flit || write) b->quiet = 0;
  return rests(b, o) && bits_right(b, b->beat ? o->iss : NULL);
}

/* ---- replies ---- */

static uint32_t below(sm_bench *b, uint64_t bound) {
  return (uint32_t)wf_rng_below(&b->base.rng, bound);
}

/* A word of the lane that did not come yet, MFF_MAX_SIZE if there is none. */
static unsigned place_left(sm_bench *b, const sm_command *c, unsigned lane) {
  const uint32_t size = c->of.mask >> lane & 1 ? c->of.lane[lane].size : 0;
  const unsigned first = size ? below(b, size) : 0;
  for (unsigned i = 0; i < size; i++)
    if (!(c->came[lane] >> (first + i) % size & 1)) return (first + i) % size;
  return MFF_MAX_SIZE;
}

static void add_word(sm_bench *b, sm_command *c, unsigned lane, unsigned place, mff_rsp *rsp) {
  c->came[lane] |= 1u << place;
  c->asked--;
  rsp->lane[rsp->count] = lane;
  rsp->a_offset[rsp->count] = place;
  rsp->word[rsp->count++] = (uint32_t)wf_rng_next(&b->base.rng);
}

static void add_words(sm_bench *b, sm_command *c, unsigned words, unsigned lanes, mff_rsp *rsp) {
  unsigned lane = below(b, MFF_LANES), used = 0;
  for (unsigned tries = 0; rsp->count < words && c->asked && tries < 4 * MFF_LANES; tries++) {
    unsigned place = place_left(b, c, lane);
    used += place < MFF_MAX_SIZE;
    while (place < MFF_MAX_SIZE && rsp->count < words) {
      add_word(b, c, lane, place, rsp);
      place = used >= lanes ? place_left(b, c, lane) : MFF_MAX_SIZE;
    }
    lane = (lane + (tries < MFF_LANES ? 1 + below(b, 3) : 1)) % MFF_LANES;
  }
}

bool sm_bench_answer_tag(sm_bench *b, uint32_t tag, unsigned words, unsigned lanes, bool early,
                         bool refused, mff_rsp *rsp) {
  sm_command c = b->ref.command[tag];
  *rsp = (mff_rsp){.tag = tag};
  if (!c.used || (c.told && !c.asked)) return false;
  refused = refused && !c.told && c.asked == c.expected;
  if (c.told || (c.asked && !early && !refused)) return add_words(b, &c, words, lanes, rsp), true;
  rsp->is_done = 1;
  rsp->op = c.of.op;
  rsp->error = refused;
  rsp->words_delivered = refused ? 0 : sm_ref_words(&c.of);
  return true;
}

bool sm_bench_answer(sm_bench *b, unsigned words, unsigned lanes, bool early, bool refused,
                     mff_rsp *rsp) {
  const unsigned first = below(b, b->shape.commands);
  for (unsigned i = 0; i < b->shape.commands; i++)
    if (sm_bench_answer_tag(b, (first + i) % b->shape.commands, words, lanes, early, refused, rsp))
      return true;
  return false;
}

/* ---- helpers ---- */

bool sm_bench_issue(sm_bench *b, const sm_instruction *i) {
  sm_taken t = {0};
  while (!t.iss)
    if (!sm_bench_cycle(b, &(sm_offers){.iss = i, .beat = true, .cmd_ready = true}, &t))
      return false;
  return true;
}

bool sm_bench_reply(sm_bench *b, const mff_rsp *rsp) {
  sm_taken t = {0};
  while (!t.rsp)
    if (!sm_bench_cycle(b, &(sm_offers){.rsp = rsp, .cmd_ready = true}, &t)) return false;
  return true;
}

bool sm_bench_run(sm_bench *b, unsigned edges, bool cmd_ready) {
  for (unsigned i = 0; i < edges; i++)
    if (!sm_bench_cycle(b, &(sm_offers){.cmd_ready = cmd_ready}, NULL)) return false;
  return true;
}

bool sm_bench_drain(void *bench) {
  sm_bench *b = bench;
  mff_rsp rsp;
  do {
    while (sm_bench_answer(b, 5, 5, false, false, &rsp))
      if (!sm_bench_reply(b, &rsp)) return false;
    if (!sm_bench_run(b, 1, true)) return false;
  } while (b->ref.out || !sm_ref_rests(&b->ref) || !wf_port_get(b->p.idle));
  return true;
}

/* A command that is held up at the crossbar, and its replies. */
static bool counting_edges(void *bench) {
  sm_bench *b = bench;
  const sm_instruction i = {.mask = 0x10001, .lane = {[0] = {7, 2}, [16] = {9, 3}}};
  const sm_instruction none = {.mask = 0};
  return sm_bench_issue(b, &none) && sm_bench_issue(b, &i) && sm_bench_run(b, 20, false) &&
         sm_bench_drain(b);
}

const wf_bench_class sm_bench_class = {.unit = "mff_sm",
                                       .bytes = sizeof(sm_bench),
                                       .open = open,
                                       .reset = reset,
                                       .rest = sm_bench_drain,
                                       .after = counting_edges,
                                       .bins = (const char *const[]){SM_BINS(WF_BENCH_PORT_NAME)},
                                       .n_bins = SM_BIN_COUNT,
                                       .counters =
                                           (const char *const[]){SM_COUNTERS(WF_BENCH_NAME)},
                                       .n_counters = SM_CNT_COUNT};
