// WCC by strategies.
#include "relax_strategy.cuh"

RELAX_STRATEGIES(wcc, false)
