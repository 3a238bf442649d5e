/* Where a launch's rows come from: calls of the program, which stay until they are taken back, or
 * the kernel's code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "sim/units/teleport/teleport_rows.h"

static const char text[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
    ".reg .b32 %r<20>;\n.reg .b64 %rd<9>;\nmov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 "
    "%r4, %tid.x;\nmad.lo.u32 %r1, %r2, %r3, %r4;\nld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, "
    "%r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\nld.global.u32 %r5, [%rd2];\nst.global.u32 "
    "[%rd2+65536], %r5;\nret;\n}\n";

typedef struct bench {
  ptx_module *module;
  uint64_t out;
  ptx_launch launch;
  teleport_rows *rows;
} bench;

static teleport_rows *create(const teleport_rows_settings *settings, wf_error *err) {
  const ptx_affine_table table = {
      .rows = 64, .line_bytes = 128, .size_bits = 8, .prod_bits = 24, .addr_bits = 32};
  return teleport_rows_create(settings, &table, err);
}

static void open_bench(bench *b, teleport_rows_settings settings) {
  wf_error err = {0};
  *b = (bench){.out = 0x20000, .rows = create(&settings, &err)};
  b->module = ptx_parse_text("test", text, sizeof text - 1, NULL, 0, &err);
  if (!b->rows || !b->module) fail_msg("%s", err.text);
  b->launch = (ptx_launch){.kernel = ptx_find_kernel(b->module, "k", &err),
                           .params = (const uint8_t *)&b->out,
                           .ntid = {64, 1, 1},
                           .nctaid = {2, 1, 1}};
}

static void close_bench(bench *b) {
  teleport_rows_destroy(b->rows);
  ptx_module_destroy(b->module);
}

static const teleport_row_list *find(bench *b) {
  wf_error err = {0};
  if (!teleport_rows_find(b->rows, &b->launch, &err)) fail_msg("%s", err.text);
  return teleport_rows_list(b->rows);
}

static void of_the_program(void **state) {
  (void)state;
  bench b;
  open_bench(&b, (teleport_rows_settings){.from = TELEPORT_ROWS_API});
  const wf_preload_row row[3] = {{.base = 1}, {.base = 2, .max = {1, 2, 3}}, {.base = 3}};
  teleport_rows_set(b.rows, &row[0]);
  teleport_rows_set(b.rows, NULL);
  teleport_rows_set(b.rows, &row[1]);
  teleport_rows_set(b.rows, &row[2]);
  for (unsigned launch = 0; launch < 2; launch++) { /* they stay until they are taken back */
    assert_int_equal(find(&b)->n, 2);
    assert_memory_equal(find(&b)->rows, &row[1], 2 * sizeof row[0]);
  }
  teleport_rows_set(b.rows, NULL);
  assert_int_equal(find(&b)->n, 0);
  close_bench(&b);
}

static void of_the_code(void **state) {
  (void)state;
  bench b;
  open_bench(&b, (teleport_rows_settings){.waste = 4});
  const teleport_row_list *list = find(&b);
  assert_int_equal(list->n, 1);
  assert_int_equal(list->rows[0].base, b.out);
  assert_int_equal(list->rows[0].min[0] * (int)list->rows[0].element_bytes, 256);
  close_bench(&b);
  open_bench(&b,
             (teleport_rows_settings){.waste = 4, .read_only = true}); /* it writes what it reads */
  assert_int_equal(find(&b)->n, 0);
  close_bench(&b);
  open_bench(&b, (teleport_rows_settings){.from = TELEPORT_ROWS_NONE});
  assert_int_equal(find(&b)->n, 0);
  close_bench(&b);
}

static void no_such_file(void **state) {
  (void)state;
  wf_error err = {0};
  assert_null(create(&(teleport_rows_settings){.table = "/nowhere"}, &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_the_program),
      cmocka_unit_test(of_the_code),
      cmocka_unit_test(no_such_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
