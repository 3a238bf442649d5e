/* What every unit's tests need beside its bench. */
#include "tb/common/wf_test.h"

#include "sim/base/wf_alloc.h"

enum { GATE_PERCENT = 70 };

void *wf_test_open(const wf_bench_class *cls, const char *config, const char *parameters) {
  wf_error err = {0};
  if (!wf_bench_wants(config) || (parameters && getenv("WF_PLAIN"))) skip();
  wf_bench *b = wf_bench_create(
      cls, &(wf_bench_options){.config = config, .parameters = parameters, .seed = 1}, &err);
  if (!b) fail_msg("%s", err.text);
  return b;
}

void wf_test_finish(void *bench) {
  ok(bench, wf_bench_check_counters(bench));
  wf_bench_destroy(bench);
}

void wf_test_refused(const wf_bench_class *cls, const char *config, const char *const *wrong,
                     size_t count) {
  if (getenv("WF_UNIT") || getenv("WF_CONFIG")) skip();
  for (size_t i = 0; i < count; i++) {
    wf_error err = {0};
    const wf_bench_options o = {.config = config, .parameters = wrong[i], .seed = 1};
    assert_null(wf_bench_create(cls, &o, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  }
}

static const char *source_file;

static void run_plan(const wf_random *r, const wf_plan *p, uint64_t told, uint64_t seed,
                     uint64_t cycles) {
  wf_error err = {0};
  wf_bench *b = wf_bench_create(r->cls,
                                &(wf_bench_options){.config = p->config,
                                                    .parameters = p->parameters,
                                                    .seed = seed,
                                                    .gate_percent = seed % 2 ? GATE_PERCENT : 0},
                                &err);
  if (!b) fail_msg("%s", err.text);
  const bool ok = r->run(b, p->share ? cycles * p->share / 1000 : cycles);
  printf("   %s%s%s: %llu edges", p->config, p->parameters ? " " : "",
         p->parameters ? p->parameters : "", (unsigned long long)b->cycle);
  if (r->cls->edge) printf(", %llu with something offered", (unsigned long long)b->offers);
  printf("\n");
  if (!ok)
    fail_msg("%s\n   replay: WF_SEED=%llu WF_CYCLES=%llu WF_CONFIG=%s %s/%.*s", b->failure,
             (unsigned long long)told, (unsigned long long)cycles, p->config,
             getenv("WARPFAB_BUILD") ? getenv("WARPFAB_BUILD") : "build",
             (int)strcspn(source_file, "."), source_file);
  wf_bench_destroy(b);
}

static bool is_wanted(const wf_plan *p) {
  return wf_bench_wants(p->config) && (p->share || getenv("WF_CONFIG")) &&
         !(p->parameters && getenv("WF_PLAIN"));
}

static void run_random(void **state) {
  const wf_random *r = *state;
  const uint64_t first = wf_bench_number("WF_SEED", 1), seeds = wf_bench_number("WF_SEEDS", 1),
                 cycles = wf_bench_number("WF_CYCLES", r->cycles);
  for (uint64_t seed = first; seed < first + seeds; seed++)
    for (size_t i = 0; i < r->n_plans; i++)
      if (is_wanted(&r->plans[i])) run_plan(r, &r->plans[i], seed, seed + i, cycles);
}

static bool any_wanted(const wf_random *tests, size_t count) {
  for (size_t t = 0; t < count; t++)
    for (size_t i = 0; i < tests[t].n_plans; i++)
      if (is_wanted(&tests[t].plans[i])) return true;
  return false;
}

int wf_random_main(const wf_random *tests, size_t count, const char *source) {
  if (!any_wanted(tests, count)) {
    fprintf(stderr, "%s: WF_CONFIG=%s%s: no plan is of it, so nothing would be tested\n", source,
            getenv("WF_CONFIG"), getenv("WF_PLAIN") ? " WF_PLAIN" : "");
    return WF_EXIT_BAD_INPUT;
  }
  struct CMUnitTest *list = wf_calloc(count, sizeof *list);
  source_file = source;
  for (size_t i = 0; i < count; i++)
    list[i] = (struct CMUnitTest){.name = tests[i].name,
                                  .test_func = run_random,
                                  .initial_state = (void *)(uintptr_t)&tests[i]};
  const int failed = _cmocka_run_group_tests("random", list, count, NULL, NULL);
  free(list);
  return failed;
}
