/* Ports of TELEPORT's two top modules: the controller and the buffer. */
#ifndef WF_UNITS_TELEPORT_PORTS_H
#define WF_UNITS_TELEPORT_PORTS_H

#include "sim/model/wf_ports.h"

typedef struct controller_sizes {
  unsigned sms, slots, rows, addr_bits, block_bits, size_bits, prod_bits, idx_bits, cap_bits;
} controller_sizes;

#define CONTROLLER_PORTS(IN, OUT)                                                                  \
  IN(bound_lo, s->block_bits), IN(bound_hi, s->block_bits), IN(cap, s->cap_bits), IN(open_end, 1), \
      IN(set_valid, 1), OUT(set_ready, 1), IN(set_flush, 1), IN(set_base, s->addr_bits),           \
      IN(set_size, s->size_bits), IN(set_lo_x, s->prod_bits), IN(set_lo_y, s->prod_bits),          \
      IN(set_lo_z, s->prod_bits), IN(set_lo_off, s->prod_bits), IN(set_hi_x, s->prod_bits),        \
      IN(set_hi_y, s->prod_bits), IN(set_hi_z, s->prod_bits), IN(set_hi_off, s->prod_bits),        \
      IN(tb_valid, 1), OUT(tb_ready, 1), IN(tb_sm, wf_rtl_bits(s->sms)),                           \
      IN(tb_slot, wf_rtl_bits(s->slots)), IN(tb_x, s->idx_bits), IN(tb_y, s->idx_bits),            \
      IN(tb_z, s->idx_bits), OUT(req_valid, 1), IN(req_ready, 1),                                  \
      OUT(req_sm, wf_rtl_bits(s->sms)), OUT(req_slot, wf_rtl_bits(s->slots)), OUT(req_last, 1),    \
      OUT(req_block, s->block_bits), OUT(rows, wf_rtl_bits(s->rows + 1)),                          \
      WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(controller, CONTROLLER_PORTS)

typedef struct buffer_sizes {
  unsigned sets, ways, slots, block_bits;
} buffer_sizes;

#define BUFFER_PORTS(IN, OUT)                                                                      \
  IN(overlap, 1), IN(start_valid, 1), OUT(start_ready, 1),                                         \
      IN(start_ways, wf_rtl_bits(s->ways + 1)), IN(ask_valid, 1), OUT(ask_ready, 1),               \
      IN(ask_slot, wf_rtl_bits(s->slots)), IN(ask_last, 1), IN(ask_block, s->block_bits),          \
      OUT(fetch_valid, 1), IN(fetch_ready, 1), OUT(fetch_block, s->block_bits),                    \
      OUT(fetch_line, wf_rtl_bits(s->sets * s->ways)), IN(rsp_valid, 1), OUT(rsp_ready, 1),        \
      IN(rsp_line, wf_rtl_bits(s->sets * s->ways)), IN(acc_valid, 1), OUT(acc_ready, 1),           \
      IN(acc_store, 1), IN(acc_block, s->block_bits), OUT(acc_rsp_valid, 1), OUT(acc_rsp_hit, 1),  \
      OUT(acc_rsp_coming, 1), OUT(acc_rsp_line, wf_rtl_bits(s->sets * s->ways)), OUT(go_valid, 1), \
      IN(go_ready, 1), OUT(go_slot, wf_rtl_bits(s->slots)), IN(end_valid, 1), OUT(end_ready, 1),   \
      IN(end_slot, wf_rtl_bits(s->slots)), WF_PORTS_COMMON(IN, OUT, 5)

WF_PORTS(buffer, BUFFER_PORTS)

#endif
