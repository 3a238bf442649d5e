/* Internal to sim/trace: making programs and what the fabric runs of them. */
#ifndef WF_TRACE_PROGRAM_H
#define WF_TRACE_PROGRAM_H

#include "sim/trace/trace.h"

wf_trace_program *wf_trace_program_create(const char *name, wf_sass_generation generation);
void wf_trace_program_destroy(wf_trace_program *p);
/* Like wf_trace_add(), for an instruction that our own header describes completely. */
wf_trace_op *wf_trace_add_given(wf_trace_program *p, uint64_t pc, const ptx_inst *inst,
                                const char *key, size_t bytes, const char *text);
/* A jump back was taken. */
void wf_trace_add_jump(wf_trace_program *p, uint64_t from, uint64_t to);
/* Orders the ops, finds loops, makes p->kernel; afterwards ops are found but no more added. */
void wf_trace_program_finish(wf_trace_program *p);
/* The kernel's pc of the op: of an exit, whether the warp ends there. */
ptx_pc wf_trace_op_index(const wf_trace_program *p, uint32_t op, bool ends);
/* The exit of warps whose trace ends without one. */
ptx_pc wf_trace_program_end(const wf_trace_program *p);

#endif
