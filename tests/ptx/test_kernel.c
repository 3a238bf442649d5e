/* Kernels as clang compiles them, run on a small SIMT machine of one warp at a time, against C.
 * The kernels are compiled when the test runs; without clang the test fails, not skips. */
#include <math.h>

#include "tests/ptx/lane_harness.h"

static const char source[] =
    "#define KERNEL extern \"C\" __attribute__((global)) void\n"
    "#define tid __nvvm_read_ptx_sreg_tid_x()\n"
    "#define block __nvvm_read_ptx_sreg_ctaid_x()\n"
    "#define threads __nvvm_read_ptx_sreg_ntid_x()\n"
    "__attribute__((device)) static int helper(int x) { return x * 3 + 1; }\n"
    "__attribute__((constant)) float scale[4] = {1, 2, 4, 8};\n"
    "__attribute__((device)) unsigned total;\n"
    /* Rows of different lengths: a divergent loop with gathers. */
    "KERNEL rank(const int *__restrict__ row, const int *__restrict__ column,\n"
    "            const float *__restrict__ value, float *out, int n) {\n"
    "  int i = block * threads + tid;\n"
    "  if (i >= n) return;\n"
    "  float sum = 0;\n"
    "  for (int e = row[i]; e < row[i + 1]; e++) {\n"
    "    int c = column[e];\n"
    "    if (c == i) continue;\n"
    "    if (c > 90) { sum += 100; break; }\n"
    "    sum += value[c] / (float)(row[c + 1] - row[c] + 1) * scale[c & 3];\n"
    "  }\n"
    "  out[i] = 0.15f + 0.85f * sum;\n"
    "}\n"
    /* Nested loops, 64-bit arithmetic, a switch, shorts and bytes, atomics. */
    "KERNEL mixed(const unsigned char *bytes, short *shorts, long long *wide, double *reals, int "
    "n) {\n"
    "  int i = block * threads + tid;\n"
    "  if (i >= n) return;\n"
    "  long long x = i * 1000003LL; int steps = 0;\n"
    "  for (int k = 0; k < (bytes[i] & 7); k++)\n"
    "    for (long long y = x & 15; y > 0; y -= 3) { x = x * 31 + y / (k + 1); steps++; }\n"
    "  switch (bytes[i] & 3) {\n"
    "  case 0: x ^= 0x123456789abcdefLL; break;\n"
    "  case 1: x = x % 12345; break;\n"
    "  case 2: x = helper((int)x); break;\n"
    "  default: x >>= 3; }\n"
    "  wide[i] = x; shorts[i] = (short)(steps * 7 - bytes[i]);\n"
    "  reals[i] = (double)x / 3.0 + __builtin_sqrt((double)i);\n"
    "  __nvvm_atom_add_gen_i((int *)&total, steps);\n"
    "}\n"
    /* Tree reduction in shared memory. */
    "KERNEL reduce(const int *in, int *out) {\n"
    "  __attribute__((shared)) static int part[32];\n"
    "  part[tid] = in[block * 32 + tid];\n"
    "  __syncthreads();\n"
    "  for (int step = 16; step > 0; step >>= 1) {\n"
    "    if (tid < step) part[tid] += part[tid + step];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  if (tid == 0) out[block] = part[0];\n"
    "}\n"
    /* A local array indexed at run time. */
    "KERNEL sorted(int *data) {\n"
    "  int own[8];\n"
    "  for (int k = 0; k < 8; k++) own[k] = data[(block * 32 + tid) * 8 + k];\n"
    "  for (int a = 1; a < 8; a++)\n"
    "    for (int b = a; b > 0 && own[b - 1] > own[b]; b--) {\n"
    "      int t = own[b]; own[b] = own[b - 1]; own[b - 1] = t; }\n"
    "  for (int k = 0; k < 8; k++) data[(block * 32 + tid) * 8 + k] = own[k];\n"
    "}\n";

static ptx_module *compile(const char *optimise) {
  char directory[] = "/tmp/ptx-test-XXXXXX", path[64], command[512];
  wf_error err = {0};
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/k.cu", directory);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(source, f);
  fclose(f);
  snprintf(command, sizeof command,
           "clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib %s -S "
           "-Wno-unknown-cuda-version %s -o %s/k.ptx",
           optimise, path, directory);
  assert_int_equal(system(command), 0);
  snprintf(path, sizeof path, "%s/k.ptx", directory);
  ptx_module *m = ptx_parse_file(path, NULL, 0, &err);
  if (!m) fail_msg("%s", err.text);
  snprintf(command, sizeof command, "rm -r %s", directory);
  assert_int_equal(system(command), 0);
  return m;
}

/* ---- one warp, with a reconvergence stack ---- */
typedef struct frame {
  ptx_pc pc, reconverge;
  uint32_t mask;
} frame;

static void run_warp(const ptx_kernel *k, ptx_warp *warp) {
  frame stack[64];
  uint32_t depth = 0, left = 0;
  ptx_effect e;
  wf_error err = {0};
  stack[0] = (frame){0, k->n_insts, warp->valid};
  for (uint64_t step = 0;; step++) {
    frame *top = &stack[depth];
    if (step > 1000000) fail_msg("kernel %s does not end", k->name);
    if (top->pc == top->reconverge || (top->mask & ~left) == 0) {
      if (depth == 0) return;
      depth--;
      continue;
    }
    const ptx_inst *inst = &k->insts[top->pc];
    const uint32_t mask = top->mask & ~left;
    if (!ptx_execute(inst, warp, mask, &e, &err)) fail_msg("%s", err.text);
    if (inst->cls == PTX_CLASS_EXIT) left |= e.active;
    const uint32_t stay = mask & ~e.taken;
    if (e.taken == 0 || stay == 0) {
      top->pc = e.taken ? inst->target : top->pc + 1;
      continue;
    }
    const ptx_pc next = top->pc + 1;
    assert_true(depth + 2 < sizeof stack / sizeof *stack);
    top->pc = inst->reconverge;
    stack[++depth] = (frame){next, inst->reconverge, stay};
    stack[++depth] = (frame){inst->target, inst->reconverge, e.taken};
  }
}

enum { DEVICE_BYTES = 1 << 20, BASE = 0x10000, BLOCKS = 4 };

typedef struct device {
  ptx_module *module;
  uint8_t *memory;
  uint64_t used;
} device;

static uint64_t device_alloc(device *d, const void *data, size_t bytes) {
  const uint64_t at = (d->used + 255) & ~(uint64_t)255;
  d->used = at + bytes;
  assert_true(d->used <= DEVICE_BYTES);
  if (data) memcpy(d->memory + at, data, bytes);
  return BASE + at;
}

static device device_create(const char *optimise) {
  device d = {.module = compile(optimise), .memory = calloc(1, DEVICE_BYTES)};
  size_t bytes;
  ptx_module_globals(d.module, &bytes);
  const uint64_t at = device_alloc(&d, NULL, bytes);
  ptx_module_place(d.module, at);
  memcpy(d.memory + at - BASE, ptx_module_globals(d.module, &bytes), bytes);
  return d;
}

static void device_destroy(device *d) {
  ptx_module_destroy(d->module);
  free(d->memory);
}

/* Blocks of 32 threads. */
static void launch(device *d, const char *name, const void *params, size_t bytes) {
  wf_error err = {0};
  const ptx_kernel *k = ptx_find_kernel(d->module, name, &err);
  if (!k) fail_msg("%s", err.text);
  assert_int_equal(k->param_bytes, bytes);
  ptx_launch l = {.kernel = k,
                  .params = params,
                  .ntid = {32, 1, 1},
                  .nctaid = {BLOCKS, 1, 1},
                  .global = d->memory,
                  .global_base = BASE,
                  .global_bytes = DEVICE_BYTES};
  ptx_warp w = {.launch = &l, .valid = UINT32_MAX, .shared_limit = k->shared_bytes};
  w.reg = aligned_alloc(64, k->n_regs * sizeof *w.reg);
  w.pred = calloc(k->n_preds + 1, sizeof *w.pred);
  w.shared = calloc(1, k->shared_bytes + 1);
  w.local = calloc(32, k->local_bytes + 1);
  for (w.ctaid[0] = 0; w.ctaid[0] < BLOCKS; w.ctaid[0]++) {
    memset(w.reg, 0xa5, k->n_regs * sizeof *w.reg);
    run_warp(k, &w);
  }
  free(w.reg);
  free(w.pred);
  free(w.shared);
  free(w.local);
}

static void check_rank(const char *optimise) {
  enum { N = 100 };
  static int row[N + 1], column[N * 12];
  static float value[N], expected[N];
  const float scale[] = {1, 2, 4, 8};
  wf_rng rng;
  wf_rng_seed(&rng, 5);
  for (int i = 0; i < N; i++) {
    row[i + 1] = row[i] + (int)wf_rng_below(&rng, 12);
    for (int e = row[i]; e < row[i + 1]; e++) column[e] = (int)wf_rng_below(&rng, N);
    value[i] = (float)wf_rng_unit(&rng);
  }
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int e = row[i]; e < row[i + 1]; e++) {
      const int c = column[e];
      if (c == i) continue;
      if (c > 90) {
        sum += 100;
        break;
      }
      const float share = value[c] / (float)(row[c + 1] - row[c] + 1);
      sum = fmaf(share, scale[c & 3], sum);
    }
    expected[i] = fmaf(0.85f, sum, 0.15f);
  }
  device d = device_create(optimise);
  const struct {
    uint64_t row, column, value, out;
    int n;
  } params = {device_alloc(&d, row, sizeof row), device_alloc(&d, column, sizeof column),
              device_alloc(&d, value, sizeof value), device_alloc(&d, NULL, sizeof expected), N};
  launch(&d, "rank", &params, 36);
  const float *out = (const float *)(d.memory + params.out - BASE);
  for (int i = 0; i < N; i++) /* clang may or may not contract to fma */
    if (fabsf(out[i] - expected[i]) > 1e-5f * fabsf(expected[i]))
      fail_msg("row %d: %g, should be %g", i, (double)out[i], (double)expected[i]);
  device_destroy(&d);
}

static void check_mixed(const char *optimise) {
  enum { N = 120 };
  unsigned char bytes[N];
  wf_rng rng;
  wf_rng_seed(&rng, 6);
  for (int i = 0; i < N; i++) bytes[i] = (unsigned char)wf_rng_next(&rng);
  device d = device_create(optimise);
  const struct {
    uint64_t bytes, shorts, wide, reals;
    int n;
  } params = {device_alloc(&d, bytes, sizeof bytes), device_alloc(&d, NULL, N * 2),
              device_alloc(&d, NULL, N * 8), device_alloc(&d, NULL, N * 8), N};
  launch(&d, "mixed", &params, 36);
  unsigned total = 0;
  for (int i = 0; i < N; i++) {
    long long x = i * 1000003LL;
    int steps = 0;
    for (int k = 0; k < (bytes[i] & 7); k++)
      for (long long y = x & 15; y > 0; y -= 3) {
        x = (int64_t)((uint64_t)x * 31 + (uint64_t)(y / (k + 1)));
        steps++;
      }
    switch (bytes[i] & 3) {
    case 0:
      x ^= 0x123456789abcdefLL;
      break;
    case 1:
      x = x % 12345;
      break;
    case 2:
      x = (int)((unsigned)x * 3 + 1);
      break;
    default:
      x >>= 3;
    }
    const double real = (double)x / 3.0 + sqrt((double)i);
    assert_int_equal(((long long *)(d.memory + params.wide - BASE))[i], x);
    assert_int_equal(((short *)(d.memory + params.shorts - BASE))[i],
                     (short)(steps * 7 - bytes[i]));
    assert_true(((double *)(d.memory + params.reals - BASE))[i] == real);
    total += (unsigned)steps;
  }
  uint64_t address;
  size_t size;
  assert_true(ptx_module_symbol(d.module, "total", &address, &size));
  assert_int_equal(*(unsigned *)(d.memory + address - BASE), total);
  device_destroy(&d);
}

static void check_reduce_and_sort(const char *optimise) {
  enum { N = BLOCKS * 32 };
  int in[N], data[N * 8];
  wf_rng rng;
  wf_rng_seed(&rng, 8);
  for (int i = 0; i < N; i++) in[i] = (int)wf_rng_next(&rng) >> 8;
  for (int i = 0; i < N * 8; i++) data[i] = (int)wf_rng_below(&rng, 100);
  device d = device_create(optimise);
  const struct {
    uint64_t in, out;
  } params = {device_alloc(&d, in, sizeof in), device_alloc(&d, NULL, BLOCKS * 4)};
  launch(&d, "reduce", &params, 16);
  for (int b = 0; b < BLOCKS; b++) {
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += in[32 * b + i];
    assert_int_equal(((int *)(d.memory + params.out - BASE))[b], sum);
  }
  const uint64_t sorted = device_alloc(&d, data, sizeof data);
  launch(&d, "sorted", &sorted, 8);
  const int *result = (const int *)(d.memory + sorted - BASE);
  for (int i = 0; i < N; i++) {
    int sum_before = 0, sum_after = 0;
    for (int k = 0; k < 8; k++) {
      sum_before += data[8 * i + k] * data[8 * i + k];
      sum_after += result[8 * i + k] * result[8 * i + k];
      if (k) assert_true(result[8 * i + k - 1] <= result[8 * i + k]);
    }
    assert_int_equal(sum_before, sum_after);
  }
  device_destroy(&d);
}

static void test_optimised(void **state) {
  (void)state;
  check_rank("-O2");
  check_mixed("-O2");
  check_reduce_and_sort("-O2");
}

/* Rolled loops and other shapes. */
static void test_less_optimised(void **state) {
  (void)state;
  check_rank("-O1 -fno-unroll-loops");
  check_mixed("-O1 -fno-unroll-loops");
  check_reduce_and_sort("-O1 -fno-unroll-loops");
}

static void test_fast_math(void **state) {
  (void)state;
  check_rank("-O3 -ffast-math -fcuda-flush-denormals-to-zero");
  check_reduce_and_sort("-O3 -ffast-math -fcuda-flush-denormals-to-zero");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_optimised),
      cmocka_unit_test(test_less_optimised),
      cmocka_unit_test(test_fast_math),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
