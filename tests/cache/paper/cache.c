/* All policies of caches side by side, each over the same baseline: those of the work on cache
 * policies for graph kernels (chapter 4), their rivals, a larger L1, and software: loads with cache
 * hints, chosen by a profile. And what is left of them over caches of sectors. A row is a policy:
 * the harmonic mean of its ten speedups, the least and the greatest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/cache/paper/hints.h"
#include "tests/papers/graph_kernels.h"
#include "tests/papers/paper.h"

typedef struct policy {
  const char *name, *options, *figure; /* the paper's figure, or NULL */
  double paper, low, high;
  enum { NO_DRAWS, OBM_DRAWS, AB_DRAWS } draws; /* whose seed it has */
} policy;

/* A machine and an input, the options of the baseline there, and who is compared. */
typedef struct setting {
  const char *file, *title, *machine, *base;
  const policy *policies;
} setting;

#define GRAPH " --graph rmat:scale=14,edges=129062"
/* An eighth of the chapter's machine. */
#define EIGHTH " --set core.sms=2 --set l2.partitions=1 --set l2.write=evict --set l2.fill=line"
#define LINES "--config fermi16" EIGHTH
/* A twelfth of today's, whose caches have sectors; an L1 of whole lines there is a setting. */
#define SECTORS                                                                                    \
  "--config rtx3070 --set core.sms=4 --set l2.partitions=2 --set l1.ways=16 --set "                \
  "l1.write_keep=0"
#define VICTIMS " --set l1.victim_lines=8"
#define PAST " --set l1.past=line"
#define BY_SECTOR " --set l2.fill=sector --set l1.sectored=1"

/* Inclusion and bypass, by the paper's figures; NAN: it gives none for this machine. */
#define EXCLUSION(figure, paper)                                                                   \
  { "exclusion", VICTIMS " --set l2.exclusive=1", figure, paper, 0.97, NAN, NO_DRAWS }
#define FLEXCLUSION(figure, paper)                                                                 \
  { "flexclusion", VICTIMS " --unit flexcl", figure, paper, 0.97, NAN, NO_DRAWS }
#define R_EX(figure, paper)                                                                        \
  { "R-EX", " --unit region:mode=rex", figure, paper, 0.97, NAN, NO_DRAWS }
#define B_C(figure, paper)                                                                         \
  { "B+C", PAST " --unit region:mode=bc", figure, paper, 1.0, NAN, NO_DRAWS }
#define MAT(figure, paper)                                                                         \
  { "MAT", PAST " --set l1.bypass=mat --set l2.bypass=mat", figure, paper, 0.95, NAN, NO_DRAWS }
#define AB(figure, paper)                                                                          \
  { "AB", PAST " --set l1.bypass=ab --set l2.bypass=ab", figure, paper, 1.0, NAN, AB_DRAWS }
#define OBM(figure, paper)                                                                         \
  { "OBM", PAST " --unit obm:level=both", figure, paper, 1.0, NAN, OBM_DRAWS }
#define OBM_L2(figure, paper)                                                                      \
  { "OBM-L2", PAST " --unit obm:level=l2", figure, paper, 0.95, NAN, NO_DRAWS }

static const policy of_lines[] = {
    EXCLUSION("figure 23", 1.06),
    FLEXCLUSION("figure 23", 1.04),
    R_EX("figure 23", 1.05),
    B_C("figure 33", 1.09),
    MAT("figure 33", 1.03),
    AB("figure 33", 1.04),
    {"ABYP", " --set l1.abyp=1", NULL, NAN, 0.9, NAN, NO_DRAWS},
    {"PD-64", " --set l1.pd=64", NULL, NAN, 0.9, NAN, NO_DRAWS},
    {"PCAL-12", " --set l1.tokens=12", NULL, NAN, 0.9, NAN, NO_DRAWS},
    {"past-on-stall", " --set l1.bypass_stalls=1", NULL, NAN, 0.9, NAN, NO_DRAWS},
    {"64KB", VICTIMS " --set l1.bytes=65536 --set l1.ways=8", NULL, NAN, 1.0, NAN, NO_DRAWS},
    {"hints", HINTS, NULL, NAN, 1.0, NAN, NO_DRAWS},
    OBM("figure 33", 1.14),
    {"APCM", " --unit apcm", NULL, NAN, 0.9, NAN, NO_DRAWS},
    {0}};
/* Further units, and what they are combined with. */
static const policy of_units[] = {
    {"sectors", BY_SECTOR, "figure 40", 1.39, 1.0, NAN, NO_DRAWS},
    {"NAP", BY_SECTOR " --unit gran", "figure 40", 1.40, 1.0, NAN, NO_DRAWS},
    {"OBM-L1", PAST " --unit obm", NULL, NAN, 0.95, NAN, OBM_DRAWS},
    {"OBM+sectors", BY_SECTOR PAST " --unit obm:level=both", "figure 44", 1.54, 1.0, NAN, NO_DRAWS},
    {"SPP", BY_SECTOR " --unit gran:kind=spp", "figure 40", 1.39, 1.0, NAN, NO_DRAWS},
    {"BIM", BY_SECTOR " --unit gran:kind=bim", "figure 40", 1.38, 1.0, NAN, NO_DRAWS},
    {0}};
static const policy of_sectors[] = {
    {"OBM-L1", " --unit obm", NULL, NAN, 0.9, 1.1, NO_DRAWS},
    {"OBM", " --unit obm:level=both", NULL, NAN, 0.9, 1.1, OBM_DRAWS},
    {"NAP", " --unit gran", NULL, NAN, 0.95, 1.1, NO_DRAWS},
    {"stores-stay", " --set l1.write_keep=1", NULL, NAN, 0.9, 1.1, NO_DRAWS},
    {"lines", " --set l1.sectored=0 --set l2.fill=line", NULL, NAN, NAN, 1.1, NO_DRAWS},
    {"B+C-of-lines", " --set l1.sectored=0 --set l2.fill=line --unit region", NULL, NAN, NAN, 1.1,
     NO_DRAWS},
    {"hints", HINTS, NULL, NAN, 1.0, NAN, NO_DRAWS},
    {0}};
static const policy of_fast[] = {EXCLUSION("figure 28", 1.03),
                                 FLEXCLUSION("figure 28", 1.03),
                                 R_EX("figure 28", 1.03),
                                 B_C("figure 38", 1.08),
                                 MAT("figure 38", 1.02),
                                 AB("figure 38", 1.03),
                                 OBM("figure 38", 1.12),
                                 {"hints", HINTS, NULL, NAN, 1.0, NAN, NO_DRAWS},
                                 {0}};
static const policy of_large[] = {EXCLUSION("figure 27", 1.05),
                                  FLEXCLUSION("figure 27", 1.03),
                                  R_EX("figure 27", 1.03),
                                  {"hints", HINTS, NULL, NAN, 1.0, NAN, NO_DRAWS},
                                  {0}};
static const policy of_inputs[] = {FLEXCLUSION("figure 23", NAN), OBM_L2("figure 32", NAN), {0}};

static const setting over_lines = {"lines", "Speedup over non-inclusive caches of lines",
                                   LINES GRAPH, VICTIMS, of_lines},
                     units_over_lines = {"units", "Speedup over non-inclusive caches of lines",
                                         LINES GRAPH, VICTIMS, of_units},
                     over_sectors = {"sectors",
                                     "Speedup over caches of sectors: four SMs of rtx3070, 16 ways",
                                     SECTORS GRAPH, "", of_sectors},
                     at_144 = {"fast", "Speedup over caches of lines with 144 GB/s",
                               "--config fermi16-144" EIGHTH GRAPH, VICTIMS, of_fast},
                     in_large = {"large", "Speedup over large caches of lines, 96 and 192 KB",
                                 LINES " --set l1.bytes=98304 --set l2.bytes=196608" GRAPH, VICTIMS,
                                 of_large},
                     on_graph1m = {"graph1m", "Speedup over caches of lines, Graph1M",
                                   LINES " --graph random:n=15625,edges=93750", VICTIMS, of_inputs},
                     on_r4 = {"r4", "Speedup over caches of lines, R4_2e20",
                              LINES " --graph random:n=16384,degree=4", VICTIMS, of_inputs};

/* The machine without settings that the options have as well. */
static void without(const char *machine, const char *options, char *text, size_t bytes) {
  static const char set[] = " --set ";
  size_t n = 0;
  for (const char *at = machine, *next; at; at = next) {
    char key[64];
    next = strstr(at + 1, " --");
    const size_t length = next ? (size_t)(next - at) : strlen(at);
    snprintf(key, sizeof key, "%.*s=", (int)strcspn(at, "="), at);
    if (!strncmp(at, set, strlen(set)) && strstr(options, key)) continue;
    if (n + length >= bytes) paper_fail("%s: too long a machine", machine);
    memcpy(text + n, at, length);
    n += length;
  }
  text[n] = '\0';
}

/* Kernels that need the shared memory have their own split of it and the L1, but where that is
 * larger. */
static const cJSON *result(paper *p, const setting *s, int kernel, const char *options) {
  char *split, app[128], machine[384];
  const bool today = strstr(s->machine, "rtx") != NULL;
  snprintf(app, sizeof app, "%s", graph_kernels[kernel].options);
  if ((split = strstr(app, SPLIT)) &&
      (today || strstr(s->machine, "l1.bytes") || strstr(options, "l1.bytes")))
    snprintf(split, sizeof app - (size_t)(split - app), "%s",
             today ? "" : " --set core.shared_bytes=49152");
  without(s->machine, options, machine, sizeof machine);
  return paper_result(p, graph_kernels[kernel].name, "%s --app %s%s", machine, app, options);
}

/* The baseline, which is the profile as well: the probe moves no cycle. */
static const cJSON *baseline(paper *p, const setting *s, int kernel) {
  char options[128];
  snprintf(options, sizeof options, "%s --set probe.loads=1", s->base);
  return result(p, s, kernel, options);
}

/* The fastest of the kernel as it is and with hints on the loads that the profile says. */
static double best_hints(paper *p, const setting *s, int kernel) {
  const cJSON *profile = baseline(p, s, kernel);
  double best = paper_number(profile, "cycles");
  for (int h = 0; profile && h < HINT_FORMS; h++) {
    char hints[400], options[512];
    if (!hints_of(profile, h, hints, sizeof hints)) continue;
    snprintf(options, sizeof options, "%s%s", s->base, hints);
    best = fmin(best, paper_number(result(p, s, kernel, options), "cycles"));
  }
  return best;
}

static double cycles_of(paper *p, const setting *s, int kernel, const char *options) {
  return strcmp(options, HINTS) ? paper_number(result(p, s, kernel, options), "cycles")
                                : best_hints(p, s, kernel);
}

/* ---- a row ---- */

enum { MEAN, LEAST, MOST, FASTER, OVER_HINTS, COLUMNS };

/* The harmonic mean of its speedups over what each kernel takes otherwise. */
static double mean_of(paper *p, const setting *s, const char *options, const double over[KERNELS]) {
  double sum = 0;
  for (int k = 0; k < KERNELS; k++) sum += cycles_of(p, s, k, options) / over[k];
  return KERNELS / sum;
}

static void fill_row(paper *p, const setting *s, const policy *of, const double base[KERNELS],
                     const double hints[KERNELS], double *v, double by[KERNELS]) {
  v[LEAST] = INFINITY;
  v[MOST] = v[FASTER] = 0;
  for (int k = 0; k < KERNELS; k++) {
    by[k] = base[k] / cycles_of(p, s, k, of->options);
    v[LEAST] = fmin(v[LEAST], by[k]);
    v[MOST] = fmax(v[MOST], by[k]);
    v[FASTER] += by[k] > 1;
  }
  v[MEAN] = mean_of(p, s, of->options, base);
  v[OVER_HINTS] = mean_of(p, s, of->options, hints);
}

static void rows_of(paper *p, const setting *s, const paper_table *t) {
  const bool plain = !strcmp(s->machine, over_lines.machine);
  const char *comma = plain ? "" : ", ", *where = plain ? "" : s->file;
  for (int i = 0; s->policies[i].name; i++) {
    const policy *of = &s->policies[i];
    paper_note(p, of->figure ? of->figure : "beside", of->paper, t->v[i][MEAN], of->low, of->high,
               "x", "%s%s%s", of->name, comma, where);
    if (of->figure)
      paper_why(p, "the machine is an eighth of the paper's, and its baseline is not told whole");
    if (strcmp(of->options, HINTS))
      paper_note(p, "over hints", NAN, t->v[i][OVER_HINTS], 0.75, NAN, "x", "%s%s%s", of->name,
                 comma, where);
  }
}

static void compare(paper *p, const setting *s) {
  static const char *const heads[COLUMNS] = {"mean", "least", "greatest", "kernels-faster",
                                             "over-hints"};
  paper_table t = {.file = s->file, .title = s->title, .mean = PAPER_NO_MEAN}, all = t;
  char by_kernel[32], of_all[128];
  double base[KERNELS], hints[KERNELS];
  snprintf(by_kernel, sizeof by_kernel, "%s-kernels", s->file);
  snprintf(of_all, sizeof of_all, "%s, kernel by kernel", s->title);
  all.file = by_kernel;
  all.title = of_all;
  for (int c = 0; c < COLUMNS; c++) paper_column(&t, heads[c]);
  for (int k = 0; k < KERNELS; k++) {
    paper_row(&all, 0, "%s", graph_kernels[k].name);
    base[k] = paper_number(baseline(p, s, k), "cycles");
    hints[k] = best_hints(p, s, k);
  }
  for (int i = 0; s->policies[i].name; i++) {
    double by[KERNELS];
    const int row = paper_row(&t, 0, "%s", s->policies[i].name);
    fill_row(p, s, &s->policies[i], base, hints, t.v[row], by);
    paper_column(&all, s->policies[i].name);
    for (int k = 0; k < KERNELS; k++) all.v[k][i] = by[k];
  }
  paper_show(p, &t);
  paper_show(p, &all);
  rows_of(p, s, &t);
}

/* ---- three seeds of the draws ---- */

static double of_seed(paper *p, const setting *s, const policy *of, unsigned seed,
                      const double base[KERNELS]) {
  char options[384];
  if (of->draws == OBM_DRAWS)
    snprintf(options, sizeof options, "%s --set obm.seed=%u", of->options, seed);
  else
    snprintf(options, sizeof options, "%s --set l1.bypass_seed=%u --set l2.bypass_seed=%u",
             of->options, seed, seed);
  return mean_of(p, s, seed ? options : of->options, base);
}

static void seeds_of(paper *p, const setting *s, paper_table *t) {
  static const unsigned values[] = {0, 100, 1000}; /* 0: the settings' own */
  double base[KERNELS];
  for (int k = 0; k < KERNELS; k++) base[k] = paper_number(baseline(p, s, k), "cycles");
  for (const policy *of = s->policies; of->name; of++) {
    if (!of->draws) continue;
    double *v = t->v[paper_row(t, 0, "%s", of->name)];
    for (int n = 0; n < 3; n++) v[n] = of_seed(p, s, of, values[n], base);
    v[3] = fmin(v[0], fmin(v[1], v[2]));
    v[4] = fmax(v[0], fmax(v[1], v[2]));
    paper_note(p, "seeds", NAN, v[4] - v[3], NAN, 0.1, "", "%s: greatest mean less least",
               of->name);
  }
}

static void seeds(paper *p) {
  static const char *const heads[] = {"first", "seed-100", "seed-1000", "least", "greatest"};
  paper_table t = {.file = "seeds",
                   .title = "Speedup over caches of lines by the seed of the policy's draws",
                   .mean = PAPER_NO_MEAN};
  for (size_t c = 0; c < sizeof heads / sizeof *heads; c++) paper_column(&t, heads[c]);
  seeds_of(p, &over_lines, &t);
  seeds_of(p, &units_over_lines, &t);
  paper_show(p, &t);
}

static void lines(paper *p) {
  compare(p, &over_lines);
}
static void units(paper *p) {
  compare(p, &units_over_lines);
}
static void sectors(paper *p) {
  compare(p, &over_sectors);
}
static void fast(paper *p) {
  compare(p, &at_144);
}
static void large(paper *p) {
  compare(p, &in_large);
}
static void inputs(paper *p) {
  compare(p, &on_graph1m);
  compare(p, &on_r4);
}

static const paper_part parts[] = {
    {"lines", "over caches of lines", lines, false},
    {"units", "Sectors, who predicts them, OBM with them, OBM at the L1 alone", units, true},
    {"seeds", "Three seeds", seeds, true},
    {"sectors", "Over caches of sectors, as GPUs have them", sectors, true},
    {"fast", "With 144 GB/s: figures 28, 38", fast, true},
    {"large", "Over large caches: figure 27", large, true},
    {"inputs", "On the other two inputs", inputs, true},
    {0}};
const paper_unit paper_this = {"cache", "Policies of caches side by side", parts};
