/* Curves of the machines of the 2020s, by the micro-benchmarks, beside what has been measured on
 * the cards (shared data/gpus.md; bytes read from DRAM: A100 gpu-benches' gpu-stream/a100_40.txt,
 * RTX 4090 nvbench's README by xytpai; NAN: no figure). */
#include <math.h>

#include "tests/papers/paper.h"

enum { A100, H100, RTX4090, RTX3070, MACHINES };
static const char *const names[MACHINES] = {"a100", "h100", "rtx4090", "rtx3070"};
typedef struct card {
  double l1, l2, l2_far, dram; /* cycles of a load */
  double l2_bytes;             /* a clock and SM */
  double gbs, peak;            /* of DRAM: read, GB/s; the vendor's */
  double sms, clock;           /* MHz */
} card;
static const card cards[MACHINES] = {{36, 211, 1.75 * 211, 572, 35.7, 1490, 1555, 108, 1410},
                                     {38, 219, NAN, 834, 35.2, NAN, 3352, 132, 1980},
                                     {36, 276, NAN, 632, 14.8, 920, 1008, 128, 2520},
                                     {39, NAN, NAN, NAN, 32, NAN, 448, 46, 1132}};

/* Within 10 % of what was measured; NAN: of nothing. */
static void beside(paper *p, const char *figure, const char *unit, double measured, double ours,
                   const char *what, unsigned m) {
  paper_note(p, figure, measured, ours, 0.9 * measured, 1.1 * measured, unit, "%s: %s", names[m],
             what);
}

static double chase(paper *p, unsigned m, unsigned kib) {
  const cJSON *r =
      paper_result(p, names[m], "--app chase --config %s --set app.bytes=%u --set app.turns=128",
                   names[m], kib << 10);
  return paper_number(r, "metrics.cycles_per_load");
}

static void latency(paper *p) {
  static const unsigned kib[] = {16, 256, 1024, 16384, 262144};
  paper_table t = {.file = "latency", .title = "Cycles of a load by KB of the chain", .columns = 4};
  for (unsigned m = 0; m < MACHINES; m++) t.names[m] = names[m];
  for (unsigned i = 0; i < sizeof kib / sizeof *kib; i++) {
    const int r = paper_row(&t, 0, "%u", kib[i]);
    for (unsigned m = 0; m < MACHINES; m++) t.v[r][m] = chase(p, m, kib[i]);
  }
  const cJSON *halves[MACHINES];
  for (unsigned m = 0; m < MACHINES; m++)
    halves[m] = paper_result(p, names[m], "--app halves --config %s", names[m]);
  if (!paper_reporting(p)) return;
  paper_show(p, &t);
  for (unsigned m = 0; m < MACHINES; m++) {
    const card *c = &cards[m];
    beside(p, "latency", "", c->l1, t.v[0][m], "L1, cycles", m);
    beside(p, "latency", "", c->l2, paper_number(halves[m], "metrics.near_cycles"), "L2, near", m);
    beside(p, "latency", "", c->l2_far, paper_number(halves[m], "metrics.far_cycles"), "L2, far",
           m);
    beside(p, "latency", "", c->dram, t.v[4][m], "DRAM, chain of 256 MB", m);
  }
}

/* more: options besides. */
static double reach(paper *p, unsigned m, unsigned sms, const char *more) {
  const unsigned mib = m == RTX3070 ? 2 : sms < 46 ? 4 : 32;
  const cJSON *r =
      paper_result(p, names[m], "--app reach --config %s --set app.sms=%u --set app.bytes=%u%s",
                   names[m], sms, mib << 20, more);
  return paper_number(r, "metrics.bytes_per_cycle");
}

static double gbs_of(paper *p, unsigned m, const char *more) {
  const cJSON *r = paper_result(p, names[m], "--app stream --config %s --set app.bytes=67108864%s",
                                names[m], more);
  return cards[m].clock / 1000 * paper_number(r, "metrics.bytes_per_cycle");
}

/* more: of the name. */
static void beside_dram(paper *p, unsigned m, double gbs, const char *more) {
  const bool is_measured = !isnan(cards[m].gbs);
  char what[64];
  snprintf(what, sizeof what, "DRAM, GB/s %s%s", is_measured ? "read" : "(the vendor's peak)",
           more);
  beside(p, "bandwidth", "", is_measured ? cards[m].gbs : cards[m].peak, gbs, what, m);
}

enum { ALL = 144 }; /* more SMs than there are */

/* As the field's simulator has it. */
static void hashed(paper *p) {
  static const char hash[] = " --set l2.hash=1";
  const double bytes = reach(p, RTX3070, ALL, hash) / cards[RTX3070].sms,
               gbs = gbs_of(p, RTX3070, hash);
  if (!paper_reporting(p)) return;
  beside(p, "bandwidth", "", cards[RTX3070].l2_bytes, bytes,
         "L2, bytes a clock and SM, slices by l2.hash=1", RTX3070);
  paper_why(p, "16 slices send at most 8.9 bytes a clock and SM");
  beside_dram(p, RTX3070, gbs, ", slices by l2.hash=1");
}

/* As HBM has them. */
static void own_pins(paper *p) {
  double gbs[] = {[A100] = 0, [H100] = 0};
  for (unsigned m = A100; m <= H100; m++) gbs[m] = gbs_of(p, m, " --set dram.row_bus=1");
  if (!paper_reporting(p)) return;
  for (unsigned m = A100; m <= H100; m++) {
    beside_dram(p, m, gbs[m], ", dram.row_bus=1");
    paper_why(p, "refresh takes all banks at once");
  }
}

static void bandwidth(paper *p) {
  static const unsigned sms[] = {1, 8, 46, ALL};
  paper_table t = {
      .file = "bandwidth", .title = "Bytes a clock from the L2 by SMs that read", .columns = 4};
  double gbs[MACHINES];
  for (unsigned m = 0; m < MACHINES; m++) t.names[m] = names[m];
  for (unsigned i = 0; i < sizeof sms / sizeof *sms; i++) {
    const int r = paper_row(&t, 0, "%u", sms[i]);
    for (unsigned m = 0; m < MACHINES; m++) t.v[r][m] = reach(p, m, sms[i], "");
  }
  for (unsigned m = 0; m < MACHINES; m++) gbs[m] = gbs_of(p, m, "");
  if (!paper_reporting(p)) return hashed(p), own_pins(p);
  paper_show(p, &t);
  for (unsigned m = 0; m < MACHINES; m++) {
    beside(p, "bandwidth", "", cards[m].l2_bytes, t.v[3][m] / cards[m].sms,
           "L2, bytes a clock and SM", m);
    if (m == RTX3070) paper_why(p, "rtx3070 finds slices by address modulo 16");
    beside_dram(p, m, gbs[m], "");
    paper_why(p, m == RTX3070 ? "rtx3070 finds slices by address modulo 16"
                 : m == H100  ? "commands to rows and reads share pins"
                              : "refresh takes all banks at once");
  }
  hashed(p);
  own_pins(p);
}

static void rows_and_atomics(paper *p) {
  static const char *const columns[] = {"row-hits-in-order", "row-hits-random", "atomics-a-clock"};
  paper_table t = {.file = "rows", .title = "Share of row hits, and atomics", .columns = 3};
  for (unsigned k = 0; k < 3; k++) t.names[k] = columns[k];
  for (unsigned m = 0; m < MACHINES; m++) {
    const cJSON *apps[] = {
        paper_result(p, names[m], "--app stream --config %s --set app.bytes=67108864", names[m]),
        paper_result(p, names[m], "--app random --config %s --set app.bytes=67108864", names[m])};
    const cJSON *atomics = paper_result(p, names[m], "--app atomics --config %s", names[m]);
    const int r = paper_row(&t, 0, "%s", names[m]);
    for (unsigned k = 0; k < 2; k++) {
      const double hits = paper_number(apps[k], "dram.row_hits");
      t.v[r][k] = hits / (hits + paper_number(apps[k], "dram.row_misses"));
    }
    t.v[r][2] = paper_number(atomics, "metrics.atomics_per_cycle");
  }
  if (paper_reporting(p)) paper_show(p, &t);
}

/* What holds the bandwidth in order: an eighth reads, with one thing changed. */
static void dram(paper *p) {
  static const char *const changes[][2] = {
      {"as-it-is", ""},
      {"slices-in-order", " --set l2.hash=0"},
      {"rows-of-4-KB", " --set dram.row_bytes=4096"},
      {"no-refresh", " --set dram.tREFI=0"},
      {"own-pins", " --set dram.row_bus=1"},
      {"own-pins-slices-in-order", " --set dram.row_bus=1 --set l2.hash=0"},
      {"own-pins-no-refresh", " --set dram.row_bus=1 --set dram.tREFI=0"},
  };
  paper_table t = {
      .file = "dram",
      .title =
          "What holds DRAM: GB/s of an eighth, times 8, and row hits; own pins: dram.row_bus=1",
      .columns = 4,
      .names = {"a100", "h100", "a100-row-hits", "h100-row-hits"}};
  for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
    const int r = paper_row(&t, 0, "%s", changes[i][0]);
    for (unsigned m = A100; m <= H100; m++) {
      const cJSON *got = paper_result(
          p, names[m], "--app stream --config %s --set scale=1/8 --set app.bytes=8388608%s",
          names[m], changes[i][1]);
      const double hits = paper_number(got, "dram.row_hits");
      t.v[r][m] = 8 * cards[m].clock / 1000 * paper_number(got, "metrics.bytes_per_cycle");
      t.v[r][2 + m] = hits / (hits + paper_number(got, "dram.row_misses"));
    }
  }
  if (paper_reporting(p)) paper_show(p, &t);
}

static void scale(paper *p) {
  paper_table t = {.file = "scale",
                   .title = "What scale=1/8 distorts: figures times 8 over the whole machine's",
                   .columns = 2,
                   .names = {"L2-bytes-a-clock", "DRAM-bytes-a-clock"}};
  for (unsigned i = 0; i <= MACHINES; i++) { /* the last once more, with a hash */
    static const char *const apps[] = {"reach", "stream"};
    const unsigned m = i < MACHINES ? i : RTX3070;
    const char *more = i < MACHINES ? "" : " --set l2.hash=1";
    const int r = paper_row(&t, 0, i < MACHINES ? "%s" : "%s-l2.hash=1", names[m]);
    for (unsigned k = 0; k < 2; k++) {
      const unsigned mib = k ? 64 : m == RTX3070 ? 2 : 32;
      const cJSON *whole = paper_result(p, names[m], "--app %s --config %s --set app.bytes=%u%s",
                                        apps[k], names[m], mib << 20, more);
      const cJSON *part =
          paper_result(p, names[m], "--app %s --config %s --set scale=1/8 --set app.bytes=%u%s",
                       apps[k], names[m], mib << 17, more);
      t.v[r][k] = 8 * paper_number(part, "metrics.bytes_per_cycle") /
                  paper_number(whole, "metrics.bytes_per_cycle");
    }
  }
  if (paper_reporting(p)) paper_show(p, &t);
}

static const paper_part parts[] = {{"latency", "latency by working set", latency, false},
                                   {"bandwidth", "bandwidth by SMs", bandwidth, false},
                                   {"rows", "row hits and atomics", rows_and_atomics, false},
                                   {"dram", "what holds DRAM", dram, false},
                                   {"scale", "what a share distorts", scale, false},
                                   {0}};
const paper_unit paper_this = {"machines", "Machines of the 2020s beside what was measured", parts};
