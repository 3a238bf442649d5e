/* Experiments of the work on prefetching into spare registers. Usage: paper_spref WARPFAB
 * OUT_FOLDER [default|full] */
#include "tests/spref/paper/spref.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int spref_row(spref_table *t, const char *format, ...) {
  va_list args;
  if (t->rows == SPREF_MAX_SAMPLES) {
    fprintf(stderr, "table %s: more than %d rows\n", t->file, SPREF_MAX_SAMPLES);
    exit(2);
  }
  va_start(args, format);
  vsnprintf(t->row_names[t->rows], sizeof t->row_names[0], format, args);
  va_end(args);
  return t->rows++;
}

static void value(FILE *dat, double v) {
  if (isnan(v))
    printf(" %10s", "-");
  else
    printf(fabs(v) >= 1000 ? " %10.0f" : " %10.3f", v);
  fprintf(dat, isnan(v) ? " -" : " %.5g", v);
}

void spref_show(const spref_experiment *e, const spref_table *t) {
  if (!e->reporting) return;
  FILE *dat = paper_data(e->out, "spref", t->file);
  printf("\n%s\n  %-18s", t->title, "");
  fputs("row", dat);
  for (int c = 0; c < t->columns; c++) {
    printf(" %10s", t->names[c]);
    fprintf(dat, " %s", t->names[c]);
  }
  for (int r = 0; r < t->rows; r++) {
    printf("\n  %-18s", t->row_names[r]);
    fprintf(dat, "\n%s", t->row_names[r]);
    for (int c = 0; c < t->columns; c++) value(dat, t->v[r][c]);
  }
  putchar('\n');
  fputc('\n', dat);
  fclose(dat);
}

enum { ROUNDS = 4 }; /* surveys first, then what they choose */

int main(int argc, char **argv) {
  const char *size = argc == 4 ? argv[3] : "default";
  if (argc < 3 || argc > 4 || (strcmp(size, "default") && strcmp(size, "full"))) {
    fprintf(stderr, "usage: %s WARPFAB OUT_FOLDER [default|full]\n", argv[0]);
    return 2;
  }
  static spref_experiment e;
  char json[512];
  e.out = argv[2];
  e.full = !strcmp(size, "full");
  snprintf(json, sizeof json, "%s/spref%s.json", argv[2], e.full ? "-full" : "");
  if (!paper_cache_open(&e.cache, argv[1], argv[2],
                        (const char *const[]){"rtl/spare_reg_pref/*.v", "rtl/common/*.v", NULL}))
    return 2;
  for (int round = 0; round < ROUNDS; round++) {
    spref_figures(&e);
    if (!e.cache.missing.count) break;
    if (!paper_cache_run(&e.cache)) return 1;
  }
  printf("%zu runs, each verified; %zu of them from %s\n", e.cache.all.count, e.cache.found,
         e.cache.folder);
  e.reporting = true;
  spref_figures(&e);
  const size_t outside =
      paper_finish(&e.report, "Prefetching into spare registers: the paper beside ours", json);
  paper_cache_close(&e.cache);
  free(e.report.figures);
  return outside ? 1 : 0;
}
