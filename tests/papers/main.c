/* The program of an experiment. Usage: paper_UNIT WARPFAB FOLDER SHARED [PART...]: runs warpfab,
 * leaves FOLDER/UNIT.json, the plots' data and docs/results/UNIT.md; of some parts
 * FOLDER/UNIT-PART.json, and in the page only an extra part has its section. SHARED: folder of
 * further inputs. Exit code 1: a row is outside its band, or a run failed. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_options.h"
#include "tests/papers/inside.h"

enum { ROUNDS = 8 }; /* a part that chooses by results asks for its next runs in a further round */

void paper_fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(2);
}

bool paper_reporting(const paper *p) {
  return p->reporting && !p->order;
}

bool paper_first_order(const paper *p) {
  return !p->order;
}

static void path_of(char path[PAPER_PATH], const char *folder, const char *name) {
  if (snprintf(path, PAPER_PATH, "%s/%s", folder, name) >= PAPER_PATH)
    paper_fail("%s: too long a name of a folder", folder);
}

bool paper_shared(const paper *p, const char *file, char path[PAPER_PATH]) {
  path_of(path, p->shared, file);
  return access(path, R_OK) == 0;
}

void paper_graph(const paper *p, const char *file, const char *instead, char path[PAPER_PATH]) {
  char name[PAPER_PATH];
  path_of(name, "graphs", file);
  if (!paper_shared(p, name, path)) snprintf(path, PAPER_PATH, "%s", instead);
}

void paper_built(const paper *p, const char *name, char path[PAPER_PATH]) {
  char above[PAPER_PATH];
  path_of(above, p->out, "..");
  path_of(path, above, name);
}

void paper_output(const paper *p, const char *name, char path[PAPER_PATH]) {
  char file[PAPER_PATH];
  if (snprintf(file, sizeof file, "%s-%s", p->unit->name, name) >= PAPER_PATH)
    paper_fail("%s: too long a name", name);
  path_of(path, p->out, file);
}

static bool wanted(const paper *p, const paper_part *part) {
  for (int i = 0; i < p->n_parts; i++)
    if (!strcmp(p->parts[i], part->name)) return true;
  return p->n_parts == 0 && !part->extra;
}

static bool known(const paper *p, const char *name) {
  const paper_part *part = p->unit->parts;
  while (part->name && strcmp(name, part->name)) part++;
  if (part->name) return true;
  fprintf(stderr, "PART=%s: there is no such part; there are", name);
  for (part = p->unit->parts; part->name; part++)
    fprintf(stderr, " %s (%s)", part->name, part->what);
  fputc('\n', stderr);
  return false;
}

static void make(paper *p) {
  for (const paper_part *part = p->unit->parts; part->name; part++)
    if (wanted(p, part)) part->make(p);
}

static bool all_runs(paper *p) {
  for (int round = 0; round < ROUNDS; round++) {
    make(p);
    if (!p->n_missing) break;
    if (!paper_runs_make(p)) return false;
  }
  const size_t unverified = paper_unverified(p);
  printf("%zu runs, %zu verified, %zu without a reference; %zu of them from %s/runs.db\n",
         p->n_runs, p->n_runs - unverified, unverified, p->n_found, p->out);
  return true;
}

/* The rows again with other orders of arbitration: how far each goes. */
static bool other_orders(paper *p) {
  for (p->order = 1; p->order < p->orders; p->order++) {
    p->reporting = false;
    if (!all_runs(p)) return false;
    p->reporting = true;
    p->n_seen = 0;
    make(p);
    if (p->n_seen != p->n_figures)
      paper_fail("order %u has %zu rows, the first has %zu", p->order, p->n_seen, p->n_figures);
  }
  p->order = 0;
  return true;
}

static unsigned orders(void) {
  const char *text = getenv("ORDERS");
  long n = 1;
  if (text && *text && (!wf_parse_long(text, &n) || n < 1 || n > 100))
    paper_fail("ORDERS=%s: expected 1 to 100", text);
  return (unsigned)n;
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: %s WARPFAB FOLDER SHARED [PART...]\n", argv[0]), 2;
  paper p = {.unit = &paper_this,
             .program = argv[1],
             .out = argv[2],
             .shared = argv[3],
             .parts = argv + 4,
             .n_parts = argc - 4,
             .orders = orders()};
  for (int i = 0; i < p.n_parts; i++)
    if (!known(&p, p.parts[i])) return 2;
  snprintf(p.file, sizeof p.file, "%s%s%s", p.unit->name, p.n_parts ? "-" : "",
           p.n_parts ? p.parts[0] : "");
  if (!paper_runs_open(&p)) return 2;
  if (!all_runs(&p)) return 1;
  p.reporting = true;
  make(&p);
  if (!other_orders(&p)) return 1;
  const size_t outside = paper_report(&p);
  const bool ok = paper_page(&p);
  paper_runs_close(&p);
  paper_tables_free(&p);
  free(p.figures);
  return !ok ? 2 : outside ? 1 : 0;
}
