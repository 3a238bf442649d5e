/* Ports of mff_unit; of most, a field for each slice. */
#ifndef WF_UNITS_MFF_PORTS_H
#define WF_UNITS_MFF_PORTS_H

#include "sim/model/wf_ports.h"

#define MFF_PORTS(IN, OUT, P)                                                                      \
  IN(cfg_valid, 1), OUT(cfg_ready, 1), IN(cfg_addr, 4), IN(cfg_data, 32),                          \
      IN(cmd_valid, P(NSlice)), OUT(cmd_ready, P(NSlice)), IN(cmd_data, 256 * P(NSlice)),          \
      OUT(rsp_valid, P(NSlice)), IN(rsp_ready, P(NSlice)), OUT(rsp_data, 256 * P(NSlice)),         \
      OUT(mem_rd_valid, P(NSlice)), IN(mem_rd_ready, P(NSlice)), OUT(mem_rd_addr, 32 * P(NSlice)), \
      OUT(mem_rd_id, 16 * P(NSlice)), IN(mem_rsp_valid, P(NSlice)), OUT(mem_rsp_ready, P(NSlice)), \
      IN(mem_rsp_id, 16 * P(NSlice)), IN(mem_rsp_beat, 2 * P(NSlice)),                             \
      IN(mem_rsp_data, 256 * P(NSlice)), OUT(mem_wr_valid, P(NSlice)),                             \
      IN(mem_wr_ready, P(NSlice)), OUT(mem_wr_addr, 32 * P(NSlice)),                               \
      OUT(mem_wr_mask, 8 * P(NSlice)), OUT(mem_wr_last, P(NSlice)),                                \
      OUT(mem_wr_data, 256 * P(NSlice)), IN(cnt_slice, 5), OUT(error_count, 32),                   \
      WF_PORTS_COMMON(IN, OUT, 6)

WF_PORTS(mff, MFF_PORTS)

#endif
