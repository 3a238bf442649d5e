/* Shared memory's banks (4.11), the first example (5.1), a smaller GPU (table 5.4), and programs of
 * chapter 6 besides Pathfinder, GEMM and N-Body. */
#include <math.h>
#include <stdio.h>

#include "tests/acc/paper/acc.h"

/* ---- listing 4.2 ---- */

/* What tile.cu's WAY says. */
enum { PADDED = 1, XY = 2, DOUBLE = 4, FLAT = 8, TURNS = 16 };

static double of_tile(paper *p, int way) {
  char text[32];
  snprintf(text, sizeof text, "-DWAY=%d", way);
  return acc_cycles(acc_by_hand(p, "tile", text, K20C));
}

void acc_tile(paper *p) {
  static const int turns[] = {1, 2, 4};
  static const double paper_gains[] = {23, 37, 55};
  paper_table t = {.file = "4.11",
                   .title = "Listing 4.2, cycles: threads' x along columns (XY) or rows (YX) of a "
                            "tile of 16 x 16, rows padded by one element or not",
                   .mean = PAPER_NO_MEAN};
  static const char *const columns[] = {"XY", "XY-padded", "YX", "YX-padded"};
  static const int ways[] = {XY, XY | PADDED, 0, PADDED};
  for (int c = 0; c < 4; c++) paper_column(&t, columns[c]);
  for (int type = 0; type < 2; type++)
    for (int i = 0; i < 3; i++) {
      const int row = paper_row(&t, 0, "%s-%d", type ? "double" : "int", turns[i]);
      for (int c = 0; c < 4; c++)
        t.v[row][c] = of_tile(p, turns[i] * TURNS | ways[c] | (type ? DOUBLE : 0));
    }
  paper_show(p, &t);
  for (int i = 0; i < 3; i++)
    paper_note(p, "figure 4.11", paper_gains[i], 100 - 100 * t.v[i][1] / t.v[i][0],
               paper_gains[i] - 15, paper_gains[i] + 15, "%",
               "XY, int, %d turns: padding saves of the cycles", turns[i]);
  paper_note(p, "figure 4.11", 57, 100 - 100 * t.v[5][1] / t.v[5][0], 42, 72, "%",
             "XY, double, 4 turns: padding saves of the cycles");
  paper_note(p, "figure 4.11", 8, 100 - 100 * t.v[2][3] / t.v[2][1], 2, 15, "%",
             "padded, int, 4 turns: YX saves of XY's cycles");
  paper_note(p, "figure 4.11", NAN, t.v[5][3] / t.v[2][3], 0.9, 1.3, "x",
             "padded, YX: double over int (modest)");
  paper_note(p, "figure 4.11", 1, of_tile(p, 4 * TURNS | FLAT) / t.v[2][2], 0.95, 1.05, "x",
             "an array of one dimension over one of two (minor)");
}

/* ---- listing 5.1 ---- */

void acc_window(paper *p) {
  static const int sizes[] = {1024, 4096, 16384};
  static const char *const machines[] = {K20C, PAST_L1};
  paper_table t = {.file = "5.1",
                   .title = "Listing 5.1, radius 30: speedup over plain OpenACC, a copy a thread "
                            "(naive), one a block; past the L1",
                   .mean = PAPER_HARMONIC};
  static const char *const columns[] = {"naive", "optimized", "naive-past", "optimized-past"};
  for (int c = 0; c < 4; c++) paper_column(&t, columns[c]);
  for (int i = 0; i < 3; i++) {
    const int row = paper_row(&t, 0, "%d", sizes[i]);
    for (int m = 0; m < 2; m++) {
      static const char *const ways[] = {" --cache=off", " --share=thread", ""};
      double c[3];
      for (int w = 0; w < 3; w++) {
        char text[128];
        snprintf(text, sizeof text, " -DN=%d%s%s", sizes[i], machines[m], ways[w]);
        c[w] = acc_cycles(acc_of(p, "window_cache", text));
      }
      for (int w = 1; w < 3; w++) t.v[row][2 * m + w - 1] = c[0] / c[w];
    }
  }
  paper_show(p, &t);
  paper_note(p, "figure 5.1", NAN, paper_mean_all(&t, 0), NAN, 1.1, "x",
             "naive over none (hardly gains)");
  paper_note(p, "figure 5.1", NAN, paper_mean_all(&t, 1) / paper_mean_all(&t, 0), 1.1, NAN, "x",
             "optimized over naive");
  paper_note(p, "figure 5.1", NAN, paper_mean_all(&t, 3), 1.1, NAN, "x",
             "optimized over none, past the L1");
}

/* ---- table 5.4: a K600 has one SM of this kind ---- */

#define ONE_SM " --set scale=1/13"

static const char busy[] =
    "one SM has all blocks, and issues or waits for its pipes in 91 % of the directive's cycles, "
    "of "
    "which k20c's SMs wait for memory in half: 2.3 times the instructions cost more there";

void acc_small(paper *p) {
  static const struct {
    const char *program, *size, *name;
    double paper;
  } list[] = {{"gemm_cache", " -DN=128", "GEMM", 255.1 / 238.0},
              {"nbody_cache", " -DTILE=256 -DBODIES=1024", "N-Body", 211.4 / 198.0},
              {"jacobi_cache", " -DN=130", "Jacobi", 102.5 / 106.4}};
  paper_table t = {.file = "5.4-small",
                   .title = "RBI over none on k20c and on one of its SMs with its share of DRAM",
                   .mean = PAPER_NO_MEAN};
  static const char *const machines[] = {K20C, K20C ONE_SM};
  paper_column(&t, "k20c");
  paper_column(&t, "one-SM");
  for (int i = 0; i < 3; i++) {
    const int row = paper_row(&t, 0, "%s", list[i].name);
    for (int m = 0; m < 2; m++) {
      char off[128], on[128];
      snprintf(off, sizeof off, "%s%s --cache=off", list[i].size, machines[m]);
      snprintf(on, sizeof on, "%s%s", list[i].size, machines[m]);
      t.v[row][m] =
          acc_cycles(acc_of(p, list[i].program, off)) / acc_cycles(acc_of(p, list[i].program, on));
    }
  }
  paper_show(p, &t);
  for (int i = 0; i < 3; i++)
    paper_note(p, "table 5.4", list[i].paper, t.v[i][1] / t.v[i][0], list[i].paper - 0.2,
               list[i].paper + 0.2, "x", "%s: gain on the small GPU (K600) over K20c's",
               list[i].name);
  paper_why(p, busy);
}

/* ---- chapter 6 ---- */

enum { HEAT_STEPS = 12 };

static double of_hotspot(paper *p, int size, int inner, const char *more) {
  char text[160];
  snprintf(text, sizeof text, " -DSTEPS=%d -DN=%d -DINNER=%d%s" PAST_L1, HEAT_STEPS, size, inner,
           more);
  return acc_cycles(acc_of(p, "hotspot_fcw", text));
}

void acc_hotspot(paper *p) {
  static const int sizes[] = {64, 128, 256};
  paper_table t = {.file = "6.1",
                   .title = "Hotspot, past the L1: speedup over plain OpenACC of kernels, with "
                            "launches; by steps a launch (halo)",
                   .mean = PAPER_NO_MEAN};
  static const char *const columns[] = {"fcw", "fcw-launches", "CUDA", "CUDA-launches"};
  double v[2][3][4];
  for (int c = 0; c < 4; c++) paper_column(&t, columns[c]);
  for (int halo = 1; halo <= 2; halo++)
    for (int i = 0; i < 3; i++) {
      char macros[32];
      const int row = paper_row(&t, 0, "halo-%d-%d", halo, sizes[i]);
      const double plain = of_hotspot(p, sizes[i], 1, " -DPLAIN");
      const double all = acc_with_launches(plain, HEAT_STEPS);
      snprintf(macros, sizeof macros, "-DSIZE=%d", sizes[i]);
      const double c[2] = {
          of_hotspot(p, sizes[i], halo, ""),
          acc_cycles(acc_by_hand(p, halo == 1 ? "hotspot_one" : "hotspot", macros, PAST_L1))};
      for (int k = 0; k < 2; k++) {
        v[halo - 1][i][2 * k] = plain / c[k];
        v[halo - 1][i][2 * k + 1] = all / acc_with_launches(c[k], HEAT_STEPS / halo);
      }
      for (int k = 0; k < 4; k++) t.v[row][k] = v[halo - 1][i][k];
    }
  paper_show(p, &t);
  paper_note(p, "figure 6.1", NAN, v[0][1][0], NAN, 1, "x", "128, halo 1: fcw, kernels (slower)");
  paper_note(p, "figure 6.1", NAN, v[0][2][0], NAN, 1, "x", "256, halo 1: fcw, kernels (slower)");
  paper_note(p, "figure 6.1", 1.21, v[1][1][0], 1, 1.4, "x", "128, halo 2: fcw, kernels");
  paper_note(p, "figure 6.1", 1.58, v[1][1][1], 1.3, 1.8, "x", "128, halo 2: fcw, with launches");
  paper_note(p, "figure 6.1", NAN, v[1][2][1] / v[1][1][1], NAN, 1, "x",
             "halo 2, with launches: gain at 256 over that at 128 (falls)");
  paper_note(p, "figure 6.1", NAN, v[1][1][3] / v[1][1][1], 1, 2.06, "x",
             "128, halo 2: CUDA over fcw, with launches");
}

static const char direct[] = "plain OpenACC's reads hit the modelled L1, which a K20c's global "
                             "reads do not have; past it fcw "
                             "is 6.3 times as fast: the source's GPU lies between";
static const char radix[] =
    "its blocks hold 256 elements and take two at a time, the hand-written ones 2,048 and four";

void acc_dyadic(paper *p) {
  static const int logs[] = {13, 15, 16};
  paper_table t = {.file = "6.3",
                   .title = "Dyadic convolution: speedup over plain OpenACC, which computes it "
                            "directly; and past the L1",
                   .mean = PAPER_NO_MEAN};
  static const char *const columns[] = {"fcw", "CUDA", "fcw-past", "CUDA-past"};
  static const char *const machines[] = {K20C, PAST_L1};
  for (int c = 0; c < 4; c++) paper_column(&t, columns[c]);
  for (int i = 0; i < 3; i++) {
    const int row = paper_row(&t, 0, "2^%d", logs[i]);
    for (int m = 0; m < 2; m++) {
      char plain[96], fcw[96], macros[32];
      snprintf(plain, sizeof plain, " -DLOG=%d -DPLAIN%s", logs[i], machines[m]);
      snprintf(fcw, sizeof fcw, " -DLOG=%d%s", logs[i], machines[m]);
      snprintf(macros, sizeof macros, "-DLOG=%d", logs[i]);
      const double all = acc_cycles(acc_of(p, "dyadic_fcw", plain));
      t.v[row][2 * m] = all / acc_cycles(acc_of(p, "dyadic_fcw", fcw));
      t.v[row][2 * m + 1] = all / acc_cycles(acc_by_hand(p, "dyadic", macros, machines[m]));
    }
  }
  paper_show(p, &t);
  paper_note(p, "figure 6.3", 1.77, t.v[2][0], 1.34, 1.9, "x", "fcw over plain OpenACC");
  paper_why(p, direct);
  paper_note(p, "figure 3.1", 1.82, t.v[2][1], 1.4, 2.2, "x", "dyadic: CUDA over plain OpenACC");
  paper_why(p, direct);
  paper_note(p, "figure 6.3", NAN, t.v[2][1] / t.v[2][0], 0.9, 1.5, "x",
             "CUDA over fcw (comparable)");
  paper_why(p, radix);
}

static const char larger[] = "at 128 x 128 all 25 blocks of 1,024 threads are resident at once, "
                             "and fewer points are computed "
                             "twice";

void acc_vectors(paper *p) {
  static const int rows[] = {64, 128, 256, 512}, squares[] = {8, 16, 32};
  paper_table t = {
      .file = "6.6", .title = "Cycles over those of the usual vector size", .mean = PAPER_NO_MEAN};
  double path[4], heat[3];
  paper_column(&t, "cycles");
  for (int i = 0; i < 4; i++) {
    char text[128];
    snprintf(text, sizeof text, " -DCOLS=16384 -DROWS=25 -DTILE=%d -DTILE_LOG=%d -DINNER=12" K20C,
             rows[i], 6 + i);
    path[i] = acc_cycles(acc_of(p, "pathfinder_fcw", text));
  }
  for (int i = 0; i < 3; i++) {
    char text[64];
    snprintf(text, sizeof text, " -DTILE=%d", squares[i]);
    heat[i] = of_hotspot(p, 128, 2, squares[i] == 16 ? "" : text);
  }
  for (int i = 0; i < 4; i++)
    t.v[paper_row(&t, 0, "Pathfinder-%d", rows[i])][0] = path[i] / path[2];
  for (int i = 0; i < 3; i++)
    t.v[paper_row(&t, 0, "Hotspot-%dx%d", squares[i], squares[i])][0] = heat[i] / heat[1];
  paper_show(p, &t);
  paper_note(p, "figure 6.6", NAN, path[0] / path[2], 1.1, NAN, "x",
             "Pathfinder: vectors of 64 over 256: cycles (poor)");
  paper_note(p, "figure 6.6", NAN, path[3] / path[2], 1, 1.2, "x",
             "Pathfinder: vectors of 512 over 256: cycles (slight loss)");
  paper_note(p, "figure 6.6", NAN, heat[0] / heat[1], 1.1, NAN, "x",
             "Hotspot: 8 x 8 over 16 x 16: cycles (poor)");
  paper_note(p, "figure 6.6", NAN, heat[2] / heat[1], 1, NAN, "x",
             "Hotspot: 32 x 32 over 16 x 16: cycles (loss)");
  paper_why(p, larger);
}
