/* Runs that stay: a result lies in OUT/runs beside a key of its arguments and of the build (program
 * and RTL) and is taken from there while the key is the same. A figure asks for the runs it needs;
 * those that are not there are run together; then it is made again. */
#ifndef WF_PAPER_CACHE_H
#define WF_PAPER_CACHE_H

#include "tests/papers/paper.h"

typedef struct paper_cache {
  paper_jobs all, missing; /* missing: to be run in this round */
  unsigned long long build;
  size_t found; /* runs taken from files */
  char folder[512];
} paper_cache;

/* Key of program and of the files that the patterns (ends with NULL) name; false with a message if
 * one cannot be read. */
bool paper_cache_open(paper_cache *cache, const char *program, const char *out,
                      const char *const *patterns);
/* Result of `warpfab run ARGUMENTS`; NULL: not there yet, asked for. label: part of its file's
 * name. */
const cJSON *paper_cache_get(paper_cache *cache, const char *label, const char *arguments);
/* Runs what was asked for; false if one failed or was not verified. */
bool paper_cache_run(paper_cache *cache);
void paper_cache_close(paper_cache *cache);

#endif
