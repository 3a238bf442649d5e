#include "sim/cli/ptx_run.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/cli/kernel_param.h"
#include "sim/units/registry.h"

typedef struct buffer {
  uint64_t device, bytes;
} buffer;

struct wf_ptx_job {
  const run_options *o;
  ptx_module *module; /* NULL: the GPU has it */
  const ptx_kernel *kernel;
  wf_kernel_param given[RUN_MAX_PARAMS];
  const void *data[RUN_MAX_PARAMS]; /* of the graph: what the memory holds; NULL: zeros */
};

enum { PTX_LIMIT = 256 << 20 };

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

static bool make_buffer(wf_gpu *gpu, buffer *p, const void *data, const char *what, wf_error *err) {
  p->device = wf_gpu_alloc(gpu, p->bytes + 4, what, err);
  return p->device && (!data || wf_gpu_write(gpu, p->device, data, p->bytes, err));
}

static bool make_iota(wf_gpu *gpu, buffer *p, const char *what, wf_error *err) {
  uint32_t *words = wf_calloc(p->bytes / 4 + 1, 4);
  for (uint64_t i = 0; i < p->bytes / 4; i++) words[i] = (uint32_t)i;
  bool ok = make_buffer(gpu, p, words, what, err);
  free(words);
  return ok;
}

/* Memory that parameter i points to. */
static bool make_memory(wf_gpu *gpu, const wf_ptx_job *job, unsigned i, buffer *p, wf_error *err) {
  p->bytes = job->given[i].memory_bytes;
  return job->given[i].kind == WF_KERNEL_IOTA
             ? make_iota(gpu, p, job->o->params[i], err)
             : make_buffer(gpu, p, job->data[i], job->o->params[i], err);
}

static bool print_buffer(wf_gpu *gpu, const buffer *p, unsigned index, FILE *out, wf_error *err) {
  uint8_t *data = wf_calloc(p->bytes, 1);
  bool ok = wf_gpu_read(gpu, data, p->device, p->bytes, err);
  if (ok) {
    uint32_t first[4] = {0};
    memcpy(first, data, p->bytes < sizeof first ? p->bytes : sizeof first);
    fprintf(out, "parameter %u: %llu bytes, CRC-32 %08lx, first words %08x %08x %08x %08x\n", index,
            (unsigned long long)p->bytes, crc32(0, data, (uInt)p->bytes), first[0], first[1],
            first[2], first[3]);
  }
  free(data);
  return ok;
}

/* ---- before there is a GPU ---- */

static wf_launch_args arguments_of(const wf_ptx_job *job) {
  const run_options *o = job->o;
  wf_launch_args args = {.kernel = o->kernel, .n_params = o->n_params};
  memcpy(args.grid, o->grid, sizeof args.grid);
  memcpy(args.block, o->block, sizeof args.block);
  for (unsigned i = 0; i < o->n_params; i++) {
    args.params[i] = job->given[i].value;
    args.param_bytes[i] = job->kernel->params[i].bytes;
  }
  return args;
}

static bool find_arrays(wf_ptx_job *job, wf_graph *graph, wf_error *err) {
  bool asked = false;
  for (unsigned i = 0; i < job->o->n_params; i++) {
    wf_kernel_param *g = &job->given[i];
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

static bool open_job(wf_ptx_job *job, wf_graph *graph, wf_error *err) {
  const run_options *o = job->o;
  size_t bytes, n_ops;
  char *text = wf_file_read(o->ptx, PTX_LIMIT, &bytes, err);
  ptx_custom_op *ops = wf_unit_ops(&n_ops);
  if (text) job->module = ptx_parse_text(o->ptx, text, bytes, ops, n_ops, err);
  free(ops);
  free(text);
  if (job->module) job->kernel = ptx_find_kernel(job->module, o->kernel, err);
  if (!job->kernel || !wf_kernel_params_parse(job->kernel, o->params, o->n_params, job->given, err))
    return false;
  const wf_launch_args args = arguments_of(job);
  return wf_gpu_check_launch(job->kernel, &args, err) && find_arrays(job, graph, err);
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
  ptx_module_destroy(job->module);
  wf_kernel_params_free(job->given, job->o->n_params);
  free(job);
}

/* ---- on the GPU ---- */

bool wf_ptx_run(wf_ptx_job *job, wf_gpu *gpu, FILE *out, wf_error *err) {
  buffer buffers[RUN_MAX_PARAMS] = {0};
  const unsigned n = job->o->n_params;
  ptx_module *module = job->module;
  job->module = NULL;
  bool ok = wf_gpu_add_module(gpu, module, err);
  for (unsigned i = 0; ok && i < n; i++) {
    if (job->given[i].kind == WF_KERNEL_VALUE) continue;
    ok = make_memory(gpu, job, i, &buffers[i], err);
    memcpy(job->given[i].value, &buffers[i].device, sizeof buffers[i].device);
  }
  const wf_launch_args args = arguments_of(job);
  ok = ok && wf_gpu_launch(gpu, &args, err);
  for (unsigned i = 0; ok && i < n; i++)
    if (buffers[i].bytes) ok = print_buffer(gpu, &buffers[i], i, out, err);
  return ok;
}
