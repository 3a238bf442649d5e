/* Writers: what was written reads back as the same graph, in every format and packing; damage is
 * found; no partial file appears. */
#include <signal.h>
#include <sys/resource.h>

#include "tests/graph/helper.h"

static const char *const PACKINGS[] = {"", ".gz", ".zst"};

static void round_trip(const folder *f, const wf_graph *g, const char *ending,
                       bool keeps_symmetry) {
  for (size_t i = 0; i < 3; i++) {
    char name[64];
    wf_error err = {0};
    snprintf(name, sizeof name, "trip%s%s", ending, PACKINGS[i]);
    path_text p = in_folder(f, name);
    if (!wf_graph_write(g, p.text, &err)) fail_msg("%s", err.text);
    wf_graph *back = open_ok(p.text);
    expect_same(g, back, keeps_symmetry);
    assert_string_equal(back->name, "trip");
    wf_graph_destroy(back);
    unlink(p.text);
  }
  assert_int_equal(files_in(f), 0); /* no temporary file stays */
}

/* Larger than the buffers of readers and writers, so that lines cross their borders. */
static void directed(void **state) {
  wf_graph *g = open_ok("rmat:scale=14,edges=150000,seed=5");
  round_trip(*state, g, ".mtx", true);
  round_trip(*state, g, ".el", true);
  round_trip(*state, g, ".txt", true);
  round_trip(*state, g, ".wfg", true);
  assert_true(wf_graph_need_weights(g, 1, NULL));
  round_trip(*state, g, ".mtx", true);
  round_trip(*state, g, ".el", true);
  round_trip(*state, g, ".gr", true);
  round_trip(*state, g, ".wfg", true);
  wf_graph_destroy(g);
}

static void symmetric(void **state) {
  wf_graph *g = open_ok("rgg:scale=10");
  assert_true(wf_graph_need_weights(g, 1, NULL));
  round_trip(*state, g, ".mtx", true);
  round_trip(*state, g, ".wfg", true);
  round_trip(*state, g, ".el", false); /* these two formats cannot say it */
  round_trip(*state, g, ".gr", false);
  wf_graph_destroy(g);
}

static void loops_and_parallel_arcs(void **state) {
  wf_error err = {0};
  static const uint32_t tail[] = {2, 0, 0, 2, 1}, head[] = {2, 1, 1, 0, 1},
                        weight[] = {5, 9, 3, 0, 1};
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    wf_graph *g = wf_graph_from_arcs("small", 4, 5, tail, head, weight, symmetric, &err);
    assert_non_null(g);
    assert_int_equal(g->n_edges, symmetric ? 8 : 5);
    round_trip(*state, g, ".mtx", true);
    round_trip(*state, g, ".wfg", true);
    round_trip(*state, g, ".el", !symmetric);
    wf_graph_destroy(g);
  }
}

static void no_edges(void **state) {
  wf_error err = {0};
  wf_graph *g = wf_graph_from_arcs("empty", 3, 0, NULL, NULL, NULL, false, &err);
  assert_non_null(g);
  round_trip(*state, g, ".mtx", true);
  round_trip(*state, g, ".el", true);
  round_trip(*state, g, ".wfg", true);
  wf_graph_destroy(g);
}

static void same_bytes_twice(void **state) {
  wf_graph *g = open_ok("er:scale=8");
  wf_error err = {0};
  for (size_t i = 0; i < 3; i++) {
    char name[2][32];
    unsigned char *data[2];
    size_t bytes[2];
    for (int k = 0; k < 2; k++) {
      snprintf(name[k], sizeof name[k], "twice%d.mtx%s", k, PACKINGS[i]);
      path_text p = in_folder(*state, name[k]);
      assert_true(wf_graph_write(g, p.text, &err));
      bytes[k] = get_file(p.text, &data[k]);
      unlink(p.text);
    }
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(data[0], data[1], bytes[0]);
    free(data[0]);
    free(data[1]);
  }
  wf_graph_destroy(g);
}

static void from_arcs_checks_ids(void **state) {
  (void)state;
  wf_error err = {0};
  static const uint32_t tail[] = {0, 1}, head[] = {1, 2};
  assert_null(wf_graph_from_arcs("bad", 2, 2, tail, head, NULL, false, &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "bad: arc 1 is 1 -> 2; vertices are 0 .. 1"));
}

static void expect_write_failure(const wf_graph *g, const char *path, const char *message) {
  wf_error err = {0};
  assert_false(wf_graph_write(g, path, &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, path));
  if (!strstr(err.text, message)) fail_msg("\"%s\" lacks \"%s\"", err.text, message);
}

static void places_that_cannot_be_written(void **state) {
  wf_graph *g = open_ok("chain:n=3");
  expect_write_failure(g, "/no/such/folder/x.mtx", "cannot be written: No such file or directory");
  expect_write_failure(g, "/proc/x.el.gz", "cannot be written");
  expect_write_failure(g, "graph.csv", "expected .mtx, .el, .txt, .gr or .wfg");
  expect_write_failure(g, "graph.gz", "expected .mtx, .el, .txt, .gr or .wfg");
  path_text p = in_folder(*state, "folder.wfg");
  char command[300];
  snprintf(command, sizeof command, "mkdir %s", p.text);
  assert_int_equal(system(command), 0);
  expect_write_failure(g, p.text, "Is a directory");
  rmdir(p.text);
  assert_int_equal(files_in(*state), 0);
  wf_graph_destroy(g);
}

/* Writing fails half-way (here at a limit of file size, as on a full disk): the error is reported,
 * nothing new stays, and the file that was there before is as it was. */
static void failing_half_way(void **state) {
  path_text p = in_folder(*state, "kept.el");
  wf_error err = {0};
  wf_graph *small = open_ok("chain:n=3"), *large = open_ok("er:scale=12");
  assert_true(wf_graph_write(small, p.text, &err));
  struct rlimit old, limit;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  limit = old;
  limit.rlim_cur = 65536;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  bool written = wf_graph_write(large, p.text, &err);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_false(written);
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "kept.el: cannot be written: File too large"));
  assert_int_equal(files_in(*state), 1);
  wf_graph *back = open_ok(p.text);
  expect_same(small, back, false);
  wf_graph_destroy(back);
  wf_graph_destroy(small);
  wf_graph_destroy(large);
  unlink(p.text);
}

/* ---- damaged binary files ---- */

static void binary_damage(void **state) {
  wf_graph *g = open_ok("grid:x=5,y=4");
  assert_true(wf_graph_need_weights(g, 3, NULL));
  wf_error err = {0};
  wf_graph_options options = {0};
  path_text p = in_folder(*state, "b.wfg");
  unsigned char *data;
  assert_true(wf_graph_write(g, p.text, &err));
  size_t bytes = get_file(p.text, &data);
  assert_int_equal(bytes, 40 + (20 + 1 + 2 * g->n_edges) * 4 + 4);
  for (size_t cut = 8; cut < bytes; cut += cut < 48 ? 1 : 37) {
    put_file(p.text, data, cut);
    expect_failure(p.text, &options, (const char *const[]){p.text, "truncated", NULL});
  }
  data[bytes] = 0;
  put_file(p.text, data, bytes + 1);
  expect_failure(p.text, &options, (const char *const[]){"bytes behind the end", NULL});
  for (size_t at = 8; at < bytes; at++) { /* any flipped bit is found */
    data[at] ^= 0x10;
    put_file(p.text, data, bytes);
    expect_failure(p.text, &options, (const char *const[]){p.text, NULL});
    data[at] ^= 0x10;
  }
  put_file(p.text, data, bytes);
  wf_graph *back = open_ok(p.text);
  expect_same(g, back, true);
  wf_graph_destroy(back);
  wf_graph_destroy(g);
  free(data);
}

static void put32(unsigned char *p, uint32_t v) {
  for (int i = 0; i < 4; i++) p[i] = (unsigned char)(v >> (8 * i));
}

/* Contents that make no sense although the checksum is right. */
static void binary_nonsense(void **state) {
  static const struct {
    size_t word;
    uint32_t value;
    const char *message;
  } c[] = {
      {2, 2, ".wfg version 2; this program reads version 1"},
      {3, 4, ".wfg flags 0x4"},
      {4, 0, "0 vertices"},
      {5, 1, "4294967299 vertices"},
      {8, 5, "5 edges in the source of 2 arcs"},
      {10, 1, "row offsets run from 1 to 2; expected 0 to 2"},
      {11, 3, "row offset 3 of vertex 1 is above the next one"},
      {14, 3, "an arc 0 -> 3; vertices are 0 .. 2"},
      {14, 2, "the arcs of vertex 0 are not in ascending order"},
      {3, 3, "marked symmetric, but 0 -> 1 and 1 -> 0 do not occur equally often"},
      {16, 0x80000000u, "weight 2147483648 of an arc 0 -> 0"},
  };
  wf_error err = {0};
  static const uint32_t tail[] = {0, 0}, head[] = {0, 1}, weight[] = {1, 2};
  wf_graph *g = wf_graph_from_arcs("two", 3, 2, tail, head, weight, false, &err);
  wf_graph_options options = {0};
  path_text p = in_folder(*state, "n.wfg");
  unsigned char *data;
  assert_true(wf_graph_write(g, p.text, &err));
  size_t bytes = get_file(p.text, &data);
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    unsigned char damaged[256];
    memcpy(damaged, data, bytes);
    put32(damaged + 4 * c[i].word, c[i].value);
    put32(damaged + bytes - 4, (uint32_t)crc32(0, damaged, (unsigned)bytes - 4));
    put_file(p.text, damaged, bytes);
    expect_failure(p.text, &options, (const char *const[]){p.text, c[i].message, NULL});
  }
  wf_graph_destroy(g);
  free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directed),
      cmocka_unit_test(symmetric),
      cmocka_unit_test(loops_and_parallel_arcs),
      cmocka_unit_test(no_edges),
      cmocka_unit_test(same_bytes_twice),
      cmocka_unit_test(from_arcs_checks_ids),
      cmocka_unit_test(places_that_cannot_be_written),
      cmocka_unit_test(failing_half_way),
      cmocka_unit_test(binary_damage),
      cmocka_unit_test(binary_nonsense),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
