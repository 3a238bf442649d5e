#include "sim/mem/bypass.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

enum { START = 6, RAREST = 8, VIRTUAL = 4 }; /* probabilities: 2^-this */
enum { BLOCKS = 1024, LINES_OF_BLOCK = 8, COUNT_MOST = 255 };

typedef struct tracker {
  bool busy, bypassed; /* bypassed: the line went past, and the victim's way is watched */
  uint8_t exponent, way;
  uint16_t tag; /* of the line that is not there */
} tracker;

struct wf_bypass {
  wf_bypass_kind kind;
  tracker *sets;   /* AB: [set] */
  uint8_t *counts; /* MAT: [BLOCKS] */
  uint16_t draw;
};

wf_bypass *wf_bypass_create(wf_bypass_kind kind, unsigned sets, uint16_t seed) {
  if (kind == WF_BYPASS_NONE) return NULL;
  wf_bypass *b = wf_calloc(1, sizeof *b);
  b->kind = kind;
  b->draw = seed;
  if (kind == WF_BYPASS_MAT) b->counts = wf_calloc(BLOCKS, sizeof *b->counts);
  if (kind == WF_BYPASS_AB) b->sets = wf_calloc(sets, sizeof *b->sets);
  for (unsigned s = 0; b->sets && s < sets; s++) b->sets[s].exponent = START;
  return b;
}

void wf_bypass_destroy(wf_bypass *b) {
  if (!b) return;
  free(b->sets);
  free(b->counts);
  free(b);
}

/* ---- AB ---- */

static uint16_t tag_of(uint32_t line) {
  return (uint16_t)(line ^ line >> 16);
}

/* True with probability 2^-exponent. */
static bool drawn(wf_bypass *b, unsigned exponent) {
  const unsigned d = b->draw, feedback = d >> 15 ^ d >> 13 ^ d >> 12 ^ d >> 10;
  b->draw = (uint16_t)(d << 1 | (feedback & 1));
  return (d & ((1u << exponent) - 1)) == 0;
}

/* Which of the two is asked for first: the victim, so that to go past was or would have been right,
 * or the line that came in. */
static void watch(tracker *t, uint32_t line, int way) {
  if (!t->busy) return;
  const bool at_way = way == t->way, by_tag = way < 0 && t->tag == tag_of(line);
  if (!at_way && !by_tag) return;
  const bool right = t->bypassed ? at_way : by_tag;
  if (right && t->exponent) t->exponent--;
  if (!right && t->exponent < RAREST) t->exponent++;
  t->busy = false;
}

static bool ab_decides(wf_bypass *b, const wf_bypass_miss *m) {
  tracker *t = &b->sets[m->set];
  const bool past = m->victim_valid && !m->keep && drawn(b, t->exponent);
  if (!past && t->busy && t->way == m->way) t->busy = false; /* what was watched is gone */
  if (t->busy || !m->victim_valid) return past;
  if (past || drawn(b, VIRTUAL))
    *t = (tracker){.busy = true,
                   .bypassed = past,
                   .exponent = t->exponent,
                   .way = (uint8_t)m->way,
                   .tag = tag_of(past ? m->line : m->victim)};
  return past;
}

/* ---- MAT ---- */

static uint8_t *count_of(const wf_bypass *b, uint32_t line) {
  return &b->counts[line / LINES_OF_BLOCK % BLOCKS];
}

static bool mat_decides(wf_bypass *b, const wf_bypass_miss *m) {
  uint8_t *victim = count_of(b, m->victim);
  if (!m->victim_valid || m->keep || 100 * *count_of(b, m->line) >= 99 * *victim) return false;
  --*victim;
  return true;
}

/* ---- both ---- */

void wf_bypass_access(wf_bypass *b, unsigned set, uint32_t line, int way) {
  if (b->kind == WF_BYPASS_AB)
    watch(&b->sets[set], line, way);
  else if (*count_of(b, line) < COUNT_MOST)
    ++*count_of(b, line);
}

bool wf_bypass_decides(wf_bypass *b, const wf_bypass_miss *miss) {
  return b->kind == WF_BYPASS_AB ? ab_decides(b, miss) : mat_decides(b, miss);
}

unsigned wf_bypass_exponent(const wf_bypass *b, unsigned set) {
  return b->sets[set].exponent;
}

unsigned wf_bypass_count(const wf_bypass *b, uint32_t line) {
  return *count_of(b, line);
}
