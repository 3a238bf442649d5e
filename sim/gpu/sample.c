#include "sim/gpu/sample.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

typedef struct range {
  unsigned long first, last;
} range;

struct wf_sample {
  char *kernel;  /* NULL: all */
  range *ranges; /* of the launches that count */
  size_t n_ranges;
  bool all;                 /* no list was given */
  uint64_t least, launches; /* launches: seen of those that count */
  wf_sample_counters counters;
};

static bool read_number(const char **at, unsigned long *value) {
  char *end;
  if (!isdigit((unsigned char)**at)) return false;
  *value = strtoul(*at, &end, 10);
  *at = end;
  return *value > 0 && *value < ULONG_MAX;
}

static bool read_range(const char **at, range *r) {
  if (!read_number(at, &r->first)) return false;
  r->last = r->first;
  if (**at != '-') return true;
  ++*at;
  return read_number(at, &r->last) && r->last >= r->first;
}

static bool read_list(wf_sample *s, const char *text, wf_error *err) {
  s->all = !text;
  if (!text || !strcmp(text, "none")) return true;
  for (const char *at = text;; at++) {
    s->ranges = wf_realloc(s->ranges, s->n_ranges + 1, sizeof *s->ranges);
    if (!read_range(&at, &s->ranges[s->n_ranges++]) || (*at && *at != ','))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "sample.launches=%s: expected none or numbers from 1 on, as in 3,5-7", text);
    if (!*at) return true;
  }
}

bool wf_sample_create(const wf_gpu_settings *set, wf_sample **sample, wf_error *err) {
  *sample = NULL;
  if (!set->sample_kernel && !set->sample_launches && !set->sample_least) return true;
  wf_sample *s = wf_calloc(1, sizeof *s);
  s->kernel = set->sample_kernel ? wf_strdup(set->sample_kernel) : NULL;
  s->least = set->sample_least;
  if (read_list(s, set->sample_launches, err)) return *sample = s, true;
  wf_sample_destroy(s);
  return false;
}

void wf_sample_destroy(wf_sample *s) {
  if (!s) return;
  free(s->kernel);
  free(s->ranges);
  free(s);
}

const char *wf_sample_kernel(const wf_sample *s) {
  return s->kernel;
}
const wf_sample_counters *wf_sample_get(const wf_sample *s) {
  return &s->counters;
}

static bool chosen(wf_sample *s, const char *kernel) {
  if (s->kernel && strcmp(s->kernel, kernel)) return false;
  s->launches++;
  for (size_t i = 0; i < s->n_ranges; i++)
    if (s->launches >= s->ranges[i].first && s->launches <= s->ranges[i].last) return true;
  return s->all;
}

bool wf_sample_launch(wf_sample *s, const ptx_launch *launch, uint32_t shared_bytes, uint64_t used,
                      bool *timed, wf_functional_counts *counts, wf_error *err) {
  *timed = chosen(s, launch->kernel->name);
  *counts = (wf_functional_counts){0};
  uint8_t *before = NULL;
  if (*timed && s->least) before = memcpy(wf_calloc(used + 1, 1), launch->global, used);
  bool ok = true;
  if (!*timed || s->least) {
    ok = wf_functional_run(launch, shared_bytes, counts, err);
    *timed = *timed && counts->warp_instructions >= s->least;
    if (*timed) memcpy(launch->global, before, used);
  }
  free(before);
  s->counters.timed += *timed;
  if (*timed) return ok;
  s->counters.executed++;
  s->counters.warp_instructions += counts->warp_instructions;
  s->counters.thread_instructions += counts->thread_instructions;
  return ok;
}
