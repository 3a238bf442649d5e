/* What a store costs for each run, and what other forms of it would: bench_store RECORDS.json N
 * FOLDER. RECORDS: of `results export json`; the first is added N times with other counters. Prints
 * a name and a number in each line; seconds are of the processor. Run by `make sweep-figures`. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include "sim/base/wf_clock.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_options.h"
#include "sim/base/wf_text.h"
#include "sim/store/store.h"

enum { LIMIT = 64 << 20 };

static void die(const char *what) {
  fprintf(stderr, "bench_store: %s\n", what);
  exit(2);
}

static double processor(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double bytes_of(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 ? (double)about.st_size : 0;
}

/* Every whole number moves, as if runs were different. */
static void vary(cJSON *item, unsigned seed) {
  for (; item; item = item->next) {
    if (cJSON_IsNumber(item) && item->valuedouble > 100)
      cJSON_SetNumberValue(item, item->valuedouble + (double)(seed * 7919u % 9973u));
    vary(item->child, seed);
  }
}

static void append(const char *path, const cJSON *result, const cJSON *configuration, unsigned i) {
  wf_error err = {0};
  char *arguments = wf_text("--app bfs --graph rgg:scale=14 --unit foo --seed %u", i);
  cJSON *copy = cJSON_Duplicate(result, true);
  vary(copy->child, i);
  const wf_store_run run = {.arguments = arguments,
                            .key = i * UINT64_C(0x9e3779b97f4a7c15),
                            .app = "bfs",
                            .config = "gtx480",
                            .graph = "rgg:scale=14",
                            .configuration = configuration,
                            .result = copy};
  wf_store *store = wf_store_open(path, WF_STORE_APPEND, &err); /* as each process does */
  if (!store || !wf_store_append(store, &run, &err)) die(err.text);
  wf_store_close(store);
  cJSON_Delete(copy);
  free(arguments);
}

static bool count_one(void *user, const cJSON *record, wf_error *err) {
  (void)record;
  (void)err;
  ++*(unsigned *)user;
  return true;
}

static void read_back(const char *path, unsigned n) {
  wf_error err = {0};
  unsigned found = 0;
  int code;
  wf_store *store = wf_store_open(path, WF_STORE_READ, &err);
  if (!store) die(err.text);
  double begin = processor();
  for (unsigned i = 0; i < n; i++)
    found += wf_store_find(store, i * UINT64_C(0x9e3779b97f4a7c15), &code);
  printf("find_us %.3g\n", 1e6 * (processor() - begin) / n);
  const char *where = "l1.hits=1";
  unsigned some = 0;
  begin = processor();
  wf_store_each(store, &where, 1, count_one, &some, NULL);
  printf("where_us %.3g\n", 1e6 * (processor() - begin) / n);
  some = 0;
  begin = processor();
  if (!wf_store_each(store, NULL, 0, count_one, &some, &err)) die(err.text);
  printf("record_us %.3g\n", 1e6 * (processor() - begin) / n);
  wf_store_close(store);
  if (found != n || some != n) die("runs are missing");
}

/* ---- the other forms ---- */

static void sql(sqlite3 *db, const char *text) {
  if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK) die(sqlite3_errmsg(db));
}

/* Counters by their order: a name's number; arrays have none. */
static void put_rows(sqlite3_stmt *s, const cJSON *item, unsigned run, int *name) {
  for (; item; item = item->next) {
    if (cJSON_IsArray(item)) continue;
    if (cJSON_IsNumber(item)) {
      sqlite3_bind_int64(s, 1, run);
      sqlite3_bind_int(s, 2, ++*name);
      const double v = item->valuedouble;
      if (v < 1e15 && v == (double)(int64_t)v)
        sqlite3_bind_int64(s, 3, (int64_t)v);
      else
        sqlite3_bind_double(s, 3, v);
      if (sqlite3_step(s) != SQLITE_DONE) die("a row");
      sqlite3_reset(s);
    }
    put_rows(s, item->child, run, name);
  }
}

static void rows(const char *path, const cJSON *result, unsigned n) {
  sqlite3 *db;
  sqlite3_stmt *s;
  int names = 0;
  if (sqlite3_open(path, &db) != SQLITE_OK) die(path);
  sql(db, "PRAGMA page_size=16384; PRAGMA synchronous=OFF; CREATE TABLE counter(run INTEGER, name "
          "INTEGER, value, PRIMARY KEY(run, name)) WITHOUT ROWID; BEGIN");
  sqlite3_prepare_v2(db, "INSERT INTO counter VALUES(?1, ?2, ?3)", -1, &s, NULL);
  double spent = 0;
  for (unsigned i = 0; i < n; i++) {
    cJSON *copy = cJSON_Duplicate(result, true);
    vary(copy->child, i);
    const double begin = processor();
    names = 0;
    put_rows(s, copy->child, i, &names);
    spent += processor() - begin;
    cJSON_Delete(copy);
  }
  sqlite3_finalize(s);
  sql(db, "COMMIT");
  const double begin = processor();
  sql(db, "SELECT sum(value) FROM counter WHERE name = 30");
  printf("rows_scan_us %.3g\n", 1e6 * (processor() - begin) / n);
  sqlite3_close(db);
  printf("numbers %d\nrows_bytes %.0f\nrows_us %.3g\n", names, bytes_of(path) / n, 1e6 * spent / n);
}

static void packed(const cJSON *result) {
  char *text = cJSON_PrintUnformatted(result);
  uLongf bytes = compressBound(strlen(text));
  unsigned char *to = malloc(bytes);
  if (!to || compress(to, &bytes, (unsigned char *)text, strlen(text)) != Z_OK) die("deflate");
  printf("json_bytes %zu\ndeflated_bytes %lu\n", strlen(text), bytes);
  free(to);
  free(text);
}

int main(int argc, char **argv) {
  size_t bytes;
  wf_error err = {0};
  long n = 0;
  if (argc != 4 || !wf_parse_long(argv[2], &n) || n < 1) die("usage: RECORDS.json N FOLDER");
  char *text = wf_file_read(argv[1], LIMIT, &bytes, &err);
  cJSON *record = text ? cJSON_GetArrayItem(cJSON_Parse(text), 0) : NULL;
  const cJSON *result = cJSON_GetObjectItem(record, "result"),
              *configuration = cJSON_GetObjectItem(record, "configuration");
  if (!result) die(*err.text ? err.text : "no record");
  char *store = wf_text("%s/bench.db", argv[3]), *other = wf_text("%s/rows.db", argv[3]);
  const double begin = processor(), since = wf_clock_seconds();
  for (unsigned i = 0; i < (unsigned)n; i++) append(store, result, configuration, i);
  printf("append_us %.3g\nappend_wall_us %.3g\nstore_bytes %.0f\n",
         1e6 * (processor() - begin) / (double)n, 1e6 * (wf_clock_seconds() - since) / (double)n,
         bytes_of(store) / (double)n);
  read_back(store, (unsigned)n);
  rows(other, result, (unsigned)n);
  packed(result);
  return 0;
}
