/* Ports of mshr_file. */
#ifndef WF_UNITS_MSHR_PORTS_H
#define WF_UNITS_MSHR_PORTS_H

#include "sim/model/wf_ports.h"

#define MSHR_PORTS(IN, OUT, P)                                                                     \
  IN(req_valid, 1), OUT(req_ready, 1), IN(req_line, P(LineBits)), IN(req_sub, P(SubBits)),         \
      OUT(req_new, 1), OUT(req_entry, P(EntryW)), IN(fill_valid, 1), OUT(fill_ready, 1),           \
      IN(fill_entry, P(EntryW)), OUT(done_valid, 1), OUT(done_count, P(CountW)),                   \
      OUT(done_subs, P(Merge) * P(SubBits)), OUT(empty, 1), WF_PORTS_COMMON(IN, OUT, 3)

WF_PORTS(mshr, MSHR_PORTS)

#endif
