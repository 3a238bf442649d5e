/* Names of values (static single assignment) over architectural registers, for affine.c: every
 * instruction's result is a name, and so is what a register holds where paths with different values
 * meet. */
#ifndef WF_PTX_AFFINE_SSA_H
#define WF_PTX_AFFINE_SSA_H

#include "sim/ptx/cfg.h"
#include "sim/ptx/code.h"

enum {
  PTX_NAME_NONE, /* not written yet on some path */
  PTX_NAME_HALF, /* upper half of the 64-bit value in the register below */
  PTX_NAME_FIRST /* then the meetings, then the results: PTX_CODE_DST an instruction */
};

typedef struct ptx_ssa {
  const ptx_kernel *k;
  ptx_cfg *cfg;
  uint32_t *order, n_order; /* blocks that can be reached, in reverse postorder */
  uint32_t *rank;           /* by block: place in order, UINT32_MAX if it cannot be reached */
  uint32_t *idom;           /* by block: the block itself for the first */
  uint32_t *depth;          /* by block: in the dominator tree */
  uint32_t *join; /* by block: PTX_NAME_FIRST + join * n_regs + r is what r holds where it starts;
                     UINT32_MAX: one way in */
  uint32_t *names_out;       /* [block][register]: at its end */
  uint32_t *same;            /* by name: of meetings that turned out to be one value */
  bool *used;                /* by name: some instruction reads it, or a used meeting */
  uint32_t *first_way, *way; /* into block b: from the blocks way[first_way[b] .. first_way[b + 1]),
                                UINT32_MAX: the kernel's start */
  uint32_t n_joins, first_result, n_names;
} ptx_ssa;

/* NULL if blocks * registers exceed PTX_SSA_LIMIT. */
enum { PTX_SSA_LIMIT = 1 << 22 };
ptx_ssa *ptx_ssa_create(const ptx_kernel *k);
void ptx_ssa_destroy(ptx_ssa *s);

/* What registers hold where a block starts, into now[n_regs]. */
void ptx_ssa_start(const ptx_ssa *s, uint32_t block, uint32_t *now);
/* Changes now as instruction pc does. */
void ptx_ssa_step(const ptx_ssa *s, ptx_pc pc, uint32_t *now);
/* The name that a source reads: PTX_NAME_NONE for constants, predicates and broken pairs. */
uint32_t ptx_ssa_source(const ptx_ssa *s, const ptx_source *from, const uint32_t *now);
/* Is the name what register r holds at the start of block, by a meeting there? */
uint32_t ptx_ssa_meeting(const ptx_ssa *s, uint32_t block, uint32_t r);
/* What the k-th way into block brings of register r; false past the last. *back: the way is taken
 * from within (or cannot be ordered). */
bool ptx_ssa_way(const ptx_ssa *s, uint32_t block, uint32_t r, uint32_t k, uint32_t *name,
                 bool *back);
/* The instruction of a result, *dst its destination; PTX_SSA_NO_PC for other names. */
enum { PTX_SSA_NO_PC = UINT32_MAX };
ptx_pc ptx_ssa_pc(const ptx_ssa *s, uint32_t name);
bool ptx_ssa_dominates(const ptx_ssa *s, uint32_t above, uint32_t below);

#endif
