/* The figures of the APCM paper. IPC is in thread instructions per cycle; means over applications
 * are geometric, of rates arithmetic. "Miss rate" is of requests that look up the L1: what bypasses
 * it does not count. */
#include <math.h>
#include <string.h>

#include "tests/apcm/paper/apcm.h"

#define BOTH "--unit apcm:mode=both"
#define KEPLER "--config gtx780"
#define NOTE(FIGURE, PAPER, OURS, LOW, HIGH, UNIT, ...)                                            \
  do {                                                                                             \
    if (e->reporting) paper_note(&e->report, FIGURE, PAPER, OURS, LOW, HIGH, UNIT, __VA_ARGS__);   \
  } while (0)

/* What explains the figure noted last, if it is outside. */
#define WHY(TEXT)                                                                                  \
  do {                                                                                             \
    if (e->reporting) paper_why(&e->report, TEXT);                                                 \
  } while (0)

typedef struct variant {
  const char *name, *options;
} variant;

/* A table of IPC over that of options `base`. */
static apcm_table ipc_table(apcm_experiment *e, const char *figure, const char *title, int apps,
                            const char *base, const variant *variants, int n) {
  apcm_table t = {.figure = figure, .title = title, .apps = apps};
  for (int c = 0; c < n; c++) {
    apcm_column(&t, variants[c].name);
    for (int a = 0; a < apps; a++)
      t.v[a][c] = apcm_ipc(e, a, variants[c].options) / apcm_ipc(e, a, base);
  }
  apcm_show(e, &t);
  return t;
}

static double miss_rate(apcm_experiment *e, int app, const char *options) {
  double misses = apcm_number(e, app, options, "l1.misses"),
         accesses = apcm_number(e, app, options, "l1.accesses");
  return accesses > 0 || isnan(accesses) ? misses / accesses : 0;
}

static apcm_table miss_table(apcm_experiment *e, const char *figure, int apps,
                             const variant *variants, int n) {
  apcm_table t = {.figure = figure,
                  .title = "miss rate of the L1's look-ups",
                  .apps = apps,
                  .arithmetic = true};
  for (int c = 0; c < n; c++) {
    apcm_column(&t, variants[c].name);
    for (int a = 0; a < apps; a++) t.v[a][c] = miss_rate(e, a, variants[c].options);
  }
  apcm_show(e, &t);
  return t;
}

static double least(const apcm_table *t, int column, int class) {
  double v = INFINITY;
  for (int a = 0; a < t->apps; a++)
    if (apcm_apps[a].class == class && t->v[a][column] < v) v = t->v[a][column];
  return v;
}

/* ---- figures 12, 13, 23: modes; performance, miss rate, energy ---- */

static const variant modes[] = {{"baseline", ""},
                                {"bypass", "--unit apcm:mode=bypass"},
                                {"protect", "--unit apcm:mode=protect"},
                                {"both", BOTH}};

static void performance(apcm_experiment *e) {
  apcm_table t = ipc_table(e, "12", "IPC over the baseline's, gtx480", APCM_APPS, "", modes + 1, 3);
  for (int a = 0; a < APCM_APPS; a++)
    NOTE("figure 12", strcmp(apcm_apps[a].name, "mm") ? NAN : 1.76, t.v[a][2], NAN, NAN, "x",
         "IPC with APCM, %s", apcm_apps[a].name);
  NOTE("figure 12", 1.34, apcm_mean(&t, 2, APCM_CS, APCM_CS), 1.34, NAN, "x",
       "IPC with APCM, cache-sensitive");
  NOTE("figure 12", 1.32, apcm_mean(&t, 2, APCM_CM, APCM_CM), 1.32, NAN, "x",
       "IPC with APCM, cache-moderate");
  NOTE("figure 12", 1.04, apcm_mean(&t, 2, APCM_CI, APCM_CI), 1.00, NAN, "x",
       "IPC with APCM, cache-insensitive");
  NOTE("figure 12", NAN, least(&t, 2, APCM_CI), 0.99, NAN, "x",
       "IPC with APCM, the worst cache-insensitive");
  NOTE("figure 12", 1.22, apcm_mean(&t, 2, APCM_CS, APCM_CI), 1.22, NAN, "x", "IPC with APCM, all");
  NOTE("section 6.5", 1.15, apcm_mean(&t, 0, APCM_CS, APCM_CI), NAN, NAN, "x",
       "IPC with bypassing alone, all");
}

static void misses(apcm_experiment *e) {
  apcm_table t = miss_table(e, "13", APCM_APPS, modes, 4);
  const double paper[] = {15, 22};
  const char *const names[] = {"cache-sensitive", "cache-moderate"};
  for (int c = APCM_CS; c <= APCM_CM; c++)
    NOTE("figure 13", paper[c], 100 * (1 - apcm_mean(&t, 3, c, c) / apcm_mean(&t, 0, c, c)),
         paper[c], NAN, "%", "L1 miss rate less, %s", names[c]);
}

static void energy(apcm_experiment *e) {
  apcm_table t = {
      .figure = "23", .title = "energy over the baseline's", .apps = APCM_APPS, .arithmetic = true};
  apcm_column(&t, "both");
  apcm_column(&t, "unit/total");
  for (int a = 0; a < APCM_APPS; a++) {
    double with = apcm_number(e, a, BOTH, "energy_joules.total");
    t.v[a][0] = with / apcm_number(e, a, "", "energy_joules.total");
    t.v[a][1] = apcm_number(e, a, BOTH, "energy_joules.unit") / with;
  }
  apcm_show(e, &t);
  NOTE("figure 23", 27, 100 * (1 - apcm_mean(&t, 0, APCM_CS, APCM_CS)), 20, NAN, "%",
       "energy saved, cache-sensitive");
  NOTE("figure 23", 52, 100 * (1 - t.v[1][0]), NAN, NAN, "%", "energy saved, kmn");
  NOTE("figure 23", NAN, 100 * (1 - apcm_mean(&t, 0, APCM_CS, APCM_CI)), NAN, NAN, "%",
       "energy saved, all");
}

static void main_figures(apcm_experiment *e) {
  performance(e);
  misses(e);
  energy(e);
}

/* ---- figure 14: configuration 2 ---- */

static void kepler(apcm_experiment *e) {
  static const variant v[] = {{"config1", ""},
                              {"bypass", KEPLER " --unit apcm:mode=bypass"},
                              {"protect", KEPLER " --unit apcm:mode=protect"},
                              {"both", KEPLER " " BOTH}};
  apcm_table t =
      ipc_table(e, "14", "gtx780: IPC over its baseline's", APCM_SENSITIVE, KEPLER, v, 4);
  NOTE("figure 14", 1.42, apcm_mean(&t, 3, APCM_CS, APCM_CM), 1.42, NAN, "x",
       "gtx780: IPC with APCM, CS and CM");
}

/* ---- figures 15, 16: warp throttling ---- */

enum { ALL_WARPS = 24 }; /* of a scheduler of gtx480 */
static const unsigned limits[] = {2, 4, 8, ALL_WARPS};
enum { LIMITS = sizeof limits / sizeof limits[0], TOKENS = 3 };

/* Options with the best limit of warps, on top of `unit`; its number of warps, 0 while it is not
 * known. */
static unsigned best_limit(apcm_experiment *e, int app, const char *unit, char *best) {
  char options[LIMITS][APCM_OPTIONS];
  for (int i = 0; i < LIMITS; i++)
    if (limits[i] == ALL_WARPS)
      snprintf(options[i], sizeof options[i], "%s", unit);
    else
      snprintf(options[i], sizeof options[i], "%s --set core.swl=%u", unit, limits[i]);
  int at = apcm_best(e, app, options, LIMITS);
  strcpy(best, at < 0 ? "" : options[at]);
  return at < 0 ? 0 : limits[at];
}

/* Static PCAL: some warps may allocate lines (as many as the best limit lets run, or fixed
 * numbers), the others run past the L1: all of them, or as many again. */
static bool best_pcal(apcm_experiment *e, int app, unsigned swl, char *best) {
  char options[TOKENS + 1][APCM_OPTIONS];
  const unsigned tokens[TOKENS] = {8, 16, 2 * swl};
  for (int i = 0; i < TOKENS; i++)
    snprintf(options[i], sizeof options[i], "--set l1.tokens=%u", tokens[i]);
  snprintf(options[TOKENS], sizeof options[TOKENS], "--set l1.tokens=%u --set core.swl=%u", 2 * swl,
           swl * 2 < ALL_WARPS ? swl * 2 : ALL_WARPS);
  int at = apcm_best(e, app, options, TOKENS + 1);
  strcpy(best, at < 0 ? "" : options[at]);
  return at >= 0;
}

static void throttling(apcm_experiment *e) {
  enum { SWL, PCAL, APCM, APCM_SWL, SCHEMES };
  apcm_table t = {.figure = "15",
                  .title = "warp throttling: IPC over CCWS-SWL's best; warps of both bests",
                  .apps = APCM_SENSITIVE};
  apcm_table m = {.figure = "16",
                  .title = "warp throttling: miss rate",
                  .apps = APCM_SENSITIVE,
                  .arithmetic = true};
  const char *const names[SCHEMES] = {"CCWS-SWL", "PCAL", "APCM", "APCM-SWL"};
  for (int c = 0; c < SCHEMES; c++) apcm_column(&t, names[c]), apcm_column(&m, names[c]);
  apcm_column(&t, "warps-SWL");
  apcm_column(&t, "warps-APCM");
  for (int a = 0; a < APCM_SENSITIVE; a++) {
    char options[SCHEMES][APCM_OPTIONS] = {[APCM] = BOTH};
    unsigned swl = best_limit(e, a, "", options[SWL]),
             with = best_limit(e, a, BOTH, options[APCM_SWL]);
    if (!swl || !with || !best_pcal(e, a, swl, options[PCAL])) continue;
    for (int c = 0; c < SCHEMES; c++) {
      t.v[a][c] = apcm_ipc(e, a, options[c]) / apcm_ipc(e, a, options[SWL]);
      m.v[a][c] = miss_rate(e, a, options[c]);
    }
    t.v[a][SCHEMES] = swl * 2;
    t.v[a][SCHEMES + 1] = with * 2;
  }
  apcm_show(e, &t);
  apcm_show(e, &m);
  NOTE("figure 15", 1.49, apcm_mean(&t, 3, APCM_CS, APCM_CM), 1.0, NAN, "x",
       "APCM-SWL over CCWS-SWL, CS and CM");
  NOTE("figure 15", 1.43, apcm_mean(&t, 3, APCM_CS, APCM_CM) / apcm_mean(&t, 1, APCM_CS, APCM_CM),
       1.0, NAN, "x", "APCM-SWL over PCAL, CS and CM");
  NOTE("figure 15", NAN, apcm_mean(&t, 2, APCM_CS, APCM_CM), NAN, NAN, "x",
       "APCM alone over CCWS-SWL, CS and CM");
}

/* ---- figures 17, 18: other bypassing, other protection ---- */

static void bypassing(apcm_experiment *e) {
  static const variant v[] = {
      {"ABYP", "--set l1.abyp=1"}, {"APCM-b", "--unit apcm:mode=bypass"}, {"APCM", BOTH}};
  apcm_table t = ipc_table(e, "17", "bypassing: IPC over the baseline's", APCM_APPS, "", v, 3);
  double abyp = apcm_mean(&t, 0, APCM_CS, APCM_CI);
  NOTE("figure 17", 1.11, apcm_mean(&t, 1, APCM_CS, APCM_CI) / abyp, NAN, NAN, "x",
       "APCM's bypassing over ABYP, all");
  NOTE("figure 17", 1.28, apcm_mean(&t, 2, APCM_CS, APCM_CI) / abyp, 1.0, NAN, "x",
       "APCM over ABYP, all");
}

static void protection(apcm_experiment *e) {
  static const variant v[] = {{"PD-16", "--set l1.pd=16"},
                              {"PD-64", "--set l1.pd=64"},
                              {"APCM-p16", BOTH " --set apcm.pd=16"},
                              {"APCM-p64", BOTH " --set apcm.pd=64"},
                              {"APCM", BOTH}};
  apcm_table t =
      ipc_table(e, "18", "protection: IPC over the baseline's", APCM_SENSITIVE, "", v, 5);
  double best_pd = 0, best_ours = 0;
  for (int c = 0; c < 2; c++) {
    best_pd = fmax(best_pd, apcm_mean(&t, c, APCM_CS, APCM_CM));
    best_ours = fmax(best_ours, apcm_mean(&t, 2 + c, APCM_CS, APCM_CM));
  }
  double apcm = apcm_mean(&t, 4, APCM_CS, APCM_CM);
  NOTE("figure 18", NAN, apcm / best_pd, 1.0, NAN, "x", "APCM over the best PD-N, CS and CM");
  WHY("known: PD-N decides in no time, keeps lines of all loads, and ends by a line's own last use "
      "(docs/l1.md)");
  NOTE("figure 18", NAN, apcm / best_ours, 1.0, NAN, "x", "APCM over the best APCM-pN, CS and CM");
  WHY("known: the end of a loop is later than a line's last use (docs/l1.md)");
}

/* ---- figures 19 to 22: sensitivity ---- */

static void schedulers(apcm_experiment *e) {
#define GTO "--set core.scheduler=gto"
  static const variant v[] = {{"LRR+APCM", BOTH}, {"GTO", GTO}, {"GTO+APCM", GTO " " BOTH}};
  apcm_table t = ipc_table(e, "19", "schedulers: IPC over LRR's", APCM_SENSITIVE, "", v, 3);
  NOTE("figure 19", 1.09, apcm_mean(&t, 1, APCM_CS, APCM_CM), NAN, NAN, "x",
       "GTO over LRR, CS and CM");
  NOTE("figure 19", 1.27, apcm_mean(&t, 2, APCM_CS, APCM_CM) / apcm_mean(&t, 1, APCM_CS, APCM_CM),
       1.27, NAN, "x", "APCM over GTO, CS and CM");
}

static void cache_sizes(apcm_experiment *e) {
#define KB32 "--set l1.bytes=32768"
#define KB48 "--set l1.bytes=49152 --set l1.ways=6"
  static const variant small[] = {{"16KB", BOTH}}, middle[] = {{"32KB", KB32 " " BOTH}},
                       large[] = {{"48KB", KB48 " " BOTH}};
  static const variant bare[] = {{"32KB", KB32}, {"48KB", KB48}};
  apcm_table t =
      ipc_table(e, "20-16", "16 KB: IPC over its baseline's", APCM_SENSITIVE, "", small, 1);
  NOTE("figure 20", 1.33, apcm_mean(&t, 0, APCM_CS, APCM_CM), 1.33, NAN, "x",
       "16 KB: IPC with APCM, CS and CM");
  t = ipc_table(e, "20-32", "32 KB: IPC over its baseline's", APCM_SENSITIVE, KB32, middle, 1);
  NOTE("figure 20", 1.21, apcm_mean(&t, 0, APCM_CS, APCM_CM), 1.21, NAN, "x",
       "32 KB: IPC with APCM, CS and CM");
  t = ipc_table(e, "20-48", "48 KB: IPC over its baseline's", APCM_SENSITIVE, KB48, large, 1);
  NOTE("figure 20", 1.18, apcm_mean(&t, 0, APCM_CS, APCM_CM), 1.18, NAN, "x",
       "48 KB: IPC with APCM, CS and CM");
  ipc_table(e, "20", "larger caches without APCM: IPC over 16 KB's", APCM_SENSITIVE, "", bare, 2);
}

/* Largest distance from 1 of a column's mean. */
static double spread(const apcm_table *t) {
  double most = 0;
  for (int c = 0; c < t->columns; c++)
    most = fmax(most, fabs(apcm_mean(t, c, APCM_CS, APCM_CM) - 1));
  return most;
}

static void mta_shapes(apcm_experiment *e) {
#define MTA(ENTRIES, WAYS) BOTH " --set apcm.mta_entries=" #ENTRIES " --set apcm.mta_ways=" #WAYS
  static const variant v[] = {
      {"16-DM", MTA(16, 1)}, {"64-DM", MTA(64, 1)}, {"32-AS4", MTA(32, 4)}, {"32-FA", MTA(32, 32)}};
  apcm_table t = ipc_table(e, "21", "shapes of the MTA: IPC over 32 entries direct-mapped",
                           APCM_SENSITIVE, BOTH, v, 4);
  NOTE("figure 21", 5, 100 * spread(&t), NAN, 5, "%",
       "shapes of the MTA: largest change of the mean, CS and CM");
}

static void depths(apcm_experiment *e) {
#define IDS(N) BOTH " --set apcm.ids=" #N
  static const variant v[] = {{"ld4", IDS(4)}, {"ld8", IDS(8)}, {"ld32", IDS(32)}};
  apcm_table t =
      ipc_table(e, "22", "depth of LAT and CAIT: IPC over 16 entries", APCM_SENSITIVE, BOTH, v, 3);
  NOTE("figure 22", 1, apcm_mean(&t, 2, APCM_CS, APCM_CM), NAN, 1.02, "x",
       "32 entries over 16, CS and CM");
  for (int c = 0; c < 2; c++)
    NOTE("figure 22", NAN, apcm_mean(&t, c, APCM_CS, APCM_CM), NAN, NAN, "x",
         "%s entries over 16, CS and CM", v[c].name + 2);
}

/* ---- figures 3 to 6: locality without the unit ---- */

#define PROBE "--set probe.locality=1"

static const cJSON *probed(apcm_experiment *e, int app, const char *group, const char *name) {
  const cJSON *r = cJSON_GetObjectItem(apcm_result(e, app, PROBE), "locality");
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

static void types(apcm_experiment *e) {
  static const char *const names[] = {"streaming", "inter", "intra", "both"};
  apcm_table t = {.figure = "3",
                  .title = "lines by type of locality, L1 without bound; equation 1 (figure 5)",
                  .apps = APCM_APPS,
                  .arithmetic = true};
  for (int c = 0; c < 4; c++) apcm_column(&t, names[c]);
  apcm_column(&t, "aps");
  for (int a = 0; a < APCM_APPS; a++) {
    double total = 0;
    for (int c = 0; c < 4; c++)
      total += t.v[a][c] =
          apcm_number(e, a, PROBE,
                      (const char *const[]){"locality.lines.streaming", "locality.lines.inter",
                                            "locality.lines.intra", "locality.lines.both"}[c]);
    for (int c = 0; c < 4; c++) t.v[a][c] /= total;
    t.v[a][4] = apcm_number(e, a, PROBE, "locality.aps");
  }
  apcm_show(e, &t);
  NOTE("figure 3", NAN, 100 * apcm_mean(&t, 2, APCM_CS, APCM_CS), 50, NAN, "%",
       "lines used by one warp only (intra), cache-sensitive");
  NOTE("figure 3", NAN,
       100 * (apcm_mean(&t, 0, APCM_CI, APCM_CI) + apcm_mean(&t, 1, APCM_CI, APCM_CI)), 50, NAN,
       "%", "lines streaming or inter, cache-insensitive");
  NOTE("figure 5", 0.90, apcm_mean(&t, 4, APCM_CS, APCM_CI), 0.80, NAN, "",
       "access pattern similarity (equation 1), mean");
}

enum { TWICE = 2, MANY = 1000 };

static void counts(apcm_experiment *e) {
  apcm_table t = {.figure = "4",
                  .title = "lines by accesses until they leave: 16 KB, and without bound",
                  .apps = APCM_APPS,
                  .arithmetic = true};
  static const char *const names[] = {"once-16", "2-16", "3+-16", "once-inf", "2-inf", "3+-inf"};
  for (int c = 0; c < 6; c++) apcm_column(&t, names[c]);
  for (int a = 0; a < APCM_APPS; a++)
    for (int k = 0; k < 2; k++) {
      const cJSON *bins = probed(e, a, NULL, k ? "counts_infinite" : "counts_l1");
      double total = sum(bins, 0, MANY);
      t.v[a][3 * k] = sum(bins, 0, 1) / total;
      t.v[a][3 * k + 1] = sum(bins, 1, TWICE) / total;
      t.v[a][3 * k + 2] = sum(bins, TWICE, MANY) / total;
    }
  apcm_show(e, &t);
  NOTE("figure 4", NAN,
       100 * (apcm_mean(&t, 0, APCM_CS, APCM_CS) + apcm_mean(&t, 1, APCM_CS, APCM_CS)), 50, NAN,
       "%", "lines used once or twice in 16 KB, cache-sensitive");
  NOTE("figure 4", NAN, 100 * apcm_mean(&t, 5, APCM_CS, APCM_CS), 50, NAN, "%",
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

static void distances(apcm_experiment *e) {
  enum { BFS = 0, SGM = 13 };
  const cJSON *low = probed(e, BFS, NULL, "distance_low"),
              *intra = probed(e, BFS, "distances", "intra");
  const cJSON *inter = probed(e, SGM, "distances", "inter");
  if (!e->reporting) return;
  FILE *f = paper_data(e->out, "apcm", "6");
  fprintf(f, "distance inter-%s intra-%s\n", apcm_apps[SGM].name, apcm_apps[BFS].name);
  for (int i = 0; i < cJSON_GetArraySize(low); i++)
    fprintf(f, "%.0f %.4f %.4f\n", cJSON_GetArrayItem(low, i)->valuedouble,
            sum(inter, i, i + 1) / sum(inter, 0, MANY), sum(intra, i, i + 1) / sum(intra, 0, MANY));
  fclose(f);
  NOTE("figure 6", NAN, median(inter, low), NAN, NAN, "", "median reuse distance, inter-warp (%s)",
       apcm_apps[SGM].name);
  NOTE("figure 6", NAN, median(intra, low), NAN, NAN, "", "median reuse distance, intra-warp (%s)",
       apcm_apps[BFS].name);
  NOTE("figure 6", NAN, median(intra, low) / median(inter, low), 2, NAN, "x",
       "intra-warp over inter-warp reuse distance");
}

static void locality(apcm_experiment *e) {
  types(e);
  counts(e);
  distances(e);
}

const apcm_part apcm_parts[] = {
    {"3", "figures 3 to 6: locality", locality},
    {"12", "figures 12, 13, 23: IPC, miss rate, energy", main_figures},
    {"14", "gtx780", kepler},
    {"15", "figures 15, 16: warp throttling", throttling},
    {"17", "bypassing: ABYP", bypassing},
    {"18", "protection distance", protection},
    {"19", "schedulers", schedulers},
    {"20", "L1 sizes", cache_sizes},
    {"21", "MTA", mta_shapes},
    {"22", "LAT, CAIT", depths},
};
const size_t apcm_n_parts = sizeof apcm_parts / sizeof apcm_parts[0];
