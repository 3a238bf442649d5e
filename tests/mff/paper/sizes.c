/* What the MFF unit's tables buy: area against speedup of PageRank, of each size of configuration
 * `tuned` that was synthesized (make paper-mff-sizes). */
#include <glob.h>
#include <math.h>
#include <stdlib.h>

#include "sim/base/wf_out.h"
#include "tests/mff/paper/mff.h"

enum { TAGS, REGISTERS, SPEEDUP, LOGIC, RAM, MHZ, FRONT, COLUMNS };
#define APP "--app pagerank --set app.supersteps=1 --set app.strategy=thread --graph %s"

static double speedup(paper *p, const cJSON *size) {
  char graph[PAPER_PATH];
  if (!paper_shared(p, "graphs/cnr-2000.mtx.gz", graph))
    snprintf(graph, sizeof graph, "data/debian12.mtx.gz");
  const double base = paper_number(paper_result(p, "sizes", APP, graph), "cycles");
  return base / paper_number(paper_result(p, "sizes",
                                          APP " --unit mff --set mff.tag_entries=%.0f --set "
                                              "mff.work_registers=%.0f --set mff.c_registers=%.0f",
                                          graph, paper_number(size, "parameters.TagEntries"),
                                          paper_number(size, "parameters.WorkRegs"),
                                          paper_number(size, "parameters.CRegs")),
                             "cycles");
}

static double area(const double *v) {
  return v[LOGIC] + v[RAM];
}

/* No other size is both smaller and at least as fast. */
static double on_front(const paper_table *t, int row) {
  for (int r = 0; r < t->rows; r++)
    if (r != row && area(t->v[r]) <= area(t->v[row]) && t->v[r][SPEEDUP] >= t->v[row][SPEEDUP])
      return 0;
  return 1;
}

/* Logic and RAM stand apart in every row; their sum is only the plot's axis. */
static void plot_data(const paper *p, const paper_table *t) {
  FILE *f = paper_data(p, "sizes-area");
  fputs("area_mm2 speedup label front\n", f);
  for (int r = 0; r < t->rows; r++)
    fprintf(f, "%.4f %.4f %s %.0f\n", area(t->v[r]), t->v[r][SPEEDUP], t->row_names[r],
            t->v[r][FRONT]);
  fclose(f);
}

void mff_sizes(paper *p) {
  char pattern[PAPER_PATH];
  glob_t found = {0};
  paper_table t = {
      .file = "sizes",
      .title = "Tag entries and work registers; area in mm2; front: none is smaller and as fast",
      .columns = COLUMNS,
      .names = {"tags", "registers", "speedup", "logic", "RAM", "MHz", "front"}};
  paper_built(p, "synth/mff-tuned*@45nm.json", pattern);
  if (glob(pattern, 0, NULL, &found)) paper_built(p, "synth/mff-tuned*@180nm.json", pattern);
  if (!found.gl_pathc && glob(pattern, 0, NULL, &found))
    paper_fail("%s: nothing; make paper-mff-sizes", pattern);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    wf_error err = {0};
    cJSON *size = wf_json_read(found.gl_pathv[i], &err);
    if (!size) paper_fail("%s", err.text);
    const double values[] = {paper_number(size, "parameters.TagEntries"),
                             paper_number(size, "parameters.WorkRegs"),
                             speedup(p, size),
                             paper_number(size, "logic_um2") / 1e6,
                             paper_number(size, "memory_um2") / 1e6,
                             paper_number(size, "clock.mhz")};
    const int r = paper_row(&t, 0, "%.0f/%.0f", values[TAGS], values[REGISTERS]);
    for (int c = 0; c < FRONT; c++) t.v[r][c] = values[c];
    cJSON_Delete(size);
  }
  globfree(&found);
  for (int r = 0; r < t.rows; r++) t.v[r][FRONT] = on_front(&t, r);
  paper_show(p, &t);
  if (paper_reporting(p)) plot_data(p, &t);
}
