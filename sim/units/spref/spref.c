/* Socket of the spare-register prefetching unit: one RTL instance per SM (spref_side.h), and what
 * concerns them all: settings, kernels, counters. What is found and decided is the RTL's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/loadpairs.h"
#include "sim/seam/unit.h"
#include "sim/units/spref/spref_hints.h"
#include "sim/units/spref/spref_side.h"
#include "sim/units/spref/spref_trace.h"

extern const wf_unit_class wf_unit_spref;

enum { MODE_OFF, MODE_SPREF1, MODE_SPREF, MODE_CSPREF1, MODE_CSPREF, MODE_SPREF1C, MODES };
static const char *const mode_names[MODES] = {"off",     "spref1", "spref",
                                              "cspref1", "cspref", "spref1c"};

typedef struct settings {
  unsigned mode, values, widen, spare, all_loads, counter_bits, gate;
  unsigned in_order, move_latency;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"mode", NULL, 0, MODES - 1, MODE_SPREF, FIELD(mode), mode_names, "form of the unit"},
    {"values", NULL, 0, 1, 1, FIELD(values), NULL,
     "names: 1 of values, as before allocation; 0 of architectural registers"},
    {"widen", NULL, 0, 1, 1, FIELD(widen), NULL,
     "indexes are followed from 32 to 64 bits: they do not wrap in a loop"},
    {"spare", NULL, 0, WF_ISSUE_SPARE, WF_ISSUE_SPARE, FIELD(spare), NULL,
     "spare registers of a thread, at most; the kernel's room may be less"},
    {"all_loads", NULL, 0, 1, 0, FIELD(all_loads), NULL,
     "of a trace: every load from global memory may be a target, not only read-only ones"},
    {"in_order", NULL, 0, 1, 0, FIELD(in_order), NULL,
     "an injected load that waits holds its warp back"},
    {"move_latency", NULL, 0, 255, 0, FIELD(move_latency), NULL,
     "cycles from a move to its use; 0: the integer units'"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

typedef struct spref {
  wf_unit unit;
  spref_shared shared;
  spref_side *sides; /* one per SM */
  settings set;
  spref_trace *trace; /* not NULL: the RTL is told by it, and by nobody else */
  uint64_t kernels, skipped, no_names, no_room;
  unsigned room_least, room_most;
  wf_issue_counters counters;
} spref;

/* ---- creation ---- */

static void spref_destroy(wf_unit *unit) {
  spref *m = (spref *)unit;
  for (unsigned s = m->shared.env.n_sm; m->sides && s-- > 0;) { /* the first one owns the library */
    wf_rtl_close(&m->sides[s].rtl);
    spref_side_free(&m->sides[s]);
  }
  spref_code_free(m->shared.code);
  spref_trace_destroy(m->trace);
  free(m->sides);
  free(m);
}

static bool open_rtl(spref *m, wf_error *err) {
  const wf_unit_env *e = &m->shared.env;
  char fixed[64] = "";
  if (e->warps_per_sm != 48) snprintf(fixed, sizeof fixed, "NumWarp=%u", e->warps_per_sm);
  for (unsigned s = 0; s < e->n_sm; s++) {
    spref_side *x = &m->sides[s];
    bool ok = s ? wf_rtl_clone(&x->rtl, &m->sides[0].rtl, e->seed + s, err)
                : wf_rtl_open(&x->rtl, "spref", "ptx", fixed, parameters, &m->set, e, err);
    if (!ok || !spref_ports_open(&x->port, &x->rtl, e->warps_per_sm, err)) return false;
    spref_side_init(x, &m->shared, s);
  }
  return true;
}

static wf_unit *spref_create(const wf_unit_env *env, wf_error *err) {
  spref *m = wf_calloc(1, sizeof *m);
  m->unit.cls = &wf_unit_spref;
  m->shared.env = *env;
  m->room_least = UINT32_MAX;
  m->sides = wf_calloc(env->n_sm, sizeof *m->sides);
  const bool ok = wf_parameters_read(parameters, "spref", env->options, &m->set, err);
  m->shared.gate = m->set.gate;
  if (ok && open_rtl(m, err)) return &m->unit;
  spref_destroy(&m->unit);
  return NULL;
}

/* Waves and recordings are of SM 0. */
static bool spref_wave(wf_unit *unit, const char *path, uint64_t from, uint64_t to, wf_error *err) {
  spref *m = (spref *)unit;
  wf_rtl_model traced = {.unit = m->sides[0].rtl.unit,
                         .config = m->sides[0].rtl.config,
                         .overrides = wf_strdup(m->sides[0].rtl.overrides)};
  for (unsigned s = m->shared.env.n_sm; s-- > 0;) wf_rtl_close(&m->sides[s].rtl);
  m->sides[0].rtl = traced;
  if (!wf_rtl_wave(&m->sides[0].rtl, &m->shared.env, path, from, to, err)) return false;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++)
    if ((s && !wf_rtl_clone(&m->sides[s].rtl, &m->sides[0].rtl, m->shared.env.seed + s, err)) ||
        !spref_ports_open(&m->sides[s].port, &m->sides[s].rtl, m->shared.env.warps_per_sm, err))
      return false;
  return true;
}

static wf_rtl_model *spref_rtl(wf_unit *unit) {
  return &((spref *)unit)->sides[0].rtl;
}

static bool spref_write_register(wf_unit *unit, const char *reg, uint32_t value, wf_error *err) {
  (void)unit, (void)value;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "spref: no register %s; it has none", reg);
}

/* ---- what the fabric tells ---- */

static spref_side *side_of(wf_unit *unit, unsigned sm) {
  return &((spref *)unit)->sides[sm];
}

static void spref_tell(wf_unit *unit, const wf_issue_told *t) {
  spref_side_tell(side_of(unit, t->sm), t);
}
static void spref_warp_start(wf_unit *unit, unsigned sm, unsigned warp) {
  spref_side_warp(side_of(unit, sm), SPREF_EV_START, warp);
}
static void spref_warp_end(wf_unit *unit, unsigned sm, unsigned warp) {
  spref_side_warp(side_of(unit, sm), SPREF_EV_END, warp);
}
static void spref_done(wf_unit *unit, unsigned sm, unsigned warp, bool fault) {
  spref_side_done(side_of(unit, sm), warp, fault);
}
static bool spref_full(const wf_unit *unit, unsigned sm) {
  return spref_side_full(&((const spref *)unit)->sides[sm]);
}
static bool spref_holds_branch(const wf_unit *unit, unsigned sm, unsigned warp) {
  return ((const spref *)unit)->sides[sm].tests[warp] != 0;
}
static wf_issue_settings spref_settings(const wf_unit *unit) {
  const settings *set = &((const spref *)unit)->set;
  return (wf_issue_settings){.in_order = set->in_order, .move_latency = set->move_latency};
}
static wf_issue_counters *spref_issue_counters(wf_unit *unit) {
  return &((spref *)unit)->counters;
}

static bool spref_tick(wf_unit *unit, wf_error *err) {
  spref *m = (spref *)unit;
  const wf_unit_env *env = &m->shared.env;
  if (m->shared.fault) return wf_fail(err, WF_EXIT_WRONG, "spref: %s", m->shared.fault);
  if (m->trace) return true;
  const uint64_t now = env->cycle(env->gpu);
  for (unsigned k = 0; k < env->n_sm; k++)
    if (spref_side_needs_edge(&m->sides[k], now) && !spref_side_clock(&m->sides[k], now, err))
      return false;
  return true;
}

/* A warp's end brings the rest out. */
static bool spref_idle(const wf_unit *unit) {
  const spref *m = (const spref *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm && !m->trace; k++) {
    const spref_side *s = &m->sides[k];
    if (m->shared.gate ? s->n_rows || spref_side_needs_edge(s, 0) : spref_side_has_work(s))
      return false;
  }
  return true;
}

/* ---- kernels ---- */

/* Between kernels, in time that the fabric does not count: a real launch takes far longer. */
static bool rest(spref_side *s) {
  wf_error err = {0};
  for (unsigned i = 0; i < 10000; i++) {
    if (!wf_rtl_edge(&s->rtl, &err)) return false;
    wf_port_set(s->port.ev_valid, 0);
    if (wf_port_get(s->port.idle)) return true;
  }
  return false;
}

static bool send_hint(spref_side *s, const spref_hint *h) {
  wf_error err = {0};
  const spref_ports *p = &s->port;
  spref_ports_hint(p, h);
  wf_port_set(p->hint_valid, 1);
  bool taken = false;
  for (unsigned i = 0; i < 1000 && !taken; i++) {
    taken = wf_port_get(p->hint_ready);
    if (!wf_rtl_edge(&s->rtl, &err)) return false;
  }
  wf_port_set(p->hint_valid, 0);
  return taken;
}

static bool send_hints(spref_side *s, const spref_hint *hints, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (!send_hint(s, &hints[i])) return false;
  return true;
}

static bool compiled(const spref *m) {
  return m->set.mode == MODE_CSPREF1 || m->set.mode == MODE_CSPREF;
}
static bool by_counts(const spref *m) {
  return m->set.mode == MODE_SPREF || m->set.mode == MODE_CSPREF;
}

static void set_levels(const spref *m, spref_side *s, unsigned spare) {
  const unsigned names = m->shared.code->n_names;
  spref_ports_levels(&s->port, &(spref_levels){.on = true,
                                               .hints = compiled(m),
                                               .distance = by_counts(m) ? 0 : 1,
                                               .cache_only = m->set.mode == MODE_SPREF1C,
                                               .widen = m->set.widen,
                                               .max_s = names,
                                               .max_d = names + spare});
}

/* False: the compiler's form has no table for this kernel. */
static bool start_rtl(spref *m, unsigned spare) {
  spref_hint hints[SPREF_HINTS_MOST];
  ptx_pairs *pairs = compiled(m) ? ptx_find_pairs(m->shared.kernel) : NULL;
  const unsigned n_hints = pairs ? spref_make_hints(m->shared.code, pairs, hints) : 0;
  bool fine = true;
  for (unsigned i = 0; i < n_hints; i++)
    if (hints[i].kind == SPREF_H_PRE) m->shared.code->outside[hints[i].pc] = false;
  for (unsigned k = 0; k < m->shared.env.n_sm && fine; k++) {
    spref_side *s = &m->sides[k];
    spref_side_kernel_start(s);
    spref_ports_rest(&s->port);
    spref_ports_event(&s->port, SPREF_EV_KERNEL, 0);
    fine = rest(s);
    set_levels(m, s, spare);
    fine = fine && rest(s) && send_hints(s, hints, n_hints) && rest(s);
  }
  ptx_pairs_destroy(pairs);
  if (!fine) m->shared.fault = "the RTL does not come to rest after a kernel's start";
  return !pairs || n_hints;
}

static const bool *spref_kernel_start(wf_unit *unit, const ptx_kernel *kernel, unsigned spare) {
  spref *m = (spref *)unit;
  if (m->shared.kernel != kernel) {
    spref_code_free(m->shared.code);
    m->shared.code = spref_decode(kernel, m->set.values);
    m->shared.kernel = kernel;
  }
  if (spare > m->set.spare) spare = m->set.spare;
  if (spare + m->shared.code->n_names > SPREF_NAMES) m->shared.code->fits = false;
  m->no_names += !m->shared.code->fits && m->shared.code->loops;
  if (m->set.mode == MODE_OFF || !m->shared.code->fits || !m->shared.code->loops)
    return m->skipped++, NULL;
  m->no_room += spare == 0;
  if (spare < m->room_least) m->room_least = spare;
  if (spare > m->room_most) m->room_most = spare;
  m->kernels++;
  if (!start_rtl(m, spare)) {
    m->kernels--;
    m->skipped++;
    return NULL;
  }
  return m->shared.code->waits;
}

static bool spref_kernel_end(wf_unit *unit, wf_error *err) {
  const spref *m = (const spref *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm && !m->trace; k++)
    if (spref_side_has_work(&m->sides[k]))
      return wf_fail(err, WF_EXIT_WRONG,
                     "spref: SM %u's instance holds instructions after the kernel", k);
  return true;
}

/* ---- traces ---- */

static bool start_trace(wf_unit *unit, wf_error *err) {
  spref *m = (spref *)unit;
  if (compiled(m))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit spref: spref.mode=%s: a trace comes without a compiler's table: "
                   "expected off, spref1, spref or spref1c",
                   mode_names[m->set.mode]);
  const spref_trace_levels levels = {.on = m->set.mode != MODE_OFF,
                                     .distance = m->set.mode != MODE_SPREF,
                                     .spare = m->set.spare,
                                     .widen = m->set.widen,
                                     .cache_only = m->set.mode == MODE_SPREF1C,
                                     .all_loads = m->set.all_loads};
  wf_rtl_model **rtl = wf_calloc(m->shared.env.n_sm, sizeof *rtl);
  for (unsigned k = 0; k < m->shared.env.n_sm; k++) rtl[k] = &m->sides[k].rtl;
  m->trace = spref_trace_create(&m->shared.env, rtl, &levels, err);
  free(rtl);
  return m->trace != NULL;
}

static wf_warp_source *listen(wf_unit *unit, wf_warp_source *from, wf_trace_replay *replay,
                              const wf_trace_kernel *kernel, wf_error *err) {
  return spref_trace_listen(((spref *)unit)->trace, from, replay, kernel, err);
}
static cJSON *trace_json(const wf_unit *unit) {
  return spref_trace_json(((const spref *)unit)->trace);
}
static void print_trace(const wf_unit *unit, FILE *out) {
  spref_trace_print(out, ((const spref *)unit)->trace);
}

static const wf_trace_ops trace_ops = {
    .start = start_trace, .listen = listen, .json = trace_json, .print = print_trace};

/* ---- reports ---- */

static void socket_counters(const spref *m, wf_counter_fn each, void *user) {
  const wf_issue_counters *b = &m->counters;
  each(user, "kernels", (double)m->kernels);
  each(user, "kernels_left_out", (double)m->skipped);
  each(user, "kernels_without_names", (double)m->no_names);
  each(user, "kernels_without_room", (double)m->no_room);
  each(user, "spare_least", m->kernels ? m->room_least : 0);
  each(user, "spare_most", m->room_most);
  each(user, "clocked_cycles", (double)m->shared.clocked);
  each(user, "left_out", (double)m->shared.left_out);
  each(user, "replaced", (double)b->replaced);
  each(user, "replaced_lanes", (double)b->replaced_lanes);
  each(user, "late", (double)b->late);
  each(user, "late_cycles", (double)b->late_cycles);
  each(user, "sent", (double)b->injected);
  each(user, "sent_lanes", (double)b->injected_lanes);
  each(user, "sent_to_cache", (double)b->injected_cache);
  each(user, "address_adds", (double)b->adds);
  each(user, "address_add_lanes", (double)b->add_lanes);
  each(user, "operands_read", (double)b->register_reads);
  each(user, "operands_written", (double)b->register_writes);
  each(user, "useless", (double)b->useless);
  each(user, "prefetch_faults", (double)b->faults);
  each(user, "answer_waits", (double)b->answer_waits);
  each(user, "full_cycles", (double)b->full_cycles);
}

static void spref_counters(wf_unit *unit, wf_counter_fn each, void *user) {
  spref *m = (spref *)unit;
  if (!m->trace) socket_counters(m, each, user);
  const size_t n = wf_model_counter_count(m->sides[0].rtl.model);
  uint64_t *sum = wf_calloc(n + 1, sizeof *sum);
  for (unsigned k = 0; k < m->shared.env.n_sm; k++) {
    const spref_side *s = &m->sides[k];
    spref_ports_rest(&s->port);
    wf_port_set(s->port.cnt_snapshot, 1);
    wf_rtl_edge(&m->sides[k].rtl, NULL);
    wf_port_set(s->port.cnt_snapshot, 0);
    for (unsigned i = 0; i < n; i++) {
      wf_port_set(s->port.cnt_index, i);
      wf_model_settle(s->rtl.model);
      sum[i] += wf_port_get(s->port.cnt_value);
    }
  }
  for (unsigned i = 0; i < n; i++)
    each(user, wf_model_counter_name(m->sides[0].rtl.model, i), (double)sum[i]);
  free(sum);
}

static size_t spref_describe(const wf_unit *unit, char *text, size_t bytes) {
  const spref *m = (const spref *)unit;
  size_t n = 0;
  for (unsigned k = 0; k < m->shared.env.n_sm && n < bytes; k++) {
    const spref_side *s = &m->sides[k];
    if (spref_side_has_work(s))
      n += (size_t)snprintf(text + n, bytes - n,
                            "spref of SM %u: %u instructions wait, %u inside, %u counts, %u done\n",
                            k, s->n_messages - s->n_inside, s->n_inside, s->n_rows, s->n_dones);
  }
  return n < bytes ? n : bytes;
}

static const wf_issue_ops issue_ops = {
    .settings = spref_settings,
    .kernel_start = spref_kernel_start,
    .warp_start = spref_warp_start,
    .warp_end = spref_warp_end,
    .tell = spref_tell,
    .full = spref_full,
    .holds_branch = spref_holds_branch,
    .done = spref_done,
    .counters = spref_issue_counters,
};

const wf_unit_class wf_unit_spref = {
    .name = "spref",
    .summary = "prefetching into spare registers: loads of index and target for later iterations, "
               "moves in the loads' place",
    .needs = WF_NEED_VALUES | WF_NEED_ONE_KERNEL,
    .claims = WF_CLAIM_ISSUE,
    .create = spref_create,
    .destroy = spref_destroy,
    .write_register = spref_write_register,
    .tick = spref_tick,
    .idle = spref_idle,
    .kernel_end = spref_kernel_end,
    .counters = spref_counters,
    .describe = spref_describe,
    .wave = spref_wave,
    .rtl = spref_rtl,
    .parameters = parameters,
    .issue_stage = &issue_ops,
    .trace = &trace_ops,
};
