/* The scheduler's RTL at its ports: kernels, groups and ends of blocks go in, blocks come out.
 *
 * A cycle: the fabric offers kernels and groups; one clock edge, inside laperm_side_place(), with
 * these and with the ends of the cycle before; then the block that the RTL shows is started. */
#ifndef WF_UNITS_LAPERM_SIDE_H
#define WF_UNITS_LAPERM_SIDE_H

#include "sim/units/laperm/laperm_book.h"
#include "sim/units/laperm/ports.h"
#include "sim/units/records.h"
#include "sim/units/rtl_set.h"

enum { LAPERM_MAX_REFUSED = 64 };

typedef struct laperm_side_counters {
  uint64_t ends_waited, kernels_waited, groups_waited;
} laperm_side_counters;

/* Read by others: port, book, shape, records' counters, n_ended, counters. */
typedef struct laperm_side {
  wf_unit_env env;
  const laperm_settings *set;
  wf_error *fault;  /* the unit's: where no error can be returned */
  wf_rtl_set *rtls; /* of one: */
  wf_rtl *rtl;
  laperm_ports port;
  laperm_book *book;
  laperm_shape shape;
  wf_records records;
  bool offered;    /* a kernel or a group goes in at the next edge */
  uint64_t *ended; /* [n_sm] slots whose ends the RTL has not taken */
  uint64_t n_ended;
  uint32_t refused[LAPERM_MAX_REFUSED];
  unsigned n_refused;
  laperm_side_counters counters;
} laperm_side;

void laperm_side_init(laperm_side *s, const wf_unit_env *env, const laperm_settings *set,
                      wf_error *fault);
void laperm_side_free(laperm_side *s);
bool laperm_side_bind(laperm_side *s, wf_rtl_set *rtls, wf_error *err);

/* What wf_dispatch_ops says of each. */
bool laperm_side_fits(const laperm_side *s, const wf_grid *g, char *why, size_t bytes);
bool laperm_side_kernel(laperm_side *s, const wf_grid *kernel);
bool laperm_side_group(laperm_side *s, const wf_grid *group);
bool laperm_side_refused(laperm_side *s, uint32_t *id);
bool laperm_side_place(laperm_side *s, wf_placement *placed);
bool laperm_side_may_place(const laperm_side *s);
void laperm_side_block_done(laperm_side *s, unsigned sm, unsigned slot);
void laperm_side_rooms(const laperm_side *s, wf_dispatch_rooms *rooms);
void laperm_side_divert(laperm_side *s, const wf_mask *sms);

/* Nothing changes at an edge. */
bool laperm_side_at_rest(const laperm_side *s);
/* Between kernels: bookkeeping that is left is done. False: *err. */
bool laperm_side_clock_to_rest(laperm_side *s, wf_error *err);

#endif
