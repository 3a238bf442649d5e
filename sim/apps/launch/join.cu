// Join of two relations on their keys, the second sorted: a thread per tuple of the first finds its
// matches by binary search and counts them; then, its place in the output known, writes the pairs,
// itself or by a child with a thread per pair.
#include "persist.cuh"

struct join_tuple {
  uint32_t key, value;
};

// The first of n tuples whose key is not below.
DEVICE uint32_t lower_bound(const join_tuple *sorted, uint32_t n, uint32_t key) {
  uint32_t first = 0;
#pragma clang loop unroll(disable)
  while (n) {
    uint32_t half = n / 2;
    bool below = sorted[first + half].key < key;
    first = below ? first + half + 1 : first;
    n = below ? n - half - 1 : half;
  }
  return first;
}

KERNEL join_count(const join_tuple *left, const join_tuple *right, uint32_t n_left,
                  uint32_t n_right, uint32_t *first, uint32_t *count) {
  uint32_t i = global_thread();
  if (i >= n_left) return;
  uint32_t key = left[i].key, from = lower_bound(right, n_right, key);
  first[i] = from;
  count[i] = lower_bound(right, n_right, key + 1) - from;
}

struct join_args {
  const join_tuple *matches;
  join_tuple *out;
  uint32_t value, n;
};

DEVICE void join_pair(const join_args &a, uint32_t i) {
  a.out[i] = {a.value, a.matches[i].value};
}

KERNEL join_child(join_args a) {
  uint32_t i = global_thread();
  if (i < a.n) join_pair(a, i);
}

template <int FORM>
DEVICE void join_write(const join_tuple *left, const join_tuple *right, uint32_t n_left,
                       const uint32_t *first, const uint32_t *count, const uint32_t *offset,
                       join_tuple *out, uint32_t block) {
  uint32_t i = global_thread();
  if (i >= n_left) return;
  const join_args a = {right + first[i], out + offset[i], left[i].value, count[i]};
  if (LAUNCH(FORM, join_child, a, a.n, block)) return;
#pragma clang loop unroll(disable)
  for (uint32_t k = 0; k < a.n; k++) join_pair(a, k);
}

IN_THREE_FORMS(join_write,
               (const join_tuple *left, const join_tuple *right, uint32_t n_left,
                const uint32_t *first, const uint32_t *count, const uint32_t *offset,
                join_tuple *out, uint32_t block),
               left, right, n_left, first, count, offset, out, block)

// ---- the best forms (share.cuh) ----

struct MatchesOf {
  uint32_t first, offset, value, n;
};

struct WritePairs : WithoutSum {
  enum { AT_ONCE = IN_FLIGHT };
  typedef MatchesOf List;
  const join_tuple *right;
  join_tuple *out;
  template <int U>
  DEVICE_METHOD void items(const List (&l)[U], const uint32_t (&i)[U], NoSum (&)[U]) const {
    uint32_t value[U];
#pragma unroll
    for (int u = 0; u < U; u++)
      value[u] = load_if(i[u] < l[u].n, &right[l[u].first + i[u]].value, 0);
#pragma unroll
    for (int u = 0; u < U; u++)
      if (i[u] < l[u].n)
        ((uint64_t *)out)[l[u].offset + i[u]] = (uint64_t)value[u] << 32 | l[u].value;
  }
};

#define JOIN_PARAMS                                                                                \
  const join_tuple *left, const join_tuple *right, uint32_t n_left, const uint32_t *first,         \
      const uint32_t *count, const uint32_t *offset, join_tuple *out, uint32_t block

DEVICE WritePairs join_write_work(JOIN_PARAMS) {
  return {{}, right, out};
}
DEVICE MatchesOf join_write_list(uint32_t i, JOIN_PARAMS) {
  if (i >= n_left) return {0, 0, 0, 0};
  return {first[i], offset[i], left[i].value, count[i]};
}
IN_BEST_FORMS(join_write, WritePairs, (JOIN_PARAMS), left, right, n_left, first, count, offset, out,
              block)
IN_PERSISTENT_FORM(join_write, (JOIN_PARAMS), left, right, n_left, first, count, offset, out,
              block)
