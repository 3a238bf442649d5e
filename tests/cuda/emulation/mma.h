// nvcuda::wmma on the host: every thread of a warp holds the whole matrices, and all wait for each
// other where they meet memory. Products are added in double and rounded once, as on the fabric.
#ifndef EMULATION_MMA_H
#define EMULATION_MMA_H

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
template <class T> struct element { typedef T type; };
template <> struct element<precision::tf32> { typedef float type; };
template <class A, class B> struct same { static const bool value = false; };
template <class A> struct same<A, A> { static const bool value = true; };

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  typedef typename element<T>::type type;
  static const int rows = same<Use, matrix_b>::value ? K : M;
  static const int columns = same<Use, matrix_a>::value ? K : N;
  static const int num_elements = rows * columns;
  type x[num_elements];
};

template <class F, class V> inline void fill_fragment(F &f, V value) {
  for (auto &x : f.x) x = (typename F::type)value;
}
inline float __float_to_tf32(float x) {
  return __int_as_float((int)(((unsigned)__float_as_int(x) + 0x1000u) & ~0x1fffu));
}

template <class F> inline void load(F &f, const typename F::type *p, unsigned ldm, bool by_column) {
  __syncwarp();
  for (unsigned i = 0; i < F::num_elements; i++) {
    const unsigned row = i / F::columns, column = i % F::columns;
    f.x[i] = p[by_column ? column * ldm + row : row * ldm + column];
  }
  __syncwarp();
}
template <class Use, int M, int N, int K, class T, class Layout>
inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,
                             const typename element<T>::type *p, unsigned ldm) {
  load(f, p, ldm, same<Layout, col_major>::value);
}
template <int M, int N, int K, class T>
inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ldm,
                             layout_t layout) {
  load(f, p, ldm, layout == mem_col_major);
}
template <int M, int N, int K, class T>
inline void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm,
                              layout_t layout) {
  __syncwarp();
  for (unsigned i = 0; i < M * N; i++) {
    const unsigned row = i / N, column = i % N;
    p[layout == mem_col_major ? column * ldm + row : row * ldm + column] = f.x[i];
  }
  __syncwarp();
}

inline double value_of(__half x) {
  return __half2float(x);
}
inline double value_of(__nv_bfloat16 x) {
  return __bfloat162float(x);
}
template <class T> inline double value_of(T x) {
  return (double)x;
}
inline void round_to(float *to, double x, bool) {
  *to = (float)x;
}
inline void round_to(int *to, double x, bool cut) {
  *to = cut && x > INT_MAX ? INT_MAX : cut && x < INT_MIN ? INT_MIN : (int)(long long)x;
}
inline void round_to(__half *to, double x, bool) {
  int e;
  std::frexp(x, &e);
  const double last = std::ldexp(1.0, (e < -13 ? -13 : e) - 11);
  *to = __half((float)(std::nearbyint(x / last) * last));
}
template <int M, int N, int K, class D, class A, class LA, class LB, class C>
inline void mma_sync(fragment<accumulator, M, N, K, D> &d,
                     const fragment<matrix_a, M, N, K, A, LA> &a,
                     const fragment<matrix_b, M, N, K, A, LB> &b,
                     const fragment<accumulator, M, N, K, C> &c, bool cut = false) {
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      double sum = value_of(c.x[row * N + column]);
      for (int k = 0; k < K; k++) sum += value_of(a.x[row * K + k]) * value_of(b.x[k * N + column]);
      round_to(&d.x[row * N + column], sum, cut);
    }
}
} // namespace wmma
} // namespace nvcuda

#endif
