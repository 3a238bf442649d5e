/* Whole machines of today beside the eighths of them that stand in the table: an eighth with the
 * table's input, the whole with eight times that. */
#include <math.h>

#include "tests/together/paper/together.h"

static const int machines[] = {RTX3070, A100}, tasks[] = {BFS, JOIN};
enum {
  WHOLES = sizeof machines / sizeof *machines,
  SHOWN = sizeof tasks / sizeof *tasks,
  COLUMNS = 2 * SHOWN + 1
};

/* Best software in the form that is the fastest without the unit, or whose code uses it. */
static double speed(paper *p, int unit, int machine, int task) {
  if (!together_takes(unit, machine)) return NAN;
  const cost without = together_without(p, machine, task, OF(unit)),
             with = together_with(p, machine, task, OF(unit), false);
  return together_ratio(without, with, SPEED);
}

/* What 2 % and more makes of it. */
static int verdict(double v) {
  return (v >= 1.02) - (v <= 0.98);
}

/* Of the units that take the machine as it is, and of those that want it changed. */
static void notes(paper *p, int machine, const paper_table *t) {
  const char *name = together_machine_name(machine);
  double furthest[2] = {0}, taken = 0, differ = 0;
  for (int u = 0, r = -1; u < UNITS; u++) {
    if (!together_has(u)) continue;
    const double *v = t->v[++r];
    if (isnan(v[COLUMNS - 1])) continue;
    double mean[2] = {1, 1}, *far = &furthest[together_changes(u, machine)];
    for (int c = 0; c < 2 * SHOWN; c++) mean[c % 2] *= pow(v[c], 1.0 / SHOWN);
    *far = fmax(*far, fabs(100 * (v[COLUMNS - 1] - 1)));
    differ += verdict(mean[0]) != verdict(mean[1]);
    taken++;
    paper_note(p, "whole", NAN, mean[1], NAN, NAN, "x", "%s, whole %s, speed", t->row_names[r],
               name);
  }
  paper_note(p, "whole", NAN, taken, NAN, NAN, "", "units that take a whole %s", name);
  paper_note(p, "whole", NAN, furthest[0], NAN, NAN, "%", "the furthest from its eighth, %s", name);
  paper_note(p, "whole", NAN, furthest[1], NAN, NAN, "%", "the same in a changed %s", name);
  paper_note(p, "whole", NAN, differ, NAN, NAN, "", "units of another verdict whole, %s", name);
}

static void show(paper *p, int machine) {
  static const char *const columns[COLUMNS] = {"bfs-eighth", "bfs-whole", "join-eighth",
                                               "join-whole", "whole-over-eighth"};
  const char *name = together_machine_name(machine);
  char file[32], title[96];
  snprintf(file, sizeof file, "whole-%s", name);
  snprintf(title, sizeof title, "Speed over the best software, an eighth of %s and the whole",
           name);
  paper_table t = together_table(file, title, columns, COLUMNS);
  for (int u = 0; u < UNITS; u++) {
    if (!together_has(u)) continue;
    const int row = paper_row(&t, 0, "%s", together_units[u]);
    double apart = 0;
    for (int k = 0; k < SHOWN; k++) {
      const double eighth = speed(p, u, machine, tasks[k]),
                   whole = speed(p, u, WHOLE(machine), tasks[k]);
      t.v[row][2 * k] = eighth;
      t.v[row][2 * k + 1] = whole;
      apart += log(whole / eighth) / SHOWN;
    }
    t.v[row][COLUMNS - 1] = exp(apart);
  }
  paper_show(p, &t);
  notes(p, machine, &t);
}

void together_whole(paper *p) {
  for (int m = 0; m < WHOLES; m++) show(p, machines[m]);
}
