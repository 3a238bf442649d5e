/* Post-dominators: hand-made graphs, and random ones against the definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/ptx/cfg.h"
#include "sim/ptx/ptx.h"

/* Reconvergence of the branches of a kernel's body, by instruction number. */
static void check_reconvergence(const char *body, uint32_t branch, uint32_t expected) {
  char text[2048] = ".entry k { .reg .pred p, q; .reg .b32 r;\n";
  wf_error err = {0};
  strcat(strcat(text, body), "\n}");
  ptx_module *m = ptx_parse_text("cfg", text, strlen(text), NULL, 0, &err);
  if (!m) fail_msg("%s", err.text);
  const ptx_kernel *k = ptx_kernel_at(m, 0);
  assert_int_equal(k->insts[branch].cls, PTX_CLASS_BRANCH);
  if (expected == UINT32_MAX) expected = k->n_insts;
  if (k->insts[branch].reconverge != expected)
    fail_msg("%s: branch %u reconverges at %u, should at %u", body, branch,
             k->insts[branch].reconverge, expected);
  ptx_module_destroy(m);
}

#define WORK "add.u32 r, r, 1; "
#define END UINT32_MAX

static void test_shapes(void **state) {
  (void)state;
  /* if */
  check_reconvergence("@p bra A; " WORK "A: " WORK "ret;", 0, 2);
  /* if - else: 0 bra, 1 work, 2 bra B, 3 A: work, 4 B: ret */
  check_reconvergence("@p bra A; " WORK "bra B; A: " WORK "B: ret;", 0, 4);
  /* nested: 0 bra A, 1 bra B, 2 work, 3 B: work, 4 A: ret */
  check_reconvergence("@p bra A; @q bra B; " WORK "B: " WORK "A: ret;", 0, 4);
  check_reconvergence("@p bra A; @q bra B; " WORK "B: " WORK "A: ret;", 1, 3);
  /* loop: 0 L: work, 1 bra L, 2 ret */
  check_reconvergence("L: " WORK "@p bra L; ret;", 1, 2);
  /* while with break: 0 L: bra X; 1 work; 2 bra X; 3 bra L; 4 X: ret */
  check_reconvergence("L: @p bra X; " WORK "@q bra X; bra L; X: ret;", 0, 4);
  check_reconvergence("L: @p bra X; " WORK "@q bra X; bra L; X: ret;", 2, 4);
  /* loop with continue: 0 L: work; 1 @q bra L; 2 work; 3 @p bra L; 4 ret; all must come to 2 */
  check_reconvergence("L: " WORK "@q bra L; " WORK "@p bra L; ret;", 1, 2);
  check_reconvergence("L: " WORK "@q bra L; " WORK "@p bra L; ret;", 3, 4);
  /* both sides return: only the end is common */
  check_reconvergence("@p bra A; " WORK "ret; A: " WORK "ret;", 0, END);
  /* a switch: 0 bra A, 1 bra B, 2 work, 3 bra E, 4 A: work, 5 bra E, 6 B: work, 7 E: ret */
  check_reconvergence("@p bra A; @q bra B; " WORK "bra E; A: " WORK "bra E; B: " WORK "E: ret;", 0,
                      7);
  check_reconvergence("@p bra A; @q bra B; " WORK "bra E; A: " WORK "bra E; B: " WORK "E: ret;", 1,
                      7);
  /* a loop with two entries: 0 @p bra B; 1 A: work; 2 B: work; 3 @q bra A; 4 ret */
  check_reconvergence("@p bra B; A: " WORK "B: " WORK "@q bra A; ret;", 0, 2);
  check_reconvergence("@p bra B; A: " WORK "B: " WORK "@q bra A; ret;", 3, 4);
  /* two blocks that jump into each other: 0 @p bra B; 1 A: @q bra X; 2 B: @p bra A; 3 X: ret */
  check_reconvergence("@p bra B; A: @q bra X; B: @p bra A; X: ret;", 0, 3);
  check_reconvergence("@p bra B; A: @q bra X; B: @p bra A; X: ret;", 1, 3);
  check_reconvergence("@p bra B; A: @q bra X; B: @p bra A; X: ret;", 2, 3);
  /* lanes that leave are not waited for: 0 @p bra A; 1 @q exit; 2 work; 3 A: ret */
  check_reconvergence("@p bra A; @q exit; " WORK "A: ret;", 0, 3);
  /* an endless loop left by a guarded exit: 0 L: @p bra M; 1 work; 2 M: @q exit; 3 bra L */
  check_reconvergence("L: @p bra M; " WORK "M: @q exit; bra L;", 0, 2);
  /* an endless loop has a place to meet all the same: 0 L: @p bra M; 1 work; 2 M: bra L */
  check_reconvergence("L: @p bra M; " WORK "M: bra L;", 0, 2);
  /* a branch to the next instruction */
  check_reconvergence("@p bra A; A: ret;", 0, 1);
  /* a trap in an arm, behind other work as well, keeps nobody apart */
  check_reconvergence("@p bra A; @q bra T; " WORK "bra B; T: " WORK "trap; A: " WORK "B: ret;", 0,
                      7);
  check_reconvergence("@p bra A; @q bra T; " WORK "bra B; T: " WORK "trap; A: " WORK "B: ret;", 1,
                      2);
  check_reconvergence("@p bra A; " WORK "trap; A: " WORK "trap;", 0, END);
}

/* ---- against the definition ---- */
enum { MAX_NODES = 24 };

/* Can the end be reached from `from` without passing `without`? */
static bool reaches_end(const ptx_cfg *g, const bool *ends, uint32_t from, uint32_t without) {
  bool seen[MAX_NODES] = {false};
  uint32_t stack[2 * MAX_NODES * 2], n = 0;
  if (from == without) return false;
  stack[n++] = from;
  seen[from] = true;
  while (n) {
    const uint32_t b = stack[--n];
    if (ends[b]) return true;
    for (uint32_t s = 0; s < g->blocks[b].n_succ; s++) {
      const uint32_t next = g->blocks[b].succ[s];
      if (next != without && !seen[next]) seen[next] = true, stack[n++] = next;
    }
  }
  return false;
}

/* d post-dominates b if every path from b to the end passes d. The immediate one is post-dominated
 * by all the others. */
static void check_definition(const ptx_cfg *g, const bool *ends) {
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    if (!reaches_end(g, ends, b, UINT32_MAX)) return; /* the graph was completed with edges */
  }
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    const uint32_t got = g->blocks[b].ipdom;
    if (got == g->n_blocks) { /* nothing but the end is on every path */
      for (uint32_t d = 0; d < g->n_blocks; d++) assert_true(d == b || reaches_end(g, ends, b, d));
      continue;
    }
    assert_false(reaches_end(g, ends, b, got)); /* it post-dominates b */
    for (uint32_t o = 0; o < g->n_blocks;
         o++) /* and every other post-dominator of b does so to it */
      if (o != b && o != got && !reaches_end(g, ends, b, o))
        assert_false(reaches_end(g, ends, got, o));
  }
}

static void test_random_graphs(void **state) {
  (void)state;
  wf_rng rng;
  wf_rng_seed(&rng, 2);
  unsigned complete = 0;
  for (int round = 0; round < 4000; round++) {
    const uint32_t n = 1 + (uint32_t)wf_rng_below(&rng, MAX_NODES - 1);
    ptx_flow flows[MAX_NODES] = {{0}};
    for (uint32_t i = 0; i < n; i++) {
      const uint64_t kind = wf_rng_below(&rng, 6);
      flows[i].jumps = kind >= 2 && kind < 5;
      flows[i].exits = kind == 5;
      flows[i].conditional = kind == 2 || kind == 3;
      flows[i].target = (uint32_t)wf_rng_below(&rng, n + 1);
    }
    flows[n - 1] = (ptx_flow){.exits = true};
    ptx_cfg *g = ptx_cfg_create(flows, n);
    bool ends[MAX_NODES], all = true;
    for (uint32_t b = 0; b < g->n_blocks; b++) {
      const ptx_flow *f = &flows[g->blocks[b].last];
      ends[b] = f->exits || (f->jumps && f->target == n);
      assert_true(g->blocks[b].ipdom <= g->n_blocks);
    }
    for (uint32_t b = 0; b < g->n_blocks; b++) all &= reaches_end(g, ends, b, UINT32_MAX);
    complete += all;
    check_definition(g, ends);
    ptx_cfg_destroy(g);
  }
  assert_true(complete > 1000); /* most graphs were really checked */
}

/* A long chain of nested loops must not take long. */
static void test_large_graph(void **state) {
  (void)state;
  enum { N = 200000 };
  ptx_flow *flows = calloc(N, sizeof *flows);
  for (uint32_t i = 0; i + 1 < N; i++)
    flows[i] = (ptx_flow){.jumps = true, .conditional = true, .target = i % 2 ? i - 1 : i + 1};
  flows[N - 1].exits = true;
  ptx_cfg *g = ptx_cfg_create(flows, N);
  assert_int_equal(g->n_blocks, N);
  assert_int_equal(g->blocks[0].ipdom, 1);
  ptx_cfg_destroy(g);
  free(flows);
}

/* Shapes on which iterating to a fixed point is quadratic: here, minutes. Block i of a do-while
 * nest goes on to i + 1 or back to the first; the blocks of a backward chain run from the last to
 * the first. */
static void test_hostile_graphs(void **state) {
  (void)state;
  enum { N = 300000 };
  ptx_flow *flows = calloc(N, sizeof *flows);
  for (uint32_t i = 0; i + 1 < N; i++) flows[i] = (ptx_flow){.jumps = true, .conditional = true};
  flows[N - 1].exits = true;
  ptx_cfg *g = ptx_cfg_create(flows, N);
  assert_int_equal(g->n_blocks, N);
  for (uint32_t i = 0; i + 1 < N; i++) assert_int_equal(g->blocks[i].ipdom, i + 1);
  ptx_cfg_destroy(g);
  flows[0] = (ptx_flow){.jumps = true, .target = N - 1};
  flows[1] = (ptx_flow){.exits = true};
  for (uint32_t i = 2; i < N; i++) flows[i] = (ptx_flow){.jumps = true, .target = i - 1};
  g = ptx_cfg_create(flows, N);
  for (uint32_t i = 2; i < N; i++) assert_int_equal(g->blocks[i].ipdom, i - 1);
  assert_int_equal(g->blocks[0].ipdom, N - 1);
  ptx_cfg_destroy(g);
  free(flows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_large_graph),
      cmocka_unit_test(test_hostile_graphs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
