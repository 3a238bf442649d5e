/* What the files of LaPerm's socket share: its settings, and the widths of the RTL's numbers. */
#ifndef WF_UNITS_LAPERM_H
#define WF_UNITS_LAPERM_H

#include "sim/seam/dispatch.h"

enum {
  LAPERM_KERNELS = 32,
  LAPERM_QUEUES = 511, /* of launches */
  LAPERM_SMEM_BITS = 17,
  LAPERM_SHM_UNIT = 128 /* bytes of shared memory */
};

typedef enum laperm_policy {
  LAPERM_RR,
  LAPERM_TB_PRI,
  LAPERM_SMX_BIND,
  LAPERM_ADAPTIVE
} laperm_policy;

typedef struct laperm_settings {
  unsigned policy, entries, levels, cluster, skip, search_slots, pool_bits, done_depth,
      counter_bits, lines, reads, ring, mhz, gate;
  uint64_t given; /* keys: wf_parameters_given() */
} laperm_settings;

#endif
