/* Internal to sim/trace: a PTX instruction as the SASS instruction that comes nearest to it, as a
 * tracer writes it. */
#ifndef WF_TRACE_SASS_TEXT_H
#define WF_TRACE_SASS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/ptx/ptx.h"

/* The static part of its lines: "1 R10 IADD3 2 R10 R255 0": destination, opcode, sources, width of
 * a memory access. 64-bit registers are named by their first, an operand that is a number by
 * nothing: it is *immediate, 0 if there is none. */
char *wf_sass_key(const ptx_inst *inst, uint32_t n_regs, int64_t *immediate);
/* Does the instruction have addresses in a trace? */
bool wf_sass_addressed(const ptx_inst *inst);

#endif
