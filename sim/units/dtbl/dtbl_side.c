#include "sim/units/dtbl/dtbl_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { LEAD = 3, REST_CYCLES = 100000, MAX_BLOCKS = 1 << 30 };

/* ---- creation ---- */

/* Threads between the first of two SMs: a share of all numbers, in whole warps. */
static unsigned spread_of(unsigned n_sm) {
  return ((1u << DTBL_TID_BITS) / PTX_LANES + n_sm - 1) / n_sm * PTX_LANES;
}

static void ring_at(void *book, uint32_t base, uint32_t bytes) {
  dtbl_book_ring(book, base, bytes);
}

static bool write_record(void *book, uint32_t pointer, unsigned mask, const uint32_t words[4],
                         wf_error *err) {
  return dtbl_book_write(book, pointer, mask, words, err);
}

void dtbl_side_init(dtbl_side *s, const wf_unit_env *env, const dtbl_settings *set,
                    wf_error *fault) {
  s->env = *env;
  s->set = set;
  s->fault = fault;
  s->ended = wf_calloc(env->n_sm, sizeof *s->ended);
  s->spread = set->spread ? spread_of(env->n_sm) : 0;
  s->shape = (dtbl_shape){.n_sm = env->n_sm,
                          .slots = env->ctas_per_sm,
                          .warps = env->warps_per_sm,
                          .registers = env->registers_per_sm,
                          .shared_bytes = env->shared_bytes_per_sm,
                          .entries = env->kernels,
                          .agt_entries = set->agt_entries};
  s->book = dtbl_book_create(&s->shape);
  s->records = (wf_records){.env = &s->env,
                            .name = "dtbl.ring",
                            .lines = set->lines,
                            .ring = set->ring,
                            .book = s->book,
                            .ring_at = ring_at,
                            .write = write_record};
  dtbl_kmu_init(&s->kmu, &s->env, set);
}

void dtbl_side_free(dtbl_side *s) {
  dtbl_book_destroy(s->book);
  free(s->ended);
}

bool dtbl_side_bind(dtbl_side *s, wf_rtl_set *rtls, wf_rtl_set *kmu_rtls, wf_error *err) {
  const dtbl_ports *p = &s->port;
  s->rtls = rtls;
  s->rtl = &rtls->at[0];
  if (!dtbl_ports_bind(&s->port, s->rtl->model, err)) return false;
  s->records.port.ring_base = p->ring_base;
  wf_port_set(p->divert, 0);
  wf_port_set(p->ring_base, 0);
  wf_port_set(p->kern_prio, 0);
  wf_port_set(p->agg_prio, 0);
  wf_port_set(p->tb_ready, 1); /* a block starts when it comes */
  wf_port_set(p->kdone_ready, 1);
  return dtbl_kmu_bind(&s->kmu, kmu_rtls, &s->records, err);
}

/* ---- one edge ---- */

static bool scheduler_at_rest(const dtbl_side *s) {
  return !s->offered && !s->n_ended && !s->records.n_waiting && wf_port_get(s->port.idle);
}

bool dtbl_side_at_rest(const dtbl_side *s) {
  return scheduler_at_rest(s) && dtbl_kmu_at_rest(&s->kmu);
}

/* Of an SM's blocks that ended together the lowest slot goes first: then the next block finds the
 * slot, and the SM, that it would find if all were told at once. */
static wf_mask drive_ends(dtbl_side *s) {
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

static void count_ends(dtbl_side *s, wf_mask taken) {
  for (unsigned sm; wf_mask_take(&taken, &sm, WF_MASK_WORDS);) {
    uint64_t *ended = &s->ended[sm];
    *ended &= *ended - 1;
    s->n_ended--;
  }
  s->counters.ends_waited += s->n_ended;
}

/* What the two units tell each other at this edge, for the book: a kernel gets an entry, a group
 * leaves. */
static bool wire_units(dtbl_side *s, wf_error *err) {
  const dtbl_ports *p = &s->port;
  dtbl_at_ports kernel;
  bool entered;
  dtbl_kmu_wire(&s->kmu, p, s->elsewhere, &kernel, &entered);
  s->offered = s->offered || wf_port_get(p->kern_valid);
  if (entered && !dtbl_book_entered(s->book, &kernel, wf_port_word(p->kern_kdei), err))
    return false;
  if (!wf_port_get(p->dk_valid) || !wf_port_get(p->dk_ready)) return true;
  if (s->n_refused == DTBL_MAX_REFUSED)
    return wf_fail(err, WF_EXIT_WRONG, "dtbl: more groups leave as kernels than are told");
  const dtbl_kernel_ports dk = DTBL_KERNEL_PORTS(p, dk);
  const dtbl_at_ports group = dtbl_kernel_get(&dk);
  return dtbl_book_refused(s->book, &group, &s->refused[s->n_refused++], err);
}

static bool take_outputs(dtbl_side *s, wf_error *err) {
  const dtbl_ports *p = &s->port;
  if (!dtbl_kmu_offer(&s->kmu, p, err)) return false;
  return !wf_port_get(p->kdone_valid) || dtbl_book_kernel_done(s->book, wf_port_word(p->kdone_kdei),
                                                               wf_port_get(p->kdone_host), err);
}

static bool scheduler_edge(dtbl_side *s, wf_error *err) {
  const dtbl_ports *p = &s->port;
  if (!wf_rtl_due(s->rtls, !scheduler_at_rest(s))) return true;
  const wf_mask ended = drive_ends(s);
  if (!wf_rtl_clock(s->rtl, wf_unit_now(&s->env), err)) return false;
  count_ends(s, ended);
  wf_port_set(p->kern_valid, 0);
  wf_port_set(p->agg_valid, 0);
  wf_port_set(p->mem_ready, 0);
  wf_port_set(p->done_valid, 0);
  wf_port_set(p->rsp_valid, 0);
  s->offered = s->elsewhere = false;
  return true;
}

static bool edge(dtbl_side *s, wf_error *err) {
  bool answered;
  if (!wire_units(s, err) ||
      !dtbl_kmu_memory(&s->kmu, &s->port, wf_records_answer(&s->records), &answered, err) ||
      !scheduler_edge(s, err) || !dtbl_kmu_edge(&s->kmu, err))
    return false;
  if (answered) wf_records_answered(&s->records);
  return take_outputs(s, err);
}

/* ---- accounts ---- */

void dtbl_side_rooms(const dtbl_side *s, wf_dispatch_rooms *rooms) {
  const dtbl_ports *p = &s->port;
  const unsigned bits = p->free->width / s->shape.n_sm;
  *rooms = (wf_dispatch_rooms){.room = wf_port_mask(p->room), .waits = wf_port_get(p->wait)};
  for (unsigned sm = 0; sm < s->shape.n_sm; sm++)
    rooms->free_warps[sm] = (uint16_t)wf_port_get_bits(p->free, sm * bits, bits);
}

void dtbl_side_divert(dtbl_side *s, const wf_mask *sms) {
  wf_port_set_mask(s->port.divert, sms);
  s->offered = true; /* it is taken at the next edge */
}

/* ---- kernels and groups ---- */

bool dtbl_side_fits(const dtbl_side *s, const wf_grid *g, char *why, size_t bytes) {
  const uint64_t blocks = (uint64_t)g->blocks[0] * g->blocks[1] * g->blocks[2];
  if (blocks > MAX_BLOCKS || g->blocks[1] > UINT16_MAX || g->blocks[2] > UINT16_MAX)
    return snprintf(why, bytes,
                    "a grid of %ux%ux%u blocks: the dtbl unit takes 2^30 in all, 65535 in y and z",
                    g->blocks[0], g->blocks[1], g->blocks[2]) < 0;
  if (g->threads[2] > 512)
    return snprintf(why, bytes, "a block of %u threads in z: the dtbl unit takes 512",
                    g->threads[2]) < 0;
  const unsigned most = s->shape.shared_bytes / DTBL_SHM_UNIT * DTBL_SHM_UNIT;
  if (g->shared_bytes > most || g->shared_bytes >> DTBL_SMEM_BITS)
    return snprintf(
               why, bytes,
               "%u bytes of shared memory: the dtbl unit gives out units of %u, at most %u bytes",
               g->shared_bytes, DTBL_SHM_UNIT, most) < 0;
  return wf_records_reach(g, why, bytes);
}

static uint64_t block_dims(const wf_grid *g) {
  return (g->threads[0] - 1) | (g->threads[1] - 1) << 10 | (g->threads[2] - 1) << 20;
}

static dtbl_at_ports at_ports(const dtbl_side *s, const wf_grid *g) {
  const unsigned unit = s->env.register_granularity;
  return (dtbl_at_ports){.pc = dtbl_book_pc(s->book, g->kernel),
                         .tbdim = (uint32_t)block_dims(g),
                         .smem = g->shared_bytes,
                         .x = g->blocks[0],
                         .y = g->blocks[1],
                         .z = g->blocks[2],
                         .param = (uint32_t)g->params,
                         .warps = g->warps,
                         .regs = (g->registers + unit - 1) / unit,
                         .shm = (g->shared_bytes + DTBL_SHM_UNIT - 1) / DTBL_SHM_UNIT};
}

static bool give_kernel(dtbl_side *s, const wf_grid *g) {
  const dtbl_ports *p = &s->port;
  const dtbl_kernel_ports kern = DTBL_KERNEL_PORTS(p, kern);
  const dtbl_at_ports kernel = at_ports(s, g);
  dtbl_kernel_put(&kern, &kernel);
  wf_port_set(p->kern_valid, 1);
  wf_port_set(p->kern_host, !g->params);
  s->offered = s->elsewhere = true;
  return dtbl_book_kernel(s->book, g, wf_port_word(p->kern_kdei), s->fault);
}

bool dtbl_side_clock_to_rest(dtbl_side *s, wf_error *err) {
  for (unsigned i = 0; i < REST_CYCLES && !dtbl_side_at_rest(s); i++) {
    const bool asks =
        wf_port_get(s->port.mem_valid); /* lines to be fetched ahead, which may be left */
    if (asks && !wf_records_leave(&s->records))
      return wf_fail(err, WF_EXIT_WRONG, "dtbl: between kernels, it asks memory");
    if (!edge(s, err)) return false;
    if (wf_port_get(s->port.tb_valid))
      return wf_fail(err, WF_EXIT_WRONG, "dtbl: between kernels, it offers a block");
  }
  return dtbl_side_at_rest(s) ||
         wf_fail(err, WF_EXIT_HANG, "dtbl: nothing is left to do, yet it does not come to rest");
}

/* A kernel of the host arrives at a unit at rest, a little before its first cycle: the way to its
 * first block, LEAD cycles more than in the GPU's own dispatcher, lies in the time between kernels,
 * which the fabric does not count for any dispatcher. */
static bool host_kernel(dtbl_side *s, const wf_grid *kernel) {
  wf_error *err = s->fault;
  if (!dtbl_side_clock_to_rest(s, err) ||
      (kernel->kernel->launches && (!wf_records_provide_ring(&s->records, err) ||
                                    !wf_records_provide_ring(&s->kmu.records, err))))
    return false;
  if (!wf_port_get(s->port.kern_ready))
    return wf_fail(err, WF_EXIT_WRONG, "dtbl: at rest, it takes no kernel");
  if (!give_kernel(s, kernel)) return false;
  for (unsigned i = 0; i < LEAD; i++) {
    if (!edge(s, err)) return false;
    if (wf_port_get(s->port.tb_valid))
      return wf_fail(err, WF_EXIT_WRONG, "dtbl: the first block comes %u edges after its kernel",
                     i + 1);
  }
  return true;
}

bool dtbl_side_kernel(dtbl_side *s, const wf_grid *kernel) {
  if (s->fault->code) return false;
  if (!kernel->params) return host_kernel(s, kernel);
  /* Of a kernel management unit that is not this unit's: the GPU's, in a test. */
  return wf_port_get(s->port.kern_ready) && give_kernel(s, kernel);
}

bool dtbl_side_launch(dtbl_side *s, const wf_grid *g) {
  if (s->fault->code) return false;
  const dtbl_at_ports kernel = at_ports(s, g);
  if (!dtbl_kmu_launch(&s->kmu, &kernel, s->fault)) return s->counters.kernels_waited++, false;
  dtbl_book_launch(s->book, g, &kernel);
  return true;
}

bool dtbl_side_group(dtbl_side *s, const wf_grid *group) {
  const dtbl_ports *p = &s->port;
  wf_grid numbered = *group, *g = &numbered;
  if (s->fault->code) return false;
  if (!wf_port_get(p->agg_ready)) return s->counters.groups_waited++, false;
  g->thread = (g->thread + g->sm * s->spread) & ((1u << DTBL_TID_BITS) - 1);
  const dtbl_kernel_ports agg = DTBL_KERNEL_PORTS(p, agg);
  const dtbl_at_ports kernel = at_ports(s, g);
  dtbl_kernel_put(&agg, &kernel);
  wf_port_set(p->agg_valid, 1);
  wf_port_set(p->agg_smx, g->sm);
  wf_port_set(p->agg_last, g->last);
  wf_port_set(p->agg_tid, g->thread);
  s->offered = true;
  return dtbl_book_group(s->book, g, &kernel, s->fault);
}

bool dtbl_side_refused(dtbl_side *s, uint32_t *id) {
  if (!s->n_refused) return false;
  *id = s->refused[0];
  memmove(s->refused, s->refused + 1, --s->n_refused * sizeof *s->refused);
  return true;
}

/* ---- blocks ---- */

/* The record of the group whose first block the unit shows: what it read must have been written. */
static bool check_record(dtbl_side *s, const dtbl_offer *o) {
  if (!o->group || !o->first || o->link & 1) return true;
  uint32_t words[4];
  const void *at = wf_image_at(s->env.image, o->link - DTBL_RECORD, DTBL_RECORD, s->fault);
  if (!at) return false;
  memcpy(words, at, DTBL_RECORD);
  s->records_read++;
  return dtbl_book_read(s->book, o->link, words, s->fault);
}

static bool take_block(dtbl_side *s, wf_placement *placed) {
  const dtbl_ports *p = &s->port;
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
  return check_record(s, &o) && dtbl_book_place(s->book, &o, placed, s->fault);
}

bool dtbl_side_place(dtbl_side *s, wf_placement *placed) {
  return !s->fault->code && edge(s, s->fault) && take_block(s, placed);
}

bool dtbl_side_may_place(const dtbl_side *s) {
  return s->fault->code || s->n_refused || !dtbl_side_at_rest(s);
}

void dtbl_side_block_done(dtbl_side *s, unsigned sm, unsigned slot) {
  if (s->fault->code) return;
  dtbl_book_end(s->book, sm, slot, s->fault);
  s->ended[sm] |= UINT64_C(1) << slot;
  s->n_ended++;
}
