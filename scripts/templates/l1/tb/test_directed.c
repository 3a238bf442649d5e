/* Directed tests of foo: each rule of its page once by itself. */
#include "tb/common/wf_test.h"
#include "tb/foo/foo_bench.h"

static foo_bench *open_unit(const char *config) {
  return wf_test_open(&foo_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, foo_bench *b, open_unit(config), wf_test_finish)

static void send(foo_bench *b, const foo_request *r) {
  ok(b, foo_bench_cycle(b, false, r));
  assert_int_equal(wf_port_get(b->p.acc_rsp_valid), 1);
}

TEST(loads_go_through_or_past, "small") {
  for (int past = 0; past < 2; past++) {
    ok(b, foo_bench_rest(b));
    foo_bench_configure(b, past);
    ok(b, foo_bench_cycle(b, true, NULL));
    assert_int_equal(wf_port_get(b->p.ld_rsp_bypass), past);
  }
}

TEST(a_miss_takes_the_oldest_way, "paper") {
  send(b, &(foo_request){.miss = true, .rank = {2, 3, 0, 1}});
  assert_int_equal(wf_port_get(b->p.acc_rsp_way), 1);
  send(b, &(foo_request){.miss = true, .rank = {2, 3, 0, 1}, .reserved = 2});
  assert_int_equal(wf_port_get(b->p.acc_rsp_way), 0);
  send(b, &(foo_request){.miss = true, .rank = {2, 3, 0, 1}, .invalid = 4});
  assert_int_equal(wf_port_get(b->p.acc_rsp_way), 2);
}

TEST(no_way_no_allocation, "small") {
  send(b, &(foo_request){.miss = true, .rank = {1, 0}, .reserved = 3});
  assert_int_equal(wf_port_get(b->p.acc_rsp_alloc), 0);
  send(b, &(foo_request){.rank = {1, 0}});
  assert_int_equal(wf_port_get(b->p.acc_rsp_alloc), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads_go_through_or_past),
                                     cmocka_unit_test(a_miss_takes_the_oldest_way),
                                     cmocka_unit_test(no_way_no_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
