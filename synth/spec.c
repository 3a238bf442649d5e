#include "synth/spec.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_options.h"

typedef struct reader {
  synth_spec *spec;
  wf_error *err;
  bool failed;
} reader;

static int refuse(reader *r, const char *key, const char *value, const char *expected) {
  r->failed = true;
  wf_fail(r->err, WF_EXIT_BAD_INPUT, "%s: [synth] %s = %s: expected %s", r->spec->path, key, value,
          expected);
  return 0;
}

static void add_item(spec_list *list, const char *text) {
  list->items = wf_realloc(list->items, list->count + 1, sizeof *list->items);
  list->items[list->count++] = wf_strdup(text);
}

static void add_words(spec_list *list, const char *words) {
  char *copy = wf_strdup(words), *rest = copy, *word;
  while ((word = strtok_r(rest, " \t,", &rest))) add_item(list, word);
  free(copy);
}

static int add_allow(reader *r, const char *value) {
  synth_spec *s = r->spec;
  const char *colon = strchr(value, ':');
  const char *reason = colon ? colon + 1 + strspn(colon + 1, " \t") : NULL;
  if (!colon || colon == value || strlen(reason) < 10)
    return refuse(r, "allow", value, "MODULE.ARRAY: the reason in words");
  s->allow = wf_realloc(s->allow, s->allow_count + 1, sizeof *s->allow);
  spec_allow *a = &s->allow[s->allow_count++];
  *a = (spec_allow){.array = wf_strdup(value), .reason = wf_strdup(reason)};
  a->array[colon - value] = 0;
  return 1;
}

static void set_text(char **slot, const char *value) {
  free(*slot);
  *slot = wf_strdup(value);
}

/* What synth/power and synth/prices read. */
static bool others_key(const char *key) {
  static const char *const keys[] = {"run",      "from",      "edges",  "events",     "fit",
                                     "fit_from", "fit_edges", "check",  "check_from", "check_edges",
                                     "opens",    "also",      "copies", "gain"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(key, keys[i]) == 0) return true;
  return strncmp(key, "run_", 4) == 0;
}

static int on_key(void *context, const char *section, const char *key, const char *value) {
  reader *r = context;
  synth_spec *s = r->spec;
  if (r->failed) return 0;
  if (strcmp(section, "synth") != 0) return 1;
  if (strcmp(key, "period_ps") == 0) {
    if (!wf_parse_long(value, &s->period_ps) || s->period_ps < 50 || s->period_ps > 1000000)
      return refuse(r, key, value, "picoseconds, 50 to 1000000");
  } else if (strcmp(key, "ram_bits") == 0) {
    set_text(&s->ram_bits, value);
  } else if (strncmp(key, "let.", 4) == 0 && key[4]) {
    add_item(&s->let_names, key + 4);
    add_item(&s->let_formulas, value);
  } else if (strncmp(key, "gpu.", 4) == 0 && key[4]) {
    add_item(&s->gpu_names, key + 4);
    add_item(&s->gpu_places, value);
  } else if (strcmp(key, "op") == 0) {
    set_text(&s->op, value);
  } else if (strcmp(key, "ops_per_cycle") == 0) {
    set_text(&s->ops_per_cycle, value);
  } else if (strcmp(key, "allow") == 0) {
    return add_allow(r, value);
  } else if (strcmp(key, "static") == 0) {
    add_words(&s->statics, value);
  } else if (strcmp(key, "flatten") == 0) {
    add_words(&s->flatten, value);
  } else if (strcmp(key, "tight") == 0) {
    add_words(&s->tight, value);
  } else if (!others_key(key)) {
    return refuse(r, key, value,
                  "one of period_ps, ram_bits, let.NAME, op, ops_per_cycle, allow, static, "
                  "flatten, tight, gpu.NAME, run, run_CONFIG, edges, from, events, fit, fit_from, "
                  "fit_edges, check, "
                  "check_from, check_edges, opens, also, copies, gain");
  }
  return 1;
}

bool synth_spec_read(synth_spec *spec, const char *ini_path, wf_error *err) {
  *spec = (synth_spec){.path = wf_strdup(ini_path), .period_ps = 1000};
  reader r = {.spec = spec, .err = err};
  int line = ini_parse(ini_path, on_key, &r);
  if (r.failed) return false;
  if (line < 0) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read", ini_path);
  if (line > 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: expected [section] or key = value", ini_path,
                   line);
  return true;
}

bool synth_spec_names(const synth_spec *spec, const spec_parameter *parameters, size_t count,
                      spec_names *names, wf_error *err) {
  names->items = wf_calloc(count + spec->let_names.count + 1, sizeof *names->items);
  names->count = count;
  if (count) memcpy(names->items, parameters, count * sizeof *parameters);
  for (size_t i = 0; i < spec->let_names.count; i++) {
    spec_parameter *p = &names->items[names->count];
    snprintf(p->name, sizeof p->name, "%.63s", spec->let_names.items[i]);
    if (!formula_value(spec->let_formulas.items[i], names->items, names->count, spec->path,
                       &p->value, err))
      return false;
    names->count++;
  }
  return true;
}

static void list_free(spec_list *list) {
  for (size_t i = 0; i < list->count; i++) free(list->items[i]);
  free(list->items);
}

void synth_spec_free(synth_spec *spec) {
  free(spec->path);
  free(spec->ram_bits);
  free(spec->op);
  free(spec->ops_per_cycle);
  for (size_t i = 0; i < spec->allow_count; i++) {
    free(spec->allow[i].array);
    free(spec->allow[i].reason);
  }
  free(spec->allow);
  list_free(&spec->statics);
  list_free(&spec->flatten);
  list_free(&spec->tight);
  list_free(&spec->let_names);
  list_free(&spec->let_formulas);
  list_free(&spec->gpu_names);
  list_free(&spec->gpu_places);
  *spec = (synth_spec){0};
}
