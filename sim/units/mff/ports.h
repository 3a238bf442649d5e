/* Ports of MFF's two top modules: mff_unit beside the L2 slices, of most of which it has a field
 * for each slice, and mff_sm in each SM. */
#ifndef WF_UNITS_MFF_PORTS_H
#define WF_UNITS_MFF_PORTS_H

#include "sim/model/wf_ports.h"

/* All but the memory's, which a wrapper for a bus replaces (rtl/mff_unit/mff_axi4.v, mff_tlul.v).
 */
#define MFF_HOST_PORTS(IN, OUT, P)                                                                 \
  IN(cfg_valid, 1), OUT(cfg_ready, 1), IN(cfg_addr, 4), IN(cfg_data, 32),                          \
      IN(cmd_valid, P(NSlice)), OUT(cmd_ready, P(NSlice)), IN(cmd_data, 256 * P(NSlice)),          \
      OUT(rsp_valid, P(NSlice)), IN(rsp_ready, P(NSlice)), OUT(rsp_data, 256 * P(NSlice)),         \
      IN(cnt_slice, 5), OUT(error_count, 32), WF_PORTS_COMMON(IN, OUT, 6)

#define MFF_MEMORY_PORTS(IN, OUT, P)                                                               \
  OUT(mem_rd_valid, P(NSlice)), IN(mem_rd_ready, P(NSlice)),                                       \
      OUT(mem_rd_addr, P(AddrBits) * P(NSlice)), OUT(mem_rd_id, 16 * P(NSlice)),                   \
      IN(mem_rsp_valid, P(NSlice)), OUT(mem_rsp_ready, P(NSlice)), IN(mem_rsp_id, 16 * P(NSlice)), \
      IN(mem_rsp_beat, P(BeatW) * P(NSlice)), IN(mem_rsp_data, 256 * P(NSlice)),                   \
      OUT(mem_wr_valid, P(NSlice)), IN(mem_wr_ready, P(NSlice)),                                   \
      OUT(mem_wr_addr, P(AddrBits) * P(NSlice)), OUT(mem_wr_mask, 8 * P(NSlice)),                  \
      OUT(mem_wr_last, P(NSlice)), OUT(mem_wr_data, 256 * P(NSlice))

#define MFF_PORTS(IN, OUT, P) MFF_HOST_PORTS(IN, OUT, P), MFF_MEMORY_PORTS(IN, OUT, P)

WF_PORTS(mff_host, MFF_HOST_PORTS)
WF_PORTS(mff_memory, MFF_MEMORY_PORTS)
WF_PORTS(mff, MFF_PORTS)

#define MFF_SM_PORTS(IN, OUT, P)                                                                   \
  IN(sm, 8), IN(first, P(SliceW)), IN(iss_valid, 1), OUT(iss_ready, 1), IN(iss_op, 1),             \
      IN(iss_warp, 6), IN(iss_mask, 4), IN(iss_index, 128), IN(iss_size, 24),                      \
      IN(iss_target, 4 * P(AddrW)), OUT(gathers, P(NumWarp)), OUT(cmd_valid, 1), IN(cmd_ready, 1), \
      OUT(cmd_data, 256), OUT(cmd_slice, P(SliceW)), OUT(cmd_last, 1), IN(rsp_valid, 1),           \
      OUT(rsp_ready, 1), IN(rsp_data, 256), OUT(wr_valid, 1), OUT(wr_warp, 6), OUT(wr_mask, 5),    \
      OUT(wr_addr, 5 * P(AddrW)), OUT(wr_data, 160), WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(mff_sm, MFF_SM_PORTS)

#endif
