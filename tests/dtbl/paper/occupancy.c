/* SMX occupancy over time: a line for every BIN cycles, then for each kernel name the warps of its
 * blocks as % of all warp slots. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tests/dtbl/paper/dtbl.h"
#include "tests/papers/timeline.h"

enum { MAX_NAMES = 8 };
static const double BIN = 5000;

typedef struct picture {
  const char *names[MAX_NAMES];
  size_t n_names, n_bins;
  double *sum; /* n_bins x MAX_NAMES: warp cycles */
} picture;

static size_t name_of(picture *p, const char *name) {
  size_t i = 0;
  while (i < p->n_names && strcmp(p->names[i], name)) i++;
  if (i == p->n_names && i < MAX_NAMES) p->names[p->n_names++] = name;
  return i < MAX_NAMES ? i : MAX_NAMES - 1;
}

/* Spreads a block's warps over the bins that it is in. */
static void add(picture *p, const cJSON *e) {
  const size_t name = name_of(p, cJSON_GetStringValue(cJSON_GetObjectItem(e, "name")));
  const double from = paper_timeline_number(e, "ts"), to = from + paper_timeline_number(e, "dur");
  paper_timeline_add(p->sum + name, p->n_bins, MAX_NAMES, BIN, from, to,
                     paper_timeline_number(cJSON_GetObjectItem(e, "args"), "warps"));
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
  paper_timeline t = paper_timeline_open(timeline);
  const cJSON *e;
  picture q = {.n_bins = (size_t)(t.last / BIN) + 1};
  q.sum = wf_calloc(q.n_bins * MAX_NAMES, sizeof *q.sum);
  cJSON_ArrayForEach(e, t.events) if (paper_timeline_block(e)) add(&q, e);
  put(p, &q, t.sms * t.warps_per_sm * BIN / 100, form);
  free(q.sum);
  paper_timeline_close(&t);
}
