// Weakly connected components: minimum label over neighbours, on the symmetrised graph.
#include "relax.cuh"

RELAX_GATHER_PLAIN(wcc, false, 1)
RELAX_GATHER_PLAIN(wcc, false, 4)
RELAX_GATHER_PLAIN(wcc, false, 8)

#define COMMIT(UNROLL, HOW, TEST) RELAX_COMMIT_PLAIN(wcc, UNROLL, HOW, TEST)
SCATTER_VARIANTS(COMMIT)
