/* A store of results: one SQLite file, to which any number of runs append at once. A run is in it
 * whole or not at all. sim/store/README.md documents the tables, which others may read. */
#ifndef WF_STORE_H
#define WF_STORE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

typedef struct wf_store wf_store;

typedef enum wf_store_use {
  WF_STORE_READ,  /* it must be there */
  WF_STORE_APPEND /* it is made if there is none */
} wf_store_use;

/* NULL and *err (code 2) for what cannot be opened or written, is no store, is one of a later
 * schema, or is damaged. */
wf_store *wf_store_open(const char *path, wf_store_use use, wf_error *err);
void wf_store_close(wf_store *store); /* NULL is fine */
const char *wf_store_path(const wf_store *store);

/* What is kept of one run; texts may be NULL where there is nothing to say. */
typedef struct wf_store_run {
  const char *arguments; /* of `warpfab run`, without those that name outputs */
  uint64_t key;          /* sim/store/identity.h */
  uint64_t program, rtl; /* the build */
  int exit;              /* as the run ends */
  const char *message;   /* of a run that failed */
  const char *app, *config, *units;
  uint64_t seed;
  const char *graph; /* its name; NULL: none, or it was not read */
  uint32_t graph_checksum, vertices;
  uint64_t edges;
  const cJSON *configuration; /* resolved: {"l1.bytes": 16384, ...}; or NULL */
  const cJSON *result;        /* wf_result_json(); NULL: there is none */
} wf_store_run;

/* One transaction: false and *err (code 2), and the store is as it was. */
bool wf_store_append(wf_store *store, const wf_store_run *run, wf_error *err);

/* Adds every run of the store at `path` that this one lacks, in one transaction; how many in
 * *added, which may be NULL. */
bool wf_store_merge(wf_store *store, const char *path, uint64_t *added, wf_error *err);

/* What there is of a key: its last run's exit code. False: none. */
bool wf_store_find(wf_store *store, uint64_t key, int *exit);
/* The result of the last run with this key and these arguments that ended with 0; NULL: none. */
cJSON *wf_store_result(wf_store *store, uint64_t key, const char *arguments);

/* Calls `each` for the runs that have all of these values ("KEY=VALUE"; a key as
 * wf_store_field() takes it), in order of their numbers. A record is an object with the columns of
 * table run, and those of what it refers to: configuration{}, result{}. False and *err if a key is
 * malformed, no run has it, the store cannot be read, or `each` says so. */
typedef bool wf_store_each_fn(void *user, const cJSON *record, wf_error *err);
bool wf_store_each(wf_store *store, const char *const *where, unsigned n, wf_store_each_fn *each,
                   void *user, wf_error *err);
/* False and *err if no run has a value of the key. */
bool wf_store_has_key(wf_store *store, const char *key, wf_error *err);
bool wf_store_is_column(const char *key); /* each record has it, or a null */

/* A value of a record: a column (app, cycles, graph_checksum ...), a key of the configuration
 * ("l1.bytes"), or a dotted path in the result ("l1.hits"). NULL: it has none. */
const cJSON *wf_store_field(const cJSON *record, const char *key);

#endif
