// Weakly connected components: minimum label over neighbours, on the symmetrised graph.
#include "relax.cuh"
RELAX_KERNELS(wcc, false)
