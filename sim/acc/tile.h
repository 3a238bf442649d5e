/* Parts of an array in a thread block's shared memory, as the cache and fcw directives want them:
 * text of its declaration, of what fills it and of accesses to it. */
#ifndef WF_ACC_TILE_H
#define WF_ACC_TILE_H

#include <stdio.h>

#include "sim/acc/cache.h"

/* One array of one directive. Each thread names [lower, lower + length); its block holds all. */
typedef struct acc_tile {
  acc_source *s;
  const acc_kernel *k;
  const acc_directive *directive;
  const acc_item *item;
  acc_symbol symbol;
  acc_spread spread[ACC_MAX_RANGES];
  unsigned begin, end; /* of the region */
  bool alone;          /* each thread keeps its own part */
  bool bounded;        /* what lies outside of the array is left out */
  bool written;        /* by the region */
  bool host;           /* of the comparison's statements */
} acc_tile;

/* The directive's region: the loop or block that follows, else what is left of the block around. */
void acc_tile_bounds(const acc_source *s, const acc_kernel *k, const acc_directive *d,
                     unsigned *begin, unsigned *end);
/* Do all threads of the block come to the directive, as often as each other? If not, *at is why. */
bool acc_tile_together(acc_source *s, const acc_kernel *k, const acc_directive *d, unsigned *at);
/* Can the kernel have such a directive? False and *err: not there. */
bool acc_tile_fits(acc_source *s, const acc_kernel *k, const acc_directive *d, wf_error *err);
/* Does the node refer to the tile's array, within the region? */
bool acc_tile_names(const acc_tile *t, const acc_node *n);
/* Does the place lie in a loop of the thread's own, so that storage is used again? */
bool acc_tile_repeats(const acc_kernel *k, unsigned begin);

/* wf_wx, wf_wy, wf_wz: threads of the block that take part. */
void acc_tile_widths(const acc_tile *t, FILE *out);
char *acc_tile_sizes(const acc_tile *t); /* "[18][16]" */
/* wf_sD_NAME, wf_eD_NAME: the first element along dimension D, and the one behind the last. */
void acc_tile_range(const acc_tile *t, unsigned d, FILE *out);
/* The loops that fill it, or write it back, all threads together. */
void acc_tile_copy(const acc_tile *t, bool back, FILE *out);
bool acc_tile_marks(const acc_tile *t); /* does it note what has been set? */
/* Is element wf_i, or wf_i, wf_j, in the range? And the statement by which --check stops if not. */
char *acc_tile_holds(const acc_tile *t);
char *acc_tile_promise(const acc_tile *t);
/* kind: 'c' the copy, 'd' what of it has been set. second: NULL of one dimension. */
char *acc_tile_storage(const acc_tile *t, char kind, const char *first, const char *second);
char *acc_tile_memory(const acc_tile *t, const char *first, const char *second);
/* The subscripts of the element that `reference` (a DeclRefExpr) leads to, with ", " between.
 * False and *err if there are too few, or one reads an array of the directive itself. */
bool acc_tile_places(const acc_tile *t, const acc_node *reference, char **text, wf_error *err);

#endif
