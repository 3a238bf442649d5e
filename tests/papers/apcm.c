/* Experiments of the APCM paper. Usage: paper_apcm WARPFAB OUT_FOLDER GRAPH_FOLDER [PART...]; without parts all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/papers/apcm.h"

enum { ROUNDS = 4 }; /* a figure that chooses by results asks for its next runs in a further round */

static bool wanted(const apcm_part *p, char **names, int n) {
  for (int i = 0; i < n; i++)
    if (!strcmp(names[i], p->name)) return true;
  return n == 0;
}

static bool known(const char *name) {
  for (size_t p = 0; p < apcm_n_parts; p++)
    if (!strcmp(name, apcm_parts[p].name)) return true;
  fprintf(stderr, "PART=%s: there is no such part; there are", name);
  for (size_t p = 0; p < apcm_n_parts; p++) fprintf(stderr, " %s (%s)", apcm_parts[p].name, apcm_parts[p].figures);
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
  char runs[512], json[512];
  snprintf(runs, sizeof runs, "%s/runs", argv[2]);
  snprintf(json, sizeof json, "%s/apcm%s%s.json", argv[2], n ? "-" : "", n ? names[0] : "");
  mkdir(argv[2], 0777);
  mkdir(runs, 0777);
  e.out = argv[2];
  e.graphs = argv[3];
  e.all.program = e.missing.program = argv[1];
  e.all.folder = e.missing.folder = runs;
  e.build = apcm_build_key(argv[1]);
  for (int round = 0; round < ROUNDS; round++) {
    make(&e, names, n);
    if (!e.missing.count) break;
    if (!apcm_run_missing(&e)) return 1;
  }
  printf("%zu runs, each verified; %zu of them from %s\n", e.all.count, e.found, runs);
  e.reporting = true;
  make(&e, names, n);
  size_t outside = paper_finish(&e.report, "Access pattern-aware cache management (APCM): the paper beside ours", json);
  apcm_free(&e);
  return outside ? 1 : 0;
}
