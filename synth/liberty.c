#include "synth/liberty.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"

enum { TOKEN_BYTES = 256, MAX_DEPTH = 32 };

typedef struct reader {
  const char *path, *at;
  int line;
  char token[TOKEN_BYTES]; /* the last word or string, cut to its size */
  liberty *lib;
  liberty_each *each; /* told of each statement of the library's own level */
  void *user;
  wf_error *err;
  /* Of the pin being read: its direction comes before or after its capacitance. */
  bool pin_is_input;
  double pin_cap;
} reader;

static bool bad(reader *r, const char *what) {
  return wf_fail(r->err, WF_EXIT_BAD_INPUT,
                 "%s:%d: %s; a Liberty file (library (name) { cell (name) { ... } }) is needed",
                 r->path, r->line, what);
}

static void skip_space(reader *r) {
  for (;;) {
    if (*r->at == '\n') {
      r->line++, r->at++;
    } else if (isspace((unsigned char)*r->at) || *r->at == '\\') {
      r->at++;
    } else if (r->at[0] == '/' && r->at[1] == '*') {
      for (r->at += 2; *r->at && !(r->at[0] == '*' && r->at[1] == '/'); r->at++)
        if (*r->at == '\n') r->line++;
      if (*r->at) r->at += 2;
    } else if (r->at[0] == '/' && r->at[1] == '/') {
      while (*r->at && *r->at != '\n') r->at++;
    } else {
      return;
    }
  }
}

/* A word or a quoted string into r->token; false if there is neither. */
static bool word(reader *r) {
  size_t n = 0;
  skip_space(r);
  const char *start = r->at;
  if (*r->at == '"') {
    for (r->at++; *r->at && *r->at != '"'; r->at++) {
      if (*r->at == '\n') r->line++;
      if (n + 1 < sizeof r->token) r->token[n++] = *r->at;
    }
    if (*r->at) r->at++;
  } else {
    while (*r->at && !isspace((unsigned char)*r->at) && !strchr("(){};:,\"", *r->at)) {
      if (n + 1 < sizeof r->token) r->token[n++] = *r->at;
      r->at++;
    }
  }
  r->token[n] = 0;
  return r->at != start;
}

static bool accept(reader *r, char c) {
  skip_space(r);
  if (*r->at != c) return false;
  r->at++;
  return true;
}

static void copy(char to[64], const char *from) {
  snprintf(to, 64, "%.63s", from);
}

static lib_cell *last_cell(reader *r) {
  return r->lib->count ? &r->lib->cells[r->lib->count - 1] : NULL;
}

/* key : value; at nesting `depth`, inside a group of type `in`. */
static void simple(reader *r, int depth, const char *in, const char *key, const char *value) {
  lib_cell *cell = last_cell(r);
  if (depth == 1 && strcmp(key, "nom_voltage") == 0) r->lib->volts = strtod(value, NULL);
  if (depth == 1 && strcmp(key, "default_wire_load") == 0) copy(r->lib->wire_load, value);
  if (!cell) return;
  if (strcmp(in, "cell") == 0 && strcmp(key, "area") == 0) cell->area = strtod(value, NULL);
  if (strcmp(in, "pin") == 0 && strcmp(key, "direction") == 0)
    r->pin_is_input = strcmp(value, "input") == 0;
  if (strcmp(in, "pin") == 0 && strcmp(key, "capacitance") == 0) r->pin_cap = strtod(value, NULL);
}

static void open_group(reader *r, int depth, const char *type, const char *name) {
  if (depth == 0) copy(r->lib->name, name);
  if (depth == 1 && strcmp(type, "cell") == 0) {
    r->lib->cells = wf_realloc(r->lib->cells, r->lib->count + 1, sizeof *r->lib->cells);
    r->lib->cells[r->lib->count] = (lib_cell){0};
    copy(r->lib->cells[r->lib->count++].name, name);
  }
  if (depth == 2 && last_cell(r)) {
    if (strcmp(type, "ff") == 0 || strcmp(type, "ff_bank") == 0) last_cell(r)->flop = true;
    if (strcmp(type, "latch") == 0) last_cell(r)->latch = true;
  }
  if (strcmp(type, "pin") == 0) r->pin_is_input = false, r->pin_cap = 0;
}

static void close_group(reader *r, const char *type) {
  lib_cell *cell = last_cell(r);
  if (cell && strcmp(type, "pin") == 0 && r->pin_is_input && r->pin_cap > cell->input_cap)
    cell->input_cap = r->pin_cap;
}

/* Up to and with ')'; the first argument into `first`, the second into `second`. */
static bool arguments(reader *r, char first[TOKEN_BYTES], char second[TOKEN_BYTES]) {
  first[0] = second[0] = 0;
  for (int n = 0; !accept(r, ')');) {
    if (accept(r, ',') || accept(r, ':')) continue;
    if (!word(r))
      return bad(r, *r->at ? "unexpected character in an argument list"
                           : "the file ends in an argument list");
    if (n == 0) memcpy(first, r->token, TOKEN_BYTES);
    if (n == 1) memcpy(second, r->token, TOKEN_BYTES);
    n++;
  }
  return true;
}

static bool statements(reader *r, int depth, const char *in);

/* Tells of the statement that began at `from` and ends here. */
static bool told(reader *r, int depth, liberty_kind kind, const char *type, const char *name,
                 const char *from) {
  if (depth != 1 || !r->each) return true;
  const liberty_statement s = {kind, type, name, from, (size_t)(r->at - from), r->line};
  return r->each(r->user, &s, r->err);
}

/* One statement: attribute, complex attribute or group. */
static bool statement(reader *r, int depth, const char *in) {
  char key[TOKEN_BYTES], first[TOKEN_BYTES], second[TOKEN_BYTES];
  skip_space(r);
  const char *from = r->at;
  if (!word(r)) return bad(r, "no attribute or group where one was expected");
  memcpy(key, r->token, sizeof key);
  if (accept(r, ':')) {
    if (!word(r)) return bad(r, "an attribute without value");
    memcpy(first, r->token, sizeof first);
    while (*r->at && *r->at != ';' && *r->at != '\n' && *r->at != '}')
      r->at++; /* rest of an expression */
    simple(r, depth, in, key, first);
    accept(r, ';');
    return told(r, depth, LIBERTY_SIMPLE, key, first, from);
  }
  if (!accept(r, '(')) return bad(r, "neither `:' nor `(' behind a word");
  if (!arguments(r, first, second)) return false;
  if (!accept(r, '{')) {
    if (depth == 1 && strcmp(key, "capacitive_load_unit") == 0)
      r->lib->ff_per_unit = strtod(first, NULL) * (strcasecmp(second, "pf") == 0 ? 1e3 : 1);
    accept(r, ';');
    return told(r, depth, LIBERTY_COMPLEX, key, first, from);
  }
  if (depth == 0 && strcmp(key, "library") != 0) return bad(r, "the first group is no library");
  open_group(r, depth, key, first);
  if (depth + 1 >= MAX_DEPTH) return bad(r, "groups nested too deeply");
  if (!statements(r, depth + 1, key)) return false;
  close_group(r, key);
  return told(r, depth, LIBERTY_GROUP, key, first, from);
}

/* Up to and with '}'. */
static bool statements(reader *r, int depth, const char *in) {
  while (!accept(r, '}')) {
    if (accept(r, ';')) continue;
    if (!*r->at) return bad(r, "the file ends inside a group");
    if (!statement(r, depth, in)) return false;
  }
  return true;
}

static bool complete(reader *r) {
  liberty *lib = r->lib;
  size_t flops = 0;
  for (size_t i = 0; i < lib->count; i++) {
    flops += lib->cells[i].flop;
    lib->cells[i].input_cap *= lib->ff_per_unit;
  }
  if (!lib->count) return bad(r, "it has no cell");
  if (!flops) return bad(r, "it has no flip-flop");
  if (!liberty_smallest(lib, "nand2") || !liberty_smallest(lib, "nand2")->area)
    return bad(r, "it has no 2-input NAND with an area, the unit of gate equivalents");
  return true;
}

bool liberty_scan(liberty *lib, const char *path, const char *text, liberty_each *each, void *user,
                  wf_error *err) {
  *lib = (liberty){.ff_per_unit = 1, .volts = 1};
  reader r = {
      .path = path, .at = text, .line = 1, .lib = lib, .each = each, .user = user, .err = err};
  return statement(&r, 0, "");
}

bool liberty_read(liberty *lib, const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, LIBERTY_LIMIT_BYTES, &bytes, err);
  *lib = (liberty){.ff_per_unit = 1, .volts = 1};
  if (!text) return false;
  reader r = {.path = path, .at = text, .line = 1, .lib = lib, .err = err};
  bool ok = statement(&r, 0, "") && complete(&r);
  free(text);
  if (!ok) liberty_free(lib);
  return ok;
}

void liberty_free(liberty *lib) {
  free(lib->cells);
  *lib = (liberty){0};
}

const lib_cell *liberty_cell(const liberty *lib, const char *name) {
  for (size_t i = 0; i < lib->count; i++)
    if (strcmp(lib->cells[i].name, name) == 0) return &lib->cells[i];
  return NULL;
}

static bool has_word(const char *name, const char *word) {
  size_t n = strlen(word);
  if (strncasecmp(name, word, n) == 0) return true;
  for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_'))
    if (strncasecmp(at + 1, word, n) == 0) return true;
  return false;
}

const lib_cell *liberty_smallest(const liberty *lib, const char *word) {
  const lib_cell *best = NULL;
  for (size_t i = 0; i < lib->count; i++) {
    const lib_cell *c = &lib->cells[i];
    if (!c->flop && !c->latch && c->area > 0 && has_word(c->name, word) &&
        (!best || c->area < best->area))
      best = c;
  }
  return best;
}
