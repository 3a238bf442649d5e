#include "sim/report/result.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "sim/energy/collect.h"
#include "sim/ptx/loadpairs.h"
#include "sim/units/rtl_set.h"
#include "sim/units/unit.h"

typedef struct named_count {
  const char *name;
  uint64_t value;
} named_count;

static void add_counts(cJSON *object, const named_count *counts, size_t n) {
  for (size_t i = 0; i < n; i++)
    cJSON_AddNumberToObject(object, counts[i].name, (double)counts[i].value);
}
#define ADD_COUNTS(object, ...)                                                                    \
  do {                                                                                             \
    const named_count counts_[] = {__VA_ARGS__};                                                   \
    add_counts(object, counts_, sizeof counts_ / sizeof counts_[0]);                               \
  } while (0)

static const char *const class_names[PTX_CLASS_COUNT] = {
    "int",    "imul",    "idiv",  "fp32", "fp64",   "sfu",    "load", "store",     "atomic",
    "branch", "barrier", "fence", "exit", "custom", "launch", "copy", "copy_group"};

static void add_dim(cJSON *object, const char *name, const uint32_t dim[3]) {
  int values[3] = {(int)dim[0], (int)dim[1], (int)dim[2]};
  cJSON_AddItemToObject(object, name, cJSON_CreateIntArray(values, 3));
}

static void add_kernels(cJSON *root, const wf_gpu *gpu) {
  size_t n;
  const wf_sample_counters *sampled = wf_gpu_sampled(gpu);
  const wf_kernel_record *k = wf_gpu_kernels(gpu, &n);
  cJSON *array = cJSON_AddArrayToObject(root, "kernels");
  for (size_t i = 0; i < n; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", k[i].name);
    add_dim(o, "grid", k[i].grid);
    add_dim(o, "block", k[i].block);
    ADD_COUNTS(o, {"start_cycle", k[i].start_cycle}, {"cycles", k[i].cycles},
               {"warp_instructions", k[i].warp_instructions},
               {"thread_instructions", k[i].thread_instructions}, {"ctas_per_sm", k[i].ctas_per_sm},
               {"registers", k[i].registers});
    if (sampled) cJSON_AddBoolToObject(o, "timed", !k[i].executed);
    cJSON_AddItemToArray(array, o);
  }
  if (!sampled) return;
  cJSON *o = cJSON_AddObjectToObject(root, "sampled");
  ADD_COUNTS(o, {"timed", sampled->timed}, {"executed", sampled->executed},
             {"warp_instructions", sampled->warp_instructions},
             {"thread_instructions", sampled->thread_instructions});
}

static double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

static void add_sm(cJSON *root, const wf_gpu *gpu, uint64_t cycles) {
  const wf_sm_counters *s = wf_gpu_sm_counters(gpu);
  const wf_gpu_config *c = wf_gpu_get_config(gpu);
  cJSON *o = cJSON_AddObjectToObject(root, "sm");
  double slots = (double)cycles * c->n_sm * c->warps_per_sm;
  cJSON_AddNumberToObject(o, "occupancy", ratio((double)s->occupied_warp_cycles, slots));
  cJSON_AddNumberToObject(o, "lanes_per_instruction",
                          ratio((double)s->thread_instructions, (double)s->warp_instructions));
  ADD_COUNTS(o, {"ctas", s->ctas}, {"register_reads", s->register_reads},
             {"register_writes", s->register_writes}, {"shared_accesses", s->shared_accesses},
             {"shared_conflict_cycles", s->shared_conflict_cycles});
  cJSON *scheduler = cJSON_AddObjectToObject(o, "scheduler_cycles");
  cJSON_AddNumberToObject(scheduler, "issue", (double)s->issue_cycles);
  for (unsigned i = 0; i < WF_STALL_COUNT; i++)
    cJSON_AddNumberToObject(scheduler, wf_stall_name((wf_stall)i), (double)s->stalls[i]);
  cJSON *by = cJSON_AddObjectToObject(o, "by_class");
  for (unsigned i = 0; i < PTX_CLASS_COUNT; i++)
    if (i < PTX_CLASS_COPY || s->by_class[i]) /* those of later machines where they are */
      cJSON_AddNumberToObject(by, class_names[i], (double)s->by_class[i]);
}

static void add_l1(cJSON *root, const wf_gpu *gpu) {
  const wf_l1_counters *l = wf_gpu_l1_counters(gpu);
  const wf_gpu_config *c = wf_gpu_get_config(gpu);
  cJSON *o = cJSON_AddObjectToObject(root, "l1");
  ADD_COUNTS(o, {"accesses", l->accesses}, {"hits", l->hits}, {"misses", l->misses},
             {"merges", l->merges}, {"bypasses", l->bypasses}, {"stores", l->stores},
             {"atomics", l->atomics}, {"evictions", l->evictions},
             {"stall_cycles", l->stall_cycles}, {"sector_misses", l->sector_misses});
  if (c->l1_victim_lines) ADD_COUNTS(o, {"victim_hits", l->victim_hits});
  if (c->mem.l2_exclusive || l->victims_lost) ADD_COUNTS(o, {"victims_lost", l->victims_lost});
  if (c->l1_allocate) ADD_COUNTS(o, {"fills_dropped", l->fills_dropped});
  cJSON_AddNumberToObject(o, "hit_rate", ratio((double)l->hits, (double)l->accesses));
  if (!c->l1_prefetch) return;
  o = cJSON_AddObjectToObject(o, "prefetch");
  ADD_COUNTS(o, {"issued", l->prefetch_issued}, {"useful", l->prefetch_useful},
             {"late", l->prefetch_late}, {"useless", l->prefetch_useless},
             {"dropped", l->prefetch_dropped}, {"redundant", l->prefetch_redundant},
             {"stall_cycles", l->prefetch_stall_cycles});
}

static void add_memory(cJSON *root, const wf_gpu *gpu, uint64_t cycles) {
  const wf_mem_counters *m = wf_gpu_mem_counters(gpu);
  const wf_gpu_config *c = wf_gpu_get_config(gpu);
  cJSON *o = cJSON_AddObjectToObject(root, "l2");
  ADD_COUNTS(o, {"reads", m->l2.reads}, {"writes", m->l2.writes}, {"atomics", m->l2.atomics},
             {"hits", m->l2.hits}, {"misses", m->l2.misses}, {"merges", m->l2.merges},
             {"evictions", m->l2.evictions}, {"writebacks", m->l2.writebacks},
             {"stall_cycles", m->l2.stall_cycles}, {"unit_reads", m->l2.unit_reads},
             {"unit_writes", m->l2.unit_writes}, {"unit_hits", m->l2.unit_hits});
  if (c->mem.l2_coalescer)
    ADD_COUNTS(o, {"coalesced", m->l2.coalesced}, {"coalescer_full", m->l2.coalescer_full});
  if (c->mem.l2_prefetch)
    ADD_COUNTS(o, {"prefetches", m->l2.prefetches}, {"prefetches_useful", m->l2.prefetches_useful},
               {"prefetches_dropped", m->l2.prefetches_dropped});
  if (c->mem.l2_write == WF_L2_WRITE_EVICT || c->mem.l2_exclusive || m->l2.victims)
    ADD_COUNTS(o, {"insertions", m->l2.insertions});
  if (c->mem.l2_exclusive || m->l2.victims || m->l2.moved)
    ADD_COUNTS(o, {"victims", m->l2.victims}, {"victims_dropped", m->l2.victims_dropped},
               {"victims_stale", m->l2.victims_stale}, {"moved", m->l2.moved});
  o = cJSON_AddObjectToObject(root, "noc");
  ADD_COUNTS(o, {"packets", m->noc.packets}, {"flits", m->noc.flits},
             {"request_flits", m->noc.request_flits}, {"reply_flits", m->noc.reply_flits},
             {"stall_cycles", m->noc.stall_cycles},
             {"request_stall_cycles", m->noc.request_stall_cycles},
             {"reply_stall_cycles", m->noc.reply_stall_cycles});
  o = cJSON_AddObjectToObject(root, "dram");
  ADD_COUNTS(o, {"read_bytes", m->dram.read_bytes}, {"write_bytes", m->dram.write_bytes},
             {"reads", m->dram.reads}, {"writes", m->dram.writes}, {"row_hits", m->dram.row_hits},
             {"row_misses", m->dram.row_misses}, {"activates", m->dram.activates},
             {"busy_cycles", m->dram.busy_cycles}, {"cycles", m->dram.cycles},
             {"queue_full_cycles", m->dram.queue_full_cycles},
             {"active_cycles", m->dram.active_cycles}, {"row_changes", m->dram.row_changes});
  cJSON_AddNumberToObject(o, "efficiency",
                          ratio((double)m->dram.busy_cycles, (double)m->dram.active_cycles));
  double seconds = (double)cycles / (c->mem.core_mhz * 1e6);
  cJSON_AddNumberToObject(o, "gb_per_second",
                          ratio((double)(m->dram.read_bytes + m->dram.write_bytes), seconds * 1e9));
}

/* Launches by threads; nothing without any. */
static void add_launches(cJSON *root, const wf_gpu *gpu, uint64_t cycles) {
  const wf_launch_counters *l = wf_gpu_launch_counters(gpu);
  const double launches = (double)(l->kernels + l->groups);
  if (!(launches > 0) && !l->no_buffer) return;
  cJSON *o = cJSON_AddObjectToObject(root, "launches");
  ADD_COUNTS(o, {"kernels", l->kernels}, {"groups", l->groups},
             {"groups_refused", l->groups_refused}, {"blocks", l->blocks}, {"threads", l->threads},
             {"no_buffer", l->no_buffer}, {"over_limit", l->over_limit}, {"started", l->started},
             {"peak_pending", l->peak_pending}, {"peak_bytes", l->peak_bytes});
  cJSON_AddNumberToObject(o, "threads_per_launch", ratio((double)l->threads, launches));
  cJSON_AddNumberToObject(o, "waiting_cycles",
                          ratio((double)l->waiting_cycles, (double)l->started));
  cJSON_AddNumberToObject(o, "mean_pending", ratio((double)l->pending_cycles, (double)cycles));
  cJSON_AddNumberToObject(o, "mean_bytes", ratio((double)l->byte_cycles, (double)cycles));
}

static void add_probe(cJSON *root, const wf_gpu *gpu) {
  const wf_probe *probe = wf_gpu_probe(gpu);
  if (!probe) return;
  cJSON *all = cJSON_AddObjectToObject(root, "coalescing"), *o;
  const wf_probe_count *c;
  for (unsigned i = 0; (c = wf_probe_get(probe, i)); i++) {
    if (!c->operations) continue;
    char name[96]; /* allocations of one name, e.g. double buffers, are told apart by number */
    snprintf(name, sizeof name, "%s", c->what);
    for (unsigned n = 2; cJSON_HasObjectItem(all, name); n++)
      snprintf(name, sizeof name, "%.80s.%u", c->what, n);
    o = cJSON_AddObjectToObject(all, name);
    cJSON_AddNumberToObject(o, "operations", (double)c->operations);
    cJSON *windows = cJSON_AddArrayToObject(o, "requests");
    for (unsigned w = 0; w < WF_PROBE_WINDOWS; w++)
      cJSON_AddItemToArray(windows, cJSON_CreateNumber((double)c->requests[w]));
  }
}

static const char *const locality_names[WF_LOCALITY_TYPES] = {"streaming", "inter", "intra",
                                                              "both"};

static void add_array(cJSON *object, const char *name, const uint64_t *values, unsigned n) {
  cJSON *array = cJSON_AddArrayToObject(object, name);
  for (unsigned i = 0; i < n; i++)
    cJSON_AddItemToArray(array, cJSON_CreateNumber((double)values[i]));
}

static void add_locality_loads(cJSON *all, const wf_locality *locality) {
  const wf_locality_load *l;
  cJSON *loads = cJSON_AddArrayToObject(all, "loads");
  for (unsigned i = 0; (l = wf_locality_load_at(locality, i)); i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kernel", l->kernel->name);
    ADD_COUNTS(o, {"pc", l->pc}, {"line", l->kernel->insts[l->pc].line}, {"accesses", l->accesses});
    for (unsigned t = 0; t < WF_LOCALITY_TYPES; t++)
      cJSON_AddNumberToObject(o, locality_names[t], (double)l->lines[t]);
    cJSON_AddStringToObject(o, "text", ptx_inst_text(&l->kernel->insts[l->pc]));
    cJSON_AddItemToArray(loads, o);
  }
}

/* Shares are means; weighted: of all their blocks of 128 bytes together. */
static void add_footprint(cJSON *root, const wf_gpu *gpu) {
  const wf_footprint *footprint = wf_gpu_footprint(gpu);
  if (!footprint) return;
  const wf_footprint_totals t = wf_footprint_get(footprint);
  const struct {
    const char *name;
    double part, of;
  } shares[] = {{"parent_child", t.parent_child, (double)t.parents},
                {"parent_child_weighted", (double)t.pc, (double)t.c},
                {"child_sibling", t.child_sibling, (double)t.children},
                {"child_sibling_weighted", (double)t.cos, (double)t.cs},
                {"parent_parent", t.parent_parent, (double)t.parents}};
  cJSON *all = cJSON_AddObjectToObject(root, "footprint");
  ADD_COUNTS(all, {"parents", t.parents}, {"children", t.children});
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
    if (shares[i].of > 0)
      cJSON_AddNumberToObject(all, shares[i].name, shares[i].part / shares[i].of);
}

static void add_locality(cJSON *root, const wf_gpu *gpu) {
  const wf_locality *locality = wf_gpu_locality(gpu);
  if (!locality) return;
  const wf_locality_totals t = wf_locality_get(locality);
  uint64_t count_low[WF_LOCALITY_COUNTS], distance_low[WF_LOCALITY_DISTANCES];
  for (unsigned i = 0; i < WF_LOCALITY_COUNTS; i++) count_low[i] = wf_locality_count_low(i);
  for (unsigned i = 0; i < WF_LOCALITY_DISTANCES; i++) distance_low[i] = (uint64_t)1 << i;
  cJSON *all = cJSON_AddObjectToObject(root, "locality");
  cJSON_AddNumberToObject(all, "aps", t.aps);
  cJSON *lines = cJSON_AddObjectToObject(all, "lines");
  for (unsigned k = 0; k < WF_LOCALITY_TYPES; k++)
    cJSON_AddNumberToObject(lines, locality_names[k], (double)t.lines[k]);
  add_array(all, "count_low", count_low, WF_LOCALITY_COUNTS);
  add_array(all, "counts_infinite", t.counts_infinite, WF_LOCALITY_COUNTS);
  add_array(all, "counts_l1", t.counts_l1, WF_LOCALITY_COUNTS);
  add_array(all, "distance_low", distance_low, WF_LOCALITY_DISTANCES);
  cJSON *distances = cJSON_AddObjectToObject(all, "distances");
  for (unsigned k = WF_LOCALITY_INTER; k < WF_LOCALITY_TYPES; k++)
    add_array(distances, locality_names[k], t.distances[k], WF_LOCALITY_DISTANCES);
  add_locality_loads(all, locality);
}

/* Role of the load in its loop, as sim/ptx/loadpairs.h finds it. */
static const char *role_of(const ptx_pairs *pairs, ptx_pc pc) {
  return pairs->hints[pc] & PTX_HINT_HEAD   ? "head"
         : pairs->hints[pc] & PTX_HINT_TAIL ? "tail"
                                            : "none";
}

static void add_load_times(cJSON *root, const wf_gpu *gpu) {
  const wf_load_times *times = wf_gpu_load_times(gpu);
  const wf_load_time *t;
  ptx_pairs *pairs = NULL;
  const ptx_kernel *of = NULL;
  if (!times) return;
  cJSON *all = cJSON_AddArrayToObject(root, "loads");
  for (size_t i = 0; (t = wf_load_times_at(times, i)); i++) {
    if (t->kernel != of) {
      ptx_pairs_destroy(pairs);
      pairs = ptx_find_pairs(of = t->kernel);
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kernel", t->kernel->name);
    ADD_COUNTS(o, {"pc", t->pc}, {"line", t->kernel->insts[t->pc].line}, {"loads", t->loads});
    cJSON_AddStringToObject(o, "role", role_of(pairs, t->pc));
    cJSON_AddNumberToObject(o, "cycles", ratio((double)t->cycles, (double)t->loads));
    cJSON_AddNumberToObject(o, "wait", ratio((double)t->waits, (double)t->loads));
    ADD_COUNTS(o, {"moved", t->moved}, {"lines", t->lines}, {"hits", t->hits});
    cJSON_AddStringToObject(o, "text", ptx_inst_text(&t->kernel->insts[t->pc]));
    cJSON_AddItemToArray(all, o);
  }
  ptx_pairs_destroy(pairs);
}

static void each_unit_counter(void *user, const char *name, double value) {
  cJSON_AddNumberToObject(user, name, value);
}

static void each_unit_load(void *user, const wf_unit_load *l) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "kernel", l->kernel);
  ADD_COUNTS(o, {"pc", l->pc}, {"line", l->line});
  cJSON_AddStringToObject(o, "class", l->what);
  ADD_COUNTS(o, {"loads", l->loads}, {"requests", l->requests}, {"bypassed", l->bypassed},
             {"protected", l->pinned}, {"refused", l->refused});
  cJSON_AddStringToObject(o, "text", l->text);
  cJSON_AddItemToArray(user, o);
}

static void add_units(cJSON *root, const wf_gpu *gpu) {
  cJSON *o = cJSON_AddObjectToObject(root, "unit");
  wf_unit *unit;
  for (unsigned u = 0; (unit = wf_gpu_unit(gpu, u)); u++) {
    cJSON *one = cJSON_AddObjectToObject(o, unit->cls->name);
    wf_unit_counters(unit, each_unit_counter, one);
    if (unit->cls->loads)
      unit->cls->loads(unit, each_unit_load, cJSON_AddArrayToObject(one, "per_load"));
  }
}

static cJSON *pstate_json(const wf_result_input *in, unsigned sm, wf_pstate state,
                          const wf_energy_counts *all) {
  wf_pstate_counters did;
  wf_energy_pstate counts;
  wf_energy_sm joules;
  wf_gpu_pstate_counters(in->gpu, sm, state, &did);
  wf_energy_collect_sm(&did, 1e6 * wf_gpu_get_config(in->gpu)->mem.core_mhz, all->low.clock,
                       &counts);
  wf_energy_compute_sm(in->energy, &counts, all->active_lanes, state == WF_PSTATE_LOW, &joules);
  cJSON *o = cJSON_CreateObject();
  ADD_COUNTS(o, {"cycles", did.cycles}, {"ticks", did.ticks}, {"entered", did.entered},
             {"warp_instructions", did.sm.warp_instructions});
  cJSON_AddNumberToObject(o, "events", joules.events);
  cJSON_AddNumberToObject(o, "clock", joules.clock);
  cJSON_AddNumberToObject(o, "leakage", joules.leakage);
  return o;
}

/* Of each SM in each P-state: the core's cycles and its own clock's, how often it came there,
 * joules. */
static void add_sms(cJSON *low, const wf_result_input *in, const wf_energy_counts *all) {
  static const char *const states[WF_PSTATES] = {"high", "between", "low"};
  cJSON *sms = cJSON_AddArrayToObject(low, "sms");
  for (unsigned sm = 0; sm < all->n_sm; sm++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "sm", sm);
    for (unsigned s = 0; s < WF_PSTATES; s++)
      cJSON_AddItemToObject(o, states[s], pstate_json(in, sm, (wf_pstate)s, all));
    cJSON_AddItemToArray(sms, o);
  }
}

/* SMs at the lower voltage: their time, and what that saved of what the same run costs without, by
 * three assumptions of leakage; power_share: idle SMs' of that. */
static void add_low(cJSON *energy, const wf_result_input *in, const wf_energy_counts *with,
                    double total) {
  static const struct {
    const char *name;
    double leak;
  } cases[] = {{"saved_leak_55", 0.55}, {"saved_leak_30", 0.30}, {"saved_leak_16", 0.16}};
  if (!(with->low.sm_seconds > 0)) return;
  wf_energy_model model = *in->energy;
  wf_energy_counts without = *with;
  wf_energy e;
  without.low = (wf_energy_pstate){0};
  wf_energy_compute(&model, &without, &e);
  const double high = e.total, idle = model.value[WF_EN_SM_STATIC] + model.value[WF_EN_SM_CLOCK];
  cJSON *o = cJSON_AddObjectToObject(energy, "low");
  cJSON_AddNumberToObject(o, "sm_share", with->low.sm_seconds / (with->seconds * with->n_sm));
  cJSON_AddNumberToObject(o, "voltage", model.value[WF_EN_LOW_VOLTS]);
  cJSON_AddNumberToObject(o, "frequency", with->low.clock);
  cJSON_AddNumberToObject(o, "saved", 1 - total / high);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    model.value[WF_EN_LOW_LEAK] = cases[i].leak;
    wf_energy_compute(&model, with, &e);
    cJSON_AddNumberToObject(o, cases[i].name, 1 - e.total / high);
  }
  cJSON_AddNumberToObject(o, "power_share", with->seconds * with->n_sm * idle / high);
  add_sms(o, in, with);
}

static void add_energy(cJSON *root, const wf_result_input *in) {
  wf_energy_counts counts;
  wf_energy energy;
  wf_energy_collect(in->gpu, &counts);
  wf_energy_compute(in->energy, &counts, &energy);
  cJSON *o = cJSON_AddObjectToObject(root, "energy_joules");
  cJSON_AddNumberToObject(o, "total", energy.total);
  for (unsigned p = 0; p < WF_EN_PARTS; p++)
    cJSON_AddNumberToObject(o, wf_energy_part_name(p), energy.joules[p]);
  cJSON_AddNumberToObject(o, "watts", energy.watts);
  add_low(o, in, &counts, energy.total);
  if (!counts.n_units) return;
  o = cJSON_AddObjectToObject(o, "units");
  for (unsigned u = 0; u < counts.n_units; u++)
    cJSON_AddNumberToObject(o, counts.units[u].cls->name, energy.units[u]);
}

static double seconds_of(struct timeval t) {
  return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void add_rtl(cJSON *rtl, const wf_rtl_set *set, double seconds, double cpu_seconds) {
  const wf_rtl_cost cost = wf_rtl_set_cost(set);
  cJSON *o = cJSON_AddObjectToObject(rtl, cost.unit);
  cJSON_AddStringToObject(o, "config", cost.config);
  if (*cost.overrides) cJSON_AddStringToObject(o, "overrides", cost.overrides);
  cJSON_AddNumberToObject(o, "instances", cost.instances);
  cJSON_AddNumberToObject(o, "edges", (double)cost.edges);
  cJSON_AddNumberToObject(o, "edges_per_second", ratio((double)cost.edges, seconds));
  cJSON_AddNumberToObject(o, "share", ratio(cost.seconds, cpu_seconds));
}

static void add_host(cJSON *root, const wf_result_input *in, uint64_t cycles, uint64_t warp) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  cJSON *o = cJSON_AddObjectToObject(root, "host");
  cJSON_AddNumberToObject(o, "seconds", in->host_seconds);
  cJSON_AddNumberToObject(o, "cycles_per_second", ratio((double)cycles, in->host_seconds));
  cJSON_AddNumberToObject(o, "warp_instructions_per_second", ratio((double)warp, in->host_seconds));
  cJSON_AddNumberToObject(o, "peak_bytes", (double)usage.ru_maxrss * 1024);
  if (!wf_gpu_unit(in->gpu, 0)) return;
  const double cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  cJSON *edges = cJSON_AddObjectToObject(o, "rtl_edges"), *rtl = cJSON_AddObjectToObject(o, "rtl");
  const wf_unit *unit;
  for (unsigned u = 0; (unit = wf_gpu_unit(in->gpu, u)); u++) {
    cJSON_AddNumberToObject(edges, unit->cls->name, (double)wf_unit_edges(unit));
    for (unsigned r = 0; r < WF_UNIT_RTL && unit->rtl[r]; r++)
      add_rtl(rtl, unit->rtl[r], in->host_seconds, cpu_seconds);
  }
}

static void add_heading(cJSON *root, const wf_result_input *in) {
  cJSON_AddStringToObject(root, "app", in->app);
  if (in->graph)
    cJSON_AddStringToObject(root, "graph", in->graph);
  else
    cJSON_AddNullToObject(root, "graph");
  cJSON_AddStringToObject(root, "config", wf_gpu_get_config(in->gpu)->name);
  cJSON_AddItemToObject(root, "units",
                        cJSON_CreateStringArray((const char *const *)in->units, (int)in->n_units));
  cJSON *set = cJSON_AddObjectToObject(root, "settings");
  for (size_t i = 0; i < in->settings->count; i++)
    cJSON_AddStringToObject(set, in->settings->items[i].key, in->settings->items[i].value);
  cJSON_AddNumberToObject(root, "seed", (double)in->seed);
}

static void add_verdict(cJSON *root, const wf_result_input *in) {
  if (in->verified == WF_VERIFIED_NULL)
    cJSON_AddNullToObject(root, "verified");
  else
    cJSON_AddBoolToObject(root, "verified", in->verified == WF_VERIFIED_YES);
  if (!in->run && in->not_verified) cJSON_AddStringToObject(root, "verdict", in->not_verified);
  if (!in->run) return;
  cJSON_AddStringToObject(root, "verdict", in->run->verdict);
  cJSON_AddNumberToObject(root, "supersteps", in->run->supersteps);
  if (in->run->strategy[0]) cJSON_AddStringToObject(root, "strategy", in->run->strategy);
  cJSON *metrics = cJSON_AddObjectToObject(root, "metrics");
  for (size_t i = 0; i < in->run->n_metrics; i++)
    cJSON_AddNumberToObject(metrics, in->run->metrics[i].name, in->run->metrics[i].value);
}

static bool all_counted(const wf_gpu *gpu, wf_error *err) {
  const wf_unit *unit;
  for (unsigned u = 0; (unit = wf_gpu_unit(gpu, u)); u++)
    if (!wf_unit_counted(unit, err)) return false;
  return true;
}

cJSON *wf_result_json(const wf_result_input *in, wf_error *err) {
  cJSON *root = cJSON_CreateObject();
  const wf_sm_counters *s = wf_gpu_sm_counters(in->gpu);
  uint64_t cycles = wf_gpu_cycles(in->gpu);
  add_heading(root, in);
  ADD_COUNTS(root, {"cycles", cycles}, {"warp_instructions", s->warp_instructions},
             {"thread_instructions", s->thread_instructions});
  cJSON_AddNumberToObject(root, "ipc", ratio((double)s->thread_instructions, (double)cycles));
  add_verdict(root, in);
  if (in->trace) cJSON_AddItemToObject(root, "trace", cJSON_Duplicate(in->trace, true));
  add_kernels(root, in->gpu);
  add_l1(root, in->gpu);
  add_memory(root, in->gpu, cycles);
  add_sm(root, in->gpu, cycles);
  add_launches(root, in->gpu, cycles);
  add_energy(root, in);
  add_probe(root, in->gpu);
  add_locality(root, in->gpu);
  add_footprint(root, in->gpu);
  add_load_times(root, in->gpu);
  if (in->series) cJSON_AddItemToObject(root, "series", wf_series_json(in->series));
  add_units(root, in->gpu);
  add_host(root, in, cycles, s->warp_instructions);
  if (all_counted(in->gpu, err)) return root;
  cJSON_Delete(root);
  return NULL;
}
