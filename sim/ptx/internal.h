/* For tests: parsing with internal switches. */
#ifndef WF_PTX_INTERNAL_H
#define WF_PTX_INTERNAL_H

#include "sim/ptx/ptx.h"

/* keep_virtual: no register allocation; each virtual register has architectural ones of its own,
 * 64-bit ones an aligned pair. */
ptx_module *ptx_parse_internal(const char *name, const char *text, size_t bytes,
                               const ptx_custom_op *ops, size_t n_ops, bool keep_virtual,
                               wf_error *err);

#endif
