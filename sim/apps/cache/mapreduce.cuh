// Grouping keys by their text, a thread per key: an open hash table whose slots name the key that
// took them. MAPREDUCE_KERNELS defines the three kernels of an application.
#ifndef WARPFAB_MAPREDUCE_CUH
#define WARPFAB_MAPREDUCE_CUH

#include "suite.cuh"

struct span {
  uint32_t start, size;
};

DEVICE bool same_text(const uint8_t *__restrict__ text, span a, span b) {
  if (a.size != b.size) return false;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < a.size; i++)
    if (text[a.start + i] != text[b.start + i]) return false;
  return true;
}

DEVICE void group_key(const uint8_t *__restrict__ text, const span *__restrict__ keys,
                      uint32_t *owners, uint32_t *counts, uint32_t *group_of, uint32_t mask,
                      uint32_t n) {
  uint32_t key = global_thread();
  if (key >= n) return;
  span mine = keys[key];
  uint32_t hash = 2166136261u;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < mine.size; i++) hash = (hash ^ text[mine.start + i]) * 16777619u;
  uint32_t slot = (hash ^ hash >> 15) & mask;
  for (;;) {
    uint32_t owner = owners[slot];
    if (!owner) owner = atomic_cas(&owners[slot], 0, key + 1);
    if (!owner || same_text(text, mine, keys[owner - 1])) break;
    slot = (slot + 1) & mask;
  }
  atomic_add(&counts[slot], 1);
  group_of[key] = slot;
}

#define MAPREDUCE_KERNELS(NAME, SCAN)                                                              \
  KERNEL NAME##_count(const uint8_t *__restrict__ text, const span *__restrict__ lines,            \
                      uint32_t *counts, uint32_t n) {                                              \
    uint32_t line = global_thread();                                                               \
    if (line < n) counts[line] = SCAN<false>(text, lines[line], nullptr);                          \
  }                                                                                                \
  KERNEL NAME##_map(const uint8_t *__restrict__ text, const span *__restrict__ lines,              \
                    const uint32_t *__restrict__ first, span *keys, uint32_t n) {                  \
    uint32_t line = global_thread();                                                               \
    if (line < n) SCAN<true>(text, lines[line], keys + first[line]);                               \
  }                                                                                                \
  KERNEL NAME##_group(const uint8_t *__restrict__ text, const span *__restrict__ keys,             \
                      uint32_t *owners, uint32_t *counts, uint32_t *group_of, uint32_t mask,       \
                      uint32_t n) {                                                                \
    group_key(text, keys, owners, counts, group_of, mask, n);                                      \
  }

#endif
