/* The units there are, one for each folder of sim/units. */
#ifndef WF_UNITS_REGISTRY_H
#define WF_UNITS_REGISTRY_H

#include "sim/seam/unit.h"

const wf_unit_class *const *wf_unit_classes(size_t *count);
/* The instructions that all units add, for kernels that are read without a GPU; the caller's to
 * free. */
ptx_custom_op *wf_unit_ops(size_t *count);
/* NULL and *err listing the names there are. */
const wf_unit_class *wf_unit_find(const char *name, wf_error *err);

/* The unit that has such a form, and its setting ("mode=rex"); NULL: none has. */
const wf_unit_class *wf_unit_of_form(const char *form, const char **setting);

#endif
