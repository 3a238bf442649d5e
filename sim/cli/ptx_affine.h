/* What `warpfab ptx analyse` says of loads' addresses: class, cause, form; and the totals of
 * figures 7.3 and 7.4. */
#ifndef WF_CLI_PTX_AFFINE_H
#define WF_CLI_PTX_AFFINE_H

#include <cjson/cJSON.h>

#include "sim/ptx/affine.h"

void wf_ptx_affine_print(const ptx_affine *a);
/* name: of what the totals are, e.g. "all kernels". */
void wf_ptx_affine_print_totals(const char *name, const ptx_affine_totals *t);
/* {kernel, loads: [{pc, line, bytes, class, cause, bounded, needs, array, written, address}],
 * totals} */
cJSON *wf_ptx_affine_json(const ptx_affine *a);
/* {arrays, loads, static, quasi_static, induction, indirect, control, operator, bounded, relaxed}
 */
cJSON *wf_ptx_affine_totals_json(const ptx_affine_totals *t);

#endif
