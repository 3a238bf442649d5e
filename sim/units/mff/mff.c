/* Socket of the MFF unit: turns mff.* instructions into command packets at the SM, carries flits
 * between the crossbar and the RTL's slices, memory ports between RTL and L2 slices, and
 * delivers the words to shared memory. What the unit computes is computed by the RTL alone; this
 * file checks every word of it against memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/units/mff/mff_flits.h"
#include "sim/units/mff/ports.h"
#include "sim/units/rtl_set.h"

enum { OP_GATHER, OP_WAIT, OP_SCATTER_SET };

static const ptx_custom_op ops[] = {
    {.mnemonic = "mff.gather.b32", .operands = "mrr", .id = OP_GATHER},
    {.mnemonic = "mff.wait", .operands = "", .id = OP_WAIT},
    {.mnemonic = "mff.scatter_set", .operands = "rr", .id = OP_SCATTER_SET},
};

typedef struct settings {
  unsigned tag_entries, c_lines, v_lines, work_registers, c_registers, job_entries, keep, v_queue,
      pack_words, pack_entries, counter_bits, sm_commands, gate, check;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"tag_entries", "TagEntries", 2, 1024, 256, FIELD(tag_entries), NULL,
     "tags per slice, C lines included"},
    {"c_lines", "CLines", 1, 64, 48, FIELD(c_lines), NULL,
     "line buffers per slice for C blocks (the paper: 16 with 4 for V)"},
    {"v_lines", "VLines", 1, 64, 32, FIELD(v_lines), NULL, "line buffers per slice for V blocks"},
    {"work_registers", "WorkRegs", 16, 1 << 20, 8192, FIELD(work_registers), NULL,
     "work registers of the unit"},
    {"c_registers", "CRegs", 6, 1 << 16, 2048, FIELD(c_registers), NULL,
     "of these, registers in C state"},
    {"job_entries", "JobEntries", 1, 4096, 256, FIELD(job_entries), NULL,
     "warp-level commands held"},
    {"keep", "Keep", 0, 1, 1, FIELD(keep), NULL,
     "blocks stay in their lines until those are wanted"},
    {"v_queue", "VQueue", 1, 8, 4, FIELD(v_queue), NULL,
     "V requests queued between each two slices: 1, 2, 4, 8"},
    {"pack_words", "PackWords", 1, 5, 5, FIELD(pack_words), NULL, "words per reply flit"},
    {"pack_entries", "PackEntries", 1, 64, 16, FIELD(pack_entries), NULL,
     "warps whose words are packed at once"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"sm_commands", NULL, 0, 4096, 0, FIELD(sm_commands), NULL,
     "commands an SM may have outstanding; 0: its share of job_entries"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock the idle RTL; 0 clocks it always, same results"},
    {"check", NULL, 0, 1, 1, FIELD(check), NULL, "compare every delivered word with memory"},
    {0},
};

enum { MAX_SLICE_REGISTERS = 65536, MAX_SLICE_JOBS = 1024 };
enum { MAX_PARTS = 16, MAX_SMS = 64, MAX_WARPS = 64, COMMANDS_PER_WARP = 16 };
/* Word i of lane l is written at its target + 4 * i. */

/* A command between its issue and its completion. */
typedef struct command {
  bool used, done;
  uint8_t op;
  uint8_t tag, slice;
  uint32_t target[MFF_LANES]; /* shared-memory offsets */
  uint32_t expected;          /* words in all */
  uint32_t received;
  uint64_t issued_at;
  uint32_t c_index[MFF_LANES];
  uint8_t size[MFF_LANES];
  uint32_t seen[MFF_LANES]; /* bit i: word i of the lane is here */
} command;

typedef struct warp_state {
  command commands[COMMANDS_PER_WARP];
  uint8_t next_tag;
  uint8_t gathers, outstanding;
  bool parked, queued;
} warp_state;

typedef struct mff {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtls;
  wf_rtl *rtl; /* the one there is */
  mff_ports port;
  settings set;
  uint32_t base[3];  /* C, V, B */
  warp_state *warps; /* [sm][warp] */
  unsigned next_slice[MAX_SMS];
  /* Credits: an SM sends no command that the unit may have no job entry for, so commands do not
   * wait in the crossbar. Warps without one queue up. */
  unsigned quota, used[MAX_SMS];                        /* of an SM, all slices */
  unsigned slice_quota, slice_used[MAX_SMS][MAX_PARTS]; /* of an SM at one slice */
  uint8_t queue[MAX_SMS][MAX_WARPS];
  wf_ring queue_ring[MAX_SMS];
  unsigned flit_at[MAX_PARTS]; /* flits of the partition's head command already taken */
  uint64_t outstanding;
  /* counters of the socket */
  uint64_t latency_sum; /* core cycles from issue to completion, gathers */
  uint64_t gathers, scatters, words_checked, replies, busy_cycles, busy_slices, issue_retries,
      credit_waits;
} mff;

static warp_state *warp_of(mff *m, unsigned sm, unsigned warp) {
  return &m->warps[sm * m->env.warps_per_sm + warp];
}

/* ---- creation ---- */

static void mff_destroy(wf_unit *unit) {
  mff *m = (mff *)unit;
  free(m->warps);
  free(m);
}

static bool mff_bind(wf_unit *unit, wf_error *err) {
  mff *m = (mff *)unit;
  m->rtl = &m->rtls.at[0];
  return mff_ports_bind(&m->port, m->rtl->model, err);
}

/* Commands that an SM may have outstanding. */
static unsigned quota_of(const mff *m) {
  const unsigned share = m->set.job_entries / m->env.n_sm;
  if (m->set.sm_commands) return m->set.sm_commands;
  return share ? share : 1;
}

static bool mff_open(wf_unit *unit, const wf_unit_env *e, wf_error *err) {
  mff *m = (mff *)unit;
  const wf_rtl_value fixed[] = {{"NSlice", e->n_part},
                                {"NumSm", e->n_sm},
                                {"NumWarp", e->warps_per_sm},
                                {"InterleaveBytes", e->interleave_bytes},
                                {0}};
  m->unit.rtl[0] = &m->rtls;
  m->env = *e;
  m->warps = wf_calloc((size_t)e->n_sm * e->warps_per_sm, sizeof *m->warps);
  m->quota = quota_of(m);
  m->slice_quota = (m->quota + e->n_part - 1) / e->n_part;
  for (unsigned sm = 0; sm < e->n_sm; sm++) m->next_slice[sm] = sm % e->n_part;
  const wf_rtl_request q = {"mff", "tuned", fixed, NULL, unit, e};
  const bool ok = wf_rtl_set_open(&m->rtls, 1, &q, err);
  m->rtls.banks = e->n_part;
  return ok;
}

/* Rules of the RTL's header, told in the user's words: every slice has its share. */
static bool mff_fits(const wf_unit_env *e, wf_error *err) {
  settings s;
  if (!wf_parameters_read(parameters, "mff", e->options, &s, err)) return false;
  const unsigned n = e->n_part;
  if (s.tag_entries <= s.c_lines)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "mff.tag_entries=%u: expected more than mff.c_lines=%u",
                   s.tag_entries, s.c_lines);
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
  return true;
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
  return wf_rtl_transfer(m->rtl, m->port.cfg_valid, m->port.cfg_ready, wf_unit_now(&m->env), err);
}

/* ---- SM side ---- */

/* A warp's commands are told apart by tag, which names their place too. */
static command *place_of(warp_state *w, uint32_t tag) {
  return &w->commands[tag % COMMANDS_PER_WARP];
}

/* Fills in the command from the warp's operands; false if no lane asks for anything. */
static bool read_operands(command *c, const wf_unit_offer *offer, unsigned first_operand) {
  const uint64_t *index = offer->effect->operand[first_operand];
  const uint64_t *size = offer->effect->operand[first_operand + 1];
  for (unsigned l = 0; l < MFF_LANES; l++) {
    bool active = offer->active >> l & 1;
    c->c_index[l] = (uint32_t)index[l];
    c->size[l] = active ? (uint8_t)(size[l] > 255 ? 255 : size[l]) : 0;
    c->seen[l] = 0;
    c->expected += c->size[l];
  }
  return c->expected > 0;
}

static bool place_words(command *c, const wf_unit_offer *offer, wf_error *err) {
  for (unsigned l = 0; l < MFF_LANES; l++) {
    if (!c->size[l]) continue;
    uint64_t target = offer->effect->operand[0][l];
    if (target >= PTX_SHARED_WINDOW) target -= PTX_SHARED_WINDOW;
    if (c->size[l] > MFF_MAX_SIZE)
      return wf_fail(err, WF_EXIT_WRONG, "lane %u: size %u is more than %d", l, c->size[l],
                     MFF_MAX_SIZE);
    if (target % 4 || target + 4ull * c->size[l] > offer->shared_limit)
      return wf_fail(
          err, WF_EXIT_WRONG,
          "lane %u: target 0x%llx with %u words does not fit the CTA's %u bytes of shared "
          "memory",
          l, (unsigned long long)target, c->size[l], offer->shared_limit);
    c->target[l] = (uint32_t)target;
  }
  return true;
}

/* The next slice in rotation at which the SM has a credit. */
static unsigned pick_slice(const mff *m, unsigned sm) {
  unsigned p = m->next_slice[sm];
  for (unsigned tries = 0; tries < m->env.n_part && m->slice_used[sm][p] >= m->slice_quota; tries++)
    p = (p + 1) % m->env.n_part;
  return p;
}

static bool send_command(mff *m, command *c, const wf_unit_offer *offer) {
  uint32_t flits[1 + MFF_MAX_LANE_FLITS][MFF_FLIT_WORDS];
  mff_lane lanes[MFF_LANES];
  mff_cmd_header header = {.op = c->op, .sm = offer->sm, .warp = offer->warp, .tag = c->tag};
  for (unsigned l = 0; l < MFF_LANES; l++) {
    lanes[l] = (mff_lane){c->c_index[l], c->size[l]};
    header.lane_mask |= (uint32_t)(c->size[l] > 0) << l;
  }
  uint32_t n = mff_pack_command(flits, &header, lanes);
  wf_packet p = {.payload = wf_mem_payload_new(m->env.mem),
                 .kind = WF_PKT_UNIT,
                 .bytes = (uint16_t)(n * 32 - 8), /* the packet's header rides in the header flit */
                 .client = (uint8_t)m->env.client,
                 .sm = (uint8_t)offer->sm,
                 .part = (uint8_t)pick_slice(m, offer->sm)};
  memcpy(wf_mem_payload(m->env.mem, p.payload), flits, (size_t)n * sizeof flits[0]);
  if (!wf_mem_send(m->env.mem, offer->sm, &p)) {
    wf_mem_payload_free(m->env.mem, p.payload);
    return false;
  }
  c->slice = p.part;
  m->slice_used[offer->sm][p.part]++;
  m->next_slice[offer->sm] = (p.part + 1u) % m->env.n_part;
  return true;
}

static wf_offer_result wait_for_credit(mff *m, warp_state *w, const wf_unit_offer *offer) {
  unsigned sm = offer->sm;
  if (!w->queued) m->queue[sm][wf_ring_push(&m->queue_ring[sm], MAX_WARPS)] = (uint8_t)offer->warp;
  w->parked = w->queued = true;
  m->credit_waits++;
  return WF_OFFER_PARK;
}

static void wake(mff *m, unsigned sm, unsigned warp) {
  warp_of(m, sm, warp)->parked = false;
  m->env.wake_warp(m->env.gpu, sm, warp);
}

/* A credit is back: the warp that has waited longest may try again. */
static void return_credit(mff *m, unsigned sm) {
  m->used[sm]--;
  if (!m->queue_ring[sm].count) return;
  unsigned warp = m->queue[sm][wf_ring_pop(&m->queue_ring[sm], MAX_WARPS)];
  warp_of(m, sm, warp)->queued = false;
  wake(m, sm, warp);
}

static wf_offer_result offer_command(mff *m, const wf_unit_offer *offer, wf_error *err) {
  warp_state *w = warp_of(m, offer->sm, offer->warp);
  if (!offer->active) return WF_OFFER_DONE;
  command *c = place_of(w, w->next_tag);
  if (c->used) {
    w->parked = true;
    return WF_OFFER_PARK;
  }
  bool gather = offer->id != OP_SCATTER_SET;
  *c = (command){.op = gather ? MFF_OP_GATHER : MFF_OP_SCATTER_SET, .tag = w->next_tag};
  if (!read_operands(c, offer, gather ? 1 : 0)) return WF_OFFER_DONE;
  if (gather && !place_words(c, offer, err)) return WF_OFFER_FAULT;
  if (m->used[offer->sm] >= m->quota) return wait_for_credit(m, w, offer);
  if (!send_command(m, c, offer)) {
    m->issue_retries++;
    return WF_OFFER_RETRY;
  }
  c->used = true;
  m->used[offer->sm]++;
  c->issued_at = wf_unit_now(&m->env);
  w->next_tag++;
  w->outstanding++;
  w->gathers += gather;
  m->outstanding++;
  *(gather ? &m->gathers : &m->scatters) += 1;
  return WF_OFFER_DONE;
}

static wf_offer_result mff_offer(wf_unit *unit, const wf_unit_offer *offer, wf_error *err) {
  mff *m = (mff *)unit;
  if (offer->id != OP_WAIT) return offer_command(m, offer, err);
  warp_state *w = warp_of(m, offer->sm, offer->warp);
  if (!w->gathers) return WF_OFFER_DONE;
  w->parked = true;
  return WF_OFFER_PARK;
}

static command *find_command(warp_state *w, uint32_t tag) {
  command *c = place_of(w, tag);
  return c->used && c->tag == tag ? c : NULL;
}

static bool read_word(const mff *m, uint32_t address, uint32_t *word, wf_error *err) {
  const void *at = wf_image_at(m->env.image, address, 4, err);
  if (at) memcpy(word, at, 4);
  return at != NULL;
}

/* The word of lane's i-th element must be the one memory holds. */
static bool check_word(mff *m, const command *c, unsigned lane, unsigned i, uint32_t got,
                       wf_error *err) {
  uint32_t index, want;
  if (!read_word(m, m->base[0] + 4 * (c->c_index[lane] + i), &index, err) ||
      !read_word(m, m->base[1] + 4 * index, &want, err))
    return false;
  m->words_checked++;
  if (got == want) return true;
  return wf_fail(
      err, WF_EXIT_WRONG,
      "mff: lane %u word %u (element %u of C, vertex %u): got 0x%08x, memory holds 0x%08x", lane, i,
      c->c_index[lane] + i, index, got, want);
}

static bool take_words(mff *m, command *c, const mff_rsp *r, wf_error *err) {
  for (unsigned k = 0; k < r->count; k++) {
    unsigned lane = r->lane[k], i = r->a_offset[k];
    if (i >= c->size[lane] || c->seen[lane] >> i & 1)
      return wf_fail(err, WF_EXIT_WRONG, "mff: SM %u warp %u: word %u of lane %u was %s", r->sm,
                     r->warp, i, lane, i >= c->size[lane] ? "not asked for" : "delivered twice");
    if (m->set.check && !check_word(m, c, lane, i, r->word[k], err)) return false;
    c->seen[lane] |= 1u << i;
    c->received++;
    if (!m->env.shared_write(m->env.gpu, r->sm, r->warp, c->target[lane] + 4 * i, r->word[k]))
      return wf_fail(err, WF_EXIT_WRONG,
                     "mff: SM %u warp %u left before its gather was complete (mff.wait missing?)",
                     r->sm, r->warp);
  }
  return true;
}

/* Words and completion travel from different partitions: the command is over when both are here. */
static void finish_if_complete(mff *m, warp_state *w, command *c, unsigned sm, unsigned warp) {
  if (!c->done || (c->op == MFF_OP_GATHER && c->received < c->expected)) return;
  bool gather = c->op == MFF_OP_GATHER;
  c->used = false;
  if (gather) m->latency_sum += wf_unit_now(&m->env) - c->issued_at;
  w->outstanding--;
  w->gathers -= gather;
  m->outstanding--;
  m->slice_used[sm][c->slice]--;
  return_credit(m, sm);
  if (w->parked && !w->queued)
    wake(m, sm, warp); /* tries again; parks again if it still must wait */
}

static bool mff_receive(wf_unit *unit, unsigned sm, const wf_packet *packet, wf_error *err) {
  mff *m = (mff *)unit;
  uint32_t flit[MFF_FLIT_WORDS];
  mff_rsp r;
  memcpy(flit, wf_mem_payload(m->env.mem, packet->payload), sizeof flit);
  wf_mem_payload_free(m->env.mem, packet->payload);
  mff_unpack_rsp(&r, flit);
  m->replies++;
  if (r.sm != sm || r.warp >= m->env.warps_per_sm)
    return wf_fail(err, WF_EXIT_WRONG, "mff: a reply for SM %u warp %u reached SM %u", r.sm, r.warp,
                   sm);
  warp_state *w = warp_of(m, sm, r.warp);
  command *c = find_command(w, r.tag);
  if (!c)
    return wf_fail(err, WF_EXIT_WRONG,
                   "mff: SM %u warp %u: reply for command %u, which is not outstanding", sm, r.warp,
                   r.tag);
  if (r.is_done) {
    if (r.error || r.words_delivered != c->expected || c->done)
      return wf_fail(err, WF_EXIT_WRONG,
                     "mff: SM %u warp %u: command %u ended %s with %u of %u words", sm, r.warp,
                     r.tag, r.error ? "refused" : "normally", r.words_delivered, c->expected);
    c->done = true;
  } else if (!take_words(m, c, &r, err)) {
    return false;
  }
  finish_if_complete(m, w, c, sm, r.warp);
  return true;
}

/* ---- partition side: one L2 cycle of every slice's ports ---- */

static const uint32_t *words_of(const wf_port *port, unsigned slice) {
  return port->words + slice * MFF_FLIT_WORDS;
}

static void drive_command(mff *m, unsigned p) {
  const wf_packet *packet = wf_mem_unit_peek(m->env.mem, m->env.client, p);
  wf_port_set_bit(m->port.cmd_valid, p, packet != NULL);
  if (!packet) return;
  const uint8_t *flits = wf_mem_payload(m->env.mem, packet->payload);
  memcpy(m->port.cmd_data->words + p * MFF_FLIT_WORDS, flits + 32 * m->flit_at[p], 32);
  if (!wf_port_bit(m->port.cmd_ready, p)) return;
  if (++m->flit_at[p] * 32 < packet->bytes + 8u) return;
  m->flit_at[p] = 0;
  wf_mem_payload_free(m->env.mem, packet->payload);
  wf_mem_unit_pop(m->env.mem, p);
}

static void drive_replies(mff *m, unsigned p) {
  bool taken = false;
  if (wf_port_bit(m->port.rsp_valid, p)) {
    const uint32_t *flit = words_of(m->port.rsp_data, p);
    wf_packet packet = {.payload = wf_mem_payload_new(m->env.mem),
                        .kind = WF_PKT_UNIT,
                        .bytes = 24, /* with the packet's header: one flit */
                        .reply_bytes = 24,
                        .sm = (uint8_t)(flit[7] >> 8 & 63u),
                        .part = (uint8_t)p};
    memcpy(wf_mem_payload(m->env.mem, packet.payload), flit, 32);
    taken = wf_mem_unit_send(m->env.mem, m->env.client, p, &packet);
    if (!taken) wf_mem_payload_free(m->env.mem, packet.payload);
  }
  wf_port_set_bit(m->port.rsp_ready, p, taken);
}

static void drive_memory(mff *m, unsigned p) {
  bool read = wf_port_bit(m->port.mem_rd_valid, p) &&
              wf_mem_unit_read(m->env.mem, m->env.client, p, m->port.mem_rd_addr->words[p],
                               (uint32_t)wf_port_get_bits(m->port.mem_rd_id, 16 * p, 16));
  wf_port_set_bit(m->port.mem_rd_ready, p, read);
  bool written = false;
  if (wf_port_bit(m->port.mem_wr_valid, p)) {
    uint32_t address = m->port.mem_wr_addr->words[p], sector = address / MFF_BEAT_BYTES % MFF_BEATS;
    uint32_t mask = (uint32_t)wf_port_get_bits(m->port.mem_wr_mask, 8 * p, 8) << (8 * sector);
    uint8_t line[MFF_BLOCK_BYTES];
    memcpy(line + MFF_BEAT_BYTES * sector, words_of(m->port.mem_wr_data, p), MFF_BEAT_BYTES);
    written = wf_mem_unit_write(m->env.mem, m->env.client, p,
                                address & ~(uint32_t)(MFF_BLOCK_BYTES - 1), mask, line);
  }
  wf_port_set_bit(m->port.mem_wr_ready, p, written);
}

static void drive_beat(mff *m, unsigned p) {
  const wf_mem_beat *beat = wf_mem_unit_beat(m->env.mem, m->env.client, p);
  wf_port_set_bit(m->port.mem_rsp_valid, p, beat != NULL);
  if (!beat) return;
  wf_port_set_bits(m->port.mem_rsp_id, 16 * p, 16, beat->id);
  wf_port_set_bits(m->port.mem_rsp_beat, 2 * p, 2, beat->beat);
  memcpy(m->port.mem_rsp_data->words + p * MFF_FLIT_WORDS, beat->data, MFF_BEAT_BYTES);
  if (wf_port_bit(m->port.mem_rsp_ready, p)) wf_mem_unit_beat_pop(m->env.mem, p);
}

/* After the last completion it still gives its kept blocks back. */
static bool mff_idle(const wf_unit *unit) {
  const mff *m = (const mff *)unit;
  return m->outstanding == 0 && wf_port_get(m->port.idle);
}

/* Every output of the unit is registered, so what it shows now answers this cycle, and one
 * evaluation a cycle is enough. An idle unit that is offered nothing is not clocked. */
static bool mff_tick(wf_unit *unit, wf_error *err) {
  mff *m = (mff *)unit;
  if (!wf_mem_l2_edge(m->env.mem)) return true;
  bool offered = false;
  const bool at_rest = mff_idle(unit);
  if (m->set.gate && at_rest) return true;
  for (unsigned p = 0; p < m->env.n_part && !offered; p++)
    offered = wf_mem_unit_peek(m->env.mem, m->env.client, p) != NULL;
  m->busy_cycles += !at_rest;
  const bool works = offered || !wf_port_get(m->port.idle);
  if (works) m->busy_slices += m->env.n_part;
  if (!works && m->set.gate) return true;
  for (unsigned p = 0; p < m->env.n_part; p++) {
    drive_command(m, p);
    drive_replies(m, p);
    drive_memory(m, p);
    drive_beat(m, p);
  }
  return wf_rtl_clock(m->rtl, wf_unit_now(&m->env), err);
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"gathers", offsetof(mff, gathers)},
    {"scatters", offsetof(mff, scatters)},
    {"words_checked", offsetof(mff, words_checked)},
    {"replies", offsetof(mff, replies)},
    {"busy_cycles", offsetof(mff, busy_cycles)},
    {"busy_slices", offsetof(mff, busy_slices)},
    {"credit_waits", offsetof(mff, credit_waits)},
    {"issue_retries", offsetof(mff, issue_retries)},
    {0},
};

static void mff_figures(wf_unit *unit, wf_counter_fn each, void *user) {
  const mff *m = (const mff *)unit;
  each(user, "gather_latency", m->gathers ? (double)m->latency_sum / (double)m->gathers : 0);
}

static const wf_energy_event energy[] = {
    {"busy_slices", WF_EN_PART_UNIT, 453.6, NULL,
     "make synth UNIT=mff CONFIG=tuned, NanGate 45 nm, a sixth of the unit: logic 399.0, RAM 54.6, "
     "a tenth of the nets toggling; a cycle with something offered or inside, outside which a "
     "clock "
     "gate on idle_o stops it"},
    {0},
};
static const wf_energy_power power[] = {
    {"static", NULL, "tuned", 0.302, "make synth UNIT=mff CONFIG=tuned, NanGate 45 nm: leakage"},
    {0},
};

static void mff_describe(const wf_unit *unit, FILE *out) {
  const mff *m = (const mff *)unit;
  fprintf(out,
          "mff: %llu commands outstanding, RTL idle %d, cmd valid %llx ready %llx, rsp valid "
          "%llx, read valid %llx, write valid %llx\n",
          (unsigned long long)m->outstanding, (int)wf_port_get(m->port.idle),
          (unsigned long long)wf_port_get(m->port.cmd_valid),
          (unsigned long long)wf_port_get(m->port.cmd_ready),
          (unsigned long long)wf_port_get(m->port.rsp_valid),
          (unsigned long long)wf_port_get(m->port.mem_rd_valid),
          (unsigned long long)wf_port_get(m->port.mem_wr_valid));
}

const wf_unit_class wf_unit_mff = {
    .name = "mff",
    .summary = "memory fast-forward: pointer chasing and temporal coalescing next to L2",
    .limits = "any SMs, warps, L1 and L2 slices",
    .fits = mff_fits,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
    .bytes = sizeof(mff),
    .settings = offsetof(mff, set),
    .open = mff_open,
    .destroy = mff_destroy,
    .bases = bases,
    .write_base = mff_write_base,
    .offer = mff_offer,
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
