// Word count. As in Mars each thread scans its line byte by byte; or over marks of its spaces.
#include "mapreduce.cuh"

template <bool EMIT>
DEVICE uint32_t words_of(const uint8_t *__restrict__ text, span line, span *found) {
  uint32_t count = 0, at = line.start, end = line.start + line.size;
  while (at < end) {
    uint32_t start = at;
#pragma clang loop unroll(disable)
    while (at < end && text[at] != ' ') at++;
    if (at > start) {
      if (EMIT) found[count] = span{start, at - start};
      count++;
    }
    at++;
  }
  return count;
}

MAPREDUCE_KERNELS(wc, words_of)

// Bits outside the line stand for spaces; where a bit differs from the one before a word begins or
// ends.
template <bool EMIT>
DEVICE uint32_t words_of_marks(const uint32_t *__restrict__, const uint32_t *__restrict__ marks,
                               span line, span *found) {
  uint32_t count = 0, start = 0, before = 1, end = line.start + line.size;
#pragma clang loop unroll(disable)
  for (uint32_t at = line.start & ~31u; at < end; at += 32) {
    uint32_t spaces = marks[at / 32];
    if (at < line.start) spaces |= (1u << line.start % 32) - 1;
    if (end - at < 32) spaces |= ~0u << end % 32;
    uint32_t edges = spaces ^ (spaces << 1 | before);
    before = spaces >> 31;
    if (!EMIT) {
      count += (uint32_t)__builtin_popcount(edges & ~spaces);
      continue;
    }
#pragma clang loop unroll(disable)
    for (; edges; edges &= edges - 1) {
      uint32_t bit = (uint32_t)__builtin_ctz(edges);
      if (spaces >> bit & 1)
        found[count++] = span{start, at + bit - start};
      else
        start = at + bit;
    }
  }
  if (EMIT && !before) found[count] = span{start, end - start};
  return count;
}

MAPREDUCE_MARKS(wc, ' ', words_of_marks)
