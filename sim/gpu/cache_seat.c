#include "sim/gpu/cache_seat.h"

#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/l1.h"
#include "sim/gpu/sm_state.h"

enum { LEAST_LATENCY = 8 }; /* of L2: a mode goes with the reply */

static void hear(void *self, const wf_cache_event *event) {
  wf_unit *unit = self;
  unit->cls->caches->event(unit, event);
}

static bool ask(void *self, const wf_cache_event *look) {
  wf_unit *unit = self;
  return unit->cls->caches->ask(unit, look);
}

static bool answer(void *self, unsigned slice, wf_slice_answer *to) {
  wf_unit *unit = self;
  return unit->cls->caches->answer(unit, slice, to);
}

static void listen(wf_gpu *gpu, wf_unit *unit, unsigned level) {
  wf_cache_row *row = &gpu->listeners[level];
  row->at[row->n++] = (wf_cache_listener){unit, hear};
  if (level == WF_CACHE_L2) {
    wf_mem_listen(gpu->mem, row);
    return;
  }
  for (unsigned s = 0; s < gpu->config.n_sm; s++) wf_l1_listen(gpu->sms[s].l1, row, s);
}

bool wf_cache_may_sit(const wf_gpu *gpu, const wf_unit_class *cls, wf_error *err) {
  return !cls->caches || !cls->caches->moves ||
         (!gpu->config.l1_sectored && !gpu->config.l1_write_keep) ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--unit %s: whole, clean lines move between the caches; l1.sectored and "
                 "l1.write_keep must be 0",
                 cls->name);
}

static bool let_judge(wf_gpu *gpu, wf_unit *unit, wf_error *err) {
  const wf_mem_config *c = &gpu->config.mem;
  if (c->l2_exclusive || c->l2_bypass || c->l2_latency < LEAST_LATENCY)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit %s: it decides what L2's slices keep; l2.exclusive must be 0, "
                   "l2.bypass none, l2.latency at least %d",
                   unit->cls->name, LEAST_LATENCY);
  gpu->judge = (wf_slice_judge){
      .self = unit, .moves = unit->cls->caches->moves, .ask = ask, .answer = answer};
  wf_mem_judge(gpu->mem, &gpu->judge);
  return true;
}

static bool begin(wf_seat *seat, const wf_kernel_room *room, wf_error *err) {
  (void)room, (void)err;
  wf_gpu *gpu = seat->gpu;
  const wf_cache_ops *ops = seat->unit->cls->caches;
  if (gpu->listeners[WF_CACHE_L1].n) /* who hears the L1 wants its sectors */
    for (unsigned s = 0; s < gpu->config.n_sm; s++) gpu->sms[s].may_bypass = true;
  if (ops->kernel_start) ops->kernel_start(seat->unit, gpu->launch.kernel);
  return true;
}

bool wf_cache_sit(wf_seat *seat, wf_error *err) {
  wf_unit *unit = seat->unit;
  const wf_cache_ops *ops = unit->cls->caches;
  for (unsigned level = 0; level < WF_CACHE_LEVELS; level++)
    if (ops->listens && ops->listens(unit, level)) listen(seat->gpu, unit, level);
  seat->begin = begin;
  return !ops->judges || !ops->judges(unit) || let_judge(seat->gpu, unit, err);
}
