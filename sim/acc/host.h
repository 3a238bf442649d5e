/* The program's own C with calls of sim/acc/include/wf_acc.h in the place of its directives. */
#ifndef WF_ACC_HOST_H
#define WF_ACC_HOST_H

#include <stdio.h>

#include "sim/acc/edit.h"
#include "sim/acc/region.h"

bool acc_host_write(acc_source *s, const acc_region *regions, unsigned n, FILE *out, wf_error *err);
/* moves.c: the calls that a directive's data clauses become, one a line. `call`: "wf_acc_move",
 * with the region's name before the clause. */
bool acc_moves_text(acc_source *s, const acc_directive *d, const char *region, char **text,
                    wf_error *err);

/* data.c: a directive that moves data and computes nothing. */
bool acc_data_edits(acc_source *s, const acc_directive *d, acc_edits *edits, wf_error *err);
/* The condition of its if clause, or "1". */
const char *acc_if_text(const acc_directive *d);

/* wf_n, wf_b: iterations along x, y, z, and the block's threads. */
void acc_shape_write(const acc_kernel *k, FILE *out);

/* reference.c: a kernel whose iterations communicate, as the host runs it to compare with: those of
 * a block are coroutines that meet where threads do. */
bool acc_coroutines_can(const acc_source *s, const acc_kernel *k);
/* The function of one of them; NULL and *err. */
const char *acc_coroutine_text(acc_source *s, const acc_kernel *k, wf_error *err);
/* The statement that runs them all. */
const char *acc_coroutines_text(acc_source *s, const acc_kernel *k);

#endif
