/* From virtual to architectural registers: liveness, then first fit over live ranges. */
#ifndef WF_PTX_ALLOCATE_H
#define WF_PTX_ALLOCATE_H

#include "sim/ptx/cfg.h"
#include "sim/ptx/code.h"

/* Half-open range of positions in which a virtual register holds a value that is still needed.
 * Instruction i reads at 2 i and writes at 2 i + 1: a result may take the place of an operand
 * read for the last time. */
typedef struct ptx_range {
  uint32_t vreg, start, end;
} ptx_range;

typedef struct ptx_ranges {
  ptx_range *items; /* by vreg, then by start; disjoint */
  uint32_t *first;  /* of vreg v: items[first[v] .. first[v + 1]) */
  uint32_t n_vregs;
} ptx_ranges;

enum {
  /* Registers live into a block, summed over the blocks: a hundred times what large kernels have.
   */
  PTX_LIVE_LIMIT = 1 << 21,
  PTX_REGISTER_LIMIT = 4096 /* of 32 bits, and as many predicates: a GPU's thread has at most 255 */
};

/* NULL if more than PTX_LIVE_LIMIT is live. */
ptx_ranges *ptx_liveness(const ptx_code *codes, const ptx_cfg *cfg, uint32_t n_vregs);
void ptx_ranges_destroy(ptx_ranges *ranges);

typedef enum ptx_reg_class { PTX_CLASS_PRED, PTX_CLASS_NARROW, PTX_CLASS_WIDE } ptx_reg_class;

typedef struct ptx_allocation {
  uint32_t *reg; /* by vreg: first architectural register, or predicate */
  uint32_t n_regs, n_preds;
} ptx_allocation;

/* classes: a ptx_reg_class per vreg. Wide values take two registers, the first even.
 * reg is NULL if they do not fit PTX_REGISTER_LIMIT. */
ptx_allocation ptx_allocate(const ptx_ranges *ranges, const uint8_t *classes);
/* One register (or pair) of its own for every vreg. */
ptx_allocation ptx_allocate_all(uint32_t n_vregs, const uint8_t *classes);

/* Calls visit(context, vreg, write) for every register and predicate of an instruction, reads
 * first. */
typedef void ptx_visit_reg(void *context, uint32_t vreg, bool write);
void ptx_visit_regs(const ptx_code *c, ptx_visit_reg *visit, void *context);

#endif
