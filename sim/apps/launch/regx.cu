// Regular expression: how many of a text's positions start a match, and the longest match. A thread
// per text tries its positions one after the other, or launches a child with a thread per position.
// The expression is a table of states.
#include "persist.cuh"

enum { SYMBOLS = 256, DEAD = 255, ACCEPTS = 128 }; // ACCEPTS: a state's bit

struct regx_text {
  const uint8_t *bytes, *table;
  uint32_t *count, *longest; // of the text
  uint32_t size;
};

// Length of the longest match at `start`, 0: none.
DEVICE uint32_t match(const regx_text &t, uint32_t start) {
  uint32_t state = 0, longest = 0;
#pragma clang loop unroll(disable)
  for (uint32_t i = start; i < t.size; i++) {
    state = t.table[(state & (ACCEPTS - 1)) * SYMBOLS + t.bytes[i]];
    if (state == DEAD) break;
    if (state & ACCEPTS) longest = i + 1 - start;
  }
  return longest;
}

KERNEL regx_child(regx_text t) {
  uint32_t start = global_thread();
  if (start >= t.size) return;
  uint32_t length = match(t, start);
  if (!length) return;
  reduce_add(t.count, 1);
  reduce_max(t.longest, length);
}

template <int FORM>
DEVICE void regx_match(const uint8_t *bytes, const uint32_t *start, uint32_t n,
                       const uint8_t *table, uint32_t *count, uint32_t *longest, uint32_t block) {
  uint32_t i = global_thread();
  if (i >= n) return;
  const regx_text t = {bytes + start[i], table, count + i, longest + i, start[i + 1] - start[i]};
  if (LAUNCH(FORM, regx_child, t, t.size, block)) return;
  uint32_t found = 0, most = 0;
#pragma clang loop unroll(disable)
  for (uint32_t at = 0; at < t.size; at++) {
    uint32_t length = match(t, at);
    found += length != 0;
    most = length > most ? length : most;
  }
  *t.count = found;
  *t.longest = most;
}

IN_THREE_FORMS(regx_match,
               (const uint8_t *bytes, const uint32_t *start, uint32_t n, const uint8_t *table,
                uint32_t *count, uint32_t *longest, uint32_t block),
               bytes, start, n, table, count, longest, block)

// ---- the best forms (share.cuh) ----

struct PositionsOf {
  uint32_t start, n, size, text; // n: of these positions are tried
};
struct Matches {
  uint32_t count, longest;
};

struct FindMatches {
  enum { AT_ONCE = 1 };
  typedef PositionsOf List;
  typedef Matches Sum;
  const uint8_t *bytes, *table;
  uint32_t *count, *longest;
  template <int U>
  DEVICE_METHOD void items(const List (&l)[U], const uint32_t (&i)[U], Matches (&got)[U]) const {
#pragma unroll
    for (int u = 0; u < U; u++) {
      const regx_text t = {bytes + l[u].start, table, nullptr, nullptr, l[u].size};
      got[u].longest = i[u] < l[u].n ? match(t, i[u]) : 0;
      got[u].count = got[u].longest != 0;
    }
  }
  DEVICE_METHOD static void join(Matches *sum, const Matches &other) {
    sum->count += other.count;
    if (other.longest > sum->longest) sum->longest = other.longest;
  }
  DEVICE_METHOD void end(const List &l, const Matches &sum, bool whole) const {
    if (!sum.count) return; // both words are 0 before
    if (whole) {
      count[l.text] = sum.count;
      longest[l.text] = sum.longest;
      return;
    }
    reduce_add(&count[l.text], sum.count);
    reduce_max(&longest[l.text], sum.longest);
  }
};

#define REGX_PARAMS                                                                                \
  const uint8_t *bytes, const uint32_t *start, uint32_t n, const uint8_t *table, uint32_t *count,  \
      uint32_t *longest, uint32_t block

DEVICE FindMatches regx_match_work(REGX_PARAMS) {
  return {bytes, table, count, longest};
}
DEVICE PositionsOf regx_match_list(uint32_t i, REGX_PARAMS) {
  if (i >= n) return {0, 0, 0, 0};
  uint32_t size = start[i + 1] - start[i];
  return {start[i], size, size, i};
}
IN_BEST_FORMS(regx_match, FindMatches, (REGX_PARAMS), bytes, start, n, table, count, longest, block)
IN_PERSISTENT_FORM(regx_match, (REGX_PARAMS), bytes, start, n, table, count, longest, block)
