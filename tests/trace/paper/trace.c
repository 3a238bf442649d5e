/* Cycles per kernel of a traced breadth-first search beside those of Accel-Sim on the same trace,
 * on
 * --config rtx3070. Accel-Sim's file has a line per kernel, cycles in its second column; each holds
 * LAUNCH cycles of a kernel's launch, which the fabric does not model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/papers/paper.h"

#define TRACE "traces/accelsim-bfs-rodinia-graph4096"
#define THEIRS "traces/accelsim-bfs-rtx3070.csv"
enum { MAX_KERNELS = PAPER_ROWS, LAUNCH = 5000 };

typedef struct series {
  double theirs[MAX_KERNELS], ours[MAX_KERNELS];
  size_t count;
} series;

static void read_theirs(series *s, const char *path) {
  FILE *file = fopen(path, "r");
  char line[1024];
  if (!file || !fgets(line, sizeof line, file))
    paper_fail("%s:%zu: expected a line of column names", path, (size_t)1);
  while (s->count < MAX_KERNELS && fgets(line, sizeof line, file)) {
    const char *comma = strchr(line, ',');
    char *end = NULL;
    double cycles = comma ? strtod(comma + 1, &end) : 0;
    if (!comma || end == comma + 1 || cycles <= LAUNCH)
      paper_fail("%s:%zu: expected KERNEL,CYCLES,..., more than 5000 cycles", path,
                 (size_t)s->count + 2);
    s->theirs[s->count++] = cycles - LAUNCH;
  }
  fclose(file);
  if (s->count < 2) paper_fail("%s: expected at least two kernels", path);
}

static void read_ours(series *s, const cJSON *result) {
  const cJSON *kernels = cJSON_GetObjectItem(result, "kernels"), *kernel;
  size_t n = 0;
  cJSON_ArrayForEach(kernel, kernels) {
    if (n < s->count) s->ours[n] = cJSON_GetNumberValue(cJSON_GetObjectItem(kernel, "cycles"));
    n++;
  }
  if (n == s->count) return;
  paper_fail("the run has %zu kernels, the CSV %zu", n, s->count);
}

static double mean(const double *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  return sum / (double)n;
}

static double correlation(const series *s) {
  double mx = mean(s->ours, s->count), my = mean(s->theirs, s->count), xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < s->count; i++) {
    double x = s->ours[i] - mx, y = s->theirs[i] - my;
    xx += x * x, yy += y * y, xy += x * y;
  }
  return xy / sqrt(xx * yy);
}

static double mean_error(const series *s, double extra) {
  double sum = 0;
  for (size_t i = 0; i < s->count; i++)
    sum += fabs(s->ours[i] - s->theirs[i]) / (s->theirs[i] + extra);
  return 100 * sum / (double)s->count;
}

static void beside(paper *p) {
  char folder[PAPER_PATH], csv[PAPER_PATH];
  if (!paper_shared(p, TRACE, folder) || !paper_shared(p, THEIRS, csv)) {
    printf("SKIPPED: no %s\n", csv);
    exit(0);
  }
  const cJSON *result = paper_result(p, "rtx3070", "--trace %s --config rtx3070", folder);
  if (!paper_reporting(p)) return;
  series s = {0};
  read_theirs(&s, csv);
  read_ours(&s, result);
  paper_table t = {.file = "kernels",
                   .title = "Cycles by kernel, without launches",
                   .columns = 2,
                   .names = {"Accel-Sim", "warpfab"}};
  for (size_t i = 0; i < s.count; i++) {
    const int r = paper_row(&t, 0, "%zu", i + 1);
    t.v[r][0] = s.theirs[i];
    t.v[r][1] = s.ours[i];
  }
  paper_show(p, &t);
  paper_note(p, "kernels", NAN, correlation(&s), 0.95, 1, "", "correlation of cycles, %zu kernels",
             s.count);
  paper_note(p, "kernels", NAN, mean_error(&s, 0), NAN, 25, "%",
             "mean absolute error of cycles, without launches");
  paper_note(p, "kernels", NAN, mean_error(&s, LAUNCH), NAN, NAN, "%",
             "mean absolute error of cycles, with launches");
  paper_note(p, "all", mean(s.theirs, s.count) * (double)s.count,
             mean(s.ours, s.count) * (double)s.count, NAN, NAN, "", "cycles (paper: Accel-Sim)");
}

static const paper_part parts[] = {{"kernels", "cycles by kernel", beside, false}, {0}};
const paper_unit paper_this = {"trace", "Traced BFS on rtx3070 beside Accel-Sim", parts};
