/* Ports of obm. */
#ifndef WF_UNITS_OBM_PORTS_H
#define WF_UNITS_OBM_PORTS_H

#include "sim/model/wf_ports.h"

#define OBM_PORTS(IN, OUT, P)                                                                      \
  IN(seed, 16), IN(clear, 1), IN(acc_valid, 1), OUT(acc_ready, 1), IN(acc_pc, P(PcBits)),          \
      IN(acc_line, P(LineBits)), IN(acc_set, P(SetW)), IN(acc_miss, 1), IN(acc_keep, 1),           \
      IN(acc_vway, P(WayW)), IN(acc_vvalid, 1), IN(acc_vline, P(LineBits)), OUT(acc_rsp_valid, 1), \
      OUT(acc_rsp_past, 1), WF_PORTS_COMMON(IN, OUT, 3)

WF_PORTS(obm, OBM_PORTS)

#endif
