/* How many iterations a loop goes on by its test: the subtraction beside the setp that the unit
 * asks for. */
#ifndef WF_UNITS_SPREF_COUNT_H
#define WF_UNITS_SPREF_COUNT_H

#include "sim/ptx/code.h"

enum { SPREF_COUNT_MOST = 15 };

/* `x cmp y` with x stepping by 2^shift, or down by as much; the caller has swapped operands if the
 * answer said so. */
typedef struct spref_question {
  unsigned cmp, shift; /* cmp: PTX_EQ .. PTX_GE */
  bool swap, down;
} spref_question;

/* An operand of an integer setp of 32 or 64 bits in a lane, as a signed number: order and
 * differences are the type's. */
int64_t spref_operand(const ptx_code *setp, const ptx_source *s, const ptx_warp *w, unsigned lane);
/* How often the condition holds from now on before it fails, 0 .. 15; 15 too if x would leave the
 * setp's type before that, or for `ne` if it steps past y. */
unsigned spref_count(const ptx_code *setp, int64_t x, int64_t y, const spref_question *q);

#endif
