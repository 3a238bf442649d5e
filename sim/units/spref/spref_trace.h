/* The spare-register unit listens to a trace: its RTL is told of the instructions of every warp in
 * the order in which they issue, and says where it would put loads for later iterations. These are
 * counted, not sent: a trace has no values, and cycles are those without the unit. */
#ifndef WF_UNITS_SPREF_TRACE_H
#define WF_UNITS_SPREF_TRACE_H

#include <cjson/cJSON.h>

#include "sim/trace/trace.h"
#include "sim/units/rtl_set.h"
#include "sim/units/spref/spref_ports.h"

typedef struct spref_trace spref_trace;

/* rtl: an instance for each SM, which outlives it; levels: for every kernel, but for
 * max_s; max_d: names that there are; spare: registers of a thread that prefetches may have;
 * all_loads: not only read-only ones may be targets. NULL: *err. */
spref_trace *spref_trace_create(const wf_unit_env *env, wf_rtl_set *rtl, const spref_levels *levels,
                                unsigned spare, bool all_loads, wf_error *err);
void spref_trace_destroy(spref_trace *trace);
/* The launch's instructions come through the returned source, which asks `from`; until the next
 * call. from: of replay. NULL: *err. */
wf_warp_source *spref_trace_listen(spref_trace *trace, wf_warp_source *from,
                                   wf_trace_replay *replay, const wf_trace_kernel *kernel,
                                   wf_error *err);
/* {"loads": [...], "kernels": ..., ...} */
cJSON *spref_trace_json(const spref_trace *trace);
void spref_trace_print(FILE *out, const spref_trace *trace);

#endif
