// Breadth-first search as in LonestarGPU 0.9: shortest paths over edges of length 1.
#include "lsrelax.cuh"

KERNEL lsbfs_drelax(const uint32_t *__restrict__ row, const uint32_t *__restrict__ degree,
                    const uint32_t *__restrict__ col, uint32_t *distance, uint32_t *changed,
                    uint32_t n) {
  relax<false>(row, degree, col, nullptr, distance, changed, n);
}

#define LSBFS_PARAMS                                                                               \
  const uint32_t *__restrict__ row, const uint32_t *__restrict__ degree,                           \
      const uint32_t *__restrict__ col, uint32_t *distance, uint32_t *changed, uint32_t n
template <int FORM> DEVICE void lsbfs_relax(LSBFS_PARAMS) {
  relax_in_form<FORM, false>(row, degree, col, nullptr, distance, changed, n);
}
IN_LOAD_FORMS(lsbfs_drelax, lsbfs_relax, (LSBFS_PARAMS), row, degree, col, distance, changed, n)
