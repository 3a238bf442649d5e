/* A victim cache of an L1: a few lines, fully associative, of those that the L1 has replaced. A
 * line is in one of the two. */
#ifndef WF_GPU_L1_VICTIMS_H
#define WF_GPU_L1_VICTIMS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wf_l1_victim {
  uint32_t line;
  uint8_t valid;  /* sectors; 0: the place is empty */
  bool copy_back; /* it goes to the L2 when it leaves */
  uint8_t slot;   /* ABYP: of the load that brought it */
} wf_l1_victim;

typedef struct wf_l1_victims {
  wf_l1_victim *places; /* the oldest first */
  unsigned n;
} wf_l1_victims;

void wf_l1_victims_init(wf_l1_victims *v, unsigned lines);
void wf_l1_victims_free(wf_l1_victims *v);
void wf_l1_victims_clear(wf_l1_victims *v);
/* valid = 0: not there. */
wf_l1_victim wf_l1_victims_find(const wf_l1_victims *v, uint32_t line);
/* Takes a line out; no error if it is not there. */
void wf_l1_victims_drop(wf_l1_victims *v, uint32_t line);
/* Puts a line in; what had to leave for it (valid = 0: nothing). */
wf_l1_victim wf_l1_victims_put(wf_l1_victims *v, wf_l1_victim line);

#endif
