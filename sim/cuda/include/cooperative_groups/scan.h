// cooperative_groups::inclusive_scan and exclusive_scan, over a tile or the lanes that are here
// together.
#ifndef WARPFAB_COOPERATIVE_GROUPS_SCAN_H
#define WARPFAB_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {
template <class WfG, class WfT, class WfO>
static __device__ __forceinline__ WfT inclusive_scan(const WfG &group, WfT mine, WfO op) {
  for (unsigned by = 1; by < group.size(); by *= 2) {
    const WfT before = group.shfl_up(mine, by);
    if (group.thread_rank() >= by) mine = op(before, mine);
  }
  return mine;
}
template <class WfG, class WfT>
static __device__ __forceinline__ WfT inclusive_scan(const WfG &group, WfT mine) {
  return inclusive_scan(group, mine, plus<WfT>());
}
// Of rank 0 it is WfT().
template <class WfG, class WfT, class WfO>
static __device__ __forceinline__ WfT exclusive_scan(const WfG &group, WfT mine, WfO op) {
  const WfT upto = inclusive_scan(group, mine, op), before = group.shfl_up(upto, 1);
  return group.thread_rank() ? before : WfT();
}
template <class WfG, class WfT>
static __device__ __forceinline__ WfT exclusive_scan(const WfG &group, WfT mine) {
  return exclusive_scan(group, mine, plus<WfT>());
}
} // namespace cooperative_groups

#endif
