/* From counters to counts; see collect.h. */
#include "sim/energy/collect.h"

#include <string.h>

enum { LINE_SECTORS = 4, STORE_SECTORS = 2 };

void wf_energy_unit_counter(void *user, const char *name, double value) {
  const wf_energy_unit *unit = user;
  wf_energy_counts *c = unit->counts;
  const struct {
    const char *unit, *name;
    double *count;
  } known[] = {
      {"mff", "c_lookups", &c->unit_lookups},
      {"mff", "v_lookups", &c->unit_lookups},
      {"mff", "runs", &c->unit_nodes},
      {"mff", "elements", &c->unit_nodes},
      {"mff", "blocks_read", &c->unit_lines},
      {"mff", "blocks_written", &c->unit_lines},
      {"mff", "commands", &c->unit_commands},
      {"apcm", "loads", &c->apcm_requests},
      {"apcm", "accesses", &c->apcm_requests},
      {"dtbl", "clocked_cycles", &c->dtbl_edges},
      {"teleport", "clocked_buffers", &c->teleport_edges},
      {"teleport", "asks", &c->teleport_ops},
      {"teleport", "loads", &c->teleport_ops},
      {"teleport", "stores", &c->teleport_ops},
      {"teleport", "clocked_cycles", &c->teleport_controller},
      /* a line of shared memory written or read */
      {"teleport", "fetched", &c->shared_accesses},
      {"teleport", "found", &c->shared_accesses},
      {"spref", "instructions", &c->spref_instructions},
      {"spref", "sent", &c->injected},
      {"spref", "address_adds", &c->injected},
      {"spref", "sent_lanes", &c->injected_load_lanes},
      {"spref", "address_add_lanes", &c->injected_imul_lanes},
      {"spref", "operands_read", &c->register_reads},
      {"spref", "operands_written", &c->register_writes},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].unit, unit->name) == 0 && strcmp(known[i].name, name) == 0)
      *known[i].count += value;
}

static void collect_units(const wf_gpu *gpu, wf_energy_counts *c) {
  wf_unit *unit;
  for (unsigned i = 0; (unit = wf_gpu_unit(gpu, i)); i++) {
    wf_energy_unit one = {.name = unit->cls->name, .counts = c};
    c->has_mff |= strcmp(one.name, "mff") == 0;
    c->has_apcm |= strcmp(one.name, "apcm") == 0;
    c->has_dtbl |= strcmp(one.name, "dtbl") == 0;
    c->has_teleport |= strcmp(one.name, "teleport") == 0;
    c->has_spref |= strcmp(one.name, "spref") == 0;
    unit->cls->counters(unit, wf_energy_unit_counter, &one);
  }
}

void wf_energy_collect(const wf_gpu *gpu, wf_energy_counts *c) {
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
  c->noc_flits = (double)mem->noc.flits;
  c->dram_activates = (double)mem->dram.activates;
  c->dram_read_bytes = (double)mem->dram.read_bytes;
  c->dram_write_bytes = (double)mem->dram.write_bytes;
  collect_units(gpu, c);
}
