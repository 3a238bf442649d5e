/* The spare-register unit and a trace, which has no values. It listens: its RTL is told of the
 * instructions of every warp in the order in which they issue, and says where it would put loads
 * for later iterations; these are counted, not sent, and cycles are those without the unit. Or it
 * is timed: it stands where instructions issue, as with PTX, and here is what a decoder and
 * registers would give it. */
#ifndef WF_UNITS_SPREF_TRACE_H
#define WF_UNITS_SPREF_TRACE_H

#include <cjson/cJSON.h>

#include "sim/trace/trace.h"
#include "sim/units/rtl_set.h"
#include "sim/units/spref/spref_ports.h"

typedef struct spref_trace spref_trace;

/* rtl: an instance for each SM, which outlives it; levels: for every kernel, but for
 * max_s; max_d: names that there are; spare: registers of a thread that prefetches may have;
 * all_loads: not only read-only ones may be targets; timed: it does not listen. NULL: *err. */
spref_trace *spref_trace_create(const wf_unit_env *env, wf_rtl_set *rtl, const spref_levels *levels,
                                unsigned spare, bool all_loads, bool timed, wf_error *err);
void spref_trace_destroy(spref_trace *trace);
/* The launch's instructions come through the returned source, which asks `from`; until the next
 * call. NULL: *err. */
wf_warp_source *spref_trace_listen(spref_trace *trace, wf_warp_source *from,
                                   const wf_trace_kernel *kernel, wf_error *err);
/* Of the launch, if it is timed: the kernel as the unit sees it, NULL if it has nothing to do. */
spref_code *spref_trace_code(const spref_trace *trace);
/* Operands of the loop's test that has just been executed, of which it would hold as often as each
 * lane comes by it again. */
void spref_trace_operands(spref_trace *trace, const ptx_warp *warp, ptx_pc pc, uint32_t mask,
                          spref_operands *operands);
/* The answer on the ports is of the load at pc. False: that is none. */
bool spref_trace_note(spref_trace *trace, unsigned sm, const spref_ports *ports, ptx_pc pc);
/* {"loads": [...], "kernels": ..., ...} */
cJSON *spref_trace_json(const spref_trace *trace);
void spref_trace_print(FILE *out, const spref_trace *trace);

#endif
