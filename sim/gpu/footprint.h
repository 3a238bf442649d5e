/* Probe: what blocks that threads launch share with the block that launched them, and with each
 * other, in blocks of 128 bytes of global memory (LaPerm, figure 24). Does not disturb timing. */
#ifndef WF_GPU_FOOTPRINT_H
#define WF_GPU_FOOTPRINT_H

#include <stdint.h>

/* Sums over parents, children and parents; of a direct parent and all its children: p, c blocks and
 * pc common ones. Of a child and its siblings: co, cs and cos. */
typedef struct wf_footprint_totals {
  uint64_t parents, children; /* children: of parents that have two or more */
  double parent_child;        /* sum of pc / c over parents */
  double child_sibling;       /* sum of cos / cs over children */
  double parent_parent;       /* the same of a parent and all others of its host kernel */
  uint64_t pc, c, cos, cs;    /* sums */
} wf_footprint_totals;

typedef struct wf_footprint wf_footprint;
enum { WF_FOOTPRINT_HOST = UINT32_MAX };

/* slots: blocks of an SM at once. */
wf_footprint *wf_footprint_create(unsigned n_sm, unsigned slots);
void wf_footprint_destroy(wf_footprint *footprint);
/* A block starts; parent: the number of the block that launched it, or WF_FOOTPRINT_HOST. */
void wf_footprint_start(wf_footprint *footprint, unsigned sm, unsigned slot, uint32_t parent);
/* The number of the block that runs there. */
uint32_t wf_footprint_block(const wf_footprint *footprint, unsigned sm, unsigned slot);
/* It accesses lines of 128 bytes; their numbers are stride_bytes apart. */
void wf_footprint_access(wf_footprint *footprint, unsigned sm, unsigned slot, const uint32_t *lines,
                         unsigned n_lines, unsigned stride_bytes);
/* The host's kernel is over: its blocks are evaluated and forgotten. */
void wf_footprint_end(wf_footprint *footprint);
wf_footprint_totals wf_footprint_get(const wf_footprint *footprint);

#endif
