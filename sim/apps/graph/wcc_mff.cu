#include "relax_mff.cuh"

RELAX_MFF(wcc, false)
