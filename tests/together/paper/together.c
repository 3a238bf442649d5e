/* The table of all units in all machines: speed, energy, traffic, area. */
#include <math.h>
#include <string.h>

#include "tests/together/paper/together.h"

static const char *const columns[WHERE] = {"of-its-paper", "rtx3070", "a100", "h100", "rtx4090"};

static paper_table table_of(const char *file, const char *title, const char *const *names, int n) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_NO_MEAN};
  for (int c = 0; c < n; c++) paper_column(&t, names[c]);
  return t;
}

/* ---- alone ---- */

enum { SPEED, ENERGY, DRAM, FLITS, MEASURES };
static const char *const measures[MEASURES] = {"speed", "energy", "dram", "crossbar"};

static double ratio(cost without, cost with, int measure) {
  const double ratios[MEASURES] = {without.cycles / with.cycles, with.joules / without.joules,
                                   with.dram / without.dram, with.flits / without.flits};
  return ratios[measure];
}

typedef struct alone {
  double by_task[TASKS], mean[MEASURES];
} alone;

static alone alone_of(paper *p, int unit, int machine) {
  alone a = {0};
  double sum[MEASURES] = {0};
  for (int t = 0; t < TASKS; t++) {
    const cost without = together_without(p, machine, t, OF(unit)),
               with = together_with(p, machine, t, OF(unit), true);
    a.by_task[t] = ratio(without, with, SPEED);
    for (int m = 0; m < MEASURES; m++) sum[m] += log(ratio(without, with, m));
  }
  for (int m = 0; m < MEASURES; m++) a.mean[m] = exp(sum[m] / TASKS);
  return a;
}

static void note(paper *p, const char *what, int unit, int where, double v, const char *sign) {
  paper_note(p, what, NAN, v, NAN, NAN, sign, "%s, %s", together_units[unit], columns[where]);
}

/* What it costs, and what it gains for that. */
static void show_prices(paper *p, double speed[UNITS][WHERE]) {
  enum { LOGIC, RAM, DIE_LOGIC, DIE_RAM, PER_MM2, PRICES };
  static const char *const files[PRICES] = {"logic", "ram", "die-logic", "die-ram", "per-mm2"},
                           *const titles[PRICES] = {
                               "mm2 of logic of all copies in the whole machine",
                               "mm2 of RAM of all copies in the whole machine",
                               "Logic, % of the die", "RAM, % of the die",
                               "% faster by the mm2 of logic; -: not faster"};
  paper_table t[PRICES];
  for (int k = 0; k < PRICES; k++) t[k] = table_of(files[k], titles[k], columns, WHERE);
  for (int u = 0; u < UNITS; u++) {
    if (!together_has(u)) continue;
    for (int k = 0; k < PRICES; k++) paper_row(&t[k], 0, "%s", together_units[u]);
    for (int w = 0; w < WHERE; w++) {
      const price c = together_price(u, together_machine(u, w));
      const double gain = 100 * (speed[u][w] - 1),
                   v[PRICES] = {c.logic, c.ram, 100 * c.logic / c.die, 100 * c.ram / c.die,
                                gain > 0 ? gain / c.logic : NAN};
      for (int k = 0; k < PRICES; k++) {
        t[k].v[t[k].rows - 1][w] = v[k];
        note(p, files[k], u, w, v[k], k >= DIE_LOGIC ? "%" : "");
      }
    }
  }
  for (int k = 0; k < PRICES; k++) paper_show(p, &t[k]);
}

/* How many units are faster by this much, in the mean and anywhere. */
static void verdict(paper *p, const paper_table *speed) {
  static const double worth = 1.02;
  for (int w = TODAY; w < WHERE; w++) {
    double most = 0, n = 0;
    for (int r = 0; r < speed->rows; r++) {
      most = fmax(most, speed->v[r][w]);
      n += speed->v[r][w] >= worth;
    }
    paper_note(p, "verdict", NAN, most, 1, NAN, "x", "the best unit alone, %s", columns[w]);
    paper_note(p, "verdict", NAN, n, NAN, NAN, "", "units that give 1.02 or more, %s", columns[w]);
  }
}

static void table(paper *p) {
  static const char *const titles[MEASURES] = {
      "Speed: best software with the unit over best software without, mean of the tasks",
      "Energy with the unit over energy without", "DRAM bytes with the unit over bytes without",
      "Flits in the crossbar with the unit over flits without"};
  static char by_task[WHERE][2][96];
  paper_table t[MEASURES], tasks[WHERE];
  double speed[UNITS][WHERE];
  for (int m = 0; m < MEASURES; m++) t[m] = table_of(measures[m], titles[m], columns, WHERE);
  for (int w = 0; w < WHERE; w++) {
    snprintf(by_task[w][0], sizeof by_task[w][0], "tasks-%s", columns[w]);
    snprintf(by_task[w][1], sizeof by_task[w][1], "Speed by task, %s%s", columns[w],
             w == OF_PAPER ? " machine" : "");
    tasks[w] = table_of(by_task[w][0], by_task[w][1], together_tasks, TASKS);
  }
  for (int u = 0; u < UNITS; u++) {
    if (!together_has(u)) continue;
    for (int m = 0; m < MEASURES; m++) paper_row(&t[m], 0, "%s", together_units[u]);
    for (int w = 0; w < WHERE; w++) {
      const alone a = alone_of(p, u, together_machine(u, w));
      const int row = paper_row(&tasks[w], 0, "%s", together_units[u]);
      for (int k = 0; k < TASKS; k++) tasks[w].v[row][k] = a.by_task[k];
      for (int m = 0; m < MEASURES; m++) {
        t[m].v[row][w] = a.mean[m];
        note(p, measures[m], u, w, a.mean[m], "x");
      }
      note(p, "speed per watt", u, w, 1 / a.mean[ENERGY], "x");
      speed[u][w] = a.mean[SPEED];
    }
  }
  for (int m = 0; m < MEASURES; m++) paper_show(p, &t[m]);
  for (int w = 0; w < WHERE; w++) paper_show(p, &tasks[w]);
  show_prices(p, speed);
  verdict(p, &t[SPEED]);
}

/* ---- units beside each other ---- */

enum { FIVE = 5 };
static const int five[FIVE] = {APCM, DTBL, MFF, SPREF, TELEPORT};
static const int beside_tasks[] = {BFS, SPMV, JOIN};
enum { BESIDE_TASKS = sizeof beside_tasks / sizeof *beside_tasks };

static units_set all_five(void) {
  units_set all = 0;
  for (int i = 0; i < FIVE; i++) all |= OF(five[i]);
  return all;
}

/* Of the tasks, in the mean: the best software without `base` units over that with `more` units. No
 * base: on the machine as it is and as `more` wants it. */
static void compare(paper *p, int machine, units_set base, units_set more, double v[MEASURES]) {
  double sum[MEASURES] = {0};
  for (int t = 0; t < BESIDE_TASKS; t++) {
    const int task = beside_tasks[t];
    const cost from = base ? together_with(p, machine, task, base, false)
                           : together_without(p, machine, task, more),
               to = together_with(p, machine, task, more, false);
    for (int m = 0; m < MEASURES; m++) sum[m] += log(ratio(from, to, m));
  }
  for (int m = 0; m < MEASURES; m++) v[m] = exp(sum[m] / BESIDE_TASKS);
}

/* A pair over the best software, and over the product of what each gives alone. */
static void show_pairs(paper *p, int machine) {
  static const char *const titles[] = {
      "Speed of two units beside each other over the best software; alone where they are the same",
      "That over the product of both alone: over 1, they help each other"};
  paper_table t[2] = {table_of("beside-pairs", titles[0], NULL, 0),
                      table_of("beside-product", titles[1], NULL, 0)};
  double pair[FIVE][FIVE];
  for (int i = 0; i < FIVE; i++)
    for (int k = 0; k <= i; k++) {
      double v[MEASURES];
      compare(p, machine, 0, OF(five[i]) | OF(five[k]), v);
      pair[i][k] = pair[k][i] = v[SPEED];
    }
  for (int of = 0; of < 2; of++) {
    for (int k = 0; k < FIVE; k++) paper_column(&t[of], together_units[five[k]]);
    for (int i = 0; i < FIVE; i++) {
      const int row = paper_row(&t[of], 0, "%s", together_units[five[i]]);
      for (int k = 0; k < FIVE; k++)
        t[of].v[row][k] = !of ? pair[i][k] : i == k ? NAN : pair[i][k] / (pair[i][i] * pair[k][k]);
    }
    paper_show(p, &t[of]);
  }
}

/* A unit alone, and added to the four others. */
static void show_added(paper *p, int machine) {
  static const char *const names[] = {"speed-alone",    "speed-added",   "energy-alone",
                                      "energy-added",   "dram-alone",    "dram-added",
                                      "crossbar-alone", "crossbar-added"};
  paper_table t =
      table_of("beside-added", "A unit alone, and added to the four others", names, 2 * MEASURES);
  for (int i = 0; i < FIVE; i++) {
    double alone[MEASURES], added[MEASURES];
    compare(p, machine, 0, OF(five[i]), alone);
    compare(p, machine, all_five() & ~OF(five[i]), all_five(), added);
    const int row = paper_row(&t, 0, "%s", together_units[five[i]]);
    for (int m = 0; m < MEASURES; m++) {
      t.v[row][2 * m] = alone[m];
      t.v[row][2 * m + 1] = added[m];
    }
    paper_note(p, "added", NAN, added[SPEED], NAN, NAN, "x", "%s added to the four others, speed",
               together_units[five[i]]);
  }
  paper_show(p, &t);
}

static void beside(paper *p, int machine) {
  double all[MEASURES];
  for (int i = 0; i < FIVE; i++)
    if (!together_has(five[i])) return;
  show_pairs(p, machine);
  show_added(p, machine);
  compare(p, machine, 0, all_five(), all);
  for (int m = 0; m < MEASURES; m++)
    paper_note(p, "all five", NAN, all[m], NAN, NAN, "x", "%s of all five over the best software",
               measures[m]);
}
static void beside_rtx3070(paper *p) {
  beside(p, RTX3070);
}
static void beside_a100(paper *p) {
  beside(p, A100);
}

static const paper_part parts[] = {
    {"table", "every unit in every machine", table, false},
    {"beside", "Five units beside each other, rtx3070", beside_rtx3070, true},
    {"beside-a100", "Five units beside each other, a100", beside_a100, true},
    {0}};
const paper_unit paper_this = {"together", "All units in all machines, over the best software",
                               parts};
