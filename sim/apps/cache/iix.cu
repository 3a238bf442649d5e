// Inverted index as in Mars: each thread scans its line of HTML byte by byte for links.
#include "mapreduce.cuh"

// A link is what stands between `a href="` and the next quote; a line's end ends it without a link.
template <bool EMIT>
DEVICE uint32_t links_of(const uint8_t *__restrict__ text, span line, span *found) {
  const uint64_t pattern = 0x223d666572682061; // `a href="`, first byte lowest
  uint32_t count = 0, matched = 0, start = 0, end = line.start + line.size;
#pragma clang loop unroll(disable)
  for (uint32_t at = line.start; at < end; at++) {
    uint32_t c = text[at];
    if (matched == 8) {
      if (c != '"') continue;
      if (EMIT) found[count] = span{start, at - start};
      count++;
      matched = 0;
    } else if (c == (uint32_t)(pattern >> 8 * matched & 0xff)) {
      matched++;
      start = at + 1;
    } else {
      matched = c == 'a'; // 'a' is nowhere else in the pattern
    }
  }
  return count;
}

MAPREDUCE_KERNELS(iix, links_of)
