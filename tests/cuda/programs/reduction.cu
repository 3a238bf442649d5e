// Sums: by shared memory, by shuffles, and as a template over the operation.
#include "common.h"

struct plus {
  template <class T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct most {
  template <class T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

__global__ void by_shared(const int *in, int *out, int n) {
  extern __shared__ int part[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  part[t] = (i < n ? in[i] : 0) + (i + (int)blockDim.x < n ? in[i + blockDim.x] : 0);
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

template <class T, class OP> __global__ void by_shuffles(const T *in, T *out, int n, OP op) {
  __shared__ T of_warp[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  T v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    v = op(v, in[i]);
  for (int by = 16; by > 0; by /= 2) v = op(v, __shfl_down_sync(0xffffffff, v, by));
  if (lane == 0) of_warp[warp] = v;
  __syncthreads();
  if (warp) return;
  v = lane < (int)blockDim.x / warpSize ? of_warp[lane] : T(0);
  for (int by = 16; by > 0; by /= 2) v = op(v, __shfl_xor_sync(0xffffffff, v, by));
  if (lane == 0) out[blockIdx.x] = v;
}

int main() {
  const int n = 10000, blocks = 10;
  std::vector<int> in(n), out(blocks);
  std::vector<double> reals(n), sums(blocks);
  long long expected = 0, got = 0;
  for (int i = 0; i < n; i++)
    expected += in[i] = (int)(random_word() % 1000), reals[i] = in[i] / 7.0;
  int *di = to_device(in), *dout = to_device(out);
  double *dr = to_device(reals), *ds = to_device(sums);
  by_shared<<<blocks, 512, 512 * sizeof(int)>>>(di, dout, n);
  to_host(out, dout);
  for (int v : out) got += v;
  printf("shared: %lld %s\n", got, got == expected ? "right" : "wrong");
  by_shuffles<<<blocks, 256>>>(di, dout, n, plus());
  to_host(out, dout);
  got = 0;
  for (int v : out) got += v;
  printf("shuffles: %lld %s\n", got, got == expected ? "right" : "wrong");
  by_shuffles<<<blocks, 128>>>(di, dout, n, most());
  to_host(out, dout);
  show("most", out);
  by_shuffles<<<blocks, 192>>>(dr, ds, n, plus());
  to_host(sums, ds);
  show("doubles", sums);
}
