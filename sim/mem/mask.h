/* Sets of SMs, or of the crossbar's ends, by bit. What goes over words is told how many, n, can
 * hold one: with a constant 1 it is as fast as a single word. */
#ifndef WF_MEM_MASK_H
#define WF_MEM_MASK_H

#include <stdbool.h>
#include <stdint.h>

#define WF_MASK_INLINE __attribute__((always_inline))

enum { WF_MASK_WORDS = 3, WF_MASK_BITS = 64 * WF_MASK_WORDS };
typedef struct wf_mask {
  uint64_t w[WF_MASK_WORDS];
} wf_mask;

static inline WF_MASK_INLINE void wf_mask_set(wf_mask *m, unsigned i) {
  m->w[i / 64] |= UINT64_C(1) << i % 64;
}
static inline WF_MASK_INLINE void wf_mask_clear(wf_mask *m, unsigned i) {
  m->w[i / 64] &= ~(UINT64_C(1) << i % 64);
}
static inline WF_MASK_INLINE bool wf_mask_has(const wf_mask *m, unsigned i) {
  return m->w[i / 64] >> i % 64 & 1;
}
/* The first `count` bits. */
static inline wf_mask wf_mask_below(unsigned count) {
  wf_mask m = {0};
  for (unsigned k = 0; 64 * k < count; k++)
    m.w[k] = count - 64 * k >= 64 ? UINT64_MAX : (UINT64_C(1) << count % 64) - 1;
  return m;
}
static inline bool wf_mask_same(const wf_mask *a, const wf_mask *b) {
  uint64_t differ = 0;
  for (unsigned k = 0; k < WF_MASK_WORDS; k++) differ |= a->w[k] ^ b->w[k];
  return !differ;
}
static inline WF_MASK_INLINE bool wf_mask_any(const wf_mask *m, unsigned n) {
  uint64_t all = 0;
  for (unsigned k = 0; k < n; k++) all |= m->w[k];
  return all != 0;
}
static inline WF_MASK_INLINE void wf_mask_add(wf_mask *m, const wf_mask *more, unsigned n) {
  for (unsigned k = 0; k < n; k++) m->w[k] |= more->w[k];
}
static inline WF_MASK_INLINE void wf_mask_remove(wf_mask *m, const wf_mask *less, unsigned n) {
  for (unsigned k = 0; k < n; k++) m->w[k] &= ~less->w[k];
}
static inline WF_MASK_INLINE wf_mask wf_mask_both(const wf_mask *a, const wf_mask *b, unsigned n) {
  wf_mask m = {0};
  for (unsigned k = 0; k < n; k++) m.w[k] = a->w[k] & b->w[k];
  return m;
}
static inline WF_MASK_INLINE wf_mask wf_mask_without(const wf_mask *a, const wf_mask *b,
                                                     unsigned n) {
  wf_mask m = {0};
  for (unsigned k = 0; k < n; k++) m.w[k] = a->w[k] & ~b->w[k];
  return m;
}
static inline WF_MASK_INLINE unsigned wf_mask_count(const wf_mask *m, unsigned n) {
  unsigned count = 0;
  for (unsigned k = 0; k < n; k++) count += (unsigned)__builtin_popcountll(m->w[k]);
  return count;
}
/* The first of them; there is one. */
static inline WF_MASK_INLINE unsigned wf_mask_first(const wf_mask *m, unsigned n) {
  unsigned k = 0;
  while (k + 1 < n && !m->w[k]) k++;
  return 64 * k + (unsigned)__builtin_ctzll(m->w[k]);
}
/* The first from `first` on, or of all; there is one. */
static inline WF_MASK_INLINE unsigned wf_mask_from(const wf_mask *m, unsigned first, unsigned n) {
  unsigned k = first / 64;
  if (k < n) {
    const uint64_t upper = m->w[k] & ~UINT64_C(0) << first % 64;
    if (upper) return 64 * k + (unsigned)__builtin_ctzll(upper);
    while (++k < n)
      if (m->w[k]) return 64 * k + (unsigned)__builtin_ctzll(m->w[k]);
  }
  return wf_mask_first(m, n);
}
/* Takes the first of them out; false: there is none. */
static inline WF_MASK_INLINE bool wf_mask_take(wf_mask *m, unsigned *i, unsigned n) {
  if (!wf_mask_any(m, n)) return false;
  *i = wf_mask_first(m, n);
  m->w[*i / 64] &= m->w[*i / 64] - 1;
  return true;
}

#endif
