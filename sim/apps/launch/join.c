/* Relational join, in the forms of launch_app.h. */
#include <stdlib.h>
#include <string.h>

#include "sim/apps/launch/launch_app.h"

enum { BLOCK = 128, DRAWS = 8 };

static const char *const spreads[] = {"uniform", "gaussian"};
typedef struct settings {
  wf_launch_form form; /* first: its rows are shared */
  uint32_t left, right, keys, spread;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, left, 1, 1 << 22, 24576, "tuples of the first relation"),
    WF_APP_NUMBER(settings, right, 1, 1 << 24, 24576, "tuples of the second"),
    WF_APP_NUMBER(settings, keys, 1, 1 << 24, 512, "keys there are"),
    WF_APP_CHOICE(settings, spread, spreads, 0,
                  "of keys: uniform, or gaussian (sums of eight draws)"),
    WF_LAUNCH_OPTIONS,
    {0}};

typedef struct tuple {
  uint32_t key, value;
} tuple;

static uint32_t draw_key(wf_rng *rng, uint32_t keys, bool gaussian) {
  if (!gaussian) return (uint32_t)wf_rng_below(rng, keys);
  uint64_t sum = 0;
  for (int i = 0; i < DRAWS; i++) sum += wf_rng_below(rng, keys);
  return (uint32_t)(sum / DRAWS);
}

static tuple *draw_tuples(wf_suite_host *host, wf_rng *rng, uint32_t n, uint32_t keys,
                          bool gaussian) {
  tuple *t = wf_suite_array(host, n, sizeof *t);
  for (uint32_t i = 0; i < n; i++)
    t[i] = (tuple){draw_key(rng, keys, gaussian), (uint32_t)wf_rng_next(rng)};
  return t;
}

static int by_key(const void *a, const void *b) {
  const tuple *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

typedef struct relations {
  uint32_t n_left, n_right, keys;
  tuple *left, *right;
} relations;

static relations draw(const wf_app_run *run, wf_suite_host *host, const settings *s) {
  relations r = {.n_left = s->left, .n_right = s->right, .keys = s->keys};
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  r.left = draw_tuples(host, &rng, r.n_left, r.keys, s->spread);
  r.right = draw_tuples(host, &rng, r.n_right, r.keys, s->spread);
  qsort(r.right, r.n_right, sizeof *r.right, by_key);
  return r;
}

/* Matches of each tuple by a table of keys; *total: of all. */
static void reference_counts(wf_suite_host *host, const relations *r, uint32_t *first,
                             uint32_t *count, uint64_t *total) {
  uint32_t *start = wf_suite_array(host, r->keys + 2ull, sizeof *start);
  for (uint32_t i = 0; i < r->n_right; i++) start[r->right[i].key + 1]++;
  for (uint32_t k = 0; k < r->keys; k++) start[k + 1] += start[k];
  *total = 0;
  for (uint32_t i = 0; i < r->n_left; i++) {
    first[i] = start[r->left[i].key];
    count[i] = start[r->left[i].key + 1] - first[i];
    *total += count[i];
  }
}

static bool join(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  const relations r = draw(run, host, &s);
  uint32_t *first = wf_suite_array(host, r.n_left, 4), *count = wf_suite_array(host, r.n_left, 4),
           *offset = wf_suite_array(host, r.n_left, 4);
  uint64_t total;
  reference_counts(host, &r, first, count, &total);
  if (total > UINT32_MAX / 2)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "the join has %llu pairs, at most %u: more app.keys, fewer tuples",
                   (unsigned long long)total, UINT32_MAX / 2);
  wf_gpu *gpu = run->gpu;
  const uint64_t left_bytes = 4ull * r.n_left;
  const wf_suite_shape shape = wf_suite_line(r.n_left, BLOCK);
  uint64_t d_left, d_right, d_first, d_count, d_offset, d_out;
  uint32_t *got;
  if (!(d_left = wf_app_upload(gpu, r.left, 2 * left_bytes, "left", err)) ||
      !(d_right = wf_app_upload(gpu, r.right, 8ull * r.n_right, "right", err)) ||
      !(d_first = wf_app_reserve(gpu, 0, left_bytes, "first", err)) ||
      !(d_count = wf_app_reserve(gpu, 0, left_bytes, "count", err)) ||
      !(d_offset = wf_app_reserve(gpu, 0, left_bytes, "offset", err)) ||
      !(d_out = wf_app_reserve(gpu, 0, 8 * total, "pairs", err)) ||
      !wf_launch_open(run, &s.form, r.n_left, total, err) ||
      !WF_SUITE_LAUNCH(run, "join_count", shape, err, &d_left, &d_right, &r.n_left, &r.n_right,
                       &d_first, &d_count) ||
      !wf_suite_check_u32(run, host, "matches of tuple", d_count, count, r.n_left, &got, err))
    return false;
  /* Offsets follow from what the device counted, as far as they stay in the output. */
  uint64_t sum = 0;
  for (uint32_t i = 0; i < r.n_left; i++) {
    offset[i] = (uint32_t)(sum + got[i] <= total ? sum : 0);
    sum += got[i];
  }
  if (!run->verified) return true;
  if (!wf_gpu_write(gpu, d_offset, offset, left_bytes, err) ||
      !WF_LAUNCH_IN_FORM(run, &s.form, "join_write", shape, err, &d_left, &d_right, &r.n_left,
                         &d_first, &d_count, &d_offset, &d_out, &s.form.block))
    return false;
  tuple *pairs = wf_suite_array(host, total, sizeof *pairs);
  for (uint32_t i = 0; i < r.n_left; i++)
    for (uint32_t k = 0; k < count[i]; k++)
      pairs[offset[i] + k] = (tuple){r.left[i].value, r.right[first[i] + k].value};
  wf_app_report(run, "pairs", (double)total);
  return wf_suite_check_u32(run, host, "word of the join", d_out, (const uint32_t *)pairs,
                            2 * total, NULL, err);
}

WF_SUITE_APP(join, "relational join whose threads may launch a tuple's pairs", options, false,
             join);
