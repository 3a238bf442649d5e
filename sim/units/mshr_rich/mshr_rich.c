/* Socket of the MSHRs in RAM: one RTL instance in the place of each SM's MSHRs. It puts a fill and
 * a request a cycle on the ports and hands the answers back; what waits for what is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/cache_level.h"
#include "sim/units/mshr_rich/ports.h"

typedef struct settings {
  unsigned ways, stash, rows, slots, sub_bits, counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

enum { LINE_BITS_LEAST = 25, LOAD_BITS = 10, CLEAR_MOST = 1 << 17 };

static const wf_parameter parameters[] = {
    {"ways", NULL, 0, 8, 0, FIELD(ways), NULL,
     "tables, each with one place for a line; 0: 4, or what l1.mshrs is times 2, 4, 8, .."},
    {"stash", "Stash", 2, 16, 4, FIELD(stash), NULL, "lines that find no place in a table"},
    {"rows", NULL, 0, 65536, 0, FIELD(rows), NULL,
     "of subentries, for all lines; 0: as many as lines"},
    {"slots", "Slots", 1, 16, 3, FIELD(slots), NULL, "subentries of a row"},
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
  mshr_rich_ports port;
  bool offered; /* something is on the ports, for the edge to come */
  bool cleared;
} file;

typedef struct mshr_rich {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtl;
  file *files; /* [n_sm] */
  settings set;
} mshr_rich;

/* ---- creation ---- */

static void rich_destroy(wf_unit *unit) {
  free(((mshr_rich *)unit)->files);
  free(unit);
}

static bool rich_bind(wf_unit *unit, wf_error *err) {
  mshr_rich *m = (mshr_rich *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    m->files[s] = (file){.rtl = &m->rtl.at[s]};
    if (!mshr_rich_ports_bind(&m->files[s].port, m->rtl.at[s].model, err)) return false;
    wf_port_set(m->files[s].port.done_ready, 1); /* subentries are always taken */
  }
  return true;
}

/* Four tables, or as many as divide the lines into powers of two; 0: none do. */
static unsigned ways_of(unsigned lines) {
  static const unsigned ways[] = {4, 3, 5, 6, 7, 2, 8};
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
    const unsigned sets = lines / ways[i];
    if (sets >= 2 && sets * ways[i] == lines && !(sets & (sets - 1))) return ways[i];
  }
  return 0;
}

static bool rich_fits(const wf_unit_env *env, wf_error *err) {
  return ways_of(env->l1_mshrs) ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--unit mshr_rich: l1.mshrs=%u: expected 2 to 8 tables times 2, 4, 8, .. places",
                 env->l1_mshrs);
}

static bool rich_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  mshr_rich *m = (mshr_rich *)unit;
  m->env = *env;
  m->unit.rtl[0] = &m->rtl;
  m->files = wf_calloc(env->n_sm, sizeof *m->files);
  const wf_rtl_value fixed[] = {{"Lines", env->l1_mshrs},
                                {"Ways", m->set.ways ? m->set.ways : ways_of(env->l1_mshrs)},
                                {"Rows", m->set.rows ? m->set.rows : env->l1_mshrs},
                                {"LineBits", wf_cache_line_bits(env, LINE_BITS_LEAST)},
                                {0}};
  const wf_rtl_request request = {
      .unit = "mshr_rich", .config = "paper", .fixed = fixed, .of = &m->unit, .env = &m->env};
  return wf_rtl_set_open(&m->rtl, env->n_sm, &request, err);
}

/* ---- what the fabric tells and asks (sim/seam/miss.h) ---- */

/* What of it is in is known at the edge to come: rich_tick(). */
static wf_miss_answer rich_request(wf_unit *unit, unsigned sm, uint32_t line, uint16_t load) {
  file *f = &((mshr_rich *)unit)->files[sm];
  const mshr_rich_ports *p = &f->port;
  f->offered = true;
  wf_port_set(p->req_valid, 1);
  wf_port_set(p->req_line, line);
  wf_port_set(p->req_sub, load);
  if (!wf_rtl_ok(f->rtl, wf_model_settle(f->rtl->model), &unit->fault))
    return (wf_miss_answer){.what = WF_MISS_FULL};
  return (wf_miss_answer){.what = wf_port_get(p->req_ready) ? WF_MISS_TAKEN : WF_MISS_FULL};
}

static void rich_fill(wf_unit *unit, unsigned sm, uint32_t line) {
  file *f = &((mshr_rich *)unit)->files[sm];
  f->offered = true;
  wf_port_set(f->port.fill_valid, 1);
  wf_port_set(f->port.fill_line, line);
}

static const wf_miss_ops miss_ops = {.request = rich_request, .fill_line = rich_fill};

/* ---- one cycle at the ports ---- */

static bool has_work(const file *f) {
  return f->offered || !wf_port_get(f->port.idle);
}

/* The answers of this edge. */
static void take(mshr_rich *m, unsigned sm) {
  const mshr_rich_ports *p = &m->files[sm].port;
  if (wf_port_get(p->ans_valid)) m->env.miss_known(m->env.gpu, sm, wf_port_get(p->ans_new));
  if (!wf_port_get(p->done_valid)) return;
  m->env.miss_told(m->env.gpu, sm, (uint16_t)wf_port_get_bits(p->done_sub, 0, LOAD_BITS),
                   wf_port_get(p->done_last));
}

/* Its tables are cleared in the first cycle: hardware does so long before the first kernel. */
static bool clear(file *f, wf_error *err) {
  for (unsigned i = 0; i < CLEAR_MOST && !wf_port_get(f->port.idle); i++)
    if (!wf_rtl_edge(f->rtl, err)) return false;
  f->cleared = wf_port_get(f->port.idle);
  return f->cleared ||
         wf_fail(err, WF_EXIT_WRONG, "mshr_rich: not idle %d edges after its reset", CLEAR_MOST);
}

static bool rich_tick(wf_unit *unit, wf_error *err) {
  mshr_rich *m = (mshr_rich *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    file *f = &m->files[s];
    if (!f->cleared && !clear(f, err)) return false;
    if (!wf_rtl_due(&m->rtl, has_work(f))) continue;
    if (!wf_rtl_clock(f->rtl, wf_unit_now(&m->env), err)) return false;
    wf_port_set(f->port.req_valid, 0);
    wf_port_set(f->port.fill_valid, 0);
    f->offered = false;
    take(m, s);
  }
  return true;
}

static bool rich_idle(const wf_unit *unit) {
  const mshr_rich *m = (const mshr_rich *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (has_work(&m->files[s])) return false;
  return true;
}

static bool rich_kernel_end(wf_unit *unit, wf_error *err) {
  const mshr_rich *m = (const mshr_rich *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (!wf_port_get(m->files[s].port.empty))
      return wf_fail(err, WF_EXIT_WRONG,
                     "mshr_rich: SM %u: a line is on its way as the kernel ends", s);
  return true;
}

static void rich_describe(const wf_unit *unit, FILE *out) {
  const mshr_rich *m = (const mshr_rich *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (!wf_port_get(m->files[s].port.empty))
      fprintf(out, "mshr_rich of SM %u: lines are on their way\n", s);
}

static const wf_unit_counter counters[] = {
    {"busy_sms", offsetof(mshr_rich, rtl.busy)},
    {0},
};

static const wf_energy_event energy[] = {
    {"busy_sms", WF_EN_PART_UNIT, 21.0, NULL,
     "make power UNIT=mshr_rich CONFIG=paper, NanGate 45 nm; a cycle with something offered or "
     "inside, outside which a clock gate on idle_o stops it"},
    {0},
};

static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.0183,
     "make synth UNIT=mshr_rich CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

const wf_unit_class wf_unit_mshr_rich = {
    .name = "mshr_rich",
    .summary = "MSHRs in RAM: thousands of lines on their way, by cuckoo hashing, requests in "
               "linked rows",
    .limits = "any SMs, warps and L2 slices",
    .claims = WF_CLAIM_L1,
    .bytes = sizeof(mshr_rich),
    .settings = offsetof(mshr_rich, set),
    .fits = rich_fits,
    .open = rich_open,
    .destroy = rich_destroy,
    .tick = rich_tick,
    .idle = rich_idle,
    .kernel_end = rich_kernel_end,
    .counters = counters,
    .describe = rich_describe,
    .bind = rich_bind,
    .parameters = parameters,
    .events = energy,
    .power = power,
    .example = "--app mshr --set app.turns=1 --set l1.mshrs=1024 --set l1.mshr_merge=64",
    .misses = &miss_ops,
};
