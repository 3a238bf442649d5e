/* Experiments of the APCM paper. Usage: paper_apcm WARPFAB OUT_FOLDER GRAPH_FOLDER [PART...];
 * without parts all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/apcm/paper/apcm.h"

enum {
  ROUNDS = 4
}; /* a figure that chooses by results asks for its next runs in a further round */

static bool wanted(const apcm_part *p, char **names, int n) {
  for (int i = 0; i < n; i++)
    if (!strcmp(names[i], p->name)) return true;
  return n == 0;
}

static bool known(const char *name) {
  for (size_t p = 0; p < apcm_n_parts; p++)
    if (!strcmp(name, apcm_parts[p].name)) return true;
  fprintf(stderr, "PART=%s: there is no such part; there are", name);
  for (size_t p = 0; p < apcm_n_parts; p++)
    fprintf(stderr, " %s (%s)", apcm_parts[p].name, apcm_parts[p].figures);
  fputc('\n', stderr);
  return false;
}

static void make(apcm_experiment *e, char **names, int n) {
  for (size_t p = 0; p < apcm_n_parts; p++)
    if (wanted(&apcm_parts[p], names, n)) apcm_parts[p].make(e);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s WARPFAB OUT_FOLDER GRAPH_FOLDER [PART...]\n", argv[0]);
    return 2;
  }
  char **names = argv + 4;
  const int n = argc - 4;
  for (int i = 0; i < n; i++)
    if (!known(names[i])) return 2;
  static apcm_experiment e;
  char json[512];
  snprintf(json, sizeof json, "%s/apcm%s%s.json", argv[2], n ? "-" : "", n ? names[0] : "");
  e.out = argv[2];
  e.graphs = argv[3];
  if (!paper_cache_open(&e.cache, argv[1], argv[2],
                        (const char *const[]){"rtl/apcm/*.v", "rtl/common/*.v", NULL}))
    return 2;
  for (int round = 0; round < ROUNDS; round++) {
    make(&e, names, n);
    if (!e.cache.missing.count) break;
    if (!paper_cache_run(&e.cache)) return 1;
  }
  printf("%zu runs, each verified; %zu of them from %s\n", e.cache.all.count, e.cache.found,
         e.cache.folder);
  e.reporting = true;
  make(&e, names, n);
  size_t outside = paper_finish(
      &e.report, "Access pattern-aware cache management (APCM): the paper beside ours", json);
  paper_cache_close(&e.cache);
  free(e.report.figures);
  return outside ? 1 : 0;
}
