/* A unit that brings what thread blocks will read into the shared memory that the kernel leaves
 * free, before they start. sim/gpu/preload.h is the fabric's side: it holds blocks back, sends
 * fetches, keeps the data and checks what loads get. */
#ifndef WF_SEAM_PRELOAD_H
#define WF_SEAM_PRELOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/ptx/block_rows.h"
#include "sim/ptx/ptx.h"

struct wf_unit;

typedef struct wf_preload_kernel {
  const ptx_launch *launch;
  unsigned resident;    /* blocks that an SM can hold */
  uint32_t shared_free; /* bytes of an SM's shared memory that the resident ones leave */
  uint64_t first, last; /* device bytes in use */
} wf_preload_kernel;

typedef enum wf_preload_answer {
  WF_PRELOAD_WAIT,   /* not known yet */
  WF_PRELOAD_MISS,   /* to the L1 */
  WF_PRELOAD_COMING, /* on its way to *place: to the L1, too */
  WF_PRELOAD_HIT     /* in *place */
} wf_preload_answer;

/* What the fabric counts, over all SMs and kernels. */
typedef struct wf_preload_counters {
  uint64_t held_blocks, held_cycles;    /* from their placement to the unit's go, their sum */
  uint64_t fetched, fetch_waits;        /* waits: cycles in which the SM's miss queue was full */
  uint64_t looked_up, found, not_found; /* line requests of loads */
  uint64_t found_coming;                /* their line on its way: they go to the L1 */
  uint64_t look_stalls;                 /* cycles in which a load could not be looked up */
  uint64_t checked_bytes; /* that loads got from the buffer, each compared with memory */
  uint64_t stale_bytes;   /* of these: another SM had written them (with races) */
} wf_preload_counters;

/* How the fabric treats what the unit brings; settled when it is created. */
typedef struct wf_preload_settings {
  unsigned places; /* that it may use, ever */
  bool races;      /* what another SM wrote since it was brought may be read; otherwise a fault */
} wf_preload_settings;

/* A line is a device address / 128; a place is a line of shared memory, 0 .. places - 1. All but
 * set_row are required. A slot is a block's number within its SM, free when it has ended. */
typedef struct wf_preload_ops {
  /* Before a kernel's first block, at rest. *active: it has something to fetch and room for it;
   * otherwise nothing more is told of it. */
  bool (*kernel_start)(struct wf_unit *unit, const wf_preload_kernel *kernel, bool *active,
                       wf_error *err);
  wf_preload_counters *(*counters)(struct wf_unit *unit);
  wf_preload_settings (*settings)(const struct wf_unit *unit);
  /* May the dispatcher place a block in this cycle? It tells of it by block(). */
  bool (*may_place)(const struct wf_unit *unit);
  void (*block)(struct wf_unit *unit, unsigned sm, unsigned slot, const uint32_t block[3]);
  void (*block_end)(struct wf_unit *unit, unsigned sm, unsigned slot);
  /* A line request of a load or store to global memory, one per SM and cycle; false: not in this
   * one. */
  bool (*access)(struct wf_unit *unit, unsigned sm, bool store, uint32_t line);
  /* To the oldest load without one; at most one a cycle, as it comes. */
  wf_preload_answer (*answer)(struct wf_unit *unit, unsigned sm, unsigned *place);
  /* What preload_fetch() asked for lies in its place. */
  void (*filled)(struct wf_unit *unit, unsigned sm, unsigned place);
  /* What blocks read, as the program itself says it (wf_gpu_cta_tracker); row NULL: it forgets what
   * it said. NULL: the unit does not listen. */
  void (*set_row)(struct wf_unit *unit, const wf_preload_row *row);
} wf_preload_ops;

#endif
