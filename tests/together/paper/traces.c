/* Traces on whole machines of today: those of real GPUs where they are, and of programs of our own,
 * which are made here and run as programs beside. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/wf_text.h"
#include "tests/together/paper/together.h"

enum { REAL = 2, OWN = 4, TRACES = REAL + OWN };
/* file: in the folder of shared data. program: what is recorded; not forms whose blocks spin, since
 * a trace would turn round as often as it did. */
static const struct {
  const char *name, *file, *program;
} traces[TRACES] = {
    {"real-bfs", "traces/accelsim-bfs-rodinia-graph4096", NULL},
    {"real-vectoradd", "traces/accelsim-vectoradd", NULL},
    {"bfs", NULL, "--app bfs --set app.strategy=thread --graph rmat:scale=13,edges=65000"},
    {"spmv", NULL, "--app spmv --set app.form=ahead --graph rmat:scale=13,edges=65000"},
    {"join", NULL,
     "--app join --set app.form=bins --set app.from=64 --set app.chunk=64 "
     "--set app.spread=gaussian --set app.left=8192 --set app.right=12288 --set app.keys=1024"},
    {"jac", NULL, "--app jac --set app.form=double --set app.rows=512 --set app.cols=512"}};

static bool newer(const char *path, const char *than) {
  struct stat a, b;
  return stat(path, &a) == 0 && stat(than, &b) == 0 && a.st_mtime >= b.st_mtime;
}

/* Recorded anew by a newer program. */
static void record(paper *p, int trace, char folder[PAPER_PATH]) {
  char program[PAPER_PATH], *name = wf_text("trace-%s", traces[trace].name);
  paper_output(p, name, folder);
  paper_built(p, "warpfab", program);
  char *list = wf_text("%s/kernelslist.g", folder);
  char *command = wf_text("rm -rf '%s' && '%s' trace write '%s' --config rtx3070 %s >'%s.log' 2>&1",
                          folder, program, folder, traces[trace].program, folder);
  if (!newer(list, program) && system(command) != 0)
    paper_fail("%s failed, see %s.log", command, folder);
  free(command);
  free(list);
  free(name);
}

/* Where it is; false if it is not there. */
static bool find(paper *p, int trace, char path[PAPER_PATH]) {
  static bool told[TRACES];
  if (traces[trace].program) return record(p, trace, path), true;
  const bool there = paper_shared(p, traces[trace].file, path);
  if (!there && !told[trace]) printf("SKIPPED %s: there is no %s\n", traces[trace].name, path);
  told[trace] |= !there;
  return there;
}

/* The machine as it is, or as the unit wants it, over that with the unit. */
static double speed(paper *p, int machine, int unit, const char *label, const char *input,
                    const char *with_unit) {
  if (!together_takes(unit, machine)) return NAN;
  const cost as_is = together_run(p, machine, label, input, 0, 0),
             changed = together_run(p, machine, label, input, OF(unit), 0),
             with = together_run(p, machine, label, with_unit, OF(unit), OF(unit));
  return together_ratio(as_is.cycles < changed.cycles ? as_is : changed, with, SPEED);
}

static double traced(paper *p, int machine, int unit, int trace, const char *path) {
  char input[PAPER_PATH + 32], with_unit[PAPER_PATH + 64];
  if (!together_traced(unit)) return NAN;
  snprintf(input, sizeof input, "--trace %s", path);
  snprintf(with_unit, sizeof with_unit, "%s%s", input, unit == SPREF ? " --set spref.timed=1" : "");
  return speed(p, machine, unit, traces[trace].name, input, with_unit);
}

static void notes(paper *p, const paper_table *t, const char *machine) {
  double most = 0, least = 100;
  for (int r = 0; r < t->rows; r++)
    for (int k = 0; k < REAL; k++) {
      most = fmax(most, t->v[r][k]);
      least = fmin(least, t->v[r][k]);
    }
  paper_note(p, "traces", NAN, most, NAN, NAN, "x", "the most on a real trace, %s", machine);
  paper_note(p, "traces", NAN, least, NAN, NAN, "x", "the least on a real trace, %s", machine);
  for (int r = 0; r < t->rows; r++) {
    double sum = 0;
    for (int k = 0; k < TRACES; k++) {
      if (k < REAL)
        paper_note(p, "traces", NAN, t->v[r][k], NAN, NAN, "x", "%s, %s, %s", t->row_names[r],
                   traces[k].name, machine);
      else
        sum += log(t->v[r][k]);
    }
    paper_note(p, "traces", NAN, exp(sum / OWN), NAN, NAN, "x", "%s, mean of ours, %s",
               t->row_names[r], machine);
  }
}

static void show_traced(paper *p, int machine) {
  const char *name = together_machine_name(machine);
  char file[32], title[96], path[PAPER_PATH];
  snprintf(file, sizeof file, "traces-%s", name);
  snprintf(title, sizeof title, "Speed with the unit over speed without, %s, whole, traces", name);
  paper_table t = together_table(file, title, NULL, 0);
  for (int u = 0; u < UNITS; u++)
    if (together_has(u)) paper_row(&t, 0, "%s", together_units[u]);
  for (int k = 0; k < TRACES; k++) {
    const bool there = find(p, k, path);
    const int c = paper_column(&t, traces[k].name);
    for (int u = 0, r = 0; u < UNITS; u++)
      if (together_has(u)) t.v[r++][c] = there ? traced(p, machine, u, k, path) : NAN;
  }
  paper_show(p, &t);
  notes(p, &t, name);
}

/* The programs of which traces were made, run: what a trace leaves out. */
static void show_run(paper *p, int machine) {
  const char *name = together_machine_name(machine);
  char file[32], title[96];
  snprintf(file, sizeof file, "traces-run-%s", name);
  snprintf(title, sizeof title, "The same programs run, not traced, %s, whole", name);
  paper_table t = together_table(file, title, NULL, 0);
  for (int k = REAL; k < TRACES; k++) paper_column(&t, traces[k].name);
  for (int u = 0; u < UNITS; u++) {
    if (!together_has(u)) continue;
    const int row = paper_row(&t, 0, "%s", together_units[u]);
    for (int k = REAL; k < TRACES; k++) {
      t.v[row][k - REAL] =
          speed(p, machine, u, traces[k].name, traces[k].program, traces[k].program);
    }
  }
  paper_show(p, &t);
}

void together_traces(paper *p) {
  show_traced(p, WHOLE(RTX3070));
  show_traced(p, WHOLE(A100));
  show_run(p, WHOLE(RTX3070));
}
