/* A unit that keeps each SM's outstanding misses, in the place of its L1's MSHRs. */
#ifndef WF_SEAM_MISS_H
#define WF_SEAM_MISS_H

#include <stdint.h>

struct wf_unit;

typedef enum wf_miss_what {
  WF_MISS_NEW,       /* nobody waited for the line: it is to be asked for, as this entry's */
  WF_MISS_MERGED,    /* it is on its way already, as this entry's */
  WF_MISS_FULL,      /* no entry is free */
  WF_MISS_MERGE_FULL /* so many wait for the line that no more may */
} wf_miss_what;
typedef struct wf_miss_answer {
  wf_miss_what what;
  unsigned entry;
} wf_miss_answer;

/* Calls of an SM come in the order of its cycle: a fill, a request. */
typedef struct wf_miss_ops {
  /* A load wants a line that the L1 lacks; what waits for nothing but an entry. At most one a
   * cycle. What is not taken is forgotten. */
  wf_miss_answer (*request)(struct wf_unit *unit, unsigned sm, uint32_t line, uint16_t load);
  /* The entry's line is here; at most one a cycle. Its loads are told in the unit's next tick:
   * wf_unit_env.miss_done(). */
  void (*fill)(struct wf_unit *unit, unsigned sm, unsigned entry);
} wf_miss_ops;

#endif
