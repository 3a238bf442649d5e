/* All units in machines of their papers and of the 2020s: what each gives over the best software,
 * and what it costs there. */
#ifndef WF_PAPER_TOGETHER_H
#define WF_PAPER_TOGETHER_H

#include "tests/papers/paper.h"

enum { APCM, BUBBLE, DTBL, FLEXCL, GRAN, LAPERM, MFF, OBM, REGION, SPREF, TELEPORT, UNITS };
enum { GTX480, K20C, FERMI16, RTX3070, A100, H100, RTX4090, MACHINES };
enum { BFS, SSSP, SPMV, JOIN, JAC, TASKS };
/* Columns of the tables: the machine of the unit's paper, then those of today. */
enum { OF_PAPER, TODAY, WHERE = TODAY + MACHINES - RTX3070 };

extern const char *const together_units[UNITS], *const together_machines[MACHINES],
                                                    *const together_tasks[TASKS];
/* The machine of a column. */
int together_machine(int unit, int where);
/* Whether the unit is in this tree. */
bool together_has(int unit);

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

/* ---- prices ---- */

typedef struct price {
  double logic, ram; /* mm2 of all copies in the whole machine, at its node or nearly */
  double die;        /* mm2 of the machine's */
} price;
price together_price(int unit, int machine);

#endif
