/* A unit that keeps each SM's outstanding misses: in the place of its L1's MSHRs, or of the table
 * of loads that go past the L1. */
#ifndef WF_SEAM_MISS_H
#define WF_SEAM_MISS_H

#include <stdbool.h>
#include <stdint.h>

struct wf_unit;

typedef enum wf_miss_what {
  WF_MISS_NEW,        /* nobody waited for the line: it is to be asked for, as this entry's */
  WF_MISS_MERGED,     /* it is on its way already, as this entry's */
  WF_MISS_FULL,       /* no entry is free, or the unit has another reason to refuse it */
  WF_MISS_MERGE_FULL, /* so many wait for the line that no more may */
  WF_MISS_TAKEN       /* it is in; which of the first two it is, the unit's next tick tells */
} wf_miss_what;
typedef struct wf_miss_answer {
  wf_miss_what what;
  unsigned entry;
} wf_miss_answer;

enum { WF_LOAD_LANES = 32 };
/* A line of a load that goes past the L1. */
typedef struct wf_load_line {
  uint16_t load;
  bool first, last;      /* of the load's lines */
  uint32_t mask, active; /* lanes that want the line; of the load */
  const uint8_t *offset; /* [WF_LOAD_LANES] of each active lane in its line */
} wf_load_line;
typedef struct wf_load_answer {
  bool taken;
  unsigned entry;
} wf_load_answer;
/* What a line that is here is for. */
typedef struct wf_load_told {
  uint16_t load;
  bool last;
  uint32_t mask;
  uint8_t offset[WF_LOAD_LANES]; /* of lanes in the mask */
} wf_load_told;

/* Calls of an SM come in the order of its cycle: a fill or reply, a request or line. At most one of
 * each a cycle. What is not taken is forgotten. */
typedef struct wf_miss_ops {
  /* A load wants a line that the L1 lacks; what waits for nothing but an entry. NULL: the L1s keep
   * their MSHRs. */
  wf_miss_answer (*request)(struct wf_unit *unit, unsigned sm, uint32_t line, uint16_t load);
  /* The entry's line is here. Its loads are told in the unit's next tick:
   * wf_unit_env.miss_done(). */
  void (*fill)(struct wf_unit *unit, unsigned sm, unsigned entry);
  /* In the place of fill(), of a unit whose entries have no numbers: the line is here. Such a unit
   * answers a request with TAKEN or FULL, and may be full before the L1s' MSHRs would be. Whether
   * the line was new it tells in its next tick, wf_unit_env.miss_known(); later each load that
   * waited, wf_unit_env.miss_told(), at most one a cycle. */
  void (*fill_line)(struct wf_unit *unit, unsigned sm, uint32_t line);
  /* A load that goes past the L1 wants its next line. Only the first may be refused. NULL: the SMs
   * keep such loads. */
  wf_load_answer (*line)(struct wf_unit *unit, unsigned sm, const wf_load_line *line);
  /* A line is here, for lanes of the entry's load. They are told in the unit's next tick:
   * wf_unit_env.load_told(). */
  void (*reply)(struct wf_unit *unit, unsigned sm, unsigned entry, uint32_t mask);
} wf_miss_ops;

#endif
