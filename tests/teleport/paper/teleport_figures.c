/* Figures 7.1, 7.5 to 7.7, table 7.3 and the choices of section 7.5.3. Means over applications are
 * geometric. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/teleport/paper/teleport.h"

#define NUMBER(APP, FORM, PATH) tele_number(e, APP, FORM, "", PATH)

/* ---- table 7.3: statements of the kernels ---- */

/* Of kernel NAME_plain or NAME_shared. */
static double statements(const tele_experiment *e, int app, bool shared) {
  char wanted[64], name[64];
  int count, lines;
  snprintf(wanted, sizeof wanted, "%s_%s", tele_apps[app].name, shared ? "shared" : "plain");
  FILE *f = fopen(e->lines, "r");
  while (f && fscanf(f, "%63s %d %d", name, &count, &lines) == 3)
    if (!strcmp(name, wanted)) {
      fclose(f);
      return count;
    }
  fprintf(stderr, "%s: no line for kernel %s; made by teleport-lines.awk\n", e->lines, wanted);
  exit(2);
}

static void effort(tele_experiment *e) {
  static const double paper[TELE_APPS][2] = {{13, 19}, {21, 51}, {8, 23}, {4, 9}, {10, 34}};
  tele_table t = tele_table_of_apps("table-7.3", "statements of the kernel");
  const int port = tele_column(&t, "TELEPORT"), hand = tele_column(&t, "hand-written"),
            ratio = tele_column(&t, "ratio"), theirs = tele_column(&t, "paper"),
            their_port = tele_column(&t, "paper-TELEPORT"),
            their_hand = tele_column(&t, "paper-hand");
  t.mean = true;
  for (int a = 0; a < TELE_APPS; a++) {
    t.v[a][port] = statements(e, a, false);
    t.v[a][hand] = statements(e, a, true);
    t.v[a][ratio] = t.v[a][hand] / t.v[a][port];
    t.v[a][their_port] = paper[a][0];
    t.v[a][their_hand] = paper[a][1];
    t.v[a][theirs] = paper[a][1] / paper[a][0];
  }
  tele_show(e, &t);
  for (int a = 0; a < TELE_APPS; a++)
    TELE_NOTE("table 7.3", t.v[a][theirs], t.v[a][ratio], a == TELE_EDS ? 1 : 1.5, NAN, "x",
              "%s, statements hand-written over TELEPORT", tele_apps[a].title);
  TELE_NOTE("table 7.3", 2.5, tele_mean(&t, ratio), 1.5, 4, "x", "the same, mean");
}

/* ---- figures 7.1 and 7.5: time ---- */

/* Findings of docs/teleport-paper.md. */
static const char
    l2_out[] = "a tile's row of 64 or 72 bytes brings lines of 128; with and without the unit the "
               "L2 slices send nearly the 1.67 flits a cycle "
               "that they can (HSP, MMA); EDS issues 0.98 of what the SMs can",
    at_once[] =
        "PTF's hand-written form takes 20 rows a launch, and EDS's needs 0.8 of the instructions",
    issue_bound[] = "the plain form has 1.24 times the warp instructions, and the SMs issue 0.98 "
                    "of what they can",
    neighbours[] = "a tile's row is one or two lines; what else is read of the open DRAM row "
                   "belongs to other blocks, with and without the unit";

static void performance(tele_experiment *e) {
  tele_table t = tele_table_of_apps(
      "figure-7.5", "speedup of TELEPORT; dynamic instructions, hand-written over TELEPORT");
  const int base = tele_column(&t, "over-baseline"), hand = tele_column(&t, "over-hand"),
            one_base = tele_column(&t, "paper's/base"), one_hand = tele_column(&t, "paper's/hand"),
            hand_base = tele_column(&t, "hand/baseline"), insts = tele_column(&t, "instructions"),
            kcycles = tele_column(&t, "base-kcycles"), energy = tele_column(&t, "energy/base");
  t.mean = true;
  for (int a = 0; a < TELE_APPS; a++) {
    const double b = NUMBER(a, TELE_BASE, "cycles"), h = NUMBER(a, TELE_HAND, "cycles"),
                 p = NUMBER(a, TELE_PORT, "cycles"), one = NUMBER(a, TELE_ONE, "cycles");
    t.v[a][base] = b / p;
    t.v[a][hand] = h / p;
    t.v[a][one_base] = b / one;
    t.v[a][one_hand] = h / one;
    t.v[a][hand_base] = b / h;
    t.v[a][insts] =
        NUMBER(a, TELE_HAND, "thread_instructions") / NUMBER(a, TELE_PORT, "thread_instructions");
    t.v[a][kcycles] = b / 1000;
    t.v[a][energy] =
        NUMBER(a, TELE_PORT, "energy_joules.total") / NUMBER(a, TELE_BASE, "energy_joules.total");
  }
  tele_show(e, &t);
  TELE_NOTE("figure 7.5", 1.56, tele_mean(&t, base), 1.25, NAN, "x",
            "TELEPORT over baseline, mean");
  TELE_WHY(l2_out);
  TELE_NOTE("figure 7.5", 1.56, tele_mean(&t, one_base), NAN, NAN, "x",
            "the same, one controller and LRU (the paper's unit)");
  TELE_NOTE("figure 7.5", 1.32, tele_mean(&t, hand), 1.1, NAN, "x",
            "TELEPORT over hand-written, mean");
  TELE_WHY(at_once);
  TELE_NOTE("figure 7.5", 1.32, tele_mean(&t, one_hand), NAN, NAN, "x",
            "the same, one controller and LRU (the paper's unit)");
  TELE_NOTE("figure 7.5", 2.2, t.v[TELE_JAC][base], 1.5, NAN, "x", "JAC over baseline");
  TELE_NOTE("figure 7.5", 1.06, t.v[TELE_JAC][hand], 0.95, NAN, "x", "JAC over hand-written");
  TELE_NOTE("figure 7.5", 1.23, t.v[TELE_MMA][hand], 1.05, NAN, "x", "MMA over hand-written");
  TELE_NOTE("figure 7.5", 1.01, t.v[TELE_PTF][base], 0.9, 1.2, "x", "PTF over baseline");
  TELE_NOTE("figure 7.5", NAN, t.v[TELE_PTF][hand], NAN, 1, "x",
            "PTF over hand-written (which wins in the paper)");
  TELE_NOTE("figure 7.5", NAN, t.v[TELE_EDS][base], 1, NAN, "x", "EDS over baseline");
  TELE_NOTE("figure 7.5", NAN, t.v[TELE_EDS][hand], 1, NAN, "x", "EDS over hand-written");
  TELE_WHY(issue_bound);
  TELE_NOTE("figure 7.5", NAN, t.v[TELE_HSP][base], 1, NAN, "x", "HSP over baseline");
  TELE_WHY(l2_out);
  TELE_NOTE("figure 7.5", NAN, t.v[TELE_HSP][hand], 1, NAN, "x", "HSP over hand-written");
  TELE_NOTE("beyond", NAN, tele_mean(&t, energy), NAN, NAN, "x",
            "energy of TELEPORT over the baseline's, mean");
  TELE_NOTE("figure 7.5", NAN, t.v[TELE_EDS][insts], NAN, 1, "x",
            "dynamic instructions, hand-written over TELEPORT, EDS");
  TELE_NOTE("figure 7.5", 2.17, t.v[TELE_HSP][insts], 1.6, 2.7, "x", "the same, HSP");
  TELE_NOTE("figure 7.5", 1.98, t.v[TELE_JAC][insts], 1.6, 2.4, "x", "the same, JAC");
  TELE_NOTE("figure 7.5", 1.5, t.v[TELE_MMA][insts], 1.3, 1.8, "x", "the same, MMA");
}

/* What stands behind the times: by form. */
static void behind(tele_experiment *e) {
  enum { ISSUE = 15 * 2, SLICES = 6 }; /* gtx480: warp instructions a cycle; L2 slices */
  static const char *const titles[TELE_FORMS] = {"baseline", "hand-written", "TELEPORT",
                                                 "the paper's unit"};
  for (int f = 0; f < TELE_FORMS; f++) {
    char figure[40], title[96];
    snprintf(figure, sizeof figure, "counters-%s", tele_form_names[f]);
    snprintf(title, sizeof title,
             "%s: shares of cycles, flits a cycle and slice, occupancy, and what the unit did",
             titles[f]);
    tele_table t = tele_table_of_apps(figure, title);
    const int issue = tele_column(&t, "issue"), replies = tele_column(&t, "L2-flits"),
              dram = tele_column(&t, "DRAM"), occupancy = tele_column(&t, "occupancy"),
              hits = tele_column(&t, "L1-hits");
    const bool unit = f >= TELE_PORT;
    const int found = unit ? tele_column(&t, "found") : 0,
              lines = unit ? tele_column(&t, "lines/block") : 0,
              held = unit ? tele_column(&t, "held/block") : 0,
              refused = unit ? tele_column(&t, "refused") : 0;
    for (int a = 0; a < TELE_APPS; a++) {
      const tele_form form = (tele_form)f;
      const double cycles = NUMBER(a, form, "cycles");
      t.v[a][issue] = NUMBER(a, form, "warp_instructions") / (cycles * ISSUE);
      t.v[a][replies] = NUMBER(a, form, "noc.reply_flits") / (cycles * SLICES);
      t.v[a][dram] = NUMBER(a, form, "dram.efficiency");
      t.v[a][occupancy] = NUMBER(a, form, "sm.occupancy");
      t.v[a][hits] = NUMBER(a, form, "l1.hit_rate");
      if (!unit) continue;
      t.v[a][found] =
          NUMBER(a, form, "unit.teleport.found") / NUMBER(a, form, "unit.teleport.looked_up");
      t.v[a][lines] =
          NUMBER(a, form, "unit.teleport.requests") / NUMBER(a, form, "unit.teleport.tbs");
      t.v[a][held] = NUMBER(a, form, "unit.teleport.held_cycles") /
                     NUMBER(a, form, "unit.teleport.held_blocks");
      t.v[a][refused] = NUMBER(a, form, "unit.teleport.asks_dropped");
    }
    tele_show(e, &t);
  }
}

/* Time and statements of two applications, the baseline's as 1. */
static void overview(tele_experiment *e) {
  static const int apps[] = {TELE_MMA, TELE_JAC};
  tele_table t = {
      .figure = "figure-7.1", .title = "time and statements over the baseline's", .rows = 6};
  static const char *const names[] = {"MMA-baseline", "MMA-hand", "MMA-TELEPORT",
                                      "JAC-baseline", "JAC-hand", "JAC-TELEPORT"};
  const int time = tele_column(&t, "time"), lines = tele_column(&t, "statements");
  for (int r = 0; r < t.rows; r++) {
    const int a = apps[r / 3], form = r % 3;
    t.row_names[r] = names[r];
    t.v[r][time] = NUMBER(a, (tele_form)form, "cycles") / NUMBER(a, TELE_BASE, "cycles");
    t.v[r][lines] = statements(e, a, form == TELE_HAND) / statements(e, a, false);
  }
  tele_show(e, &t);
  TELE_NOTE("figure 7.1", 1 / 2.2, t.v[5][time], NAN, NAN, "x",
            "JAC, time of TELEPORT over the baseline's");
  TELE_NOTE("figure 7.1", 1.06 / 2.2, t.v[4][time], NAN, NAN, "x",
            "JAC, time of the hand-written form over the baseline's");
}

/* ---- figures 7.6, 7.7: DRAM ---- */

static double accesses(tele_experiment *e, int app, tele_form form) {
  return NUMBER(app, form, "dram.reads") + NUMBER(app, form, "dram.writes");
}

static void dram_accesses(tele_experiment *e) {
  tele_table t = tele_table_of_apps("figure-7.6", "DRAM accesses, thousands; over the baseline's");
  for (int f = 0; f < TELE_FORMS; f++) tele_column(&t, tele_form_names[f]);
  const int hand = tele_column(&t, "hand/baseline"), port = tele_column(&t, "TELE/baseline");
  double most = 0;
  for (int a = 0; a < TELE_APPS; a++) {
    for (int f = 0; f < TELE_FORMS; f++) t.v[a][f] = accesses(e, a, (tele_form)f) / 1000;
    t.v[a][hand] = t.v[a][TELE_HAND] / t.v[a][TELE_BASE];
    t.v[a][port] = t.v[a][TELE_PORT] / t.v[a][TELE_BASE];
    if (!(t.v[a][port] <= most)) most = t.v[a][port];
  }
  tele_show(e, &t);
  TELE_NOTE("figure 7.6", 1.02, most, NAN, 1.02, "x",
            "DRAM accesses of TELEPORT over the baseline's, at most");
  TELE_NOTE("figure 7.6", 1.02, t.v[TELE_JAC][port], NAN, 1.05, "x", "the same, JAC");
  TELE_NOTE("figure 7.6", NAN, t.v[TELE_HSP][hand], NAN, 0.75, "x",
            "hand-written over baseline, HSP (ghost zones)");
  TELE_NOTE("figure 7.6", NAN, t.v[TELE_PTF][hand], NAN, 0.75, "x",
            "hand-written over baseline, PTF (ghost zones)");
}

static void row_locality(tele_experiment *e) {
  tele_table t = tele_table_of_apps(
      "figure-7.7", "DRAM accesses by row changes; changes of the baseline over TELEPORT's");
  for (int f = 0; f < TELE_FORMS; f++) tele_column(&t, tele_form_names[f]);
  const int fewer = tele_column(&t, "fewer"), base = tele_column(&t, "TELE/baseline"),
            hand = tele_column(&t, "TELE/hand"), fewer_one = tele_column(&t, "fewer-paper's");
  double best = 0;
  t.mean = true;
  for (int a = 0; a < TELE_APPS; a++) {
    double changes[TELE_FORMS];
    for (int f = 0; f < TELE_FORMS; f++) {
      changes[f] = NUMBER(a, (tele_form)f, "dram.row_changes");
      t.v[a][f] = accesses(e, a, (tele_form)f) / changes[f];
    }
    t.v[a][fewer] = changes[TELE_BASE] / changes[TELE_PORT];
    t.v[a][fewer_one] = changes[TELE_BASE] / changes[TELE_ONE];
    t.v[a][base] = t.v[a][TELE_PORT] / t.v[a][TELE_BASE];
    t.v[a][hand] = t.v[a][TELE_PORT] / t.v[a][TELE_HAND];
    if (!(t.v[a][fewer] <= best)) best = t.v[a][fewer];
  }
  tele_show(e, &t);
  TELE_NOTE("figure 7.7", 4.84, best, 1.5, NAN, "x",
            "row changes of the baseline over TELEPORT's, at most");
  TELE_WHY(neighbours);
  TELE_NOTE("figure 7.7", 2.7, t.v[TELE_EDS][base], 1.2, NAN, "x",
            "row locality of EDS over the baseline's");
  TELE_WHY(neighbours);
  TELE_NOTE("figure 7.7", 1.9, t.v[TELE_EDS][hand], 1.1, NAN, "x",
            "row locality of EDS over the hand-written form's");
  TELE_WHY(neighbours);
  TELE_NOTE("figure 7.7", NAN, t.v[TELE_PTF][base], NAN, 1, "x",
            "row locality of PTF over the baseline's (worse in the paper)");
  TELE_WHY(neighbours);
}

/* ---- section 7.5.3 ---- */

typedef struct choice {
  const char *name, *options;
} choice;

/* Speedups over the baseline of each choice; the first is TELEPORT as it is. */
static tele_table speedups(tele_experiment *e, const char *figure, const char *title,
                           const choice *choices, int n) {
  tele_table t = tele_table_of_apps(figure, title);
  t.mean = true;
  for (int c = 0; c < n; c++) {
    tele_column(&t, choices[c].name);
    for (int a = 0; a < TELE_APPS; a++)
      t.v[a][c] = NUMBER(a, TELE_BASE, "cycles") /
                  tele_number(e, a, TELE_PORT, choices[c].options, "cycles");
  }
  tele_show(e, &t);
  return t;
}

static void hardware_choices(tele_experiment *e) {
  static const choice choices[] = {
      {"TELEPORT", ""},
      {"overlap", "--set teleport.overlap=1"},
      {"equal-priority", "--set mem.preload_priority=0"},
      {"overlap-all-wait", "--set teleport.overlap=1 --set teleport.waits=1024"},
      {"LRU", "--set teleport.keep_unread=0"},
      {"15-controllers", "--set teleport.controllers=15"},
      {"2-controllers", "--set teleport.controllers=2"},
      {"1-controller", "--set teleport.controllers=1"}};
  const tele_table t = speedups(e, "section-7.5.3-hardware",
                                "speedup over the baseline, by what the hardware does", choices, 8);
  TELE_NOTE("7.5.3", NAN, tele_mean(&t, 1) / tele_mean(&t, 0), NAN, NAN, "x",
            "blocks start at once over blocks that wait, mean");
  TELE_NOTE("7.5.3", NAN, tele_mean(&t, 3) / tele_mean(&t, 0), NAN, NAN, "x",
            "the same, any number of loads may wait for lines on their way");
  TELE_NOTE("7.5.3", NAN, tele_mean(&t, 2) / tele_mean(&t, 0), NAN, NAN, "x",
            "equal DRAM priority over preloads first, mean");
  TELE_NOTE("7.5.3", NAN, tele_mean(&t, 4) / tele_mean(&t, 0), NAN, NAN, "x",
            "LRU over buffers that keep what was not read yet, mean");
}

/* L2 slices that may hold twice as many replies: what bounds both forms gives way. */
static void wider_l2(tele_experiment *e) {
  static const char options[] = "--set l2.queue=32";
  tele_table t = tele_table_of_apps(
      "beyond-L2", "speedups with L2 queues of 32 in place of 16, by the same forms");
  const int base = tele_column(&t, "over-baseline"), hand = tele_column(&t, "over-hand"),
            own = tele_column(&t, "over-16");
  t.mean = true;
  for (int a = 0; a < TELE_APPS; a++) {
    const double cycles = tele_number(e, a, TELE_PORT, options, "cycles");
    t.v[a][base] = tele_number(e, a, TELE_BASE, options, "cycles") / cycles;
    t.v[a][hand] = tele_number(e, a, TELE_HAND, options, "cycles") / cycles;
    t.v[a][own] = NUMBER(a, TELE_PORT, "cycles") / cycles;
  }
  tele_show(e, &t);
  TELE_NOTE("beyond", 1.56, tele_mean(&t, base), NAN, NAN, "x",
            "TELEPORT over baseline, mean, L2 queues of 32");
  TELE_NOTE("beyond", 1.32, tele_mean(&t, hand), NAN, NAN, "x",
            "TELEPORT over hand-written, mean, L2 queues of 32");
}

/* Ours: blocks are preloaded before there is room for them, and neighbours share an SM, which any
 * machine could do. */
static void pairs_ahead(tele_experiment *e) {
  static const char options[] = "--set teleport.ahead=4 --set teleport.run=2",
                    pairs[] = "--set core.cta_run=2";
  tele_table t = tele_table_of_apps(
      "beyond-order",
      "speedups with blocks preloaded ahead of room, pairs of neighbours on one SM");
  const int base = tele_column(&t, "over-baseline"), same = tele_column(&t, "over-paired"),
            hand = tele_column(&t, "over-paired-hand"), paired = tele_column(&t, "paired-baseline");
  t.mean = true;
  for (int a = 0; a < TELE_APPS; a++) {
    const double cycles = tele_number(e, a, TELE_PORT, options, "cycles"),
                 plain = tele_number(e, a, TELE_BASE, pairs, "cycles");
    t.v[a][base] = NUMBER(a, TELE_BASE, "cycles") / cycles;
    t.v[a][same] = plain / cycles;
    t.v[a][hand] = tele_number(e, a, TELE_HAND, pairs, "cycles") / cycles;
    t.v[a][paired] = NUMBER(a, TELE_BASE, "cycles") / plain;
  }
  tele_show(e, &t);
  TELE_NOTE("beyond", 1.56, tele_mean(&t, base), NAN, NAN, "x",
            "four blocks ahead of room, in pairs, over baseline, mean");
  TELE_NOTE("beyond", 1.56, tele_mean(&t, same), NAN, NAN, "x",
            "the same over a baseline that places pairs too, mean");
  TELE_NOTE("beyond", 1.32, tele_mean(&t, hand), NAN, NAN, "x",
            "the same over hand-written that places pairs too, mean");
}

static void software_choices(tele_experiment *e) {
  static const choice choices[] = {
      {"analyser", ""},
      {"narrow", "--set teleport.table=tests/teleport/paper/teleport-narrow.rows"},
      {"no-rows", "--set teleport.rows=none"}};
  const tele_table t =
      speedups(e, "section-7.5.3-software", "speedup over the baseline, by rows", choices, 3);
  TELE_NOTE("7.5.3", NAN, tele_mean(&t, 1) / tele_mean(&t, 0), NAN, NAN, "x",
            "fewer ranges (teleport-narrow.rows) over the analyser's, mean");
  TELE_NOTE("7.5.3", 1, tele_mean(&t, 2), 0.98, 1.02, "x",
            "an empty table over the baseline, mean");
}

void tele_figures(tele_experiment *e) {
  effort(e);
  overview(e);
  performance(e);
  behind(e);
  dram_accesses(e);
  row_locality(e);
  hardware_choices(e);
  software_choices(e);
  wider_l2(e);
  pairs_ahead(e);
}
