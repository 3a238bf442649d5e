/* Cycles per kernel of a traced breadth-first search beside those of Accel-Sim on the same trace:
 *   paper_trace WARPFAB FOLDER TRACE CSV
 * runs the trace with --config rtx3070 and leaves FOLDER/trace.{json,dat}. The CSV has a line per
 * kernel, cycles in its second column; each holds LAUNCH cycles of a kernel's launch, which the
 * fabric does not model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_out.h"
#include "tests/papers/paper.h"

enum { MAX_KERNELS = 256, LAUNCH = 5000 };

typedef struct series {
  double theirs[MAX_KERNELS], ours[MAX_KERNELS];
  size_t count;
} series;

static void fail(const char *path, size_t line, const char *expected) {
  fprintf(stderr, "%s:%zu: expected %s\n", path, line, expected);
  exit(2);
}

static void read_theirs(series *s, const char *path) {
  FILE *file = fopen(path, "r");
  char line[1024];
  if (!file || !fgets(line, sizeof line, file)) fail(path, 1, "a line of column names");
  while (s->count < MAX_KERNELS && fgets(line, sizeof line, file)) {
    const char *comma = strchr(line, ',');
    char *end = NULL;
    double cycles = comma ? strtod(comma + 1, &end) : 0;
    if (!comma || end == comma + 1 || cycles <= LAUNCH)
      fail(path, s->count + 2, "KERNEL,CYCLES,..., more than 5000 cycles");
    s->theirs[s->count++] = cycles - LAUNCH;
  }
  fclose(file);
  if (s->count < 2) fail(path, s->count + 2, "at least two kernels");
}

static void read_ours(series *s, const cJSON *result) {
  const cJSON *kernels = cJSON_GetObjectItem(result, "kernels"), *kernel;
  size_t n = 0;
  cJSON_ArrayForEach(kernel, kernels) {
    if (n < s->count) s->ours[n] = cJSON_GetNumberValue(cJSON_GetObjectItem(kernel, "cycles"));
    n++;
  }
  if (n == s->count) return;
  fprintf(stderr, "the run has %zu kernels, the CSV %zu\n", n, s->count);
  exit(2);
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

static bool write_points(const series *s, const char *folder) {
  char path[640];
  wf_error err = {0};
  wf_out_file out;
  snprintf(path, sizeof path, "%s/trace.dat", folder);
  bool ok = wf_out_open(&out, path, &err);
  if (ok) {
    fprintf(out.file, "# kernel Accel-Sim ours (cycles without launch)\n");
    for (size_t i = 0; i < s->count; i++)
      fprintf(out.file, "%zu %.0f %.0f\n", i + 1, s->theirs[i], s->ours[i]);
    ok = wf_out_commit(&out, &err);
  }
  if (!ok) fprintf(stderr, "%s\n", err.text);
  return ok;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: %s WARPFAB FOLDER TRACE CSV\n", argv[0]);
    return 2;
  }
  static series s;
  char runs[512], json[512];
  snprintf(runs, sizeof runs, "%s/runs", argv[2]);
  snprintf(json, sizeof json, "%s/trace.json", argv[2]);
  read_theirs(&s, argv[4]);
  paper_jobs jobs = {.program = argv[1], .folder = runs, .traces = true};
  paper_add(&jobs, "trace-rtx3070", "--trace %s --config rtx3070", argv[3]);
  if (!paper_run(&jobs)) return 1;
  read_ours(&s, jobs.jobs[0].result);
  paper_report report = {0};
  paper_note(&report, "kernels", NAN, correlation(&s), 0.95, 1, "",
             "correlation of cycles, %zu kernels", s.count);
  paper_note(&report, "kernels", NAN, mean_error(&s, 0), NAN, 25, "%",
             "mean absolute error of cycles, without launches");
  paper_note(&report, "kernels", NAN, mean_error(&s, LAUNCH), NAN, NAN, "%",
             "the same, of cycles with launches");
  paper_note(&report, "all", mean(s.theirs, s.count) * (double)s.count,
             mean(s.ours, s.count) * (double)s.count, NAN, NAN, "", "cycles (paper: Accel-Sim)");
  paper_note(&report, "speed", NAN, paper_number(&jobs, 0, "host.warp_instructions_per_second"),
             NAN, NAN, "", "warp instructions per second of the host");
  size_t outside = paper_finish(&report, "Traced BFS on rtx3070 beside Accel-Sim", json);
  paper_free(&jobs);
  return write_points(&s, argv[2]) && !outside ? 0 : 1;
}
