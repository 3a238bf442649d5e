// SSSP by strategies.
#include "relax_block.cuh"
#include "relax_segments.cuh"
#include "relax_strategy.cuh"

RELAX_STRATEGIES(sssp, true)

KERNEL sssp_near(SHARES_PARAMS, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                 const uint32_t *__restrict__ weight, uint32_t *value, uint32_t *queued,
                 FAR_PARAMS) {
  relax_near(entries, owners, firsts, slots, state, n, tiles, row, col, weight, value, queued,
             FAR_ARGS);
}

RELAX_SEGMENTS(sssp_segments_short, 4, 1, false, WHOLE)
RELAX_SEGMENTS(sssp_segments, 8, 2, false, WHOLE)
RELAX_SEGMENTS(sssp_segments_spread, 8, 2, true, 16)
