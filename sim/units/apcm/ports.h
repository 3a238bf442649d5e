/* Ports of apcm. */
#ifndef WF_UNITS_APCM_PORTS_H
#define WF_UNITS_APCM_PORTS_H

#include "sim/model/wf_ports.h"

typedef struct apcm_sizes {
  unsigned warps, ids, sets, ways, line_bits, pc_bits, count_bits;
} apcm_sizes;

#define APCM_PORTS(IN, OUT)                                                                        \
  IN(bypass_en, 1), IN(protect_en, 1), IN(threshold, s->count_bits), IN(remonitor, 2),             \
      IN(renew, 4), IN(ld_valid, 1), OUT(ld_ready, 1), IN(ld_warp, wf_rtl_bits(s->warps)),         \
      IN(ld_pc, s->pc_bits), OUT(ld_rsp_valid, 1), OUT(ld_rsp_tracked, 1),                         \
      OUT(ld_rsp_id, wf_rtl_bits(s->ids)), OUT(ld_rsp_method, 2),                                  \
      OUT(ld_rsp_last, wf_rtl_bits(s->ids)), IN(acc_valid, 1), OUT(acc_ready, 1),                  \
      IN(acc_warp, wf_rtl_bits(s->warps)), IN(acc_tracked, 1), IN(acc_id, wf_rtl_bits(s->ids)),    \
      IN(acc_method, 2), IN(acc_last, wf_rtl_bits(s->ids)), IN(acc_nth, 2),                        \
      IN(acc_line, s->line_bits), IN(acc_set, wf_rtl_bits(s->sets)), IN(acc_hit, 1),               \
      IN(acc_way, wf_rtl_bits(s->ways)), IN(acc_invalid, s->ways), IN(acc_reserved, s->ways),      \
      IN(acc_rank, s->ways *wf_rtl_bits(s->ways)), OUT(acc_rsp_valid, 1), OUT(acc_rsp_alloc, 1),   \
      OUT(acc_rsp_way, wf_rtl_bits(s->ways)), OUT(acc_rsp_protect, 1), IN(ev_valid, 1),            \
      OUT(ev_ready, 1), IN(ev_kind, 3), IN(ev_warp, wf_rtl_bits(s->warps)),                        \
      IN(ev_id, wf_rtl_bits(s->ids)), IN(ev_lo, s->pc_bits), IN(ev_hi, s->pc_bits),                \
      OUT(psb, s->warps), OUT(mon_valid, 1), OUT(mon_warp, wf_rtl_bits(s->warps)),                 \
      WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(apcm, APCM_PORTS)

#endif
