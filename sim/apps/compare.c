/* Comparison of device results with the reference. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/apps/app_internal.h"

enum { SHOWN = 4 }; /* differences told one by one */

static void say(wf_app_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(wf_app_run *run, const char *format, ...) {
  size_t used = strlen(run->verdict);
  va_list args;
  va_start(args, format);
  vsnprintf(run->verdict + used, sizeof run->verdict - used, format, args);
  va_end(args);
}

/* False if an earlier comparison failed: its differences stay the verdict. */
static bool begin(wf_app_run *run) {
  bool first = run->verdict[0] == 0;
  if (!first && !run->verified) return false;
  if (!first) say(run, "; ");
  return true;
}

static void end(wf_app_run *run, const char *what, uint64_t n, uint64_t differences) {
  run->verified = differences == 0;
  if (differences)
    say(run, "%s%llu of %llu differ", differences > SHOWN ? ", ... " : ": ",
        (unsigned long long)differences, (unsigned long long)n);
  else
    say(run, "%s: all %llu equal", what, (unsigned long long)n);
}

void wf_app_compare_u32(wf_app_run *run, const char *what, const uint32_t *got,
                        const uint32_t *expected, uint64_t n) {
  if (!begin(run)) return;
  uint64_t differences = 0;
  for (uint64_t i = 0; i < n; i++) {
    if (got[i] == expected[i]) continue;
    if (differences++ < SHOWN)
      say(run, "%s %llu: got %u, expected %u; ", what, (unsigned long long)i, got[i], expected[i]);
  }
  end(run, what, n, differences);
}

void wf_app_compare_f32(wf_app_run *run, const char *what, const float *got, const float *expected,
                        uint64_t n) {
  if (!begin(run)) return;
  uint64_t differences = 0;
  for (uint64_t i = 0; i < n; i++) {
    if (got[i] == expected[i]) continue; /* a NaN differs from everything */
    if (differences++ < SHOWN)
      say(run, "%s %llu: got %.9g, expected %.9g; ", what, (unsigned long long)i, (double)got[i],
          (double)expected[i]);
  }
  end(run, what, n, differences);
}

void wf_app_compare_within(wf_app_run *run, const char *what, const float *got,
                           const double *expected, const double *bound, uint64_t n) {
  if (!begin(run)) return;
  uint64_t differences = 0;
  double widest = 0;
  for (uint64_t i = 0; i < n; i++) {
    if (expected[i] != 0 && bound[i] / fabs(expected[i]) > widest)
      widest = bound[i] / fabs(expected[i]);
    if (fabs(got[i] - expected[i]) <= bound[i]) continue; /* a NaN is within nothing */
    if (differences++ < SHOWN)
      say(run, "%s %llu: got %.9g, expected %.9g within %.2g; ", what, (unsigned long long)i,
          (double)got[i], expected[i], bound[i]);
  }
  if (differences)
    end(run, what, n, differences);
  else
    say(run, "%s: all %llu within rounding's bound, at most %.1e of the value", what,
        (unsigned long long)n, widest);
  run->verified = differences == 0;
}

void wf_app_compare_u64(wf_app_run *run, const char *what, uint64_t got, uint64_t expected) {
  if (!begin(run)) return;
  run->verified = got == expected;
  if (run->verified)
    say(run, "%s: 0x%llx", what, (unsigned long long)got);
  else
    say(run, "%s: got 0x%llx, expected 0x%llx", what, (unsigned long long)got,
        (unsigned long long)expected);
}
