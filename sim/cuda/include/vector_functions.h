/* make_int2(x, y) and its like. */
#ifndef WARPFAB_VECTOR_FUNCTIONS_H
#define WARPFAB_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define WF_MAKE static __inline__ __host__ __device__
#define WF_MAKERS(TYPE, NAME)                                                                      \
  WF_MAKE NAME##1 make_##NAME##1(TYPE x) {                                                         \
    return NAME##1 {x};                                                                            \
  }                                                                                                \
  WF_MAKE NAME##2 make_##NAME##2(TYPE x, TYPE y) {                                                 \
    return NAME##2 {x, y};                                                                         \
  }                                                                                                \
  WF_MAKE NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) {                                         \
    return NAME##3 {x, y, z};                                                                      \
  }                                                                                                \
  WF_MAKE NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) {                                 \
    return NAME##4 {x, y, z, w};                                                                   \
  }
WF_MAKERS(signed char, char)
WF_MAKERS(unsigned char, uchar)
WF_MAKERS(short, short)
WF_MAKERS(unsigned short, ushort)
WF_MAKERS(int, int)
WF_MAKERS(unsigned int, uint)
WF_MAKERS(long, long)
WF_MAKERS(unsigned long, ulong)
WF_MAKERS(long long, longlong)
WF_MAKERS(unsigned long long, ulonglong)
WF_MAKERS(float, float)
WF_MAKERS(double, double)
#undef WF_MAKERS
#undef WF_MAKE

#endif
