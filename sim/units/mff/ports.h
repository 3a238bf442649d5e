/* Ports of mff_unit; of most, a field for each slice. */
#ifndef WF_UNITS_MFF_PORTS_H
#define WF_UNITS_MFF_PORTS_H

#include "sim/model/wf_ports.h"

typedef struct mff_sizes {
  unsigned slices;
} mff_sizes;

#define MFF_PORTS(IN, OUT)                                                                         \
  IN(cfg_valid, 1), OUT(cfg_ready, 1), IN(cfg_addr, 4), IN(cfg_data, 32),                          \
      IN(cmd_valid, s->slices), OUT(cmd_ready, s->slices), IN(cmd_data, 256 * s->slices),          \
      OUT(rsp_valid, s->slices), IN(rsp_ready, s->slices), OUT(rsp_data, 256 * s->slices),         \
      OUT(mem_rd_valid, s->slices), IN(mem_rd_ready, s->slices), OUT(mem_rd_addr, 32 * s->slices), \
      OUT(mem_rd_id, 16 * s->slices), IN(mem_rsp_valid, s->slices), OUT(mem_rsp_ready, s->slices), \
      IN(mem_rsp_id, 16 * s->slices), IN(mem_rsp_beat, 2 * s->slices),                             \
      IN(mem_rsp_data, 256 * s->slices), OUT(mem_wr_valid, s->slices),                             \
      IN(mem_wr_ready, s->slices), OUT(mem_wr_addr, 32 * s->slices),                               \
      OUT(mem_wr_mask, 8 * s->slices), OUT(mem_wr_last, s->slices),                                \
      OUT(mem_wr_data, 256 * s->slices), IN(cnt_slice, 5), OUT(error_count, 32),                   \
      WF_PORTS_COMMON(IN, OUT, 6)

WF_PORTS(mff, MFF_PORTS)

#endif
