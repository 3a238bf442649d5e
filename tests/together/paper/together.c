/* The table of all units in all machines: speed, energy, traffic, area. */
#include <math.h>
#include <string.h>

#include "tests/together/paper/together.h"

#define WORTH 1.02 /* a speed from which on a unit is called faster */
static const char *const columns[WHERE] = {"of-its-paper", "rtx3070", "a100", "h100", "rtx4090"};

paper_table together_table(const char *file, const char *title, const char *const *names, int n) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_NO_MEAN};
  for (int c = 0; c < n; c++) paper_column(&t, names[c]);
  return t;
}

/* ---- alone ---- */

typedef struct alone {
  double by_task[TASKS], mean[MEASURES];
} alone;

static alone alone_of(paper *p, int unit, int machine) {
  alone a = {0};
  double sum[MEASURES] = {0};
  for (int t = 0; t < TASKS; t++) {
    const cost without = together_without(p, machine, t, OF(unit)),
               with = together_with(p, machine, t, OF(unit), true);
    a.by_task[t] = together_ratio(without, with, SPEED);
    for (int m = 0; m < MEASURES; m++) sum[m] += log(together_ratio(without, with, m));
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
                               "% faster by the mm2 of logic; -: not by 2 %"};
  paper_table t[PRICES];
  for (int k = 0; k < PRICES; k++) t[k] = together_table(files[k], titles[k], columns, WHERE);
  for (int u = 0; u < UNITS; u++) {
    if (!together_has(u)) continue;
    for (int k = 0; k < PRICES; k++) paper_row(&t[k], 0, "%s", together_units[u]);
    for (int w = 0; w < WHERE; w++) {
      const price c = together_price(u, together_machine(u, w));
      const double gain = 100 * (speed[u][w] - 1),
                   v[PRICES] = {c.logic, c.ram, 100 * c.logic / c.die, 100 * c.ram / c.die,
                                speed[u][w] >= WORTH ? gain / c.logic : NAN};
      for (int k = 0; k < PRICES; k++) {
        t[k].v[t[k].rows - 1][w] = v[k];
        note(p, files[k], u, w, v[k], k >= DIE_LOGIC ? "%" : "");
      }
    }
  }
  for (int k = 0; k < PRICES; k++) paper_show(p, &t[k]);
}

/* What findings.md says, none, stands while no unit is faster by this much. */
static void verdict(paper *p, const paper_table *speed) {
  for (int w = TODAY; w < WHERE; w++) {
    double most = 0, n = 0;
    for (int r = 0; r < speed->rows; r++) {
      most = fmax(most, speed->v[r][w]);
      n += speed->v[r][w] >= WORTH;
    }
    paper_note(p, "verdict", NAN, most, NAN, NAN, "x", "the best unit alone, %s", columns[w]);
    paper_note(p, "verdict", NAN, n, NAN, 0, "", "units that give %.2f or more, %s", WORTH,
               columns[w]);
  }
}

static void time_of_all(paper *p) {
  const paper_time t = paper_time_of(p);
  paper_note(p, "time", NAN, t.runs / 60, NAN, 240, "", "minutes of all runs, one after the other");
  paper_note(p, "time", NAN, t.here / 60, NAN, isnan(t.here) ? NAN : 120, "",
             "minutes of this table, %d runs at a time, models compiled with them", t.at_a_time);
}

static void table(paper *p) {
  static const char *const titles[MEASURES] = {
      "Speed: best software with the unit over best software without, mean of the tasks",
      "Energy with the unit over energy without", "DRAM bytes with the unit over bytes without",
      "Flits in the crossbar with the unit over flits without"};
  static char by_task[WHERE][2][96];
  paper_table t[MEASURES], tasks[WHERE];
  double speed[UNITS][WHERE];
  for (int m = 0; m < MEASURES; m++)
    t[m] = together_table(together_measures[m], titles[m], columns, WHERE);
  for (int w = 0; w < WHERE; w++) {
    snprintf(by_task[w][0], sizeof by_task[w][0], "tasks-%s", columns[w]);
    snprintf(by_task[w][1], sizeof by_task[w][1], "Speed by task, %s%s", columns[w],
             w == OF_PAPER ? " machine" : "");
    tasks[w] = together_table(by_task[w][0], by_task[w][1], together_tasks, TASKS);
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
        note(p, together_measures[m], u, w, a.mean[m], "x");
      }
      note(p, "speed per watt", u, w, 1 / a.mean[ENERGY], "x");
      speed[u][w] = a.mean[SPEED];
    }
  }
  for (int m = 0; m < MEASURES; m++) paper_show(p, &t[m]);
  for (int w = 0; w < WHERE; w++) paper_show(p, &tasks[w]);
  show_prices(p, speed);
  verdict(p, &t[SPEED]);
  time_of_all(p);
}

static const paper_part parts[] = {
    {"table", "every unit in every machine", table, false},
    {"traces", "Traces", together_traces, true},
    {"whole", "Whole machines", together_whole, true},
    {"beside", "Five units beside each other, rtx3070", together_beside_rtx3070, true},
    {"beside-a100", "Five units beside each other, a100", together_beside_a100, true},
    {"beside-h100", "Five units beside each other, h100", together_beside_h100, true},
    {"beside-rtx4090", "Five units beside each other, rtx4090", together_beside_rtx4090, true},
    {0}};
const paper_unit paper_this = {"together", "All units in all machines, over the best software",
                               parts};
