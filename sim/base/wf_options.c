#include "sim/base/wf_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

static wf_option *find(const wf_options *options, const char *key) {
  for (size_t i = 0; i < options->count; i++)
    if (strcmp(options->items[i].key, key) == 0) return &options->items[i];
  return NULL;
}

void wf_options_put(wf_options *options, const char *key, const char *value) {
  wf_option *item = find(options, key);
  if (item) {
    free(item->value);
  } else {
    options->items = wf_realloc(options->items, options->count + 1, sizeof *options->items);
    item = &options->items[options->count++];
    *item = (wf_option){.key = wf_strdup(key)};
  }
  item->value = wf_strdup(value);
}

bool wf_options_add(wf_options *options, const char *assignment, wf_error *err) {
  const char *equals = strchr(assignment, '=');
  if (!equals || equals == assignment)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--set %s: expected KEY=VALUE, e.g. l1.bytes=32768",
                   assignment);
  char *key = wf_strdup(assignment);
  key[equals - assignment] = '\0';
  const char *earlier = wf_options_text(options, key);
  const bool once = !earlier || wf_fail(err, WF_EXIT_BAD_INPUT, "--set %s and %s=%s: given twice",
                                        assignment, key, earlier);
  if (once) wf_options_put(options, key, equals + 1);
  free(key);
  return once;
}

const char *wf_options_text(const wf_options *options, const char *key) {
  wf_option *item = find(options, key);
  return item ? item->value : NULL;
}

/* 16, 10, or 0 for what is no number. A leading zero means nothing: 010 is ten. */
static int base_of(const char *digits) {
  const bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const char *first = digits + (hex ? 2 : 0);
  const bool fine = hex ? isxdigit((unsigned char)*first) : isdigit((unsigned char)*first);
  return fine ? hex ? 16 : 10 : 0;
}

bool wf_parse_long(const char *text, long *value) {
  char *end;
  const int base = base_of(text + (*text == '-' || *text == '+'));
  errno = 0;
  *value = base ? strtol(text, &end, base) : 0;
  return base && *end == '\0' && errno == 0;
}

bool wf_parse_u64(const char *text, uint64_t *value) {
  char *end;
  const int base = base_of(text + (*text == '+'));
  errno = 0;
  *value = base ? strtoull(text, &end, base) : 0;
  return base && *end == '\0' && errno == 0;
}

void wf_options_copy(wf_options *to, const wf_options *from) {
  *to = (wf_options){0};
  for (size_t i = 0; i < from->count; i++)
    wf_options_put(to, from->items[i].key, from->items[i].value);
}

void wf_options_free(wf_options *options) {
  for (size_t i = 0; i < options->count; i++) {
    free(options->items[i].key);
    free(options->items[i].value);
  }
  free(options->items);
  *options = (wf_options){0};
}

bool wf_options_once(int argc, char *const *argv, const char *const *once, wf_error *err) {
  for (; *once; once++) {
    const size_t n = strlen(*once);
    int given = 0;
    for (int i = 1; i < argc; i++)
      given += !strncmp(argv[i], *once, n) && (!argv[i][n] || argv[i][n] == '=');
    if (given > 1) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: given twice", *once);
  }
  return true;
}
