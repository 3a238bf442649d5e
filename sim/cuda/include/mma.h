// nvcuda::wmma: products of small matrices by a warp, as wmma's instructions: of __half,
// __nv_bfloat16, tf32, signed and unsigned char.
#ifndef WARPFAB_MMA_H
#define WARPFAB_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

// What memory holds for an element, and how many of them a lane has.
template <class WfT> struct wf_element { typedef WfT type; };
template <> struct wf_element<precision::tf32> { typedef float type; };
template <class WfUse, int WfM, int WfN, int WfK, class WfT> struct wf_count;
#define WF_COUNT(USE, M, N, K, TYPE, COUNT)                                                        \
  template <> struct wf_count<USE, M, N, K, TYPE> { static const int value = COUNT; };
#define WF_COUNTS(M, N, TYPE, A, B)                                                                \
  WF_COUNT(matrix_a, M, N, 16, TYPE, A)                                                            \
  WF_COUNT(matrix_b, M, N, 16, TYPE, B)
#define WF_SHAPE(M, N, A, B)                                                                       \
  WF_COUNTS(M, N, __half, 16, 16)                                                                  \
  WF_COUNTS(M, N, __nv_bfloat16, A, B)                                                             \
  WF_COUNTS(M, N, signed char, A, B)                                                               \
  WF_COUNTS(M, N, unsigned char, A, B)                                                             \
  WF_COUNT(accumulator, M, N, 16, float, 8)                                                        \
  WF_COUNT(accumulator, M, N, 16, __half, 8)                                                       \
  WF_COUNT(accumulator, M, N, 16, int, 8)
WF_SHAPE(16, 16, 8, 8)
WF_SHAPE(8, 32, 4, 16)
WF_SHAPE(32, 8, 16, 4)
WF_COUNT(matrix_a, 16, 16, 8, precision::tf32, 4)
WF_COUNT(matrix_b, 16, 16, 8, precision::tf32, 4)
WF_COUNT(accumulator, 16, 16, 8, float, 8)
#undef WF_SHAPE
#undef WF_COUNTS
#undef WF_COUNT

template <class WfUse, int WfM, int WfN, int WfK, class WfT, class WfLayout = void> class fragment {
public:
  typedef typename wf_element<WfT>::type element_type;
  typedef element_type storage_element_type;
  enum {
    num_elements = wf_count<WfUse, WfM, WfN, WfK, WfT>::value,
    num_storage_elements = num_elements
  };
  element_type x[num_elements];
};

#define WF_WMMA static __device__ __forceinline__

template <class WfUse, int WfM, int WfN, int WfK, class WfT, class WfLayout, class WfV>
WF_WMMA void fill_fragment(fragment<WfUse, WfM, WfN, WfK, WfT, WfLayout> &f, const WfV &value) {
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = (typename fragment<WfUse, WfM, WfN, WfK, WfT, WfLayout>::element_type)value;
}
WF_WMMA float __float_to_tf32(float x) {
  float r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}

// ---- registers, by name: operands of a fragment of 1 to 8 ----
#define WF_LIST1(L) "{%[" #L "0]}"
#define WF_LIST2(L) "{%[" #L "0],%[" #L "1]}"
#define WF_LIST4(L) "{%[" #L "0],%[" #L "1],%[" #L "2],%[" #L "3]}"
#define WF_LIST8(L)                                                                                \
  "{%[" #L "0],%[" #L "1],%[" #L "2],%[" #L "3],%[" #L "4],%[" #L "5],%[" #L "6],%[" #L "7]}"
#define WF_REGS1(L, C) [L##0] C(L[0])
#define WF_REGS2(L, C) WF_REGS1(L, C), [L##1] C(L[1])
#define WF_REGS4(L, C) WF_REGS2(L, C), [L##2] C(L[2]), [L##3] C(L[3])
#define WF_REGS8(L, C)                                                                             \
  WF_REGS4(L, C), [L##4] C(L[4]), [L##5] C(L[5]), [L##6] C(L[6]), [L##7] C(L[7])

// ---- loads and stores ----
#define WF_LOAD(ARGS, LETTER, ORDER, SHAPE, TYPE, REGS)                                            \
  WF_WMMA void load_matrix_sync ARGS {                                                             \
    unsigned w[REGS];                                                                              \
    asm volatile("wmma.load." LETTER ".sync.aligned." ORDER "." SHAPE "." TYPE                     \
                 " " WF_LIST##REGS(w) ", [%[p]], %[n];"                                            \
                 : WF_REGS##REGS(w, "=r")                                                          \
                 : [p] "l"(p), [n] "r"(ldm)                                                        \
                 : "memory");                                                                      \
    __builtin_memcpy(f.x, w, sizeof f.x);                                                          \
  }
#define WF_FACTOR(USE, LETTER, M, N, K, T, MEMORY, SHAPE, TYPE, REGS)                              \
  WF_LOAD((fragment<USE, M, N, K, T, row_major> & f, const MEMORY *p, unsigned ldm), LETTER,       \
          "row", SHAPE, TYPE, REGS)                                                                \
  WF_LOAD((fragment<USE, M, N, K, T, col_major> & f, const MEMORY *p, unsigned ldm), LETTER,       \
          "col", SHAPE, TYPE, REGS)
#define WF_FACTORS(M, N, K, T, MEMORY, SHAPE, TYPE, A, B)                                          \
  WF_FACTOR(matrix_a, "a", M, N, K, T, MEMORY, SHAPE, TYPE, A)                                     \
  WF_FACTOR(matrix_b, "b", M, N, K, T, MEMORY, SHAPE, TYPE, B)

template <layout_t WfL> struct wf_layout {};
#define WF_SUM_IN(M, N, K, T, SHAPE, TYPE, REGS, ORDER)                                            \
  WF_LOAD((fragment<accumulator, M, N, K, T> & f, const T *p, unsigned ldm,                        \
           wf_layout<mem_##ORDER##_major>),                                                        \
          "c", #ORDER, SHAPE, TYPE, REGS)                                                          \
  WF_WMMA void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm,   \
                                 wf_layout<mem_##ORDER##_major>) {                                 \
    unsigned w[REGS];                                                                              \
    __builtin_memcpy(w, f.x, sizeof f.x);                                                          \
    asm volatile("wmma.store.d.sync.aligned." #ORDER "." SHAPE "." TYPE                            \
                 " [%[p]], " WF_LIST##REGS(w) ", %[n];"                                            \
                 :                                                                                 \
                 : [p] "l"(p), [n] "r"(ldm), WF_REGS##REGS(w, "r")                                 \
                 : "memory");                                                                      \
  }
#define WF_SUM(M, N, K, T, SHAPE, TYPE, REGS)                                                      \
  WF_SUM_IN(M, N, K, T, SHAPE, TYPE, REGS, row)                                                    \
  WF_SUM_IN(M, N, K, T, SHAPE, TYPE, REGS, col)

// ---- products ----
#define WF_PRODUCT_OF(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D, ORDER_A, ORDER_B, SAT)        \
  asm volatile("wmma.mma.sync.aligned." #ORDER_A "." #ORDER_B "." SHAPE "." TYPES SAT              \
               " " WF_LIST##D(d) ", " WF_LIST##A(a) ", " WF_LIST##B(b) ", " WF_LIST##C(c) ";"      \
               : WF_REGS##D(d, "=r")                                                               \
               : WF_REGS##A(a, "r"), WF_REGS##B(b, "r"), WF_REGS##C(c, "r"))
#define WF_PRODUCT_IN(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D, ORDER_A, ORDER_B)             \
  WF_WMMA void mma_sync(fragment<accumulator, M, N, K, TD> &to,                                    \
                        const fragment<matrix_a, M, N, K, TA, ORDER_A##_major> &fa,                \
                        const fragment<matrix_b, M, N, K, TA, ORDER_B##_major> &fb,                \
                        const fragment<accumulator, M, N, K, TC> &fc, bool satf = false) {         \
    unsigned a[A], b[B], c[C], d[D];                                                               \
    __builtin_memcpy(a, fa.x, sizeof fa.x);                                                        \
    __builtin_memcpy(b, fb.x, sizeof fb.x);                                                        \
    __builtin_memcpy(c, fc.x, sizeof fc.x);                                                        \
    if (satf)                                                                                      \
      WF_PRODUCT_OF(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D, ORDER_A, ORDER_B,               \
                    ".satfinite");                                                                 \
    else                                                                                           \
      WF_PRODUCT_OF(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D, ORDER_A, ORDER_B, "");          \
    __builtin_memcpy(to.x, d, sizeof to.x);                                                        \
  }
#define WF_PRODUCT(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D)                                  \
  WF_PRODUCT_IN(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D, row, row)                           \
  WF_PRODUCT_IN(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D, row, col)                           \
  WF_PRODUCT_IN(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D, col, row)                           \
  WF_PRODUCT_IN(M, N, K, TA, TD, TC, SHAPE, TYPES, A, B, C, D, col, col)

#define WF_BYTES(M, N, T, SHAPE, TYPE, A, B)                                                       \
  WF_FACTORS(M, N, 16, T, T, SHAPE, TYPE, A, B)                                                    \
  WF_PRODUCT(M, N, 16, T, int, int, SHAPE, "s32." TYPE "." TYPE ".s32", A, B, 8, 8)
#define WF_ALL(M, N, SHAPE, A, B, A_BF, B_BF)                                                      \
  WF_FACTORS(M, N, 16, __half, __half, SHAPE, "f16", 8, 8)                                         \
  WF_SUM(M, N, 16, float, SHAPE, "f32", 8)                                                         \
  WF_SUM(M, N, 16, __half, SHAPE, "f16", 4)                                                        \
  WF_SUM(M, N, 16, int, SHAPE, "s32", 8)                                                           \
  WF_PRODUCT(M, N, 16, __half, float, float, SHAPE, "f32.f32", 8, 8, 8, 8)                         \
  WF_PRODUCT(M, N, 16, __half, __half, __half, SHAPE, "f16.f16", 8, 8, 4, 4)                       \
  WF_PRODUCT(M, N, 16, __half, float, __half, SHAPE, "f32.f16", 8, 8, 4, 8)                        \
  WF_PRODUCT(M, N, 16, __half, __half, float, SHAPE, "f16.f32", 8, 8, 8, 4)                        \
  WF_FACTORS(M, N, 16, __nv_bfloat16, __nv_bfloat16, SHAPE, "bf16", A_BF, B_BF)                    \
  WF_PRODUCT(M, N, 16, __nv_bfloat16, float, float, SHAPE, "f32.bf16.bf16.f32", A_BF, B_BF, 8, 8)  \
  WF_BYTES(M, N, signed char, SHAPE, "s8", A, B)                                                   \
  WF_BYTES(M, N, unsigned char, SHAPE, "u8", A, B)
WF_ALL(16, 16, "m16n16k16", 2, 2, 4, 4)
WF_ALL(8, 32, "m8n32k16", 1, 4, 2, 8)
WF_ALL(32, 8, "m32n8k16", 4, 1, 8, 2)
WF_FACTORS(16, 16, 8, precision::tf32, float, "m16n16k8", "tf32", 4, 4)
WF_SUM(16, 16, 8, float, "m16n16k8", "f32", 8)
WF_PRODUCT(16, 16, 8, precision::tf32, float, float, "m16n16k8", "f32.tf32.tf32.f32", 4, 4, 8, 8)
#undef WF_ALL
#undef WF_BYTES
#undef WF_PRODUCT
#undef WF_PRODUCT_IN
#undef WF_PRODUCT_OF
#undef WF_SUM
#undef WF_SUM_IN
#undef WF_FACTORS
#undef WF_FACTOR
#undef WF_LOAD

// Where a matrix's order is known when the program runs.
template <int WfM, int WfN, int WfK, class WfT>
WF_WMMA void load_matrix_sync(fragment<accumulator, WfM, WfN, WfK, WfT> &f, const WfT *p,
                              unsigned ldm, layout_t layout) {
  if (layout == mem_row_major)
    load_matrix_sync(f, p, ldm, wf_layout<mem_row_major>());
  else
    load_matrix_sync(f, p, ldm, wf_layout<mem_col_major>());
}
template <int WfM, int WfN, int WfK, class WfT>
WF_WMMA void store_matrix_sync(WfT *p, const fragment<accumulator, WfM, WfN, WfK, WfT> &f,
                               unsigned ldm, layout_t layout) {
  if (layout == mem_row_major)
    store_matrix_sync(p, f, ldm, wf_layout<mem_row_major>());
  else
    store_matrix_sync(p, f, ldm, wf_layout<mem_col_major>());
}
#undef WF_WMMA

} // namespace wmma
} // namespace nvcuda

#endif
