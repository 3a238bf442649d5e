#include "tools/real-gpu/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum {
  MARKS = 8,
  MARK_SMS = 1024, /* as the PTX below has it */
  LOG_BYTES = 4096,
  MAX_PARAMS = 32,
  STATIC_SHARED = 48 << 10
};

/* Each block writes its SM's clock at the SM's place. */
static const char mark_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".visible .entry wf_mark(.param .u64 wf_mark_at) {\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<2>;\n.reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [wf_mark_at];\nmov.u32 %r1, %smid;\n"
    "setp.ge.u32 %p1, %r1, 1024;\n@%p1 bra DONE;\n"
    "mul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd3, %rd1, %rd2;\nmov.u64 %rd4, %clock64;\n"
    "st.global.u64 [%rd3], %rd4;\nDONE:\nret;\n}\n";

struct wf_gpu {
  const wf_driver *driver;
  cu_device device;
  bool retained;
  wf_options options;
  wf_gpu_config config;
  wf_device_facts facts;
  cu_module *modules;
  size_t n_modules;
  cu_function mark;
  cu_pointer marks;
  cu_event before, after;
  wf_device_launch *launches;
  size_t n_launches, room;
  double cycles;
};

static bool ok(const wf_gpu *gpu, cu_result code, const char *what, wf_error *err) {
  return wf_driver_ok(gpu->driver, code, what, err);
}

/* ---- modules ---- */

static bool load(wf_gpu *gpu, const char *name, const char *text, wf_error *err) {
  char log[LOG_BYTES] = "";
  int options[] = {CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BYTES};
  void *values[] = {log, (void *)(uintptr_t)LOG_BYTES};
  cu_module module;
  const cu_result code = gpu->driver->load(&module, text, 2, options, values);
  if (code != 0) {
    wf_error why = {0};
    ok(gpu, code, name, &why);
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s; its compiler: %.300s", why.text, log);
  }
  gpu->modules = wf_realloc(gpu->modules, gpu->n_modules + 1, sizeof *gpu->modules);
  gpu->modules[gpu->n_modules++] = module;
  return true;
}

bool wf_gpu_load_ptx(wf_gpu *gpu, const char *name, const char *text, size_t bytes, wf_error *err) {
  char *copy = wf_calloc(bytes + 1, 1);
  memcpy(copy, text, bytes);
  const bool loaded = load(gpu, name, copy, err);
  free(copy);
  return loaded;
}

static bool find(const wf_gpu *gpu, const char *kernel, cu_function *f, wf_error *err) {
  for (size_t m = gpu->n_modules; m-- > 0;)
    if (gpu->driver->function(f, gpu->modules[m], kernel) == 0) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "no kernel '%s' in the loaded modules", kernel);
}

/* ---- marks: clock64 of each SM around a kernel ---- */

static cu_pointer marks_at(const wf_gpu *gpu, unsigned which) {
  return gpu->marks + which * MARK_SMS * sizeof(uint64_t);
}

static bool put_mark(wf_gpu *gpu, unsigned which, wf_error *err) {
  cu_pointer to = marks_at(gpu, which);
  void *params[] = {&to};
  return ok(gpu,
            gpu->driver->launch(gpu->mark, 2 * (unsigned)gpu->facts.sms, 1, 1, 1, 1, 1, 0, NULL,
                                params, NULL),
            "launch of a mark", err);
}
static bool clear_marks(wf_gpu *gpu, wf_error *err) {
  return ok(gpu, gpu->driver->fill(gpu->marks, 0, 2 * MARK_SMS * sizeof(uint64_t)), "marks", err);
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Cycles between the two marks: the median over the SMs that both found; below 0: there is none. */
static bool between(wf_gpu *gpu, double *cycles, wf_error *err) {
  static uint64_t m[2][MARK_SMS];
  double each[MARK_SMS];
  size_t n = 0;
  if (!ok(gpu, gpu->driver->from_device(m, gpu->marks, sizeof m), "copy of marks", err))
    return false;
  for (size_t i = 0; i < MARK_SMS; i++)
    if (m[0][i] && m[1][i] >= m[0][i]) each[n++] = (double)(m[1][i] - m[0][i]);
  qsort(each, n, sizeof *each, by_value);
  *cycles = n ? each[n / 2] : -1;
  return true;
}

/* What two marks without a kernel between take: the least of some. */
static bool measure_marks(wf_gpu *gpu, wf_error *err) {
  double least = -1;
  for (int i = 0; i < MARKS; i++) {
    double cycles;
    if (!clear_marks(gpu, err) || !put_mark(gpu, 0, err) || !put_mark(gpu, 1, err) ||
        !between(gpu, &cycles, err))
      return false;
    if (cycles >= 0 && (least < 0 || cycles < least)) least = cycles;
  }
  gpu->facts.mark_cycles = least < 0 ? 0 : least;
  return true;
}

/* ---- the device ---- */

static bool read_facts(wf_gpu *gpu, wf_error *err) {
  wf_device_facts *f = &gpu->facts;
  const wf_driver *d = gpu->driver;
  size_t memory;
  const struct {
    int attribute, *to;
  } rows[] = {{CU_SMS, &f->sms},
              {CU_CLOCK_KHZ, &f->clock_khz},
              {CU_MAJOR, &f->major},
              {CU_MINOR, &f->minor},
              {CU_L2_BYTES, &f->l2_bytes},
              {CU_MEMORY_KHZ, &f->memory_khz},
              {CU_MEMORY_BITS, &f->memory_bits}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!ok(gpu, d->attribute(rows[i].to, rows[i].attribute, gpu->device), "attributes", err))
      return false;
  if (!ok(gpu, d->device_name(f->name, sizeof f->name, gpu->device), "name", err) ||
      !ok(gpu, d->version(&f->driver), "version", err) ||
      !ok(gpu, d->total_memory(&memory, gpu->device), "memory", err))
    return false;
  f->memory_bytes = memory;
  return true;
}

/* Of the configuration what applications look at; the rest is a100's and decides nothing. */
static bool describe(wf_gpu *gpu, wf_error *err) {
  wf_gpu_config *c = &gpu->config;
  int threads, registers;
  if (!wf_gpu_config_load(c, "a100", err) ||
      !ok(gpu, gpu->driver->attribute(&threads, CU_THREADS_OF_SM, gpu->device), "threads", err) ||
      !ok(gpu, gpu->driver->attribute(&registers, CU_REGISTERS_OF_SM, gpu->device), "registers",
          err))
    return false;
  snprintf(c->name, sizeof c->name, "%.63s", gpu->facts.name);
  c->n_sm = (unsigned)gpu->facts.sms;
  c->warps_per_sm = (unsigned)threads / PTX_LANES;
  c->registers_per_sm = (unsigned)registers;
  c->shared_bytes_per_sm = STATIC_SHARED; /* what any block may have without asking */
  c->mem.core_mhz = (unsigned)gpu->facts.clock_khz / 1000;
  c->mem.n_part = 1;
  c->mem.l2_bytes = (unsigned)gpu->facts.l2_bytes;
  return true;
}

static bool begin(wf_gpu *gpu, int index, wf_error *err) {
  const wf_driver *d = gpu->driver;
  cu_context context;
  int count = 0;
  if (!ok(gpu, d->init(0), "cuInit", err) || !ok(gpu, d->device_count(&count), "devices", err))
    return false;
  if (index < 0 || index >= count)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--device %d: there are %d, from 0", index, count);
  if (!ok(gpu, d->device(&gpu->device, index), "device", err) ||
      !ok(gpu, d->retain(&context, gpu->device), "context", err))
    return false;
  gpu->retained = true;
  return ok(gpu, d->use(context), "context", err) && read_facts(gpu, err) && describe(gpu, err) &&
         ok(gpu, d->event(&gpu->before, 0), "event", err) &&
         ok(gpu, d->event(&gpu->after, 0), "event", err) &&
         ok(gpu, d->alloc(&gpu->marks, 2 * MARK_SMS * sizeof(uint64_t)), "marks", err) &&
         load(gpu, "wf_mark", mark_ptx, err) && find(gpu, "wf_mark", &gpu->mark, err) &&
         measure_marks(gpu, err);
}

wf_gpu *wf_device_create(const wf_driver *driver, int index, const wf_options *options,
                         wf_error *err) {
  wf_gpu *gpu = wf_calloc(1, sizeof *gpu);
  gpu->driver = driver;
  wf_options_copy(&gpu->options, options);
  if (begin(gpu, index, err)) return gpu;
  wf_device_destroy(gpu);
  return NULL;
}

void wf_device_destroy(wf_gpu *gpu) {
  if (!gpu) return;
  if (gpu->retained) gpu->driver->release(gpu->device); /* memory, modules and events with it */
  wf_options_free(&gpu->options);
  free(gpu->modules);
  free(gpu->launches);
  free(gpu);
}

const wf_device_facts *wf_device_get_facts(const wf_gpu *gpu) {
  return &gpu->facts;
}
const wf_device_launch *wf_device_launches(const wf_gpu *gpu, size_t *count) {
  *count = gpu->n_launches;
  return gpu->launches;
}

/* ---- what applications call ---- */

uint64_t wf_gpu_alloc(wf_gpu *gpu, uint64_t bytes, const char *what, wf_error *err) {
  cu_pointer at = 0;
  return ok(gpu, gpu->driver->alloc(&at, bytes ? bytes : 1), what, err) ? at : 0;
}
bool wf_gpu_write(wf_gpu *gpu, uint64_t device, const void *host, uint64_t bytes, wf_error *err) {
  return ok(gpu, gpu->driver->to_device(device, host, bytes), "copy to the GPU", err);
}
bool wf_gpu_read(wf_gpu *gpu, void *host, uint64_t device, uint64_t bytes, wf_error *err) {
  return ok(gpu, gpu->driver->from_device(host, device, bytes), "copy from the GPU", err);
}
bool wf_gpu_fill(wf_gpu *gpu, uint64_t device, uint8_t byte, uint64_t bytes, wf_error *err) {
  return ok(gpu, gpu->driver->fill(device, byte, bytes), "fill", err);
}

static bool run(wf_gpu *gpu, cu_function f, const wf_launch_args *a, wf_device_launch *to,
                wf_error *err) {
  const wf_driver *d = gpu->driver;
  void *params[MAX_PARAMS];
  float ms = 0;
  for (unsigned i = 0; i < a->n_params; i++) params[i] = (void *)(uintptr_t)a->params[i];
  const bool ran = put_mark(gpu, 0, err) && ok(gpu, d->record(gpu->before, NULL), "event", err) &&
                   ok(gpu,
                      d->launch(f, a->grid[0], a->grid[1], a->grid[2], a->block[0], a->block[1],
                                a->block[2], a->shared_bytes, NULL, params, NULL),
                      a->kernel, err) &&
                   ok(gpu, d->record(gpu->after, NULL), "event", err) && put_mark(gpu, 1, err) &&
                   ok(gpu, d->synchronize(), a->kernel, err) &&
                   ok(gpu, d->elapsed(&ms, gpu->before, gpu->after), "time", err) &&
                   between(gpu, &to->cycles, err);
  to->milliseconds = ms;
  if (to->cycles >= 0) to->cycles -= gpu->facts.mark_cycles;
  return ran;
}

bool wf_gpu_launch(wf_gpu *gpu, const wf_launch_args *a, wf_error *err) {
  cu_function f;
  wf_device_launch one = {.shared_bytes = a->shared_bytes};
  if (a->n_params > MAX_PARAMS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %u parameters: at most %d", a->kernel, a->n_params,
                   MAX_PARAMS);
  if (!find(gpu, a->kernel, &f, err)) return false;
  if (a->shared_bytes > STATIC_SHARED &&
      !ok(gpu, gpu->driver->set_function(f, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)a->shared_bytes),
          a->kernel, err))
    return false;
  snprintf(one.kernel, sizeof one.kernel, "%s", a->kernel);
  memcpy(one.grid, a->grid, sizeof one.grid);
  memcpy(one.block, a->block, sizeof one.block);
  if (!run(gpu, f, a, &one, err)) return false;
  if (gpu->n_launches == gpu->room) {
    gpu->room = gpu->room ? 2 * gpu->room : 64;
    gpu->launches = wf_realloc(gpu->launches, gpu->room, sizeof *gpu->launches);
  }
  gpu->launches[gpu->n_launches++] = one;
  gpu->cycles += one.cycles >= 0 ? one.cycles : one.milliseconds * gpu->facts.clock_khz;
  return true;
}

uint64_t wf_gpu_cycles(const wf_gpu *gpu) {
  return (uint64_t)gpu->cycles;
}
bool wf_gpu_resident_blocks(const wf_gpu *gpu, const char *kernel, uint32_t block,
                            uint32_t shared_bytes, uint32_t *blocks, wf_error *err) {
  cu_function f;
  int each = 0;
  if (!find(gpu, kernel, &f, err) ||
      !ok(gpu, gpu->driver->blocks_of_sm(&each, f, (int)block, shared_bytes), kernel, err))
    return false;
  *blocks = (uint32_t)(each * gpu->facts.sms);
  return *blocks > 0 || wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no block of %u fits", kernel, block);
}
const wf_gpu_config *wf_gpu_get_config(const wf_gpu *gpu) {
  return &gpu->config;
}
const wf_options *wf_gpu_options(const wf_gpu *gpu) {
  return &gpu->options;
}
bool wf_gpu_has_unit(const wf_gpu *gpu, const char *unit) {
  (void)gpu, (void)unit;
  return false;
}
bool wf_gpu_unit_base(wf_gpu *gpu, const char *unit, const char *base, uint64_t device,
                      wf_error *err) {
  (void)gpu, (void)device;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s.%s: a real GPU has no such unit", unit, base);
}
