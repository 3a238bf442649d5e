/* Forms of the applications that use the unit's instructions: what clang made of them, and what
 * they compute where those are answered at once from memory. Strict where the hardware only may be:
 * a gather's target holds rubbish until mff.wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "tests/apps/functional_gpu.h"

/* ---- the unit ---- */

enum { OP_GATHER, OP_WAIT, OP_SCATTER, RUBBISH = 0x7fc0dead, PENDING = 64, MAX_SIZE = 32 };

static const ptx_custom_op ops[] = {
    {.mnemonic = "mff.gather.b32", .operands = "mrr", .id = OP_GATHER},
    {.mnemonic = "mff.wait", .operands = "", .id = OP_WAIT},
    {.mnemonic = "mff.scatter_set", .operands = "rr", .id = OP_SCATTER}};

typedef struct gather {
  const fg_warp *warp; /* NULL: unused */
  uint32_t target[PTX_LANES], index[PTX_LANES], size[PTX_LANES];
} gather;

static gather pending[PENDING];
static uint32_t base[3]; /* c, v, b */
static uint64_t gathers, scatters;

static bool write_base(wf_gpu *gpu, const char *reg, uint32_t value, wf_error *err) {
  (void)gpu;
  const char *at = strchr("cvb", reg[0]);
  if (!at || strcmp(reg + 1, "_base") != 0 || value % 4)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s = %u: no such register", reg, value);
  base[at - "cvb"] = value;
  return true;
}

static bool load_word(wf_gpu *gpu, uint64_t address, uint32_t *word, wf_error *err) {
  const uint8_t *at = fg_at(gpu, address, 4, err);
  if (at) memcpy(word, at, 4);
  return at;
}

static bool start_gather(fg_warp *w, const ptx_effect *effect, wf_error *err) {
  gather *g = pending;
  while (g < pending + PENDING && g->warp) g++;
  if (g == pending + PENDING) return wf_fail(err, WF_EXIT_WRONG, "too many gathers");
  *g = (gather){.warp = w};
  for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
    if (!(effect->active >> lane & 1) || !effect->operand[2][lane]) continue;
    uint64_t target = effect->operand[0][lane], size = effect->operand[2][lane];
    if (target >= PTX_SHARED_WINDOW) target -= PTX_SHARED_WINDOW;
    if (size > MAX_SIZE || target % 4 || target + size * 4 > w->shared_bytes)
      return wf_fail(err, WF_EXIT_WRONG, "gather: lane %u has size %u and target 0x%llx", lane,
                     (unsigned)size, (unsigned long long)target);
    g->target[lane] = (uint32_t)target;
    g->index[lane] = (uint32_t)effect->operand[1][lane];
    g->size[lane] = (uint32_t)size;
    const uint32_t rubbish = RUBBISH;
    for (uint32_t i = 0; i < size; i++) memcpy(w->ptx.shared + target + i * 4, &rubbish, 4);
  }
  gathers++;
  return true;
}

static bool deliver(fg_warp *w, const gather *g, wf_error *err) {
  for (uint32_t lane = 0; lane < PTX_LANES; lane++)
    for (uint32_t i = 0; i < g->size[lane]; i++) {
      uint32_t index, word;
      if (!load_word(w->gpu, base[0] + 4ull * (g->index[lane] + i), &index, err) ||
          !load_word(w->gpu, base[1] + 4ull * index, &word, err))
        return false;
      memcpy(w->ptx.shared + g->target[lane] + i * 4, &word, 4);
    }
  return true;
}

static bool wait_for_all(fg_warp *w, wf_error *err) {
  for (gather *g = pending; g < pending + PENDING; g++) {
    if (g->warp != w) continue;
    if (!deliver(w, g, err)) return false;
    g->warp = NULL;
  }
  return true;
}

static bool scatter(fg_warp *w, const ptx_effect *effect, wf_error *err) {
  for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
    uint32_t size = effect->active >> lane & 1 ? (uint32_t)effect->operand[1][lane] : 0;
    if (size > MAX_SIZE) return wf_fail(err, WF_EXIT_WRONG, "scatter of size %u", size);
    for (uint32_t i = 0; i < size; i++) {
      uint32_t v;
      uint64_t at = base[0] + 4ull * ((uint32_t)effect->operand[0][lane] + i);
      if (!load_word(w->gpu, at, &v, err)) return false;
      uint8_t *byte = fg_at(w->gpu, base[2] + v / 8, 1, err);
      if (!byte) return false;
      *byte |= (uint8_t)(1u << v % 8);
    }
  }
  scatters++;
  return true;
}

static bool run_op(fg_warp *w, const ptx_inst *inst, const ptx_effect *effect, wf_error *err) {
  if (inst->custom_id == OP_WAIT) return wait_for_all(w, err);
  return inst->custom_id == OP_GATHER ? start_gather(w, effect, err) : scatter(w, effect, err);
}

static bool end_warp(fg_warp *w, wf_error *err) {
  bool waits = false;
  for (const gather *g = pending; g < pending + PENDING; g++) waits |= g->warp == w;
  return !waits || wf_fail(err, WF_EXIT_WRONG, "warp ended without mff.wait");
}

static const fg_unit unit = {"mff", ops, 3, write_base, run_op, end_warp};

/* ---- what the forms compute ---- */

static const char *const graphs[] = {"rmat:scale=10,edges=6000",
                                     "grid:x=17,y=13",
                                     "star:n=300",
                                     "chain:n=70",
                                     "complete:n=40",
                                     "chain:n=1",
                                     "er:scale=8,edges=300"};
enum { N_GRAPHS = sizeof graphs / sizeof graphs[0] };

/* Runs it, which must be right; options: "app.key=value ..." or NULL. Result: super-steps. */
static uint32_t verified(const char *name, const char *spec, const char *options,
                         uint64_t *atomics) {
  char text[128], *rest = text;
  wf_error err = {0};
  wf_gpu *gpu = fg_create(96u << 20, &unit);
  wf_graph *graph = wf_graph_open(spec, 5, &err);
  wf_app_run run = {.gpu = gpu, .graph = graph, .seed = 11};
  memset(pending, 0, sizeof pending);
  gathers = scatters = 0;
  snprintf(text, sizeof text, "%s", options ? options : "");
  for (char *option; (option = strtok_r(rest, " ", &rest));)
    assert_true(wf_options_add(&gpu->options, option, &err));
  if (!graph || !wf_app_start(wf_app_find(name, &err), &run, &err))
    fail_msg("%s on %s: %s", name, spec, err.text);
  if (!run.verified) fail_msg("%s on %s: %s", name, spec, run.verdict);
  *atomics = gpu->atomics;
  wf_graph_destroy(graph);
  fg_destroy(gpu);
  return (uint32_t)run.supersteps;
}

static void forms_are_right(void **state) {
  (void)state;
  static const char *const apps[] = {"pagerank", "bfs", "sssp", "wcc"};
  static const char *const variants[] = {"app.strategy=thread",
                                         "app.strategy=thread app.supersteps=3"};
  uint64_t atomics;
  for (size_t a = 0; a < 4; a++)
    for (size_t g = 0; g < N_GRAPHS; g++)
      for (size_t v = 0; v < 2; v++) {
        verified(apps[a], graphs[g], variants[v], &atomics);
        if (g > 0) continue; /* on the first graph every form has something to do */
        assert_true((gathers > 0) == (a != 1));
        assert_true((scatters > 0) == (a != 0));
        assert_int_equal(atomics, 0); /* the unit sets all bits */
      }
}

static void strategies(void **state) {
  (void)state;
  static const char *const with[] = {"app.strategy=thread", "app.strategy=edges", NULL};
  uint64_t atomics;
  for (size_t i = 0; i < 3; i++)
    for (size_t g = 0; g < N_GRAPHS; g++) {
      verified("pagerank", graphs[g], with[i], &atomics);
      if (g == 0 && with[i]) assert_true(gathers > 0); /* NULL: auto may leave the unit unused */
    }
  verified("pagerank", "star:n=40000", "app.strategy=edges", &atomics); /* a list of 40 tiles */
  verified("pagerank", "grid:x=17,y=13", NULL, &atomics);               /* no list of more than 4 */
  assert_int_equal(gathers, 0);
}

static void unit_can_be_left_unused(void **state) {
  (void)state;
  uint64_t atomics;
  verified("sssp", graphs[0], "app.mff=0", &atomics);
  assert_int_equal(gathers + scatters, 0);
  assert_true(atomics > 0);
}

static void supersteps(void **state) {
  (void)state;
  uint64_t atomics;
  assert_in_range(verified("pagerank", graphs[0], "app.supersteps=0", &atomics), 5, 200);
  assert_int_equal(verified("bfs", "chain:n=70", "app.source=0", &atomics), 70);
}

/* ---- what clang made of them ---- */

/* In the text of NAME_mff, of module MODULE_mff. */
static bool has(const char *const kernel[2], const char *text) {
  char module[64], entry[64];
  snprintf(module, sizeof module, "%s_mff", kernel[0]);
  snprintf(entry, sizeof entry, ".visible .entry %s_mff(", kernel[1]);
  const wf_app_kernels *k = wf_app_kernels_find(module);
  assert_non_null(k);
  const char *start = strstr(k->ptx, entry);
  assert_non_null(start);
  const char *end = strstr(start + 1, ".visible .entry"), *at = strstr(start, text);
  return at && (!end || at < end);
}

static void kernels(void **state) {
  (void)state;
  static const char *const gather_kernels[][2] = {
      {"pagerank", "pagerank"}, {"sssp", "sssp_gather"}, {"wcc", "wcc_gather"}};
  static const char *const scatter_kernels[][2] = {
      {"bfs", "bfs"}, {"sssp", "sssp_commit"}, {"wcc", "wcc_commit"}};
  for (size_t i = 0; i < 3; i++) {
    assert_true(has(gather_kernels[i], "mff.gather.b32 [%rd"));
    assert_true(has(gather_kernels[i], "mff.wait;"));
    assert_true(has(gather_kernels[i], "ld.shared"));
    assert_true(has(gather_kernels[i], "vote.any.pred"));
    assert_false(has(gather_kernels[i], "mff.scatter_set"));
    assert_true(has(scatter_kernels[i], "mff.scatter_set %r"));
    assert_false(has(scatter_kernels[i], "red."));
    assert_false(has(scatter_kernels[i], "mff.gather"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_are_right),
      cmocka_unit_test(strategies),
      cmocka_unit_test(unit_can_be_left_unused),
      cmocka_unit_test(supersteps),
      cmocka_unit_test(kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
