/* Counts times constants; see energy.h. */
#include "sim/energy/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/energy/energy_table.h"

static const char *const part_names[WF_EN_PARTS] = {"core", "registers", "l1",   "l2",
                                                    "noc",  "dram",      "unit", "static"};

const char *wf_energy_part_name(wf_energy_part part) {
  return part_names[part];
}
const char *wf_energy_constant_name(wf_energy_constant c) {
  return wf_energy_table[c].name;
}
const char *wf_energy_constant_unit(wf_energy_constant c) {
  return wf_energy_table[c].unit;
}
const char *wf_energy_constant_source(wf_energy_constant c) {
  return wf_energy_table[c].source;
}

void wf_energy_default(wf_energy_model *model) {
  for (int i = 0; i < WF_EN_CONSTANTS; i++) model->value[i] = wf_energy_table[i].value;
}

bool wf_energy_set(wf_energy_model *model, const char *key, const char *value, wf_error *err) {
  for (int i = 0; i < WF_EN_CONSTANTS; i++) {
    if (strcmp(wf_energy_table[i].name, key) != 0) continue;
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end || !isfinite(number) || number < 0)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "energy.%s=%s: must be a number of %s, 0 or more", key,
                     value, wf_energy_table[i].unit);
    model->value[i] = number;
    return true;
  }
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "energy.%s: no such constant; energy_table.c lists them, for example energy.%s",
                 key, wf_energy_table[WF_EN_DRAM_ACTIVATE].name);
}

/* Which constant a class's lanes cost; WF_EN_CONSTANTS: none beyond the issue. */
static const wf_energy_constant lane_cost[PTX_CLASS_COUNT] = {
    [PTX_CLASS_INT] = WF_EN_LANE_INT,       [PTX_CLASS_IMUL] = WF_EN_LANE_IMUL,
    [PTX_CLASS_IDIV] = WF_EN_LANE_IDIV,     [PTX_CLASS_FP32] = WF_EN_LANE_FP32,
    [PTX_CLASS_FP64] = WF_EN_LANE_FP64,     [PTX_CLASS_SFU] = WF_EN_LANE_SFU,
    [PTX_CLASS_LOAD] = WF_EN_LANE_MEMORY,   [PTX_CLASS_STORE] = WF_EN_LANE_MEMORY,
    [PTX_CLASS_ATOMIC] = WF_EN_LANE_MEMORY, [PTX_CLASS_BRANCH] = WF_EN_CONSTANTS,
    [PTX_CLASS_BARRIER] = WF_EN_CONSTANTS,  [PTX_CLASS_FENCE] = WF_EN_CONSTANTS,
    [PTX_CLASS_EXIT] = WF_EN_CONSTANTS,     [PTX_CLASS_CUSTOM] = WF_EN_LANE_MEMORY,
    [PTX_CLASS_LAUNCH] = WF_EN_LANE_MEMORY,
};

static double core_pj(const double *v, const wf_energy_counts *c) {
  double pj = 0;
  for (int i = 0; i < PTX_CLASS_COUNT; i++) {
    double lanes = lane_cost[i] == WF_EN_CONSTANTS ? 0 : v[lane_cost[i]] * c->active_lanes;
    pj += c->warp_instructions[i] * (v[WF_EN_ISSUE] + lanes);
  }
  return pj + c->injected * v[WF_EN_ISSUE] + c->injected_load_lanes * v[WF_EN_LANE_MEMORY] +
         c->injected_imul_lanes * v[WF_EN_LANE_IMUL];
}

static double dram_pj(const double *v, const wf_energy_counts *c) {
  return c->dram_activates * v[WF_EN_DRAM_ACTIVATE] + c->dram_read_bytes * v[WF_EN_DRAM_READ_BYTE] +
         c->dram_write_bytes * v[WF_EN_DRAM_WRITE_BYTE] +
         (c->dram_read_bytes + c->dram_write_bytes) *
             (v[WF_EN_DRAM_IO_BYTE] + v[WF_EN_DRAM_PHY_BYTE]);
}

static double unit_pj(const double *v, const wf_energy_counts *c) {
  return c->unit_lookups * v[WF_EN_UNIT_LOOKUP] + c->unit_nodes * v[WF_EN_UNIT_NODE] +
         c->unit_lines * v[WF_EN_UNIT_LINE] + c->unit_commands * v[WF_EN_UNIT_COMMAND] +
         c->apcm_requests * v[WF_EN_APCM_REQUEST] + c->dtbl_edges * v[WF_EN_DTBL_EDGE] +
         c->teleport_edges * v[WF_EN_TELEPORT_EDGE] + c->teleport_ops * v[WF_EN_TELEPORT_OP] +
         c->teleport_controller * v[WF_EN_TELEPORT_CONTROLLER] +
         c->spref_instructions * v[WF_EN_SPREF_INSTRUCTION];
}

static double unit_watts(const double *v, const wf_energy_counts *c) {
  return c->has_mff * v[WF_EN_UNIT_STATIC] + c->has_apcm * c->n_sm * v[WF_EN_APCM_STATIC] +
         c->has_dtbl * v[WF_EN_DTBL_STATIC] + c->has_teleport * c->n_sm * v[WF_EN_TELEPORT_STATIC] +
         c->has_spref * c->n_sm * v[WF_EN_SPREF_STATIC];
}

void wf_energy_compute(const wf_energy_model *model, const wf_energy_counts *c, wf_energy *energy) {
  const double *v = model->value, pico = 1e-12;
  double *j = energy->joules;
  j[WF_EN_PART_CORE] = pico * core_pj(v, c);
  j[WF_EN_PART_REGISTERS] = pico * (c->register_reads * v[WF_EN_REGISTER_READ] +
                                    c->register_writes * v[WF_EN_REGISTER_WRITE]);
  j[WF_EN_PART_L1] =
      pico * (c->shared_accesses * v[WF_EN_SHARED_ACCESS] + c->l1_lookups * v[WF_EN_L1_TAG] +
              c->l1_reads * v[WF_EN_L1_READ] + c->l1_fills * v[WF_EN_L1_FILL]);
  j[WF_EN_PART_L2] =
      pico * (c->l2_lookups * v[WF_EN_L2_TAG] + c->l2_read_sectors * v[WF_EN_L2_READ] +
              c->l2_write_sectors * v[WF_EN_L2_WRITE]);
  j[WF_EN_PART_NOC] = pico * c->noc_flits * v[WF_EN_NOC_FLIT];
  j[WF_EN_PART_DRAM] = pico * dram_pj(v, c) + c->seconds * c->n_channels * v[WF_EN_DRAM_BACKGROUND];
  j[WF_EN_PART_UNIT] = pico * unit_pj(v, c) + c->seconds * unit_watts(v, c);
  j[WF_EN_PART_STATIC] = c->seconds * (c->n_sm * (v[WF_EN_SM_STATIC] + v[WF_EN_SM_CLOCK]) +
                                       v[WF_EN_UNCORE_STATIC] + v[WF_EN_BOARD]);
  energy->total = 0;
  for (int i = 0; i < WF_EN_PARTS; i++) energy->total += j[i];
  energy->watts = c->seconds > 0 ? energy->total / c->seconds : 0;
}
