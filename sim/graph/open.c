#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
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

wf_graph *wf_graph_open_with(const char *spec, const wf_graph_options *options, wf_error *err) {
  if (wf_graph_is_generator(spec)) return wf_graph_generate(spec, options, err);
  wf_source s;
  if (!wf_source_open(&s, spec, options, err)) return NULL;
  char *name = name_of_path(spec);
  wf_graph *g = wf_graph_read(&s, name, options);
  free(name);
  wf_source_close(&s);
  return g;
}

wf_graph *wf_graph_open(const char *spec, uint64_t seed, wf_error *err) {
  wf_graph_options options = {.seed = seed, .drop_weights = true};
  return wf_graph_open_with(spec, &options, err);
}
