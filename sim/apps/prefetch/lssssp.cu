// Single-source shortest paths as in LonestarGPU 0.9.
#include "lsrelax.cuh"

KERNEL lssssp_drelax(const uint32_t *__restrict__ row, const uint32_t *__restrict__ degree,
                     const uint32_t *__restrict__ col, const uint32_t *__restrict__ weight,
                     uint32_t *distance, uint32_t *changed, uint32_t n) {
  relax<true>(row, degree, col, weight, distance, changed, n);
}

#define LSSSSP_PARAMS                                                                              \
  const uint32_t *__restrict__ row, const uint32_t *__restrict__ degree,                           \
      const uint32_t *__restrict__ col, const uint32_t *__restrict__ weight, uint32_t *distance,   \
      uint32_t *changed, uint32_t n
template <int FORM> DEVICE void lssssp_relax(LSSSSP_PARAMS) {
  relax_in_form<FORM, true>(row, degree, col, weight, distance, changed, n);
}
IN_LOAD_FORMS(lssssp_drelax, lssssp_relax, (LSSSSP_PARAMS), row, degree, col, weight, distance,
              changed, n)
