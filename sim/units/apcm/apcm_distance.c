#include "sim/units/apcm/apcm_distance.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

void apcm_distance_open(apcm_distance *d, unsigned sets, unsigned ways, unsigned length) {
  *d = (apcm_distance){.length = length, .sets = sets, .ways = ways};
  d->accesses = wf_calloc(sets, sizeof *d->accesses);
  d->until = wf_calloc((size_t)sets * ways, sizeof *d->until);
}

void apcm_distance_free(apcm_distance *d) {
  free(d->accesses);
  free(d->until);
}

void apcm_distance_clear(apcm_distance *d) {
  memset(d->until, 0, sizeof *d->until * d->sets * d->ways);
}

uint64_t apcm_distance_access(apcm_distance *d, const wf_l1_access *a, bool keep) {
  uint32_t *until = &d->until[a->set * d->ways];
  uint64_t kept = 0;
  if (!d->length || a->bypassed) return 0;
  uint32_t now = ++d->accesses[a->set];
  if (a->hit && (keep || until[a->way])) until[a->way] = now + d->length;
  for (unsigned w = 0; w < d->ways; w++) {
    if (until[w] <= now || a->invalid >> w & 1) until[w] = 0;
    kept |= (uint64_t)(until[w] > now) << w;
  }
  return kept;
}

void apcm_distance_fill(apcm_distance *d, unsigned set, unsigned way, bool keep) {
  if (d->length) d->until[set * d->ways + way] = keep ? d->accesses[set] + d->length : 0;
}
