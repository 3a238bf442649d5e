// cooperative_groups::reduce, over a tile or the lanes that are here together.
#ifndef WARPFAB_COOPERATIVE_GROUPS_REDUCE_H
#define WARPFAB_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {
#define WF_OPERATION(NAME, EXPRESSION)                                                             \
  template <class WfT> struct NAME {                                                               \
    __device__ __forceinline__ WfT operator()(WfT a, WfT b) const { return EXPRESSION; }           \
  };
WF_OPERATION(plus, a + b)
WF_OPERATION(less, b < a ? b : a)
WF_OPERATION(greater, a < b ? b : a)
WF_OPERATION(bit_and, a &b)
WF_OPERATION(bit_or, a | b)
WF_OPERATION(bit_xor, a ^ b)
#undef WF_OPERATION

template <unsigned WfN, class WfT, class WfO>
static __device__ __forceinline__ WfT reduce(const thread_block_tile<WfN> &tile, WfT mine, WfO op) {
  for (int by = (int)WfN / 2; by > 0; by /= 2) mine = op(mine, tile.shfl_xor(mine, by));
  return mine;
}
template <class WfT, class WfO>
static __device__ __forceinline__ WfT reduce(const coalesced_group &group, WfT mine, WfO op) {
  WfT all = group.shfl(mine, 0);
  for (unsigned rank = 1; rank < group.size(); rank++) all = op(all, group.shfl(mine, (int)rank));
  return all;
}
} // namespace cooperative_groups

#endif
