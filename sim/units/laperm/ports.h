/* Ports of laperm_scheduler. */
#ifndef WF_UNITS_LAPERM_PORTS_H
#define WF_UNITS_LAPERM_PORTS_H

#include "sim/model/wf_ports.h"

#define LAPERM_PORTS(IN, OUT, P)                                                                   \
  IN(policy, 2), IN(divert, P(NumSmx)), IN(ring_base, P(AddrBits)), IN(kern_valid, 1),             \
      OUT(kern_ready, 1), IN(kern_pc, P(PcBits)), IN(kern_x, P(XBits)), IN(kern_y, P(YBits)),      \
      IN(kern_z, P(ZBits)), IN(kern_tbdim, P(TbDimBits)), IN(kern_param, P(AddrBits)),             \
      IN(kern_smem, P(SmemBits)), IN(kern_warps, P(WarpW)), IN(kern_regs, P(RegW)),                \
      IN(kern_shm, P(ShmW)), IN(kern_host, 1), IN(kern_smx, P(SmxW)), IN(kern_prio, P(LevW)),      \
      OUT(kern_kdei, P(KdeW)), IN(agg_valid, 1), OUT(agg_ready, 1), IN(agg_smx, P(SmxW)),          \
      IN(agg_last, 1), IN(agg_pc, P(PcBits)), IN(agg_tbdim, P(TbDimBits)),                         \
      IN(agg_smem, P(SmemBits)), IN(agg_x, P(XBits)), IN(agg_y, P(YBits)), IN(agg_z, P(ZBits)),    \
      IN(agg_param, P(AddrBits)), IN(agg_prio, P(LevW)), OUT(dk_valid, 1), IN(dk_ready, 1),        \
      OUT(dk_smx, P(SmxW)), OUT(dk_pc, P(PcBits)), OUT(dk_tbdim, P(TbDimBits)),                    \
      OUT(dk_smem, P(SmemBits)), OUT(dk_x, P(XBits)), OUT(dk_y, P(YBits)), OUT(dk_z, P(ZBits)),    \
      OUT(dk_param, P(AddrBits)), OUT(dk_prio, P(LevW)), OUT(mem_valid, 1), IN(mem_ready, 1),      \
      OUT(mem_write, 1), OUT(mem_addr, P(AddrBits)), OUT(mem_mask, 4), OUT(mem_data, 128),         \
      OUT(mem_id, P(LineIdW)), IN(rsp_valid, 1), OUT(rsp_ready, 1), IN(rsp_data, 128),             \
      IN(rsp_id, P(LineIdW)), IN(rsp_beat, 3), OUT(tb_valid, 1), IN(tb_ready, 1),                  \
      OUT(tb_smx, P(SmxW)), OUT(tb_slot, P(SlotW)), OUT(tb_kdei, P(KdeW)), OUT(tb_group, 1),       \
      OUT(tb_pc, P(PcBits)), OUT(tb_dim_x, P(XBits)), OUT(tb_dim_y, P(YBits)),                     \
      OUT(tb_dim_z, P(ZBits)), OUT(tb_x, P(XBits)), OUT(tb_y, P(YBits)), OUT(tb_z, P(ZBits)),      \
      OUT(tb_param, P(AddrBits)), OUT(tb_first, 1), OUT(tb_last, 1), OUT(tb_prio, P(LevW)),        \
      IN(done_valid, P(NumSmx)), OUT(done_ready, P(NumSmx)), IN(done_slot, P(NumSmx) * P(SlotW)),  \
      OUT(kdone_valid, 1), IN(kdone_ready, 1), OUT(kdone_kdei, P(KdeW)), OUT(kdone_host, 1),       \
      OUT(free, P(NumSmx) * P(WarpW)), OUT(room, P(NumSmx)), OUT(wait, 1), OUT(bound, P(NumSmx)),  \
      WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(laperm, LAPERM_PORTS)

#endif
