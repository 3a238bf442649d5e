/* Seeded random numbers (xoshiro256** seeded by splitmix64): the same on every machine. */
#ifndef WF_RNG_H
#define WF_RNG_H

#include <stdint.h>

typedef struct wf_rng {
  uint64_t s[4];
} wf_rng;

static inline uint64_t wf_rng_rotl(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

static inline void wf_rng_seed(wf_rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    r->s[i] = z ^ (z >> 31);
  }
}

static inline uint64_t wf_rng_next(wf_rng *r) {
  uint64_t result = wf_rng_rotl(r->s[1] * 5, 7) * 9, t = r->s[1] << 17;
  r->s[2] ^= r->s[0];
  r->s[3] ^= r->s[1];
  r->s[1] ^= r->s[2];
  r->s[0] ^= r->s[3];
  r->s[2] ^= t;
  r->s[3] = wf_rng_rotl(r->s[3], 45);
  return result;
}

/* Uniform in 0 .. bound-1; bound > 0. The bias is below bound / 2^64. */
static inline uint64_t wf_rng_below(wf_rng *r, uint64_t bound) {
  return (uint64_t)(((unsigned __int128)wf_rng_next(r) * bound) >> 64);
}

/* Uniform in [0, 1), 53 bits. */
static inline double wf_rng_unit(wf_rng *r) {
  return (double)(wf_rng_next(r) >> 11) * 0x1p-53;
}

#endif
