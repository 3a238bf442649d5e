/* Rows of the preload table for one launch, printed: `warpfab ptx analyse ... --kernel K --grid ..
 * --block .. --param ..`. */
#ifndef WF_CLI_PTX_ROWS_H
#define WF_CLI_PTX_ROWS_H

#include "sim/base/wf_error.h"
#include "sim/ptx/affine.h"

enum { WF_PTX_ROWS_PARAMS = 32 };

typedef struct wf_ptx_rows_options {
  uint32_t grid[3], block[3]; /* [0] is 0 if not given */
  const char *params[WF_PTX_ROWS_PARAMS];
  unsigned n_params;
  ptx_affine_table table;
} wf_ptx_rows_options;

/* Takes --grid, --block, --param, --relax and --bits. *taken: it is one of these; false: its value
 * is wrong, or NULL. */
bool wf_ptx_rows_option(wf_ptx_rows_options *o, const char *name, const char *value, bool *taken,
                        wf_error *err);
/* Prints the rows as calls of cudaSetCTATracker(), and the loads without. */
bool wf_ptx_rows_print(const ptx_affine *a, const wf_ptx_rows_options *o, wf_error *err);

#endif
