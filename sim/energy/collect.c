/* From counters to counts; see collect.h. */
#include "sim/energy/collect.h"

#include <string.h>

#include "sim/units/rtl_set.h"
#include "sim/units/unit.h"

enum { LINE_SECTORS = 4, STORE_SECTORS = 2, FLIT_BYTES = 32 };

void wf_energy_unit_counter(void *user, const char *name, double value) {
  wf_energy_unit *unit = user;
  const wf_energy_event *e = unit->cls->events;
  for (unsigned i = 0; e && e[i].counter; i++)
    if (strcmp(e[i].counter, name) == 0) unit->events[i] += value;
}

static bool is_of(const wf_energy_power *w, const wf_rtl_set *set) {
  return (!w->rtl || strcmp(w->rtl, set->unit) == 0) &&
         (!w->config || strcmp(w->config, set->config) == 0);
}

static bool is_beside(const wf_energy_power *w) {
  return strncmp(w->name, "gpu_", 4) == 0;
}

/* Each instance has the power of the first row that is of it, and of those beside. */
static void count_instances(const wf_unit *unit, wf_energy_unit *to) {
  const wf_energy_power *power = to->cls->power;
  for (unsigned r = 0; r < WF_UNIT_RTL && unit->rtl[r]; r++) {
    bool found = false;
    for (unsigned i = 0; power && power[i].name; i++) {
      if (!is_of(&power[i], unit->rtl[r]) || (found && !is_beside(&power[i]))) continue;
      to->instances[i] += unit->rtl[r]->n;
      found |= !is_beside(&power[i]);
    }
  }
}

static void collect_units(const wf_gpu *gpu, bool running, wf_energy_counts *c) {
  wf_unit *unit;
  for (; c->n_units < WF_EN_UNITS && (unit = wf_gpu_unit(gpu, c->n_units)); c->n_units++) {
    wf_energy_unit *one = &c->units[c->n_units];
    *one = (wf_energy_unit){.cls = unit->cls};
    if (running)
      wf_unit_own_counters(unit, wf_energy_unit_counter, one);
    else
      wf_unit_counters(unit, wf_energy_unit_counter, one);
    count_instances(unit, one);
  }
}

void wf_energy_collect_sm(const wf_pstate_counters *of, double core_hertz, double clock,
                          wf_energy_pstate *to) {
  *to = (wf_energy_pstate){.sm_seconds = (double)of->cycles / core_hertz,
                           .clock = clock,
                           .register_reads = (double)of->sm.register_reads,
                           .register_writes = (double)of->sm.register_writes,
                           .shared_accesses =
                               (double)(of->sm.shared_accesses + of->sm.shared_conflict_cycles),
                           .l1_lookups = (double)of->l1.accesses,
                           .l1_reads = (double)of->l1.hits,
                           .l1_fills = (double)of->l1.misses};
  for (int i = 0; i < PTX_CLASS_COUNT; i++) to->warp_instructions[i] = (double)of->sm.by_class[i];
}

static void collect_low(const wf_gpu *gpu, double core_hertz, wf_energy_pstate *to) {
  wf_pstate_counters low;
  double clock;
  if (wf_gpu_low_counters(gpu, &low, &clock)) wf_energy_collect_sm(&low, core_hertz, clock, to);
}

static void collect(const wf_gpu *gpu, bool running, wf_energy_counts *c) {
  *c = (wf_energy_counts){0};
  const wf_gpu_config *config = wf_gpu_get_config(gpu);
  const wf_sm_counters *sm = wf_gpu_sm_counters(gpu);
  const wf_l1_counters *l1 = wf_gpu_l1_counters(gpu);
  const wf_mem_counters *mem = wf_gpu_mem_counters(gpu);
  c->seconds = (double)wf_gpu_cycles(gpu) / (1e6 * config->mem.core_mhz);
  c->n_sm = config->n_sm;
  c->n_channels = config->mem.n_part;
  for (int i = 0; i < PTX_CLASS_COUNT; i++) c->warp_instructions[i] = (double)sm->by_class[i];
  if (sm->warp_instructions)
    c->active_lanes = (double)sm->thread_instructions / (double)sm->warp_instructions;
  c->register_reads = (double)sm->register_reads;
  c->register_writes = (double)sm->register_writes;
  c->shared_accesses = (double)(sm->shared_accesses + sm->shared_conflict_cycles);
  c->l1_lookups = (double)l1->accesses;
  c->l1_reads = (double)l1->hits;
  c->l1_fills = (double)l1->misses;
  double reads = (double)(mem->l2.reads + mem->l2.unit_reads + mem->l2.writebacks);
  double fills = (double)(mem->l2.misses + mem->l2.unit_reads - mem->l2.unit_hits);
  double writes = fills + (double)mem->l2.unit_writes;
  c->l2_lookups = (double)(mem->l2.reads + mem->l2.writes + mem->l2.atomics + mem->l2.unit_reads +
                           mem->l2.unit_writes);
  c->l2_read_sectors = LINE_SECTORS * reads + (double)mem->l2.atomics;
  c->l2_write_sectors =
      LINE_SECTORS * writes + STORE_SECTORS * (double)mem->l2.writes + (double)mem->l2.atomics;
  c->noc_flits = (double)mem->noc.flits * config->mem.flit_bytes / FLIT_BYTES;
  c->dram_activates = (double)mem->dram.activates;
  c->dram_read_bytes = (double)mem->dram.read_bytes;
  c->dram_write_bytes = (double)mem->dram.write_bytes;
  collect_low(gpu, 1e6 * config->mem.core_mhz, &c->low);
  collect_units(gpu, running, c);
}

void wf_energy_collect(const wf_gpu *gpu, wf_energy_counts *c) {
  collect(gpu, false, c);
}
void wf_energy_collect_running(const wf_gpu *gpu, wf_energy_counts *c) {
  collect(gpu, true, c);
}

/* ---- between two collections ---- */

static double instructions(const wf_energy_counts *c) {
  double n = 0;
  for (int i = 0; i < PTX_CLASS_COUNT; i++) n += c->warp_instructions[i];
  return n;
}

static void subtract(double *from, const double *what, size_t n) {
  for (size_t i = 0; i < n; i++) from[i] -= what[i];
}

#define EVENT(field) offsetof(wf_energy_counts, field)
static const size_t events[] = {
    EVENT(seconds),         EVENT(register_reads),   EVENT(register_writes), EVENT(shared_accesses),
    EVENT(l1_lookups),      EVENT(l1_reads),         EVENT(l1_fills),        EVENT(l2_lookups),
    EVENT(l2_read_sectors), EVENT(l2_write_sectors), EVENT(noc_flits),       EVENT(dram_activates),
    EVENT(dram_read_bytes), EVENT(dram_write_bytes)};
#define LOW_EVENT(field) offsetof(wf_energy_pstate, field)
static const size_t low_events[] = {LOW_EVENT(sm_seconds),      LOW_EVENT(register_reads),
                                    LOW_EVENT(register_writes), LOW_EVENT(shared_accesses),
                                    LOW_EVENT(l1_lookups),      LOW_EVENT(l1_reads),
                                    LOW_EVENT(l1_fills)};

/* fields: where both structs have the doubles to subtract. */
static void subtract_fields(const void *then, void *now, const size_t *fields, size_t n) {
  for (size_t i = 0; i < n; i++)
    *(double *)((char *)now + fields[i]) -= *(const double *)((const char *)then + fields[i]);
}

/* active_lanes is a mean: of the instructions in between. */
void wf_energy_between(const wf_energy_counts *then, const wf_energy_counts *now,
                       wf_energy_counts *c) {
  *c = *now;
  subtract_fields(then, c, events, sizeof events / sizeof *events);
  subtract(c->warp_instructions, then->warp_instructions, PTX_CLASS_COUNT);
  subtract_fields(&then->low, &c->low, low_events, sizeof low_events / sizeof *low_events);
  subtract(c->low.warp_instructions, then->low.warp_instructions, PTX_CLASS_COUNT);
  const double before = instructions(then), after = instructions(now);
  if (after > before)
    c->active_lanes = (now->active_lanes * after - then->active_lanes * before) / (after - before);
  for (unsigned u = 0; u < c->n_units; u++)
    subtract(c->units[u].events, then->units[u].events, WF_UNIT_EVENTS);
}
