/* Ports of pending_request_table. */
#ifndef WF_UNITS_PRT_PORTS_H
#define WF_UNITS_PRT_PORTS_H

#include "sim/model/wf_ports.h"

#define PRT_PORTS(IN, OUT, P)                                                                      \
  IN(req_valid, 1), OUT(req_ready, 1), IN(req_first, 1), IN(req_last, 1), IN(req_mask, P(Lanes)),  \
      IN(req_active, P(Lanes)), IN(req_load, P(LoadBits)), IN(req_offsets, P(Lanes) * P(OffBits)), \
      OUT(req_entry, P(EntryW)), IN(reply_valid, 1), OUT(reply_ready, 1),                          \
      IN(reply_entry, P(EntryW)), IN(reply_mask, P(Lanes)), OUT(lanes_valid, 1),                   \
      OUT(lanes_load, P(LoadBits)), OUT(lanes_mask, P(Lanes)),                                     \
      OUT(lanes_offsets, P(Lanes) * P(OffBits)), OUT(lanes_last, 1), OUT(empty, 1),                \
      WF_PORTS_COMMON(IN, OUT, 3)

WF_PORTS(prt, PRT_PORTS)

#endif
