/* Adaptive bypassing, a rival to units beside the L1 (Tian et al., "Adaptive GPU cache bypassing",
 * 2015, as the cache-management paper describes it): loads whose lines leave the L1 unused, time
 * and again, go past it; a line that went past and is asked for again in the L2 speaks against
 * that. Decides in no time: flattering to the rival. */
#ifndef WF_GPU_ABYP_H
#define WF_GPU_ABYP_H

#include <stdbool.h>
#include <stdint.h>

enum { WF_ABYP_SLOTS = 128 }; /* counters an SM has, by load instruction */

/* Lines that went past the L1s, as bits in the L2 would tell: as many as the L2 has lines,
 * direct-mapped. */
typedef struct wf_abyp_l2 wf_abyp_l2;
wf_abyp_l2 *wf_abyp_l2_create(uint32_t lines);
void wf_abyp_l2_destroy(wf_abyp_l2 *l2);

typedef struct wf_abyp {
  uint8_t counter[WF_ABYP_SLOTS];
  wf_abyp_l2 *l2; /* of all SMs */
} wf_abyp;

static inline uint8_t wf_abyp_slot(uint32_t pc) {
  return (uint8_t)(pc % WF_ABYP_SLOTS);
}
bool wf_abyp_says_bypass(const wf_abyp *abyp, uint8_t slot);
void wf_abyp_hit(wf_abyp *abyp, uint8_t slot); /* slot: of the load that brought the line */
void wf_abyp_evicted_unused(wf_abyp *abyp, uint8_t slot);
/* A request reaches the L2; bypassed: it went past the L1, else it missed there. */
void wf_abyp_in_l2(wf_abyp *abyp, uint32_t line, uint8_t slot, bool bypassed);

#endif
