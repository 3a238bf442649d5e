/* Ports of TELEPORT's two top modules: the controller and the buffer. */
#ifndef WF_UNITS_TELEPORT_PORTS_H
#define WF_UNITS_TELEPORT_PORTS_H

#include "sim/model/wf_ports.h"

#define CONTROLLER_PORTS(IN, OUT, P)                                                               \
  IN(open_end, 1), IN(set_valid, 1), OUT(set_ready, 1), IN(set_flush, 1),                          \
      IN(set_base, P(AddrBits)), IN(set_size, P(SizeBits)), IN(set_lo_x, P(ProdBits)),             \
      IN(set_lo_y, P(ProdBits)), IN(set_lo_z, P(ProdBits)), IN(set_lo_off, P(ProdBits)),           \
      IN(set_hi_x, P(ProdBits)), IN(set_hi_y, P(ProdBits)), IN(set_hi_z, P(ProdBits)),             \
      IN(set_hi_off, P(ProdBits)), IN(set_pitch, P(PitchBits)), IN(set_lines, P(HeightBits)),      \
      IN(tb_valid, 1), OUT(tb_ready, 1), IN(tb_sm, P(SmW)), IN(tb_slot, P(SlotW)),                 \
      IN(tb_x, P(IdxBits)), IN(tb_y, P(IdxBits)), IN(tb_z, P(IdxBits)), OUT(req_valid, 1),         \
      IN(req_ready, 1), OUT(req_sm, P(SmW)), OUT(req_slot, P(SlotW)), OUT(req_last, 1),            \
      OUT(req_none, 1), OUT(req_low, P(AddrBits) + 1), OUT(req_high, P(AddrBits) + 1),             \
      OUT(req_pitch, P(PitchBits)), OUT(req_lines, P(HeightBits)), OUT(rows, P(FillW)),            \
      WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(controller, CONTROLLER_PORTS)

/* All but the replies, in whose place a wrapper for a bus fills lines (teleport_axi4.v,
 * teleport_tlul.v). */
#define BUFFER_HOST_PORTS(IN, OUT, P)                                                              \
  IN(overlap, 1), IN(bound_lo, P(BlockBits)), IN(bound_hi, P(BlockBits)), IN(cap, P(CapBits)),     \
      IN(start_valid, 1), OUT(start_ready, 1), IN(start_ways, P(FillW)), IN(ask_valid, 1),         \
      OUT(ask_ready, 1), IN(ask_slot, P(SlotW)), IN(ask_last, 1), IN(ask_none, 1),                 \
      IN(ask_low, P(AddrBits) + 1), IN(ask_high, P(AddrBits) + 1), IN(ask_pitch, P(PitchBits)),    \
      IN(ask_lines, P(HeightBits)), OUT(fetch_valid, 1), IN(fetch_ready, 1),                       \
      OUT(fetch_block, P(BlockBits)), OUT(fetch_line, P(LineW)), IN(acc_valid, 1),                 \
      OUT(acc_ready, 1), IN(acc_store, 1), IN(acc_block, P(BlockBits)), OUT(acc_rsp_valid, 1),     \
      OUT(acc_rsp_hit, 1), OUT(acc_rsp_coming, 1), OUT(acc_rsp_line, P(LineW)), OUT(go_valid, 1),  \
      IN(go_ready, 1), OUT(go_slot, P(SlotW)), IN(end_valid, 1), OUT(end_ready, 1),                \
      IN(end_slot, P(SlotW)), WF_PORTS_COMMON(IN, OUT, 5)

#define BUFFER_REPLY_PORTS(IN, OUT, P) IN(rsp_valid, 1), OUT(rsp_ready, 1), IN(rsp_line, P(LineW))

#define BUFFER_PORTS(IN, OUT, P) BUFFER_HOST_PORTS(IN, OUT, P), BUFFER_REPLY_PORTS(IN, OUT, P)

WF_PORTS(buffer_host, BUFFER_HOST_PORTS)
WF_PORTS(buffer_reply, BUFFER_REPLY_PORTS)
WF_PORTS(buffer, BUFFER_PORTS)

#endif
