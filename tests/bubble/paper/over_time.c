/* SMs over time, after figures 32, 33 and 35: from the counters of a timeline, means over a sample.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tests/bubble/paper/bubble.h"
#include "tests/papers/timeline.h"

enum { PID_GPU = 3, PID_SM = 10 }; /* sim/report/timeline.h */
static const double BIN = 500;

/* A counter: its sums over bins, and what it was last. */
typedef struct counter {
  double since, value, *sums;
} counter;

typedef struct picture {
  size_t n_bins;
  int sms;
  counter *warps, *voltage; /* of each SM */
  counter watts;
} picture;

static counter begin(const picture *q, double value) {
  return (counter){.value = value, .sums = wf_calloc(q->n_bins, sizeof(double))};
}

static void change(const picture *q, counter *c, double now, double value) {
  paper_timeline_add(c->sums, q->n_bins, 1, BIN, c->since, now, c->value);
  c->since = now;
  c->value = value;
}

static counter *counter_of(picture *q, const char *name, int pid) {
  const int sm = pid - PID_SM;
  if (pid == PID_GPU && !strcmp(name, "watts")) return &q->watts;
  if (sm < 0 || sm >= q->sms) return NULL;
  return !strcmp(name, "warps") ? &q->warps[sm] : !strcmp(name, "voltage") ? &q->voltage[sm] : NULL;
}

static void read_counters(picture *q, const paper_timeline *t) {
  const cJSON *e;
  cJSON_ArrayForEach(e, t->events) {
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(e, "name"));
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(e, "ph")), "C") != 0) continue;
    counter *c = counter_of(q, name, (int)paper_timeline_number(e, "pid"));
    if (c)
      change(q, c, paper_timeline_number(e, "ts"),
             paper_timeline_number(cJSON_GetObjectItem(e, "args"), name));
  }
  change(q, &q->watts, t->last, 0);
  for (int s = 0; s < q->sms; s++) {
    change(q, &q->warps[s], t->last, 0);
    change(q, &q->voltage[s], t->last, 0);
  }
}

/* Cycles of a bin: the last one is cut off. */
static double cycles_of(const paper_timeline *t, size_t bin) {
  const double left = t->last - (double)bin * BIN;
  return left < BIN ? left : BIN;
}

/* In percent of its slots; LOW: it was at the lower voltage for half of the bin. */
enum { LOW = -10 };
static double percent(const picture *q, const paper_timeline *t, int sm, size_t bin) {
  return 100 * q->warps[sm].sums[bin] / (cycles_of(t, bin) * t->warps_per_sm);
}
static int shown(const picture *q, const paper_timeline *t, int sm, size_t bin) {
  const bool low = q->voltage[sm].sums[bin] / cycles_of(t, bin) < 0.775;
  return low ? LOW : (int)(percent(q, t, sm, bin) + 0.5);
}

/* A line for bins in a row that look the same; none for those that are empty. */
static void put_sm(FILE *f, const picture *q, const paper_timeline *t, int sm) {
  for (size_t b = 0, begin = 0; b < q->n_bins; b++) {
    const int value = shown(q, t, sm, b);
    if (b + 1 < q->n_bins && shown(q, t, sm, b + 1) == value) continue;
    if (value)
      fprintf(f, "%.0f %.0f %d %d\n", (double)begin * BIN, (double)(b + 1) * BIN, sm, value);
    begin = b + 1;
  }
}

static void put_sms(const paper *p, const picture *q, const paper_timeline *t, const char *name) {
  char file[64];
  snprintf(file, sizeof file, "over-time-%s", name);
  FILE *f = paper_data(p, file);
  fprintf(f, "# from to SM occupancy%%, or %d: at the lower voltage\n", LOW);
  for (int s = 0; s < q->sms; s++) put_sm(f, q, t, s);
  fclose(f);
}

static double variance_of(const picture *q, const paper_timeline *t) {
  double sum = 0, squares = 0;
  for (int s = 0; s < q->sms; s++)
    for (size_t b = 0; b < q->n_bins; b++) {
      const double v = percent(q, t, s, b);
      sum += v;
      squares += v * v;
    }
  const double n = (double)q->n_bins * q->sms, mean = sum / n;
  return squares / n - mean * mean;
}

static void put_power(const paper *p, const picture *q, const paper_timeline *t, const char *name) {
  char file[64];
  snprintf(file, sizeof file, "power-%s", name);
  FILE *f = paper_data(p, file);
  fputs("# cycle watts\n", f);
  for (size_t b = 0; b < q->n_bins; b++)
    fprintf(f, "%.0f %.3f\n", (double)b * BIN, q->watts.sums[b] / cycles_of(t, b));
  fclose(f);
}

double bubble_over_time(const paper *p, const char *timeline, const char *name) {
  paper_timeline t = paper_timeline_open(timeline);
  picture q = {.n_bins = (size_t)((t.last + BIN - 1) / BIN), .sms = t.sms};
  q.watts = begin(&q, 0);
  q.warps = wf_calloc((size_t)q.sms, sizeof *q.warps);
  q.voltage = wf_calloc((size_t)q.sms, sizeof *q.voltage);
  for (int s = 0; s < q.sms; s++) {
    q.warps[s] = begin(&q, 0);
    q.voltage[s] = begin(&q, 1);
  }
  read_counters(&q, &t);
  const double variance = variance_of(&q, &t);
  put_sms(p, &q, &t, name);
  put_power(p, &q, &t, name);
  for (int s = 0; s < q.sms; s++) {
    free(q.warps[s].sums);
    free(q.voltage[s].sums);
  }
  free(q.warps);
  free(q.voltage);
  free(q.watts.sums);
  paper_timeline_close(&t);
  return variance;
}
