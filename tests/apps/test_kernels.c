/* The kernels in the library: what clang made of them, as far as the fabric relies on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/apps/apps.h"
#include "sim/base/wf_text.h"

/* The text of one kernel, from its .entry to the next; free() it. */
static char *kernel_text(const char *module, const char *kernel) {
  const wf_app_kernels *k = wf_app_kernels_find(module);
  assert_non_null(k);
  char entry[128];
  snprintf(entry, sizeof entry, ".visible .entry %s(", kernel);
  const char *start = strstr(k->ptx, entry);
  if (!start) fail_msg("no kernel %s in %s", kernel, module);
  const char *end = strstr(start + 1, ".visible .entry");
  size_t bytes = end ? (size_t)(end - start) : strlen(start);
  return wf_text("%.*s", (int)bytes, start);
}

static bool has(const char *module, const char *kernel, const char *text) {
  char *body = kernel_text(module, kernel);
  bool found = strstr(body, text) != NULL;
  free(body);
  return found;
}

/* Everything is inlined but the device runtime. */
static bool calls_only_the_runtime(const char *ptx) {
  static const char call[] = "call.uni (retval0), \n\tcudaGetParameterBuffer, \n";
  for (const char *at = ptx; (at = strstr(at, "call.")); at++)
    if (strncmp(at, call, sizeof call - 1) != 0) return false;
  return true;
}

static void modules_are_complete_texts(void **state) {
  (void)state;
  size_t count = 0;
  const wf_app_kernels *k;
  while ((k = wf_app_kernels_at(count))) {
    assert_int_equal(strlen(k->ptx), k->bytes); /* ended by a zero, none inside */
    assert_non_null(strstr(k->ptx, ".target sm_35"));
    assert_null(strstr(k->ptx, "__local_depot")); /* nothing spilled to local memory */
    assert_true(calls_only_the_runtime(k->ptx));
    assert_ptr_equal(wf_app_kernels_find(k->name), k);
    count++;
  }
  assert_int_equal(count, 54);
  assert_null(wf_app_kernels_at(count + 3));
  assert_null(wf_app_kernels_find("none"));
}

static const char *const gathers[][2] = {
    {"pagerank", "pagerank"}, {"sssp", "sssp_gather"}, {"wcc", "wcc_gather"}};
static const char *const scatters[][2] = {
    {"bfs", "bfs"}, {"sssp", "sssp_commit"}, {"wcc", "wcc_commit"}};

static void gather_kernels(void **state) {
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    char name[64];
    for (unsigned unroll = 1; unroll <= 8; unroll *= unroll == 1 ? 4 : 2) {
      snprintf(name, sizeof name, "%s_u%u", gathers[i][1], unroll);
      assert_true(has(gathers[i][0], name, "ld.global.nc"));
    }
  }
}

static void scatter_kernels(void **state) {
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    char name[64];
    for (unsigned v = 0; v < 6; v++) {
      static const unsigned unroll[] = {1, 4, 8};
      snprintf(name, sizeof name, "%s_u%u_%s", scatters[i][1], unroll[v % 3],
               v < 3 ? "test" : "atomic");
      assert_true(has(scatters[i][0], name, "red.global.or.b32"));
    }
  }
}

/* The sum of PageRank must be the reference's, bit for bit: no fused multiply-add, no reordering of
 * the additions behind our back (that would need .ftz or fma forms). */
static void pagerank_arithmetic_is_not_fused(void **state) {
  (void)state;
  static const char *const modules[] = {"pagerank", "pagerank_strategy"};
  for (size_t i = 0; i < 2; i++) {
    const wf_app_kernels *k = wf_app_kernels_find(modules[i]);
    assert_null(strstr(k->ptx, "fma"));
    assert_null(strstr(k->ptx, ".ftz"));
    assert_null(strstr(k->ptx, "approx"));
    assert_non_null(strstr(k->ptx, "add.rn.f32"));
  }
}

static void registry(void **state) {
  (void)state;
  size_t count;
  const wf_app *const *list = wf_app_list(&count);
  assert_int_equal(count, 55);
  wf_error err = {0};
  for (size_t i = 0; i < count; i++) {
    assert_ptr_equal(wf_app_find(list[i]->name, &err), list[i]);
    assert_true(strlen(list[i]->summary) > 10);
    for (const wf_parameter *p = list[i]->options; p->name; p++) {
      assert_ptr_equal(wf_parameters_find(list[i]->options, p->name), p); /* once */
      assert_true(p->low <= p->preset && p->preset <= p->high);
      assert_non_null(p->meaning);
    }
  }
  assert_null(wf_app_find("pagerang", &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "pagerang"));
  assert_non_null(strstr(err.text, "pagerank, bfs, sssp, wcc, chase"));
  assert_non_null(strstr(err.text, "compute, bfs_rodinia"));
  assert_non_null(strstr(err.text, "pre, regx")); /* the list is whole */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modules_are_complete_texts),
      cmocka_unit_test(gather_kernels),
      cmocka_unit_test(scatter_kernels),
      cmocka_unit_test(pagerank_arithmetic_is_not_fused),
      cmocka_unit_test(registry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
