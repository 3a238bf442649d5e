/* Ports of mshr_rich. */
#ifndef WF_UNITS_MSHR_RICH_PORTS_H
#define WF_UNITS_MSHR_RICH_PORTS_H

#include "sim/model/wf_ports.h"

#define MSHR_RICH_PORTS(IN, OUT, P)                                                                \
  IN(req_valid, 1), OUT(req_ready, 1), IN(req_line, P(LineBits)), IN(req_sub, P(SubBits)),         \
      OUT(ans_valid, 1), OUT(ans_new, 1), IN(fill_valid, 1), OUT(fill_ready, 1),                   \
      IN(fill_line, P(LineBits)), OUT(done_valid, 1), IN(done_ready, 1),                           \
      OUT(done_sub, P(SubBits)), OUT(done_last, 1), OUT(empty, 1), WF_PORTS_COMMON(IN, OUT, 4)

WF_PORTS(mshr_rich, MSHR_RICH_PORTS)

#endif
