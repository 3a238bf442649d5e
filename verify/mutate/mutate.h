/* Mutation: faults seeded into a unit's RTL, and the tests that must notice them (make mutate).
 *
 * [mutate] of rtl/UNIT/unit.ini:
 *
 * - sample = small:160 tiny:40: faults per configuration; check = small:10: those of `make check`.
 * - seed = 1: of Yosys' sampling.
 * - kill = PROGRAM NAME=VALUE ...: a test under BUILD and its environment; {config} stands for the
 *   configuration. The first key is tried first, so the cheapest comes first.
 * - limit = 95: percent of the faults that are not equivalent that must be noticed.
 * - check_limit = 80: the same for `make check`, whose few faults one survivor must not fail.
 * - check_kill = 2: `make check` uses only so many of the kill keys.
 * - seeded = PROGRAM NAME=VALUE ...: for the hand-written bugs of tb/UNIT/mutants.txt
 *   (verify/mutate/seeded); {ini} stands for the description of the unit with the bug. Without
 *   sample and kill they are all.
 *
 * tb/UNIT/mutants.equiv: faults that change nothing that can be seen, one a line:
 * FILE :: SOURCE LINE :: PATTERN :: REASON. PATTERN matches "MODE CELLTYPE.PORT.BIT" as file names
 * are (also "cnot1 mux.B.4/8": bit 4 is inverted when bit 8 is 1); with " @ NAME" behind it also
 * the full name of the cell, or of the signal at that bit or at the cell's output, or NAME is
 * PORT=PATTERN of what the netlist connects there ("B=*u_a.ev_b"); several names, each behind its
 * " @ ", must all match. A number of Yosys', as in $procmux$12, is refused, and so is a pattern
 * that other numbers would change the faults of: the next edit makes it another cell's. A REASON
 * "unreached: WHY" says that it would be seen, but that no test goes there: told apart, and not
 * noticed; the word in any other form is refused.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

enum { MUTATE_MAX_SAMPLES = 8, MUTATE_MAX_KILLERS = 8 };

typedef struct mutate_sample {
  char *config;
  unsigned count;
} mutate_sample;

typedef struct mutate_unit {
  char *unit;
  mutate_sample samples[MUTATE_MAX_SAMPLES], check[MUTATE_MAX_SAMPLES];
  unsigned n_samples, n_check, seed, limit, check_limit, check_kill;
  char *killers[MUTATE_MAX_KILLERS];
  unsigned n_killers;
  bool seeded; /* has hand-written bugs */
} mutate_unit;

/* Reads [mutate] of rtl/UNIT/unit.ini. */
bool mutate_unit_read(mutate_unit *u, const char *unit, wf_error *err);
void mutate_unit_free(mutate_unit *u);

typedef enum {
  FAULT_OPEN,
  FAULT_KILLED,
  FAULT_SURVIVED,
  FAULT_ENDLESS,
  FAULT_UNREACHED,
  FAULT_EQUIVALENT,
  FAULT_STATES
} fault_state;

typedef struct fault {
  const char *config;
  unsigned number;                 /* 1 .. : value of WF_MUTANT */
  char *mode, *cell, *port, *type; /* type: Yosys' cell type, without $ */
  char *wire; /* a wire at that bit; if Yosys names none, at the cell's output; else "" */
  unsigned bit, control; /* control: of modes cnot0 and cnot1, the port's bit that has that value
                            when `bit` is inverted */
  char *connections;     /* of the cell: "A=signal", one a line */
  char *module, *file, *text; /* text: the source line, trimmed */
  unsigned line;
  fault_state state,
      listed;          /* FAULT_EQUIVALENT, FAULT_UNREACHED, or FAULT_OPEN: it is in no list */
  unsigned killer;     /* index of the killer that noticed it */
  double seconds;      /* processor time of all tests run on it */
  char *said, *reason; /* what the killer said; why it is listed */
} fault;

typedef struct fault_list {
  fault *items;
  size_t count;
} fault_list;

/* Adds the faults of FOLDER/faults.txt, placed with the cells of FOLDER/hierarchy.il; those that
 * the constants of FOLDER/flat.il make void are marked as equivalent. */
bool fault_list_read(fault_list *list, const char *folder, const char *config, wf_error *err);
void fault_list_free(fault_list *list);
/* Marks the faults that rtl/UNIT/mutants.equiv names. A file that is not there names none. */
bool fault_list_equivalents(fault_list *list, const char *unit, wf_error *err);

/* Runs the killers on faults first .. of the list, all of one configuration with this library,
 * `jobs` at a time. Fault 0, the design as it is, must pass every killer first. */
bool mutate_run(const mutate_unit *u, fault_list *list, size_t first, const char *build,
                const char *config, const char *library, unsigned jobs, wf_error *err);

/* Prints the table and writes BUILD/mutate/NAME.json. False with code 1 if too few were noticed. */
bool mutate_report(const mutate_unit *u, const fault_list *list, const mutate_sample *samples,
                   unsigned n_samples, const char *build, const char *name, wf_error *err);

#endif
