#include "tests/cache/paper/hints.h"

#include <stdio.h>
#include <string.h>

#include "tests/papers/paper.h"

static double number(const cJSON *load, const char *key) {
  return paper_number(load, key);
}

static bool chosen(const cJSON *load, double percent) {
  const double lines = number(load, "lines");
  return lines > 0 && 100 * number(load, "hits") < percent * lines;
}

/* KERNEL:LINE+LINE,KERNEL:LINE; loads[] goes by kernels. */
bool hints_of(const cJSON *profile, int form, char *options, size_t bytes) {
  static const char *const keys[] = {"cg", "no_allocate"};
  static const double percents[] = {10, 30, 60};
  const cJSON *load;
  const char *last = "";
  size_t at = (size_t)snprintf(options, bytes, " --set ptx.%s=", keys[form / 3]);
  const size_t empty = at;
  cJSON_ArrayForEach(load, cJSON_GetObjectItem(profile, "loads")) {
    const char *kernel = cJSON_GetStringValue(cJSON_GetObjectItem(load, "kernel"));
    if (!chosen(load, percents[form % 3])) continue;
    const bool same = !strcmp(kernel, last);
    at += (size_t)snprintf(options + at, bytes - at, "%s%s%s%.0f",
                           same         ? "+"
                           : at > empty ? ","
                                        : "",
                           same ? "" : kernel, same ? "" : ":", number(load, "line"));
    if (at >= bytes) paper_fail("%s: too many loads for a list", kernel);
    last = kernel;
  }
  return at > empty;
}
