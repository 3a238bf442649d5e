/* Directed tests of region_slice: each of the thesis' rules of a line's bits once by itself. Every
 * edge is also compared with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/region/slice/slice_bench.h"

static slice_bench *open_unit(const char *config) {
  return wf_test_open(&slice_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, slice_bench *b, open_unit(config), wf_test_finish)

enum { SET = 5, WAY = 3, MSHR = 7, A = 2, B = 9 };

static slice_answer op(slice_bench *b, slice_kind kind, unsigned core, bool past, bool keeps) {
  slice_answer a = {0};
  ok(b, slice_bench_ask(b,
                        &(slice_op){.kind = kind,
                                    .set = SET,
                                    .way = WAY,
                                    .mshr = MSHR,
                                    .core = core,
                                    .asks = kind <= SLICE_JOIN,
                                    .past = past,
                                    .keeps = keeps},
                        &a));
  return a;
}

static slice_answer hit(slice_bench *b, unsigned core, bool keeps) {
  return op(b, SLICE_HIT, core, false, keeps);
}

static void bits(slice_answer a, bool shared, bool own, bool leaves) {
  assert_true(a.valid);
  assert_int_equal(a.shared, shared);
  assert_int_equal(a.own, own);
  assert_int_equal(a.leaves, leaves);
  assert_false(a.past);
}

TEST(own_hits_are_private_others_shared, "paper") {
  assert_false(op(b, SLICE_MISS, A, false, true).past);
  op(b, SLICE_FILL, 0, false, false);
  bits(hit(b, A, true), false, true, false);
  bits(hit(b, B, true), true, true, false);
  bits(hit(b, A, true), true, true, false); /* both stay */
  op(b, SLICE_MISS, B, false, true);
  op(b, SLICE_FILL, 0, false, false);
  bits(hit(b, A, true), true, false, false); /* another line now, which B brought */
}

TEST(what_was_sent_back_leaves_for_its_core, "paper") {
  op(b, SLICE_VICTIM, A, false, false);
  bits(hit(b, B, true), true, false, false); /* stays for another */
  bits(hit(b, A, false), true, true, false); /* and where the L1 does not keep it */
  bits(hit(b, A, true), true, true, true);
  op(b, SLICE_STORE, A, false, false);
  bits(hit(b, A, true), false, true, false); /* no L1 sent it */
}

TEST(merges_make_a_line_shared, "paper") {
  assert_true(op(b, SLICE_MISS, A, true, true).past);
  const slice_answer own = op(b, SLICE_JOIN, A, false, true);
  assert_false(own.shared || own.past); /* this one wants a way */
  const slice_answer other = op(b, SLICE_JOIN, B, true, true);
  assert_true(other.shared && other.past);
  op(b, SLICE_FILL, 0, false, false);
  bits(hit(b, A, true), true, true, false);
}

int main(void) {
  static const char *const wrong[] = {"Sets=1",     "Sets=4097",  "Ways=0",
                                      "Ways=17",    "Mshrs=1",    "Mshrs=1025",
                                      "CoreBits=0", "CoreBits=9", "CounterBits=65"};
  const struct CMUnitTest tests[] = {cmocka_unit_test(own_hits_are_private_others_shared),
                                     cmocka_unit_test(what_was_sent_back_leaves_for_its_core),
                                     cmocka_unit_test(merges_make_a_line_shared)};
  WF_TEST_REFUSED(&slice_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
