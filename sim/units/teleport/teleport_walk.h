/* The blocks of memory that the rows of a preload table ask for, for one thread block: what the
 * controller's requests must be. */
#ifndef WF_UNITS_TELEPORT_WALK_H
#define WF_UNITS_TELEPORT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/ptx/block_rows.h"

typedef struct wf_teleport_bounds {
  uint32_t first, last; /* lines that may be asked for */
  unsigned cap;         /* requests of a thread block, at most */
} wf_teleport_bounds;

typedef struct wf_teleport_walk {
  const wf_preload_row *rows;
  unsigned n_rows, row, line, asked; /* line: of the row, the next */
  uint32_t block[3];
  int64_t next, end; /* lines of the present row that are left */
} wf_teleport_walk;

/* Of the row's first line: first bytes of the first and of the last element, exact: the last line
 * is the one in which the last element begins. */
void wf_teleport_range(const wf_preload_row *row, const uint32_t block[3], int64_t *low,
                       int64_t *high);
wf_teleport_walk wf_teleport_walk_begin(const wf_preload_row *rows, unsigned n_rows,
                                        const uint32_t block[3]);
/* The next line of memory, row by row, in a row range by range, ascending; false: there are no
 * more. */
bool wf_teleport_walk_next(wf_teleport_walk *walk, const wf_teleport_bounds *bounds,
                           uint32_t *line);

/* Of all kernels so far: lines that walks gave and that buffers asked for; of these, what was
 * neither in a buffer nor fetched, and what found no room there. */
typedef struct wf_teleport_sums {
  uint64_t of_rows, asked, left_out, no_room;
  bool stored; /* stores made lines go: which were here is not known any more */
} wf_teleport_sums;
/* Each line that rows ask for was asked for, and fetched unless it was here or found no room. */
bool wf_teleport_all_asked(const wf_teleport_sums *n, wf_error *err);

#endif
