#include "sim/gpu/sm_clock.h"

/* to += now - from: the struct is of uint64_t. */
static void add_difference(wf_pstate_counters *to, const wf_pstate_counters *now,
                           const wf_pstate_counters *from) {
  uint64_t *t = (uint64_t *)to;
  const uint64_t *n = (const uint64_t *)now, *f = (const uint64_t *)from;
  for (size_t i = 0; i < sizeof *to / sizeof *t; i++) t[i] += n[i] - f[i];
}

static wf_pstate_counters total(const wf_sm *sm) {
  return (wf_pstate_counters){
      .cycles = sm->gpu->cycle, .ticks = wf_sm_now(sm), .sm = sm->counters, .l1 = sm->l1_counters};
}

void wf_sm_add_pstate(const wf_sm *sm, wf_pstate state, wf_pstate_counters *to) {
  static const wf_pstate_counters zero;
  const wf_sm_clock *c = &sm->clock;
  add_difference(to, &c->of_state[state], &zero);
  if (state != c->state) return;
  const wf_pstate_counters now = total(sm);
  add_difference(to, &now, &c->then);
}

void wf_sm_see_clock(const wf_sm *sm) {
  const wf_sm_clock *c = &sm->clock;
  const uint64_t core = sm->gpu->config.mem.core_mhz;
  wf_gpu_see(sm->gpu, &(wf_seen){.kind = WF_SEEN_CLOCK,
                                 .cycle = sm->gpu->cycle,
                                 .sm = sm->id,
                                 .mhz = (unsigned)(c->of ? core * c->ticks / c->of : core),
                                 .low = c->state == WF_PSTATE_LOW});
}

static void set_state(wf_sm *sm, wf_pstate state) {
  wf_sm_clock *c = &sm->clock;
  if (state == c->state) return;
  const wf_pstate_counters now = total(sm);
  add_difference(&c->of_state[c->state], &now, &c->then);
  c->then = now;
  c->state = state;
  c->of_state[state].entered++;
}

void wf_sm_set_clock(wf_sm *sm, const wf_sm_pace *pace) {
  wf_sm_clock *c = &sm->clock;
  const bool runs_on = pace->ticks == c->ticks && pace->of == c->of,
             shows = (pace->state == WF_PSTATE_LOW) != (c->state == WF_PSTATE_LOW);
  set_state(sm, pace->state);
  if (runs_on && !shows) return;
  c->ticks = pace->ticks;
  c->of = pace->of;
  c->sum = 0;
  wf_sm_see_clock(sm);
}

bool wf_sm_clock_ticks(wf_sm *sm) {
  wf_sm_clock *c = &sm->clock;
  if (!c->of) return true;
  c->sum += c->ticks;
  if (c->sum >= c->of) return c->sum -= c->of, true;
  c->lost++;
  return false;
}

uint64_t wf_sm_clock_reaches(const wf_sm *sm, uint64_t when) {
  const wf_sm_clock *c = &sm->clock;
  const uint64_t now = wf_sm_now(sm);
  if (when == WF_NEVER) return WF_NEVER;
  if (!c->of || when <= now) return when + c->lost;
  return sm->gpu->cycle + ((when - now) * c->of - c->sum + c->ticks - 1) / c->ticks;
}

void wf_sm_clock_skip(wf_sm *sm, uint64_t cycles) {
  wf_sm_clock *c = &sm->clock;
  if (!c->of) return;
  const uint64_t sum = c->sum + cycles * c->ticks;
  c->lost += cycles - sum / c->of;
  c->sum = (unsigned)(sum % c->of);
}
