/* Tests of loops, for loadpairs.c. */
#ifndef WF_PTX_LOOP_ENTRY_H
#define WF_PTX_LOOP_ENTRY_H

#include "sim/ptx/loadpairs.h"
#include "sim/ptx/loop_values.h"

/* The setp of block that decides the predicate with which the block ends, or PTX_NO_PC. */
ptx_pc ptx_find_setp(const ptx_kernel *k, const ptx_block *block, uint32_t predicate);
/* The comparison of setp c, written so that it holds while the loop goes on, with operands
 * exchanged if swapped. False: not of integers, combined with another predicate, or no comparison
 * of order or equality. */
bool ptx_continue_compare(const ptx_code *c, bool goes_on_if_true, bool swapped, uint8_t *compare);
/* The branch that skips the loop, on the way to `before`, the block from which it is entered: its
 * setp, if what it compares is how often the loop's test will hold. entry->pc stays PTX_NO_PC if it
 * is not certain. */
void ptx_find_entry_test(const ptx_kernel *k, const ptx_cfg *cfg, uint32_t before, uint32_t header,
                         const ptx_loop_test *test, ptx_loop_test *entry);

#endif
