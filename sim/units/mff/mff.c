/* Socket of the MFF unit: carries signals between the RTL beside the L2 slices (mff_unit), the
 * crossbar and the slices' ports. Its part in each SM is in mff_side.h, what both do is checked in
 * mff_watch.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/mem/mask.h"
#include "sim/units/mff/mff_side.h"

enum { OP_GATHER, OP_WAIT, OP_SCATTER_SET };
enum { VIEW_SLICES, VIEW_SM };

static const ptx_custom_op ops[] = {
    {.mnemonic = "mff.gather.b32", .operands = "mrr", .id = OP_GATHER},
    {.mnemonic = "mff.wait", .operands = "", .id = OP_WAIT},
    {.mnemonic = "mff.scatter_set", .operands = "rr", .id = OP_SCATTER_SET},
};

typedef struct settings {
  unsigned tag_entries, v_ways, c_lines, v_lines, work_registers, c_registers, job_entries,
      lane_rows, keep, v_queue, pack_words, pack_entries, counter_bits, sm_commands, view, gate,
      check;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"tag_entries", "mff.TagEntries", 2, 4160, 256, FIELD(tag_entries), NULL,
     "tags per slice, C lines included; those of V are rounded up to a power of two"},
    {"v_ways", "mff.VWays", 1, 8, 4, FIELD(v_ways), NULL,
     "ways of a set of V tags, in each of two banks: 1, 2, 4, 8"},
    {"c_lines", "mff.CLines", 1, 64, 48, FIELD(c_lines), NULL,
     "line buffers per slice for C blocks (the paper: 16 with 4 for V)"},
    {"v_lines", "mff.VLines", 1, 64, 32, FIELD(v_lines), NULL,
     "line buffers per slice for V blocks"},
    {"work_registers", "mff.WorkRegs", 16, 1 << 20, 8192, FIELD(work_registers), NULL,
     "work registers of the unit"},
    {"c_registers", "mff.CRegs", 6, 1 << 16, 2048, FIELD(c_registers), NULL,
     "of these, registers in C state"},
    {"job_entries", "mff.JobEntries", 1, 4096, 256, FIELD(job_entries), NULL,
     "warp-level commands held"},
    {"lane_rows", "mff.LaneRows", 6, 6144, 24, FIELD(lane_rows), NULL,
     "rows of six lanes per slice in which commands wait for the sequencer"},
    {"keep", "mff.Keep", 0, 1, 1, FIELD(keep), NULL,
     "blocks stay in their lines until those are wanted"},
    {"v_queue", "mff.VQueue", 1, 8, 4, FIELD(v_queue), NULL,
     "V requests queued between each two slices: 1, 2, 4, 8"},
    {"pack_words", "mff.PackWords", 1, 5, 5, FIELD(pack_words), NULL, "words per reply flit"},
    {"pack_entries", "mff.PackEntries", 1, 64, 16, FIELD(pack_entries), NULL,
     "warps whose words are packed at once"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"sm_commands", NULL, 0, MFF_TAGS, 0, FIELD(sm_commands), NULL,
     "commands an SM may have outstanding; 0: its share of job_entries"},
    {"view", NULL, 0, 1, VIEW_SLICES, FIELD(view), NULL,
     "--wave and --record look at 0 the slices, 1 the part in SM 0"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock the idle RTL; 0 clocks it always, same results"},
    {"check", NULL, 0, 1, 1, FIELD(check), NULL, "compare every delivered word with memory"},
    {0},
};

enum { MAX_SLICE_REGISTERS = 65536, MAX_SLICE_JOBS = 1024, MAX_TAGS = 4096 };
enum { MAX_PARTS = 24, MAX_SMS = WF_MASK_BITS };
enum { SHARED_LEAST = 128, SHARED_MOST = 1 << 20 }; /* bytes, in multiples of the least */

typedef struct mff {
  wf_unit unit;
  mff_shared shared;
  wf_rtl_set slices_rtl, sms_rtl;
  wf_rtl *rtl; /* of all slices */
  mff_ports port;
  settings set;
  uint32_t base[3];            /* C, V, B */
  mff_side *sides;             /* [SMs] */
  wf_mask working;             /* SMs whose part has something to do */
  unsigned flit_at[MAX_PARTS]; /* flits of the partition's head command already taken */
  uint64_t busy_slices;
} mff;

/* ---- creation ---- */

static void mff_destroy(wf_unit *unit) {
  mff *m = (mff *)unit;
  free(m->sides);
  free(m);
}

static bool mff_bind(wf_unit *unit, wf_error *err) {
  mff *m = (mff *)unit;
  m->rtl = &m->slices_rtl.at[0];
  for (unsigned s = 0; s < m->shared.env.n_sm; s++)
    if (!mff_side_bind(&m->sides[s], &m->shared, s, &m->sms_rtl.at[s], err)) return false;
  return mff_ports_bind(&m->port, m->rtl->model, err);
}

/* Commands that an SM may have outstanding. */
static unsigned quota_of(const mff *m) {
  const unsigned share = m->set.job_entries / m->shared.env.n_sm;
  if (m->set.sm_commands) return m->set.sm_commands;
  return !share ? 1 : share < MFF_TAGS ? share : MFF_TAGS;
}

static bool open_slices(mff *m, wf_error *err) {
  const wf_unit_env *e = &m->shared.env;
  const wf_rtl_value fixed[] = {
      {"NSlice", e->n_part},        {"NumSm", e->n_sm},
      {"NumWarp", e->warps_per_sm}, {"InterleaveBytes", e->interleave_bytes},
      {"Hash", e->slice_hash},      {0}};
  const wf_rtl_request q = {"mff", "tuned", fixed, NULL, &m->unit, e};
  m->unit.rtl[VIEW_SLICES] = &m->slices_rtl;
  const bool ok = wf_rtl_set_open(&m->slices_rtl, 1, &q, err);
  m->slices_rtl.banks = e->n_part;
  if (ok) wf_rtl_set_threads(&m->slices_rtl, e);
  return ok;
}

static bool open_sms(mff *m, wf_error *err) {
  const wf_unit_env *e = &m->shared.env;
  const wf_rtl_value fixed[] = {{"Commands", quota_of(m)},
                                {"NSlice", e->n_part},
                                {"NumWarp", e->warps_per_sm},
                                {"SharedBytes", e->shared_bytes_per_sm},
                                {0}};
  const wf_rtl_request q = {"mff_sm", "tuned", fixed, NULL, &m->unit, e};
  m->unit.rtl[VIEW_SM] = &m->sms_rtl;
  return wf_rtl_set_open(&m->sms_rtl, e->n_sm, &q, err);
}

static bool mff_open(wf_unit *unit, const wf_unit_env *e, wf_error *err) {
  mff *m = (mff *)unit;
  m->shared.env = *e;
  m->shared.memory = (mff_memory){.image = e->image, .base = m->base, .check = m->set.check};
  m->sides = wf_calloc(e->n_sm, sizeof *m->sides);
  m->unit.shown = m->set.view;
  m->working = wf_mask_below(e->n_sm); /* they fill their lists of free entries */
  return open_slices(m, err) && open_sms(m, err);
}

/* What the unit asks of the GPU. Of a set one way is left to others than blocks on their way to it.
 */
static bool fits_gpu(const wf_unit_env *e, wf_error *err) {
  const unsigned n = e->n_part, odd = n >> __builtin_ctz(n);
  if (e->l2_ways < 2)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit mff: l2.ways=%u: expected 2 or more",
                   e->l2_ways);
  if (e->slice_hash && odd > 7)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit mff: l2.partitions=%u with l2.hash=1: expected 1, 3, 5 or 7 times a "
                   "power of two",
                   n);
  if (e->shared_bytes_per_sm < SHARED_LEAST || e->shared_bytes_per_sm > SHARED_MOST ||
      e->shared_bytes_per_sm % SHARED_LEAST)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit mff: core.shared_bytes=%u: expected a multiple of %d, up to %d",
                   e->shared_bytes_per_sm, SHARED_LEAST, SHARED_MOST);
  return true;
}

/* Rules of the RTL's header, told in the user's words: every slice has its share. */
static bool mff_fits(const wf_unit_env *e, wf_error *err) {
  settings s;
  if (!wf_parameters_read(parameters, "mff", e->options, &s, err)) return false;
  const unsigned n = e->n_part;
  if (s.tag_entries <= s.c_lines)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "mff.tag_entries=%u: expected more than mff.c_lines=%u",
                   s.tag_entries, s.c_lines);
  if (s.tag_entries - s.c_lines > MAX_TAGS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "mff.tag_entries=%u: expected at most %d more than mff.c_lines=%u",
                   s.tag_entries, MAX_TAGS, s.c_lines);
  if (s.c_registers < n)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "mff.c_registers=%u: expected %u or more, one for each of %u L2 slices",
                   s.c_registers, n, n);
  if (s.work_registers < s.c_registers + n ||
      (s.work_registers - s.c_registers + n - 1) / n > MAX_SLICE_REGISTERS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "mff.work_registers=%u: expected 1 to %d for each of %u L2 slices beside "
                   "mff.c_registers=%u",
                   s.work_registers, MAX_SLICE_REGISTERS, n, s.c_registers);
  if (s.job_entries > MAX_SLICE_JOBS * n)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "mff.job_entries=%u: expected at most %u: %d an L2 slice", s.job_entries,
                   MAX_SLICE_JOBS * n, MAX_SLICE_JOBS);
  return fits_gpu(e, err);
}

static const char *const bases[] = {"c_base", "v_base", "b_base", NULL};

static bool mff_write_base(wf_unit *unit, unsigned base, uint32_t value, wf_error *err) {
  mff *m = (mff *)unit;
  const char *name = bases[base];
  if (value % 4)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "mff: %s = 0x%x: must be a multiple of 4", name, value);
  m->base[base] = value;
  wf_port_set(m->port.cfg_addr, base);
  wf_port_set(m->port.cfg_data, value);
  return wf_rtl_transfer(m->rtl, m->port.cfg_valid, m->port.cfg_ready, wf_unit_now(&m->shared.env),
                         err);
}

/* ---- SM side ---- */

static wf_offer_result mff_offer(wf_unit *unit, const wf_unit_offer *offer, wf_error *err) {
  mff *m = (mff *)unit;
  mff_side *s = &m->sides[offer->sm];
  if (offer->id == OP_WAIT) return mff_side_wait(s, offer);
  wf_mask_set(&m->working, offer->sm);
  return mff_side_command(s, &m->shared, offer, offer->id == OP_GATHER, err);
}

static bool mff_may_receive(const wf_unit *unit, unsigned sm) {
  return mff_side_may_receive(&((const mff *)unit)->sides[sm]);
}

static bool mff_receive(wf_unit *unit, unsigned sm, const wf_packet *packet, wf_error *err) {
  mff *m = (mff *)unit;
  wf_mask_set(&m->working, sm);
  return mff_side_receive(&m->sides[sm], &m->shared, packet, err);
}

static bool clock_sms(mff *m, wf_error *err) {
  wf_mask sms = m->sms_rtl.gate ? m->working : wf_mask_below(m->shared.env.n_sm);
  for (unsigned s; wf_mask_take(&sms, &s, WF_MASK_WORDS);) {
    mff_side *side = &m->sides[s];
    if (!mff_side_send(side, &m->shared, err)) return false;
    if (wf_rtl_due(&m->sms_rtl, mff_side_works(side)) && !mff_side_clock(side, &m->shared, err))
      return false;
    if (!mff_side_holds(side)) wf_mask_clear(&m->working, s);
  }
  return true;
}

static unsigned outstanding(const mff *m) {
  unsigned n = 0;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++) n += m->sides[s].watch.outstanding;
  return n;
}

/* ---- partition side: one L2 cycle of every slice's ports ---- */

static const uint32_t *words_of(const wf_port *port, unsigned slice) {
  return port->words + slice * MFF_FLIT_WORDS;
}

static void drive_command(mff *m, unsigned p) {
  const wf_packet *packet = wf_mem_unit_peek(m->shared.env.mem, m->shared.env.client, p);
  wf_port_set_bit(m->port.cmd_valid, p, packet != NULL);
  if (!packet) return;
  const uint8_t *flits = wf_mem_payload(m->shared.env.mem, packet->payload);
  memcpy(m->port.cmd_data->words + p * MFF_FLIT_WORDS, flits + 32 * m->flit_at[p], 32);
  if (!wf_port_bit(m->port.cmd_ready, p)) return;
  if (++m->flit_at[p] * 32 < packet->bytes + 8u) return;
  m->flit_at[p] = 0;
  wf_mem_payload_free(m->shared.env.mem, packet->payload);
  wf_mem_unit_pop(m->shared.env.mem, p);
}

static void drive_replies(mff *m, unsigned p) {
  bool taken = false;
  if (wf_port_bit(m->port.rsp_valid, p)) {
    const uint32_t *flit = words_of(m->port.rsp_data, p);
    wf_packet packet = {.payload = wf_mem_payload_new(m->shared.env.mem),
                        .kind = WF_PKT_UNIT,
                        .bytes = 24, /* with the packet's header: one flit */
                        .reply_bytes = 24,
                        .sm = (uint8_t)(flit[7] >> 8 & 255u),
                        .part = (uint8_t)p};
    memcpy(wf_mem_payload(m->shared.env.mem, packet.payload), flit, 32);
    taken = wf_mem_unit_send(m->shared.env.mem, m->shared.env.client, p, &packet);
    if (!taken) wf_mem_payload_free(m->shared.env.mem, packet.payload);
  }
  wf_port_set_bit(m->port.rsp_ready, p, taken);
}

static void drive_memory(mff *m, unsigned p) {
  bool read =
      wf_port_bit(m->port.mem_rd_valid, p) &&
      wf_mem_unit_read(m->shared.env.mem, m->shared.env.client, p, m->port.mem_rd_addr->words[p],
                       (uint32_t)wf_port_get_bits(m->port.mem_rd_id, 16 * p, 16));
  wf_port_set_bit(m->port.mem_rd_ready, p, read);
  bool written = false;
  if (wf_port_bit(m->port.mem_wr_valid, p)) {
    uint32_t address = m->port.mem_wr_addr->words[p], sector = address / MFF_BEAT_BYTES % MFF_BEATS;
    uint32_t mask = (uint32_t)wf_port_get_bits(m->port.mem_wr_mask, 8 * p, 8) << (8 * sector);
    uint8_t line[MFF_BLOCK_BYTES];
    memcpy(line + MFF_BEAT_BYTES * sector, words_of(m->port.mem_wr_data, p), MFF_BEAT_BYTES);
    written = wf_mem_unit_write(m->shared.env.mem, m->shared.env.client, p,
                                address & ~(uint32_t)(MFF_BLOCK_BYTES - 1), mask, line);
  }
  wf_port_set_bit(m->port.mem_wr_ready, p, written);
}

static void drive_beat(mff *m, unsigned p) {
  const wf_mem_beat *beat = wf_mem_unit_beat(m->shared.env.mem, m->shared.env.client, p);
  wf_port_set_bit(m->port.mem_rsp_valid, p, beat != NULL);
  if (!beat) return;
  wf_port_set_bits(m->port.mem_rsp_id, 16 * p, 16, beat->id);
  wf_port_set_bits(m->port.mem_rsp_beat, 2 * p, 2, beat->beat);
  memcpy(m->port.mem_rsp_data->words + p * MFF_FLIT_WORDS, beat->data, MFF_BEAT_BYTES);
  if (wf_port_bit(m->port.mem_rsp_ready, p)) wf_mem_unit_beat_pop(m->shared.env.mem, p);
}

/* After the last completion it still gives its kept blocks back. */
static bool mff_idle(const wf_unit *unit) {
  const mff *m = (const mff *)unit;
  return !wf_mask_any(&m->working, WF_MASK_WORDS) && outstanding(m) == 0 &&
         wf_rtl_end(m->rtl, NULL) && wf_port_get(m->port.idle);
}

/* Every output of the unit is registered, so what it shows now answers this cycle, and one
 * evaluation a cycle is enough, which may go on until the next. An idle unit that is offered
 * nothing is not clocked. */
static bool clock_slices(mff *m, wf_error *err) {
  bool offered = false;
  if (!wf_rtl_end(m->rtl, err)) return false;
  for (unsigned p = 0; p < m->shared.env.n_part && !offered; p++)
    offered = wf_mem_unit_peek(m->shared.env.mem, m->shared.env.client, p) != NULL;
  const bool works = offered || !wf_port_get(m->port.idle);
  if (works) m->busy_slices += m->shared.env.n_part;
  if (!wf_rtl_due(&m->slices_rtl, works)) return true;
  for (unsigned p = 0; p < m->shared.env.n_part; p++) {
    drive_command(m, p);
    drive_replies(m, p);
    drive_memory(m, p);
    drive_beat(m, p);
  }
  return wf_rtl_begin(m->rtl, wf_unit_now(&m->shared.env), err);
}

static bool mff_tick(wf_unit *unit, wf_error *err) {
  mff *m = (mff *)unit;
  return clock_sms(m, err) && (!wf_mem_l2_edge(m->shared.env.mem) || clock_slices(m, err));
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"gathers", offsetof(mff, shared.gathers)},
    {"scatters", offsetof(mff, shared.scatters)},
    {"words_checked", offsetof(mff, shared.memory.words)},
    {"replies", offsetof(mff, shared.replies)},
    {"busy_cycles", offsetof(mff, slices_rtl.busy)},
    {"busy_slices", offsetof(mff, busy_slices)},
    {"busy_sms", offsetof(mff, sms_rtl.busy)},
    {"issue_waits", offsetof(mff, shared.issue_waits)},
    {"shared_writes", offsetof(mff, shared.shared_writes)},
    {0},
};

static void mff_figures(wf_unit *unit, wf_counter_fn each, void *user) {
  const mff *m = (const mff *)unit;
  uint64_t cycles = 0, gathers = m->shared.gathers;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++) cycles += m->sides[s].watch.gather_cycles;
  each(user, "gather_latency", gathers ? (double)cycles / (double)gathers : 0);
}

static const wf_energy_event energy[] = {
    {"busy_slices", WF_EN_PART_UNIT, 291.3, NULL,
     "make power UNIT=mff CONFIG=tuned, NanGate 45 nm, a sixth of the unit; a cycle with something "
     "offered or inside, outside which a clock gate on idle_o stops it"},
    {"busy_sms", WF_EN_PART_UNIT, 24.66, NULL,
     "make power UNIT=mff_sm CONFIG=tuned, NanGate 45 nm; gated as the slices, and while only a "
     "flit waits"},
    WF_ENERGY_TRANSFER("mff_sm_iss", 3.49),
    WF_ENERGY_TRANSFER("mff_sm_cmd", 2.85),
    WF_ENERGY_TRANSFER("mff_sm_rsp", 6.62),
    WF_ENERGY_TRANSFER("mff_sm_wr", 8.20),
    {"shared_writes", WF_EN_PART_L1, 0, "shared_access", "words of a reply, into different banks"},
    {0},
};
static const wf_energy_power power[] = {
    {"static", "mff", "tuned", 0.250, "make synth UNIT=mff CONFIG=tuned, NanGate 45 nm: leakage"},
    {"sm_static", "mff_sm", NULL, 0.0030,
     "make synth UNIT=mff_sm CONFIG=tuned, NanGate 45 nm: leakage"},
    {"gpu_l2_static", "mff", NULL, 0.0537,
     "make synth UNIT=mff CONFIG=tuned, NanGate 45 nm: what RAM leaks that the GPU keeps"},
    {"gpu_static", "mff_sm", NULL, 0.000488,
     "make synth UNIT=mff_sm CONFIG=tuned, NanGate 45 nm: what RAM leaks that the GPU keeps"},
    {0},
};

static void mff_describe(const wf_unit *unit, FILE *out) {
  const mff *m = (const mff *)unit;
  wf_rtl_end(m->rtl, NULL);
  fprintf(out,
          "mff: %llu commands outstanding, RTL idle %d, cmd valid %llx ready %llx, rsp valid "
          "%llx, read valid %llx, write valid %llx\n",
          (unsigned long long)outstanding(m), (int)wf_port_get(m->port.idle),
          (unsigned long long)wf_port_get(m->port.cmd_valid),
          (unsigned long long)wf_port_get(m->port.cmd_ready),
          (unsigned long long)wf_port_get(m->port.rsp_valid),
          (unsigned long long)wf_port_get(m->port.mem_rd_valid),
          (unsigned long long)wf_port_get(m->port.mem_wr_valid));
}

const wf_unit_class wf_unit_mff = {
    .name = "mff",
    .summary = "memory fast-forward: pointer chasing and temporal coalescing next to L2",
    .limits =
        "any SMs, warps, L1, L2 slices and memory, of which C, V and the bit vector lie in the "
        "first 4 GB",
    .fits = mff_fits,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
    .most_sms = MAX_SMS,
    .most_slices = MAX_PARTS,
    .bytes = sizeof(mff),
    .settings = offsetof(mff, set),
    .open = mff_open,
    .destroy = mff_destroy,
    .bases = bases,
    .write_base = mff_write_base,
    .offer = mff_offer,
    .may_receive = mff_may_receive,
    .receive = mff_receive,
    .tick = mff_tick,
    .idle = mff_idle,
    .counters = counters,
    .figures = mff_figures,
    .describe = mff_describe,
    .bind = mff_bind,
    .events = energy,
    .power = power,
    .example = "--app pagerank --graph rmat:scale=10,edges=8000",
    .parameters = parameters,
};
