/* Runs of kernels under policies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/cache/paper/hints.h"
#include "tests/cache/paper/policies.h"

/* The machine without settings that the options have as well. */
static void without(const char *machine, const char *options, char *text, size_t bytes) {
  static const char set[] = " --set ";
  size_t n = 0;
  for (const char *at = machine, *next; at; at = next) {
    char key[64];
    next = strstr(at + 1, " --");
    const size_t length = next ? (size_t)(next - at) : strlen(at);
    snprintf(key, sizeof key, "%.*s=", (int)strcspn(at, "="), at);
    if (!strncmp(at, set, strlen(set)) && strstr(options, key)) continue;
    if (n + length >= bytes) paper_fail("%s: too long a machine", machine);
    memcpy(text + n, at, length);
    n += length;
  }
  text[n] = '\0';
}

/* Kernels that need the shared memory have their own split of it and the L1, but where that is
 * larger. */
const cJSON *run_of(paper *p, const setting *s, int kernel, const char *options) {
  char *split, app[128], machine[384];
  const bool today = !strstr(s->machine, "fermi16");
  snprintf(app, sizeof app, "%s", graph_kernels[kernel].options);
  if ((split = strstr(app, SPLIT)) &&
      (today || strstr(s->machine, "l1.bytes") || strstr(options, "l1.bytes")))
    snprintf(split, sizeof app - (size_t)(split - app), "%s",
             today ? "" : " --set core.shared_bytes=49152");
  without(s->machine, options, machine, sizeof machine);
  return paper_result(p, graph_kernels[kernel].name, "%s --app %s%s", machine, app, options);
}

/* The probe moves no cycle. */
const cJSON *baseline_of(paper *p, const setting *s, int kernel) {
  char options[128];
  snprintf(options, sizeof options, "%s --set probe.loads=1", s->base);
  return run_of(p, s, kernel, options);
}

/* The fastest of the kernel as it is and with hints on the loads that the profile says. */
static double best_hints(paper *p, const setting *s, int kernel) {
  const cJSON *profile = baseline_of(p, s, kernel);
  double best = paper_number(profile, "cycles");
  for (int h = 0; profile && h < HINT_FORMS; h++) {
    char hints[400], options[512];
    if (!hints_of(profile, h, hints, sizeof hints)) continue;
    snprintf(options, sizeof options, "%s%s", s->base, hints);
    best = fmin(best, paper_number(run_of(p, s, kernel, options), "cycles"));
  }
  return best;
}

double cycles_of(paper *p, const setting *s, int kernel, const char *options) {
  return strcmp(options, HINTS) ? paper_number(run_of(p, s, kernel, options), "cycles")
                                : best_hints(p, s, kernel);
}
