/* Sets of the crossbar's ends, by bit. */
#ifndef WF_MEM_MASK_H
#define WF_MEM_MASK_H

#include <stdbool.h>
#include <stdint.h>

enum { WF_MASK_WORDS = 3, WF_MASK_BITS = 64 * WF_MASK_WORDS };
typedef struct wf_mask {
  uint64_t w[WF_MASK_WORDS];
} wf_mask;

static inline void wf_mask_set(wf_mask *m, unsigned i) {
  m->w[i / 64] |= UINT64_C(1) << i % 64;
}
static inline void wf_mask_clear(wf_mask *m, unsigned i) {
  m->w[i / 64] &= ~(UINT64_C(1) << i % 64);
}
static inline bool wf_mask_has(const wf_mask *m, unsigned i) {
  return m->w[i / 64] >> i % 64 & 1;
}
static inline bool wf_mask_any(const wf_mask *m) {
  return (m->w[0] | m->w[1] | m->w[2]) != 0;
}
static inline void wf_mask_add(wf_mask *m, const wf_mask *more) {
  for (unsigned k = 0; k < WF_MASK_WORDS; k++) m->w[k] |= more->w[k];
}
static inline void wf_mask_remove(wf_mask *m, const wf_mask *less) {
  for (unsigned k = 0; k < WF_MASK_WORDS; k++) m->w[k] &= ~less->w[k];
}
static inline wf_mask wf_mask_both(const wf_mask *a, const wf_mask *b) {
  wf_mask m;
  for (unsigned k = 0; k < WF_MASK_WORDS; k++) m.w[k] = a->w[k] & b->w[k];
  return m;
}
static inline wf_mask wf_mask_without(const wf_mask *a, const wf_mask *b) {
  wf_mask m;
  for (unsigned k = 0; k < WF_MASK_WORDS; k++) m.w[k] = a->w[k] & ~b->w[k];
  return m;
}
static inline unsigned wf_mask_count(const wf_mask *m) {
  unsigned n = 0;
  for (unsigned k = 0; k < WF_MASK_WORDS; k++) n += (unsigned)__builtin_popcountll(m->w[k]);
  return n;
}
/* The first of them; there is one. */
static inline unsigned wf_mask_first(const wf_mask *m) {
  unsigned k = 0;
  while (k + 1 < WF_MASK_WORDS && !m->w[k]) k++;
  return 64 * k + (unsigned)__builtin_ctzll(m->w[k]);
}
/* The first from `first` on, or of all; there is one. */
static inline unsigned wf_mask_from(const wf_mask *m, unsigned first) {
  unsigned k = first / 64;
  if (k < WF_MASK_WORDS) {
    const uint64_t upper = m->w[k] & ~UINT64_C(0) << first % 64;
    if (upper) return 64 * k + (unsigned)__builtin_ctzll(upper);
    while (++k < WF_MASK_WORDS)
      if (m->w[k]) return 64 * k + (unsigned)__builtin_ctzll(m->w[k]);
  }
  return wf_mask_first(m);
}
/* Takes the first of them out; false: there is none. */
static inline bool wf_mask_take(wf_mask *m, unsigned *i) {
  if (!wf_mask_any(m)) return false;
  *i = wf_mask_first(m);
  m->w[*i / 64] &= m->w[*i / 64] - 1;
  return true;
}

#endif
