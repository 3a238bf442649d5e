/* Commands of clang, with our headers: for kernels and for CUDA programs. */
#ifndef WF_CUDA_CLANG_H
#define WF_CUDA_CLANG_H

#include <stddef.h>

#include "sim/base/wf_error.h"

enum { WF_CLANG_ARGUMENTS = 128 };

typedef struct wf_clang {
  char *argument[WF_CLANG_ARGUMENTS + 1];
  unsigned n;
} wf_clang;

/* The compiler's name: CLANG of the environment, or what the project was built with. */
void wf_clang_begin(wf_clang *c);
void wf_clang_add(wf_clang *c, char *text);          /* takes the text over */
void wf_clang_words(wf_clang *c, const char *words); /* each of them, separated by blanks */
/* The folder with our headers: the one around the program, else the one it was built from. The
 * caller frees it. */
char *wf_clang_root(void);
/* -I for sim/apps and its folders; the root for "sim/apps/warpfab.cuh". */
void wf_clang_kernel_headers(wf_clang *c);
/* -DWARPFAB_UNIT_<name>=1 */
void wf_clang_units(wf_clang *c, const char *const *units, unsigned n);
void wf_clang_free(wf_clang *c);
/* What the command prints, ended by a zero that does not count; the caller frees. path: what is
 * compiled. NULL and *err (code 2) if there is no such compiler or it refuses; its reasons are on
 * standard error. */
char *wf_clang_run(const wf_clang *c, const char *path, size_t *bytes, wf_error *err);

#endif
