/* Coverage of a unit by its tests (make coverage): lines, branches and toggles that Verilator
 * counted in models of the variant "cov", functional bins that the benches and the bound cover
 * points counted.
 *
 * [coverage] of rtl/UNIT/unit.ini:
 *   run = PROGRAM NAME=VALUE ...   a test under BUILD and its environment; one key per run
 *   limit = 95                     percent of lines that must be covered
 *   unused = FILE: TEXT: REASON    a line of a shared module, of name FILE, in which TEXT stands
 * and that this unit never needs A line that no test reaches needs a reason beside it: "//
 * coverage: reason" at its end, or on a line of its own above it or above the missed lines that it
 * follows. Lines that are "evaluated when the design is elaborated" are not counted. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

enum { COVERAGE_MAX_RUNS = 16, COVERAGE_MAX_UNUSED = 16 };

typedef struct coverage_unused {
  char *file, *text, *reason; /* file without its folders; text and reason lie in file's memory */
} coverage_unused;

typedef struct coverage_unit {
  char *unit;
  char *runs[COVERAGE_MAX_RUNS];
  coverage_unused unused[COVERAGE_MAX_UNUSED];
  unsigned n_runs, n_unused, limit;
} coverage_unit;

bool coverage_unit_read(coverage_unit *u, const char *unit, wf_error *err);
void coverage_unit_free(coverage_unit *u);

typedef enum { POINT_LINE, POINT_BRANCH, POINT_TOGGLE, POINT_BIN } point_kind;

/* One place that is counted, summed over instances, configurations and tests. */
typedef struct point {
  point_kind kind;
  char *file, *module, *name; /* name: "if", "else", a signal's bit, a bin */
  unsigned line, column;
  char *lines; /* POINT_LINE, POINT_BRANCH: "49-50,53": the lines it stands for; "" for none */
  uint64_t count;
} point;

typedef struct point_set {
  point *items;
  size_t count;
  void *index;
} point_set;

/* Adds every *.dat and *.bins of a folder. An empty folder is an error. */
bool point_set_read_folder(point_set *set, const char *folder, wf_error *err);
/* Adds the points of one file, a Verilator coverage file or bins, by the end of its name. */
bool point_set_read(point_set *set, const char *path, wf_error *err);
void point_set_free(point_set *set);

/* Prints the report, writes BUILD/coverage/UNIT.json and annotated sources into
 * BUILD/coverage/UNIT/. False with code 1 if lines are below the limit, a missed line has no
 * reason, or a bin is empty. */
bool coverage_report(const coverage_unit *u, const point_set *set, const char *build,
                     wf_error *err);

#endif
