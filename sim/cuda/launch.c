/* What clang's code of the host calls: it tells of kernels and variables as it is loaded, and
 * launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/cuda/context.h"
#include "sim/cuda/lines.h"

/* Bytes of shared memory that a block may have unasked, as CUDA has it. */
enum { SHARED_UNASKED = 48 << 10 };

/* ---- as the program is loaded ---- */

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                           int limit, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name, int ext,
                       size_t bytes, int constant, int global);
unsigned __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, cudaStream_t *stream);

void **__cudaRegisterFatBinary(const void *wrapper) {
  static void *handle;
  (void)wrapper;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) {
  (void)handle;
}
void __cudaUnregisterFatBinary(void **handle) {
  (void)handle;
}

int __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                           int limit, void *tid, void *bid, void *block, void *grid, int *warp) {
  (void)handle, (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid,
      (void)warp;
  if (!wf_cuda) return 0;
  wf_cuda_context *c = wf_cuda;
  c->functions = wf_realloc(c->functions, c->n_functions + 1, sizeof *c->functions);
  c->functions[c->n_functions++] =
      (wf_cuda_function){.host = host,
                         .name = name,
                         .kernel = ptx_find_kernel(c->module, name, NULL),
                         .dynamic_most = SHARED_UNASKED};
  return 0;
}

void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name, int ext,
                       size_t bytes, int constant, int global) {
  (void)handle, (void)device, (void)ext, (void)bytes, (void)constant, (void)global;
  if (!wf_cuda) return;
  wf_cuda_context *c = wf_cuda;
  c->variables = wf_realloc(c->variables, c->n_variables + 1, sizeof *c->variables);
  c->variables[c->n_variables++] = (wf_cuda_variable){.host = host, .name = name};
}

wf_cuda_function *wf_cuda_find_function(const void *host, const char *caller) {
  for (size_t i = 0; i < wf_cuda->n_functions; i++) {
    wf_cuda_function *f = &wf_cuda->functions[i];
    if (f->host != host) continue;
    if (f->kernel) return f;
    wf_cuda_fail(cudaErrorInvalidDeviceFunction, "%s: %s is not in the device's code", caller,
                 f->name);
    return NULL;
  }
  wf_cuda_fail(cudaErrorInvalidDeviceFunction, "%s: %p is no kernel", caller, host);
  return NULL;
}

/* ---- variables ---- */

static cudaError_t find_variable(const void *host, uint64_t *at, size_t *bytes,
                                 const char *caller) {
  WF_CUDA_ENTER();
  for (size_t i = 0; i < wf_cuda->n_variables; i++) {
    const wf_cuda_variable *v = &wf_cuda->variables[i];
    if (v->host != host) continue;
    if (ptx_module_symbol(wf_cuda->module, v->name, at, bytes)) return cudaSuccess;
    wf_cuda->unseen = "a call"; /* which a GPU's would not */
    return wf_cuda_fail(cudaErrorInvalidSymbol,
                        "%s: no device code uses %s; one of an unnamed namespace or type clang "
                        "leaves out: name it",
                        caller, v->name);
  }
  return wf_cuda_fail(cudaErrorInvalidSymbol, "%s: no __device__ or __constant__ variable", caller);
}

static cudaError_t variable_part(const void *symbol, size_t bytes, size_t offset, void **at,
                                 const char *caller) {
  uint64_t device;
  size_t there;
  const cudaError_t error = find_variable(symbol, &device, &there, caller);
  if (error != cudaSuccess) return error;
  if (offset > there || bytes > there - offset)
    return wf_cuda_fail(cudaErrorInvalidValue, "%s: %zu bytes from %zu on: the variable has %zu",
                        caller, bytes, offset, there);
  *at = (void *)(uintptr_t)(device + offset);
  return cudaSuccess;
}

cudaError_t wfMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                             cudaMemcpyKind kind) {
  void *at = NULL;
  const cudaError_t error = variable_part(symbol, bytes, offset, &at, "cudaMemcpyToSymbol");
  return error ? error : cudaMemcpy(at, from, bytes, kind);
}
cudaError_t wfMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  void *at = NULL;
  const cudaError_t error = variable_part(symbol, bytes, offset, &at, "cudaMemcpyFromSymbol");
  return error ? error : cudaMemcpy(to, at, bytes, kind);
}
cudaError_t wfGetSymbolAddress(void **pointer, const void *symbol) {
  return variable_part(symbol, 0, 0, pointer, "cudaGetSymbolAddress");
}
cudaError_t wfGetSymbolSize(size_t *bytes, const void *symbol) {
  uint64_t at;
  return find_variable(symbol, &at, bytes, "cudaGetSymbolSize");
}

/* ---- launches ---- */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (!wf_cuda || wf_cuda->n_pushed == WF_CUDA_NESTED) return 1;
  wf_cuda->pushed[wf_cuda->n_pushed++] =
      (wf_cuda_configuration){.grid = grid, .block = block, .shared = shared, .stream = stream};
  return 0;
}

unsigned __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, cudaStream_t *stream) {
  if (!wf_cuda || !wf_cuda->n_pushed) return cudaErrorMissingConfiguration;
  const wf_cuda_configuration *c = &wf_cuda->pushed[--wf_cuda->n_pushed];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  *stream = c->stream;
  return 0;
}

/* A launch that cannot be. Programs that do not ask are told at their end. */
static cudaError_t refuse(cudaError_t error, const char *text) {
  wf_cuda->unseen = "a launch";
  return wf_cuda_fail(error, "%s", text);
}

/* CUDA's number for what the executor says in words. */
static cudaError_t number_of(const char *fault) {
  static const struct {
    const char *part;
    cudaError_t error;
  } parts[] = {{"assertion", cudaErrorAssert},
               {"is not a multiple", cudaErrorMisalignedAddress},
               {"is outside", cudaErrorIllegalAddress}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(fault, parts[i].part)) return parts[i].error;
  return cudaErrorLaunchFailure;
}

/* Runs it: what goes wrong now is told by every later call. */
static cudaError_t run_kernel(const wf_launch_args *args, const ptx_kernel *kernel) {
  wf_error err = {0};
  wf_cuda->simulating = true;
  const bool ok = wf_cuda_managed_to_device(&err) &&
                  wf_gpu_launch_kernel(wf_cuda->gpu, kernel, args, &err) &&
                  wf_cuda_managed_to_host(&err);
  wf_cuda->simulating = false;
  if (ok) return cudaSuccess;
  if (err.code == WF_EXIT_BAD_INPUT) return refuse(cudaErrorLaunchOutOfResources, err.text);
  wf_cuda_name_line(&err, wf_cuda->path, wf_cuda->ptx);
  wf_cuda->fault = err;
  if (err.code == WF_EXIT_HANG) wf_cuda_end(&err);
  wf_cuda->sticky = number_of(err.text);
  wf_cuda_fail(wf_cuda->sticky, "%s", err.text);
  return cudaSuccess;
}

static cudaError_t check_shared(const wf_cuda_function *f, size_t shared) {
  char text[300];
  const size_t all = shared + f->kernel->shared_bytes;
  if (shared <= f->dynamic_most && (all <= SHARED_UNASKED || f->dynamic_most > SHARED_UNASKED))
    return cudaSuccess;
  snprintf(text, sizeof text,
           "%.100s<<<>>>: %zu bytes of shared memory, %u of them static: more than %d bytes want "
           "cudaFuncSetAttribute(.., cudaFuncAttributeMaxDynamicSharedMemorySize, ..)",
           f->name, all, f->kernel->shared_bytes, SHARED_UNASKED);
  return refuse(cudaErrorInvalidValue, text);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream) {
  wf_error err = {0};
  (void)stream;
  WF_CUDA_ENTER();
  const wf_cuda_function *f = wf_cuda_find_function(function, "cudaLaunchKernel");
  if (!f) return wf_cuda->unseen = "a launch", wf_cuda->last;
  wf_launch_args args = {.kernel = f->kernel->name,
                         .grid = {grid.x, grid.y, grid.z},
                         .block = {block.x, block.y, block.z},
                         .n_params = f->kernel->n_params};
  if (args.n_params > sizeof args.params / sizeof *args.params)
    return refuse(cudaErrorNotSupported, "a kernel of more than 32 parameters: use a structure");
  for (unsigned i = 0; i < args.n_params; i++) args.params[i] = arguments[i];
  if (!wf_gpu_check_launch(f->kernel, &args, &err) || (uint64_t)block.x * block.y * block.z > 1024)
    return refuse(cudaErrorInvalidConfiguration,
                  err.code ? err.text : "more than 1024 threads a block");
  if (block.z > WF_CUDA_BLOCK_Z || grid.x > INT32_MAX || grid.y > WF_CUDA_GRID_YZ ||
      grid.z > WF_CUDA_GRID_YZ)
    return refuse(cudaErrorInvalidConfiguration,
                  "a block's z goes to 64, a grid's y and z to 65535, its x to 2147483647");
  const cudaError_t error = check_shared(f, shared);
  if (error != cudaSuccess) return error;
  args.shared_bytes = (uint32_t)shared;
  return run_kernel(&args, f->kernel);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream) {
  int blocks = 0;
  const int threads = (int)(block.x * block.y * block.z);
  const cudaError_t error = wfOccupancy(&blocks, function, threads, shared);
  if (error != cudaSuccess) return error;
  const uint64_t fit = (uint64_t)blocks * wf_gpu_get_config(wf_cuda->gpu)->n_sm;
  if ((uint64_t)grid.x * grid.y * grid.z > fit)
    return refuse(cudaErrorCooperativeLaunchTooLarge, "more blocks than the SMs hold at once");
  return cudaLaunchKernel(function, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user) {
  (void)stream;
  WF_CUDA_ENTER();
  function(user);
  return cudaSuccess;
}

/* ---- what is known of a kernel ---- */

cudaError_t wfOccupancy(int *blocks, const void *function, int block, size_t shared) {
  wf_error err = {0};
  uint32_t all = 0;
  WF_CUDA_ENTER();
  const wf_cuda_function *f = wf_cuda_find_function(function, "occupancy");
  if (!f) return wf_cuda->last;
  if (block < 1)
    return wf_cuda_fail(cudaErrorInvalidValue, "occupancy: blocks of %d threads", block);
  *blocks = 0;
  if (block <= 1024 && wf_gpu_resident_blocks(wf_cuda->gpu, f->kernel->name, (uint32_t)block,
                                              (uint32_t)shared, &all, &err))
    *blocks = (int)(all / wf_gpu_get_config(wf_cuda->gpu)->n_sm);
  return cudaSuccess;
}

cudaError_t wfFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  WF_CUDA_ENTER();
  const wf_cuda_function *f = wf_cuda_find_function(function, "cudaFuncGetAttributes");
  if (!f) return wf_cuda->last;
  const ptx_kernel *k = f->kernel;
  const int arch = (int)wf_cuda->arch;
  *attributes = (cudaFuncAttributes){.sharedSizeBytes = k->shared_bytes,
                                     .localSizeBytes = k->local_bytes,
                                     .maxThreadsPerBlock = k->max_ntid ? (int)k->max_ntid : 1024,
                                     .numRegs = (int)k->n_regs,
                                     .ptxVersion = arch,
                                     .binaryVersion = arch,
                                     .maxDynamicSharedSizeBytes = (int)f->dynamic_most};
  return cudaSuccess;
}

cudaError_t wfFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value) {
  WF_CUDA_ENTER();
  wf_cuda_function *f = wf_cuda_find_function(function, "cudaFuncSetAttribute");
  if (!f) return wf_cuda->last;
  const unsigned most = wf_gpu_get_config(wf_cuda->gpu)->shared_bytes_per_sm;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || (unsigned)value > most)
    return wf_cuda_fail(cudaErrorInvalidValue,
                        "cudaFuncSetAttribute: %d bytes of shared memory: an SM has %u", value,
                        most);
  f->dynamic_most = (uint32_t)value;
  return cudaSuccess;
}

/* The split of L1 and shared memory is the configuration's. */
cudaError_t wfFuncSetCacheConfig(const void *function, cudaFuncCache preference) {
  (void)function, (void)preference;
  return wf_cuda_state();
}
