// WCC by strategies.
#include "hook.cuh"
#include "relax_strategy.cuh"

RELAX_STRATEGIES(wcc, false)

KERNEL wcc_hook_one(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                    uint32_t *label, LargeTree *large, uint32_t shift) {
  hook_one(n, row, col, label, large, shift);
}
KERNEL wcc_hook_two(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                    uint32_t *label, const LargeTree *large) {
  hook_two(n, row, col, label, large);
}
// part: vertices of a block.
KERNEL wcc_hook_jump(uint32_t n, uint32_t *label, LargeTree *large, uint32_t shift, uint32_t part) {
  hook_jump(n, label, large, shift, part);
}
KERNEL wcc_hook_rest(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                     uint32_t *label, const LargeTree *large) {
  hook_rest(n, row, col, label, large);
}
