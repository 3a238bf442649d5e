/* Rules by which a miss goes past a cache, rivals to units there; they decide in no time.
 * AB (adaptive bypassing): each set bypasses with a probability of its own, and tracks one pair of
 * lines at a time to learn whether that was right. MAT: a counter for each KB of memory; a line of
 * fewer accesses than its victim's goes past. */
#ifndef WF_BYPASS_H
#define WF_BYPASS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum wf_bypass_kind { WF_BYPASS_NONE, WF_BYPASS_AB, WF_BYPASS_MAT } wf_bypass_kind;
enum { WF_BYPASS_NO_WAY = -1 };

typedef struct wf_bypass wf_bypass;
/* seed: of the draws, not 0. NULL for WF_BYPASS_NONE. */
wf_bypass *wf_bypass_create(wf_bypass_kind kind, unsigned sets, uint16_t seed);
void wf_bypass_destroy(wf_bypass *bypass);
/* A request has looked up a line of the set; way: where it is, if it is there. */
void wf_bypass_access(wf_bypass *bypass, unsigned set, uint32_t line, int way);

/* A line that would take a way. */
typedef struct wf_bypass_miss {
  unsigned set, way;
  uint32_t line, victim;
  bool victim_valid; /* a line is there */
  bool keep;         /* it takes the way in any case */
} wf_bypass_miss;
/* Goes it past? Asked once, and then done. */
bool wf_bypass_decides(wf_bypass *bypass, const wf_bypass_miss *miss);

/* AB: the probability of a set is 2^-this. */
unsigned wf_bypass_exponent(const wf_bypass *bypass, unsigned set);
/* MAT: accesses counted for the line's KB. */
unsigned wf_bypass_count(const wf_bypass *bypass, uint32_t line);

#endif
