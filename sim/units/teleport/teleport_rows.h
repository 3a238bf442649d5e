/* Where the rows of a launch come from, as the settings say: the kernel's code,
 * a file, calls of the program, or nowhere. */
#ifndef WF_UNITS_TELEPORT_ROWS_H
#define WF_UNITS_TELEPORT_ROWS_H

#include "sim/ptx/affine.h"
#include "sim/units/teleport/teleport_table.h"

typedef enum teleport_rows_from {
  TELEPORT_ROWS_AUTO, /* found in the kernel's code */
  TELEPORT_ROWS_NONE,
  TELEPORT_ROWS_API /* as the program sets them */
} teleport_rows_from;

typedef struct teleport_rows_settings {
  unsigned from;                    /* teleport_rows_from */
  const char *table;                /* a file in their place; NULL: none */
  unsigned relax, read_only, waste; /* for rows found in code, as ptx_affine_table has them */
  unsigned tiles;                   /* of these: 0: a row for each line of a tile */
} teleport_rows_settings;

typedef struct teleport_rows teleport_rows;

/* table: what the unit's can hold; the rest of it is filled in. NULL: *err. */
teleport_rows *teleport_rows_create(const teleport_rows_settings *settings,
                                    const ptx_affine_table *table, wf_error *err);
void teleport_rows_destroy(teleport_rows *rows); /* NULL is fine */
/* A row that the program sets; NULL: it forgets those it has set. */
void teleport_rows_set(teleport_rows *rows, const wf_preload_row *row);
/* The launch's, until the next call. False: *err. */
bool teleport_rows_find(teleport_rows *rows, const ptx_launch *launch, wf_error *err);
const teleport_row_list *teleport_rows_list(const teleport_rows *rows);

#endif
