#include "sim/units/teleport/teleport_rows.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { TABLE_MOST = 1024 };

struct teleport_rows {
  unsigned from;           /* teleport_rows_from */
  ptx_affine_table limits; /* for rows found in the code */
  ptx_affine **found;      /* by kernel launched */
  unsigned n_found;
  teleport_table *table;
  teleport_row_list set, list;
};

teleport_rows *teleport_rows_create(const teleport_rows_settings *set,
                                    const ptx_affine_table *table, wf_error *err) {
  teleport_rows *r = wf_calloc(1, sizeof *r);
  r->from = set->from;
  r->limits = *table;
  r->limits.waste = set->waste;
  r->limits.relax = set->relax;
  r->limits.read_only = set->read_only;
  if (!set->tiles) r->limits.lines = 1;
  if (!set->table || (r->table = teleport_table_read(set->table, err))) return r;
  teleport_rows_destroy(r);
  return NULL;
}

void teleport_rows_destroy(teleport_rows *r) {
  if (!r) return;
  for (unsigned i = 0; i < r->n_found; i++) ptx_affine_destroy(r->found[i]);
  free(r->found);
  free(r->set.rows);
  free(r->list.rows);
  teleport_table_free(r->table);
  free(r);
}

void teleport_rows_set(teleport_rows *r, const wf_preload_row *row) {
  if (row)
    teleport_row_list_add(&r->set, row);
  else
    r->set.n = 0;
}

static void analyse(teleport_rows *r, const ptx_launch *l) {
  unsigned i = 0;
  while (i < r->n_found && ptx_affine_kernel(r->found[i]) != l->kernel) i++;
  if (i == r->n_found) {
    r->found = wf_realloc(r->found, ++r->n_found, sizeof *r->found);
    r->found[i] = ptx_affine_analyse(l->kernel);
  }
  wf_preload_row rows[TABLE_MOST];
  const ptx_affine_made made =
      ptx_affine_rows(r->found[i], l->nctaid, l->ntid, l->params, &r->limits, rows, NULL);
  for (unsigned k = 0; k < made.rows; k++) teleport_row_list_add(&r->list, &rows[k]);
}

bool teleport_rows_find(teleport_rows *r, const ptx_launch *launch, wf_error *err) {
  r->list.n = 0;
  if (launch->kernel->launches) return true; /* blocks of several kernels: none known beforehand */
  if (r->table) return teleport_table_rows(r->table, launch, &r->list, err);
  switch (r->from) {
  case TELEPORT_ROWS_API:
    for (unsigned i = 0; i < r->set.n; i++) teleport_row_list_add(&r->list, &r->set.rows[i]);
    return true;
  case TELEPORT_ROWS_AUTO:
    analyse(r, launch);
    return true;
  default:
    return true;
  }
}

const teleport_row_list *teleport_rows_list(const teleport_rows *r) {
  return &r->list;
}
