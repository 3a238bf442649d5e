/* Outstanding misses by thread latency (OpenACC and GPU micro-benchmarks, section 4.1): after how
 * many threads of one block latency jumps, on machines with what the source reads from its GPUs.
 * "Threads that fit" is 1,024, all that there are, where nothing jumps. */
#include <math.h>
#include <stdio.h>

#include "tests/miss/paper/miss.h"

#define FAR " --set l2.latency=400"
#define NEAR_M2070                                                                                 \
  "--set l1.mshrs=128 --set l1.bytes=49152 --set l1.ways=6 --set core.shared_bytes=16384"
#define M2070 NEAR_M2070 FAR
/* Two of these were sold: with five partitions, 1,280 KB of L2, and with six, 1,536. */
#define K20 "--config k20c --set lsu.past=1 --set l2.latency=1000 --set l2.mhz=353"
#define K20_LOADS K20 " --set lsu.loads=44"
#define K20_LANES K20 " --set lsu.lane_slots=1362"
/* The L1 that the source's GPU has by default, and more MSHRs than it has lines. */
#define SMALL_L1 "--set l1.mshrs=1024" FAR

static double fit(paper *p, const char *label, const char *machine, const char *shape) {
  return paper_number_or(paper_result(p, label, "--app lat %s %s", machine, shape), "metrics.spike",
                         1024);
}

typedef struct point {
  const char *figure, *label;
  unsigned loads, share;
  double paper;
} point;

#define ENDS                                                                                       \
  { 0 }

static void points(paper *p, const char *machine, const char *of, const point *at,
                   const char *why) {
  for (; at->figure; at++) {
    char shape[96], label[64];
    snprintf(shape, sizeof shape, "--set app.loads=%u --set app.share=%u", at->loads, at->share);
    snprintf(label, sizeof label, "%s-%u-%u", at->label, at->loads, at->share);
    paper_note(p, at->figure, at->paper, fit(p, label, machine, shape), 0.99 * at->paper,
               1.01 * at->paper, "", "threads that fit, %s: %u loads, %u lanes a line", of,
               at->loads, at->share);
    paper_why(p, why);
  }
}

static void fermi(paper *p) {
  static const point at[] = {{"4.3", "m2070", 1, 1, 128},
                             {"4.4", "m2070", 1, 2, 256},
                             {"4.5", "m2070", 2, 4, 256},
                             {"4.6", "m2070", 4, 8, 256},
                             {"text 4.1", "m2070", 1, 16, 1024},
                             {"text 4.1", "m2070", 1, 32, 1024},
                             ENDS};
  points(p, M2070, "128 MSHRs", at, NULL);
}

static void kepler(paper *p) {
  static const point at[] = {{"4.7", "k20", 1, 1, 1024},
                             {"4.8", "k20", 2, 1, 680},
                             {"4.9", "k20", 2, 2, 680},
                             {"4.10", "k20", 3, 1, 454},
                             ENDS};
  points(p, K20_LOADS, "44 loads", at,
         "44 loads, the source's reading, stop between warps: after 22 of two loads, 704 threads, "
         "and 14 of three, 448. Its plots stop where 1,362 lanes wait");
  static const point lanes[] = {{"4.7", "k20l", 1, 1, 1024},
                                {"4.8", "k20l", 2, 1, 680},
                                {"4.9", "k20l", 2, 2, 680},
                                {"4.10", "k20l", 3, 1, 454},
                                ENDS};
  points(p, K20_LANES, "1,362 lane slots", lanes, NULL);
}

/* What the application misses says, which is not told. */
static void deduced(paper *p) {
  static const struct {
    const char *label, *machine, *key, *what;
    double paper;
  } rows[] = {
      {"says-m2070", M2070, "metrics.entries_low", "MSHRs of the machine with 128", 128},
      {"says-m2070", M2070, "metrics.requests_per_line", "requests of a line, where it has 8", 8},
      {"says-k20", K20_LOADS, "metrics.entries_low", "loads of the machine with 44", 44},
      {"says-k20l", K20_LANES, "metrics.entries_low", "lane slots of the machine with 1,362", NAN}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double expected = isnan(rows[i].paper) ? 1362 : rows[i].paper;
    paper_note(p, "deduced", rows[i].paper,
               paper_number(paper_result(p, rows[i].label, "--app misses %s", rows[i].machine),
                            rows[i].key),
               expected, expected, "", "%s", rows[i].what);
  }
}

/* Against the source's reading: the lines of a 16 KB L1 look the same to its benchmark. */
static void beside(paper *p) {
  const char *const order = "--set app.loads=1 --set app.share=1",
                    *const scatter = "--set app.pattern=scatter --set app.share=1";
  paper_note(p, "beside", NAN, fit(p, "l1-order", SMALL_L1, order), 128, 128, "",
             "threads that fit, 1,024 MSHRs over an L1 of 128 lines");
  paper_note(p, "beside", NAN, fit(p, "l1-scatter", SMALL_L1, scatter), NAN, 96, "",
             "the same, lines anywhere: ways of some set run out");
  paper_note(p, "beside", NAN, fit(p, "m2070-scatter", M2070, scatter), 128, 128, "",
             "128 MSHRs over an L1 of 384 lines, lines anywhere");
  paper_note(p, "beside", NAN, fit(p, "m2070-near", NEAR_M2070, order), 1024, 1024, "",
             "the same in order, at gtx480's own round trip: nothing is seen");
  for (unsigned merge = 4; merge <= 16; merge *= 2) {
    char label[32], machine[256];
    snprintf(label, sizeof label, "line-%u", merge);
    snprintf(machine, sizeof machine, "%s --set l1.mshr_merge=%u", M2070, merge);
    paper_note(p, "beside", NAN, fit(p, label, machine, "--set app.pattern=line --set app.loads=2"),
               32 * merge, 32 * merge, "", "threads that fit on one line of %u requests", merge);
  }
}

/* ---- figure 4.2: a copy over sizes ---- */

enum { STEP = 128, SIZES = 16, KERNELS = 4, WARM = 1, FLUSHED = 3 }; /* copy.cu */

static double kernel_cycles(const cJSON *result, int size, int kernel) {
  const cJSON *all = cJSON_GetObjectItemCaseSensitive(result, "kernels");
  return result ? paper_number(cJSON_GetArrayItem(all, KERNELS * size + kernel), "cycles") : NAN;
}

/* Cycles with data in the L2 over those without, by size. */
static void ratios_of(const cJSON *result, double ratio[SIZES]) {
  for (int i = 0; i < SIZES; i++)
    ratio[i] = kernel_cycles(result, i, WARM) / kernel_cycles(result, i, FLUSHED);
}

/* Two levels with a jump between them, by least squares: single sizes scatter by more than the
 * first level lies below 1. */
typedef struct levels {
  int sizes; /* before the jump */
  double inside, beyond;
} levels;
static double mean_from(const double *ratio, int from, int to) {
  double sum = 0;
  for (int i = from; i < to; i++) sum += ratio[i];
  return sum / (to - from);
}
static levels levels_of(const double ratio[SIZES]) {
  levels found = {1, NAN, NAN};
  double most = -1;
  for (int n = 1; n < SIZES; n++) {
    const double inside = mean_from(ratio, 0, n), beyond = mean_from(ratio, n, SIZES),
                 between = n * (SIZES - n) * (beyond - inside) * (beyond - inside);
    if (between > most) most = between, found = (levels){n, inside, beyond};
  }
  return found;
}

static void copy(paper *p) {
  static const struct {
    const char *figure, *name, *machine;
    double paper, expected;
  } gpus[] = {
      {"4.2", "M2070", NEAR_M2070, 768, 768},
      {"4.2", "K20-1536KB", "--config k20c --set lsu.past=1 --set l2.partitions=6", 1536, 1536},
      {"beside", "K20-1280KB", "--config k20c --set lsu.past=1", NAN, 1280}};
  paper_table t = {.file = "copy",
                   .title = "Cycles of a copy with its data in the L2 over those without, by KB"};
  for (int i = 0; i < SIZES; i++) paper_row(&t, 0, "%d", STEP * (i + 1));
  for (size_t g = 0; g < sizeof gpus / sizeof *gpus; g++) {
    const char *const name = gpus[g].name;
    const cJSON *result =
        paper_result(p, name, "%s --cuda tests/miss/paper/copy.cu", gpus[g].machine);
    const int column = paper_column(&t, name);
    double ratio[SIZES];
    ratios_of(result, ratio);
    for (int i = 0; i < SIZES; i++) t.v[i][column] = ratio[i];
    const levels at = levels_of(ratio);
    const double ends = result ? (double)(STEP * at.sizes) : NAN;
    paper_note(p, gpus[g].figure, gpus[g].paper, ends, gpus[g].expected, gpus[g].expected, "KB",
               "a copy's cycles, L2 warm over flushed, jump past, %s", name);
    paper_note(p, gpus[g].figure, NAN, at.inside, 0.9, 1.02, "x", "their mean before, %s", name);
    paper_note(p, gpus[g].figure, NAN, at.beyond, 1.1, 1.4, "x", "their mean beyond, %s", name);
  }
  paper_show(p, &t);
}

static const paper_part parts[] = {{"fermi", "spikes of an M2070's MSHRs", fermi, false},
                                   {"kepler", "spikes of a K20's loads", kepler, false},
                                   {"copy", "a copy over sizes", copy, false},
                                   {"deduced", "what the program says", deduced, false},
                                   {"beside", "what else looks like MSHRs", beside, false},
                                   {"more", "What more misses buy", miss_more, true},
                                   {"rich", "Thousands of MSHRs in RTL", miss_rich, true},
                                   {0}};

const paper_unit paper_this = {"miss", "Outstanding misses by thread latency", parts};
