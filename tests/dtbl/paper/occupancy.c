/* SMX occupancy over time: a line for every BIN cycles, then for each kernel name the warps of its
 * blocks as % of all warp slots. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "tests/dtbl/paper/dtbl.h"

enum { MAX_NAMES = 8 };
static const double BIN = 5000;
#define LIMIT ((uint64_t)1 << 30)

typedef struct picture {
  const char *names[MAX_NAMES];
  size_t n_names, n_bins;
  double *sum; /* n_bins x MAX_NAMES: warp cycles */
} picture;

static double number(const cJSON *o, const char *key) {
  return cJSON_GetNumberValue(cJSON_GetObjectItem(o, key));
}

static size_t name_of(picture *p, const char *name) {
  size_t i = 0;
  while (i < p->n_names && strcmp(p->names[i], name)) i++;
  if (i == p->n_names && i < MAX_NAMES) p->names[p->n_names++] = name;
  return i < MAX_NAMES ? i : MAX_NAMES - 1;
}

static bool is_block(const cJSON *e) {
  const char *category = cJSON_GetStringValue(cJSON_GetObjectItem(e, "cat"));
  return category && !strcmp(category, "block");
}

/* Spreads a block's warps over the bins that it is in. */
static void add(picture *p, const cJSON *e) {
  const size_t name = name_of(p, cJSON_GetStringValue(cJSON_GetObjectItem(e, "name")));
  const double from = number(e, "ts"), to = from + number(e, "dur"),
               warps = number(cJSON_GetObjectItem(e, "args"), "warps");
  for (size_t b = (size_t)(from / BIN); b < p->n_bins && (double)b * BIN < to; b++) {
    const double low = (double)b * BIN, high = low + BIN;
    p->sum[b * MAX_NAMES + name] += warps * ((to < high ? to : high) - (from > low ? from : low));
  }
}

static double last_cycle(const cJSON *events) {
  double last = 0;
  const cJSON *e;
  cJSON_ArrayForEach(e, events) if (is_block(e) && number(e, "ts") + number(e, "dur") > last) last =
      number(e, "ts") + number(e, "dur");
  return last;
}

static void put(const paper *p, const picture *q, double slots, const char *form) {
  char name[64];
  snprintf(name, sizeof name, "occupancy-%s", form);
  FILE *f = paper_data(p, name);
  fputs("cycle", f);
  for (size_t i = 0; i < q->n_names; i++) fprintf(f, " %s", q->names[i]);
  for (size_t b = 0; b < q->n_bins; b++) {
    fprintf(f, "\n%.0f", (double)b * BIN);
    for (size_t i = 0; i < q->n_names; i++) fprintf(f, " %.3f", q->sum[b * MAX_NAMES + i] / slots);
  }
  fputc('\n', f);
  fclose(f);
}

void dtbl_occupancy(const paper *p, const char *timeline, const char *form) {
  wf_error err = {0};
  size_t bytes;
  char *text = wf_file_read(timeline, LIMIT, &bytes, &err);
  cJSON *json = text ? cJSON_Parse(text) : NULL;
  const cJSON *events = cJSON_GetObjectItem(json, "traceEvents"),
              *about = cJSON_GetObjectItem(json, "otherData"), *e;
  if (!cJSON_IsArray(events))
    paper_fail("%s: %s; its run is made anew without build/paper/runs", timeline,
               *err.text ? err.text : "no timeline");
  picture q = {.n_bins = (size_t)(last_cycle(events) / BIN) + 1};
  q.sum = wf_calloc(q.n_bins * MAX_NAMES, sizeof *q.sum);
  cJSON_ArrayForEach(e, events) if (is_block(e)) add(&q, e);
  put(p, &q, number(about, "sms") * number(about, "warps_per_sm") * BIN / 100, form);
  free(q.sum);
  free(text);
  cJSON_Delete(json);
}
