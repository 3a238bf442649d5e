/* Five units beside each other in one machine, and each added to the four others. */
#include <math.h>

#include "tests/together/paper/together.h"

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
    for (int m = 0; m < MEASURES; m++) sum[m] += log(together_ratio(from, to, m));
  }
  for (int m = 0; m < MEASURES; m++) v[m] = exp(sum[m] / BESIDE_TASKS);
}

/* A pair over the best software, and over the product of what each gives alone. */
static void show_pairs(paper *p, int machine) {
  static const char *const titles[] = {
      "Speed of two units beside each other over the best software; alone where they are the same",
      "That over the product of both alone: over 1, they help each other"};
  paper_table t[2] = {together_table("beside-pairs", titles[0], NULL, 0),
                      together_table("beside-product", titles[1], NULL, 0)};
  double pair[FIVE][FIVE];
  for (int i = 0; i < FIVE; i++)
    for (int k = 0; k <= i; k++) {
      double v[MEASURES];
      compare(p, machine, 0, OF(five[i]) | OF(five[k]), v);
      pair[i][k] = pair[k][i] = v[SPEED];
      paper_note(p, i == k ? "alone" : "pair", NAN, v[SPEED], NAN, NAN, "x",
                 i == k ? "%s alone, speed" : "%s and %s, speed", together_units[five[i]],
                 together_units[five[k]]);
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
  paper_table t = together_table("beside-added", "A unit alone, and added to the four others",
                                 names, 2 * MEASURES);
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
               together_measures[m]);
}

void together_beside_rtx3070(paper *p) {
  beside(p, RTX3070);
}
void together_beside_a100(paper *p) {
  beside(p, A100);
}
void together_beside_h100(paper *p) {
  beside(p, H100);
}
void together_beside_rtx4090(paper *p) {
  beside(p, RTX4090);
}
