#include "sim/cli/ptx_run.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/cli/kernel_param.h"

typedef struct buffer {
  uint64_t device, bytes;
} buffer;

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

/* Memory that a parameter points to. */
static bool make_memory(wf_gpu *gpu, wf_graph *graph, const char *text, const wf_kernel_param *g,
                        buffer *p, wf_error *err) {
  const void *data = NULL;
  p->bytes = g->memory_bytes;
  if (g->kind == WF_KERNEL_IOTA) return make_iota(gpu, p, text, err);
  if (g->kind == WF_KERNEL_GRAPH) {
    if (!graph)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--param %s: expected --graph to be given", text);
    if (!graph_array(graph, g->array, &data, &p->bytes, err)) return false;
  }
  return make_buffer(gpu, p, data, text, err);
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

static bool run_with(wf_gpu *gpu, wf_graph *graph, const run_options *o, const ptx_kernel *k,
                     wf_kernel_param *given, FILE *out, wf_error *err) {
  buffer buffers[RUN_MAX_PARAMS] = {0};
  wf_launch_args args = {.kernel = o->kernel, .n_params = o->n_params};
  bool ok = true;
  memcpy(args.grid, o->grid, sizeof args.grid);
  memcpy(args.block, o->block, sizeof args.block);
  for (unsigned i = 0; ok && i < o->n_params; i++) {
    if (given[i].kind != WF_KERNEL_VALUE) {
      ok = make_memory(gpu, graph, o->params[i], &given[i], &buffers[i], err);
      memcpy(given[i].value, &buffers[i].device, sizeof buffers[i].device);
    }
    args.params[i] = given[i].value;
    args.param_bytes[i] = k->params[i].bytes;
  }
  ok = ok && wf_gpu_launch(gpu, &args, err);
  for (unsigned i = 0; ok && i < o->n_params; i++)
    if (buffers[i].bytes) ok = print_buffer(gpu, &buffers[i], i, out, err);
  return ok;
}

bool wf_ptx_run(wf_gpu *gpu, wf_graph *graph, const run_options *o, FILE *out, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(o->ptx, PTX_LIMIT, &bytes, err);
  const bool loaded = text && wf_gpu_load_ptx(gpu, o->ptx, text, bytes, err);
  free(text);
  const ptx_kernel *k = loaded ? wf_gpu_find_kernel(gpu, o->kernel, err) : NULL;
  wf_kernel_param given[RUN_MAX_PARAMS] = {0};
  const bool ok = k && wf_kernel_params_parse(k, o->params, o->n_params, given, err) &&
                  run_with(gpu, graph, o, k, given, out, err);
  wf_kernel_params_free(given, o->n_params);
  return ok;
}
