// The relaxation of LonestarGPU 0.9's BFS and SSSP: topology-driven, a thread per vertex, and each
// thread keeps a list in shared memory of the vertices that it has improved itself and goes on with
// those. The list of 12 for each of 1024 threads takes all 48 KB.
#ifndef WARPFAB_LSRELAX_CUH
#define WARPFAB_LSRELAX_CUH

#include "forms.cuh"

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

// The same in forms.cuh's forms: an edge's tail is the minimum itself. The vertex's distance is
// read once: a stale one is as good, for whoever lowered it has another round made.
template <bool WEIGHTED> struct Relax : Steps {
  struct Edge {
    uint32_t to, through, old;
  };
  const uint32_t *__restrict__ col, *__restrict__ weight;
  uint32_t *distance, *changed, mine, *list, end, improved;
  template <bool SURE> DEVICE_METHOD void head(bool wanted, uint32_t e, Edge &edge) const {
    edge.to = load<SURE>(wanted, col + e, 0);
    edge.through = mine + (WEIGHTED ? load<SURE>(wanted, weight + e, 0) : 1);
  }
  template <bool SURE> DEVICE_METHOD void tail(bool wanted, Edge &edge) const {
    edge.old = SURE ? atomic_min(&distance[edge.to], edge.through)
                    : atomic_min_if(wanted, &distance[edge.to], edge.through, 0);
  }
  DEVICE_METHOD void use(uint32_t, const Edge &edge) {
    if (edge.old <= edge.through) return;
    *changed = 1;
    if (++improved < LS_SLOTS) {
      list[end] = edge.to;
      end += FORM_BLOCK;
    }
  }
};

template <int FORM, bool WEIGHTED>
DEVICE void relax_in_form(const uint32_t *__restrict__ row, const uint32_t *__restrict__ degree,
                  const uint32_t *__restrict__ col, const uint32_t *__restrict__ weight,
                  uint32_t *distance, uint32_t *changed, uint32_t n) {
  __shared__ uint32_t list[LS_SLOTS * FORM_BLOCK];
  uint32_t at = thread_x();
  Relax<WEIGHTED> work = {{}, col, weight, distance, changed, 0, list, at + FORM_BLOCK, 0};
  list[at] = global_thread();
#pragma clang loop unroll(disable)
  for (; at < work.end; at += FORM_BLOCK) {
    uint32_t v = list[at];
    if (v >= n) continue;
    work.mine = distance[v];
    uint32_t first = row[v];
    walk_list<FORM>(work, first, first + degree[v]);
  }
}

#endif
