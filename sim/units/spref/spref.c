/* Socket of the spare-register prefetching unit: one RTL instance per SM (spref_side.h), and what
 * concerns them all: settings, kernels, counters. What is found and decided is the RTL's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/loadpairs.h"
#include "sim/units/spref/spref_hints.h"
#include "sim/units/spref/spref_side.h"
#include "sim/units/spref/spref_trace.h"

enum { VIEW_UNIT, VIEW_EDGE };
enum { MODE_OFF, MODE_SPREF1, MODE_SPREF, MODE_CSPREF1, MODE_CSPREF, MODE_SPREF1C, MODES };
static const char *const mode_names[MODES] = {"off",     "spref1", "spref",
                                              "cspref1", "cspref", "spref1c"};

typedef struct settings {
  unsigned mode, reg_bits, widen, spare, all_loads, timed, counter_bits, view, gate;
  unsigned in_order, one_try, move_latency, mhz;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"mode", NULL, 0, MODES - 1, MODE_SPREF, FIELD(mode), mode_names, "form of the unit"},
    {"widen", NULL, 0, 1, 1, FIELD(widen), NULL,
     "indexes are followed from 32 to 64 bits: they do not wrap in a loop"},
    {"spare", NULL, 0, WF_ISSUE_SPARE, WF_ISSUE_SPARE, FIELD(spare), NULL,
     "spare registers of a thread, at most; the kernel's room may be less"},
    {"all_loads", NULL, 0, 1, 0, FIELD(all_loads), NULL,
     "of a trace: every load from global memory may be a target, not only read-only ones"},
    {"timed", NULL, 0, 1, 0, FIELD(timed), NULL,
     "with a trace: prefetches are sent and loads replaced; 0: it listens, and changes no cycle"},
    {"in_order", NULL, 0, 1, 0, FIELD(in_order), NULL,
     "an injected load that waits holds its warp back"},
    {"one_try", NULL, 0, 1, 1, FIELD(one_try), NULL,
     "a scheduler asks about one warp a cycle, and issues nothing if that must wait for the port, "
     "as what is timed does (spref_sm); 0: about one after the other"},
    {"move_latency", NULL, 0, 255, 0, FIELD(move_latency), NULL,
     "cycles from a move to its use; 0: the integer units'"},
    {"reg_bits", "RegBits", 5, 8, 6, FIELD(reg_bits), NULL,
     "2^reg_bits registers of a thread have names; for a trace: values of a loop"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"mhz", NULL, 0, 10000, 700, FIELD(mhz), NULL,
     "clock that the RTL closes at: it and the SM's schedulers get every n-th edge of the SM's, as "
     "often as it can follow; 0: every one"},
    {"view", NULL, 0, 1, VIEW_UNIT, FIELD(view), NULL,
     "--wave and --record look, in SM 0, at 0 the unit, 1 what is between it and the schedulers"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

typedef struct spref {
  wf_unit unit;
  spref_shared shared;
  wf_rtl_set rtl, edge_rtl;
  spref_side *sides; /* one per SM */
  settings set;
  spref_trace *trace; /* not NULL: instructions come from a trace */
  uint64_t kernels, skipped, no_names, no_room;
  uint64_t room_most;
  unsigned room_least;
  wf_issue_counters counters;
} spref;

/* The RTL is told by spref_trace.h, and by nobody else. */
static bool listens(const spref *m) {
  return m->trace && !m->set.timed;
}

/* ---- creation ---- */

static void spref_destroy(wf_unit *unit) {
  spref *m = (spref *)unit;
  if (!m->trace) spref_code_free(m->shared.code);
  spref_trace_destroy(m->trace);
  free(m->sides);
  free(m);
}

static bool spref_bind(wf_unit *unit, wf_error *err) {
  spref *m = (spref *)unit;
  const wf_unit_env *e = &m->shared.env;
  for (unsigned s = 0; s < e->n_sm; s++) {
    m->sides[s].rtl = &m->rtl.at[s];
    m->sides[s].edge_rtl = &m->edge_rtl.at[s];
    if (!spref_ports_open(&m->sides[s].port, m->sides[s].rtl, err) ||
        !spref_edge_ports_bind(&m->sides[s].edge, m->sides[s].edge_rtl->model, err))
      return false;
  }
  return true;
}

static bool spref_open(wf_unit *unit, const wf_unit_env *e, wf_error *err) {
  spref *m = (spref *)unit;
  static const wf_rtl_value given[] = {{"Lanes", PTX_LANES}, {"PcBits", 32}, {"PredBits", 4}, {0}};
  const wf_rtl_value fixed[] = {{"NumWarp", e->warps_per_sm}, {"Tries", e->schedulers}, {0}};
  m->shared.env = *e;
  m->shared.fault = &unit->fault;
  m->room_least = UINT32_MAX;
  m->shared.cycles_per_edge = m->set.mhz ? (e->core_mhz + m->set.mhz - 1) / m->set.mhz : 1;
  m->sides = wf_calloc(e->n_sm, sizeof *m->sides);
  for (unsigned s = 0; s < e->n_sm; s++) spref_side_init(&m->sides[s], &m->shared, s);
  m->shared.rtl = m->unit.rtl[VIEW_UNIT] = &m->rtl;
  m->shared.edge_rtl = m->unit.rtl[VIEW_EDGE] = &m->edge_rtl;
  m->unit.shown = m->set.view;
  const wf_rtl_request of_unit = {"spref", "paper", fixed, given, unit, e},
                       of_edge = {"spref_edge", "paper", fixed, given, unit, e};
  return wf_rtl_set_open(&m->rtl, e->n_sm, &of_unit, err) &&
         wf_rtl_set_open(&m->edge_rtl, e->n_sm, &of_edge, err);
}

/* ---- what the fabric tells ---- */

static spref_side *side_of(wf_unit *unit, unsigned sm) {
  return &((spref *)unit)->sides[sm];
}

static void spref_tell(wf_unit *unit, const wf_issue_told *t) {
  spref_side_tell(side_of(unit, t->sm), t);
}
static void spref_warp_end(wf_unit *unit, unsigned sm, unsigned warp) {
  spref_side_warp_end(side_of(unit, sm), warp);
}
static const wf_issue_wires *spref_wires(const wf_unit *unit, unsigned sm) {
  return &((const spref *)unit)->sides[sm].wires;
}
static void spref_issues(wf_unit *unit, unsigned sm, unsigned warp, unsigned type,
                         const wf_issue_addresses *base) {
  spref_side_issues(side_of(unit, sm), warp, type, base);
}
static void spref_takes_offer(wf_unit *unit, unsigned sm) {
  spref_side_takes_offer(side_of(unit, sm));
}
static bool spref_sum(wf_unit *unit, unsigned sm, unsigned place, const wf_issue_addresses *made) {
  return spref_side_sum(side_of(unit, sm), place, made);
}
static void spref_done(wf_unit *unit, unsigned sm, unsigned warp, unsigned reg, bool fault) {
  spref_side_done(side_of(unit, sm), warp, reg, fault);
}
static bool spref_takes(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  return spref_side_takes(side_of(unit, sm), warp, pc);
}
static wf_issue_settings spref_settings(const wf_unit *unit) {
  const spref *m = (const spref *)unit;
  const settings *set = &m->set;
  return (wf_issue_settings){.cycles = m->shared.cycles_per_edge,
                             .in_order = set->in_order,
                             .one_try = set->one_try,
                             .move_latency = set->move_latency,
                             .trace = set->timed};
}
static wf_issue_counters *spref_issue_counters(wf_unit *unit) {
  return &((spref *)unit)->counters;
}

static bool spref_tick(wf_unit *unit, wf_error *err) {
  spref *m = (spref *)unit;
  const wf_unit_env *env = &m->shared.env;
  if (listens(m)) return true;
  const uint64_t now = wf_unit_now(env);
  if (now % m->shared.cycles_per_edge) return true;
  for (unsigned k = 0; k < env->n_sm; k++) {
    spref_side *s = &m->sides[k];
    if ((spref_side_busy(s) || !m->set.gate) && !spref_side_clock(s, now, err)) return false;
  }
  return true;
}

/* A warp's end brings the rest out. */
static bool spref_idle(const wf_unit *unit) {
  const spref *m = (const spref *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm && !listens(m); k++)
    if (spref_side_has_work(&m->sides[k])) return false;
  return true;
}

/* ---- kernels ---- */

/* Between kernels, in time that the fabric does not count: a real launch takes far longer. */
static bool rest(spref_side *s, wf_error *err) {
  for (unsigned i = 0; i < 10000; i++) {
    if (!spref_side_rests(s, err)) return false;
    wf_port_set(s->port.new_kernel, 0);
    if (wf_port_get(s->port.idle)) return true;
  }
  return wf_fail(err, WF_EXIT_WRONG, "spref: the RTL does not come to rest at a kernel's start");
}

static bool send_hints(spref_side *s, const spref_hint *hints, unsigned n, wf_error *err) {
  const uint64_t now = wf_unit_now(&s->shared->env);
  for (unsigned i = 0; i < n; i++) {
    spref_ports_hint(&s->port, &hints[i]);
    if (!wf_rtl_transfer(s->rtl, s->port.hint_valid, s->port.hint_ready, now, err)) return false;
  }
  return true;
}

static bool compiled(const spref *m) {
  return m->set.mode == MODE_CSPREF1 || m->set.mode == MODE_CSPREF;
}
static spref_levels levels_of(const spref *m) {
  const bool by_counts = m->set.mode == MODE_SPREF || m->set.mode == MODE_CSPREF;
  return (spref_levels){.on = m->set.mode != MODE_OFF,
                        .hints = compiled(m),
                        .distance = by_counts ? 0 : 1,
                        .cache_only = m->set.mode == MODE_SPREF1C,
                        .widen = m->set.widen};
}

static void set_levels(const spref *m, spref_side *s, unsigned spare) {
  spref_levels levels = levels_of(m);
  levels.max_s = m->shared.code->n_names;
  levels.max_d = levels.max_s + spare;
  spref_ports_levels(&s->port, &levels);
}

/* False: the compiler's form has no table for this kernel. */
static bool start_rtl(spref *m, unsigned spare) {
  spref_hint hints[SPREF_HINTS_MOST];
  ptx_pairs *pairs = compiled(m) ? ptx_find_pairs(m->shared.kernel) : NULL;
  const unsigned n_hints = pairs ? spref_make_hints(m->shared.code, pairs, hints) : 0;
  bool fine = true;
  for (unsigned k = 0; k < m->shared.env.n_sm && fine; k++) {
    spref_side *s = &m->sides[k];
    spref_ports_rest(&s->port);
    spref_ports_kernel(&s->port);
    wf_error *err = &m->unit.fault;
    fine = rest(s, err);
    set_levels(m, s, spare);
    fine = fine && rest(s, err) && send_hints(s, hints, n_hints, err) && rest(s, err);
    spref_side_see(s);
  }
  ptx_pairs_destroy(pairs);
  return !pairs || n_hints;
}

/* False: the kernel is one of a trace in which the unit has nothing to do. */
static bool take_kernel(spref *m, const ptx_kernel *kernel) {
  if (m->trace) {
    m->shared.code = spref_trace_code(m->trace);
  } else if (m->shared.kernel != kernel) {
    spref_code_free(m->shared.code);
    m->shared.code = spref_decode(kernel);
  }
  m->shared.kernel = kernel;
  return m->shared.code != NULL;
}

static const bool *spref_kernel_start(wf_unit *unit, const ptx_kernel *kernel, unsigned spare) {
  spref *m = (spref *)unit;
  if (!take_kernel(m, kernel)) return m->skipped++, NULL;
  if (spare > m->set.spare) spare = m->set.spare;
  const unsigned names = 1u << m->set.reg_bits, used = m->shared.code->n_names;
  if (m->trace && used <= names && spare > names - used) spare = names - used;
  if (spare + m->shared.code->n_names > 1u << m->set.reg_bits) m->shared.code->fits = false;
  m->no_names += !m->shared.code->fits && m->shared.code->loads;
  if (m->set.mode == MODE_OFF || !m->shared.code->fits || !m->shared.code->loads)
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
  return m->shared.code->asks;
}

static bool spref_kernel_end(wf_unit *unit, wf_error *err) {
  const spref *m = (const spref *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm && !listens(m); k++)
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
  spref_levels levels = levels_of(m);
  levels.max_d = 1u << m->set.reg_bits;
  m->shared.trace = m->trace = spref_trace_create(&m->shared.env, &m->rtl, &levels, m->set.spare,
                                                  m->set.all_loads, m->set.timed, err);
  return m->trace != NULL;
}

static wf_warp_source *listen(wf_unit *unit, wf_warp_source *from, const wf_trace_kernel *kernel,
                              wf_error *err) {
  return spref_trace_listen(((spref *)unit)->trace, from, kernel, err);
}
static cJSON *trace_json(const wf_unit *unit) {
  const spref *m = (const spref *)unit;
  cJSON *j = spref_trace_json(m->trace);
  if (m->set.timed)
    cJSON_AddNumberToObject(j, "moved_elsewhere_lanes", (double)m->counters.moved_elsewhere);
  return j;
}
static void print_trace(const wf_unit *unit, FILE *out) {
  spref_trace_print(out, ((const spref *)unit)->trace);
}

static const wf_trace_ops trace_ops = {
    .start = start_trace, .listen = listen, .json = trace_json, .print = print_trace};

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"kernels", offsetof(spref, kernels)},
    {"kernels_left_out", offsetof(spref, skipped)},
    {"kernels_without_names", offsetof(spref, no_names)},
    {"kernels_without_room", offsetof(spref, no_room)},
    {"spare_most", offsetof(spref, room_most)},
    {"left_out", offsetof(spref, shared.left_out)},
    {"replaced", offsetof(spref, counters.replaced)},
    {"replaced_lanes", offsetof(spref, counters.replaced_lanes)},
    {"late", offsetof(spref, counters.late)},
    {"late_cycles", offsetof(spref, counters.late_cycles)},
    {"sent", offsetof(spref, counters.injected)},
    {"sent_lanes", offsetof(spref, counters.injected_lanes)},
    {"sent_to_cache", offsetof(spref, counters.injected_cache)},
    {"address_adds", offsetof(spref, counters.adds)},
    {"address_add_lanes", offsetof(spref, counters.add_lanes)},
    {"operands_read", offsetof(spref, counters.register_reads)},
    {"operands_written", offsetof(spref, counters.register_writes)},
    {"useless", offsetof(spref, counters.useless)},
    {"prefetch_faults", offsetof(spref, counters.faults)},
    {"busy_sms", offsetof(spref, rtl.busy)},
    {"busy_edges", offsetof(spref, edge_rtl.busy)},
    {"answer_waits", offsetof(spref, counters.answer_waits)},
    {"port_waits", offsetof(spref, counters.port_waits)},
    {0},
};

static void spref_figures(wf_unit *unit, wf_counter_fn each, void *user) {
  const spref *m = (const spref *)unit;
  each(user, "spare_least", m->kernels ? m->room_least : 0);
}

static const char issued[] = "a warp instruction that the unit adds to the program's",
                  operand[] = "a warp-wide operand of what the unit adds or replaces";
static const wf_energy_event energy[] = {
    {"busy_sms", WF_EN_PART_UNIT, 72.18, NULL,
     "make power UNIT=spref CONFIG=paper, NanGate 45 nm; a cycle with something "
     "offered or inside, "
     "outside which a clock gate stops it"},
    WF_ENERGY_TRANSFER("spref_in", 16.08),
    WF_ENERGY_TRANSFER("spref_cnt", 14.40),
    WF_ENERGY_TRANSFER("spref_ld", 0.00),
    WF_ENERGY_TRANSFER("spref_inj", 22.90),
    WF_ENERGY_TRANSFER("spref_sum", 243.14),
    WF_ENERGY_TRANSFER("spref_done", 0.00),
    WF_ENERGY_TRANSFER("spref_next", 8.43),
    {"busy_edges", WF_EN_PART_UNIT, 12.13, NULL,
     "make power UNIT=spref_edge CONFIG=paper, NanGate 45 nm; an edge at which "
     "something is said or waits, outside which a clock gate on busy_o stops it"},
    WF_ENERGY_TRANSFER("spref_edge_tell", 0.00),
    WF_ENERGY_TRANSFER("spref_edge_u_in", 2.20),
    {"sent", WF_EN_PART_CORE, 0, "issue", issued},
    {"address_adds", WF_EN_PART_CORE, 0, "issue", issued},
    {"sent_lanes", WF_EN_PART_CORE, 0, "lane_memory", issued},
    {"address_add_lanes", WF_EN_PART_CORE, 0, "lane_imul", issued},
    {"operands_read", WF_EN_PART_REGISTERS, 0, "register_read", operand},
    {"operands_written", WF_EN_PART_REGISTERS, 0, "register_write", operand},
    {0},
};
static const wf_energy_power power[] = {
    {"static", "spref", NULL, 0.0099, "make synth UNIT=spref CONFIG=paper, NanGate 45 nm: leakage"},
    {"edge_static", "spref_edge", NULL, 0.0003,
     "make synth UNIT=spref_edge CONFIG=paper, NanGate 45 nm: leakage"},
    {"gpu_static", "spref_edge", NULL, 0.0021,
     "make synth UNIT=spref_edge CONFIG=paper, NanGate 45 nm: what RAM leaks that the GPU keeps"},
    {0},
};

static void spref_describe(const wf_unit *unit, FILE *out) {
  const spref *m = (const spref *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm; k++) {
    const spref_side *s = &m->sides[k];
    if (spref_side_has_work(s))
      fprintf(out, "spref of SM %u: %d loads wait for the port, %u inside\n", k,
              __builtin_popcountll(s->loads), s->inside_ring.count);
  }
}

static const wf_issue_ops issue_ops = {
    .settings = spref_settings,
    .kernel_start = spref_kernel_start,
    .warp_end = spref_warp_end,
    .tell = spref_tell,
    .takes = spref_takes,
    .wires = spref_wires,
    .issues = spref_issues,
    .takes_offer = spref_takes_offer,
    .sum = spref_sum,
    .done = spref_done,
    .counters = spref_issue_counters,
};

const wf_unit_class wf_unit_spref = {
    .name = "spref",
    .summary = "prefetching into spare registers: loads of index and target for later iterations, "
               "moves in the loads' place",
    .needs = WF_NEED_VALUES | WF_NEED_ONE_KERNEL,
    .claims = WF_CLAIM_ISSUE,
    .limits = "any SMs, warps, L1 and L2 slices",
    .bytes = sizeof(spref),
    .settings = offsetof(spref, set),
    .open = spref_open,
    .destroy = spref_destroy,
    .tick = spref_tick,
    .idle = spref_idle,
    .kernel_end = spref_kernel_end,
    .counters = counters,
    .figures = spref_figures,
    .describe = spref_describe,
    .bind = spref_bind,
    .events = energy,
    .power = power,
    .example = "--config fermi16 --app hbfs --graph rmat:scale=9,edges=4000",
    .parameters = parameters,
    .issue_stage = &issue_ops,
    .trace = &trace_ops,
};
