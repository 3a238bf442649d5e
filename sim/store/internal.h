/* What the files of sim/store share. */
#ifndef WF_STORE_INTERNAL_H
#define WF_STORE_INTERNAL_H

#include <sqlite3.h>

#include "sim/store/store.h"

struct wf_store {
  char *path;
  sqlite3 *db;
};

/* "PATH: cannot WHAT: why", code 2. */
bool wf_store_fail(const wf_store *store, const char *what, wf_error *err);
/* Statements without results. */
bool wf_store_do(wf_store *store, const char *what, const char *sql, wf_error *err);
/* NULL and *err. */
sqlite3_stmt *wf_store_prepare(wf_store *store, const char *what, const char *sql, wf_error *err);

#endif
