/* wf_coverage: merges what a unit's tests left and judges it; verify/coverage/coverage runs the
 * tests. wf_coverage runs UNIT                    the [coverage] run keys, one per line wf_coverage
 * report BUILD UNIT FOLDER     of the counts in FOLDER Exit codes: 0 right, 1 coverage falls short,
 * 2 usage or bad input. */
#include <stdio.h>
#include <string.h>

#include "verify/coverage/coverage.h"

static void report(const coverage_unit *u, const char *build, const char *folder, wf_error *err) {
  point_set set = {0};
  if (point_set_read_folder(&set, folder, err)) coverage_report(u, &set, build, err);
  point_set_free(&set);
}

int main(int argc, char **argv) {
  wf_error err = {0};
  coverage_unit u;
  bool runs = argc == 3 && strcmp(argv[1], "runs") == 0,
       judge = argc == 5 && strcmp(argv[1], "report") == 0;
  if (!runs && !judge) {
    wf_fail(&err, WF_EXIT_BAD_INPUT, "usage: wf_coverage runs UNIT | report BUILD UNIT FOLDER");
  } else if (coverage_unit_read(&u, argv[runs ? 2 : 3], &err)) {
    for (unsigned i = 0; runs && i < u.n_runs; i++) printf("%s\n", u.runs[i]);
    if (judge) report(&u, argv[2], argv[4], &err);
    coverage_unit_free(&u);
  }
  if (err.code) fprintf(stderr, "coverage: %s\n", err.text);
  return err.code;
}
