/* Ports of foo. */
#ifndef WF_UNITS_FOO_PORTS_H
#define WF_UNITS_FOO_PORTS_H

#include "sim/model/wf_ports.h"

#define FOO_PORTS(IN, OUT, P)                                                                      \
  IN(bypass, 1), IN(ld_valid, 1), OUT(ld_ready, 1), OUT(ld_rsp_valid, 1), OUT(ld_rsp_bypass, 1),   \
      IN(acc_valid, 1), OUT(acc_ready, 1), IN(acc_miss, 1), IN(acc_invalid, P(Ways)),              \
      IN(acc_reserved, P(Ways)), IN(acc_rank, P(Ways) * P(WayW)), OUT(acc_rsp_valid, 1),           \
      OUT(acc_rsp_alloc, 1), OUT(acc_rsp_way, P(WayW)), WF_PORTS_COMMON(IN, OUT, 2)

WF_PORTS(foo, FOO_PORTS)

#endif
