#include "sim/gpu/abyp.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

enum { COUNTER_MAX = 15, THRESHOLD = 8 };

typedef struct passed {
  uint32_t line;
  uint8_t slot;
  bool valid;
} passed;

struct wf_abyp_l2 {
  passed *at;
  uint32_t lines;
};

wf_abyp_l2 *wf_abyp_l2_create(uint32_t lines) {
  wf_abyp_l2 *l2 = wf_calloc(1, sizeof *l2);
  l2->lines = lines ? lines : 1;
  l2->at = wf_calloc(l2->lines, sizeof *l2->at);
  return l2;
}

void wf_abyp_l2_destroy(wf_abyp_l2 *l2) {
  if (!l2) return;
  free(l2->at);
  free(l2);
}

bool wf_abyp_says_bypass(const wf_abyp *abyp, uint8_t slot) {
  return abyp->counter[slot] >= THRESHOLD;
}

void wf_abyp_hit(wf_abyp *abyp, uint8_t slot) {
  if (abyp->counter[slot]) abyp->counter[slot]--;
}

void wf_abyp_evicted_unused(wf_abyp *abyp, uint8_t slot) {
  if (abyp->counter[slot] < COUNTER_MAX) abyp->counter[slot]++;
}

void wf_abyp_in_l2(wf_abyp *abyp, uint32_t line, uint8_t slot, bool bypassed) {
  passed *p = &abyp->l2->at[line % abyp->l2->lines];
  if (p->valid && p->line == line) wf_abyp_hit(abyp, p->slot);
  *p = (passed){line, slot, bypassed};
}
