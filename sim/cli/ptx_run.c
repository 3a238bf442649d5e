#include "sim/cli/ptx_run.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"

typedef union value {
  uint32_t u32;
  uint64_t u64;
  float f32;
} value;

typedef struct parameter {
  value v;
  uint64_t device, bytes; /* of a buffer */
} parameter;

enum { PTX_LIMIT = 256 << 20 };

static bool graph_array(wf_graph *g, const char *name, const void **data, uint64_t *bytes) {
  if (strncmp(name, "in_", 3) == 0) wf_graph_need_in(g);
  if (strstr(name, "_weight")) wf_graph_need_weights(g, 1);
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
  return false;
}

static bool make_buffer(wf_gpu *gpu, parameter *p, const void *data, const char *what,
                        wf_error *err) {
  p->device = wf_gpu_alloc(gpu, p->bytes + 4, what, err);
  p->v.u64 = p->device;
  return p->device && (!data || wf_gpu_write(gpu, p->device, data, p->bytes, err));
}

static bool make_iota(wf_gpu *gpu, parameter *p, const char *what, wf_error *err) {
  uint32_t *words = wf_calloc(p->bytes / 4 + 1, 4);
  for (uint64_t i = 0; i < p->bytes / 4; i++) words[i] = (uint32_t)i;
  bool ok = make_buffer(gpu, p, words, what, err);
  free(words);
  return ok;
}

static bool bad(const char *text, const char *expected, wf_error *err) {
  return wf_fail(err, WF_EXIT_BAD_INPUT, "--param %s: expected %s", text, expected);
}

static bool parse_parameter(wf_gpu *gpu, wf_graph *graph, const char *text, parameter *p,
                            wf_error *err) {
  const char *colon = strchr(text, ':');
  if (!colon) return bad(text, "KIND:VALUE, e.g. u32:7 or buf:4096", err);
  size_t n = (size_t)(colon - text);
  const char *rest = colon + 1;
  char *end;
  long number = 0;
  bool whole = wf_parse_long(rest, &number);
  if (!strncmp(text, "u32", n) || !strncmp(text, "s32", n)) {
    p->v.u32 = (uint32_t)number;
    return (whole && number >= INT32_MIN && number <= UINT32_MAX) ||
           bad(text, "a 32-bit number", err);
  }
  if (!strncmp(text, "u64", n)) {
    p->v.u64 = (uint64_t)number;
    return whole || bad(text, "a whole number", err);
  }
  if (!strncmp(text, "f32", n)) {
    p->v.f32 = strtof(rest, &end);
    return (end != rest && !*end) || bad(text, "a number", err);
  }
  if (!strncmp(text, "graph", n)) {
    const void *data;
    if (!graph) return bad(text, "--graph to be given", err);
    if (!graph_array(graph, rest, &data, &p->bytes))
      return bad(text, "graph:out_row, out_col, out_weight, in_row, in_col or in_weight", err);
    return make_buffer(gpu, p, data, rest, err);
  }
  p->bytes = (uint64_t)number;
  if (!whole || number <= 0 || (strncmp(text, "buf", n) && strncmp(text, "iota", n)))
    return bad(text, "u32, s32, u64, f32, buf:BYTES, iota:BYTES or graph:ARRAY", err);
  return *text == 'b' ? make_buffer(gpu, p, NULL, text, err) : make_iota(gpu, p, text, err);
}

static bool print_buffer(wf_gpu *gpu, const parameter *p, unsigned index, FILE *out,
                         wf_error *err) {
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

bool wf_ptx_run(wf_gpu *gpu, wf_graph *graph, const run_options *o, FILE *out, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(o->ptx, PTX_LIMIT, &bytes, err);
  bool ok = text && wf_gpu_load_ptx(gpu, o->ptx, text, bytes, err);
  free(text);
  parameter params[RUN_MAX_PARAMS] = {0};
  wf_launch_args args = {.kernel = o->kernel, .n_params = o->n_params};
  memcpy(args.grid, o->grid, sizeof args.grid);
  memcpy(args.block, o->block, sizeof args.block);
  for (unsigned i = 0; ok && i < o->n_params; i++) {
    ok = parse_parameter(gpu, graph, o->params[i], &params[i], err);
    args.params[i] = &params[i].v;
  }
  ok = ok && wf_gpu_launch(gpu, &args, err);
  for (unsigned i = 0; ok && i < o->n_params; i++)
    if (params[i].bytes) ok = print_buffer(gpu, &params[i], i, out, err);
  return ok;
}
