/* Ports of gran. */
#ifndef WF_UNITS_GRAN_PORTS_H
#define WF_UNITS_GRAN_PORTS_H

#include "sim/model/wf_ports.h"

#define GRAN_PORTS(IN, OUT, P)                                                                     \
  IN(predict_en, 1), IN(acc_valid, 1), OUT(acc_ready, 1), IN(acc_pc, P(PcBits)),                   \
      IN(acc_line, P(LineBits)), IN(acc_set, P(SetW)), IN(acc_sectors, 4), IN(acc_miss, 1),        \
      IN(acc_way, P(WayW)), IN(acc_vvalid, 1), IN(acc_vline, P(LineBits)), OUT(acc_rsp_valid, 1),  \
      OUT(acc_rsp_more, 4), WF_PORTS_COMMON(IN, OUT, 4)

WF_PORTS(gran, GRAN_PORTS)

#endif
