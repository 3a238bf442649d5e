/* A table of rows in a file (teleport.table). */
#ifndef WF_UNITS_TELEPORT_TABLE_H
#define WF_UNITS_TELEPORT_TABLE_H

#include <stdbool.h>

#include "sim/base/wf_options.h"
#include "sim/ptx/block_rows.h"
#include "sim/ptx/ptx.h"

/* A list that grows. */
typedef struct teleport_row_list {
  wf_preload_row *rows;
  unsigned n, capacity;
} teleport_row_list;
void teleport_row_list_add(teleport_row_list *list, const wf_preload_row *row);

/* A file of rows. Text; `#` begins a comment; `kernel NAME` or `kernel *` tells of whom the rows
 * after it are; a row is BASE BYTES  X Y Z OFFSET  X Y Z OFFSET base, element's bytes, products and
 * offset of the lower and of the upper end, in elements; PITCH LINES may follow: a tile of so many
 * such ranges, each PITCH bytes behind the one before. BASE is a device address or `pN`, the
 * kernel's parameter N from 0 on, to which +NUMBER or -NUMBER may be attached (bytes). */
typedef struct teleport_table teleport_table;
teleport_table *teleport_table_read(const char *path, wf_error *err);
void teleport_table_free(teleport_table *table); /* NULL is fine */
/* Adds the rows of the launch. False: a parameter that the kernel does not have. */
bool teleport_table_rows(const teleport_table *table, const ptx_launch *launch,
                         teleport_row_list *list, wf_error *err);

#endif
