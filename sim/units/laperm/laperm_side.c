#include "sim/units/laperm/laperm_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { LEAD = 3, REST_CYCLES = 100000, MAX_BLOCKS = 1 << 30 };

/* ---- creation ---- */

static void ring_at(void *book, uint32_t base, uint32_t bytes) {
  laperm_book_ring(book, base, bytes);
}

static bool write_record(void *book, uint32_t pointer, unsigned mask, const uint32_t words[4],
                         wf_error *err) {
  return laperm_book_write(book, pointer, mask, words, err);
}

void laperm_side_init(laperm_side *s, const wf_unit_env *env, const laperm_settings *set,
                      wf_error *fault) {
  s->env = *env;
  s->set = set;
  s->fault = fault;
  s->ended = wf_calloc(env->n_sm, sizeof *s->ended);
  s->shape = (laperm_shape){.n_sm = env->n_sm,
                            .slots = env->ctas_per_sm,
                            .warps = env->warps_per_sm,
                            .registers = env->registers_per_sm,
                            .shared_bytes = env->shared_bytes_per_sm,
                            .entries = env->kernels,
                            .levels = set->levels,
                            .cluster = set->cluster,
                            .policy = (laperm_policy)set->policy};
  s->book = laperm_book_create(&s->shape);
  s->records = (wf_records){.env = &s->env,
                            .name = "laperm.ring",
                            .lines = set->lines,
                            .ring = set->ring,
                            .book = s->book,
                            .ring_at = ring_at,
                            .write = write_record};
}

void laperm_side_free(laperm_side *s) {
  laperm_book_destroy(s->book);
  free(s->ended);
}

bool laperm_side_bind(laperm_side *s, wf_rtl_set *rtls, wf_error *err) {
  const laperm_ports *p = &s->port;
  s->rtls = rtls;
  s->rtl = &rtls->at[0];
  if (!laperm_ports_bind(&s->port, s->rtl->model, err)) return false;
  s->records.port = (wf_record_ports)WF_RECORD_PORTS(p);
  wf_port_set(p->policy, s->set->policy);
  wf_port_set(p->divert, 0);
  wf_port_set(p->ring_base, 0);
  wf_port_set(p->tb_ready, 1); /* a block starts when it comes */
  wf_port_set(p->dk_ready, 1); /* the KMU's queue lies in memory */
  wf_port_set(p->kdone_ready, 1);
  return true;
}

/* ---- one edge ---- */

bool laperm_side_at_rest(const laperm_side *s) {
  return !s->offered && !s->n_ended && !s->records.n_waiting && wf_port_get(s->port.idle);
}

/* Of an SM's blocks that ended together the lowest slot goes first: then the next block finds the
 * slot, and the SM, that it would find if all were told at once. */
static wf_mask drive_ends(laperm_side *s) {
  wf_mask valid = {0};
  const unsigned bits = s->port.tb_slot->width;
  if (!s->n_ended) return wf_port_set(s->port.done_valid, 0), valid;
  for (unsigned sm = 0; sm < s->shape.n_sm; sm++) {
    if (!s->ended[sm]) continue;
    wf_mask_set(&valid, sm);
    wf_port_set_bits(s->port.done_slot, sm * bits, bits, (uint64_t)__builtin_ctzll(s->ended[sm]));
  }
  wf_port_set_mask(s->port.done_valid, &valid);
  const wf_mask ready = wf_port_mask(s->port.done_ready);
  return wf_mask_both(&valid, &ready, WF_MASK_WORDS);
}

static void count_ends(laperm_side *s, wf_mask taken) {
  for (unsigned sm; wf_mask_take(&taken, &sm, WF_MASK_WORDS);) {
    uint64_t *ended = &s->ended[sm];
    *ended &= *ended - 1;
    s->n_ended--;
  }
  s->counters.ends_waited += s->n_ended;
}

static bool take_outputs(laperm_side *s, wf_error *err) {
  const laperm_ports *p = &s->port;
  if (wf_port_get(p->dk_valid)) {
    if (s->n_refused == LAPERM_MAX_REFUSED)
      return wf_fail(err, WF_EXIT_WRONG, "laperm: more groups are refused than the KMU takes");
    if (!laperm_book_refused(s->book, wf_port_word(p->dk_param), &s->refused[s->n_refused], err))
      return false;
    s->n_refused++;
  }
  return !wf_port_get(p->kdone_valid) ||
         laperm_book_kernel_done(s->book, wf_port_word(p->kdone_kdei), wf_port_get(p->kdone_host),
                                 err);
}

/* Has the RTL's own clock an edge in this cycle of the GPU's? */
static bool own_edge(const laperm_side *s) {
  const uint64_t now = wf_unit_now(&s->env), mhz = s->set->mhz, core = s->env.core_mhz;
  return !mhz || mhz >= core || (now + 1) * mhz / core != now * mhz / core;
}

static bool edge(laperm_side *s, wf_error *err) {
  const laperm_ports *p = &s->port;
  if (!wf_rtl_due(s->rtls, !laperm_side_at_rest(s))) return true;
  const wf_mask ended = drive_ends(s);
  const bool answered = wf_records_answer(&s->records) && wf_port_get(p->rsp_ready);
  if (!wf_rtl_clock(s->rtl, wf_unit_now(&s->env), err)) return false;
  count_ends(s, ended);
  if (answered) wf_records_answered(&s->records);
  wf_port_set(p->kern_valid, 0);
  wf_port_set(p->agg_valid, 0);
  wf_port_set(p->mem_ready, 0);
  wf_port_set(p->done_valid, 0);
  wf_port_set(p->rsp_valid, 0);
  s->offered = false;
  return take_outputs(s, err);
}

/* ---- accounts ---- */

void laperm_side_rooms(const laperm_side *s, wf_dispatch_rooms *rooms) {
  const laperm_ports *p = &s->port;
  const unsigned bits = p->free->width / s->shape.n_sm;
  *rooms = (wf_dispatch_rooms){.room = wf_port_mask(p->room),
                               .waits = wf_port_get(p->wait),
                               .bound = wf_port_mask(p->bound)};
  for (unsigned sm = 0; sm < s->shape.n_sm; sm++)
    rooms->free_warps[sm] = (uint16_t)wf_port_get_bits(p->free, sm * bits, bits);
}

void laperm_side_divert(laperm_side *s, const wf_mask *sms) {
  wf_port_set_mask(s->port.divert, sms);
  s->offered = true; /* it is taken at the next edge */
}

/* ---- kernels and groups ---- */

bool laperm_side_fits(const laperm_side *s, const wf_grid *g, char *why, size_t bytes) {
  const uint64_t blocks = (uint64_t)g->blocks[0] * g->blocks[1] * g->blocks[2];
  if (blocks > MAX_BLOCKS || g->blocks[1] > UINT16_MAX || g->blocks[2] > UINT16_MAX)
    return snprintf(
               why, bytes,
               "a grid of %ux%ux%u blocks: the laperm unit takes 2^30 in all, 65535 in y and z",
               g->blocks[0], g->blocks[1], g->blocks[2]) < 0;
  if (g->threads[2] > 512)
    return snprintf(why, bytes, "a block of %u threads in z: the laperm unit takes 512",
                    g->threads[2]) < 0;
  const unsigned most = s->shape.shared_bytes / LAPERM_SHM_UNIT * LAPERM_SHM_UNIT;
  if (g->shared_bytes > most || g->shared_bytes >> LAPERM_SMEM_BITS)
    return snprintf(
               why, bytes,
               "%u bytes of shared memory: the laperm unit gives out units of %u, at most %u bytes",
               g->shared_bytes, LAPERM_SHM_UNIT, most) < 0;
  return wf_records_reach(g, why, bytes);
}

static uint64_t block_dims(const wf_grid *g) {
  return (g->threads[0] - 1) | (g->threads[1] - 1) << 10 | (g->threads[2] - 1) << 20;
}

static bool give_kernel(laperm_side *s, const wf_grid *g) {
  const laperm_ports *p = &s->port;
  const unsigned unit = s->env.register_granularity;
  wf_port_set(p->kern_valid, 1);
  wf_port_set(p->kern_pc, laperm_book_pc(s->book, g->kernel));
  wf_port_set(p->kern_x, g->blocks[0]);
  wf_port_set(p->kern_y, g->blocks[1]);
  wf_port_set(p->kern_z, g->blocks[2]);
  wf_port_set(p->kern_tbdim, block_dims(g));
  wf_port_set(p->kern_param, g->params);
  wf_port_set(p->kern_smem, g->shared_bytes);
  wf_port_set(p->kern_warps, g->warps);
  wf_port_set(p->kern_regs, (g->registers + unit - 1) / unit);
  wf_port_set(p->kern_shm, (g->shared_bytes + LAPERM_SHM_UNIT - 1) / LAPERM_SHM_UNIT);
  wf_port_set(p->kern_host, !g->params);
  wf_port_set(p->kern_smx, g->sm);
  wf_port_set(p->kern_prio, g->priority);
  s->offered = true;
  return laperm_book_kernel(s->book, g, wf_port_word(p->kern_kdei), s->fault);
}

bool laperm_side_clock_to_rest(laperm_side *s, wf_error *err) {
  for (unsigned i = 0; i < REST_CYCLES && !laperm_side_at_rest(s); i++) {
    const bool asks =
        wf_port_get(s->port.mem_valid); /* lines to be fetched ahead, which may be left */
    if (asks && !wf_records_leave(&s->records))
      return wf_fail(err, WF_EXIT_WRONG, "laperm: between kernels, it asks memory");
    if (!edge(s, err)) return false;
    if (wf_port_get(s->port.tb_valid))
      return wf_fail(err, WF_EXIT_WRONG, "laperm: between kernels, it offers a block");
  }
  return laperm_side_at_rest(s) ||
         wf_fail(err, WF_EXIT_HANG, "laperm: nothing is left to do, yet it does not come to rest");
}

/* A kernel of the host arrives at a unit at rest, a little before its first cycle: the way to its
 * first block, LEAD cycles more than in the GPU's own dispatcher, lies in the time between kernels,
 * which the fabric does not count for any dispatcher. */
static bool host_kernel(laperm_side *s, const wf_grid *kernel) {
  wf_error *err = s->fault;
  if (!laperm_side_clock_to_rest(s, err) ||
      (kernel->kernel->launches && !wf_records_provide_ring(&s->records, err)))
    return false;
  if (!wf_port_get(s->port.kern_ready))
    return wf_fail(err, WF_EXIT_WRONG, "laperm: at rest, it takes no kernel");
  if (!give_kernel(s, kernel)) return false;
  for (unsigned i = 0; i < LEAD; i++) {
    if (!edge(s, err)) return false;
    if (wf_port_get(s->port.tb_valid))
      return wf_fail(err, WF_EXIT_WRONG, "laperm: the first block comes %u edges after its kernel",
                     i + 1);
  }
  return true;
}

bool laperm_side_kernel(laperm_side *s, const wf_grid *kernel) {
  if (s->fault->code) return false;
  if (!kernel->params) return host_kernel(s, kernel);
  if (!wf_port_get(s->port.kern_ready) || wf_port_get(s->port.kern_valid))
    return s->counters.kernels_waited++, false;
  return give_kernel(s, kernel);
}

bool laperm_side_group(laperm_side *s, const wf_grid *g) {
  const laperm_ports *p = &s->port;
  if (s->fault->code) return false;
  if (!wf_port_get(p->agg_ready) || wf_port_get(p->agg_valid))
    return s->counters.groups_waited++, false;
  wf_port_set(p->agg_valid, 1);
  wf_port_set(p->agg_smx, g->sm);
  wf_port_set(p->agg_prio, g->priority);
  wf_port_set(p->agg_last, g->last);
  wf_port_set(p->agg_pc, laperm_book_pc(s->book, g->kernel));
  wf_port_set(p->agg_tbdim, block_dims(g));
  wf_port_set(p->agg_smem, g->shared_bytes);
  wf_port_set(p->agg_x, g->blocks[0]);
  wf_port_set(p->agg_y, g->blocks[1]);
  wf_port_set(p->agg_z, g->blocks[2]);
  wf_port_set(p->agg_param, g->params);
  s->offered = true;
  return laperm_book_group(s->book, g, s->fault);
}

bool laperm_side_refused(laperm_side *s, uint32_t *id) {
  if (!s->n_refused) return false;
  *id = s->refused[0];
  memmove(s->refused, s->refused + 1, --s->n_refused * sizeof *s->refused);
  return true;
}

/* ---- blocks ---- */

static bool take_block(laperm_side *s, wf_placement *placed) {
  const laperm_ports *p = &s->port;
  if (!wf_port_get(p->tb_valid)) return false;
  laperm_offer o = {
      .sm = wf_port_word(p->tb_smx),
      .slot = wf_port_word(p->tb_slot),
      .kdei = wf_port_word(p->tb_kdei),
      .group = wf_port_get(p->tb_group),
      .first = wf_port_get(p->tb_first),
      .last = wf_port_get(p->tb_last),
      .level = wf_port_word(p->tb_prio),
      .pc = wf_port_word(p->tb_pc),
      .param = wf_port_word(p->tb_param),
      .dim = {wf_port_word(p->tb_dim_x), wf_port_word(p->tb_dim_y), wf_port_word(p->tb_dim_z)},
      .at = {wf_port_word(p->tb_x), wf_port_word(p->tb_y), wf_port_word(p->tb_z)}};
  return laperm_book_place(s->book, &o, placed, s->fault);
}

bool laperm_side_place(laperm_side *s, wf_placement *placed) {
  return !s->fault->code && own_edge(s) && edge(s, s->fault) && take_block(s, placed);
}

bool laperm_side_may_place(const laperm_side *s) {
  return s->fault->code || s->n_refused || !laperm_side_at_rest(s);
}

void laperm_side_block_done(laperm_side *s, unsigned sm, unsigned slot) {
  if (s->fault->code) return;
  laperm_book_end(s->book, sm, slot, s->fault);
  s->ended[sm] |= UINT64_C(1) << slot;
  s->n_ended++;
}
