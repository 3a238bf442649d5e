/* Adding runs: one by one, and those of another store. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/store/identity.h"
#include "sim/store/internal.h"

/* Binds text, or NULL. */
static void bind_text(sqlite3_stmt *s, int at, const char *text) {
  if (text) sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT);
}

static void bind_hex(sqlite3_stmt *s, int at, const char *format, unsigned long long value) {
  char *text = wf_text(format, value);
  bind_text(s, at, text);
  free(text);
}

/* One step of a statement without a row, which ends it. */
static bool finish(wf_store *store, sqlite3_stmt *s, wf_error *err) {
  const bool ok = sqlite3_step(s) == SQLITE_DONE || wf_store_fail(store, "written", err);
  sqlite3_finalize(s);
  return ok;
}

static const char add_build[] = "INSERT OR IGNORE INTO build(program, rtl) VALUES(?1, ?2)";
static const char add_graph[] =
    "INSERT OR IGNORE INTO graph(name, checksum, vertices, edges) VALUES(?1, ?2, ?3, ?4)";
static const char add_configuration[] =
    "INSERT OR IGNORE INTO configuration(digest, content) VALUES(?1, ?2)";
static const char add_run[] =
    "INSERT INTO run(uid, key, finished, machine, arguments, exit, message, app, config, units,"
    " seed, verified, cycles, host_seconds, build, graph, configuration, result)"
    " VALUES(randomblob(16), ?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?2, ?3, ?4, ?5, ?6, ?7, "
    "?8,"
    " ?9, ?10, ?11, ?12, (SELECT id FROM build WHERE program=?13 AND rtl=?14),"
    " (SELECT id FROM graph WHERE name=?15 AND checksum=?16),"
    " (SELECT id FROM configuration WHERE digest=?17), ?18)";

static void bind_build(sqlite3_stmt *s, int at, const wf_store_run *run) {
  bind_hex(s, at, "%016llx", run->program);
  bind_hex(s, at + 1, "%016llx", run->rtl);
}

static void bind_graph(sqlite3_stmt *s, int at, const wf_store_run *run) {
  if (!run->graph) return;
  bind_text(s, at, run->graph);
  bind_hex(s, at + 1, "%08llx", run->graph_checksum);
}

static bool append_shared(wf_store *store, const wf_store_run *run, const char *configuration,
                          int64_t digest, wf_error *err) {
  sqlite3_stmt *s = wf_store_prepare(store, "written", add_build, err);
  if (!s) return false;
  bind_build(s, 1, run);
  if (!finish(store, s, err)) return false;
  if (run->graph) {
    if (!(s = wf_store_prepare(store, "written", add_graph, err))) return false;
    bind_graph(s, 1, run);
    sqlite3_bind_int64(s, 3, run->vertices);
    sqlite3_bind_int64(s, 4, (int64_t)run->edges);
    if (!finish(store, s, err)) return false;
  }
  if (!configuration) return true;
  if (!(s = wf_store_prepare(store, "written", add_configuration, err))) return false;
  sqlite3_bind_int64(s, 1, digest);
  bind_text(s, 2, configuration);
  return finish(store, s, err);
}

/* The columns that are the result's own. */
static void bind_result(sqlite3_stmt *s, const cJSON *result, const char *text) {
  const cJSON *verified = cJSON_GetObjectItem(result, "verified");
  const cJSON *cycles = cJSON_GetObjectItem(result, "cycles");
  const cJSON *seconds = cJSON_GetObjectItem(cJSON_GetObjectItem(result, "host"), "seconds");
  if (cJSON_IsBool(verified)) sqlite3_bind_int(s, 10, cJSON_IsTrue(verified));
  if (cJSON_IsNumber(cycles)) sqlite3_bind_int64(s, 11, (int64_t)cycles->valuedouble);
  if (cJSON_IsNumber(seconds)) sqlite3_bind_double(s, 12, seconds->valuedouble);
  bind_text(s, 18, text);
}

static bool append_run(wf_store *store, const wf_store_run *run, const char *configuration,
                       int64_t digest, const char *result, wf_error *err) {
  struct utsname machine = {.nodename = ""};
  sqlite3_stmt *s = wf_store_prepare(store, "written", add_run, err);
  if (!s) return false;
  uname(&machine);
  sqlite3_bind_int64(s, 1, (int64_t)run->key);
  bind_text(s, 2, machine.nodename);
  bind_text(s, 3, run->arguments);
  sqlite3_bind_int(s, 4, run->exit);
  bind_text(s, 5, run->message);
  bind_text(s, 6, run->app);
  bind_text(s, 7, run->config);
  bind_text(s, 8, run->units);
  sqlite3_bind_int64(s, 9, (int64_t)run->seed);
  bind_build(s, 13, run);
  bind_graph(s, 15, run);
  if (configuration) sqlite3_bind_int64(s, 17, digest);
  bind_result(s, run->result, result);
  return finish(store, s, err);
}

/* Of memory that ran out cJSON tells nothing but NULL; sim/base ends the process before. */
static char *text_of(const cJSON *json) {
  return json ? cJSON_PrintUnformatted(json) : NULL;
}

static bool transaction_end(wf_store *store, bool ok, wf_error *err) {
  if (ok && wf_store_do(store, "written", "COMMIT", err)) return true;
  sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  return false;
}

bool wf_store_append(wf_store *store, const wf_store_run *run, wf_error *err) {
  if (!wf_store_do(store, "written", "BEGIN IMMEDIATE", err)) return false;
  char *configuration = text_of(run->configuration), *result = text_of(run->result);
  const int64_t digest = configuration ? (int64_t)wf_identity_hash(WF_IDENTITY_START, configuration,
                                                                   strlen(configuration))
                                       : 0;
  const bool ok = append_shared(store, run, configuration, digest, err) &&
                  append_run(store, run, configuration, digest, result, err);
  free(configuration);
  free(result);
  return transaction_end(store, ok, err);
}

/* ---- of another store ---- */

/* What they refer to has other numbers here. */
static const char merge[] =
    "INSERT OR IGNORE INTO build(program, rtl) SELECT program, rtl FROM part.build;"
    "INSERT OR IGNORE INTO graph(name, checksum, vertices, edges)"
    " SELECT name, checksum, vertices, edges FROM part.graph;"
    "INSERT OR IGNORE INTO configuration(digest, content)"
    " SELECT digest, content FROM part.configuration;"
    "INSERT OR IGNORE INTO run(uid, key, finished, machine, arguments, exit, message, app, config,"
    " units, seed, verified, cycles, host_seconds, build, graph, configuration, result)"
    " SELECT r.uid, r.key, r.finished, r.machine, r.arguments, r.exit, r.message, r.app, r.config,"
    " r.units, r.seed, r.verified, r.cycles, r.host_seconds, b.id, g.id, c.id, r.result"
    " FROM part.run r JOIN part.build pb ON pb.id = r.build"
    " JOIN main.build b ON b.program = pb.program AND b.rtl = pb.rtl"
    " LEFT JOIN part.graph pg ON pg.id = r.graph"
    " LEFT JOIN main.graph g ON g.name = pg.name AND g.checksum = pg.checksum"
    " LEFT JOIN part.configuration pc ON pc.id = r.configuration"
    " LEFT JOIN main.configuration c ON c.digest = pc.digest ORDER BY r.id";

static bool attach(wf_store *store, const char *path, wf_error *err) {
  sqlite3_stmt *s = wf_store_prepare(store, "written", "ATTACH ?1 AS part", err);
  if (!s) return false;
  bind_text(s, 1, path);
  return finish(store, s, err);
}

static bool merge_attached(wf_store *store, uint64_t *added, wf_error *err) {
  if (!wf_store_do(store, "written", "BEGIN IMMEDIATE", err)) return false;
  bool ok = wf_store_do(store, "written", merge, err);
  if (ok && added) *added = (uint64_t)sqlite3_changes64(store->db);
  return transaction_end(store, ok, err);
}

bool wf_store_merge(wf_store *store, const char *path, uint64_t *added, wf_error *err) {
  wf_store *part = wf_store_open(path, WF_STORE_READ, err); /* is it one? */
  if (!part) return false;
  const bool ok = attach(store, wf_store_path(part), err) && merge_attached(store, added, err);
  sqlite3_exec(store->db, "DETACH part", NULL, NULL, NULL);
  wf_store_close(part);
  return ok;
}
