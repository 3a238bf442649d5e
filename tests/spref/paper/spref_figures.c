/* Figures 10 to 16 and tables 4 and 7. All means are harmonic, of IPC over the baseline's: over a
 * kernel's samples on an input, over its inputs, and over kernels. Added instructions are not
 * counted in IPC. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/graph/graph.h"
#include "tests/spref/paper/spref.h"

typedef struct mean {
  double inverse, n;
} mean;
static void add(mean *m, double x) {
  if (isnan(x)) return;
  m->inverse += 1 / x;
  m->n++;
}
static double harmonic(const mean *m) {
  return m->n > 0 ? m->n / m->inverse : NAN;
}

static double speedup(paper *p, const spref_sample *s, const char *options) {
  return spref_number(p, s, options, "ipc") / spref_number(p, s, "", "ipc");
}

/* ---- figures 10 to 12, table 7 ---- */

/* Table 7. */
#define NONE                                                                                       \
  { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN }
static const double paper_7[SPREF_VARIANTS][SPREF_KERNELS + 1] = {
    [SPREF_STREAM] = {.95, .99, 1.00, .99, .99, .99, .99, .98},
    [SPREF_STRIDE] = {1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00},
    [SPREF_GHB] = {1.00, 1.01, 1.00, 1.00, 1.00, .99, 1.02, 1.00},
    [SPREF_SPREF1] = {1.12, 1.01, 1.02, 1.04, 1.03, 1.20, 1.04, 1.06},
    [SPREF_CSPREF1] = {1.14, 1.01, 1.04, 1.04, 1.03, 1.20, 1.05, 1.07},
    [SPREF_SPREF] = {1.12, 1.01, 1.05, 1.04, 1.03, 1.23, 1.04, 1.07},
    [SPREF_CSPREF] = {1.15, 1.01, 1.05, 1.05, 1.04, 1.25, 1.05, 1.08},
    [SPREF_SPREF1C] = {1.06, .99, .83, 1.01, .99, .88, 1.03, .96},
    [SPREF_64KB] = {1.02, 1.04, 1.02, 1.07, 1.10, 1.03, 1.00, 1.04},
    [SPREF_FAST] = NONE,
    [SPREF_CFAST] = NONE,
};
#define BAND .05 /* around each of them */

/* What explains a row that is outside its band (findings.md). */
static const char traffic[] =
    "bound by DRAM: IPC goes as its reads (table traffic), which fall where "
    "a list's next word is taken while its line is in the L1",
                  further[] = "bound by DRAM; a longer distance leaves more loads in place, and "
                              "takes words when their line is there less often",
                  evicted[] =
                      "bound by DRAM; tails prefetched into the L1 leave it before they are "
                      "used: reads grow",
                  quiet[] =
                      "the last launch of a search: few active vertices, memory mostly idle, a "
                      "block waits for its tails' latency",
                  room[] =
                      "two spare registers are distance 1 (table room); two of the inputs load "
                      "DRAM",
                  loaded[] = "the largest launches are bound by DRAM's scattered reads and writes, "
                             "of which prefetching saves next to nothing";

static const char *finding(spref_variant variant, int kernel) {
  const bool dynamic = variant == SPREF_SPREF || variant == SPREF_CSPREF;
  switch (kernel) {
  case SPREF_HMST:
    return traffic;
  case SPREF_LSMST:
    return variant == SPREF_SPREF1C ? evicted : dynamic ? further : traffic;
  case SPREF_STCON:
    return quiet;
  case SPREF_HBFS:
    return room;
  default:
    return NULL;
  }
}

/* Mean over the samples of a kernel and input; -1: of all inputs, each with the same weight. */
static double of_samples(paper *p, int kernel, int input, spref_variant v) {
  mean m = {0, 0};
  if (input < 0) {
    for (int i = 0; i < SPREF_INPUTS; i++) add(&m, of_samples(p, kernel, i, v));
    return harmonic(&m);
  }
  for (int s = 0; s < spref_n; s++)
    if (spref_chosen[s].kernel == kernel && spref_chosen[s].input == input)
      add(&m, speedup(p, &spref_chosen[s], spref_options(kernel, v)));
  return harmonic(&m);
}

static void bars(paper *p, const char *file, int first, int last) {
  char title[96];
  snprintf(title, sizeof title, "Figure %s: IPC over the baseline's", file);
  paper_table t = {.file = file, .title = title};
  for (int v = 0; v < SPREF_VARIANTS; v++) paper_column(&t, spref_variant_names[v]);
  for (int k = first; k <= last; k++)
    for (int i = 0; i <= SPREF_INPUTS; i++) {
      const int input = i < SPREF_INPUTS ? i : -1;
      if (isnan(of_samples(p, k, input, SPREF_STREAM))) continue;
      const int r = paper_row(&t, 0, "%s.%s", spref_kernels[k].name,
                              input < 0 ? "HMean" : spref_input_names[input]);
      for (int v = 0; v < SPREF_VARIANTS; v++) t.v[r][v] = of_samples(p, k, input, v);
    }
  paper_show(p, &t);
}

static void table_7(paper *p) {
  enum { ALL = SPREF_KERNELS };
  paper_table t = {.file = "7", .title = "Table 7: IPC over the baseline's, harmonic means"};
  for (int k = 0; k < SPREF_KERNELS; k++) paper_column(&t, spref_kernels[k].name);
  paper_column(&t, "all");
  for (int v = 0; v < SPREF_VARIANTS; v++) {
    mean all = {0, 0};
    paper_row(&t, 0, "%s", spref_variant_names[v]);
    for (int k = 0; k < SPREF_KERNELS; k++) add(&all, t.v[v][k] = of_samples(p, k, -1, v));
    t.v[v][ALL] = harmonic(&all);
    for (int k = 0; k <= ALL; k++) {
      const double paper = paper_7[v][k];
      paper_note(p, "table 7", paper, t.v[v][k], paper - BAND, paper + BAND, "x", "%s, %s",
                 spref_variant_names[v], t.names[k]);
      paper_why(p, finding((spref_variant)v, k));
    }
  }
  paper_show(p, &t);
  paper_note(p, "section 3.5", 1.01, t.v[SPREF_CSPREF1][ALL] / t.v[SPREF_SPREF1][ALL], .99, NAN,
             "x", "C-SPREF1 over SPREF1, all");
  paper_note(p, "section 3.5", 1.10, t.v[SPREF_SPREF1][ALL] / t.v[SPREF_SPREF1C][ALL], 1.0, NAN,
             "x", "into registers over into the cache (SPREF1 over SPREF1-C), all");
}

static void best(paper *p, spref_variant v, double paper) {
  double most = NAN;
  int at = 0;
  for (int s = 0; s < spref_n; s++) {
    const double x = speedup(p, &spref_chosen[s], spref_options(spref_chosen[s].kernel, v));
    if (isnan(most) || x > most) most = x, at = s;
  }
  if (!spref_n) return;
  paper_note(p, "section 3.6", paper, most, NAN, NAN, "x", "%s: the best launch (%s, %s)",
             spref_variant_names[v], spref_kernels[spref_chosen[at].kernel].name,
             spref_input_names[spref_chosen[at].input]);
}

static void performance(paper *p) {
  bars(p, "10", SPREF_HBFS, SPREF_HMST);
  bars(p, "11", SPREF_LSBFS, SPREF_LSMST);
  bars(p, "12", SPREF_STCON, SPREF_STCON);
  table_7(p);
  best(p, SPREF_SPREF, 1.50);
  best(p, SPREF_CSPREF, 1.51);
}

/* ---- what the machine and the unit did ---- */

static int sample_row(paper_table *t, const spref_sample *s) {
  return paper_row(t, 0, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
}

static void machine(paper *p) {
  static const char *const paths[] = {
      "cycles", "ipc", "sm.occupancy", "l1.hit_rate", "dram.efficiency", "dram.gb_per_second"};
  enum { PATHS = sizeof paths / sizeof paths[0] };
  paper_table t = {.file = "machine", .title = "Samples, baseline"};
  paper_column(&t, "launch"), paper_column(&t, "instructions");
  for (int c = 0; c < PATHS; c++) paper_column(&t, paths[c]);
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    double *v = t.v[sample_row(&t, s)];
    *v++ = s->launch;
    *v++ = s->warp_instructions;
    for (int c = 0; c < PATHS; c++) *v++ = spref_number(p, s, "", paths[c]);
  }
  paper_show(p, &t);
}

#define U "unit.spref."

static void unit(paper *p, spref_variant v, const char *file) {
  static const char *const shares[][2] = {
      {U "late", U "replaced"}, {U "late_cycles", U "late"}, {U "useless", U "sent"}};
  char title[192];
  snprintf(title, sizeof title,
           "%s: spare registers; loads replaced, moves late, cycles of a late one, prefetches "
           "useless; cycles of waiting",
           spref_variant_names[v]);
  paper_table t = {.file = file,
                   .title = title,
                   .columns = 9,
                   .names = {"spare", "replaced", "late", "late-wait", "useless", "head-base",
                             "head-with", "tail-base", "tail-with"}};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const char *o = spref_options(s->kernel, v);
    double *row = t.v[sample_row(&t, s)];
    *row++ = spref_number(p, s, o, U "spare_most");
    *row++ = spref_number(p, s, o, U "replaced") /
             (spref_loads(p, s, "", "head") + spref_loads(p, s, "", "tail"));
    for (int c = 0; c < 3; c++)
      *row++ = spref_number(p, s, o, shares[c][0]) / spref_number(p, s, o, shares[c][1]);
    for (int c = 0; c < 4; c++) *row++ = spref_wait(p, s, c % 2 ? o : "", c < 2 ? "head" : "tail");
  }
  paper_show(p, &t);
}

/* Bytes read from DRAM. */
static void reads(paper *p) {
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_CSPREF1, SPREF_SPREF,
                                           SPREF_CSPREF, SPREF_SPREF1C, SPREF_64KB};
  enum { N = sizeof variants / sizeof variants[0] };
  paper_table t = {.file = "traffic",
                   .title = "DRAM reads over the baseline's; GB/s of the baseline and of C-SPREF1"};
  for (int v = 0; v < N; v++) paper_column(&t, spref_variant_names[variants[v]]);
  paper_column(&t, "GB/s"), paper_column(&t, "GB/s-with");
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const int r = sample_row(&t, s);
    for (int v = 0; v < N; v++)
      t.v[r][v] = spref_number(p, s, spref_options(s->kernel, variants[v]), "dram.read_bytes") /
                  spref_number(p, s, "", "dram.read_bytes");
    t.v[r][N] = spref_number(p, s, "", "dram.gb_per_second");
    t.v[r][N + 1] =
        spref_number(p, s, spref_options(s->kernel, SPREF_CSPREF1), "dram.gb_per_second");
  }
  paper_show(p, &t);
}

static void rivals(paper *p) {
  paper_table t = {
      .file = "rivals",
      .title = "Rivals: prefetches sent over L1 misses; of these used (there or on their way)",
      .columns = 6,
      .names = {"Stream", "used", "Stride", "used", "GHB", "used"}};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const int r = sample_row(&t, s);
    for (int v = SPREF_STREAM; v <= SPREF_GHB; v++) {
      const char *o = spref_options(s->kernel, v);
      const double sent = spref_number(p, s, o, "l1.prefetch.issued");
      t.v[r][2 * v] = sent / spref_number(p, s, "", "l1.misses");
      t.v[r][2 * v + 1] = sent > 0 ? (spref_number(p, s, o, "l1.prefetch.useful") +
                                      spref_number(p, s, o, "l1.prefetch.late")) /
                                         sent
                                   : NAN;
    }
  }
  paper_show(p, &t);
}

static void counters(paper *p) {
  machine(p);
  unit(p, SPREF_SPREF1, "unit-SPREF1");
  unit(p, SPREF_CSPREF, "unit-C-SPREF");
  reads(p);
  rivals(p);
}

/* ---- figures 13 and 14: H-BFS on R4_2e20, launch by launch; figure 15: LS-BFS ---- */

enum { LAUNCHES = 32 };

static void launch_waits(paper *p) {
  spref_sample s[LAUNCHES];
  const int n = spref_launches(p, SPREF_HBFS, SPREF_R4, SPREF_LEAST, s, LAUNCHES);
  paper_table t = {.file = "13",
                   .title = "Figure 13: H-BFS on R4_2e20, SPREF1: wait for head and tail over the "
                            "baseline's; baseline's, cycles",
                   .mean = PAPER_ARITHMETIC};
  static const char *const names[] = {"head", "tail", "head-base", "tail-base"};
  for (int c = 0; c < 4; c++) paper_column(&t, names[c]);
  for (int i = 0; i < n; i++) {
    double *v = t.v[paper_row(&t, 0, "%u", s[i].launch)];
    for (int c = 0; c < 2; c++) {
      v[2 + c] = spref_wait(p, &s[i], "", names[c]);
      v[c] = spref_wait(p, &s[i], spref_options(SPREF_HBFS, SPREF_SPREF1), names[c]) / v[2 + c];
    }
  }
  paper_show(p, &t);
  paper_note(p, "figure 13", NAN, paper_mean_all(&t, 1), NAN, .9, "x",
             "H-BFS, R4_2e20: wait for the tail with SPREF1, mean of launches");
}

static void launch_by_launch(paper *p) {
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_CSPREF1};
  spref_sample s[LAUNCHES];
  const int n = spref_launches(p, SPREF_HBFS, SPREF_R4, SPREF_LEAST, s, LAUNCHES);
  double better = 0;
  paper_table t = {.file = "14",
                   .title = "Figure 14: H-BFS on R4_2e20, IPC over the baseline's by launch",
                   .mean = PAPER_HARMONIC};
  for (int v = 0; v < 2; v++) paper_column(&t, spref_variant_names[variants[v]]);
  for (int i = 0; i < n; i++) {
    const int r = paper_row(&t, 0, "%u", s[i].launch);
    for (int v = 0; v < 2; v++)
      t.v[r][v] = speedup(p, &s[i], spref_options(SPREF_HBFS, variants[v]));
    better += t.v[r][1] >= t.v[r][0];
  }
  paper_show(p, &t);
  for (int v = 0; v < 2; v++) {
    paper_note(p, "figure 14", NAN, paper_mean_all(&t, v), 1.05, NAN, "x",
               "H-BFS, R4_2e20: %s, all launches of a sample's size", t.names[v]);
    paper_why(p, loaded);
  }
  paper_note(p, "figure 14", NAN, better / n, .5, NAN, "",
             "H-BFS, R4_2e20: launches in which C-SPREF1 is the better");
}

static void lsbfs_waits(paper *p) {
  paper_table t = {.file = "15",
                   .title = "Figure 15: LS-BFS, wait for the head in cycles",
                   .columns = 4,
                   .names = {"base", "SPREF1", "SPREF", "C-SPREF"}};
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_SPREF, SPREF_CSPREF};
  double least = NAN;
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    if (s->kernel != SPREF_LSBFS) continue;
    const int r = paper_row(&t, 0, "%s.%u", spref_input_names[s->input], s->launch);
    t.v[r][0] = spref_wait(p, s, "", "head");
    for (int v = 0; v < 3; v++)
      t.v[r][v + 1] = spref_wait(p, s, spref_options(SPREF_LSBFS, variants[v]), "head");
    least = fmin(least, t.v[r][1] / t.v[r][0]);
  }
  paper_show(p, &t);
  paper_note(p, "figure 15", NAN, least, NAN, 1.0, "x",
             "LS-BFS: wait for the head with SPREF1 over the baseline's");
}

/* ---- figure 16: the distance by the rule of listing 1, from the input's degrees ---- */

enum { MID = 4, HIGH = 6, COUNT_MAX = 15, DISTANCES = 3 };

/* A warp of LS-BFS has 32 vertices side by side; done: iterations that a lane has behind it when
 * the counts are known. Registers suffice (6). */
static void by_rule(paper_table *t, const wf_graph *g, const char *input, const char *name,
                    uint32_t done) {
  const int r = paper_row(t, 0, "%s.%s", input, name);
  double warps[DISTANCES] = {0}, all = 0;
  for (uint32_t first = 0; first < g->n_vertices; first += 32) {
    uint32_t sum = 0, lanes = 0;
    for (uint32_t v = first; v < first + 32 && v < g->n_vertices; v++) {
      const uint32_t degree = wf_graph_out_degree(g, v), left = degree > done ? degree - done : 0;
      sum += left < COUNT_MAX ? left : COUNT_MAX;
      lanes += left > 0;
    }
    if (!lanes) continue;
    warps[sum < MID * lanes ? 0 : sum < HIGH * lanes ? 1 : 2]++;
    all++;
  }
  for (int d = 0; d < DISTANCES; d++) t->v[r][d] = warps[d] / all;
}

static void distances(paper *p) {
  if (!paper_reporting(p)) return;
  paper_table t = {.file = "16",
                   .title = "Figure 16: LS-BFS, warps by the prefetch distance of listing 1, from "
                            "the input's degrees (SPREF: known after an iteration)",
                   .columns = DISTANCES,
                   .names = {"1", "2", "3"}};
  for (int i = 0; i < SPREF_INPUTS; i++) {
    wf_error err = {0};
    wf_graph *g = wf_graph_open(spref_inputs[i], 1, &err);
    if (!g) {
      fprintf(stderr, "%s\n", err.text);
      exit(2);
    }
    by_rule(&t, g, spref_input_names[i], "SPREF", 1);
    by_rule(&t, g, spref_input_names[i], "C-SPREF", 0);
    wf_graph_destroy(g);
  }
  paper_show(p, &t);
}

/* ---- registers: table 4, the paper's room, room swept ---- */

/* The kernel's sample on R4_2e20; NULL: not there yet. */
static const spref_sample *on_r4(int kernel) {
  for (int s = 0; s < spref_n; s++)
    if (spref_chosen[s].kernel == kernel && spref_chosen[s].input == SPREF_R4)
      return &spref_chosen[s];
  return NULL;
}

/* H-MST has a third target, the weight, which the paper does not name: without room for it. */
static void pair_only(paper *p) {
  char with[SPREF_OPTIONS];
  const spref_sample *s = on_r4(SPREF_HMST);
  if (!s) return;
  snprintf(with, sizeof with, "%s --set spref.spare=2", spref_options(SPREF_HMST, SPREF_CSPREF1));
  paper_note(p, "table 7", 1.04, speedup(p, s, with), NAN, NAN, "x",
             "H-MST, R4_2e20: C-SPREF1 for the pair alone, without the weight");
}

/* Energy of a launch, all parts. */
static void energy(paper *p) {
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_CSPREF, SPREF_SPREF1C, SPREF_64KB};
  paper_table t = {.file = "energy",
                   .title = "Energy over the baseline's; the unit's share with C-SPREF",
                   .mean = PAPER_HARMONIC,
                   .columns = 5,
                   .names = {"SPREF1", "C-SPREF", "SPREF1-C", "Base-64KB", "unit"}};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const int r = sample_row(&t, s);
    const double base = spref_number(p, s, "", "energy_joules.total");
    for (int v = 0; v < 4; v++)
      t.v[r][v] =
          spref_number(p, s, spref_options(s->kernel, variants[v]), "energy_joules.total") / base;
    t.v[r][4] = spref_number(p, s, spref_options(s->kernel, SPREF_CSPREF), "energy_joules.unit") /
                (t.v[r][1] * base);
  }
  paper_show(p, &t);
  paper_note(p, "beyond", NAN, paper_mean_all(&t, 1), NAN, 1.0, "x",
             "energy with C-SPREF over the baseline's, mean of samples");
}

static void registers(paper *p) {
  paper_table t = {.file = "4",
                   .title = "Table 4: registers of a thread (needed; fit without fewer warps) and "
                            "KB of the SM unused by them",
                   .columns = 6,
                   .names = {"paper", "paper-fit", "paper-KB", "ours", "ours-fit", "ours-KB"}};
  for (int k = 0; k < SPREF_KERNELS; k++) {
    const spref_kernel *kernel = &spref_kernels[k];
    const spref_sample *s = on_r4(k);
    if (!s) continue;
    const cJSON *result = spref_result(p, s, ""), *launch;
    double needed = NAN, warps = NAN;
    cJSON_ArrayForEach(launch, cJSON_GetObjectItem(result, "kernels")) {
      if (!cJSON_IsTrue(cJSON_GetObjectItem(launch, "timed"))) continue;
      needed = cJSON_GetNumberValue(cJSON_GetObjectItem(launch, "registers"));
      warps = cJSON_GetNumberValue(cJSON_GetObjectItem(launch, "ctas_per_sm")) *
              cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(launch, "block"), 0)) /
              32;
    }
    const double spare = spref_number(p, s, spref_options(k, SPREF_CSPREF), U "spare_most");
    const int r = paper_row(&t, 0, "%s", kernel->name);
    t.v[r][0] = kernel->needed;
    t.v[r][1] = kernel->fit;
    t.v[r][2] = 128 - kernel->needed * warps * 128 / 1024;
    t.v[r][3] = needed;
    t.v[r][4] = needed + spare;
    t.v[r][5] = 128 - needed * warps * 128 / 1024;
    paper_note(p, "table 4", kernel->fit - kernel->needed, spare, 1, NAN, "", "spare registers, %s",
               kernel->name);
    paper_turn(p, 0);
  }
  paper_show(p, &t);
}

/* The paper's spare registers beyond what our code needs, by a larger register file for as many
 * warps. */
static void paper_room(paper *p) {
  static const spref_variant variants[] = {SPREF_SPREF, SPREF_CSPREF};
  paper_table t = {.file = "room",
                   .title = "As many spare registers as the paper's kernels have "
                            "(core.registers): IPC over the baseline's",
                   .mean = PAPER_HARMONIC,
                   .columns = 6,
                   .names = {"spare", "SPREF", "C-SPREF", "room", "SPREF-room", "C-SPREF-room"}};
  for (int k = 0; k < SPREF_KERNELS; k++) {
    const spref_sample *sample = on_r4(k);
    if (!sample) continue;
    const int r = paper_row(&t, 0, "%s", spref_kernels[k].name);
    for (int v = 0; v < 2; v++) {
      char with[SPREF_OPTIONS];
      const char *o = spref_options(k, variants[v]);
      snprintf(with, sizeof with, "%s %s", o, spref_kernels[k].roomy ? spref_kernels[k].roomy : "");
      const char *chosen = spref_kernels[k].roomy ? with : o;
      t.v[r][1 + v] = speedup(p, sample, o);
      t.v[r][4 + v] = speedup(p, sample, chosen);
      t.v[r][0] = spref_number(p, sample, o, U "spare_most");
      t.v[r][3] = spref_number(p, sample, chosen, U "spare_most");
    }
    paper_note(p, "the paper's room", paper_7[SPREF_CSPREF][k], t.v[r][5], NAN, NAN, "x",
               "C-SPREF with %.0f spare registers, %s, R4_2e20", t.v[r][3], spref_kernels[k].name);
  }
  paper_show(p, &t);
  for (int v = 0; v < 2; v++)
    paper_note(p, "the paper's room", paper_7[variants[v]][SPREF_KERNELS],
               paper_mean_all(&t, 4 + v), NAN, NAN, "x",
               "%s with the paper's spare registers, R4_2e20, all",
               spref_variant_names[variants[v]]);
}

enum { HBFS_NEEDS = 18, HBFS_WARPS = 48 };

static void sweep(paper *p) {
  static const int spares[] = {0, 1, 2, 4, 6, 10};
  static const spref_variant variants[] = {SPREF_SPREF, SPREF_CSPREF, SPREF_SPREF1C};
  spref_sample s[32];
  const int n = spref_launches(p, SPREF_HBFS, SPREF_R4, SPREF_LEAST, s, 32);
  paper_table t = {
      .file = "spare",
      .title = "Room for registers, H-BFS on R4_2e20: IPC over the baseline's by spare registers",
      .columns = 3,
      .names = {"SPREF", "C-SPREF", "SPREF1-C"}};
  for (size_t i = 0; n && i < sizeof spares / sizeof spares[0]; i++) {
    const int r = paper_row(&t, 0, "%d", spares[i]);
    for (int v = 0; v < 3; v++) {
      char with[SPREF_OPTIONS];
      snprintf(with, sizeof with, "%s --set core.registers=%d --set spref.spare=%d",
               spref_options(SPREF_HBFS, variants[v]),
               32 * HBFS_WARPS * (HBFS_NEEDS + spares[i] + spares[i] % 2), spares[i]);
      t.v[r][v] = speedup(p, s, with);
    }
  }
  paper_show(p, &t);
  paper_note(p, "section 3.3.2", NAN, t.v[3][1] / t.v[2][1], .98, NAN, "x",
             "H-BFS: C-SPREF with four spare registers over two");
}

/* Section 3.5.5: registers, shared memory and L1 share 192 KB. */
static void unified(paper *p) {
  paper_table t = {.file = "unified",
                   .title = "Unified storage of 192 KB on R4_2e20: KB of L1 without and with "
                            "spare registers; IPC of SPREF1 over that without",
                   .mean = PAPER_HARMONIC,
                   .columns = 3,
                   .names = {"KB", "KB-with", "SPREF1"}};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const spref_kernel *k = &spref_kernels[s->kernel];
    if (s->input != SPREF_R4 || k->heavy ||
        (i && spref_chosen[i - 1].kernel == s->kernel && spref_chosen[i - 1].input == SPREF_R4))
      continue;
    char without[SPREF_OPTIONS], with[SPREF_OPTIONS];
    snprintf(without, sizeof without, "--set l1.bytes=%u --set l1.ways=%u", 4096 * k->pages[0],
             k->pages[0]);
    snprintf(with, sizeof with, "%s --set l1.bytes=%u --set l1.ways=%u",
             spref_options(s->kernel, SPREF_SPREF1), 4096 * k->pages[1], k->pages[1]);
    const int r = paper_row(&t, 0, "%s", k->name);
    t.v[r][0] = 4 * k->pages[0];
    t.v[r][1] = 4 * k->pages[1];
    t.v[r][2] = spref_number(p, s, with, "ipc") / spref_number(p, s, without, "ipc");
  }
  paper_show(p, &t);
  paper_note(p, "section 3.5.5", 1.06, paper_mean_all(&t, 2), 1.0, NAN, "x",
             "unified storage: SPREF1 over none, three kernels, R4_2e20");
}

static void figures(paper *p) {
  spref_choose(p);
  performance(p);
  counters(p);
  launch_waits(p);
  launch_by_launch(p);
  lsbfs_waits(p);
  distances(p);
  pair_only(p);
  energy(p);
  registers(p);
  paper_room(p);
  sweep(p);
  unified(p);
}

static const paper_part parts[] = {
    {"default", "the paper's figures", figures, false},
    {"best", "Best software with the unit over best software without", spref_best, true},
    {"rivals", "Hardware prefetchers beside the unit", spref_rivals, true},
    {"area", "Half of the unit's area as L1", spref_area, true},
    {"clock", "What the slower clock of the issue stage costs", spref_clock, true},
    {0}};
const paper_unit paper_this = {"spref", "Prefetching into spare registers", parts};
