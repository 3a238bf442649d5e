/* Ports of bubble_power. */
#ifndef WF_UNITS_BUBBLE_PORTS_H
#define WF_UNITS_BUBBLE_PORTS_H

#include "sim/model/wf_ports.h"

#define BUBBLE_PORTS(IN, OUT, P)                                                                   \
  IN(mode, 2), IN(gpu_level, 1), IN(calm, 1), IN(sample, P(SampleBits)), IN(threshold, P(WarpW)),  \
      IN(drain, P(DrainBits)), IN(free, P(NumSmx) * P(WarpW)), IN(room, P(NumSmx)), IN(wait, 1),   \
      IN(bound, P(NumSmx)), OUT(divert, P(NumSmx)), OUT(low, P(NumSmx)), OUT(busy, P(NumSmx)),     \
      IN(done, P(NumSmx)), OUT(gpu_low, 1), OUT(gpu_busy, 1), IN(gpu_done, 1),                     \
      OUT(dvr, P(NumSmx)), OUT(drn, P(NumSmx)), OUT(dvfs, P(NumSmx) + 1),                          \
      OUT(count, P(SampleBits)), WF_PORTS_COMMON(IN, OUT, 4)

WF_PORTS(bubble, BUBBLE_PORTS)

#endif
