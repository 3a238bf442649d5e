/* The energy model: sums, linearity, static parts, overrides, and the GTX 480's 250 W. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sim/energy/collect.h"
#include "sim/energy/energy.h"
#include "sim/units/registry.h"
#include "sim/units/unit.h"

/* One second of a GTX 480. */
static wf_energy_counts idle_second(void) {
  return (wf_energy_counts){.seconds = 1, .n_sm = 15, .n_channels = 6};
}

static wf_energy compute(const wf_energy_counts *counts) {
  wf_energy_model model;
  wf_energy energy;
  wf_energy_default(&model, WF_ENERGY_GTX480);
  wf_energy_compute(&model, counts, &energy);
  return energy;
}

static double sum_of_parts(const wf_energy *e) {
  double sum = 0;
  for (int i = 0; i < WF_EN_PARTS; i++) sum += e->joules[i];
  return sum;
}

static bool same(double a, double b) {
  return a - b < 1e-9 && b - a < 1e-9;
}

/* SMs at the lower voltage: leakage by its constant, idle clocks by V^2 and frequency, events by
 * V^2, and nothing else. */
static void low_sms_cost_less(void **state) {
  (void)state;
  wf_energy_model m;
  wf_energy high, low;
  wf_energy_default(&m, WF_ENERGY_GTX480);
  wf_energy_counts c = idle_second();
  c.active_lanes = 32;
  c.warp_instructions[PTX_CLASS_INT] = 1e9;
  c.register_reads = c.register_writes = c.shared_accesses = 1e9;
  c.l1_lookups = c.l1_reads = c.l1_fills = 1e9;
  c.l2_lookups = 1e9;
  wf_energy_compute(&m, &c, &high);
  c.low = (wf_energy_pstate){.sm_seconds = 3, .clock = 100.0 / 700};
  wf_energy_compute(&m, &c, &low);
  const double square = 0.55 * 0.55;
  const double saved =
      3 * (m.value[WF_EN_SM_STATIC] * 0.45 + m.value[WF_EN_SM_CLOCK] * (1 - square * 100 / 700));
  assert_true(same(high.total - low.total, saved));
  memcpy(c.low.warp_instructions, c.warp_instructions, sizeof c.warp_instructions);
  c.low.register_reads = c.low.register_writes = c.low.shared_accesses = 1e9;
  c.low.l1_lookups = c.low.l1_reads = c.low.l1_fills = 1e9;
  wf_energy_compute(&m, &c, &low);
  static const wf_energy_part parts[] = {WF_EN_PART_CORE, WF_EN_PART_REGISTERS, WF_EN_PART_L1};
  for (unsigned i = 0; i < 3; i++)
    assert_true(same(low.joules[parts[i]], square * high.joules[parts[i]]));
  assert_true(low.joules[WF_EN_PART_L2] == high.joules[WF_EN_PART_L2]);
  m.value[WF_EN_LOW_LEAK] = 0.16;
  const double before = low.total;
  wf_energy_compute(&m, &c, &low);
  assert_true(same(before - low.total, 3 * m.value[WF_EN_SM_STATIC] * 0.39));
}

static void take_away(wf_energy_pstate *from, const wf_energy_pstate *part) {
  double *f = (double *)from;
  const double *p = (const double *)part;
  for (size_t i = 0; i < sizeof *from / sizeof *f; i++) f[i] -= p[i];
}

/* A run's counts dealt out to SMs and their states: joules of each add up to the run's. */
static void states_of_sms_add_up(void **state) {
  (void)state;
  enum { SMS = 3, LOW = WF_PSTATE_LOW };
  wf_energy_model m;
  wf_energy all;
  wf_energy_default(&m, WF_ENERGY_GTX480);
  wf_energy_counts c = {.seconds = 2, .n_sm = SMS, .n_channels = 6, .active_lanes = 20};
  const double clock = 100.0 / 700, weight[SMS][WF_PSTATES] = {{5, 1, 2}, {0, 3, 1}, {7, 0, 4}};
  wf_energy_pstate counts[SMS][WF_PSTATES], whole = {0};
  double events = 0, idle = 0;
  for (int s = 0; s < SMS; s++) {
    double left = 2;
    for (int p = 0; p < WF_PSTATES; p++) {
      double *v = (double *)&counts[s][p], *sum = (double *)&whole;
      for (size_t i = 0; i < sizeof whole / sizeof *v; i++)
        v[i] = 1e9 * weight[s][p] * (double)(i + 1);
      counts[s][p].clock = clock;
      counts[s][p].sm_seconds = p == LOW ? left : 0.5;
      left -= 0.5;
      for (size_t i = 0; i < sizeof whole / sizeof *v; i++) sum[i] += v[i];
      wf_energy_sm e;
      wf_energy_compute_sm(&m, &counts[s][p], c.active_lanes, p == LOW, &e);
      assert_true(e.events >= 0 && e.clock > 0 && e.leakage > 0);
      events += e.events;
      idle += e.clock + e.leakage;
    }
  }
  memcpy(c.warp_instructions, whole.warp_instructions, sizeof c.warp_instructions);
  c.register_reads = whole.register_reads;
  c.register_writes = whole.register_writes;
  c.shared_accesses = whole.shared_accesses;
  c.l1_lookups = whole.l1_lookups;
  c.l1_reads = whole.l1_reads;
  c.l1_fills = whole.l1_fills;
  c.low = whole;
  for (int s = 0; s < SMS; s++)
    for (int p = 0; p < LOW; p++) take_away(&c.low, &counts[s][p]);
  c.low.clock = clock;
  wf_energy_compute(&m, &c, &all);
  const double of_sms =
      all.joules[WF_EN_PART_CORE] + all.joules[WF_EN_PART_REGISTERS] + all.joules[WF_EN_PART_L1];
  assert_true(fabs(events / of_sms - 1) < 1e-12);
  const double around = c.seconds * (m.value[WF_EN_UNCORE_STATIC] + m.value[WF_EN_BOARD]);
  assert_true(fabs(idle / (all.joules[WF_EN_PART_STATIC] - around) - 1) < 1e-12);
}

/* Every event count of the structure, to be walked through; a unit's are of its class. */
#define N_EVENTS 16
static void events(wf_energy_counts *c, double *at[N_EVENTS]) {
  double *all[N_EVENTS] = {&c->register_reads,
                           &c->register_writes,
                           &c->shared_accesses,
                           &c->l1_lookups,
                           &c->l1_reads,
                           &c->l1_fills,
                           &c->l2_lookups,
                           &c->l2_read_sectors,
                           &c->l2_write_sectors,
                           &c->noc_flits,
                           &c->dram_activates,
                           &c->dram_read_bytes,
                           &c->dram_write_bytes,
                           &c->warp_instructions[PTX_CLASS_INT],
                           &c->warp_instructions[PTX_CLASS_LOAD],
                           &c->warp_instructions[PTX_CLASS_BRANCH]};
  memcpy(at, all, sizeof all);
}

static void zero_counts_leave_static_power_only(void **state) {
  (void)state;
  wf_energy_counts c = idle_second();
  wf_energy e = compute(&c);
  for (int i = 0; i < WF_EN_PARTS; i++) {
    if (i == WF_EN_PART_STATIC || i == WF_EN_PART_DRAM)
      assert_true(e.joules[i] > 0);
    else
      assert_true(e.joules[i] == 0);
  }
  /* Leakage, idle clocks, board and standby DRAM of a GTX 480: well below its TDP, far from
   * nothing. */
  assert_true(e.watts > 80 && e.watts < 140);
  c.seconds = 0;
  e = compute(&c);
  assert_true(e.total == 0 && e.watts == 0);
}

static void every_event_costs_and_costs_linearly(void **state) {
  (void)state;
  double base = compute(&(wf_energy_counts){.active_lanes = 32}).total;
  assert_true(base == 0);
  for (int i = 0; i < N_EVENTS; i++) {
    wf_energy_counts c = {.active_lanes = 32};
    double *at[N_EVENTS];
    events(&c, at);
    *at[i] = 1e6;
    double once = compute(&c).total;
    *at[i] = 3e6;
    double thrice = compute(&c).total;
    assert_true(once > 0);
    assert_true(thrice > once * (3 - 1e-12) && thrice < once * (3 + 1e-12));
  }
}

static unsigned n_rows(const wf_unit_class *cls) {
  unsigned n = 0;
  while (cls->events && cls->events[n].counter) n++;
  return n;
}

/* All units there are, with a count of each kind and an instance of each module. */
static void add_all_units(wf_energy_counts *c) {
  size_t n;
  const wf_unit_class *const *classes = wf_unit_classes(&n);
  assert_true(n <= WF_EN_UNITS);
  for (c->n_units = 0; c->n_units < n; c->n_units++) {
    wf_energy_unit *u = &c->units[c->n_units];
    *u = (wf_energy_unit){.cls = classes[c->n_units]};
    for (unsigned i = 0; i < n_rows(u->cls); i++) u->events[i] = 1e9;
    for (unsigned i = 0; u->cls->power && u->cls->power[i].name; i++) u->instances[i] = 1;
  }
}

/* A stream whose transfers cost nothing beside the cycle that they take: so the fit says. */
static bool is_free(const wf_energy_event *e) {
  static const char stream[] = "_transfers";
  const size_t n = strlen(e->counter), tail = sizeof stream - 1;
  return !e->as && e->pj == 0 && n > tail && !strcmp(e->counter + n - tail, stream);
}

static void units_rows_are_whole(void **state) {
  (void)state;
  size_t n;
  const wf_unit_class *const *classes = wf_unit_classes(&n);
  assert_true(n > 0);
  for (size_t c = 0; c < n; c++) {
    unsigned powers = 0;
    assert_true(n_rows(classes[c]) > 0 && n_rows(classes[c]) <= WF_UNIT_EVENTS);
    for (const wf_energy_event *e = classes[c]->events; e->counter; e++) {
      assert_true(e->part < WF_EN_PARTS && strlen(e->source) > 20);
      assert_true(is_free(e) || !e->pj == !!e->as);
      for (const wf_energy_event *f = classes[c]->events; f < e; f++)
        assert_string_not_equal(e->counter, f->counter); /* counted once */
    }
    for (const wf_energy_power *w = classes[c]->power; w->name; w++, powers++) {
      assert_true(w->watts > 0 && strlen(w->source) > 20);
      /* Of an RTL's other rows the first one counts. */
      assert_int_equal(strncmp(w->name, "gpu_", 4) == 0,
                       strstr(w->source, "the GPU keeps") != NULL);
    }
    assert_true(powers > 0 && powers <= WF_UNIT_POWERS);
  }
}

/* Each event of each unit: by its name in the result, into its part, linearly. */
static void a_unit_costs_what_its_rows_say(void **state) {
  (void)state;
  size_t n;
  const wf_unit_class *const *classes = wf_unit_classes(&n);
  for (size_t c = 0; c < n; c++)
    for (unsigned i = 0; i < n_rows(classes[c]); i++) {
      const wf_energy_event *e = &classes[c]->events[i];
      wf_energy_counts counts = {.n_units = 1, .units = {{.cls = classes[c]}}};
      wf_energy_unit_counter(&counts.units[0], e->counter, 2e6);
      wf_energy_unit_counter(&counts.units[0], "no such counter", 5e6);
      const wf_energy once = compute(&counts);
      assert_true(is_free(e) ? once.total == 0 : once.total > 0);
      assert_true(once.total == once.joules[e->part]);
      assert_true(once.units[0] == once.total);
      if (!e->as && e->pj > 0)
        assert_true(once.total > e->pj * 1.999e-6 && once.total < e->pj * 2.001e-6);
      wf_energy_unit_counter(&counts.units[0], e->counter, 4e6);
      const double thrice = compute(&counts).total;
      assert_true(thrice >= once.total * (3 - 1e-12) && thrice <= once.total * (3 + 1e-12));
    }
}

static void instances_draw_power(void **state) {
  (void)state;
  size_t n;
  const wf_unit_class *const *classes = wf_unit_classes(&n);
  wf_energy_counts c = idle_second();
  assert_true(compute(&c).joules[WF_EN_PART_UNIT] == 0);
  for (size_t k = 0; k < n; k++) {
    c.n_units = 1;
    c.units[0] = (wf_energy_unit){.cls = classes[k], .instances = {15}};
    const double watts = compute(&c).joules[WF_EN_PART_UNIT], one = classes[k]->power[0].watts;
    assert_true(watts > 14.999 * one && watts < 15.001 * one);
  }
}

/* A counter that is none must be told, not billed as zero. */
static void an_unknown_counter_is_an_error(void **state) {
  (void)state;
  static const wf_unit_counter own[] = {{"known", 0}, {0}};
  static const wf_energy_event good[] = {{"known", WF_EN_PART_UNIT, 1, NULL, ""}, {0}},
                               bad[] = {{"renamed", WF_EN_PART_UNIT, 1, NULL, ""}, {0}};
  const wf_unit_class with_good = {.name = "u", .counters = own, .events = good},
                      with_bad = {.name = "u", .counters = own, .events = bad};
  wf_error err = {0};
  assert_true(wf_unit_check(&(wf_unit){.cls = &with_good}, &err));
  assert_false(wf_unit_check(&(wf_unit){.cls = &with_bad}, &err));
  assert_non_null(strstr(err.text, "`renamed`"));
}

static void total_is_sum_of_parts(void **state) {
  (void)state;
  wf_energy_counts c = idle_second();
  add_all_units(&c);
  c.active_lanes = 17.5;
  double *at[N_EVENTS];
  events(&c, at);
  for (int i = 0; i < N_EVENTS; i++) *at[i] = 1e9 * (i + 1);
  wf_energy e = compute(&c);
  double difference = sum_of_parts(&e) - e.total;
  assert_true(difference < 1e-9 * e.total && difference > -1e-9 * e.total);
  for (int i = 0; i < WF_EN_PARTS; i++) assert_true(e.joules[i] > 0);
}

static void more_lanes_cost_more(void **state) {
  (void)state;
  wf_energy_counts c = {.active_lanes = 1};
  c.warp_instructions[PTX_CLASS_FP32] = 1e9;
  double one = compute(&c).total;
  c.active_lanes = 32;
  double all = compute(&c).total;
  /* The issue is paid once, the lanes 32 times. */
  assert_true(all > one && all < 32 * one);
  double lane = (all - one) / 31e9;
  assert_true(lane > 74e-12 && lane < 76e-12);
}

/* All 480 lanes do one fused multiply-add per 1.4 GHz cycle: two warp instructions per SM and 700
 * MHz cycle, the card's peak of 1345 GFLOP/s. Real cards of this kind draw 180 to 250 W then (TDP
 * 250 W). */
static void compute_saturated_run_is_near_tdp(void **state) {
  (void)state;
  wf_energy_counts c = idle_second();
  double idle = compute(&c).watts, issues = 2 * 15 * 700e6;
  c.active_lanes = 32;
  c.warp_instructions[PTX_CLASS_FP32] = issues;
  c.register_reads = 3 * issues;
  c.register_writes = issues;
  double watts = compute(&c).watts;
  assert_true(watts > 180 && watts < 250);
  /* One scheduler only: half of the dynamic power. */
  c.warp_instructions[PTX_CLASS_FP32] /= 2;
  c.register_reads /= 2;
  c.register_writes /= 2;
  double half = compute(&c).watts;
  assert_true(half > idle + 0.49 * (watts - idle) && half < idle + 0.51 * (watts - idle));
}

/* 177.4 GB/s of reads in order, a row of 2 KB each activate: AMD gives 11.7 pJ a bit for GDDR5. */
static void streaming_dram_energy_per_bit(void **state) {
  (void)state;
  wf_energy_counts c = idle_second();
  double idle = compute(&c).joules[WF_EN_PART_DRAM];
  c.dram_read_bytes = 177.4e9;
  c.dram_activates = c.dram_read_bytes / 2048;
  double dynamic = compute(&c).joules[WF_EN_PART_DRAM] - idle;
  double pj_per_bit = dynamic / (8 * c.dram_read_bytes) * 1e12;
  assert_true(pj_per_bit > 11.0 && pj_per_bit < 12.5);
  assert_true(compute(&c).watts > 100 && compute(&c).watts < 250);
}

/* ---- other machines ---- */

/* What is published of a card: watts it may draw (TDP), watts it reads when idle with slow clocks,
 * pJ a bit of its DRAM with an activate of each whole row. */
typedef struct card {
  const char *config;
  wf_energy_class machine;
  double tdp, idle, bit_low, bit_high;
  unsigned fma; /* warp instructions a cycle and SM */
} card;
static const card cards[] = {
    {"gtx480", WF_ENERGY_GTX480, 250, 50, 11.0, 12.5, 2},
    {"rtx3070", WF_ENERGY_RTX3070, 220, 12, 6.9, 8.1, 4}, /* Micron: GDDR6 7.5 */
    {"a100", WF_ENERGY_A100, 400, 52, 3.5, 4.5, 2},       /* O'Connor et al. 2017: HBM2 3.9 */
    {"h100", WF_ENERGY_H100, 700, 70, 2.7, 3.9, 4},       /* less than HBM2 */
    {"rtx4090", WF_ENERGY_RTX4090, 450, 20, 6.7, 7.8, 4}, /* Micron: GDDR6X 7.25 */
};

static wf_energy compute_on(const card *c, const wf_gpu_config *g, double fma, double bytes) {
  wf_energy_model model;
  wf_energy energy;
  wf_energy_counts counts = {.seconds = 1,
                             .n_sm = g->n_sm,
                             .n_channels = g->mem.n_part,
                             .active_lanes = 32,
                             .register_reads = 3 * fma,
                             .register_writes = fma,
                             .dram_read_bytes = bytes,
                             .dram_activates = bytes / g->mem.dram_row_bytes};
  counts.warp_instructions[PTX_CLASS_FP32] = fma;
  wf_energy_default(&model, c->machine);
  wf_energy_compute(&model, &counts, &energy);
  return energy;
}

/* With clocks but without work more than the card's idle reading, at most half of what it may draw
 * (a GTX 480's leakage; a third of it later); all lanes at work: half of it and more, 1.1 times it
 * at most, where the card would slow down. */
static void machines_draw_what_cards_do(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
    const card *c = &cards[i];
    wf_gpu_config g;
    wf_error err = {0};
    assert_true(wf_gpu_config_load(&g, c->config, &err));
    assert_int_equal(g.energy_class, c->machine);
    const double most = c->machine == WF_ENERGY_GTX480 ? 0.5 : 0.33;
    const double idle = compute_on(c, &g, 0, 0).watts;
    const double busy = compute_on(c, &g, 1e6 * g.mem.core_mhz * g.n_sm * c->fma, 0).watts;
    const double bit = (compute_on(c, &g, 0, 1e12).joules[WF_EN_PART_DRAM] -
                        compute_on(c, &g, 0, 0).joules[WF_EN_PART_DRAM]) /
                       8;
    print_message("%s: idle %.0f W, all lanes %.0f W of %.0f, DRAM %.1f pJ a bit\n", c->config,
                  idle, busy, c->tdp, bit);
    assert_true(idle > c->idle && idle < most * c->tdp);
    assert_true(busy > 0.5 * c->tdp && busy < 1.1 * c->tdp);
    assert_true(bit > c->bit_low && bit < c->bit_high);
  }
}

/* A node leaves less of each constant, of wires most; and nothing of the GTX 480's is scaled. */
static void nodes_scale_what_is_on_the_die(void **state) {
  (void)state;
  wf_energy_model base, m;
  wf_energy_default(&base, WF_ENERGY_GTX480);
  assert_true(base.value[WF_EN_REGISTER_READ] == 258 && base.value[WF_EN_LANE_FP32] == 75);
  assert_true(base.value[WF_EN_UNIT_PJ] == 1 && base.value[WF_EN_UNIT_WATTS] == 1);
  for (wf_energy_class machine = WF_ENERGY_RTX3070; machine < WF_ENERGY_CLASSES; machine++) {
    wf_energy_default(&m, machine);
    for (int c = 0; c < WF_EN_CONSTANTS; c++) {
      assert_true(strlen(wf_energy_constant_source(c, machine)) > 10);
      if (c < WF_EN_DRAM_ACTIVATE) assert_true(m.value[c] > 0 && m.value[c] < base.value[c]);
    }
    assert_true(m.value[WF_EN_NOC_FLIT] / base.value[WF_EN_NOC_FLIT] >
                m.value[WF_EN_LANE_FP32] / base.value[WF_EN_LANE_FP32]);
    assert_true(m.value[WF_EN_UNIT_PJ] < 1 && m.value[WF_EN_LOW_VOLTS] < 1);
  }
}

static void refused(const char *key, const char *value, const char *expected) {
  wf_options set = {0};
  wf_energy_model model;
  wf_error err = {0};
  wf_options_put(&set, key, value);
  assert_false(wf_energy_read(&model, WF_ENERGY_GTX480, &set, &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, expected));
  wf_options_free(&set);
}

static void constants_are_named_sourced_and_can_be_set(void **state) {
  (void)state;
  for (int i = 0; i < WF_EN_CONSTANTS; i++) {
    assert_non_null(wf_energy_constant_name(i));
    assert_string_equal(wf_energy_constant_unit(i), i < WF_EN_SM_STATIC   ? "pJ"
                                                    : i < WF_EN_LOW_VOLTS ? "W"
                                                                          : "ratio");
    assert_true(strlen(wf_energy_constant_source(i, WF_ENERGY_GTX480)) > 20);
    for (int j = 0; j < i; j++)
      assert_string_not_equal(wf_energy_constant_name(i), wf_energy_constant_name(j));
  }
  static const char *const bad[] = {"", "x", "-1", "1 W", "nan", "inf"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    refused("energy.dram_activate", bad[i], "energy.dram_activate=");
  refused("energy.dram_activat", "1", "no such constant");
  wf_options set = {0};
  wf_energy_model model;
  wf_error err = {0};
  wf_options_put(&set, "energy.dram_activate", "5000");
  assert_true(wf_energy_read(&model, WF_ENERGY_GTX480, &set, &err));
  assert_true(model.value[WF_EN_DRAM_ACTIVATE] == 5000);
  wf_options_free(&set);
}

static void a_units_rows_can_be_set(void **state) {
  (void)state;
  size_t n;
  const wf_unit_class *const *classes = wf_unit_classes(&n);
  for (size_t c = 0; c < n; c++) {
    char key[128];
    wf_options set = {0};
    wf_energy_model model;
    wf_energy energy;
    wf_error err = {0};
    snprintf(key, sizeof key, "energy.%s.%s", classes[c]->name, classes[c]->events[0].counter);
    refused(key, "-1", key);
    wf_options_put(&set, key, "7");
    assert_true(wf_energy_read(&model, WF_ENERGY_GTX480, &set, &err));
    wf_energy_compute(
        &model, &(wf_energy_counts){.n_units = 1, .units = {{.cls = classes[c], .events = {1e12}}}},
        &energy);
    assert_true(energy.total > 6.999 && energy.total < 7.001);
    wf_options_free(&set);
    snprintf(key, sizeof key, "energy.%s.nothing", classes[c]->name);
    refused(key, "1", "no such constant");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machines_draw_what_cards_do),
      cmocka_unit_test(nodes_scale_what_is_on_the_die),
      cmocka_unit_test(zero_counts_leave_static_power_only),
      cmocka_unit_test(every_event_costs_and_costs_linearly),
      cmocka_unit_test(total_is_sum_of_parts),
      cmocka_unit_test(more_lanes_cost_more),
      cmocka_unit_test(units_rows_are_whole),
      cmocka_unit_test(a_unit_costs_what_its_rows_say),
      cmocka_unit_test(instances_draw_power),
      cmocka_unit_test(an_unknown_counter_is_an_error),
      cmocka_unit_test(compute_saturated_run_is_near_tdp),
      cmocka_unit_test(streaming_dram_energy_per_bit),
      cmocka_unit_test(low_sms_cost_less),
      cmocka_unit_test(states_of_sms_add_up),
      cmocka_unit_test(constants_are_named_sourced_and_can_be_set),
      cmocka_unit_test(a_units_rows_can_be_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
