/* Ports of foo. */
#ifndef WF_UNITS_FOO_PORTS_H
#define WF_UNITS_FOO_PORTS_H

#include "sim/model/wf_ports.h"

typedef struct foo_sizes {
  unsigned ways;
} foo_sizes;

#define FOO_PORTS(IN, OUT)                                                                         \
  IN(bypass, 1), IN(ld_valid, 1), OUT(ld_ready, 1), OUT(ld_rsp_valid, 1), OUT(ld_rsp_bypass, 1),   \
      IN(acc_valid, 1), OUT(acc_ready, 1), IN(acc_miss, 1), IN(acc_invalid, s->ways),              \
      IN(acc_reserved, s->ways), IN(acc_rank, s->ways *wf_rtl_bits(s->ways)),                      \
      OUT(acc_rsp_valid, 1), OUT(acc_rsp_alloc, 1), OUT(acc_rsp_way, wf_rtl_bits(s->ways)),        \
      WF_PORTS_COMMON(IN, OUT, 2)

WF_PORTS(foo, FOO_PORTS)

#endif
