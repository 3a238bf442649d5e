/* The scheduler's RTL at its ports: kernels, groups and ends of blocks go in, blocks come out. The
 * kernel management unit beside it has what waits for an entry (dtbl_kmu_side.h).
 *
 * A cycle: the fabric offers kernels and groups; one clock edge, inside dtbl_side_place(), with
 * these and with the ends of the cycle before; then the block that the RTL shows is started. So an
 * end makes room in the cycle after it, as with the GPU's own dispatcher. */
#ifndef WF_UNITS_DTBL_SIDE_H
#define WF_UNITS_DTBL_SIDE_H

#include "sim/units/dtbl/dtbl.h"
#include "sim/units/dtbl/dtbl_book.h"
#include "sim/units/dtbl/dtbl_kmu_side.h"
#include "sim/units/dtbl/ports.h"
#include "sim/units/records.h"
#include "sim/units/rtl_set.h"

enum { DTBL_MAX_REFUSED = 64 };

typedef struct dtbl_counters {
  uint64_t ends_waited, kernels_waited, groups_waited;
} dtbl_counters;

/* Read by others: port, book, shape, records' counters, n_ended, counters. */
typedef struct dtbl_side {
  wf_unit_env env;
  const dtbl_settings *set;
  wf_error *fault;  /* the unit's: where no error can be returned */
  wf_rtl_set *rtls; /* of one: */
  wf_rtl *rtl;
  dtbl_ports port;
  dtbl_book *book;
  dtbl_shape shape;
  wf_records records;
  dtbl_kmu kmu;
  uint64_t records_read;
  bool offered;    /* a kernel or a group goes in at the next edge */
  bool elsewhere;  /* a kernel does that is not of the kernel management unit: the host's */
  unsigned spread; /* threads between two SMs' first */
  uint64_t *ended; /* [n_sm] slots whose ends the RTL has not taken */
  uint64_t n_ended;
  uint32_t refused[DTBL_MAX_REFUSED];
  unsigned n_refused;
  dtbl_counters counters;
} dtbl_side;

void dtbl_side_init(dtbl_side *s, const wf_unit_env *env, const dtbl_settings *set,
                    wf_error *fault);
void dtbl_side_free(dtbl_side *s);
bool dtbl_side_bind(dtbl_side *s, wf_rtl_set *rtls, wf_rtl_set *kmu_rtls, wf_error *err);

/* What wf_dispatch_ops says of each. */
bool dtbl_side_fits(const dtbl_side *s, const wf_grid *g, char *why, size_t bytes);
bool dtbl_side_launch(dtbl_side *s, const wf_grid *kernel);
bool dtbl_side_kernel(dtbl_side *s, const wf_grid *kernel);
bool dtbl_side_group(dtbl_side *s, const wf_grid *group);
bool dtbl_side_refused(dtbl_side *s, uint32_t *id);
bool dtbl_side_place(dtbl_side *s, wf_placement *placed);
bool dtbl_side_may_place(const dtbl_side *s);
void dtbl_side_block_done(dtbl_side *s, unsigned sm, unsigned slot);
void dtbl_side_rooms(const dtbl_side *s, wf_dispatch_rooms *rooms);
void dtbl_side_divert(dtbl_side *s, const wf_mask *sms);

/* Nothing changes at an edge. */
bool dtbl_side_at_rest(const dtbl_side *s);
/* Between kernels: bookkeeping that is left is done. False: *err. */
bool dtbl_side_clock_to_rest(dtbl_side *s, wf_error *err);

#endif
