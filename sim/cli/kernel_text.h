/* The PTX of a user's file: PTX itself, or CUDA C in a .cu file, compiled as our own kernels are.
 */
#ifndef WF_CLI_KERNEL_TEXT_H
#define WF_CLI_KERNEL_TEXT_H

#include <stddef.h>

#include "sim/base/wf_error.h"

typedef struct wf_kernel_text {
  char *name; /* for messages: the lines are the PTX's */
  char *ptx;
  size_t bytes;
} wf_kernel_text;

/* units: n names; for each the macro WARPFAB_UNIT_<name> is defined while a .cu file is compiled.
 * False and *err (code 2) if the file cannot be read, there is no clang, or clang refuses it, which
 * says why on standard error. *text must be freed either way. */
bool wf_kernel_text_read(wf_kernel_text *text, const char *path, const char *const *units,
                         unsigned n, wf_error *err);
void wf_kernel_text_free(wf_kernel_text *text);

#endif
