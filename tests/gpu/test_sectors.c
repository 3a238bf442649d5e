/* The L1 by sectors, and with stores that stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/gpu/l1.h"

typedef struct bench {
  wf_gpu_config config;
  wf_l1_counters counters;
  wf_l1 *l1;
  wf_l1_fetch fetch; /* of the last miss */
} bench;

static void begin(bench *b, bool sectored, bool write_keep) {
  wf_error err = {0};
  *b = (bench){0};
  if (!wf_gpu_config_load(&b->config, "gtx480", &err)) fail_msg("%s", err.text);
  b->config.l1_sectored = sectored;
  b->config.l1_write_keep = write_keep;
  b->config.l1_mshrs = 2;
  b->config.l1_mshr_merge = 3;
  b->l1 = wf_l1_create(&b->config, &b->counters);
}

static wf_l1_result load(bench *b, uint32_t line, uint8_t sectors, uint16_t load, bool can_send) {
  const wf_l1_request r = {
      .line = line, .sectors = sectors, .load = load, .may_allocate = true, .can_send = can_send};
  return wf_l1_load(b->l1, &r, &b->fetch);
}

static unsigned fill(bench *b, wf_l1_fetch f, uint16_t loads[3]) {
  unsigned n;
  const uint16_t *done = wf_l1_fill(b->l1, f.mshr, f.sectors, &n);
  for (unsigned i = 0; i < n; i++) loads[i] = done[i];
  return n;
}

static void further_sectors_are_fetched_by_themselves(void **state) {
  (void)state;
  bench b;
  uint16_t loads[3];
  begin(&b, true, false);
  assert_int_equal(load(&b, 5, 0x1, 10, true), WF_L1_MISS);
  wf_l1_fetch first = b.fetch;
  assert_int_equal(first.sectors, 0x1);
  assert_int_equal(load(&b, 5, 0x1, 11, false),
                   WF_L1_MERGED); /* already asked for: nothing to send */
  assert_int_equal(load(&b, 5, 0x3, 12, false), WF_L1_STALL); /* sector 1 must be asked for */
  assert_int_equal(load(&b, 5, 0x3, 12, true), WF_L1_MISS);
  wf_l1_fetch second = b.fetch;
  assert_int_equal(second.mshr, first.mshr);
  assert_int_equal(second.sectors, 0x2);
  assert_int_equal(load(&b, 5, 0x1, 13, true), WF_L1_STALL); /* three wait: no place */
  assert_int_equal(fill(&b, second, loads), 0);              /* load 12 waits for sector 0, too */
  assert_int_equal(fill(&b, first, loads), 3);
  assert_int_equal(loads[0], 10);
  assert_int_equal(loads[2], 12);
  assert_true(wf_l1_idle(b.l1));
  assert_int_equal(load(&b, 5, 0x3, 14, false), WF_L1_HIT);
  assert_int_equal(load(&b, 5, 0x4, 14, true),
                   WF_L1_MISS); /* the line is there, the sector is not */
  assert_int_equal(load(&b, 5, 0x2, 15, false), WF_L1_HIT); /* under that miss */
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_int_equal(load(&b, 5, 0x7, 16, false), WF_L1_HIT);
  assert_int_equal(b.counters.misses, 4);
  assert_int_equal(b.counters.merges, 1);
  assert_int_equal(b.counters.sector_misses, 2);
  assert_int_equal(b.counters.hits, 3);
  wf_l1_destroy(b.l1);
}

static void a_store_during_a_fill_drops_the_line_after_it(void **state) {
  (void)state;
  bench b;
  uint16_t loads[3];
  begin(&b, true, false);
  assert_int_equal(load(&b, 5, 0x1, 10, true), WF_L1_MISS);
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_int_equal(load(&b, 5, 0x6, 11, true), WF_L1_MISS);
  wf_l1_fetch f = b.fetch;
  wf_l1_store(b.l1, 5, 0x1);
  assert_int_equal(load(&b, 5, 0x1, 12, true), WF_L1_MISS); /* what was there is gone at once */
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_int_equal(fill(&b, f, loads), 1);
  assert_int_equal(loads[0], 11);
  assert_true(wf_l1_idle(b.l1));
  assert_int_equal(load(&b, 5, 0x2, 13, true), WF_L1_MISS);
  wf_l1_destroy(b.l1);
}

static void whole_lines_without_the_option(void **state) {
  (void)state;
  bench b;
  uint16_t loads[3];
  begin(&b, false, false);
  assert_int_equal(load(&b, 5, 0x1, 10, true), WF_L1_MISS);
  assert_int_equal(b.fetch.sectors, 0xf);
  assert_int_equal(load(&b, 5, 0x8, 11, false), WF_L1_MERGED);
  assert_int_equal(fill(&b, b.fetch, loads), 2);
  assert_int_equal(load(&b, 5, 0x6, 12, false), WF_L1_HIT);
  wf_l1_store(b.l1, 5, 0xf);
  assert_int_equal(load(&b, 5, 0x6, 12, true), WF_L1_MISS);
  assert_int_equal(b.counters.sector_misses, 0);
  wf_l1_destroy(b.l1);
}

static void stores_that_stay(void **state) {
  (void)state;
  bench b;
  uint16_t loads[3];
  begin(&b, true, true);
  wf_l1_store(b.l1, 5, 0x0); /* no sector whole: nothing to keep */
  assert_int_equal(load(&b, 5, 0x1, 10, true), WF_L1_MISS);
  wf_l1_store(b.l1, 5, 0x2); /* a fill is on its way: not marked, not dropped */
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_int_equal(load(&b, 5, 0x1, 10, false), WF_L1_HIT);
  wf_l1_store(b.l1, 5, 0x2);
  assert_int_equal(load(&b, 5, 0x3, 10, false), WF_L1_HIT);
  wf_l1_store(b.l1, 9, 0x4); /* brings its line */
  assert_int_equal(load(&b, 9, 0x4, 10, false), WF_L1_HIT);
  assert_int_equal(load(&b, 9, 0x8, 10, true), WF_L1_MISS);
  wf_l1_evict(b.l1, 9); /* an atomic */
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_int_equal(load(&b, 9, 0x4, 10, true), WF_L1_MISS);
  wf_l1_destroy(b.l1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(further_sectors_are_fetched_by_themselves),
      cmocka_unit_test(a_store_during_a_fill_drops_the_line_after_it),
      cmocka_unit_test(whole_lines_without_the_option),
      cmocka_unit_test(stores_that_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
