/* TELEPORT (Lashgar, chapter 7): figures 7.1, 7.5 to 7.7, table 7.3 and the choices of section
 * 7.5.3. Means over applications are geometric. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_text.h"
#include "tests/teleport/paper/teleport.h"

/* TELEPORT_PORT: the bench's defaults; TELEPORT_ONE: the paper's table, which has a row for each
 * line of a tile, its 96 ways and its LRU. */
typedef enum teleport_form {
  TELEPORT_BASE,
  TELEPORT_HAND,
  TELEPORT_PORT,
  TELEPORT_ONE,
  TELEPORT_FORMS
} teleport_form;

/* At their default sizes, on gtx480, which has what table 7.2 lists. */
const teleport_app teleport_apps[TELEPORT_APPS] = {[TELEPORT_EDS] = {"eds", "EDS"},
                                                   [TELEPORT_HSP] = {"hsp", "HSP"},
                                                   [TELEPORT_JAC] = {"jac", "JAC"},
                                                   [TELEPORT_MMA] = {"mma", "MMA"},
                                                   [TELEPORT_PTF] = {"ptf", "PTF"}};
static const char *const teleport_form_names[TELEPORT_FORMS] = {"baseline", "hand-written",
                                                                "TELEPORT", "as-the-paper"};
/* A row for each line of a tile, 96 ways, LRU. */
#define PAPERS_UNIT                                                                                \
  "app.form=plain --unit teleport --set teleport.tiles=0 --set teleport.sets=4 --set "             \
  "teleport.keep_unread=0"
static const char *const form_options[TELEPORT_FORMS] = {
    "app.form=plain", "app.form=shared", "app.form=plain --unit teleport", PAPERS_UNIT};

/* A number of an application's run in a form, with further options. */
static double teleport_number(paper *p, int app, teleport_form form, const char *options,
                              const char *path) {
  char label[64];
  snprintf(label, sizeof label, "%s-%s", teleport_apps[app].name, teleport_form_names[form]);
  return paper_number(paper_result(p, label, "--app %s --set %s%s%s", teleport_apps[app].name,
                                   form_options[form], *options ? " " : "", options),
                      path);
}

static paper_table teleport_of_apps(const char *file, const char *title) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_GEOMETRIC};
  for (int a = 0; a < TELEPORT_APPS; a++) paper_row(&t, 0, "%s", teleport_apps[a].title);
  return t;
}

/* ---- table 7.3: statements of the kernels ---- */

/* Of kernel NAME_plain or NAME_shared, counted by teleport-lines.awk. */
static double statements(int app, bool shared) {
  char wanted[64], name[64];
  int count, lines;
  double found = NAN;
  snprintf(wanted, sizeof wanted, "%s_%s", teleport_apps[app].name, shared ? "shared" : "plain");
  char *command = wf_text("awk -f tests/teleport/paper/teleport-lines.awk sim/apps/preload/%s.cu",
                          teleport_apps[app].name);
  FILE *f = popen(command, "r");
  while (f && fscanf(f, "%63s %d %d", name, &count, &lines) == 3)
    if (!strcmp(name, wanted)) found = count;
  if (!f || pclose(f) || isnan(found)) paper_fail("%s: no line for kernel %s", command, wanted);
  free(command);
  return found;
}

static void effort(paper *p) {
  static const double paper[TELEPORT_APPS][2] = {{13, 19}, {21, 51}, {8, 23}, {4, 9}, {10, 34}};
  paper_table t = teleport_of_apps("table-7.3", "Table 7.3: statements of the kernel");
  const int port = paper_column(&t, "TELEPORT"), hand = paper_column(&t, "hand-written"),
            ratio = paper_column(&t, "ratio"), theirs = paper_column(&t, "paper"),
            their_port = paper_column(&t, "paper-TELEPORT"),
            their_hand = paper_column(&t, "paper-hand");
  for (int a = 0; a < TELEPORT_APPS; a++) {
    t.v[a][port] = statements(a, false);
    t.v[a][hand] = statements(a, true);
    t.v[a][ratio] = t.v[a][hand] / t.v[a][port];
    t.v[a][their_port] = paper[a][0];
    t.v[a][their_hand] = paper[a][1];
    t.v[a][theirs] = paper[a][1] / paper[a][0];
  }
  paper_show(p, &t);
  for (int a = 0; a < TELEPORT_APPS; a++)
    paper_note(p, "table 7.3", t.v[a][theirs], t.v[a][ratio], a == TELEPORT_EDS ? 1 : 1.5, NAN, "x",
               "%s, statements hand-written over TELEPORT", teleport_apps[a].title);
  paper_note(p, "table 7.3", 2.5, paper_mean_all(&t, ratio), 1.5, 4, "x",
             "statements hand-written over TELEPORT, mean");
}

/* ---- figures 7.1 and 7.5: time ---- */

/* What explains a row that is outside its band (findings.md). */
static const char
    l2_out[] =
        "the L2 slices send nearly what they can, with and without the unit; EDS is bound by "
        "issue",
    at_once[] = "PTF's hand-written form takes many rows a launch, EDS's needs fewer instructions",
    issue_bound[] = "the plain form has more instructions, and the SMs issue nearly all they can",
    neighbours[] = "a tile's row is one or two lines; what else is read of the open DRAM row "
                   "belongs to other blocks, with and without the unit";

static void performance(paper *p) {
  paper_table t = teleport_of_apps(
      "figure-7.5",
      "Figure 7.5: speedup of TELEPORT; dynamic instructions, hand-written over TELEPORT");
  const int base = paper_column(&t, "over-baseline"), hand = paper_column(&t, "over-hand"),
            one_base = paper_column(&t, "paper's/base"),
            one_hand = paper_column(&t, "paper's/hand"),
            hand_base = paper_column(&t, "hand/baseline"), insts = paper_column(&t, "instructions"),
            kcycles = paper_column(&t, "base-kcycles"), energy = paper_column(&t, "energy/base");
  for (int a = 0; a < TELEPORT_APPS; a++) {
    const double b = teleport_number(p, a, TELEPORT_BASE, "", "cycles"),
                 h = teleport_number(p, a, TELEPORT_HAND, "", "cycles"),
                 port = teleport_number(p, a, TELEPORT_PORT, "", "cycles"),
                 one = teleport_number(p, a, TELEPORT_ONE, "", "cycles");
    t.v[a][base] = b / port;
    t.v[a][hand] = h / port;
    t.v[a][one_base] = b / one;
    t.v[a][one_hand] = h / one;
    t.v[a][hand_base] = b / h;
    t.v[a][insts] = teleport_number(p, a, TELEPORT_HAND, "", "thread_instructions") /
                    teleport_number(p, a, TELEPORT_PORT, "", "thread_instructions");
    t.v[a][kcycles] = b / 1000;
    t.v[a][energy] = teleport_number(p, a, TELEPORT_PORT, "", "energy_joules.total") /
                     teleport_number(p, a, TELEPORT_BASE, "", "energy_joules.total");
  }
  paper_show(p, &t);
  paper_note(p, "figure 7.5", 1.56, paper_mean_all(&t, base), 1.25, NAN, "x",
             "TELEPORT over baseline, mean");
  paper_why(p, l2_out);
  paper_note(p, "figure 7.5", 1.56, paper_mean_all(&t, one_base), NAN, NAN, "x",
             "the paper's table, ways and LRU over baseline, mean");
  paper_note(p, "figure 7.5", 1.32, paper_mean_all(&t, hand), 1.1, NAN, "x",
             "TELEPORT over hand-written, mean");
  paper_why(p, at_once);
  paper_note(p, "figure 7.5", 1.32, paper_mean_all(&t, one_hand), NAN, NAN, "x",
             "the paper's table, ways and LRU over hand-written, mean");
  paper_note(p, "figure 7.5", 2.2, t.v[TELEPORT_JAC][base], 1.5, NAN, "x", "JAC over baseline");
  paper_note(p, "figure 7.5", 1.06, t.v[TELEPORT_JAC][hand], 0.95, NAN, "x",
             "JAC over hand-written");
  paper_note(p, "figure 7.5", 1.23, t.v[TELEPORT_MMA][hand], 1.05, NAN, "x",
             "MMA over hand-written");
  paper_note(p, "figure 7.5", 1.01, t.v[TELEPORT_PTF][base], 0.9, 1.2, "x", "PTF over baseline");
  paper_note(p, "figure 7.5", NAN, t.v[TELEPORT_PTF][hand], NAN, 1, "x",
             "PTF over hand-written (which wins in the paper)");
  paper_note(p, "figure 7.5", NAN, t.v[TELEPORT_EDS][base], 1, NAN, "x", "EDS over baseline");
  paper_note(p, "figure 7.5", NAN, t.v[TELEPORT_EDS][hand], 1, NAN, "x", "EDS over hand-written");
  paper_why(p, issue_bound);
  paper_note(p, "figure 7.5", NAN, t.v[TELEPORT_HSP][base], 1, NAN, "x", "HSP over baseline");
  paper_why(p, l2_out);
  paper_note(p, "figure 7.5", NAN, t.v[TELEPORT_HSP][hand], 1, NAN, "x", "HSP over hand-written");
  paper_note(p, "figure 7.5", NAN, t.v[TELEPORT_EDS][insts], NAN, 1, "x",
             "dynamic instructions, hand-written over TELEPORT, EDS");
  paper_note(p, "figure 7.5", 2.17, t.v[TELEPORT_HSP][insts], 1.6, 2.7, "x",
             "dynamic instructions, hand-written over TELEPORT, HSP");
  paper_note(p, "figure 7.5", 1.98, t.v[TELEPORT_JAC][insts], 1.6, 2.4, "x",
             "dynamic instructions, hand-written over TELEPORT, JAC");
  paper_note(p, "figure 7.5", 1.5, t.v[TELEPORT_MMA][insts], 1.3, 1.8, "x",
             "dynamic instructions, hand-written over TELEPORT, MMA");
}

/* What stands behind the times: by form. */
static void behind(paper *p) {
  enum { ISSUE = 15 * 2, SLICES = 6 }; /* gtx480: warp instructions a cycle; L2 slices */
  static const char *const titles[TELEPORT_FORMS] = {"baseline", "hand-written", "TELEPORT",
                                                     "the paper's table, ways and LRU"};
  for (int f = 0; f < TELEPORT_FORMS; f++) {
    char file[40], title[96];
    snprintf(file, sizeof file, "counters-%s", teleport_form_names[f]);
    snprintf(title, sizeof title,
             "%s: shares of cycles, flits a cycle and slice, occupancy, and what the unit did",
             titles[f]);
    paper_table t = teleport_of_apps(file, title);
    const int issue = paper_column(&t, "issue"), replies = paper_column(&t, "L2-flits"),
              dram = paper_column(&t, "DRAM"), occupancy = paper_column(&t, "occupancy"),
              hits = paper_column(&t, "L1-hits");
    const bool unit = f >= TELEPORT_PORT;
    const int found = unit ? paper_column(&t, "found") : 0,
              lines = unit ? paper_column(&t, "lines/block") : 0,
              held = unit ? paper_column(&t, "held/block") : 0,
              refused = unit ? paper_column(&t, "refused") : 0;
    for (int a = 0; a < TELEPORT_APPS; a++) {
      const teleport_form form = (teleport_form)f;
      const double cycles = teleport_number(p, a, form, "", "cycles");
      t.v[a][issue] = teleport_number(p, a, form, "", "warp_instructions") / (cycles * ISSUE);
      t.v[a][replies] = teleport_number(p, a, form, "", "noc.reply_flits") / (cycles * SLICES);
      t.v[a][dram] = teleport_number(p, a, form, "", "dram.efficiency");
      t.v[a][occupancy] = teleport_number(p, a, form, "", "sm.occupancy");
      t.v[a][hits] = teleport_number(p, a, form, "", "l1.hit_rate");
      if (!unit) continue;
      t.v[a][found] = teleport_number(p, a, form, "", "unit.teleport.found") /
                      teleport_number(p, a, form, "", "unit.teleport.looked_up");
      t.v[a][lines] = teleport_number(p, a, form, "", "unit.teleport.requests") /
                      teleport_number(p, a, form, "", "unit.teleport.tbs");
      t.v[a][held] = teleport_number(p, a, form, "", "unit.teleport.held_cycles") /
                     teleport_number(p, a, form, "", "unit.teleport.held_blocks");
      t.v[a][refused] = teleport_number(p, a, form, "", "unit.teleport.asks_dropped");
    }
    paper_show(p, &t);
  }
}

/* Time and statements of two applications, the baseline's as 1. */
static void overview(paper *p) {
  static const int apps[] = {TELEPORT_MMA, TELEPORT_JAC};
  paper_table t = {.file = "figure-7.1",
                   .title = "Figure 7.1: time and statements over the baseline's"};
  static const char *const names[] = {"MMA-baseline", "MMA-hand", "MMA-TELEPORT",
                                      "JAC-baseline", "JAC-hand", "JAC-TELEPORT"};
  const int time = paper_column(&t, "time"), lines = paper_column(&t, "statements");
  for (int r = 0; r < 6; r++) {
    const int a = apps[r / 3], form = r % 3;
    paper_row(&t, 0, "%s", names[r]);
    t.v[r][time] = teleport_number(p, a, (teleport_form)form, "", "cycles") /
                   teleport_number(p, a, TELEPORT_BASE, "", "cycles");
    t.v[r][lines] = statements(a, form == TELEPORT_HAND) / statements(a, false);
  }
  paper_show(p, &t);
  paper_note(p, "figure 7.1", 1 / 2.2, t.v[5][time], NAN, NAN, "x",
             "JAC, time of TELEPORT over the baseline's");
  paper_note(p, "figure 7.1", 1.06 / 2.2, t.v[4][time], NAN, NAN, "x",
             "JAC, time of the hand-written form over the baseline's");
}

/* ---- figures 7.6, 7.7: DRAM ---- */

static double accesses(paper *p, int app, teleport_form form) {
  return teleport_number(p, app, form, "", "dram.reads") +
         teleport_number(p, app, form, "", "dram.writes");
}

static void dram_accesses(paper *p) {
  paper_table t =
      teleport_of_apps("figure-7.6", "Figure 7.6: DRAM accesses, thousands; over the baseline's");
  for (int f = 0; f < TELEPORT_FORMS; f++) paper_column(&t, teleport_form_names[f]);
  const int hand = paper_column(&t, "hand/baseline"), port = paper_column(&t, "TELEPORT/baseline");
  double most = 0;
  for (int a = 0; a < TELEPORT_APPS; a++) {
    for (int f = 0; f < TELEPORT_FORMS; f++) t.v[a][f] = accesses(p, a, (teleport_form)f) / 1000;
    t.v[a][hand] = t.v[a][TELEPORT_HAND] / t.v[a][TELEPORT_BASE];
    t.v[a][port] = t.v[a][TELEPORT_PORT] / t.v[a][TELEPORT_BASE];
    if (!(t.v[a][port] <= most)) most = t.v[a][port];
  }
  paper_show(p, &t);
  paper_note(p, "figure 7.6", 1.02, most, NAN, 1.02, "x",
             "DRAM accesses of TELEPORT over the baseline's, at most");
  paper_note(p, "figure 7.6", 1.02, t.v[TELEPORT_JAC][port], NAN, 1.05, "x",
             "DRAM accesses of TELEPORT over the baseline's, JAC");
  paper_note(p, "figure 7.6", NAN, t.v[TELEPORT_HSP][hand], NAN, 0.75, "x",
             "hand-written over baseline, HSP (ghost zones)");
  paper_note(p, "figure 7.6", NAN, t.v[TELEPORT_PTF][hand], NAN, 0.75, "x",
             "hand-written over baseline, PTF (ghost zones)");
}

static void row_locality(paper *p) {
  paper_table t = teleport_of_apps(
      "figure-7.7",
      "Figure 7.7: DRAM accesses by row changes; changes of the baseline over TELEPORT's");
  for (int f = 0; f < TELEPORT_FORMS; f++) paper_column(&t, teleport_form_names[f]);
  const int fewer = paper_column(&t, "fewer"), base = paper_column(&t, "TELEPORT/baseline"),
            hand = paper_column(&t, "TELEPORT/hand"), fewer_one = paper_column(&t, "fewer-paper's");
  double best = 0;
  for (int a = 0; a < TELEPORT_APPS; a++) {
    double changes[TELEPORT_FORMS];
    for (int f = 0; f < TELEPORT_FORMS; f++) {
      changes[f] = teleport_number(p, a, (teleport_form)f, "", "dram.row_changes");
      t.v[a][f] = accesses(p, a, (teleport_form)f) / changes[f];
    }
    t.v[a][fewer] = changes[TELEPORT_BASE] / changes[TELEPORT_PORT];
    t.v[a][fewer_one] = changes[TELEPORT_BASE] / changes[TELEPORT_ONE];
    t.v[a][base] = t.v[a][TELEPORT_PORT] / t.v[a][TELEPORT_BASE];
    t.v[a][hand] = t.v[a][TELEPORT_PORT] / t.v[a][TELEPORT_HAND];
    if (!(t.v[a][fewer] <= best)) best = t.v[a][fewer];
  }
  paper_show(p, &t);
  paper_note(p, "figure 7.7", 4.84, best, 1.5, NAN, "x",
             "row changes of the baseline over TELEPORT's, at most");
  paper_why(p, neighbours);
  paper_note(p, "figure 7.7", 2.7, t.v[TELEPORT_EDS][base], 1.2, NAN, "x",
             "row locality of EDS over the baseline's");
  paper_why(p, neighbours);
  paper_note(p, "figure 7.7", 1.9, t.v[TELEPORT_EDS][hand], 1.1, NAN, "x",
             "row locality of EDS over the hand-written form's");
  paper_why(p, neighbours);
  paper_note(p, "figure 7.7", NAN, t.v[TELEPORT_PTF][base], NAN, 1, "x",
             "row locality of PTF over the baseline's (worse in the paper)");
  paper_why(p, neighbours);
}

/* ---- section 7.5.3 ---- */

typedef struct choice {
  const char *name, *options;
} choice;

/* Speedups over the baseline of each choice; the first is TELEPORT as it is. */
static paper_table speedups(paper *p, const char *file, const char *title, const choice *choices,
                            int n) {
  paper_table t = teleport_of_apps(file, title);
  for (int c = 0; c < n; c++) {
    paper_column(&t, choices[c].name);
    for (int a = 0; a < TELEPORT_APPS; a++)
      t.v[a][c] = teleport_number(p, a, TELEPORT_BASE, "", "cycles") /
                  teleport_number(p, a, TELEPORT_PORT, choices[c].options, "cycles");
  }
  paper_show(p, &t);
  return t;
}

static void hardware_choices(paper *p) {
  static const choice choices[] = {{"TELEPORT", ""},
                                   {"overlap", "--set teleport.overlap=1"},
                                   {"equal-priority", "--set mem.preload_priority=0"},
                                   {"LRU", "--set teleport.keep_unread=0"},
                                   {"row-per-line", "--set teleport.tiles=0"},
                                   {"96-ways", "--set teleport.sets=4"}};
  speedups(p, "section-7.5.3-hardware", "Speedup over the baseline, by what the hardware does",
           choices, 6);
}

/* L2 slices that may hold twice as many replies: what bounds both forms gives way. */
static void wider_l2(paper *p) {
  static const char options[] = "--set l2.queue=32";
  paper_table t = teleport_of_apps(
      "beyond-L2", "Speedups with L2 queues of 32 in place of 16, by the same forms");
  const int base = paper_column(&t, "over-baseline"), hand = paper_column(&t, "over-hand"),
            own = paper_column(&t, "over-16");
  for (int a = 0; a < TELEPORT_APPS; a++) {
    const double cycles = teleport_number(p, a, TELEPORT_PORT, options, "cycles");
    t.v[a][base] = teleport_number(p, a, TELEPORT_BASE, options, "cycles") / cycles;
    t.v[a][hand] = teleport_number(p, a, TELEPORT_HAND, options, "cycles") / cycles;
    t.v[a][own] = teleport_number(p, a, TELEPORT_PORT, "", "cycles") / cycles;
  }
  paper_show(p, &t);
  paper_note(p, "beyond", NAN, paper_mean_all(&t, base), 1, NAN, "x",
             "L2 queues of 32: TELEPORT over baseline, mean");
}

static void software_choices(paper *p) {
  static const choice choices[] = {
      {"analyser", ""},
      {"narrow", "--set teleport.table=tests/teleport/paper/teleport-narrow.rows"},
      {"no-rows", "--set teleport.rows=none"}};
  const paper_table t =
      speedups(p, "section-7.5.3-software", "Speedup over the baseline, by rows", choices, 3);
  paper_note(p, "7.5.3", 1, paper_mean_all(&t, 2), 0.98, 1.02, "x",
             "an empty table over the baseline, mean");
}

static void figures(paper *p) {
  effort(p);
  overview(p);
  performance(p);
  behind(p);
  dram_accesses(p);
  row_locality(p);
  hardware_choices(p);
  software_choices(p);
}

static const paper_part parts[] = {
    {"kernels", "figures 7.3, 7.4: what the analyser finds", teleport_analysis, false},
    {"runs", "figures 7.1, 7.5 to 7.7, table 7.3, section 7.5.3", figures, false},
    {"beyond", "Longer L2 queues", wider_l2, true},
    {"best", "Best software with the unit over best software without", teleport_best, true},
    {"split", "The unit's 48 KB as L1, which needs no unit", teleport_split, true},
    {0}};
const paper_unit paper_this = {
    "teleport", "TELEPORT: what a thread block reads is fetched before it starts", parts};
