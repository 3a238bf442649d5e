/* Ports of region's two top modules: beside an SM's L1, and at a slice of L2. */
#ifndef WF_UNITS_REGION_PORTS_H
#define WF_UNITS_REGION_PORTS_H

#include "sim/model/wf_ports.h"

#define CORE_PORTS(IN, OUT, P)                                                                     \
  IN(clear, 1), IN(map_valid, 1), OUT(map_ready, 1), IN(map_region, P(RegionW)),                   \
      IN(map_first, P(LineBits)), IN(map_last, P(LineBits)), IN(acc_valid, 1), OUT(acc_ready, 1),  \
      IN(acc_pc, P(PcBits)), IN(acc_line, P(LineBits)), IN(acc_set, P(SetW)),                      \
      IN(acc_way, P(WayW)), IN(acc_hit, 1), IN(acc_miss, 1), OUT(acc_rsp_valid, 1),                \
      OUT(acc_rsp_past_l1, 1), OUT(acc_rsp_past_l2, 1), OUT(acc_rsp_copy, 1),                      \
      OUT(acc_rsp_region, P(RegionW)), IN(rep_valid, 1), OUT(rep_ready, 1),                        \
      IN(rep_region, P(RegionW)), IN(rep_shared, 1), IN(rep_private, 1),                           \
      WF_PORTS_COMMON(IN, OUT, 4)

WF_PORTS(core, CORE_PORTS)

#define SLICE_PORTS(IN, OUT, P)                                                                    \
  IN(acc_valid, 1), OUT(acc_ready, 1), IN(acc_kind, 3), IN(acc_asks, 1), IN(acc_set, P(SetW)),     \
      IN(acc_way, P(WayW)), IN(acc_mshr, P(MshrW)), IN(acc_core, P(CoreBits)), IN(acc_past, 1),    \
      IN(acc_keeps, 1), OUT(acc_rsp_valid, 1), OUT(acc_rsp_past, 1), OUT(acc_rsp_leaves, 1),       \
      OUT(acc_rsp_shared, 1), OUT(acc_rsp_private, 1), WF_PORTS_COMMON(IN, OUT, 4)

WF_PORTS(slice, SLICE_PORTS)

#endif
