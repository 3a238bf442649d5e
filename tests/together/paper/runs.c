/* Which runs stand for a unit, a machine and a task. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/units/registry.h"
#include "tests/together/paper/together.h"

const char *const together_units[UNITS] = {
    [APCM] = "apcm",           [BUBBLE] = "bubble",    [DTBL] = "dtbl", [FLEXCL] = "flexcl",
    [GRAN] = "gran",           [LAPERM] = "laperm",    [MFF] = "mff",   [MSHR] = "mshr",
    [MSHR_RICH] = "mshr_rich", [OBM] = "obm",          [PRT] = "prt",   [REGION] = "region",
    [SPREF] = "spref",         [TELEPORT] = "teleport"};
static const char *const machines[MACHINES] = {
    [GTX480] = "gtx480", [K20C] = "k20c", [FERMI16] = "fermi16", [RTX3070] = "rtx3070",
    [A100] = "a100",     [H100] = "h100", [RTX4090] = "rtx4090"};
const char *const together_tasks[TASKS] = {
    [BFS] = "bfs", [SSSP] = "sssp", [SPMV] = "spmv", [JOIN] = "join", [JAC] = "jac"};

int together_machine(int unit, int where) {
  static const int of_paper[UNITS] = {
      [APCM] = GTX480,      [BUBBLE] = K20C,    [DTBL] = K20C,  [FLEXCL] = FERMI16,
      [GRAN] = FERMI16,     [LAPERM] = K20C,    [MFF] = GTX480, [MSHR] = GTX480,
      [MSHR_RICH] = GTX480, [OBM] = FERMI16,    [PRT] = K20C,   [REGION] = FERMI16,
      [SPREF] = FERMI16,    [TELEPORT] = GTX480};
  return where == OF_PAPER ? of_paper[unit] : RTX3070 + where - TODAY;
}

const char *together_machine_name(int machine) {
  return machines[machine % MACHINES];
}

bool together_has(int unit) {
  return wf_unit_find(together_units[unit], NULL);
}

bool together_takes(int unit, int machine) {
  const wf_unit_class *cls = wf_unit_find(together_units[unit], NULL);
  const bool all = machine < RTX3070 || machine >= MACHINES;
  const double share = all ? 1 : 8;
  return cls && (!cls->most_sms || together_described(machine, "sms") / share <= cls->most_sms) &&
         (!cls->most_slices ||
          together_described(machine, "partitions") / share <= cls->most_slices);
}

bool together_traced(int unit) {
  const wf_unit_class *cls = wf_unit_find(together_units[unit], NULL);
  return cls && (cls->trace || !(cls->needs & WF_NEED_VALUES));
}

/* ---- the tasks ---- */

enum { FORMS = 4 };
#define TUPLES "--app join --set app.spread=gaussian "
#define LISTS " --set app.from=64 --set app.chunk=64"

/* Each input, for minutes and for hours, and for a whole machine of today; and the forms that
 * programs for it have without a unit. */
static const struct {
  const char *small, *full, *whole, *forms[FORMS];
} tasks[TASKS] = {
    [BFS] = {"--graph rmat:scale=13,edges=65000",
             "--graph rmat:scale=17,edges=2000000",
             "--graph rmat:scale=16,edges=520000",
             {"--app bfs --set app.strategy=thread", "--app bfs --set app.strategy=edges",
              "--app bfs --set app.strategy=direction"}},
    [SSSP] = {"--graph rmat:scale=12,edges=32000",
              "--graph rmat:scale=15,edges=400000",
              "--graph rmat:scale=15,edges=256000",
              {"--app hsssp", "--app sssp --set app.strategy=edges",
               "--app sssp --set app.strategy=segments", "--app gsssp --set app.strategy=queue"}},
    [SPMV] = {"--app spmv --graph rmat:scale=13,edges=65000",
              "--app spmv --graph rmat:scale=17,edges=2000000",
              "--app spmv --graph rmat:scale=16,edges=520000",
              {"--set app.form=plain", "--set app.form=ahead", "--set app.form=far"}},
    [JOIN] = {TUPLES "--set app.left=8192 --set app.right=12288 --set app.keys=1024",
              TUPLES "--set app.left=24576 --set app.right=32768 --set app.keys=1024",
              TUPLES "--set app.left=65536 --set app.right=98304 --set app.keys=8192",
              {"--set app.form=flat", "--set app.form=bins" LISTS, "--set app.form=scan" LISTS}},
    [JAC] = {"--app jac --set app.rows=512 --set app.cols=512",
             "--app jac --set app.rows=4096 --set app.cols=4096",
             "--app jac --set app.rows=1024 --set app.cols=2048",
             {"--set app.form=plain", "--set app.form=double", "--set app.form=copy"}}};

static const char *input_of(int machine, int task) {
  const char *scale = getenv("SCALE");
  if (machine >= MACHINES) return tasks[task].whole;
  if (!scale || !*scale) return tasks[task].small;
  if (strcmp(scale, "full") != 0) paper_fail("SCALE=%s: expected full, or nothing", scale);
  return tasks[task].full;
}

/* Follows one kernel at a time: not with kernels that launch others. */
#define ONE_KERNEL OF(SPREF)

/* Forms that a unit brings, and units that refuse them. */
static const struct {
  units_set units, refused_by;
  int task;
  const char *form;
} brought[] = {{OF(DTBL) | OF(LAPERM), ONE_KERNEL, JOIN, "--set app.form=dtbl"},
               {OF(DTBL) | OF(LAPERM), ONE_KERNEL, JOIN, "--set app.form=bins_dtbl" LISTS},
               {OF(DTBL) | OF(LAPERM), ONE_KERNEL, JOIN, "--set app.form=scan_dtbl" LISTS},
               {OF(MFF), 0, BFS, "--app bfs --set app.strategy=auto"}};
enum { BROUGHT = sizeof brought / sizeof *brought };

/* ---- the machines ---- */

/* Of machines of today an eighth of SMs, slices and channels, with what their DRAM's bandwidth
 * needs (docs/results/machines.md): an RTX 3070 a hash of slices, HBM pins of their own for rows.
 * Where all blocks of a whole one spin on a line, replies of another wait for ever but for
 * reply_patience (docs/architecture.md). */
static const char *share_of(int machine) {
  static const char *const shares[][2] = {
      [RTX3070] = {" --set scale=1/8 --set l2.hash=1",
                   " --set l2.hash=1 --set l2.reply_patience=64"},
      [A100] = {" --set scale=1/8 --set dram.row_bus=1",
                " --set dram.row_bus=1 --set l2.reply_patience=64"},
      [H100] = {" --set scale=1/8 --set dram.row_bus=1",
                " --set dram.row_bus=1 --set l2.reply_patience=64"},
      [RTX4090] = {" --set scale=1/8", " --set l2.reply_patience=64"}};
  return machine < RTX3070 ? "" : shares[machine % MACHINES][machine >= MACHINES];
}

/* The other split between L1 and shared memory that Fermi and Kepler have: software chooses. Of
 * machines of today the carve-out stays as it is: their L1 is 64 KB or more with any. */
static const char *other_split(int machine) {
  static const char large[] = " --set l1.bytes=49152 --set l1.ways=6 --set core.shared_bytes=16384",
                    small[] = " --set l1.bytes=16384 --set l1.ways=4 --set core.shared_bytes=49152";
  return machine == GTX480 || machine == K20C ? large : machine == FERMI16 ? small : NULL;
}

/* What a unit does not take as it is, and what stands in its place. */
#define LINES " --set l1.sectored=0 --set l1.write_keep=0"
#define APART(BYTES, WAYS)                                                                         \
  LINES " --set l1.unified_bytes=0 --set l1.bytes=" BYTES " --set l1.ways=" WAYS
static const char *const changes[UNITS][MACHINES] = {
    [FLEXCL] = {[RTX3070] = LINES, [A100] = LINES, [H100] = LINES, [RTX4090] = LINES},
    [REGION] = {[RTX3070] = LINES " --set l1.ways=16",
                [A100] = APART("131072", "16"),
                [H100] = APART("196608", "12"),
                [RTX4090] = APART("98304", "12")}};
/* Parameters, where the default is not what pays, or what the unit is for. */
static const char *const tuned[UNITS] = {
    [BUBBLE] = " --set bubble.sample=50", [MSHR_RICH] = " --set l1.mshrs=1024"};

enum { TEXT = 512 };
static void append(char text[TEXT], const char *more) {
  const size_t n = strlen(text);
  if (n + strlen(more) >= TEXT) paper_fail("%s%s: too long", text, more);
  strcpy(text + n, more);
}

bool together_changes(int unit, int machine) {
  return changes[unit][machine % MACHINES] != NULL;
}

static void changes_of(int machine, units_set units, char text[TEXT]) {
  for (int u = 0; u < UNITS; u++) {
    const char *change = changes[u][machine % MACHINES];
    if (units & OF(u) && change && !strstr(text, change)) append(text, change);
  }
}

static void units_of(units_set units, char text[TEXT]) {
  const char *before = " --unit ";
  for (int u = 0; u < UNITS; u++) {
    if (!(units & OF(u))) continue;
    append(text, before);
    append(text, together_units[u]);
    before = ",";
  }
  for (int u = 0; u < UNITS; u++)
    if (units & OF(u) && tuned[u]) append(text, tuned[u]);
}

/* ---- runs ---- */

static const cost none = {NAN, NAN, NAN, NAN, NAN};
const char *const together_measures[MEASURES] = {"speed", "energy", "dram", "crossbar"};

double together_ratio(cost without, cost with, int measure) {
  const double ratios[MEASURES] = {without.cycles / with.cycles, with.joules / without.joules,
                                   with.dram / without.dram, with.flits / without.flits};
  return ratios[measure];
}

/* A unit has models of its own for each machine, and runs are short: not worth the compiler's time,
 * unless the environment says otherwise. */
static void compile_quickly(void) {
  setenv("WARPFAB_QUICK", "1", 0);
}

static cost run(paper *p, int machine, const char *what, const char *input, const char *form,
                const char *options) {
  char label[64];
  compile_quickly();
  snprintf(label, sizeof label, "%s%s-%s", machine < MACHINES ? "" : "whole-",
           together_machine_name(machine), what);
  const cJSON *r = paper_result(p, label, "--config %s%s %s%s%s%s", together_machine_name(machine),
                                share_of(machine), input, *form ? " " : "", form, options);
  if (!r) return none;
  return (cost){.cycles = paper_number(r, "cycles"),
                .joules = paper_number(r, "energy_joules.total"),
                .watts = paper_number(r, "energy_joules.watts"),
                .dram = paper_number(r, "dram.read_bytes") + paper_number(r, "dram.write_bytes"),
                .flits = paper_number(r, "noc.flits")};
}

static cost run_form(paper *p, int machine, int task, const char *form, const char *options) {
  return run(p, machine, together_tasks[task], input_of(machine, task), form, options);
}

cost together_run(paper *p, int machine, const char *label, const char *input, units_set changed,
                  units_set units) {
  char options[TEXT] = "";
  units_of(units, options);
  changes_of(machine, changed | units, options);
  return run(p, machine, label, input, "", options);
}

static void keep_faster(cost *best, cost c) {
  if (isnan(best->cycles) || c.cycles < best->cycles) *best = c;
}

static cost fastest(paper *p, int machine, int task, const char *options) {
  cost best = none;
  for (int f = 0; f < FORMS && tasks[task].forms[f]; f++)
    keep_faster(&best, run_form(p, machine, task, tasks[task].forms[f], options));
  return best;
}

cost together_without(paper *p, int machine, int task, units_set units) {
  char options[TEXT] = "";
  cost best = fastest(p, machine, task, options);
  if (other_split(machine)) keep_faster(&best, fastest(p, machine, task, other_split(machine)));
  changes_of(machine, units, options);
  if (*options) keep_faster(&best, fastest(p, machine, task, options));
  return best;
}

/* Of forms that are slower by more than a tenth no unit here makes the fastest; the form whose code
 * uses the unit is tried in any case. */
static bool worth_trying(paper *p, int machine, int task, int form, units_set units, bool every,
                         const char *split) {
  const cost without = run_form(p, machine, task, tasks[task].forms[form], split),
             best = fastest(p, machine, task, split);
  if (units & OF(MFF) && task == BFS && form == 0) return true;
  return without.cycles <= (every ? 1.1 : 1) * best.cycles;
}

/* Strategies of --app bfs and sssp that have no form with MFF leave it idle. */
static const char *idle_of(const char *form, units_set units) {
  const bool has = strstr(form, "--app bfs ") || strstr(form, "--app sssp ");
  const bool uses = strstr(form, "strategy=thread") || strstr(form, "strategy=auto");
  return units & OF(MFF) && has && !uses ? " --set app.mff=0" : "";
}

static cost with(paper *p, int machine, int task, const char *form, units_set units,
                 const char *split) {
  char options[TEXT] = "";
  append(options, split);
  units_of(units, options);
  changes_of(machine, units, options);
  append(options, idle_of(form, units));
  return run_form(p, machine, task, form, options);
}

static cost with_split(paper *p, int machine, int task, units_set units, bool every,
                       const char *split) {
  cost best = none;
  for (int f = 0; f < FORMS && tasks[task].forms[f]; f++)
    if (worth_trying(p, machine, task, f, units, every, split))
      keep_faster(&best, with(p, machine, task, tasks[task].forms[f], units, split));
  for (int b = 0; b < BROUGHT; b++)
    if (brought[b].task == task && brought[b].units & units && !(brought[b].refused_by & units))
      keep_faster(&best, with(p, machine, task, brought[b].form, units, split));
  return best;
}

cost together_with(paper *p, int machine, int task, units_set units, bool every) {
  cost best = with_split(p, machine, task, units, every, "");
  if (other_split(machine))
    keep_faster(&best, with_split(p, machine, task, units, every, other_split(machine)));
  return best;
}
