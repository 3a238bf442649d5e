/* Reference model of apcm: the paper's tables as plain records, one transfer after another, without
 * pipeline or RAM. It follows the paper's sections 4.2 to 5.3 and the order rule of the unit's
 * header: transfers of one edge act in the order load, access, event. */
#ifndef APCM_REF_H
#define APCM_REF_H

#include <stdbool.h>
#include <stdint.h>

enum {
  APCM_MAX_WARPS = 64,
  APCM_MAX_IDS = 64,
  APCM_MAX_MTA = 1024,
  APCM_MAX_SETS = 1024,
  APCM_MAX_WAYS = 16
};

typedef enum apcm_method { APCM_NORMAL = 0, APCM_BYPASS = 1, APCM_PROTECT = 2 } apcm_method;
typedef enum apcm_kind {
  APCM_LOAD_DONE = 0,
  APCM_LOOP_EXIT = 1,
  APCM_WARP_START = 2,
  APCM_WARP_EXIT = 3,
  APCM_KERNEL_START = 4
} apcm_kind;

/* Counters, in the order of unit.ini. */
#define APCM_COUNTERS(X)                                                                           \
  X(loads), X(loads_untracked), X(loads_bypass), X(loads_protect), X(accesses), X(hits),           \
      X(bypassed), X(allocs), X(protected), X(refused), X(psb_sets), X(psb_last), X(psb_loop),     \
      X(psb_exit), X(unpinned), X(mta_hits), X(mta_allocs), X(mta_evictions), X(mta_drops),        \
      X(class_bypass), X(class_protect), X(class_normal), X(watched), X(busy), X(renewed)
#define APCM_CNT_(name) APCM_CNT_##name
typedef enum apcm_counter { APCM_COUNTERS(APCM_CNT_), APCM_CNT_COUNT } apcm_counter;

typedef struct apcm_load {
  uint32_t warp;
  uint64_t pc;
} apcm_load;

typedef struct apcm_load_answer {
  bool valid, tracked;
  uint32_t id, method, last;
} apcm_load_answer;

typedef struct apcm_access {
  uint32_t warp, id, method, last, nth;
  bool tracked, hit;
  uint64_t line;
  uint32_t set, way, invalid, reserved; /* masks, bit w = way w */
  uint32_t rank[APCM_MAX_WAYS];         /* 0 newest */
} apcm_access;

typedef struct apcm_access_answer {
  bool valid, alloc, protect;
  uint32_t way;
} apcm_access_answer;

typedef struct apcm_event {
  apcm_kind kind;
  uint32_t warp, id;
  uint64_t lo, hi;
} apcm_event;

typedef struct apcm_shape {
  unsigned warps, ids, mta_entries, mta_ways, sets, ways, line_bits,
      count_max; /* count_max: saturated count */
} apcm_shape;

typedef struct apcm_settings {
  bool bypass, protect;
  unsigned threshold, remonitor, renew;
} apcm_settings;

typedef struct apcm_mta_entry {
  bool valid;
  uint64_t line;
  unsigned first, last, count, intra;
} apcm_mta_entry;

typedef struct apcm_ref {
  apcm_shape shape;
  apcm_settings settings;
  unsigned loads; /* LAT entries taken */
  uint64_t pc[APCM_MAX_IDS];
  struct {
    bool valid;
    unsigned method, last, count;
  } cait[APCM_MAX_IDS];
  bool kernel_starts;               /* at this edge: what is learned is forgotten at once */
  apcm_mta_entry mta[APCM_MAX_MTA]; /* [row][way] */
  unsigned turn, renew_turn;
  struct {
    bool protect, loop;
    unsigned last;
  } psb[APCM_MAX_WARPS];
  struct {
    unsigned count, warp;
    bool protect;
  } line[APCM_MAX_SETS][APCM_MAX_WAYS];
  enum { APCM_NONE, APCM_WATCH, APCM_SCAN } state;
  unsigned watched;
  bool again;
  unsigned scan_step;
  unsigned busy; /* edges until it is ready */
  apcm_load_answer load_answer;
  apcm_access_answer access_answer;
  uint64_t counter[APCM_CNT_COUNT];
} apcm_ref;

/* The state after reset. */
void apcm_ref_reset(apcm_ref *r, const apcm_shape *shape);
/* One edge: what is transferred at it (NULL: nothing). Leaves the answers in load_answer and
 * access_answer. */
void apcm_ref_step(apcm_ref *r, const apcm_load *load, const apcm_access *access,
                   const apcm_event *event);
bool apcm_ref_ready(const apcm_ref *r);
uint64_t apcm_ref_psb(const apcm_ref *r);

#endif
