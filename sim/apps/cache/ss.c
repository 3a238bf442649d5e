/* Similarity score, as in Mars or by tiles: the cosine of every pair of documents. */
#include <math.h>

#include "sim/apps/cache/suite.h"

enum { BLOCK = 256, NORMS = 32, ROWS_EACH = 4 };

static const char *const forms[] = {"plain", "tile"};
typedef struct settings {
  uint32_t documents, queries, features, form;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, documents, 1, 8192, 2048, "documents"),
    WF_APP_NUMBER(settings, queries, 0, 8192, 16, "documents that are scored against all; 0: all"),
    WF_APP_NUMBER(settings, features, 1, 8192, 128, "words of a document's vector"),
    WF_APP_CHOICE(settings, form, forms, 0,
                  "plain: as in Mars; tile: blocks of 16 x 32 pairs through shared memory"),
    {0}};

static float dot(const float *a, const float *b, uint32_t dim) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < dim; i++) sum += a[i] * b[i];
  return sum;
}

static bool ss(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  const uint32_t n = s.documents, dim = s.features,
                 queries = s.queries == 0 || s.queries > n ? n : s.queries;
  const uint32_t pairs = queries * n;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *features = wf_suite_floats(host, &rng, (uint64_t)n * dim, 0.125f, 1.125f),
        *norms = wf_suite_array(host, n, sizeof *norms),
        *scores = wf_suite_array(host, pairs, sizeof *scores);
  for (uint32_t d = 0; d < n; d++)
    norms[d] = sqrtf(dot(features + d * dim, features + d * dim, dim));
  for (uint32_t p = 0; p < pairs; p++)
    scores[p] =
        dot(features + p / n * dim, features + p % n * dim, dim) / (norms[p / n] * norms[p % n]);
  const wf_suite_shape norms_shape = wf_suite_line(n, s.form ? NORMS : BLOCK),
                       shape = s.form ? wf_suite_strips(WF_SUITE_DOUBLE, queries, n, ROWS_EACH)
                                      : wf_suite_line(pairs, BLOCK);
  uint64_t device, norm, score;
  return (device = wf_app_upload(run->gpu, features, (uint64_t)n * dim * 4, "features", err)) &&
         (norm = wf_app_reserve(run->gpu, 0xff, n * 4ull, "norms", err)) &&
         (score = wf_app_reserve(run->gpu, 0xff, pairs * 4ull, "scores", err)) &&
         WF_SUITE_LAUNCH(run, s.form ? "ss_norm_tile" : "ss_norm", norms_shape, err, &device, &norm,
                         &n, &dim) &&
         WF_SUITE_LAUNCH(run, s.form ? "ss_score_tile" : "ss_score", shape, err, &device, &norm,
                         &score, &queries, &n, &dim) &&
         wf_suite_check_f32(run, host, "norm of document", norm, norms, n, err) &&
         wf_suite_check_f32(run, host, "score of pair", score, scores, pairs, err);
}

WF_SUITE_APP(ss, "similarity of all pairs of documents, as in Mars", options, false, ss);
