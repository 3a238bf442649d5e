/* What the files of TELEPORT's socket share: its settings, the sizes that follow from them and from
 * the GPU's. */
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
  TELEPORT_PITCH_BITS = 20,
  TELEPORT_HEIGHT_BITS = 8
};

typedef struct teleport_settings {
  unsigned overlap, cap, ways, sets, keep_unread, table_rows, ranges, prod_bits, view, counter_bits,
      gate;
  unsigned races;
  uint64_t given; /* keys: wf_parameters_given() */
  teleport_rows_settings source;
} teleport_settings;

typedef struct teleport_shared {
  wf_unit_env env;
  teleport_settings set;
  unsigned ways, places, addr_bits, slots; /* slots: thread blocks of an SM */
  wf_teleport_bounds bounds;               /* of the running kernel */
  wf_error *fault;                         /* the unit's: where no error can be returned */
} teleport_shared;

/* What the controller sends to a buffer. */
typedef struct teleport_request {
  unsigned sm;
  uint8_t slot;
  bool last, none;
  uint64_t low, high; /* as the ports have them */
  uint32_t pitch, more;
} teleport_request;

#endif
