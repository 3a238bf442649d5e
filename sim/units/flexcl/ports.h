/* Ports of flexcl. */
#ifndef WF_UNITS_FLEXCL_PORTS_H
#define WF_UNITS_FLEXCL_PORTS_H

#include "sim/model/wf_ports.h"

#define FLEXCL_PORTS(IN, OUT, P)                                                                   \
  IN(acc_valid, 1), OUT(acc_ready, 1), IN(acc_set, P(SetW)), IN(acc_miss, 1), IN(acc_keeps, 1),    \
      OUT(acc_rsp_valid, 1), OUT(acc_rsp_excl, 1), WF_PORTS_COMMON(IN, OUT, 3)

WF_PORTS(flexcl, FLEXCL_PORTS)

#endif
