/* One C file with OpenACC directives as FOLDER/NAME.c and FOLDER/NAME.cu. */
#ifndef WF_ACC_TRANSLATE_H
#define WF_ACC_TRANSLATE_H

#include <stdbool.h>

#include "sim/base/wf_error.h"

/* flags: the compiler's. acc_cache_how says how the cache directive is built. False and *err (code
 * 2): no C, or something that is not taken, with its place. */
bool acc_translate(const char *path, const char *folder, const char *const *flags, unsigned n_flags,
                   wf_error *err);

#endif
