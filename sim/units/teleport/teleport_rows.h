/* Where the rows of a launch come from, as teleport.rows and teleport.table say: the kernel's code,
 * a file, calls of the program, or nowhere. */
#ifndef WF_UNITS_TELEPORT_ROWS_H
#define WF_UNITS_TELEPORT_ROWS_H

#include "sim/ptx/affine.h"
#include "sim/units/teleport/teleport_table.h"

/* By number, as the parameter `rows`; a file takes their place. */
typedef enum teleport_rows_from {
  TELEPORT_ROWS_AUTO,
  TELEPORT_ROWS_NONE,
  TELEPORT_ROWS_API,
  TELEPORT_ROWS_FILE
} teleport_rows_from;

typedef struct teleport_rows teleport_rows;

/* options: teleport.rows, .table, .relax, .read_only, .waste. table: what the unit's can hold; the
 * rest of it is filled in. NULL: *err. */
teleport_rows *teleport_rows_create(const wf_options *options, const ptx_affine_table *table,
                                    wf_error *err);
void teleport_rows_destroy(teleport_rows *rows); /* NULL is fine */
/* A row that the program sets; NULL: it forgets those it has set. */
void teleport_rows_set(teleport_rows *rows, const wf_preload_row *row);
/* The launch's, until the next call. False: *err. */
bool teleport_rows_find(teleport_rows *rows, const ptx_launch *launch, wf_error *err);
const teleport_row_list *teleport_rows_list(const teleport_rows *rows);

#endif
