/* Ports of SPREF's two top modules: spare_reg_pref, and spref_edge between it and the
 * issue stage. */
#ifndef WF_UNITS_SPREF_RTL_PORTS_H
#define WF_UNITS_SPREF_RTL_PORTS_H

#include "sim/model/wf_ports.h"

#define SPREF_PORTS(IN, OUT, P)                                                                    \
  IN(en, 1), IN(hints_on, 1), IN(distance, 2), IN(cache_only, 1), IN(widen, 1),                    \
      IN(max_s, P(RegBits) + 1), IN(max_d, P(RegBits) + 1), IN(in_valid, 1), OUT(in_ready, 1),     \
      IN(in_warp, P(WarpW)), IN(in_pc, P(PcBits)), IN(in_op, 4), IN(in_guard, 1),                  \
      IN(in_gpred, P(PredBits)), IN(in_gneg, 1), IN(in_mask, P(Lanes)), IN(in_dst_v, 1),           \
      IN(in_dst, P(RegBits)), IN(in_a, P(RegBits)), IN(in_bkind, 2), IN(in_b, P(RegBits)),         \
      IN(in_pair, 3), IN(in_imm, 16), IN(in_ext, 2), IN(in_sh, 4), IN(in_wide, 1), IN(in_cmp, 3),  \
      IN(in_pd_v, 1), IN(in_pd, P(PredBits)), IN(in_target, P(PcBits)), IN(in_taken, 1),           \
      IN(in_counted, 1), IN(in_last, 1), IN(try_warp, P(WarpW) * P(Tries)),                        \
      IN(try_pc, P(PcBits) * P(Tries)), IN(try_op, 4 * P(Tries)), OUT(need, P(Tries)),             \
      OUT(out_valid, 1), IN(out_ready, 1), OUT(out_warp, P(WarpW)), OUT(out_move, 1),              \
      OUT(out_move_reg, P(RegBits)), OUT(out_inject, 2), OUT(out_reg_v, 1),                        \
      OUT(out_reg, P(RegBits)), OUT(out_base_v, 1), OUT(out_over, 1), OUT(out_base, P(RegBits)),   \
      OUT(out_index, P(RegBits)), OUT(out_scale, 4), OUT(out_ext, 2), OUT(out_offset, 19),         \
      OUT(out_mask, P(Lanes)), IN(cnt_valid, 1), OUT(cnt_ready, 1), IN(cnt_warp, P(WarpW)),        \
      IN(cnt_pre, 1), IN(cnt_wide, 1), IN(cnt_sign, 1), IN(cnt_mask, P(CntLanes)),                 \
      IN(cnt_a, 64 * P(CntLanes)), IN(cnt_b, 64 * P(CntLanes)), OUT(counted, 1),                   \
      OUT(counted_warp, P(WarpW)), OUT(held, P(NumWarp)), OUT(test_v, 1), OUT(test_pc, P(PcBits)), \
      OUT(pre_v, 1), OUT(pre_pc, P(PcBits)), OUT(go, P(NumWarp)), OUT(move, P(NumWarp)),           \
      OUT(inject, P(NumWarp)), IN(ld_valid, 1), OUT(ld_ready, 1), IN(ld_warp, P(WarpW)),           \
      IN(ld_type, 4), IN(ld_inject, 1), IN(ld_over, 1), IN(ld_far, 1),                             \
      IN(ld_addr, P(Lanes) * P(AddrBits)), OUT(ld_slot, P(SlotW)), OUT(inj_valid, 1),              \
      IN(inj_ready, 1), OUT(inj_add, 1), OUT(inj_sum, 1), OUT(inj_slot, P(SlotW)),                 \
      OUT(inj_warp, P(WarpW)), OUT(inj_type, 4), OUT(inj_reg_v, 1), OUT(inj_reg, P(RegBits)),      \
      OUT(inj_base_v, 1), OUT(inj_base, P(RegBits)), OUT(inj_index, P(RegBits)),                   \
      OUT(inj_scale, 4), OUT(inj_ext, 2), OUT(inj_offset, 19), OUT(inj_mask, P(Lanes)),            \
      OUT(inj_far, 1), OUT(inj_addr, P(Lanes) * P(AddrBits)), IN(sum_valid, 1), OUT(sum_ready, 1), \
      IN(sum_slot, P(SlotW)), IN(sum_far, 1), IN(sum_addr, P(Lanes) * P(AddrBits)),                \
      IN(done_valid, 1), OUT(done_ready, 1), IN(done_warp, P(WarpW)), IN(done_reg, P(RegBits)),    \
      IN(done_fault, 1), IN(issued, P(NumWarp)), IN(next_valid, 1), IN(next_warp, P(WarpW)),       \
      IN(next_dst_v, 1), IN(next_all, 1), IN(next_dst, P(RegBits)), OUT(ask, P(NumWarp)),          \
      OUT(hold, P(NumWarp)), OUT(wait, P(NumWarp)), IN(new_kernel, 1), IN(hint_valid, 1),          \
      OUT(hint_ready, 1), IN(hint_kind, 3), IN(hint_slot, 1), IN(hint_pc, P(PcBits)),              \
      IN(hint_reg_v, 1), IN(hint_reg, P(RegBits)), IN(hint_imm, 16), IN(hint_sh, 4),               \
      IN(hint_ext, 2), IN(hint_wide, 1), IN(hint_cmp, 3), IN(hint_swap, 1), OUT(live, 1),          \
      OUT(quiet, 1), WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(spref, SPREF_PORTS)

#define SPREF_EDGE_PORTS(IN, OUT, P)                                                               \
  IN(try_warp, P(WarpW) * P(Tries)), IN(try_pc, P(PcBits) * P(Tries)), IN(try_op, 4 * P(Tries)),   \
      IN(try_plain, P(Tries)), IN(try_end, P(Tries)), IN(try_go, P(Tries)),                        \
      IN(try_data, P(DataW) * P(Tries)), OUT(must, P(Tries)), OUT(may, P(Tries)),                  \
      OUT(tell_valid, 1), OUT(tell_counted, 1), OUT(tell_pre, 1), IN(load, P(NumWarp)),            \
      OUT(load_take, 1), OUT(load_bit, P(NumWarp)), IN(load_pc, P(PcBits)), IN(load_op, 4),        \
      IN(load_data, P(DataW)), IN(ld_bit, P(NumWarp)), IN(iss, P(NumWarp)), IN(have, P(NumWarp)),  \
      OUT(sm_hold, P(NumWarp)), OUT(sm_held, P(NumWarp)), IN(stirs, 1), IN(quiet, 1),              \
      IN(need, P(Tries)), IN(test_v, 1), IN(test_pc, P(PcBits)), IN(pre_v, 1),                     \
      IN(pre_pc, P(PcBits)), OUT(u_in_valid, 1), IN(u_in_ready, 1), OUT(u_in_warp, P(WarpW)),      \
      OUT(u_in_pc, P(PcBits)), OUT(u_in_op, 4), OUT(u_in_data, P(DataW)), OUT(u_in_counted, 1),    \
      IN(held, P(NumWarp)), OUT(u_cnt_valid, 1), IN(u_cnt_ready, 1), OUT(u_cnt_beat, P(BeatW)),    \
      OUT(issued, P(NumWarp)), OUT(u_next_valid, 1), OUT(u_next_warp, P(WarpW)),                   \
      OUT(u_next_bit, P(NumWarp)), IN(ask, P(NumWarp)), IN(hold, P(NumWarp)),                      \
      IN(wait, P(NumWarp)), OUT(wake, 1), OUT(busy, 1), WF_PORTS_COMMON(IN, OUT, 2)

WF_PORTS(spref_edge, SPREF_EDGE_PORTS)

#endif
