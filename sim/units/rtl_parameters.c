/* What is asked of a model's parameters, and in what that differs from its description. */
#include "sim/units/rtl_parameters.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_home.h"
#include "sim/base/wf_place.h"

typedef struct setting {
  const char *name;
  unsigned value;
  bool described; /* the description's [config ...] says the same */
} setting;

typedef struct settings {
  const wf_rtl_request *q;
  setting *at;
  size_t n;
} settings;

static setting *find(const settings *all, const char *name) {
  for (size_t i = 0; i < all->n; i++)
    if (strcmp(all->at[i].name, name) == 0) return &all->at[i];
  return NULL;
}

static void ask(settings *all, const char *name, unsigned value) {
  all->at = wf_realloc(all->at, all->n + 1, sizeof *all->at);
  all->at[all->n++] = (setting){name, value, false};
}

/* Does the row set a parameter of this RTL? "Name" is of every one of its unit, "RTL.Name" of that
 * one. NULL: no. */
static const char *parameter_of(const wf_rtl_request *q, const wf_parameter *p) {
  const char *dot = p->rtl ? strchr(p->rtl, '.') : NULL;
  if (!dot) return p->rtl;
  const size_t n = (size_t)(dot - p->rtl);
  return strncmp(p->rtl, q->unit, n) == 0 && !q->unit[n] ? dot + 1 : NULL;
}

static unsigned value_of(const wf_parameter *p, const void *fields) {
  unsigned value;
  memcpy(&value, (const char *)fields + p->field, sizeof value);
  return value;
}

/* What the fabric fixes, then what the user set or left as it is. */
static void collect(settings *all) {
  const wf_rtl_request *q = all->q;
  for (const wf_rtl_value *v = q->fixed; v && v->name; v++) ask(all, v->name, v->value);
  for (const wf_parameter *p = q->of->cls->parameters; p->name; p++) {
    const char *name = parameter_of(q, p);
    if (name) ask(all, name, value_of(p, wf_unit_settings(q->of)));
  }
}

static int on_key(void *user, const char *section, const char *key, const char *value) {
  settings *all = user;
  if (strncmp(section, "config ", 7) != 0 || strcmp(section + 7, all->q->config) != 0) return 1;
  setting *s = find(all, key);
  char *end;
  if (s) s->described = strtoll(value, &end, 0) == s->value && end != value && !*end;
  return 1;
}

static bool read_description(settings *all, wf_error *err) {
  wf_place place;
  if (!wf_place_find(wf_home(), all->q->unit, &place, err)) return false;
  return ini_parse(place.ini, on_key, all) >= 0 ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read", place.ini);
}

static bool presets_agree(const settings *all, wf_error *err) {
  const wf_rtl_request *q = all->q;
  for (const wf_parameter *p = q->of->cls->parameters; p->name; p++) {
    const char *name = parameter_of(q, p);
    if (!name || value_of(p, wf_unit_settings(q->of)) != p->preset || find(all, name)->described)
      continue;
    return wf_fail(err, WF_EXIT_WRONG,
                   "%s.%s: its preset is %u, and [config %s] of the RTL's description says %s "
                   "otherwise or nothing",
                   q->unit, p->name, (unsigned)p->preset, q->config, name);
  }
  return true;
}

static char *differences(const settings *all) {
  char *text = wf_calloc(1, 1);
  size_t n = 0;
  for (const setting *s = all->at; s < all->at + all->n; s++) {
    if (s->described) continue;
    text = wf_realloc(text, n + strlen(s->name) + 16, 1);
    n += (size_t)sprintf(text + n, "%s%s=%u", n ? " " : "", s->name, s->value);
  }
  return text;
}

char *wf_rtl_overrides(const wf_rtl_request *q, wf_error *err) {
  settings all = {.q = q};
  collect(&all);
  const bool ok = read_description(&all, err) && presets_agree(&all, err);
  char *text = ok ? differences(&all) : NULL;
  free(all.at);
  return text;
}
