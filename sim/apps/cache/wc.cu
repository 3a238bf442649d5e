// Word count as in Mars: each thread scans its line byte by byte.
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
