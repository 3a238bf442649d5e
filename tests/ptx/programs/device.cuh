// CUDA's device words for clang without a CUDA installation, as far as these programs use them;
// and, for a host compiler, threads that run one after the other, which is enough for programs
// without barriers.
#ifndef DEVICE_CUH
#define DEVICE_CUH
struct wf_index {
  unsigned x, y, z;
};
#define __noinline__ __attribute__((noinline))
#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define KERNEL extern "C" __global__ void
#define threadIdx                                                                                  \
  (wf_index{(unsigned)__nvvm_read_ptx_sreg_tid_x(), (unsigned)__nvvm_read_ptx_sreg_tid_y(), 0})
#define blockIdx                                                                                   \
  (wf_index{(unsigned)__nvvm_read_ptx_sreg_ctaid_x(), (unsigned)__nvvm_read_ptx_sreg_ctaid_y(), 0})
#define blockDim                                                                                   \
  (wf_index{(unsigned)__nvvm_read_ptx_sreg_ntid_x(), (unsigned)__nvvm_read_ptx_sreg_ntid_y(), 1})
#define gridDim                                                                                    \
  (wf_index{(unsigned)__nvvm_read_ptx_sreg_nctaid_x(), (unsigned)__nvvm_read_ptx_sreg_nctaid_y(),  \
            1})
#define __syncthreads() asm volatile("bar.sync 0;" ::: "memory")
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *,
                                        unsigned long);
#define assert(x) ((x) ? (void)0 : __assertfail(#x, __FILE__, __LINE__, __func__, 1))
#else
#define __global__
#define __device__
#define __constant__ static
#define KERNEL extern "C" void
static wf_index threadIdx, blockIdx, blockDim, gridDim;
#endif
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void *malloc(unsigned long);
extern "C" __device__ void free(void *);
__device__ inline unsigned global_x() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
#endif
