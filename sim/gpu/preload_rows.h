/* Rows of the preload table, from where the user says they come. */
#ifndef WF_GPU_PRELOAD_ROWS_H
#define WF_GPU_PRELOAD_ROWS_H

#include <stdbool.h>

#include "sim/base/wf_options.h"
#include "sim/ptx/block_rows.h"
#include "sim/ptx/ptx.h"

/* A list that grows. */
typedef struct wf_preload_list {
  wf_preload_row *rows;
  unsigned n, capacity;
} wf_preload_list;
void wf_preload_list_add(wf_preload_list *list, const wf_preload_row *row);

/* A file of rows. Text; `#` begins a comment; `kernel NAME` or `kernel *` tells of whom the rows
 * after it are; a row is BASE BYTES  X Y Z OFFSET  X Y Z OFFSET base, element's bytes, products and
 * offset of the lower and of the upper end, in elements. BASE is a device address or `pN`, the
 * kernel's parameter N from 0 on, to which +NUMBER or -NUMBER may be attached (bytes). */
typedef struct wf_preload_table wf_preload_table;
wf_preload_table *wf_preload_table_read(const char *path, wf_error *err);
void wf_preload_table_free(wf_preload_table *table); /* NULL is fine */
/* Adds the rows of the launch. False: a parameter that the kernel does not have. */
bool wf_preload_table_rows(const wf_preload_table *table, const ptx_launch *launch,
                           wf_preload_list *list, wf_error *err);

#endif
