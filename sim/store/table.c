#include "sim/store/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_hash.h"
#include "sim/base/wf_text.h"

typedef struct column {
  char *name;
  int width; /* of a list */
  UT_hash_handle hh;
} column;

typedef struct table {
  FILE *out;
  column *columns; /* in the order in which they were added */
  bool started;
} table;

static void add_column(table *t, const char *name) {
  column *c;
  HASH_FIND_STR(t->columns, name, c);
  if (c) return;
  c = wf_calloc(1, sizeof *c);
  c->name = wf_strdup(name);
  c->width = (int)strlen(name);
  HASH_ADD_KEYPTR(hh, t->columns, c->name, strlen(c->name), c);
}

static void add_columns(table *t, const char *list) {
  char *copy = wf_strdup(list), *rest = copy;
  for (char *name; (name = strsep(&rest, ","));)
    if (*name) add_column(t, name);
  free(copy);
}

/* Of what was asked for: a misspelt key is a mistake rather than a column of nothing. */
static bool check_columns(const table *t, wf_store *store, wf_error *err) {
  for (const column *c = t->columns; c; c = c->hh.next)
    if (!wf_store_is_column(c->name) && !wf_store_has_key(store, c->name, err)) return false;
  return true;
}

static void free_columns(table *t) {
  column *c, *next;
  HASH_ITER(hh, t->columns, c, next) {
    HASH_DEL(t->columns, c);
    free(c->name);
    free(c);
  }
}

char *wf_store_text(const cJSON *v) {
  if (cJSON_IsBool(v)) return wf_text("%s", cJSON_IsTrue(v) ? "true" : "false");
  if (cJSON_IsString(v)) return wf_text("%s", v->valuestring);
  if (cJSON_IsObject(v) || cJSON_IsArray(v)) return cJSON_PrintUnformatted(v);
  if (!cJSON_IsNumber(v)) return wf_text("%s", "");
  const double d = v->valuedouble;
  return fabs(d) < 1e15 && d == floor(d) ? wf_text("%.0f", d) : wf_text("%.10g", d);
}

static bool each(wf_store *store, const wf_store_choice *choice, wf_store_each_fn *fn, void *user,
                 wf_error *err) {
  return wf_store_each(store, choice->where, choice->n_where, fn, user, err);
}

/* ---- a list ---- */

static bool measure(void *user, const cJSON *record, wf_error *err) {
  table *t = user;
  (void)err;
  for (column *c = t->columns; c; c = c->hh.next) {
    char *text = wf_store_text(wf_store_field(record, c->name));
    const int n = (int)strlen(text);
    if (n > c->width) c->width = n;
    free(text);
  }
  return true;
}

/* Numbers to the right, and nothing behind the last column. */
static void put_cell(const table *t, const column *c, const char *text, bool number) {
  const char *between = c == t->columns ? "" : "  ";
  if (number)
    fprintf(t->out, "%s%*s", between, c->width, text);
  else
    fprintf(t->out, "%s%-*s", between, c->hh.next ? c->width : 0, text);
}

static bool list_one(void *user, const cJSON *record, wf_error *err) {
  table *t = user;
  (void)err;
  if (!t->started)
    for (column *c = t->columns; c; c = c->hh.next)
      put_cell(t, c, c->name, cJSON_IsNumber(wf_store_field(record, c->name)));
  fputc('\n', t->out);
  t->started = true;
  for (column *c = t->columns; c; c = c->hh.next) {
    const cJSON *value = wf_store_field(record, c->name);
    char *text = wf_store_text(value);
    put_cell(t, c, text, cJSON_IsNumber(value));
    free(text);
  }
  return true;
}

bool wf_store_print_list(FILE *out, wf_store *store, const wf_store_choice *choice, wf_error *err) {
  table t = {.out = out};
  add_columns(&t, choice->columns ? choice->columns
                                  : "id,app,graph,config,units,seed,exit,verified,cycles,"
                                    "host_seconds");
  const bool ok = (!choice->columns || check_columns(&t, store, err)) &&
                  each(store, choice, measure, &t, err) && each(store, choice, list_one, &t, err);
  if (t.started) fputc('\n', out);
  free_columns(&t);
  return ok;
}

/* ---- CSV ---- */

static void put_field(FILE *out, const char *text, bool first) {
  if (!first) fputc(',', out);
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

/* Of the result all numbers below objects, by their paths. */
static void add_paths(table *t, const cJSON *object, const char *path) {
  const cJSON *item;
  cJSON_ArrayForEach(item, object) {
    if (!*path && !strcmp(item->string, "settings")) {
      const cJSON *set;
      cJSON_ArrayForEach(set, item) add_column(t, set->string);
      continue;
    }
    char *name = wf_text("%s%s%s", path, *path ? "." : "", item->string);
    if (cJSON_IsObject(item))
      add_paths(t, item, name);
    else if (cJSON_IsNumber(item) || cJSON_IsBool(item) || cJSON_IsString(item))
      add_column(t, name);
    free(name);
  }
}

static bool gather(void *user, const cJSON *record, wf_error *err) {
  const cJSON *item;
  (void)err;
  cJSON_ArrayForEach(
      item, record) if (!cJSON_IsObject(item) && strcmp(item->string, "result") != 0 &&
                        strcmp(item->string, "configuration") != 0) add_column(user, item->string);
  add_paths(user, cJSON_GetObjectItem(record, "result"), "");
  return true;
}

static bool csv_one(void *user, const cJSON *record, wf_error *err) {
  table *t = user;
  (void)err;
  for (column *c = t->columns; c; c = c->hh.next) {
    char *text = wf_store_text(wf_store_field(record, c->name));
    put_field(t->out, text, c == t->columns);
    free(text);
  }
  fputs("\r\n", t->out);
  return true;
}

bool wf_store_print_csv(FILE *out, wf_store *store, const wf_store_choice *choice, wf_error *err) {
  table t = {.out = out};
  if (choice->columns) add_columns(&t, choice->columns);
  bool ok = choice->columns ? check_columns(&t, store, err) : each(store, choice, gather, &t, err);
  for (column *c = t.columns; ok && c; c = c->hh.next) put_field(out, c->name, c == t.columns);
  if (ok && t.columns) fputs("\r\n", out);
  ok = ok && each(store, choice, csv_one, &t, err);
  free_columns(&t);
  return ok;
}

/* ---- JSON ---- */

static bool json_one(void *user, const cJSON *record, wf_error *err) {
  table *t = user;
  char *text = cJSON_PrintUnformatted(record);
  (void)err;
  fprintf(t->out, "%s\n%s", t->started ? "," : "", text);
  t->started = true;
  cJSON_free(text);
  return true;
}

bool wf_store_print_json(FILE *out, wf_store *store, const wf_store_choice *choice, wf_error *err) {
  table t = {.out = out};
  fputc('[', out);
  const bool ok = each(store, choice, json_one, &t, err);
  fputs("\n]\n", out);
  return ok;
}
