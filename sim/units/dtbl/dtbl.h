/* What the files of DTBL's socket share: its settings, and the widths of the RTL's numbers. */
#ifndef WF_UNITS_DTBL_H
#define WF_UNITS_DTBL_H

#include "sim/seam/dispatch.h"

enum {
  DTBL_SMEM_BITS = 17,
  DTBL_TID_BITS = 11,
  DTBL_SHM_UNIT = 128, /* bytes of shared memory */
  DTBL_RECORD = WF_GRID_HEADER,
  DTBL_MAX_LINES = 64
};

typedef struct dtbl_settings {
  unsigned agt_entries, search_slots, pool_bits, done_depth, counter_bits, spread, lines, ring,
      kmu_entries, kmu_burst, kmu_ring, view, gate;
  uint64_t given; /* keys: wf_parameters_given() */
} dtbl_settings;

#endif
