// SSSP by strategies.
#include "relax_block.cuh"
#include "relax_strategy.cuh"

RELAX_STRATEGIES(sssp, true)
