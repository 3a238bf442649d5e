/* Readers: what each format means, and that every malformed file is refused with place and reason.
 */
#include "tests/graph/helper.h"

#define MTX "%%MatrixMarket matrix coordinate "

static void mtx_pattern(void **state) {
  wf_graph *g =
      open_text(*state, MTX "pattern general\n% comment\n\n4 4 5\n3 1\n1 2\n1 1\n4 3\n1 2\n");
  /* unsorted, a loop at 0, and 0 -> 1 twice: all kept, rows ascending, vertex 1 empty */
  expect_rows(g, 4, (uint32_t[]){0, 3, 3, 4, 5}, (uint32_t[]){0, 1, 1, 0, 2});
  assert_null(g->out_weight);
  assert_false(g->symmetric);
  assert_int_equal(g->n_entries, 5);
  assert_string_equal(g->name, "graph");
  wf_graph_destroy(g);
}

static void mtx_symmetric(void **state) {
  wf_graph *g = open_text(*state, MTX "integer symmetric\n3 3 3\n2 1 7\n3 3 5\n3 1 9\n");
  expect_rows(g, 3, (uint32_t[]){0, 2, 3, 5}, (uint32_t[]){1, 2, 0, 0, 2});
  assert_memory_equal(g->out_weight, ((uint32_t[]){7, 9, 7, 9, 5}), 20);
  assert_true(g->symmetric);
  assert_int_equal(g->n_entries, 3);
  wf_graph_destroy(g);
}

static void mtx_skew(void **state) {
  wf_graph *g = open_text(*state, MTX "real skew-symmetric\n3 3 2\n2 1 -7.5\n3 2 1e-3\n");
  expect_rows(g, 3, (uint32_t[]){0, 1, 3, 4}, (uint32_t[]){1, 0, 2, 1});
  assert_null(g->out_weight); /* the halves differ in sign */
  wf_graph_destroy(g);
}

static void mtx_real_weights(void **state) {
  wf_graph *g = open_text(*state, MTX "real general\n2 2 3\n1 1 3.0\n1 2 2e3\n2 1 2147483647\n");
  assert_memory_equal(g->out_weight, ((uint32_t[]){3, 2000, 2147483647}), 12);
  wf_graph_destroy(g);
}

static void mtx_header_is_case_free(void **state) {
  wf_graph *g = open_text(*state, MTX "PATTERN General\r\n2 2 1\r\n1\t 2 \r\n");
  expect_rows(g, 2, (uint32_t[]){0, 1, 1}, (uint32_t[]){1});
  wf_graph_destroy(g);
}

static void mtx_without_entries(void **state) {
  wf_graph *g = open_text(*state, MTX "pattern general\n3 3 0\n");
  expect_rows(g, 3, (uint32_t[]){0, 0, 0, 0}, NULL);
  wf_graph_destroy(g);
}

static void mtx_errors(void **state) {
  static const struct {
    const char *text, *place, *message;
  } c[] = {
      {MTX "pattern\n1 1 0\n", ":1:", "header is not complete"},
      {MTX "pattern general extra\n1 1 0\n", ":1:", "header is not complete"},
      {"%%MatrixMarket vector coordinate real general\n", ":1:", "object is \"vector\""},
      {"%%MatrixMarket matrix array real general\n", ":1:", "format is \"array\""},
      {MTX "complex general\n1 1 0\n", ":1:", "\"complex\" are no edge weights"},
      {MTX "quaternion general\n1 1 0\n", ":1:", "values of type \"quaternion\""},
      {MTX "pattern hermitian\n1 1 0\n", ":1:", "symmetry \"hermitian\""},
      {MTX "pattern general\n% only comments\n",
       ":2:", "ends before the line \"rows columns entries\""},
      {MTX "pattern general\n3 x 1\n", ":2:", "expected three numbers"},
      {MTX "pattern general\n3 3\n1 1\n", ":2:", "expected three numbers"},
      {MTX "pattern general\n3 4 1\n1 1\n", ":2:", "3 x 4; a graph needs a square one"},
      {MTX "pattern general\n0 0 0\n", ":2:", "0 vertices"},
      {MTX "pattern general\n2147483648 2147483648 1\n1 1\n",
       ":2:", "2147483648 vertices; 1 .. 2147483647"},
      {MTX "pattern general\n4000000000 4000000000 9\n", ":2:", "4000000000 vertices"},
      {MTX "pattern general\n2000000000 2000000000 9\n", ":2:", "not plausible with 9 edges"},
      {MTX "pattern general\n9 9 2147483648\n", ":2:", "2147483648 edges"},
      {MTX "pattern symmetric\n9 9 1073741824\n", ":2:", "2147483648 edges"},
      {MTX "pattern general\n3 3 2\n1 1\n0 2\n",
       ":4:", "index \"0\"; expected a whole number 1 .. 3"},
      {MTX "pattern general\n3 3 2\n1 1\n2 4\n",
       ":4:", "index \"4\"; expected a whole number 1 .. 3"},
      {MTX "pattern general\n3 3 1\n-1 2\n", ":3:", "index \"-1\""},
      {MTX "pattern general\n3 3 1\n1 2x\n", ":3:", "index \"2x\""},
      {MTX "pattern general\n3 3 1\n1\n", ":3:", "index end of line"},
      {MTX "pattern general\n3 3 1\n1 99999999999999999999999999\n",
       ":3:", "index \"99999999999999999999999999\""},
      /* 2^64 + 1 must not wrap to 1 */
      {MTX "pattern general\n3 3 1\n1 18446744073709551617\n",
       ":3:", "index \"18446744073709551617\""},
      {MTX "pattern general\n3 3 1\n1 2 3\n", ":3:", "\"3\" behind the entry"},
      {MTX "integer general\n3 3 1\n1 2\n", ":3:", "end of line is no edge weight"},
      {MTX "integer general\n3 3 1\n1 2 -5\n", ":3:", "\"-5\" is no edge weight"},
      {MTX "real general\n3 3 1\n1 2 0.5\n", ":3:", "\"0.5\" is no edge weight"},
      {MTX "real general\n3 3 1\n1 2 nan\n", ":3:", "\"nan\" is no edge weight"},
      {MTX "real general\n3 3 1\n1 2 1e99\n", ":3:", "\"1e99\" is no edge weight"},
      {MTX "real general\n3 3 1\n1 2 3e\n", ":3:", "\"3e\" is no edge weight"},
      {MTX "integer general\n3 3 1\n1 2 2147483648\n", ":3:", "\"2147483648\" is no edge weight"},
      {MTX "real skew-symmetric\n3 3 1\n2 2 1\n", ":3:", "diagonal of a skew-symmetric"},
      {MTX "real skew-symmetric\n3 3 1\n2 1\n", ":3:", "has no value"},
      {MTX "pattern general\n3 3 2\n1 1\n",
       ":3:", "ends after 1 of the 2 entries that line 2 announces"},
      {MTX "pattern general\n3 3 1\n1 1\n2 2\n", ":4:", "more entries than the 1 that line 2"},
      {MTX "pattern general\n3 3 1\n\x01\xff 1\n", ":3:", "index \"\\x01\\xff\""},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++)
    expect_text_failure(*state, c[i].text, c[i].place, c[i].message);
}

static void ignoring_weights(void **state) {
  static const char *const texts[] = {MTX "complex hermitian\n2 2 1\n2 1 1.5 -2.5\n",
                                      MTX "real symmetric\n2 2 1\n2 1 -0.25\n", "0 1 -9\n1 0 x\n",
                                      "p sp 2 2\na 1 2 3\na 2 1 4\n"};
  wf_graph_options options = {.ignore_weights = true};
  path_text p = in_folder(*state, "weighty");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    wf_error err = {0};
    put_file(p.text, texts[i], strlen(texts[i]));
    wf_graph *g = wf_graph_open_with(p.text, &options, &err);
    if (!g) fail_msg("%s", err.text);
    expect_rows(g, 2, (uint32_t[]){0, 1, 2}, (uint32_t[]){1, 0});
    assert_null(g->out_weight);
    wf_graph_destroy(g);
  }
}

static void edge_list(void **state) {
  wf_graph *g = open_text(*state, "# comment\n% other\n3\t0\n\n0 2\n0 1");
  expect_rows(g, 4, (uint32_t[]){0, 2, 2, 2, 3}, (uint32_t[]){1, 2, 0});
  assert_null(g->out_weight);
  wf_graph_destroy(g);
  g = open_text(*state, "1 0 30\n0 1 20\n");
  assert_memory_equal(g->out_weight, ((uint32_t[]){20, 30}), 8);
  wf_graph_destroy(g);
  /* SNAP's comment knows of vertices that no edge names */
  g = open_text(*state, "# Nodes: 6 Edges: 1\n# FromNodeId\tToNodeId\n0\t1\n");
  expect_rows(g, 6, (uint32_t[]){0, 1, 1, 1, 1, 1, 1}, (uint32_t[]){1});
  wf_graph_destroy(g);
}

static void edge_list_errors(void **state) {
  static const struct {
    const char *text, *place, *message;
  } c[] = {
      {"", ":", "the file is empty"},
      {"\n\n", ":2:", "no edges"},
      {"# nothing\n", ":1:", "no edges"},
      {"hello world\n", ":1:", "\"hello\"; expected MatrixMarket"},
      {"%MatrixMarket matrix\n1 1 x\n", ":1:", "header is not complete"},
      {"0\n", ":1:", "1 columns; expected \"tail head\""},
      {"0 1 2 3\n", ":1:", "4 columns"},
      {"0 1\n0 1 2\n", ":2:", "\"2\" behind the edge; expected 2 columns"},
      {"0 1 2\n0 1\n", ":2:", "no weight, though earlier lines have one"},
      {"0 1\n0 -1\n", ":2:", "vertex \"-1\"; expected a whole number 0 .. 2147483646"},
      {"0 1\n2147483647 1\n", ":2:", "vertex \"2147483647\""},
      {"0 1\n5 4294967296\n", ":2:", "vertex \"4294967296\""},
      {"0 1\n1.5 2\n", ":2:", "vertex \"1.5\""},
      {"0 1\n1,2\n", ":2:", "vertex \"1,2\""},
      {"0 1 -3\n", ":1:", "\"-3\" is no edge weight"},
      {"0 2000000000\n", ":", "2000000001 vertices are not plausible with 1 edges"},
      {"# Nodes: 3 Edges: 2\n0 1\n", ":2:", "ends after 1 of the 2 edges that line 1 announces"},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++)
    expect_text_failure(*state, c[i].text, c[i].place, c[i].message);
}

static void dimacs(void **state) {
  wf_graph *g =
      open_text(*state, "c road\np sp 3 5\na 1 2 9\na 3 1 4\na 1 2 7\na 2 2 1\na 1 2 8\n");
  expect_rows(g, 3, (uint32_t[]){0, 1, 2, 3}, (uint32_t[]){1, 1, 0});
  assert_memory_equal(g->out_weight, ((uint32_t[]){7, 1, 4}), 12);
  assert_int_equal(g->n_entries, 3);
  wf_graph_destroy(g);
}

static void dimacs_errors(void **state) {
  static const struct {
    const char *text, *place, *message;
  } c[] = {
      {"c only comments\n", ":1:", "no line \"p sp vertices arcs\""},
      {"c x\na 1 2 3\n", ":2:", "an arc before the line"},
      {"p edge 3 3\n", ":1:", "problem line with \"edge\""},
      {"p sp 3\n", ":1:", "problem line with \"sp\""},
      {"p sp 3 1\np sp 3 1\n", ":2:", "a second \"p\" line; line 1 has one"},
      {"p sp 0 0\n", ":1:", "0 vertices"},
      {"p sp 2000000000 1\n", ":1:", "not plausible"},
      {"p sp 3 1\na 0 1 2\n", ":2:", "vertex \"0\"; expected a whole number 1 .. 3"},
      {"p sp 3 1\na 1 4 2\n", ":2:", "vertex \"4\""},
      {"p sp 3 1\na 1 2\n", ":2:", "the arc has no weight"},
      {"p sp 3 1\na 1 2 -7\n", ":2:", "\"-7\" is no edge weight"},
      {"p sp 3 1\na 1 2 7 8\n", ":2:", "\"8\" behind the arc"},
      {"p sp 3 1\ne 1 2\n", ":2:", "begins with \"e\""},
      {"p sp 3 2\na 1 2 3\n", ":2:", "ends after 1 of the 2 arcs that line 1 announces"},
      {"p sp 9 2147483648\n", ":1:", "2147483648 edges"},
      {"p sp 3 1\na 1 2 3\na 1 2 3\n", ":3:", "more arcs than the 1 that line 1"},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++)
    expect_text_failure(*state, c[i].text, c[i].place, c[i].message);
}

static void files_that_cannot_be_read(void **state) {
  wf_graph_options options = {0};
  expect_failure("/no/such/file.mtx", &options,
                 (const char *const[]){"/no/such/file.mtx: cannot open", "generator", NULL});
  expect_failure(((folder *)*state)->path, &options, (const char *const[]){"cannot read", NULL});
  expect_text_failure(*state, "BZh91AY&SY", ":", "compressed as bzip2, which is not read");
  expect_text_failure(*state, "\x04\x22\x4d\x18", ":", "compressed as lz4, which is not read");
}

static void lines_too_long(void **state) {
  enum { BYTES = 3 << 20 };
  char *text = malloc(BYTES + 1);
  memset(text, ' ', BYTES);
  memcpy(text, "0 1\n", 4);
  text[BYTES] = 0;
  expect_text_failure(*state, text, ":2:", "a line of more than 1048576 bytes");
  free(text);
}

static void memory_limit(void **state) {
  path_text p = in_folder(*state, "large.mtx");
  static const char text[] = MTX "pattern general\n1000000 1000000 1000000\n";
  put_file(p.text, text, sizeof text - 1);
  wf_graph_options options = {.max_host_bytes = 1 << 20};
  expect_failure(p.text, &options,
                 (const char *const[]){":2: needs about",
                                       "MiB of host memory, more "
                                       "than the 1 MiB allowed",
                                       NULL});
  expect_failure("random:n=1000000", &options, (const char *const[]){"host memory", NULL});
  /* an edge list announces nothing: refused while it grows */
  enum { LINES = 200000 };
  char *list = malloc(LINES * 4);
  for (int i = 0; i < LINES; i++)
    memcpy(list + 4 * i, "0 1\n", 4); // NOLINT(bugprone-not-null-terminated-result): a file's bytes
  path_text listed = in_folder(*state, "large.el");
  put_file(listed.text, list, LINES * 4);
  free(list);
  expect_failure(listed.text, &options, (const char *const[]){"host memory", NULL});
}

/* ---- compressed input ---- */

static const char LIST[] = "0 1\n1 2\n2 0\n";

static size_t pack_gzip(const char *text, size_t bytes, unsigned char *out, size_t room) {
  z_stream z = {0};
  assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (unsigned char *)(uintptr_t)text;
  z.avail_in = (unsigned)bytes;
  z.next_out = out;
  z.avail_out = (unsigned)room;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  size_t packed = room - z.avail_out;
  deflateEnd(&z);
  return packed;
}

static void packed_by_content_not_name(void **state) {
  unsigned char out[400];
  path_text p = in_folder(*state, "misnamed.txt");
  size_t n = pack_gzip(LIST, 6, out, 200); /* two members, cut within a line */
  n += pack_gzip(LIST + 6, sizeof LIST - 7, out + n, 200);
  put_file(p.text, out, n);
  wf_graph *g = open_ok(p.text);
  expect_rows(g, 3, (uint32_t[]){0, 1, 2, 3}, (uint32_t[]){1, 2, 0});
  wf_graph_destroy(g);
  n = ZSTD_compress(out, sizeof out, LIST, sizeof LIST - 1, 3);
  memmove(out + n, out, n); /* two frames */
  put_file(p.text, out, 2 * n);
  g = open_ok(p.text);
  expect_rows(g, 3, (uint32_t[]){0, 2, 4, 6}, (uint32_t[]){1, 1, 2, 2, 0, 0});
  wf_graph_destroy(g);
}

/* Every proper prefix of a packed file must be refused, and so must a damaged one. */
static void packed_and_truncated(void **state) {
  unsigned char out[400];
  wf_graph_options options = {0};
  path_text p = in_folder(*state, "cut.el.gz");
  size_t n = pack_gzip(LIST, sizeof LIST - 1, out, sizeof out);
  for (size_t cut = 2; cut < n; cut++) {
    put_file(p.text, out, cut);
    expect_failure(p.text, &options, (const char *const[]){p.text, "gzip data end early", NULL});
  }
  out[n - 6] ^= 1; /* in the checksum */
  put_file(p.text, out, n);
  expect_failure(p.text, &options, (const char *const[]){"gzip data are damaged", NULL});
  n = ZSTD_compress(out, sizeof out, LIST, sizeof LIST - 1, 3);
  for (size_t cut = 4; cut < n; cut++) {
    put_file(p.text, out, cut);
    expect_failure(p.text, &options,
                   (const char *const[]){p.text, "Zstandard data end early", NULL});
  }
  put_file(p.text, "\x28\xb5\x2f\xfd damaged", 12);
  expect_failure(p.text, &options, (const char *const[]){"Zstandard data are damaged", NULL});
  put_file(p.text, out, pack_gzip("", 0, out, sizeof out));
  expect_failure(p.text, &options, (const char *const[]){"the file is empty", NULL});
}

static void simplifying(void **state) {
  wf_graph_options options = {.simplify = true};
  path_text p = in_folder(*state, "multi.el");
  static const char text[] = "0 1 9\n0 0 1\n0 1 4\n1 0 3\n";
  wf_error err = {0};
  put_file(p.text, text, sizeof text - 1);
  wf_graph *g = wf_graph_open_with(p.text, &options, &err);
  assert_non_null(g);
  expect_rows(g, 2, (uint32_t[]){0, 1, 2}, (uint32_t[]){1, 0});
  assert_memory_equal(g->out_weight, ((uint32_t[]){4, 3}), 8);
  wf_graph_destroy(g);
}

typedef struct progress_seen {
  int calls;
  uint64_t done, total;
} progress_seen;

static void count_progress(void *user, const char *what, uint64_t done, uint64_t total) {
  progress_seen *seen = user;
  assert_non_null(what);
  assert_true(done >= seen->done);
  *seen = (progress_seen){seen->calls + 1, done, total};
}

static void progress_is_reported(void **state) {
  (void)state;
  static const char *const specs[] = {"data/debian12.mtx.gz", "rmat:scale=8", "rgg:scale=8"};
  for (size_t i = 0; i < 3; i++) {
    progress_seen seen = {0};
    wf_error err = {0};
    wf_graph_options options = {.progress = count_progress, .progress_user = &seen};
    wf_graph *g = wf_graph_open_with(specs[i], &options, &err);
    assert_non_null(g);
    assert_true(seen.calls > 0);
    if (i != 1) assert_int_equal(seen.done, seen.total); /* draws need not end at a report */
    wf_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mtx_pattern),
      cmocka_unit_test(mtx_symmetric),
      cmocka_unit_test(mtx_skew),
      cmocka_unit_test(mtx_real_weights),
      cmocka_unit_test(mtx_header_is_case_free),
      cmocka_unit_test(mtx_without_entries),
      cmocka_unit_test(mtx_errors),
      cmocka_unit_test(ignoring_weights),
      cmocka_unit_test(edge_list),
      cmocka_unit_test(edge_list_errors),
      cmocka_unit_test(dimacs),
      cmocka_unit_test(dimacs_errors),
      cmocka_unit_test(files_that_cannot_be_read),
      cmocka_unit_test(lines_too_long),
      cmocka_unit_test(memory_limit),
      cmocka_unit_test(packed_by_content_not_name),
      cmocka_unit_test(packed_and_truncated),
      cmocka_unit_test(simplifying),
      cmocka_unit_test(progress_is_reported),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
