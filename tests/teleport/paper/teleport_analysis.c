/* Figures 7.3 and 7.4: what the analyser finds in the kernels of all applications. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/apps/apps.h"
#include "sim/ptx/affine.h"
#include "sim/units/registry.h"
#include "tests/teleport/paper/teleport.h"

/* Not those by hand for shared memory: the paper counts one form of each benchmark. */
static bool counted(const char *kernel) {
  static const char *const by_hand[] = {"_shared", "_double"};
  const size_t n = strlen(kernel);
  for (size_t i = 0; i < 2; i++) {
    const size_t ending = strlen(by_hand[i]);
    if (n >= ending && !strcmp(kernel + n - ending, by_hand[i])) return false;
  }
  return true;
}

static ptx_affine_totals totals_of(const wf_app_kernels *k, unsigned *kernels) {
  size_t n_ops;
  wf_error err = {0};
  ptx_affine_totals sum = {0};
  ptx_custom_op *ops = wf_unit_ops(&n_ops);
  ptx_module *m = ptx_parse_text(k->name, k->ptx, k->bytes, ops, n_ops, &err);
  free(ops);
  if (!m) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  ptx_module_place(m, 1 << 20);
  for (size_t i = 0; i < ptx_kernel_count(m); i++) {
    if (!counted(ptx_kernel_at(m, i)->name)) continue;
    ptx_affine *a = ptx_affine_analyse(ptx_kernel_at(m, i));
    const ptx_affine_totals one = ptx_affine_count(a);
    ptx_affine_add(&sum, &one);
    ptx_affine_destroy(a);
    ++*kernels;
  }
  ptx_module_destroy(m);
  return sum;
}

void teleport_analysis(paper *p) {
  paper_table
      arrays = {.file = "figure-7.3",
                .title = "Figure 7.3: arrays and reads of global memory in the kernels"},
      shares = {
          .file = "figure-7.4",
          .title =
              "Figure 7.4: reads by class, %; then by cause of those that are not precalculable"};
  ptx_affine_totals all = {0};
  unsigned all_kernels = 0;
  double five = 1;
  paper_column(&arrays, "kernels"), paper_column(&arrays, "arrays"), paper_column(&arrays, "reads");
  static const char *const names[] = {"static",  "quasi-static", "induction",  "indirect",
                                      "control", "operator",     "with-loops", "relaxed"};
  for (size_t c = 0; c < sizeof names / sizeof names[0]; c++) paper_column(&shares, names[c]);
  const wf_app_kernels *k;
  for (size_t i = 0; (k = wf_app_kernels_at(i)); i++) {
    unsigned kernels = 0;
    const ptx_affine_totals t = totals_of(k, &kernels);
    if (!t.loads || arrays.rows == PAPER_ROWS) continue;
    const int r = paper_row(&arrays, 0, "%s", k->name);
    paper_row(&shares, 0, "%s", k->name);
    memcpy(arrays.v[r], (const double[]){kernels, t.arrays, t.loads}, 3 * sizeof(double));
    const double one = 100.0 / t.loads;
    memcpy(shares.v[r],
           (const double[]){
               one * t.by_class[PTX_AFFINE_STATIC], one * t.by_class[PTX_AFFINE_QUASI],
               one * t.by_cause[PTX_CAUSE_INDUCTION], one * t.by_cause[PTX_CAUSE_INDIRECT],
               one * t.by_cause[PTX_CAUSE_CONTROL], one * t.by_cause[PTX_CAUSE_OPERATOR],
               one * (t.by_class[PTX_AFFINE_STATIC] + t.by_class[PTX_AFFINE_QUASI] + t.bounded),
               one * (t.by_class[PTX_AFFINE_STATIC] + t.by_class[PTX_AFFINE_QUASI] + t.relaxed)},
           sizeof names / sizeof names[0] * sizeof(double));
    for (int a = 0; a < TELEPORT_APPS; a++)
      if (!strcmp(k->name, teleport_apps[a].name))
        five = fmin(five, t.by_class[PTX_AFFINE_QUASI] / (double)t.loads);
    ptx_affine_add(&all, &t);
    all_kernels += kernels;
  }
  paper_show(p, &arrays);
  paper_show(p, &shares);
  paper_note(p, "figure 7.3", NAN, arrays.rows, 16, NAN, "",
             "benchmarks analysed, the paper's 16 or more (%u kernels, %u arrays, %u reads)",
             all_kernels, all.arrays, all.loads);
  paper_note(p, "figure 7.4", 0, 100.0 * all.by_class[PTX_AFFINE_STATIC] / all.loads, NAN, 5, "%",
             "reads that are statically precalculable");
  paper_note(p, "figure 7.4", NAN, 100.0 * all.by_class[PTX_AFFINE_QUASI] / all.loads, NAN, NAN,
             "%", "quasi-static, all our applications");
  paper_note(p, "figure 7.4", 100, 100 * five, 100, NAN, "%",
             "quasi-static, the least of the five");
}
