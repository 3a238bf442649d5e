#include "sim/base/wf_parameter.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *const wf_any_text[] = {NULL};
enum { GIVEN_ROWS = 64 };

static void *field_of(const wf_parameter *p, void *fields) {
  return (char *)fields + p->field;
}

static const char *word_of(const wf_parameter *p, long value) {
  return p->words[value - p->low];
}

/* "a, b or c" */
static void list_words(const wf_parameter *p, char *text, size_t bytes) {
  size_t used = 0;
  for (long i = p->low; i <= p->high && used < bytes; i++)
    used += (size_t)snprintf(text + used, bytes - used, "%s%s",
                             i == p->low    ? ""
                             : i == p->high ? " or "
                                            : ", ",
                             word_of(p, i));
}

void wf_parameter_describe(const wf_parameter *p, char *preset, size_t preset_bytes, char *range,
                           size_t range_bytes) {
  if (p->words == wf_any_text) {
    snprintf(preset, preset_bytes, "%s", "");
    snprintf(range, range_bytes, "text");
  } else if (p->words) {
    snprintf(preset, preset_bytes, "%s", word_of(p, p->preset));
    list_words(p, range, range_bytes);
  } else {
    snprintf(preset, preset_bytes, "%ld", p->preset);
    snprintf(range, range_bytes, "%ld..%ld", p->low, p->high);
  }
}

static bool read_word(const wf_parameter *p, const char *text, long *value) {
  for (long i = p->low; i <= p->high; i++)
    if (strcmp(text, word_of(p, i)) == 0) return *value = i, true;
  return false;
}

static bool read_number(const wf_parameter *p, const char *text, long *value) {
  return wf_parse_long(text, value) && *value >= p->low && *value <= p->high;
}

/* text: NULL if it was not given. */
static bool read_one(const wf_parameter *p, const char *key, const char *text, void *fields,
                     wf_error *err) {
  long value = p->preset;
  if (p->words == wf_any_text) {
    if (fields) memcpy(field_of(p, fields), &text, sizeof text);
    return true;
  }
  if (text && !(p->words ? read_word(p, text, &value) : read_number(p, text, &value))) {
    char preset[64], range[256] = "";
    wf_parameter_describe(p, preset, sizeof preset, range, sizeof range);
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--set %s=%s: expected %s%s", key, text,
                   p->words ? "" : "a whole number ", range);
  }
  const unsigned number = (unsigned)value;
  if (fields) memcpy(field_of(p, fields), &number, sizeof number);
  return true;
}

static void key_of(char *key, size_t bytes, const char *prefix, const wf_parameter *p) {
  snprintf(key, bytes, "%s%s%s", prefix ? prefix : "", prefix ? "." : "", p->name);
}

void wf_parameters_each(const wf_parameter *table, const char *prefix, const wf_options *options,
                        wf_parameter_value *each, void *user) {
  for (const wf_parameter *p = table; p->name; p++) {
    char key[128], preset[64], range[256] = "";
    key_of(key, sizeof key, prefix, p);
    wf_parameter_describe(p, preset, sizeof preset, range, sizeof range);
    const char *text = wf_options_text(options, key);
    each(user, key, text ? text : preset, !p->words);
  }
}

bool wf_parameters_read(const wf_parameter *table, const char *prefix, const wf_options *options,
                        void *fields, wf_error *err) {
  const wf_parameter *p;
  uint64_t given = 0;
  for (p = table; p->name; p++) {
    char key[128];
    key_of(key, sizeof key, prefix, p);
    const char *text = wf_options_text(options, key);
    if (!read_one(p, key, text, fields, err)) return false;
    if (text && p < table + GIVEN_ROWS) given |= UINT64_C(1) << (p - table);
  }
  if (fields && p->field) memcpy(field_of(p, fields), &given, sizeof given);
  return true;
}

bool wf_parameters_given(const wf_parameter *table, const void *fields, const char *name) {
  const wf_parameter *row = wf_parameters_find(table, name), *end = row;
  uint64_t given;
  while (end->name) end++;
  memcpy(&given, (const char *)fields + end->field, sizeof given);
  return given >> (row - table) & 1;
}

const wf_parameter *wf_parameters_find(const wf_parameter *table, const char *name) {
  for (const wf_parameter *p = table; p->name; p++)
    if (strcmp(p->name, name) == 0) return p;
  return NULL;
}
