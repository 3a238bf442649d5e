/* And-inverter graphs as Yosys writes them (ASCII AIGER 1.9), and the binary files that abc reads.
 */
#ifndef TB_FORMAL_AIG_H
#define TB_FORMAL_AIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

typedef struct formal_and {
  uint32_t left, right; /* literals */
} formal_and;

/* Variables: inputs 1..n_inputs, latches after them, then the gates. Latches start at 0. */
typedef struct formal_aig {
  uint32_t n_inputs, n_latches, n_gates, n_bad, n_constraints;
  uint32_t *next;              /* of each latch */
  uint32_t *bad, *constraints; /* literals */
  formal_and *gates;
} formal_aig;

bool formal_aig_read(formal_aig *aig, const char *path, wf_error *err);
void formal_aig_free(formal_aig *aig);

/* Constraints are folded in: a state is bad only if no constraint was violated up to it. Adds a
 * latch. */
void formal_aig_fold(formal_aig *aig);
/* Replaces bad[which], a condition, by "the condition holds and one of the marked latches changes".
 */
void formal_aig_stable(formal_aig *aig, uint32_t which, const bool *marked);
/* Writes binary AIGER with the bad states `which[0..n)` as outputs, or their disjunction if `any`.
 */
bool formal_aig_write(const formal_aig *aig, const char *path, const uint32_t *which, size_t n,
                      bool any, wf_error *err);
/* Runs abc's witness (write_cex -a): which bad states are reached in its last step. False if the
 * text is none of this graph's. */
bool formal_aig_replay(const formal_aig *aig, const char *witness, bool *bad);

#endif
