// Inverted index. As in Mars each thread scans its line of HTML byte by byte for links; or it looks
// at the marks of quotes.
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

DEVICE bool opens_link(const uint32_t *__restrict__ text, uint32_t quote) {
  const uint32_t at = quote - 7, *word = text + at / 4; // where the pattern would begin
  uint32_t low = load_far_if(true, word, 0), mid = load_far_if(true, word + 1, 0);
  uint32_t high = load_far_if(true, word + 2, 0);
  uint32_t first = four_bytes(low, mid, at), second = four_bytes(mid, high, at);
  return !((first ^ 0x72682061) | (second ^ 0x223d6665)); // `a hr`, `ef="`
}

// A link begins behind a quote that ends the pattern, and the next quote ends it.
template <bool EMIT>
DEVICE uint32_t links_of_marks(const uint32_t *__restrict__ text,
                               const uint32_t *__restrict__ marks, span line, span *found) {
  uint32_t count = 0, start = 0, end = line.start + line.size; // start: of an open link, else 0
#pragma clang loop unroll(disable)
  for (uint32_t at = line.start & ~31u; at < end; at += 32) {
    uint32_t quotes = marks[at / 32];
    if (at < line.start) quotes &= ~0u << line.start % 32;
    if (end - at < 32) quotes &= (1u << end % 32) - 1;
#pragma clang loop unroll(disable)
    for (; quotes; quotes &= quotes - 1) {
      uint32_t quote = at + (uint32_t)__builtin_ctz(quotes);
      if (start) {
        if (EMIT) found[count] = span{start, quote - start};
        count++;
        start = 0;
      } else if (quote >= line.start + 7 && opens_link(text, quote)) {
        start = quote + 1;
      }
    }
  }
  return count;
}

MAPREDUCE_MARKS(iix, '"', links_of_marks)
