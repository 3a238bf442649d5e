/* Control-flow graph of a kernel, and immediate post-dominators. */
#ifndef WF_PTX_CFG_H
#define WF_PTX_CFG_H

#include <stdbool.h>
#include <stdint.h>

struct ptx_kernel;

enum { PTX_CFG_MAX_SUCC = 2 };

typedef struct ptx_block {
  uint32_t first, last; /* instructions, inclusive */
  uint32_t succ[PTX_CFG_MAX_SUCC];
  uint32_t n_succ; /* without the exit */
  uint32_t ipdom;  /* block, or n_blocks: the kernel's end */
} ptx_block;

typedef struct ptx_cfg {
  ptx_block *blocks;
  uint32_t n_blocks;
  uint32_t *block_of;          /* by instruction */
  uint32_t *first_pred, *pred; /* of block b: pred[first_pred[b] .. first_pred[b + 1]) */
} ptx_cfg;

/* How an instruction ends a block, if it does. */
typedef struct ptx_flow {
  bool jumps, exits, conditional;
  bool traps;      /* exits by ending the run */
  uint32_t target; /* of a jump: instruction, or n for past the end */
} ptx_flow;

/* flows: one per instruction. A conditional exit does not count as an edge to the end, so that the
 * lanes that stay still reconverge early: those that leave need not be waited for.
 * Nor does a way that only leads to a trap: lanes on it take the run with them (an assertion in one
 * arm of a branch must not keep the other lanes apart).
 * Blocks from which the end cannot be reached count as if they led to it. */
ptx_cfg *ptx_cfg_create(const ptx_flow *flows, uint32_t n);
/* The same of a complete kernel. */
ptx_cfg *ptx_cfg_of_kernel(const struct ptx_kernel *kernel);
void ptx_cfg_destroy(ptx_cfg *cfg);

#endif
