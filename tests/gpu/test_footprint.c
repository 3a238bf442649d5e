/* The footprint probe, against sets of lines counted by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/gpu/footprint.h"

enum { SLOTS = 4 };

static void access(wf_footprint *f, unsigned sm, unsigned slot, const uint32_t *lines, unsigned n) {
  wf_footprint_access(f, sm, slot, lines, n, sizeof *lines);
}

/* Parent 1 2 3 4; children 1 2 | 2 5 | 6: c = {1 2 5 6}, pc = {1 2}. Siblings of the first have
 * {2 5 6}, it has 2 of them; of the second {1 2 6}: 2; of the third {1 2 5}: none. */
static void one_family(void **state) {
  (void)state;
  wf_footprint *f = wf_footprint_create(2, SLOTS);
  const uint32_t parent[] = {4, 1, 3, 2, 1, 4}, first[] = {2, 1, 1}, second[] = {5, 2},
                 third[] = {6};
  wf_footprint_start(f, 1, 3, WF_FOOTPRINT_HOST);
  access(f, 1, 3, parent, 6);
  const uint32_t by = wf_footprint_block(f, 1, 3);
  wf_footprint_start(f, 0, 0, by);
  access(f, 0, 0, first, 3);
  wf_footprint_start(f, 1, 3, by); /* the parent's slot, when it is over */
  access(f, 1, 3, second, 2);
  wf_footprint_start(f, 0, 1, by);
  access(f, 0, 1, third, 1);
  wf_footprint_end(f);
  const wf_footprint_totals t = wf_footprint_get(f);
  assert_int_equal(t.parents, 1);
  assert_int_equal(t.children, 3);
  assert_int_equal(t.pc, 2);
  assert_int_equal(t.c, 4);
  assert_int_equal(t.cos, 2);
  assert_int_equal(t.cs, 9);
  assert_true(fabs(t.parent_child - 0.5) < 1e-12);
  assert_true(fabs(t.child_sibling - 2.0 / 3) < 1e-12);
  assert_true(t.parent_parent == 0);
  wf_footprint_destroy(f);
}

/* A child that is itself a parent; an only child has no siblings; two parents of one host kernel
 * share a line; sums go on over host kernels. */
static void generations(void **state) {
  (void)state;
  wf_footprint *f = wf_footprint_create(1, SLOTS);
  for (uint64_t kernel = 1; kernel <= 2; kernel++) {
    const uint32_t ours[] = {7, 8}, theirs[] = {8, 9};
    wf_footprint_start(f, 0, 0, WF_FOOTPRINT_HOST);
    access(f, 0, 0, ours, 2);
    wf_footprint_start(f, 0, 1, wf_footprint_block(f, 0, 0));
    access(f, 0, 1, theirs, 2);
    wf_footprint_start(f, 0, 2, wf_footprint_block(f, 0, 1));
    access(f, 0, 2, theirs, 1);
    wf_footprint_end(f);
    const wf_footprint_totals t = wf_footprint_get(f);
    assert_int_equal(t.parents, 2 * kernel);
    assert_int_equal(t.children, 0);
    assert_int_equal(t.pc, 2 * kernel);
    assert_int_equal(t.c, 3 * kernel);
    assert_true(fabs(t.parent_child - 1.5 * (double)kernel) < 1e-12);
    /* Both parents have one of the other's two lines. */
    assert_true(fabs(t.parent_parent - (double)kernel) < 1e-12);
  }
  wf_footprint_destroy(f);
}

/* More lines than a block's table begins with, many times the same. */
static void many_lines(void **state) {
  (void)state;
  enum { N = 5000 };
  static uint32_t lines[N];
  wf_footprint *f = wf_footprint_create(1, SLOTS);
  wf_footprint_start(f, 0, 0, WF_FOOTPRINT_HOST);
  wf_footprint_start(f, 0, 1, wf_footprint_block(f, 0, 0));
  for (uint32_t turn = 0; turn < 3; turn++) {
    for (uint32_t i = 0; i < N; i++) lines[i] = i * 7919u % N;
    access(f, 0, 1, lines, N);
    access(f, 0, 0, lines, N / 2);
  }
  wf_footprint_end(f);
  assert_int_equal(wf_footprint_get(f).c, N);
  assert_int_equal(wf_footprint_get(f).pc, N / 2);
  wf_footprint_destroy(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_family), cmocka_unit_test(generations),
                                     cmocka_unit_test(many_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
