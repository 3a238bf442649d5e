/* Who hears what caches do, and who decides what a slice of L2 keeps. Both levels tell a row of
 * listeners of look-ups, fills and evictions: of each at most one in a cycle of the cache. An empty
 * row costs a test. */
#ifndef WF_CACHE_ROW_H
#define WF_CACHE_ROW_H

#include <stdbool.h>
#include <stdint.h>

enum { WF_CACHE_ROW = 8, WF_CACHE_NO_WAY = UINT16_MAX, WF_CACHE_NO_MSHR = UINT16_MAX };
enum { WF_CACHE_L1, WF_CACHE_L2, WF_CACHE_LEVELS };
/* Between an L1 and a slice. */
enum {
  WF_MODE_COPY_BACK = 1, /* of a reply: the L1 sends the line on when it replaces it */
  WF_MODE_PAST = 2,      /* of a request: its line should take no way */
  WF_MODE_SHARED = 4,    /* of a reply: other cores have asked for the line */
  WF_MODE_PRIVATE = 8    /* of a reply: the core that brought the line has asked again */
};

typedef enum wf_cache_what {
  WF_CACHE_LOOK, /* a line request of a load, or an atomic at the L2, has looked up */
  /* What was asked for of the line in this way has come: from memory, from the victim cache, from
   * an L1, or by a store that leaves it there. */
  WF_CACHE_FILL,
  /* The line leaves its way: replaced, written over, or gone to an L1. Told before what takes the
   * way, and not where a kernel's end empties the L1s. */
  WF_CACHE_EVICT
} wf_cache_what;

typedef struct wf_cache_event {
  uint8_t what, level;
  uint8_t sectors; /* of a look-up: wanted; else those that are there */
  bool hit;        /* all sectors wanted are there */
  bool coming;     /* the line is on its way */
  bool to_l1;      /* of a read: the L1 keeps the line */
  bool keep;       /* an atomic: its line takes a way whatever anyone says */
  uint16_t pc;     /* of a look-up: the instruction's number in its kernel, 16 bits of it; of a
                      slice's fill by a store as well */
  uint16_t at;     /* which cache of its level: the SM, or the slice */
  uint16_t sm;     /* of a look-up: who asks; of a fill by an L1 or a store: whose */
  uint8_t mode;    /* of a slice's look-up: what the request asks (WF_MODE_) */
  bool returned;   /* of a slice's fill: an L1 has sent it */
  uint8_t written; /* of a slice's fill by a store: its sectors, whole or in part */
  uint16_t mshr;   /* of a slice: that a line comes by; WF_CACHE_NO_MSHR: none, or a hit */
  uint16_t way;    /* the line's, or WF_CACHE_NO_WAY */
  unsigned set;    /* the line's */
  uint32_t line;   /* at an L1 address / line size; at a slice its number within the slice */
  /* What the judge of a slice is shown of a miss besides: the way that LRU gives it. */
  uint16_t victim;
  bool victim_valid; /* a line is there */
  uint32_t victim_line;
} wf_cache_event;

typedef struct wf_cache_listener {
  void *self;
  void (*tell)(void *self, const wf_cache_event *event);
} wf_cache_listener;

/* Of one level. */
typedef struct wf_cache_row {
  wf_cache_listener at[WF_CACHE_ROW];
  unsigned n;
} wf_cache_row;

static inline void wf_cache_tell(const wf_cache_row *row, const wf_cache_event *event) {
  for (unsigned i = 0; i < row->n; i++) row->at[i].tell(row->at[i].self, event);
}

/* What becomes of what was looked up. */
typedef struct wf_slice_answer {
  bool past;    /* of a miss: the line takes no way */
  bool leaves;  /* of a hit: the line goes with the reply, if nothing of it is owed to DRAM */
  uint8_t more; /* of a miss: sectors that are fetched besides */
  uint8_t mode; /* goes with the reply, to the L1 */
} wf_slice_answer;

/* Decides over reads of SMs at all slices. */
typedef struct wf_slice_judge {
  void *self;
  bool moves; /* lines may leave for an L1, and come back as victims: what is written is noted */
  /* A look-up, at most one in a slice's cycle. True: an answer comes; no other request of the set
   * is looked up before it. What comes from DRAM sooner than its answer takes no way. */
  bool (*ask)(void *self, const wf_cache_event *look);
  /* To the slice's oldest question; false: not yet. */
  bool (*answer)(void *self, unsigned slice, wf_slice_answer *answer);
} wf_slice_judge;

#endif
