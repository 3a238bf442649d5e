/* The cache directive: a region's accesses to parts of arrays go to shared memory. Every thread of
 * the block names a part of its own; together these are one range, fetched by all. */
#ifndef WF_ACC_CACHE_H
#define WF_ACC_CACHE_H

#include "sim/acc/edit.h"
#include "sim/acc/region.h"

/* All accesses are in the range; they are tested; each thread has a direct-mapped cache. */
typedef enum acc_method { ACC_RBI, ACC_RBC, ACC_EHC } acc_method;
typedef enum acc_width { ACC_BY_ARGUMENTS, ACC_BY_SYNC, ACC_FIXED } acc_width;

/* How the directive is built, for all of a file. */
typedef struct acc_cache_options {
  bool off;       /* the directive is ignored */
  bool automatic; /* so are those of the text; acc_analyse finds others */
  acc_method method;
  acc_width width;
  bool communicating; /* start and end by the first and last thread, through shared memory */
  bool alone;         /* each thread has its own copy of its part */
  bool back;          /* writes reach memory at the region's end */
  bool check;         /* accesses and ranges are tested, and what leaves them stops the program */
  unsigned entries;   /* of each thread's direct-mapped cache: a power of two */
} acc_cache_options;
extern acc_cache_options acc_cache_how;

/* Axis and rate of one dimension's part over the block's threads. */
typedef struct acc_spread {
  int axis;         /* 0 x, 1 y, 2 z; -1: the same for all threads */
  const char *rate; /* a constant */
  bool down;        /* the loop counts down */
  bool assumed;     /* not told from the words (fcw) */
} acc_spread;

/* Finds what cache directives could name in the region's kernels, and adds these. */
void acc_analyse(acc_source *s, acc_region *r);
/* Has the expression the same value for all threads of a block? */
bool acc_same_for_all(acc_source *s, const acc_kernel *k, const char *text, unsigned at);
/* How `lower` moves with the kernel's parallel loops. False: otherwise than by a constant rate
 * along one axis, so that each thread keeps its part for itself. */
bool acc_spread_of(acc_source *s, const acc_kernel *k, const char *lower, unsigned at,
                   acc_spread *spread);

bool acc_cache_edits(acc_source *s, const acc_kernel *k, const acc_directive *d, acc_edits *edits,
                     wf_error *err);
/* fcw.c: the fcw directive, "fast communicating write": a block's iterations share a tile. */
/* host: for the iterations that run as coroutines there (reference.c). */
bool acc_fcw_edits(acc_source *s, const acc_kernel *k, const acc_directive *d, bool host,
                   acc_edits *edits, wf_error *err);
/* Does the list's type fetch, let others see writes, write back? False: no such type. */
bool acc_fcw_type(const acc_clause *list, bool *fetches, bool *channel, bool *back);

#endif
