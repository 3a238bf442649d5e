/* The energy model: sums, linearity, static parts, overrides, and the GTX 480's 250 W. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "sim/energy/collect.h"
#include "sim/energy/energy.h"

/* One second of a GTX 480. */
static wf_energy_counts idle_second(void) {
  return (wf_energy_counts){.seconds = 1, .n_sm = 15, .n_channels = 6};
}

static wf_energy compute(const wf_energy_counts *counts) {
  wf_energy_model model;
  wf_energy energy;
  wf_energy_default(&model);
  wf_energy_compute(&model, counts, &energy);
  return energy;
}

static double sum_of_parts(const wf_energy *e) {
  double sum = 0;
  for (int i = 0; i < WF_EN_PARTS; i++) sum += e->joules[i];
  return sum;
}

/* Every event count of the structure, to be walked through. */
#define N_EVENTS 29
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
                           &c->unit_lookups,
                           &c->unit_nodes,
                           &c->unit_lines,
                           &c->unit_commands,
                           &c->apcm_requests,
                           &c->dtbl_edges,
                           &c->warp_instructions[PTX_CLASS_INT],
                           &c->warp_instructions[PTX_CLASS_LOAD],
                           &c->warp_instructions[PTX_CLASS_BRANCH],
                           &c->teleport_edges,
                           &c->teleport_ops,
                           &c->teleport_controller,
                           &c->spref_instructions,
                           &c->injected,
                           &c->injected_load_lanes,
                           &c->injected_imul_lanes};
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
  double base = compute(&(wf_energy_counts){.has_mff = true, .active_lanes = 32}).total;
  assert_true(base == 0);
  for (int i = 0; i < N_EVENTS; i++) {
    wf_energy_counts c = {.has_mff = true, .active_lanes = 32};
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

static void total_is_sum_of_parts(void **state) {
  (void)state;
  wf_energy_counts c = idle_second();
  c.has_mff = true;
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

static void a_unit_that_is_absent_costs_nothing(void **state) {
  (void)state;
  wf_energy_counts c = idle_second();
  assert_true(compute(&c).joules[WF_EN_PART_UNIT] == 0);
  c.has_dtbl = true;
  double dtbl = compute(&c).joules[WF_EN_PART_UNIT];
  c.has_apcm = true; /* one for each SM */
  double both = compute(&c).joules[WF_EN_PART_UNIT];
  assert_true(dtbl > 0.032 && dtbl < 0.034 && both - dtbl > 0.0179 && both - dtbl < 0.0181);
  c.has_teleport = true; /* one for each SM */
  const double three = compute(&c).joules[WF_EN_PART_UNIT];
  assert_true(three - both > 0.070 && three - both < 0.071);
  c.has_mff = true;
  assert_true(compute(&c).joules[WF_EN_PART_UNIT] > three);
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

static void constants_are_named_sourced_and_can_be_set(void **state) {
  (void)state;
  for (int i = 0; i < WF_EN_CONSTANTS; i++) {
    assert_non_null(wf_energy_constant_name(i));
    assert_true(strcmp(wf_energy_constant_unit(i), i < WF_EN_SM_STATIC ? "pJ" : "W") == 0);
    assert_true(strlen(wf_energy_constant_source(i)) > 20);
    for (int j = 0; j < i; j++)
      assert_string_not_equal(wf_energy_constant_name(i), wf_energy_constant_name(j));
  }
  wf_energy_model model;
  wf_energy_default(&model);
  wf_error err = {0};
  assert_true(wf_energy_set(&model, "dram_activate", "5000", &err));
  assert_true(model.value[WF_EN_DRAM_ACTIVATE] == 5000);
  static const char *const bad[] = {"", "x", "-1", "1 W", "nan", "inf"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    err = (wf_error){0};
    assert_false(wf_energy_set(&model, "dram_activate", bad[i], &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    assert_non_null(strstr(err.text, "energy.dram_activate="));
  }
  assert_false(wf_energy_set(&model, "dram_activat", "1", &err));
  assert_non_null(strstr(err.text, "no such constant"));
  assert_true(model.value[WF_EN_DRAM_ACTIVATE] == 5000);
}

static void unit_counters_are_taken_by_name(void **state) {
  (void)state;
  wf_energy_counts c = {0};
  wf_energy_unit mff = {"mff", &c}, apcm = {"apcm", &c}, dtbl = {"dtbl", &c},
                 teleport = {"teleport", &c};
  wf_energy_unit_counter(&mff, "c_lookups", 3);
  wf_energy_unit_counter(&mff, "v_lookups", 4);
  wf_energy_unit_counter(&mff, "elements", 5);
  wf_energy_unit_counter(&mff, "blocks_read", 6);
  wf_energy_unit_counter(&mff, "commands", 7);
  wf_energy_unit_counter(&mff, "busy_cycles", 1000);
  wf_energy_unit_counter(&dtbl, "commands", 1000); /* another's counter of the same name */
  wf_energy_unit_counter(&dtbl, "clocked_cycles", 8);
  wf_energy_unit_counter(&apcm, "loads", 9);
  wf_energy_unit_counter(&apcm, "accesses", 10);
  assert_true(c.unit_lookups == 7 && c.unit_nodes == 5 && c.unit_lines == 6 &&
              c.unit_commands == 7);
  assert_true(c.dtbl_edges == 8 && c.apcm_requests == 19);
  wf_energy_unit_counter(&teleport, "asks", 1);
  wf_energy_unit_counter(&teleport, "loads", 2);
  wf_energy_unit_counter(&teleport, "stores", 4);
  wf_energy_unit_counter(&teleport, "clocked_buffers", 8);
  wf_energy_unit_counter(&teleport, "clocked_cycles", 16);
  wf_energy_unit_counter(&teleport, "fetched", 32);
  wf_energy_unit_counter(&teleport, "found", 64);
  assert_true(c.teleport_ops == 7 && c.teleport_edges == 8 && c.teleport_controller == 16 &&
              c.shared_accesses == 96);
  wf_energy_unit spref = {"spref", &c};
  wf_energy_unit_counter(&spref, "sent", 11);
  wf_energy_unit_counter(&spref, "address_adds", 12);
  wf_energy_unit_counter(&spref, "operands_read", 13);
  wf_energy_unit_counter(&spref, "instructions", 14);
  assert_true(c.injected == 23 && c.register_reads == 13 && c.spref_instructions == 14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zero_counts_leave_static_power_only),
      cmocka_unit_test(every_event_costs_and_costs_linearly),
      cmocka_unit_test(total_is_sum_of_parts),
      cmocka_unit_test(more_lanes_cost_more),
      cmocka_unit_test(a_unit_that_is_absent_costs_nothing),
      cmocka_unit_test(compute_saturated_run_is_near_tdp),
      cmocka_unit_test(streaming_dram_energy_per_bit),
      cmocka_unit_test(constants_are_named_sourced_and_can_be_set),
      cmocka_unit_test(unit_counters_are_taken_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
