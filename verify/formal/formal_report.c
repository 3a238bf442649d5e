/* Results as JSON files, and as a section of the unit's page in docs/results. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_page.h"
#include "sim/base/wf_text.h"
#include "verify/formal/formal.h"

enum { FILE_LIMIT = 1 << 24 };
static const char *const STATES[] = {"open", "proven", "bounded", "failed"};

bool formal_result_write(const char *path, const formal_result *r, uint64_t hash, wf_error *err) {
  cJSON *json = cJSON_CreateObject();
  char text[32];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  cJSON_AddStringToObject(json, "hash", text);
  cJSON_AddNumberToObject(json, "seconds", r->seconds);
  cJSON_AddStringToObject(json, "vcd", r->vcd);
  cJSON *rules = cJSON_AddArrayToObject(json, "rules");
  for (size_t i = 0; i < r->n_rules; i++) {
    const formal_rule *rule = &r->rules[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", rule->name);
    cJSON_AddBoolToObject(item, "cover", rule->cover);
    cJSON_AddStringToObject(item, "state", STATES[rule->state]);
    cJSON_AddNumberToObject(item, "depth", rule->depth);
    cJSON_AddStringToObject(item, "engine", rule->engine);
    cJSON_AddItemToArray(rules, item);
  }
  bool ok = wf_json_save(path, json, err);
  cJSON_Delete(json);
  return ok;
}

/* Engines are compared as text only: names that outlive the file. */
static const char *engine_name(const char *text) {
  static const char *const names[] = {"pdr", "sat", "smtbmc", "induction"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (text && strcmp(text, names[i]) == 0) return names[i];
  return "";
}

static bool read_rule(formal_rule *rule, const cJSON *item) {
  const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(item, "name"));
  const char *state = cJSON_GetStringValue(cJSON_GetObjectItem(item, "state"));
  const cJSON *depth = cJSON_GetObjectItem(item, "depth");
  if (!name || !state || !cJSON_IsNumber(depth)) return false;
  *rule = (formal_rule){.cover = cJSON_IsTrue(cJSON_GetObjectItem(item, "cover")),
                        .depth = depth->valueint,
                        .engine =
                            engine_name(cJSON_GetStringValue(cJSON_GetObjectItem(item, "engine")))};
  snprintf(rule->name, sizeof rule->name, "%s", name);
  for (int i = 0; i < 4; i++)
    if (strcmp(state, STATES[i]) == 0) rule->state = (formal_state)i;
  return true;
}

static bool read_json(const cJSON *json, formal_result *r, uint64_t *hash) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(json, "hash"));
  const char *vcd = cJSON_GetStringValue(cJSON_GetObjectItem(json, "vcd"));
  const cJSON *item, *seconds = cJSON_GetObjectItem(json, "seconds");
  if (!text || sscanf(text, "%" SCNx64, hash) != 1 || !cJSON_IsNumber(seconds)) return false;
  *r = (formal_result){.seconds = seconds->valuedouble};
  snprintf(r->vcd, sizeof r->vcd, "%s", vcd ? vcd : "");
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(json, "rules")) {
    if (r->n_rules == FORMAL_MAX_RULES || !read_rule(&r->rules[r->n_rules++], item)) return false;
  }
  return r->n_rules > 0;
}

bool formal_result_read(const char *path, formal_result *r, uint64_t *hash) {
  size_t bytes;
  char *text = wf_file_read(path, FILE_LIMIT, &bytes, NULL);
  cJSON *json = text ? cJSON_Parse(text) : NULL;
  bool ok = json && read_json(json, r, hash);
  cJSON_Delete(json);
  free(text);
  return ok;
}

/* Coarse, so that the page does not change from run to run. */
static const char *time_class(double seconds) {
  return seconds < 10 ? "< 10 s" : seconds < 60 ? "< 1 min" : seconds < 300 ? "< 5 min" : "> 5 min";
}

static const char *plural(size_t n) {
  return n == 1 ? "" : "s";
}

static void put_results(FILE *f, const formal_result *r) {
  size_t proven = 0, rules = 0, covers = 0, reached = 0, other = 0;
  const char *by = "", *also = "";
  for (size_t i = 0; i < r->n_rules; i++) {
    const formal_rule *rule = &r->rules[i];
    if (rule->cover) {
      covers++, reached += rule->state == FORMAL_FAILED;
      continue;
    }
    rules++;
    if (rule->state == FORMAL_PROVEN) {
      proven++;
      if (strcmp(by, rule->engine) != 0) *(*by ? &also : &by) = rule->engine;
    }
    other += rule->state == FORMAL_FAILED || rule->state == FORMAL_OPEN;
  }
  fprintf(f, "| ");
  if (proven)
    fprintf(f, "%zu rule%s proven (%s%s%s)%s", proven, plural(proven), by, *also ? ", " : "", also,
            proven < rules ? ", " : "");
  if (other) fprintf(f, "%zu FAILED or undecided, ", other);
  const int holds = formal_holds_for(r), needs = formal_needs(r);
  if (holds) fprintf(f, "%zu hold for %d cycles", rules - proven - other, holds);
  if (holds && holds < needs) fprintf(f, ", fewer than a cover's %d", needs);
  fprintf(f, " | %zu of %zu | %s |\n", reached, covers, time_class(r->seconds));
}

/* A result of other sources or settings does not count. */
static void put_table(FILE *f, const formal_unit *u, const char *build) {
  fprintf(f,
          "| proof | of what | parameters | result | covers | time |\n|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < u->n_proofs; i++) {
    const formal_proof *p = &u->proofs[i];
    char *path = wf_text("%s/formal/%s/%s/result.json", build, u->unit, p->name);
    formal_result r;
    formal_files files;
    uint64_t hash, now;
    bool ok = formal_result_read(path, &r, &hash) &&
              formal_files_find(&files, u->unit, p, NULL, NULL) &&
              formal_files_hash(&files, p, &now, NULL) && hash == now;
    free(path);
    fprintf(f, "| `%s` | %s | %s ", p->name, p->says, *p->set ? p->set : "none");
    if (ok)
      put_results(f, &r);
    else
      fprintf(f, "| not run here | | |\n");
  }
}

bool formal_page(const formal_unit *u, const char *build, wf_error *err) {
  char *path = wf_page_path(u->unit, err), *text = NULL;
  if (!path) return false;
  size_t bytes;
  FILE *f = open_memstream(&text, &bytes);
  fprintf(f,
          "## Proofs\n`make formal UNIT=%s`. Proven: for any number of cycles, at the parameters "
          "named; hold for N\ncycles: from reset. Covers are situations that a proof must be able "
          "to reach.\n\n",
          u->unit);
  put_table(f, u, build);
  fclose(f);
  const bool ok = wf_page_write(path, "proofs", "make formal", text, err);
  free(text);
  free(path);
  return ok;
}
