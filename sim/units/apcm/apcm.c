/* Socket of the APCM unit: one RTL instance beside each SM's L1 (apcm_side.h), and what concerns
 * them all: settings, kernels, counters. What is learned and decided is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/apcm/apcm_side.h"
#include "sim/units/cache_level.h"

enum { MODE_OFF, MODE_BYPASS, MODE_PROTECT, MODE_BOTH, MODES };
static const char *const mode_names[MODES] = {"off", "bypass", "protect", "both"};

typedef struct settings {
  unsigned mode, ids, mta_entries, mta_ways, count_bits, threshold, renew, keep, loops, exits,
      counter_bits, edge, pd, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"mode", NULL, 0, MODES - 1, MODE_BOTH, FIELD(mode), mode_names, "of managed loads"},
    {"ids", "Ids", 2, 64, 16, FIELD(ids), NULL,
     "load instructions tracked: entries of LAT and CAIT"},
    {"mta_entries", "MtaEntries", 1, 1024, 32, FIELD(mta_entries), NULL,
     "tags of the watched warp"},
    {"mta_ways", "MtaWays", 1, 1024, 1, FIELD(mta_ways), NULL,
     "1 direct-mapped .. mta_entries fully associative"},
    {"count_bits", "CountBits", 2, 8, 4, FIELD(count_bits), NULL, "of the access counts"},
    {"threshold", NULL, 0, 255, 1, FIELD(threshold), NULL,
     "accesses after which a tag tells at once what it knows; 2^count_bits - 1 or more: only when "
     "it goes"},
    {"renew", NULL, 0, 15, 2, FIELD(renew), NULL,
     "of a warp's requests that find its own lines only, each so many-th takes the oldest; 0: "
     "none, as the paper"},
    {"keep", NULL, 0, 15, 15, FIELD(keep), NULL,
     "credit of a line that an ordinary load brings or hits: look-ups of its set, in fours, for "
     "which no other such load takes it; with protection only; 0: none, as the paper"},
    {"loops", "Loops", 1, 8, 2, FIELD(loops), NULL, "outermost loops of a kernel that are known"},
    {"exits", "Exits", 1, 8, 3, FIELD(exits), NULL,
     "warps that left a loop and wait for their loads to leave the load/store unit"},
    {"counter_bits", "CounterBits", 0, 64, 32, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"edge", NULL, 1, 16, 1, FIELD(edge), NULL, "it gets every so many-th edge of the SM's clock"},
    {"pd", NULL, 0, 65535, 0, FIELD(pd), NULL,
     "APCM-pN: lines of protect loads stay for so many accesses of their set, whatever the warp "
     "does; 0: as APCM"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

typedef struct apcm {
  wf_unit unit;
  apcm_shared shared;
  wf_rtl_set rtl;
  apcm_side *sides; /* [n_sm] */
  settings set;
  apcm_code *codes; /* of all kernels that ran */
  unsigned n_kernels;
  ptx_pc numbers; /* given to the launch's instructions */
  uint64_t clear_cycles;
} apcm;

/* ---- creation ---- */

static void apcm_destroy(wf_unit *unit) {
  apcm *m = (apcm *)unit;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++) apcm_side_free(&m->sides[s]);
  for (unsigned k = 0; k < m->n_kernels; k++) free(m->codes[k].rows);
  free(m->codes);
  free(m->sides);
  free(m);
}

enum { LINE_BITS_LEAST = 25 };
/* But for the one that issues and those that leave. */
enum { MOST_LOADS = (1 << (APCM_LSU_BITS - 1)) - 4 };

/* Rules of the RTL's header, told in the user's words. */
static bool apcm_fits(const wf_unit_env *e, wf_error *err) {
  settings set;
  if (!wf_parameters_read(parameters, "apcm", e->options, &set, err)) return false;
  const unsigned entries = set.mta_entries, ways = set.mta_ways;
  const unsigned sets = ways <= entries && entries % ways == 0 ? entries / ways : 0;
  if (sets == 0 || (sets & (sets - 1)))
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "apcm.mta_entries=%u, apcm.mta_ways=%u: entries must be ways times a power of two", entries,
        ways);
  if (e->l1_ways > WF_L1_MAX_WAYS || e->l1_sets > 1024)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--unit apcm: an L1 of %u sets and %u ways (l1.bytes, l1.ways): at most 1024 and %d",
        e->l1_sets, e->l1_ways, WF_L1_MAX_WAYS);
  if (e->lsu_queue > MOST_LOADS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit apcm: core.lsu_queue=%u: its RTL counts %d loads in the load/store unit",
                   e->lsu_queue, MOST_LOADS);
  return true;
}

static void configure(const apcm *m, apcm_side *s) {
  const unsigned never = (1u << m->set.count_bits) - 1;
  wf_port_set(s->port.bypass_en, m->set.mode & MODE_BYPASS);
  wf_port_set(s->port.protect_en, m->set.mode >> 1);
  wf_port_set(s->port.threshold, m->set.threshold < never ? m->set.threshold : never);
  wf_port_set(s->port.renew, m->set.renew);
  wf_port_set(s->port.keep, m->set.mode & MODE_PROTECT ? m->set.keep : 0);
}

static bool apcm_bind(wf_unit *unit, wf_error *err) {
  apcm *m = (apcm *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm; k++) {
    apcm_side *s = &m->sides[k];
    s->rtl = &m->rtl.at[k];
    if (!apcm_ports_bind(&s->port, s->rtl->model, err)) return false;
    configure(m, s);
  }
  return true;
}

static bool apcm_open(wf_unit *unit, const wf_unit_env *e, wf_error *err) {
  apcm *m = (apcm *)unit;
  static const wf_rtl_value given[] = {{"PcBits", APCM_PC_BITS}, {"LsuBits", APCM_LSU_BITS}, {0}};
  const unsigned more = m->set.edge > 1 ? 3 : 0; /* loads of several cycles */
  const wf_rtl_value fixed[] = {{"NumWarp", e->warps_per_sm},
                                {"Sets", e->l1_sets},
                                {"Ways", e->l1_ways},
                                {"LineBits", wf_cache_line_bits(e, LINE_BITS_LEAST)},
                                {"EnterBits", APCM_ENTER_BITS + more},
                                {0}};
  m->shared.env = *e;
  m->shared.fault = &unit->fault;
  m->sides = wf_calloc(e->n_sm, sizeof *m->sides);
  for (unsigned s = 0; s < e->n_sm; s++) apcm_side_init(&m->sides[s], &m->shared, s, m->set.pd);
  m->unit.rtl[0] = &m->rtl;
  return wf_rtl_set_open(&m->rtl, e->n_sm,
                         &(wf_rtl_request){"apcm", "paper", fixed, given, unit, e}, err);
}

/* ---- what the fabric tells ---- */

#define NO_NUMBER UINT32_MAX

/* Counts of a kernel's loads are of all its launches together; the numbers are of this one. */
static apcm_code code_of(apcm *m, const ptx_kernel *kernel) {
  unsigned k = 0;
  while (k < m->n_kernels && m->codes[k].rows->kernel != kernel) k++;
  if (k == m->n_kernels) {
    m->codes = wf_realloc(m->codes, ++m->n_kernels, sizeof *m->codes);
    m->codes[k] = (apcm_code){NO_NUMBER, wf_calloc(kernel->n_insts, sizeof(apcm_load_row))};
    for (ptx_pc pc = 0; pc < kernel->n_insts; pc++) m->codes[k].rows[pc].kernel = kernel;
  }
  if (m->codes[k].first == NO_NUMBER) {
    m->codes[k].first = m->numbers;
    m->numbers += kernel->n_insts;
  }
  return m->codes[k];
}

static void apcm_kernel_start(wf_unit *unit, const ptx_kernel *kernel) {
  apcm *m = (apcm *)unit;
  m->numbers = 0;
  for (unsigned k = 0; k < m->n_kernels; k++) m->codes[k].first = NO_NUMBER;
  code_of(m, kernel);
  for (unsigned k = 0; k < m->shared.env.n_sm; k++) apcm_side_kernel_start(&m->sides[k]);
}

/* The RTL clears its RAMs. */
static bool apcm_ready(wf_unit *unit) {
  apcm *m = (apcm *)unit;
  bool ready = true;
  for (unsigned k = 0; k < m->shared.env.n_sm; k++) ready &= !apcm_side_has_work(&m->sides[k]);
  m->clear_cycles += !ready;
  return ready;
}

static apcm_side *side_of(wf_unit *unit, unsigned sm) {
  return &((apcm *)unit)->sides[sm];
}

static void apcm_warp_start(wf_unit *unit, unsigned sm, unsigned warp, const ptx_kernel *kernel) {
  apcm_side_warp_start(side_of(unit, sm), warp, code_of((apcm *)unit, kernel));
}
static void apcm_warp_exit(wf_unit *unit, unsigned sm, unsigned warp) {
  apcm_side_warp_exit(side_of(unit, sm), warp);
}
static void apcm_moved(wf_unit *unit, const wf_stack_move *move) {
  apcm_side_moved(side_of(unit, move->sm), move);
}
static bool apcm_may_move(wf_unit *unit, unsigned sm) {
  return apcm_side_may_move(side_of(unit, sm));
}
static void apcm_load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  apcm_side_load(side_of(unit, sm), warp, pc);
}
static wf_l1_verdict apcm_verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  return apcm_side_verdict(side_of(unit, sm), mark);
}
static bool apcm_access(wf_unit *unit, const wf_l1_access *a) {
  return apcm_side_access(side_of(unit, a->sm), a);
}
static wf_l1_verdict apcm_decision(wf_unit *unit, unsigned sm, unsigned *way) {
  return apcm_side_decision(side_of(unit, sm), way);
}
static void apcm_load_gone(wf_unit *unit, unsigned sm, unsigned warp) {
  (void)warp;
  apcm_side_load_gone(side_of(unit, sm));
}
static bool apcm_load_done(wf_unit *unit, unsigned sm, unsigned warp, uint8_t mark) {
  return apcm_side_load_done(side_of(unit, sm), warp, mark);
}

/* ---- the clock ---- */

static bool apcm_tick(wf_unit *unit, wf_error *err) {
  apcm *m = (apcm *)unit;
  if (wf_unit_now(&m->shared.env) % m->set.edge) return true;
  for (unsigned k = 0; k < m->shared.env.n_sm; k++) {
    apcm_side *s = &m->sides[k];
    if (wf_rtl_due(&m->rtl, apcm_side_has_work(s)) && !apcm_side_clock(s, err)) return false;
  }
  return true;
}

static bool apcm_idle(const wf_unit *unit) {
  const apcm *m = (const apcm *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm; k++)
    if (apcm_side_has_work(&m->sides[k])) return false;
  return true;
}

static bool apcm_kernel_end(wf_unit *unit, wf_error *err) {
  const apcm *m = (const apcm *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm; k++)
    if (!apcm_side_over(&m->sides[k], err)) return false;
  return true;
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"events", offsetof(apcm, shared.counters.events)},
    {"events_left_out", offsetof(apcm, shared.counters.dropped_events)},
    {"verdict_waits", offsetof(apcm, shared.counters.verdict_waits)},
    {"request_waits", offsetof(apcm, shared.counters.refused_offers)},
    {"stack_moves", offsetof(apcm, shared.counters.moves)},
    {"branch_waits", offsetof(apcm, shared.counters.branch_waits)},
    {"clear_cycles", offsetof(apcm, clear_cycles)},
    {"done_waits", offsetof(apcm, shared.counters.done_waits)},
    {"far_loads", offsetof(apcm, shared.counters.far_loads)},
    {"far_moves", offsetof(apcm, shared.counters.far_moves)},
    {"busy_sms", offsetof(apcm, rtl.busy)},
    {0},
};

static const wf_energy_event energy[] = {
    {"busy_sms", WF_EN_PART_UNIT, 9.92, NULL,
     "make power UNIT=apcm CONFIG=paper, NanGate 45 nm; a cycle with something offered or inside, "
     "outside which a clock gate on idle_o stops it"},
    WF_ENERGY_TRANSFER("ld", 0.80),
    WF_ENERGY_TRANSFER("acc", 5.04),
    WF_ENERGY_TRANSFER("done", 4.79),
    WF_ENERGY_TRANSFER("exit", 0.00),
    WF_ENERGY_TRANSFER("cf", 0.00),
    {0},
};
static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.00101, "make synth UNIT=apcm CONFIG=paper, NanGate 45 nm: leakage"},
    {"gpu_static", NULL, NULL, 0.000915,
     "make synth UNIT=apcm CONFIG=paper, NanGate 45 nm: what RAM leaks that the GPU keeps"},
    {0},
};

static void apcm_loads(wf_unit *unit, wf_unit_load_fn each, void *user) {
  static const char *const methods[] = {"normal", "bypass", "protect"};
  const apcm *m = (const apcm *)unit;
  for (unsigned k = 0; k < m->n_kernels; k++) {
    const ptx_kernel *kernel = m->codes[k].rows->kernel;
    for (ptx_pc pc = 0; pc < kernel->n_insts; pc++) {
      const apcm_load_row *r = &m->codes[k].rows[pc];
      if (!r->loads) continue;
      each(user, &(wf_unit_load){.kernel = kernel->name,
                                 .text = ptx_inst_text(&kernel->insts[pc]),
                                 .what = r->tracked ? methods[r->method] : "untracked",
                                 .pc = pc,
                                 .line = kernel->insts[pc].line,
                                 .loads = r->loads,
                                 .requests = r->requests,
                                 .bypassed = r->bypassed,
                                 .pinned = r->pinned,
                                 .refused = r->refused});
    }
  }
}

static void apcm_describe(const wf_unit *unit, FILE *out) {
  const apcm *m = (const apcm *)unit;
  for (unsigned k = 0; k < m->shared.env.n_sm; k++) {
    const apcm_side *s = &m->sides[k];
    if (!apcm_side_has_work(s)) continue;
    fprintf(out, "apcm of SM %u: %u loads, %u requests, %u branches wait; ready %d, idle %d\n", k,
            s->load_ring.count, s->flight_ring.count, s->branch_ring.count,
            (int)wf_port_get(s->port.acc_ready), (int)wf_port_get(s->port.idle));
  }
}

static const wf_l1_ops l1_ops = {
    .any_sector = true,
    .undecided = APCM_SIDE_FLIGHT,
    .kernel_start = apcm_kernel_start,
    .warp_start = apcm_warp_start,
    .warp_exit = apcm_warp_exit,
    .ready = apcm_ready,
    .moved = apcm_moved,
    .may_move = apcm_may_move,
    .load = apcm_load,
    .verdict = apcm_verdict,
    .access = apcm_access,
    .decision = apcm_decision,
    .load_gone = apcm_load_gone,
    .load_done = apcm_load_done,
};

const wf_unit_class wf_unit_apcm = {
    .name = "apcm",
    .summary = "access pattern-aware cache management: bypasses or pins lines in L1, load by load",
    .limits = "any SMs, warps and L2 slices; an L1 of at most 1024 sets and 64 ways",
    .fits = apcm_fits,
    .claims = WF_CLAIM_L1,
    .bytes = sizeof(apcm),
    .settings = offsetof(apcm, set),
    .open = apcm_open,
    .destroy = apcm_destroy,
    .tick = apcm_tick,
    .idle = apcm_idle,
    .kernel_end = apcm_kernel_end,
    .counters = counters,
    .describe = apcm_describe,
    .bind = apcm_bind,
    .events = energy,
    .power = power,
    .example = "--app bfs_rodinia --graph random:n=2048,degree=6",
    .parameters = parameters,
    .l1 = &l1_ops,
    .loads = apcm_loads,
};
