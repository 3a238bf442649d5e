/* unit.ini: which sources make a unit, what its special ports are called, its named parameter sets.
 */
#include <ctype.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_place.h"
#include "sim/model/gen/wfgen.h"

void wfgen_list_add(wfgen_list *list, const char *item) {
  list->items = wf_realloc(list->items, list->count + 1, sizeof *list->items);
  list->items[list->count++] = wf_strdup(item);
}

void wfgen_list_free(wfgen_list *list) {
  for (size_t i = 0; i < list->count; i++) free(list->items[i]);
  free(list->items);
  *list = (wfgen_list){0};
}

typedef struct reader {
  wfgen_unit *unit;
  const char *path, *wanted; /* the wanted configuration */
  wf_error *err;
  bool failed;
} reader;

/* inih does not tell a handler where it is, so messages name section and key instead. */
static int refuse(reader *r, const char *section, const char *key, const char *value,
                  const char *expected) {
  r->failed = true;
  wf_fail(r->err, WF_EXIT_BAD_INPUT, "%s: [%s] %s = %s: expected %s", r->path, section, key, value,
          expected);
  return 0;
}

static void add_words(wfgen_list *list, const char *words) {
  char *copy = wf_strdup(words), *rest = copy, *word;
  while ((word = strtok_r(rest, " \t,", &rest))) wfgen_list_add(list, word);
  free(copy);
}

static void set_text(char **slot, const char *value) {
  free(*slot);
  *slot = wf_strdup(value);
}

static bool is_name(const char *text) {
  if (!isalpha((unsigned char)text[0]) && text[0] != '_') return false;
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && *text != '_') return false;
  return true;
}

/* Decimal, 0x hexadecimal or a sized Verilog literal such as 16'hff, in the form Verilator takes.
 */
static char *normal_value(const char *text) {
  char *end, buffer[64];
  if (strchr(text, '\'')) {
    for (const char *c = text; *c; c++)
      if (!isxdigit((unsigned char)*c) && !strchr("'shdboHDBO_", *c)) return NULL;
    return wf_strdup(text);
  }
  long long value = strtoll(text, &end, 0);
  if (end == text || *end) return NULL;
  snprintf(buffer, sizeof buffer, "%lld", value);
  return wf_strdup(buffer);
}

/* False if the value is not a number. *changed tells whether the setting was new or different. */
static bool set_parameter(wfgen_unit *unit, const char *name, const char *text, bool *changed) {
  char *value = normal_value(text);
  if (!value) return false;
  *changed = true;
  for (size_t i = 0; i < unit->setting_count; i++) {
    wfgen_setting *s = &unit->settings[i];
    if (strcmp(s->name, name) != 0) continue;
    *changed = strcmp(s->value, value) != 0;
    free(s->value);
    s->value = value;
    return true;
  }
  unit->settings = wf_realloc(unit->settings, unit->setting_count + 1, sizeof *unit->settings);
  unit->settings[unit->setting_count++] = (wfgen_setting){wf_strdup(name), value};
  return true;
}

static int unit_key(reader *r, const char *key, const char *value) {
  wfgen_unit *u = r->unit;
  if (strcmp(key, "top") == 0)
    set_text(&u->top, value);
  else if (strcmp(key, "clock") == 0)
    set_text(&u->clock, value);
  else if (strcmp(key, "reset") == 0)
    set_text(&u->reset, value);
  else if (strcmp(key, "idle") == 0)
    set_text(&u->idle, value);
  else if (strcmp(key, "sources") == 0)
    add_words(&u->sources, value);
  else if (strcmp(key, "include") == 0)
    add_words(&u->includes, value);
  else if (strcmp(key, "library") == 0)
    add_words(&u->libraries, value);
  else if (strcmp(key, "parts") == 0)
    add_words(&u->parts, value);
  else if (strcmp(key, "name") != 0 && strcmp(key, "bench") != 0) /* read by wf_place.c */
    return refuse(r, "unit", key, value,
                  "one of name, top, clock, reset, idle, sources, include, library, parts, bench");
  return 1;
}

/* A number of clock edges, at most 1000. */
static bool edges(const char *value, unsigned *result) {
  char *end;
  unsigned long n = strtoul(value, &end, 10);
  if (value[0] < '0' || value[0] > '9' || *end || n > 1000) return false;
  *result = (unsigned)n;
  return true;
}

static int counters_key(reader *r, const char *key, const char *value) {
  wfgen_unit *u = r->unit;
  if (strcmp(key, "snapshot") == 0)
    set_text(&u->snapshot, value);
  else if (strcmp(key, "clear") == 0)
    set_text(&u->clear, value);
  else if (strcmp(key, "index") == 0)
    set_text(&u->index, value);
  else if (strcmp(key, "value") == 0)
    set_text(&u->value, value);
  else if (strcmp(key, "snapshot_cycles") == 0 || strcmp(key, "read_cycles") == 0) {
    if (!edges(value, key[0] == 's' ? &u->snapshot_cycles : &u->read_cycles))
      return refuse(r, "counters", key, value, "a number of clock edges, 0 to 1000");
  } else if (strcmp(key, "names") == 0)
    add_words(&u->counters, value);
  else
    return refuse(r, "counters", key, value,
                  "one of snapshot, clear, index, value, snapshot_cycles, read_cycles, names");
  return 1;
}

static int config_key(reader *r, const char *section, const char *key, const char *value) {
  wfgen_unit *u = r->unit;
  const char *name = section + strlen("config ");
  bool known = false, changed;
  for (size_t i = 0; i < u->configs.count; i++) known |= strcmp(u->configs.items[i], name) == 0;
  if (!known) wfgen_list_add(&u->configs, name);
  if (strcmp(name, r->wanted) != 0) return 1;
  if (!is_name(key)) return refuse(r, section, key, value, "the name of a parameter before the =");
  if (!set_parameter(u, key, value, &changed))
    return refuse(r, section, key, value, "a number (decimal, 0x hexadecimal, or as 16'hff)");
  return 1;
}

static int on_key(void *context, const char *section, const char *key, const char *value) {
  reader *r = context;
  if (r->failed) return 0;
  if (strcmp(section, "unit") == 0) return unit_key(r, key, value);
  if (strcmp(section, "counters") == 0) return counters_key(r, key, value);
  if (strncmp(section, "config ", 7) == 0) return config_key(r, section, key, value);
  /* Other flows keep their sections in the same file and read them themselves. */
  static const char *const others[] = {"replay", "formal", "synth", "coverage", "mutate", "tests"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strncmp(section, others[i], strlen(others[i])) == 0) return 1;
  return refuse(r, section, key, value,
                "a section [unit], [counters], [config NAME] or one of another flow");
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const wfgen_setting *)a)->name, ((const wfgen_setting *)b)->name);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The override's part of the folder name: only letters that need no quoting anywhere. */
static void append_suffix(char **config, const char *name, const char *value) {
  size_t bytes = strlen(*config) + strlen(name) + strlen(value) + 3;
  *config = wf_realloc(*config, bytes, 1);
  char *at = *config + strlen(*config);
  snprintf(at, bytes - strlen(*config), "+%s.%s", name, value);
  for (; *at; at++)
    if (*at == '\'' || *at == '/') *at = '_';
}

/* A long list of overrides would overflow file names: keep the start, add a hash (FNV-1a). */
static void shorten(char **config) {
  enum { LIMIT = 120 };
  if (strlen(*config) <= LIMIT) return;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *c = *config; *c; c++) hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
  snprintf(*config + LIMIT - 17, 18, "+%016llx", (unsigned long long)hash);
}

static bool apply_overrides(wfgen_unit *unit, const char *overrides, wf_error *err) {
  wfgen_list words = {0}, effective = {0};
  bool ok = true;
  if (overrides) add_words(&words, overrides);
  for (size_t i = 0; i < words.count && ok; i++) {
    char *word = words.items[i], *equals = strchr(word, '=');
    bool changed = false;
    if (equals) *equals = 0;
    if (!equals || !is_name(word) || !set_parameter(unit, word, equals + 1, &changed))
      ok = wf_fail(err, WF_EXIT_BAD_INPUT,
                   "parameter override `%s%s%s': expected NAME=NUMBER, e.g. TagEntries=128", word,
                   equals ? "=" : "", equals ? equals + 1 : "");
    else if (changed)
      wfgen_list_add(&effective, word);
  }
  if (unit->setting_count)
    qsort(unit->settings, unit->setting_count, sizeof *unit->settings, by_name);
  if (effective.count) qsort(effective.items, effective.count, sizeof(char *), by_text);
  for (size_t i = 0; i < effective.count && ok; i++) {
    if (i && strcmp(effective.items[i], effective.items[i - 1]) == 0) continue;
    for (size_t j = 0; j < unit->setting_count; j++)
      if (strcmp(unit->settings[j].name, effective.items[i]) == 0)
        append_suffix(&unit->config, effective.items[i], unit->settings[j].value);
  }
  shorten(&unit->config);
  wfgen_list_free(&words);
  wfgen_list_free(&effective);
  return ok;
}

static bool check_complete(const wfgen_unit *unit, const char *path, const char *config,
                           wf_error *err) {
  if (unit->parts.count) {
    char names[256] = "";
    for (size_t i = 0; i < unit->parts.count; i++)
      snprintf(names + strlen(names), sizeof names - strlen(names), " %s", unit->parts.items[i]);
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: the unit %s has several top modules; name one of:%s", path, unit->name,
                   names);
  }
  if (!unit->top || !unit->clock || !unit->reset)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: [unit] needs %s", path,
                   !unit->top     ? "top = the top module's name"
                   : !unit->clock ? "clock = the name of the clock port"
                                  : "reset = the name of the reset port");
  if (!unit->sources.count)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: [unit] needs sources = the Verilog files", path);
  bool bank = unit->snapshot && unit->clear && unit->index && unit->value;
  if (unit->counters.count && !bank)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: [counters] names %zu counters, and so needs the ports snapshot, clear, "
                   "index and value",
                   path, unit->counters.count);
  if (strcmp(config, "default") == 0) return true;
  char known[512] = "default";
  for (size_t i = 0; i < unit->configs.count; i++) {
    if (strcmp(unit->configs.items[i], config) == 0) return true;
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, ", %s", unit->configs.items[i]);
  }
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no configuration `%s'; there are: %s", path, config,
                 known);
}

bool wfgen_unit_read(wfgen_unit *unit, const char *path, const char *config, const char *overrides,
                     wf_error *err) {
  wf_place place;
  *unit = (wfgen_unit){0};
  if (!wf_place_find("", path, &place, err)) return false;
  path = place.ini;
  unit->name = wf_strdup(place.name);
  unit->folder = wf_strdup(place.folder);
  unit->ini = wf_strdup(path);
  unit->bench = wf_strdup(place.bench);
  unit->config = wf_strdup(config);
  reader r = {.unit = unit, .path = path, .wanted = config, .err = err};
  int line = ini_parse(path, on_key, &r);
  if (r.failed) return false;
  if (line < 0) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read", path);
  if (line > 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: expected [section] or key = value", path, line);
  if (!check_complete(unit, path, config, err)) return false;
  size_t length = strlen(unit->reset);
  unit->reset_active_low = (length > 3 && strcmp(unit->reset + length - 3, "_ni") == 0) ||
                           (length > 2 && strcmp(unit->reset + length - 2, "_n") == 0);
  return apply_overrides(unit, overrides, err);
}

void wfgen_unit_free(wfgen_unit *unit) {
  char **texts[] = {&unit->ini,   &unit->bench, &unit->name,  &unit->folder,   &unit->top,
                    &unit->clock, &unit->reset, &unit->idle,  &unit->snapshot, &unit->clear,
                    &unit->index, &unit->value, &unit->config};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(*texts[i]);
  wfgen_list_free(&unit->sources);
  wfgen_list_free(&unit->includes);
  wfgen_list_free(&unit->libraries);
  wfgen_list_free(&unit->parts);
  wfgen_list_free(&unit->counters);
  wfgen_list_free(&unit->configs);
  for (size_t i = 0; i < unit->setting_count; i++) {
    free(unit->settings[i].name);
    free(unit->settings[i].value);
  }
  free(unit->settings);
  *unit = (wfgen_unit){0};
}
