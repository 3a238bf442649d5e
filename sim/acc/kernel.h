/* CUDA text of a region's kernels, and of what they need from the file: macros, types, functions.
 */
#ifndef WF_ACC_KERNEL_H
#define WF_ACC_KERNEL_H

#include <stdio.h>

#include "sim/acc/edit.h"
#include "sim/acc/region.h"

/* The kernel and the function NAME_launch that C code calls. */
bool acc_kernel_write(acc_source *s, const acc_kernel *k, FILE *out, wf_error *err);
/* Parameters of NAME_launch behind the shape of the launch, as declarations; each begins with a
 * comma. */
char *acc_launch_parameters(acc_source *s, const acc_kernel *k);
/* Edits that make of [begin, end) what a thread runs: without directives, atomics as calls, cached
 * arrays in shared memory. k: NULL of a function. */
bool acc_thread_edits(acc_source *s, const acc_kernel *k, unsigned begin, unsigned end,
                      acc_edits *edits, wf_error *err);
/* blocks.c: edits that let a block's threads share the vector loops of `body`. */
bool acc_share_loops(acc_source *s, acc_node *body, acc_edits *edits, wf_error *err);
/* atomic.c: the call in the place of an atomic directive's statement. */
char *acc_atomic_text(acc_source *s, const acc_directive *d, wf_error *err);
const char *acc_reducer(const char *operator);

/* needs.c: macros and types of the file and of its own headers, and the functions that the
 * kernels call, as device functions. */
bool acc_needs_write(acc_source *s, const acc_region *regions, unsigned n, FILE *out,
                     wf_error *err);

#endif
