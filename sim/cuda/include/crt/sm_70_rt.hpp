// clang's intrinsics take these from here.
#ifndef WARPFAB_SM_70_RT_HPP
#define WARPFAB_SM_70_RT_HPP

#define WF_MATCH(TYPE, WIDTH, BITS)                                                                \
  static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, TYPE value) {         \
    return (unsigned)__match##WIDTH##_any_sync(mask, (BITS)value);                                 \
  }                                                                                                \
  static __device__ __forceinline__ unsigned __match_all_sync(unsigned mask, TYPE value,           \
                                                              int *all) {                          \
    return (unsigned)__match##WIDTH##_all_sync(mask, (BITS)value, all);                            \
  }
WF_MATCH(int, 32, unsigned)
WF_MATCH(unsigned, 32, unsigned)
WF_MATCH(long long, 64, unsigned long long)
WF_MATCH(unsigned long long, 64, unsigned long long)
#undef WF_MATCH

#endif
