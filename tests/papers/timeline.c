/* Timelines, read. */
#include "tests/papers/timeline.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_file.h"

#define LIMIT ((uint64_t)1 << 30)

double paper_timeline_number(const cJSON *event, const char *key) {
  return cJSON_GetNumberValue(cJSON_GetObjectItem(event, key));
}

bool paper_timeline_block(const cJSON *event) {
  const char *category = cJSON_GetStringValue(cJSON_GetObjectItem(event, "cat"));
  return category && !strcmp(category, "block");
}

paper_timeline paper_timeline_open(const char *path) {
  wf_error err = {0};
  size_t bytes;
  char *text = wf_file_read(path, LIMIT, &bytes, &err);
  paper_timeline t = {.json = text ? cJSON_Parse(text) : NULL};
  const cJSON *about = cJSON_GetObjectItem(t.json, "otherData"), *e;
  t.events = cJSON_GetObjectItem(t.json, "traceEvents");
  if (!cJSON_IsArray(t.events))
    paper_fail("%s: %s; its run is made anew without it", path,
               *err.text ? err.text : "no timeline");
  free(text);
  t.sms = (int)paper_timeline_number(about, "sms");
  t.warps_per_sm = paper_timeline_number(about, "warps_per_sm");
  cJSON_ArrayForEach(e, t.events) {
    if (!paper_timeline_block(e)) continue;
    const double end = paper_timeline_number(e, "ts") + paper_timeline_number(e, "dur");
    if (end > t.last) t.last = end;
  }
  return t;
}

void paper_timeline_close(paper_timeline *t) {
  cJSON_Delete(t->json);
}

void paper_timeline_add(double *sums, size_t n_bins, size_t stride, double bin, double from,
                        double to, double value) {
  for (size_t b = (size_t)(from / bin); b < n_bins && (double)b * bin < to; b++) {
    const double low = (double)b * bin, high = low + bin;
    sums[b * stride] += value * ((to < high ? to : high) - (from > low ? from : low));
  }
}
