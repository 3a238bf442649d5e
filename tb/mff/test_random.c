/* Constrained random traffic over several configurations, with every port stalled at random.
 *   MFF_SEED=n       the seed (a failure prints the command line that replays it)
 *   MFF_SEEDS=n      that many seeds, one after the other (default 1)
 *   MFF_ELEMENTS=n   elements in all, of each seed (default one million)
 *   MFF_CONFIG=a,b   only these configurations
 *   MFF_PLAIN=1      as they are, without overrides */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tb/mff/mff_load.h"

typedef struct plan {
  const char *config, *parameters;
  unsigned share; /* of the elements, in thousandths */
  unsigned latency_max, max_size;
} plan;

static const plan plans[] = {
    {"tuned", NULL, 620, 400, 32},
    {"three", NULL, 150, 120, 32},
    {"small", NULL, 150, 60, 32},
    {"small", "Keep=0", 50, 60, 32},
    {"tiny", NULL, 10, 20, 12},
    {"tiny", "NSlice=3 WorkRegs=24 CRegs=9 TagEntries=4 CLines=2 JobEntries=6 PackWords=2", 20, 40,
     32},
};

/* Only if MFF_CONFIG names it. */
static const plan asked = {"paper", NULL, 620, 400, 32};

/* Four kinds of indexes, each with its own mix of stalls and operations. `told` replays it. */
static void run_plan(const plan *p, uint64_t told, uint64_t seed, uint64_t elements) {
  wf_error err = {0};
  mff_bench_options o = {.seed = seed, .burst = 1, .latency_max = 1, .hang_after = 50000};
  mff_bench *b = mff_bench_create(p->config, p->parameters, NULL, &o, &err);
  if (!b) fail_msg("%s", err.text);
  bool ok = true;
  for (unsigned phase = 0; phase < 8 && ok; phase++) {
    wf_rng *rng = &mff_bench_base(b)->rng;
    unsigned *stalls[] = {&o.stall_cmd, &o.stall_rsp, &o.stall_read, &o.stall_beat, &o.stall_write};
    for (size_t i = 0; i < 5; i++)
      *stalls[i] = wf_rng_below(rng, 3) ? (unsigned)wf_rng_below(rng, 60) : 0;
    o.burst = 1 + (unsigned)wf_rng_below(rng, 30);
    o.latency_max = 1 + (unsigned)wf_rng_below(rng, p->latency_max);
    o.latency_min = (unsigned)wf_rng_below(rng, o.latency_max) + 0;
    o.in_order = wf_rng_below(rng, 4) == 0;
    mff_bench_set_options(b, &o);
    mff_load load = {.kind = phase % MFF_LOAD_KINDS,
                     .indexes = 100 + (uint32_t)wf_rng_below(rng, 60000),
                     .vertices = 40 + (uint32_t)wf_rng_below(rng, 200000),
                     .scatter_percent = phase < 4 ? (unsigned)wf_rng_below(rng, 101) : 30,
                     .error_percent = (unsigned)wf_rng_below(rng, 12),
                     .lane_percent = 5 + (unsigned)wf_rng_below(rng, 96),
                     .max_size = 1 + (unsigned)wf_rng_below(rng, p->max_size),
                     .csr = wf_rng_below(rng, 2),
                     .queue = 1 + (unsigned)wf_rng_below(rng, 40)};
    if (phase & 2) { /* any address, any number */
      load.spread = true;
      load.first_index = (uint32_t)wf_rng_next(rng);
      load.first_vertex = (uint32_t)wf_rng_below(rng, UINT32_MAX / 32 - load.vertices) * 32;
    }
    ok = mff_load_fill(b, &load) && mff_load_run(b, &load, elements / 8 + 1) &&
         mff_bench_check_end(b);
  }
  const mff_bench_stats *s = mff_bench_statistics(b);
  printf("   %s%s%s: %llu elements of %llu commands (%llu refused) in %llu cycles, longest command "
         "%llu\n",
         p->config, p->parameters ? " " : "", p->parameters ? p->parameters : "",
         (unsigned long long)s->elements, (unsigned long long)s->commands,
         (unsigned long long)s->refused, (unsigned long long)s->cycles,
         (unsigned long long)s->longest_command);
  if (!ok)
    fail_msg("%s\n   replay: MFF_SEED=%llu MFF_ELEMENTS=%llu MFF_CONFIG=%s make test-mff",
             mff_bench_base(b)->failure, (unsigned long long)told,
             (unsigned long long)wf_bench_number("MFF_ELEMENTS", 1000000), p->config);
  assert_int_equal(s->words + s->bits, s->elements);
  mff_bench_destroy(b);
}

static void random_traffic(void **state) {
  (void)state;
  uint64_t first = wf_bench_number("MFF_SEED", 1), seeds = wf_bench_number("MFF_SEEDS", 1),
           elements = wf_bench_number("MFF_ELEMENTS", 1000000);
  bool plain = getenv("MFF_PLAIN") != NULL;
  for (uint64_t seed = first; seed < first + seeds; seed++) {
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
      if (wf_bench_wants("MFF_CONFIG", plans[i].config) && !(plain && plans[i].parameters))
        run_plan(&plans[i], seed, seed + i, elements * plans[i].share / 1000);
    if (getenv("MFF_CONFIG") && wf_bench_wants("MFF_CONFIG", asked.config))
      run_plan(&asked, seed, seed, elements * asked.share / 1000);
  }
}

/* Few blocks: joins meet detaches and frees of the same block in every order. Many small requests
 * first, then long runs, whose neighbours share requests, against responses that wait now and then.
 */
static void crowd(const char *config, const char *parameters, uint64_t seed, uint64_t elements) {
  enum { SMALL = 6, PHASES = 9 };
  wf_error err = {0};
  mff_bench_options o = {.seed = seed, .burst = 6, .latency_max = 1, .hang_after = 50000};
  mff_bench *b = mff_bench_create(config, parameters, NULL, &o, &err);
  if (!b) fail_msg("%s", err.text);
  for (unsigned phase = 0; phase < PHASES; phase++) {
    bool small = phase < SMALL;
    o.burst = small ? 6 : 1 + 2 * (phase - SMALL);
    o.stall_rsp = small ? phase % 2 * 40 : 50;
    o.stall_read = phase % 3 * 20;
    o.latency_max = 1 + phase * 9;
    mff_bench_set_options(b, &o);
    mff_load load = {.kind = MFF_LOAD_UNIFORM,
                     .indexes = 64 + 32 * phase,
                     .vertices = small ? 50 + 60 * phase : 40,
                     .scatter_percent = small ? phase * 10 : 20,
                     .lane_percent = 20,
                     .max_size = small ? 3 : 24,
                     .csr = !small,
                     .queue = 20};
    if (!mff_load_fill(b, &load) || !mff_load_run(b, &load, elements / PHASES + 1) ||
        !mff_bench_check_end(b))
      fail_msg("%s", mff_bench_base(b)->failure);
  }
  mff_bench_destroy(b);
}

static void crowded_blocks(void **state) {
  (void)state;
  uint64_t first = wf_bench_number("MFF_SEED", 1),
           elements = wf_bench_number("MFF_ELEMENTS", 1000000);
  for (uint64_t seed = first; seed < first + wf_bench_number("MFF_SEEDS", 1); seed++) {
    if (wf_bench_wants("MFF_CONFIG", "small")) crowd("small", NULL, seed, elements / 15);
    if (wf_bench_wants("MFF_CONFIG", "small") && !getenv("MFF_PLAIN"))
      crowd("small", "Keep=0 WorkRegs=24 CRegs=6", seed, elements / 30);
    if (wf_bench_wants("MFF_CONFIG", "tiny")) crowd("tiny", NULL, seed, elements / 200);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_traffic),
                                     cmocka_unit_test(crowded_blocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
