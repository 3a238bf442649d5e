// SSSP by strategies.
#include "relax_strategy.cuh"

RELAX_STRATEGIES(sssp, true)
