/* Ports of dtbl_scheduler. */
#ifndef WF_UNITS_DTBL_PORTS_H
#define WF_UNITS_DTBL_PORTS_H

#include "sim/model/wf_ports.h"

typedef struct dtbl_sizes {
  unsigned smx, blocks, warps, registers, shared, kernels,
      lines; /* of an SMX, but for smx, kernels and lines */
  unsigned pc, tbdim, smem, addr, x, y, z, tid, prio; /* bits */
} dtbl_sizes;

#define DTBL_PORTS(IN, OUT)                                                                        \
  IN(divert, s->smx), IN(kern_valid, 1), OUT(kern_ready, 1), IN(kern_pc, s->pc), IN(kern_x, s->x), \
      IN(kern_y, s->y), IN(kern_z, s->z), IN(kern_tbdim, s->tbdim), IN(kern_param, s->addr),       \
      IN(kern_smem, s->smem), IN(kern_warps, wf_rtl_bits(s->warps + 1)),                           \
      IN(kern_regs, wf_rtl_bits(s->registers + 1)), IN(kern_shm, wf_rtl_bits(s->shared + 1)),      \
      IN(kern_host, 1), IN(kern_prio, s->prio), OUT(kern_kdei, wf_rtl_bits(s->kernels)),           \
      IN(agg_valid, 1), OUT(agg_ready, 1), IN(agg_smx, wf_rtl_bits(s->smx)), IN(agg_last, 1),      \
      IN(agg_pc, s->pc), IN(agg_tbdim, s->tbdim), IN(agg_smem, s->smem), IN(agg_x, s->x),          \
      IN(agg_y, s->y), IN(agg_z, s->z), IN(agg_param, s->addr), IN(agg_tid, s->tid),               \
      IN(agg_prio, s->prio), OUT(dk_valid, 1), IN(dk_ready, 1), OUT(dk_smx, wf_rtl_bits(s->smx)),  \
      OUT(dk_pc, s->pc), OUT(dk_tbdim, s->tbdim), OUT(dk_smem, s->smem), OUT(dk_x, s->x),          \
      OUT(dk_y, s->y), OUT(dk_z, s->z), OUT(dk_param, s->addr), OUT(dk_prio, s->prio),             \
      OUT(mem_valid, 1), IN(mem_ready, 1), OUT(mem_write, 1), OUT(mem_addr, s->addr),              \
      OUT(mem_mask, 4), OUT(mem_data, 128), OUT(mem_id, wf_rtl_bits(s->lines)), IN(rsp_valid, 1),  \
      OUT(rsp_ready, 1), IN(rsp_data, 128), IN(rsp_id, wf_rtl_bits(s->lines)), IN(rsp_beat, 3),    \
      OUT(tb_valid, 1), IN(tb_ready, 1), OUT(tb_smx, wf_rtl_bits(s->smx)),                         \
      OUT(tb_slot, wf_rtl_bits(s->blocks)), OUT(tb_kdei, wf_rtl_bits(s->kernels)),                 \
      OUT(tb_group, 1), OUT(tb_link, s->addr), OUT(tb_pc, s->pc), OUT(tb_dim_x, s->x),             \
      OUT(tb_dim_y, s->y), OUT(tb_dim_z, s->z), OUT(tb_x, s->x), OUT(tb_y, s->y), OUT(tb_z, s->z), \
      OUT(tb_param, s->addr), OUT(tb_first, 1), OUT(tb_last, 1), OUT(tb_prio, s->prio),            \
      IN(done_valid, s->smx), OUT(done_ready, s->smx),                                             \
      IN(done_slot, s->smx *wf_rtl_bits(s->blocks)), OUT(kdone_valid, 1), IN(kdone_ready, 1),      \
      OUT(kdone_kdei, wf_rtl_bits(s->kernels)), OUT(kdone_host, 1), WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(dtbl, DTBL_PORTS)

#endif
