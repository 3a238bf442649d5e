#include "sim/cli/kernel_param.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_options.h"

static bool bad(const char *text, const char *expected, wf_error *err) {
  return wf_fail(err, WF_EXIT_BAD_INPUT, "--param %s: expected %s", text, expected);
}

/* ".u32 n", ".b8 pair[12]" */
static bool does_not_fit(const char *text, const ptx_param *p, wf_error *err) {
  char extent[24] = "";
  const bool array = p->bytes != ptx_type_bytes(p->type);
  if (array) snprintf(extent, sizeof extent, "[%u]", p->bytes / ptx_type_bytes(p->type));
  return wf_fail(
      err, WF_EXIT_BAD_INPUT,
      "--param %s: the kernel declares .%s %s%s, %u bytes; hex:DIGITS gives any parameter "
      "its bytes, in memory's order",
      text, ptx_type_name(p->type), p->name, extent, p->bytes);
}

static bool is_scalar(const ptx_param *p, unsigned bytes, const char *kinds) {
  return p->bytes == bytes && ptx_type_bytes(p->type) == bytes &&
         strchr(kinds, ptx_type_kind(p->type));
}

static uint64_t ones(unsigned bits) {
  return UINT64_MAX >> (64 - bits);
}

/* A kind's values as wide as the declaration; of a signed one none that it would read as negative.
 */
static bool take_unsigned(const char *text, const char *number, const ptx_param *p, uint8_t *to,
                          wf_error *err) {
  uint64_t v;
  const uint64_t most = ones(8 * p->bytes - (ptx_type_kind(p->type) == 's'));
  if (!wf_parse_u64(number, &v) || v > most)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--param %s: for .%s %s expected a whole number 0..%" PRIu64, text,
                   ptx_type_name(p->type), p->name, most);
  memcpy(to, &v, p->bytes);
  return true;
}

static bool take_signed(const char *text, const char *number, const ptx_param *p, uint8_t *to,
                        wf_error *err) {
  long v;
  const int64_t most = (int64_t)ones(8 * p->bytes - 1);
  if (!wf_parse_long(number, &v) || v > most || v < -most - 1)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--param %s: for .%s %s expected a whole number %" PRId64 "..%" PRId64, text,
                   ptx_type_name(p->type), p->name, -most - 1, most);
  memcpy(to, &v, p->bytes);
  return true;
}

static bool take_number(const char *text, const char *number, const ptx_param *p, bool wide,
                        uint8_t *to, wf_error *err) {
  if (!is_scalar(p, p->bytes, "usb") || (wide ? p->bytes != 8 : p->bytes > 4))
    return does_not_fit(text, p, err);
  return *text == 'u' ? take_unsigned(text, number, p, to, err)
                      : take_signed(text, number, p, to, err);
}

static bool take_real(const char *text, const char *number, const ptx_param *p, bool wide,
                      uint8_t *to, wf_error *err) {
  char *end;
  const double real = strtod(number, &end);
  const float single = strtof(number, NULL);
  if (end == number || *end) return bad(text, "a number", err);
  const bool infinite = isinf(wide ? real : (double)single) && !strpbrk(number, "iI"); /* inf */
  if (infinite) return bad(text, wide ? "at most 1.797e308" : "at most 3.402e38", err);
  if (!is_scalar(p, wide ? 8 : 4, "fb")) return does_not_fit(text, p, err);
  memcpy(to, wide ? (const void *)&real : (const void *)&single, p->bytes);
  return true;
}

static bool take_hex(const char *text, const char *digits, const ptx_param *p, uint8_t *to,
                     wf_error *err) {
  const size_t n = strlen(digits);
  if (strspn(digits, "0123456789abcdefABCDEF") != n) return bad(text, "hexadecimal digits", err);
  if (n != 2 * (size_t)p->bytes) return does_not_fit(text, p, err);
  for (size_t i = 0; i < p->bytes; i++) {
    const char byte[] = {digits[2 * i], digits[2 * i + 1], 0};
    to[i] = (uint8_t)strtoul(byte, NULL, 16);
  }
  return true;
}

/* May it hold a pointer? */
static bool is_pointer(const ptx_kernel *k, const ptx_param *p) {
  return is_scalar(p, k->narrow ? 4 : 8, "usb");
}

static bool take_memory(const ptx_kernel *k, const char *text, const char *rest, const ptx_param *p,
                        wf_kernel_param *g, wf_error *err) {
  long bytes = 0;
  g->array = rest;
  if (g->kind != WF_KERNEL_GRAPH && (!wf_parse_long(rest, &bytes) || bytes <= 0))
    return bad(text, "a number of bytes, 1 or more", err);
  g->memory_bytes = (uint64_t)bytes;
  return is_pointer(k, p) || does_not_fit(text, p, err);
}

const char *wf_kernel_param_path(const char *text) {
  return strncmp(text, "file:", 5) == 0 ? text + 5 : NULL;
}

enum { FILE_LIMIT = 1 << 30 };

static bool take_file(const ptx_kernel *k, const char *text, const ptx_param *p, wf_kernel_param *g,
                      wf_error *err) {
  size_t bytes;
  if (!is_pointer(k, p)) return does_not_fit(text, p, err);
  g->data = wf_file_read(wf_kernel_param_path(text), FILE_LIMIT, &bytes, err);
  g->memory_bytes = g->data ? bytes : 0;
  return g->data && (bytes || bad(text, "a file that is not empty", err));
}

static bool parse(const ptx_kernel *k, const char *text, const ptx_param *p, wf_kernel_param *g,
                  wf_error *err) {
  static const char *const kinds[] = {
      "u32:", "s32:", "u64:", "s64:", "f32:", "f64:", "hex:", "buf:", "iota:", "graph:", "file:"};
  static const wf_kernel_param_kind memory[] = {WF_KERNEL_BUFFER, WF_KERNEL_IOTA, WF_KERNEL_GRAPH,
                                                WF_KERNEL_FILE};
  enum { U32, S32, U64, S64, F32, F64, HEX, BUF, IOTA, GRAPH, FILES, KINDS };
  unsigned kind = 0;
  while (kind < KINDS && strncmp(text, kinds[kind], strlen(kinds[kind]))) kind++;
  if (kind == KINDS)
    return bad(text,
               "KIND:VALUE, KIND one of u32, s32, u64, s64, f32, f64, hex, buf, iota, graph and "
               "file",
               err);
  const char *rest = text + strlen(kinds[kind]);
  if (kind <= S64) return take_number(text, rest, p, kind >= U64, g->value, err);
  if (kind <= F64) return take_real(text, rest, p, kind == F64, g->value, err);
  if (kind == HEX) return take_hex(text, rest, p, g->value, err);
  g->kind = memory[kind - BUF];
  return kind == FILES ? take_file(k, text, p, g, err) : take_memory(k, text, rest, p, g, err);
}

bool wf_kernel_params_parse(const ptx_kernel *k, const char *const *texts, unsigned n,
                            wf_kernel_param *given, wf_error *err) {
  if (n != k->n_params)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "kernel %s: %u parameters given, it takes %u", k->name,
                   n, k->n_params);
  for (unsigned i = 0; i < n; i++) {
    given[i].value = wf_calloc(k->params[i].bytes + 8u, 1);
    if (!parse(k, texts[i], &k->params[i], &given[i], err)) return false;
  }
  return true;
}

void wf_kernel_params_free(wf_kernel_param *given, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    free(given[i].value);
    free(given[i].data);
  }
}
