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
  unsigned words;                      /* of a mask of SMs */
  wf_dispatch_rooms seen;              /* after the last edge */
  uint64_t at;                         /* its cycle */
  uint64_t left[WF_MAX_SMS], gpu_left; /* of transitions */
  wf_mask divert, slow, low, between;  /* SMs, as the fabric was told */
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
  b->words = (env->n_sm + 63) / 64;
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

/* All SMs, where the GPU's flag is set. */
static wf_mask of_gpu(const bubble *b, const wf_port *flag) {
  return wf_mask_below(wf_port_get(flag) ? b->env.n_sm : 0);
}

/* Another transition is over after P. */
static bool settles(uint64_t *left, bool busy, uint64_t p) {
  if (!busy) return *left = 0, false;
  if (!*left) *left = p ? p + 1 : 2; /* in this cycle it was asked for */
  return --*left == 1 ? *left = 0, true : false;
}

static void drive_regulator(bubble *b) {
  const uint64_t p = (uint64_t)b->set.transition * b->set.sample;
  const wf_mask busy = wf_port_mask(b->port.busy);
  wf_mask done = {0};
  for (unsigned s = 0; s < b->env.n_sm; s++)
    if (settles(&b->left[s], wf_mask_has(&busy, s), p)) wf_mask_set(&done, s);
  wf_port_set_mask(b->port.done, &done);
  wf_port_set(b->port.gpu_done, settles(&b->gpu_left, wf_port_get(b->port.gpu_busy), p));
}

/* Going down, an SM keeps its clock until the voltage has fallen; coming up, it has the low clock
 * until the voltage is there. What the voltage costs in between is what the higher one does. */
static void set_clocks(bubble *b) {
  const bubble_ports *p = &b->port;
  const wf_mask is_busy = wf_port_mask(p->busy), is_low = wf_port_mask(p->low);
  const wf_mask gpu_busy = of_gpu(b, p->gpu_busy), gpu_low = of_gpu(b, p->gpu_low);
  wf_mask changed = {0}, low = {0}, slow = {0}, between = {0};
  for (unsigned k = 0; k < b->words; k++) {
    const uint64_t busy = is_busy.w[k], dvfs = is_low.w[k] | busy;
    const uint64_t gpu = gpu_low.w[k] | gpu_busy.w[k], gpu_down = gpu_low.w[k] & gpu_busy.w[k];
    low.w[k] = (is_low.w[k] & ~busy) | (gpu & ~gpu_busy.w[k]);
    slow.w[k] = (dvfs & ~(is_low.w[k] & busy)) | (gpu & ~gpu_down);
    between.w[k] = (busy | gpu_busy.w[k]) & ~low.w[k];
    changed.w[k] =
        (low.w[k] ^ b->low.w[k]) | (slow.w[k] ^ b->slow.w[k]) | (between.w[k] ^ b->between.w[k]);
  }
  for (unsigned s; wf_mask_take(&changed, &s, b->words);) {
    const bool ticks = wf_mask_has(&slow, s);
    b->env.sm_clock(b->env.gpu, s,
                    &(wf_sm_pace){.ticks = ticks ? b->set.low_mhz : 0,
                                  .of = ticks ? b->env.core_mhz : 0,
                                  .state = wf_mask_has(&low, s)       ? WF_PSTATE_LOW
                                           : wf_mask_has(&between, s) ? WF_PSTATE_BETWEEN
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
  wf_port_set_mask(p->room, &b->seen.room);
  wf_port_set(p->wait, b->seen.waits);
  wf_port_set_mask(p->bound, &b->seen.bound);
  drive_regulator(b);
}

/* A cycle of each SM. */
static void count(bubble *b) {
  const bubble_ports *p = &b->port;
  wf_mask busy = wf_port_mask(p->busy);
  const wf_mask all = of_gpu(b, p->gpu_busy);
  wf_mask_add(&busy, &all, b->words);
  b->low_cycles += wf_mask_count(&b->low, b->words);
  b->transition_cycles += wf_mask_count(&busy, b->words);
  b->diverted_cycles += wf_mask_count(&b->divert, b->words);
  b->gpu_low_cycles += wf_port_get(p->gpu_low) && !wf_port_get(p->gpu_busy);
}

static bool rests(const bubble *b) {
  const bool asked = b->set.mode != OFF && (b->seen.waits || wf_mask_any(&b->seen.bound, b->words));
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
  const wf_mask divert = wf_port_mask(b->port.divert);
  if (!wf_mask_same(&divert, &b->divert)) b->env.divert(b->env.gpu, &divert);
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

static void describe_sms(FILE *out, const char *what, const bubble *b, const wf_port *port) {
  const wf_mask m = wf_port_mask(port);
  fprintf(out, "%s 0x", what);
  for (unsigned k = b->words; k-- > 0;)
    fprintf(out, k + 1 == b->words ? "%llx" : "%016llx", (unsigned long long)m.w[k]);
}

static void bubble_describe(const wf_unit *unit, FILE *out) {
  const bubble *b = (const bubble *)unit;
  describe_sms(out, "bubble: SMs diverted", b, b->port.dvr);
  describe_sms(out, ", draining", b, b->port.drn);
  describe_sms(out, ", low", b, b->port.low);
  describe_sms(out, ", in transition", b, b->port.busy);
  fprintf(out, "; GPU low %d\n", (int)wf_port_get(b->port.gpu_low));
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
