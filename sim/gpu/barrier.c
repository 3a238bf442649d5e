#include "sim/gpu/barrier.h"

bool wf_barrier_come(wf_barrier *barriers, const ptx_inst *inst, const ptx_effect *effect,
                     wf_barrier_wait *wait) {
  const bool named = inst->custom_id != PTX_BARRIER_ALL;
  const unsigned lane = named ? (unsigned)__builtin_ctz(effect->active) : 0;
  *wait = (wf_barrier_wait){
      .inst = inst, .mask = effect->active, .id = named ? (uint8_t)effect->operand[0][lane] : 0};
  wf_barrier *b = &barriers[wait->id];
  b->at++;
  if (!named) return true;
  b->need = (uint32_t)effect->operand[1][lane] / PTX_LANES;
  b->votes += (unsigned)__builtin_popcount(effect->taken);
  b->threads += (unsigned)__builtin_popcount(effect->active);
  return inst->custom_id != PTX_BARRIER_ARRIVE;
}

bool wf_barrier_opens(const wf_barrier *b, unsigned running) {
  return b->at && b->at >= (b->need ? b->need : running);
}

void wf_barrier_leave(const wf_barrier *b, const wf_barrier_wait *wait, ptx_warp *warp) {
  if (wait->inst->custom_id == PTX_BARRIER_REDUCE)
    ptx_write_votes(wait->inst, warp, wait->mask, b->votes, b->threads);
}
