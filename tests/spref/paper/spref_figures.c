/* Figures 10 to 16 and tables 4 and 7. All means are harmonic, of IPC over the baseline's: over a
 * kernel's samples on an input, over its inputs, and over kernels. Added instructions are not
 * counted in IPC. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/graph/graph.h"
#include "tests/spref/paper/spref.h"

#define NOTE(FIGURE, PAPER, OURS, LOW, HIGH, UNIT, ...)                                            \
  do {                                                                                             \
    if (e->reporting) paper_note(&e->report, FIGURE, PAPER, OURS, LOW, HIGH, UNIT, __VA_ARGS__);   \
  } while (0)
#define WHY(TEXT) (e->reporting && (TEXT) ? paper_why(&e->report, TEXT) : (void)0)

static double speedup(spref_experiment *e, const spref_sample *s, const char *options) {
  return spref_number(e, s, options, "ipc") / spref_number(e, s, "", "ipc");
}

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

/* Findings of docs/spref-paper.md; NULL: none. */
static const char *const
    traffic = "DRAM gives 80 GB/s either way: IPC goes as its reads (table traffic), which fall "
              "where a list's next word is taken while its line is in the L1",
    *const further = "bound by DRAM; distance 3 leaves three iterations' loads in place, and takes "
                     "words when their line is there less often: it saves fewer reads",
    *const evicted = "bound by DRAM; tails prefetched into the L1 leave it before they are used: "
                     "reads grow by the half",
    *const quiet = "the last launch of a search: few active vertices, memory mostly idle, a block "
                   "waits for its tails' latency",
    *const room = "two spare registers are distance 1 (on R4_2e20 1.065 with the paper's five, "
                  "1.046 without); RMAT20 and R4_2e20 load DRAM with 58 to 63 GB/s",
    *const loaded = "launches 9 to 12 are bound by DRAM: 60 to 66 GB/s of scattered reads and "
                    "writes, of which prefetching saves 0 to 4 %";

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
static double of_samples(spref_experiment *e, int kernel, int input, spref_variant v) {
  mean m = {0, 0};
  if (input < 0) {
    for (int i = 0; i < SPREF_INPUTS; i++) add(&m, of_samples(e, kernel, i, v));
    return harmonic(&m);
  }
  for (int s = 0; s < e->n_samples; s++)
    if (e->samples[s].kernel == kernel && e->samples[s].input == input)
      add(&m, speedup(e, &e->samples[s], spref_options(kernel, v)));
  return harmonic(&m);
}

static void bars(spref_experiment *e, const char *file, int first, int last) {
  static spref_table t;
  char title[96];
  snprintf(title, sizeof title, "Figure %s: IPC over the baseline's", file);
  t = (spref_table){.file = file, .title = title, .columns = SPREF_VARIANTS};
  for (int v = 0; v < SPREF_VARIANTS; v++) t.names[v] = spref_variant_names[v];
  for (int k = first; k <= last; k++)
    for (int i = 0; i <= SPREF_INPUTS; i++) {
      const int input = i < SPREF_INPUTS ? i : -1;
      if (isnan(of_samples(e, k, input, SPREF_STREAM))) continue;
      const int r = spref_row(&t, "%s.%s", spref_kernels[k].name,
                              input < 0 ? "HMean" : spref_input_names[input]);
      for (int v = 0; v < SPREF_VARIANTS; v++) t.v[r][v] = of_samples(e, k, input, v);
    }
  spref_show(e, &t);
}

static void table_7(spref_experiment *e) {
  static spref_table t;
  t = (spref_table){.file = "7",
                    .title = "Table 7: IPC over the baseline's, harmonic means",
                    .columns = SPREF_KERNELS + 1};
  for (int k = 0; k < SPREF_KERNELS; k++) t.names[k] = spref_kernels[k].name;
  t.names[SPREF_KERNELS] = "all";
  for (int v = 0; v < SPREF_VARIANTS; v++) {
    const int r = spref_row(&t, "%s", spref_variant_names[v]);
    mean all = {0, 0};
    for (int k = 0; k < SPREF_KERNELS; k++) add(&all, t.v[r][k] = of_samples(e, k, -1, v));
    t.v[r][SPREF_KERNELS] = harmonic(&all);
    for (int k = 0; k <= SPREF_KERNELS; k++) {
      const double paper = paper_7[v][k];
      NOTE("table 7", paper, t.v[r][k], paper - BAND, paper + BAND, "x", "%s, %s",
           spref_variant_names[v], t.names[k]);
      WHY(finding((spref_variant)v, k));
    }
  }
  spref_show(e, &t);
}

static void best(spref_experiment *e, spref_variant v, double paper) {
  double most = NAN;
  int at = 0;
  for (int s = 0; s < e->n_samples; s++) {
    const double x = speedup(e, &e->samples[s], spref_options(e->samples[s].kernel, v));
    if (isnan(most) || x > most) most = x, at = s;
  }
  if (!e->n_samples) return;
  NOTE("section 3.6", paper, most, NAN, NAN, "x", "%s: the best launch (%s, %s)",
       spref_variant_names[v], spref_kernels[e->samples[at].kernel].name,
       spref_input_names[e->samples[at].input]);
}

/* Over kernels: equation of tables, e.g. C-SPREF over SPREF. */
static void orders(spref_experiment *e) {
  mean with = {0, 0}, without = {0, 0}, cache = {0, 0}, registers = {0, 0};
  for (int k = 0; k < SPREF_KERNELS; k++) {
    add(&with, of_samples(e, k, -1, SPREF_CSPREF1));
    add(&without, of_samples(e, k, -1, SPREF_SPREF1));
    add(&cache, of_samples(e, k, -1, SPREF_SPREF1C));
  }
  registers = without;
  NOTE("section 3.5", 1.01, harmonic(&with) / harmonic(&without), .99, NAN, "x",
       "C-SPREF1 over SPREF1, all");
  NOTE("section 3.5", 1.10, harmonic(&registers) / harmonic(&cache), 1.0, NAN, "x",
       "into registers over into the cache (SPREF1 over SPREF1-C), all");
}

static void performance(spref_experiment *e) {
  bars(e, "10", SPREF_HBFS, SPREF_HMST);
  bars(e, "11", SPREF_LSBFS, SPREF_LSMST);
  bars(e, "12", SPREF_STCON, SPREF_STCON);
  table_7(e);
  best(e, SPREF_SPREF, 1.50);
  best(e, SPREF_CSPREF, 1.51);
  orders(e);
}

/* ---- what the machine and the unit did ---- */

static void machine(spref_experiment *e) {
  enum { LAUNCH, INSTRUCTIONS, CYCLES, IPC, OCCUPANCY, L1, L2, DRAM, GBS, BLOCKED };
  static spref_table t;
  t = (spref_table){.file = "machine",
                    .title = "Samples, baseline: instructions and cycles in millions; L1 and L2 "
                             "hit rates; DRAM efficiency; GB/s; L1 waits for MSHR, way or queue",
                    .columns = 10,
                    .names = {"launch", "Minstr", "Mcycles", "IPC", "occupancy", "L1-hits",
                              "L2-hits", "DRAM-eff", "GB/s", "L1-stall"}};
  for (int i = 0; i < e->n_samples; i++) {
    const spref_sample *s = &e->samples[i];
    const int r =
        spref_row(&t, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    const double cycles = spref_number(e, s, "", "cycles");
    t.v[r][LAUNCH] = s->launch;
    t.v[r][INSTRUCTIONS] = s->warp_instructions * 1e-6;
    t.v[r][CYCLES] = cycles * 1e-6;
    t.v[r][IPC] = spref_number(e, s, "", "ipc");
    t.v[r][OCCUPANCY] = spref_number(e, s, "", "sm.occupancy");
    t.v[r][L1] = spref_number(e, s, "", "l1.hit_rate");
    t.v[r][L2] = spref_number(e, s, "", "l2.hits") /
                 (spref_number(e, s, "", "l2.reads") + spref_number(e, s, "", "l2.writes") +
                  spref_number(e, s, "", "l2.atomics"));
    t.v[r][DRAM] = spref_number(e, s, "", "dram.efficiency");
    t.v[r][GBS] = spref_number(e, s, "", "dram.gb_per_second");
    t.v[r][BLOCKED] = spref_number(e, s, "", "l1.stall_cycles") / (16 * cycles);
  }
  spref_show(e, &t);
}

#define U "unit.spref."

static void unit(spref_experiment *e, spref_variant v, const char *file) {
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
  static spref_table t;
  char title[192];
  snprintf(title, sizeof title,
           "%s: spare registers; target loads; shares of them replaced, of moves late, cycles of a "
           "late one; of prefetches useless; cycles a load waits for "
           "its answer; waits",
           spref_variant_names[v]);
  t = (spref_table){.file = file,
                    .title = title,
                    .columns = 11,
                    .names = {"spare", "loads", "replaced", "late", "late-wait", "useless",
                              "answer", "head-base", "head-with", "tail-base", "tail-with"}};
  for (int i = 0; i < e->n_samples; i++) {
    const spref_sample *s = &e->samples[i];
    const char *o = spref_options(s->kernel, v);
    const int r =
        spref_row(&t, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    const double loads = spref_loads(e, s, "", "head") + spref_loads(e, s, "", "tail"),
                 replaced = spref_number(e, s, o, U "replaced");
    t.v[r][SPARE] = spref_number(e, s, o, U "spare_most");
    t.v[r][LOADS] = loads;
    t.v[r][REPLACED] = replaced / loads;
    t.v[r][LATE] = spref_number(e, s, o, U "late") / replaced;
    t.v[r][LATE_WAIT] = spref_number(e, s, o, U "late_cycles") / spref_number(e, s, o, U "late");
    t.v[r][USELESS] = spref_number(e, s, o, U "useless") / spref_number(e, s, o, U "sent");
    t.v[r][ANSWER] = spref_number(e, s, o, U "answer_waits") / loads;
    t.v[r][HEAD] = spref_wait(e, s, "", "head");
    t.v[r][HEAD_WITH] = spref_wait(e, s, o, "head");
    t.v[r][TAIL] = spref_wait(e, s, "", "tail");
    t.v[r][TAIL_WITH] = spref_wait(e, s, o, "tail");
  }
  spref_show(e, &t);
}

/* Bytes read from DRAM. */
static void reads(spref_experiment *e) {
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_CSPREF1, SPREF_SPREF,
                                           SPREF_CSPREF, SPREF_SPREF1C, SPREF_64KB};
  enum { N = sizeof variants / sizeof variants[0] };
  static spref_table t;
  t = (spref_table){.file = "traffic",
                    .title = "DRAM reads over the baseline's; GB/s of the baseline and of C-SPREF1",
                    .columns = N + 2};
  for (int v = 0; v < N; v++) t.names[v] = spref_variant_names[variants[v]];
  t.names[N] = "GB/s";
  t.names[N + 1] = "GB/s-with";
  for (int i = 0; i < e->n_samples; i++) {
    const spref_sample *s = &e->samples[i];
    const int r =
        spref_row(&t, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    const double base = spref_number(e, s, "", "dram.read_bytes");
    for (int v = 0; v < N; v++)
      t.v[r][v] =
          spref_number(e, s, spref_options(s->kernel, variants[v]), "dram.read_bytes") / base;
    t.v[r][N] = spref_number(e, s, "", "dram.gb_per_second");
    t.v[r][N + 1] =
        spref_number(e, s, spref_options(s->kernel, SPREF_CSPREF1), "dram.gb_per_second");
  }
  spref_show(e, &t);
}

static void rivals(spref_experiment *e) {
  static spref_table t;
  t = (spref_table){
      .file = "rivals",
      .title = "Rivals: prefetches sent over L1 misses; of these used (there or on their way)",
      .columns = 6,
      .names = {"Stream", "used", "Stride", "used", "GHB", "used"}};
  for (int i = 0; i < e->n_samples; i++) {
    const spref_sample *s = &e->samples[i];
    const int r =
        spref_row(&t, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    for (int v = SPREF_STREAM; v <= SPREF_GHB; v++) {
      const char *o = spref_options(s->kernel, v);
      const double sent = spref_number(e, s, o, "l1.prefetch.issued");
      t.v[r][2 * v] = sent / spref_number(e, s, "", "l1.misses");
      t.v[r][2 * v + 1] = sent > 0 ? (spref_number(e, s, o, "l1.prefetch.useful") +
                                      spref_number(e, s, o, "l1.prefetch.late")) /
                                         sent
                                   : NAN;
    }
  }
  spref_show(e, &t);
}

static void counters(spref_experiment *e) {
  machine(e);
  unit(e, SPREF_SPREF1, "unit-SPREF1");
  unit(e, SPREF_CSPREF, "unit-C-SPREF");
  reads(e);
  rivals(e);
}

/* ---- figures 13 and 14: H-BFS on R4_2e20 (and with SIZE=full on the others), launch by launch;
 * figure 15: LS-BFS ---- */

#define MILLION 1e6

static void launch_by_launch(spref_experiment *e, int input) {
  static spref_table t, w;
  char title[2][160], file[2][32];
  const char *name = spref_input_names[input];
  spref_sample s[32];
  const int n = spref_launches(e, SPREF_HBFS, input, MILLION, s, 32);
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
  t = (spref_table){
      .file = file[1], .title = title[1], .columns = 3, .names = {"SPREF1", "C-SPREF1", "Minstr"}};
  w = (spref_table){.file = file[0],
                    .title = title[0],
                    .columns = 4,
                    .names = {"head", "tail", "head-base", "tail-base"}};
  mean with[2] = {{0, 0}, {0, 0}};
  double head = 0, tail = 0, better = 0;
  for (int i = 0; i < n; i++) {
    const int r = spref_row(&t, "%u", s[i].launch), q = spref_row(&w, "%u", s[i].launch);
    add(&with[0], t.v[r][0] = speedup(e, &s[i], hardware));
    add(&with[1], t.v[r][1] = speedup(e, &s[i], compiler));
    t.v[r][2] = s[i].warp_instructions * 1e-6;
    better += t.v[r][1] >= t.v[r][0];
    for (int role = 0; role < 2; role++) {
      const char *which = role ? "tail" : "head";
      w.v[q][2 + role] = spref_wait(e, &s[i], "", which);
      w.v[q][role] = spref_wait(e, &s[i], hardware, which) / w.v[q][2 + role];
    }
    head += w.v[q][0] / n;
    tail += w.v[q][1] / n;
  }
  spref_show(e, &w);
  spref_show(e, &t);
  NOTE("figure 13", NAN, tail, NAN, .9, "x",
       "H-BFS, %s: wait for the tail with SPREF1, mean of launches", name);
  NOTE("figure 13", NAN, head, NAN, NAN, "x", "the same, head");
  NOTE("figure 14", NAN, harmonic(&with[0]), 1.05, NAN, "x",
       "H-BFS, %s: SPREF1, all launches of a million instructions", name);
  WHY(loaded);
  NOTE("figure 14", NAN, harmonic(&with[1]), 1.05, NAN, "x", "the same, C-SPREF1");
  WHY(loaded);
  NOTE("figure 14", NAN, better / n, .5, NAN, "", "launches in which C-SPREF1 is the better");
}

static void lsbfs_waits(spref_experiment *e) {
  static spref_table t;
  t = (spref_table){.file = "15",
                    .title = "Figure 15: LS-BFS, wait for the head in cycles",
                    .columns = 4,
                    .names = {"base", "SPREF1", "SPREF", "C-SPREF"}};
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_SPREF, SPREF_CSPREF};
  double least = NAN;
  for (int i = 0; i < e->n_samples; i++) {
    const spref_sample *s = &e->samples[i];
    if (s->kernel != SPREF_LSBFS) continue;
    const int r = spref_row(&t, "%s.%u", spref_input_names[s->input], s->launch);
    t.v[r][0] = spref_wait(e, s, "", "head");
    for (int v = 0; v < 3; v++)
      t.v[r][v + 1] = spref_wait(e, s, spref_options(SPREF_LSBFS, variants[v]), "head");
    least = fmin(least, t.v[r][1] / t.v[r][0]);
  }
  spref_show(e, &t);
  NOTE("figure 15", NAN, least, NAN, 1.0, "x",
       "LS-BFS: wait for the head with SPREF1 over the baseline's");
}

/* ---- figure 16: the distance by the rule of listing 1, from the input's degrees ---- */

enum { MID = 4, HIGH = 6, COUNT_MAX = 15, DISTANCES = 3 };

/* A warp of LS-BFS has 32 vertices side by side; done: iterations that a lane has behind it when
 * the counts are known. Registers suffice (6). */
static void by_rule(spref_table *t, const wf_graph *g, const char *input, const char *name,
                    uint32_t done) {
  const int r = spref_row(t, "%s.%s", input, name);
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

static void distances(spref_experiment *e) {
  static spref_table t;
  if (!e->reporting) return;
  t = (spref_table){.file = "16",
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
  spref_show(e, &t);
}

/* ---- registers: table 4, the paper's room, room swept ---- */

/* H-MST has a third target, the weight, which the paper does not name: without room for it. */
static void pair_only(spref_experiment *e) {
  char with[SPREF_OPTIONS];
  for (int i = 0; i < e->n_samples; i++) {
    const spref_sample *s = &e->samples[i];
    if (s->kernel != SPREF_HMST || s->input != SPREF_R4) continue;
    snprintf(with, sizeof with, "%s --set spref.spare=2", spref_options(SPREF_HMST, SPREF_CSPREF1));
    const double x = speedup(e, s, with);
    NOTE("table 7", 1.04, x, NAN, NAN, "x",
         "H-MST, R4_2e20: C-SPREF1 for the pair alone, without the weight");
    return;
  }
}

/* Energy of a launch, all parts. */
static void energy(spref_experiment *e) {
  static const spref_variant variants[] = {SPREF_SPREF1, SPREF_CSPREF, SPREF_SPREF1C, SPREF_64KB};
  static spref_table t;
  t = (spref_table){.file = "energy",
                    .title = "Energy over the baseline's; the unit's share with C-SPREF",
                    .columns = 5,
                    .names = {"SPREF1", "C-SPREF", "SPREF1-C", "Base-64KB", "unit"}};
  mean all = {0, 0};
  for (int i = 0; i < e->n_samples; i++) {
    const spref_sample *s = &e->samples[i];
    const int r =
        spref_row(&t, "%s.%s", spref_kernels[s->kernel].name, spref_input_names[s->input]);
    const double base = spref_number(e, s, "", "energy_joules.total");
    for (int v = 0; v < 4; v++)
      t.v[r][v] =
          spref_number(e, s, spref_options(s->kernel, variants[v]), "energy_joules.total") / base;
    t.v[r][4] = spref_number(e, s, spref_options(s->kernel, SPREF_CSPREF), "energy_joules.unit") /
                (t.v[r][1] * base);
    add(&all, t.v[r][1]);
  }
  spref_show(e, &t);
  NOTE("-", NAN, harmonic(&all), NAN, 1.0, "x",
       "energy with C-SPREF over the baseline's, mean of samples");
}

static void registers(spref_experiment *e) {
  static spref_table t;
  t = (spref_table){.file = "4",
                    .title = "Table 4: registers of a thread (needed; fit without fewer warps) and "
                             "KB of the SM unused by them",
                    .columns = 6,
                    .names = {"paper", "paper-fit", "paper-KB", "ours", "ours-fit", "ours-KB"}};
  for (int k = 0; k < SPREF_KERNELS; k++) {
    int s = 0;
    while (s < e->n_samples && (e->samples[s].kernel != k || e->samples[s].input != SPREF_R4)) s++;
    if (s == e->n_samples) continue;
    const spref_kernel *kernel = &spref_kernels[k];
    const cJSON *result = spref_result(e, &e->samples[s], ""), *launch;
    double needed = NAN, warps = NAN;
    cJSON_ArrayForEach(launch, cJSON_GetObjectItem(result, "kernels")) {
      if (!cJSON_IsTrue(cJSON_GetObjectItem(launch, "timed"))) continue;
      needed = cJSON_GetNumberValue(cJSON_GetObjectItem(launch, "registers"));
      warps = cJSON_GetNumberValue(cJSON_GetObjectItem(launch, "ctas_per_sm")) *
              cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(launch, "block"), 0)) /
              32;
    }
    const double spare =
        spref_number(e, &e->samples[s], spref_options(k, SPREF_CSPREF), U "spare_most");
    const int r = spref_row(&t, "%s", kernel->name);
    t.v[r][0] = kernel->needed;
    t.v[r][1] = kernel->fit;
    t.v[r][2] = 128 - kernel->needed * warps * 128 / 1024;
    t.v[r][3] = needed;
    t.v[r][4] = needed + spare;
    t.v[r][5] = 128 - needed * warps * 128 / 1024;
    NOTE("table 4", kernel->fit - kernel->needed, spare, 1, NAN, "", "spare registers, %s",
         kernel->name);
  }
  spref_show(e, &t);
}

/* The paper's spare registers beyond what our code needs, by a larger register file for as many
 * warps. */
static void paper_room(spref_experiment *e) {
  static spref_table t;
  static const spref_variant variants[] = {SPREF_SPREF, SPREF_CSPREF};
  t = (spref_table){.file = "room",
                    .title = "As many spare registers as the paper's kernels have "
                             "(core.registers): IPC over the baseline's",
                    .columns = 6,
                    .names = {"spare", "SPREF", "C-SPREF", "room", "SPREF-room", "C-SPREF-room"}};
  mean own[2] = {{0, 0}, {0, 0}}, roomy[2] = {{0, 0}, {0, 0}};
  for (int k = 0; k < SPREF_KERNELS; k++) {
    int s = 0;
    while (s < e->n_samples && (e->samples[s].kernel != k || e->samples[s].input != SPREF_R4)) s++;
    if (s == e->n_samples) continue;
    const spref_sample *sample = &e->samples[s];
    const int r = spref_row(&t, "%s", spref_kernels[k].name);
    for (int v = 0; v < 2; v++) {
      char with[SPREF_OPTIONS];
      const char *o = spref_options(k, variants[v]);
      snprintf(with, sizeof with, "%s %s", o, spref_kernels[k].roomy ? spref_kernels[k].roomy : "");
      const char *chosen = spref_kernels[k].roomy ? with : o;
      add(&own[v], t.v[r][1 + v] = speedup(e, sample, o));
      add(&roomy[v], t.v[r][4 + v] = speedup(e, sample, chosen));
      t.v[r][0] = spref_number(e, sample, o, U "spare_most");
      t.v[r][3] = spref_number(e, sample, chosen, U "spare_most");
    }
    NOTE("the paper's room", paper_7[SPREF_CSPREF][k], t.v[r][5], NAN, NAN, "x",
         "C-SPREF with %.0f spare registers, %s, R4_2e20", t.v[r][3], spref_kernels[k].name);
  }
  spref_show(e, &t);
  NOTE("the paper's room", paper_7[SPREF_SPREF][SPREF_KERNELS], harmonic(&roomy[0]), NAN, NAN, "x",
       "SPREF with the paper's spare registers, R4_2e20, all");
  NOTE("the paper's room", paper_7[SPREF_CSPREF][SPREF_KERNELS], harmonic(&roomy[1]), NAN, NAN, "x",
       "C-SPREF with the paper's spare registers, R4_2e20, all");
  NOTE("the paper's room", NAN, harmonic(&own[1]), NAN, NAN, "x",
       "C-SPREF with ours, R4_2e20, all");
}

enum { HBFS_NEEDS = 18, HBFS_WARPS = 48 };

static void sweep(spref_experiment *e) {
  static const int spares[] = {0, 1, 2, 4, 6, 10};
  static const spref_variant variants[] = {SPREF_SPREF, SPREF_CSPREF, SPREF_SPREF1C};
  static spref_table t;
  spref_sample s[32];
  const int n = spref_launches(e, SPREF_HBFS, SPREF_R4, MILLION, s, 32);
  t = (spref_table){.file = "spare",
                    .title = "Room for registers, H-BFS on R4_2e20, first launch of a million "
                             "instructions: IPC over the baseline's by spare registers",
                    .columns = 3,
                    .names = {"SPREF", "C-SPREF", "SPREF1-C"}};
  for (size_t i = 0; n && i < sizeof spares / sizeof spares[0]; i++) {
    const int r = spref_row(&t, "%d", spares[i]);
    for (int v = 0; v < 3; v++) {
      char with[SPREF_OPTIONS];
      snprintf(with, sizeof with, "%s --set core.registers=%d --set spref.spare=%d",
               spref_options(SPREF_HBFS, variants[v]),
               32 * HBFS_WARPS * (HBFS_NEEDS + spares[i] + spares[i] % 2), spares[i]);
      t.v[r][v] = speedup(e, s, with);
    }
  }
  spref_show(e, &t);
  NOTE("section 3.3.2", NAN, t.v[3][1] / t.v[2][1], .98, NAN, "x",
       "H-BFS: C-SPREF with four spare registers over two");
}

/* Section 3.5.5: registers, shared memory and L1 share 192 KB. */
static void unified(spref_experiment *e) {
  static spref_table t;
  t = (spref_table){.file = "unified",
                    .title = "Unified storage of 192 KB on R4_2e20: KB of L1 without and with "
                             "spare registers; IPC of SPREF1 over that without",
                    .columns = 3,
                    .names = {"KB", "KB-with", "SPREF1"}};
  mean all = {0, 0};
  for (int i = 0; i < e->n_samples; i++) {
    const spref_sample *s = &e->samples[i];
    const spref_kernel *k = &spref_kernels[s->kernel];
    if (s->input != SPREF_R4 || (k->heavy && !e->full) ||
        (i && e->samples[i - 1].kernel == s->kernel && e->samples[i - 1].input == SPREF_R4))
      continue;
    char without[SPREF_OPTIONS], with[SPREF_OPTIONS];
    snprintf(without, sizeof without, "--set l1.bytes=%u --set l1.ways=%u", 4096 * k->pages[0],
             k->pages[0]);
    snprintf(with, sizeof with, "%s --set l1.bytes=%u --set l1.ways=%u",
             spref_options(s->kernel, SPREF_SPREF1), 4096 * k->pages[1], k->pages[1]);
    const int r = spref_row(&t, "%s", k->name);
    t.v[r][0] = 4 * k->pages[0];
    t.v[r][1] = 4 * k->pages[1];
    add(&all, t.v[r][2] = spref_number(e, s, with, "ipc") / spref_number(e, s, without, "ipc"));
  }
  spref_show(e, &t);
  NOTE("section 3.5.5", 1.06, harmonic(&all), 1.0, NAN, "x",
       "unified storage: SPREF1 over none, %s kernels, R4_2e20", e->full ? "all" : "three");
}

void spref_figures(spref_experiment *e) {
  spref_choose(e);
  performance(e);
  counters(e);
  for (int i = 0; i < SPREF_INPUTS; i++)
    if (i == SPREF_R4 || e->full) launch_by_launch(e, i);
  lsbfs_waits(e);
  distances(e);
  pair_only(e);
  energy(e);
  registers(e);
  paper_room(e);
  sweep(e);
  unified(e);
}
