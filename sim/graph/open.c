#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_clock.h"
#include "sim/base/wf_progress.h"
#include "sim/graph/generate.h"
#include "sim/graph/read.h"

/* "dir/cnr-2000.mtx.gz" -> "cnr-2000" */
static char *name_of_path(const char *path) {
  static const char *const endings[] = {".gz", ".xz", ".zst", ".mtx", ".el", ".txt", ".gr", ".wfg"};
  const char *slash = strrchr(path, '/');
  char *name = wf_strdup(slash ? slash + 1 : path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t n = strlen(name), k = strlen(endings[i]);
    if (n > k && !strcmp(name + n - k, endings[i])) name[n - k] = 0;
  }
  return name;
}

/* Where nobody else asked for it: the program's line. */
static void show_progress(void *user, const char *what, uint64_t done, uint64_t total) {
  char left[WF_DURATION_BYTES];
  if (!wf_progress_due()) return;
  if (!total) {
    wf_progress_line("%s: %" PRIu64, what, done);
    return;
  }
  const double share = (double)done / (double)total, *begin = user;
  wf_left_text(left, share, wf_clock_seconds() - *begin);
  wf_progress_line("%s: %.0f %%%s", what, 100 * share, left);
}

static wf_graph *open_spec(const char *spec, const wf_graph_options *options, wf_error *err) {
  if (wf_graph_is_generator(spec)) return wf_graph_generate(spec, options, err);
  wf_source s;
  if (!wf_source_open(&s, spec, options, err)) return NULL;
  char *name = name_of_path(spec);
  wf_graph *g = wf_graph_read(&s, name, options);
  free(name);
  wf_source_close(&s);
  return g;
}

wf_graph *wf_graph_open_with(const char *spec, const wf_graph_options *options, wf_error *err) {
  double begin = wf_clock_seconds();
  wf_graph_options shown = *options;
  if (!shown.progress) shown.progress = show_progress, shown.progress_user = &begin;
  wf_graph *g = open_spec(spec, &shown, err);
  wf_progress_clear();
  return g;
}

wf_graph *wf_graph_open(const char *spec, uint64_t seed, wf_error *err) {
  wf_graph_options options = {.seed = seed, .drop_weights = true};
  return wf_graph_open_with(spec, &options, err);
}
