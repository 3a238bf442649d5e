/* What every unit's tests need beside its bench. */
#ifndef WF_TEST_H
#define WF_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tb/common/wf_bench.h"

/* ---- directed tests ---- */

/* The condition holds, or the test fails with the bench's failure. */
#define ok(b, condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) fail_msg("line %d: %s", __LINE__, ((const wf_bench *)(b))->failure);         \
  } while (0)

/* A bench with seed 1, or a failed test; skipped where WF_CONFIG or WF_PLAIN leave it out. */
void *wf_test_open(const wf_bench_class *cls, const char *config, const char *parameters);
/* Compares the counters and destroys. */
void wf_test_finish(void *bench);
/* A test of one bench, the function's `parameter`, which `open` makes and `finish` closes. */
#define WF_DIRECTED(name, parameter, open, finish)                                                 \
  static void name##_with(parameter);                                                              \
  static void name(void **state) {                                                                 \
    (void)state;                                                                                   \
    void *opened = open;                                                                           \
    name##_with(opened);                                                                           \
    finish(opened);                                                                                \
  }                                                                                                \
  static void name##_with(parameter)
/* The RTL refuses each of these overrides. Skipped if WF_CONFIG or WF_UNIT ask for runs. */
void wf_test_refused(const wf_bench_class *cls, const char *config, const char *const *wrong,
                     size_t count);
#define WF_TEST_REFUSED(cls, config, wrong)                                                        \
  wf_test_refused(cls, config, wrong, sizeof(wrong) / sizeof *(wrong))

/* ---- random tests ---- */

typedef struct wf_plan {
  const char *config, *parameters; /* parameters: overrides, or NULL */
  unsigned share; /* of the edges, in thousandths; 0: all, and only if WF_CONFIG names it */
} wf_plan;

/* One test: every plan on a bench of its own, each with another seed, and with a clock withheld
 * from the idle unit on every second one. */
typedef struct wf_random {
  const char *name;
  const wf_bench_class *cls;
  const wf_plan *plans;
  size_t n_plans;
  uint64_t cycles; /* without WF_CYCLES */
  bool (*run)(void *bench,
              uint64_t cycles); /* so many edges or some more; false: see its failure */
} wf_random;

/* What main() does; source: __FILE__, for the line that replays a failure. */
int wf_random_main(const wf_random *tests, size_t count, const char *source);

#endif
