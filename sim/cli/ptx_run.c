#include "sim/cli/ptx_run.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/cli/kernel_base.h"
#include "sim/cli/kernel_param.h"
#include "sim/cli/kernel_text.h"
#include "sim/units/registry.h"

struct wf_ptx_job {
  const run_options *o;
  ptx_module *module; /* NULL: the GPU has it */
  const ptx_kernel *kernel;
  wf_kernel_param given[RUN_MAX_PARAMS];
  const void *data[RUN_MAX_PARAMS]; /* what the memory holds; NULL: zeros */
  wf_out_file dumps[RUN_MAX_PARAMS];
};

static bool graph_array(wf_graph *g, const char *name, const void **data, uint64_t *bytes,
                        wf_error *err) {
  if (strncmp(name, "in_", 3) == 0) wf_graph_need_in(g);
  if (strstr(name, "_weight") && !wf_graph_need_weights(g, 1, err)) return false;
  const struct {
    const char *name;
    const uint32_t *data;
    uint64_t n;
  } arrays[] = {{"out_row", g->out_row, g->n_vertices + 1ull},
                {"out_col", g->out_col, g->n_edges},
                {"out_weight", g->out_weight, g->n_edges},
                {"in_row", g->in_row, g->n_vertices + 1ull},
                {"in_col", g->in_col, g->n_edges},
                {"in_weight", g->in_weight, g->n_edges}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (strcmp(arrays[i].name, name) == 0)
      return *data = arrays[i].data, *bytes = 4 * arrays[i].n, true;
  return wf_fail(
      err, WF_EXIT_BAD_INPUT,
      "--param graph:%s: expected out_row, out_col, out_weight, in_row, in_col or in_weight", name);
}

/* The parameter's value becomes the address of fresh memory with this data; NULL: of zeros. */
static bool make_buffer(wf_gpu *gpu, wf_kernel_param *g, const void *data, bool narrow,
                        const char *what, wf_error *err) {
  const uint64_t device = wf_gpu_alloc(gpu, g->memory_bytes + 4, what, err);
  memcpy(g->value, &device, sizeof device);
  if (narrow && device > UINT32_MAX)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no room below 4 GiB, for pointers of 32 bits",
                   what);
  return device && (!data || wf_gpu_write(gpu, device, data, g->memory_bytes, err));
}

static bool make_iota(wf_gpu *gpu, wf_kernel_param *g, bool narrow, const char *what,
                      wf_error *err) {
  uint32_t *words = wf_calloc(g->memory_bytes / 4 + 1, 4);
  for (uint64_t i = 0; i < g->memory_bytes / 4; i++) words[i] = (uint32_t)i;
  bool ok = make_buffer(gpu, g, words, narrow, what, err);
  free(words);
  return ok;
}

/* Memory that parameter i points to. */
static bool make_memory(wf_gpu *gpu, wf_ptx_job *job, unsigned i, wf_error *err) {
  return job->given[i].kind == WF_KERNEL_IOTA
             ? make_iota(gpu, &job->given[i], job->kernel->narrow, job->o->params[i], err)
             : make_buffer(gpu, &job->given[i], job->data[i], job->kernel->narrow,
                           job->o->params[i], err);
}

/* The memory as the kernel left it; the caller frees. NULL and *err if it cannot be read. */
static uint8_t *contents(wf_gpu *gpu, const wf_kernel_param *g, wf_error *err) {
  uint64_t device;
  memcpy(&device, g->value, sizeof device);
  uint8_t *data = wf_calloc(g->memory_bytes + 1, 1);
  if (wf_gpu_read(gpu, data, device, g->memory_bytes, err)) return data;
  free(data);
  return NULL;
}

static bool print_buffer(wf_gpu *gpu, const wf_kernel_param *g, unsigned index, FILE *out,
                         wf_error *err) {
  const uint64_t bytes = g->memory_bytes;
  uint8_t *data = contents(gpu, g, err);
  if (!data) return false;
  uint32_t first[4] = {0};
  memcpy(first, data, bytes < sizeof first ? bytes : sizeof first);
  fprintf(out, "parameter %u: %llu bytes, CRC-32 %08lx, first words %08x %08x %08x %08x\n", index,
          (unsigned long long)bytes, crc32_z(0, data, bytes), first[0], first[1], first[2],
          first[3]);
  free(data);
  return true;
}

/* ---- before there is a GPU ---- */

static wf_launch_args arguments_of(const wf_ptx_job *job) {
  const run_options *o = job->o;
  wf_launch_args args = {
      .kernel = o->kernel, .shared_bytes = (uint32_t)o->shared_bytes, .n_params = o->n_params};
  memcpy(args.grid, o->grid, sizeof args.grid);
  memcpy(args.block, o->block, sizeof args.block);
  for (unsigned i = 0; i < o->n_params; i++) {
    args.params[i] = job->given[i].value;
    args.param_bytes[i] = job->kernel->params[i].bytes;
  }
  return args;
}

/* What the parameters' memory will hold. */
static bool find_data(wf_ptx_job *job, wf_graph *graph, wf_error *err) {
  bool asked = false;
  for (unsigned i = 0; i < job->o->n_params; i++) {
    wf_kernel_param *g = &job->given[i];
    job->data[i] = g->data;
    if (g->kind != WF_KERNEL_GRAPH) continue;
    asked = true;
    if (!graph)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--param %s: expected --graph to be given",
                     job->o->params[i]);
    if (!graph_array(graph, g->array, &job->data[i], &g->memory_bytes, err)) return false;
  }
  return !graph || asked ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "--graph: no --param graph:ARRAY asks for it");
}

static bool open_dumps(wf_ptx_job *job, wf_error *err) {
  const run_options *o = job->o;
  for (unsigned i = 0; i < o->n_dumps; i++) {
    const run_dump *d = &o->dumps[i];
    const bool there = d->param < o->n_params;
    if (!there || job->given[d->param].kind == WF_KERNEL_VALUE)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--dump %u:%s: parameter %u %s", d->param, d->path,
                     d->param,
                     there ? "is a value: it has no memory" : "is not there: they count from 0");
    if (!wf_out_open(&job->dumps[i], d->path, err)) return false;
  }
  return true;
}

static bool open_module(wf_ptx_job *job, wf_error *err) {
  const run_options *o = job->o;
  size_t n_ops;
  wf_kernel_text text;
  ptx_custom_op *ops = wf_unit_ops(&n_ops);
  if (wf_kernel_text_read(&text, o->ptx, (const char *const *)o->unit_names, o->n_units, err))
    job->module = ptx_parse_text(text.name, text.ptx, text.bytes, ops, n_ops, err);
  wf_kernel_text_free(&text);
  free(ops);
  if (job->module) job->kernel = ptx_find_kernel(job->module, o->kernel, err);
  return job->kernel != NULL;
}

static bool open_job(wf_ptx_job *job, wf_graph *graph, wf_error *err) {
  const run_options *o = job->o;
  if (!open_module(job, err) ||
      !wf_kernel_params_parse(job->kernel, o->params, o->n_params, job->given, err))
    return false;
  const wf_launch_args args = arguments_of(job);
  return wf_gpu_check_launch(job->kernel, &args, err) && find_data(job, graph, err) &&
         wf_kernel_bases_check(o, job->given, err) && open_dumps(job, err);
}

wf_ptx_job *wf_ptx_open(const run_options *o, wf_graph *graph, wf_error *err) {
  wf_ptx_job *job = wf_calloc(1, sizeof *job);
  job->o = o;
  if (open_job(job, graph, err)) return job;
  wf_ptx_close(job);
  return NULL;
}

void wf_ptx_close(wf_ptx_job *job) {
  if (!job) return;
  for (unsigned i = 0; i < job->o->n_dumps; i++) wf_out_abandon(&job->dumps[i]);
  ptx_module_destroy(job->module);
  wf_kernel_params_free(job->given, job->o->n_params);
  free(job);
}

/* ---- on the GPU ---- */

static bool write_dumps(wf_ptx_job *job, wf_gpu *gpu, wf_error *err) {
  const run_options *o = job->o;
  for (unsigned i = 0; i < o->n_dumps; i++) {
    const wf_kernel_param *g = &job->given[o->dumps[i].param];
    uint8_t *data = contents(gpu, g, err);
    if (data) wf_out_write(&job->dumps[i], data, g->memory_bytes);
    free(data);
    if (!data) return false;
  }
  for (unsigned i = 0; i < o->n_dumps; i++)
    if (!wf_out_commit(&job->dumps[i], err)) return false;
  return true;
}

bool wf_ptx_run(wf_ptx_job *job, wf_gpu *gpu, FILE *out, wf_error *err) {
  const unsigned n = job->o->n_params;
  ptx_module *module = job->module;
  job->module = NULL;
  bool ok = wf_gpu_add_module(gpu, module, err);
  for (unsigned i = 0; ok && i < n; i++)
    if (job->given[i].kind != WF_KERNEL_VALUE) ok = make_memory(gpu, job, i, err);
  const wf_launch_args args = arguments_of(job);
  ok = ok && wf_kernel_bases_set(gpu, job->o, job->given, err) && wf_gpu_launch(gpu, &args, err);
  for (unsigned i = 0; ok && i < n; i++)
    if (job->given[i].kind != WF_KERNEL_VALUE) ok = print_buffer(gpu, &job->given[i], i, out, err);
  return ok && write_dumps(job, gpu, err);
}
