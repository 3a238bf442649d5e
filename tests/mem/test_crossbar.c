/* One direction of the crossbar on its own. */
#include "tests/mem/harness.h"

typedef struct rig {
  wf_xbar x;
  uint64_t cycle;
} rig;

static rig *rig_new(wf_mem_config c, unsigned n_in, unsigned n_link, unsigned classes) {
  rig *r = calloc(1, sizeof *r);
  wf_xbar_init(&r->x, &c, n_in, n_link, classes);
  return r;
}

static void rig_free(rig *r) {
  wf_xbar_free(&r->x);
  free(r);
}

static void step(rig *r) {
  wf_xbar_tick(&r->x, r->cycle++);
}

static bool push(rig *r, unsigned in, unsigned out, unsigned flits, uint32_t id) {
  if (!wf_xbar_room(&r->x, in, flits)) return false;
  wf_packet p = {.id = id, .sm = (uint8_t)in};
  wf_xbar_push(&r->x, in, out, flits, &p);
  return true;
}

static void test_latency(void **state) {
  (void)state;
  for (unsigned flits = 1; flits <= 9; flits += 4) {
    rig *r = rig_new(gtx480(), 4, 4, 1);
    assert_true(push(r, 1, 2, flits, 5));
    /* Ticks until the packet is complete at the output: the last flit's start, then the switch. */
    for (unsigned t = 0; t < flits - 1 + 8; t++) {
      step(r);
      assert_null(wf_xbar_front(&r->x, 2));
      assert_int_equal(wf_xbar_next(&r->x, r->cycle) > r->cycle,
                       t + 1 >= flits + 1 && t + 1 < flits + 7);
    }
    step(r);
    assert_non_null(wf_xbar_front(&r->x, 2));
    assert_int_equal(wf_xbar_front(&r->x, 2)->id, 5);
    assert_int_equal(wf_xbar_next(&r->x, r->cycle), UINT64_MAX);
    wf_xbar_pop(&r->x, 2);
    assert_int_equal(r->x.out[2].used, 0);
    assert_int_equal(r->x.in[1].used, 0);
    rig_free(r);
  }
}

/* One input, all outputs free: a flit a cycle, whatever the packet size. */
static void test_input_saturation(void **state) {
  (void)state;
  for (unsigned flits = 1; flits <= 5; flits += 2) {
    rig *r = rig_new(gtx480(), 15, 6, 1);
    uint64_t before = 0;
    for (unsigned t = 0; t < 2000; t++) {
      while (push(r, 3, t % 6, flits, t)) {
      }
      step(r);
      for (unsigned o = 0; o < 6; o++)
        if (wf_xbar_front(&r->x, o)) wf_xbar_pop(&r->x, o);
      if (t == 999) before = r->x.sent_flits;
    }
    assert_in_range(r->x.sent_flits - before, 1000 - flits, 1000 + flits);
    rig_free(r);
  }
}

/* All inputs to one output: it moves a flit a cycle, and every input gets its share. */
static void test_output_fairness(void **state) {
  (void)state;
  rig *r = rig_new(gtx480(), 15, 6, 1);
  unsigned got[15] = {0}, total = 0;
  for (unsigned t = 0; t < 16000; t++) {
    for (unsigned i = 0; i < 15; i++) (void)push(r, i, 4, 1 + i % 2 * 4, i);
    step(r);
    const wf_packet *p = wf_xbar_front(&r->x, 4);
    if (!p) continue;
    if (t >= 1000) got[p->id]++, total += 1 + p->id % 2 * 4;
    wf_xbar_pop(&r->x, 4);
  }
  assert_in_range(total, 14990, 15010);
  for (unsigned i = 0; i < 15; i++) assert_in_range(got[i], got[0] - 1, got[0] + 1);
  assert_true(r->x.stall_cycles >= 14 * 15000);
  rig_free(r);
}

/* Saturated all-to-all: with lookahead the switch is far better than head-of-line blocking, and all
 * outputs are served alike. */
static double all_to_all(unsigned lookahead) {
  wf_mem_config c = gtx480();
  c.noc_lookahead = lookahead;
  rig *r = rig_new(c, 15, 15, 1);
  wf_rng rng;
  wf_rng_seed(&rng, 9);
  unsigned got[15] = {0};
  for (unsigned t = 0; t < 21000; t++) {
    for (unsigned i = 0; i < 15; i++)
      while (push(r, i, (unsigned)wf_rng_below(&rng, 15), 1, i)) {
      }
    step(r);
    for (unsigned o = 0; o < 15; o++)
      if (wf_xbar_front(&r->x, o)) {
        got[o] += t >= 1000;
        wf_xbar_pop(&r->x, o);
      }
  }
  double sum = 0;
  for (unsigned o = 0; o < 15; o++) sum += got[o];
  for (unsigned o = 0; o < 15; o++) assert_true(got[o] > 0.9 * sum / 15 && got[o] < 1.1 * sum / 15);
  rig_free(r);
  return sum / 20000 / 15;
}

static void test_lookahead(void **state) {
  (void)state;
  double one = all_to_all(1), four = all_to_all(4);
  print_message("throughput per port: lookahead 1 %.3f, 4 %.3f\n", one, four);
  assert_true(one > 0.55 && one < 0.70); /* the well-known head-of-line limit is 2 - sqrt 2 */
  assert_true(four > 0.80);
}

/* Packets between one pair of ends stay in order, even with lookahead. */
static void test_pair_order(void **state) {
  (void)state;
  rig *r = rig_new(gtx480(), 6, 6, 1);
  wf_rng rng;
  wf_rng_seed(&rng, 4);
  uint32_t sent[6][6] = {{0}}, seen[6][6] = {{0}};
  uint64_t total = 0;
  for (unsigned t = 0; t < 30000; t++) {
    for (unsigned i = 0; i < 6; i++) {
      unsigned o = (unsigned)wf_rng_below(&rng, 6);
      if (push(r, i, o, 1 + (unsigned)wf_rng_below(&rng, 5), sent[i][o])) sent[i][o]++;
    }
    step(r);
    for (unsigned o = 0; o < 6; o++) {
      const wf_packet *p = wf_xbar_front(&r->x, o);
      if (!p || wf_rng_below(&rng, 3) == 0) continue;
      assert_int_equal(p->id, seen[p->sm][o]++);
      total++;
      wf_xbar_pop(&r->x, o);
    }
  }
  assert_true(total > 20000);
  rig_free(r);
}

/* An output nobody empties fills its buffer and stops; other outputs of the same inputs go on, as
 * long as the blocked packets do not fill the inputs' windows. */
static void test_back_pressure(void **state) {
  (void)state;
  rig *r = rig_new(gtx480(), 2, 2, 1);
  unsigned sent = 0;
  for (unsigned t = 0; t < 200; t++) {
    sent += push(r, 0, 0, 5, t);
    step(r);
  }
  assert_int_equal(r->x.out[0].ready, 6); /* 30 of 32 flits */
  assert_int_equal(sent, 6 + 6);
  for (unsigned t = 0; t < 50; t++) {
    assert_true(push(r, 1, 1, 1, t));
    step(r);
    if (wf_xbar_front(&r->x, 1)) wf_xbar_pop(&r->x, 1);
  }
  wf_xbar_pop(&r->x, 0);
  for (unsigned t = 0; t < 20; t++) step(r);
  assert_int_equal(r->x.out[0].ready, 6); /* the room given back was used */
  rig_free(r);
}

/* Locked phases: whenever output 0 is free, input 0 is busy sending to output 1, so its head, for
 * output 0, would be passed for ever if there were no limit. */
static void test_no_starvation_of_a_head(void **state) {
  (void)state;
  rig *r = rig_new(gtx480(), 2, 2, 1);
  unsigned got = 0, passed = 0;
  for (unsigned t = 0; t < 2000 && !got; t++) {
    (void)push(r, 1, 0, 5, 2);
    if (t == 3)
      assert_true(push(r, 0, 0, 5, 1000));
    else if (t >= 2)
      (void)push(r, 0, 1, 5, 1);
    step(r);
    for (unsigned o = 0; o < 2; o++) {
      const wf_packet *p = wf_xbar_front(&r->x, o);
      if (!p) continue;
      if (p->id == 1000) got = t;
      passed += o == 1;
      wf_xbar_pop(&r->x, o);
    }
  }
  assert_in_range(got, 100, 220); /* 8 packets may pass per slot of lookahead */
  assert_in_range(passed, 20, 40);
  rig_free(r);
}

/* Two classes on one link: packets of one that nobody takes do not stop the other. */
static void test_classes(void **state) {
  (void)state;
  rig *r = rig_new(gtx480(), 4, 2, 2);
  unsigned got = 0;
  for (unsigned t = 0; t < 3000; t++) {
    (void)push(r, 0, 2 + 1, 9, t); /* class 1 of link 1, never taken */
    (void)push(r, 1, 1, 5, t);     /* class 0 of link 1 */
    step(r);
    if (wf_xbar_front(&r->x, 1)) {
      wf_xbar_pop(&r->x, 1);
      got += t >= 1000;
    }
  }
  assert_in_range(got, 399, 401); /* all the link can carry */
  assert_int_equal(r->x.out[3].ready, 3);
  rig_free(r);
  /* When both are taken they share the link. */
  r = rig_new(gtx480(), 4, 2, 2);
  unsigned each[2] = {0};
  for (unsigned t = 0; t < 3000; t++) {
    (void)push(r, 0, 3, 5, t);
    (void)push(r, 1, 1, 5, t);
    step(r);
    for (unsigned class = 0; class < 2; class ++)
      if (wf_xbar_front(&r->x, 1 + 2 * class)) {
        wf_xbar_pop(&r->x, 1 + 2 * class);
        each[class]++;
      }
  }
  assert_in_range(each[0], each[1] - 1, each[1] + 1);
  assert_in_range(each[0] + each[1], 590, 600);
  rig_free(r);
}

/* An SM that takes nothing stops its own replies, and in the end those behind them; when it takes
 * them again, everything comes home. */
static void test_blocked_sm(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  unsigned sent = 0, done = 0;
  for (unsigned t = 0; t < 5000; t++) {
    wf_packet p = read_of(line_of(mem, t % 6, t % 64), t);
    sent += wf_mem_send(mem, 0, &p);
    wf_mem_tick(mem);
  }
  uint64_t before = wf_mem_get_counters(mem)->noc.packets;
  for (unsigned t = 0; t < 1000; t++) wf_mem_tick(mem);
  assert_int_equal(wf_mem_get_counters(mem)->noc.packets, before); /* all is full */
  assert_true(sent > 100 && sent < 1000);
  char text[8192];
  assert_true(wf_mem_describe(mem, text, sizeof text) > 100);
  assert_non_null(strstr(text, "to SM 0: 6 packets arrived"));
  assert_non_null(strstr(text, "waits to be taken"));
  assert_non_null(strstr(text, "whose buffer is full"));
  assert_int_equal(wf_mem_describe(mem, text, 10), 9); /* cut off, terminated */
  assert_int_equal(strlen(text), 9);
  wf_error err = {0};
  assert_false(wf_mem_check_conservation(mem, &err));
  assert_non_null(strstr(err.text, "requests and replies"));
  while (!wf_mem_idle(mem)) {
    if (wf_mem_peek(mem, 0)) {
      wf_mem_pop(mem, 0);
      done++;
    }
    wf_mem_tick(mem);
  }
  assert_int_equal(done, sent);
  finish(mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_latency),
      cmocka_unit_test(test_input_saturation),
      cmocka_unit_test(test_output_fairness),
      cmocka_unit_test(test_lookahead),
      cmocka_unit_test(test_pair_order),
      cmocka_unit_test(test_back_pressure),
      cmocka_unit_test(test_no_starvation_of_a_head),
      cmocka_unit_test(test_classes),
      cmocka_unit_test(test_blocked_sm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
