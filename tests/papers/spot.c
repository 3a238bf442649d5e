/* The runs of a section of docs/results that `make check` makes again (tests/papers/spot.sh): a
 * page whose figures are of another machine than the present one is found that way. */
#include <math.h>
#include <string.h>

#include "tests/papers/inside.h"

enum { LEAST = 10000 /* cycles: fewer show little */ };

/* Settings of the unit other than its mode, which is a level at its ports. */
static bool of_other_size(const paper *p, const char *arguments) {
  char own[64];
  const int n = snprintf(own, sizeof own, "%s.", p->unit->name);
  for (const char *at = arguments; (at = strstr(at, own)); at += n)
    if (strncmp(at + n, "mode=", 5) != 0) return true;
  return false;
}

/* It needs nothing but the tree, and no RTL of other sizes; its cycles, or NAN. */
static double cycles_of(const paper *p, const paper_run *run, bool unit) {
  const bool with = strstr(run->arguments, "--unit ") != NULL;
  const bool plain = !strstr(run->arguments, p->shared) && !strstr(run->arguments, "--trace") &&
                     !strstr(run->arguments, "--timeline") && !strstr(run->arguments, "--ptx") &&
                     !strstr(run->arguments, "--cuda") &&
                     !strstr(run->arguments, "--compiler=gcc") && !of_other_size(p, run->arguments);
  double cycles = NAN;
  if (run->result && plain && with == unit) cycles = paper_number(run->result, "cycles");
  return cycles >= LEAST ? cycles : NAN;
}

static void put_smallest(FILE *f, const paper *p, bool unit) {
  const paper_run *least = NULL;
  double cycles = INFINITY;
  for (size_t i = 0; i < p->n_runs; i++) {
    const double c = cycles_of(p, &p->runs[i], unit);
    if (c < cycles) cycles = c, least = &p->runs[i];
  }
  if (least) fprintf(f, "| `%s` | %.0f |\n", least->arguments, cycles);
}

void paper_put_spot(FILE *f, const paper *p) {
  fputs("\n`make check` makes some of these runs again:\n\n| run | cycles |\n|---|---|\n", f);
  put_smallest(f, p, false);
  put_smallest(f, p, true);
}
