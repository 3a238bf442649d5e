/* SMX occupancy over time, by kernel, from a --timeline file. Usage: timeline_occupancy TIMELINE
 * CYCLES prints a line per so many cycles: cycle, then for each kernel name the warps of its blocks
 * as % of all warp slots. */
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"

enum { MAX_NAMES = 8 };
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
static void add(picture *p, const cJSON *e, double bin) {
  const size_t name = name_of(p, cJSON_GetStringValue(cJSON_GetObjectItem(e, "name")));
  const double from = number(e, "ts"), to = from + number(e, "dur"),
               warps = number(cJSON_GetObjectItem(e, "args"), "warps");
  for (size_t b = (size_t)(from / bin); b < p->n_bins && (double)b * bin < to; b++) {
    const double low = (double)b * bin, high = low + bin;
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

int main(int argc, char **argv) {
  wf_error err = {0};
  size_t bytes;
  const double bin = argc == 3 ? atof(argv[2]) : 0;
  if (bin < 1) return fprintf(stderr, "usage: %s TIMELINE CYCLES\n", argv[0]), 2;
  char *text = wf_file_read(argv[1], LIMIT, &bytes, &err);
  cJSON *json = text ? cJSON_Parse(text) : NULL;
  free(text);
  const cJSON *events = cJSON_GetObjectItem(json, "traceEvents"),
              *about = cJSON_GetObjectItem(json, "otherData"), *e;
  if (!cJSON_IsArray(events))
    return fprintf(stderr, "%s: %s\n", argv[1], *err.text ? err.text : "no timeline"), 2;
  picture p = {.n_bins = (size_t)(last_cycle(events) / bin) + 1};
  p.sum = wf_calloc(p.n_bins * MAX_NAMES, sizeof *p.sum);
  cJSON_ArrayForEach(e, events) if (is_block(e)) add(&p, e, bin);
  const double slots = number(about, "sms") * number(about, "warps_per_sm") * bin / 100;
  printf("cycle");
  for (size_t i = 0; i < p.n_names; i++) printf(" %s", p.names[i]);
  for (size_t b = 0; b < p.n_bins; b++) {
    printf("\n%.0f", (double)b * bin);
    for (size_t i = 0; i < p.n_names; i++) printf(" %.3f", p.sum[b * MAX_NAMES + i] / slots);
  }
  putchar('\n');
  free(p.sum);
  cJSON_Delete(json);
  return 0;
}
