/* ram_fit CACTI.csv... FOLDER ASAP7.md: fits the RAM price model to memory compilers' tables and
 * prints synth/ram_table.csv. Files ending in .csv are CACTI tables; the folder holds
 * fakeram45_*.lib; a page .md tells the areas of fakeram7 by shape.
 * Least squares of the relative error, so that small macros count as much as large ones. */
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "synth/ram_model.h"

typedef struct macro {
  int depth, width;
  double value[RAM_QUANTITIES]; /* NaN: not told */
} macro;

typedef struct set {
  char name[32];
  int node_nm;
  macro *macros;
  size_t count;
} set;

typedef struct sets {
  set items[RAM_MAX_SOURCES];
  size_t count;
} sets;

static set *set_of(sets *all, const char *name, int node_nm) {
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->items[i].name, name) == 0) return &all->items[i];
  if (all->count == RAM_MAX_SOURCES) return NULL;
  set *s = &all->items[all->count++];
  snprintf(s->name, sizeof s->name, "%s", name);
  s->node_nm = node_nm;
  return s;
}

static void set_add(set *s, macro m) {
  s->macros = wf_realloc(s->macros, s->count + 1, sizeof *s->macros);
  s->macros[s->count++] = m;
}

/* One CSV record's fields, quotes taken off, in place. Returns how many (at most `limit`). */
static size_t split_csv(char *line, char **fields, size_t limit) {
  size_t n = 0;
  for (char *at = line; n < limit;) {
    char *to = at, *from = at;
    bool quoted = false, more;
    fields[n++] = at;
    while (*from && (quoted || *from != ',')) {
      if (*from == '"')
        quoted = !quoted;
      else
        *to++ = *from;
      from++;
    }
    more = *from == ',';
    *to = 0;
    if (!more) break;
    at = from + 1;
  }
  return n;
}

/* "RAM 64 x 36b as 64x40b (320B)": the shape that was asked of CACTI is the last before '(' that
 * has the form N x M with b for bits or B for bytes. False: no plain RAM. */
static bool shape_of(const char *config, int *depth, int *width) {
  if (strncmp(config, "RAM ", 4) != 0) return false;
  bool found = false;
  for (const char *at = config; *at && *at != '('; at++) {
    int d, w;
    char unit;
    if (!isdigit((unsigned char)*at) || isalnum((unsigned char)at[-1])) continue;
    if (sscanf(at, "%d x %d%c", &d, &w, &unit) != 3 && sscanf(at, "%dx%d%c", &d, &w, &unit) != 3)
      continue;
    if (unit != 'b' && unit != 'B') continue;
    *depth = d;
    *width = unit == 'B' ? 8 * w : w;
    found = true;
  }
  return found;
}

static double number(const char *text, double factor) {
  char *end;
  double value = strtod(text, &end);
  return end == text ? NAN : value * factor;
}

/* Words over 256 bits are left out: CACTI spreads them over one row of sub-arrays at several times
 * the area of the same bits (32 x 1024 b: 8 times), and the model splits such words anyway. */
enum { WIDEST = 256, COLUMNS = 14 };

static bool read_cacti(sets *all, const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, 1 << 20, &bytes, err), *rest = text, *line;
  if (!text) return false;
  while ((line = strtok_r(rest, "\r\n", &rest))) {
    char *f[COLUMNS];
    char name[32];
    macro m;
    if (split_csv(line, f, COLUMNS) < 13 || strcmp(f[12], "0") != 0) continue;
    if (!shape_of(f[2], &m.depth, &m.width) || m.width > WIDEST) continue;
    snprintf(name, sizeof name, "cacti%.3s-%.3s", f[0], f[1]);
    m.value[RAM_AREA] = number(f[11], 1e6);
    m.value[RAM_ACCESS] = number(f[3], 1);
    m.value[RAM_READ] = number(f[5], 1e3);
    m.value[RAM_WRITE] = number(f[6], 1e3);
    m.value[RAM_LEAK] = number(f[8], 1e3);
    set *s = set_of(all, name, atoi(f[1]));
    if (s) set_add(s, m);
  }
  free(text);
  return true;
}

/* The number behind the first `key` after `from`; NaN if there is none. */
static double number_after(const char *from, const char *key) {
  const char *at = from ? strstr(from, key) : NULL;
  if (!at) return NAN;
  for (at += strlen(key); *at && !isdigit((unsigned char)*at); at++)
    ;
  return number(at, 1);
}

/* A Liberty file of one macro: its area, and the clock-to-output delay. */
static bool read_fakeram(sets *all, const char *folder, const char *file, wf_error *err) {
  char path[4096];
  macro m;
  size_t bytes;
  if (sscanf(file, "fakeram45_%dx%d.lib", &m.depth, &m.width) != 2) return true;
  snprintf(path, sizeof path, "%s/%s", folder, file);
  char *text = wf_file_read(path, 1 << 24, &bytes, err);
  if (!text) return false;
  const char *cell = strstr(text, "cell(");
  for (int q = 0; q < RAM_QUANTITIES; q++) m.value[q] = NAN;
  m.value[RAM_AREA] = number_after(cell, "area :");
  m.value[RAM_ACCESS] = number_after(strstr(text, "bus(rd_out)"), "cell_rise");
  set *s = set_of(all, "fakeram45", 45);
  if (s && m.width <= WIDEST) set_add(s, m);
  free(text);
  return true;
}

/* "fakeram7 ... um2 by shape: 256x32 344; 256x34 365; ..." */
static bool read_page(sets *all, const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, 1 << 20, &bytes, err);
  if (!text) return false;
  const char *at = strstr(text, "fakeram7");
  at = at ? strstr(at, "by shape:") : NULL;
  set *s = at ? set_of(all, "fakeram7", 7) : NULL;
  macro m;
  int length;
  for (at = at ? at + 9 : "";
       s && sscanf(at, " %dx%d %lf%n", &m.depth, &m.width, &m.value[RAM_AREA], &length) == 3;
       at += length + (at[length] == ';')) {
    for (int q = RAM_AREA + 1; q < RAM_QUANTITIES; q++) m.value[q] = NAN;
    if (m.width <= WIDEST) set_add(s, m);
  }
  free(text);
  return (s && s->count) || wf_fail(err, WF_EXIT_BAD_INPUT,
                                    "%s: no `fakeram7 ... by shape: DEPTHxWIDTH UM2; ...'", path);
}

static bool read_folder(sets *all, const char *folder, wf_error *err) {
  struct dirent **entries;
  int n = scandir(folder, &entries, NULL, alphasort);
  bool ok = n >= 0 || wf_fail(err, WF_EXIT_BAD_INPUT,
                              "%s: neither a .csv table nor a folder of .lib files", folder);
  for (int i = 0; i < n; i++) {
    ok = ok && read_fakeram(all, folder, entries[i]->d_name, err);
    free(entries[i]);
  }
  if (n >= 0) free(entries);
  return ok;
}

/* Solves a x = b for symmetric positive a; false if it is singular. */
static bool solve(double a[RAM_FEATURES][RAM_FEATURES], double b[RAM_FEATURES], int n) {
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(a[r][c]) > fabs(a[pivot][c])) pivot = r;
    if (fabs(a[pivot][c]) < 1e-12) return false;
    for (int k = 0; k < n; k++) {
      double t = a[c][k];
      a[c][k] = a[pivot][k];
      a[pivot][k] = t;
    }
    double t = b[c];
    b[c] = b[pivot];
    b[pivot] = t;
    for (int r = 0; r < n; r++) {
      if (r == c) continue;
      double factor = a[r][c] / a[c][c];
      for (int k = c; k < n; k++) a[r][k] -= factor * a[c][k];
      b[r] -= factor * b[c];
    }
  }
  for (int c = 0; c < n; c++) b[c] /= a[c][c];
  return true;
}

/* Least squares over the features of `use`; false if there are too few macros. */
static bool least_squares(const set *s, ram_quantity q, const bool use[RAM_FEATURES],
                          double coefficient[RAM_FEATURES], unsigned *points) {
  double a[RAM_FEATURES][RAM_FEATURES] = {{0}}, b[RAM_FEATURES] = {0}, scale[RAM_FEATURES];
  int map[RAM_FEATURES], n = 0;
  /* Features of very different size: scaled to about 1, so that the pivots compare. */
  ram_features(q, 256, 64, scale);
  for (int f = 0; f < RAM_FEATURES; f++)
    if (use[f]) map[n++] = f;
  *points = 0;
  for (size_t i = 0; i < s->count; i++) {
    double feature[RAM_FEATURES], y = s->macros[i].value[q];
    if (isnan(y) || y <= 0) continue;
    ++*points;
    ram_features(q, s->macros[i].depth, s->macros[i].width, feature);
    for (int r = 0; r < n; r++) {
      double fr = feature[map[r]] / scale[map[r]] / y;
      for (int c = 0; c < n; c++) a[r][c] += fr * feature[map[c]] / scale[map[c]] / y;
      b[r] += fr;
    }
  }
  if (*points <= (unsigned)n || !solve(a, b, n)) return false;
  for (int f = 0; f < RAM_FEATURES; f++) coefficient[f] = 0;
  for (int r = 0; r < n; r++) coefficient[map[r]] = b[r] / scale[map[r]];
  return true;
}

static void errors(const set *s, ram_quantity q, ram_fit *fit) {
  double sum = 0;
  for (size_t i = 0; i < s->count; i++) {
    double feature[RAM_FEATURES], y = s->macros[i].value[q], ours = 0;
    if (isnan(y) || y <= 0) continue;
    ram_features(q, s->macros[i].depth, s->macros[i].width, feature);
    for (int f = 0; f < RAM_FEATURES; f++) ours += fit->coefficient[f] * feature[f];
    double e = fabs(ours / y - 1);
    sum += e;
    if (e > fit->max_error) fit->max_error = e;
  }
  fit->mean_error = sum / fit->points;
}

/* A price must grow with the RAM: features whose coefficient comes out negative are left out, the
 * most negative first. */
static void fit_quantity(const set *s, ram_quantity q, ram_fit *fit) {
  bool use[RAM_FEATURES] = {true, true, true, true};
  *fit = (ram_fit){0};
  for (;;) {
    if (!least_squares(s, q, use, fit->coefficient, &fit->points)) return;
    int worst = -1;
    double scale[RAM_FEATURES], low = 0;
    ram_features(q, 256, 64, scale);
    for (int f = 0; f < RAM_FEATURES; f++)
      if (fit->coefficient[f] * scale[f] < low) low = fit->coefficient[f] * scale[worst = f];
    if (worst < 0) break;
    use[worst] = false;
  }
  fit->known = true;
  errors(s, q, fit);
}

static void print_set(const set *s) {
  int lo_d = s->macros[0].depth, hi_d = lo_d, lo_w = s->macros[0].width, hi_w = lo_w;
  for (size_t i = 1; i < s->count; i++) {
    const macro *m = &s->macros[i];
    if (m->depth < lo_d) lo_d = m->depth;
    if (m->depth > hi_d) hi_d = m->depth;
    if (m->width < lo_w) lo_w = m->width;
    if (m->width > hi_w) hi_w = m->width;
  }
  for (int q = 0; q < RAM_QUANTITIES; q++) {
    ram_fit fit;
    fit_quantity(s, (ram_quantity)q, &fit);
    if (!fit.known) continue;
    printf("%s,%d,%d,%d,%d,%d,%s,%.5g,%.5g,%.5g,%.5g,%u,%.3f,%.3f\n", s->name, s->node_nm, lo_d,
           hi_d, lo_w, hi_w, ram_quantity_names[q], fit.coefficient[0], fit.coefficient[1],
           fit.coefficient[2], fit.coefficient[3], fit.points, fit.mean_error, fit.max_error);
  }
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

int main(int argc, char **argv) {
  wf_error err = {0};
  sets all = {0};
  bool ok = argc > 1 ||
            wf_fail(&err, WF_EXIT_BAD_INPUT, "usage: ram_fit CACTI.csv... FAKERAM_FOLDER ASAP7.md");
  for (int i = 1; i < argc && ok; i++)
    ok = ends_with(argv[i], ".csv")  ? read_cacti(&all, argv[i], &err)
         : ends_with(argv[i], ".md") ? read_page(&all, argv[i], &err)
                                     : read_folder(&all, argv[i], &err);
  if (ok && all.count == 0)
    ok = wf_fail(&err, WF_EXIT_BAD_INPUT, "%s: no RAM macro found", argv[1]);
  if (ok) {
    printf("# Made by ram_fit (make synth-fit); features and use: README.md.\n"
           "source,node_nm,min_depth,max_depth,min_width,max_width,quantity,c0,c1,c2,c3,points,"
           "mean_error,max_error\n");
    for (size_t i = 0; i < all.count; i++) print_set(&all.items[i]);
  } else {
    fprintf(stderr, "ram_fit: %s\n", err.text);
  }
  for (size_t i = 0; i < all.count; i++) free(all.items[i].macros);
  return ok ? 0 : err.code;
}
