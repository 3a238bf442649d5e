/* Hardware prefetchers beside an L1: rivals to prefetching into spare registers, at the sizes of
 * that work's table 6. They are trained by the line requests of loads, as these look the L1 up, and
 * foretell lines. What they ask for enters the L1 like any miss: a cycle in which the L1 is not
 * looked up otherwise, an MSHR, a way, a place in the miss queue.
 *
 *   stride  RPT of 1024 entries, 4 ways, by warp, load and region of 64 KB (16 bits): last line,
 * stride, confidence. From the third access of one stride on, the next line. Strides below a line
 * are none. stream  512 streams, 8 of a warp's hash. A miss begins one; two further accesses within
 * 16 lines in one direction confirm it; then up to 2 lines an access, at most 8 ahead. ghb AC/DC:
 * the last 1024 misses in order, linked by zone of 4 KB (12 bits) from an index of 128 entries. The
 * last two deltas of a zone are looked for among its last 32 misses; what followed then, up to 4
 * lines, is foretold. */
#ifndef WF_GPU_PREFETCH_H
#define WF_GPU_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

typedef enum wf_prefetch_kind {
  WF_PREFETCH_NONE,
  WF_PREFETCH_STRIDE,
  WF_PREFETCH_STREAM,
  WF_PREFETCH_GHB,
  WF_PREFETCH_COUNT
} wf_prefetch_kind;

enum { WF_PREFETCH_QUEUE = 16 }; /* foretold lines that wait; one more drops the oldest */

typedef struct wf_prefetcher wf_prefetcher;

/* A line request of a load, looked up in the L1. */
typedef struct wf_prefetch_access {
  uint32_t line; /* device address / 128 */
  uint32_t pc, warp;
  bool miss; /* not there, nor on its way */
} wf_prefetch_access;

/* kind: not NONE. dropped: counts lines that left a full queue; must outlive it. */
wf_prefetcher *wf_prefetcher_create(wf_prefetch_kind kind, uint64_t *dropped);
void wf_prefetcher_destroy(wf_prefetcher *p); /* NULL is fine */
void wf_prefetcher_train(wf_prefetcher *p, const wf_prefetch_access *a);
/* The oldest foretold line; false: none. It stays until it is popped. */
bool wf_prefetcher_next(const wf_prefetcher *p, uint32_t *line);
void wf_prefetcher_pop(wf_prefetcher *p);
void wf_prefetcher_clear(wf_prefetcher *p); /* between kernels: tables and queue */

#endif
