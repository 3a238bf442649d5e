// A breadth-first search as a user would write it, beside which the strategies of --app bfs are
// measured (user.sh). Level-synchronous, in one launch: resident blocks, a barrier of atomics
// between levels. The frontier's queue holds, per vertex, where its list starts and how many edges
// lie before it, both handed out by one 64-bit add, so that each block takes an equal share of the
// level's edges.
#include "warpfab.cuh"

enum {
  BLOCK = 256, // threads
  EACH = 2,    // edges of a thread at once
  LEAST = 256  // edges of a block's share
};
enum { WORDS = BLOCK * EACH / 32 - 1, TILE = WORDS * 32 };

struct entry {
  uint32_t before, start;
};

DEVICE uint64_t add64(uint64_t *at, uint64_t by) {
  uint64_t old;
  asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(at), "l"(by) : "memory");
  return old;
}
DEVICE uint64_t shared_add64(uint64_t *at, uint64_t by) {
  return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
}
DEVICE uint32_t add32(uint32_t *at, uint32_t by) {
  uint32_t old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(by) : "memory");
  return old;
}
DEVICE uint64_t peek64(const uint64_t *at) {
  uint64_t v;
  asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  return v;
}
DEVICE uint32_t peek_if(bool wanted, const uint32_t *at, uint32_t otherwise) {
  asm volatile("{ .reg .pred w; setp.ne.u32 w, %2, 0; @w ld.global.cg.u32 %0, [%1]; }"
               : "+r"(otherwise)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return otherwise;
}
DEVICE entry peek_entry_if(bool wanted, const entry *at, uint32_t before, uint32_t start) {
  asm volatile("{ .reg .pred w; setp.ne.u32 w, %3, 0; @w ld.global.cg.v2.u32 {%0, %1}, [%2]; }"
               : "+r"(before), "+r"(start)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return entry{before, start};
}

DEVICE void look(bool wanted, uint32_t &word, const uint32_t *at) {
  asm volatile("{ .reg .pred w; setp.ne.u32 w, %2, 0; @w ld.global.u32 %0, [%1]; }"
               : "+r"(word)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
}
DEVICE void or_if(bool wanted, uint32_t &old, uint32_t *at, uint32_t bit) {
  asm volatile("{ .reg .pred w; setp.ne.u32 w, %2, 0; @w atom.global.or.b32 %0, [%1], %3; }"
               : "+r"(old)
               : "l"(at), "r"((uint32_t)wanted), "r"(bit)
               : "memory");
}
// sync: per level two words of 64 bits: how many vertices (high) and edges (low) its queue got;
// the same with bit 63 when all blocks are done; arrived: one counter per level.
KERNEL ubfs(const uint32_t *__restrict__ row, const uint32_t *__restrict__ col, uint32_t *level,
            entry *queue, uint64_t *count, uint64_t *done, uint32_t *arrived, uint32_t source,
            uint32_t *last, uint32_t *visited) {
  __shared__ uint32_t delta[BLOCK * EACH], off[BLOCK * EACH], bits[WORDS + 1], base[WORDS + 1];
  __shared__ uint32_t probe[BLOCK + 1];
  __shared__ volatile uint32_t found, next;
  __shared__ volatile uint64_t place, all;
  __shared__ uint64_t taken;
  uint32_t tid = thread_x(), grid = grid_dim_x();
  uint32_t first_start = row[source];
  uint64_t edges = row[source + 1] - first_start, vertices = 1;
  uint32_t queue_base = 0, depth = 1;
  if (global_thread() == 0) level[source] = 1;
  if (tid == 0) taken = 0;
  if (tid == 0) probe[BLOCK] = 0xffffffffu;

  while (vertices) {
    depth++;
    uint32_t E = (uint32_t)edges, F = (uint32_t)vertices;
    uint32_t share = (E + grid - 1) / grid;
    if (share < LEAST) share = LEAST;
    uint32_t lo = block_x() * share, hi = lo + share < E ? lo + share : E;
    if (lo < hi) {
      const entry *q = queue + queue_base;
      uint32_t at = 0;
      for (uint32_t span = F; span > 1 && depth > 2;) {
        uint32_t step = (span + BLOCK - 1) / BLOCK, i = at + tid * step;
        uint32_t p = peek_if(tid * step < span && i < F, &q[i].before, 0xffffffffu);
        barrier();
        probe[tid] = p;
        barrier();
        if (p <= lo && probe[tid + 1] > lo) found = i;
        barrier();
        at = found;
        span = step;
      }
      for (uint32_t t0 = lo; t0 < hi; t0 += TILE) {
        uint32_t size = hi - t0 < TILE ? hi - t0 : TILE;
        entry e[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
          uint32_t j = tid + k * BLOCK;
          e[k] = depth == 2 ? entry{j ? E : 0, first_start}
                            : peek_entry_if(j <= size && at + j < F, q + at + j, E, 0);
        }
        if (tid <= WORDS) bits[tid] = 0;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
          uint32_t j = tid + k * BLOCK;
          if (j > size + 1) break;
          delta[j] = e[k].start - e[k].before;
          off[j] = j && e[k].before - t0 <= size ? e[k].before - t0 : j ? size + 1 : 0;
        }
        barrier();
#pragma unroll
        for (int k = 0; k < EACH; k++) {
          uint32_t j = tid + k * BLOCK;
          if (j > size + 1) break;
          if (j == 0) {
            base[0] = 0;
            continue;
          }
          uint32_t o = off[j], b = off[j - 1];
          if (b > size) continue;
          if (o > size) next = j - 1;
          if (o < size) __atomic_fetch_or(&bits[o / 32], 1u << (o & 31), __ATOMIC_RELAXED);
          uint32_t end = o / 32 < WORDS ? o / 32 : WORDS;
          for (uint32_t w = b / 32 + 1; w <= end; w++) base[w] = j - 1;
        }
        barrier();
        uint32_t v[EACH], seen[EACH], a[EACH], z[EACH];
        uint64_t mine[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
          uint32_t o = tid + k * BLOCK;
          uint32_t upto = 0xffffffffu >> (31 - (o & 31));
          bool in = o < size;
          uint32_t r = in ? base[o / 32] + __builtin_popcount(bits[o / 32] & upto) : 0;
          v[k] = load_if(in, col + (in ? delta[r] + t0 + o : 0), source);
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
          uint32_t o = tid + k * BLOCK, w = ~0u;
          look(o < size, w, visited + v[k] / 32);
          seen[k] = (v[k] == source) | (w >> (v[k] & 31) & 1);
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
          uint32_t bit = 1u << (v[k] & 31), old = bit;
          or_if(!seen[k], old, visited + v[k] / 32, bit);
          a[k] = load_if(!seen[k], row + v[k], 0);
          z[k] = load_if(!seen[k], row + v[k] + 1, 0);
          seen[k] = (old & bit) != 0;
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
          if (!seen[k]) level[v[k]] = depth;
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
          bool put = !seen[k] && z[k] > a[k];
          mine[k] = 0;
          if (put) mine[k] = shared_add64(&taken, 1ull << 32 | (z[k] - a[k]));
          if (!put) z[k] = a[k];
        }
        barrier();
        at += next;
        if (tid == 0 && taken) place = add64(count + depth, taken);
        barrier();
        uint64_t to = place;
        if (tid == 0) taken = 0;
#pragma unroll
        for (int k = 0; k < EACH; k++)
          if (z[k] > a[k]) {
            uint64_t p = to + mine[k];
            queue[(depth > 2 ? queue_base + F : 1) + (uint32_t)(p >> 32)] =
                entry{(uint32_t)p, a[k]};
          }
        barrier();
      }
      asm volatile("membar.gl;" ::: "memory");
    }
    barrier();
    if (tid == 0) {
      uint64_t now;
      if (add32(arrived + depth, 1) == grid - 1) {
        now = peek64(count + depth);
        asm volatile("st.global.cg.u64 [%0], %1;" ::"l"(done + depth), "l"(now | 1ull << 63)
                     : "memory");
      } else {
        do now = peek64(done + depth);
        while (!(now >> 63));
      }
      all = now & ~(1ull << 63);
    }
    barrier();
    queue_base += F;
    edges = (uint32_t)all;
    vertices = all >> 32;
  }
  if (global_thread() == 0) *last = depth;
}
