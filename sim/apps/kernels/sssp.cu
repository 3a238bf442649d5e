// Single-source shortest paths: minimum of in-neighbour distance plus edge weight.
#include "relax.cuh"
RELAX_KERNELS(sssp, true)
