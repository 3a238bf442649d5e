/* A kernel of a SASS trace as the spare-register unit is told of it. A trace names registers, not
 * numbers: an operand that is missing among an instruction's registers is an immediate, a word of
 * the constant bank or a uniform register, and so constant. Of guards and branches it has the
 * masks. What the unit's form needs beyond that is taken from the addresses (steps), from tracer
 * version 5 (one immediate), or assumed; what was assumed is said. */
#ifndef WF_UNITS_SPREF_SASS_H
#define WF_UNITS_SPREF_SASS_H

#include "sim/trace/flow.h"
#include "sim/units/spref/spref_decode.h"

/* Of a setp that ends a loop: the loop goes on while what steps, by 2^shift (down: by
 * -2^shift), cmp the other; swap: what steps is the second operand. */
typedef struct spref_sass_test {
  uint8_t cmp, shift;
  bool swap, down;
} spref_sass_test;

typedef struct spref_sass {
  spref_code *code; /* rows by the kernel's pc; name 0 is never written: it stands for constants */
  uint32_t *op;     /* by the kernel's pc: the program's op; WF_FLOW_NONE for the last one */
  const char **
      reason; /* of a load in a loop that cannot be a target, as far as the text tells; else NULL */
  spref_sass_test *tests; /* by the kernel's pc */
  bool *assumed;          /* the row's shift or number is not the trace's */
} spref_sass;

/* program: read with options.flow, flow not NULL. all_loads: every load from global memory may be a
 * target, not only those that the opcode calls read-only. Freed with spref_sass_free(). */
spref_sass *spref_sass_decode(const wf_trace_program *program, bool all_loads);
void spref_sass_free(spref_sass *sass);

#endif
