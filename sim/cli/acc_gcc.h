/* GCC 12's OpenACC (Debian: gcc-12-offload-nvptx) in the place of warpfab-acc. */
#ifndef WF_ACC_GCC_H
#define WF_ACC_GCC_H

#include "sim/base/wf_error.h"

/* Compiles path into folder/name (PTX) and folder/name.so (the host part). flags: -I, -D words.
 * False and *err (code 2): no such compiler, or it refuses; its reasons are on standard error. */
bool wf_acc_gcc(const char *path, const char *folder, const char *name, const char *flags,
                wf_error *err);

#endif
