/* OpenACC with the cache and fcw directives (chapters 5 and 6): what a directive gives beside plain
 * OpenACC and CUDA by hand on the source's GPU, how it is best built, and whether it still pays on
 * GPUs of today and beside hardware that needs none. Inputs are smaller than the source's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "sim/store/identity.h"
#include "tests/acc/paper/acc.h"

/* What the programs are translated by is no part of warpfab's own program. */
static const char *translator(const paper *p) {
  static char word[64];
  static const char *const parts[] = {"sim/acc/include/wf_acc.cuh", "sim/acc/include/wf_acc.c"};
  if (word[0]) return word;
  uint64_t hash = WF_IDENTITY_START;
  char path[PAPER_PATH];
  paper_built(p, "warpfab-acc", path);
  for (unsigned i = 0; i <= sizeof parts / sizeof *parts; i++) {
    size_t bytes;
    wf_error err;
    char *text = wf_file_read(i ? parts[i - 1] : path, 64u << 20, &bytes, &err);
    if (!text) paper_fail("%s", err.text);
    hash = wf_identity_hash(hash, text, bytes);
    free(text);
  }
  snprintf(word, sizeof word, " -DWARPFAB_ACC=%llx", (unsigned long long)hash);
  return word;
}

const cJSON *acc_of(paper *p, const char *program, const char *options) {
  return paper_result(p, program, "acc " HERE "%s.c%s%s", program, options, translator(p));
}

const cJSON *acc_by_hand(paper *p, const char *program, const char *macros, const char *options) {
  return paper_result(p, program, "--clang %s%s --cuda tests/acc/paper/%s.cu", macros, options,
                      program);
}

double acc_cycles(const cJSON *result) {
  return paper_number(result, "cycles");
}

/* ---- the three programs of chapter 5 ---- */

typedef struct program {
  const char *acc, *cuda, *acc_size, *cuda_size; /* as printf wants a size */
  int sizes[3];                                  /* 0: no more */
} program;
enum { GEMM, NBODY, JACOBI, PROGRAMS };
static const program programs[PROGRAMS] = {
    {"gemm_cache", "gemm", " -DN=%d", "-DSIZE=%d", {128, 256}},
    {"nbody_cache", "nbody", " -DTILE=256 -DBODIES=%d", "-DBODIES=%d", {1024, 2048, 4096}},
    {"jacobi_cache", "jacobi", " -DN=%d", "-DSIZE=%d", {130, 258, 514}}};
static const char *const names[PROGRAMS] = {"GEMM", "N-Body", "Jacobi"};

static const cJSON *of_size(paper *p, int which, int size, const char *options) {
  char text[320];
  const int n = snprintf(text, sizeof text, programs[which].acc_size, size);
  snprintf(text + n, sizeof text - (size_t)n, "%s", options);
  return acc_of(p, programs[which].acc, text);
}

static const cJSON *by_hand(paper *p, int which, int size, const char *options) {
  char text[64];
  snprintf(text, sizeof text, programs[which].cuda_size, size);
  return acc_by_hand(p, programs[which].cuda, text, options);
}

static const char smaller[] = "our inputs are smaller, and the modelled L1 keeps global data";
static const char past[] =
    "the modelled L1 keeps global data, a K20c's does not: tables 5.2-past, 5.3-past";
static const char roomier[] =
    "fixed takes fewer registers in clang: in GEMM 1.47 times, in Jacobi 1.28 times the warps are "
    "resident; GEMM has 4 % more instructions and 22 % fewer cycles";
static const char marks[] =
    "write back keeps a mark an element, since blocks' ranges may overlap; the source's has none";
static const char lighter[] = "in Jacobi a start from shared memory takes fewer registers in clang "
                              "than one that is computed: "
                              "1.28 times the warps are resident, with 1 % fewer instructions";

enum { PLAIN, RBC, RBI, HAND, FORMS };

/* On a machine, given as options; file: the figure's, with what is special. */
static void speedups_of(paper *p, int which, const char *machine, const char *file,
                        double over[FORMS]) {
  paper_table t = {.file = file, .mean = PAPER_HARMONIC};
  const bool past = strstr(machine, "ptx.cg") != NULL;
  t.title = wf_text("%s: speedup over OpenACC without the directive, by size%s", names[which],
                    past ? "; all loads past the L1" : "");
  const int rbc = paper_column(&t, "RBC"), rbi = paper_column(&t, "RBI"),
            hand = paper_column(&t, "CUDA");
  for (int i = 0; i < 3 && programs[which].sizes[i]; i++) {
    const int size = programs[which].sizes[i], row = paper_row(&t, 0, "%d", size);
    char off[96], tested[96];
    snprintf(off, sizeof off, "%s --cache=off", machine);
    snprintf(tested, sizeof tested, "%s --cache=rbc", machine);
    const double plain = acc_cycles(of_size(p, which, size, off));
    t.v[row][rbc] = plain / acc_cycles(of_size(p, which, size, tested));
    t.v[row][rbi] = plain / acc_cycles(of_size(p, which, size, machine));
    t.v[row][hand] = plain / acc_cycles(by_hand(p, which, size, machine));
  }
  paper_show(p, &t);
  over[RBC] = paper_mean_all(&t, rbc);
  over[RBI] = paper_mean_all(&t, rbi);
  over[HAND] = paper_mean_all(&t, hand);
}

static void methods(paper *p) {
  double gemm[FORMS], nbody[FORMS], jacobi[FORMS];
  speedups_of(p, GEMM, K20C, "5.2", gemm);
  speedups_of(p, NBODY, K20C, "5.3", nbody);
  speedups_of(p, JACOBI, K20C, "5.4", jacobi);
  paper_note(p, "figure 5.2", 2.4, gemm[RBI], 1.5, 3.2, "x", "GEMM: RBI over none");
  paper_why(p, past);
  paper_note(p, "figure 5.2", 2.67, gemm[RBI] / gemm[RBC], 1.7, 3.5, "x", "GEMM: RBI over RBC");
  paper_note(p, "figure 5.2", NAN, gemm[HAND] / gemm[RBI], 1, 1.5, "x",
             "GEMM: CUDA over RBI (near)");
  paper_why(p, "subscripts are reckoned from the tile's start at each access: 2.5 times the "
               "instructions of the form by hand");
  paper_note(p, "figure 5.3", 2.0, nbody[RBI], 1.5, 2.5, "x", "N-Body: RBI over none");
  paper_why(p, past);
  paper_note(p, "figure 5.3", 1.09, nbody[HAND] / nbody[RBI], 1.0, 1.2, "x",
             "N-Body: CUDA over RBI");
  paper_note(p, "figure 5.3", 1.0, nbody[RBC], 0.9, 1.1, "x", "N-Body: RBC over none (no gain)");
  paper_note(p, "figure 5.4", 1.045, jacobi[RBI], 1.0, 1.15, "x", "Jacobi: RBI over none");
  paper_note(p, "figure 5.4", NAN, jacobi[RBC], 0.3, 1.0, "x", "Jacobi: RBC over none (below)");
  paper_note(p, "figure 5.4", NAN, jacobi[HAND] / jacobi[RBI], 1.15, NAN, "x",
             "Jacobi: CUDA over RBI (far ahead)");
}

/* What the L1 is worth to the form without the directive: a K20c has none for global data. */
static void without_l1(paper *p) {
  double gemm[FORMS], nbody[FORMS], jacobi[FORMS];
  speedups_of(p, GEMM, PAST_L1, "5.2-past", gemm);
  speedups_of(p, NBODY, PAST_L1, "5.3-past", nbody);
  speedups_of(p, JACOBI, PAST_L1, "5.4-past", jacobi);
}

/* ---- how it is built ---- */

static void ways(paper *p) {
  static const int sizes[PROGRAMS] = {128, 1024, 258};
  paper_table t = {.file = "5.5",
                   .title = "Cycles over those of the defaults (arguments, private), RBI",
                   .mean = PAPER_NO_MEAN};
  static const char *const options[] = {" --width=sync", " --width=fixed",
                                        " --scope=communicating"};
  paper_column(&t, "sync");
  paper_column(&t, "fixed");
  paper_column(&t, "communicating");
  for (int which = 0; which < PROGRAMS; which++) {
    const int row = paper_row(&t, 0, "%s", names[which]);
    const double usual = acc_cycles(of_size(p, which, sizes[which], K20C));
    for (int o = 0; o < 3; o++) {
      char text[64];
      snprintf(text, sizeof text, K20C "%s", options[o]);
      t.v[row][o] = acc_cycles(of_size(p, which, sizes[which], text)) / usual;
    }
  }
  paper_show(p, &t);
  const double fixed = 3 / (1 / t.v[0][1] + 1 / t.v[1][1] + 1 / t.v[2][1]);
  paper_note(p, "figure 5.5", 0.96, fixed, 0.9, 1.0, "x", "fixed over arguments: cycles");
  paper_why(p, roomier);
  paper_note(p, "figure 5.5", 1.03, t.v[GEMM][0], 0.99, 1.1, "x",
             "GEMM: sync over arguments: cycles");
  paper_note(p, "figure 5.5", 1.0, t.v[NBODY][0], 0.98, 1.02, "x",
             "N-Body: sync over arguments: cycles");
  paper_note(p, "figure 5.6", NAN, t.v[GEMM][2], 1.0, 1.47, "x",
             "GEMM: communicating over private: cycles");
  paper_note(p, "figure 5.6", NAN, t.v[JACOBI][2], 1.0, 1.47, "x",
             "Jacobi: communicating over private: cycles");
  paper_why(p, lighter);
}

static const cJSON *of_policy(paper *p, int elements, int turns, bool sparse, const char *way) {
  char text[128];
  snprintf(text, sizeof text, " -DN=%d -DTURNS=%d%s" K20C "%s", elements, turns,
           sparse ? " -DSPARSE" : "", way);
  return acc_of(p, "policy", text);
}

static void policies(paper *p) {
  static const int turns[] = {4, 16, 64, 256};
  paper_table t = {.file = "5.7",
                   .title = "Write through over write back: cycles, by turns",
                   .mean = PAPER_NO_MEAN};
  static const char *const columns[] = {"4K-dense", "4K-sparse", "64K-dense", "64K-sparse"};
  for (int c = 0; c < 4; c++) paper_column(&t, columns[c]);
  for (int i = 0; i < 4; i++) {
    const int row = paper_row(&t, 0, "%d", turns[i]);
    for (int c = 0; c < 4; c++)
      t.v[row][c] =
          acc_cycles(of_policy(p, c < 2 ? 4096 : 65536, turns[i], c & 1, "")) /
          acc_cycles(of_policy(p, c < 2 ? 4096 : 65536, turns[i], c & 1, " --write=back"));
  }
  paper_show(p, &t);
  paper_note(p, "figure 5.7", NAN, t.v[3][0], 1, NAN, "x",
             "4K dense, many turns: through over back");
  paper_note(p, "figure 5.7", NAN, t.v[3][2], 1, NAN, "x",
             "64K dense, many turns: through over back");
  paper_note(p, "figure 5.7", NAN, t.v[0][0], NAN, 1.02, "x",
             "4K dense, few turns: through over back (no slower)");
  paper_why(p, marks);
}

/* ---- chapter 6 ---- */

double acc_with_launches(double kernel_cycles, int launches) {
  enum { CLOCK_MHZ = 706 };
  static const double launch_us = 6.4;
  return kernel_cycles / CLOCK_MHZ + launches * launch_us;
}

#define COLUMNS " -DCOLS=16384 -DROWS=25"
#define TILES " -DTILE=256 -DTILE_LOG=8"

static void pathfinder(paper *p) {
  enum { STEPS = 24 };
  paper_table t = {.file = "6.2",
                   .title = "Pathfinder: speedup over plain OpenACC, of kernels, with launches",
                   .mean = PAPER_NO_MEAN};
  paper_column(&t, "fcw");
  paper_column(&t, "fcw-launches");
  paper_column(&t, "CUDA-over-fcw");
  const double plain = acc_cycles(acc_of(p, "pathfinder_fcw", COLUMNS TILES " -DPLAIN" K20C));
  for (int i = 0; i < 2; i++) {
    const int inner = i ? 12 : 2, row = paper_row(&t, 0, "halo-%d", inner);
    char macros[128], options[160];
    snprintf(macros, sizeof macros, COLUMNS TILES " -DINNER=%d" K20C, inner);
    const double fcw = acc_cycles(acc_of(p, "pathfinder_fcw", macros));
    snprintf(options, sizeof options, "-DINNER=%d", inner);
    const double hand = acc_cycles(acc_by_hand(p, "pathfinder", options, K20C));
    t.v[row][0] = plain / fcw;
    t.v[row][1] = acc_with_launches(plain, STEPS) / acc_with_launches(fcw, STEPS / inner);
    t.v[row][2] = fcw / hand;
  }
  paper_show(p, &t);
  paper_note(p, "figure 6.2", 1.48, t.v[1][0], 1.16, 1.79, "x",
             "Pathfinder, halo 12: fcw, kernels");
  paper_note(p, "figure 6.2", NAN, t.v[0][1], 1.3, NAN, "x",
             "Pathfinder, halo 2: fcw, with launches (1.72 or more)");
  paper_note(p, "figure 6.2", NAN, t.v[1][1], 1.72, 8.5, "x",
             "Pathfinder, halo 12: fcw, with launches");
  paper_note(p, "figure 6.2", 1.075, t.v[1][2], 1.0, 1.15, "x",
             "Pathfinder, halo 12: CUDA over fcw");
}

#define FLOATS " -DN=256 -DREAL=float"

static void fcw(paper *p) {
  paper_table t = {.file = "6.5",
                   .title = "Speedup over plain OpenACC: fcw, CUDA by hand",
                   .mean = PAPER_NO_MEAN};
  paper_column(&t, "fcw");
  paper_column(&t, "CUDA");
  int row = paper_row(&t, 0, "GEMM-256");
  double plain = acc_cycles(acc_of(p, "gemm_cache", FLOATS K20C " --cache=off"));
  t.v[row][0] = plain / acc_cycles(acc_of(p, "gemm_cache", FLOATS " -DFCW" K20C));
  t.v[row][1] = plain / acc_cycles(acc_by_hand(p, "gemm_float", "-DSIZE=256", K20C));
  row = paper_row(&t, 0, "N-Body-2048");
  plain = acc_cycles(acc_of(p, "nbody_cache", " -DTILE=256 -DBODIES=2048" K20C " --cache=off"));
  t.v[row][0] =
      plain / acc_cycles(acc_of(p, "nbody_cache", " -DTILE=256 -DBODIES=2048 -DFCW" K20C));
  t.v[row][1] = plain / acc_cycles(acc_by_hand(p, "nbody", "-DBODIES=2048", K20C));
  paper_show(p, &t);
  paper_note(p, "figure 6.5", 2.03, t.v[0][0], 1.5, 2.6, "x", "GEMM: fcw over OpenACC");
  paper_why(p, smaller);
  paper_note(p, "figure 6.5", 3.11, t.v[0][1], 2.2, 4.0, "x", "GEMM: CUDA over OpenACC");
  paper_why(p, smaller);
  paper_note(p, "figure 6.5", 1.53, t.v[0][1] / t.v[0][0], 1.1, 1.9, "x", "GEMM: CUDA over fcw");
  paper_note(p, "figure 6.4", 1.37, t.v[1][0], 1.1, 1.6, "x", "N-Body: fcw over OpenACC");
  paper_why(p, past);
  paper_note(p, "figure 6.4", 1.06, t.v[1][1] / t.v[1][0], 1.0, 1.15, "x", "N-Body: CUDA over fcw");
}

/* ---- today ---- */

static void today(paper *p) {
  static const int sizes[PROGRAMS] = {256, 2048, 514};
  static const char *const machines[] = {"k20c", "rtx3070", "a100"};
  paper_table t = {.file = "today",
                   .title = "Speedup over plain OpenACC: the directive, the analyser "
                            "(`--cache=auto`) and TELEPORT without one, CUDA by hand",
                   .mean = PAPER_GEOMETRIC};
  paper_column(&t, "directive");
  paper_column(&t, "analyser");
  paper_column(&t, "TELEPORT");
  paper_column(&t, "CUDA");
  for (int m = 0; m < 3; m++)
    for (int which = 0; which < PROGRAMS; which++) {
      const int row = paper_row(&t, 0, "%s-%s", names[which], machines[m]);
      char machine[96], off[128], found[128], unit[256];
      snprintf(machine, sizeof machine, " --config %s%s", machines[m],
               m == 2 ? " --set scale=1/8" : "");
      snprintf(off, sizeof off, "%s --cache=off", machine);
      snprintf(found, sizeof found, "%s --cache=auto", machine);
      snprintf(unit, sizeof unit, "%s --unit teleport --set teleport.relax=1", off);
      const double plain = acc_cycles(of_size(p, which, sizes[which], off));
      t.v[row][0] = plain / acc_cycles(of_size(p, which, sizes[which], machine));
      t.v[row][1] = plain / acc_cycles(of_size(p, which, sizes[which], found));
      t.v[row][2] = plain / acc_cycles(of_size(p, which, sizes[which], unit));
      t.v[row][3] = plain / acc_cycles(by_hand(p, which, sizes[which], machine));
    }
  paper_show(p, &t);
  paper_note(p, "today", NAN, paper_mean_all(&t, 1) / paper_mean_all(&t, 0), 0.85, NAN, "x",
             "the analyser over the directive (most of its gain)");
}

/* ---- another compiler: GCC 12 in Omni's place ---- */

static double compiled(paper *p, const char *program, const char *compiler, const char *macros) {
  return acc_cycles(paper_result(p, program, "acc " HERE "%s.c" K20C " --compiler=%s%s%s", program,
                                 compiler, translator(p), macros));
}

/* Programs that both take; tests/acc/gcc.sh holds what GCC's print against a plain compiler's. */
static void compilers(paper *p) {
  static const char *const both[][3] = {{"gemm", " -DSIZE=16", "GEMM-16"},
                                        {"gemm", " -DPARALLEL -DSIZE=16", "GEMM-16-parallel"},
                                        {"gemm", " -DPARALLEL -DSIZE=128", "GEMM-128-parallel"},
                                        {"vectors", " -DMATRIX", "GEMM-64-one-loop"},
                                        {"vectors", " -DN=65536", "vector-sum"},
                                        {"vectors", " -DTOTAL -DN=65536", "reduction"},
                                        {"auto", "", "auto"},
                                        {"fft", "", "fft"},
                                        {"histogram", "", "histogram"},
                                        {"jacobi", "", "jacobi"},
                                        {"lbm", "", "lbm"},
                                        {"mandelbrot", "", "mandelbrot"},
                                        {"nbody", "", "nbody"},
                                        {"nbody", " -DPARALLEL", "nbody-parallel"},
                                        {"policy", "", "policy"},
                                        {"scan", "", "scan"},
                                        {"spmv", "", "spmv"},
                                        {"stencil", "", "stencil"}};
  paper_table t = {.file = "compilers",
                   .title = "Cycles of kernels on k20c: compiled by us, by GCC 12; GCC over ours",
                   .mean = PAPER_NO_MEAN};
  paper_column(&t, "ours");
  paper_column(&t, "gcc");
  paper_column(&t, "gcc-over-ours");
  for (unsigned i = 0; i < sizeof both / sizeof *both; i++) {
    const int row = paper_row(&t, 0, "%s", both[i][2]);
    t.v[row][0] = compiled(p, both[i][0], "warpfab", both[i][1]);
    t.v[row][1] = compiled(p, both[i][0], "gcc", both[i][1]);
    t.v[row][2] = t.v[row][1] / t.v[row][0];
  }
  paper_show(p, &t);
  paper_note(p, "figure 3.3", NAN, t.v[1][2], 1, NAN, "x",
             "GEMM of 16, parallel: the other compiler over ours (IPMACC first)");
  paper_note(p, "figure 3.3", NAN, t.v[2][2], NAN, 1, "x",
             "GEMM of 128, parallel: the other compiler over ours (Omni first)");
  paper_why(p, "GCC is not Omni: its threads count their way through iterations, in twice as many "
               "instructions");
  paper_note(p, "figure 3.4", NAN, t.v[3][2], 1, NAN, "x",
             "GEMM of 64, one loop: the other compiler over ours (IPMACC first)");
  paper_why(p, "both make the same loop; within 1 %");
  paper_note(p, "figure 3.5", NAN, t.v[4][2], 1, NAN, "x",
             "vector sum: the other compiler over ours (IPMACC first)");
  paper_note(p, "figure 3.6", NAN, t.v[5][2], NAN, 1, "x",
             "reduction: the other compiler over ours (Omni first by far)");
  paper_why(p,
            "our last step is the host's, which is not in the cycles; GCC's gangs take a lock in "
            "turn");
}

static const paper_part parts[] = {
    {"methods", "figures 5.2 to 5.4", methods, false},
    {"past", "figures 5.2 to 5.4 with all loads past the L1", without_l1, false},
    {"ways", "figures 5.5, 5.6", ways, false},
    {"policies", "figure 5.7", policies, false},
    {"fcw", "figures 6.4, 6.5", fcw, false},
    {"pathfinder", "figure 6.2", pathfinder, false},
    {"tile", "figure 4.11", acc_tile, false},
    {"window", "figure 5.1", acc_window, false},
    {"small", "table 5.4", acc_small, false},
    {"hotspot", "figure 6.1", acc_hotspot, false},
    {"dyadic", "figure 6.3", acc_dyadic, false},
    {"vectors", "figure 6.6", acc_vectors, false},
    {"today", "today's GPUs, and TELEPORT", today, false},
    {"compilers", "Beside GCC 12's OpenACC", compilers, true},
    {0}};
const paper_unit paper_this = {"acc", "OpenACC: the cache and fcw directives", parts};
