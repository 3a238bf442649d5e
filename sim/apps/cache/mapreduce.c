/* Map over lines and group by key; see mapreduce.h. */
#include "sim/apps/cache/mapreduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, MARKED = 16, PADDING = 2 * MARKED };
/* Bytes that a thread marks at once; their marks are read by words. */

uint32_t wf_text_spell(uint32_t number, char *to, uint32_t room) {
  wf_rng rng;
  wf_rng_seed(&rng, number);
  uint32_t size = 2 + (uint32_t)wf_rng_below(&rng, 11);
  if (size > room) size = room;
  for (uint32_t i = 0; i < size; i++) to[i] = (char)('a' + wf_rng_below(&rng, 26));
  return size;
}

enum { PLAIN };
static const char *const forms[] = {"plain", "marks", "far"};
typedef struct settings {
  uint32_t bytes, line, form;
} settings;
const wf_parameter wf_text_options[] = {
    WF_APP_NUMBER(settings, bytes, 2, 1 << 28, 1572864, "bytes of text"),
    WF_APP_NUMBER(settings, line, 4, 8192, 64, "mean bytes of a line, one per thread"),
    WF_APP_CHOICE(settings, form, forms, 0,
                  "plain: byte by byte, as in Mars; marks: a bit for each delimiter first, keys by "
                  "words; far: the same, keys past the L1"),
    {0}};

bool wf_text_make(const wf_app_run *run, wf_suite_host *host, wf_text_word word, wf_text *t,
                  wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, wf_text_options, &s, err)) return false;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  *t = (wf_text){.form = s.form, .bytes = wf_suite_array(host, s.bytes + PADDING, 1)};
  t->lines = wf_suite_array(host, 2ull * s.bytes / s.line + 2, sizeof *t->lines);
  while (t->n_bytes < s.bytes) {
    uint32_t size = s.line / 2 + (uint32_t)wf_rng_below(&rng, s.line) + 1, used = 0;
    if (size > s.bytes - t->n_bytes - 1) size = s.bytes - t->n_bytes - 1;
    char *line = t->bytes + t->n_bytes;
    while (used < size) {
      used += word(&rng, line + used, size - used);
      if (used < size) line[used++] = ' ';
    }
    line[size] = '\n';
    t->lines[t->n_lines++] = (wf_span){t->n_bytes, size};
    t->n_bytes += size + 1;
  }
  return true;
}

/* ---- reference ---- */

typedef struct keyed {
  const char *text;
  uint32_t size, index;
} keyed;

static int compare_keys(const void *left, const void *right) {
  const keyed *a = left, *b = right;
  int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);
  return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* occurrences[i]: keys with the text of key i. Returns distinct texts. */
static uint32_t count_alike(wf_suite_host *host, const wf_text *text, const wf_span *keys,
                            uint32_t n, uint32_t *occurrences) {
  keyed *sorted = wf_suite_array(host, n, sizeof *sorted);
  for (uint32_t i = 0; i < n; i++)
    sorted[i] = (keyed){text->bytes + keys[i].start, keys[i].size, i};
  qsort(sorted, n, sizeof *sorted, compare_keys);
  uint32_t distinct = 0;
  for (uint32_t i = 0, end; i < n; i = end, distinct++) {
    for (end = i + 1; end < n && compare_keys(&sorted[i], &sorted[end]) == 0;) end++;
    for (uint32_t k = i; k < end; k++) occurrences[sorted[k].index] = end - i;
  }
  return distinct;
}

/* ---- device ---- */

typedef struct job {
  wf_app_run *run;
  wf_suite_host *host;
  const wf_text *text;
  uint32_t n_keys;
  uint64_t bytes, marks, lines, keys;
} job;

static bool launch(const job *j, const char *name, const char *phase, uint32_t threads,
                   const void *const *params, unsigned n_params, wf_error *err) {
  char kernel[64];
  snprintf(kernel, sizeof kernel, "%s_%s", name, phase);
  return wf_suite_launch(j->run, kernel, wf_suite_line(threads, BLOCK), params, n_params, err);
}

/* A thread per line: of the text, of its marks if there are, and of `more`. */
static bool over_lines(const job *j, const char *name, const char *phase, const void *const *more,
                       unsigned n_more, wf_error *err) {
  const void *params[8] = {&j->bytes, &j->marks};
  char of_marks[32];
  const unsigned n = j->text->form == PLAIN ? 1 : 2;
  memcpy(params + n, more, n_more * sizeof *more);
  snprintf(of_marks, sizeof of_marks, "%s%s", phase, n == 1 ? "" : "_marks");
  return launch(j, name, of_marks, j->text->n_lines, params, n + n_more, err);
}

static bool upload_text(job *j, const char *name, wf_error *err) {
  const wf_text *t = j->text;
  if (t->form == PLAIN)
    return (j->bytes = wf_app_upload(j->run->gpu, t->bytes, t->n_bytes, "text", err));
  const uint32_t n = (t->n_bytes + PADDING - 1) / PADDING * (PADDING / MARKED);
  return (j->bytes = wf_app_upload(j->run->gpu, t->bytes, n * MARKED, "text", err)) &&
         (j->marks = wf_app_reserve(j->run->gpu, 0, n * 2ull, "marks", err)) &&
         launch(j, name, "set_marks", n, (const void *const[]){&j->bytes, &j->marks, &n}, 3, err);
}

/* Two passes, as in Mars: how many keys a line has, then, with a place for each, the keys. The sums
 * between are the host's here. */
static bool map(job *j, const char *name, wf_find_keys find, const wf_span **keys, wf_error *err) {
  const wf_text *t = j->text;
  wf_gpu *gpu = j->run->gpu;
  uint32_t *counts = wf_suite_array(j->host, t->n_lines, 4),
           *first = wf_suite_array(j->host, t->n_lines, 4);
  for (uint32_t l = 0; l < t->n_lines; l++) {
    counts[l] = find(t, t->lines[l], NULL);
    first[l] = j->n_keys;
    j->n_keys += counts[l];
  }
  wf_span *expected = wf_suite_array(j->host, j->n_keys, sizeof *expected);
  for (uint32_t l = 0; l < t->n_lines; l++) find(t, t->lines[l], expected + first[l]);
  *keys = expected;
  uint64_t device_counts, device_first;
  if (!upload_text(j, name, err) ||
      !(j->lines = wf_app_upload(gpu, t->lines, t->n_lines * sizeof *t->lines, "lines", err)) ||
      !(device_counts = wf_app_reserve(gpu, 0, t->n_lines * 4ull, "counts", err)) ||
      !over_lines(j, name, "count", (const void *const[]){&j->lines, &device_counts, &t->n_lines},
                  3, err) ||
      !wf_suite_check_u32(j->run, j->host, "keys of line", device_counts, counts, t->n_lines, NULL,
                          err))
    return false;
  return (device_first = wf_app_upload(gpu, first, t->n_lines * 4ull, "first", err)) &&
         (j->keys = wf_app_reserve(gpu, 0, j->n_keys * sizeof(wf_span), "keys", err)) &&
         over_lines(j, name, "map",
                    (const void *const[]){&j->lines, &device_first, &j->keys, &t->n_lines}, 4,
                    err) &&
         wf_suite_check_u32(j->run, j->host, "key start or size", j->keys,
                            (const uint32_t *)expected, 2ull * j->n_keys, NULL, err);
}

/* Which slot a text gets depends on the order of warps; how often it occurs does not. */
static bool check_groups(job *j, uint64_t counts, uint64_t group_of, uint32_t slots,
                         uint32_t distinct, const uint32_t *expected, wf_error *err) {
  uint32_t *got_counts = wf_suite_array(j->host, slots, 4),
           *of = wf_suite_array(j->host, j->n_keys, 4),
           *got = wf_suite_array(j->host, j->n_keys, 4);
  if (!wf_gpu_read(j->run->gpu, got_counts, counts, slots * 4ull, err) ||
      !wf_gpu_read(j->run->gpu, of, group_of, j->n_keys * 4ull, err))
    return false;
  uint32_t used = 0;
  for (uint32_t s = 0; s < slots; s++) used += got_counts[s] > 0;
  for (uint32_t i = 0; i < j->n_keys; i++) got[i] = of[i] < slots ? got_counts[of[i]] : 0;
  wf_app_compare_u32(j->run, "occurrences of key", got, expected, j->n_keys);
  wf_app_compare_u64(j->run, "distinct keys", used, distinct);
  wf_app_report(j->run, "keys", j->n_keys);
  wf_app_report(j->run, "distinct", distinct);
  return true;
}

static bool group(job *j, const char *name, const wf_span *keys, wf_error *err) {
  static const char *const groups[] = {"group", "group_marks", "group_far"};
  uint32_t *expected = wf_suite_array(j->host, j->n_keys, 4);
  uint32_t distinct = count_alike(j->host, j->text, keys, j->n_keys, expected), slots = 64;
  while (slots < distinct + distinct / 2) slots *= 2; /* a third at least stays free */
  uint32_t mask = slots - 1;
  uint64_t owners, counts, group_of;
  return (owners = wf_app_reserve(j->run->gpu, 0, slots * 4ull, "owners", err)) &&
         (counts = wf_app_reserve(j->run->gpu, 0, slots * 4ull, "counts", err)) &&
         (group_of = wf_app_reserve(j->run->gpu, 0xff, j->n_keys * 4ull, "groups", err)) &&
         launch(j, name, groups[j->text->form], j->n_keys,
                (const void *const[]){&j->bytes, &j->keys, &owners, &counts, &group_of, &mask,
                                      &j->n_keys},
                7, err) &&
         check_groups(j, counts, group_of, slots, distinct, expected, err);
}

bool wf_mapreduce(wf_app_run *run, wf_suite_host *host, const char *name, const wf_text *text,
                  wf_find_keys find, wf_error *err) {
  job j = {.run = run, .host = host, .text = text};
  const wf_span *keys;
  return map(&j, name, find, &keys, err) && (!j.n_keys || group(&j, name, keys, err));
}
