/* Socket of the LaPerm unit (rtl/laperm): the scheduler in RTL in the place of the GPU's own
 * dispatcher: settings, class, reports. Every decision is the RTL's, whose ports laperm_side.h has;
 * the book checks each (laperm_book.h). */
#include <stdio.h>
#include <stdlib.h>

#include "sim/units/laperm/laperm_side.h"

#define FIELD(f) offsetof(laperm_settings, f)

static const char *const policies[] = {"rr", "tb_pri", "smx_bind", "adaptive", NULL};

static const wf_parameter parameters[] = {
    {"policy", NULL, LAPERM_RR, LAPERM_ADAPTIVE, LAPERM_ADAPTIVE, FIELD(policy), policies,
     "who goes next, and where: rr: first come, first served; tb_pri: the highest level; smx_bind: "
     "and on the SM that launched it; adaptive: or where nothing else is left"},
    {"entries", "Entries", 4, 1024, 128, FIELD(entries), NULL,
     "groups on chip for each SM; the rest goes to memory"},
    {"levels", "Levels", 1, 7, 3, FIELD(levels), NULL, "of launches within launches"},
    {"cluster", "Cluster", 1, 4, 1, FIELD(cluster), NULL, "SMs that share queues"},
    {"skip", "Skip", 0, 1, 0, FIELD(skip), NULL,
     "1: visits begin at the SM where a block has ended, not behind the last block"},
    {"search_slots", "SearchSlots", 1, 32, 8, FIELD(search_slots), NULL,
     "groups that look for a kernel at once"},
    {"pool_bits", "PoolBits", 2, 32, 16, FIELD(pool_bits), NULL,
     "of the number of groups that wait in one kernel"},
    {"done_depth", "DoneDepth", 2, 64, 4, FIELD(done_depth), NULL,
     "ends of an SM's blocks that wait for bookkeeping"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"lines", "Lines", 0, WF_RECORD_LINES, 16, FIELD(lines), NULL,
     "lines of records that the unit keeps and fetches ahead, 2..64; 0: none"},
    {"reads", "Reads", 1, WF_RECORD_LINES - 1, 8, FIELD(reads), NULL,
     "SMs for whose records a line may be on its way at once, fewer than laperm.lines"},
    {"ring", "Ring", 0, 65536, 32768, FIELD(ring), NULL,
     "places of records in memory, 2^k from 16; 0: records lie below the parameters, as without "
     "laperm.lines"},
    {"mhz", NULL, 0, 10000, 0, FIELD(mhz), NULL,
     "clock of the RTL, if it is lower than the GPU's: it gets that share of its edges; 0: all"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock the idle RTL; 0 clocks it always, same results"},
    {.field = FIELD(given)},
};

typedef struct laperm {
  wf_unit unit;
  wf_rtl_set rtls; /* of one */
  laperm_side side;
  laperm_settings set;
} laperm;

/* ---- creation ---- */

static bool laperm_bind(wf_unit *unit, wf_error *err) {
  laperm *d = (laperm *)unit;
  return laperm_side_bind(&d->side, &d->rtls, err);
}

static void laperm_destroy(wf_unit *unit) {
  laperm *d = (laperm *)unit;
  laperm_side_free(&d->side);
  free(d);
}

/* What the RTL's numbers hold, told in the user's words. */
static bool laperm_fits_machine(const wf_unit_env *e, wf_error *err) {
  laperm_settings set;
  if (!wf_parameters_read(parameters, "laperm", e->options, &set, err)) return false;
  if (set.lines == 1)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "laperm.lines=1: expected 0 or 2 to %d",
                   WF_RECORD_LINES);
  if (set.ring & (set.ring - 1) || (set.ring && set.ring < 16))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "laperm.ring=%u: expected 0 or a power of two from 16",
                   set.ring);
  if (wf_parameters_given(parameters, &set, "ring") && set.ring && !set.lines)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "laperm.ring=%u: with laperm.lines=0 records have no ring; expected 0",
                   set.ring);
  if (wf_parameters_given(parameters, &set, "reads") && set.reads >= set.lines)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "laperm.reads=%u: expected fewer than laperm.lines=%u",
                   set.reads, set.lines);
  const unsigned owners = (e->n_sm + set.cluster - 1) / set.cluster;
  if (owners * set.levels > LAPERM_QUEUES)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "laperm.levels=%u: with %u SMs, %u to a queue (laperm.cluster), expected %u or less",
        set.levels, e->n_sm, set.cluster, LAPERM_QUEUES / owners);
  if (e->kernels > LAPERM_KERNELS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit laperm: launch.kernels=%u: expected %d or less",
                   e->kernels, LAPERM_KERNELS);
  if (e->shared_bytes_per_sm < LAPERM_SHM_UNIT || e->registers_per_sm < e->register_granularity)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--unit laperm: core.shared_bytes=%u, core.registers=%u: expected %d or more, and "
        "core.register_granularity=%u or more",
        e->shared_bytes_per_sm, e->registers_per_sm, LAPERM_SHM_UNIT, e->register_granularity);
  return true;
}

static bool laperm_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  laperm *d = (laperm *)unit;
  const laperm_shape *s = &d->side.shape;
  if (!d->set.lines) d->set.ring = 0;
  if (d->set.reads >= d->set.lines) d->set.reads = d->set.lines ? d->set.lines - 1 : 1;
  laperm_side_init(&d->side, env, &d->set, &unit->fault);
  static const wf_rtl_value given[] = {
      {"PcBits", 32}, {"TbDimBits", 29}, {"SmemBits", LAPERM_SMEM_BITS}, {0}};
  const wf_rtl_value fixed[] = {
      {"NumSmx", s->n_sm},
      {"MaxTb", s->slots},
      {"WarpUnits", s->warps},
      {"RegUnits", s->registers / env->register_granularity},
      {"ShmUnits", s->shared_bytes / LAPERM_SHM_UNIT},
      {"NumKde", s->entries},
      {0},
  };
  d->unit.rtl[0] = &d->rtls;
  const wf_rtl_request q = {"laperm", "tuned", fixed, given, unit, env};
  return wf_rtl_set_open(&d->rtls, 1, &q, err);
}

/* ---- as the dispatcher ---- */

static unsigned laperm_free_kernels(const void *self) {
  return laperm_book_free_entries(((const laperm *)self)->side.book);
}
static bool laperm_fits(const void *self, const wf_grid *g, char *why, size_t bytes) {
  return laperm_side_fits(&((const laperm *)self)->side, g, why, bytes);
}
static unsigned laperm_queue_of(const void *self, const wf_grid *g) {
  return laperm_book_level(((const laperm *)self)->side.book, g);
}
static bool laperm_kernel(void *self, const wf_grid *kernel) {
  return laperm_side_kernel(&((laperm *)self)->side, kernel);
}
static bool laperm_group(void *self, const wf_grid *group) {
  return laperm_side_group(&((laperm *)self)->side, group);
}
static bool laperm_refused(void *self, uint32_t *id) {
  return laperm_side_refused(&((laperm *)self)->side, id);
}
static bool laperm_place(void *self, wf_placement *placed) {
  return laperm_side_place(&((laperm *)self)->side, placed);
}
static bool laperm_may_place(const void *self) {
  return laperm_side_may_place(&((const laperm *)self)->side);
}
static void laperm_block_done(void *self, unsigned sm, unsigned slot) {
  laperm_side_block_done(&((laperm *)self)->side, sm, slot);
}

static void laperm_rooms(const void *self, wf_dispatch_rooms *rooms) {
  laperm_side_rooms(&((const laperm *)self)->side, rooms);
}
static void laperm_divert(void *self, const wf_mask *sms) {
  laperm_side_divert(&((laperm *)self)->side, sms);
}

/* Memory's side of the ports; the rest happens in place(). */
static bool laperm_tick(wf_unit *unit, wf_error *err) {
  return wf_records_tick(&((laperm *)unit)->side.records, err);
}

/* May a kernel end? Bookkeeping of ends that is left is done in kernel_end(), between kernels. */
static bool laperm_idle(const wf_unit *unit) {
  const laperm *d = (const laperm *)unit;
  return d->unit.fault.code || !laperm_book_unfinished(d->side.book) ||
         laperm_side_at_rest(&d->side);
}

static bool laperm_kernel_end(wf_unit *unit, wf_error *err) {
  laperm *d = (laperm *)unit;
  return laperm_side_clock_to_rest(&d->side, err) && laperm_book_over(d->side.book, err);
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"busy_cycles", offsetof(laperm, rtls.busy)},
    {"end_waits", offsetof(laperm, side.counters.ends_waited)},
    {"kernel_waits", offsetof(laperm, side.counters.kernels_waited)},
    {"group_waits", offsetof(laperm, side.counters.groups_waited)},
    {"records_written", offsetof(laperm, side.records.written)},
    {"port_waits", offsetof(laperm, side.records.refused)},
    {0},
};

/* What share of both counters is the first's; of nothing, none. */
static void share(laperm *d, const char *name, const char *hits, const char *others,
                  const uint64_t *sum, wf_counter_fn each, void *user) {
  size_t hit, other;
  if (wf_rtl_set_counter_find(&d->rtls, hits, &hit) &&
      wf_rtl_set_counter_find(&d->rtls, others, &other) && sum[hit] + sum[other])
    each(user, name, (double)sum[hit] / (double)(sum[hit] + sum[other]));
}

static void laperm_figures(wf_unit *unit, wf_counter_fn each, void *user) {
  laperm *d = (laperm *)unit;
  const wf_records *r = &d->side.records;
  uint64_t *sum = wf_rtl_set_counters(&d->rtls);
  each(user, "record_latency", r->answers ? (double)r->latency / (double)r->answers : 0);
  share(d, "kde_hit_rate", "groups_joined", "groups_refused", sum, each, user);
  share(d, "on_chip", "groups_chip", "groups_memory", sum, each, user);
  free(sum);
}

static const wf_energy_event energy[] = {
    {"busy_cycles", WF_EN_PART_UNIT, 210.20, NULL,
     "make power UNIT=laperm CONFIG=tuned, NanGate 45 nm; a cycle with something offered, under "
     "way or not yet told, outside which a clock gate on idle_o stops it"},
    WF_ENERGY_TRANSFER("kern", 60.79),
    WF_ENERGY_TRANSFER("agg", 37.56),
    WF_ENERGY_TRANSFER("mem", 2.44),
    WF_ENERGY_TRANSFER("rsp", 0.00),
    WF_ENERGY_TRANSFER("tb", 26.27),
    WF_ENERGY_TRANSFER("done", 56.06),
    {0},
};
static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.0503, "make synth UNIT=laperm CONFIG=tuned, NanGate 45 nm: leakage"},
    {"gpu_static", NULL, NULL, 0.00648,
     "make synth UNIT=laperm CONFIG=tuned, NanGate 45 nm: what RAM leaks that the GPU keeps"},
    {0},
};

static void laperm_describe(const wf_unit *unit, FILE *out) {
  const laperm_side *s = &((const laperm *)unit)->side;
  const laperm_ports *p = &s->port;
  fprintf(out,
          "laperm: %llu grids unfinished, %u entries free, %llu ends wait, RTL idle %d, kernel "
          "ready %d, group ready %d, block %d, memory asked %d\n",
          (unsigned long long)laperm_book_unfinished(s->book), laperm_book_free_entries(s->book),
          (unsigned long long)s->n_ended, (int)wf_port_get(p->idle),
          (int)wf_port_get(p->kern_ready), (int)wf_port_get(p->agg_ready),
          (int)wf_port_get(p->tb_valid), (int)wf_port_get(p->mem_valid));
}

static const wf_dispatch_ops dispatch_ops = {
    .shared_unit = LAPERM_SHM_UNIT,
    .free_kernels = laperm_free_kernels,
    .fits = laperm_fits,
    .queue = laperm_queue_of,
    .kernel = laperm_kernel,
    .group = laperm_group,
    .refused = laperm_refused,
    .place = laperm_place,
    .may_place = laperm_may_place,
    .block_done = laperm_block_done,
    .rooms = laperm_rooms,
    .divert = laperm_divert,
};

const wf_unit_class wf_unit_laperm = {
    .name = "laperm",
    .summary =
        "locality-aware scheduler: blocks that threads launch run soon after their parent, on "
        "its SM",
    .limits = "any SMs, warps, L1, L2 slices and memory, of which parameters of launches "
              "and records lie in the first 4 GB; core.shared_bytes of at least 128",
    .fits = laperm_fits_machine,
    .claims = WF_CLAIM_DISPATCHER,
    .crossbar_port = true,
    .bytes = sizeof(laperm),
    .settings = offsetof(laperm, set),
    .open = laperm_open,
    .destroy = laperm_destroy,
    .tick = laperm_tick,
    .idle = laperm_idle,
    .kernel_end = laperm_kernel_end,
    .counters = counters,
    .figures = laperm_figures,
    .describe = laperm_describe,
    .bind = laperm_bind,
    .events = energy,
    .power = power,
    .example = "--config k20c --app join --set app.left=1000 --set app.right=1000 --set "
               "app.keys=40 --set app.form=dtbl",
    .parameters = parameters,
    .dispatch = &dispatch_ops,
};
