/* The GPU's units: making them, giving each its place, refusing two that claim the same. */
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/cache_seat.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/issue_unit.h"
#include "sim/gpu/launch_pool.h"
#include "sim/gpu/load_seat.h"
#include "sim/gpu/lsu.h"
#include "sim/gpu/managed_l1.h"
#include "sim/gpu/miss_seat.h"
#include "sim/gpu/preload.h"
#include "sim/gpu/sleep.h"
#include "sim/gpu/sm.h"
#include "sim/gpu/sm_clock.h"
#include "sim/units/registry.h"
#include "sim/units/unit.h"

/* ---- what units may call ---- */

static void env_wake_warp(void *gpu, unsigned sm, unsigned warp) {
  wf_gpu *g = gpu;
  wf_sm_wake_parked(&g->sms[sm], warp, wf_sm_now(&g->sms[sm]));
}

static bool env_shared_write(void *gpu, unsigned sm, unsigned warp, uint32_t offset,
                             uint32_t word) {
  wf_gpu *g = gpu;
  const uint64_t next = wf_sm_now(&g->sms[sm]) + 1;
  if (g->sms[sm].lsu_free < next) g->sms[sm].lsu_free = next; /* takes the port */
  return wf_sm_shared_write(&g->sms[sm], warp, offset, word);
}

static uint64_t env_cycle(void *gpu) {
  return ((wf_gpu *)gpu)->cycle;
}

static void env_issue_answer(void *gpu, unsigned sm, unsigned warp, const wf_issue_answer *answer) {
  wf_gpu *g = gpu;
  wf_issue_answered(&g->sms[sm], warp, answer, wf_sm_now(&g->sms[sm]));
}

static bool env_issue_next(void *gpu, unsigned sm, unsigned warp, ptx_pc *pc) {
  const wf_gpu *g = gpu;
  return wf_issue_next(&g->sms[sm], warp, wf_sm_now(&g->sms[sm]), pc);
}

static bool env_preload_fetch(void *gpu, unsigned sm, uint32_t line, unsigned place) {
  return wf_preload_fetch(gpu, sm, line, place);
}
static void env_block_go(void *gpu, unsigned sm, unsigned slot) {
  wf_preload_go(gpu, sm, slot);
}

static void env_rooms(void *gpu, wf_dispatch_rooms *rooms) {
  const wf_gpu *g = gpu;
  g->blocks.ops->rooms(g->blocks.self, rooms);
}
static void env_divert(void *gpu, const wf_mask *sms) {
  const wf_gpu *g = gpu;
  g->blocks.ops->divert(g->blocks.self, sms);
}

static void env_miss_done(void *gpu, unsigned sm, const uint16_t *loads, unsigned count) {
  wf_gpu *g = gpu;
  wf_miss_done(&g->sms[sm], loads, count);
}

static void env_miss_known(void *gpu, unsigned sm, bool is_new) {
  wf_gpu *g = gpu;
  wf_miss_known(&g->sms[sm], is_new);
}

static void env_miss_told(void *gpu, unsigned sm, uint16_t load, bool last) {
  wf_gpu *g = gpu;
  wf_miss_told(&g->sms[sm], load, last, g->cycle);
}

static void env_load_told(void *gpu, unsigned sm, const wf_load_told *told) {
  wf_gpu *g = gpu;
  wf_load_told_by(&g->sms[sm], told);
}

static void env_sm_clock(void *gpu, unsigned sm, const wf_sm_pace *pace) {
  wf_gpu *g = gpu;
  wf_sm_set_clock(&g->sms[sm], pace);
  if (pace->state == WF_PSTATE_LOW) g->low_clock = pace->of ? (double)pace->ticks / pace->of : 1;
}

static wf_unit_env env_of(wf_gpu *gpu, uint64_t seed) {
  const wf_gpu_config *c = &gpu->config;
  return (wf_unit_env){.gpu = gpu,
                       .client = gpu->n_units,
                       .mem = gpu->mem,
                       .image = gpu->image,
                       .n_sm = c->n_sm,
                       .warps_per_sm = c->warps_per_sm,
                       .schedulers = c->schedulers,
                       .ctas_per_sm = c->ctas_per_sm,
                       .registers_per_sm = c->registers_per_sm,
                       .register_granularity = c->register_granularity,
                       .shared_bytes_per_sm = c->shared_bytes_per_sm,
                       .kernels = c->launch_kernels,
                       .launch_dispatch = c->launch_ideal ? 0 : c->launch_dispatch,
                       .launch_ways = c->launch_ways,
                       .launch_buffers = wf_launch_pool_most((uint64_t)c->launch_pool_kib << 10),
                       .launch_turns = c->launch_kmu == WF_KMU_SMS,
                       .n_part = c->mem.n_part,
                       .line_bytes = c->l1_line_bytes,
                       .l2_sets = c->mem.l2_bytes / (c->mem.l2_ways * c->mem.line_bytes),
                       .l2_ways = c->mem.l2_ways,
                       .l2_mshrs = c->mem.l2_mshrs,
                       .l1_sets = c->l1_bytes / (c->l1_ways * c->l1_line_bytes),
                       .l1_ways = c->l1_ways,
                       .lsu_queue = c->lsu_queue,
                       .l1_mshrs = c->l1_mshrs,
                       .l1_mshr_merge = c->l1_mshr_merge,
                       .loads_per_sm = LOADS_PER_SM,
                       .lsu_loads = c->lsu_loads ? c->lsu_loads : LOADS_OF_TABLE,
                       .lsu_lane_slots = c->lsu_lane_slots,
                       .core_mhz = c->mem.core_mhz,
                       .interleave_bytes = c->mem.interleave_bytes,
                       .slice_hash = c->mem.l2_hash,
                       .options = &gpu->options,
                       .seed = seed,
                       .assertions = gpu->settings.assertions,
                       .threads = gpu->settings.threads,
                       .wake_warp = env_wake_warp,
                       .shared_write = env_shared_write,
                       .cycle = env_cycle,
                       .issue_answer = env_issue_answer,
                       .issue_next = env_issue_next,
                       .preload_fetch = env_preload_fetch,
                       .block_go = env_block_go,
                       .rooms = env_rooms,
                       .divert = env_divert,
                       .miss_done = env_miss_done,
                       .miss_known = env_miss_known,
                       .miss_told = env_miss_told,
                       .load_told = env_load_told,
                       .sm_clock = wf_gpu_slow_sms(c) ? NULL : env_sm_clock};
}

/* ---- places ---- */

/* The first claim that is both units'. */
static bool go_together(const wf_unit_class *a, const wf_unit_class *b, unsigned both,
                        wf_error *err) {
  static const char *const names[WF_CLAIMS] = {
      "the place beside the L1", "the issue stage", "the dispatcher's place",
      "the shared memory that kernels leave free", "the place at the L2's slices"};
  return !both || wf_fail(err, WF_EXIT_BAD_INPUT, "--unit: %s and %s both take %s: only one may",
                          a->name, b->name, names[__builtin_ctz(both)]);
}

/* As it is set: a unit may leave one of its places to another. */
static unsigned claims_of(const wf_unit *unit) {
  const wf_unit_class *cls = unit->cls;
  unsigned claims = cls->claims;
  if (cls->at_l1 && !cls->at_l1(unit)) claims &= ~(unsigned)WF_CLAIM_L1;
  if (cls->caches && cls->caches->judges && !cls->caches->judges(unit))
    claims &= ~(unsigned)WF_CLAIM_SLICE;
  return claims;
}

/* What only the GPU's own dispatcher does. */
static bool may_dispatch(const wf_gpu *gpu, const wf_unit_class *cls, wf_error *err) {
  static const char *const places[] = {NULL, "core.cta_place=fullest", "core.cta_place=random"};
  const char *own = gpu->config.launch_order == WF_LAUNCH_NEWEST ? "launch.order=newest"
                                                                 : places[gpu->config.cta_place];
  return !cls->dispatch || !own ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "%s: is of the GPU's own dispatcher, whose place %s takes",
                 own, cls->name);
}

static bool check_claims(const wf_gpu *gpu, const wf_unit *unit, wf_error *err) {
  for (unsigned u = 0; u < gpu->n_units; u++)
    if (!go_together(gpu->units[u]->cls, unit->cls, claims_of(gpu->units[u]) & claims_of(unit),
                     err))
      return false;
  return true;
}

static bool sit(wf_gpu *gpu, wf_unit *unit, bool (*how)(wf_seat *, wf_error *), wf_error *err) {
  wf_seat *seat = &gpu->seats[gpu->n_seats];
  *seat = (wf_seat){.gpu = gpu, .unit = unit};
  if (!how(seat, err)) return false;
  gpu->n_seats++;
  return true;
}

bool wf_gpu_seat_unit(wf_gpu *gpu, wf_unit *unit, wf_error *err) {
  const wf_unit_class *cls = unit->cls;
  const bool free = check_claims(gpu, unit, err);
  gpu->units[gpu->n_units++] = unit; /* from here on the GPU's to destroy */
  if (!free || !wf_unit_check(unit, err)) return false;
  if (cls->dispatch) gpu->blocks = (wf_block_source){cls->dispatch, unit};
  const bool at_l1 = cls->l1 && (!cls->at_l1 || cls->at_l1(unit));
  return (!at_l1 || sit(gpu, unit, wf_managed_l1_sit, err)) &&
         (!cls->misses || !cls->misses->request || sit(gpu, unit, wf_miss_sit, err)) &&
         (!cls->misses || !cls->misses->line || sit(gpu, unit, wf_load_sit, err)) &&
         (!cls->caches || sit(gpu, unit, wf_cache_sit, err)) &&
         (!cls->issue_stage || sit(gpu, unit, wf_issue_sit, err)) &&
         (!cls->preload || sit(gpu, unit, wf_preload_sit, err));
}

/* ---- making them ---- */

/* Instructions of all units there are: a module may hold kernels for units this GPU lacks. */
static void list_ops(wf_gpu *gpu) {
  size_t n;
  wf_unit_classes(&n);
  gpu->unit_of_class = wf_calloc(n + 1, sizeof *gpu->unit_of_class);
  gpu->ops = wf_unit_ops(&gpu->n_ops);
}

static unsigned number_of(const wf_unit_class *cls) {
  size_t n;
  const wf_unit_class *const *classes = wf_unit_classes(&n);
  unsigned number = 0;
  while (classes[number] != cls) number++;
  return number;
}

static bool knows_machine(const wf_gpu *gpu, const wf_unit_class *cls, wf_error *err) {
  const wf_gpu_config *c = &gpu->config;
  if (cls->most_sms && c->n_sm > cls->most_sms)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit %s: core.sms=%u: at most %u; --set scale=1/8 has fewer", cls->name,
                   c->n_sm, cls->most_sms);
  return !cls->most_slices || c->mem.n_part <= cls->most_slices ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--unit %s: l2.partitions=%u: at most %u; --set scale=1/8 has fewer", cls->name,
                 c->mem.n_part, cls->most_slices);
}

/* Its settings, and what it claims by these, before it is created. */
static bool read_claims(const wf_gpu *gpu, const wf_unit_class *cls, unsigned *claims,
                        wf_error *err) {
  wf_unit *unit = wf_calloc(1, cls->bytes);
  unit->cls = cls;
  const bool ok =
      wf_parameters_read(cls->parameters, cls->name, &gpu->options, wf_unit_settings(unit), err);
  *claims = claims_of(unit);
  free(unit);
  return ok;
}

/* All that can be told before the first unit's model is built, which may take minutes. */
static bool check_units(wf_gpu *gpu, const char *const *names, unsigned n, wf_error *err) {
  const wf_unit_env env = env_of(gpu, 0);
  if (n > WF_MAX_UNITS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit: at most %d units", WF_MAX_UNITS);
  const wf_unit_class *cls[WF_MAX_UNITS];
  unsigned claims[WF_MAX_UNITS];
  for (unsigned u = 0; u < n; u++) {
    if (!(cls[u] = wf_unit_find(names[u], err)) || !read_claims(gpu, cls[u], &claims[u], err))
      return false;
    for (unsigned k = 0; k < u; k++)
      if (cls[k] == cls[u])
        return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit: %s is named twice", names[u]);
      else if (!go_together(cls[k], cls[u], claims[k] & claims[u], err))
        return false;
    if (!may_dispatch(gpu, cls[u], err) || !wf_cache_may_sit(gpu, cls[u], err) ||
        !wf_miss_may_sit(gpu, cls[u], err) || (cls[u]->fits && !cls[u]->fits(&env, err)) ||
        !knows_machine(gpu, cls[u], err))
      return false;
  }
  return true;
}

bool wf_gpu_unit_port(const char *const *names, unsigned n) {
  bool port = false;
  for (unsigned u = 0; u < n; u++) {
    const wf_unit_class *cls = wf_unit_find(names[u], NULL); /* check_units() tells of others */
    port = port || (cls && cls->crossbar_port);
  }
  return port;
}

static bool add_unit(wf_gpu *gpu, const char *name, uint64_t seed, wf_error *err) {
  const wf_unit_class *cls = wf_unit_find(name, err);
  if (!cls) return false;
  const wf_unit_env env = env_of(gpu, seed);
  wf_unit *unit = wf_unit_create(cls, &env, err);
  if (!unit) return false;
  gpu->unit_of_class[number_of(cls)] = unit;
  return wf_gpu_seat_unit(gpu, unit, err);
}

bool wf_gpu_add_units(wf_gpu *gpu, const char *const *names, unsigned n, uint64_t seed,
                      wf_error *err) {
  list_ops(gpu);
  if (!check_units(gpu, names, n, err)) return false;
  for (unsigned u = 0; u < n; u++)
    if (!add_unit(gpu, names[u], seed, err)) return false;
  return true;
}

void wf_gpu_destroy_units(wf_gpu *gpu) {
  for (unsigned i = 0; i < gpu->n_seats; i++)
    if (gpu->seats[i].destroy) gpu->seats[i].destroy(&gpu->seats[i]);
  for (unsigned u = 0; u < gpu->n_units; u++) wf_unit_destroy(gpu->units[u]);
  free(gpu->unit_of_class);
  free(gpu->ops);
}

/* ---- kernels ---- */

bool wf_gpu_begin_seats(wf_gpu *gpu, const wf_kernel_room *room, wf_error *err) {
  for (unsigned i = 0; i < gpu->n_seats; i++)
    if (gpu->seats[i].begin && !gpu->seats[i].begin(&gpu->seats[i], room, err)) return false;
  return true;
}

void wf_gpu_end_seats(wf_gpu *gpu) {
  for (unsigned i = 0; i < gpu->n_seats; i++)
    if (gpu->seats[i].end) gpu->seats[i].end(&gpu->seats[i]);
}
