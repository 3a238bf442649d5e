/* What every test of this folder needs: the seed (first argument, else fixed), the build folder
 * (from the program's own path), models built on demand, and a line that says how to replay a
 * failure. */
#ifndef WF_MODEL_TEST_H
#define WF_MODEL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/model/wf_agents.h"
#include "sim/model/wf_model.h"

/* A test program's own settings, not library state. */
static uint64_t test_seed = 1;
static char test_build[4096] = "build";

/* Reads the command line: [SEED]. The program lies in BUILD/tests/model/. */
static inline void test_start(int argc, char **argv) {
  if (argc > 1) test_seed = strtoull(argv[1], NULL, 0);
  snprintf(test_build, sizeof test_build, "%s", argv[0]);
  char *at = strstr(test_build, "/tests/");
  if (at) *at = 0;
}

static inline int test_finish(int failed, char **argv) {
  if (failed) fprintf(stderr, "replay with: %s %llu\n", argv[0], (unsigned long long)test_seed);
  return failed ? 1 : 0;
}

static inline wf_model_lib *test_library(const char *ini, const char *config,
                                         const char *parameters, const char *variant) {
  wf_error err = {0};
  wf_model_request request = {.unit = ini,
                              .config = config,
                              .parameters = parameters,
                              .variant = variant,
                              .build_dir = test_build};
  char *path = wf_model_build(&request, &err);
  if (!path) fail_msg("%s", err.text);
  wf_model_lib *lib = wf_model_load(path, &err);
  free(path);
  if (!lib) fail_msg("%s", err.text);
  return lib;
}

static inline wf_model *test_model(wf_model_lib *lib, uint64_t seed) {
  wf_error err = {0};
  wf_model *m = wf_model_create(lib, NULL, seed, &err);
  if (!m) fail_msg("%s", err.text);
  assert_int_equal(wf_model_reset(m, 2), WF_MODEL_OK);
  return m;
}

static inline const wf_port *test_port(const wf_model *m, const char *name) {
  const wf_port *p = wf_model_port(m, name);
  if (!p) fail_msg("no port %s", name);
  return p;
}

static inline void assert_runs(wf_model *m, wf_model_status status) {
  if (status) fail_msg("%s: %s", wf_model_status_name(status), wf_model_last_error(m));
}

#endif
