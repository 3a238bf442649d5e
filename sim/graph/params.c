#include "sim/graph/params.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list_keys(const wf_param *table, char *text, size_t bytes) {
  text[0] = 0;
  for (size_t used = 0; table->key && used < bytes; table++)
    used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? ", " : "", table->key);
}

static int find_key(const wf_param *table, const char *key, size_t n) {
  for (int i = 0; table[i].key; i++)
    if (strlen(table[i].key) == n && !strncmp(table[i].key, key, n)) return i;
  return -1;
}

static bool bad_value(const wf_params *p, const wf_param *d, const char *value, size_t n,
                      wf_error *err) {
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s is \"%.*s\"; expected a %s number %.15g .. %.15g",
                 p->spec, d->key, (int)n, value, d->real ? "real" : "whole", d->low, d->high);
}

static bool set_value(wf_params *p, const wf_param *d, int i, const char *value, size_t n,
                      wf_error *err) {
  char text[40], *end;
  if (n == 0 || n >= sizeof text) return bad_value(p, d, value, n, err);
  memcpy(text, value, n);
  text[n] = 0;
  if (!d->real && strspn(text, "0123456789") != n) return bad_value(p, d, value, n, err);
  if (d->real && strspn(text, "0123456789.eE+-") != n) return bad_value(p, d, value, n, err);
  errno = 0;
  if (!d->real) p->whole[i] = strtoull(text, &end, 10);
  p->real[i] = d->real ? strtod(text, &end) : (double)p->whole[i];
  if (errno || *end || !(p->real[i] >= d->low && p->real[i] <= d->high))
    return bad_value(p, d, value, n, err);
  p->given[i] = true;
  return true;
}

bool wf_params_parse(wf_params *p, const char *spec, const wf_param *table, wf_error *err) {
  char keys[256];
  list_keys(table, keys, sizeof keys);
  *p = (wf_params){.spec = spec};
  const char *at = strchr(spec, ':');
  for (at = at ? at + 1 : spec + strlen(spec); *at;) {
    size_t item = strcspn(at, ","), key = strcspn(at, "=,");
    if (key == item)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: \"%.*s\" is no key=value; keys are %s", spec,
                     (int)item, at, keys);
    int i = find_key(table, at, key);
    if (i < 0)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: unknown key \"%.*s\"; keys are %s", spec,
                     (int)key, at, keys);
    if (p->given[i])
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s is given twice; give it once", spec,
                     table[i].key);
    if (!set_value(p, &table[i], i, at + key + 1, item - key - 1, err)) return false;
    at += item;
    if (*at == ',') at++;
  }
  for (int i = 0; table[i].key; i++)
    if (table[i].required && !p->given[i])
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s= is missing; keys are %s", spec, table[i].key,
                     keys);
  return true;
}
