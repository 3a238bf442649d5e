/* Runs one kernel: dispatches CTAs, advances memory, units and SMs cycle by cycle, skips cycles in
 * which nothing can happen, and notices when nothing ever will. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_clock.h"
#include "sim/gpu/cta.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/launch.h"
#include "sim/gpu/sleep.h"
#include "sim/gpu/sm.h"
#include "sim/gpu/sm_clock.h"

/* Cycles without an issued instruction after which the kernel counts as hung. */
#define HANG_CYCLES 2000000u
enum { PROGRESS_CYCLES = 1 << 14 };

static bool receive_unit_packet(wf_gpu *gpu, unsigned s, const wf_packet *p, bool *taken,
                                wf_error *err) {
  wf_unit *unit = p->client < gpu->n_units ? gpu->units[p->client] : NULL;
  if (!unit || !unit->cls->receive)
    return wf_fail(err, WF_EXIT_WRONG, "a packet reached SM %u for unit %u, which takes none", s,
                   p->client);
  *taken = !unit->cls->may_receive || unit->cls->may_receive(unit, s);
  return !*taken || unit->cls->receive(unit, s, p, err);
}

static bool deliver_reply(wf_gpu *gpu, unsigned s, wf_error *err) {
  const wf_packet *p = wf_mem_peek(gpu->mem, s);
  bool taken = true;
  if (p->kind == WF_PKT_UNIT) {
    if (!receive_unit_packet(gpu, s, p, &taken, err)) return false;
  } else {
    wf_sm_reply(&gpu->sms[s], p, wf_sm_now(&gpu->sms[s]));
  }
  if (taken) wf_mem_pop(gpu->mem, s);
  return true;
}

static bool deliver_replies(wf_gpu *gpu, wf_error *err) {
  for (unsigned k = 0; 64 * k < gpu->config.n_sm; k++)
    for (uint64_t m = wf_mem_pending_sms(gpu->mem, k); m; m &= m - 1)
      if (!deliver_reply(gpu, 64 * k + (unsigned)__builtin_ctzll(m), err)) return false;
  return true;
}

/* hook: a tick or a kernel's end; NULL: not its own. */
static bool ask_unit(wf_unit *u, bool (*hook)(wf_unit *, wf_error *), wf_error *err) {
  if (u->fault.code) return *err = u->fault, false;
  return !hook || hook(u, err);
}

static bool tick_units(wf_gpu *gpu, wf_error *err) {
  for (unsigned u = 0; u < gpu->n_units; u++)
    if (!ask_unit(gpu->units[u], gpu->units[u]->cls->tick, err)) return false;
  return true;
}

static bool unit_idle(const wf_unit *u) {
  return !u->cls->idle || u->cls->idle(u);
}

static bool units_idle(const wf_gpu *gpu) {
  for (unsigned u = 0; u < gpu->n_units; u++)
    if (!unit_idle(gpu->units[u])) return false;
  return true;
}

/* Cycles in which no unit has to be ticked, if nothing else happens. */
static uint64_t units_quiet(const wf_gpu *gpu) {
  uint64_t least = WF_NEVER;
  for (unsigned u = 0; u < gpu->n_units; u++) {
    const wf_unit *unit = gpu->units[u];
    const uint64_t quiet = !unit_idle(unit)    ? 0
                           : !unit->cls->quiet ? WF_NEVER
                                               : unit->cls->quiet(unit);
    if (quiet < least) least = quiet;
  }
  return least;
}

/* Tells when a unit begins and ends to have something to do. */
static void see_units(wf_gpu *gpu) {
  for (unsigned u = 0; u < gpu->n_units; u++) {
    const bool busy = !unit_idle(gpu->units[u]);
    if (busy == (gpu->seen_busy >> u & 1)) continue;
    gpu->seen_busy ^= 1u << u;
    wf_gpu_see(gpu, &(wf_seen){.kind = busy ? WF_SEEN_UNIT_BUSY : WF_SEEN_UNIT_IDLE,
                               .cycle = gpu->cycle - !busy,
                               .name = gpu->units[u]->cls->name,
                               .sm = u});
  }
}

/* For observers that want to look every so many cycles: SMs that sleep are counted up to now. */
static void see_sample(wf_gpu *gpu) {
  if (gpu->cycle < gpu->next_sample) return;
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    wf_sm_settle(&gpu->sms[s], wf_sm_now(&gpu->sms[s]) + 1);
  wf_gpu_sum_counters(gpu);
  gpu->next_sample = WF_NEVER;
  for (unsigned i = 0; i < gpu->n_observers; i++) {
    const wf_observer *o = gpu->observers[i];
    if (gpu->cycle >= gpu->sample_at[i]) {
      o->see(o->user, &(wf_seen){.kind = WF_SEEN_SAMPLE, .cycle = gpu->cycle});
      gpu->sample_at[i] = o->every ? gpu->cycle + o->every : WF_NEVER;
    }
    if (gpu->sample_at[i] < gpu->next_sample) gpu->next_sample = gpu->sample_at[i];
  }
}

static bool all_done(const wf_gpu *gpu) {
  if (wf_launcher_busy(gpu->launcher)) return false;
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    if (!wf_sm_idle(&gpu->sms[s])) return false;
  return units_idle(gpu) && wf_mem_idle(gpu->mem);
}

static size_t describe_units(const wf_gpu *gpu, char *text, size_t bytes) {
  FILE *out = fmemopen(text, bytes, "w");
  if (!out) return 0;
  for (unsigned u = 0; u < gpu->n_units; u++)
    if (gpu->units[u]->cls->describe) gpu->units[u]->cls->describe(gpu->units[u], out);
  fclose(out); /* what does not fit is left out */
  return strnlen(text, bytes);
}

static bool hang(wf_gpu *gpu, const char *why, wf_error *err) {
  char who[700];
  size_t n = wf_mem_describe(gpu->mem, who, sizeof who / 3);
  if (n < sizeof who / 2) n += describe_units(gpu, who + n, sizeof who / 2 - n);
  if (n < sizeof who / 2) n += wf_launcher_describe(gpu->launcher, who + n, sizeof who / 4);
  for (unsigned s = 0; s < gpu->config.n_sm && n < sizeof who; s++)
    n += wf_sm_describe(&gpu->sms[s], who + n, sizeof who - n);
  char *last = n >= sizeof who ? strrchr(who, '\n') : NULL; /* what has no room goes by lines */
  if (last) last[1] = '\0';
  return wf_fail(err, WF_EXIT_HANG, "kernel %s: %s at cycle %llu; waiting:\n%s%s",
                 gpu->launch.kernel->name, why, (unsigned long long)gpu->cycle, who,
                 last ? "(and more)" : "");
}

static void skip(wf_gpu *gpu, uint64_t cycles) {
  if (cycles) wf_mem_skip(gpu->mem, cycles);
  for (unsigned s = 0; s < gpu->config.n_sm; s++) wf_sm_clock_skip(&gpu->sms[s], cycles);
  gpu->cycle += cycles;
}

/* Advances the clock over cycles in which nobody has anything to do. False: nobody ever will. */
static bool skip_dead_time(wf_gpu *gpu) {
  uint64_t wake = WF_NEVER;
  for (unsigned s = 0; s < gpu->config.n_sm && wake > gpu->cycle + 1; s++) {
    const uint64_t at = wf_sm_clock_reaches(&gpu->sms[s], gpu->sms[s].wake);
    if (at < wake) wake = at;
  }
  if (wake <= gpu->cycle + 1) return true;
  const uint64_t launcher_wake = wf_launcher_wake(gpu->launcher);
  if (launcher_wake < wake) wake = launcher_wake;
  const uint64_t units = wake <= gpu->cycle + 1 ? 0 : units_quiet(gpu);
  if (!units) return true;
  if (wake == WF_NEVER && units == WF_NEVER && wf_mem_idle(gpu->mem)) return false;
  uint64_t free_cycles = wake == WF_NEVER ? WF_NEVER : wake - gpu->cycle - 1;
  uint64_t quiet = wf_mem_quiet_cycles(gpu->mem);
  if (quiet < free_cycles) free_cycles = quiet;
  if (units < free_cycles) free_cycles = units;
  if (gpu->max_cycles && gpu->max_cycles - gpu->cycle < free_cycles)
    free_cycles = gpu->max_cycles - gpu->cycle;
  if (gpu->next_sample - gpu->cycle - 1 < free_cycles)
    free_cycles = gpu->next_sample - gpu->cycle - 1;
  if (gpu->skip) skip(gpu, free_cycles);
  return true;
}

static bool tick_sms(wf_gpu *gpu, wf_error *err) {
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    wf_sm *sm = &gpu->sms[s];
    if (sm->clock.of && !wf_sm_clock_ticks(sm)) continue;
    const uint64_t now = wf_sm_now(sm);
    if (sm->wake <= now && !wf_sm_tick(sm, now, err)) return false;
  }
  return true;
}

static uint64_t issued(const wf_gpu *gpu) {
  uint64_t n = 0;
  for (unsigned s = 0; s < gpu->config.n_sm; s++) n += gpu->sms[s].counters.warp_instructions;
  return n;
}

typedef struct watch {
  uint64_t last_issued, last_cycle, next_look;
  double next_report;
} watch;

static void plan_look(const wf_gpu *gpu, watch *w) {
  w->next_look = gpu->cycle + PROGRESS_CYCLES;
  if (gpu->max_cycles && gpu->max_cycles < w->next_look) w->next_look = gpu->max_cycles;
}

/* Every few thousand cycles, and at the limit: cycle limit, hang watchdog, progress report. */
static bool look_around(wf_gpu *gpu, watch *w, wf_error *err) {
  plan_look(gpu, w);
  if (gpu->max_cycles && gpu->cycle >= gpu->max_cycles)
    return hang(gpu, "the limit of --max-cycles is reached", err);
  uint64_t n = issued(gpu);
  if (n != w->last_issued) {
    w->last_issued = n;
    w->last_cycle = gpu->cycle;
  } else if (gpu->cycle - w->last_cycle > HANG_CYCLES) {
    return hang(gpu, "no instruction issued for 2 million cycles", err);
  }
  if (gpu->progress && wf_clock_seconds() > w->next_report) {
    w->next_report = wf_clock_seconds() + 0.1;
    gpu->progress(gpu->progress_user, gpu->launch.kernel->name, gpu->cycle,
                  wf_launcher_progress(gpu->launcher));
  }
  return true;
}

static bool check_seats(const wf_gpu *gpu, wf_error *err) {
  for (unsigned i = 0; i < gpu->n_seats; i++)
    if (gpu->seats[i].check && !gpu->seats[i].check(&gpu->seats[i], err)) return false;
  return true;
}

static bool step(wf_gpu *gpu, wf_error *err) {
  gpu->cycle++;
  if (!wf_launcher_tick(gpu->launcher, err)) return false;
  wf_mem_tick(gpu->mem);
  const bool ok = tick_units(gpu, err) && deliver_replies(gpu, err) && tick_sms(gpu, err) &&
                  check_seats(gpu, err);
  if (ok && gpu->n_observers && gpu->n_units) see_units(gpu);
  see_sample(gpu);
  return ok;
}

static bool check_loads(const wf_gpu *gpu, wf_error *err) {
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    if (gpu->sms[s].live_loads)
      return wf_fail(err, WF_EXIT_WRONG, "SM %u: %u loads keep their places", s,
                     gpu->sms[s].live_loads);
  return true;
}

static bool end_checks(wf_gpu *gpu, wf_error *err) {
  for (unsigned i = 0; i < gpu->n_seats; i++)
    if (gpu->seats[i].kernel_end && !gpu->seats[i].kernel_end(&gpu->seats[i], err)) return false;
  for (unsigned u = 0; u < gpu->n_units; u++)
    if (!ask_unit(gpu->units[u], gpu->units[u]->cls->kernel_end, err)) return false;
  return check_loads(gpu, err) && wf_mem_check_conservation(gpu->mem, err);
}

bool wf_gpu_wait(wf_gpu *gpu, uint64_t cycles, wf_error *err) {
  uint64_t end = gpu->cycle + cycles;
  if (gpu->max_cycles && gpu->max_cycles < end) end = gpu->max_cycles; /* the kernel reports it */
  while (gpu->cycle < end) {
    uint64_t quiet = gpu->skip ? wf_mem_quiet_cycles(gpu->mem) : 0;
    const uint64_t units = quiet ? units_quiet(gpu) : 0;
    if (units < quiet) quiet = units;
    if (quiet > end - gpu->cycle) quiet = end - gpu->cycle;
    if (quiet > gpu->next_sample - gpu->cycle) quiet = gpu->next_sample - gpu->cycle;
    skip(gpu, quiet);
    if (!quiet) {
      gpu->cycle++;
      wf_mem_tick(gpu->mem);
      if (!tick_units(gpu, err)) return false;
    }
    see_sample(gpu);
  }
  return true;
}

bool wf_gpu_run_kernel(wf_gpu *gpu, wf_error *err) {
  watch w = {.last_cycle = gpu->cycle};
  plan_look(gpu, &w);
  while (!all_done(gpu)) {
    if (gpu->cycle >= w.next_look && !look_around(gpu, &w, err)) return false;
    if (!step(gpu, err)) return false;
    if (wf_launcher_busy(gpu->launcher) && !skip_dead_time(gpu))
      return hang(gpu, "every warp waits and nothing is in flight", err);
  }
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    wf_sm_settle(&gpu->sms[s], wf_sm_now(&gpu->sms[s]) + 1);
  return end_checks(gpu, err);
}
