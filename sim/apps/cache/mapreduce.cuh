// Grouping keys by their text, a thread per key: an open hash table whose slots name the key that
// took them. MAPREDUCE_KERNELS defines the three kernels of an application, as in Mars. Those of
// MAPREDUCE_MARKS read the text side by side: first a bit for each byte that delimits keys, then a
// thread per line goes over its bits; keys are hashed and compared by words.
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

// ---- by marks ----

struct alignas(16) TextWords {
  uint32_t word[4];
};

// A bit for each byte of `delimiter` in 16; the lowest for the first.
DEVICE uint32_t marks_of(const TextWords &text, uint32_t delimiter) {
  uint32_t marks = 0;
#pragma unroll
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t other = text.word[i] ^ delimiter * 0x01010101;
    uint32_t equal = ~((other & 0x7f7f7f7f) + 0x7f7f7f7f | other) & 0x80808080;
    marks |= (equal >> 7) * 0x10204080 >> 28 << 4 * i;
  }
  return marks;
}

// Bytes are padded to full blocks.
DEVICE void mark(const uint8_t *__restrict__ text, uint16_t *marks, uint32_t n,
                 uint32_t delimiter) {
  uint32_t i = global_thread();
  if (i < n) marks[i] = (uint16_t)marks_of(((const TextWords *)text)[i], delimiter);
}

// Four bytes that begin with byte at % 4 of two words.
DEVICE uint32_t four_bytes(uint32_t low, uint32_t high, uint32_t at) {
  return (uint32_t)(((uint64_t)high << 32 | low) >> 8 * (at % 4));
}

// Words of a key from byte `from` on, zeros behind its end; PAST: past the L1.
enum { KEY_WORDS = 3 };
struct KeyWords {
  uint32_t word[KEY_WORDS];
};
template <bool PAST>
DEVICE KeyWords key_words(const uint32_t *__restrict__ text, span key, uint32_t from) {
  uint32_t loaded[KEY_WORDS + 1], at = key.start + from, left = key.size - from;
#pragma unroll
  for (uint32_t i = 0; i <= KEY_WORDS; i++) {
    const uint32_t *word = text + at / 4 + i;
    bool wanted = 4 * i < left + at % 4;
    loaded[i] = PAST ? load_far_if(wanted, word, 0) : load_if(wanted, word, 0);
  }
  KeyWords key_words;
#pragma unroll
  for (uint32_t i = 0; i < KEY_WORDS; i++) {
    uint32_t word = four_bytes(loaded[i], loaded[i + 1], at);
    uint32_t bits = left > 4 * i ? 8 * (left - 4 * i) : 0;
    key_words.word[i] = bits < 32 ? word & (1u << bits) - 1 : word;
  }
  return key_words;
}
DEVICE uint32_t hash_of(uint32_t hash, const KeyWords &key) {
#pragma unroll
  for (uint32_t i = 0; i < KEY_WORDS; i++) {
    hash = (hash ^ key.word[i]) * 0x9e3779b1;
    hash ^= hash >> 15;
  }
  return hash;
}
DEVICE bool same_words(const KeyWords &a, const KeyWords &b) {
  uint32_t differ = 0;
#pragma unroll
  for (uint32_t i = 0; i < KEY_WORDS; i++) differ |= a.word[i] ^ b.word[i];
  return !differ;
}

// An owner's word has bits of its hash above its number, so that most that differ are not read. Its
// text is read past the L1; FAR: the thread's own too.
template <bool FAR>
DEVICE void group_words(const uint32_t *__restrict__ text, const span *__restrict__ keys,
                        uint32_t *owners, uint32_t *counts, uint32_t *group_of, uint32_t mask,
                        uint32_t n) {
  uint32_t key = global_thread(), numbers = ~0u >> __builtin_clz(n);
  if (key >= n) return;
  const span mine = keys[key];
  const KeyWords first = key_words<FAR>(text, mine, 0);
  uint32_t hash = hash_of(mine.size, first);
#pragma clang loop unroll(disable)
  for (uint32_t i = 4 * KEY_WORDS; i < mine.size; i += 4 * KEY_WORDS)
    hash = hash_of(hash, key_words<FAR>(text, mine, i));
  const uint32_t me = (hash & ~numbers) | (key + 1);
  uint32_t slot = hash & mask, owner;
  for (;; slot = slot + 1 & mask) {
#pragma clang loop unroll(disable)
    for (;; slot = slot + 1 & mask) {
      owner = fresh_if(true, &owners[slot], 0);
      if (!owner) owner = atomic_cas(&owners[slot], 0, me);
      if (!owner || !((owner ^ hash) & ~numbers)) break;
    }
    if (!owner) break;
    const span its = keys[(owner & numbers) - 1];
    bool same = its.size == mine.size && same_words(first, key_words<true>(text, its, 0));
#pragma clang loop unroll(disable)
    for (uint32_t i = 4 * KEY_WORDS; same && i < mine.size; i += 4 * KEY_WORDS)
      same = same_words(key_words<FAR>(text, mine, i), key_words<true>(text, its, i));
    if (same) break;
  }
  reduce_add(&counts[slot], 1);
  group_of[key] = slot;
}

#define GROUP_KERNEL(NAME, FAR)                                                                    \
  KERNEL NAME(const uint32_t *__restrict__ text, const span *__restrict__ keys, uint32_t *owners,  \
              uint32_t *counts, uint32_t *group_of, uint32_t mask, uint32_t n) {                   \
    group_words<FAR>(text, keys, owners, counts, group_of, mask, n);                               \
  }
#define MAPREDUCE_MARKS(NAME, DELIMITER, SCAN)                                                     \
  KERNEL NAME##_set_marks(const uint8_t *__restrict__ text, uint16_t *marks, uint32_t n) {         \
    mark(text, marks, n, DELIMITER);                                                               \
  }                                                                                                \
  KERNEL NAME##_count_marks(const uint32_t *__restrict__ text, const uint32_t *__restrict__ marks, \
                            const span *__restrict__ lines, uint32_t *counts, uint32_t n) {        \
    uint32_t line = global_thread();                                                               \
    if (line < n) counts[line] = SCAN<false>(text, marks, lines[line], nullptr);                   \
  }                                                                                                \
  KERNEL NAME##_map_marks(const uint32_t *__restrict__ text, const uint32_t *__restrict__ marks,   \
                          const span *__restrict__ lines, const uint32_t *__restrict__ first,      \
                          span *keys, uint32_t n) {                                                \
    uint32_t line = global_thread();                                                               \
    if (line < n) SCAN<true>(text, marks, lines[line], keys + first[line]);                        \
  }                                                                                                \
  GROUP_KERNEL(NAME##_group_marks, false)                                                          \
  GROUP_KERNEL(NAME##_group_far, true)

#endif
