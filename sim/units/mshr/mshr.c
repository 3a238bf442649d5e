/* Socket of the MSHR file: one RTL instance in the place of each SM's MSHRs. It puts a fill and a
 * request a cycle on the ports and hands the answers back; what waits for what is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/cache_level.h"
#include "sim/units/mshr/ports.h"

typedef struct settings {
  unsigned sub_bits, counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

enum { LINE_BITS_LEAST = 25, LOAD_BITS = 10, MOST_ENTRIES = 1024, MOST_MERGE = 64 };

static const wf_parameter parameters[] = {
    {"sub_bits", "SubBits", LOAD_BITS, 512, LOAD_BITS, FIELD(sub_bits), NULL,
     "of a subentry: the number of a load, and what else hardware would keep there"},
    {"counter_bits", "CounterBits", 0, 64, 28, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

/* One SM's. */
typedef struct file {
  wf_rtl *rtl;
  mshr_ports port;
  bool offered; /* something is on the ports, for the edge to come */
} file;

typedef struct mshr {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtl;
  file *files; /* [n_sm] */
  settings set;
} mshr;

/* ---- creation ---- */

static void mshr_destroy(wf_unit *unit) {
  free(((mshr *)unit)->files);
  free(unit);
}

static bool mshr_bind(wf_unit *unit, wf_error *err) {
  mshr *m = (mshr *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    m->files[s] = (file){.rtl = &m->rtl.at[s]};
    if (!mshr_ports_bind(&m->files[s].port, m->rtl.at[s].model, err)) return false;
  }
  return true;
}

static bool mshr_fits(const wf_unit_env *env, wf_error *err) {
  return env->l1_mshrs <= MOST_ENTRIES ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--unit mshr: l1.mshrs=%u: expected at most %d, lines are compared", env->l1_mshrs,
                 MOST_ENTRIES);
}

static bool mshr_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  mshr *m = (mshr *)unit;
  m->env = *env;
  m->unit.rtl[0] = &m->rtl;
  m->files = wf_calloc(env->n_sm, sizeof *m->files);
  const wf_rtl_value fixed[] = {{"Entries", env->l1_mshrs},
                                {"Merge", env->l1_mshr_merge},
                                {"LineBits", wf_cache_line_bits(env, LINE_BITS_LEAST)},
                                {0}};
  const wf_rtl_request request = {
      .unit = "mshr", .config = "paper", .fixed = fixed, .of = &m->unit, .env = &m->env};
  return wf_rtl_set_open(&m->rtl, env->n_sm, &request, err);
}

/* ---- what the fabric tells and asks (sim/seam/miss.h) ---- */

/* Answered in its own cycle, at whose end the file moves: mshr_tick(). */
static wf_miss_answer mshr_request(wf_unit *unit, unsigned sm, uint32_t line, uint16_t load) {
  file *f = &((mshr *)unit)->files[sm];
  const mshr_ports *p = &f->port;
  f->offered = true;
  wf_port_set(p->req_valid, 1);
  wf_port_set(p->req_line, line);
  wf_port_set(p->req_sub, load);
  if (!wf_rtl_ok(f->rtl, wf_model_settle(f->rtl->model), &unit->fault))
    return (wf_miss_answer){.what = WF_MISS_FULL};
  const bool ready = wf_port_get(p->req_ready), is_new = wf_port_get(p->req_new);
  return (wf_miss_answer){.what = ready    ? is_new ? WF_MISS_NEW : WF_MISS_MERGED
                                  : is_new ? WF_MISS_FULL
                                           : WF_MISS_MERGE_FULL,
                          .entry = wf_port_word(p->req_entry)};
}

static void mshr_fill(wf_unit *unit, unsigned sm, unsigned entry) {
  file *f = &((mshr *)unit)->files[sm];
  f->offered = true;
  wf_port_set(f->port.fill_valid, 1);
  wf_port_set(f->port.fill_entry, entry);
}

static const wf_miss_ops miss_ops = {.request = mshr_request, .fill = mshr_fill};

/* ---- one cycle at the ports ---- */

static bool has_work(const file *f) {
  return f->offered || !wf_port_get(f->port.idle);
}

/* The answer of this edge. */
static void take(mshr *m, unsigned sm) {
  const mshr_ports *p = &m->files[sm].port;
  uint16_t loads[MOST_MERGE];
  if (!wf_port_get(p->done_valid)) return;
  const unsigned count = wf_port_word(p->done_count);
  for (unsigned i = 0; i < count; i++)
    loads[i] = (uint16_t)wf_port_get_bits(p->done_subs, i * m->set.sub_bits, LOAD_BITS);
  m->env.miss_done(m->env.gpu, sm, loads, count);
}

static bool mshr_tick(wf_unit *unit, wf_error *err) {
  mshr *m = (mshr *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    file *f = &m->files[s];
    if (!wf_rtl_due(&m->rtl, has_work(f))) continue;
    if (!wf_rtl_clock(f->rtl, wf_unit_now(&m->env), err)) return false;
    wf_port_set(f->port.req_valid, 0);
    wf_port_set(f->port.fill_valid, 0);
    f->offered = false;
    take(m, s);
  }
  return true;
}

static bool mshr_idle(const wf_unit *unit) {
  const mshr *m = (const mshr *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (has_work(&m->files[s])) return false;
  return true;
}

static bool mshr_kernel_end(wf_unit *unit, wf_error *err) {
  const mshr *m = (const mshr *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (!wf_port_get(m->files[s].port.empty))
      return wf_fail(err, WF_EXIT_WRONG, "mshr: SM %u: a line is on its way as the kernel ends", s);
  return true;
}

static void mshr_describe(const wf_unit *unit, FILE *out) {
  const mshr *m = (const mshr *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (!wf_port_get(m->files[s].port.empty))
      fprintf(out, "mshr of SM %u: lines are on their way\n", s);
}

static const wf_unit_counter counters[] = {
    {"busy_sms", offsetof(mshr, rtl.busy)},
    {0},
};

static const wf_energy_event energy[] = {
    {"busy_sms", WF_EN_PART_UNIT, 57.6, NULL,
     "make power UNIT=mshr CONFIG=paper, NanGate 45 nm; a cycle with something offered or inside, "
     "outside which a clock gate on idle_o stops it"},
    {0},
};

static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.00299, "make synth UNIT=mshr CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

const wf_unit_class wf_unit_mshr = {
    .name = "mshr",
    .summary = "MSHR file: an entry for each line on its way, requests of one line merged",
    .limits = "any SMs, warps and L2 slices",
    .claims = WF_CLAIM_L1,
    .bytes = sizeof(mshr),
    .settings = offsetof(mshr, set),
    .fits = mshr_fits,
    .open = mshr_open,
    .destroy = mshr_destroy,
    .tick = mshr_tick,
    .idle = mshr_idle,
    .kernel_end = mshr_kernel_end,
    .counters = counters,
    .describe = mshr_describe,
    .bind = mshr_bind,
    .parameters = parameters,
    .events = energy,
    .power = power,
    .example = "--app mshr --set app.turns=1 --set l1.mshrs=128",
    .misses = &miss_ops,
};
