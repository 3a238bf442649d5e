/* A proof's design as the engines take it: SMT2, and an and-inverter graph with named bad states.
 */
#ifndef TB_FORMAL_DESIGN_H
#define TB_FORMAL_DESIGN_H

#include "verify/formal/formal.h"
#include "verify/formal/formal_aig.h"

/* Files in the folder: design.il (for traces), design.smt2, design.aag, design.aim, names.txt,
 * yosys.log. */
typedef struct formal_design {
  const char *folder;
  const formal_proof *proof;
  formal_aig aig;          /* constraints folded in; bad state i is rule i of the result */
  uint32_t n_real_latches; /* without the one that folding added */
} formal_design;

/* Runs Yosys, reads the graph and fills in the names of rules and covers. */
bool formal_design_build(formal_design *d, const char *unit, const formal_proof *proof,
                         const formal_files *files, const char *folder, formal_result *result,
                         wf_error *err);
void formal_design_free(formal_design *d);

/* Makes folder/NAME.vcd from the counterexample folder/NAME.aiw; false if there is none. */
bool formal_design_trace(const formal_design *d, const char *name);

#endif
