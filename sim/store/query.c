/* Reading: records, and which of them. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/store/internal.h"

bool wf_store_find(wf_store *store, uint64_t key, int *exit) {
  static const char sql[] = "SELECT exit FROM run WHERE key=?1 ORDER BY id DESC LIMIT 1";
  sqlite3_stmt *s = wf_store_prepare(store, "read", sql, NULL);
  if (!s) return false;
  sqlite3_bind_int64(s, 1, (int64_t)key);
  const bool found = sqlite3_step(s) == SQLITE_ROW;
  if (found) *exit = sqlite3_column_int(s, 0);
  sqlite3_finalize(s);
  return found;
}

cJSON *wf_store_result(wf_store *store, uint64_t key, const char *arguments) {
  static const char sql[] = "SELECT result FROM run WHERE key=?1 AND arguments=?2 AND exit=0 AND "
                            "result IS NOT NULL ORDER BY id DESC LIMIT 1";
  cJSON *result = NULL;
  sqlite3_stmt *s = wf_store_prepare(store, "read", sql, NULL);
  if (!s) return NULL;
  sqlite3_bind_int64(s, 1, (int64_t)key);
  sqlite3_bind_text(s, 2, arguments, -1, SQLITE_STATIC);
  if (sqlite3_step(s) == SQLITE_ROW) result = cJSON_Parse((const char *)sqlite3_column_text(s, 0));
  sqlite3_finalize(s);
  return result;
}

/* ---- records ---- */

/* Columns of a record in order; json: an object's text. */
static const struct {
  const char *name, *sql;
  bool json;
} columns[] = {{"id", "r.id", false},
               {"key", "printf('%016x', r.key)", false},
               {"finished", "r.finished", false},
               {"machine", "r.machine", false},
               {"exit", "r.exit", false},
               {"message", "r.message", false},
               {"arguments", "r.arguments", false},
               {"app", "r.app", false},
               {"graph", "g.name", false},
               {"graph_checksum", "g.checksum", false},
               {"vertices", "g.vertices", false},
               {"edges", "g.edges", false},
               {"config", "r.config", false},
               {"units", "r.units", false},
               {"seed", "r.seed", false},
               {"verified", "r.verified", false},
               {"cycles", "r.cycles", false},
               {"host_seconds", "r.host_seconds", false},
               {"program", "b.program", false},
               {"rtl", "b.rtl", false},
               {"configuration", "c.content", true},
               {"result", "r.result", true}};
enum { COLUMNS = sizeof columns / sizeof *columns };
static const char from[] = " FROM run r JOIN build b ON b.id = r.build"
                           " LEFT JOIN graph g ON g.id = r.graph"
                           " LEFT JOIN configuration c ON c.id = r.configuration";

static const cJSON *walk(const cJSON *object, const char *path) {
  while (object && *path) {
    char part[128];
    const size_t n = strcspn(path, ".");
    if (n >= sizeof part) return NULL;
    memcpy(part, path, n);
    part[n] = '\0';
    object = cJSON_GetObjectItemCaseSensitive(object, part);
    path += n + (path[n] == '.');
  }
  return object;
}

const cJSON *wf_store_field(const cJSON *record, const char *key) {
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(record, key);
  const cJSON *set = cJSON_GetObjectItemCaseSensitive(record, "configuration");
  if (!value) value = cJSON_GetObjectItemCaseSensitive(set, key);
  return value ? value : walk(cJSON_GetObjectItemCaseSensitive(record, "result"), key);
}

static void add_value(cJSON *record, const char *name, sqlite3_stmt *s, int at) {
  switch (sqlite3_column_type(s, at)) {
  case SQLITE_INTEGER:
  case SQLITE_FLOAT:
    cJSON_AddNumberToObject(record, name, sqlite3_column_double(s, at));
    break;
  case SQLITE_NULL:
    cJSON_AddNullToObject(record, name);
    break;
  default:
    cJSON_AddStringToObject(record, name, (const char *)sqlite3_column_text(s, at));
  }
}

static cJSON *record_of(sqlite3_stmt *s) {
  cJSON *record = cJSON_CreateObject();
  for (int i = 0; i < COLUMNS; i++) {
    const char *text = columns[i].json ? (const char *)sqlite3_column_text(s, i) : NULL;
    cJSON *object = text ? cJSON_Parse(text) : NULL;
    if (!columns[i].json)
      add_value(record, columns[i].name, s, i);
    else if (object)
      cJSON_AddItemToObject(record, columns[i].name, object);
    else
      cJSON_AddNullToObject(record, columns[i].name);
  }
  cJSON *verified = cJSON_GetObjectItem(record, "verified");
  if (cJSON_IsNumber(verified))
    cJSON_ReplaceItemInObject(record, "verified", cJSON_CreateBool(verified->valuedouble > 0));
  return record;
}

/* ---- which ---- */

/* The value of a key, as SQL: what wf_store_field() finds. The caller frees it. */
static char *expression_of(const char *key) {
  for (size_t i = 0; i < COLUMNS; i++)
    if (!columns[i].json && !strcmp(key, columns[i].name)) return wf_text("%s", columns[i].sql);
  char *path = wf_text("$"), *copy = wf_strdup(key), *rest = copy, *part;
  while ((part = strsep(&rest, "."))) {
    char *longer = wf_text("%s.\"%s\"", path, part);
    free(path);
    path = longer;
  }
  char *sql = wf_text("coalesce(json_extract(c.content, '$.\"%s\"'), json_extract(r.result, '%s'))",
                      key, path);
  free(copy);
  free(path);
  return sql;
}

/* Keys become part of a query's text, values do not. */
static const char key_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

static bool check_where(const char *where, wf_error *err) {
  const size_t n = strspn(where, key_letters);
  return (n && where[n] == '=') ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--where %s: expected KEY=VALUE, e.g. app=bfs, l1.bytes=16384", where);
}

/* " WHERE ..." with a parameter for each value; the caller frees it. */
static char *conditions_of(const char *const *where, unsigned n) {
  char *sql = wf_text("%s", "");
  for (unsigned i = 0; i < n; i++) {
    char *key = wf_strdup(where[i]);
    key[strcspn(key, "=")] = '\0';
    char *value = expression_of(key);
    /* true and false are 1 and 0; numbers compare as numbers, whatever their text */
    char *more = wf_text("%s%s (CAST(%s AS TEXT) = ?%u OR (typeof(%s) IN ('integer', 'real') AND "
                         "?%u GLOB '[-+.0-9]*' AND "
                         "%s = CAST(?%u AS NUMERIC)))",
                         sql, i ? " AND" : " WHERE", value, i + 1, value, i + 1, value, i + 1);
    free(value);
    free(key);
    free(sql);
    sql = more;
  }
  return sql;
}

static const char *value_text(const char *where) {
  const char *value = strchr(where, '=') + 1;
  return !strcmp(value, "true") ? "1" : !strcmp(value, "false") ? "0" : value;
}

bool wf_store_has_key(wf_store *store, const char *key, wf_error *err) {
  if (!*key || key[strspn(key, key_letters)])
    return wf_fail(err, WF_EXIT_BAD_INPUT, "'%s': no key (`warpfab results --help` says what is)",
                   key);
  char *value = expression_of(key);
  char *sql = wf_text("SELECT 1%s WHERE %s IS NOT NULL LIMIT 1", from, value);
  sqlite3_stmt *s = wf_store_prepare(store, "read", sql, err);
  const int got = s ? sqlite3_step(s) : SQLITE_ERROR;
  const bool ok = got == SQLITE_ROW;
  if (s && got == SQLITE_DONE)
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "%s: no run has a value of '%s' (`warpfab results --help` says what keys are)",
            store->path, key);
  else if (s && !ok)
    wf_store_fail(store, "read", err);
  sqlite3_finalize(s);
  free(sql);
  free(value);
  return ok;
}

/* A key that no run has is a mistake rather than an empty answer. */
static bool check_known(wf_store *store, const char *where, wf_error *err) {
  char *key = wf_strdup(where);
  key[strcspn(key, "=")] = '\0';
  const bool ok = wf_store_has_key(store, key, err);
  free(key);
  return ok;
}

bool wf_store_is_column(const char *key) {
  for (size_t i = 0; i < COLUMNS; i++)
    if (!strcmp(key, columns[i].name)) return true;
  return false;
}

static sqlite3_stmt *prepare_records(wf_store *store, const char *const *where, unsigned n,
                                     wf_error *err) {
  char *list = wf_text("SELECT %s", columns[0].sql), *conditions = conditions_of(where, n);
  for (size_t i = 1; i < COLUMNS; i++) {
    char *more = wf_text("%s, %s", list, columns[i].sql);
    free(list);
    list = more;
  }
  char *sql = wf_text("%s%s%s ORDER BY r.id", list, from, conditions);
  sqlite3_stmt *s = wf_store_prepare(store, "read", sql, err);
  for (unsigned i = 0; s && i < n; i++)
    sqlite3_bind_text(s, (int)i + 1, value_text(where[i]), -1, SQLITE_TRANSIENT);
  free(sql);
  free(conditions);
  free(list);
  return s;
}

bool wf_store_each(wf_store *store, const char *const *where, unsigned n, wf_store_each_fn *each,
                   void *user, wf_error *err) {
  for (unsigned i = 0; i < n; i++)
    if (!check_where(where[i], err)) return false;
  sqlite3_stmt *s = prepare_records(store, where, n, err);
  bool ok = s != NULL;
  uint64_t found = 0;
  int got = SQLITE_DONE;
  while (ok && (got = sqlite3_step(s)) == SQLITE_ROW) {
    cJSON *record = record_of(s);
    ok = each(user, record, err);
    cJSON_Delete(record);
    found++;
  }
  if (ok && got != SQLITE_DONE) ok = wf_store_fail(store, "read", err);
  sqlite3_finalize(s);
  for (unsigned i = 0; ok && !found && i < n; i++) ok = check_known(store, where[i], err);
  return ok;
}
