/* Natural loops: hand-made kernels, random graphs against the definition, hostile graphs in linear
 * time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/ptx/loops.h"

static ptx_module *parse(const char *body) {
  char text[2048] = ".entry k { .reg .pred p, q; .reg .b32 r;\n";
  wf_error err = {0};
  strcat(strcat(text, body), "\n}");
  ptx_module *m = ptx_parse_text("loops", text, strlen(text), NULL, 0, &err);
  if (!m) fail_msg("%s", err.text);
  return m;
}

static void check_loop(const ptx_kernel *k, uint32_t loop, ptx_pc low, ptx_pc high,
                       uint32_t parent) {
  assert_int_equal(k->loops[loop].low, low);
  assert_int_equal(k->loops[loop].high, high);
  assert_int_equal(k->loops[loop].parent, parent);
}

#define WORK "add.u32 r, r, 1; "

static void test_shapes(void **state) {
  (void)state;
  /* none */
  ptx_module *m = parse("@p bra A; " WORK "A: ret;");
  assert_int_equal(ptx_kernel_at(m, 0)->n_loops, 0);
  assert_int_equal(ptx_kernel_at(m, 0)->loop_of[1], PTX_NO_LOOP);
  ptx_module_destroy(m);
  /* 0 work, 1 L: work, 2 bra L, 3 ret */
  m = parse(WORK "L: " WORK "@p bra L; ret;");
  const ptx_kernel *k = ptx_kernel_at(m, 0);
  assert_int_equal(k->n_loops, 1);
  check_loop(k, 0, 1, 2, PTX_NO_LOOP);
  assert_int_equal(k->loop_of[0], PTX_NO_LOOP);
  assert_int_equal(k->loop_of[1], 0);
  assert_int_equal(k->loop_of[2], 0);
  assert_int_equal(k->loop_of[3], PTX_NO_LOOP);
  ptx_module_destroy(m);
  /* nested: 0 L: work, 1 M: work, 2 @p bra M, 3 @q bra L, 4 ret */
  m = parse("L: " WORK "M: " WORK "@p bra M; @q bra L; ret;");
  k = ptx_kernel_at(m, 0);
  assert_int_equal(k->n_loops, 2);
  check_loop(k, 0, 0, 3, PTX_NO_LOOP);
  check_loop(k, 1, 1, 2, 0);
  assert_int_equal(k->loop_of[0], 0);
  assert_int_equal(k->loop_of[1], 1);
  assert_int_equal(k->loop_of[3], 0);
  ptx_module_destroy(m);
  /* continue: two ways back to one header are one loop; a break's target lies outside.
   * 0 L: work; 1 @q bra L; 2 @p bra X; 3 bra L; 4 X: ret */
  m = parse("L: " WORK "@q bra L; @p bra X; bra L; X: ret;");
  k = ptx_kernel_at(m, 0);
  assert_int_equal(k->n_loops, 1);
  check_loop(k, 0, 0, 3, PTX_NO_LOOP);
  ptx_module_destroy(m);
  /* one after the other: 0 L: work; 1 @p bra L; 2 M: work; 3 @p bra M; 4 ret */
  m = parse("L: " WORK "@p bra L; M: " WORK "@p bra M; ret;");
  k = ptx_kernel_at(m, 0);
  assert_int_equal(k->n_loops, 2);
  check_loop(k, k->loop_of[0], 0, 1, PTX_NO_LOOP);
  check_loop(k, k->loop_of[2], 2, 3, PTX_NO_LOOP);
  ptx_module_destroy(m);
}

/* ---- against the definition ---- */
enum { MAX_NODES = 20 };

static bool reaches(const ptx_cfg *g, uint32_t from, uint32_t to, uint32_t without) {
  bool seen[MAX_NODES] = {false};
  uint32_t stack[MAX_NODES], n = 0;
  if (from == without) return false;
  stack[n++] = from;
  seen[from] = true;
  while (n) {
    const uint32_t b = stack[--n];
    if (b == to) return true;
    for (uint32_t s = 0; s < g->blocks[b].n_succ; s++) {
      const uint32_t next = g->blocks[b].succ[s];
      if (next != without && !seen[next]) seen[next] = true, stack[n++] = next;
    }
  }
  return false;
}

static bool dominates(const ptx_cfg *g, uint32_t d, uint32_t b) {
  return d == b || !reaches(g, 0, b, d);
}

/* Is v in the natural loop of header h: h dominates it, and it leads back to h? */
static bool in_natural_loop(const ptx_cfg *g, uint32_t h, uint32_t v) {
  for (uint32_t u = 0; u < g->n_blocks; u++)
    for (uint32_t s = 0; s < g->blocks[u].n_succ; s++)
      if (g->blocks[u].succ[s] == h && reaches(g, 0, u, UINT32_MAX) && dominates(g, h, u) &&
          (v == h || reaches(g, v, u, h)))
        return true;
  return false;
}

/* Every retreating edge leads to a dominator? Only then is the definition the whole story. */
static bool reducible(const ptx_cfg *g) {
  bool gone[MAX_NODES] = {false}, changed = true;
  uint32_t left = g->n_blocks;
  while (changed) { /* without its back edges the graph has no cycle: take away what nothing leads
                       to */
    changed = false;
    for (uint32_t v = 0; v < g->n_blocks; v++) {
      bool led = false;
      for (uint32_t u = 0; u < g->n_blocks && !gone[v]; u++)
        for (uint32_t s = 0; s < g->blocks[u].n_succ; s++)
          led |= !gone[u] && g->blocks[u].succ[s] == v && !dominates(g, v, u);
      if (gone[v] || led) continue;
      gone[v] = changed = true;
      left--;
    }
  }
  return left == 0;
}

static void check_definition(const ptx_cfg *g, const ptx_loop_forest *f) {
  uint32_t loops = 0;
  for (uint32_t h = 0; h < g->n_blocks; h++) {
    if (!in_natural_loop(g, h, h)) continue;
    loops++;
    uint32_t own = f->loop_of[g->blocks[h].first];
    assert_int_not_equal(own, PTX_NO_LOOP);
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t v = 0; v < g->n_blocks; v++) {
      bool inside = false;
      for (uint32_t l = f->loop_of[g->blocks[v].first]; l != PTX_NO_LOOP; l = f->loops[l].parent)
        inside |= l == own;
      if (!reaches(g, 0, v, UINT32_MAX))
        assert_false(inside);
      else
        assert_int_equal(inside, in_natural_loop(g, h, v));
      if (inside && g->blocks[v].first < low) low = g->blocks[v].first;
      if (inside && g->blocks[v].last > high) high = g->blocks[v].last;
    }
    assert_int_equal(f->loops[own].low, low);
    assert_int_equal(f->loops[own].high, high);
  }
  assert_int_equal(f->n_loops, loops);
}

static void test_random_graphs(void **state) {
  (void)state;
  wf_rng rng;
  wf_rng_seed(&rng, 3);
  unsigned checked = 0, with_loops = 0;
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
    ptx_loop_forest f = ptx_loops_find(g, n);
    if (reducible(g)) {
      check_definition(g, &f);
      checked++;
      with_loops += f.n_loops > 1;
    }
    for (uint32_t l = 0; l < f.n_loops; l++)
      assert_true(f.loops[l].parent == PTX_NO_LOOP || f.loops[l].parent < l);
    ptx_loops_free(&f);
    ptx_cfg_destroy(g);
  }
  assert_true(checked > 1000 && with_loops > 100);
}

/* A chain of loops, a nest with one header, a nest of distinct headers. */
static void test_hostile_graphs(void **state) {
  (void)state;
  enum { N = 200000 };
  ptx_flow *flows = calloc(N, sizeof *flows);
  for (int shape = 0; shape < 3; shape++) {
    for (uint32_t i = 0; i + 1 < N; i++) {
      uint32_t back = shape == 0   ? (i % 2 ? i - 1 : i + 1)
                      : shape == 1 ? 0
                      : i >= N / 2 ? N - 2 - i
                                   : i + 1;
      flows[i] = (ptx_flow){.jumps = true, .conditional = true, .target = back};
    }
    flows[N - 1] = (ptx_flow){.exits = true};
    ptx_cfg *g = ptx_cfg_create(flows, N);
    ptx_loop_forest f = ptx_loops_find(g, N);
    assert_int_equal(f.n_loops, shape == 1 ? 1 : N / 2 - 1);
    if (shape == 2) assert_int_equal(f.loops[f.n_loops - 1].parent, f.n_loops - 2);
    ptx_loops_free(&f);
    ptx_cfg_destroy(g);
  }
  free(flows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_hostile_graphs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
