// Groups of threads: the block, tiles of a warp, the lanes that are here, the grid.
#ifndef WARPFAB_COOPERATIVE_GROUPS_H
#define WARPFAB_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#define WF_GROUP static __device__ __forceinline__
#define WF_MEMBER __device__ __forceinline__

namespace cooperative_groups {

class thread_block {
public:
  WF_MEMBER void sync() const { __syncthreads(); }
  WF_MEMBER unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  WF_MEMBER unsigned num_threads() const { return size(); }
  WF_MEMBER unsigned thread_rank() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  WF_MEMBER dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  WF_MEMBER dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  WF_MEMBER dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  WF_MEMBER dim3 dim_threads() const { return group_dim(); }
};
WF_GROUP thread_block this_thread_block() {
  return thread_block();
}

// Lanes of a warp.
class lanes {
protected:
  unsigned mask_, rank_, size_;

public:
  WF_MEMBER lanes(unsigned mask, unsigned rank, unsigned size)
      : mask_(mask), rank_(rank), size_(size) {}
  WF_MEMBER void sync() const { __syncwarp(mask_); }
  WF_MEMBER unsigned size() const { return size_; }
  WF_MEMBER unsigned num_threads() const { return size_; }
  WF_MEMBER unsigned thread_rank() const { return rank_; }
  WF_MEMBER int any(int mine) const { return __any_sync(mask_, mine); }
  WF_MEMBER int all(int mine) const { return __all_sync(mask_, mine); }
};

template <unsigned WfN, class = void> class thread_block_tile : public lanes {
  static_assert(WfN <= 32 && (WfN & (WfN - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  static WF_MEMBER unsigned lane() { return this_thread_block().thread_rank() & 31; }

public:
  WF_MEMBER thread_block_tile()
      : lanes((WfN == 32 ? 0xffffffffu : ((1u << (WfN & 31)) - 1) << (lane() & ~(WfN - 1))),
              lane() & (WfN - 1), WfN) {}
  WF_MEMBER unsigned meta_group_rank() const { return this_thread_block().thread_rank() / WfN; }
  WF_MEMBER unsigned meta_group_size() const {
    return (this_thread_block().size() + WfN - 1) / WfN;
  }
  template <class WfT> WF_MEMBER WfT shfl(WfT mine, int from) const {
    return __shfl_sync(mask_, mine, from, (int)WfN);
  }
  template <class WfT> WF_MEMBER WfT shfl_up(WfT mine, unsigned by) const {
    return __shfl_up_sync(mask_, mine, by, (int)WfN);
  }
  template <class WfT> WF_MEMBER WfT shfl_down(WfT mine, unsigned by) const {
    return __shfl_down_sync(mask_, mine, by, (int)WfN);
  }
  template <class WfT> WF_MEMBER WfT shfl_xor(WfT mine, int by) const {
    return __shfl_xor_sync(mask_, mine, by, (int)WfN);
  }
  WF_MEMBER unsigned ballot(int mine) const { return ranks(__ballot_sync(mask_, mine)); }
  template <class WfT> WF_MEMBER unsigned match_any(WfT mine) const {
    return ranks(__match_any_sync(mask_, mine));
  }
  template <class WfT> WF_MEMBER unsigned match_all(WfT mine, int &all) const {
    return ranks(__match_all_sync(mask_, mine, &all));
  }

private:
  WF_MEMBER unsigned ranks(unsigned lanes) const {
    return (lanes & mask_) >> (lane() & ~(WfN - 1));
  }
};
template <unsigned WfN> WF_GROUP thread_block_tile<WfN> tiled_partition(const thread_block &) {
  return thread_block_tile<WfN>();
}
template <unsigned WfN, unsigned WfM>
WF_GROUP thread_block_tile<WfN> tiled_partition(const thread_block_tile<WfM> &) {
  static_assert(WfN <= WfM, "a tile of a tile has no more threads than it");
  return thread_block_tile<WfN>();
}

// The lanes that are here together.
class coalesced_group : public lanes {
public:
  WF_MEMBER explicit coalesced_group(unsigned mask)
      : lanes(mask, (unsigned)__popc(mask & ((1u << (this_thread_block().thread_rank() & 31)) - 1)),
              (unsigned)__popc(mask)) {}
  template <class WfT> WF_MEMBER WfT shfl(WfT mine, int from) const {
    unsigned rest = mask_;
    for (int i = 0; i < from; i++) rest &= rest - 1; // the lane of that rank
    return __shfl_sync(mask_, mine, __ffs((int)rest) - 1);
  }
  template <class WfT> WF_MEMBER WfT shfl_up(WfT mine, unsigned by) const {
    return shfl(mine, (int)(by > rank_ ? rank_ : rank_ - by));
  }
  template <class WfT> WF_MEMBER WfT shfl_down(WfT mine, unsigned by) const {
    return shfl(mine, (int)(rank_ + by < size_ ? rank_ + by : rank_));
  }
  WF_MEMBER unsigned ballot(int mine) const {
    const unsigned votes = __ballot_sync(mask_, mine);
    unsigned ranks = 0, rest = mask_;
    for (unsigned rank = 0; rest; rank++, rest &= rest - 1)
      ranks |= (votes >> (__ffs((int)rest) - 1) & 1) << rank;
    return ranks;
  }
};
WF_GROUP coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

// A block, or a tile whose size is known at run time only.
class thread_group {
  unsigned mask_, rank_, size_; // a mask of 0: the whole block

public:
  WF_MEMBER thread_group(const thread_block &block)
      : mask_(0), rank_(block.thread_rank()), size_(block.size()) {}
  WF_MEMBER thread_group(unsigned mask, unsigned rank, unsigned size)
      : mask_(mask), rank_(rank), size_(size) {}
  WF_MEMBER void sync() const {
    if (mask_)
      __syncwarp(mask_);
    else
      __syncthreads();
  }
  WF_MEMBER unsigned size() const { return size_; }
  WF_MEMBER unsigned num_threads() const { return size_; }
  WF_MEMBER unsigned thread_rank() const { return rank_; }
};
// tile: 1, 2, 4, 8, 16 or 32 threads
WF_GROUP thread_group tiled_partition(const thread_group &parent, unsigned tile) {
  const unsigned lane = this_thread_block().thread_rank() & 31, first = lane & ~(tile - 1);
  const unsigned mask = tile >= 32 ? 0xffffffffu : (1u << tile) - 1;
  return thread_group(mask << first, parent.thread_rank() & (tile - 1), tile);
}

#ifdef __CUDA__
static __device__ unsigned wf_grid_here, wf_grid_turn;

// All threads of the grid: of cudaLaunchCooperativeKernel, whose blocks are all on the SMs.
class grid_group {
public:
  WF_MEMBER unsigned long long size() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * this_thread_block().size();
  }
  WF_MEMBER unsigned long long num_threads() const { return size(); }
  WF_MEMBER unsigned long long thread_rank() const {
    return block_rank() * this_thread_block().size() + this_thread_block().thread_rank();
  }
  WF_MEMBER bool is_valid() const { return true; }
  WF_MEMBER dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  WF_MEMBER dim3 dim_blocks() const { return group_dim(); }
  WF_MEMBER dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  WF_MEMBER unsigned long long num_blocks() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  WF_MEMBER unsigned long long block_rank() const {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  // The last block to come lets the others go.
  WF_MEMBER void sync() const {
    __threadfence();
    __syncthreads();
    if (this_thread_block().thread_rank() == 0) {
      const unsigned turn = *(volatile unsigned *)&wf_grid_turn;
      __threadfence();
      const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
      if (atomicAdd(&wf_grid_here, 1u) == blocks - 1) {
        wf_grid_here = 0;
        __threadfence();
        atomicAdd(&wf_grid_turn, 1u);
      } else {
        while (*(volatile unsigned *)&wf_grid_turn == turn) continue;
      }
    }
    __syncthreads();
  }
};
WF_GROUP grid_group this_grid() {
  return grid_group();
}
#endif

template <class WfG> WF_GROUP void sync(const WfG &group) {
  group.sync();
}
} // namespace cooperative_groups

#undef WF_GROUP
#undef WF_MEMBER

#endif
