/* Functional bins of mff_unit that its ports show. Those that only the inside shows are in cover.v.
 */
#ifndef MFF_COVER_H
#define MFF_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/units/mff/mff_flits.h"

#define MFF_BINS(X)                                                                                \
  X(op_gather), X(op_scatter), X(size_0), X(size_1), X(size_2_to_31), X(size_32), X(size_over_32), \
      X(lanes_none), X(lanes_some), X(lanes_all), X(command_empty), X(command_of_1024),            \
      X(refused_size), X(refused_sm), X(refused_warp), X(refused_framing), X(refused_base),        \
      X(flit_of_1), X(flit_of_2), X(flit_of_3), X(flit_of_4), X(flit_of_5), X(done_in_order),      \
      X(done_out_of_order), X(done_refused), X(cmd_held_by_unit), X(mem_rsp_held_by_unit),         \
      X(rsp_held_by_bench), X(mem_rd_held_by_bench), X(mem_wr_held_by_bench), X(reads_in_order),   \
      X(reads_out_of_order), X(write_not_last), X(write_last), X(counted_stall_job),               \
      X(counted_c_stall_tag), X(counted_c_stall_reg), X(counted_c_stall_out),                      \
      X(counted_v_stall_tag), X(counted_v_stall_reg), X(counted_v_stall_rd),                       \
      X(counted_stall_line), X(counted_stall_walk), X(counted_early_writes), X(counted_stall_rsp), \
      X(configured_bad_register), X(configured_bad_base)

#define MFF_BIN_(name) MFF_BIN_##name
typedef enum mff_bin { MFF_BINS(MFF_BIN_), MFF_BIN_COUNT } mff_bin;

/* Counts a command's bins; what_refuses: MFF_BIN_COUNT, or the bin of the reason. */
void mff_cover_command(uint64_t *bin, const mff_cmd_header *h, const mff_lane by_lane[MFF_LANES],
                       mff_bin what_refuses);
#endif
