/* The L1 by sectors, with stores that stay, with ways taken by fills, with a victim cache. */
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

static void begin_with(bench *b, const char *const settings[]) {
  wf_error err = {0};
  *b = (bench){0};
  if (!wf_gpu_config_load(&b->config, "gtx480", &err)) fail_msg("%s", err.text);
  b->config.l1_mshrs = 2;
  b->config.l1_mshr_merge = 3;
  for (unsigned i = 0; settings[i]; i += 2)
    if (!wf_gpu_config_set(&b->config, settings[i], settings[i + 1], &err))
      fail_msg("%s", err.text);
  b->l1 = wf_l1_create(&b->config, &b->counters);
}

static void begin(bench *b, bool sectored, bool write_keep) {
  const char *settings[5] = {0};
  unsigned n = 0;
  if (sectored) settings[n++] = "l1.sectored", settings[n++] = "1";
  if (write_keep) settings[n++] = "l1.write_keep", settings[n++] = "1";
  begin_with(b, settings);
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

/* Lines of one set of a gtx480's L1: 32 sets, the upper bits folded in. */
enum { A = 0x021, B = 0x042, C = 0x063, D = 0x084, E = 0x0a5 };

/* Brings a line. */
static void bring(bench *b, uint32_t line) {
  uint16_t loads[3];
  assert_int_equal(load(b, line, 0xf, 1, true), WF_L1_MISS);
  assert_int_equal(fill(b, b->fetch, loads), 1);
}

static void fills_take_ways_on_return(void **state) {
  (void)state;
  bench b;
  uint16_t loads[3];
  const char *const settings[] = {"l1.allocate", "fill", NULL};
  begin_with(&b, settings);
  assert_int_equal(wf_l1_set(b.l1, A), wf_l1_set(b.l1, E));
  bring(&b, A), bring(&b, B), bring(&b, C), bring(&b, D);
  assert_int_equal(load(&b, E, 0xf, 10, true), WF_L1_MISS);
  const wf_l1_fetch f = b.fetch;
  assert_int_equal(load(&b, E, 0xf, 11, false), WF_L1_MERGED); /* found in its MSHR */
  assert_int_equal(load(&b, A, 0xf, 12, false), WF_L1_HIT);    /* still there */
  assert_int_equal(b.counters.evictions, 0);
  assert_int_equal(fill(&b, f, loads), 2);
  assert_int_equal(b.counters.evictions, 1);
  assert_int_equal(load(&b, E, 0xf, 13, false), WF_L1_HIT);
  assert_int_equal(load(&b, A, 0xf, 13, false), WF_L1_HIT); /* newer than B */
  assert_int_equal(load(&b, B, 0xf, 13, true), WF_L1_MISS);
  wf_l1_evict(b.l1, B); /* written while it is on its way */
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_int_equal(load(&b, B, 0xf, 13, true), WF_L1_MISS);
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_true(wf_l1_idle(b.l1));
  wf_l1_destroy(b.l1);
}

static void no_way_is_free_when_a_line_comes(void **state) {
  (void)state;
  bench b;
  uint16_t loads[3];
  const char *const settings[] = {"l1.allocate", "fill",    "l1.sectored", "1", "l1.bytes",
                                  "4096",        "l1.ways", "1",           NULL};
  begin_with(&b, settings);
  assert_int_equal(load(&b, A, 0x1, 1, true), WF_L1_MISS);
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_int_equal(load(&b, A, 0x2, 2, true), WF_L1_MISS); /* the way waits for a sector */
  const wf_l1_fetch first = b.fetch;
  assert_int_equal(wf_l1_set(b.l1, A), wf_l1_set(b.l1, B));
  assert_int_equal(load(&b, B, 0x1, 3, true), WF_L1_MISS);
  assert_int_equal(fill(&b, b.fetch, loads), 1); /* the load has its data, the L1 keeps nothing */
  assert_int_equal(b.counters.fills_dropped, 1);
  assert_int_equal(fill(&b, first, loads), 1);
  assert_int_equal(load(&b, A, 0x3, 4, true), WF_L1_HIT);
  assert_int_equal(load(&b, B, 0x1, 4, true), WF_L1_MISS);
  assert_int_equal(fill(&b, b.fetch, loads), 1);
  assert_true(wf_l1_idle(b.l1));
  wf_l1_destroy(b.l1);
}

static void past_by_lines_keeps_an_mshr(void **state) {
  (void)state;
  bench b;
  uint16_t loads[3];
  const char *const settings[] = {"l1.past", "line", NULL};
  begin_with(&b, settings);
  wf_l1_request r = {.line = 5, .sectors = 0x1, .load = 10, .can_send = true};
  assert_int_equal(wf_l1_load(b.l1, &r, &b.fetch), WF_L1_MISS); /* may not allocate */
  assert_int_equal(b.fetch.sectors, 0xf);
  assert_int_equal(b.counters.bypasses, 1);
  assert_int_equal(load(&b, 5, 0x8, 11, false), WF_L1_MERGED);
  assert_int_equal(fill(&b, b.fetch, loads), 2);
  assert_int_equal(load(&b, 5, 0x1, 12, true), WF_L1_MISS); /* it was not kept */
  assert_int_equal(wf_l1_load(b.l1, &(wf_l1_request){.line = 6, .can_send = true}, &b.fetch),
                   WF_L1_MISS);
  assert_int_equal(wf_l1_load(b.l1, &(wf_l1_request){.line = 7, .can_send = true}, &b.fetch),
                   WF_L1_STALL); /* no MSHR */
  wf_l1_destroy(b.l1);
}

static void a_victim_changes_places(void **state) {
  (void)state;
  bench b;
  const char *const settings[] = {"l1.victim_lines", "2", NULL};
  begin_with(&b, settings);
  bring(&b, A), bring(&b, B), bring(&b, C), bring(&b, D), bring(&b, E);
  assert_int_equal(load(&b, A, 0xf, 1, false), WF_L1_HIT_VICTIM); /* B goes there for it */
  assert_int_equal(load(&b, A, 0xf, 1, false), WF_L1_HIT);
  assert_int_equal(load(&b, B, 0xf, 1, false), WF_L1_HIT_VICTIM); /* and C */
  bring(&b, 0xc6);                                                /* D beside C */
  assert_true(wf_l1_holds(b.l1, C));
  wf_l1_evict(b.l1, C); /* a store looks there, too */
  assert_false(wf_l1_holds(b.l1, C));
  assert_int_equal(load(&b, D, 0xf, 1, false), WF_L1_HIT_VICTIM);
  bring(&b, C);
  assert_int_equal(b.counters.victim_hits, 3);
  assert_int_equal(b.counters.hits, 4);
  wf_l1_clear(b.l1);
  assert_false(wf_l1_holds(b.l1, D));
  wf_l1_destroy(b.l1);
}

/* Random loads, fills, stores: a hit is for words that came, or stayed, since the line's last
 * store; each load ends once. */
enum { LINES = 40, LOADS = 64 };
typedef struct soak {
  bench b;
  uint32_t random;
  uint8_t known[LINES]; /* sectors that may hit */
  bool waits[LOADS];    /* by load */
  wf_l1_fetch on_way[LOADS];
  uint32_t line_of[LOADS];
  unsigned n, waiting;
} soak;

static unsigned choose(soak *s, unsigned n) {
  s->random = s->random * 1664525u + 1013904223u;
  return (s->random >> 16) % n;
}

static void soak_load(soak *s, uint16_t number) {
  const uint32_t line = choose(s, LINES);
  const uint8_t wanted = s->b.config.l1_sectored ? (uint8_t)(1 + choose(s, 15)) : 0xf;
  if (s->waits[number]) return;
  const wf_l1_request r = {.line = line,
                           .sectors = wanted,
                           .load = number,
                           .may_allocate = choose(s, 8) != 0,
                           .can_send = choose(s, 4) != 0 && s->n < LOADS};
  switch (wf_l1_load(s->b.l1, &r, &s->b.fetch)) {
  case WF_L1_HIT:
  case WF_L1_HIT_VICTIM:
    assert_int_equal(wanted & ~s->known[line], 0);
    break;
  case WF_L1_MISS:
    assert_true(r.can_send && s->b.fetch.sectors);
    s->on_way[s->n] = s->b.fetch;
    s->line_of[s->n++] = line;
    s->waits[number] = true;
    s->waiting++;
    break;
  case WF_L1_MERGED:
    s->waits[number] = true;
    s->waiting++;
    break;
  default:
    break;
  }
}

static void soak_fill(soak *s) {
  if (!s->n) return;
  const unsigned i = choose(s, s->n);
  uint16_t loads[3];
  const unsigned n = fill(&s->b, s->on_way[i], loads);
  for (unsigned l = 0; l < n; l++) {
    assert_true(s->waits[loads[l]]);
    s->waits[loads[l]] = false;
    s->waiting--;
  }
  s->known[s->line_of[i]] |= s->on_way[i].sectors;
  s->n--;
  s->on_way[i] = s->on_way[s->n];
  s->line_of[i] = s->line_of[s->n];
}

/* What is on its way was asked for before the store, and is not kept. */
static void soak_store(soak *s) {
  const uint32_t line = choose(s, LINES);
  wf_l1_store(s->b.l1, line, 0);
  s->known[line] = 0;
}

static void soak_with(const char *const settings[], uint32_t seed) {
  soak s = {.random = seed};
  begin_with(&s.b, settings);
  for (unsigned i = 0; i < 20000; i++) switch (choose(&s, 8)) {
    case 0:
      soak_store(&s);
      break;
    case 1:
    case 2:
    case 3:
      soak_fill(&s);
      break;
    default:
      soak_load(&s, (uint16_t)choose(&s, LOADS));
    }
  while (s.n) soak_fill(&s);
  assert_int_equal(s.waiting, 0);
  assert_true(wf_l1_idle(s.b.l1));
  const wf_l1_counters *c = &s.b.counters;
  assert_int_equal(c->accesses, c->hits + c->misses);
  assert_true(c->hits > 100 && c->misses > 100 && c->evictions > 100);
  assert_true(!s.b.config.l1_victim_lines || c->victim_hits > 100);
  assert_true(!s.b.config.l1_past || c->bypasses > 100);
  wf_l1_destroy(s.b.l1);
}

static void random_traffic_in_every_mode(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 16; mode++) {
    const char *settings[32] = {"l1.bytes", "2048", "l1.mshrs", "6"};
    unsigned n = 4;
    const char *const of_bit[] = {"l1.sectored", "1",    "l1.allocate",     "fill",
                                  "l1.past",     "line", "l1.victim_lines", "4"};
    for (unsigned b = 0; b < 4; b++)
      if (mode >> b & 1) settings[n++] = of_bit[2 * b], settings[n++] = of_bit[2 * b + 1];
    for (uint32_t seed = 1; seed <= 3; seed++) soak_with(settings, seed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(further_sectors_are_fetched_by_themselves),
      cmocka_unit_test(a_store_during_a_fill_drops_the_line_after_it),
      cmocka_unit_test(whole_lines_without_the_option),
      cmocka_unit_test(stores_that_stay),
      cmocka_unit_test(fills_take_ways_on_return),
      cmocka_unit_test(no_way_is_free_when_a_line_comes),
      cmocka_unit_test(past_by_lines_keeps_an_mshr),
      cmocka_unit_test(a_victim_changes_places),
      cmocka_unit_test(random_traffic_in_every_mode),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
