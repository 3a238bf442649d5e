/* The ten graph kernels of the work on cache policies for graph kernels (chapter 4 there), and its
 * three inputs at a 64th of their size: on an eighth of its machine they exceed the caches all the
 * same. */
#ifndef WF_PAPERS_GRAPH_KERNELS_H
#define WF_PAPERS_GRAPH_KERNELS_H

enum { KERNELS = 10, INPUTS = 3 };

/* Kernels that need the shared memory have their own split of it and the L1. */
#define SPLIT " --set l1.bytes=16384 --set l1.ways=4 --set core.shared_bytes=49152"
typedef struct graph_kernel {
  const char *name, *options; /* what stands behind --app */
} graph_kernel;
extern const graph_kernel graph_kernels[KERNELS];

typedef struct graph_input {
  const char *name, *graph;
} graph_input;
enum { GRAPH_1M, RMAT_20, R4_2E20 };
extern const graph_input graph_inputs[INPUTS];

#endif
