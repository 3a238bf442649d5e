/* Ports of dtbl_scheduler and dtbl_kmu. */
#ifndef WF_UNITS_DTBL_PORTS_H
#define WF_UNITS_DTBL_PORTS_H

#include "sim/model/wf_ports.h"

/* A kernel's at either unit, or a group's. */
typedef struct dtbl_kernel_ports {
  const wf_port *pc, *tbdim, *smem, *x, *y, *z, *param, *warps, *regs, *shm;
} dtbl_kernel_ports;
#define DTBL_KERNEL_PORTS(p, side)                                                                 \
  {                                                                                                \
    (p)->side##_pc, (p)->side##_tbdim, (p)->side##_smem, (p)->side##_x, (p)->side##_y,             \
        (p)->side##_z, (p)->side##_param, (p)->side##_warps, (p)->side##_regs, (p)->side##_shm     \
  }

#define DTBL_PORTS(IN, OUT, P)                                                                     \
  IN(divert, P(NumSmx)), IN(ring_base, P(AddrBits)), IN(kern_valid, 1), OUT(kern_ready, 1),        \
      IN(kern_pc, P(PcBits)), IN(kern_x, P(XBits)), IN(kern_y, P(YBits)), IN(kern_z, P(ZBits)),    \
      IN(kern_tbdim, P(TbDimBits)), IN(kern_param, P(AddrBits)), IN(kern_smem, P(SmemBits)),       \
      IN(kern_warps, P(WarpW)), IN(kern_regs, P(RegW)), IN(kern_shm, P(ShmW)), IN(kern_host, 1),   \
      IN(kern_prio, P(PrioBits)), OUT(kern_kdei, P(KdeW)), IN(agg_valid, 1), OUT(agg_ready, 1),    \
      IN(agg_smx, P(SmxW)), IN(agg_last, 1), IN(agg_pc, P(PcBits)), IN(agg_tbdim, P(TbDimBits)),   \
      IN(agg_smem, P(SmemBits)), IN(agg_x, P(XBits)), IN(agg_y, P(YBits)), IN(agg_z, P(ZBits)),    \
      IN(agg_param, P(AddrBits)), IN(agg_tid, P(TidBits)), IN(agg_warps, P(WarpW)),                \
      IN(agg_regs, P(RegW)), IN(agg_shm, P(ShmW)), IN(agg_prio, P(PrioBits)), OUT(dk_valid, 1),    \
      IN(dk_ready, 1), OUT(dk_smx, P(SmxW)), OUT(dk_pc, P(PcBits)), OUT(dk_tbdim, P(TbDimBits)),   \
      OUT(dk_smem, P(SmemBits)), OUT(dk_x, P(XBits)), OUT(dk_y, P(YBits)), OUT(dk_z, P(ZBits)),    \
      OUT(dk_param, P(AddrBits)), OUT(dk_warps, P(WarpW)), OUT(dk_regs, P(RegW)),                  \
      OUT(dk_shm, P(ShmW)), OUT(dk_prio, P(PrioBits)), OUT(mem_valid, 1), IN(mem_ready, 1),        \
      OUT(mem_write, 1), OUT(mem_addr, P(AddrBits)), OUT(mem_mask, 4), OUT(mem_data, 128),         \
      OUT(mem_id, P(LineIdW)), IN(rsp_valid, 1), OUT(rsp_ready, 1), IN(rsp_data, 128),             \
      IN(rsp_id, P(LineIdW)), IN(rsp_beat, 3), OUT(tb_valid, 1), IN(tb_ready, 1),                  \
      OUT(tb_smx, P(SmxW)), OUT(tb_slot, P(SlotW)), OUT(tb_kdei, P(KdeW)), OUT(tb_group, 1),       \
      OUT(tb_link, P(AddrBits)), OUT(tb_pc, P(PcBits)), OUT(tb_dim_x, P(XBits)),                   \
      OUT(tb_dim_y, P(YBits)), OUT(tb_dim_z, P(ZBits)), OUT(tb_x, P(XBits)), OUT(tb_y, P(YBits)),  \
      OUT(tb_z, P(ZBits)), OUT(tb_param, P(AddrBits)), OUT(tb_first, 1), OUT(tb_last, 1),          \
      OUT(tb_prio, P(PrioBits)), IN(done_valid, P(NumSmx)), OUT(done_ready, P(NumSmx)),            \
      IN(done_slot, P(NumSmx) * P(SlotW)), OUT(kdone_valid, 1), IN(kdone_ready, 1),                \
      OUT(kdone_kdei, P(KdeW)), OUT(kdone_host, 1), OUT(free, P(NumSmx) * P(WarpW)),               \
      OUT(room, P(NumSmx)), OUT(wait, 1), WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(dtbl, DTBL_PORTS)

#define DTBL_KMU_PORTS(IN, OUT, P)                                                                 \
  IN(ring_base, P(AddrBits)), IN(grp_valid, 1), OUT(grp_ready, 1), IN(grp_pc, P(PcBits)),          \
      IN(grp_tbdim, P(TbDimBits)), IN(grp_smem, P(SmemBits)), IN(grp_x, P(XBits)),                 \
      IN(grp_y, P(YBits)), IN(grp_z, P(ZBits)), IN(grp_param, P(AddrBits)),                        \
      IN(grp_warps, P(WarpW)), IN(grp_regs, P(RegW)), IN(grp_shm, P(ShmW)), IN(launch_valid, 1),   \
      OUT(launch_ready, 1), IN(launch_pc, P(PcBits)), IN(launch_tbdim, P(TbDimBits)),              \
      IN(launch_smem, P(SmemBits)), IN(launch_x, P(XBits)), IN(launch_y, P(YBits)),                \
      IN(launch_z, P(ZBits)), IN(launch_param, P(AddrBits)), IN(launch_warps, P(WarpW)),           \
      IN(launch_regs, P(RegW)), IN(launch_shm, P(ShmW)), OUT(kern_valid, 1), IN(kern_ready, 1),    \
      OUT(kern_pc, P(PcBits)), OUT(kern_tbdim, P(TbDimBits)), OUT(kern_smem, P(SmemBits)),         \
      OUT(kern_x, P(XBits)), OUT(kern_y, P(YBits)), OUT(kern_z, P(ZBits)),                         \
      OUT(kern_param, P(AddrBits)), OUT(kern_warps, P(WarpW)), OUT(kern_regs, P(RegW)),            \
      OUT(kern_shm, P(ShmW)), IN(kdone, 1), IN(host, 1), IN(side_valid, 1), OUT(side_ready, 1),    \
      IN(side_write, 1), IN(side_addr, P(AddrBits)), IN(side_mask, 4), IN(side_data, 128),         \
      IN(side_id, P(SideIdBits)), OUT(back_valid, 1), IN(back_ready, 1), OUT(mem_valid, 1),        \
      IN(mem_ready, 1), OUT(mem_write, 1), OUT(mem_addr, P(AddrBits)), OUT(mem_mask, 4),           \
      OUT(mem_data, 128), OUT(mem_id, P(SideIdBits) + 1), IN(rsp_valid, 1), OUT(rsp_ready, 1),     \
      IN(rsp_data, 128), IN(rsp_id, P(SideIdBits) + 1), IN(rsp_beat, 3),                           \
      WF_PORTS_COMMON(IN, OUT, 3)

WF_PORTS(dtbl_kmu, DTBL_KMU_PORTS)

#endif
