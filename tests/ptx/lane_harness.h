/* Runs one PTX instruction on chosen lanes and operands, and compares each lane with a C function.
 * The instruction stands in a small kernel that loads its operands and old destination from memory,
 * executes it under a random guard (and, every other time, the same mask), and stores the
 * destination. The guard makes the old destination count as needed by the register allocator. */
#ifndef WF_TEST_LANE_HARNESS_H
#define WF_TEST_LANE_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/ptx/ptx.h"

enum { HARNESS_INPUTS = 5, HARNESS_OUTPUTS = 2, HARNESS_MEMORY = 8192, HARNESS_GUARD = 2048 };

/* Expected raw bits of the destination(s), given the operands' raw bits, zero-extended. */
typedef void lane_reference(const uint64_t *x, uint64_t *result);

/* types: one letter per destination, ':', one letter per source: p predicate, h 16 bits, w 32 bits,
 * d 64 bits; upper case: the operand's values come from the floating-point list (F: f32, D: f64,
 * H: f16 or bf16, W: two of them).
 * text: the instruction with $0, $1 .. for destinations and then sources. */
typedef struct lane_case {
  const char *text, *types;
  lane_reference *reference;
} lane_case;

static inline unsigned letter_bytes(char letter) {
  return letter == 'p' ? 0 : letter == 'h' || letter == 'H' ? 2 : strchr("wFW", letter) ? 4 : 8;
}

static inline char letter_register(char letter) {
  return letter == 'p' ? 'p' : "  h w   d"[letter_bytes(letter)];
}

/* Strings one after the other, ending in NULL. */
static inline void join_text(char *out, size_t bytes, ...) {
  va_list args;
  va_start(args, bytes);
  *out = 0;
  for (const char *part; (part = va_arg(args, const char *));)
    strncat(out, part, bytes - strlen(out) - 1);
  va_end(args);
}

typedef struct lane_machine {
  ptx_module *module;
  const ptx_kernel *kernel;
  ptx_launch launch;
  ptx_warp warp;
  uint8_t *memory;
  uint64_t params[1];
} lane_machine;

static inline void machine_create(lane_machine *m, const char *text, uint64_t bytes) {
  static const ptx_custom_op marker[] = {{"test.here", "", 0, 0}};
  wf_error err = {0};
  *m = (lane_machine){0};
  m->module = ptx_parse_text("harness", text, strlen(text), marker, 1, &err);
  if (!m->module) fail_msg("%s\n%s", err.text, text);
  m->kernel = ptx_kernel_at(m->module, 0);
  m->memory = calloc(1, bytes);
  m->params[0] = 0x10000;
  m->launch = (ptx_launch){.kernel = m->kernel,
                           .params = (const uint8_t *)m->params,
                           .ntid = {32, 1, 1},
                           .nctaid = {1, 1, 1},
                           .global = m->memory,
                           .global_base = 0x10000,
                           .global_bytes = bytes};
  const size_t planes = m->kernel->n_regs * sizeof *m->warp.reg;
  m->warp.launch = &m->launch;
  m->warp.reg = aligned_alloc(64, planes);
  memset(m->warp.reg, 0x5a, planes);
  m->warp.pred = calloc(m->kernel->n_preds + 1, sizeof *m->warp.pred);
  m->warp.shared_limit = m->kernel->shared_bytes + 4096;
  m->warp.shared = calloc(1, m->warp.shared_limit);
  m->warp.local = calloc(32, m->kernel->local_bytes + 1);
  m->warp.valid = UINT32_MAX;
}

static inline void machine_destroy(lane_machine *m) {
  free(m->memory);
  free(m->warp.reg);
  free(m->warp.pred);
  free(m->warp.shared);
  free(m->warp.local);
  ptx_module_destroy(m->module);
}

/* Runs the straight-line kernel; the instruction after `test.here` gets the mask, others all lanes.
 */
static inline void machine_run(lane_machine *m, uint32_t mask) {
  ptx_effect effect;
  wf_error err = {0};
  bool here = false;
  for (uint32_t i = 0; i < m->kernel->n_insts; i++) {
    if (!ptx_execute(&m->kernel->insts[i], &m->warp, here ? mask : UINT32_MAX, &effect, &err))
      fail_msg("%s", err.text);
    here = m->kernel->insts[i].cls == PTX_CLASS_CUSTOM;
  }
}

/* ---- the kernel around an instruction ---- */
static inline char *substitute(char *out, const char *text, const char *letters) {
  for (; *text; text++) {
    if (*text != '$') {
      *out++ = *text;
      continue;
    }
    const int k = *++text - '0';
    out += sprintf(out, "%%%c%d", letter_register(letters[k]), k);
  }
  *out = 0;
  return out;
}

static inline char *load_operand(char *out, int k, char letter) {
  if (letter == 'p')
    return out +
           sprintf(out, "ld.global.u32 %%t, [%%base+%d]; setp.ne.u32 %%p%d, %%t, 0;\n", k * 256, k);
  return out + sprintf(out, "ld.global.b%u %%%c%d, [%%base+%d];\n", 8 * letter_bytes(letter),
                       letter_register(letter), k, k * 256);
}

static inline char *store_operand(char *out, int k, char letter) {
  if (letter == 'p')
    return out + sprintf(out, "selp.u32 %%t, 1, 0, %%p%d; st.global.u32 [%%base+%d], %%t;\n", k,
                         4096 + k * 256);
  return out + sprintf(out, "st.global.b%u [%%base+%d], %%%c%d;\n", 8 * letter_bytes(letter),
                       4096 + k * 256, letter_register(letter), k);
}

static inline void kernel_text(char *out, const lane_case *c, const char *letters, int outputs) {
  out +=
      sprintf(out, ".version 3.2\n.target sm_35\n.address_size 64\n.entry k(.param .u64 p0) {\n"
                   ".reg .b16 %%h<8>; .reg .b32 %%w<8>, %%t; .reg .b64 %%d<8>, %%base, %%lane; "
                   ".reg .pred %%p<8>, %%g;\n"
                   "ld.param.u64 %%base, [p0]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%lane, %%t, 8; "
                   "add.u64 %%base, %%base, %%lane;\n");
  for (int k = 0; letters[k]; k++) out = load_operand(out, k, letters[k]);
  out += sprintf(out, "ld.global.u32 %%t, [%%base+%d]; setp.ne.u32 %%g, %%t, 0;\ntest.here;\n@%%g ",
                 HARNESS_GUARD);
  out = substitute(out, c->text, letters);
  out += sprintf(out, "\n");
  for (int k = 0; k < outputs; k++) out = store_operand(out, k, letters[k]);
  sprintf(out, "ret; }\n");
}

/* ---- operand values: edges, then random bits ---- */
static inline uint64_t edge_integer(wf_rng *rng, unsigned bytes) {
  static const uint64_t edges[] = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   8,
                                   15,
                                   16,
                                   30,
                                   31,
                                   32,
                                   33,
                                   63,
                                   64,
                                   65,
                                   127,
                                   128,
                                   255,
                                   256,
                                   0x7fff,
                                   0x8000,
                                   0xffff,
                                   0x10000,
                                   0x7fffffff,
                                   0x80000000,
                                   0x80000001,
                                   0xffffffff,
                                   0x100000000,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0x8000000000000001,
                                   0xfffffffffffffffe,
                                   0xffffffffffffffff,
                                   0xffffffff80000000,
                                   0xffffffffffff8000,
                                   0x5555555555555555};
  uint64_t v = wf_rng_below(rng, 3) ? edges[wf_rng_below(rng, sizeof edges / sizeof *edges)]
                                    : wf_rng_next(rng) >> wf_rng_below(rng, 64);
  if (wf_rng_below(rng, 4) == 0) v = 0 - v;
  return bytes < 8 ? v & (((uint64_t)1 << (8 * bytes)) - 1) : v;
}

static inline uint64_t edge_float(wf_rng *rng, bool twice) {
  static const double edges[] = {0,
                                 1,
                                 2,
                                 0.5,
                                 1.5,
                                 2.5,
                                 3.5,
                                 0.49999997,
                                 1e-3,
                                 127.5,
                                 128,
                                 255.5,
                                 32767.5,
                                 65535.5,
                                 65536,
                                 2147483520,
                                 2147483647,
                                 2147483648.0,
                                 4294967040.0,
                                 4294967295.0,
                                 4294967296.0,
                                 9.2233720368547748e18,
                                 9223372036854775808.0,
                                 18446744073709549568.0,
                                 18446744073709551616.0,
                                 1e30,
                                 3.4028234e38,
                                 1.17549435e-38,
                                 1e-40,
                                 1.4e-45,
                                 1e300,
                                 1e-310,
                                 4.9e-324};
  const uint64_t kind = wf_rng_below(rng, 8);
  double x = edges[wf_rng_below(rng, sizeof edges / sizeof *edges)];
  if (kind == 0) x = __builtin_inf();
  if (kind == 1 && wf_rng_below(rng, 2)) x = __builtin_nan("");
  if (kind == 2) x = (double)(int64_t)(wf_rng_next(rng) >> wf_rng_below(rng, 64)) / 1024;
  if (wf_rng_below(rng, 2)) x = -x;
  uint64_t bits = 0;
  const float f = (float)x;
  if (twice)
    memcpy(&bits, &x, 8);
  else
    memcpy(&bits, &f, 4);
  if (kind == 3) bits = twice ? wf_rng_next(rng) : wf_rng_next(rng) & 0xffffffff;
  return bits;
}

static inline uint64_t edge_half(wf_rng *rng) {
  static const uint16_t edges[] = {0,      1,      2,      0x3ff,  0x400,  0x401,  0x3bff, 0x3c00,
                                   0x3c01, 0x4000, 0x7bff, 0x7c00, 0x7c01, 0x7fff, 0x7f,   0x80,
                                   0x3f80, 0x3f81, 0x7f7f, 0x7f80, 0x7f81, 0x5800, 0x4900, 0x3555};
  uint64_t v = wf_rng_below(rng, 2) ? edges[wf_rng_below(rng, sizeof edges / sizeof *edges)]
                                    : wf_rng_next(rng) & 0xffff;
  return v ^ (wf_rng_below(rng, 2) ? 0x8000 : 0);
}

static inline uint64_t operand_value(wf_rng *rng, char letter) {
  if (letter == 'H') return edge_half(rng);
  if (letter == 'W') return edge_half(rng) << 16 | edge_half(rng);
  if (letter == 'p') return wf_rng_below(rng, 2);
  if (letter == 'F' || letter == 'D') return edge_float(rng, letter == 'D');
  return edge_integer(rng, letter_bytes(letter));
}

static inline uint64_t memory_value(const lane_machine *m, int at, int lane, char letter) {
  uint64_t v = 0;
  memcpy(&v, m->memory + at + 8 * lane, letter == 'p' ? 4 : letter_bytes(letter));
  return v;
}

static inline void check_lane(const lane_machine *m, const lane_case *c, const char *letters,
                              int outputs, int lane, bool active) {
  uint64_t x[HARNESS_INPUTS + HARNESS_OUTPUTS] = {0}, expected[HARNESS_OUTPUTS];
  for (int k = 0; letters[k]; k++) x[k] = memory_value(m, k * 256, lane, letters[k]);
  for (int k = 0; k < outputs; k++) expected[k] = x[k];
  if (active) c->reference(x + outputs, expected);
  for (int k = 0; k < outputs; k++) {
    const uint64_t got = memory_value(m, 4096 + k * 256, lane, letters[k]);
    if (got == expected[k]) continue;
    fail_msg(
        "%s: result %d of lane %d (%s): 0x%llx, should be 0x%llx; sources 0x%llx 0x%llx "
        "0x%llx",
        c->text, k, lane, active ? "active" : "inactive", (unsigned long long)got,
        (unsigned long long)expected[k], (unsigned long long)x[outputs],
        (unsigned long long)(letters[outputs + 1] ? x[outputs + 1] : 0),
        (unsigned long long)(letters[outputs + 1] && letters[outputs + 2] ? x[outputs + 2] : 0));
  }
}

/* rounds: sets of 32 lanes; every fourth with all lanes active. */
static inline void check_case(const lane_case *c, int rounds, uint64_t seed) {
  char letters[8], text[4096];
  const int outputs = (int)(strchr(c->types, ':') - c->types);
  snprintf(letters, sizeof letters, "%.*s%s", outputs, c->types, c->types + outputs + 1);
  kernel_text(text, c, letters, outputs);
  lane_machine m;
  wf_rng rng;
  machine_create(&m, text, HARNESS_MEMORY);
  wf_rng_seed(&rng, seed);
  for (int round = 0; round < rounds; round++) {
    for (int k = 0; letters[k]; k++)
      for (int lane = 0; lane < PTX_LANES; lane++) {
        const uint64_t v = operand_value(&rng, letters[k]);
        memcpy(m.memory + k * 256 + 8 * lane, &v, 8);
      }
    const uint32_t mask = round % 4 == 0 ? UINT32_MAX : (uint32_t)wf_rng_next(&rng);
    for (int lane = 0; lane < PTX_LANES; lane++)
      m.memory[HARNESS_GUARD + 8 * lane] = (uint8_t)((mask >> lane) & 1);
    machine_run(&m, round % 2 ? mask : UINT32_MAX);
    for (int lane = 0; lane < PTX_LANES; lane++)
      check_lane(&m, c, letters, outputs, lane, (mask >> lane) & 1);
  }
  machine_destroy(&m);
}

static inline void check_cases(const lane_case *cases, size_t n) {
  for (size_t k = 0; k < n; k++) check_case(&cases[k], 200, 1 + k);
}

#endif
