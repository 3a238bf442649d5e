/* An SM's L1 data cache: write-evict, no write allocate; with what rivals to the units change. */
#ifndef WF_GPU_L1_H
#define WF_GPU_L1_H

#include "sim/gpu/abyp.h"
#include "sim/gpu/config.h"
#include "sim/gpu/counters.h"
#include "sim/mem/cache_row.h"
#include "sim/seam/l1.h"
#include "sim/seam/miss.h"

typedef struct wf_l1 wf_l1;
typedef enum wf_l1_result {
  WF_L1_HIT,
  WF_L1_HIT_VICTIM, /* in the victim cache: a cycle later */
  WF_L1_MISS,
  WF_L1_MERGED,
  WF_L1_PAST,
  WF_L1_STALL
} wf_l1_result;
enum { WF_L1_LINE = 0xf /* all sectors of a line */, WF_L1_MOST_MSHRS = 4096 };
typedef struct wf_l1_request {
  uint32_t line;
  uint16_t load;
  uint16_t pc;       /* of the load instruction */
  uint8_t slot;      /* ABYP's, of it */
  uint8_t sectors;   /* touched; looked at with l1.sectored */
  bool may_allocate; /* else a miss goes past */
  bool can_send;     /* the miss queue has room */
} wf_l1_request;
/* What a miss asks the L2 for. */
typedef struct wf_l1_fetch {
  unsigned mshr;
  uint8_t sectors;
  bool past; /* the L1 will not keep it */
  wf_l1_label label;
} wf_l1_fetch;
/* What of a line which load needs. */
typedef struct wf_l1_part {
  uint16_t load;
  uint8_t sectors; /* looked at with l1.sectored */
  uint8_t more;    /* sectors that a miss fetches besides, if nothing is there */
} wf_l1_part;
wf_l1 *wf_l1_create(const wf_gpu_config *config, wf_l1_counters *counters);
void wf_l1_destroy(wf_l1 *l1);
/* Who answers in the place of its MSHRs: these are the book then, whose answer goes along. */
typedef struct wf_l1_keeper {
  struct wf_miss_file *self;
  wf_miss_answer (*request)(struct wf_miss_file *self, uint32_t line, uint16_t load,
                            wf_miss_answer book);
} wf_l1_keeper;
void wf_l1_keep_misses(wf_l1 *l1, wf_l1_keeper keeper);
/* Looks a line up for a load. MISS: reserved, the caller sends *fetch. PAST: the
 * caller asks the L2 for what is needed, the L1 keeps nothing. STALL: no MSHR, merge slot or way;
 * nothing changed. */
wf_l1_result wf_l1_load(wf_l1 *l1, const wf_l1_request *r, wf_l1_fetch *fetch);
/* A line that a prefetcher foretells. HIT: there or on its way, nothing changed. */
wf_l1_result wf_l1_prefetch(wf_l1 *l1, uint32_t line, bool can_send, wf_l1_fetch *fetch);
bool wf_l1_holds(const wf_l1 *l1, uint32_t line); /* the whole of it is there */
/* The table that all SMs share with --set l1.abyp=1. */
void wf_l1_share_abyp(wf_l1 *l1, wf_abyp_l2 *l2);
/* Who hears what it does, as the L1 of this SM. */
void wf_l1_listen(wf_l1 *l1, const wf_cache_row *row, unsigned sm);
/* A look-up by the steps below, to those who hear. */
void wf_l1_tell_look(const wf_l1 *l1, const wf_l1_access *look, uint8_t sectors);
/* An atomic drops the line; so does a store, or, with l1.write_keep, it leaves there the sectors it
 * writes whole. */
void wf_l1_evict(wf_l1 *l1, uint32_t line);
void wf_l1_store(wf_l1 *l1, uint32_t line, uint8_t whole);
/* What the MSHR waits for is sent on when it is replaced, as all lines are with l2.exclusive. */
void wf_l1_copy_back(wf_l1 *l1, unsigned mshr);
/* Sectors that an MSHR waits for are here: the loads that have all of theirs now, *count of them,
 * until the next call. With the last the MSHR is free again. Where another keeps the misses, all
 * loads wait for the last, in their order; NULL before. */
const uint16_t *wf_l1_fill(wf_l1 *l1, unsigned mshr, uint8_t sectors, unsigned *count);
void wf_l1_clear(wf_l1 *l1); /* between kernels */
/* With l2.exclusive: takes the oldest of the lines that were replaced and not sent yet; false:
 * none. The queue is short: what finds it full is dropped. */
bool wf_l1_next_replaced(wf_l1 *l1, uint32_t *line);
bool wf_l1_has_replaced(const wf_l1 *l1);
/* From here on, lines that leave are counted in the histogram, by wf_locality_count_bin() of their
 * accesses. */
void wf_l1_count_lifetimes(wf_l1 *l1, uint64_t *histogram);
/* The steps of wf_l1_load one by one, for a unit beside the L1. Look: nothing changes; fills in
 * set, hit, way, invalid and reserved; rank and victim by themselves, for a request that stalls
 * needs none. */
void wf_l1_look(wf_l1 *l1, uint32_t line, wf_l1_access *look);
void wf_l1_rank_ways(const wf_l1 *l1, wf_l1_access *look);
unsigned wf_l1_set(const wf_l1 *l1, uint32_t line);
/* A request for the line that `look` found. MISS: the caller sends *fetch; STALL: the line's MSHR
 * takes no more, nothing changed. */
wf_l1_result wf_l1_use(wf_l1 *l1, const wf_l1_access *look, const wf_l1_part *part,
                       wf_l1_fetch *fetch);
/* Would not stall. */
bool wf_l1_may_use(const wf_l1 *l1, const wf_l1_access *look, uint8_t sectors, bool can_send);
/* Reserves a way, which is not reserved, for a miss; there is a free MSHR. */
wf_l1_fetch wf_l1_take(wf_l1 *l1, uint32_t line, unsigned way, const wf_l1_part *part);
/* With l1.past=line: an MSHR, of which one is free, for a line that goes past. */
wf_l1_fetch wf_l1_take_past(wf_l1 *l1, uint32_t line, const wf_l1_part *part);
unsigned wf_l1_free_mshrs(const wf_l1 *l1);
bool wf_l1_idle(const wf_l1 *l1);

#endif
