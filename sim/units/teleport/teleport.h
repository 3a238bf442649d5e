/* What the files of TELEPORT's socket share: its settings, the sizes that follow from them and from
 * the GPU's, and clock edges. */
#ifndef WF_UNITS_TELEPORT_H
#define WF_UNITS_TELEPORT_H

#include "sim/seam/preload.h"
#include "sim/units/rtl_set.h"
#include "sim/units/teleport/ports.h"
#include "sim/units/teleport/teleport_rows.h"
#include "sim/units/teleport/teleport_walk.h"

enum {
  TELEPORT_LINE_SHIFT = 7,
  TELEPORT_SIZE_BITS = 8,
  TELEPORT_IDX_BITS = 16,
  TELEPORT_CAP_BITS = 10,
  TELEPORT_SETTLE = 10000 /* edges in which RTL takes what comes between kernels */
};

typedef struct teleport_settings {
  unsigned overlap, cap, ways, sets, keep_unread, ahead, table_rows, controllers, queue, prod_bits,
      view, counter_bits, gate;
  unsigned run, waits, races;
  teleport_rows_settings source;
} teleport_settings;

typedef struct teleport_shared {
  wf_unit_env env;
  teleport_settings set;
  unsigned ways, places, addr_bits, slots; /* slots: thread blocks of an SM, also those ahead */
  wf_teleport_bounds bounds;               /* of the running kernel */
  const char *fault;                       /* found where no error can be returned; else NULL */
} teleport_shared;

/* A request of a controller for a buffer. */
typedef struct teleport_request {
  uint32_t block;
  unsigned sm;
  uint8_t slot;
  bool last;
} teleport_request;

static inline bool teleport_edge(const teleport_shared *m, wf_rtl *rtl, wf_error *err) {
  const uint64_t now = m->env.cycle(m->env.gpu);
  if (now > wf_model_cycle(rtl->model)) wf_model_set_cycle(rtl->model, now);
  return wf_rtl_edge(rtl, err);
}

/* Offers what is at the other ports until it is taken, or for TELEPORT_SETTLE edges. */
static inline bool teleport_transfer(const teleport_shared *m, wf_rtl *rtl, const wf_port *valid,
                                     const wf_port *ready, bool *taken, wf_error *err) {
  *taken = false;
  wf_port_set(valid, 1);
  for (unsigned i = 0; i < TELEPORT_SETTLE && !*taken; i++) {
    *taken = wf_port_get(ready);
    if (!teleport_edge(m, rtl, err)) return false;
  }
  wf_port_set(valid, 0);
  return true;
}

#endif
