/* Memory of both sides. cudaMalloc's pointers are device addresses: the fabric's, which the host
 * cannot use. Managed and pinned memory has device addresses as well, and pages of the host at the
 * same; it moves whole before and behind each launch. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/cuda/context.h"
#include "sim/mem/mem.h"

enum { PAGE = 4096, PITCH = 256 };

static uint64_t device_bytes(const wf_cuda_context *c) {
  return (uint64_t)wf_gpu_get_config(c->gpu)->memory_mib << 20;
}

bool wf_cuda_is_device_address(uint64_t at) {
  return at >= WF_IMAGE_BASE && at - WF_IMAGE_BASE < device_bytes(wf_cuda);
}

void wf_cuda_reserve(wf_cuda_context *c) {
  void *const want = (void *)(uintptr_t)WF_IMAGE_BASE;
  void *got = mmap(want, device_bytes(c), PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  c->reserved = got == want;
  if (got != MAP_FAILED && got != want) munmap(got, device_bytes(c));
}

void wf_cuda_free_memory(wf_cuda_context *c) {
  if (c->reserved) munmap((void *)(uintptr_t)WF_IMAGE_BASE, device_bytes(c));
  free(c->blocks);
}

/* ---- giving out ---- */

wf_cuda_block *wf_cuda_find_block(uint64_t at) {
  for (size_t i = 0; i < wf_cuda->n_blocks; i++) {
    wf_cuda_block *b = &wf_cuda->blocks[i];
    if (b->used && at >= b->at && at - b->at < b->room) return b;
  }
  return NULL;
}

/* The smallest that was given back and is large enough, but not by far. */
static wf_cuda_block *reuse(uint64_t bytes, bool shared) {
  wf_cuda_block *best = NULL;
  for (size_t i = 0; i < wf_cuda->n_blocks; i++) {
    wf_cuda_block *b = &wf_cuda->blocks[i];
    if (b->used || (b->kind != WF_CUDA_DEVICE) != shared) continue;
    if (b->room >= bytes && b->room <= 2 * bytes + PAGE && (!best || b->room < best->room))
      best = b;
  }
  return best;
}

static wf_cuda_block *fresh(uint64_t bytes, bool shared, wf_error *err) {
  const uint64_t room = shared ? (bytes + PAGE - 1) / PAGE * PAGE : bytes;
  uint64_t at = wf_gpu_alloc(wf_cuda->gpu, shared ? room + PAGE : room, "cudaMalloc", err);
  if (!at) return NULL;
  if (shared) at = (at + PAGE - 1) / PAGE * PAGE;
  if (shared && mprotect((void *)(uintptr_t)at, room, PROT_READ | PROT_WRITE) != 0) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "the host has no pages for it");
    return NULL;
  }
  wf_cuda->blocks = wf_realloc(wf_cuda->blocks, wf_cuda->n_blocks + 1, sizeof *wf_cuda->blocks);
  wf_cuda_block *b = &wf_cuda->blocks[wf_cuda->n_blocks++];
  *b = (wf_cuda_block){.at = at, .room = room};
  return b;
}

static cudaError_t give(void **pointer, size_t bytes, wf_cuda_kind kind, const char *caller) {
  wf_error err = {0};
  WF_CUDA_ENTER();
  if (!pointer) return wf_cuda_fail(cudaErrorInvalidValue, "%s: no pointer to fill", caller);
  *pointer = NULL;
  if (!bytes) return cudaSuccess;
  const bool shared = kind != WF_CUDA_DEVICE;
  if (shared && !wf_cuda->reserved)
    return wf_cuda_fail(cudaErrorNotSupported,
                        "%s: the host uses device addresses itself; cudaMalloc and cudaMemcpy do",
                        caller);
  wf_cuda_block *b = reuse(bytes, shared);
  if (!b) b = fresh(bytes, shared, &err);
  if (!b) return wf_cuda_fail(cudaErrorMemoryAllocation, "%s: %s", caller, err.text);
  b->bytes = bytes;
  b->kind = kind;
  b->used = true;
  *pointer = (void *)(uintptr_t)b->at;
  return cudaSuccess;
}

static cudaError_t take_back(void *pointer, bool pinned, const char *caller) {
  WF_CUDA_ENTER();
  if (!pointer) return cudaSuccess;
  wf_cuda_block *b = wf_cuda_find_block((uintptr_t)pointer);
  if (!b || b->at != (uintptr_t)pointer || (b->kind == WF_CUDA_PINNED) != pinned)
    return wf_cuda_fail(cudaErrorInvalidValue, "%s: %p was not given by %s, or is given back",
                        caller, pointer, pinned ? "cudaMallocHost or cudaHostAlloc" : "cudaMalloc");
  b->used = false;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return give(pointer, bytes, WF_CUDA_DEVICE, "cudaMalloc");
}
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  (void)flags;
  return give(pointer, bytes, WF_CUDA_MANAGED, "cudaMallocManaged");
}
cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return give(pointer, bytes, WF_CUDA_PINNED, "cudaMallocHost");
}
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  (void)flags;
  return give(pointer, bytes, WF_CUDA_PINNED, "cudaHostAlloc");
}
cudaError_t cudaFree(void *pointer) {
  return take_back(pointer, false, "cudaFree");
}
cudaError_t cudaFreeHost(void *pointer) {
  return take_back(pointer, true, "cudaFreeHost");
}
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return give(pointer, *pitch * height, WF_CUDA_DEVICE, "cudaMallocPitch");
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  (void)flags;
  WF_CUDA_ENTER();
  const wf_cuda_block *b = wf_cuda_find_block((uintptr_t)host);
  if (!b || b->kind == WF_CUDA_DEVICE)
    return wf_cuda_fail(cudaErrorInvalidValue,
                        "cudaHostGetDevicePointer: %p is not of cudaHostAlloc or cudaMallocHost",
                        host);
  *device = host;
  return cudaSuccess;
}

/* Memory that the program has already: copies are the same with and without. */
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  (void)pointer, (void)bytes;
  WF_CUDA_ENTER();
  if (flags & cudaHostAllocMapped)
    return wf_cuda_fail(cudaErrorNotSupported, "cudaHostRegister: mapped: use cudaHostAlloc");
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *pointer) {
  (void)pointer;
  return wf_cuda_state();
}
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  (void)pointer, (void)bytes, (void)device, (void)stream;
  return wf_cuda_state();
}
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  (void)pointer, (void)bytes, (void)advice, (void)device;
  return wf_cuda_state();
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  WF_CUDA_ENTER();
  const wf_cuda_block *b = wf_cuda_find_block((uintptr_t)pointer);
  *attributes = (cudaPointerAttributes){.type = cudaMemoryTypeUnregistered,
                                        .hostPointer = (void *)(uintptr_t)pointer};
  if (!b) return cudaSuccess;
  static const cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged,
                                         cudaMemoryTypeHost};
  attributes->type = types[b->kind];
  attributes->devicePointer = (void *)(uintptr_t)pointer;
  if (b->kind == WF_CUDA_DEVICE) attributes->hostPointer = NULL;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
  WF_CUDA_ENTER();
  *total = device_bytes(wf_cuda);
  *available = *total - wf_gpu_memory_used(wf_cuda->gpu);
  for (size_t i = 0; i < wf_cuda->n_blocks; i++)
    if (!wf_cuda->blocks[i].used) *available += wf_cuda->blocks[i].room;
  return cudaSuccess;
}

/* ---- both sides ---- */

typedef bool mover(wf_gpu *gpu, wf_cuda_block *b, wf_error *err);

static bool move_managed(mover *move, wf_error *err) {
  for (size_t i = 0; i < wf_cuda->n_blocks; i++) {
    wf_cuda_block *b = &wf_cuda->blocks[i];
    if (b->used && b->kind != WF_CUDA_DEVICE && !move(wf_cuda->gpu, b, err)) return false;
  }
  return true;
}
static bool to_device(wf_gpu *gpu, wf_cuda_block *b, wf_error *err) {
  return wf_gpu_write(gpu, b->at, (const void *)(uintptr_t)b->at, b->bytes, err);
}
static bool to_host(wf_gpu *gpu, wf_cuda_block *b, wf_error *err) {
  return wf_gpu_read(gpu, (void *)(uintptr_t)b->at, b->at, b->bytes, err);
}
bool wf_cuda_managed_to_device(wf_error *err) {
  return move_managed(to_device, err);
}
bool wf_cuda_managed_to_host(wf_error *err) {
  return move_managed(to_host, err);
}

/* ---- copies ---- */

/* Where bytes are. */
typedef struct place {
  uint64_t at;
  bool device; /* in the fabric's memory alone */
} place;

/* False: an error is remembered. must: what the direction says; any: 0. */
static bool find_place(place *p, const void *pointer, size_t bytes, char must, const char *what,
                       const char *caller) {
  const uint64_t at = (uintptr_t)pointer;
  const bool among = wf_cuda_is_device_address(at);
  const wf_cuda_block *b = among ? wf_cuda_find_block(at) : NULL;
  *p = (place){.at = at, .device = among && (!b || b->kind == WF_CUDA_DEVICE)};
  if (!pointer)
    return wf_cuda_fail(cudaErrorInvalidValue, "%s: the %s is NULL", caller, what), false;
  if (must == 'd' && !among)
    return wf_cuda_fail(cudaErrorInvalidValue, "%s: the %s %p is host memory", caller, what,
                        pointer),
           false;
  if (must == 'h' && p->device)
    return wf_cuda_fail(cudaErrorInvalidValue, "%s: the %s %p is device memory", caller, what,
                        pointer),
           false;
  if (b && (bytes > b->bytes || at - b->at > b->bytes - bytes))
    return wf_cuda_fail(cudaErrorInvalidValue,
                        "%s: the %s %p and %zu bytes: the allocation at 0x%" PRIx64 " has %" PRIu64,
                        caller, what, pointer, bytes, b->at, b->bytes),
           false;
  if (p->device && !b && at + bytes > WF_IMAGE_BASE + wf_gpu_memory_used(wf_cuda->gpu))
    return wf_cuda_fail(cudaErrorInvalidValue, "%s: the %s %p was never given out", caller, what,
                        pointer),
           false;
  return true;
}

static bool move_bytes(place to, place from, size_t bytes, wf_error *err) {
  void *const host_to = (void *)(uintptr_t)to.at;
  const void *const host_from = (const void *)(uintptr_t)from.at;
  if (!to.device && !from.device) return memmove(host_to, host_from, bytes), true;
  if (!to.device) return wf_gpu_read(wf_cuda->gpu, host_to, from.at, bytes, err);
  if (!from.device) return wf_gpu_write(wf_cuda->gpu, to.at, host_from, bytes, err);
  uint8_t *between = wf_calloc(bytes, 1);
  const bool ok = wf_gpu_read(wf_cuda->gpu, between, from.at, bytes, err) &&
                  wf_gpu_write(wf_cuda->gpu, to.at, between, bytes, err);
  free(between);
  return ok;
}

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                             size_t width, size_t height, cudaMemcpyKind kind, const char *caller) {
  static const char must_to[] = "hdhd", must_from[] = "hhdd";
  place t, f;
  wf_error err = {0};
  WF_CUDA_ENTER();
  if ((unsigned)kind > cudaMemcpyDefault)
    return wf_cuda_fail(cudaErrorInvalidMemcpyDirection, "%s: direction %d", caller, (int)kind);
  if (!width || !height) return cudaSuccess;
  if (height > 1 && (to_pitch < width || from_pitch < width))
    return wf_cuda_fail(cudaErrorInvalidPitchValue, "%s: rows of %zu bytes every %zu and %zu bytes",
                        caller, width, to_pitch, from_pitch);
  const bool any = kind == cudaMemcpyDefault;
  if (!find_place(&t, to, (height - 1) * to_pitch + width, any ? '\0' : must_to[kind],
                  "destination", caller) ||
      !find_place(&f, from, (height - 1) * from_pitch + width, any ? '\0' : must_from[kind],
                  "source", caller))
    return wf_cuda->last;
  for (size_t row = 0; row < height; row++, t.at += to_pitch, f.at += from_pitch)
    if (!move_bytes(t, f, width, &err))
      return wf_cuda_fail(cudaErrorInvalidValue, "%s: %s", caller, err.text);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return copy_rows(to, bytes, from, bytes, bytes, 1, kind, "cudaMemcpy");
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  (void)stream;
  return copy_rows(to, bytes, from, bytes, bytes, 1, kind, "cudaMemcpyAsync");
}
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2D");
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  (void)stream;
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2DAsync");
}

static cudaError_t set_rows(void *pointer, size_t pitch, int value, size_t width, size_t height,
                            const char *caller) {
  place p;
  wf_error err = {0};
  WF_CUDA_ENTER();
  if (!width || !height) return cudaSuccess;
  if (height > 1 && pitch < width)
    return wf_cuda_fail(cudaErrorInvalidPitchValue, "%s: rows of %zu bytes every %zu", caller,
                        width, pitch);
  if (!find_place(&p, pointer, (height - 1) * pitch + width, 'd', "memory", caller))
    return wf_cuda->last;
  for (size_t row = 0; row < height; row++, p.at += pitch) {
    if (!p.device)
      memset((void *)(uintptr_t)p.at, value, width);
    else if (!wf_gpu_fill(wf_cuda->gpu, p.at, (uint8_t)value, width, &err))
      return wf_cuda_fail(cudaErrorInvalidValue, "%s: %s", caller, err.text);
  }
  return cudaSuccess;
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return set_rows(pointer, bytes, value, bytes, 1, "cudaMemset");
}
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  (void)stream;
  return set_rows(pointer, bytes, value, bytes, 1, "cudaMemsetAsync");
}
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return set_rows(pointer, pitch, value, width, height, "cudaMemset2D");
}
