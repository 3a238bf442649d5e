// Atomics of CUDA's names. All are of the device's scope: it is the only one here.
#ifndef WARPFAB_ATOMICS_H
#define WARPFAB_ATOMICS_H

#define WF_ATOMIC(NAME, TYPE, OPERATION, LETTER)                                                   \
  WF_DEVICE TYPE atomic##NAME(TYPE *at, TYPE value) {                                              \
    TYPE old;                                                                                      \
    asm volatile("atom." OPERATION " %0, [%1], %2;"                                                \
                 : "=" LETTER(old)                                                                 \
                 : "l"(at), LETTER(value)                                                          \
                 : "memory");                                                                      \
    return old;                                                                                    \
  }                                                                                                \
  WF_DEVICE TYPE atomic##NAME##_block(TYPE *at, TYPE value) {                                      \
    return atomic##NAME(at, value);                                                                \
  }                                                                                                \
  WF_DEVICE TYPE atomic##NAME##_system(TYPE *at, TYPE value) {                                     \
    return atomic##NAME(at, value);                                                                \
  }
WF_ATOMIC(Add, int, "add.s32", "r")
WF_ATOMIC(Add, unsigned, "add.u32", "r")
WF_ATOMIC(Add, unsigned long long, "add.u64", "l")
WF_ATOMIC(Add, unsigned long, "add.u64", "l")
WF_ATOMIC(Add, float, "add.f32", "f")
WF_ATOMIC(Add, double, "add.f64", "d")
WF_ATOMIC(Min, int, "min.s32", "r")
WF_ATOMIC(Min, unsigned, "min.u32", "r")
WF_ATOMIC(Min, long long, "min.s64", "l")
WF_ATOMIC(Min, unsigned long long, "min.u64", "l")
WF_ATOMIC(Max, int, "max.s32", "r")
WF_ATOMIC(Max, unsigned, "max.u32", "r")
WF_ATOMIC(Max, long long, "max.s64", "l")
WF_ATOMIC(Max, unsigned long long, "max.u64", "l")
WF_ATOMIC(And, int, "and.b32", "r")
WF_ATOMIC(And, unsigned, "and.b32", "r")
WF_ATOMIC(And, unsigned long long, "and.b64", "l")
WF_ATOMIC(Or, int, "or.b32", "r")
WF_ATOMIC(Or, unsigned, "or.b32", "r")
WF_ATOMIC(Or, unsigned long long, "or.b64", "l")
WF_ATOMIC(Xor, int, "xor.b32", "r")
WF_ATOMIC(Xor, unsigned, "xor.b32", "r")
WF_ATOMIC(Xor, unsigned long long, "xor.b64", "l")
WF_ATOMIC(Exch, int, "exch.b32", "r")
WF_ATOMIC(Exch, unsigned, "exch.b32", "r")
WF_ATOMIC(Exch, unsigned long long, "exch.b64", "l")
WF_ATOMIC(Exch, float, "exch.b32", "f")
WF_ATOMIC(Inc, unsigned, "inc.u32", "r")
WF_ATOMIC(Dec, unsigned, "dec.u32", "r")
#undef WF_ATOMIC

WF_DEVICE int atomicSub(int *at, int value) {
  return atomicAdd(at, -value);
}
WF_DEVICE unsigned atomicSub(unsigned *at, unsigned value) {
  return atomicAdd(at, 0u - value);
}
#define WF_SWAP(TYPE, WIDTH, LETTER)                                                               \
  WF_DEVICE TYPE atomicCAS(TYPE *at, TYPE expected, TYPE value) {                                  \
    TYPE old;                                                                                      \
    asm volatile("atom.cas." WIDTH " %0, [%1], %2, %3;"                                            \
                 : "=" LETTER(old)                                                                 \
                 : "l"(at), LETTER(expected), LETTER(value)                                        \
                 : "memory");                                                                      \
    return old;                                                                                    \
  }                                                                                                \
  WF_DEVICE TYPE atomicCAS_block(TYPE *at, TYPE expected, TYPE value) {                            \
    return atomicCAS(at, expected, value);                                                         \
  }                                                                                                \
  WF_DEVICE TYPE atomicCAS_system(TYPE *at, TYPE expected, TYPE value) {                           \
    return atomicCAS(at, expected, value);                                                         \
  }
WF_SWAP(int, "b32", "r")
WF_SWAP(unsigned, "b32", "r")
WF_SWAP(unsigned long long, "b64", "l")
WF_SWAP(unsigned short, "b16", "h")
#undef WF_SWAP

#endif
