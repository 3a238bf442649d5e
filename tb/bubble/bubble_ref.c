#include "tb/bubble/bubble_ref.h"

#include <string.h>

void bubble_ref_reset(bubble_ref *r) {
  const unsigned n = r->n, warps = r->warps, settle = r->settle;
  *r = (bubble_ref){.n = n, .warps = warps, .settle = settle, .cycle = 1};
  r->reg = (bubble_registers){.sample = UINT32_MAX};
}

/* ---- what an SMX is, in the sample's snapshot ---- */

static bool is_bubble(const bubble_ref *r, unsigned s) {
  return r->snap.used[s] < r->threshold;
}
/* A block can go there: there is room, and not all warps are taken. */
static bool has_room(const bubble_ref *r, unsigned s) {
  return wf_mask_has(&r->snap.room, s) && r->snap.used[s] < r->warps;
}
static bool in_transition(const bubble_smx *x) {
  return x->state == BUBBLE_DOWN || x->state == BUBBLE_UP;
}

static bool everything_rests(const bubble_ref *r) {
  for (unsigned s = 0; s < r->n; s++)
    if (r->smx[s].state != BUBBLE_NORMAL) return false;
  return r->gpu == BUBBLE_GPU_HIGH;
}

bool bubble_ref_takes_blocks(const bubble_ref *r, unsigned smx) {
  return r->gpu == BUBBLE_GPU_HIGH && r->smx[smx].state == BUBBLE_NORMAL;
}

/* The whole GPU is low, and nothing asks for it. */
static bool asleep(const bubble_ref *r, const bubble_in *in) {
  return r->gpu == BUBBLE_GPU_LOW && r->reg.mode != BUBBLE_OFF && !in->wait &&
         !wf_mask_any(&in->bound, WF_MASK_WORDS);
}

bool bubble_ref_idle(const bubble_ref *r, const bubble_registers *reg, const bubble_in *in) {
  if (r->step || r->reg.mode != reg->mode) return false;
  if (r->reg.mode != BUBBLE_OFF) return asleep(r, in);
  return everything_rests(r) && r->cycle == 1;
}

static bool work_waits(const bubble_ref *r) {
  return r->snap.wait || wf_mask_any(&r->snap.bound, WF_MASK_WORDS);
}
static bool all_empty_and_still(const bubble_ref *r) {
  for (unsigned s = 0; s < r->n; s++)
    if (r->snap.used[s] || in_transition(&r->smx[s])) return false;
  return !work_waits(r);
}

/* ---- decisions of a sample: `was` is how all are before it ---- */

/* Somewhere else a diverted block can go: to one that is no bubble itself. */
static bool has_target(const bubble_ref *r, const bubble_smx *was) {
  for (unsigned d = 0; d < r->n; d++)
    if (was[d].state == BUBBLE_NORMAL && !is_bubble(r, d) && has_room(r, d)) return true;
  return false;
}

static bool nobody_has_room(const bubble_ref *r, const bubble_smx *was) {
  for (unsigned s = 0; s < r->n; s++)
    if (was[s].state == BUBBLE_NORMAL && has_room(r, s)) return false;
  return true;
}

/* The next of `from`, round robin. */
static bool choose(bubble_ref *r, const wf_mask *from, unsigned *chosen) {
  if (!wf_mask_any(from, WF_MASK_WORDS)) return false;
  *chosen = wf_mask_from(from, r->after, WF_MASK_WORDS);
  return true;
}
static bool choose_bound(bubble_ref *r, const wf_mask *from, unsigned *chosen) {
  const wf_mask bound = wf_mask_both(from, &r->snap.bound, WF_MASK_WORDS);
  return choose(r, &bound, chosen);
}

/* Whose resumption the waiting blocks ask for; drains first, which cost nothing. */
static bool resumed(bubble_ref *r, const bubble_smx *was, unsigned *chosen) {
  wf_mask drains = {0}, others = {0};
  bool rising = false;
  for (unsigned s = 0; s < r->n; s++) {
    const bubble_state x = was[s].state;
    if (x == BUBBLE_DRAIN) wf_mask_set(&drains, s);
    if (x == BUBBLE_PARKED || x == BUBBLE_LOW) wf_mask_set(&others, s);
    rising |= x == BUBBLE_UP;
  }
  if (r->reg.calm && rising) others = (wf_mask){0};
  if (choose_bound(r, &drains, chosen) || choose_bound(r, &others, chosen)) return true;
  if (!r->snap.wait || !nobody_has_room(r, was)) return false;
  return choose(r, &drains, chosen) || choose(r, &others, chosen);
}

static void resume(bubble_ref *r, unsigned s) {
  r->smx[s].state = r->smx[s].state == BUBBLE_LOW ? BUBBLE_UP : BUBBLE_NORMAL;
  wf_mask_set(&r->resumed, s);
}

static void decide_drain(bubble_ref *r, unsigned s) {
  bubble_smx *x = &r->smx[s];
  const bool last = x->samples + 1 >= r->reg.drain;
  if (!last) x->samples++; /* it counts to W, and goes on from there if W is raised */
  if (!r->snap.used[s] || !last) return;
  *x = (bubble_smx){.state = BUBBLE_NORMAL, .held = true};
  r->counter[BUBBLE_COUNT_vain]++;
}

static void decide_normal(bubble_ref *r, unsigned s, bool target) {
  bubble_smx *x = &r->smx[s];
  if (x->held && (++x->samples >= r->reg.drain || !is_bubble(r, s))) x->held = false;
  if (!is_bubble(r, s) || x->held || wf_mask_has(&r->snap.bound, s) || r->reg.mode == BUBBLE_OFF)
    return;
  if (!target || !r->reg.drain) { /* W of 0: it only watches */
    r->counter[BUBBLE_COUNT_no_target]++;
    return;
  }
  x->state = r->reg.mode == BUBBLE_AT_ONCE ? BUBBLE_PARKED : BUBBLE_DRAIN;
  x->samples = 0;
  r->counter[BUBBLE_COUNT_diverted]++;
}

static void decide_smxs(bubble_ref *r) {
  bubble_smx was[BUBBLE_MAX_SMX];
  memcpy(was, r->smx, r->n * sizeof *was);
  const bool target = has_target(r, was), off = r->reg.mode == BUBBLE_OFF;
  unsigned chosen = 0;
  const bool some = !off && resumed(r, was, &chosen);
  for (unsigned s = 0; s < r->n; s++) {
    const bool may = was[s].state != BUBBLE_NORMAL && !in_transition(&was[s]);
    if (may && (off || (some && chosen == s)))
      resume(r, s);
    else if (was[s].state == BUBBLE_DRAIN)
      decide_drain(r, s);
    else if (was[s].state == BUBBLE_NORMAL)
      decide_normal(r, s, target);
  }
  if (!some) return;
  r->after = (chosen + 1) % r->n;
  r->counter[BUBBLE_COUNT_resumes]++;
}

static bool has_dvfs(const bubble_ref *r) {
  return r->reg.mode == BUBBLE_FULL || r->reg.mode == BUBBLE_AT_ONCE;
}

static void decide(bubble_ref *r) {
  r->counter[BUBBLE_COUNT_samples]++;
  for (unsigned s = 0; s < r->n; s++) {
    r->counter[BUBBLE_COUNT_bubbles] += is_bubble(r, s);
    r->counter[BUBBLE_COUNT_empties] += !r->snap.used[s];
  }
  if (r->gpu == BUBBLE_GPU_HIGH) {
    const bool asked = has_dvfs(r) && r->reg.gpu_level && all_empty_and_still(r);
    decide_smxs(r);
    if (!asked) return;
    r->gpu = BUBBLE_GPU_ASKED;
    for (unsigned s = 0; s < r->n; s++)
      if (r->smx[s].state == BUBBLE_DRAIN) r->smx[s].state = BUBBLE_PARKED;
    return;
  }
  r->counter[BUBBLE_COUNT_gpu_samples]++;
  if (r->gpu != BUBBLE_GPU_LOW || (!work_waits(r) && has_dvfs(r))) return;
  r->gpu = BUBBLE_GPU_UP;
  for (unsigned s = 0; s < r->n; s++) r->smx[s].state = BUBBLE_NORMAL;
}

/* No block is on its way to a diverted SMX any more. */
static void confirm(bubble_ref *r) {
  if (r->gpu == BUBBLE_GPU_ASKED) {
    const bool down = all_empty_and_still(r) && has_dvfs(r);
    r->gpu = down ? BUBBLE_GPU_DOWN : BUBBLE_GPU_HIGH;
    r->counter[BUBBLE_COUNT_gpu_downs] += down;
    return;
  }
  if (r->gpu != BUBBLE_GPU_HIGH) return;
  for (unsigned s = 0; s < r->n; s++) {
    bubble_smx *x = &r->smx[s];
    if (x->state != BUBBLE_DRAIN && x->state != BUBBLE_PARKED) continue;
    if (r->snap.used[s] && r->reg.mode != BUBBLE_AT_ONCE) continue;
    r->counter[BUBBLE_COUNT_emptied] += x->state == BUBBLE_DRAIN;
    x->state = has_dvfs(r) ? BUBBLE_DOWN : BUBBLE_PARKED;
    r->counter[BUBBLE_COUNT_downs] += has_dvfs(r);
  }
}

/* ---- an edge ---- */

static void end_transitions(bubble_ref *r, const bubble_in *in, const bubble_smx *was,
                            bubble_gpu gpu) {
  for (unsigned s = 0; s < r->n; s++)
    if (wf_mask_has(&in->done, s))
      r->smx[s].state = was[s].state == BUBBLE_DOWN ? BUBBLE_LOW : BUBBLE_NORMAL;
  if (in->gpu_done) r->gpu = gpu == BUBBLE_GPU_DOWN ? BUBBLE_GPU_LOW : BUBBLE_GPU_HIGH;
}

void bubble_ref_edge(bubble_ref *r, const bubble_registers *reg, const bubble_in *in) {
  bubble_smx was[BUBBLE_MAX_SMX];
  const bubble_gpu gpu = r->gpu;
  memcpy(was, r->smx, r->n * sizeof *was);
  const bool on = r->reg.mode != BUBBLE_OFF || !everything_rests(r);
  const bool low = r->gpu == BUBBLE_GPU_LOW, over = r->cycle >= r->reg.sample;
  const bool sampled = on && !r->step && (low ? !asleep(r, in) : over);
  r->resumed = (wf_mask){0};
  if (r->step == 1) decide(r);
  if (r->step == r->settle) r->snap = *in;
  if (r->step == r->settle + 1) confirm(r);
  end_transitions(r, in, was, gpu);
  if (sampled || r->step == r->settle) r->threshold = r->reg.threshold;
  if (sampled) r->snap = *in;
  r->step = sampled ? 1 : !r->step || r->step > r->settle ? 0 : r->step + 1;
  r->cycle = sampled || !on ? 1 : r->cycle + (!over && !low);
  r->reg = *reg;
}
