#include "tb/mff/mff_cover.h"

static mff_bin size_bin(uint32_t size) {
  return size == 0              ? MFF_BIN_size_0
         : size == 1            ? MFF_BIN_size_1
         : size < MFF_MAX_SIZE  ? MFF_BIN_size_2_to_31
         : size == MFF_MAX_SIZE ? MFF_BIN_size_32
                                : MFF_BIN_size_over_32;
}

void mff_cover_command(uint64_t *bin, const mff_cmd_header *h, const mff_lane by_lane[MFF_LANES],
                       mff_bin what_refuses) {
  uint32_t elements = 0;
  for (unsigned n = 0; n < MFF_LANES; n++) {
    if (!(h->lane_mask >> n & 1)) continue;
    bin[size_bin(by_lane[n].size)]++;
    elements += by_lane[n].size;
  }
  bin[h->op ? MFF_BIN_op_scatter : MFF_BIN_op_gather]++;
  bin[!h->lane_mask   ? MFF_BIN_lanes_none
      : ~h->lane_mask ? MFF_BIN_lanes_some
                      : MFF_BIN_lanes_all]++;
  if (what_refuses != MFF_BIN_COUNT) {
    bin[what_refuses]++;
    return;
  }
  bin[MFF_BIN_command_empty] += elements == 0;
  bin[MFF_BIN_command_of_1024] += elements == MFF_LANES * MFF_MAX_SIZE;
}
