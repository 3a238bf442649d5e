/* `warpfab graph`: exit codes, output and messages, caught by redirecting the standard files. */
#include <fcntl.h>
#include <sys/wait.h>

#include "tests/graph/helper.h"

typedef struct outcome {
  int code;
  char out[8192], err[4096];
} outcome;

static void read_back(const char *path, char *text, size_t room) {
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, room - 1, f)] = 0;
  fclose(f);
  unlink(path);
}

/* Runs with stdout and stderr sent to files; arguments end with NULL. */
static outcome run(const folder *f, const char *const *argument) {
  static const char *const name[] = {"out", "err"};
  outcome o = {0};
  char *argv[16] = {"graph"};
  int argc = 1, saved[2];
  path_text path[2];
  while (argument[argc - 1]) argv[argc] = (char *)(uintptr_t)argument[argc - 1], argc++;
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    path[i] = in_folder(f, name[i]);
    saved[i] = dup(i + 1);
    int to = open(path[i].text, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(to, i + 1);
    close(to);
  }
  o.code = wf_graph_command(argc, argv);
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    dup2(saved[i], i + 1);
    close(saved[i]);
  }
  read_back(path[0].text, o.out, sizeof o.out);
  read_back(path[1].text, o.err, sizeof o.err);
  return o;
}
#define RUN(...) run(*state, (const char *const[]){__VA_ARGS__, NULL})

static void info(void **state) {
  outcome o = RUN("info", "grid:x=4,y=4");
  assert_int_equal(o.code, 0);
  assert_string_equal(o.err, ""); /* no progress into a file */
  assert_non_null(strstr(o.out, "vertices                           16"));
  o = RUN("info", "grid:x=4,y=4", "--json", "-");
  assert_int_equal(o.code, 0);
  assert_int_equal(o.out[0], '{');
  path_text json = in_folder(*state, "info.json");
  o = RUN("info", "--json", json.text, "grid:x=4,y=4");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "vertices"));
  char text[4096];
  read_back(json.text, text, sizeof text);
  assert_non_null(strstr(text, "\"vertices\":\t16"));
  o = RUN("info", "grid:x=4,y=4", "--json", "/no/such/folder/x.json");
  assert_int_equal(o.code, 2);
  assert_non_null(strstr(o.err, "/no/such/folder/x.json: cannot be written"));
}

static void generate_and_convert(void **state) {
  path_text a = in_folder(*state, "a.mtx.gz"), b = in_folder(*state, "b.wfg.zst");
  outcome o = RUN("generate", "rmat:scale=8", a.text, "--seed", "9");
  assert_int_equal(o.code, 0);
  assert_string_equal(o.out, "");
  o = RUN("convert", a.text, b.text);
  assert_int_equal(o.code, 0);
  wf_graph *ga = open_ok("rmat:scale=8,seed=9"), *gb = open_ok(b.text);
  expect_same(ga, gb, true);
  wf_graph_destroy(gb);
  o = RUN("convert", a.text, b.text, "--symmetric", "--weights");
  assert_int_equal(o.code, 0);
  wf_error err = {0};
  assert_true(wf_graph_make_symmetric(ga, &err));
  assert_true(wf_graph_need_weights(ga, 0, NULL));
  gb = open_ok(b.text);
  expect_same(ga, gb, true);
  wf_graph_destroy(ga);
  wf_graph_destroy(gb);
  unlink(a.text);
  unlink(b.text);
}

static void help(void **state) {
  outcome o = RUN("--help");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "usage: warpfab graph info"));
  assert_non_null(strstr(o.out, "rmat:scale=S"));
  assert_string_equal(o.err, "");
}

static void mistakes(void **state) {
  static const struct {
    const char *argument[5], *message;
  } c[] = {
      {{NULL}, "usage: warpfab graph info"},
      {{"draw", "x"}, "unknown command \"draw\""},
      {{"info"}, "graph info needs a file or generator"},
      {{"info", "a", "b"}, "graph info needs a file or generator"},
      {{"info", "chain:n=2", "--json"}, "--json needs a value"},
      {{"info", "chain:n=2", "--colour"}, "unknown option --colour"},
      {{"info", "chain:n=2", "--seed", "x"}, "--seed x: expected a whole number"},
      {{"info", "chain:n=2", "--seed", "18446744073709551616"}, "0..18446744073709551615"},
      {{"info", "/no/such.mtx"}, "/no/such.mtx: cannot open"},
      {{"info", "chain:n=0"}, "n is \"0\""},
      {{"convert", "chain:n=2"}, "needs two files"},
      {{"convert", "a", "b", "c"}, "one argument too many: c"},
      {{"convert", "chain:n=2", "x.csv"}, "x.csv: the name's ending says no graph format"},
      {{"generate", "chain:n=2"}, "needs a generator and a file"},
      {{"generate", "data/debian12.mtx.gz", "x.el"}, "is no generator"},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    outcome o = run(*state, c[i].argument);
    assert_int_equal(o.code, 2);
    assert_string_equal(o.out, "");
    if (!strstr(o.err, c[i].message)) fail_msg("\"%s\" lacks \"%s\"", o.err, c[i].message);
  }
  assert_int_equal(files_in(*state), 0);
}

/* The script behind the shipped graph, on an index of three packages. */
static void graph_of_a_package_index(void **state) {
  static const char index[] = "Package: b\nDepends: a (>= 1), c | d:any, zz\nSuggests: b\n\n"
                              "Package: a\n\nPackage: d\nPre-Depends: a\nRecommends: b [amd64]\n";
  if (access("/usr/lib/apt/apt-helper", X_OK) != 0) {
    print_message("not checked, since apt-helper is absent\n");
    skip();
  }
  path_text in = in_folder(*state, "Packages"), out = in_folder(*state, "small.mtx.gz");
  char command[1024];
  put_file(in.text, index, sizeof index - 1);
  snprintf(command, sizeof command, "scripts/make-debian-graph %s %s >/dev/null", out.text,
           in.text);
  assert_int_equal(system(command), 0);
  wf_graph *g = open_ok(out.text); /* a b d; b -> a, b -> d, d -> a, d -> b */
  expect_rows(g, 3, (uint32_t[]){0, 0, 2, 4}, (uint32_t[]){0, 2, 0, 1});
  wf_graph_destroy(g);
  put_file(in.text, "no index\n", 9);
  snprintf(command, sizeof command, "scripts/make-debian-graph %s %s 2>/dev/null", out.text,
           in.text);
  int status = system(command);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
  unlink(in.text);
  unlink(out.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(info), cmocka_unit_test(generate_and_convert), cmocka_unit_test(help),

      cmocka_unit_test(graph_of_a_package_index), cmocka_unit_test(mistakes)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
