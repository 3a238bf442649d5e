/* R-Exclusion and B+C (cache policies for graph kernels, chapter 4): what the ten kernels gain,
 * what the L2 misses, what moves between the caches, whose hits they are. Means are harmonic, of
 * speedups, and arithmetic of the rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/papers/graph_kernels.h"
#include "tests/papers/paper.h"

/* An eighth of the paper's machine, and a 64th of its RMAT20; stores go through both caches to
 * DRAM, a miss brings its line. The baseline's L1s have a victim cache of 1 KB, R-Exclusion's none.
 */
#define SHAPE " --set l2.write=evict --set l2.fill=line --graph rmat:scale=14,edges=129062"
#define EIGHTH " --set core.sms=2 --set l2.partitions=1"
#define VICTIMS " --set l1.victim_lines=8"
#define PAST " --set l1.past=line"
#define LARGE " --set l1.bytes=98304 --set l2.bytes=196608"
enum {
  BASE,
  EXCLUSION,
  REX,
  L2_ONLY,
  BC,
  NO_PROBE,
  SHORT,
  BIG_L1,
  BASE_144,
  REX_144,
  BC_144,
  BASE_LARGE,
  EXCLUSION_LARGE,
  REX_LARGE,
  OBM,
  REX_WHOLE,
  BC_WHOLE,
  FORMS
};
static const struct {
  const char *name, *machine, *options;
} forms[FORMS] = {
    [BASE] = {"base", "fermi16", VICTIMS},
    [EXCLUSION] = {"exclusion", "fermi16", VICTIMS " --set l2.exclusive=1"},
    [REX] = {"R-EX", "fermi16", " --unit region:mode=rex"},
    [L2_ONLY] = {"B+C-L2", "fermi16", " --unit region:mode=l2"},
    [BC] = {"B+C", "fermi16", PAST " --unit region:mode=bc"},
    [NO_PROBE] = {"no-probe", "fermi16", PAST " --unit region:mode=bc --set region.probe=0"},
    [SHORT] = {"period-256", "fermi16", PAST " --unit region:mode=bc --set region.period=256"},
    [BIG_L1] = {"64KB", "fermi16", " --set l1.bytes=65536 --set l1.ways=8" VICTIMS},
    [BASE_144] = {"base", "fermi16-144", VICTIMS},
    [REX_144] = {"R-EX", "fermi16-144", " --unit region:mode=rex"},
    [BC_144] = {"B+C", "fermi16-144", PAST " --unit region:mode=bc"},
    [BASE_LARGE] = {"base", "fermi16", LARGE VICTIMS},
    [EXCLUSION_LARGE] = {"exclusion", "fermi16", LARGE VICTIMS " --set l2.exclusive=1"},
    [REX_LARGE] = {"R-EX", "fermi16", LARGE " --unit region:mode=rex"},
    [OBM] = {"OBM", "fermi16", PAST " --unit obm:level=both"},
    [REX_WHOLE] = {"R-EX", "fermi16", " --unit region:mode=rex"},
    [BC_WHOLE] = {"B+C", "fermi16", PAST " --unit region:mode=bc"}};

static bool has_large_l1(int form) {
  return form == BIG_L1 || form == BASE_LARGE || form == EXCLUSION_LARGE || form == REX_LARGE;
}

static const cJSON *of_form(paper *p, int kernel, int form) {
  char *split, app[128];
  snprintf(app, sizeof app, "%s", graph_kernels[kernel].options);
  if (has_large_l1(form) && (split = strstr(app, SPLIT)))
    snprintf(split, sizeof app - (size_t)(split - app), " --set core.shared_bytes=49152");
  return paper_result(p, graph_kernels[kernel].name, "--config %s%s" SHAPE " --app %s%s",
                      forms[form].machine, form < REX_WHOLE ? EIGHTH : "", app,
                      forms[form].options);
}

static paper_table of_kernels(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int k = 0; k < KERNELS; k++) paper_row(&t, 0, "%s", graph_kernels[k].name);
  return t;
}

/* A form's number over a baseline's. */
static double column(paper *p, paper_table *t, int form, int base, const char *key, bool speedup) {
  const int c = paper_column(t, forms[form].name);
  for (int k = 0; k < KERNELS; k++) {
    const double with = paper_number(of_form(p, k, form), key),
                 without = paper_number(of_form(p, k, base), key);
    t->v[k][c] = speedup ? without / with : with / without;
  }
  return paper_mean_all(t, c);
}

static const char machine[] =
    "the paper's machine is eight times as large, and its baseline is not told whole";

static void speedups(paper *p) {
  paper_table t = of_kernels("23", "Speedup over non-inclusive caches", PAPER_HARMONIC);
  double of[BIG_L1 + 1] = {0};
  for (int f = BASE + 1; f <= BIG_L1; f++) of[f] = column(p, &t, f, BASE, "cycles", true);
  paper_show(p, &t);
  paper_note(p, "figure 23", 1.05, of[REX], 0.97, NAN, "x", "R-EX");
  paper_why(p, machine);
  paper_note(p, "figure 32", 1.05, of[L2_ONLY], 0.97, NAN, "x", "B+C at L2 alone");
  paper_why(p, machine);
  paper_note(p, "figure 32", 1.0, of[L2_ONLY] / of[REX], 0.97, 1.03, "x",
             "B+C at L2 alone over R-EX");
  paper_note(p, "figure 33", 1.09, of[BC], 1.0, NAN, "x", "B+C");
  paper_why(p, machine);
  paper_note(p, "beside", NAN, of[REX] / of[EXCLUSION], 0.9, NAN, "x", "R-EX over exclusion");
  paper_note(p, "beside", NAN, of[BC] / of[L2_ONLY], 0.9, 1.1, "x",
             "B+C over its L2's half: what its PCs gain");
  paper_note(p, "beside", NAN, of[NO_PROBE] / of[BC], 0.9, 1.1, "x", "B+C without probes");
  paper_note(p, "beside", NAN, of[SHORT] / of[BC], 0.9, 1.1, "x", "B+C with periods of 256");
}

static void faster_memory(paper *p) {
  paper_table t = of_kernels("38", "Speedup with 144 GB/s, over the same without", PAPER_HARMONIC);
  const double rex = column(p, &t, REX_144, BASE_144, "cycles", true),
               bc = column(p, &t, BC_144, BASE_144, "cycles", true);
  paper_show(p, &t);
  paper_note(p, "figure 28", 1.03, rex, 0.95, NAN, "x", "R-EX, 144 GB/s");
  paper_why(p, machine);
  paper_note(p, "figure 38", 1.08, bc, 0.98, NAN, "x", "B+C, 144 GB/s");
  paper_why(p, machine);
}

static void large(paper *p) {
  paper_table t = of_kernels(
      "27", "Speedup with large caches, 96 and 192 KB, over the same without", PAPER_HARMONIC);
  const double exclusion = column(p, &t, EXCLUSION_LARGE, BASE_LARGE, "cycles", true),
               rex = column(p, &t, REX_LARGE, BASE_LARGE, "cycles", true);
  paper_show(p, &t);
  paper_note(p, "figure 27", 1.05, exclusion, 0.97, 1.15, "x", "exclusion, large caches");
  paper_why(p, machine);
  paper_note(p, "figure 27", 1.03, rex, 0.97, 1.13, "x", "R-EX, large caches");
  paper_why(p, machine);
}

/* Of one figure: R-Exclusion's number over the baseline's; what the bands are. */
typedef struct figure {
  const char *name, *file, *title, *key;
  double rex, low, high;
} figure;

static void traffic(paper *p) {
  static const figure figures[] = {
      {"figure 24", "24", "Misses of L2 over those of non-inclusive caches", "l2.misses", 0.94, NAN,
       1.1},
      {"figure 25", "25", "Flits over those of non-inclusive caches", "noc.flits", 1.07, 0.95, NAN},
      {"figure 26", "26", "Lines that take a way in L2 over those of non-inclusive caches",
       "l2.insertions", 1.0, 0.9, 1.1},
      {"beside", "dram", "Bytes from DRAM over those of non-inclusive caches", "dram.read_bytes",
       NAN, NAN, 1.1}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    const figure *f = &figures[i];
    paper_table t = of_kernels(f->file, f->title, PAPER_ARITHMETIC);
    const double rex = column(p, &t, REX, BASE, f->key, false);
    column(p, &t, BC, BASE, f->key, false);
    column(p, &t, EXCLUSION, BASE, f->key, false);
    paper_show(p, &t);
    paper_note(p, f->name, f->rex, rex, f->low, f->high, "x", "R-EX: %s", f->key);
    paper_why(p, machine);
  }
}

static double share(const cJSON *r, const char *part, const char *of) {
  const double all = paper_number(r, of);
  return all > 0 ? 100 * paper_number(r, part) / all : 0;
}

/* Lines that go past a cache, over all that the baseline takes into it, %. */
static double past_l1(paper *p, int kernel, int form) {
  const cJSON *r = of_form(p, kernel, form);
  return 100 * paper_number(r, form == OBM ? "l1.bypasses" : "unit.region.past_l1") /
         paper_number(of_form(p, kernel, BASE), "l1.misses");
}

/* For good: not those that come back when an L1 replaces them. */
static double past_l2(paper *p, int kernel, int form) {
  const cJSON *r = of_form(p, kernel, form);
  const double past =
      form == OBM ? paper_number(r, "unit.obm.l2_past")
                  : paper_number(r, "unit.region.past_l2") - paper_number(r, "unit.region.copies");
  return 100 * past / paper_number(of_form(p, kernel, BASE), "l2.insertions");
}

static bool all_has_locality(int kernel) {
  static const char *const names[] = {"H-BFS", "H-SSSP", "BFS-DD", "BFS-WC"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(graph_kernels[kernel].name, names[i])) return true;
  return false;
}

/* "B+C does not bypass insertion of many/any cache lines into the L1 for H-BFS, H-SSSP, BFS-DD and
 * BFS-WC"; "only bypasses from regions that have been identified as having no reuse, while the
 * other mechanisms can bypass lines even from regions that have reuse"; of BFS-WC no region is
 * private. */
static const char with_few_sms[] = "two SMs share less than sixteen do, and have more of a launch "
                                   "each: on the whole machine, with "
                                   "the same input, it is within (the row beside)";

/* Of the kernels whose every load has locality the most, and the mean of the others. */
static void where_loads_go_past(paper *p, const paper_table *t, const char *name, const char *of,
                                const char *why) {
  double most = 0, others = 0;
  for (int k = 0; k < KERNELS; k++)
    if (all_has_locality(k))
      most = fmax(most, t->v[k][0]);
    else
      others += t->v[k][0] / (KERNELS - 4);
  paper_note(p, name, 0, most, NAN, 1, "%",
             "%sB+C: past L1, the most of H-BFS, H-SSSP, BFS-DD, BFS-WC", of);
  paper_why(p, why);
  paper_note(p, name, NAN, others - most, 0, NAN, "pts", "%sB+C: the other six's mean over it", of);
  paper_why(p, why);
}

static void copied_back(paper *p, int form, const char *name, const char *of, const char *why) {
  const cJSON *r = of_form(p, KERNELS - 1, form);
  paper_note(p, name, 0, share(r, "unit.region.copies", "unit.region.misses"), NAN, 5, "%",
             "%sR-EX: BFS-WC's misses that are copied back", of);
  paper_why(p, why);
}

static void lines_past(paper *p) {
  paper_table t =
      of_kernels("36", "Lines past a cache for good, over those that the baseline takes into it, %",
                 PAPER_ARITHMETIC);
  static const char *const heads[] = {"B+C-L1", "OBM-L1", "B+C-L2", "OBM-L2"};
  for (int c = 0; c < 4; c++) paper_column(&t, heads[c]);
  for (int k = 0; k < KERNELS; k++)
    for (int c = 0; c < 4; c++) t.v[k][c] = (c < 2 ? past_l1 : past_l2)(p, k, c % 2 ? OBM : BC);
  paper_show(p, &t);
  where_loads_go_past(p, &t, "figure 36", "", with_few_sms);
  paper_note(p, "figure 36", NAN, paper_mean_all(&t, 0) / paper_mean_all(&t, 1), NAN, 1, "x",
             "past L1: B+C over OBM");
  paper_note(p, "figure 37", NAN, paper_mean_all(&t, 2) / paper_mean_all(&t, 3), NAN, 1, "x",
             "past L2 for good: B+C over OBM");
  copied_back(p, REX, "figure 25", "", with_few_sms);
}

/* The same graph on sixteen SMs and eight slices. */
static void whole_machine(paper *p) {
  paper_table t =
      of_kernels("whole", "The whole machine, B+C: misses of L1 past L1, past L2, copied back, %",
                 PAPER_ARITHMETIC);
  static const char *const heads[] = {"past-L1", "past-L2", "copied-back"};
  static const char *const parts[] = {"unit.region.past_l1", "unit.region.past_l2",
                                      "unit.region.copies"};
  for (int c = 0; c < 3; c++) paper_column(&t, heads[c]);
  for (int k = 0; k < KERNELS; k++)
    for (int c = 0; c < 3; c++)
      t.v[k][c] = share(of_form(p, k, BC_WHOLE), parts[c], "unit.region.misses");
  paper_show(p, &t);
  where_loads_go_past(p, &t, "beside", "whole machine: ", NULL);
  copied_back(p, REX_WHOLE, "beside", "whole machine: ", NULL);
}

/* Whose hits the L2 has, and what went past where. */
static void insight(paper *p) {
  paper_table t = of_kernels("why",
                             "B+C: misses of L1 past L1, past L2, copied back; reads of L2 that "
                             "hit by the line's core, by others, %",
                             PAPER_ARITHMETIC);
  static const char *const heads[] = {"past-L1", "past-L2", "copied-back", "own-hits",
                                      "shared-hits"};
  static const char *const parts[] = {"unit.region.past_l1", "unit.region.past_l2",
                                      "unit.region.copies", "unit.region.l2_hits_own",
                                      "unit.region.l2_hits_other"};
  for (int c = 0; c < 5; c++) paper_column(&t, heads[c]);
  for (int k = 0; k < KERNELS; k++)
    for (int c = 0; c < 5; c++)
      t.v[k][c] = share(of_form(p, k, BC), parts[c],
                        c < 3 ? "unit.region.misses" : "unit.region.l2_questions");
  paper_show(p, &t);
}

static const paper_part parts[] = {{"speedups", "figures 23, 32, 33", speedups, false},
                                   {"traffic", "figures 24 to 26", traffic, false},
                                   {"past", "figures 36, 37", lines_past, false},
                                   {"whole", "figure 36, whole machine", whole_machine, false},
                                   {"insight", "whose hits", insight, false},
                                   {"fast", "At 144 GB/s: figures 28, 38", faster_memory, true},
                                   {"large", "With large caches: figure 27", large, true},
                                   {0}};
const paper_unit paper_this = {"region", "R-Exclusion and B+C", parts};
