// WCC by strategies.
#include "hook.cuh"
#include "relax_strategy.cuh"

RELAX_STRATEGIES(wcc, false)

KERNEL wcc_hook_one(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                    uint32_t *label) {
  hook_one(n, row, col, label);
}
KERNEL wcc_hook_two(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                    uint32_t *label) {
  hook_two(n, row, col, label);
}
KERNEL wcc_hook_jump(uint32_t n, uint32_t *label) {
  hook_jump(n, label);
}
KERNEL wcc_hook_sample(uint32_t n, const uint32_t *__restrict__ label, uint32_t *large) {
  hook_sample(n, label, large);
}
KERNEL wcc_hook_rest(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                     uint32_t *label, const uint32_t *__restrict__ large) {
  hook_rest(n, row, col, label, large);
}
