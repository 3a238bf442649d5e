/* Functional bins: situations that tests must have met, counted in a bench and left for the
 * coverage report (make coverage) in FOLDER/UNIT.PROCESS.NUMBER.bins, one "NAME COUNT" per line. */
#ifndef WF_BINS_H
#define WF_BINS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes the counts of `n` bins if WARPFAB_COVERAGE names a folder. False if that cannot be done.
 */
static inline bool wf_bins_write(const char *unit, const char *const *names, const uint64_t *counts,
                                 unsigned n) {
  const char *folder = getenv("WARPFAB_COVERAGE");
  if (!folder) return true;
  char path[4096];
  for (unsigned number = 0; number == 0 || access(path, F_OK) == 0; number++)
    snprintf(path, sizeof path, "%s/%s.%ld.%u.bins", folder, unit, (long)getpid(), number);
  FILE *file = fopen(path, "w");
  if (!file) return false;
  for (unsigned i = 0; i < n; i++)
    fprintf(file, "%s %llu\n", names[i], (unsigned long long)counts[i]);
  return fclose(file) == 0;
}

#endif
