/* The program's own C with calls of sim/acc/include/wf_acc.h in the place of its directives. */
#ifndef WF_ACC_HOST_H
#define WF_ACC_HOST_H

#include <stdio.h>

#include "sim/acc/region.h"

bool acc_host_write(acc_source *s, const acc_region *regions, unsigned n, FILE *out, wf_error *err);
/* moves.c: the calls that a directive's data clauses become, one a line. `call`: "wf_acc_move",
 * with the region's name before the clause. */
bool acc_moves_text(acc_source *s, const acc_directive *d, const char *region, char **text,
                    wf_error *err);

#endif
