// Fibres for the threads of a block, and the runtime's functions on the host's memory.
#include <cstdio>
#include <ucontext.h>
#include <vector>

#include "cuda_runtime.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace emulation {
bool in_kernel;
enum { STACK = 256 << 10, LANES = 32 };

struct fibre {
  ucontext_t context;
  uint3 index;
  bool done;
  const unsigned *watched; // it waits while this is `seen`
  unsigned seen;
  unsigned turn; // of its warp's exchanges
  unsigned partners;
  unsigned long long all[LANES];
  std::vector<char> stack;
};
struct warp {
  unsigned here, living;
  unsigned long long given[LANES];
};

static std::vector<std::unique_ptr<fibre>> fibres;
static std::vector<warp> warps;
static std::vector<char> shared_memory;
static ucontext_t scheduler;
static unsigned current, threads, left, barrier_here, barrier_turn, votes, counted;
static const std::function<void()> *body;

void *dynamic_shared() {
  return shared_memory.data();
}
unsigned lane() {
  return current % LANES;
}
unsigned living() {
  return warps[current / LANES].living;
}
unsigned partners() {
  return fibres[current]->partners;
}

static void wait_for(const unsigned *turn) {
  fibre *f = fibres[current].get();
  f->watched = turn;
  f->seen = *turn;
  swapcontext(&f->context, &scheduler);
}

static void open_barrier() {
  if (!barrier_here || barrier_here < left) return;
  barrier_here = 0;
  counted = votes;
  votes = 0;
  barrier_turn++;
}
int block_vote(int mine) {
  votes += mine != 0;
  barrier_here++;
  if (barrier_here < left)
    wait_for(&barrier_turn);
  else
    open_barrier();
  return (int)counted;
}
void block_barrier() {
  block_vote(0);
}

// All that the mask names and that live have given.
static bool complete(warp *w, unsigned first, unsigned mask) {
  const unsigned wanted = mask & w->living;
  if ((w->here & wanted) != wanted) return false;
  for (unsigned l = 0; l < LANES; l++) {
    if (!(wanted >> l & 1)) continue;
    memcpy(fibres[first + l]->all, w->given, sizeof w->given);
    fibres[first + l]->partners = wanted;
    fibres[first + l]->turn++;
  }
  w->here &= ~wanted;
  return true;
}
const unsigned long long *exchange(unsigned mask, unsigned long long mine) {
  warp *w = &warps[current / LANES];
  fibre *f = fibres[current].get();
  w->given[lane()] = mine;
  w->here |= 1u << lane();
  if (!complete(w, current - lane(), mask)) wait_for(&f->turn);
  return f->all;
}

static void start() {
  (*body)();
  fibre *f = fibres[current].get();
  f->done = true;
  left--;
  warps[current / LANES].living &= ~(1u << lane());
  open_barrier();
  swapcontext(&f->context, &scheduler);
}

static void prepare(dim3 block, size_t shared) {
  threads = left = block.x * block.y * block.z;
  shared_memory.assign(shared + 16, 0);
  warps.assign((threads + LANES - 1) / LANES, warp());
  barrier_here = votes = 0;
  while (fibres.size() < threads) fibres.emplace_back(new fibre);
  for (unsigned t = 0; t < threads; t++) {
    fibre *f = fibres[t].get();
    if (f->stack.empty()) f->stack.resize(STACK);
    f->index = uint3{t % block.x, t / block.x % block.y, t / block.x / block.y};
    f->done = false;
    f->watched = nullptr;
    warps[t / LANES].living |= 1u << t % LANES;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack.data();
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = nullptr;
    makecontext(&f->context, start, 0);
  }
}

static void run_block() {
  while (left) {
    bool moved = false;
    for (current = 0; current < threads; current++) {
      fibre *f = fibres[current].get();
      if (f->done || (f->watched && *f->watched == f->seen)) continue;
      f->watched = nullptr;
      threadIdx = f->index;
      moved = true;
      swapcontext(&scheduler, &f->context);
    }
    if (moved) continue;
    fprintf(stderr, "emulation: all %u threads of block %u wait\n", left, blockIdx.x);
    abort();
  }
}

void run(dim3 grid, dim3 block, size_t shared, const std::function<void()> &thread) {
  body = &thread;
  gridDim = grid;
  blockDim = block;
  in_kernel = true;
  for (unsigned b = 0; b < grid.x * grid.y * grid.z; b++) {
    blockIdx = uint3{b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
    prepare(block, shared);
    run_block();
  }
  in_kernel = false;
}
} // namespace emulation

struct CUstream_st {
  int unused;
};
struct CUevent_st {
  int unused;
};

extern "C" {
cudaError_t cudaMalloc(void **p, size_t n) {
  return *p = malloc(n ? n : 1), cudaSuccess;
}
cudaError_t cudaMallocManaged(void **p, size_t n, unsigned) {
  return cudaMalloc(p, n);
}
cudaError_t cudaMallocHost(void **p, size_t n) {
  return cudaMalloc(p, n);
}
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned) {
  return cudaMalloc(p, n);
}
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 255) / 256 * 256;
  return cudaMalloc(p, *pitch * height);
}
cudaError_t cudaHostGetDevicePointer(void **d, void *h, unsigned) {
  return *d = h, cudaSuccess;
}
cudaError_t cudaFree(void *p) {
  return free(p), cudaSuccess;
}
cudaError_t cudaFreeHost(void *p) {
  return cudaFree(p);
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind) {
  return memmove(to, from, n), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, n, kind);
}
cudaError_t cudaMemcpy2D(void *to, size_t tp, const void *from, size_t fp, size_t width,
                         size_t height, cudaMemcpyKind) {
  for (size_t i = 0; i < height; i++) memcpy((char *)to + i * tp, (char *)from + i * fp, width);
  return cudaSuccess;
}
cudaError_t cudaMemset(void *p, int v, size_t n) {
  return memset(p, v, n), cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t) {
  return cudaMemset(p, v, n);
}
cudaError_t wfMemcpyToSymbol(const void *to, const void *from, size_t n, size_t at,
                             cudaMemcpyKind) {
  return memcpy((char *)const_cast<void *>(to) + at, from, n), cudaSuccess;
}
cudaError_t wfMemcpyFromSymbol(void *to, const void *from, size_t n, size_t at, cudaMemcpyKind) {
  return memcpy(to, (const char *)from + at, n), cudaSuccess;
}
cudaError_t wfGetSymbolAddress(void **p, const void *symbol) {
  return *p = const_cast<void *>(symbol), cudaSuccess;
}
cudaError_t wfFuncSetAttribute(const void *, cudaFuncAttribute, int) {
  return cudaSuccess;
}
cudaError_t wfFuncSetCacheConfig(const void *, cudaFuncCache) {
  return cudaSuccess;
}
cudaError_t wfFuncGetAttributes(cudaFuncAttributes *a, const void *) {
  return *a = cudaFuncAttributes(), a->maxThreadsPerBlock = 1024, cudaSuccess;
}
cudaError_t wfOccupancy(int *blocks, const void *, int block, size_t) {
  return *blocks = block > 1024 ? 0 : 1536 / block, cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *v, cudaDeviceAttr, int) {
  return *v = 15, cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) {
  return *p = cudaDeviceProp(), p->warpSize = 32, cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *s) {
  return *s = new CUstream_st, cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  return delete s, cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *e) {
  return *e = new CUevent_st, cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  return delete e, cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) {
  return *ms = 1, cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int *n) {
  return *n = 1, cudaSuccess;
}
cudaError_t cudaGetDevice(int *d) {
  return *d = 0, cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) {
  return cudaSuccess;
}
cudaError_t cudaDeviceReset(void) {
  return cudaSuccess;
}
cudaError_t cudaGetLastError(void) {
  return cudaSuccess;
}
cudaError_t cudaPeekAtLastError(void) {
  return cudaSuccess;
}
const char *cudaGetErrorString(cudaError_t) {
  return "no error";
}
const char *cudaGetErrorName(cudaError_t) {
  return "cudaSuccess";
}
}
