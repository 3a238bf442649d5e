/* What programs call that GCC 12 compiled with -fopenacc (libgomp's GOACC_* and GOMP_* functions),
 * on wf_acc.h and CUDA's runtime. Numbers of kinds and flags are those of GCC's gomp-constants.h.
 * All is done in order: async queues have nothing to wait for. */
#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "wf_acc.h"

#ifndef WF_ACC_FILE
#define WF_ACC_FILE "OpenACC"
#endif

/* ---- what the compiler made: kernels and their shapes ---- */

typedef struct kernel {
  const char *name;
  unsigned short shape[3]; /* gangs, workers, vector length; 0: to be chosen */
} kernel;

typedef struct made {
  const void *objects; /* PTX, which the GPU has already */
  unsigned n_objects;
  const char *const *variables;
  unsigned n_variables;
  const kernel *kernels;
  unsigned n_kernels;
} made;

static const made *program;
static void *const *host_functions;

static void refuse(const char *what, long number) {
  fflush(stdout);
  fprintf(stderr, "%s: %s %ld: not taken with --compiler=gcc\n", WF_ACC_FILE, what, number);
  exit(2);
}

int __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                           int limit, void *tid, void *bid, void *block, void *grid, int *warp);
void GOMP_offload_register_ver(unsigned version, const void *host_table, int target,
                               const void *target_data);
void GOMP_offload_unregister_ver(unsigned version, const void *host_table, int target,
                                 const void *target_data);

/* host_table: begin and end of the functions' addresses, and of the variables'. */
void GOMP_offload_register_ver(unsigned version, const void *host_table, int target,
                               const void *target_data) {
  (void)version, (void)target;
  program = target_data;
  host_functions = ((void *const *const *)host_table)[0];
  for (unsigned i = 0; i < program->n_kernels; i++) {
    const char *name = program->kernels[i].name;
    __cudaRegisterFunction(NULL, host_functions[i], NULL, name + (*name == '*'), -1, NULL, NULL,
                           NULL, NULL, NULL); /* *: of a function whose name asm() gave */
  }
}

void GOMP_offload_unregister_ver(unsigned version, const void *host_table, int target,
                                 const void *target_data) {
  (void)version, (void)host_table, (void)target, (void)target_data;
}

static const kernel *kernel_of(const void *host) {
  for (unsigned i = 0; program && i < program->n_kernels; i++)
    if (host_functions[i] == host) return &program->kernels[i];
  return NULL;
}

static wf_acc_region begin(int device) {
  if (program && program->n_variables)
    refuse("declare outside of functions; variables:", program->n_variables);
  return wf_acc_begin(WF_ACC_FILE, 0, device);
}

/* ---- maps: GCC's kinds as wf_acc.h's ---- */

enum {
  MAP_TO = 1,
  MAP_FROM = 2,
  MAP_TOFROM = 3,
  MAP_POINTER = 4,
  MAP_PRESENT = 6,
  MAP_DELETE = 7,
  MAP_DEVICEPTR = 8,
  MAP_FIRSTPRIVATE = 12,
  MAP_FIRSTPRIVATE_INT = 13,
  MAP_USE_DEVICE = 14,
  MAP_ZERO_LENGTH = 15,
  MAP_RELEASE = 23,
  MAP_FORCE = 128,
  HOST_FALLBACK = 1 /* of the flags, whose complement is passed */
};

typedef struct maps {
  size_t n;
  void **host;
  const size_t *bytes;
  const unsigned short *kinds;
} maps;

static unsigned kind_of(const maps *m, size_t i) {
  return m->kinds[i] & 0xff & ~(unsigned)MAP_FORCE;
}

static wf_acc_action entering(unsigned kind) {
  static const wf_acc_action actions[] = {WF_ACC_CREATE, WF_ACC_COPYIN, WF_ACC_COPYOUT,
                                          WF_ACC_COPY};
  if (kind == MAP_PRESENT) return WF_ACC_PRESENT;
  if (kind > MAP_TOFROM) refuse("a map of kind", kind);
  return actions[kind];
}

/* The device's value of one map; *own: memory that this launch alone has. */
static void *enter_map(wf_acc_region *r, const char *name, const maps *m, size_t i, void **own) {
  const unsigned kind = kind_of(m, i);
  if (kind == MAP_FIRSTPRIVATE_INT || kind == MAP_DEVICEPTR) return m->host[i];
  if (kind == MAP_ZERO_LENGTH) return m->host[i] ? wf_acc_device(r, name, m->host[i]) : NULL;
  if (kind == MAP_FIRSTPRIVATE) {
    if (cudaMalloc(own, m->bytes[i]) != cudaSuccess ||
        cudaMemcpy(*own, m->host[i], m->bytes[i], cudaMemcpyHostToDevice) != cudaSuccess)
      refuse("no memory on the device for bytes", (long)m->bytes[i]);
    return *own;
  }
  wf_acc_move(r, entering(kind), name, m->host[i], m->host[i], m->bytes[i]);
  return wf_acc_device(r, name, m->host[i]);
}

/* ---- launches ---- */

/* From the arguments behind the maps: shapes that the program computes. */
enum { LAUNCH_END, LAUNCH_SHAPE, LAUNCH_ASYNC, LAUNCH_WAIT, GANG = 0, WORKER, VECTOR };

static void read_launch(va_list more, unsigned shape[3]) {
  for (unsigned tag; (tag = va_arg(more, unsigned)) >> 28 != LAUNCH_END;) {
    const unsigned what = tag >> 28, part = tag & 0xffff;
    if (what == LAUNCH_SHAPE)
      for (unsigned d = 0; d < 3; d++) {
        if (part >> d & 1) shape[d] = va_arg(more, unsigned);
      }
    else if (what == LAUNCH_ASYNC)
      (void)(part == 0xffff ? va_arg(more, int) : 0);
    else if (what == LAUNCH_WAIT)
      for (unsigned i = 0; i < part; i++) (void)va_arg(more, int);
    else
      refuse("a launch's argument", (long)tag);
  }
}

/* As libgomp chooses: as many warps as the machine holds at once, 32 times over a block's. */
static void complete_shape(const void *host, unsigned shape[3]) {
  int sms = 1, most = 0, best = 32;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  for (int block = 1024; block >= 32; block -= 32) {
    int blocks = 0;
    if (wfOccupancy(&blocks, host, block, 0) == cudaSuccess && blocks * block > most)
      most = blocks * block, best = block;
  }
  if (!shape[VECTOR]) shape[VECTOR] = 32;
  if (!shape[WORKER])
    shape[WORKER] = (unsigned)best / shape[VECTOR] ? (unsigned)best / shape[VECTOR] : 1;
  if (!shape[GANG]) shape[GANG] = (unsigned)(sms * (most / 32));
}

static void launch(wf_acc_region *r, const kernel *k, const void *host, void *const *values,
                   size_t n, const unsigned shape[3]) {
  void *device = NULL, *arguments[] = {&device};
  const dim3 grid = {shape[GANG], 1, 1}, block = {shape[VECTOR], shape[WORKER], 1};
  if (cudaMalloc(&device, (n ? n : 1) * sizeof *values) != cudaSuccess ||
      cudaMemcpy(device, values, n * sizeof *values, cudaMemcpyHostToDevice) != cudaSuccess)
    refuse("no memory on the device for arguments", (long)n);
  wf_acc_launched(r, k->name, (int)cudaLaunchKernel(host, grid, block, arguments, 0, NULL));
  cudaFree(device);
}

static void run_region(const kernel *k, const void *host, const maps *m, unsigned shape[3]) {
  wf_acc_region r = begin(1);
  void **values = calloc(m->n + 1, sizeof *values), **own = calloc(m->n + 1, sizeof *own);
  if (!values || !own) refuse("no memory for maps", (long)m->n);
  for (size_t i = 0; i < m->n; i++) values[i] = enter_map(&r, k->name, m, i, &own[i]);
  complete_shape(host, shape);
  launch(&r, k, host, values, m->n, shape);
  wf_acc_end(&r);
  for (size_t i = 0; i < m->n; i++)
    if (own[i]) cudaFree(own[i]);
  free(values);
  free(own);
}

void GOACC_parallel_keyed(int flags, void (*function)(void *), size_t n, void **host, size_t *bytes,
                          unsigned short *kinds, ...) {
  const maps m = {n, host, bytes, kinds};
  const kernel *k = kernel_of(*(void **)&function);
  va_list more;
  if (~flags & HOST_FALLBACK) {
    function(host);
    return;
  }
  if (!k) refuse("a region that was not compiled for the GPU; its place in the table", -1);
  unsigned shape[3] = {k->shape[0], k->shape[1], k->shape[2]};
  va_start(more, kinds);
  read_launch(more, shape);
  va_end(more);
  run_region(k, *(void **)&function, &m, shape);
}

/* ---- data ---- */

void GOACC_data_start(int flags, size_t n, void **host, size_t *bytes, unsigned short *kinds) {
  const maps m = {n, host, bytes, kinds};
  wf_acc_region r = begin(!(~flags & HOST_FALLBACK));
  for (size_t i = 0; r.device && i < n; i++) {
    if (kind_of(&m, i) == MAP_USE_DEVICE)
      host[i] = wf_acc_device(&r, "host_data", host[i]);
    else if (kind_of(&m, i) != MAP_POINTER)
      wf_acc_move(&r, entering(kind_of(&m, i)), "data", host[i], host[i], bytes[i]);
  }
  wf_acc_keep(&r);
}

void GOACC_data_end(void) {
  wf_acc_end_data();
}

/* One direction of what stays: enter data, exit data, update. */
static void change(int flags, const maps *m, wf_acc_action (*action)(unsigned kind),
                   const char *name) {
  wf_acc_region r = begin(!(~flags & HOST_FALLBACK));
  for (size_t i = 0; r.device && i < m->n; i++)
    if (kind_of(m, i) != MAP_POINTER)
      wf_acc_move(&r, action(kind_of(m, i)), name, m->host[i], m->host[i], m->bytes[i]);
  wf_acc_leave(&r);
}

static wf_acc_action leaving(unsigned kind) {
  if (kind != MAP_FROM && kind != MAP_DELETE && kind != MAP_RELEASE)
    refuse("exit data: a map of kind", kind);
  return kind == MAP_FROM ? WF_ACC_TAKE_OUT : WF_ACC_DELETE;
}

static wf_acc_action updating(unsigned kind) {
  if (kind != MAP_TO && kind != MAP_FROM) refuse("update: a map of kind", kind);
  return kind == MAP_FROM ? WF_ACC_TO_HOST : WF_ACC_TO_DEVICE;
}

void GOACC_enter_data(int flags, size_t n, void **host, size_t *bytes, unsigned short *kinds,
                      int async, int waits, ...) {
  (void)async, (void)waits;
  change(flags, &(maps){n, host, bytes, kinds}, entering, "enter data");
}

void GOACC_exit_data(int flags, size_t n, void **host, size_t *bytes, unsigned short *kinds,
                     int async, int waits, ...) {
  (void)async, (void)waits;
  change(flags, &(maps){n, host, bytes, kinds}, leaving, "exit data");
}

static int is_exit(const maps *m) {
  for (size_t i = 0; i < m->n; i++)
    if (kind_of(m, i) == MAP_FROM || kind_of(m, i) == MAP_DELETE || kind_of(m, i) == MAP_RELEASE)
      return 1;
  return 0;
}

void GOACC_enter_exit_data(int flags, size_t n, void **host, size_t *bytes, unsigned short *kinds,
                           int async, int waits, ...) {
  (void)async, (void)waits;
  const maps m = {n, host, bytes, kinds};
  change(flags, &m, is_exit(&m) ? leaving : entering, "enter data, exit data");
}

void GOACC_update(int flags, size_t n, void **host, size_t *bytes, unsigned short *kinds, int async,
                  int waits, ...) {
  (void)async, (void)waits;
  change(flags, &(maps){n, host, bytes, kinds}, updating, "update");
}

void GOACC_wait(int async, int waits, ...) {
  (void)async, (void)waits;
}
