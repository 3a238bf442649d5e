/* Tables of applications by variants: text, means by class, data for the plot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/apcm/paper/apcm.h"

static const char *const class_names[APCM_CLASSES] = {"CS", "CM", "CI"};

void apcm_column(apcm_table *t, const char *name) {
  t->names[t->columns++] = name;
}

double apcm_mean(const apcm_table *t, int column, int low, int high) {
  double sum = 0, n = 0;
  for (int a = 0; a < t->apps; a++) {
    if (apcm_apps[a].class < low || apcm_apps[a].class > high) continue;
    sum += t->arithmetic ? t->v[a][column] : log(t->v[a][column]);
    n++;
  }
  return t->arithmetic ? sum / n : exp(sum / n);
}

static void row(FILE *dat, const char *name, const apcm_table *t, const double *v) {
  printf("  %-12s", name);
  fprintf(dat, "%s", name);
  for (int c = 0; c < t->columns; c++) {
    printf(" %10.3f", v[c]);
    fprintf(dat, " %.4f", v[c]);
  }
  putchar('\n');
  fputc('\n', dat);
}

static void mean_row(FILE *dat, const char *name, const apcm_table *t, int low, int high) {
  double v[APCM_MAX_COLUMNS];
  for (int c = 0; c < t->columns; c++) v[c] = apcm_mean(t, c, low, high);
  row(dat, name, t, v);
}

void apcm_show(const apcm_experiment *e, const apcm_table *t) {
  if (!e->reporting) return;
  FILE *dat = paper_data(e->out, "apcm", t->figure);
  printf("\nFigure %s: %s\n  %-12s", t->figure, t->title, "");
  fputs("app", dat);
  for (int c = 0; c < t->columns; c++) {
    printf(" %10s", t->names[c]);
    fprintf(dat, " %s", t->names[c]);
  }
  putchar('\n');
  fputc('\n', dat);
  for (int a = 0; a < t->apps; a++) {
    row(dat, apcm_apps[a].name, t, t->v[a]);
    if (a + 1 == t->apps || apcm_apps[a + 1].class != apcm_apps[a].class) {
      char name[16];
      snprintf(name, sizeof name, "mean-%s", class_names[apcm_apps[a].class]);
      mean_row(dat, name, t, apcm_apps[a].class, apcm_apps[a].class);
    }
  }
  mean_row(dat, "mean", t, APCM_CS, APCM_CI);
  fclose(dat);
}
