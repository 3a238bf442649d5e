// The relaxation of LonestarGPU 0.9's BFS and SSSP: topology-driven, a thread per vertex, and each
// thread keeps a list in shared memory of the vertices that it has improved itself and goes on with
// those. The list of 12 for each of 1024 threads takes all 48 KB.
#ifndef WARPFAB_LSRELAX_CUH
#define WARPFAB_LSRELAX_CUH

#include "spref.cuh"

enum { LS_BLOCK = 1024, LS_SLOTS = 12 };

// Unreached vertices have a distance too large to improve anything (1e9), and walk their edges like
// all others.
template <bool WEIGHTED>
DEVICE void relax(const uint32_t *__restrict__ row, const uint32_t *__restrict__ degree,
                  const uint32_t *__restrict__ col, const uint32_t *__restrict__ weight,
                  uint32_t *distance, uint32_t *changed, uint32_t n) {
  __shared__ uint32_t list[LS_SLOTS * LS_BLOCK];
  uint32_t at = thread_x(), end = at + LS_BLOCK, improved = 0;
  list[at] = global_thread();
#pragma clang loop unroll(disable)
  for (; at < end; at += LS_BLOCK) {
    uint32_t v = list[at];
    if (v >= n) continue;
    uint32_t first = row[v], last = first + degree[v];
#pragma clang loop unroll(disable)
    for (uint32_t e = first; e < last; e++) {
      uint32_t to = col[e], through = distance[v] + (WEIGHTED ? weight[e] : 1);
      if (atomic_min(&distance[to], through) <= through) continue;
      *changed = 1;
      if (++improved < LS_SLOTS) {
        list[end] = to;
        end += LS_BLOCK;
      }
    }
  }
}

#endif
