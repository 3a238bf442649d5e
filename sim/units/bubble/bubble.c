/* Socket of the unit for occupancy bubbles (rtl/bubble_power): what the scheduler of blocks shows
 * goes in, what it must not use comes out to it; the regulator of voltages and the SMs' clocks are
 * here, as they are outside of the unit in a GPU. Every decision is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/units/bubble/ports.h"
#include "sim/units/rtl_set.h"

enum { OFF, DIVERT, FULL, AT_ONCE };
static const char *const modes[] = {"off", "divert", "full", "at_once", NULL};

typedef struct settings {
  unsigned mode, gpu_level, calm, sample, threshold, drain, transition, low_mhz, counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"mode", NULL, OFF, AT_ONCE, FULL, FIELD(mode), modes,
     "off; divert: SMs that hold few warps get no block; full: and are set low when empty; "
     "at_once: "
     "set low although blocks still run"},
    {"gpu_level", NULL, 0, 1, 1, FIELD(gpu_level), NULL,
     "all SMs go low together when all are empty and no block waits"},
    {"calm", NULL, 0, 1, 0, FIELD(calm), NULL, "1: no SM is woken while another comes up"},
    {"sample", NULL, 16, 10000, 500, FIELD(sample), NULL, "cycles between two looks at the SMs"},
    {"threshold", NULL, 0, 64, 4, FIELD(threshold), NULL,
     "a bubble has fewer warps than this (or than all, if it is more)"},
    {"drain", NULL, 0, 63, 10, FIELD(drain), NULL,
     "samples that an SM may take to run empty; 0, with gpu_level=0: bubbles are counted, no more"},
    {"transition", NULL, 0, 63, 1, FIELD(transition), NULL,
     "samples from one P-state to the other; 0: a cycle"},
    {"low_mhz", NULL, 1, 10000, 100, FIELD(low_mhz), NULL,
     "clock of a low SM (of core.mhz at most)"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock the idle RTL; 0 clocks it always, same results"},
    {0},
};

enum { SETTLED = 16 }; /* cycles of a sample after which it does nothing more */

typedef struct bubble {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtls; /* of one: */
  wf_rtl *rtl;
  bubble_ports port;
  settings set;
  wf_dispatch_rooms seen;                   /* after the last edge */
  uint64_t at;                              /* its cycle */
  uint64_t left[WF_DISPATCH_SMS], gpu_left; /* of transitions */
  uint64_t divert, slow, low, between;      /* SMs, as the fabric was told */
  uint64_t low_cycles, transition_cycles, gpu_low_cycles, diverted_cycles; /* of SMs, summed */
} bubble;

/* ---- creation ---- */

static bool bubble_fits(const wf_unit_env *env, wf_error *err) {
  settings set;
  if (!wf_parameters_read(parameters, "bubble", env->options, &set, err)) return false;
  if (!env->sm_clock)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "core.sm_mhz fixes the SMs' clock, which unit bubble sets; expected one of them");
  if (set.low_mhz > env->core_mhz)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "bubble.low_mhz=%u: expected core.mhz=%u or less",
                   set.low_mhz, env->core_mhz);
  return true;
}

static bool bubble_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  bubble *b = (bubble *)unit;
  b->env = *env;
  b->unit.rtl[0] = &b->rtls;
  static const wf_rtl_value given[] = {{"SampleBits", 14}, {"DrainBits", 6}, {"Settle", 4}, {0}};
  const wf_rtl_value fixed[] = {{"NumSmx", env->n_sm}, {"WarpUnits", env->warps_per_sm}, {0}};
  const wf_rtl_request q = {"bubble", "paper", fixed, given, unit, env};
  return wf_rtl_set_open(&b->rtls, 1, &q, err);
}

static void bubble_destroy(wf_unit *unit) {
  free(unit);
}

static bool bubble_bind(wf_unit *unit, wf_error *err) {
  bubble *b = (bubble *)unit;
  const bubble_ports *p = &b->port;
  b->rtl = &b->rtls.at[0];
  if (!bubble_ports_bind(&b->port, b->rtl->model, err)) return false;
  wf_port_set(p->mode, b->set.mode);
  wf_port_set(p->gpu_level, b->set.gpu_level);
  wf_port_set(p->calm, b->set.calm);
  wf_port_set(p->sample, b->set.sample);
  const unsigned warps = b->env.warps_per_sm;
  wf_port_set(p->threshold, b->set.threshold < warps ? b->set.threshold : warps);
  wf_port_set(p->drain, b->set.drain);
  return wf_rtl_ok(b->rtl, wf_model_settle(b->rtl->model), err); /* it is idle only if off */
}

/* ---- regulator and clocks ---- */

static uint64_t sms(const bubble *b) {
  return b->env.n_sm == 64 ? UINT64_MAX : (UINT64_C(1) << b->env.n_sm) - 1;
}
static uint64_t of_gpu(const bubble *b, const wf_port *flag) {
  return wf_port_get(flag) ? sms(b) : 0;
}

/* Another transition is over after P. */
static bool settles(uint64_t *left, bool busy, uint64_t p) {
  if (!busy) return *left = 0, false;
  if (!*left) *left = p ? p + 1 : 2; /* in this cycle it was asked for */
  return --*left == 1 ? *left = 0, true : false;
}

static void drive_regulator(bubble *b) {
  const uint64_t p = (uint64_t)b->set.transition * b->set.sample;
  const uint64_t busy = wf_port_get(b->port.busy);
  uint64_t done = 0;
  for (unsigned s = 0; s < b->env.n_sm; s++)
    done |= (uint64_t)settles(&b->left[s], busy >> s & 1, p) << s;
  wf_port_set(b->port.done, done);
  wf_port_set(b->port.gpu_done, settles(&b->gpu_left, wf_port_get(b->port.gpu_busy), p));
}

/* Going down, an SM keeps its clock until the voltage has fallen; coming up, it has the low clock
 * until the voltage is there. What the voltage costs in between is what the higher one does. */
static void set_clocks(bubble *b) {
  const bubble_ports *p = &b->port;
  const uint64_t busy = wf_port_get(p->busy), dvfs = wf_port_get(p->low) | busy;
  const uint64_t gpu = wf_port_get(p->gpu_low) || wf_port_get(p->gpu_busy) ? sms(b) : 0;
  const uint64_t gpu_down = of_gpu(b, p->gpu_low) & of_gpu(b, p->gpu_busy);
  const uint64_t low = (wf_port_get(p->low) & ~busy) | (gpu & ~of_gpu(b, p->gpu_busy));
  const uint64_t slow = (dvfs & ~(wf_port_get(p->low) & busy)) | (gpu & ~gpu_down);
  const uint64_t between = (busy | of_gpu(b, p->gpu_busy)) & ~low;
  for (uint64_t m = (low ^ b->low) | (slow ^ b->slow) | (between ^ b->between); m; m &= m - 1) {
    const unsigned s = (unsigned)__builtin_ctzll(m);
    const bool ticks = slow >> s & 1;
    b->env.sm_clock(b->env.gpu, s,
                    &(wf_sm_pace){.ticks = ticks ? b->set.low_mhz : 0,
                                  .of = ticks ? b->env.core_mhz : 0,
                                  .state = low >> s & 1       ? WF_PSTATE_LOW
                                           : between >> s & 1 ? WF_PSTATE_BETWEEN
                                                              : WF_PSTATE_HIGH});
  }
  b->low = low;
  b->slow = slow;
  b->between = between;
}

/* ---- an edge ---- */

static void drive(bubble *b) {
  const bubble_ports *p = &b->port;
  const unsigned bits = p->free->width / b->env.n_sm;
  for (unsigned s = 0; s < b->env.n_sm; s++)
    wf_port_set_bits(p->free, s * bits, bits, b->seen.free_warps[s]);
  wf_port_set(p->room, b->seen.room);
  wf_port_set(p->wait, b->seen.waits);
  wf_port_set(p->bound, b->seen.bound);
  drive_regulator(b);
}

/* A cycle of each SM. */
static void count(bubble *b) {
  const bubble_ports *p = &b->port;
  const uint64_t busy = wf_port_get(p->busy) | of_gpu(b, p->gpu_busy);
  b->low_cycles += (unsigned)__builtin_popcountll(b->low);
  b->transition_cycles += (unsigned)__builtin_popcountll(busy);
  b->diverted_cycles += (unsigned)__builtin_popcountll(b->divert);
  b->gpu_low_cycles += wf_port_get(p->gpu_low) && !wf_port_get(p->gpu_busy);
}

static bool rests(const bubble *b) {
  const bool asked = b->set.mode != OFF && (b->seen.waits || b->seen.bound);
  return wf_port_get(b->port.idle) && !asked;
}

static bool edge(bubble *b, uint64_t cycle, wf_error *err) {
  count(b);
  if (!wf_rtl_due(&b->rtls, !rests(b))) return true;
  drive(b);
  if (!wf_rtl_clock(b->rtl, cycle, err)) return false;
  wf_port_set(b->port.done, 0); /* it may be clocked next when its counters are read */
  wf_port_set(b->port.gpu_done, 0);
  return true;
}

/* Cycles that were skipped are made up for: nothing has changed in them. */
static bool bubble_tick(wf_unit *unit, wf_error *err) {
  bubble *b = (bubble *)unit;
  const uint64_t now = wf_unit_now(&b->env);
  while (b->at < now)
    if (!edge(b, ++b->at, err)) return false;
  const uint64_t divert = wf_port_get(b->port.divert);
  if (divert != b->divert) b->env.divert(b->env.gpu, divert);
  b->divert = divert;
  set_clocks(b);
  b->env.rooms(b->env.gpu, &b->seen);
  return true;
}

/* A kernel may end in any state. */
static bool bubble_idle(const wf_unit *unit) {
  (void)unit;
  return true;
}

/* Until the next sample, or the end of a transition. */
static uint64_t bubble_quiet(const wf_unit *unit) {
  const bubble *b = (const bubble *)unit;
  if (rests(b)) return UINT64_MAX;
  const uint64_t count = wf_port_get(b->port.count);
  if (count <= SETTLED || count + 2 >= b->set.sample) return 0;
  uint64_t quiet = b->set.sample - count - 2;
  for (unsigned s = 0; s <= b->env.n_sm; s++) {
    const uint64_t left = s < b->env.n_sm ? b->left[s] : b->gpu_left;
    if (left && left < quiet + 2) quiet = left - 2;
  }
  return quiet;
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"busy_cycles", offsetof(bubble, rtls.busy)},
    {"diverted_cycles", offsetof(bubble, diverted_cycles)},
    {"low_cycles", offsetof(bubble, low_cycles)},
    {"transition_cycles", offsetof(bubble, transition_cycles)},
    {"gpu_low_cycles", offsetof(bubble, gpu_low_cycles)},
    {0},
};

static void bubble_figures(wf_unit *unit, wf_counter_fn each, void *user) {
  bubble *b = (bubble *)unit;
  size_t samples, bubbles;
  uint64_t *sum = wf_rtl_set_counters(&b->rtls);
  if (wf_rtl_set_counter_find(&b->rtls, "samples", &samples) &&
      wf_rtl_set_counter_find(&b->rtls, "bubbles", &bubbles) && sum[samples])
    each(user, "bubble_share", (double)sum[bubbles] / ((double)sum[samples] * b->env.n_sm));
  free(sum);
}

static void bubble_describe(const wf_unit *unit, FILE *out) {
  const bubble_ports *p = &((const bubble *)unit)->port;
  fprintf(out,
          "bubble: SMs diverted 0x%llx, draining 0x%llx, low 0x%llx, in transition 0x%llx; GPU low "
          "%d\n",
          (unsigned long long)wf_port_get(p->dvr), (unsigned long long)wf_port_get(p->drn),
          (unsigned long long)wf_port_get(p->low), (unsigned long long)wf_port_get(p->busy),
          (int)wf_port_get(p->gpu_low));
}

static const wf_energy_event energy[] = {
    {"busy_cycles", WF_EN_PART_UNIT, 7.9, NULL,
     "make power UNIT=bubble CONFIG=paper, NanGate 45 nm; each cycle in which the samples' counter "
     "runs"},
    {0},
};
static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.000356, "make synth UNIT=bubble CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

const wf_unit_class wf_unit_bubble = {
    .name = "bubble",
    .summary = "SMs that hold few warps get no more blocks, run empty and are set to a low clock "
               "and voltage until blocks wait",
    .limits = "any SMs, warps, L1 and L2 slices; goes with whoever places blocks",
    .fits = bubble_fits,
    .most_sms = WF_DISPATCH_SMS,
    .bytes = sizeof(bubble),
    .settings = offsetof(bubble, set),
    .open = bubble_open,
    .destroy = bubble_destroy,
    .tick = bubble_tick,
    .idle = bubble_idle,
    .quiet = bubble_quiet,
    .counters = counters,
    .figures = bubble_figures,
    .describe = bubble_describe,
    .bind = bubble_bind,
    .events = energy,
    .power = power,
    .example =
        "--config k20c --app pagerank --graph rmat:scale=9,edges=3000 --set launch.host=3000",
    .parameters = parameters,
};
