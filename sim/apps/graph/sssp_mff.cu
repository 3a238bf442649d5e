#include "relax_mff.cuh"

RELAX_MFF(sssp, true)
