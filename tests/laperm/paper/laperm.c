/* Figures 24 and 29 to 31 of LaPerm (Wang, Acceleration and optimization of dynamic parallelism for
 * irregular applications on GPUs, chapter 5), its rivals and sizes. Means of ratios are geometric,
 * of rates arithmetic. The figures compare a policy with round robin of the same unit, so that its
 * entries, which are more than DTBL's, gain nothing. */
#include <math.h>

#include "tests/papers/launched.h"

/* Of the paper's table 7. */
static const int inputs[] = {AMR,           BHT,           BFS_CITATION,  BFS_GRAPH500,
                             BFS_CAGE15,    CLR_CITATION,  CLR_GRAPH500,  CLR_CAGE15,
                             REGX_DARPA,    REGX_STRING,   PRE,           JOIN_UNIFORM,
                             JOIN_GAUSSIAN, SSSP_CITATION, SSSP_GRAPH500, SSSP_CAGE15};
enum { INPUTS = sizeof inputs / sizeof *inputs, SSSP_ROW = INPUTS - 1 };

typedef enum policy { RR, TB_PRI, SMX_BIND, ADAPTIVE, POLICIES } policy;
typedef enum launch { CDP, DTBL, LAUNCHES } launch;
static const char *const policies[POLICIES] = {"rr", "tb_pri", "smx_bind", "adaptive"};
static const char *const forms[LAUNCHES] = {"cdp", "dtbl"};
static const char *const columns[LAUNCHES][POLICIES] = {
    {"CDP-rr", "CDP-tb_pri", "CDP-smx_bind", "CDP-adaptive"},
    {"DTBL-rr", "DTBL-tb_pri", "DTBL-smx_bind", "DTBL-adaptive"}};

static const char late[] =
    "the L1 hits as often under rr: not for late launches nor for its size, as experiments on this "
    "page show";

static const char early[] = "hardly a launched group finds blocks of the host that it could "
                            "overtake, with a quarter of the "
                            "L2 as with all of it: PART=quarter";

static const char idle[] =
    "what is bound waits while other SMXs are idle, and crowds one L1, as experiments on this page "
    "show";

static const cJSON *result_with(paper *p, int input, launch l, policy by, const char *more) {
  char name[64], options[256];
  snprintf(name, sizeof name, "laperm-%s-%s", forms[l], policies[by]);
  snprintf(options, sizeof options, "app.form=%s --unit laperm:policy=%s%s", forms[l], policies[by],
           more);
  return launched_result(p, input, name, options);
}

static double cycles(paper *p, int input, launch l, policy by, const char *more) {
  return paper_number(result_with(p, input, l, by, more), "cycles");
}

static paper_table of_inputs(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int i = 0; i < INPUTS; i++) paper_row(&t, 0, "%s", launched_name(inputs[i]));
  return t;
}

/* ---- figures 29 to 31 ---- */

/* What the caches counted. `met`: loads of a line that was on its way, which the L1 counts as
 * misses too. GPGPU-Sim, with which the paper measures, has them among the accesses and not among
 * the misses (cache_stats::get_sub_stats, HIT_RESERVED), so what is no miss, its hit rate, counts
 * them in. */
typedef enum cache { L1, L2 } cache;
typedef enum counting { AS_THE_PAPER, THERE_ALREADY } counting;

static double hit_rate(const cJSON *r, cache of, counting how) {
  static const char *const paths[][3] = {{"l1.hits", "l1.misses", "l1.merges"},
                                         {"l2.hits", "l2.misses", "l2.merges"}};
  const double hits = paper_number(r, paths[of][0]), met = paper_number(r, paths[of][2]),
               misses = paper_number(r, paths[of][1]) - (of == L1 ? met : 0);
  return 100 * (how == AS_THE_PAPER ? hits + met : hits) / (hits + met + misses);
}

/* Percent of accesses. */
static paper_table rates(paper *p, const char *file, const char *title, cache of, counting how) {
  paper_table t = of_inputs(file, title, PAPER_ARITHMETIC);
  for (int l = 0; l < LAUNCHES; l++)
    for (int by = 0; by < POLICIES; by++) {
      const int c = paper_column(&t, columns[l][by]);
      for (int i = 0; i < INPUTS; i++)
        t.v[i][c] = hit_rate(result_with(p, inputs[i], (launch)l, (policy)by, ""), of, how);
    }
  paper_show(p, &t);
  return t;
}

static double points(const paper_table *t, launch l, policy by, policy over) {
  return paper_mean_all(t, (int)(l * POLICIES + by)) -
         paper_mean_all(t, (int)(l * POLICIES + over));
}

static void l2_rates(paper *p) {
  const paper_table t = rates(p, "29", "Figure 29: hits in the L2, %", L2, AS_THE_PAPER);
  paper_note(p, "figure 29", 6.7, points(&t, CDP, TB_PRI, RR), 0, NAN, "pts",
             "L2 hits, CDP, tb_pri over rr");
  paper_why(p, late);
  paper_note(p, "figure 29", 8.7, points(&t, DTBL, TB_PRI, RR), 0, NAN, "pts",
             "L2 hits, DTBL, tb_pri over rr");
  paper_why(p, late);
  paper_note(p, "figure 29", 0, points(&t, DTBL, ADAPTIVE, TB_PRI), -4, 4, "pts",
             "L2 hits, DTBL, adaptive over tb_pri");
}

static void l1_rates(paper *p) {
  const paper_table t = rates(p, "30", "Figure 30: hits in the L1, %", L1, AS_THE_PAPER);
  rates(p, "30-there", "Hits in the L1, %, without lines on their way", L1, THERE_ALREADY);
  static const struct {
    double paper;
    launch l;
    policy by, over;
    double low, high;
    const char *what;
    /* tb_pri with kernels: the paper's 1.1 lies within the 2 points that count as close of none at
     * all, so which side of none ours is on tells nothing: the band is what is close, on both
     * sides.
     */
  } rows[] = {{1.1, CDP, TB_PRI, RR, 1.1 - 2, 1.1 + 2, "CDP, tb_pri over rr"},
              {2.1, DTBL, TB_PRI, RR, 0, NAN, "DTBL, tb_pri over rr"},
              {6.6, CDP, SMX_BIND, RR, 0, NAN, "CDP, smx_bind over rr"},
              {13.6, DTBL, SMX_BIND, RR, 3, NAN, "DTBL, smx_bind over rr"},
              {-2.3, CDP, ADAPTIVE, SMX_BIND, NAN, 0, "CDP, adaptive over smx_bind"},
              {-3.1, DTBL, ADAPTIVE, SMX_BIND, NAN, 0, "DTBL, adaptive over smx_bind"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    paper_note(p, "figure 30", rows[i].paper, points(&t, rows[i].l, rows[i].by, rows[i].over),
               rows[i].low, rows[i].high, "pts", "L1 hits, %s", rows[i].what);
    paper_why(p, rows[i].l == CDP && rows[i].by != TB_PRI ? idle : late);
  }
}

static void performance(paper *p) {
  paper_table t = of_inputs("31", "Figure 31: performance over rr", PAPER_GEOMETRIC);
  for (int l = 0; l < LAUNCHES; l++)
    for (int by = TB_PRI; by < POLICIES; by++) {
      const int c = paper_column(&t, columns[l][by]);
      for (int i = 0; i < INPUTS; i++)
        t.v[i][c] = cycles(p, inputs[i], (launch)l, RR, "") /
                    cycles(p, inputs[i], (launch)l, (policy)by, "");
    }
  paper_show(p, &t);
  enum { CDP_TB, CDP_BIND, CDP_AD, DTBL_TB, DTBL_BIND, DTBL_AD };
  static const struct {
    double paper;
    int column;
    double low, high;
    const char *what;
  } rows[] = {
      {1.04, CDP_TB, 1, NAN, "CDP, tb_pri"},       {0.95, CDP_BIND, NAN, 1, "CDP, smx_bind"},
      {1.06, CDP_AD, 1, NAN, "CDP, adaptive"},     {1.13, DTBL_TB, 1.03, NAN, "DTBL, tb_pri"},
      {1.08, DTBL_BIND, 1, NAN, "DTBL, smx_bind"}, {1.27, DTBL_AD, 1.1, NAN, "DTBL, adaptive"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    paper_note(p, "figure 31", rows[i].paper, paper_mean_all(&t, rows[i].column), rows[i].low,
               rows[i].high, "x", "%s over rr", rows[i].what);
    paper_why(p, rows[i].column == DTBL_BIND ? idle : rows[i].column == DTBL_TB ? early : late);
  }
  paper_note(p, "figure 31", 1.11, t.v[SSSP_ROW][CDP_AD], 1, NAN, "x",
             "CDP, adaptive over rr, sssp_cage15");
  paper_why(p, late);
  paper_note(p, "figure 31", 1.51, t.v[SSSP_ROW][DTBL_AD], 1.1, NAN, "x",
             "DTBL, adaptive over rr, sssp_cage15");
  paper_why(p, late);
}

/* Where a block came from, under adaptive. */
static void stages(paper *p) {
  static const char *const paths[] = {"unit.laperm.blocks_own", "unit.laperm.blocks_zero",
                                      "unit.laperm.blocks_backup", "unit.laperm.groups_memory"};
  static const char *const names[] = {"own", "queue0", "backup", "in-memory"};
  paper_table t = of_inputs("stages",
                            "Blocks under adaptive, DTBL: from the SMX's own "
                            "queues, queue 0, a backup; groups that found no entry",
                            PAPER_NO_MEAN);
  for (int c = 0; c < 4; c++) {
    paper_column(&t, names[c]);
    for (int i = 0; i < INPUTS; i++)
      t.v[i][c] = paper_number(result_with(p, inputs[i], DTBL, ADAPTIVE, ""), paths[c]);
  }
  paper_show(p, &t);
}

static void policies_part(paper *p) {
  performance(p);
  l1_rates(p);
  l2_rates(p);
  stages(p);
}

/* ---- figure 24 ---- */

static void footprints(paper *p) {
  static const char *const names[] = {"parent-child", "child-sibling", "parent-parent",
                                      "parent-child-weighted", "child-sibling-weighted"};
  static const char *const paths[] = {"footprint.parent_child", "footprint.child_sibling",
                                      "footprint.parent_parent", "footprint.parent_child_weighted",
                                      "footprint.child_sibling_weighted"};
  paper_table t = of_inputs("24",
                            "Figure 24: blocks of 128 bytes that the children of a block, "
                            "siblings, parents share, %",
                            PAPER_ARITHMETIC);
  for (int c = 0; c < 5; c++) {
    paper_column(&t, names[c]);
    for (int i = 0; i < INPUTS; i++)
      t.v[i][c] = 100 * paper_number_or(launched_result(p, inputs[i], "footprint",
                                                        "app.form=cdp --set probe.footprint=1"),
                                        paths[c], NAN);
  }
  paper_show(p, &t);
  paper_note(p, "figure 24", 38.4, paper_mean_all(&t, 0), 25, 55, "%", "parent and children, mean");
  paper_note(p, "figure 24", 30.5, paper_mean_all(&t, 1), 15, 45, "%", "child and siblings, mean");
  paper_why(p, "siblings expand a vertex each and share what the graph has in common: other graphs "
               "in PART=experiments");
  paper_note(p, "figure 24", 9.3, paper_mean_all(&t, 2), NAN, 20, "%", "parents, mean");
}

/* ---- rivals ---- */

/* Over round robin of this unit. */
static void rivals(paper *p) {
  static const struct {
    const char *name, *options;
  } others[] = {{"unbounded", "app.form=dtbl"}, /* the GPU's own dispatcher: no table, no time */
                {"DTBL", "app.form=dtbl --unit dtbl"},
                {"random", "app.form=dtbl --set core.cta_place=random"},
                {"newest", "app.form=dtbl --set launch.order=newest"},
                {"runs-of-2", "app.form=dtbl --set core.cta_run=2"},
                {"flat", "app.form=flat"}};
  paper_table t = of_inputs("rivals",
                            "Performance over the unit's rr, DTBL form, by other "
                            "schedulers and without launches",
                            PAPER_GEOMETRIC);
  for (size_t o = 0; o < sizeof others / sizeof *others; o++) paper_column(&t, others[o].name);
  enum { UNBOUNDED, UNIT };
  const int adaptive = paper_column(&t, "adaptive");
  for (int i = 0; i < INPUTS; i++) {
    const double rr = cycles(p, inputs[i], DTBL, RR, "");
    for (int o = 0; o < adaptive; o++)
      t.v[i][o] =
          rr /
          paper_number(launched_result(p, inputs[i], others[o].name, others[o].options), "cycles");
    t.v[i][adaptive] = rr / cycles(p, inputs[i], DTBL, ADAPTIVE, "");
  }
  paper_show(p, &t);
  paper_note(p, "rivals", NAN, paper_mean_all(&t, adaptive) / paper_mean_all(&t, UNIT), 1, NAN, "x",
             "adaptive over the DTBL unit");
}

/* ---- sizes ---- */

static void sizes(paper *p) {
  static const struct {
    const char *name, *options;
  } machines[] = {{"entries-32", " --set laperm.entries=32"},
                  {"entries-256", " --set laperm.entries=256"},
                  {"levels-1", " --set laperm.levels=1"},
                  {"L1-32K", " --set l1.bytes=32768"},
                  {"L1-48K", " --set l1.bytes=49152 --set l1.ways=6"},
                  {"no-launch-time", " --set launch.ideal=1"},
                  {"L2-960K", " --set l2.bytes=196608"}};
  enum { MACHINES = sizeof machines / sizeof *machines };
  paper_table t = of_inputs(
      "sizes", "Performance of adaptive over rr, DTBL form, on other machines", PAPER_GEOMETRIC);
  paper_column(&t, "as-above");
  for (int m = 0; m < MACHINES; m++) paper_column(&t, machines[m].name);
  for (int i = 0; i < INPUTS; i++)
    for (int m = 0; m <= MACHINES; m++) {
      const char *more = m ? machines[m - 1].options : "";
      t.v[i][m] = cycles(p, inputs[i], DTBL, RR, more) / cycles(p, inputs[i], DTBL, ADAPTIVE, more);
    }
  paper_show(p, &t);
}

/* ---- a quarter of the L2 ---- */

/* Over rr of the same machine: were it for what the L2 keeps of the parent, an early child would
 * gain where a quarter of it is left; the more so where an SMX holds four blocks, so that more of
 * the host's wait and can be overtaken. */
static const char quarter_l2[] = " --set l2.bytes=65536" /* a slice */,
                  few_blocks[] = " --set l2.bytes=65536 --set core.ctas=4";

static double over_rr(paper *p, int input, policy by, const char *more) {
  return cycles(p, input, DTBL, RR, more) / cycles(p, input, DTBL, by, more);
}

static void quarter_times(paper *p) {
  static const struct {
    const char *name;
    policy by;
    const char *more, *what;
  } shown[] = {{"tb_pri-whole", TB_PRI, "", "the whole L2, tb_pri over rr"},
               {"tb_pri-quarter", TB_PRI, quarter_l2, "a quarter of the L2, tb_pri over rr"},
               {"tb_pri-4-blocks", TB_PRI, few_blocks,
                "a quarter of the L2, 4 blocks an SM, tb_pri over rr"},
               {"adaptive-whole", ADAPTIVE, "", "the whole L2, adaptive over rr"},
               {"adaptive-quarter", ADAPTIVE, quarter_l2, "a quarter of the L2, adaptive over rr"}};
  enum { SHOWN = sizeof shown / sizeof *shown };
  paper_table t = of_inputs("quarter",
                            "Performance over rr, DTBL form: the whole L2, a quarter of it, that "
                            "with 4 blocks an SM",
                            PAPER_GEOMETRIC);
  for (int c = 0; c < SHOWN; c++) {
    paper_column(&t, shown[c].name);
    for (int i = 0; i < INPUTS; i++) t.v[i][c] = over_rr(p, inputs[i], shown[c].by, shown[c].more);
  }
  paper_show(p, &t);
  for (int c = 0; c < SHOWN; c++)
    paper_note(p, "quarter", NAN, paper_mean_all(&t, c), 0, NAN, "x", "%s", shown[c].what);
}

static void quarter_hits(paper *p) {
  static const policy shown[] = {RR, TB_PRI, ADAPTIVE};
  static const char *const overtakes[] = {"", quarter_l2, few_blocks};
  enum { GRIDS = 4, OVERTOOK };
  paper_table t =
      of_inputs("quarter-hits",
                "Hits in the L2, %; tb_pri: blocks of kernels' grids, how often a group "
                "came before some that waited",
                PAPER_ARITHMETIC);
  static const char *const names[] = {
      "rr",       "tb_pri",         "adaptive",         "rr-whole",
      "of-grids", "overtook-whole", "overtook-quarter", "overtook-4-blocks"};
  for (int c = 0; c < 8; c++) paper_column(&t, names[c]);
  for (int i = 0; i < INPUTS; i++) {
    double *v = t.v[i];
    for (int c = 0; c < 3; c++)
      v[c] = hit_rate(result_with(p, inputs[i], DTBL, shown[c], quarter_l2), L2, AS_THE_PAPER);
    v[3] = hit_rate(result_with(p, inputs[i], DTBL, RR, ""), L2, AS_THE_PAPER);
    for (int m = 0; m < 3; m++) {
      const cJSON *r = result_with(p, inputs[i], DTBL, TB_PRI, overtakes[m]);
      if (m == 1) v[GRIDS] = paper_number(r, "unit.laperm.blocks_native");
      v[OVERTOOK + m] = paper_number(r, "unit.laperm.preemptions");
    }
  }
  paper_show(p, &t);
  for (int c = 1; c < 3; c++)
    paper_note(p, "quarter", NAN, paper_mean_all(&t, c) - paper_mean_all(&t, 0), -100, NAN, "pts",
               "a quarter of the L2, hits in it, %s over rr", policies[shown[c]]);
}

/* Fewer parents' groups at once: SMXs of a cluster share their queues. */
static void quarter_clusters(paper *p) {
  paper_table t = {.file = "clusters",
                   .title = "pre with a quarter of the L2, adaptive, by SMXs a cluster: "
                            "performance over rr, hits in the L2, %",
                   .mean = PAPER_NO_MEAN};
  paper_column(&t, "over-rr");
  paper_column(&t, "L2-hits");
  for (int n = 1; n <= 4; n *= 2) {
    char more[64];
    snprintf(more, sizeof more, n > 1 ? "%s --set laperm.cluster=%d" : "%s", quarter_l2, n);
    const int row = paper_row(&t, 0, "%d", n);
    const cJSON *r = result_with(p, PRE, DTBL, ADAPTIVE, more);
    t.v[row][0] = cycles(p, PRE, DTBL, RR, quarter_l2) / paper_number(r, "cycles");
    t.v[row][1] = hit_rate(r, L2, AS_THE_PAPER);
    paper_note(p, "quarter", NAN, t.v[row][0], 0, NAN, "x",
               "pre, a quarter of the L2, adaptive over rr, %d SM%s a cluster", n,
               n > 1 ? "s" : "");
  }
  paper_show(p, &t);
}

static void quarter(paper *p) {
  quarter_times(p);
  quarter_hits(p);
  quarter_clusters(p);
}

/* ---- levels ---- */

/* The one input whose launched blocks launch: over rr of a unit with as many levels. */
static void levels(paper *p) {
  enum { MOST = 3 }; /* the unit's */
  paper_table t = {.file = "levels",
                   .title =
                       "amr that refines twice, 16 a side, DTBL: performance over rr by levels; "
                       "overtaken under adaptive",
                   .mean = PAPER_NO_MEAN};
  for (int by = TB_PRI; by < POLICIES; by++) paper_column(&t, policies[by]);
  const int overtook = paper_column(&t, "overtook");
  for (int n = 1; n <= MOST; n++) {
    const int row = paper_row(&t, 0, "%d", n);
    double rr = 0;
    for (int by = RR; by < POLICIES; by++) {
      char label[64], fewer[32] = "";
      snprintf(label, sizeof label, "amr-twice-%s-%d-levels", policies[by], n);
      if (n < MOST) snprintf(fewer, sizeof fewer, " --set laperm.levels=%d", n);
      const cJSON *r = paper_result(p, label,
                                    "--config k20c --app amr --set app.side=16 --set app.low=1000 "
                                    "--set app.levels=2 --set app.form=dtbl --unit "
                                    "laperm:policy=%s%s",
                                    policies[by], fewer);
      const double took = paper_number(r, "cycles");
      if (by == RR)
        rr = took;
      else
        t.v[row][by - TB_PRI] = rr / took;
      if (by == ADAPTIVE) t.v[row][overtook] = paper_number(r, "unit.laperm.preemptions");
    }
    paper_note(p, "levels", NAN, t.v[row][ADAPTIVE - TB_PRI], 0, NAN, "x",
               "adaptive over rr, %d level%s", n, n > 1 ? "s" : "");
  }
  paper_show(p, &t);
}

/* ---- the KMU ---- */

/* Device kernels that wait: of a level as they were launched, or of one SM after the other. */
static void kmu(paper *p) {
  static const char *const orders[] = {"launches", "sms"};
  static const policy shown[] = {SMX_BIND, ADAPTIVE};
  paper_table time = of_inputs("kmu",
                               "Performance over rr, CDP, smaller inputs; the KMU takes the oldest "
                               "kernel, or of each SM in turn (sms)",
                               PAPER_GEOMETRIC);
  paper_table hits = of_inputs("kmu-hits", "Hits in the L1, the same, %", PAPER_ARITHMETIC);
  static const char *const names[] = {"smx_bind", "smx_bind-sms", "adaptive", "adaptive-sms"};
  paper_column(&hits, "rr");
  for (int c = 0; c < 4; c++) {
    paper_column(&time, names[c]);
    paper_column(&hits, names[c]);
  }
  for (int i = 0; i < INPUTS; i++) {
    const cJSON *rr = launched_small_result(p, inputs[i], "laperm-small-cdp-rr",
                                            "app.form=cdp --unit laperm:policy=rr");
    hits.v[i][0] = hit_rate(rr, L1, AS_THE_PAPER);
    for (int c = 0; c < 4; c++) {
      char label[64], options[128];
      snprintf(label, sizeof label, "laperm-small-cdp-%s-%s", policies[shown[c / 2]],
               orders[c % 2]);
      snprintf(options, sizeof options, "app.form=cdp --unit laperm:policy=%s --set launch.kmu=%s",
               policies[shown[c / 2]], orders[c % 2]);
      const cJSON *r = launched_small_result(p, inputs[i], label, options);
      time.v[i][c] = paper_number(rr, "cycles") / paper_number(r, "cycles");
      hits.v[i][1 + c] = hit_rate(r, L1, AS_THE_PAPER);
    }
  }
  paper_show(p, &time);
  paper_show(p, &hits);
  for (int c = 0; c < 4; c++)
    paper_note(p, "kmu", NAN, paper_mean_all(&time, c), 0, NAN, "x", "%s over rr%s",
               policies[shown[c / 2]], c % 2 ? ", each SM in turn" : "");
}

/* ---- its own clock ---- */

/* Small inputs: of its 706 MHz the unit gets those edges that it can follow. */
static void own_clock(paper *p) {
  paper_table t = of_inputs("clock",
                            "Speed under adaptive, DTBL form, smaller inputs: the unit at 572 of "
                            "706 MHz over the unit at every edge",
                            PAPER_GEOMETRIC);
  paper_column(&t, "572-MHz");
  for (int i = 0; i < INPUTS; i++) {
    static const char *const clocks[] = {"", " --set laperm.mhz=572"};
    double cycles[2];
    for (int c = 0; c < 2; c++) {
      char name[32], options[128];
      snprintf(name, sizeof name, "laperm-small-%s", c ? "572" : "all");
      snprintf(options, sizeof options, "app.form=dtbl --unit laperm%s", clocks[c]);
      cycles[c] = paper_number(launched_small_result(p, inputs[i], name, options), "cycles");
    }
    t.v[i][0] = cycles[0] / cycles[1];
  }
  paper_show(p, &t);
  paper_note(p, "clock", NAN, paper_mean_all(&t, 0), 0.95, NAN, "x",
             "the unit at 572 of 706 MHz over every edge");
}

/* ---- experiments behind findings.md ---- */

/* Schedulers without a warp, %. */
static double without_warp(const cJSON *r) {
  static const char *const causes[] = {"issue",      "idle",   "lsu_queue", "l1_port", "l1_mshr",
                                       "noc",        "unit",   "pipe",      "limit",   "memory",
                                       "dependency", "launch", "barrier"};
  double all = 0;
  for (size_t c = 0; c < sizeof causes / sizeof *causes; c++) {
    char path[64];
    snprintf(path, sizeof path, "sm.scheduler_cycles.%s", causes[c]);
    all += paper_number(r, path);
  }
  return 100 * paper_number(r, "sm.scheduler_cycles.idle") / all;
}

/* A machine of smaller inputs under rr, smx_bind and adaptive: cycles in thousands, percent; hits
 * of lines that are there already. */
static void idle_experiments(paper *p) {
  static const policy shown[] = {RR, SMX_BIND, ADAPTIVE};
  static const struct {
    const char *name;
    int input;
    launch l;
    const char *more;
  } machines[] = {
      {"amr", AMR, DTBL, ""},
      {"bfs_graph500", BFS_GRAPH500, DTBL, ""},
      {"bfs_graph500-CDP", BFS_GRAPH500, CDP, ""},
      {"bfs_graph500-CDP-48K", BFS_GRAPH500, CDP, " --set l1.bytes=49152 --set l1.ways=6"},
      {"sssp_graph500-48K-no-launch-time", SSSP_GRAPH500, DTBL,
       " --set launch.ideal=1 --set l1.bytes=49152 --set l1.ways=6"},
      {"sssp_graph500-4-blocks", SSSP_GRAPH500, DTBL, " --set core.ctas=4"},
  };
  paper_table t = {.file = "idle",
                   .title = "Smaller inputs under rr, smx_bind (bind) and adaptive (ad): "
                            "kilocycles; schedulers without a warp, hits in the L1, %",
                   .mean = PAPER_NO_MEAN};
  static const char *const names[] = {"rr",      "bind",    "ad",        "rr-idle", "bind-idle",
                                      "ad-idle", "rr-hits", "bind-hits", "ad-hits"};
  for (int c = 0; c < 9; c++) paper_column(&t, names[c]);
  for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
    const int row = paper_row(&t, 0, "%s", machines[m].name);
    for (int b = 0; b < 3; b++) {
      char name[64], options[256];
      snprintf(name, sizeof name, "laperm-%s-%s", machines[m].name, policies[shown[b]]);
      snprintf(options, sizeof options, "app.form=%s --unit laperm:policy=%s%s",
               forms[machines[m].l], policies[shown[b]], machines[m].more);
      const cJSON *r = launched_small_result(p, machines[m].input, name, options);
      t.v[row][b] = paper_number(r, "cycles") / 1000;
      t.v[row][3 + b] = without_warp(r);
      t.v[row][6 + b] = hit_rate(r, L1, THERE_ALREADY);
    }
    const double *v = t.v[row];
    const char *name = machines[m].name;
    paper_note(p, "experiments", NAN, v[1] / v[0], 0, NAN, "x", "%s, time, smx_bind over rr", name);
    paper_note(p, "experiments", NAN, v[2] / v[0], 0, NAN, "x", "%s, time, adaptive over rr", name);
    for (int b = 0; b < 3; b++) {
      paper_note(p, "experiments", NAN, v[3 + b], 0, NAN, "%", "%s, without a warp, %s", name,
                 policies[shown[b]]);
      paper_note(p, "experiments", NAN, v[6 + b], 0, NAN, "%", "%s, hits in the L1, %s", name,
                 policies[shown[b]]);
    }
  }
  paper_show(p, &t);
}

/* join_gaussian, whose groups wait in memory. */
static void memory_experiments(paper *p) {
  static const struct {
    const char *name, *options;
  } machines[] = {{"8-reads", ""},
                  {"4-reads", " --set laperm.reads=4"},
                  {"2-reads", " --set laperm.reads=2"},
                  {"1-read", " --set laperm.reads=1"},
                  {"32-lines", " --set laperm.lines=32"}};
  paper_table t = {.file = "reads",
                   .title = "join_gaussian, DTBL, adaptive: lines that may be on their way at "
                            "once; kilocycles, reads of lines, groups in memory",
                   .mean = PAPER_NO_MEAN};
  paper_column(&t, "cycles");
  paper_column(&t, "reads");
  paper_column(&t, "groups");
  for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
    const int row = paper_row(&t, 0, "%s", machines[m].name);
    const cJSON *r = result_with(p, JOIN_GAUSSIAN, DTBL, ADAPTIVE, machines[m].options);
    t.v[row][0] = paper_number(r, "cycles") / 1000;
    t.v[row][1] = paper_number(r, "unit.laperm.mem_reads");
    t.v[row][2] = paper_number(r, "unit.laperm.groups_memory");
  }
  paper_show(p, &t);
  for (size_t m = 1; m < sizeof machines / sizeof *machines; m++)
    paper_note(p, "experiments", NAN, t.v[m][0] / t.v[0][0], 0, NAN, "x",
               "join_gaussian, time, %s over 8-reads", machines[m].name);
  paper_note(p, "experiments", NAN, t.v[0][2] / t.v[0][1], 0, NAN, "x",
             "join_gaussian, groups in memory for each line that is read");
}

/* Which is the graph's: siblings that share. */
static void sibling_experiments(paper *p) {
  static const char *const graphs[] = {"band:n=16384", "cite:n=16384,degree=20"};
  paper_table t = {.file = "siblings",
                   .title = "Blocks of 128 bytes that siblings share, by graph, %",
                   .mean = PAPER_NO_MEAN};
  paper_column(&t, "child-sibling");
  for (int g = 0; g < 2; g++) {
    const int row = paper_row(&t, 0, "%s", graphs[g]);
    t.v[row][0] = 100 * paper_number_or(paper_result(p, g ? "cite-siblings" : "band-siblings",
                                                     "--config k20c --app bfs_dp --graph %s --set "
                                                     "app.form=cdp --set probe.footprint=1",
                                                     graphs[g]),
                                        "footprint.child_sibling", NAN);
    paper_note(p, "experiments", NAN, t.v[row][0], 0, NAN, "%", "siblings share, %s", graphs[g]);
  }
  paper_show(p, &t);
}

static void experiments(paper *p) {
  memory_experiments(p);
  idle_experiments(p);
  sibling_experiments(p);
}

/* ---- best software ---- */

static double candidate(paper *p, int input, int side, const char *share) {
  char name[64], options[128];
  const char *with = side == PAPER_WITH ? "_dtbl" : "";
  snprintf(name, sizeof name, "%s%s-laperm", share, with);
  snprintf(options, sizeof options, "app.form=%s%s --set app.from=64 --set app.chunk=64%s", share,
           with, side == PAPER_WITH ? " --unit laperm" : "");
  return paper_number(launched_result(p, input, name, options), "cycles");
}

static void best(paper *p) {
  static const char *const shares[] = {"bins", "scan"};
  paper_best rows[INPUTS];
  paper_table t = of_inputs("best",
                            "Speedup by the unit: best software, the paper's kernels; cycles; the "
                            "best without over the paper's with",
                            PAPER_GEOMETRIC);
  for (int i = 0; i < INPUTS; i++) {
    rows[i] = paper_best_none();
    for (int side = 0; side < PAPER_SIDES; side++)
      for (int s = 0; s < 2; s++)
        paper_best_try(&rows[i], side, candidate(p, inputs[i], side, shares[s]));
    rows[i].kernel[PAPER_WITHOUT] =
        paper_number(launched_result(p, inputs[i], "flat", "app.form=flat"), "cycles");
    rows[i].kernel[PAPER_WITH] = cycles(p, inputs[i], DTBL, ADAPTIVE, "");
  }
  paper_best_table(p, &t, rows);
  paper_best_means(p, &t, 1.27);
}

static const paper_part parts[] = {
    {"policies", "figures 29 to 31", policies_part, false},
    {"footprints", "Figure 24: shared footprints", footprints, false},
    {"rivals", "Rivals", rivals, true},
    {"sizes", "Queues, levels and caches of other sizes", sizes, true},
    {"quarter", "A quarter of the L2", quarter, true},
    {"levels", "Launches within launches", levels, true},
    {"kmu", "Whose kernel the KMU takes next", kmu, true},
    {"clock", "The unit at the clock that it closes at", own_clock, true},
    {"experiments", "Experiments behind the reasons", experiments, true},
    {"best", "Best software with the unit over best software without", best, true},
    {0}};
const paper_unit paper_this = {"laperm", "Locality-aware scheduling (LaPerm)", parts};
