/* Ranges of thread blocks, against what applications read: every address of every load that the
 * analysis gives rows must lie in one of that load's rows, for its thread block; and of stencils'
 * ranges not more than a few times what is read may be fetched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "sim/gpu/gpu.h"
#include "sim/ptx/affine.h"

static bool watched_execute(const ptx_inst *inst, ptx_warp *warp, uint32_t mask, ptx_effect *effect,
                            wf_error *err);
#define ptx_execute watched_execute
#include "tests/apps/functional_gpu.h"
#undef ptx_execute

enum { MAX_OPTIONS = 4, MAX_KERNELS = 128, ROWS = 1024, MAX_LOADS = 64, WORDS = 1 << 22 };

/* What one case runs: options end with NULL. */
typedef struct suite_case {
  const char *app, *graph, *options[MAX_OPTIONS + 1];
} suite_case;

/* A load with all its rows in the launch that runs. */
typedef struct watched_load {
  wf_preload_row *rows;
  uint32_t n;
  bool whole;
} watched_load;

static struct {
  const suite_case *now;
  unsigned relax;
  int64_t fault; /* added to each row's max_offset: a seeded fault */
  ptx_affine *of[MAX_KERNELS];
  unsigned n;
  /* the launch that runs */
  const ptx_kernel *kernel;
  ptx_affine *a;
  uint32_t ntid[3], nctaid[3];
  uint8_t *params;
  watched_load load[MAX_LOADS];
  /* what came of it */
  uint64_t checked, outside, kernels, loads_with_rows;
  bool measure; /* bytes of ranges, and of what is read, by thread block */
  uint32_t block[3];
  bool in_block;
  uint32_t *stamp, turn; /* by word of memory: of the last thread block that read it */
  uint64_t read_words, range_bytes;
} watch;

static ptx_affine *analysis_of(const ptx_kernel *k) {
  for (unsigned i = 0; i < watch.n; i++)
    if (ptx_affine_kernel(watch.of[i]) == k) return watch.of[i];
  assert_in_range(watch.n, 0, MAX_KERNELS - 1);
  return watch.of[watch.n++] = ptx_affine_analyse(k);
}

static void forget_launch(void) {
  for (int i = 0; i < MAX_LOADS; i++) free(watch.load[i].rows);
  memset(watch.load, 0, sizeof watch.load);
  free(watch.params);
  watch.params = NULL;
  watch.kernel = NULL;
  watch.in_block = false;
}

static bool same_launch(const ptx_launch *l) {
  return watch.kernel == l->kernel && !memcmp(watch.ntid, l->ntid, sizeof watch.ntid) &&
         !memcmp(watch.nctaid, l->nctaid, sizeof watch.nctaid) &&
         !memcmp(watch.params, l->params, l->kernel->param_bytes);
}

static void look_at_launch(const ptx_launch *l) {
  uint32_t n;
  forget_launch();
  watch.kernel = l->kernel;
  watch.a = analysis_of(l->kernel);
  memcpy(watch.ntid, l->ntid, sizeof watch.ntid);
  memcpy(watch.nctaid, l->nctaid, sizeof watch.nctaid);
  watch.params = malloc(l->kernel->param_bytes + 1u);
  memcpy(watch.params, l->params, l->kernel->param_bytes);
  const ptx_affine_load *loads = ptx_affine_loads(watch.a, &n);
  for (uint32_t i = 0; i < n && i < MAX_LOADS; i++) {
    ptx_affine_fate fates[512];
    assert_in_range(n, 1, 512);
    const ptx_affine_table table = {.rows = ROWS,
                                    .prod_bits = 32,
                                    .addr_bits = 48,
                                    .lines = 256,
                                    .relax = watch.relax,
                                    .only = &loads[i]};
    wf_preload_row *rows = malloc(ROWS * sizeof *rows);
    const ptx_affine_made made =
        ptx_affine_rows(watch.a, l->nctaid, l->ntid, l->params, &table, rows, fates);
    watch.load[i] = (watched_load){rows, made.rows, fates[i].reason[0] == 0};
    watch.loads_with_rows += watch.load[i].whole;
    for (uint32_t r = 0; r < made.rows; r++) rows[r].max_offset += (int32_t)watch.fault;
  }
  watch.kernels++;
}

static int64_t dot(const int32_t by[3], const uint32_t block[3]) {
  return (int64_t)by[0] * block[0] + (int64_t)by[1] * block[1] + (int64_t)by[2] * block[2];
}

static void range_of(const wf_preload_row *r, const uint32_t block[3], int64_t *low,
                     int64_t *high) {
  *low = (int64_t)r->base + r->element_bytes * (dot(r->min, block) + r->min_offset);
  *high = (int64_t)r->base + r->element_bytes * (dot(r->max, block) + r->max_offset + 1) - 1;
}

static bool within(const watched_load *l, const uint32_t block[3], uint64_t address,
                   uint32_t bytes) {
  for (uint32_t i = 0; i < l->n; i++) {
    int64_t low, high;
    range_of(&l->rows[i], block, &low, &high);
    for (uint32_t k = 0; k <= l->rows[i].more;
         k++, low += l->rows[i].pitch, high += l->rows[i].pitch)
      if ((int64_t)address >= low && (int64_t)address + bytes - 1 <= high) return true;
  }
  return false;
}

/* A thread block's ranges count once, by a table for all loads. */
static void begin_block(const ptx_launch *l, const uint32_t block[3]) {
  static wf_preload_row rows[ROWS];
  const ptx_affine_table table = {
      .rows = ROWS, .prod_bits = 32, .addr_bits = 48, .lines = 256, .relax = watch.relax};
  const ptx_affine_made made =
      ptx_affine_rows(watch.a, l->nctaid, l->ntid, l->params, &table, rows, NULL);
  for (uint32_t i = 0; i < made.rows; i++) {
    int64_t low, high;
    range_of(&rows[i], block, &low, &high);
    watch.range_bytes += (uint64_t)(high - low + 1) * (rows[i].more + 1);
  }
  memcpy(watch.block, block, sizeof watch.block);
  watch.in_block = true;
  watch.turn++;
}

static void count_read(const ptx_warp *w, uint64_t address, uint32_t bytes) {
  if (!watch.in_block || memcmp(watch.block, w->ctaid, sizeof watch.block) != 0)
    begin_block(w->launch, w->ctaid);
  for (uint64_t at = address / 4; at <= (address + bytes - 1) / 4; at++) {
    const uint64_t word = at - w->launch->global_base / 4;
    assert_true(word < WORDS);
    watch.read_words += watch.stamp[word] != watch.turn;
    watch.stamp[word] = watch.turn;
  }
}

static bool watched_execute(const ptx_inst *inst, ptx_warp *warp, uint32_t mask, ptx_effect *effect,
                            wf_error *err) {
  if (!ptx_execute(inst, warp, mask, effect, err)) return false;
  if (inst->cls != PTX_CLASS_LOAD || effect->space != PTX_SPACE_GLOBAL || !effect->active)
    return true;
  if (!same_launch(warp->launch)) look_at_launch(warp->launch);
  uint32_t n;
  const ptx_affine_load *first = ptx_affine_loads(watch.a, &n),
                        *load =
                            ptx_affine_at(watch.a, (ptx_pc)(inst - warp->launch->kernel->insts));
  if (!load)
    fail_msg("%s: a load that the analysis does not know, line %u", warp->launch->kernel->name,
             inst->line);
  const watched_load *l = &watch.load[load - first];
  if (load - first >= MAX_LOADS || !l->whole) return true;
  const uint32_t bytes = (uint32_t)inst->bytes * inst->vec;
  for (int lane = 0; lane < PTX_LANES; lane++) {
    if (!(effect->active >> lane & 1)) continue;
    watch.checked++;
    if (watch.measure) count_read(warp, effect->addr[lane], bytes);
    if (within(l, warp->ctaid, effect->addr[lane], bytes)) continue;
    watch.outside++;
    char form[400];
    ptx_affine_text(watch.a, (uint32_t)(load - first), form, sizeof form);
    if (!watch.fault)
      fail_msg("%s %s: %s, line %u [%s], block %u %u %u: 0x%llx is in none of %u rows",
               watch.now->app, watch.now->options[0] ? watch.now->options[0] : "",
               warp->launch->kernel->name, inst->line, form, warp->ctaid[0], warp->ctaid[1],
               warp->ctaid[2], (unsigned long long)effect->addr[lane], l->n);
  }
  return true;
}

static void run_case(const suite_case *c, unsigned relax) {
  wf_error err = {0};
  const wf_app *app = wf_app_find(c->app, &err);
  assert_non_null(app);
  wf_gpu *gpu = fg_create(WORDS * 4, NULL);
  for (const char *const *option = c->options; *option; option++)
    assert_true(wf_options_add(&gpu->options, *option, &err));
  wf_graph *graph = c->graph ? wf_graph_open(c->graph, 5, &err) : NULL;
  if (c->graph && !graph) fail_msg("%s", err.text);
  wf_app_run run = {.gpu = gpu, .graph = graph, .seed = 11};
  watch.now = c;
  watch.relax = relax;
  watch.n = 0;
  if (!wf_app_start(app, &run, &err)) fail_msg("%s: %s", c->app, err.text);
  if (!run.verified) fail_msg("%s: %s", c->app, run.verdict);
  forget_launch();
  for (unsigned i = 0; i < watch.n; i++) ptx_affine_destroy(watch.of[i]);
  wf_graph_destroy(graph);
  fg_destroy(gpu);
}

#define RMAT "rmat:scale=9,edges=4000"
static const suite_case cases[] = {
    {"pagerank", RMAT, {NULL}},
    {"bfs", RMAT, {"app.strategy=thread", "app.unroll=4"}},
    {"sssp", RMAT, {NULL}},
    {"wcc", RMAT, {"app.strategy=thread", "app.unroll=1"}},
    {"bfs_rodinia", RMAT, {NULL}},
    {"gc", RMAT, {"app.rounds=0"}},
    {"ssp", RMAT, {NULL}},
    {"ccl", RMAT, {NULL}},
    {"spmv", RMAT, {NULL}},
    {"hbfs", RMAT, {NULL}},
    {"hmst", RMAT, {NULL}},
    {"stcon", RMAT, {NULL}},
    {"lsbfs", RMAT, {NULL}},
    {"bfs_dp", RMAT, {NULL}},
    {"clr", RMAT, {"app.rounds=0"}},
    {"join", NULL, {"app.left=300", "app.right=2000", "app.keys=100"}},
    {"amr", NULL, {"app.side=5", "app.sources=2"}},
    {"kmn", NULL, {"app.points=300", "app.features=10"}},
    {"kmn", NULL, {"app.points=513", "app.features=5", "app.turns=2", "app.layout=points"}},
    {"wc", NULL, {"app.bytes=5000", "app.line=16"}},
    {"iix", NULL, {"app.bytes=5000", "app.line=64"}},
    {"mm", NULL, {"app.n=45"}},
    {"mm", NULL, {"app.n=33", "app.b=rows"}},
    {"ss", NULL, {"app.documents=37", "app.features=19"}},
    {"ge", NULL, {"app.n=37"}},
    {"srd", NULL, {"app.n=48", "app.turns=2"}},
    {"mri", NULL, {"app.side=12", "app.samples=700"}},
    {"sgm", NULL, {"app.m=128", "app.n=48", "app.k=24"}},
    {"stn", NULL, {"app.n=48", "app.turns=2"}},
    {"aps", NULL, {"app.n=45", "app.degree=3"}},
    {"eds", NULL, {"app.rows=37", "app.cols=53"}},
    {"eds", NULL, {"app.rows=37", "app.cols=53", "app.form=shared"}},
    {"hsp", NULL, {"app.rows=40", "app.cols=33", "app.turns=4"}},
    {"hsp", NULL, {"app.rows=40", "app.cols=33", "app.turns=4", "app.form=shared"}},
    {"jac", NULL, {"app.rows=35", "app.cols=50", "app.turns=2"}},
    {"jac", NULL, {"app.rows=35", "app.cols=50", "app.turns=2", "app.form=shared"}},
    {"mma", NULL, {"app.rows=37", "app.cols=53"}},
    {"mma", NULL, {"app.rows=37", "app.cols=53", "app.form=shared"}},
    {"ptf", NULL, {"app.rows=12", "app.cols=700"}},
    {"ptf", NULL, {"app.rows=12", "app.cols=700", "app.form=shared"}},
};

static void all_addresses_within(unsigned relax, uint64_t least_checked) {
  watch.checked = watch.outside = watch.kernels = watch.loads_with_rows = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) run_case(&cases[i], relax);
  printf("%llu addresses of %llu loads in %llu launches\n", (unsigned long long)watch.checked,
         (unsigned long long)watch.loads_with_rows, (unsigned long long)watch.kernels);
  assert_int_equal(watch.outside, 0);
  assert_true(watch.kernels > 16);
  assert_true(watch.checked > least_checked);
}

static void static_addresses_lie_in_their_ranges(void **state) {
  (void)state;
  all_addresses_within(0, 500000);
}

static void relaxed_addresses_lie_in_their_ranges(void **state) {
  (void)state;
  const uint64_t before = watch.loads_with_rows;
  all_addresses_within(PTX_RELAX_LOOPS | PTX_RELAX_CHOICES | PTX_RELAX_OPERATORS, 850000);
  assert_true(watch.loads_with_rows > before);
}

/* Ranges that end an element early, or begin elsewhere, are noticed. */
static void wrong_ranges_are_found(void **state) {
  (void)state;
  static const suite_case some[] = {{"stn", NULL, {"app.n=48", "app.turns=1"}},
                                    {"mma", NULL, {"app.rows=32", "app.cols=64"}},
                                    {"bfs_rodinia", RMAT, {NULL}},
                                    {"ptf", NULL, {"app.rows=3", "app.cols=700"}}};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    watch.outside = 0;
    watch.fault = -1;
    run_case(&some[i], 0);
    assert_true(watch.outside > 0);
  }
  watch.fault = 0;
}

/* Whole blocks of threads in the grid's middle read what is fetched; at the border some do not. */
static void ranges_are_tight(void **state) {
  (void)state;
  static const suite_case stencils[] = {
      {"stn", NULL, {"app.n=96", "app.turns=1"}},
      {"eds", NULL, {"app.rows=128", "app.cols=128"}},
      {"hsp", NULL, {"app.rows=128", "app.cols=128", "app.turns=1"}},
      {"jac", NULL, {"app.rows=128", "app.cols=128", "app.turns=1"}},
      {"mma", NULL, {"app.rows=128", "app.cols=128"}},
      {"ptf", NULL, {"app.rows=4", "app.cols=2048"}},
      {"srd", NULL, {"app.n=64", "app.turns=1"}}};
  watch.stamp = calloc(WORDS, sizeof *watch.stamp);
  for (size_t i = 0; i < sizeof stencils / sizeof *stencils; i++) {
    watch.measure = true;
    watch.turn = 0;
    memset(watch.stamp, 0, WORDS * sizeof *watch.stamp);
    watch.range_bytes = watch.read_words = 0;
    run_case(&stencils[i], 0);
    watch.measure = false;
    const double ratio = (double)watch.range_bytes / (4 * (double)watch.read_words);
    printf("%s: %.2f bytes in ranges for each that is read\n", stencils[i].app, ratio);
    if (ratio > (strcmp(stencils[i].app, "stn") ? 1.5 : 4) || ratio < 0.9)
      fail_msg("%s: %.2f", stencils[i].app, ratio);
  }
  free(watch.stamp);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(static_addresses_lie_in_their_ranges),
      cmocka_unit_test(relaxed_addresses_lie_in_their_ranges),
      cmocka_unit_test(wrong_ranges_are_found),
      cmocka_unit_test(ranges_are_tight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
