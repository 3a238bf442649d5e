/* Socket of the DTBL unit (rtl/agt_dtbl): the scheduler in RTL in the place of the GPU's own
 * dispatcher. It puts kernels, groups and ends of blocks on the ports and starts what comes out;
 * every decision is the RTL's, and the book checks each (dtbl_book.h).
 *
 * A cycle: the fabric offers kernels and groups; one clock edge, inside place(), with these and
 * with the ends of the cycle before; then the block that the RTL shows is started. So an end makes
 * room in the cycle after it, as with the GPU's own dispatcher. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/dtbl/dtbl_book.h"
#include "sim/units/dtbl/ports.h"
#include "sim/units/rtl_set.h"

enum { SMEM_BITS = 17, TID_BITS = 11, SHM_UNIT = 128, RECORD = WF_GRID_HEADER, MAX_REFUSED = 64 };
enum { MAX_LINES = 64, LINE = 128 };
enum { LEAD = 3, REST_CYCLES = 100000, MAX_BLOCKS = 1 << 30, BEAT_BYTES = 32 };

typedef struct settings {
  unsigned agt_entries, search_slots, pool_bits, done_depth, counter_bits, spread, hop, lines, ring,
      gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"agt_entries", "AgtEntries", 2, 2048, 1024, FIELD(agt_entries), NULL,
     "groups that the table holds, 2^k; the rest goes to memory"},
    {"search_slots", "SearchSlots", 1, 32, 8, FIELD(search_slots), NULL,
     "groups that look for a kernel at once"},
    {"pool_bits", "PoolBits", 2, 32, 16, FIELD(pool_bits), NULL,
     "of the number of groups that wait in one kernel"},
    {"done_depth", "DoneDepth", 2, 64, 4, FIELD(done_depth), NULL,
     "ends of an SM's blocks that wait for bookkeeping"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"spread", NULL, 0, 1, 0, FIELD(spread), NULL,
     "hardware thread numbers: 0 within the SM, as the paper has it; 1 each SM's begin elsewhere"},
    {"hop", NULL, 0, 10000, 16, FIELD(hop), NULL,
     "core cycles between the unit and the L2 slices, both ways together"},
    {"lines", "Lines", 0, MAX_LINES, 16, FIELD(lines), NULL,
     "lines of records that the unit keeps and fetches ahead, 2..64; 0: none"},
    {"ring", "Ring", 0, 65536, 32768, FIELD(ring), NULL,
     "places of a ring of records in memory, 2^k from 16; 0: records lie below the parameters, as "
     "without dtbl.lines"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock the idle RTL; 0 clocks it always, same results"},
    {0},
};

/* A read on its way: of a record, or with dtbl.lines of a line, by its number. */
typedef struct flight {
  bool waiting;  /* the unit waits for its answer; false with beats_left: nobody does any more */
  bool nothing;  /* a line outside memory */
  uint32_t addr; /* of the first record */
  unsigned beats_left, sent; /* beats that L2 owes; records handed over */
  uint64_t asked, here_at;
} flight;

typedef struct dtbl {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtls;
  wf_rtl *rtl; /* the one there is */
  dtbl_ports port;
  dtbl_book *book;
  dtbl_shape shape;
  settings set;
  bool offered;       /* a kernel or a group goes in at the next edge */
  unsigned spread;    /* threads between two SMs' first */
  uint32_t ring_base; /* 0: not yet */
  uint64_t *ended;    /* [n_sm] slots whose ends the RTL has not taken */
  uint64_t n_ended;
  uint32_t refused[MAX_REFUSED];
  unsigned n_refused;
  flight flights[MAX_LINES];
  unsigned n_waiting, coming,
      answering; /* waiting flights; those whose beats L2 owes; the one on the port */
  bool rest;     /* between kernels: answers take no time */
  uint64_t busy, ends_waited, kernels_waited, groups_waited, records_written, records_read, answers,
      record_latency;
} dtbl;

/* ---- creation ---- */

static bool dtbl_bind(wf_unit *unit, wf_error *err) {
  dtbl *d = (dtbl *)unit;
  const dtbl_ports *p = &d->port;
  d->rtl = &d->rtls.at[0];
  if (!dtbl_ports_bind(&d->port, d->rtl->model, err)) return false;
  wf_port_set(p->divert, 0);
  wf_port_set(p->ring_base, 0);
  wf_port_set(p->kern_prio, 0);
  wf_port_set(p->agg_prio, 0);
  wf_port_set(p->tb_ready, 1); /* a block starts when it comes */
  wf_port_set(p->dk_ready, 1); /* the KMU's queue lies in memory */
  wf_port_set(p->kdone_ready, 1);
  return true;
}

static void dtbl_destroy(wf_unit *unit) {
  dtbl *d = (dtbl *)unit;
  dtbl_book_destroy(d->book);
  free(d->ended);
  free(d);
}

/* What the RTL's numbers hold, told in the user's words. */
static bool dtbl_fits_machine(const wf_unit_env *e, wf_error *err) {
  settings set;
  if (!wf_parameters_read(parameters, "dtbl", e->options, &set, err)) return false;
  if (set.agt_entries & (set.agt_entries - 1))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "dtbl.agt_entries=%u: expected a power of two",
                   set.agt_entries);
  if (set.lines == 1)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "dtbl.lines=1: expected 0 or 2 to %d", MAX_LINES);
  const char *ring = wf_options_text(e->options, "dtbl.ring");
  if (set.ring & (set.ring - 1) || (set.ring && set.ring < 16))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "dtbl.ring=%u: expected 0 or a power of two from 16",
                   set.ring);
  if (ring && set.ring && !set.lines)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "dtbl.ring=%s: with dtbl.lines=0 records have no ring; expected 0", ring);
  if (WF_IMAGE_BASE + wf_image_bytes(e->image) > UINT32_MAX)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit dtbl: its addresses have 32 bits: memory.mib must be 4095 or less");
  if (e->shared_bytes_per_sm < SHM_UNIT || e->registers_per_sm < e->register_granularity)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit dtbl: core.shared_bytes=%u, core.registers=%u: expected %d or more, and "
                   "core.register_granularity=%u or more",
                   e->shared_bytes_per_sm, e->registers_per_sm, SHM_UNIT, e->register_granularity);
  return true;
}

/* Threads between the first of two SMs: a share of all numbers, in whole warps. */
static unsigned spread_of(unsigned n_sm) {
  return ((1u << TID_BITS) / PTX_LANES + n_sm - 1) / n_sm * PTX_LANES;
}

static bool dtbl_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  dtbl *d = (dtbl *)unit;
  const dtbl_shape *s = &d->shape;
  d->env = *env;
  d->ended = wf_calloc(env->n_sm, sizeof *d->ended);
  if (!d->set.lines) d->set.ring = 0;
  d->spread = d->set.spread ? spread_of(env->n_sm) : 0;
  d->shape = (dtbl_shape){.n_sm = env->n_sm,
                          .slots = env->ctas_per_sm,
                          .warps = env->warps_per_sm,
                          .registers = env->registers_per_sm,
                          .shared_bytes = env->shared_bytes_per_sm,
                          .entries = env->kernels,
                          .agt_entries = d->set.agt_entries};
  d->book = dtbl_book_create(&d->shape);
  static const wf_rtl_value given[] = {
      {"PcBits", 32}, {"TbDimBits", 29}, {"SmemBits", SMEM_BITS}, {"TidBits", TID_BITS}, {0}};
  const wf_rtl_value fixed[] = {
      {"NumSmx", s->n_sm},
      {"MaxTb", s->slots},
      {"WarpUnits", s->warps},
      {"RegUnits", s->registers / env->register_granularity},
      {"ShmUnits", s->shared_bytes / SHM_UNIT},
      {"NumKde", s->entries},
      {0},
  };
  d->unit.rtl[0] = &d->rtls;
  const wf_rtl_request q = {"dtbl", "tuned", fixed, given, unit, env};
  return wf_rtl_set_open(&d->rtls, 1, &q, err);
}

/* ---- one edge ---- */

/* Nothing changes at an edge. */
static bool at_rest(const dtbl *d) {
  return !d->offered && !d->n_ended && !d->n_waiting && wf_port_get(d->port.idle);
}

/* Of an SM's blocks that ended together the lowest slot goes first: then the next block finds the
 * slot, and the SM, that it would find if all were told at once. */
static uint64_t drive_ends(dtbl *d) {
  uint64_t valid = 0;
  const unsigned bits = d->port.tb_slot->width;
  if (!d->n_ended) return wf_port_set(d->port.done_valid, 0), valid;
  for (unsigned s = 0; s < d->shape.n_sm; s++) {
    if (!d->ended[s]) continue;
    valid |= UINT64_C(1) << s;
    wf_port_set_bits(d->port.done_slot, s * bits, bits, (uint64_t)__builtin_ctzll(d->ended[s]));
  }
  wf_port_set(d->port.done_valid, valid);
  return valid & wf_port_get(d->port.done_ready);
}

static void count_ends(dtbl *d, uint64_t taken) {
  for (uint64_t m = taken; m; m &= m - 1) {
    uint64_t *ended = &d->ended[__builtin_ctzll(m)];
    *ended &= *ended - 1;
    d->n_ended--;
  }
  d->ends_waited += d->n_ended;
}

static unsigned records_of(const dtbl *d) {
  return d->set.lines ? LINE / RECORD : 1;
}

/* The read whose data are there longest; false: none. */
static bool next_answer(dtbl *d) {
  flight *best = NULL;
  for (unsigned i = 0; i < (d->set.lines ? d->set.lines : 1); i++) {
    flight *f = &d->flights[i];
    if (f->waiting && (d->rest || (!f->beats_left && wf_unit_now(&d->env) >= f->here_at)) &&
        (!best || f->here_at < best->here_at))
      best = f;
  }
  if (best) d->answering = (unsigned)(best - d->flights);
  return best;
}

/* True: memory's answer is taken at this edge. */
static bool drive_answer(dtbl *d) {
  const dtbl_ports *p = &d->port;
  const flight *f = &d->flights[d->answering];
  wf_port_set(p->rsp_valid, 0);
  if (!d->n_waiting || (!f->sent && !next_answer(d))) return false;
  f = &d->flights[d->answering];
  uint32_t words[4] = {0};
  const void *at =
      f->nothing ? NULL : wf_image_at(d->env.image, f->addr + f->sent * RECORD, RECORD, NULL);
  if (at) memcpy(words, at, RECORD); /* data live in the image */
  memcpy(p->rsp_data->words, words, sizeof words);
  wf_port_set(p->rsp_valid, 1);
  wf_port_set(p->rsp_id, d->answering);
  wf_port_set(p->rsp_beat, f->sent);
  return wf_port_get(p->rsp_ready);
}

static void count_answer(dtbl *d) {
  flight *f = &d->flights[d->answering];
  if (++f->sent < records_of(d)) return;
  f->waiting = false;
  f->sent = 0;
  d->n_waiting--;
  d->answers++;
  d->record_latency += wf_unit_now(&d->env) - f->asked;
}

static bool take_outputs(dtbl *d, wf_error *err) {
  const dtbl_ports *p = &d->port;
  if (wf_port_get(p->dk_valid)) {
    if (d->n_refused == MAX_REFUSED)
      return wf_fail(err, WF_EXIT_WRONG, "dtbl: more groups are refused than the KMU takes");
    if (!dtbl_book_refused(d->book, wf_port_word(p->dk_param), &d->refused[d->n_refused], err))
      return false;
    d->n_refused++;
  }
  return !wf_port_get(p->kdone_valid) || dtbl_book_kernel_done(d->book, wf_port_word(p->kdone_kdei),
                                                               wf_port_get(p->kdone_host), err);
}

static bool edge(dtbl *d, wf_error *err) {
  const dtbl_ports *p = &d->port;
  d->busy += !at_rest(d);
  const uint64_t ended = drive_ends(d);
  const bool answered = drive_answer(d);
  if (!wf_rtl_clock(d->rtl, wf_unit_now(&d->env), err)) return false;
  count_ends(d, ended);
  if (answered) count_answer(d);
  wf_port_set(p->kern_valid, 0);
  wf_port_set(p->agg_valid, 0);
  wf_port_set(p->mem_ready, 0);
  wf_port_set(p->done_valid, 0);
  wf_port_set(p->rsp_valid, 0);
  d->offered = false;
  return take_outputs(d, err);
}

/* ---- as the dispatcher ---- */

static unsigned dtbl_free_kernels(const void *self) {
  return dtbl_book_free_entries(((const dtbl *)self)->book);
}

static bool dtbl_fits(const void *self, const wf_grid *g, char *why, size_t bytes) {
  const dtbl *d = self;
  const uint64_t blocks = (uint64_t)g->blocks[0] * g->blocks[1] * g->blocks[2];
  if (blocks > MAX_BLOCKS || g->blocks[1] > UINT16_MAX || g->blocks[2] > UINT16_MAX)
    return snprintf(why, bytes,
                    "a grid of %ux%ux%u blocks: the dtbl unit takes 2^30 in all, 65535 in y and z",
                    g->blocks[0], g->blocks[1], g->blocks[2]) < 0;
  if (g->threads[2] > 512)
    return snprintf(why, bytes, "a block of %u threads in z: the dtbl unit takes 512",
                    g->threads[2]) < 0;
  const unsigned most = d->shape.shared_bytes / SHM_UNIT * SHM_UNIT;
  if (g->shared_bytes > most || g->shared_bytes >> SMEM_BITS)
    return snprintf(
               why, bytes,
               "%u bytes of shared memory: the dtbl unit gives out units of %u, at most %u bytes",
               g->shared_bytes, SHM_UNIT, most) < 0;
  return true;
}

static uint64_t block_dims(const wf_grid *g) {
  return (g->threads[0] - 1) | (g->threads[1] - 1) << 10 | (g->threads[2] - 1) << 20;
}

static bool give_kernel(dtbl *d, const wf_grid *g) {
  const dtbl_ports *p = &d->port;
  const unsigned unit = d->env.register_granularity;
  wf_port_set(p->kern_valid, 1);
  wf_port_set(p->kern_pc, dtbl_book_pc(d->book, g->kernel));
  wf_port_set(p->kern_x, g->blocks[0]);
  wf_port_set(p->kern_y, g->blocks[1]);
  wf_port_set(p->kern_z, g->blocks[2]);
  wf_port_set(p->kern_tbdim, block_dims(g));
  wf_port_set(p->kern_param, g->params);
  wf_port_set(p->kern_smem, g->shared_bytes);
  wf_port_set(p->kern_warps, g->warps);
  wf_port_set(p->kern_regs, (g->registers + unit - 1) / unit);
  wf_port_set(p->kern_shm, (g->shared_bytes + SHM_UNIT - 1) / SHM_UNIT);
  wf_port_set(p->kern_host, !g->params);
  d->offered = true;
  return dtbl_book_kernel(d->book, g, wf_port_word(p->kern_kdei), &d->unit.fault);
}

/* A fetch that is left when all is done is answered at once, by nobody. */
static bool take_at_rest(dtbl *d) {
  const dtbl_ports *p = &d->port;
  flight *f = &d->flights[wf_port_get(p->mem_id)];
  if (wf_port_get(p->mem_write) || f->waiting) return false;
  f->waiting = f->nothing = true;
  f->asked = wf_unit_now(&d->env);
  d->n_waiting++;
  wf_port_set(p->mem_ready, 1);
  return true;
}

static bool clock_to_rest(dtbl *d, wf_error *err) {
  d->rest = true;
  for (unsigned i = 0; i < REST_CYCLES && !at_rest(d); i++) {
    const bool asks =
        wf_port_get(d->port.mem_valid); /* lines to be fetched ahead, which may be left */
    if (asks && !(d->set.lines && take_at_rest(d)))
      return wf_fail(err, WF_EXIT_WRONG, "dtbl: between kernels, it asks memory");
    if (!edge(d, err)) return false;
    if (wf_port_get(d->port.tb_valid))
      return wf_fail(err, WF_EXIT_WRONG, "dtbl: between kernels, it offers a block");
  }
  d->rest = false;
  return at_rest(d) ||
         wf_fail(err, WF_EXIT_HANG, "dtbl: nothing is left to do, yet it does not come to rest");
}

/* Before the first kernel whose threads launch: others run at the addresses that they have without
 * the unit. */
static bool provide_ring(dtbl *d, wf_error *err) {
  const uint64_t bytes = (uint64_t)d->set.ring * RECORD;
  if (!bytes || d->ring_base) return true;
  const uint64_t at = wf_image_alloc(d->env.image, 2 * bytes, "dtbl.ring", err);
  if (!at) return false;
  d->ring_base = (uint32_t)((at + bytes - 1) / bytes * bytes);
  dtbl_book_ring(d->book, d->ring_base, (uint32_t)bytes);
  wf_port_set(d->port.ring_base, d->ring_base);
  return true;
}

/* A kernel of the host arrives at a unit at rest, a little before its first cycle: the way to its
 * first block, LEAD cycles more than in the GPU's own dispatcher, lies in the time between kernels,
 * which the fabric does not count for any dispatcher. */
static bool host_kernel(dtbl *d, const wf_grid *kernel) {
  wf_error *err = &d->unit.fault;
  if (!clock_to_rest(d, err) || (kernel->kernel->launches && !provide_ring(d, err))) return false;
  if (!wf_port_get(d->port.kern_ready))
    return wf_fail(err, WF_EXIT_WRONG, "dtbl: at rest, it takes no kernel");
  if (!give_kernel(d, kernel)) return false;
  for (unsigned i = 0; i < LEAD; i++) {
    if (!edge(d, err)) return false;
    if (wf_port_get(d->port.tb_valid))
      return wf_fail(err, WF_EXIT_WRONG, "dtbl: the first block comes %u edges after its kernel",
                     i + 1);
  }
  return true;
}

static bool dtbl_kernel(void *self, const wf_grid *kernel) {
  dtbl *d = self;
  if (d->unit.fault.code) return false;
  if (!kernel->params) return host_kernel(d, kernel);
  if (!wf_port_get(d->port.kern_ready)) return d->kernels_waited++, false;
  return give_kernel(d, kernel);
}

static bool dtbl_group(void *self, const wf_grid *group) {
  dtbl *d = self;
  const dtbl_ports *p = &d->port;
  wf_grid numbered = *group, *g = &numbered;
  if (d->unit.fault.code) return false;
  if (!wf_port_get(p->agg_ready)) return d->groups_waited++, false;
  g->thread = (g->thread + g->sm * d->spread) & ((1u << TID_BITS) - 1);
  wf_port_set(p->agg_valid, 1);
  wf_port_set(p->agg_smx, g->sm);
  wf_port_set(p->agg_last, g->last);
  wf_port_set(p->agg_pc, dtbl_book_pc(d->book, g->kernel));
  wf_port_set(p->agg_tbdim, block_dims(g));
  wf_port_set(p->agg_smem, g->shared_bytes);
  wf_port_set(p->agg_x, g->blocks[0]);
  wf_port_set(p->agg_y, g->blocks[1]);
  wf_port_set(p->agg_z, g->blocks[2]);
  wf_port_set(p->agg_param, g->params);
  wf_port_set(p->agg_tid, g->thread);
  d->offered = true;
  return dtbl_book_group(d->book, g, &d->unit.fault);
}

static bool dtbl_refused(void *self, uint32_t *id) {
  dtbl *d = self;
  if (!d->n_refused) return false;
  *id = d->refused[0];
  memmove(d->refused, d->refused + 1, --d->n_refused * sizeof *d->refused);
  return true;
}

/* The record of the group whose first block the unit shows: what it read must have been written. */
static bool check_record(dtbl *d, const dtbl_offer *o, wf_error *err) {
  if (!o->group || !o->first || o->link & 1) return true;
  uint32_t words[4];
  const void *at = wf_image_at(d->env.image, o->link - RECORD, RECORD, err);
  if (!at) return false;
  memcpy(words, at, RECORD);
  d->records_read++;
  return dtbl_book_read(d->book, o->link, words, err);
}

static bool take_block(dtbl *d, wf_placement *placed) {
  const dtbl_ports *p = &d->port;
  if (!wf_port_get(p->tb_valid)) return false;
  dtbl_offer o = {
      .sm = wf_port_word(p->tb_smx),
      .slot = wf_port_word(p->tb_slot),
      .kdei = wf_port_word(p->tb_kdei),
      .group = wf_port_get(p->tb_group),
      .first = wf_port_get(p->tb_first),
      .last = wf_port_get(p->tb_last),
      .link = wf_port_word(p->tb_link),
      .pc = wf_port_word(p->tb_pc),
      .param = wf_port_word(p->tb_param),
      .dim = {wf_port_word(p->tb_dim_x), wf_port_word(p->tb_dim_y), wf_port_word(p->tb_dim_z)},
      .at = {wf_port_word(p->tb_x), wf_port_word(p->tb_y), wf_port_word(p->tb_z)}};
  return check_record(d, &o, &d->unit.fault) &&
         dtbl_book_place(d->book, &o, placed, &d->unit.fault);
}

static bool dtbl_place(void *self, wf_placement *placed) {
  dtbl *d = self;
  if (d->unit.fault.code || (d->set.gate && at_rest(d))) return false;
  return edge(d, &d->unit.fault) && take_block(d, placed);
}

static bool dtbl_may_place(const void *self) {
  const dtbl *d = self;
  return d->unit.fault.code || d->n_refused || !at_rest(d);
}

static void dtbl_block_done(void *self, unsigned sm, unsigned slot) {
  dtbl *d = self;
  if (d->unit.fault.code) return;
  dtbl_book_end(d->book, sm, slot, &d->unit.fault);
  d->ended[sm] |= UINT64_C(1) << slot;
  d->n_ended++;
}

/* ---- records in memory ---- */

static bool write_record(dtbl *d, uint32_t pointer, bool *taken, wf_error *err) {
  const uint64_t at = pointer - RECORD, line = at & ~(uint64_t)(d->env.line_bytes - 1);
  const unsigned word = (unsigned)(at - line) / 4, mask = wf_port_word(d->port.mem_mask);
  uint8_t bytes[256] = {0};
  memcpy(bytes + (at - line), d->port.mem_data->words, RECORD);
  *taken = wf_mem_unit_write(d->env.mem, d->env.client, wf_mem_partition(d->env.mem, line), line,
                             mask << word, bytes);
  if (!*taken) return true;
  d->records_written += mask & 1;
  return dtbl_book_write(d->book, pointer, mask, d->port.mem_data->words, err);
}

static bool read_memory(dtbl *d) {
  const dtbl_ports *p = &d->port;
  const unsigned id = wf_port_word(p->mem_id);
  const uint32_t addr = wf_port_word(p->mem_addr) - (d->set.lines ? 0 : RECORD);
  const uint64_t line = addr & ~(uint64_t)(d->env.line_bytes - 1);
  const bool inside = line >= WF_IMAGE_BASE &&
                      line + d->env.line_bytes <= WF_IMAGE_BASE + wf_image_bytes(d->env.image);
  flight *f = &d->flights[id];
  if (f->waiting || f->beats_left) return false;
  if (inside &&
      !wf_mem_unit_read(d->env.mem, d->env.client, wf_mem_partition(d->env.mem, line), line, id))
    return false;
  *f = (flight){.waiting = true,
                .nothing = !inside,
                .addr = addr,
                .asked = wf_unit_now(&d->env),
                .here_at = wf_unit_now(&d->env) + d->set.hop};
  if (inside) f->beats_left = d->env.line_bytes / BEAT_BYTES;
  d->coming += inside;
  d->n_waiting++;
  return true;
}

static void take_beats(dtbl *d) {
  for (unsigned p = 0; d->coming && p < d->env.n_part; p++) {
    const wf_mem_beat *beat = wf_mem_unit_beat(d->env.mem, d->env.client, p);
    if (!beat) continue;
    flight *f = &d->flights[beat->id];
    wf_mem_unit_beat_pop(d->env.mem, p);
    if (--f->beats_left) continue;
    f->here_at = wf_unit_now(&d->env) + (d->set.hop ? d->set.hop : 1);
    d->coming--;
  }
}

/* Memory's side of the ports; the rest happens in place(). */
static bool dtbl_tick(wf_unit *unit, wf_error *err) {
  dtbl *d = (dtbl *)unit;
  if (!wf_mem_l2_edge(d->env.mem)) return true;
  take_beats(d);
  if (!wf_port_get(d->port.mem_valid) || wf_port_get(d->port.mem_ready)) return true;
  bool taken = false;
  const uint32_t pointer = wf_port_word(d->port.mem_addr);
  if (wf_port_get(d->port.mem_write)) {
    if (!write_record(d, pointer, &taken, err)) return false;
  } else {
    taken = read_memory(d);
  }
  wf_port_set(d->port.mem_ready, taken);
  return true;
}

/* May a kernel end? Bookkeeping of ends that is left is done in kernel_end(), between kernels. */
static bool dtbl_idle(const wf_unit *unit) {
  const dtbl *d = (const dtbl *)unit;
  return d->unit.fault.code || !dtbl_book_unfinished(d->book) || at_rest(d);
}

static bool dtbl_kernel_end(wf_unit *unit, wf_error *err) {
  dtbl *d = (dtbl *)unit;
  return clock_to_rest(d, err) && dtbl_book_over(d->book, err);
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"busy_cycles", offsetof(dtbl, busy)},
    {"end_waits", offsetof(dtbl, ends_waited)},
    {"kernel_waits", offsetof(dtbl, kernels_waited)},
    {"group_waits", offsetof(dtbl, groups_waited)},
    {"records_written", offsetof(dtbl, records_written)},
    {"records_read", offsetof(dtbl, records_read)},
    {0},
};

/* What share of both counters is the first's; of nothing, none. */
static void share(dtbl *d, const char *name, const char *hits, const char *others,
                  const uint64_t *sum, wf_counter_fn each, void *user) {
  size_t hit, other;
  if (wf_rtl_set_counter_find(&d->rtls, hits, &hit) &&
      wf_rtl_set_counter_find(&d->rtls, others, &other) && sum[hit] + sum[other])
    each(user, name, (double)sum[hit] / (double)(sum[hit] + sum[other]));
}

static void dtbl_figures(wf_unit *unit, wf_counter_fn each, void *user) {
  dtbl *d = (dtbl *)unit;
  uint64_t *sum = wf_rtl_set_counters(&d->rtls);
  each(user, "record_latency", d->answers ? (double)d->record_latency / (double)d->answers : 0);
  share(d, "kde_hit_rate", "groups_joined", "groups_refused", sum, each, user);
  share(d, "agt_hit_rate", "agt_hits", "agt_overflows", sum, each, user);
  free(sum);
}

static const wf_energy_event energy[] = {
    {"busy_cycles", WF_EN_PART_UNIT, 171.6, NULL,
     "make power UNIT=dtbl CONFIG=tuned, NanGate 45 nm; a cycle with something offered, under way "
     "or not yet told, outside which a clock gate on idle_o stops it"},
    {0},
};
static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.0392, "make synth UNIT=dtbl CONFIG=tuned, NanGate 45 nm: leakage"},
    {0},
};

static void dtbl_describe(const wf_unit *unit, FILE *out) {
  const dtbl *d = (const dtbl *)unit;
  const dtbl_ports *p = &d->port;
  fprintf(out,
          "dtbl: %llu grids unfinished, %u entries free, %llu ends wait, RTL idle %d, kernel "
          "ready %d, group ready %d, block %d, memory asked %d\n",
          (unsigned long long)dtbl_book_unfinished(d->book), dtbl_book_free_entries(d->book),
          (unsigned long long)d->n_ended, (int)wf_port_get(p->idle),
          (int)wf_port_get(p->kern_ready), (int)wf_port_get(p->agg_ready),
          (int)wf_port_get(p->tb_valid), (int)wf_port_get(p->mem_valid));
}

static const wf_dispatch_ops dispatch_ops = {
    .free_kernels = dtbl_free_kernels,
    .fits = dtbl_fits,
    .kernel = dtbl_kernel,
    .group = dtbl_group,
    .refused = dtbl_refused,
    .place = dtbl_place,
    .may_place = dtbl_may_place,
    .block_done = dtbl_block_done,
};

const wf_unit_class wf_unit_dtbl = {
    .name = "dtbl",
    .summary = "dynamic thread block launch: decides every block's place; groups launched by "
               "threads join kernels",
    .limits = "any SMs, warps, L1 and L2 slices; memory.mib of at most 4095, core.shared_bytes of "
              "at least 128",
    .fits = dtbl_fits_machine,
    .claims = WF_CLAIM_DISPATCHER,
    .bytes = sizeof(dtbl),
    .settings = offsetof(dtbl, set),
    .open = dtbl_open,
    .destroy = dtbl_destroy,
    .tick = dtbl_tick,
    .idle = dtbl_idle,
    .kernel_end = dtbl_kernel_end,
    .counters = counters,
    .figures = dtbl_figures,
    .describe = dtbl_describe,
    .bind = dtbl_bind,
    .events = energy,
    .power = power,
    .example = "--config k20c --app join --set app.left=1000 --set app.right=1000 --set "
               "app.keys=40 --set app.form=dtbl",
    .parameters = parameters,
    .dispatch = &dispatch_ops,
};
