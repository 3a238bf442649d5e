/* Socket of the GRAN unit: one RTL instance beside each SM's L1. It puts a request a cycle on the
 * ports and hands the answers back; what is learned and guessed is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/units/gran/ports.h"
#include "sim/units/rtl_set.h"

enum { NAP, SPP, BIM, KINDS };

typedef struct settings {
  unsigned kind, predict, nap_entries, nap_above, spp_entries, filter_bits, refresh, fine;
  unsigned counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const char *const kind_words[] = {"nap", "spp", "bim", NULL};
static const char *const configs[KINDS] = {"paper", "spp", "bim"};
static const wf_parameter parameters[] = {
    {"kind", NULL, 0, KINDS - 1, NAP, FIELD(kind), kind_words,
     "nap: by PC, what neighbours of the first sector do; spp: by PC and sector, the last pattern; "
     "bim: by line, fine or coarse"},
    {"predict", NULL, 0, 1, 1, FIELD(predict), NULL,
     "what it guesses is fetched; 0: it learns, and misses fetch what is wanted"},
    {"nap_entries", "NapEntries", 2, 256, 32, FIELD(nap_entries), NULL,
     "nap: entries of the table, a power of two"},
    {"nap_above", "NapAbove", 0, 15, 7, FIELD(nap_above), NULL,
     "nap: a neighbour is fetched if its counter stands above this"},
    {"spp_entries", "SppEntries", 32, 2048, 256, FIELD(spp_entries), NULL,
     "spp: entries of the table, a power of two"},
    {"filter_bits", "FilterBits", 16, 4096, 1024, FIELD(filter_bits), NULL,
     "bim: of each of the filter's four banks, a power of two"},
    {"refresh", "Refresh", 2, 4095, 512, FIELD(refresh), NULL,
     "bim: insertions after which an array of the filter is cleared"},
    {"fine", "Fine", 1, 3, 2, FIELD(fine), NULL,
     "bim: the most sectors that are touched of a fine line"},
    {"counter_bits", "CounterBits", 0, 64, 28, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

enum { FLIGHT = 4, LINE_BITS_LEAST = 25, PC_BITS = 16, KERNELS = 64 };

/* A miss whose answer the fabric has not fetched. */
typedef struct decision {
  unsigned way;
  uint8_t more;
} decision;

/* What is on its way between an SM and its instance. */
typedef struct side {
  wf_rtl *rtl;
  gran_ports port;
  unsigned loads; /* that entered and have no verdict */
  bool offered;   /* a request to be sent */
  wf_l1_access offer;
  unsigned sent[FLIGHT]; /* misses between their edge and their answer: the way */
  decision decided[FLIGHT];
  wf_ring sent_ring, decided_ring;
  uint8_t more; /* of the decision that was fetched last */
} side;

/* Where a kernel's code lies. */
typedef struct code {
  const ptx_kernel *kernel;
  uint32_t at;
} code;

typedef struct gran {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtl;
  side *sides; /* [n_sm] */
  settings set;
  code codes[KERNELS];
  unsigned n_codes;
  uint32_t code_end;
  uint64_t request_waits, busy[KINDS];
} gran;

/* ---- creation ---- */

static void gran_destroy(wf_unit *unit) {
  gran *m = (gran *)unit;
  free(m->sides);
  free(m);
}

static bool gran_bind(wf_unit *unit, wf_error *err) {
  gran *m = (gran *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    s->rtl = &m->rtl.at[k];
    if (!gran_ports_bind(&s->port, s->rtl->model, err)) return false;
    wf_port_set(s->port.predict_en, m->set.predict);
  }
  return true;
}

static bool power_of_two(unsigned n, const char *key, wf_error *err) {
  return (n & (n - 1)) == 0 ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "gran.%s=%u: expected a power of two", key, n);
}

static bool gran_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  gran *m = (gran *)unit;
  unsigned line_bits = LINE_BITS_LEAST;
  while ((WF_IMAGE_BASE + wf_image_bytes(env->image)) / env->line_bytes >> line_bits) line_bits++;
  m->unit.rtl[0] = &m->rtl;
  m->env = *env;
  m->sides = wf_calloc(env->n_sm, sizeof *m->sides);
  if (env->l1_ways > WF_L1_MAX_WAYS || env->l1_sets < 2 || env->l1_sets > 1024)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--unit gran: an L1 of %u sets and %u ways (l1.bytes, l1.ways): 2 to 1024 sets, at "
        "most %d ways",
        env->l1_sets, env->l1_ways, WF_L1_MAX_WAYS);
  if (!power_of_two(m->set.nap_entries, "nap_entries", err) ||
      !power_of_two(m->set.spp_entries, "spp_entries", err) ||
      !power_of_two(m->set.filter_bits, "filter_bits", err))
    return false;
  static const wf_rtl_value given[] = {{"PcBits", PC_BITS}, {0}};
  const wf_rtl_value fixed[] = {{"Kind", m->set.kind},
                                {"Sets", env->l1_sets},
                                {"Ways", env->l1_ways},
                                {"LineBits", line_bits},
                                {0}};
  const wf_rtl_request request = {.unit = "gran",
                                  .config = configs[m->set.kind],
                                  .fixed = fixed,
                                  .given = given,
                                  .of = unit,
                                  .env = env};
  return wf_rtl_set_open(&m->rtl, env->n_sm, &request, err);
}

/* ---- what the fabric tells and asks (sim/seam/l1.h; what is NULL there it does not tell) ---- */

/* Kernels' code lies one behind another, in the order in which they are met. */
static uint32_t code_of(gran *m, const ptx_kernel *kernel) {
  for (unsigned i = 0; i < m->n_codes; i++)
    if (m->codes[i].kernel == kernel) return m->codes[i].at;
  const uint32_t at = m->code_end;
  if (m->n_codes < KERNELS) m->codes[m->n_codes++] = (code){kernel, at};
  m->code_end += kernel->n_insts;
  return at;
}

static bool has_work(const side *s) {
  return s->offered || !wf_port_get(s->port.idle);
}

static bool gran_idle(const wf_unit *unit) {
  const gran *m = (const gran *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (has_work(&m->sides[k])) return false;
  return true;
}

static void gran_load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  (void)warp, (void)pc;
  ((gran *)unit)->sides[sm].loads++;
}

/* Nothing goes past. */
static wf_l1_verdict gran_verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  (void)mark;
  ((gran *)unit)->sides[sm].loads--;
  return WF_L1_CACHE;
}

static bool gran_access(wf_unit *unit, const wf_l1_access *a) {
  gran *m = (gran *)unit;
  side *s = &m->sides[a->sm];
  if (s->offered || s->decided_ring.count + s->sent_ring.count == FLIGHT)
    return m->request_waits++, false;
  s->offered = true;
  s->offer = *a;
  return true;
}

static wf_l1_verdict gran_decision(wf_unit *unit, unsigned sm, unsigned *way) {
  side *s = &((gran *)unit)->sides[sm];
  if (!s->decided_ring.count) return WF_L1_WAIT;
  const decision d = s->decided[wf_ring_pop(&s->decided_ring, FLIGHT)];
  *way = d.way;
  s->more = d.more;
  return WF_L1_CACHE;
}

static uint8_t gran_more(wf_unit *unit, unsigned sm) {
  return ((const gran *)unit)->sides[sm].more;
}

static const wf_l1_ops l1_ops = {
    .any_part = true,
    .load = gran_load,
    .verdict = gran_verdict,
    .access = gran_access,
    .decision = gran_decision,
    .more = gran_more,
};

/* ---- one cycle at the ports ---- */

static void drive(gran *m, side *s) {
  const gran_ports *p = &s->port;
  const wf_l1_access *a = &s->offer;
  wf_port_set(p->acc_valid, s->offered);
  if (!s->offered) return;
  s->offered = false;
  if (!a->hit) s->sent[wf_ring_push(&s->sent_ring, FLIGHT)] = a->victim;
  wf_port_set(p->acc_pc, (code_of(m, a->kernel) + a->pc) & ((1u << PC_BITS) - 1));
  wf_port_set(p->acc_line, a->line);
  wf_port_set(p->acc_set, a->set);
  wf_port_set(p->acc_sectors, a->sectors);
  wf_port_set(p->acc_miss, !a->hit);
  wf_port_set(p->acc_way, a->hit ? a->way : a->victim);
  wf_port_set(p->acc_vvalid, a->victim_valid);
  wf_port_set(p->acc_vline, a->victim_line);
}

/* The answer of this edge. */
static bool take(side *s, wf_error *err) {
  if (!wf_port_get(s->port.acc_rsp_valid)) return true;
  if (!s->sent_ring.count)
    return wf_fail(err, WF_EXIT_WRONG, "gran: an answer to a miss that was not made");
  const unsigned way = s->sent[wf_ring_pop(&s->sent_ring, FLIGHT)];
  s->decided[wf_ring_push(&s->decided_ring, FLIGHT)] =
      (decision){way, (uint8_t)wf_port_get(s->port.acc_rsp_more)};
  return true;
}

static bool gran_tick(wf_unit *unit, wf_error *err) {
  gran *m = (gran *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    if (!wf_rtl_due(&m->rtl, has_work(s))) continue;
    drive(m, s);
    if (!wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err) || !take(s, err)) return false;
  }
  m->busy[m->set.kind] = m->rtl.busy;
  return true;
}

static bool gran_kernel_end(wf_unit *unit, wf_error *err) {
  const gran *m = (const gran *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (m->sides[k].loads || m->sides[k].decided_ring.count)
      return wf_fail(err, WF_EXIT_WRONG,
                     "gran: SM %u: %u loads and %u decisions were never asked for", k,
                     m->sides[k].loads, m->sides[k].decided_ring.count);
  return true;
}

static void gran_describe(const wf_unit *unit, FILE *out) {
  const gran *m = (const gran *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (has_work(&m->sides[k]))
      fprintf(out, "gran of SM %u: %u misses wait\n", k, m->sides[k].sent_ring.count);
}

static const wf_unit_counter counters[] = {
    {"request_waits", offsetof(gran, request_waits)},
    {"busy_nap", offsetof(gran, busy[NAP])},
    {"busy_spp", offsetof(gran, busy[SPP])},
    {"busy_bim", offsetof(gran, busy[BIM])},
    {0},
};

#define BUSY                                                                                       \
  "; a cycle with something offered or inside, outside which a clock gate on "                     \
  "idle_o stops it"
static const wf_energy_event energy[] = {
    {"busy_nap", WF_EN_PART_UNIT, 11.5, NULL,
     "make power UNIT=gran CONFIG=paper, NanGate 45 nm" BUSY},
    {"busy_spp", WF_EN_PART_UNIT, 13.5, NULL,
     "make power UNIT=gran CONFIG=spp, NanGate 45 nm" BUSY},
    {"busy_bim", WF_EN_PART_UNIT, 9.9, NULL, "make power UNIT=gran CONFIG=bim, NanGate 45 nm" BUSY},
    {0},
};

static const wf_energy_power power[] = {
    {"static_spp", NULL, "spp", 0.00262, "make synth UNIT=gran CONFIG=spp, NanGate 45 nm: leakage"},
    {"static_bim", NULL, "bim", 0.00144, "make synth UNIT=gran CONFIG=bim, NanGate 45 nm: leakage"},
    {"static", NULL, NULL, 0.00162, "make synth UNIT=gran CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

const wf_unit_class wf_unit_gran = {
    .name = "gran",
    .summary = "granularity predictors: which sectors of a line an L1 miss fetches (nap, spp, bim)",
    .limits = "any SMs, warps and L2 slices; an L1 of 2 to 1024 sets and at most 16 ways",
    .claims = WF_CLAIM_L1,
    .bytes = sizeof(gran),
    .settings = offsetof(gran, set),
    .open = gran_open,
    .destroy = gran_destroy,
    .tick = gran_tick,
    .idle = gran_idle,
    .kernel_end = gran_kernel_end,
    .counters = counters,
    .describe = gran_describe,
    .bind = gran_bind,
    .parameters = parameters,
    .events = energy,
    .power = power,
    .example = "--app hbfs --graph rmat:scale=12 --config fermi16 --set l1.sectored=1",
    .l1 = &l1_ops,
};
