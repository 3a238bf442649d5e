/* --base UNIT.NAME=N[+BYTES]: a unit's base register points into the memory of parameter N. */
#ifndef WF_CLI_KERNEL_BASE_H
#define WF_CLI_KERNEL_BASE_H

#include "sim/cli/kernel_param.h"
#include "sim/cli/run_options.h"
#include "sim/gpu/gpu.h"

/* False and *err (code 2) for another form, a unit, register or parameter that is not there, or a
 * place outside the parameter's memory. given: the kernel's parameters, their sizes known. */
bool wf_kernel_bases_check(const run_options *o, const wf_kernel_param *given, wf_error *err);
/* Sets the registers; the parameters' memory has its addresses. */
bool wf_kernel_bases_set(wf_gpu *gpu, const run_options *o, const wf_kernel_param *given,
                         wf_error *err);

#endif
