/* Kernels, inputs, variants; which launches are samples; their runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/spref/paper/spref.h"

#define SPLIT                                                                                      \
  "--set l1.bytes=16384 --set l1.ways=4 --set core.shared_bytes=49152" /* kernels with 48 KB of    \
                                                                          shared memory */
#define LARGER "--set l1.bytes=65536 --set l1.ways=8"
#define REGISTERS(N) "--set core.registers=" #N

/* Table 4: registers needed and fitting without fewer warps. Roomy: as many warps as before, and
 * the paper's spare registers beyond what our code needs (18, 16, 28, 26, 30, 26, 24), by even
 * numbers of registers. */
const spref_kernel spref_kernels[SPREF_KERNELS] = {
    [SPREF_HBFS] =
        {"H-BFS", "hbfs", "hbfs_kernel1", "", LARGER, REGISTERS(36864), false, 15, 20, {21, 18}},
    [SPREF_HSSSP] = {"H-SSSP", "hsssp", "hsssp_kernel1", "", LARGER, NULL, false, 17, 20, {24, 21}},
    [SPREF_HMST] = {"H-MST",
                    "hmst",
                    "hmst_find_min_edge_weight",
                    "",
                    LARGER,
                    REGISTERS(40960),
                    true,
                    21,
                    32,
                    {20, 17}},
    [SPREF_LSBFS] = {"LS-BFS",
                     "lsbfs",
                     "lsbfs_drelax",
                     SPLIT,
                     LARGER " --set core.shared_bytes=49152",
                     REGISTERS(40960),
                     true,
                     19,
                     32,
                     {10, 9}},
    [SPREF_LSSSSP] = {"LS-SSSP",
                      "lssssp",
                      "lssssp_drelax",
                      SPLIT,
                      LARGER " --set core.shared_bytes=49152",
                      REGISTERS(40960),
                      true,
                      22,
                      32,
                      {6, 4}},
    [SPREF_LSMST] = {"LS-MST",
                     "lsmst",
                     "lsmst_boruvka_one",
                     "",
                     LARGER,
                     REGISTERS(47104),
                     true,
                     13,
                     32,
                     {22, 20}},
    [SPREF_STCON] =
        {"STCON", "stcon", "stcon_visit", "", LARGER, REGISTERS(34816), false, 23, 32, {24, 22}},
};

const char *const spref_input_names[SPREF_INPUTS] = {"Graph1M", "RMAT20", "R4_2e20"};
/* An eighth of the paper's, for an eighth of its machine. */
const char *const spref_inputs[SPREF_INPUTS] = {
    "random:n=125000,edges=749996", "rmat:scale=17,edges=1032499", "random:n=131072,degree=4"};
#define MACHINE "--config fermi16 --set core.sms=2 --set l2.partitions=1"

const char *const spref_variant_names[SPREF_VARIANTS] = {
    "Stream",  "Stride",   "GHB",       "SPREF1",       "C-SPREF1",     "SPREF",
    "C-SPREF", "SPREF1-C", "Base-64KB", "SPREF1-edges", "C-SPREF-edges"};
#define UNIT(mode) "--unit spref --set spref.mode=" mode
#define EACH_EDGE " --set spref.mhz=0"
static const char *const variant_options[SPREF_VARIANTS] = {
    [SPREF_STREAM] = "--set l1.prefetch=stream",
    [SPREF_STRIDE] = "--set l1.prefetch=stride",
    [SPREF_GHB] = "--set l1.prefetch=ghb",
    [SPREF_SPREF1] = UNIT("spref1"),
    [SPREF_CSPREF1] = UNIT("cspref1"),
    [SPREF_SPREF] = UNIT("spref"),
    [SPREF_CSPREF] = UNIT("cspref"),
    [SPREF_SPREF1C] = UNIT("spref1c"),
    [SPREF_FAST] = UNIT("spref1") EACH_EDGE,
    [SPREF_CFAST] = UNIT("cspref") EACH_EDGE,
};

const char *spref_options(int kernel, spref_variant v) {
  return v == SPREF_64KB ? spref_kernels[kernel].larger : variant_options[v];
}

spref_sample spref_chosen[SPREF_MAX_SAMPLES];
int spref_n;

/* A later setting replaces an earlier one. */
static const cJSON *run(paper *p, int kernel, int input, const char *launches,
                        const char *options) {
  const spref_kernel *k = &spref_kernels[kernel];
  char label[64];
  snprintf(label, sizeof label, "%s-%s-%s", k->app, spref_input_names[input], launches);
  return paper_result(p, label,
                      MACHINE " --app %s --graph %s --set sample.kernel=%s --set "
                              "sample.launches=%s --set probe.loads=1 %s %s",
                      k->app, spref_inputs[input], k->kernel, launches,
                      options == k->larger ? "" : k->options, options);
}

const cJSON *spref_result(paper *p, const spref_sample *s, const char *options) {
  char launch[16];
  snprintf(launch, sizeof launch, "%u", s->launch);
  return run(p, s->kernel, s->input, launch, options);
}

double spref_number(paper *p, const spref_sample *s, const char *options, const char *path) {
  return paper_number(spref_result(p, s, options), path);
}

typedef struct sums {
  double loads, wait;
} sums;

static double field(const cJSON *o, const char *name) {
  return cJSON_GetNumberValue(cJSON_GetObjectItem(o, name));
}

static sums sum_loads(const cJSON *result, const char *role) {
  sums s = {0};
  const cJSON *l;
  cJSON_ArrayForEach(l, cJSON_GetObjectItem(result, "loads")) {
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(l, "role")), role)) continue;
    s.loads += field(l, "loads");
    s.wait += field(l, "loads") * field(l, "wait");
  }
  return s;
}

double spref_loads(paper *p, const spref_sample *s, const char *options, const char *role) {
  const cJSON *result = spref_result(p, s, options);
  return result ? sum_loads(result, role).loads : NAN;
}

double spref_wait(paper *p, const spref_sample *s, const char *options, const char *role) {
  const cJSON *result = spref_result(p, s, options);
  const sums sum = sum_loads(result, role);
  return result && sum.loads > 0 ? sum.wait / sum.loads : NAN;
}

/* ---- which launches ---- */

int spref_launches(paper *p, int kernel, int input, double least, spref_sample *samples, int most) {
  const cJSON *survey = run(p, kernel, input, "none", ""), *k;
  unsigned launch = 0;
  int n = 0;
  cJSON_ArrayForEach(k, cJSON_GetObjectItem(survey, "kernels")) {
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(k, "name")), spref_kernels[kernel].kernel))
      continue;
    launch++;
    const double instructions = field(k, "warp_instructions");
    if (instructions >= least && n < most)
      samples[n++] = (spref_sample){kernel, input, launch, instructions};
  }
  return n;
}

#define ABOUT 0.4 /* of SPREF_LEAST, where no launch has as many */

static int by_size(const void *a, const void *b) {
  const spref_sample *x = a, *y = b;
  if (x->warp_instructions != y->warp_instructions)
    return x->warp_instructions < y->warp_instructions ? -1 : 1;
  return (int)x->launch - (int)y->launch;
}

/* The smallest launch of SPREF_LEAST; if there is none, the largest that is near. */
static void add_sample(paper *p, int kernel, int input) {
  spref_sample found[SPREF_MAX_SAMPLES];
  int n = spref_launches(p, kernel, input, SPREF_LEAST, found, SPREF_MAX_SAMPLES);
  const bool small = n == 0;
  if (small) n = spref_launches(p, kernel, input, SPREF_LEAST * ABOUT, found, SPREF_MAX_SAMPLES);
  qsort(found, (size_t)n, sizeof *found, by_size);
  if (n && spref_n < SPREF_MAX_SAMPLES) spref_chosen[spref_n++] = found[small ? n - 1 : 0];
}

void spref_choose(paper *p) {
  spref_n = 0;
  for (int k = 0; k < SPREF_KERNELS; k++)
    for (int i = 0; i < SPREF_INPUTS; i++)
      if (!spref_kernels[k].heavy || i == SPREF_R4) add_sample(p, k, i);
}
