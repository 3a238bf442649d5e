/* A store of results: what goes in comes out, whole or not at all; who may open what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>
#include <cmocka.h>

#include "sim/base/wf_text.h"
#include "sim/store/identity.h"
#include "sim/store/table.h"

static char folder[] = "/tmp/wf_store_XXXXXX";

static const char *path_of(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  remove(path);
  return path;
}

/* A result with few numbers, one of them deep. */
static cJSON *result_of(double cycles) {
  char *text = wf_text("{\"app\": \"bfs\", \"settings\": {\"l1.ways\": \"2\"}, \"cycles\": %.0f, "
                       "\"verified\": true, \"l1\": {\"hits\": 7, \"hit_rate\": 0.5}, "
                       "\"kernels\": [{\"name\": \"k\"}], \"host\": {\"seconds\": 1.5}}",
                       cycles);
  cJSON *json = cJSON_Parse(text);
  free(text);
  assert_non_null(json);
  return json;
}

static bool add(wf_store *store, uint64_t key, int exit, const char *arguments, double cycles,
                wf_error *err) {
  cJSON *result = exit ? NULL : result_of(cycles);
  cJSON *configuration = cJSON_Parse("{\"l1.ways\": 2, \"core.scheduler\": \"gto\"}");
  const wf_store_run run = {.arguments = arguments,
                            .key = key,
                            .program = 1,
                            .rtl = 2,
                            .exit = exit,
                            .message = exit ? "it failed" : NULL,
                            .app = "bfs",
                            .config = "gtx480",
                            .units = "foo",
                            .seed = 3,
                            .graph = "a, \"graph\"",
                            .graph_checksum = 0xabcd,
                            .vertices = 10,
                            .edges = UINT64_C(1) << 33,
                            .configuration = configuration,
                            .result = result};
  const bool ok = wf_store_append(store, &run, err);
  cJSON_Delete(result);
  cJSON_Delete(configuration);
  return ok;
}

static wf_store *fresh(const char *name) {
  wf_error err = {0};
  wf_store *store = wf_store_open(path_of(name), WF_STORE_APPEND, &err);
  if (!store) fail_msg("%s", err.text);
  return store;
}

static bool count_one(void *user, const cJSON *record, wf_error *err) {
  (void)record;
  (void)err;
  ++*(unsigned *)user;
  return true;
}

static unsigned count(wf_store *store, const char *where) {
  unsigned n = 0;
  wf_error err = {0};
  if (!wf_store_each(store, &where, where != NULL, count_one, &n, &err)) fail_msg("%s", err.text);
  return n;
}

static bool check_record(void *user, const cJSON *r, wf_error *err) {
  static const struct {
    const char *key, *text;
  } fields[] = {{"id", "1"},
                {"key", "fedcba9876543210"},
                {"exit", "0"},
                {"arguments", "--app bfs"},
                {"message", ""},
                {"graph", "a, \"graph\""},
                {"edges", "8589934592"},
                {"graph_checksum", "0000abcd"},
                {"seed", "3"},
                {"verified", "true"},
                {"cycles", "1234"},
                {"host_seconds", "1.5"},
                {"l1.ways", "2"},
                {"core.scheduler", "gto"},
                {"l1.hits", "7"},
                {"l1.nothing", ""},
                {"host.seconds", "1.5"}};
  (void)err;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    char *text = wf_store_text(wf_store_field(r, fields[i].key));
    assert_string_equal(text, fields[i].text);
    free(text);
  }
  ++*(unsigned *)user;
  return true;
}

static void what_goes_in_comes_out(void **state) {
  (void)state;
  wf_error err = {0};
  unsigned seen = 0;
  wf_store *store = fresh("a.db");
  assert_true(add(store, UINT64_C(0xfedcba9876543210), 0, "--app bfs", 1234, &err));
  assert_true(wf_store_each(store, NULL, 0, check_record, &seen, &err));
  assert_int_equal(seen, 1);
  wf_store_close(store);
  store = wf_store_open("/dev/null", WF_STORE_READ, &err);
  assert_null(store);
  assert_non_null(strstr(err.text, "not a regular file"));
}

static void only_what_is_asked_for(void **state) {
  (void)state;
  wf_error err = {0};
  wf_store *store = fresh("a.db");
  for (unsigned i = 0; i < 5; i++)
    assert_true(add(store, i, i == 3 ? 2 : 0, i % 2 ? "--odd" : "--even", 100 + i, &err));
  assert_int_equal(count(store, NULL), 5);
  assert_int_equal(count(store, "cycles=102"), 1);
  assert_int_equal(count(store, "cycles=102.0"), 1);
  assert_int_equal(count(store, "arguments=--odd"), 2);
  assert_int_equal(count(store, "verified=true"), 4);
  assert_int_equal(count(store, "l1.hits=7"), 4);
  assert_int_equal(count(store, "l1.ways=2"), 5);
  assert_int_equal(count(store, "core.scheduler=gto"), 5);
  assert_int_equal(count(store, "core.scheduler=0"), 0); /* a word is no number */
  assert_int_equal(count(store, "exit=2"), 1);
  static const char *const wrong[] = {"nokey", "=3", "l1.none=3", "a'b=3", "a\"b=1", ""};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    unsigned n = 0;
    err = (wf_error){0};
    assert_false(wf_store_each(store, &wrong[i], 1, count_one, &n, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  }
  wf_store_close(store);
}

static void a_run_is_found_by_its_key(void **state) {
  (void)state;
  wf_error err = {0};
  int exit = -1;
  wf_store *store = fresh("a.db");
  assert_false(wf_store_find(store, 5, &exit));
  assert_true(add(store, 5, 3, "--x", 0, &err));
  assert_true(wf_store_find(store, 5, &exit));
  assert_int_equal(exit, 3);
  assert_null(wf_store_result(store, 5, "--x")); /* it failed */
  assert_true(add(store, 5, 0, "--x", 77, &err));
  assert_true(wf_store_find(store, 5, &exit));
  assert_int_equal(exit, 0);
  assert_null(wf_store_result(store, 5, "--y")); /* other arguments, whatever their hash */
  cJSON *result = wf_store_result(store, 5, "--x");
  assert_int_equal(cJSON_GetObjectItem(result, "cycles")->valueint, 77);
  cJSON_Delete(result);
  wf_store_close(store);
}

static void merging_adds_each_run_once(void **state) {
  (void)state;
  wf_error err = {0};
  uint64_t added;
  wf_store *part = fresh("part.db"), *store;
  assert_true(add(part, 1, 0, "--a", 1, &err) && add(part, 2, 2, "--b", 2, &err));
  store = fresh("all.db");
  assert_true(add(store, 3, 0, "--c", 3, &err));
  char *path = wf_text("%s/part.db", folder);
  for (unsigned again = 0; again < 2; again++) {
    assert_true(wf_store_merge(store, path, &added, &err));
    assert_int_equal(added, again ? 0 : 2);
    assert_int_equal(count(store, NULL), 3);
  }
  assert_int_equal(count(store, "graph_checksum=0000abcd"), 3);
  assert_int_equal(count(store, "core.scheduler=gto"), 3);
  assert_false(wf_store_merge(store, "/nowhere/part.db", &added, &err));
  wf_store_close(part);
  wf_store_close(store);
  free(path);
}

enum { WRITERS = 6, EACH = 25 };

static void many_writers_lose_nothing(void **state) {
  (void)state;
  char *path = wf_text("%s", path_of("many.db"));
  for (unsigned w = 0; w < WRITERS; w++)
    if (fork() == 0) { /* all of them make the store, too */
      wf_error err = {0};
      bool ok = true;
      for (unsigned i = 0; ok && i < EACH; i++) {
        wf_store *store = wf_store_open(path, WF_STORE_APPEND, &err);
        ok = store && add(store, w * EACH + i, 0, "--many", i, &err);
        wf_store_close(store);
      }
      if (!ok) fprintf(stderr, "%s\n", err.text);
      _exit(!ok);
    }
  int status, wrong = 0;
  while (wait(&status) > 0) wrong += status != 0;
  assert_int_equal(wrong, 0);
  wf_error err = {0};
  wf_store *store = wf_store_open(path, WF_STORE_READ, &err);
  assert_non_null(store);
  assert_int_equal(count(store, NULL), WRITERS * EACH);
  wf_store_close(store);
  free(path);
}

static void a_killed_writer_leaves_whole_runs(void **state) {
  (void)state;
  char *path = wf_text("%s", path_of("kill.db"));
  for (unsigned round = 0; round < 25; round++) {
    const pid_t pid = fork();
    if (pid == 0) {
      wf_error err = {0};
      for (unsigned i = 0;; i++) {
        wf_store *store = wf_store_open(path, WF_STORE_APPEND, &err);
        if (!store || !add(store, i, 0, "--kill", i, &err)) _exit(1);
        wf_store_close(store);
      }
    }
    usleep(3000 + 1700 * round);
    kill(pid, SIGKILL);
    int status;
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status));
    wf_error err = {0};
    wf_store *store = wf_store_open(path, WF_STORE_APPEND, &err); /* makes it if need be */
    if (!store) fail_msg("%s", err.text);
    const unsigned n = count(store, NULL);
    assert_int_equal(n ? count(store, "l1.hits=7") : 0, n);
    wf_store_close(store);
  }
  free(path);
}

/* ---- files that are none ---- */

static void refused(const char *path, const char *why) {
  for (unsigned use = WF_STORE_READ; use <= WF_STORE_APPEND; use++) {
    wf_error err = {0};
    assert_null(wf_store_open(path, (wf_store_use)use, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(err.text, why)) fail_msg("'%s' does not say '%s'", err.text, why);
  }
}

static void run_sql(const char *path, const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

static void what_is_no_store_is_refused(void **state) {
  (void)state;
  wf_error err = {0};
  char *path = wf_text("%s", path_of("odd.db"));
  FILE *f = fopen(path, "w");
  for (unsigned i = 0; i < 400; i++) fputs("no database at all\n", f);
  fclose(f);
  refused(path, "not a store of results");
  remove(path);
  run_sql(path, "CREATE TABLE t(x)");
  refused(path, "a database of another program");
  remove(path);
  wf_store *store = wf_store_open(path, WF_STORE_APPEND, &err);
  for (unsigned i = 0; i < 40; i++) assert_true(add(store, i, 0, "--t", i, &err));
  wf_store_close(store);
  assert_int_equal(truncate(path, 3 * 16384 + 100), 0);
  refused(path, "damaged");
  remove(path);
  wf_store_close(wf_store_open(path, WF_STORE_APPEND, &err));
  run_sql(path, "PRAGMA user_version=2");
  refused(path, "a store of schema 2");
  refused("", "the name of a file");
  refused("-", "the name of a file");
  refused(folder, "not a regular file");
  refused("/proc/none/x.db", "");
  assert_null(wf_store_open("/tmp/there/is/none.db", WF_STORE_READ, &err));
  free(path);
}

/* ---- tables ---- */

static char *printed(wf_store *store,
                     bool print(FILE *, wf_store *, const wf_store_choice *, wf_error *),
                     const wf_store_choice *choice) {
  char *text = NULL;
  size_t bytes;
  wf_error err = {0};
  FILE *out = open_memstream(&text, &bytes);
  assert_true(print(out, store, choice, &err));
  fclose(out);
  return text;
}

static void tables_have_what_was_asked_for(void **state) {
  (void)state;
  wf_error err = {0};
  wf_store *store = fresh("t.db");
  assert_true(add(store, 1, 0, "--a", 12345, &err) && add(store, 2, 2, "--b", 0, &err));
  const wf_store_choice some = {.columns = "graph,l1.ways,l1.hits,exit"}, all = {0};
  char *text = printed(store, wf_store_print_csv, &some);
  assert_string_equal(text, "graph,l1.ways,l1.hits,exit\r\n\"a, \"\"graph\"\"\",2,7,0\r\n"
                            "\"a, \"\"graph\"\"\",2,,2\r\n");
  free(text);
  text = printed(store, wf_store_print_csv, &all);
  assert_non_null(strstr(text, ",cycles,"));
  assert_non_null(strstr(text, ",l1.ways,l1.hits,l1.hit_rate,host.seconds\r\n"));
  assert_null(strstr(text, "kernels"));
  free(text);
  text = printed(store, wf_store_print_list, &(wf_store_choice){.columns = "id,cycles,message"});
  assert_string_equal(text, "id  cycles  message\n 1   12345  \n 2          it failed\n");
  free(text);
  text = printed(store, wf_store_print_json, &all);
  cJSON *json = cJSON_Parse(text);
  assert_int_equal(cJSON_GetArraySize(json), 2);
  cJSON_Delete(json);
  free(text);
  wf_store_close(store);
}

/* ---- identity ---- */

static uint64_t key_of(wf_identity *identity, const char *arguments) {
  char **words;
  const size_t n = wf_identity_words(arguments, &words);
  const uint64_t key = wf_identity_key(identity, words, n);
  wf_identity_words_free(words, n);
  return key;
}

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  fputs(text, f);
  fclose(f);
}

static void what_makes_a_run_another(void **state) {
  (void)state;
  wf_error err = {0};
  wf_identity *a = wf_identity_create(NULL, &err), *b = wf_identity_create(NULL, &err);
  assert_true(a && b);
  assert_true(wf_identity_program(a) == wf_identity_program(b));
  assert_true(key_of(a, "--app bfs") == key_of(b, "--app bfs"));
  assert_true(key_of(a, "--app bfs --json x.json --store y.db --progress") ==
              key_of(b, "--app bfs"));
  assert_true(key_of(a, "--app bfs") != key_of(a, "--app bf s"));
  assert_true(key_of(a, "--app bfs") != key_of(a, "--app bfs --seed 2"));
  char *path = wf_text("%s", path_of("g.mtx")), *graph = wf_text("--graph %s", path),
       *set = wf_text("--set x.y=%s", path), *param = wf_text("--param file:%s", path);
  write_file(path, "one");
  const uint64_t old[] = {key_of(a, graph), key_of(a, set), key_of(a, param)};
  write_file(path, "two");
  assert_true(key_of(a, graph) == old[0]); /* each file is read once */
  assert_true(key_of(b, graph) != old[0] && key_of(b, set) != old[1] && key_of(b, param) != old[2]);
  char *words[] = {"--unit", "foo", "--graph", "a b.mtx", "it's"};
  char *text = wf_identity_text(words, 5);
  assert_string_equal(text, "--unit foo --graph 'a b.mtx' 'it'\\''s'");
  free(text);
  assert_null(wf_identity_create(path, &err)); /* no program */
  wf_identity_destroy(a);
  wf_identity_destroy(b);
  free(param);
  free(set);
  free(graph);
  free(path);
}

static void rtl_is_of_the_units_named(void **state) {
  (void)state;
  wf_identity *identity = wf_identity_create(NULL, NULL);
  char *none[] = {"--app", "bfs"}, *unit[] = {"--unit", "common"};
  assert_true(wf_identity_rtl(identity, none, 2) == 0);
  assert_true(wf_identity_rtl(identity, unit, 2) != 0);
  wf_identity_destroy(identity);
}

static uint64_t rtl_of(const char *ini, const char *text) {
  FILE *file = fopen(ini, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
  char *words[] = {"--unit", (char *)ini};
  wf_identity *identity = wf_identity_create(NULL, NULL);
  const uint64_t rtl = wf_identity_rtl(identity, words, 2);
  wf_identity_destroy(identity);
  return rtl;
}

/* How a unit is tested, proven and priced asks for no run again; what its model is does. */
static void of_a_description_models_count(void **state) {
  (void)state;
  char *ini = wf_text("%s/u.ini", folder);
  const uint64_t one = rtl_of(ini, "[unit]\ntop = u\n[config a]\nN = 1\n[mutate]\nseed = 1\n");
  assert_true(rtl_of(ini, "[unit]\ntop = u\n[config a]\nN = 1\n[mutate]\nseed = 2\n") == one);
  assert_true(rtl_of(ini, "; why\n[unit]\ntop = u\n\n[config a]\nN = 1\n") == one);
  assert_true(rtl_of(ini, "[unit]\ntop = u\n[config a]\nN = 2\n[mutate]\nseed = 1\n") != one);
  assert_true(rtl_of(ini, "[unit]\ntop = v\n[config a]\nN = 1\n[mutate]\nseed = 1\n") != one);
  assert_true(rtl_of(ini, "[unit]\ntop = u\n[counters]\nN = 1\n") != one);
  remove(ini);
  free(ini);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_goes_in_comes_out),
      cmocka_unit_test(only_what_is_asked_for),
      cmocka_unit_test(a_run_is_found_by_its_key),
      cmocka_unit_test(merging_adds_each_run_once),
      cmocka_unit_test(many_writers_lose_nothing),
      cmocka_unit_test(a_killed_writer_leaves_whole_runs),
      cmocka_unit_test(what_is_no_store_is_refused),
      cmocka_unit_test(tables_have_what_was_asked_for),
      cmocka_unit_test(what_makes_a_run_another),
      cmocka_unit_test(rtl_is_of_the_units_named),
      cmocka_unit_test(of_a_description_models_count),
  };
  if (!mkdtemp(folder)) return 2;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char *clean = wf_text("rm -rf %s", folder);
  const int status = system(clean);
  free(clean);
  return failed || status;
}
