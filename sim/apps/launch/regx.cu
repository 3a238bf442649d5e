// Regular expression: how many of a text's positions start a match, and the longest match. A thread
// per text tries its positions one after the other, or launches a child with a thread per position.
// The expression is a table of states.
#include "launch.cuh"

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
