// What CUDA has as functions and clang's headers have not: dot products of packed integers, loads
// and stores with a cache's hint, the spaces of addresses.
#ifndef WARPFAB_INTRINSICS_H
#define WARPFAB_INTRINSICS_H

#define WF_DOT(NAME, PTX, TYPE, FIRST, SECOND)                                                     \
  WF_DEVICE TYPE NAME(TYPE a, TYPE b, TYPE c) {                                                    \
    TYPE sum;                                                                                      \
    asm(PTX " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));                              \
    return sum;                                                                                    \
  }                                                                                                \
  WF_DEVICE TYPE NAME(FIRST a, SECOND b, TYPE c) {                                                 \
    return NAME(*(TYPE *)&a, *(TYPE *)&b, c);                                                      \
  }
WF_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
WF_DOT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
WF_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
WF_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4)
WF_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
WF_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4)
#undef WF_DOT

// One instruction for a value of each size that an access can have.
template <int WfBytes> struct wf_access;
#define WF_HINT_LOAD(HINT, PTX, WORD, LETTER)                                                      \
  WF_DEVICE void load_##HINT(WORD *to, const void *at) {                                           \
    asm volatile("ld.global." #HINT PTX " %0, [%1];" : "=" LETTER(*to) : "l"(at) : "memory");      \
  }
#define WF_HINT_STORE(HINT, PTX, WORD, LETTER)                                                     \
  WF_DEVICE void store_##HINT(void *at, WORD from) {                                               \
    asm volatile("st.global." #HINT PTX " [%0], %1;" ::"l"(at), LETTER(from) : "memory");          \
  }
#define WF_ACCESS(BYTES, PTX, WORD, LETTER)                                                        \
  template <> struct wf_access<BYTES> {                                                            \
    typedef WORD word;                                                                             \
    WF_HINT_LOAD(ca, PTX, WORD, LETTER)                                                            \
    WF_HINT_LOAD(cg, PTX, WORD, LETTER)                                                            \
    WF_HINT_LOAD(cs, PTX, WORD, LETTER)                                                            \
    WF_HINT_LOAD(lu, PTX, WORD, LETTER)                                                            \
    WF_HINT_LOAD(cv, PTX, WORD, LETTER)                                                            \
    WF_HINT_STORE(wb, PTX, WORD, LETTER)                                                           \
    WF_HINT_STORE(cg, PTX, WORD, LETTER)                                                           \
    WF_HINT_STORE(cs, PTX, WORD, LETTER)                                                           \
    WF_HINT_STORE(wt, PTX, WORD, LETTER)                                                           \
  };
WF_ACCESS(1, ".u8", unsigned, "r")
WF_ACCESS(2, ".u16", unsigned short, "h")
WF_ACCESS(4, ".u32", unsigned, "r")
WF_ACCESS(8, ".u64", unsigned long long, "l")
#undef WF_ACCESS
#undef WF_HINT_LOAD
#undef WF_HINT_STORE
struct wf_pair {
  unsigned long long low, high;
};
#define WF_HINT_LOAD(HINT)                                                                         \
  WF_DEVICE void load_##HINT(wf_pair *to, const void *at) {                                        \
    asm volatile("ld.global." #HINT ".v2.u64 {%0, %1}, [%2];"                                      \
                 : "=l"(to->low), "=l"(to->high)                                                   \
                 : "l"(at)                                                                         \
                 : "memory");                                                                      \
  }
#define WF_HINT_STORE(HINT)                                                                        \
  WF_DEVICE void store_##HINT(void *at, wf_pair from) {                                            \
    asm volatile("st.global." #HINT ".v2.u64 [%0], {%1, %2};" ::"l"(at), "l"(from.low),            \
                 "l"(from.high)                                                                    \
                 : "memory");                                                                      \
  }
template <> struct wf_access<16> {
  typedef wf_pair word;
  WF_HINT_LOAD(ca)
  WF_HINT_LOAD(cg)
  WF_HINT_LOAD(cs)
  WF_HINT_LOAD(lu)
  WF_HINT_LOAD(cv)
  WF_HINT_STORE(wb)
  WF_HINT_STORE(cg)
  WF_HINT_STORE(cs)
  WF_HINT_STORE(wt)
};
#undef WF_HINT_LOAD
#undef WF_HINT_STORE
#define WF_HINTED_LOAD(HINT)                                                                       \
  template <class WfT> WF_DEVICE WfT __ld##HINT(const WfT *at) {                                   \
    typename wf_access<sizeof(WfT)>::word word;                                                    \
    wf_access<sizeof(WfT)>::load_##HINT(&word, at);                                                \
    WfT value;                                                                                     \
    __builtin_memcpy(&value, &word, sizeof value);                                                 \
    return value;                                                                                  \
  }
#define WF_HINTED_STORE(HINT)                                                                      \
  template <class WfT> WF_DEVICE void __st##HINT(WfT *at, WfT value) {                             \
    typename wf_access<sizeof(WfT)>::word word = {};                                               \
    __builtin_memcpy(&word, &value, sizeof value);                                                 \
    wf_access<sizeof(WfT)>::store_##HINT(at, word);                                                \
  }
WF_HINTED_LOAD(ca)
WF_HINTED_LOAD(cg)
WF_HINTED_LOAD(cs)
WF_HINTED_LOAD(lu)
WF_HINTED_LOAD(cv)
WF_HINTED_STORE(wb)
WF_HINTED_STORE(cg)
WF_HINTED_STORE(cs)
WF_HINTED_STORE(wt)
#undef WF_HINTED_LOAD
#undef WF_HINTED_STORE

#define WF_SPACE(NAME, LOWER)                                                                      \
  WF_DEVICE unsigned __is##NAME(const void *at) {                                                  \
    unsigned is;                                                                                   \
    asm("{ .reg .pred p; isspacep." #LOWER " p, %1; selp.u32 %0, 1, 0, p; }"                       \
        : "=r"(is)                                                                                 \
        : "l"(at));                                                                                \
    return is;                                                                                     \
  }                                                                                                \
  WF_DEVICE size_t __cvta_generic_to_##LOWER(const void *at) {                                     \
    size_t there;                                                                                  \
    asm("cvta.to." #LOWER ".u64 %0, %1;" : "=l"(there) : "l"(at));                                 \
    return there;                                                                                  \
  }                                                                                                \
  WF_DEVICE void *__cvta_##LOWER##_to_generic(size_t at) {                                         \
    void *there;                                                                                   \
    asm("cvta." #LOWER ".u64 %0, %1;" : "=l"(there) : "l"(at));                                    \
    return there;                                                                                  \
  }
WF_SPACE(Global, global)
WF_SPACE(Shared, shared)
WF_SPACE(Constant, const)
WF_SPACE(Local, local)
#undef WF_SPACE
#define __assume(condition) __builtin_assume(condition)

#define WF_REDUCE(NAME, OPERATION, TYPE)                                                           \
  WF_DEVICE TYPE __reduce_##NAME##_sync(unsigned mask, TYPE mine) {                                \
    TYPE all;                                                                                      \
    asm volatile("redux.sync." OPERATION " %0, %1, %2;"                                            \
                 : "=r"(all)                                                                       \
                 : "r"(mine), "r"(mask)                                                            \
                 : "memory");                                                                      \
    return all;                                                                                    \
  }
#define WF_REDUCE_BOTH(NAME)                                                                       \
  WF_REDUCE(NAME, #NAME ".s32", int)                                                               \
  WF_REDUCE(NAME, #NAME ".u32", unsigned)
WF_REDUCE_BOTH(add)
WF_REDUCE_BOTH(min)
WF_REDUCE_BOTH(max)
WF_REDUCE(and, "and.b32", unsigned)
WF_REDUCE(or, "or.b32", unsigned)
WF_REDUCE(xor, "xor.b32", unsigned)
#undef WF_REDUCE
#undef WF_REDUCE_BOTH

#endif
