#include "sim/report/findings.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sim/report/compare.h"
#include "sim/report/html.h"

/* Shares from which on something is said. */
static const double busy = 0.6, stalled = 0.15, few_lanes = 0.75, few_hits = 0.5, few_warps = 0.5,
                    short_grids = 0.3, mostly_static = 0.6, many_atomics = 0.3, dram_used = 0.2;

typedef struct list {
  const wf_facts *f;
  wf_finding *found;
  unsigned n;
} list;

static wf_finding *add(list *l, const char *id, const char *advice) {
  assert(l->n < WF_FINDINGS_MAX);
  wf_finding *f = &l->found[l->n++];
  *f = (wf_finding){.id = id, .advice = advice};
  return f;
}

static void __attribute__((format(printf, 2, 3))) head(wf_finding *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(f->head, sizeof f->head, format, args);
  va_end(args);
}
static void __attribute__((format(printf, 2, 3))) text(wf_finding *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(f->text, sizeof f->text, format, args);
  va_end(args);
}
static void __attribute__((format(printf, 2, 3))) rule(wf_finding *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(f->rule, sizeof f->rule, format, args);
  va_end(args);
}

/* A number with its thousands apart. */
typedef struct shown {
  char text[WF_HTML_NUMBER_BYTES];
} shown;
static shown count(double v) {
  shown s;
  wf_html_number(s.text, "%.0f", v);
  return s;
}

static double value(const list *l, const char *path) {
  return wf_facts_number(l->f, path);
}

static void find_verdict(list *l) {
  const cJSON *verified = wf_facts_item(l->f, "verified");
  if (!cJSON_IsFalse(verified)) return;
  wf_finding *f = add(l, "wrong", "Mend this first: no other number of this run means anything.");
  head(f, "The result is wrong");
  text(f, "The application's check says: %.250s.", wf_facts_text(l->f, "verdict"));
  rule(f, "verified is false");
}

static const char *const full_advice[WF_PARTS] = {
    "Fewer instructions for the same work: more work a thread, loads of two or four words.",
    "Fewer, wider accesses: neighbouring lanes at neighbouring addresses make one look-up of many.",
    "Stores, atomics and requests fill it: combine atomics in shared memory, or raise noc.mhz or "
    "noc.flit_bytes to see what a wider one would bring.",
    "Replies fill it: lines whose words are not all used (l1.sectored=1 fetches the sectors "
    "touched), or misses that a larger L1 would have had.",
    "Spread addresses over the slices, or have the L1 answer more (see its hit rate).",
    "Move fewer bytes: reuse in the L2, narrower data; a unit in front of memory that reads less.",
};

static void find_bound(list *l) {
  wf_part most = WF_PART_ISSUE;
  for (wf_part p = 0; p < WF_PARTS; p++)
    if (l->f->speed[p].share > l->f->speed[most].share) most = p;
  const double share = 100 * l->f->speed[most].share;
  const bool full = l->f->speed[most].share >= busy;
  wf_finding *f = add(l, full ? "bound" : "latency",
                      full ? full_advice[most]
                           : "The schedulers' causes below say what the warps wait for: more warps "
                             "and loads at once help, bandwidth does not.");
  if (full)
    head(f, "%s: %.0f %% of the peak", wf_part_name(most), share);
  else
    head(f, "No part of the machine is at its limit");
  text(f, "%s: %s, %.1f %% (%s).", full ? "What bounds the run" : "Nearest to its peak",
       wf_part_name(most), share, wf_part_what(most));
  rule(f, "the largest share of a peak is %s %.0f %%", full ? "at least" : "below", 100 * busy);
}

static const struct {
  const char *cause, *head, *advice;
} stall_texts[] = {
    {"idle", "schedulers without a warp",
     "Larger or more blocks, fewer registers or less shared memory a block, or fewer and longer "
     "kernels: see occupancy and the kernels' table."},
    {"lsu_queue", "a full load/store queue",
     "Accesses come in bursts or split into many lines: coalesce them; core.lsu_queue says how "
     "many wait."},
    {"l1_port", "the L1's port taken by others",
     "Copies, replies of units or prefetches take it: a lower prefetch degree, or "
     "l1.prefetch_turn=idle."},
    {"l1_mshr", "no free MSHR in the L1",
     "Too many lines are under way: l1.mshrs and l1.mshr_merge, or fewer misses (locality, a "
     "limit of warps by core.swl)."},
    {"noc", "a crossbar that takes no more",
     "See the crossbar's shares: fewer stores and atomics, or a wider or faster crossbar."},
    {"unit", "waiting for a unit",
     "The unit answers more slowly than it is asked: see its counters and its queues' "
     "parameters."},
    {"pipe", "a functional unit that is busy",
     "Divisions, double precision or special functions take several cycles each: replace them, "
     "or see interval.* of the machine."},
    {"limit", "the limit of warps (core.swl)", "Raise core.swl, if the L1 keeps its hits."},
    {"memory", "operands from memory",
     "More loads before their first use, more warps, or shorter ways: L1 hits, prefetching, a "
     "unit that preloads. The table of loads (--set probe.loads=1) names the instructions."},
    {"dependency", "results of the instruction before",
     "More independent instructions in a thread (unrolling), or more warps."},
    {"launch", "launches by threads",
     "Fewer and larger launches, or groups of blocks in place of kernels."},
    {"barrier", "barriers", "Even out the work of a block's warps, or take smaller blocks."},
};

static void find_stalls(list *l) {
  const cJSON *c, *sm = wf_facts_item(l->f, "sm");
  cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(sm, "scheduler_cycles")) {
    const double share = l->f->schedulers > 0 ? c->valuedouble / l->f->schedulers : 0;
    for (size_t i = 0; i < sizeof stall_texts / sizeof *stall_texts; i++) {
      if (strcmp(stall_texts[i].cause, c->string) || share < stalled) continue;
      wf_finding *f = add(l, stall_texts[i].cause, stall_texts[i].advice);
      head(f, "%.0f %% of the schedulers' cycles: %s", 100 * share, stall_texts[i].head);
      text(f, "%s of %s cycles of all schedulers have this cause; %.1f %% issue.",
           count(c->valuedouble).text, count(l->f->schedulers).text,
           100 * l->f->speed[WF_PART_ISSUE].share);
      rule(f, "a cause has at least %.0f %% of the schedulers' cycles", 100 * stalled);
    }
  }
}

static void find_lanes(list *l) {
  const double lanes = value(l, "sm.lanes_per_instruction");
  if (!(lanes > 0) || lanes >= 32 * few_lanes) return;
  wf_finding *f = add(l, "divergence",
                      "Lanes of a warp take different ways: give them equal work (a thread an edge "
                      "instead of a vertex, sorted or balanced work).");
  head(f, "%.1f of 32 lanes work", lanes);
  text(f, "An instruction has %.1f active lanes in the mean: %.0f %% of the pipelines' lanes idle.",
       lanes, 100 * (1 - lanes / 32));
  rule(f, "fewer than %.0f of 32 lanes are active in the mean", 32 * few_lanes);
}

/* Of the kernels' cycles: those of grids that do not fill the SMs once; and the warp slots that the
 * blocks an SM holds can fill, by the kernels' time. */
static void find_room(const list *l, double *small, double *room) {
  const wf_gpu_config *c = &l->f->config;
  double cycles = 0;
  const cJSON *k;
  *small = *room = 0;
  cJSON_ArrayForEach(k, wf_facts_item(l->f, "kernels")) {
    double took, fit;
    if (!wf_result_number(k, "cycles", &took) || !wf_result_number(k, "ctas_per_sm", &fit))
      continue;
    const double warps = ceil(wf_facts_product(k, "block") / 32);
    cycles += took;
    *room += took * fit * warps / c->warps_per_sm;
    if (wf_facts_product(k, "grid") < c->n_sm * fit) *small += took;
  }
  if (cycles > 0) *small /= cycles, *room /= cycles;
}

static void find_occupancy(list *l) {
  const double occupancy = value(l, "sm.occupancy");
  double small, room;
  if (!l->f->machine || !(occupancy > 0) || occupancy >= few_warps) return;
  find_room(l, &small, &room);
  const char *advice =
      small >= short_grids ? "The grids are too small for the machine: more blocks, or several "
                             "steps in one kernel."
      : room < few_warps   ? "Few blocks fit an SM: fewer registers or less shared memory a block, "
                             "or blocks of another size."
                         : "Blocks end unevenly or kernels are short: balance the work of blocks.";
  wf_finding *f = add(l, "occupancy", advice);
  head(f, "%.0f %% of the warp slots are used", 100 * occupancy);
  text(f,
       "The blocks that fit an SM could use %.0f %%; grids that do not fill the SMs once take %.0f "
       "%% "
       "of the cycles.",
       100 * room, 100 * small);
  rule(f, "occupancy below %.0f %%; small grids: at least %.0f %% of the cycles", 100 * few_warps,
       100 * short_grids);
}

static void find_l1(list *l) {
  const double accesses = value(l, "l1.accesses"), rate = value(l, "l1.hit_rate"),
               misses = value(l, "l1.misses"), merges = value(l, "l1.merges"),
               evictions = value(l, "l1.evictions");
  if (!(accesses > 0) || rate >= few_hits || !(misses > merges)) return;
  const double fills = misses - merges, lost = evictions / fills;
  wf_finding *f = add(
      l, "l1",
      lost >= few_hits ? "Lines leave before their next use: a larger L1 (l1.bytes), fewer warps "
                         "(core.swl), or a unit that keeps what is used again."
                       : "Few lines leave for want of room, so a larger L1 helps little: locality "
                         "in the data's order, or prefetching, helps more.");
  head(f, "The L1 answers %.0f %% of its loads", 100 * rate);
  text(f,
       "%s of %s look-ups miss, %s of these join a line that is under way; %s lines were replaced "
       "for %s fetched.",
       count(misses).text, count(accesses).text, count(merges).text, count(evictions).text,
       count(fills).text);
  rule(f, "hit rate below %.0f %%; replaced: at least %.0f %% of the lines fetched", 100 * few_hits,
       100 * few_hits);
}

static void find_atomics(list *l) {
  const double atomics = value(l, "l1.atomics"),
               all = value(l, "l1.accesses") + value(l, "l1.stores") + atomics;
  if (!(all > 0) || atomics / all < many_atomics) return;
  wf_finding *f = add(l, "atomics",
                      "Each goes to the L2: combine within a warp or block first, or look whether "
                      "a unit can do it.");
  head(f, "%.0f %% of the requests are atomics", 100 * atomics / all);
  text(f, "%s atomics beside %s load look-ups and %s stores of the L1.", count(atomics).text,
       count(value(l, "l1.accesses")).text, count(value(l, "l1.stores")).text);
  rule(f, "at least %.0f %% of the L1's requests", 100 * many_atomics);
}

static void find_rows(list *l) {
  const double hits = value(l, "dram.row_hits"), misses = value(l, "dram.row_misses"),
               active = value(l, "dram.active_cycles"), all = value(l, "dram.cycles");
  if (!(all > 0) || active / all < dram_used || !(misses > hits)) return;
  wf_finding *f = add(l, "rows",
                      "Accesses that are near in time should be near in memory: order the data, or "
                      "try memory.interleave_bytes and dram.queue.");
  head(f, "DRAM opens a row for %.0f %% of its accesses", 100 * misses / (hits + misses));
  text(f, "While it has work, data move in %.0f %% of its cycles.",
       100 * value(l, "dram.efficiency"));
  rule(f, "more row misses than hits, and DRAM has work in at least %.0f %% of its cycles",
       100 * dram_used);
}

static void find_energy(list *l) {
  const double total = value(l, "energy_joules.total"), fixed = value(l, "energy_joules.static");
  if (!(total > 0) || fixed / total < mostly_static) return;
  wf_finding *f = add(l, "static",
                      "Ending sooner saves most; fewer accesses save little while the time stays.");
  head(f, "%.0f %% of the energy is static", 100 * fixed / total);
  text(f, "%.3f of %.3f mJ are leakage and clocks, which take time and no work.", 1e3 * fixed,
       1e3 * total);
  rule(f, "static energy is at least %.0f %% of the total", 100 * mostly_static);
}

static void find_sampling(list *l) {
  const double executed = value(l, "sampled.executed");
  if (!(executed > 0)) return;
  wf_finding *f = add(l, "sampled", "Run without sample.* before you publish a number.");
  head(f, "The run is sampled");
  text(f, "%.0f launches were timed, %.0f only executed: cycles and counters are of the former.",
       value(l, "sampled.timed"), executed);
  rule(f, "launches were executed without timing");
}

unsigned wf_findings(const wf_facts *facts, wf_finding found[WF_FINDINGS_MAX]) {
  list l = {facts, found, 0};
  find_verdict(&l);
  find_sampling(&l);
  find_bound(&l);
  find_stalls(&l);
  find_occupancy(&l);
  find_lanes(&l);
  find_l1(&l);
  find_atomics(&l);
  find_rows(&l);
  find_energy(&l);
  return l.n;
}
