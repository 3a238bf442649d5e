/* All units in machines of their papers and of the 2020s: what each gives over the best software,
 * and what it costs there. */
#ifndef WF_PAPER_TOGETHER_H
#define WF_PAPER_TOGETHER_H

#include "tests/papers/paper.h"

enum {
  APCM,
  BUBBLE,
  DTBL,
  FLEXCL,
  GRAN,
  LAPERM,
  MFF,
  MSHR,
  MSHR_RICH,
  OBM,
  PRT,
  REGION,
  SPREF,
  TELEPORT,
  UNITS
};
enum { GTX480, K20C, FERMI16, RTX3070, A100, H100, RTX4090, MACHINES };
/* Machines of today are an eighth of themselves with the task's input; whole, with eight times
 * that.
 */
#define WHOLE(machine) ((machine) + MACHINES)
enum { BFS, SSSP, SPMV, JOIN, JAC, TASKS };
/* Columns of the tables: the machine of the unit's paper, then those of today. */
enum { OF_PAPER, TODAY, WHERE = TODAY + MACHINES - RTX3070 };

extern const char *const together_units[UNITS], *const together_tasks[TASKS];
/* The machine of a column. */
int together_machine(int unit, int where);
const char *together_machine_name(int machine);
/* Whether the unit is in this tree; whether it takes as many SMs and slices. */
bool together_has(int unit);
bool together_takes(int unit, int machine);
/* Whether it wants a machine of today changed. */
bool together_changes(int unit, int machine);
/* Whether a trace, which has no values, can drive it. */
bool together_traced(int unit);

/* ---- runs ---- */

typedef unsigned units_set; /* bits of units */
#define OF(unit) (1u << (unit))

/* What the run with the fewest cycles took; NAN: none yet. */
typedef struct cost {
  double cycles, joules, watts, dram, flits;
} cost;
/* The best software, on the machine as it is and with what these units want changed in it. */
cost together_without(paper *p, int machine, int task, units_set units);
/* ... with the units there. every: all forms that are nearly as fast without; else the fastest. */
cost together_with(paper *p, int machine, int task, units_set units, bool every);
/* A program's run or a trace's, `input`, on the machine as it is and then as these units want it,
 * `changed`, with them or without. */
cost together_run(paper *p, int machine, const char *label, const char *input, units_set changed,
                  units_set units);

enum { SPEED, ENERGY, DRAM, FLITS, MEASURES };
extern const char *const together_measures[MEASURES];
double together_ratio(cost without, cost with, int measure);

/* ---- prices ---- */

typedef struct price {
  double logic, ram; /* mm2 of all copies in the whole machine, at its node or nearly */
  double die;        /* mm2 of the machine's */
} price;
price together_price(int unit, int machine);
/* A number of the machine's description. */
double together_described(int machine, const char *key);

/* ---- parts ---- */

/* Without rows, and with these columns. */
paper_table together_table(const char *file, const char *title, const char *const *names, int n);

void together_beside_rtx3070(paper *p);
void together_beside_a100(paper *p);
void together_beside_h100(paper *p);
void together_beside_rtx4090(paper *p);
void together_whole(paper *p);
void together_traces(paper *p);

#endif
