// Single-source shortest paths: minimum of in-neighbour distance plus edge weight.
#include "relax.cuh"

RELAX_GATHER_PLAIN(sssp, true, 1)
RELAX_GATHER_PLAIN(sssp, true, 4)
RELAX_GATHER_PLAIN(sssp, true, 8)

#define COMMIT(UNROLL, HOW, TEST) RELAX_COMMIT_PLAIN(sssp, UNROLL, HOW, TEST)
SCATTER_VARIANTS(COMMIT)
