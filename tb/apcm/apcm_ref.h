/* Reference model of apcm: the paper's tables as plain records, edge by edge, without RAMs. It
 * follows the paper's sections 4.2 to 5.3 and the order rule of the unit's header. */
#ifndef APCM_REF_H
#define APCM_REF_H

#include <stdbool.h>
#include <stdint.h>

enum {
  APCM_MAX_WARPS = 64,
  APCM_MAX_IDS = 64,
  APCM_MAX_MTA = 1024,
  APCM_MAX_SETS = 1024,
  APCM_MAX_WAYS = 64,
  APCM_MAX_LOOPS = 8
};

typedef enum apcm_method { APCM_NORMAL = 0, APCM_BYPASS = 1, APCM_PROTECT = 2 } apcm_method;
typedef enum apcm_kind {
  APCM_LOAD_DONE = 0,
  APCM_WARP_START = 2,
  APCM_WARP_EXIT = 3,
  APCM_KERNEL_START = 4
} apcm_kind;

/* Counters, in the order of unit.ini. */
#define APCM_COUNTERS(X)                                                                           \
  X(loads), X(loads_untracked), X(loads_bypass), X(loads_protect), X(accesses), X(allocs),         \
      X(protected), X(refused), X(psb_sets), X(psb_last), X(psb_loop), X(renewed)
#define APCM_CNT_(name) APCM_CNT_##name
typedef enum apcm_counter { APCM_COUNTERS(APCM_CNT_), APCM_CNT_COUNT } apcm_counter;

typedef struct apcm_load {
  uint32_t warp; /* the unit does not ask for it */
  uint64_t pc;
} apcm_load;

typedef struct apcm_load_answer {
  bool valid, tracked;
  uint32_t id, method, last;
} apcm_load_answer;

typedef struct apcm_access {
  uint32_t warp, id, method, last;
  bool tracked, hit, few;
  uint64_t line;
  uint32_t set, way;
  uint64_t invalid, reserved;   /* masks, bit w = way w */
  uint32_t rank[APCM_MAX_WAYS]; /* 0 newest */
} apcm_access;

typedef struct apcm_access_answer {
  bool valid, alloc, protect;
  uint32_t way;
} apcm_access_answer;

typedef struct apcm_event {
  apcm_kind kind;
  uint32_t warp, id;
} apcm_event;

/* Of a SIMT stack's top. */
typedef struct apcm_move {
  uint32_t warp;
  uint64_t from, to;
  bool jump, push;
} apcm_move;

/* What is offered at an edge; NULL: nothing. */
typedef struct apcm_offers {
  const apcm_load *load;
  const apcm_access *access;
  const apcm_event *done, *exit, *start; /* of their kinds; start: a pulse */
  const apcm_move *move;
  bool kernel; /* a pulse */
  unsigned lsu_in;
  bool lsu_out;
} apcm_offers;

typedef struct apcm_ready {
  bool load, access, done, exit, move;
} apcm_ready;

typedef struct apcm_shape {
  unsigned warps, ids, mta_entries, mta_ways, sets, ways, line_bits,
      count_max; /* count_max: saturated count */
  unsigned age_steps, loops, exits;
  unsigned most_enter; /* loads, at one edge */
} apcm_shape;

typedef struct apcm_settings {
  bool bypass, protect;
  unsigned threshold, renew, keep;
} apcm_settings;

typedef struct apcm_mta_entry {
  bool valid;
  uint64_t line;
  unsigned first, last, count, intra;
} apcm_mta_entry;

/* A report on its way into the CAIT. */
typedef struct apcm_report {
  bool valid;
  unsigned id, method, last, count;
} apcm_report;

typedef struct apcm_ref {
  apcm_shape shape;
  apcm_settings settings;
  unsigned loads; /* LAT entries taken */
  uint64_t pc[APCM_MAX_IDS];
  struct {
    unsigned method, last, count; /* count 0: not known */
  } cait[APCM_MAX_IDS];
  apcm_report told, written;        /* of the edge before, and of the one before that */
  apcm_mta_entry mta[APCM_MAX_MTA]; /* [row][way] */
  unsigned turn, renew_turn, die;
  struct {
    bool protect, loop;
    unsigned last;
  } psb[APCM_MAX_WARPS];
  struct {
    unsigned count, warp, credit;
    bool protect;
  } line[APCM_MAX_SETS][APCM_MAX_WAYS];
  enum { APCM_NONE, APCM_WATCH, APCM_SCAN, APCM_OVER } state;
  unsigned watched;
  unsigned scan_step;
  struct {
    bool valid;
    uint64_t low, high;
  } loop[APCM_MAX_LOOPS];
  struct {
    uint32_t warp, behind; /* loads that had entered before */
  } exit[APCM_MAX_LOOPS];
  unsigned n_exits;
  bool cares, will_care;         /* a load was told to pin its lines */
  uint32_t entered, left, late;  /* loads, of the load/store unit; late: to be counted */
  bool has_access, access_waits; /* taken, not acting yet; and not at the next edge either */
  apcm_access access;
  /* At the next edge; of a load's end and a warp's exit the first that came. */
  enum { APCM_NO_ONE, APCM_LEFT, APCM_DONE, APCM_EXIT } acts;
  bool has_done, exit_first, starts, kernel_starts;
  apcm_event done;
  unsigned busy; /* edges until it is ready */
  apcm_load_answer load_answer;
  apcm_access_answer access_answer;
  uint64_t counter[APCM_CNT_COUNT];
} apcm_ref;

/* The state after reset. */
void apcm_ref_reset(apcm_ref *r, const apcm_shape *shape);
/* Which channels take what is offered at the next edge, at which so many loads enter. */
apcm_ready apcm_ref_ready(const apcm_ref *r, unsigned lsu_in);
/* One edge. Leaves the answers that are on the ports after it in load_answer and access_answer. */
void apcm_ref_step(apcm_ref *r, const apcm_offers *offers);
bool apcm_ref_idle(const apcm_ref *r);
/* Does the next look-up take credit from the lines of its set? */
bool apcm_ref_ages(const apcm_ref *r);
uint64_t apcm_ref_psb(const apcm_ref *r);
/* Whose loads' ends, whose exits, and whether a warp's start may change something. */
uint64_t apcm_ref_ask_done(const apcm_ref *r);
uint64_t apcm_ref_ask_exit(const apcm_ref *r);
bool apcm_ref_ask_start(const apcm_ref *r);
/* May a kernel start, if nothing else is offered? */
bool apcm_ref_kernel_may(const apcm_ref *r);

#endif
