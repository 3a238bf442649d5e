/* Opening: whose file it is, its schema, and making one. */
#include "sim/store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/store/internal.h"

/* "wfab": what `file` and SQLite's own tools show of whose database it is. */
enum { APPLICATION = 0x77666162, SCHEMA = 1, BUSY_MS = 120000 };

/* Pages of 16 KiB: a run with its result takes some 3 KB, of which 4 KiB would hold one. */
static const char schema[] =
    "CREATE TABLE build(id INTEGER PRIMARY KEY, program TEXT NOT NULL, rtl TEXT NOT NULL,"
    " UNIQUE(program, rtl));"
    "CREATE TABLE graph(id INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,"
    " vertices INTEGER NOT NULL, edges INTEGER NOT NULL, UNIQUE(name, checksum));"
    "CREATE TABLE configuration(id INTEGER PRIMARY KEY, digest INTEGER NOT NULL UNIQUE,"
    " content TEXT NOT NULL);"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, uid BLOB NOT NULL UNIQUE, key INTEGER NOT NULL,"
    " finished TEXT NOT NULL, machine TEXT NOT NULL, arguments TEXT NOT NULL, exit INTEGER NOT "
    "NULL,"
    " message TEXT, app TEXT, config TEXT, units TEXT, seed INTEGER, verified INTEGER,"
    " cycles INTEGER, host_seconds REAL, build INTEGER NOT NULL REFERENCES build,"
    " graph INTEGER REFERENCES graph, configuration INTEGER REFERENCES configuration,"
    " result TEXT);"
    "CREATE INDEX run_key ON run(key);";

bool wf_store_fail(const wf_store *store, const char *what, wf_error *err) {
  const int code = sqlite3_errcode(store->db) & 0xff;
  const int system = sqlite3_system_errno(store->db);
  const char *why = sqlite3_errmsg(store->db);
  if (code == SQLITE_NOTADB)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: not a store of results: expected one that --store made, or a new name",
                   store->path);
  if (code == SQLITE_CORRUPT)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be %s: it is damaged (%s)", store->path,
                   what, why);
  if (code == SQLITE_BUSY)
    why = "another program holds it for two minutes";
  else if ((code == SQLITE_CANTOPEN || code == SQLITE_IOERR) && system)
    why = strerror(system);
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be %s: %s", store->path, what, why);
}

bool wf_store_do(wf_store *store, const char *what, const char *sql, wf_error *err) {
  return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
         wf_store_fail(store, what, err);
}

sqlite3_stmt *wf_store_prepare(wf_store *store, const char *what, const char *sql, wf_error *err) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
    wf_store_fail(store, what, err);
  return statement;
}

static bool number_of(wf_store *store, const char *sql, int64_t *value, wf_error *err) {
  sqlite3_stmt *statement = wf_store_prepare(store, "read", sql, err);
  if (!statement) return false;
  const bool ok = sqlite3_step(statement) == SQLITE_ROW;
  if (ok)
    *value = sqlite3_column_int64(statement, 0);
  else
    wf_store_fail(store, "read", err);
  sqlite3_finalize(statement);
  return ok;
}

/* A file that was cut off is told before a query meets it. */
static bool check_size(wf_store *store, wf_error *err) {
  int64_t pages, bytes;
  struct stat now;
  if (!number_of(store, "PRAGMA page_count", &pages, err) ||
      !number_of(store, "PRAGMA page_size", &bytes, err))
    return false;
  const long long whole = (long long)pages * bytes;
  return stat(store->path, &now) != 0 || now.st_size >= whole ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s: cannot be read: it is damaged: %lld bytes, and its head says %lld",
                 store->path, (long long)now.st_size, whole);
}

/* Within a transaction: nobody else makes the schema meanwhile. */
static bool check_schema(wf_store *store, bool *empty, wf_error *err) {
  int64_t application, version, tables;
  if (!number_of(store, "PRAGMA application_id", &application, err) ||
      !number_of(store, "PRAGMA user_version", &version, err) ||
      !number_of(store, "SELECT count(*) FROM sqlite_schema", &tables, err))
    return false;
  *empty = !application && !version && !tables;
  if (*empty) return true;
  if (application != APPLICATION)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: a database of another program: expected one that --store made, or a new "
                   "name",
                   store->path);
  if (version == SCHEMA) return check_size(store, err);
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s: a store of schema %lld, and this program knows %d: use the one that made it, "
                 "or another name",
                 store->path, (long long)version, SCHEMA);
}

static bool make_schema(wf_store *store, wf_error *err) {
  char *head = wf_text("PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION, SCHEMA);
  const bool ok = wf_store_do(store, "made", schema, err) && wf_store_do(store, "made", head, err);
  free(head);
  return ok;
}

static bool check_for_reading(wf_store *store, wf_error *err) {
  bool empty = false;
  const bool ok = wf_store_do(store, "read", "BEGIN", err) && check_schema(store, &empty, err);
  if (ok && empty)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: empty: expected a store that --store made", store->path);
  sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
  return ok && !empty;
}

/* That it can be written is known before any work. */
static bool check_for_writing(wf_store *store, wf_error *err) {
  bool empty = false;
  if (!wf_store_do(store, "written", "PRAGMA page_size=16384; BEGIN IMMEDIATE", err)) return false;
  if (check_schema(store, &empty, err) && (!empty || make_schema(store, err)) &&
      wf_store_do(store, "written", "COMMIT", err))
    return true;
  sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  return false;
}

/* What SQLite would open without a word, or as something else. */
static bool check_path(const char *path, wf_store_use use, wf_error *err) {
  struct stat now;
  if (!*path || !strcmp(path, "-"))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--store '%s': expected the name of a file", path);
  const bool there = stat(path, &now) == 0;
  if (there && S_ISREG(now.st_mode)) return true;
  if (there) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: not a regular file: a store is one", path);
  return (errno == ENOENT && use == WF_STORE_APPEND) ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
}

wf_store *wf_store_open(const char *path, wf_store_use use, wf_error *err) {
  if (!check_path(path, use, err)) return NULL;
  wf_store *store = wf_calloc(1, sizeof *store);
  /* "./": ":memory:" is a name like any other */
  store->path = wf_text("%s%s", *path == '/' || *path == '.' ? "" : "./", path);
  const int flags = SQLITE_OPEN_READWRITE | (use == WF_STORE_APPEND ? SQLITE_OPEN_CREATE : 0);
  bool ok = false;
  if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK) {
    if (store->db)
      wf_store_fail(store, "opened", err);
    else
      wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no memory to open it", path);
  } else {
    sqlite3_busy_timeout(store->db, BUSY_MS);
    ok = use == WF_STORE_APPEND ? check_for_writing(store, err) : check_for_reading(store, err);
  }
  if (ok) return store;
  wf_store_close(store);
  return NULL;
}

void wf_store_close(wf_store *store) {
  if (!store) return;
  sqlite3_close(store->db);
  free(store->path);
  free(store);
}

const char *wf_store_path(const wf_store *store) {
  return store->path;
}
