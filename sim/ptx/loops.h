/* Natural loops of a control-flow graph and how they nest. */
#ifndef WF_PTX_LOOPS_H
#define WF_PTX_LOOPS_H

#include "sim/ptx/cfg.h"
#include "sim/ptx/ptx.h"

typedef struct ptx_loop_forest {
  ptx_loop *loops; /* a loop comes after the loop around it */
  uint32_t n_loops;
  uint32_t *loop_of; /* by instruction: the innermost loop it is in, or PTX_NO_LOOP */
} ptx_loop_forest;

/* n: instructions. Loops with one header are one loop; a cycle that can be entered past its header
 * counts as the loop of the block a depth-first walk meets first. The caller frees with
 * ptx_loops_free(). */
ptx_loop_forest ptx_loops_find(const ptx_cfg *cfg, uint32_t n);
void ptx_loops_free(ptx_loop_forest *forest);

#endif
