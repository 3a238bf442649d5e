/* The figures of the APCM paper (Koo et al., Access Pattern-Aware Cache Management). IPC is in
 * thread instructions per cycle; means over applications are geometric, of rates arithmetic. "Miss
 * rate" is of requests that look up the L1: what bypasses it does not count. */
#include <math.h>
#include <string.h>

#include "tests/apcm/paper/apcm.h"

#define BOTH APCM_BOTH
#define KEPLER "--config gtx780"

enum { CS, CM, CI }; /* cache-sensitive, moderate, insensitive */
static const char *const classes[] = {"CS", "CM", "CI", NULL};
enum {
  BFS = APCM_BFS,
  KMN = APCM_KMN,
  MM = APCM_MM,
  SENSITIVE = APCM_SENSITIVE, /* CS and CM: the first ten */
  SGM = 13,
  APPS = 16,
  OPTIONS = 256
};

/* Sizes: README of sim/apps. */
static const struct {
  const char *name, *input; /* further arguments, or a graph in the folder of graphs */
  const char *instead;      /* of that graph; NULL: input is arguments */
  int class;
} apps[APPS] = {
    {"bfs_rodinia", "--graph random:n=65536,degree=6", NULL, CS},
    {"kmn", "", NULL, CS},
    {"iix", "", NULL, CS},
    {"wc", "", NULL, CS},
    {"gc", "--graph random:n=32768,degree=4", NULL, CS},
    {"ssp", "--graph random:n=32768,degree=4", NULL, CS},
    {"spmv", "USA-road-d.NY.gr.gz", "random:n=131072,degree=8", CM},
    {"mm", "", NULL, CM},
    {"ss", "", NULL, CM},
    {"ccl", "--graph random:n=65536,degree=4", NULL, CM},
    {"ge", "", NULL, CI},
    {"srd", "", NULL, CI},
    {"mri", "", NULL, CI},
    {"sgm", "", NULL, CI},
    {"stn", "", NULL, CI},
    {"aps", "", NULL, CI},
};

const char *apcm_app_name(int app) {
  return apps[app].name;
}

/* The paper's machine has 64 MSHRs. */
const cJSON *apcm_result(paper *p, int app, const char *program, const char *options) {
  char graph[PAPER_PATH] = "";
  if (apps[app].instead) paper_graph(p, apps[app].input, apps[app].instead, graph);
  return paper_result(p, program, "--app %s %s%s --set l1.mshrs=64 %s", program,
                      apps[app].instead ? "--graph " : apps[app].input, graph, options);
}

static const cJSON *result(paper *p, int app, const char *options) {
  return apcm_result(p, app, apps[app].name, options);
}

static double number(paper *p, int app, const char *options, const char *path) {
  return paper_number(result(p, app, options), path);
}

static double ipc(paper *p, int app, const char *options) {
  return number(p, app, options, "ipc");
}

/* Of n choices of options the one of most IPC; -1 while a run is not there. */
static int best_of(paper *p, int app, char options[][OPTIONS], int n) {
  double best = 0;
  int at = -1;
  bool all = true;
  for (int i = 0; i < n; i++) {
    const double v = ipc(p, app, options[i]);
    if (isnan(v)) all = false;
    if (v > best) best = v, at = i;
  }
  return all ? at : -1;
}

static paper_table of_apps(const char *file, const char *title, int n, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean, .groups = classes};
  for (int a = 0; a < n; a++) paper_row(&t, apps[a].class, "%s", apps[a].name);
  return t;
}

typedef struct variant {
  const char *name, *options;
} variant;

/* A table of IPC over that of options `base`. */
static paper_table ipc_table(paper *p, const char *file, const char *title, int n_apps,
                             const char *base, const variant *variants, int n) {
  paper_table t = of_apps(file, title, n_apps, PAPER_GEOMETRIC);
  for (int c = 0; c < n; c++) {
    paper_column(&t, variants[c].name);
    for (int a = 0; a < n_apps; a++) t.v[a][c] = ipc(p, a, variants[c].options) / ipc(p, a, base);
  }
  paper_show(p, &t);
  return t;
}

static double miss_rate(paper *p, int app, const char *options) {
  double misses = number(p, app, options, "l1.misses"),
         accesses = number(p, app, options, "l1.accesses");
  return accesses > 0 || isnan(accesses) ? misses / accesses : 0;
}

static double least(const paper_table *t, int column, int class) {
  double v = INFINITY;
  for (int a = 0; a < t->rows; a++)
    if (t->group[a] == class && t->v[a][column] < v) v = t->v[a][column];
  return v;
}

/* ---- figures 12, 13, 23: modes; performance, miss rate, energy ---- */

static const variant modes[] = {{"baseline", ""},
                                {"bypass", "--unit apcm:mode=bypass"},
                                {"protect", "--unit apcm:mode=protect"},
                                {"both", BOTH}};

static void performance(paper *p) {
  paper_table t =
      ipc_table(p, "12", "Figure 12: IPC over the baseline's, gtx480", APPS, "", modes + 1, 3);
  paper_note(p, "figure 12", 1.76, t.v[MM][2], NAN, NAN, "x", "IPC with APCM, mm");
  paper_note(p, "figure 12", 1.34, paper_mean_of(&t, 2, CS, CS), 1.34, NAN, "x",
             "IPC with APCM, cache-sensitive");
  paper_note(p, "figure 12", 1.32, paper_mean_of(&t, 2, CM, CM), 1.32, NAN, "x",
             "IPC with APCM, cache-moderate");
  paper_note(p, "figure 12", 1.04, paper_mean_of(&t, 2, CI, CI), 1.00, NAN, "x",
             "IPC with APCM, cache-insensitive");
  paper_note(p, "figure 12", NAN, least(&t, 2, CI), 0.99, NAN, "x",
             "IPC with APCM, the worst cache-insensitive");
  paper_note(p, "figure 12", 1.22, paper_mean_of(&t, 2, CS, CI), 1.22, NAN, "x",
             "IPC with APCM, all");
  paper_note(p, "section 6.5", 1.15, paper_mean_of(&t, 0, CS, CI), NAN, NAN, "x",
             "IPC with bypassing alone, all");
}

static void misses(paper *p) {
  paper_table t =
      of_apps("13", "Figure 13: miss rate of the L1's look-ups", APPS, PAPER_ARITHMETIC);
  for (int c = 0; c < 4; c++) {
    paper_column(&t, modes[c].name);
    for (int a = 0; a < APPS; a++) t.v[a][c] = miss_rate(p, a, modes[c].options);
  }
  paper_show(p, &t);
  const double paper[] = {15, 22};
  const char *const names[] = {"cache-sensitive", "cache-moderate"};
  for (int c = CS; c <= CM; c++)
    paper_note(p, "figure 13", paper[c],
               100 * (1 - paper_mean_of(&t, 3, c, c) / paper_mean_of(&t, 0, c, c)), paper[c], NAN,
               "%", "L1 miss rate less, %s", names[c]);
}

static void energy(paper *p) {
  paper_table t = of_apps("23", "Figure 23: energy over the baseline's", APPS, PAPER_ARITHMETIC);
  paper_column(&t, "both");
  paper_column(&t, "unit/total");
  for (int a = 0; a < APPS; a++) {
    double with = number(p, a, BOTH, "energy_joules.total");
    t.v[a][0] = with / number(p, a, "", "energy_joules.total");
    t.v[a][1] = number(p, a, BOTH, "energy_joules.unit") / with;
  }
  paper_show(p, &t);
  paper_note(p, "figure 23", 27, 100 * (1 - paper_mean_of(&t, 0, CS, CS)), 20, NAN, "%",
             "energy saved, cache-sensitive");
  paper_note(p, "figure 23", 52, 100 * (1 - t.v[KMN][0]), NAN, NAN, "%", "energy saved, kmn");
}

static void main_figures(paper *p) {
  performance(p);
  misses(p);
  energy(p);
}

/* ---- figure 14: configuration 2 ---- */

static void kepler(paper *p) {
  static const variant v[] = {{"config1", ""},
                              {"bypass", KEPLER " --unit apcm:mode=bypass"},
                              {"protect", KEPLER " --unit apcm:mode=protect"},
                              {"both", KEPLER " " BOTH}};
  paper_table t =
      ipc_table(p, "14", "Figure 14: gtx780: IPC over its baseline's", SENSITIVE, KEPLER, v, 4);
  paper_note(p, "figure 14", 1.42, paper_mean_of(&t, 3, CS, CM), 1.42, NAN, "x",
             "gtx780: IPC with APCM, CS and CM");
}

/* ---- figures 15, 16: warp throttling ---- */

enum { ALL_WARPS = 24 }; /* of a scheduler of gtx480 */
static const unsigned limits[] = {2, 4, 8, ALL_WARPS};
enum { LIMITS = sizeof limits / sizeof limits[0], TOKENS = 3 };

/* Options with the best limit of warps, on top of `unit`; its number of warps, 0 while it is not
 * known. */
static unsigned best_limit(paper *p, int app, const char *unit, char *best) {
  char options[LIMITS][OPTIONS];
  for (int i = 0; i < LIMITS; i++)
    if (limits[i] == ALL_WARPS)
      snprintf(options[i], sizeof options[i], "%s", unit);
    else
      snprintf(options[i], sizeof options[i], "%s --set core.swl=%u", unit, limits[i]);
  int at = best_of(p, app, options, LIMITS);
  strcpy(best, at < 0 ? "" : options[at]);
  return at < 0 ? 0 : limits[at];
}

/* Static PCAL: some warps may allocate lines (as many as the best limit lets run, or fixed
 * numbers), the others run past the L1: all of them, or as many again. */
static bool best_pcal(paper *p, int app, unsigned swl, char *best) {
  char options[TOKENS + 1][OPTIONS];
  const unsigned tokens[TOKENS] = {8, 16, 2 * swl};
  for (int i = 0; i < TOKENS; i++)
    snprintf(options[i], sizeof options[i], "--set l1.tokens=%u", tokens[i]);
  snprintf(options[TOKENS], sizeof options[TOKENS], "--set l1.tokens=%u --set core.swl=%u", 2 * swl,
           swl * 2 < ALL_WARPS ? swl * 2 : ALL_WARPS);
  int at = best_of(p, app, options, TOKENS + 1);
  strcpy(best, at < 0 ? "" : options[at]);
  return at >= 0;
}

static void throttling(paper *p) {
  enum { SWL, PCAL, APCM, APCM_SWL, SCHEMES };
  paper_table t =
      of_apps("15", "Figure 15: warp throttling: IPC over CCWS-SWL's best; warps of both bests",
              SENSITIVE, PAPER_GEOMETRIC);
  paper_table m =
      of_apps("16", "Figure 16: warp throttling: miss rate", SENSITIVE, PAPER_ARITHMETIC);
  const char *const names[SCHEMES] = {"CCWS-SWL", "PCAL", "APCM", "APCM-SWL"};
  for (int c = 0; c < SCHEMES; c++) paper_column(&t, names[c]), paper_column(&m, names[c]);
  paper_column(&t, "warps-SWL");
  paper_column(&t, "warps-APCM");
  for (int a = 0; a < SENSITIVE; a++) {
    char options[SCHEMES][OPTIONS] = {[APCM] = BOTH};
    unsigned swl = best_limit(p, a, "", options[SWL]),
             with = best_limit(p, a, BOTH, options[APCM_SWL]);
    if (!swl || !with || !best_pcal(p, a, swl, options[PCAL])) continue;
    for (int c = 0; c < SCHEMES; c++) {
      t.v[a][c] = ipc(p, a, options[c]) / ipc(p, a, options[SWL]);
      m.v[a][c] = miss_rate(p, a, options[c]);
    }
    t.v[a][SCHEMES] = swl * 2;
    t.v[a][SCHEMES + 1] = with * 2;
  }
  paper_show(p, &t);
  paper_show(p, &m);
  paper_note(p, "figure 15", 1.49, paper_mean_of(&t, 3, CS, CM), 1.0, NAN, "x",
             "APCM-SWL over CCWS-SWL, CS and CM");
  paper_note(p, "figure 15", 1.43, paper_mean_of(&t, 3, CS, CM) / paper_mean_of(&t, 1, CS, CM), 1.0,
             NAN, "x", "APCM-SWL over PCAL, CS and CM");
}

/* ---- figures 17, 18: other bypassing, other protection ---- */

static void bypassing(paper *p) {
  static const variant v[] = {
      {"ABYP", "--set l1.abyp=1"}, {"APCM-b", "--unit apcm:mode=bypass"}, {"APCM", BOTH}};
  paper_table t =
      ipc_table(p, "17", "Figure 17: bypassing: IPC over the baseline's", APPS, "", v, 3);
  double abyp = paper_mean_of(&t, 0, CS, CI);
  paper_note(p, "figure 17", 1.11, paper_mean_of(&t, 1, CS, CI) / abyp, NAN, NAN, "x",
             "APCM's bypassing over ABYP, all");
  paper_note(p, "figure 17", 1.28, paper_mean_of(&t, 2, CS, CI) / abyp, 1.0, NAN, "x",
             "APCM over ABYP, all");
}

static void protection(paper *p) {
  static const variant v[] = {{"PD-16", "--set l1.pd=16"},
                              {"PD-64", "--set l1.pd=64"},
                              {"APCM-p16", BOTH " --set apcm.pd=16"},
                              {"APCM-p64", BOTH " --set apcm.pd=64"},
                              {"APCM", BOTH}};
  paper_table t =
      ipc_table(p, "18", "Figure 18: protection: IPC over the baseline's", SENSITIVE, "", v, 5);
  double best_pd = 0, best_ours = 0;
  for (int c = 0; c < 2; c++) {
    best_pd = fmax(best_pd, paper_mean_of(&t, c, CS, CM));
    best_ours = fmax(best_ours, paper_mean_of(&t, 2 + c, CS, CM));
  }
  double apcm = paper_mean_of(&t, 4, CS, CM);
  paper_note(p, "figure 18", NAN, apcm / best_pd, 1.0, NAN, "x",
             "APCM over the best PD-N, CS and CM");
  paper_why(p, "PD-N decides in no time, keeps lines of all loads, ends by a line's own last use");
  paper_note(p, "figure 18", NAN, apcm / best_ours, 1.0, NAN, "x",
             "APCM over the best APCM-pN, CS and CM");
  paper_why(p, "the end of a loop is later than a line's last use");
}

/* ---- figures 19 to 22: sensitivity ---- */

static void schedulers(paper *p) {
#define GTO "--set core.scheduler=gto"
  static const variant v[] = {{"LRR+APCM", BOTH}, {"GTO", GTO}, {"GTO+APCM", GTO " " BOTH}};
  paper_table t = ipc_table(p, "19", "Figure 19: schedulers: IPC over LRR's", SENSITIVE, "", v, 3);
  paper_note(p, "figure 19", 1.09, paper_mean_of(&t, 1, CS, CM), NAN, NAN, "x",
             "GTO over LRR, CS and CM");
  paper_note(p, "figure 19", 1.27, paper_mean_of(&t, 2, CS, CM) / paper_mean_of(&t, 1, CS, CM),
             1.27, NAN, "x", "APCM over GTO, CS and CM");
}

static void cache_sizes(paper *p) {
#define KB32 "--set l1.bytes=32768"
#define KB48 "--set l1.bytes=49152 --set l1.ways=6"
  static const variant small[] = {{"16KB", BOTH}}, middle[] = {{"32KB", KB32 " " BOTH}},
                       large[] = {{"48KB", KB48 " " BOTH}};
  static const variant bare[] = {{"32KB", KB32}, {"48KB", KB48}};
  paper_table t =
      ipc_table(p, "20-16", "Figure 20: 16 KB: IPC over its baseline's", SENSITIVE, "", small, 1);
  paper_note(p, "figure 20", 1.33, paper_mean_of(&t, 0, CS, CM), 1.33, NAN, "x",
             "16 KB: IPC with APCM, CS and CM");
  t = ipc_table(p, "20-32", "Figure 20: 32 KB: IPC over its baseline's", SENSITIVE, KB32, middle,
                1);
  paper_note(p, "figure 20", 1.21, paper_mean_of(&t, 0, CS, CM), 1.21, NAN, "x",
             "32 KB: IPC with APCM, CS and CM");
  t = ipc_table(p, "20-48", "Figure 20: 48 KB: IPC over its baseline's", SENSITIVE, KB48, large, 1);
  paper_note(p, "figure 20", 1.18, paper_mean_of(&t, 0, CS, CM), 1.18, NAN, "x",
             "48 KB: IPC with APCM, CS and CM");
  ipc_table(p, "20", "Figure 20: larger caches without APCM: IPC over 16 KB's", SENSITIVE, "", bare,
            2);
}

/* Largest distance from 1 of a column's mean. */
static double spread(const paper_table *t) {
  double most = 0;
  for (int c = 0; c < t->columns; c++) most = fmax(most, fabs(paper_mean_of(t, c, CS, CM) - 1));
  return most;
}

static void mta_shapes(paper *p) {
#define MTA(ENTRIES, WAYS) BOTH " --set apcm.mta_entries=" #ENTRIES " --set apcm.mta_ways=" #WAYS
  static const variant v[] = {
      {"16-DM", MTA(16, 1)}, {"64-DM", MTA(64, 1)}, {"32-AS4", MTA(32, 4)}, {"32-FA", MTA(32, 32)}};
  paper_table t =
      ipc_table(p, "21", "Figure 21: shapes of the MTA: IPC over 32 entries direct-mapped",
                SENSITIVE, BOTH, v, 4);
  paper_note(p, "figure 21", 5, 100 * spread(&t), NAN, 5, "%",
             "shapes of the MTA: largest change of the mean, CS and CM");
}

static void depths(paper *p) {
#define IDS(N) BOTH " --set apcm.ids=" #N
  static const variant v[] = {{"ld4", IDS(4)}, {"ld8", IDS(8)}, {"ld32", IDS(32)}};
  paper_table t = ipc_table(p, "22", "Figure 22: depth of LAT and CAIT: IPC over 16 entries",
                            SENSITIVE, BOTH, v, 3);
  paper_note(p, "figure 22", 1, paper_mean_of(&t, 2, CS, CM), NAN, 1.02, "x",
             "32 entries over 16, CS and CM");
}

/* ---- figures 3 to 6: locality without the unit ---- */

#define PROBE "--set probe.locality=1"

static const cJSON *probed(paper *p, int app, const char *group, const char *name) {
  const cJSON *r = cJSON_GetObjectItem(result(p, app, PROBE), "locality");
  return cJSON_GetObjectItem(group ? cJSON_GetObjectItem(r, group) : r, name);
}

/* Sum of an array's elements from..to-1. */
static double sum(const cJSON *array, int from, int to) {
  double total = 0;
  int i = 0;
  const cJSON *x;
  cJSON_ArrayForEach(x, array) {
    if (i >= from && i < to) total += x->valuedouble;
    i++;
  }
  return total;
}

static void types(paper *p) {
  static const char *const names[] = {"streaming", "inter", "intra", "both"};
  paper_table t =
      of_apps("3", "Figure 3: lines by type of locality, L1 without bound; equation 1 (figure 5)",
              APPS, PAPER_ARITHMETIC);
  for (int c = 0; c < 4; c++) paper_column(&t, names[c]);
  paper_column(&t, "aps");
  for (int a = 0; a < APPS; a++) {
    double total = 0;
    for (int c = 0; c < 4; c++)
      total += t.v[a][c] =
          number(p, a, PROBE,
                 (const char *const[]){"locality.lines.streaming", "locality.lines.inter",
                                       "locality.lines.intra", "locality.lines.both"}[c]);
    for (int c = 0; c < 4; c++) t.v[a][c] /= total;
    t.v[a][4] = number(p, a, PROBE, "locality.aps");
  }
  paper_show(p, &t);
  paper_note(p, "figure 3", NAN, 100 * paper_mean_of(&t, 2, CS, CS), 50, NAN, "%",
             "lines used by one warp only (intra), cache-sensitive");
  paper_note(p, "figure 3", NAN,
             100 * (paper_mean_of(&t, 0, CI, CI) + paper_mean_of(&t, 1, CI, CI)), 50, NAN, "%",
             "lines streaming or inter, cache-insensitive");
  paper_note(p, "figure 5", 0.90, paper_mean_of(&t, 4, CS, CI), 0.80, NAN, "",
             "access pattern similarity (equation 1), mean");
  paper_turn(p, 0.5); /* most accesses follow their load's pattern */
}

enum { TWICE = 2, MANY = 1000 };

static void counts(paper *p) {
  paper_table t =
      of_apps("4", "Figure 4: lines by accesses until they leave: 16 KB, and without bound", APPS,
              PAPER_ARITHMETIC);
  static const char *const names[] = {"once-16", "2-16", "3+-16", "once-inf", "2-inf", "3+-inf"};
  for (int c = 0; c < 6; c++) paper_column(&t, names[c]);
  for (int a = 0; a < APPS; a++)
    for (int k = 0; k < 2; k++) {
      const cJSON *bins = probed(p, a, NULL, k ? "counts_infinite" : "counts_l1");
      double total = sum(bins, 0, MANY);
      t.v[a][3 * k] = sum(bins, 0, 1) / total;
      t.v[a][3 * k + 1] = sum(bins, 1, TWICE) / total;
      t.v[a][3 * k + 2] = sum(bins, TWICE, MANY) / total;
    }
  paper_show(p, &t);
  paper_note(p, "figure 4", NAN,
             100 * (paper_mean_of(&t, 0, CS, CS) + paper_mean_of(&t, 1, CS, CS)), 50, NAN, "%",
             "lines used once or twice in 16 KB, cache-sensitive");
  paper_note(p, "figure 4", NAN, 100 * paper_mean_of(&t, 5, CS, CS), 50, NAN, "%",
             "lines used three times or more without bound, cache-sensitive");
}

/* The lower bound of the bin in which half of the distances are passed. */
static double median(const cJSON *bins, const cJSON *low) {
  double half = sum(bins, 0, MANY) / 2, passed = 0;
  for (int i = 0; i < cJSON_GetArraySize(bins); i++) {
    passed += cJSON_GetArrayItem(bins, i)->valuedouble;
    if (passed >= half && passed > 0) return cJSON_GetArrayItem(low, i)->valuedouble;
  }
  return NAN;
}

static void distances(paper *p) {
  const cJSON *low = probed(p, BFS, NULL, "distance_low"),
              *intra = probed(p, BFS, "distances", "intra");
  const cJSON *inter = probed(p, SGM, "distances", "inter");
  if (!paper_reporting(p)) return;
  FILE *f = paper_data(p, "6");
  fprintf(f, "distance inter-%s intra-%s\n", apps[SGM].name, apps[BFS].name);
  for (int i = 0; i < cJSON_GetArraySize(low); i++)
    fprintf(f, "%.0f %.4f %.4f\n", cJSON_GetArrayItem(low, i)->valuedouble,
            sum(inter, i, i + 1) / sum(inter, 0, MANY), sum(intra, i, i + 1) / sum(intra, 0, MANY));
  fclose(f);
  paper_note(p, "figure 6", NAN, median(intra, low) / median(inter, low), 2, NAN, "x",
             "intra-warp over inter-warp reuse distance");
}

static void locality(paper *p) {
  types(p);
  counts(p);
  distances(p);
}

static const paper_part parts[] = {
    {"3", "figures 3 to 6: locality", locality, false},
    {"12", "figures 12, 13, 23: IPC, miss rate, energy", main_figures, false},
    {"14", "gtx780", kepler, false},
    {"15", "figures 15, 16: warp throttling", throttling, false},
    {"17", "bypassing: ABYP", bypassing, false},
    {"18", "protection distance", protection, false},
    {"19", "schedulers", schedulers, false},
    {"20", "L1 sizes", cache_sizes, false},
    {"21", "MTA", mta_shapes, false},
    {"22", "LAT, CAIT", depths, false},
    {"best", "Best software with the unit over best software without", apcm_best, true},
    {"split", "Best software by either split of an SM's 64 KB", apcm_split, true},
    {0}};
const paper_unit paper_this = {"apcm", "Access pattern-aware cache management (APCM)", parts};
