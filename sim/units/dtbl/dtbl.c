/* Socket of the DTBL unit (rtl/agt_dtbl): the scheduler in RTL in the place of the GPU's own
 * dispatcher: settings, class, reports. Every decision is the RTL's, whose ports dtbl_side.h has;
 * the book checks each (dtbl_book.h). */
#include <stdio.h>
#include <stdlib.h>

#include "sim/units/dtbl/dtbl_side.h"

#define FIELD(f) offsetof(dtbl_settings, f)

static const char *const views[] = {"scheduler", "kmu", NULL};

static const wf_parameter parameters[] = {
    {"agt_entries", "dtbl.AgtEntries", 2, 2048, 1024, FIELD(agt_entries), NULL,
     "groups that the table holds, 2^k; the rest goes to memory"},
    {"search_slots", "dtbl.SearchSlots", 1, 32, 8, FIELD(search_slots), NULL,
     "groups that look for a kernel at once"},
    {"pool_bits", "dtbl.PoolBits", 2, 32, 16, FIELD(pool_bits), NULL,
     "of the number of groups that wait in one kernel"},
    {"done_depth", "dtbl.DoneDepth", 2, 64, 4, FIELD(done_depth), NULL,
     "ends of an SM's blocks that wait for bookkeeping"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"spread", NULL, 0, 1, 0, FIELD(spread), NULL,
     "hardware thread numbers: 0 within the SM, as the paper has it; 1 each SM's begin elsewhere"},
    {"lines", "dtbl.Lines", 0, DTBL_MAX_LINES, 16, FIELD(lines), NULL,
     "lines of records that the unit keeps and fetches ahead, 2..64; 0: none"},
    {"ring", "dtbl.Ring", 0, 65536, 32768, FIELD(ring), NULL,
     "places of a ring of records in memory, 2^k from 16; 0: records lie below the parameters, as "
     "without dtbl.lines"},
    {"kmu_entries", "dtbl_kmu.Entries", 8, 256, 16, FIELD(kmu_entries), NULL,
     "kernels that wait on chip for an entry of the distributor; the rest goes to memory"},
    {"kmu_burst", "dtbl_kmu.Burst", 3, 256, 32, FIELD(kmu_burst), NULL,
     "kernels that come at once, before the unit writes them to memory"},
    {"kmu_ring", "dtbl_kmu.Ring", 8, 1 << 24, 262144, FIELD(kmu_ring), NULL,
     "kernels that may wait in memory, 2^k: as many as launches have buffers (launch.pool_kib)"},
    {"view", NULL, 0, 1, 0, FIELD(view), views,
     "which of its modules waves and recordings show: the scheduler, or the kernel management "
     "unit"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock the idle RTL; 0 clocks it always, same results"},
    {.field = FIELD(given)},
};

typedef struct dtbl {
  wf_unit unit;
  wf_rtl_set rtls, kmu_rtls; /* of one each */
  dtbl_side side;
  dtbl_settings set;
} dtbl;

/* ---- creation ---- */

static bool dtbl_bind(wf_unit *unit, wf_error *err) {
  dtbl *d = (dtbl *)unit;
  return dtbl_side_bind(&d->side, &d->rtls, &d->kmu_rtls, err);
}

static void dtbl_destroy(wf_unit *unit) {
  dtbl *d = (dtbl *)unit;
  dtbl_side_free(&d->side);
  free(d);
}

/* Launches wait in the kernel management unit, at most as many as have buffers. */
static bool kmu_fits(const wf_unit_env *e, const dtbl_settings *set, wf_error *err) {
  if (set->kmu_ring & (set->kmu_ring - 1))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "dtbl.kmu_ring=%u: expected a power of two from 8",
                   set->kmu_ring);
  if (set->kmu_ring < e->launch_buffers)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "dtbl.kmu_ring=%u: launch.pool_kib has buffers for %u launches; expected as "
                   "many or more",
                   set->kmu_ring, e->launch_buffers);
  if (e->launch_turns)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit dtbl: launch.kmu=sms: its kernel management unit has one queue; "
                   "expected launches");
  return true;
}

/* What the RTL's numbers hold, told in the user's words. */
static bool dtbl_fits_machine(const wf_unit_env *e, wf_error *err) {
  dtbl_settings set;
  if (!wf_parameters_read(parameters, "dtbl", e->options, &set, err)) return false;
  if (set.agt_entries & (set.agt_entries - 1))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "dtbl.agt_entries=%u: expected a power of two",
                   set.agt_entries);
  if (set.lines == 1)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "dtbl.lines=1: expected 0 or 2 to %d", DTBL_MAX_LINES);
  if (set.ring & (set.ring - 1) || (set.ring && set.ring < 16))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "dtbl.ring=%u: expected 0 or a power of two from 16",
                   set.ring);
  if (wf_parameters_given(parameters, &set, "ring") && set.ring && !set.lines)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "dtbl.ring=%u: with dtbl.lines=0 records have no ring; expected 0", set.ring);
  if (e->shared_bytes_per_sm < DTBL_SHM_UNIT || e->registers_per_sm < e->register_granularity)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit dtbl: core.shared_bytes=%u, core.registers=%u: expected %d or more, and "
                   "core.register_granularity=%u or more",
                   e->shared_bytes_per_sm, e->registers_per_sm, DTBL_SHM_UNIT,
                   e->register_granularity);
  return kmu_fits(e, &set, err);
}

/* Cycles that its own stages take (dtbl_kmu.v). */
enum { LEAST_DISPATCH = 5 };

/* Of the scheduler's id at memory. */
static unsigned id_bits(unsigned lines) {
  unsigned bits = 1;
  while (1u << bits < lines) bits++;
  return bits;
}

static bool open_kmu(dtbl *d, const wf_rtl_value *given, wf_error *err) {
  const dtbl_shape *s = &d->side.shape;
  const wf_unit_env *e = &d->side.env;
  const unsigned ways = e->launch_ways;
  const wf_rtl_value fixed[] = {
      {"NumKde", s->entries},
      {"Ways", ways && ways < s->entries ? ways : s->entries},
      {"Dispatch", e->launch_dispatch < LEAST_DISPATCH ? LEAST_DISPATCH : e->launch_dispatch},
      {"WarpUnits", s->warps},
      {"RegUnits", s->registers / e->register_granularity},
      {"ShmUnits", s->shared_bytes / DTBL_SHM_UNIT},
      {"SideIdBits", id_bits(d->set.lines)},
      {0},
  };
  d->unit.rtl[1] = &d->kmu_rtls;
  const wf_rtl_request q = {"dtbl_kmu", "tuned", fixed, given, &d->unit, e};
  return wf_rtl_set_open(&d->kmu_rtls, 1, &q, err);
}

static bool dtbl_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  dtbl *d = (dtbl *)unit;
  const dtbl_shape *s = &d->side.shape;
  if (!d->set.lines) d->set.ring = 0;
  dtbl_side_init(&d->side, env, &d->set, &unit->fault);
  static const wf_rtl_value given[] = {{"TidBits", DTBL_TID_BITS},
                                       {"PcBits", 32},
                                       {"TbDimBits", 29},
                                       {"SmemBits", DTBL_SMEM_BITS},
                                       {0}};
  const wf_rtl_value fixed[] = {
      {"NumSmx", s->n_sm},
      {"MaxTb", s->slots},
      {"WarpUnits", s->warps},
      {"RegUnits", s->registers / env->register_granularity},
      {"ShmUnits", s->shared_bytes / DTBL_SHM_UNIT},
      {"NumKde", s->entries},
      {0},
  };
  d->unit.rtl[0] = &d->rtls;
  d->unit.shown = d->set.view;
  const wf_rtl_request q = {"dtbl", "tuned", fixed, given, unit, env};
  return wf_rtl_set_open(&d->rtls, 1, &q, err) && open_kmu(d, given + 1, err);
}

/* ---- as the dispatcher ---- */

static unsigned dtbl_free_kernels(const void *self) {
  return dtbl_book_free_entries(((const dtbl *)self)->side.book);
}
static bool dtbl_fits(const void *self, const wf_grid *g, char *why, size_t bytes) {
  return dtbl_side_fits(&((const dtbl *)self)->side, g, why, bytes);
}
static bool dtbl_launch(void *self, const wf_grid *kernel) {
  return dtbl_side_launch(&((dtbl *)self)->side, kernel);
}
static bool dtbl_kernel(void *self, const wf_grid *kernel) {
  return dtbl_side_kernel(&((dtbl *)self)->side, kernel);
}
static bool dtbl_group(void *self, const wf_grid *group) {
  return dtbl_side_group(&((dtbl *)self)->side, group);
}
static bool dtbl_refused(void *self, uint32_t *id) {
  return dtbl_side_refused(&((dtbl *)self)->side, id);
}
static bool dtbl_place(void *self, wf_placement *placed) {
  return dtbl_side_place(&((dtbl *)self)->side, placed);
}
static bool dtbl_may_place(const void *self) {
  return dtbl_side_may_place(&((const dtbl *)self)->side);
}
static void dtbl_block_done(void *self, unsigned sm, unsigned slot) {
  dtbl_side_block_done(&((dtbl *)self)->side, sm, slot);
}

static void dtbl_rooms(const void *self, wf_dispatch_rooms *rooms) {
  dtbl_side_rooms(&((const dtbl *)self)->side, rooms);
}
static void dtbl_divert(void *self, const wf_mask *sms) {
  dtbl_side_divert(&((dtbl *)self)->side, sms);
}

/* Memory's side of the ports; the rest happens in place(). */
static bool dtbl_tick(wf_unit *unit, wf_error *err) {
  return wf_records_tick(&((dtbl *)unit)->side.records, err);
}

/* May a kernel end? Bookkeeping of ends that is left is done in kernel_end(), between kernels. */
static bool dtbl_idle(const wf_unit *unit) {
  const dtbl *d = (const dtbl *)unit;
  return d->unit.fault.code || !dtbl_book_unfinished(d->side.book) || dtbl_side_at_rest(&d->side);
}

static bool dtbl_kernel_end(wf_unit *unit, wf_error *err) {
  dtbl *d = (dtbl *)unit;
  return dtbl_side_clock_to_rest(&d->side, err) && dtbl_book_over(d->side.book, err);
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"busy_cycles", offsetof(dtbl, rtls.busy)},
    {"kmu_busy_cycles", offsetof(dtbl, kmu_rtls.busy)},
    {"end_waits", offsetof(dtbl, side.counters.ends_waited)},
    {"kernel_waits", offsetof(dtbl, side.counters.kernels_waited)},
    {"group_waits", offsetof(dtbl, side.counters.groups_waited)},
    {"records_written", offsetof(dtbl, side.records.written)},
    {"records_read", offsetof(dtbl, side.records_read)},
    {"port_waits", offsetof(dtbl, side.records.refused)},
    {0},
};

/* What share of both counters is the first's; of nothing, none. */
static void share(dtbl *d, const char *name, const char *hits, const char *others,
                  const uint64_t *sum, wf_counter_fn each, void *user) {
  size_t hit, other;
  if (wf_rtl_set_counter_find(&d->rtls, hits, &hit) &&
      wf_rtl_set_counter_find(&d->rtls, others, &other) && sum[hit] + sum[other])
    each(user, name, (double)sum[hit] / (double)(sum[hit] + sum[other]));
}

static void dtbl_figures(wf_unit *unit, wf_counter_fn each, void *user) {
  dtbl *d = (dtbl *)unit;
  const wf_records *r = &d->side.records;
  uint64_t *sum = wf_rtl_set_counters(&d->rtls);
  each(user, "record_latency", r->answers ? (double)r->latency / (double)r->answers : 0);
  share(d, "kde_hit_rate", "groups_joined", "groups_refused", sum, each, user);
  share(d, "agt_hit_rate", "agt_hits", "agt_overflows", sum, each, user);
  free(sum);
}

static const wf_energy_event energy[] = {
    {"busy_cycles", WF_EN_PART_UNIT, 170.05, NULL,
     "make power UNIT=dtbl CONFIG=tuned, NanGate 45 nm; a cycle with something offered, under way "
     "or not yet told, outside which a clock gate on idle_o stops it"},
    WF_ENERGY_TRANSFER("dtbl_kern", 15.46),
    WF_ENERGY_TRANSFER("dtbl_agg", 20.74),
    WF_ENERGY_TRANSFER("dtbl_mem", 33.91),
    WF_ENERGY_TRANSFER("dtbl_rsp", 0.00),
    WF_ENERGY_TRANSFER("dtbl_tb", 51.49),
    WF_ENERGY_TRANSFER("dtbl_done", 0.00),
    {"kmu_busy_cycles", WF_EN_PART_UNIT, 3.79, NULL,
     "make power UNIT=dtbl_kmu CONFIG=tuned, NanGate 45 nm; a cycle in which a kernel comes, is "
     "dispatched or moved, outside which a clock gate on idle_o stops it"},
    WF_ENERGY_TRANSFER("dtbl_kmu_grp", 21.61),
    WF_ENERGY_TRANSFER("dtbl_kmu_launch", 22.10),
    WF_ENERGY_TRANSFER("dtbl_kmu_kern", 20.78),
    WF_ENERGY_TRANSFER("dtbl_kmu_mem", 0.66),
    WF_ENERGY_TRANSFER("dtbl_kmu_rsp", 0.37),
    WF_ENERGY_TRANSFER("dtbl_kmu_back", 0.00),
    {0},
};
static const wf_energy_power power[] = {
    {"static", "dtbl", NULL, 0.0392, "make synth UNIT=dtbl CONFIG=tuned, NanGate 45 nm: leakage"},
    {"gpu_static", "dtbl", NULL, 0.00788,
     "make synth UNIT=dtbl CONFIG=tuned, NanGate 45 nm: what RAM leaks that the GPU keeps"},
    {"kmu_static", "dtbl_kmu", NULL, 0.00224,
     "make synth UNIT=dtbl_kmu CONFIG=tuned, NanGate 45 nm: leakage"},
    {0},
};

static void dtbl_describe(const wf_unit *unit, FILE *out) {
  const dtbl_side *s = &((const dtbl *)unit)->side;
  const dtbl_ports *p = &s->port;
  fprintf(out,
          "dtbl: %llu grids unfinished, %u entries free, %llu ends wait, RTL idle %d, kernel "
          "ready %d, group ready %d, block %d, memory asked %d; KMU idle %d, kernel %d, memory "
          "asked %d\n",
          (unsigned long long)dtbl_book_unfinished(s->book), dtbl_book_free_entries(s->book),
          (unsigned long long)s->n_ended, (int)wf_port_get(p->idle),
          (int)wf_port_get(p->kern_ready), (int)wf_port_get(p->agg_ready),
          (int)wf_port_get(p->tb_valid), (int)wf_port_get(p->mem_valid),
          (int)wf_port_get(s->kmu.port.idle), (int)wf_port_get(s->kmu.port.kern_valid),
          (int)wf_port_get(s->kmu.port.mem_valid));
}

static const wf_dispatch_ops dispatch_ops = {
    .shared_unit = DTBL_SHM_UNIT,
    .free_kernels = dtbl_free_kernels,
    .fits = dtbl_fits,
    .launch = dtbl_launch,
    .kernel = dtbl_kernel,
    .group = dtbl_group,
    .refused = dtbl_refused,
    .place = dtbl_place,
    .may_place = dtbl_may_place,
    .block_done = dtbl_block_done,
    .rooms = dtbl_rooms,
    .divert = dtbl_divert,
};

const wf_unit_class wf_unit_dtbl = {
    .name = "dtbl",
    .summary = "dynamic thread block launch: decides every block's place; groups launched by "
               "threads join kernels",
    .limits = "any SMs, warps, L1, L2 slices and memory, of which parameters of launches "
              "and records lie in the first 4 GB; core.shared_bytes of at least 128",
    .fits = dtbl_fits_machine,
    .claims = WF_CLAIM_DISPATCHER,
    .crossbar_port = true,
    .bytes = sizeof(dtbl),
    .settings = offsetof(dtbl, set),
    .open = dtbl_open,
    .destroy = dtbl_destroy,
    .tick = dtbl_tick,
    .idle = dtbl_idle,
    .kernel_end = dtbl_kernel_end,
    .counters = counters,
    .figures = dtbl_figures,
    .describe = dtbl_describe,
    .bind = dtbl_bind,
    .events = energy,
    .power = power,
    .example = "--config k20c --app join --set app.left=1000 --set app.right=1000 --set "
               "app.keys=40 --set app.form=dtbl",
    .parameters = parameters,
    .dispatch = &dispatch_ops,
};
