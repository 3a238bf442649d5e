/* Internal to sim/trace: an instruction's line in a kernel's file. */
#ifndef WF_TRACE_ACCELSIM_LINE_H
#define WF_TRACE_ACCELSIM_LINE_H

#include "sim/trace/accelsim_header.h"

/* Reads the line at p from its program counter (its source line, if the header says so) to its
 * end, which is taken. False: the source failed. */
bool wf_accelsim_instruction(wf_source *s, const wf_accelsim_header *h, const char *p,
                             wf_trace_program *program, wf_trace_event *e);
/* "where: expected `what`, found" the word at `at`. Always false. */
bool wf_accelsim_unexpected(wf_source *s, const char *where, const char *what, const char *at);

#endif
