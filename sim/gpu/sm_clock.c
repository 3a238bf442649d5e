#include "sim/gpu/sm_clock.h"

/* to += now - from, of structs of uint64_t. */
static void add_difference(void *to, const void *now, const void *from, size_t bytes) {
  uint64_t *t = to;
  const uint64_t *n = now, *f = from;
  for (size_t i = 0; i < bytes / sizeof *t; i++) t[i] += n[i] - f[i];
}

void wf_sm_add_low(const wf_sm *sm, wf_low_counters *to) {
  const wf_low_counters *c = &sm->clock.low, zero = {0};
  add_difference(to, c, &zero, sizeof *to);
  if (!sm->clock.is_low) return;
  to->cycles += sm->gpu->cycle - sm->clock.low_since;
  add_difference(&to->sm, &sm->counters, &sm->clock.sm_then, sizeof to->sm);
  add_difference(&to->l1, &sm->l1_counters, &sm->clock.l1_then, sizeof to->l1);
}

void wf_sm_see_clock(const wf_sm *sm) {
  const wf_sm_clock *c = &sm->clock;
  const uint64_t core = sm->gpu->config.mem.core_mhz;
  wf_gpu_see(sm->gpu, &(wf_seen){.kind = WF_SEEN_CLOCK,
                                 .cycle = sm->gpu->cycle,
                                 .sm = sm->id,
                                 .mhz = (unsigned)(c->of ? core * c->ticks / c->of : core),
                                 .low = c->is_low});
}

static void set_voltage(wf_sm *sm, bool low) {
  wf_sm_clock *c = &sm->clock;
  if (low == c->is_low) return;
  if (!low) {
    wf_low_counters all = {0};
    wf_sm_add_low(sm, &all);
    c->low = all;
  }
  c->is_low = low;
  c->low_since = sm->gpu->cycle;
  c->sm_then = sm->counters;
  c->l1_then = sm->l1_counters;
}

void wf_sm_set_clock(wf_sm *sm, unsigned ticks, unsigned of, bool low) {
  sm->clock.ticks = ticks;
  sm->clock.of = of;
  sm->clock.sum = 0;
  set_voltage(sm, low);
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
