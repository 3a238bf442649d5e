/* Policies of caches that are compared, and over what: a machine and an input. */
#ifndef WF_PAPER_POLICIES_H
#define WF_PAPER_POLICIES_H

#include <cjson/cJSON.h>

#include "tests/papers/graph_kernels.h"
#include "tests/papers/paper.h"

typedef struct policy {
  const char *name, *options, *figure; /* the paper's figure, or NULL */
  double paper, low, high;
  enum { NO_DRAWS, OBM_DRAWS, AB_DRAWS } draws; /* whose seed it has */
  const char *why;                              /* should it be outside its band */
  const char *over; /* a policy of the same setting that it comes with, or NULL */
} policy;

/* A machine and an input, the options of the baseline there, and who is compared. */
typedef struct setting {
  const char *file, *title, *machine, *base;
  const policy *policies;
  bool six; /* kernels of the ten: not H-MST, LS-SSSP, LS-MST, CLR */
} setting;

extern const setting over_lines, units_over_lines, at_the_l2, without_victims, over_64kb,
    over_rtx3070, over_a100, at_144, in_large, on_whole, under_pressure, on_graph1m, on_r4,
    fast_graph1m, fast_r4, over_area;

/* Of rows of the whole machine. */
#define IN_CACHES                                                                                  \
  "sixteen SMs' caches hold the graph: lines are shared, and what stays out of L2 is read again"

/* Its kernels: how many, and which. */
int kernels_of(const setting *s);
int kernel_at(const setting *s, int row);
const policy *policy_of(const setting *s, const char *name);
/* Has a policy of hints, beside which the others are shown too. */
bool has_hints(const setting *s);

/* A kernel's run; of the baseline, which is the profile as well; cycles with a policy's options. */
const cJSON *run_of(paper *p, const setting *s, int kernel, const char *options);
const cJSON *baseline_of(paper *p, const setting *s, int kernel);
double cycles_of(paper *p, const setting *s, int kernel, const char *options);

/* Parts. */
void compare(paper *p, const setting *s);
void compare_seeds(paper *p);
void show_counters(paper *p);
void show_counters_whole(paper *p);
/* Figure 36 on another machine, which `where` names; figure 37. */
void show_lines_past(paper *p, const setting *s, const char *where);
void show_lines_past_l2(paper *p, const setting *s);

#endif
