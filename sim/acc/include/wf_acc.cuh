/* What translated OpenACC kernels use. */
#ifndef WF_ACC_CUH
#define WF_ACC_CUH

#include <cuda_runtime.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* C has {i, 2 * i} for a float. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wc++11-narrowing"
#endif

#define _Bool bool
#define restrict __restrict__

__device__ inline int wf_acc_thread_x() {
  return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}
__device__ inline int wf_acc_thread_y() {
  return (int)(blockIdx.y * blockDim.y + threadIdx.y);
}
__device__ inline int wf_acc_thread_z() {
  return (int)(blockIdx.z * blockDim.z + threadIdx.z);
}

/* a[i][j] of an array whose extents are known when it runs. */
template <class T, unsigned N> struct wf_acc_rows {
  T *p;
  long extent[N - 1];
  __device__ auto operator[](long i) const {
    long row = extent[0];
    for (unsigned d = 1; d < N - 1; d++) row *= extent[d];
    if constexpr (N == 2) {
      return p + i * row;
    } else {
      wf_acc_rows<T, N - 1> below = {p + i * row, {}};
      for (unsigned d = 1; d < N - 1; d++) below.extent[d - 1] = extent[d];
      return below;
    }
  }
};

/* What a loop's variable is when its step has multiplied or divided it so many times. */
template <class T> __device__ inline T wf_acc_scaled(T from, T step, int times, bool down) {
  for (; times > 0; times--) from = down ? (T)(from / step) : (T)(from * step);
  return from;
}

/* ---- operators of reductions and atomics ---- */

template <class T> __device__ inline T wf_acc_lowest() {
  if constexpr ((T)0.5 != (T)0)
    return (T)(sizeof(T) == 4 ? -3.402823466e+38 : -1.7976931348623157e+308);
  else
    return (T)-1 < (T)0 ? (T)((T)1 << (8 * sizeof(T) - 1)) : (T)0;
}
template <class T> __device__ inline T wf_acc_highest() {
  if constexpr ((T)0.5 != (T)0)
    return -wf_acc_lowest<T>();
  else
    return (T)~wf_acc_lowest<T>();
}

#define WF_ACC_OPERATOR(name, first, joined)                                                       \
  struct name {                                                                                    \
    template <class T> __device__ static T identity(T) { return first; }                           \
    template <class T> __device__ static T join(T a, T b) { return joined; }                       \
  }
WF_ACC_OPERATOR(wf_acc_add, (T)0, (T)(a + b));
WF_ACC_OPERATOR(wf_acc_mul, (T)1, (T)(a *b));
WF_ACC_OPERATOR(wf_acc_max, wf_acc_lowest<T>(), a > b ? a : b);
WF_ACC_OPERATOR(wf_acc_min, wf_acc_highest<T>(), a < b ? a : b);
WF_ACC_OPERATOR(wf_acc_and, (T) ~(T)0, (T)(a &b));
WF_ACC_OPERATOR(wf_acc_or, (T)0, (T)(a | b));
WF_ACC_OPERATOR(wf_acc_xor, (T)0, (T)(a ^ b));
WF_ACC_OPERATOR(wf_acc_all, (T)1, (T)(a &&b));
WF_ACC_OPERATOR(wf_acc_any, (T)0, (T)(a || b));

__device__ inline unsigned wf_acc_lane() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* The block's values joined, for all its threads. Each of them comes here. */
template <class O, class T> __device__ T wf_acc_block(T value) {
  __shared__ T values[1024];
  const unsigned lane = wf_acc_lane(), threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned half = 1;
  while (half * 2 < threads) half *= 2;
  values[lane] = value;
  __syncthreads();
  for (; half; half /= 2) {
    if (lane < half && lane + half < threads)
      values[lane] = O::join(values[lane], values[lane + half]);
    __syncthreads();
  }
  const T all = values[0];
  __syncthreads();
  return all;
}

/* One value a block; `same`: its threads all hold the block's already. */
template <class O, class T> __device__ void wf_acc_partial(T value, T *out, bool same) {
  if (!same) value = wf_acc_block<O>(value);
  if (wf_acc_lane() == 0)
    out[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}

/* What was there before. */
template <class O, class W, class T> __device__ T wf_acc_atomic_word(T *at, T value) {
  W old = *(volatile W *)at, seen;
  do {
    seen = old;
    const T next = O::join(*(T *)&seen, value);
    old = atomicCAS((W *)at, seen, *(const W *)&next);
  } while (old != seen);
  return *(T *)&seen;
}
/* atomic capture */
template <class O, class T, class V> __device__ T wf_acc_before_atomic(T *at, V value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomics are of 4 or 8 bytes");
  if constexpr (sizeof(T) == 4)
    return wf_acc_atomic_word<O, unsigned>(at, (T)value);
  else
    return wf_acc_atomic_word<O, unsigned long long>(at, (T)value);
}
template <class O, class T, class V> __device__ T wf_acc_behind_atomic(T *at, V value) {
  return O::join(wf_acc_before_atomic<O>(at, value), (T)value);
}
template <class O, class T, class V> __device__ void wf_acc_atomic(T *at, V value) {
  wf_acc_before_atomic<O>(at, value);
}
#define WF_ACC_ATOMIC_ADD(type)                                                                    \
  template <>                                                                                      \
  __device__ inline void wf_acc_atomic<wf_acc_add, type, type>(type * at, type value) {            \
    atomicAdd(at, value);                                                                          \
  }
WF_ACC_ATOMIC_ADD(int)
WF_ACC_ATOMIC_ADD(unsigned)
WF_ACC_ATOMIC_ADD(float)

/* ---- the cache directive ---- */

/* Threads of this block that have an iteration, along each axis. */
__device__ inline int wf_acc_width(int all, unsigned block, unsigned size) {
  const int left = all - (int)(block * size);
  return left < (int)size ? left : (int)size;
}
__device__ inline int wf_acc_width_x(int all) {
  return wf_acc_width(all, blockIdx.x, blockDim.x);
}
__device__ inline int wf_acc_width_y(int all) {
  return wf_acc_width(all, blockIdx.y, blockDim.y);
}
__device__ inline int wf_acc_width_z(int all) {
  return wf_acc_width(all, blockIdx.z, blockDim.z);
}

__device__ inline bool wf_acc_in(int i, int start, int end) {
  return start <= i && i < end;
}

__device__ inline void wf_acc_at(int &i, int a) {
  i = a;
}
__device__ inline void wf_acc_at(int &i, int &j, int a, int b) {
  i = a, j = b;
}

/* That all accesses stay in the range is the program's promise; WF_ACC_CHECK looks. */
__device__ inline void wf_acc_promised(bool kept, const char *directive, const char *name) {
#ifdef WF_ACC_CHECK
  if (kept) return;
  printf("%s: an access to '%s' is not in the range that the directive promises\n", directive,
         name);
  __trap();
#endif
}
/* Whether a thread means the block's range, where the compiler took it that all do. A range that is
 * not agreed on is empty, so that its first access is found. */
__device__ inline bool wf_acc_agreed(int start) {
#ifdef WF_ACC_CHECK
  __shared__ int first;
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) first = start;
  __syncthreads();
  return first == start;
#else
  return true;
#endif
}
/* A fetched range may leave the array only where it says so (fcw). */
__device__ inline void wf_acc_exists(bool exists, const char *name) {
#ifdef WF_ACC_CHECK
  if (exists) return;
  printf("cache: the range of '%s' leaves the array\n", name);
  __trap();
#endif
}

/* ---- the launch ---- */

inline void wf_acc_shape(const long *trips, const unsigned *block, unsigned loops, bool by_block,
                         dim3 *grid, dim3 *threads) {
  unsigned blocks[3];
  for (unsigned i = 0; i < 3; i++)
    blocks[i] =
        i >= loops ? 1 : (unsigned)(by_block ? trips[i] : (trips[i] + block[i] - 1) / block[i]);
  *grid = dim3(blocks[0], blocks[1], blocks[2]);
  *threads = dim3(block[0], block[1], block[2]);
}

#endif
