/* Hardware prefetchers beside an L1: rivals to prefetching into spare registers. They foretell
 * lines, which enter the L1 like any miss: a lookup, an MSHR, a way, a place in the miss queue.
 * l1.prefetch_turn says who looks the L1 up when a load waits, too: in turns (equal), or the load
 * (idle).
 *
 * Three are trained by line requests, as these look the L1 up, at the sizes of that work's table 6.
 *   stride: RPT of 1024 entries, 4 ways, by warp, load and region of 64 KB: last line, stride,
 * confidence. From the third access of one stride on, `degree` (1) lines from the `distance`-th (1)
 * on. Strides below a line are none.
 *   stream: 512 streams, 8 of a warp's hash. A miss begins one; two further accesses within 16
 * lines in one direction confirm it; then `degree` (2) lines an access, at most `distance` (8)
 * ahead.
 *   ghb, AC/DC: the last 1024 misses in order, linked by zone of 4 KB from an index of 128 entries.
 * The last two deltas of a zone are looked for among its last 32 misses; `degree` (4) lines of what
 * followed then are foretold, from the `distance`-th (1) on.
 *
 * Two see the addresses of a load's lanes as it enters the load/store unit.
 *   imp, after Yu et al. (MICRO 2015), for warps: 256 loads by warp whose addresses step, 32 pairs
 * of loads with target = base + (index << shift), found from the words that 4 lanes of a warp's
 * last 4 loads got. The words at the next steps are read if their line is in the L1, and what they
 * point to is foretold; else the line itself. `degree` (1) steps from the `distance`-th (1) on.
 *   snake, after Mostofi et al. (MICRO 2023): 64 pairs of successive loads of a warp, 64 loads of
 * successive warps, with the stride between them; three warps must agree. A load foretells what a
 * chain of at most `degree` (4) strides leads to, and `distance` (1) warps ahead. */
#ifndef WF_GPU_PREFETCH_H
#define WF_GPU_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

typedef enum wf_prefetch_kind {
  WF_PREFETCH_NONE,
  WF_PREFETCH_STRIDE,
  WF_PREFETCH_STREAM,
  WF_PREFETCH_GHB,
  WF_PREFETCH_IMP,
  WF_PREFETCH_SNAKE,
  WF_PREFETCH_COUNT
} wf_prefetch_kind;

typedef enum wf_prefetch_turn { WF_PREFETCH_EQUAL, WF_PREFETCH_IDLE } wf_prefetch_turn;

enum { WF_PREFETCH_QUEUE = 16, WF_PREFETCH_QUEUE_MAX = 256, WF_PREFETCH_WARPS = 64 };

typedef struct wf_prefetch_settings {
  wf_prefetch_kind kind;
  unsigned degree, distance; /* 0: the kind's own */
  unsigned queue; /* foretold lines that wait, to WF_PREFETCH_QUEUE_MAX; one more drops the oldest.
                     0: WF_PREFETCH_QUEUE */
} wf_prefetch_settings;

typedef struct wf_prefetcher wf_prefetcher;

/* A line request of a load, looked up in the L1. */
typedef struct wf_prefetch_access {
  uint32_t line; /* device address / 128 */
  uint32_t pc, warp;
  bool miss; /* not there, nor on its way */
} wf_prefetch_access;

/* What a prefetcher may look at: the SM's own L1. */
typedef struct wf_prefetch_eye {
  void *of;
  bool (*holds)(void *of, uint32_t line);
  /* A word of 4 or 8 bytes that the L1 holds, or that a load got. */
  uint64_t (*word)(void *of, uint64_t address, unsigned bytes);
} wf_prefetch_eye;

/* A load of a warp. */
typedef struct wf_prefetch_load {
  uint32_t pc, warp; /* warp < WF_PREFETCH_WARPS */
  uint32_t active;   /* lanes, not 0 */
  unsigned bytes;    /* a lane's */
  const uint64_t *address;
  wf_prefetch_eye eye;
} wf_prefetch_load;

/* s->kind: not NONE. dropped: counts lines that left a full queue; must outlive it. */
wf_prefetcher *wf_prefetcher_create(const wf_prefetch_settings *s, uint64_t *dropped);
void wf_prefetcher_destroy(wf_prefetcher *p);                               /* NULL is fine */
const wf_prefetch_settings *wf_prefetcher_settings(const wf_prefetcher *p); /* no 0 in it */
void wf_prefetcher_train(wf_prefetcher *p, const wf_prefetch_access *a);
/* Kinds that see lines only ignore it. */
void wf_prefetcher_load(wf_prefetcher *p, const wf_prefetch_load *l);
/* The oldest foretold line; false: none. It stays until it is popped. */
bool wf_prefetcher_next(const wf_prefetcher *p, uint32_t *line);
void wf_prefetcher_pop(wf_prefetcher *p);
void wf_prefetcher_clear(wf_prefetcher *p); /* between kernels: tables and queue */

#endif
