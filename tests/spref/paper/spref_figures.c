/* Figures 10 to 16 and tables 4 and 7. All means are harmonic, of IPC over the baseline's: over a
 * kernel's samples on an input, over its inputs, and over kernels. Added instructions are not
 * counted in IPC. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/graph/graph.h"
#include "tests/spref/paper/spref.h"

static double speedup(paper *p, const spref_sample *s, const char *options) {
  return spref_number(p, s, options, "ipc") / spref_number(p, s, "", "ipc");
}

/* ---- figures 10 to 12, table 7 ---- */

/* Table 7. */
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
  paper_harmonic m = {0, 0};
  if (input < 0) {
    for (int i = 0; i < SPREF_INPUTS; i++) paper_harmonic_add(&m, of_samples(p, kernel, i, v));
    return paper_harmonic_mean(&m);
  }
  for (int s = 0; s < spref_n; s++)
    if (spref_chosen[s].kernel == kernel && spref_chosen[s].input == input)
      paper_harmonic_add(&m, speedup(p, &spref_chosen[s], spref_options(kernel, v)));
  return paper_harmonic_mean(&m);
}

static void bars(paper *p, const char *file, int first, int last) {
  static paper_table t;
  char title[96];
  snprintf(title, sizeof title, "Figure %s: IPC over the baseline's", file);
  t = (paper_table){.file = file, .title = title, .columns = SPREF_VARIANTS};
  for (int v = 0; v < SPREF_VARIANTS; v++) t.names[v] = spref_variant_names[v];
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
  static paper_table t;
  t = (paper_table){.file = "7",
                    .title = "Table 7: IPC over the baseline's, harmonic means",
                    .columns = SPREF_KERNELS + 1};
  for (int k = 0; k < SPREF_KERNELS; k++) t.names[k] = spref_kernels[k].name;
  t.names[SPREF_KERNELS] = "all";
  for (int v = 0; v < SPREF_VARIANTS; v++) {
    const int r = paper_row(&t, 0, "%s", spref_variant_names[v]);
    paper_harmonic all = {0, 0};
    for (int k = 0; k < SPREF_KERNELS; k++)
      paper_harmonic_add(&all, t.v[r][k] = of_samples(p, k, -1, v));
    t.v[r][SPREF_KERNELS] = paper_harmonic_mean(&all);
    for (int k = 0; k <= SPREF_KERNELS; k++) {
      const double paper = paper_7[v][k];
      paper_note(p, "table 7", paper, t.v[r][k], paper - BAND, paper + BAND, "x", "%s, %s",
                 spref_variant_names[v], t.names[k]);
      paper_why(p, finding((spref_variant)v, k));
    }
  }
  paper_show(p, &t);
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

/* Over kernels: equation of tables, e.g. C-SPREF over SPREF. */
static void orders(paper *p) {
  paper_harmonic with = {0, 0}, without = {0, 0}, cache = {0, 0}, registers = {0, 0};
  for (int k = 0; k < SPREF_KERNELS; k++) {
    paper_harmonic_add(&with, of_samples(p, k, -1, SPREF_CSPREF1));
    paper_harmonic_add(&without, of_samples(p, k, -1, SPREF_SPREF1));
    paper_harmonic_add(&cache, of_samples(p, k, -1, SPREF_SPREF1C));
  }
  registers = without;
  paper_note(p, "section 3.5", 1.01, paper_harmonic_mean(&with) / paper_harmonic_mean(&without),
             .99, NAN, "x", "C-SPREF1 over SPREF1, all");
  paper_note(p, "section 3.5", 1.10, paper_harmonic_mean(&registers) / paper_harmonic_mean(&cache),
             1.0, NAN, "x", "into registers over into the cache (SPREF1 over SPREF1-C), all");
}

static void performance(paper *p) {
  bars(p, "10", SPREF_HBFS, SPREF_HMST);
  bars(p, "11", SPREF_LSBFS, SPREF_LSMST);
  bars(p, "12", SPREF_STCON, SPREF_STCON);
  table_7(p);
  best(p, SPREF_SPREF, 1.50);
  best(p, SPREF_CSPREF, 1.51);
  orders(p);
}

/* ---- what the machine and the unit did ---- */

static void machine(paper *p) {
  enum { LAUNCH, INSTRUCTIONS, CYCLES, IPC, OCCUPANCY, L1, L2, DRAM, GBS, BLOCKED };
  static paper_table t;
  t = (paper_table){.file = "machine",
                    .title = "Samples, baseline: instructions and cycles in millions; L1 and L2 "
                             "hit rates; DRAM efficiency; GB/s; L1 waits for MSHR, way or queue",
                    .columns = 10,
                    .names = {"launch", "Minstr", "Mcycles", "IPC", "occupancy", "L1-hits",
                              "L2-hits", "DRAM-eff", "GB/s", "L1-stall"}};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const int r =
        paper_row(&t, 0, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    const double cycles = spref_number(p, s, "", "cycles");
    t.v[r][LAUNCH] = s->launch;
    t.v[r][INSTRUCTIONS] = s->warp_instructions * 1e-6;
    t.v[r][CYCLES] = cycles * 1e-6;
    t.v[r][IPC] = spref_number(p, s, "", "ipc");
    t.v[r][OCCUPANCY] = spref_number(p, s, "", "sm.occupancy");
    t.v[r][L1] = spref_number(p, s, "", "l1.hit_rate");
    t.v[r][L2] = spref_number(p, s, "", "l2.hits") /
                 (spref_number(p, s, "", "l2.reads") + spref_number(p, s, "", "l2.writes") +
                  spref_number(p, s, "", "l2.atomics"));
    t.v[r][DRAM] = spref_number(p, s, "", "dram.efficiency");
    t.v[r][GBS] = spref_number(p, s, "", "dram.gb_per_second");
    t.v[r][BLOCKED] = spref_number(p, s, "", "l1.stall_cycles") / (16 * cycles);
  }
  paper_show(p, &t);
}

#define U "unit.spref."

static void unit(paper *p, spref_variant v, const char *file) {
  enum {
    SPARE,
    LOADS,
    REPLACED,
    LATE,
    LATE_WAIT,
    USELESS,
    ANSWER,
    HEAD,
    HEAD_WITH,
    TAIL,
    TAIL_WITH
  };
  static paper_table t;
  char title[192];
  snprintf(title, sizeof title,
           "%s: spare registers; target loads; shares of them replaced, of moves late, cycles of a "
           "late one; of prefetches useless; cycles a load waits for "
           "its answer; waits",
           spref_variant_names[v]);
  t = (paper_table){.file = file,
                    .title = title,
                    .columns = 11,
                    .names = {"spare", "loads", "replaced", "late", "late-wait", "useless",
                              "answer", "head-base", "head-with", "tail-base", "tail-with"}};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const char *o = spref_options(s->kernel, v);
    const int r =
        paper_row(&t, 0, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    const double loads = spref_loads(p, s, "", "head") + spref_loads(p, s, "", "tail"),
                 replaced = spref_number(p, s, o, U "replaced");
    t.v[r][SPARE] = spref_number(p, s, o, U "spare_most");
    t.v[r][LOADS] = loads;
    t.v[r][REPLACED] = replaced / loads;
    t.v[r][LATE] = spref_number(p, s, o, U "late") / replaced;
    t.v[r][LATE_WAIT] = spref_number(p, s, o, U "late_cycles") / spref_number(p, s, o, U "late");
    t.v[r][USELESS] = spref_number(p, s, o, U "useless") / spref_number(p, s, o, U "sent");
    t.v[r][ANSWER] = spref_number(p, s, o, U "answer_waits") / loads;
    t.v[r][HEAD] = spref_wait(p, s, "", "head");
    t.v[r][HEAD_WITH] = spref_wait(p, s, o, "head");
    t.v[r][TAIL] = spref_wait(p, s, "", "tail");
    t.v[r][TAIL_WITH] = spref_wait(p, s, o, "tail");
  }
  paper_show(p, &t);
}

/* Bytes read from DRAM. */
static void reads(paper *p) {
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_CSPREF1, SPREF_SPREF,
                                           SPREF_CSPREF, SPREF_SPREF1C, SPREF_64KB};
  enum { N = sizeof variants / sizeof variants[0] };
  static paper_table t;
  t = (paper_table){.file = "traffic",
                    .title = "DRAM reads over the baseline's; GB/s of the baseline and of C-SPREF1",
                    .columns = N + 2};
  for (int v = 0; v < N; v++) t.names[v] = spref_variant_names[variants[v]];
  t.names[N] = "GB/s";
  t.names[N + 1] = "GB/s-with";
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const int r =
        paper_row(&t, 0, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    const double base = spref_number(p, s, "", "dram.read_bytes");
    for (int v = 0; v < N; v++)
      t.v[r][v] =
          spref_number(p, s, spref_options(s->kernel, variants[v]), "dram.read_bytes") / base;
    t.v[r][N] = spref_number(p, s, "", "dram.gb_per_second");
    t.v[r][N + 1] =
        spref_number(p, s, spref_options(s->kernel, SPREF_CSPREF1), "dram.gb_per_second");
  }
  paper_show(p, &t);
}

static void rivals(paper *p) {
  static paper_table t;
  t = (paper_table){
      .file = "rivals",
      .title = "Rivals: prefetches sent over L1 misses; of these used (there or on their way)",
      .columns = 6,
      .names = {"Stream", "used", "Stride", "used", "GHB", "used"}};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const int r =
        paper_row(&t, 0, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
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

/* ---- figures 13 and 14: H-BFS on R4_2e20 (and with SIZE=full on the others), launch by launch;
 * figure 15: LS-BFS ---- */

#define MILLION 1e6

static void launch_by_launch(paper *p, int input) {
  static paper_table t, w;
  char title[2][160], file[2][32];
  const char *name = spref_input_names[input];
  spref_sample s[32];
  const int n = spref_launches(p, SPREF_HBFS, input, MILLION, s, 32);
  snprintf(title[0], sizeof title[0],
           "Figure 13: H-BFS on %s, SPREF1: wait for head and tail over the baseline's; "
           "baseline's, cycles",
           name);
  snprintf(title[1], sizeof title[1], "Figure 14: H-BFS on %s, IPC over the baseline's by launch",
           name);
  for (int f = 0; f < 2; f++)
    snprintf(file[f], sizeof file[f], "%d%s%s", 13 + f, input == SPREF_R4 ? "" : "-",
             input == SPREF_R4 ? "" : name);
  const char *hardware = spref_options(SPREF_HBFS, SPREF_SPREF1),
             *compiler = spref_options(SPREF_HBFS, SPREF_CSPREF1);
  t = (paper_table){
      .file = file[1], .title = title[1], .columns = 3, .names = {"SPREF1", "C-SPREF1", "Minstr"}};
  w = (paper_table){.file = file[0],
                    .title = title[0],
                    .columns = 4,
                    .names = {"head", "tail", "head-base", "tail-base"}};
  paper_harmonic with[2] = {{0, 0}, {0, 0}};
  double head = 0, tail = 0, better = 0;
  for (int i = 0; i < n; i++) {
    const int r = paper_row(&t, 0, "%u", s[i].launch), q = paper_row(&w, 0, "%u", s[i].launch);
    paper_harmonic_add(&with[0], t.v[r][0] = speedup(p, &s[i], hardware));
    paper_harmonic_add(&with[1], t.v[r][1] = speedup(p, &s[i], compiler));
    t.v[r][2] = s[i].warp_instructions * 1e-6;
    better += t.v[r][1] >= t.v[r][0];
    for (int role = 0; role < 2; role++) {
      const char *which = role ? "tail" : "head";
      w.v[q][2 + role] = spref_wait(p, &s[i], "", which);
      w.v[q][role] = spref_wait(p, &s[i], hardware, which) / w.v[q][2 + role];
    }
    head += w.v[q][0] / n;
    tail += w.v[q][1] / n;
  }
  paper_show(p, &w);
  paper_show(p, &t);
  paper_note(p, "figure 13", NAN, tail, NAN, .9, "x",
             "H-BFS, %s: wait for the tail with SPREF1, mean of launches", name);
  paper_note(p, "figure 13", NAN, head, NAN, NAN, "x",
             "H-BFS, %s: wait for the head with SPREF1, mean of launches", name);
  paper_note(p, "figure 14", NAN, paper_harmonic_mean(&with[0]), 1.05, NAN, "x",
             "H-BFS, %s: SPREF1, all launches of a million instructions", name);
  paper_why(p, loaded);
  paper_note(p, "figure 14", NAN, paper_harmonic_mean(&with[1]), 1.05, NAN, "x",
             "H-BFS, %s: C-SPREF1, all launches of a million instructions", name);
  paper_why(p, loaded);
  paper_note(p, "figure 14", NAN, better / n, .5, NAN, "",
             "launches in which C-SPREF1 is the better");
}

static void lsbfs_waits(paper *p) {
  static paper_table t;
  t = (paper_table){.file = "15",
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
  static paper_table t;
  if (!paper_reporting(p)) return;
  t = (paper_table){.file = "16",
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

/* H-MST has a third target, the weight, which the paper does not name: without room for it. */
static void pair_only(paper *p) {
  char with[SPREF_OPTIONS];
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    if (s->kernel != SPREF_HMST || s->input != SPREF_R4) continue;
    snprintf(with, sizeof with, "%s --set spref.spare=2", spref_options(SPREF_HMST, SPREF_CSPREF1));
    const double x = speedup(p, s, with);
    paper_note(p, "table 7", 1.04, x, NAN, NAN, "x",
               "H-MST, R4_2e20: C-SPREF1 for the pair alone, without the weight");
    return;
  }
}

/* Energy of a launch, all parts. */
static void energy(paper *p) {
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_CSPREF, SPREF_SPREF1C, SPREF_64KB};
  static paper_table t;
  t = (paper_table){.file = "energy",
                    .title = "Energy over the baseline's; the unit's share with C-SPREF",
                    .columns = 5,
                    .names = {"SPREF1", "C-SPREF", "SPREF1-C", "Base-64KB", "unit"}};
  paper_harmonic all = {0, 0};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const int r =
        paper_row(&t, 0, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    const double base = spref_number(p, s, "", "energy_joules.total");
    for (int v = 0; v < 4; v++)
      t.v[r][v] =
          spref_number(p, s, spref_options(s->kernel, variants[v]), "energy_joules.total") / base;
    t.v[r][4] = spref_number(p, s, spref_options(s->kernel, SPREF_CSPREF), "energy_joules.unit") /
                (t.v[r][1] * base);
    paper_harmonic_add(&all, t.v[r][1]);
  }
  paper_show(p, &t);
  paper_note(p, "-", NAN, paper_harmonic_mean(&all), NAN, 1.0, "x",
             "energy with C-SPREF over the baseline's, mean of samples");
}

static void registers(paper *p) {
  static paper_table t;
  t = (paper_table){.file = "4",
                    .title = "Table 4: registers of a thread (needed; fit without fewer warps) and "
                             "KB of the SM unused by them",
                    .columns = 6,
                    .names = {"paper", "paper-fit", "paper-KB", "ours", "ours-fit", "ours-KB"}};
  for (int k = 0; k < SPREF_KERNELS; k++) {
    int s = 0;
    while (s < spref_n && (spref_chosen[s].kernel != k || spref_chosen[s].input != SPREF_R4)) s++;
    if (s == spref_n) continue;
    const spref_kernel *kernel = &spref_kernels[k];
    const cJSON *result = spref_result(p, &spref_chosen[s], ""), *launch;
    double needed = NAN, warps = NAN;
    cJSON_ArrayForEach(launch, cJSON_GetObjectItem(result, "kernels")) {
      if (!cJSON_IsTrue(cJSON_GetObjectItem(launch, "timed"))) continue;
      needed = cJSON_GetNumberValue(cJSON_GetObjectItem(launch, "registers"));
      warps = cJSON_GetNumberValue(cJSON_GetObjectItem(launch, "ctas_per_sm")) *
              cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(launch, "block"), 0)) /
              32;
    }
    const double spare =
        spref_number(p, &spref_chosen[s], spref_options(k, SPREF_CSPREF), U "spare_most");
    const int r = paper_row(&t, 0, "%s", kernel->name);
    t.v[r][0] = kernel->needed;
    t.v[r][1] = kernel->fit;
    t.v[r][2] = 128 - kernel->needed * warps * 128 / 1024;
    t.v[r][3] = needed;
    t.v[r][4] = needed + spare;
    t.v[r][5] = 128 - needed * warps * 128 / 1024;
    paper_note(p, "table 4", kernel->fit - kernel->needed, spare, 1, NAN, "", "spare registers, %s",
               kernel->name);
  }
  paper_show(p, &t);
}

/* The paper's spare registers beyond what our code needs, by a larger register file for as many
 * warps. */
static void paper_room(paper *p) {
  static paper_table t;
  static const spref_variant variants[] = {SPREF_SPREF, SPREF_CSPREF};
  t = (paper_table){.file = "room",
                    .title = "As many spare registers as the paper's kernels have "
                             "(core.registers): IPC over the baseline's",
                    .columns = 6,
                    .names = {"spare", "SPREF", "C-SPREF", "room", "SPREF-room", "C-SPREF-room"}};
  paper_harmonic own[2] = {{0, 0}, {0, 0}}, roomy[2] = {{0, 0}, {0, 0}};
  for (int k = 0; k < SPREF_KERNELS; k++) {
    int s = 0;
    while (s < spref_n && (spref_chosen[s].kernel != k || spref_chosen[s].input != SPREF_R4)) s++;
    if (s == spref_n) continue;
    const spref_sample *sample = &spref_chosen[s];
    const int r = paper_row(&t, 0, "%s", spref_kernels[k].name);
    for (int v = 0; v < 2; v++) {
      char with[SPREF_OPTIONS];
      const char *o = spref_options(k, variants[v]);
      snprintf(with, sizeof with, "%s %s", o, spref_kernels[k].roomy ? spref_kernels[k].roomy : "");
      const char *chosen = spref_kernels[k].roomy ? with : o;
      paper_harmonic_add(&own[v], t.v[r][1 + v] = speedup(p, sample, o));
      paper_harmonic_add(&roomy[v], t.v[r][4 + v] = speedup(p, sample, chosen));
      t.v[r][0] = spref_number(p, sample, o, U "spare_most");
      t.v[r][3] = spref_number(p, sample, chosen, U "spare_most");
    }
    paper_note(p, "the paper's room", paper_7[SPREF_CSPREF][k], t.v[r][5], NAN, NAN, "x",
               "C-SPREF with %.0f spare registers, %s, R4_2e20", t.v[r][3], spref_kernels[k].name);
  }
  paper_show(p, &t);
  paper_note(p, "the paper's room", paper_7[SPREF_SPREF][SPREF_KERNELS],
             paper_harmonic_mean(&roomy[0]), NAN, NAN, "x",
             "SPREF with the paper's spare registers, R4_2e20, all");
  paper_note(p, "the paper's room", paper_7[SPREF_CSPREF][SPREF_KERNELS],
             paper_harmonic_mean(&roomy[1]), NAN, NAN, "x",
             "C-SPREF with the paper's spare registers, R4_2e20, all");
  paper_note(p, "the paper's room", NAN, paper_harmonic_mean(&own[1]), NAN, NAN, "x",
             "C-SPREF with ours, R4_2e20, all");
}

enum { HBFS_NEEDS = 18, HBFS_WARPS = 48 };

static void sweep(paper *p) {
  static const int spares[] = {0, 1, 2, 4, 6, 10};
  static const spref_variant variants[] = {SPREF_SPREF, SPREF_CSPREF, SPREF_SPREF1C};
  static paper_table t;
  spref_sample s[32];
  const int n = spref_launches(p, SPREF_HBFS, SPREF_R4, MILLION, s, 32);
  t = (paper_table){.file = "spare",
                    .title = "Room for registers, H-BFS on R4_2e20, first launch of a million "
                             "instructions: IPC over the baseline's by spare registers",
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
  static paper_table t;
  t = (paper_table){.file = "unified",
                    .title = "Unified storage of 192 KB on R4_2e20: KB of L1 without and with "
                             "spare registers; IPC of SPREF1 over that without",
                    .columns = 3,
                    .names = {"KB", "KB-with", "SPREF1"}};
  paper_harmonic all = {0, 0};
  for (int i = 0; i < spref_n; i++) {
    const spref_sample *s = &spref_chosen[i];
    const spref_kernel *k = &spref_kernels[s->kernel];
    if (s->input != SPREF_R4 || (k->heavy && !spref_full) ||
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
    paper_harmonic_add(&all, t.v[r][2] = spref_number(p, s, with, "ipc") /
                                         spref_number(p, s, without, "ipc"));
  }
  paper_show(p, &t);
  paper_note(p, "section 3.5.5", 1.06, paper_harmonic_mean(&all), 1.0, NAN, "x",
             "unified storage: SPREF1 over none, %s kernels, R4_2e20",
             spref_full ? "all" : "three");
}

static void figures(paper *p) {
  spref_choose(p);
  performance(p);
  counters(p);
  for (int i = 0; i < SPREF_INPUTS; i++)
    if (i == SPREF_R4 || spref_full) launch_by_launch(p, i);
  lsbfs_waits(p);
  distances(p);
  pair_only(p);
  energy(p);
  registers(p);
  paper_room(p);
  sweep(p);
  unified(p);
}

static void full(paper *p) {
  spref_full = true;
  figures(p);
}

static const paper_part parts[] = {
    {"default", "one launch each, one input for kernels whose launches take minutes", figures,
     false},
    {"full", "All kernels on all inputs, up to three launches each", full, true},
    {0}};
const paper_unit paper_this = {"spref", "Prefetching into spare registers", parts};
