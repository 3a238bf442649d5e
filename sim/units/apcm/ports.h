/* Ports of apcm. */
#ifndef WF_UNITS_APCM_PORTS_H
#define WF_UNITS_APCM_PORTS_H

#include "sim/model/wf_ports.h"

#define APCM_PORTS(IN, OUT, P)                                                                     \
  IN(bypass_en, 1), IN(protect_en, 1), IN(threshold, P(CountBits)), IN(renew, 4),                  \
      IN(keep, P(CreditBits)), IN(ld_valid, 1), OUT(ld_ready, 1), IN(ld_pc, P(PcBits)),            \
      OUT(ld_rsp_valid, 1), OUT(ld_rsp_tracked, 1), OUT(ld_rsp_id, P(IdW)), OUT(ld_rsp_method, 2), \
      OUT(ld_rsp_last, P(IdW)), IN(acc_valid, 1), OUT(acc_ready, 1), IN(acc_warp, P(WarpW)),       \
      IN(acc_tracked, 1), IN(acc_id, P(IdW)), IN(acc_method, 2), IN(acc_last, P(IdW)),             \
      IN(acc_few, 1), IN(acc_line, P(LineBits)), IN(acc_set, P(SetW)), IN(acc_hit, 1),             \
      IN(acc_way, P(WayW)), IN(acc_invalid, P(Ways)), IN(acc_reserved, P(Ways)),                   \
      IN(acc_rank, P(Ways) * P(WayW)), OUT(acc_rsp_valid, 1), OUT(acc_rsp_alloc, 1),               \
      OUT(acc_rsp_way, P(WayW)), OUT(acc_rsp_protect, 1), IN(kernel, 1), IN(start, 1),             \
      IN(start_warp, P(WarpW)), IN(done_valid, 1), OUT(done_ready, 1), IN(done_warp, P(WarpW)),    \
      IN(done_id, P(IdW)), IN(exit_valid, 1), OUT(exit_ready, 1), IN(exit_warp, P(WarpW)),         \
      OUT(ask_start, 1), OUT(ask_done, P(NumWarp)), OUT(ask_exit, P(NumWarp)), IN(cf_valid, 1),    \
      OUT(cf_ready, 1), IN(cf_warp, P(WarpW)), IN(cf_from, P(PcBits)), IN(cf_to, P(PcBits)),       \
      IN(cf_jump, 1), IN(cf_push, 1), IN(lsu_in, P(EnterBits)), IN(lsu_out, 1),                    \
      OUT(psb, P(NumWarp)), OUT(mon_valid, 1), OUT(mon_warp, P(WarpW)),                            \
      WF_PORTS_COMMON(IN, OUT, 4)

WF_PORTS(apcm, APCM_PORTS)

#endif
