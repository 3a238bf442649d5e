// Products of matrices by warps (nvcuda::wmma): of halves through shared memory with a scaled sum,
// of bytes, bfloat16, tf32, and of each shape, with matrices of both orders.
#include <mma.h>

#include "common.h"

using namespace nvcuda;

__global__ void scaled(const __half *a, const __half *b, float *c, int n, float alpha, float beta) {
  __shared__ __half tile[16 * 24]; // rows with eight halves between them
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    for (int i = threadIdx.x; i < 256; i += 32)
      tile[i / 16 * 24 + i % 16] = a[(row + i / 16) * n + k + i % 16];
    __syncwarp();
    wmma::load_matrix_sync(fa, tile, 24);
    wmma::load_matrix_sync(fb, b + column * n + k, n);
    wmma::mma_sync(sum, fa, fb, sum);
    __syncwarp();
  }
  wmma::load_matrix_sync(old, c + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] = alpha * sum.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

template <int M, int N>
__global__ void bytes(const signed char *a, const signed char *b, int *c, bool cut) {
  wmma::fragment<wmma::matrix_a, M, N, 16, signed char, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, 16, signed char, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, M, N, 16, int> sum;
  wmma::load_matrix_sync(fa, a, M);
  wmma::load_matrix_sync(fb, b, N);
  wmma::fill_fragment(sum, 0x7fffff00);
  wmma::mma_sync(sum, fa, fb, sum, cut);
  wmma::store_matrix_sync(c, sum, M, wmma::mem_col_major);
}

template <int M, int N> __global__ void brains(const __nv_bfloat16 *a, __nv_bfloat16 *b, float *c) {
  wmma::fragment<wmma::matrix_a, M, N, 16, __nv_bfloat16, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, 16, __nv_bfloat16, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, 16, float> sum;
  const int i = threadIdx.x;
  b[i] = __hfma(a[i], b[i + 32], b[i]) - a[2 * i] * __nv_bfloat16(0.3f) / a[i + 100];
  __syncwarp();
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(sum, -1.5f);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, M, wmma::mem_col_major);
}

template <int M, int N> __global__ void halves(const __half *a, const __half *b, __half *c) {
  wmma::fragment<wmma::matrix_a, M, N, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, M, N, 16, __half> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, N);
  wmma::load_matrix_sync(sum, a, N, wmma::mem_row_major);
  for (int i = 0; i < fa.num_elements; i++) fa.x[i] = fa.x[i] + fa.x[i];
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, N, wmma::mem_row_major);
}

__global__ void singles(const float *a, const float *b, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 8);
  for (int i = 0; i < fa.num_elements; i++) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
  for (int i = 0; i < fb.num_elements; i++) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  wmma::fill_fragment(sum, 0.5f);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

int main() {
  const int n = 64;
  std::vector<__half> a(n * n), b(n * n), d(256);
  std::vector<signed char> x(512), y(512);
  std::vector<float> c(n * n), e(256);
  std::vector<int> z(256);
  for (auto &v : a) v = __half(random_float() - 0.5f);
  for (auto &v : b) v = __half(random_float());
  for (auto &v : c) v = random_float();
  for (auto &v : x) v = (signed char)random_word();
  for (auto &v : y) v = (signed char)random_word();
  __half *da = to_device(a), *db = to_device(b), *dd = to_device(d);
  signed char *dx = to_device(x), *dy = to_device(y);
  float *dc = to_device(c), *de = to_device(e);
  int *dz = to_device(z);
  singles<<<1, 32>>>(dc, dc + 200, de);
  to_host(e, de);
  show("tf32", e);
  scaled<<<dim3(n / 16, n / 16), 32>>>(da, db, dc, n, 1.5f, -0.25f);
  to_host(c, dc);
  show("scaled", c);
  for (int cut = 0; cut < 2; cut++) {
    bytes<16, 16><<<1, 32>>>(dx, dy, dz, cut);
    to_host(z, dz);
    show("16 16", z);
    bytes<32, 8><<<1, 32>>>(dx, dy, dz, cut);
    to_host(z, dz);
    show("32 8", z);
    bytes<8, 32><<<1, 32>>>(dx, dy, dz, cut);
    to_host(z, dz);
    show("8 32", z);
  }
  std::vector<__nv_bfloat16> p(512), q(512);
  for (auto &v : p) v = __nv_bfloat16(random_float() + 0.01f);
  for (auto &v : q) v = __nv_bfloat16(random_float() - 0.5f);
  __nv_bfloat16 *dp = to_device(p), *dq = to_device(q);
  brains<16, 16><<<1, 32>>>(dp, dq, de);
  to_host(e, de);
  show("bf16", e);
  brains<8, 32><<<1, 32>>>(dp, dq, de);
  to_host(e, de);
  show("bf16", e);
  brains<32, 8><<<1, 32>>>(dp, dq, de);
  to_host(e, de);
  show("bf16", e);
  halves<16, 16><<<1, 32>>>(da, db, dd);
  to_host(d, dd);
  printf("%08x\n", sum_of(d.data(), 512));
  halves<32, 8><<<1, 32>>>(da, db, dd);
  to_host(d, dd);
  printf("%08x\n", sum_of(d.data(), 512));
  halves<8, 32><<<1, 32>>>(da, db, dd);
  CHECK(cudaDeviceSynchronize());
  to_host(d, dd);
  printf("%08x\n", sum_of(d.data(), 512));
}
