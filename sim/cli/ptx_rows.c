#include "sim/cli/ptx_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/cli/kernel_param.h"

enum { FIRST_BUFFER = 0x10000 };

/* ---- options ---- */
static bool parse_extent(const char *name, const char *text, uint32_t extent[3], wf_error *err) {
  const char *at = text;
  for (int d = 0; d < 3; d++) extent[d] = 1;
  for (int d = 0; d < 3; d++) {
    char *end;
    const long n = strtol(at, &end, 10);
    if (end == at || n < 1 || n > 0xffff || (*end && *end != ',') || (*end && d == 2)) break;
    extent[d] = (uint32_t)n;
    if (!*end) return true;
    at = end + 1;
  }
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s %s: expected X[,Y[,Z]], each from 1 to 65535", name,
                 text);
}

static bool parse_relax(const char *text, unsigned *relax, wf_error *err) {
  static const char *const names[] = {"loops", "choices", "operators"};
  for (const char *at = text; *at;) {
    const size_t n = strcspn(at, ",");
    int k = 0;
    while (k < 3 && (strlen(names[k]) != n || memcmp(at, names[k], n) != 0)) k++;
    if (k == 3)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--relax %s: expected some of loops,choices,operators",
                     text);
    *relax |= 1u << k;
    at += n + (at[n] == ',');
  }
  return true;
}

static bool parse_bits(const char *text, ptx_affine_table *t, wf_error *err) {
  long products = 0, address = 0;
  char *end = NULL;
  products = strtol(text, &end, 10);
  if (*end == ',') address = strtol(end + 1, &end, 10);
  if (*end || products < 2 || products > 32 || address < 8 || address > 64)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--bits %s: expected PRODUCTS,ADDRESS, e.g. 16,32 (2..32, 8..64)", text);
  t->prod_bits = (uint32_t)products;
  t->addr_bits = (uint32_t)address;
  return true;
}

bool wf_ptx_rows_option(wf_ptx_rows_options *o, const char *name, const char *value, bool *taken,
                        wf_error *err) {
  static const char *const names[] = {"--grid", "--block", "--relax", "--bits", "--param"};
  *taken = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) *taken |= !strcmp(name, names[i]);
  if (!*taken) return true;
  if (!value) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s expects a value", name);
  if (!strcmp(name, "--grid")) return parse_extent(name, value, o->grid, err);
  if (!strcmp(name, "--block")) return parse_extent(name, value, o->block, err);
  if (!strcmp(name, "--relax")) return parse_relax(value, &o->table.relax, err);
  if (!strcmp(name, "--bits")) return parse_bits(value, &o->table, err);
  if (o->n_params == WF_PTX_ROWS_PARAMS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--param: at most %d", WF_PTX_ROWS_PARAMS);
  o->params[o->n_params++] = value;
  return true;
}

/* ---- parameters ---- */
/* Buffers lie one behind the other from 64 KiB on, as the loader would place them. */
static bool fill_params(const ptx_kernel *k, const wf_ptx_rows_options *o, uint8_t *params,
                        wf_error *err) {
  uint64_t free_address = FIRST_BUFFER;
  wf_kernel_param given[WF_PTX_ROWS_PARAMS] = {0};
  bool ok = wf_kernel_params_parse(k, o->params, o->n_params, given, err);
  for (unsigned i = 0; ok && i < o->n_params; i++) {
    if (given[i].kind == WF_KERNEL_GRAPH)
      ok = wf_fail(err, WF_EXIT_BAD_INPUT, "--param %s: there is no graph here", o->params[i]);
    const void *from =
        given[i].kind == WF_KERNEL_VALUE ? (const void *)given[i].value : &free_address;
    memcpy(params + k->params[i].offset, from, k->params[i].bytes);
    free_address += (given[i].memory_bytes + 255) / 256 * 256;
  }
  wf_kernel_params_free(given, o->n_params);
  return ok;
}

/* ---- output ---- */
static void print_row(const wf_preload_row *r) {
  printf("  cudaSetCTATracker(0x%" PRIx64 ", %u,  %d, %d, %d, %d,  %d, %d, %d, %d);\n", r->base,
         r->element_bytes, r->min[0], r->min[1], r->min[2], r->min_offset, r->max[0], r->max[1],
         r->max[2], r->max_offset);
}

bool wf_ptx_rows_print(const ptx_affine *a, const wf_ptx_rows_options *o, wf_error *err) {
  const ptx_kernel *k = ptx_affine_kernel(a);
  uint32_t n;
  const ptx_affine_load *loads = ptx_affine_loads(a, &n);
  uint8_t *params = wf_calloc(k->param_bytes + 8u, 1);
  ptx_affine_fate *fates = wf_calloc((size_t)n + 1, sizeof *fates);
  wf_preload_row rows[WF_PRELOAD_ROWS];
  const bool fine = fill_params(k, o, params, err);
  if (fine) {
    const ptx_affine_made made =
        ptx_affine_rows(a, o->grid, o->block, params, &o->table, rows, fates);
    printf(
        "  rows: %u, %" PRIu64
        " bytes for thread block 0; base, element, products and offset of the first, of the last\n",
        made.rows, made.bytes);
    for (uint32_t i = 0; i < made.rows; i++) print_row(&rows[i]);
    for (uint32_t i = 0; i < n; i++)
      if (fates[i].reason[0])
        printf("  line %u: %u rows: %s\n", loads[i].line, fates[i].rows, fates[i].reason);
  }
  free(params);
  free(fates);
  return fine;
}
