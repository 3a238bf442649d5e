/* Counts times constants; see energy.h. */
#include "sim/energy/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/energy/energy_table.h"
#include "sim/units/registry.h"

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
static const wf_energy_own_row *own_row(wf_energy_class machine, wf_energy_constant c) {
  for (const wf_energy_own_row *own = wf_energy_classes[machine].own; own->source; own++)
    if (own->constant == c) return own;
  return NULL;
}

const char *wf_energy_constant_source(wf_energy_constant c, wf_energy_class machine) {
  const wf_energy_own_row *own = own_row(machine, c);
  return own ? own->source : wf_energy_table[c].source;
}

/* ---- constants ---- */

/* Of the table's, on the machine's node; DRAM, watts and ratios have none. */
static double on_node(wf_energy_constant c, const wf_energy_class_row *node) {
  const wf_energy_constant_row *row = &wf_energy_table[c];
  if (c >= WF_EN_DRAM_ACTIVATE) return row->value;
  const double logic = row->value - row->ram - row->wire;
  return logic * (c < WF_EN_ISSUE ? node->lane : node->logic) + row->ram * node->ram +
         row->wire * node->wire[row->wires];
}

void wf_energy_default(wf_energy_model *model, wf_energy_class machine) {
  *model = (wf_energy_model){0};
  for (int i = 0; i < WF_EN_CONSTANTS; i++) {
    const wf_energy_own_row *own = own_row(machine, i);
    model->value[i] = own ? own->value : on_node(i, &wf_energy_classes[machine]);
  }
}

/* WF_EN_CONSTANTS: none of this name. */
static int find_constant(const char *name) {
  int i = 0;
  while (i < WF_EN_CONSTANTS && strcmp(wf_energy_table[i].name, name)) i++;
  return i;
}

static const char prefix[] = "energy.";

static bool parse(const wf_option *o, const char *unit, double *value, wf_error *err) {
  char *end;
  *value = strtod(o->value, &end);
  if (end != o->value && !*end && isfinite(*value) && *value >= 0) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s=%s: must be a number of %s, 0 or more", o->key,
                 o->value, unit);
}

/* "pJ" or "W" of a row named <unit>.<counter or name>; NULL: there is none. */
static const char *unit_row(const char *name) {
  size_t n;
  const wf_unit_class *const *classes = wf_unit_classes(&n);
  for (size_t i = 0; i < n; i++) {
    const size_t length = strlen(classes[i]->name);
    if (strncmp(name, classes[i]->name, length) || name[length] != '.') continue;
    const char *row = name + length + 1;
    for (const wf_energy_event *e = classes[i]->events; e && e->counter; e++)
      if (strcmp(e->counter, row) == 0) return "pJ";
    for (const wf_energy_power *w = classes[i]->power; w && w->name; w++)
      if (strcmp(w->name, row) == 0) return "W";
  }
  return NULL;
}

static bool take(wf_energy_model *model, const wf_option *o, wf_error *err) {
  const char *name = o->key + sizeof prefix - 1, *of_unit = unit_row(name);
  const int constant = find_constant(name);
  double value;
  if (wf_gpu_config_has(o->key)) return true;         /* which machine's they are */
  if (of_unit) return parse(o, of_unit, &value, err); /* read where it is used */
  if (constant < WF_EN_CONSTANTS)
    return parse(o, wf_energy_table[constant].unit, &model->value[constant], err);
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s: no such constant; energy_table.c lists them, for example energy.%s, and the "
                 "classes of units, by <unit>.<counter>",
                 o->key, wf_energy_table[WF_EN_DRAM_ACTIVATE].name);
}

/* Constants of the machine that units name. */
static bool check_units(wf_error *err) {
  size_t n;
  const wf_unit_class *const *classes = wf_unit_classes(&n);
  for (size_t i = 0; i < n; i++)
    for (const wf_energy_event *e = classes[i]->events; e && e->counter; e++)
      if (e->as && find_constant(e->as) == WF_EN_CONSTANTS)
        return wf_fail(err, WF_EXIT_WRONG, "unit %s: %s costs as `%s`: no such constant",
                       classes[i]->name, e->counter, e->as);
  return true;
}

bool wf_energy_read(wf_energy_model *model, wf_energy_class machine, const wf_options *settings,
                    wf_error *err) {
  wf_energy_default(model, machine);
  model->settings = settings;
  for (size_t i = 0; i < settings->count; i++) {
    const wf_option *o = &settings->items[i];
    if (strncmp(o->key, prefix, sizeof prefix - 1) == 0 && !take(model, o, err)) return false;
  }
  return check_units(err);
}

/* What a row of a unit says, or the settings in its place. */
static double value_of(const wf_energy_model *m, const char *unit, const char *row, double preset) {
  char key[128];
  snprintf(key, sizeof key, "%s%s.%s", prefix, unit, row);
  const char *text = m->settings ? wf_options_text(m->settings, key) : NULL;
  return text ? strtod(text, NULL) : preset;
}

/* ---- sums ---- */

/* Which constant a class's lanes cost; WF_EN_CONSTANTS: none beyond the issue. */
static const wf_energy_constant lane_cost[PTX_CLASS_COUNT] = {
    [PTX_CLASS_INT] = WF_EN_LANE_INT,         [PTX_CLASS_IMUL] = WF_EN_LANE_IMUL,
    [PTX_CLASS_IDIV] = WF_EN_LANE_IDIV,       [PTX_CLASS_FP32] = WF_EN_LANE_FP32,
    [PTX_CLASS_FP64] = WF_EN_LANE_FP64,       [PTX_CLASS_SFU] = WF_EN_LANE_SFU,
    [PTX_CLASS_LOAD] = WF_EN_LANE_MEMORY,     [PTX_CLASS_STORE] = WF_EN_LANE_MEMORY,
    [PTX_CLASS_ATOMIC] = WF_EN_LANE_MEMORY,   [PTX_CLASS_BRANCH] = WF_EN_CONSTANTS,
    [PTX_CLASS_BARRIER] = WF_EN_CONSTANTS,    [PTX_CLASS_FENCE] = WF_EN_CONSTANTS,
    [PTX_CLASS_EXIT] = WF_EN_CONSTANTS,       [PTX_CLASS_CUSTOM] = WF_EN_LANE_MEMORY,
    [PTX_CLASS_LAUNCH] = WF_EN_LANE_MEMORY,   [PTX_CLASS_COPY] = WF_EN_LANE_MEMORY,
    [PTX_CLASS_COPY_GROUP] = WF_EN_CONSTANTS,
};

static double core_pj(const double *v, const wf_energy_counts *c) {
  double pj = 0;
  for (int i = 0; i < PTX_CLASS_COUNT; i++) {
    double lanes = lane_cost[i] == WF_EN_CONSTANTS ? 0 : v[lane_cost[i]] * c->active_lanes;
    pj += c->warp_instructions[i] * (v[WF_EN_ISSUE] + lanes);
  }
  return pj;
}

static double dram_pj(const double *v, const wf_energy_counts *c) {
  return c->dram_activates * v[WF_EN_DRAM_ACTIVATE] + c->dram_read_bytes * v[WF_EN_DRAM_READ_BYTE] +
         c->dram_write_bytes * v[WF_EN_DRAM_WRITE_BYTE] +
         (c->dram_read_bytes + c->dram_write_bytes) *
             (v[WF_EN_DRAM_IO_BYTE] + v[WF_EN_DRAM_PHY_BYTE]);
}

/* Adds what the unit costs to the parts; returns all of it, in joules. */
static double add_unit(const wf_energy_model *m, const wf_energy_unit *u, double seconds,
                       double joules[WF_EN_PARTS]) {
  double all = 0;
  for (unsigned i = 0; u->cls->events && u->cls->events[i].counter; i++) {
    const wf_energy_event *e = &u->cls->events[i];
    const double usual = e->as ? m->value[find_constant(e->as)] : e->pj * m->value[WF_EN_UNIT_PJ];
    const double j = 1e-12 * u->events[i] * value_of(m, u->cls->name, e->counter, usual);
    joules[e->part] += j;
    all += j;
  }
  for (unsigned i = 0; u->cls->power && u->cls->power[i].name; i++) {
    const wf_energy_power *w = &u->cls->power[i];
    const double j = seconds * u->instances[i] *
                     value_of(m, u->cls->name, w->name, w->watts * m->value[WF_EN_UNIT_WATTS]);
    joules[WF_EN_PART_UNIT] += j;
    all += j;
  }
  return all;
}

/* SMs' events in a P-state, as counts. */
static wf_energy_counts counts_of_pstate(const wf_energy_pstate *p, double active_lanes) {
  wf_energy_counts counts = {.active_lanes = active_lanes,
                             .register_reads = p->register_reads,
                             .register_writes = p->register_writes,
                             .shared_accesses = p->shared_accesses,
                             .l1_lookups = p->l1_lookups,
                             .l1_reads = p->l1_reads,
                             .l1_fills = p->l1_fills};
  memcpy(counts.warp_instructions, p->warp_instructions, sizeof counts.warp_instructions);
  return counts;
}

static double registers_pj(const double *v, const wf_energy_counts *c) {
  return c->register_reads * v[WF_EN_REGISTER_READ] + c->register_writes * v[WF_EN_REGISTER_WRITE];
}
static double l1_pj(const double *v, const wf_energy_counts *c) {
  return c->shared_accesses * v[WF_EN_SHARED_ACCESS] + c->l1_lookups * v[WF_EN_L1_TAG] +
         c->l1_reads * v[WF_EN_L1_READ] + c->l1_fills * v[WF_EN_L1_FILL];
}

/* What is saved of the parts by SMs at the lower voltage. */
static void subtract_low(const double *v, const wf_energy_counts *c, double joules[WF_EN_PARTS]) {
  const wf_energy_counts low = counts_of_pstate(&c->low, c->active_lanes);
  const double square = v[WF_EN_LOW_VOLTS] * v[WF_EN_LOW_VOLTS], saved = 1e-12 * (1 - square);
  joules[WF_EN_PART_CORE] -= saved * core_pj(v, &low);
  joules[WF_EN_PART_REGISTERS] -= saved * registers_pj(v, &low);
  joules[WF_EN_PART_L1] -= saved * l1_pj(v, &low);
  joules[WF_EN_PART_STATIC] -=
      c->low.sm_seconds * (v[WF_EN_SM_STATIC] * (1 - v[WF_EN_LOW_LEAK]) +
                           v[WF_EN_SM_CLOCK] * (1 - square * c->low.clock));
}

void wf_energy_compute_sm(const wf_energy_model *model, const wf_energy_pstate *p,
                          double active_lanes, bool low, wf_energy_sm *energy) {
  const double *v = model->value, square = low ? v[WF_EN_LOW_VOLTS] * v[WF_EN_LOW_VOLTS] : 1;
  const wf_energy_counts c = counts_of_pstate(p, active_lanes);
  *energy = (wf_energy_sm){
      .events = 1e-12 * square * (core_pj(v, &c) + registers_pj(v, &c) + l1_pj(v, &c)),
      .clock = p->sm_seconds * v[WF_EN_SM_CLOCK] * (low ? square * p->clock : 1),
      .leakage = p->sm_seconds * v[WF_EN_SM_STATIC] * (low ? v[WF_EN_LOW_LEAK] : 1)};
}

void wf_energy_compute(const wf_energy_model *model, const wf_energy_counts *c, wf_energy *energy) {
  const double *v = model->value, pico = 1e-12;
  double *j = energy->joules;
  j[WF_EN_PART_CORE] = pico * core_pj(v, c);
  j[WF_EN_PART_REGISTERS] = pico * registers_pj(v, c);
  j[WF_EN_PART_L1] = pico * l1_pj(v, c);
  j[WF_EN_PART_L2] =
      pico * (c->l2_lookups * v[WF_EN_L2_TAG] + c->l2_read_sectors * v[WF_EN_L2_READ] +
              c->l2_write_sectors * v[WF_EN_L2_WRITE]);
  j[WF_EN_PART_NOC] = pico * c->noc_flits * v[WF_EN_NOC_FLIT];
  j[WF_EN_PART_DRAM] = pico * dram_pj(v, c) + c->seconds * c->n_channels * v[WF_EN_DRAM_BACKGROUND];
  j[WF_EN_PART_UNIT] = 0;
  j[WF_EN_PART_STATIC] = c->seconds * (c->n_sm * (v[WF_EN_SM_STATIC] + v[WF_EN_SM_CLOCK]) +
                                       v[WF_EN_UNCORE_STATIC] + v[WF_EN_BOARD]);
  if (c->low.sm_seconds > 0) subtract_low(v, c, j);
  for (unsigned u = 0; u < c->n_units; u++)
    energy->units[u] = add_unit(model, &c->units[u], c->seconds, j);
  energy->total = 0;
  for (int i = 0; i < WF_EN_PARTS; i++) energy->total += j[i];
  energy->watts = c->seconds > 0 ? energy->total / c->seconds : 0;
}
