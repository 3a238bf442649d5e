/* Socket of the APCM unit: one RTL instance beside each SM's L1. What the fabric tells stands at
 * the outputs of the SM's own pipelines until the RTL takes it: one load, one request, one event
 * and one change of a stack a cycle. What is learned and decided is the RTL's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/units/apcm/ports.h"
#include "sim/units/rtl_set.h"

enum { MODE_OFF, MODE_BYPASS, MODE_PROTECT, MODE_BOTH, MODES };
static const char *const mode_names[MODES] = {"off", "bypass", "protect", "both"};

typedef struct settings {
  unsigned mode, ids, mta_entries, mta_ways, count_bits, threshold, renew, keep, loops, exits,
      counter_bits, pd, gate;
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
    {"pd", NULL, 0, 65535, 0, FIELD(pd), NULL,
     "APCM-pN: lines of protect loads stay for so many accesses of their set, whatever the warp "
     "does; 0: as APCM"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

enum {
  MAX_WARPS = 64,
  LOADS = 128,
  FLIGHT = 8,
  LINE_BITS_LEAST = 25,
  PC_BITS = 12,
  MOVES = 2,
  BRANCHES = MOVES + 4
};
enum { METHOD_NORMAL, METHOD_BYPASS, METHOD_PROTECT };
enum { EV_LOAD_DONE, EV_WARP_START = 2, EV_WARP_EXIT, EV_KERNEL_START };

/* A load from its issue until its last request; the answer's four values once they are there. */
typedef struct load {
  ptx_pc pc;
  uint8_t warp, tracked, id, method, last;
  bool far; /* its number does not fit: it is not asked, and not tracked */
} load;

typedef struct event {
  bool valid;
  uint8_t kind, warp, id;
} event;

typedef enum source { NO_EVENT, OF_START, OF_LOAD, OF_EXIT } source;

/* At the output of a scheduler's branch unit: a change of a stack, or a warp's end. */
typedef struct branch_out {
  bool exit;
  wf_stack_move move;
} branch_out;

/* A request between its edge and its answer. */
typedef struct request {
  uint8_t warp;
  bool miss;
  ptx_pc pc;
  bool told;
  uint64_t reserved; /* ways it cannot have */
  unsigned set;
  bool keep; /* APCM-pN: what it brings stays */
} request;

/* APCM-pN: until which access of its set a line stays. */
typedef struct distance {
  uint32_t *accesses; /* by set */
  uint32_t *until;    /* by set and way; 0: free to go */
} distance;

/* What is beside one SM's L1. */
typedef struct side {
  wf_rtl *rtl;
  apcm_ports port;
  load
      loads[LOADS]; /* asked: the first n_sent are in the RTL, of these n_known have their answer */
  wf_ring load_ring;
  unsigned n_sent, n_known;
  load current; /* whose requests are coming */
  bool offered; /* a request goes in at the next edge */
  wf_l1_access offer;
  load offer_load;
  request flight[FLIGHT];
  wf_ring flight_ring;
  struct {
    wf_l1_verdict verdict;
    uint8_t way;
  } decided[FLIGHT];
  wf_ring decided_ring;
  bool started;                  /* a warp of the kernel */
  event first;                   /* the kernel's start, then its first warp's */
  event done;                    /* of a load that is written back: the next one waits */
  source offered_event;          /* it stays until it is taken */
  branch_out branches[BRANCHES]; /* outputs of the schedulers' branch units */
  wf_ring branch_ring;
  bool move_offered;            /* and not taken */
  unsigned lsu_in, lsu_out;     /* loads to tell of that entered, that left */
  uint8_t in_flight[MAX_WARPS]; /* requests without an answer */
  distance pd;
} side;

typedef struct load_row {
  const ptx_kernel *kernel;
  uint8_t method, tracked;
  uint64_t loads, requests, bypassed, pinned, refused;
} load_row;

typedef struct apcm {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtl;
  side *sides; /* [n_sm] */
  settings set;
  const ptx_kernel *kernel;
  load_row **rows; /* [kernel launched][pc] */
  unsigned n_kernels;
  load_row *row; /* of the running kernel */
  uint64_t events, dropped_events, verdict_waits, refused_offers, branch_waits, clear_cycles,
      far_loads, far_moves, done_waits, moves, busy_sms;
} apcm;

/* ---- creation ---- */

static void apcm_destroy(wf_unit *unit) {
  apcm *m = (apcm *)unit;
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    free(m->sides[s].pd.accesses);
    free(m->sides[s].pd.until);
  }
  for (unsigned k = 0; k < m->n_kernels; k++) free(m->rows[k]);
  free(m->rows);
  free(m->sides);
  free(m);
}

enum { MOST_LOADS = 60 }; /* 64, but for the one that issues and those that leave */

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
  if (e->l1_ways > 16 || e->l1_sets > 1024)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--unit apcm: an L1 of %u sets and %u ways (l1.bytes, l1.ways): at most 1024 and 16",
        e->l1_sets, e->l1_ways);
  if (e->lsu_queue > MOST_LOADS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit apcm: core.lsu_queue=%u: its RTL counts %d loads in the load/store unit",
                   e->lsu_queue, MOST_LOADS);
  return true;
}

static void configure(const apcm *m, side *s) {
  const unsigned never = (1u << m->set.count_bits) - 1;
  wf_port_set(s->port.bypass_en, m->set.mode & MODE_BYPASS);
  wf_port_set(s->port.protect_en, m->set.mode >> 1);
  wf_port_set(s->port.threshold, m->set.threshold < never ? m->set.threshold : never);
  wf_port_set(s->port.renew, m->set.renew);
  wf_port_set(s->port.keep, m->set.mode & MODE_PROTECT ? m->set.keep : 0);
}

static bool apcm_bind(wf_unit *unit, wf_error *err) {
  apcm *m = (apcm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    s->rtl = &m->rtl.at[k];
    if (!apcm_ports_bind(&s->port, s->rtl->model, err)) return false;
    configure(m, s);
  }
  return true;
}

static bool apcm_open(wf_unit *unit, const wf_unit_env *e, wf_error *err) {
  apcm *m = (apcm *)unit;
  unsigned line_bits = LINE_BITS_LEAST;
  while ((WF_IMAGE_BASE + wf_image_bytes(e->image)) / e->line_bytes >> line_bits) line_bits++;
  static const wf_rtl_value given[] = {{"PcBits", PC_BITS}, {0}};
  const wf_rtl_value fixed[] = {{"NumWarp", e->warps_per_sm},
                                {"Sets", e->l1_sets},
                                {"Ways", e->l1_ways},
                                {"LineBits", line_bits},
                                {0}};
  m->env = *e;
  m->sides = wf_calloc(e->n_sm, sizeof *m->sides);
  for (unsigned s = 0; s < e->n_sm; s++) {
    side *x = &m->sides[s];
    x->pd.accesses = wf_calloc(e->l1_sets, sizeof *x->pd.accesses);
    x->pd.until = wf_calloc((size_t)e->l1_sets * e->l1_ways, sizeof *x->pd.until);
  }
  m->unit.rtl[0] = &m->rtl;
  return wf_rtl_set_open(&m->rtl, e->n_sm,
                         &(wf_rtl_request){"apcm", "paper", fixed, given, unit, e}, err);
}

/* ---- one cycle at the ports ---- */

/* The oldest load that is not asked. */
static load *next_load(side *s) {
  for (; s->n_sent < s->load_ring.count; s->n_sent++) {
    load *l = &s->loads[wf_ring_at(&s->load_ring, s->n_sent, LOADS)];
    if (!l->far) return l;
    if (s->n_known != s->n_sent) return NULL; /* answers keep order */
    s->n_known++;
  }
  return NULL;
}

static void drive_load(side *s) {
  const load *l = next_load(s);
  wf_port_set(s->port.ld_valid, l != NULL);
  if (!l) return;
  wf_port_set(s->port.ld_pc, l->pc);
  if (wf_port_get(s->port.ld_ready)) s->n_sent++;
}

/* With apcm.pd the RTL only tells which loads to protect: it hears of an ordinary load, and of kept
 * lines as if fills were on their way to them. Returns the ways to add to the reserved ones. */
static uint64_t keep_by_distance(const apcm *m, side *s, const wf_l1_access *a, load *l,
                                 bool *keep) {
  uint32_t *until = &s->pd.until[a->set * m->env.l1_ways];
  uint64_t kept = 0;
  *keep = l->method == METHOD_PROTECT;
  if (*keep) l->method = METHOD_NORMAL;
  if (a->bypassed) return 0;
  uint32_t now = ++s->pd.accesses[a->set];
  if (a->hit && (*keep || until[a->way])) until[a->way] = now + m->set.pd;
  for (unsigned w = 0; w < m->env.l1_ways; w++) {
    if (until[w] <= now || a->invalid >> w & 1) until[w] = 0;
    kept |= (uint64_t)(until[w] > now) << w;
  }
  return kept;
}

/* Taken for certain: it was offered with ready high, and ready does not move without an edge. */
static void drive_request(const apcm *m, side *s) {
  const wf_l1_access *a = &s->offer;
  load *l = &s->offer_load;
  bool keep = false;
  const apcm_ports *p = &s->port;
  wf_port_set(p->acc_valid, s->offered);
  if (!s->offered) return;
  const uint64_t reserved = a->reserved | (m->set.pd ? keep_by_distance(m, s, a, l, &keep) : 0);
  wf_port_set(p->acc_warp, a->warp);
  wf_port_set(p->acc_tracked, l->tracked);
  wf_port_set(p->acc_id, l->id);
  wf_port_set(p->acc_method, l->method);
  wf_port_set(p->acc_last, l->last);
  wf_port_set(p->acc_few, a->nth < 2);
  wf_port_set(p->acc_line, a->line);
  wf_port_set(p->acc_set, a->set);
  wf_port_set(p->acc_hit, a->hit);
  wf_port_set(p->acc_way, a->way);
  wf_port_set(p->acc_invalid, a->invalid);
  wf_port_set(p->acc_reserved, reserved);
  uint64_t rank = 0;
  for (unsigned w = 0; w < m->env.l1_ways; w++)
    rank |= (uint64_t)wf_l1_rank(a, w) << (w * p->acc_way->width);
  wf_port_set(p->acc_rank, rank);
  s->flight[wf_ring_push(&s->flight_ring, FLIGHT)] = (request){.warp = (uint8_t)a->warp,
                                                               .miss = !a->bypassed && !a->hit,
                                                               .pc = l->pc,
                                                               .told = a->told,
                                                               .reserved = reserved,
                                                               .set = a->set,
                                                               .keep = keep};
  s->in_flight[a->warp]++;
  s->offered = false;
}

static bool exit_waits(const side *s) {
  return s->branch_ring.count && s->branches[s->branch_ring.head].exit;
}

/* The event on the port; one that was offered stays there. */
static event next_event(side *s) {
  if (!s->offered_event)
    s->offered_event = s->first.valid  ? OF_START
                       : s->done.valid ? OF_LOAD
                       : exit_waits(s) ? OF_EXIT
                                       : NO_EVENT;
  switch (s->offered_event) {
  case OF_START:
    return s->first;
  case OF_LOAD:
    return s->done;
  case OF_EXIT:
    return (event){.valid = true,
                   .kind = EV_WARP_EXIT,
                   .warp = (uint8_t)s->branches[s->branch_ring.head].move.warp};
  default:
    return (event){0};
  }
}

static void drop_event(side *s) {
  if (s->offered_event == OF_START) s->first.valid = false;
  if (s->offered_event == OF_LOAD) s->done.valid = false;
  if (s->offered_event == OF_EXIT) wf_ring_pop(&s->branch_ring, BRANCHES);
  s->offered_event = NO_EVENT;
}

static void drive_event(side *s) {
  const apcm_ports *p = &s->port;
  const event e = next_event(s);
  wf_port_set(p->ev_valid, e.valid);
  if (!e.valid) return;
  wf_port_set(p->ev_kind, e.kind);
  wf_port_set(p->ev_warp, e.warp);
  wf_port_set(p->ev_id, e.id);
  if (wf_port_get(p->ev_ready)) drop_event(s);
}

/* Loads that entered are told before what their warps do next. */
static void drive_stack(side *s) {
  const apcm_ports *p = &s->port;
  const bool some = s->branch_ring.count && !exit_waits(s) && (s->move_offered || s->lsu_in <= 1);
  wf_port_set(p->lsu_in, s->lsu_in > 0);
  wf_port_set(p->lsu_out, s->lsu_out > 0);
  s->lsu_in -= s->lsu_in > 0;
  s->lsu_out -= s->lsu_out > 0;
  wf_port_set(p->cf_valid, some);
  s->move_offered = some && !wf_port_get(p->cf_ready);
  if (!some) return;
  const wf_stack_move *m = &s->branches[s->branch_ring.head].move;
  wf_port_set(p->cf_warp, m->warp);
  wf_port_set(p->cf_from, m->from);
  wf_port_set(p->cf_to, m->to);
  wf_port_set(p->cf_jump, m->jump);
  wf_port_set(p->cf_push, m->split);
  if (wf_port_get(p->cf_ready)) wf_ring_pop(&s->branch_ring, BRANCHES);
}

static bool take_load_answer(side *s, wf_error *err) {
  if (!wf_port_get(s->port.ld_rsp_valid)) return true;
  if (s->n_known == s->n_sent)
    return wf_fail(err, WF_EXIT_WRONG, "apcm: an answer to a load that was not asked");
  load *l = &s->loads[wf_ring_at(&s->load_ring, s->n_known++, LOADS)];
  l->tracked = (uint8_t)wf_port_get(s->port.ld_rsp_tracked);
  l->id = (uint8_t)wf_port_get(s->port.ld_rsp_id);
  l->method = (uint8_t)wf_port_get(s->port.ld_rsp_method);
  l->last = (uint8_t)wf_port_get(s->port.ld_rsp_last);
  if (l->method > METHOD_PROTECT || (!l->tracked && l->method))
    return wf_fail(err, WF_EXIT_WRONG, "apcm: method %u for a load that is %stracked", l->method,
                   l->tracked ? "" : "not ");
  return true;
}

static bool take_request_answer(apcm *m, side *s, wf_error *err) {
  if (!wf_port_get(s->port.acc_rsp_valid)) return true;
  if (!s->flight_ring.count)
    return wf_fail(err, WF_EXIT_WRONG, "apcm: an answer to a request that was not made");
  request r = s->flight[wf_ring_pop(&s->flight_ring, FLIGHT)];
  s->in_flight[r.warp]--;
  bool alloc = wf_port_get(s->port.acc_rsp_alloc), pinned = wf_port_get(s->port.acc_rsp_protect);
  unsigned way = wf_port_word(s->port.acc_rsp_way);
  if (alloc && (!r.miss || way >= m->env.l1_ways || r.reserved >> way & 1))
    return wf_fail(err, WF_EXIT_WRONG, "apcm: way %u for a request that %s", way,
                   r.miss ? "cannot have it: a fill is on its way" : "is no miss");
  if (r.told) {
    m->row[r.pc].pinned += pinned;
    m->row[r.pc].refused += r.miss && !alloc;
  }
  if (!r.miss) return true;
  if (m->set.pd && alloc)
    s->pd.until[r.set * m->env.l1_ways + way] = r.keep ? s->pd.accesses[r.set] + m->set.pd : 0;
  unsigned at = wf_ring_push(&s->decided_ring, FLIGHT);
  s->decided[at].verdict = alloc ? WF_L1_CACHE : WF_L1_BYPASS;
  s->decided[at].way = (uint8_t)way;
  return true;
}

static bool has_work(const side *s) {
  return s->n_known < s->load_ring.count || s->offered || s->first.valid || s->done.valid ||
         s->flight_ring.count || s->branch_ring.count || s->lsu_in || s->lsu_out ||
         !wf_port_get(s->port.idle);
}

static bool clock_side(apcm *m, side *s, wf_error *err) {
  drive_load(s);
  drive_request(m, s);
  drive_event(s);
  drive_stack(s);
  return wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err) && take_load_answer(s, err) &&
         take_request_answer(m, s, err);
}

/* ---- what the fabric tells ---- */

/* Without protection and without a request that may cause some, the RTL need not hear when it would
 * end. */
static bool concerns(const side *s, unsigned warp) {
  bool offered = s->offered && s->offer.warp == warp;
  return wf_port_bit(s->port.psb, warp) || s->in_flight[warp] || offered;
}

/* Is it the watched warp, or will it be? */
static bool watched(const side *s, unsigned warp) {
  return (s->first.valid && s->first.warp == warp) ||
         (wf_port_get(s->port.mon_valid) && wf_port_get(s->port.mon_warp) == warp);
}

static void push_branch(apcm *m, side *s, branch_out b) {
  if (s->branch_ring.count == BRANCHES)
    wf_fail(&m->unit.fault, WF_EXIT_WRONG, "apcm: more branches than the schedulers have outputs");
  else
    s->branches[wf_ring_push(&s->branch_ring, BRANCHES)] = b;
}

static void find_rows(apcm *m, const ptx_kernel *kernel) {
  unsigned k = 0;
  while (k < m->n_kernels && m->rows[k]->kernel != kernel) k++;
  if (k == m->n_kernels) {
    m->n_kernels++;
    m->rows = wf_realloc(m->rows, m->n_kernels, sizeof *m->rows);
    m->rows[k] = wf_calloc(kernel->n_insts, sizeof **m->rows);
    for (ptx_pc pc = 0; pc < kernel->n_insts; pc++) m->rows[k][pc].kernel = kernel;
  }
  m->row = m->rows[k];
}

static void apcm_kernel_start(wf_unit *unit, const ptx_kernel *kernel) {
  apcm *m = (apcm *)unit;
  m->kernel = kernel;
  find_rows(m, kernel);
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    s->branch_ring = (wf_ring){0};
    s->lsu_in = s->lsu_out = 0;
    memset(s->pd.until, 0, sizeof *s->pd.until * m->env.l1_sets * m->env.l1_ways);
    s->started = false;
    s->first = (event){.valid = true, .kind = EV_KERNEL_START};
    m->events++;
  }
}

/* The RTL clears its RAMs. */
static bool apcm_ready(wf_unit *unit) {
  apcm *m = (apcm *)unit;
  bool ready = true;
  for (unsigned k = 0; k < m->env.n_sm; k++) ready &= !has_work(&m->sides[k]);
  m->clear_cycles += !ready;
  return ready;
}

/* Of a kernel's warps only the first is watched. */
static void apcm_warp_start(wf_unit *unit, unsigned sm, unsigned warp) {
  apcm *m = (apcm *)unit;
  side *s = &m->sides[sm];
  m->dropped_events += s->started;
  m->events += !s->started;
  if (!s->started) s->first = (event){.valid = true, .kind = EV_WARP_START, .warp = (uint8_t)warp};
  s->started = true;
}

static void apcm_warp_exit(wf_unit *unit, unsigned sm, unsigned warp) {
  apcm *m = (apcm *)unit;
  side *s = &m->sides[sm];
  const bool told = concerns(s, warp) || watched(s, warp);
  m->dropped_events += !told;
  m->events += told;
  if (told) push_branch(m, s, (branch_out){.exit = true, .move.warp = warp});
}

static void apcm_moved(wf_unit *unit, const wf_stack_move *move) {
  apcm *m = (apcm *)unit;
  m->moves++;
  if ((move->from | move->to) >> PC_BITS)
    m->far_moves++;
  else
    push_branch(m, &m->sides[move->sm], (branch_out){.move = *move});
}

static bool apcm_may_move(wf_unit *unit, unsigned sm) {
  apcm *m = (apcm *)unit;
  const bool may = m->sides[sm].branch_ring.count < MOVES;
  m->branch_waits += !may;
  return may;
}

static void apcm_load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  apcm *m = (apcm *)unit;
  side *s = &m->sides[sm];
  if (s->load_ring.count == LOADS) {
    wf_fail(&m->unit.fault, WF_EXIT_WRONG, "apcm: more loads wait than the load/store unit queues");
    return;
  }
  s->loads[wf_ring_push(&s->load_ring, LOADS)] =
      (load){.pc = pc, .warp = (uint8_t)warp, .far = pc >> PC_BITS};
  m->far_loads += pc >> PC_BITS != 0;
  s->lsu_in++;
}

static wf_l1_verdict apcm_verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  apcm *m = (apcm *)unit;
  side *s = &m->sides[sm];
  next_load(s);
  if (!s->n_known) return m->verdict_waits++, WF_L1_WAIT;
  s->current = s->loads[wf_ring_pop(&s->load_ring, LOADS)];
  s->n_sent--;
  s->n_known--;
  *mark = s->current.tracked ? (uint8_t)(s->current.id + 1) : 0;
  load_row *row = &m->row[s->current.pc];
  row->loads++;
  row->tracked = s->current.tracked;
  row->method = s->current.method;
  return s->current.method == METHOD_BYPASS ? WF_L1_BYPASS : WF_L1_CACHE;
}

static bool apcm_access(wf_unit *unit, const wf_l1_access *a) {
  apcm *m = (apcm *)unit;
  side *s = &m->sides[a->sm];
  if (s->offered || !wf_port_get(s->port.acc_ready) || s->flight_ring.count == FLIGHT)
    return m->refused_offers++, false;
  s->offered = true;
  s->offer = *a;
  s->offer_load = a->told ? s->current : (load){.warp = (uint8_t)a->warp};
  if (a->told) {
    load_row *row = &m->row[s->current.pc];
    row->requests++;
    row->bypassed += a->bypassed;
  }
  return true;
}

static void apcm_load_gone(wf_unit *unit, unsigned sm, unsigned warp) {
  (void)warp;
  ((apcm *)unit)->sides[sm].lsu_out++;
}

static wf_l1_verdict apcm_decision(wf_unit *unit, unsigned sm, unsigned *way) {
  side *s = &((apcm *)unit)->sides[sm];
  if (!s->decided_ring.count) return WF_L1_WAIT;
  const unsigned at = wf_ring_pop(&s->decided_ring, FLIGHT);
  *way = s->decided[at].way;
  return s->decided[at].verdict;
}

/* The mark is the load's number in the RTL, and 1. */
static bool apcm_load_done(wf_unit *unit, unsigned sm, unsigned warp, uint8_t mark) {
  apcm *m = (apcm *)unit;
  side *s = &m->sides[sm];
  if (!concerns(s, warp)) return m->dropped_events++, true;
  if (s->done.valid) return m->done_waits++, false;
  s->done = (event){
      .valid = true, .kind = EV_LOAD_DONE, .warp = (uint8_t)warp, .id = (uint8_t)(mark - 1)};
  m->events++;
  return true;
}

/* ---- the clock ---- */

static bool apcm_tick(wf_unit *unit, wf_error *err) {
  apcm *m = (apcm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    const bool busy = has_work(s);
    m->busy_sms += busy;
    if (m->set.gate && !busy) continue;
    if (!clock_side(m, s, err)) return false;
  }
  return true;
}

static bool apcm_idle(const wf_unit *unit) {
  const apcm *m = (const apcm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (has_work(&m->sides[k])) return false;
  return true;
}

static bool apcm_kernel_end(wf_unit *unit, wf_error *err) {
  const apcm *m = (const apcm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    const side *s = &m->sides[k];
    if (s->load_ring.count || s->decided_ring.count)
      return wf_fail(err, WF_EXIT_WRONG,
                     "apcm: SM %u: %u loads and %u decisions were never asked for", k,
                     s->load_ring.count, s->decided_ring.count);
    for (unsigned w = 0; w < m->env.warps_per_sm; w++)
      if (wf_port_bit(s->port.psb, w))
        return wf_fail(err, WF_EXIT_WRONG, "apcm: SM %u: warp %u protects lines after its end", k,
                       w);
  }
  return true;
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"events", offsetof(apcm, events)},
    {"events_left_out", offsetof(apcm, dropped_events)},
    {"verdict_waits", offsetof(apcm, verdict_waits)},
    {"request_waits", offsetof(apcm, refused_offers)},
    {"stack_moves", offsetof(apcm, moves)},
    {"branch_waits", offsetof(apcm, branch_waits)},
    {"clear_cycles", offsetof(apcm, clear_cycles)},
    {"done_waits", offsetof(apcm, done_waits)},
    {"far_loads", offsetof(apcm, far_loads)},
    {"far_moves", offsetof(apcm, far_moves)},
    {"busy_sms", offsetof(apcm, busy_sms)},
    {0},
};

static const wf_energy_event energy[] = {
    {"busy_sms", WF_EN_PART_UNIT, 13.5, NULL,
     "make power UNIT=apcm CONFIG=paper, NanGate 45 nm; a cycle with something offered or inside, "
     "outside which a clock gate on idle_o stops it"},
    {0},
};
static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.0011, "make synth UNIT=apcm, NanGate 45 nm: leakage"},
    {0},
};

static void apcm_loads(wf_unit *unit, wf_unit_load_fn each, void *user) {
  static const char *const methods[] = {"normal", "bypass", "protect"};
  const apcm *m = (const apcm *)unit;
  for (unsigned k = 0; k < m->n_kernels; k++) {
    const ptx_kernel *kernel = m->rows[k]->kernel;
    for (ptx_pc pc = 0; pc < kernel->n_insts; pc++) {
      const load_row *r = &m->rows[k][pc];
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
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    const side *s = &m->sides[k];
    if (!has_work(s)) continue;
    fprintf(out, "apcm of SM %u: %u loads, %u requests, %u branches wait; ready %d, idle %d\n", k,
            s->load_ring.count, s->flight_ring.count, s->branch_ring.count,
            (int)wf_port_get(s->port.acc_ready), (int)wf_port_get(s->port.idle));
  }
}

static const wf_l1_ops l1_ops = {
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
    .limits = "any SMs, warps and L2 slices; an L1 of at most 1024 sets and 16 ways",
    .fits = apcm_fits,
    .needs = WF_NEED_ONE_KERNEL,
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
